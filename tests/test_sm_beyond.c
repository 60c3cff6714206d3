/* test_sm_beyond.c - what leaves an SM, and when: places in flight, the crossbar, atomics, stores that are held
 * back, loads that share a request. Accesses go in, times and counters come out; small_gpu.h has the round
 * figures.
 */
#include "small_gpu_ask.h"

static void a_third_miss_waits_for_a_place_of_two(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.requests_in_flight = 2;
    small_gpu_open(&gpu, &arch);
    assert_int_equal(data_after(one_word(1), start), 600);
    assert_int_equal(data_after(one_word(2), start), 601);
    assert_int_equal(accepted_after(as(one_word(1), OP_STORE), start), 2); /* places of their own */
    assert_int_equal(data_after(one_word(3), start), 600 + 600);
    assert_int_equal(data_after(one_word(1), start), 600 + 30); /* a hit waits for the unit */
    assert_int_equal(data_after(one_word(4), start), 601 + 600);
    assert_int_equal(data_after(one_word(5), start + 1200), 600); /* on time */
    small_gpu_close(&gpu);
}

static void the_crossbar_brings_a_sector_a_cycle_and_takes_one(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l2_megabytes_per_s = 3200000;
    small_gpu_open(&gpu, &arch);
    times_of(1, whole_line(5), 1);
    times_of(1, whole_line(6), 1);
    assert_int_equal(data_after(whole_line(5), start), 200);
    assert_int_equal(data_after(whole_line(6), start), 4 + 200);
    times_of(0, as(whole_line(7), OP_STORE), 2 * start);
    times_of(0, as(whole_line(8), OP_STORE), 2 * start);
    assert_int_equal(gpu.sm[0].crossbar_out.free_at, ticks_of_cycles(2 * start + 8));
    assert_int_equal(site(0)->crossbar_write_bytes, 256);
    assert_int_equal(gpu.busy[USE_CROSSBAR], ticks_of_cycles(8 + 8 + 8));
    small_gpu_close(&gpu);
}

/* ---- Atomics --------------------------------------------------------------------------------- */

