/* test_sm_unit.c - what the load/store unit and the caches of an SM make of a warp's access: when can the warp
 * go on, when is its data there? Accesses go in, times and counters come out; small_gpu.h has the round
 * figures.
 */
#include "small_gpu_ask.h"

static void an_idle_load_takes_the_latency_of_where_it_is(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    assert_int_equal(data_after(one_word(5), start), 600);
    assert_int_equal(whole_cycles(times_of(1, one_word(5), 2 * start).data), 2 * start + 200);
    assert_int_equal(data_after(one_word(5), 3 * start), 30);
    assert_int_equal(data_after(whole_line(5), 4 * start), 600);
    assert_int_equal(site(0)->l1_lookup_sectors, 1 + 1 + 1 + 4);
    assert_int_equal(site(0)->l1_hit_sectors, 2);
    assert_int_equal(site(0)->l1_global_hit_sectors, 2);
    assert_int_equal(site(0)->crossbar_read_bytes, 32 * 5);
    small_gpu_close(&gpu);
}

/* Three sectors of L2 take 56 cycles more than the one that is asked for behind them and overtakes them: who
 * wants all of them waits for the later. Fills are kept in whole cycles, rounded up. */
static void data_on_its_way_to_l1_is_waited_for(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct warp_access three = affine(4, 128 * 5, 32), fourth = affine(4, 128 * 5 + 96, 0);
    const uint64_t begin = ticks_of_cycles((int64_t)start) + 1;
    arch.l2_sector_cycles = 28;
    small_gpu_open(&gpu, &arch);
    three.active = 7;
    times_of(1, whole_line(5), 1);
    uint64_t later = small_gpu_access(&gpu, 0, &three, begin).data;
    assert_int_equal(whole_cycles(later), start + 200 + 56 + 1);
    assert_int_equal(small_gpu_access(&gpu, 0, &fourth, begin + 512).data, later);
    assert_int_equal(data_after(whole_line(5), start + 100), 157);
    assert_int_equal(data_after(whole_line(5), start + 300), 30);
    small_gpu_close(&gpu);
}

/* 16 lanes of each of two lines in other tag banks pass the tags together and the data banks twice. */
static struct warp_access two_halves(uint64_t addr[WARP_LANES])
{
    struct warp_access a = affine(4, 0, 4);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 128 * (lane / 16) + 4 * (lane % 16);
    a.addr = addr;
    return a;
}

/* 128 bytes a cycle: a pass through the banks takes a cycle, a sector a quarter of one. */
static void l1_data_passes_hold_up_the_next_load(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    struct warp_access halves = two_halves(addr);
    times_of(0, halves, 1);
    for (uint64_t late = 0; late < 4; late++) {
        uint64_t now = start * (1 + late);
        assert_int_equal(data_after(halves, now),
                         1 + 30); /* the second line leaves behind the first */
        assert_int_equal(data_after(halves, now + late), (late < 2 ? 2 - late : 0) + 1 + 30);
    }
    assert_int_equal(gpu.busy[USE_L1], 9 * 512);
    assert_int_equal(gpu.busy[USE_LSU], 9 * 256);
    small_gpu_close(&gpu);
}

static void wide_loads_hold_up_the_next_by_their_sectors(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l1_bytes_per_cycle = 16;
    small_gpu_open(&gpu, &arch);
    times_of(0, whole_line(5), 1);
    assert_int_equal(data_after(whole_line(5), start), 30);
    assert_int_equal(data_after(whole_line(5), start), 8 + 30);
    assert_int_equal(accepted_after(as(whole_line(5), OP_STORE), start),
                     2); /* not through these banks */
    small_gpu_close(&gpu);
}

/* 16 bytes a cycle: the 32 sectors of 8 lines keep the data banks for 64 cycles, and the unit only for 8. */
static void many_sectors_hold_up_the_next_load(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    arch.l1_bytes_per_cycle = 16;
    small_gpu_open(&gpu, &arch);
    times_of(0, affine(4, 0, 32), 1);
    times_of(0, affine(4, 0, 32), start);
    assert_int_equal(data_after(one_word(0), start), 64 + 30);
    small_gpu_close(&gpu);
}

