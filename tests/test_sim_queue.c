/* test_sim_queue.c - who gets the load/store unit when several warps want it, what does an access wait for whose pages
 * are elsewhere, and whose is local memory? Warps of one SM run a script; sim_script.h has the round figures.
 */
#include "sim_script.h"

#include "test_support.h"

#include "rules_access.h"

static struct script script;

static struct warp_access of_site(uint32_t site, struct warp_access a)
{
    a.site = site;
    return a;
}

/* All lanes read a word of the line; or do something else with it. */
static struct warp_access word(uint32_t site, uint64_t line)
{
    return of_site(site, affine(4, 128 * line, 0));
}

static struct warp_access with(struct warp_access a, uint8_t flags)
{
    a.flags = flags;
    return a;
}

/* One block is watched, on one SM. */
static void open_block(const struct arch *arch, uint32_t warps)
{
    script_open(&script, arch, NULL);
    script_launch(&script, 1, warps, 0);
    script_block(&script, 0, warps);
}

static void run_block(uint32_t work)
{
    script_run(&script, work);
    script_finish(&script);
}

static void load(uint32_t warp, uint32_t work, struct warp_access access)
{
    script_access(&script, warp, work, NEEDS_NO_LOAD, access);
}

#define EXPECT_SPAN(warp, n, stage, from, to)                                                      \
    do {                                                                                           \
        assert_int_equal(script_first(&script, warp, n, stage), from);                             \
        assert_int_equal(script_last(&script, warp, n, stage), to);                                \
    } while (0)

/* ---- The load/store unit --------------------------------------------------------------------- */

/* 32 lines of 3 cycles; sm_60 takes a line at a time. */
static struct arch arch_of_slow_unit(void)
{
    struct arch arch = script_arch(1);
    arch.sm = 60;
    arch.lsu_millicycles = 3000;
    arch.instruction_millicycles = 4000;
    return arch;
}

/* Instructions of 1 cycle for the SM and 4 for the warp: warps 3, 2 and 1 come at cycles 12, 16 and 20, and get the
 * unit in that order when it is free, at 96. */
static void warps_get_the_unit_in_the_order_in_which_they_come(void **state)
{
    (void)state;
    struct arch arch = arch_of_slow_unit();
    open_block(&arch, 4);
    load(0, 0, affine(4, 0, 128));
    load(1, 5, word(1, 100));
    load(2, 4, word(2, 101));
    load(3, 3, word(3, 102));
    load(3, 0, word(3, 103));
    run_block(0);
    EXPECT_SPAN(0, 0, TIMELINE_SEND, 0, 93); /* the last line leaves; the unit is free at 96 */
    EXPECT_SPAN(0, 0, TIMELINE_UNIT, 0, 96);
    EXPECT_SPAN(3, 0, TIMELINE_QUEUE, 12, 96);
    EXPECT_SPAN(2, 0, TIMELINE_QUEUE, 16, 99);
    EXPECT_SPAN(1, 0, TIMELINE_QUEUE, 20, 102);
    EXPECT_SPAN(3, 0, TIMELINE_UNIT, 96, 99);
    EXPECT_SPAN(2, 0, TIMELINE_UNIT, 99, 102);
    EXPECT_SPAN(1, 0, TIMELINE_UNIT, 102, 105);
    assert_int_equal(script_site(&script, 2)->stall_cycles, 99 - 16 + 600); /* and its data */
    assert_int_equal(script_site(&script, 1)->stall_cycles, 102 - 20 + 600);
    assert_int_equal(script_step(&script, 0, 0)->passes, 32);
    assert_int_equal(script_step(&script, 0, 0)->requests, 32);
    script_close(&script);
}

/* The unit belongs to the long access, though other warps have events in between. */
static void nobody_gets_the_unit_in_the_middle_of_an_access(void **state)
{
    (void)state;
    struct arch arch = arch_of_slow_unit();
    open_block(&arch, 3);
    load(0, 0, affine(4, 0, 128));
    load(1, 10, word(1, 100)); /* at 40: the first part is through at 33 */
    load(2, 20, word(2, 101)); /* at 80: the second at 66 */
    run_block(0);
    EXPECT_SPAN(1, 0, TIMELINE_QUEUE, 40, 96);
    EXPECT_SPAN(2, 0, TIMELINE_UNIT, 99, 102);
    assert_int_equal(script_site(&script, 0)->l1_lookup_sectors, 32);
    script_close(&script);
}