/* 4 cycles a lane on one address; lanes on others do not wait for each other. */
static void atomics_on_one_address_go_one_after_another(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(60);
    struct warp_access pairs = as(affine(4, 0, 0), OP_ATOMIC);
    uint64_t addr[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 4 * (lane % 8) + (lane >= 24 ? 128 : 0); /* three a word, and one elsewhere */
    small_gpu_open(&gpu, &arch);
    times_of(1, whole_line(0), 1);
    times_of(1, whole_line(1), 1);
    assert_int_equal(data_after(as(one_word(0), OP_ATOMIC), start), 32 * 4 + 200);
    assert_int_equal(data_after(as(affine(4, 0, 4), OP_ATOMIC), 2 * start), 4 * 4 + 200);
    pairs.addr = addr;
    pairs.active = 0x00ffffff;
    assert_int_equal(data_after(pairs, 3 * start), 3 * 4 + 200);
    pairs.active =
        UINT32_MAX; /* the second line leaves a cycle later, and its slice is free at 12 */
    assert_int_equal(data_after(pairs, 4 * start), 3 * 4 + 4 + 200);
    small_gpu_close(&gpu);
}

static void an_atomic_drops_its_line_from_l1(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    times_of(0, whole_line(5), start);
    times_of(0, as(one_word(5), OP_ATOMIC), 2 * start);
    assert_int_equal(data_after(one_word(5), 3 * start), 200);
    assert_int_equal(data_after(affine(4, 128 * 5 + 32, 0), 4 * start), 30);
    small_gpu_close(&gpu);
}

/* ---- Stores that are held back --------------------------------------------------------------- */

static struct arch arch_that_holds_stores(void)
{
    struct arch arch = small_gpu_arch(90);
    arch.store_merge_cycles = 16;
    return arch;
}

static void a_held_store_is_sent_before_its_line_is_loaded(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    small_gpu_open(&gpu, &arch);
    times_of(0, as(one_word(5), OP_STORE), start);
    times_of(0, one_word(6), start + 5);
    assert_int_equal(site(0)->l2_write_sectors, 0);
    assert_int_equal(data_after(whole_line(5), start + 10),
                     1 + 600); /* behind its sector, which DRAM completes */
    assert_int_equal(site(0)->l2_write_sectors, 1);
    small_gpu_close(&gpu);
}

static void a_load_that_hits_l1_sends_no_stores(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    small_gpu_open(&gpu, &arch);
    times_of(0, one_word(5), start);
    times_of(0, as(one_word(5), OP_STORE), 2 * start);
    assert_int_equal(data_after(one_word(5), 2 * start + 5), 30);
    assert_int_equal(site(0)->l2_write_sectors, 0);
    small_gpu_close(&gpu);
}

static void a_held_store_is_sent_before_an_atomic_and_at_the_end(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    small_gpu_open(&gpu, &arch);
    times_of(0, as(one_word(5), OP_STORE), start);
    times_of(0, as(one_word(9), OP_ATOMIC), start + 1);
    assert_int_equal(site(0)->l2_write_sectors, 1);
    times_of(0, as(one_word(6), OP_STORE), 2 * start);
    assert_int_equal(site(0)->l2_write_sectors, 1);
    flush(2 * start + 1);
    assert_int_equal(site(0)->l2_write_sectors, 2);
    small_gpu_close(&gpu);
}

static void a_held_store_is_sent_when_its_time_is_over(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    small_gpu_open(&gpu, &arch);
    for (uint64_t late = 15; late < 17; late++) {
        uint64_t now = late * start, before = site(0)->l2_write_sectors;
        times_of(0, as(one_word(5), OP_STORE), now);
        times_of(0, as(one_word(6), OP_STORE), now + late);
        assert_int_equal(site(0)->l2_write_sectors - before, late == 15 ? 0 : 1);
        flush(now + 100);
    }
    small_gpu_close(&gpu);
}

static void stores_to_a_held_line_are_sent_once(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    struct warp_access upper = as(affine(4, 128 * 5 + 64, 2), OP_STORE);
    upper.width = 2; /* sectors 2 and 3 */
    small_gpu_open(&gpu, &arch);
    times_of(0, as(one_word(5), OP_STORE), start);
    times_of(0, upper, start + 1);
    times_of(0, as(whole_line(5), OP_STORE), start + 2);
    assert_int_equal(site(0)->store_merged_sectors, 3);
    flush(start + 3);
    assert_int_equal(site(0)->l2_write_sectors, 4);
    assert_int_equal(site(0)->crossbar_write_bytes, 128);
    assert_int_equal(data_after(whole_line(5), 2 * start), 30); /* in L1 */
    small_gpu_close(&gpu);
}

/* A store of the warp to line 6 lets line 5 go six cycles later, when the way out is free: until then it takes more. */
static void a_line_that_waits_for_the_way_out_takes_more(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    for (uint64_t free_at = 7; free_at <= 12; free_at += 5) {
        small_gpu_open(&gpu, &arch);
        times_of(0, as(one_word(5), OP_STORE), start);
        times_of(0, as(one_word(6), OP_STORE), start + 1);
        gpu.sm[0].crossbar_out.free_at = ticks_of_cycles((int64_t)(start + free_at));
        times_of(0, as(one_word(5), OP_STORE), start + 10);
        assert_int_equal(site(0)->store_merged_sectors, free_at == 12 ? 1 : 0);
        flush(start + 20);
        assert_int_equal(site(0)->l2_write_sectors, free_at == 12 ? 2 : 3);
        small_gpu_close(&gpu);
    }
}

/* An array of the host and one of the device are never one line, though their numbers may be equal. */
static void stores_to_the_host_and_to_the_device_stay_apart(void **state)
{
    (void)state;
    struct arch arch = arch_that_holds_stores();
    small_gpu_open(&gpu, &arch);
    times_of(0, with(as(one_word(5), OP_STORE), ACCESS_HOST), start);
    times_of(0, as(one_word(5), OP_STORE), start + 1);
    flush(start + 2);
    assert_int_equal(site(0)->store_merged_sectors, 0);
    assert_int_equal(site(0)->host_write_bytes, 32);
    assert_int_equal(site(0)->l2_write_sectors, 1);
    small_gpu_close(&gpu);
}

/* ---- Loads of a GPC -------------------------------------------------------------------------- */

static void sms_of_a_gpc_share_a_request_that_is_on_its_way(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.gpcs = 1;
    arch.gpc_merge_loads = 4;
    arch.gpc_way_cycles = 560;
    small_gpu_open(&gpu, &arch);
    for (uint64_t late = 39; late < 41; late++) {
        uint64_t now = late * start, read = site(0)->l2_read_sectors;
        assert_int_equal(data_after(one_word(late), now), 600);
        assert_int_equal(whole_cycles(times_of(1, one_word(late), now + late).data), now + 600);
        assert_int_equal(site(0)->l2_read_sectors - read, late == 39 ? 1 : 2);
    }
    assert_int_equal(site(0)->gpc_merged_sectors, 1);
    for (uint64_t line = 100; line < 120; line++)
        times_of(0, one_word(line), 50 * start);
    for (uint64_t line = 100; line < 120; line++) /* all are remembered */
        times_of(1, one_word(line), 50 * start + 1);
    assert_int_equal(site(0)->gpc_merged_sectors, 21);
    times_of(0, with(one_word(7), ACCESS_HOST), start);
    times_of(1, with(one_word(7), ACCESS_HOST), start + 1);
    assert_int_equal(site(0)->host_read_bytes, 64);
    small_gpu_close(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_third_miss_waits_for_a_place_of_two),
        cmocka_unit_test(the_crossbar_brings_a_sector_a_cycle_and_takes_one),
        cmocka_unit_test(atomics_on_one_address_go_one_after_another),
        cmocka_unit_test(an_atomic_drops_its_line_from_l1),
        cmocka_unit_test(a_held_store_is_sent_before_its_line_is_loaded),
        cmocka_unit_test(a_load_that_hits_l1_sends_no_stores),
        cmocka_unit_test(a_held_store_is_sent_before_an_atomic_and_at_the_end),
        cmocka_unit_test(a_held_store_is_sent_when_its_time_is_over),
        cmocka_unit_test(stores_to_a_held_line_are_sent_once),
        cmocka_unit_test(a_line_that_waits_for_the_way_out_takes_more),
        cmocka_unit_test(stores_to_the_host_and_to_the_device_stay_apart),
        cmocka_unit_test(sms_of_a_gpc_share_a_request_that_is_on_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