static void the_unit_takes_a_pass_a_cycle(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.lsu_millicycles = 3000;
    small_gpu_open(&gpu, &arch);
    times_of(0, one_word(5), 1);
    for (uint64_t late = 2; late < 5; late++) {
        uint64_t now = start * late;
        assert_int_equal(accepted_after(one_word(5), now), 0);
        assert_int_equal(accepted_after(one_word(5), now + late), late < 3 ? 3 - late : 0);
    }
    small_gpu_close(&gpu);
}

/* Lines that pass the tags together leave together, but for the first. */
static void lines_beyond_the_passes_take_no_time(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct arch arch = small_gpu_arch(90);
    struct warp_access four_lines = affine(4, 0, 4);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 128 * (lane / 8) + 4 * lane;
    four_lines.addr = addr;
    small_gpu_open(&gpu, &arch);
    times_of(0, four_lines, 1);
    assert_int_equal(accepted_after(four_lines, start), 1);
    assert_int_equal(data_after(four_lines, 2 * start), 1 + 30);
    small_gpu_close(&gpu);
}

/* 3 cycles a line, a line a lane: what lies more than 32 cycles ahead is left for later. */
static void a_long_access_is_left_and_taken_up_again(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    arch.lsu_millicycles = 3000;
    arch.requests_in_flight = 64;
    small_gpu_open(&gpu, &arch);
    struct warp_access lines = affine(4, 0, 128);
    struct sm_unit *sm = &gpu.sm[0];
    const uint64_t now = ticks_of_cycles((int64_t)start);
    judge_access(&gpu.judge, &lines, &gpu.footprint);
    sm_unit_begin(sm, &gpu.around, &lines, &gpu.footprint, &gpu.load, now);
    assert_false(sm_unit_go_on(sm, &gpu.around, &lines, now));
    assert_int_equal(sm->at - now, ticks_of_cycles(33));
    assert_int_equal(site(0)->l1_lookup_sectors, 11);
    assert_false(sm_unit_go_on(sm, &gpu.around, &lines, sm->at));
    assert_true(sm_unit_go_on(sm, &gpu.around, &lines, sm->at));
    assert_int_equal(site(0)->l1_lookup_sectors, 32);
    assert_int_equal(sm->result.accepted - now, ticks_of_cycles(31 * 3));
    assert_int_equal(sm->result.data - now, ticks_of_cycles(31 * 3 + 600));
    small_gpu_close(&gpu);
}

/* ---- L1 -------------------------------------------------------------------------------------- */

static void a_miss_brings_sectors_or_whole_lines(void **state)
{
    (void)state;
    for (int64_t bytes = 32; bytes <= 128; bytes *= 4) {
        struct arch arch = small_gpu_arch(90);
        arch.l1_sector_bytes = bytes;
        small_gpu_open(&gpu, &arch);
        times_of(0, one_word(5), start);
        assert_int_equal(site(0)->crossbar_read_bytes, bytes);
        assert_int_equal(data_after(whole_line(5), 2 * start), bytes == 128 ? 30 : 600);
        assert_int_equal(site(0)->crossbar_read_bytes, 128);
        small_gpu_close(&gpu);
    }
}

/* Before sm_70 a store drops its sector from L1, and that alone. */
static void stores_update_l1_from_sm_70_on(void **state)
{
    (void)state;
    static const int64_t generations[] = {50, 60, 62, 70, 75, 90};
    for (size_t i = 0; i < sizeof generations / sizeof generations[0]; i++) {
        struct arch arch = small_gpu_arch(generations[i]);
        small_gpu_open(&gpu, &arch);
        struct warp_access store = as(one_word(5), OP_STORE);
        store.active = 1;
        times_of(0, whole_line(5), start);
        times_of(0, store, 2 * start);
        assert_int_equal(data_after(affine(4, 128 * 5 + 32, 0), 3 * start), 30);
        assert_int_equal(data_after(one_word(5), 4 * start), generations[i] < 70 ? 200 : 30);
        assert_int_equal(site(0)->l2_write_sectors, 1);
        small_gpu_close(&gpu);
    }
}

/* By words: a sector that was stored in part is brought for the others, from DRAM, since L2 has no more of it. */
static void what_is_stored_is_in_l1_from_sm_70_on(void **state)
{
    (void)state;
    for (int64_t sm = 60; sm <= 70; sm += 10) {
        struct arch arch = small_gpu_arch(sm);
        small_gpu_open(&gpu, &arch);
        times_of(0, as(whole_line(5), OP_STORE), start);
        times_of(0, as(one_word(7), OP_STORE), start);
        assert_int_equal(data_after(whole_line(5), 2 * start), sm < 70 ? 200 : 30);
        if (sm == 70)
            assert_int_equal(data_after(one_word(7), 3 * start), 30);
        assert_int_equal(data_after(whole_line(7), 4 * start), 600);
        assert_int_equal(data_after(whole_line(7), 5 * start), 30);
        small_gpu_close(&gpu);
    }
}