/* Warp 1 stores at 96, and warp 2 has the unit: its next access is behind warps 3, 4 and 5, one of each other scheduler,
 * if it stores, and behind all if not. */
static void who_has_just_stored_goes_on_with_stores(void **state)
{
    (void)state;
    for (uint8_t op = OP_LOAD; op <= OP_STORE; op++) {
        struct arch arch = arch_of_slow_unit();
        struct warp_access store = word(1, 100), again = word(1, 101);
        store.op = OP_STORE;
        store.active = again.active = 1; /* in one pass */
        again.op = op;
        open_block(&arch, 8);
        load(0, 0, affine(4, 0, 128));
        load(1, 1, store);
        load(1, 0, again);
        for (uint32_t warp = 2; warp < 8; warp++)
            load(warp, warp, word(warp % SCRIPT_SITES, 100 + warp));
        run_block(0);
        EXPECT_SPAN(1, 0, TIMELINE_UNIT, 96, 99);
        EXPECT_SPAN(5, 0, TIMELINE_UNIT, 108, 111);
        EXPECT_SPAN(1, 1, TIMELINE_QUEUE, 96, op == OP_STORE ? 111 : 117);
        EXPECT_SPAN(7, 0, TIMELINE_QUEUE, 28, op == OP_STORE ? 117 : 114);
        script_close(&script);
    }
}

/* ---- Memory of a warp's own and of the host -------------------------------------------------- */

/* Two blocks of two warps read their local memory at one address: four lines in all. */
static void resident_blocks_have_local_memory_of_their_own(void **state)
{
    (void)state;
    for (uint32_t places = 1; places <= 2; places++) {
        struct arch arch = script_arch(1);
        script_open(&script, &arch, NULL);
        script_launch(&script, places, 2, SIM_NOBODY);
        for (uint32_t block = 0; block < 2; block++) {
            script_block(&script, block, 2);
            for (uint32_t warp = 0; warp < 2; warp++) {
                struct warp_access a = affine(4, (1ULL << 33) + warp * LOCAL_WARP_BYTES, 4);
                a.space = SPACE_LOCAL;
                load(warp, 0, a);
            }
            script_run(&script, 0);
        }
        script_finish(&script); /* in one place the second block finds the first one's lines */
        assert_int_equal(script_total(&script).dram_read_sectors, 4 * 2 * places);
        script_close(&script);
    }
}

/* ---- Pages of managed memory ----------------------------------------------------------------- */

#define PAGES_AT (1ULL << 32)
enum { PAGE_LINES = MANAGED_PAGE_BYTES / 128 };

/* The driver reads faults after 100 cycles, and replays 1,000 later; what it moves comes on top. */
static struct arch arch_of_pages(int64_t lock_cycles)
{
    struct arch arch = script_arch(1);
    arch.fault_read_ns = 100;
    arch.fault_group_ns = 1000;
    arch.fault_page_ns = arch.fault_transfer_ns = 0;
    arch.fault_lock_cycles = lock_cycles;
    return arch;
}

/* 64 KB of which the host has written all pages, or none. */
static void add_pages(bool written)
{
    static const uint8_t touched[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const struct managed_range range = {PAGES_AT, sizeof touched * MANAGED_PAGE_BYTES,
                                        written ? touched : NULL};
    struct counters c = {0};
    assert_true(managed_update(&script.sim.managed, &range, 1, &c));
}

static struct warp_access word_of_page(uint32_t site, uint64_t page)
{
    return with(word(site, PAGES_AT / 128 + page * PAGE_LINES), ACCESS_MANAGED);
}

static uint64_t busy_ticks(enum resource resource)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < script.sim.usage.kept->count; i++)
        sum += script.sim.usage.kept->windows[i].busy[resource];
    return sum;
}

/* The page faults at 0. The group is read at 100 and replayed at 1,100: nobody has touched the pages, so none moves. At
 * 100 the SM translates nothing any more, or does so still and finds the page missing, which takes a pass. */
