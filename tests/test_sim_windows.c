/* test_sim_windows.c - what do the windows of a whole GPU hold, and whose bytes are said to camp? Blocks run a
 * script; sim_script.h has the round figures.
 */
#include "sim_script.h"

#include "test_support.h"

#include "rules_access.h"

static struct script script;

static struct warp_access word(uint32_t site, uint64_t line)
{
    struct warp_access a = affine(4, 128 * line, 0);
    a.site = site;
    return a;
}

static void open_script(const struct arch *arch)
{
    script_open(&script, arch, NULL);
    script_launch(&script, 1, 1, SIM_NOBODY);
}

static const struct usage_window *window(size_t i)
{
    assert_true(i < script.sim.usage.kept->count);
    return &script.sim.usage.kept->windows[i];
}

static void load(uint32_t work, struct warp_access access)
{
    script_access(&script, 0, work, NEEDS_NO_LOAD, access);
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* A line of four sectors: one pass of the unit and of the data banks, four cycles of the crossbar, of L2 and of
 * DRAM. Then one pass of shared memory. All within one window, which ends with the launch. */
static void a_window_has_what_each_resource_did(void **state)
{
    (void)state;
    struct warp_access shared = affine(4, 0, 4);
    struct arch arch = script_arch(2);
    shared.space = SPACE_SHARED;
    open_script(&arch);
    script_block(&script, 0, 1);
    load(3, affine(4, 128 * 5, 4));
    load(2, shared);
    script_run(&script, 0);
    script_finish(&script);
    assert_int_equal(script.sim.usage.kept->count, 1);
    assert_int_equal(window(0)->ticks, ticks_of_cycles(603));
    static const uint64_t cycles[USE_COUNT] = {
        [USE_ISSUE] = 5,    [USE_LSU] = 1, [USE_SHARED] = 1, [USE_L1] = 1,
        [USE_CROSSBAR] = 4, [USE_L2] = 4,  [USE_DRAM] = 4};
    for (size_t i = 0; i < USE_COUNT; i++)
        assert_int_equal(window(0)->busy[i], ticks_of_cycles((int64_t)cycles[i]));
    assert_int_equal(window(0)->bytes[0], 128);
    assert_int_equal(window(0)->partition[0], ticks_of_cycles(4));
    script_close(&script);
}

/* Of two SMs, six slices and three partitions; none of an L2 that there is not. */
static void resources_have_as_many_units_as_the_gpu(void **state)
{
    (void)state;
    struct arch arch = script_arch(2);
    arch.dram_partitions = 3;
    for (uint64_t slices = 0; slices <= 6; slices += 6) {
        static const enum resource of_sms[] = {USE_ISSUE, USE_LSU, USE_SHARED, USE_L1,
                                               USE_CROSSBAR};
        static const enum resource single[] = {USE_PARTITION, USE_HOST, USE_LAUNCH};
        arch.l2_slices = (int64_t)slices;
        arch.l2_bytes = slices ? 1 << 20 : 0;
        script_open(&script, &arch, NULL);
        const uint64_t *capacity = script.sim.usage.kept->capacity;
        for (size_t i = 0; i < sizeof of_sms / sizeof of_sms[0]; i++)
            assert_int_equal(capacity[of_sms[i]], 2);
        for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
            assert_int_equal(capacity[single[i]], 1);
        assert_int_equal(capacity[USE_L2], slices);
        assert_int_equal(capacity[USE_DRAM], 3);
        assert_int_equal(script.sim.usage.kept->partitions, 3);
        script_close(&script);
    }
}

/* The first event from cycle 1,024 on ends a window. The warp comes to a barrier after 1,014 cycles, which opens 10
 * later; or after 1,514, and nothing has happened before. Its 100 instructions behind the barrier are of the next window. */
static void a_window_ends_at_the_first_event_behind_it(void **state)
{
    (void)state;
    for (uint32_t late = 0; late <= 500; late += 500) {
        struct arch arch = script_arch(1);
        open_script(&arch);
        script_block(&script, 0, 1);
        script_barrier(&script, 0, 1014 + late);
        script_run(&script, 100);
        script_finish(&script);
        assert_int_equal(script.sim.usage.kept->count, 2);
        assert_int_equal(window(0)->ticks, ticks_of_cycles(late ? 1514 : 1024));
        assert_int_equal(window(0)->busy[USE_ISSUE], ticks_of_cycles(1014 + late));
        assert_int_equal(window(1)->ticks, ticks_of_cycles(late ? 10 + 100 : 100));
        assert_int_equal(window(1)->busy[USE_ISSUE], ticks_of_cycles(100));
        script_close(&script);
    }
}

/* Stores of a GPU without L2 pass a way in of 8 bytes a cycle: the partition was taken for the 4 cycles of a sector,
 * and not for the 1 that the bus has. Eight reads and the store take the bus for longer. */
static void a_partition_is_busy_with_its_bus_or_its_way_in(void **state)
{
    (void)state;
    for (uint32_t reads = 0; reads <= 8; reads += 8) {
        struct arch arch = script_arch(1);
        arch.sm = 13;
        arch.l2_bytes = arch.l2_slices = arch.l2_latency_cycles = arch.l2_megabytes_per_s = 0;
        arch.dram_write_megabytes_per_s = 8000;
        open_script(&arch);
        script_block(&script, 0, 1);
        for (uint32_t i = 0; i < reads; i++) {
            struct warp_access half = word(0, 10 + i);
            half.active = 0xffff;
            load(0, half);
        }
        struct warp_access store = word(1, 5);
        store.op = OP_STORE;
        store.active = 0xffff;
        load(0, store);
        script_run(&script, 0);
        script_finish(&script);
        assert_int_equal(window(0)->partition[0], ticks_of_cycles(reads ? 8 + 1 : 4));
        assert_int_equal(window(0)->bytes[0], 32 * (reads + 1));
        script_close(&script);
    }
}

/* ---- Camping --------------------------------------------------------------------------------- */

/* Partition p of four has lines 8 k + 2 p and the one behind. */
static struct arch arch_of_partitions(void)
{
    struct arch arch = script_arch(1);
    arch.dram_partitions = arch.l2_slices = 4;
    arch.peak_megabytes_per_s = arch.l2_megabytes_per_s = 4 * 32000;
    arch.partition_bytes = 256;
    arch.partition_hashed = 0;
    arch.dram_latency_cycles = 300;
    arch.l2_latency_cycles = 100;
    return arch;
}

static uint64_t next_run;

/* A launch: how many sectors each site reads of each partition, of lines that nobody has read before. */
static void launch_reads(const uint32_t sectors[2][4])
{
    script_launch(&script, 1, 1, SIM_NOBODY);
    script_block(&script, 0, 1);
    for (uint32_t site = 0; site < 2; site++)
        for (uint32_t p = 0; p < 4; p++)
            for (uint32_t i = 0; i < sectors[site][p]; i++)
                load(0, word(site, 8 * next_run++ + 2 * p));
    script_run(&script, 0);
    script_finish(&script);
}

/* More than twice its share: 3 of 5 are, 2 of 4 are not. The bytes on the hottest partition are booked on who
 * asked for them, window by window. */
static void bytes_camp_on_a_partition_with_more_than_twice_its_share(void **state)
{
    (void)state;
    static const uint32_t camps[2][4] = {{2, 0, 0, 0}, {1, 2, 0, 0}};
    static const uint32_t half[2][4] = {{2, 0, 0, 0}, {0, 0, 0, 2}};
    static const uint32_t last_one[2][4] = {{1, 0, 0, 1}, {0, 0, 0, 3}};
    struct arch arch = arch_of_partitions();
    next_run = 1;
    script_open(&script, &arch, NULL);
    launch_reads(camps);
    assert_int_equal(script_site(&script, 0)->camped_bytes, 64);
    assert_int_equal(script_site(&script, 1)->camped_bytes, 32);
    launch_reads(half);
    assert_int_equal(script_site(&script, 0)->camped_bytes, 64);
    assert_int_equal(script_site(&script, 1)->camped_bytes, 32);
    launch_reads(last_one);
    assert_int_equal(script_site(&script, 0)->camped_bytes, 64 + 32);
    assert_int_equal(script_site(&script, 1)->camped_bytes, 32 + 96);
    const struct counters c = script_total(&script);
    assert_int_equal(c.hottest_partition_bytes, 96 + 64 + 128);
    assert_int_equal(c.mean_partition_bytes, (5 + 4 + 5) * 32 / 4);
    script_close(&script);
}

/* What a site has moved in a window is kept when sites are added in its middle. */
static void sites_that_are_added_leave_the_window_as_it_is(void **state)
{
    (void)state;
    struct arch arch = arch_of_partitions();
    open_script(&arch);
    script_block(&script, 0, 1);
    load(0, word(3, 8));
    script_run(&script, 0);
    script_block(&script, 1, 1); /* there is a place when the first has ended, at 300 */
    load(0, word(2, 16));
    script_run(&script, 0);
    assert_true(sim_reserve_sites(&script.sim, 40));
    const size_t room = script.sim.site_room;
    assert_true(room >= 40 && sim_reserve_sites(&script.sim, room));
    assert_int_equal(script.sim.site_room, room); /* there was room for all of them */
    script_block(&script, 2, 1);
    load(0, word(39, 24));
    script_run(&script, 0);
    script_finish(&script);
    assert_int_equal(script.sim.usage.kept->count, 1);
    assert_int_equal(script_site(&script, 3)->camped_bytes, 32);
    assert_int_equal(script_site(&script, 2)->camped_bytes, 32);
    assert_int_equal(script_site(&script, 39)->camped_bytes, 32);
    script_close(&script);
}

/* ---- Launches that are taken back ------------------------------------------------------------ */

static void a_launch_that_is_dropped_leaves_no_windows(void **state)
{
    (void)state;
    static const uint32_t reads[2][4] = {{3, 0, 0, 0}, {0, 0, 0, 0}};
    struct arch arch = arch_of_partitions();
    next_run = 1;
    script_open(&script, &arch, NULL);
    assert_true(sim_watch_block(&script.sim, 0));
    launch_reads(reads);
    const struct usage *kept = script.sim.usage.kept;
    assert_int_equal(kept->count, 1);
    launch_reads(reads);
    assert_int_equal(kept->count, 2);
    assert_int_equal(kept->hottest_bytes, 2 * 96);
    sim_drop_launch(&script.sim);
    assert_int_equal(kept->count, 1);
    assert_int_equal(kept->hottest_bytes, 96);
    assert_int_equal(kept->all_bytes, 96);
    assert_non_null(script.sim.timeline); /* of the launch before */
    script_close(&script);
    script_open(&script, &arch, NULL);
    assert_true(sim_watch_block(&script.sim, 0));
    launch_reads(reads);
    sim_drop_launch(&script.sim);
    assert_int_equal(script.sim.usage.kept->count, 0);
    assert_null(script.sim.timeline);
    script_close(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_has_what_each_resource_did),
        cmocka_unit_test(resources_have_as_many_units_as_the_gpu),
        cmocka_unit_test(a_window_ends_at_the_first_event_behind_it),
        cmocka_unit_test(a_partition_is_busy_with_its_bus_or_its_way_in),
        cmocka_unit_test(bytes_camp_on_a_partition_with_more_than_twice_its_share),
        cmocka_unit_test(sites_that_are_added_leave_the_window_as_it_is),
        cmocka_unit_test(a_launch_that_is_dropped_leaves_no_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