static void local_stores_stay_in_l1_and_go_on(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    small_gpu_open(&gpu, &arch);
    times_of(0, as(in(whole_line(5), SPACE_LOCAL), OP_STORE), start);
    assert_int_equal(site(0)->l2_write_sectors, 4);
    assert_int_equal(data_after(in(whole_line(5), SPACE_LOCAL), 2 * start), 30);
    assert_int_equal(site(0)->l1_hit_sectors, 4);
    assert_int_equal(site(0)->l1_global_hit_sectors, 0);
    small_gpu_close(&gpu);
}

/* One sector is stored, and no other is there. */
static void a_local_store_brings_its_sectors_alone(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    small_gpu_open(&gpu, &arch);
    times_of(0, as(in(one_word(5), SPACE_LOCAL), OP_STORE), start);
    assert_int_equal(data_after(in(one_word(5), SPACE_LOCAL), 2 * start), 30);
    assert_int_equal(data_after(in(affine(4, 128 * 5 + 32, 0), SPACE_LOCAL), 3 * start), 600);
    small_gpu_close(&gpu);
}

/* Kepler's L1 is there for local memory alone. */
static void without_l1_for_global_loads_local_ones_hit_it(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    arch.l1_caches_global = 0;
    small_gpu_open(&gpu, &arch);
    times_of(0, one_word(5), start);
    assert_int_equal(data_after(one_word(5), 2 * start), 200);
    assert_int_equal(site(0)->l1_lookup_sectors, 0);
    assert_int_equal(site(0)->l1_passed_sectors, 0);
    times_of(0, in(one_word(6), SPACE_LOCAL), 3 * start);
    assert_int_equal(data_after(in(one_word(6), SPACE_LOCAL), 4 * start), 30);
    small_gpu_close(&gpu);
}

static void volatile_loads_pass_l1(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    times_of(0, one_word(5), start);
    assert_int_equal(data_after(with(one_word(5), ACCESS_VOLATILE), 2 * start), 200);
    assert_int_equal(site(0)->l1_passed_sectors, 1);
    assert_int_equal(site(0)->l1_lookup_sectors, 1);
    assert_int_equal(data_after(with(in(one_word(5), SPACE_LOCAL), ACCESS_VOLATILE), 3 * start),
                     30);
    assert_int_equal(site(0)->l1_passed_sectors, 1);
    small_gpu_close(&gpu);
}

static void host_memory_is_not_kept_in_l1(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    for (uint64_t i = 1; i < 3; i++)
        assert_int_equal(data_after(with(one_word(5), ACCESS_HOST), i * start), 1000);
    assert_int_equal(data_after(with(one_word(5), ACCESS_HOST | ACCESS_VOLATILE), 3 * start), 1000);
    assert_int_equal(site(0)->host_read_bytes, 96);
    assert_int_equal(site(0)->l1_lookup_sectors + site(0)->l1_passed_sectors, 0);
    small_gpu_close(&gpu);
}

/* ---- Other caches ---------------------------------------------------------------------------- */

/* Loads through the read-only path are told by the instruction from sm_30 on. */
static void read_only_loads_have_a_cache_where_the_part_has_one(void **state)
{
    (void)state;
    for (int64_t sm = 21; sm <= 35; sm += 14) {
        struct arch arch = small_gpu_arch(sm);
        arch.read_only_bytes = 4096;
        arch.read_only_latency_cycles = 70;
        small_gpu_open(&gpu, &arch);
        times_of(1, whole_line(5), 1);
        times_of(0, in(one_word(5), SPACE_TEXTURE), start);
        assert_int_equal(data_after(in(one_word(5), SPACE_TEXTURE), 2 * start), 70);
        assert_int_equal(data_after(with(one_word(5), ACCESS_READ_ONLY), 3 * start),
                         sm < 30 ? 200 : 70);
        assert_int_equal(site(0)->read_only_lookup_sectors, sm < 30 ? 2 : 3);
        assert_int_equal(site(0)->read_only_hit_sectors, sm < 30 ? 1 : 2);
        assert_int_equal(data_after(one_word(5), 4 * start), sm < 30 ? 30 : 200);
        small_gpu_close(&gpu);
    }
    struct arch arch = small_gpu_arch(90);
    arch.l1_caches_global = arch.read_only_bytes = 0;
    small_gpu_open(&gpu, &arch); /* no cache of its own: L1, also where other loads pass it */
    times_of(0, with(one_word(5), ACCESS_READ_ONLY), start);
    assert_int_equal(data_after(with(one_word(5), ACCESS_READ_ONLY), 2 * start), 30);
    assert_int_equal(data_after(in(one_word(5), SPACE_TEXTURE), 3 * start), 30);
    small_gpu_close(&gpu);
}