static void an_access_waits_until_its_pages_are_there(void **state)
{
    (void)state;
    for (uint64_t lock = 50; lock <= 500; lock *= 10) {
        struct arch arch = arch_of_pages((int64_t)lock);
        open_block(&arch, 2);
        add_pages(false);
        load(0, 0, word_of_page(1, 0));
        load(1, 0, word(2, 5));
        load(1, 99, word(2, 6));
        run_block(0);
        EXPECT_SPAN(0, 0, TIMELINE_PAGES, 0, 1100);
        assert_int_equal(script_first(&script, 0, 0, TIMELINE_SEND), 1100);
        assert_int_equal(script_first(&script, 0, 0, TIMELINE_DATA), 1100 + 600);
        assert_int_equal(script_site(&script, 1)->stall_cycles, 1100 + 600);
        assert_int_equal(script_site(&script, 1)->page_faults, 1);
        assert_int_equal(script_site(&script, 1)->warp_accesses, 1);
        assert_int_equal(script_first(&script, 1, 0, TIMELINE_UNIT), 1); /* behind that pass */
        assert_int_equal(script_first(&script, 1, 1, TIMELINE_UNIT), lock == 50 ? 100 : 101);
        assert_int_equal(busy_ticks(USE_HOST), 0);
        script_close(&script);
    }
}

/* 64 KB at 32 bytes a cycle are 2,048 cycles of PCIe, and the replay is as much later. */
static void pages_that_move_keep_pcie_busy(void **state)
{
    (void)state;
    struct arch arch = arch_of_pages(50);
    open_block(&arch, 1);
    add_pages(true);
    load(0, 0, word_of_page(1, 0));
    run_block(0);
    EXPECT_SPAN(0, 0, TIMELINE_PAGES, 0, 1100 + 2048);
    assert_int_equal(script_site(&script, 1)->migrated_bytes, 65536);
    assert_int_equal(busy_ticks(USE_HOST), ticks_of_cycles(2048));
    script_close(&script);
}

/* Before sm_60 nothing faults: the launch moves all that the host has touched, before its time begins. */
static void before_sm_60_the_launch_moves_the_pages(void **state)
{
    (void)state;
    struct arch arch = arch_of_pages(50);
    arch.sm = 52;
    script_open(&script, &arch, NULL);
    add_pages(true);
    script_launch(&script, 1, 1, 0);
    script_block(&script, 0, 1);
    load(0, 0, word_of_page(1, 0));
    run_block(0);
    assert_int_equal(script_first(&script, 0, 0, TIMELINE_DATA), 600);
    assert_false(timeline_has(script_step(&script, 0, 0), TIMELINE_PAGES));
    assert_int_equal(script_total(&script).migrated_bytes, 65536);
    assert_int_equal(script_total(&script).page_faults, 0);
    script_close(&script);
}

/* Warp 1 has waited for the unit until 96 and finds its page missing, which takes a pass: warp 2 gets the unit at
 * 99. */
static void who_waits_for_pages_hands_the_unit_over(void **state)
{
    (void)state;
    struct arch arch = arch_of_pages(50);
    arch.sm = 60;
    arch.lsu_millicycles = 3000;
    open_block(&arch, 3);
    add_pages(false);
    load(0, 0, affine(4, 0, 128));
    load(1, 10, word_of_page(1, 0));
    load(2, 10, word(2, 101));
    run_block(0);
    EXPECT_SPAN(1, 0, TIMELINE_QUEUE, 10, 96);
    EXPECT_SPAN(1, 0, TIMELINE_PAGES, 96, 96 + 1100);
    EXPECT_SPAN(2, 0, TIMELINE_QUEUE, 20, 99);
    EXPECT_SPAN(2, 0, TIMELINE_UNIT, 99, 102);
    script_close(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warps_get_the_unit_in_the_order_in_which_they_come),
        cmocka_unit_test(nobody_gets_the_unit_in_the_middle_of_an_access),
        cmocka_unit_test(who_has_just_stored_goes_on_with_stores),
        cmocka_unit_test(resident_blocks_have_local_memory_of_their_own),
        cmocka_unit_test(an_access_waits_until_its_pages_are_there),
        cmocka_unit_test(pages_that_move_keep_pcie_busy),
        cmocka_unit_test(before_sm_60_the_launch_moves_the_pages),
        cmocka_unit_test(who_waits_for_pages_hands_the_unit_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