/* Every address of a constant load is a pass; constants lie in no array. */
static void constants_have_a_cache_and_addresses_of_their_own(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.constant_pass_millicycles = 5000;
    small_gpu_open(&gpu, &arch);
    struct warp_access uniform = in(one_word(0), SPACE_CONSTANT);
    struct warp_access four = uniform;
    four.stride = 4;
    four.active = 15;
    times_of(0, one_word(0), start);
    assert_int_equal(data_after(uniform, 2 * start), 600);
    assert_int_equal(data_after(uniform, 3 * start), 40);
    assert_int_equal(site(0)->constant_lookups, 2);
    assert_int_equal(site(0)->constant_hits, 1);
    times_of(0, four, 4 * start);
    assert_int_equal(accepted_after(uniform, 4 * start), 4 * 5);
    times_of(0, four, 5 * start); /* the load/store unit is another */
    assert_int_equal(accepted_after(one_word(0), 5 * start), 0);
    small_gpu_close(&gpu);
    arch.constant_pass_millicycles = 0; /* it is the same */
    arch.lsu_millicycles = 3000;
    small_gpu_open(&gpu, &arch);
    times_of(0, uniform, start);
    times_of(0, four, 2 * start);
    assert_int_equal(accepted_after(one_word(0), 2 * start), 4 * 3);
    small_gpu_close(&gpu);
}

static void shared_memory_takes_its_passes(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.shared_latency_cycles = 23;
    arch.shared_pass_millicycles = 2000;
    arch.shared_conflict_millicycles = 3000;
    small_gpu_open(&gpu, &arch);
    assert_int_equal(data_after(in(affine(4, 0, 4), SPACE_SHARED), start), 23);
    assert_int_equal(data_after(in(affine(4, 0, 16), SPACE_SHARED), start), 2 + 23 + 3 * 3);
    assert_int_equal(accepted_after(in(affine(4, 0, 4), SPACE_SHARED), start), 2 + 4 * 2);
    assert_int_equal(gpu.busy[USE_SHARED], ticks_of_cycles(2 * (1 + 4 + 1)));
    small_gpu_close(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_load_takes_the_latency_of_where_it_is),
        cmocka_unit_test(data_on_its_way_to_l1_is_waited_for),
        cmocka_unit_test(l1_data_passes_hold_up_the_next_load),
        cmocka_unit_test(wide_loads_hold_up_the_next_by_their_sectors),
        cmocka_unit_test(many_sectors_hold_up_the_next_load),
        cmocka_unit_test(the_unit_takes_a_pass_a_cycle),
        cmocka_unit_test(lines_beyond_the_passes_take_no_time),
        cmocka_unit_test(a_long_access_is_left_and_taken_up_again),
        cmocka_unit_test(a_miss_brings_sectors_or_whole_lines),
        cmocka_unit_test(stores_update_l1_from_sm_70_on),
        cmocka_unit_test(what_is_stored_is_in_l1_from_sm_70_on),
        cmocka_unit_test(local_stores_stay_in_l1_and_go_on),
        cmocka_unit_test(a_local_store_brings_its_sectors_alone),
        cmocka_unit_test(without_l1_for_global_loads_local_ones_hit_it),
        cmocka_unit_test(volatile_loads_pass_l1),
        cmocka_unit_test(host_memory_is_not_kept_in_l1),
        cmocka_unit_test(read_only_loads_have_a_cache_where_the_part_has_one),
        cmocka_unit_test(constants_have_a_cache_and_addresses_of_their_own),
        cmocka_unit_test(shared_memory_takes_its_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
