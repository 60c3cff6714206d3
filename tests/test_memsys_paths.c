/* test_memsys_paths.c - the other ways of a request beyond the SM: to the far side of L2, as an atomic, without
 * an L2, to the host. Requests go in, times and counters come out; small_gpu.h has the round figures.
 */
#include "small_gpu_ask.h"

/* ---- Two sides ------------------------------------------------------------------------------- */

/* Chunks of 256 bytes, two lines, go to slices 0 and 1 in turn: line 0 is at home on side 0, line 2 on 1. */
static struct arch arch_of_two_sides(void)
{
    struct arch arch = small_gpu_arch(90);
    arch.l2_sides = arch.l2_slices = 2;
    arch.l2_megabytes_per_s = 64000;
    arch.partition_hashed = 0;
    arch.partition_bytes = 256;
    return arch;
}

static struct memsys_request from_side(struct memsys_request request, uint8_t side)
{
    request.side = side;
    return request;
}

static void a_line_of_the_other_side_is_further_away_and_kept_here(void **state)
{
    (void)state;
    struct arch arch = arch_of_two_sides();
    small_gpu_open(&gpu, &arch);
    assert_int_equal(load(sectors_of(0, 1), start), start + 600);
    assert_int_equal(load(from_side(sectors_of(0, 1), 1), 2 * start), 2 * start + 300);
    assert_int_equal(site(0)->l2_far_read_sectors, 1);
    assert_int_equal(site(0)->l2_far_read_hit_sectors, 1);
    assert_int_equal(site(0)->l2_read_hit_sectors, 0); /* of the side that was asked */
    assert_int_equal(load(from_side(sectors_of(0, 1), 1), 3 * start), 3 * start + 200);
    assert_int_equal(site(0)->l2_read_hit_sectors, 1);
    assert_int_equal(load(sectors_of(2, 1), 4 * start), 4 * start + 700);
    assert_int_equal(site(0)->l2_far_read_sectors, 2);
    assert_int_equal(site(0)->l2_far_read_hit_sectors, 1);
    small_gpu_close(&gpu);
}

/* Side 1 has a copy of sector 0, and asks the home, which has all four, for sectors 1 and 2 alone: a slice is
 * taken for one sector, then for two. */
static void the_other_side_is_asked_for_what_the_copy_lacks(void **state)
{
    (void)state;
    struct arch arch = arch_of_two_sides();
    small_gpu_open(&gpu, &arch);
    load(sectors_of(0, 15), start);
    load(from_side(sectors_of(0, 1), 1), 2 * start);
    assert_int_equal(load(from_side(sectors_of(0, 7), 1), 3 * start), 3 * start + 300);
    assert_int_equal(site(0)->l2_far_read_sectors, 1 + 2);
    assert_int_equal(site(0)->l2_far_read_hit_sectors, 1 + 2);
    assert_int_equal(site(0)->l2_read_hit_sectors, 1);
    assert_int_equal(gpu.memory.busy[USE_L2], ticks_of_cycles(4 + (1 + 1) + (3 + 2)));
    small_gpu_close(&gpu);
}

static void a_store_goes_home_and_leaves_copies_valid(void **state)
{
    (void)state;
    struct arch arch = arch_of_two_sides();
    small_gpu_open(&gpu, &arch);
    store(from_side(words_of(0, 0xff), 1), start);
    assert_int_equal(load(sectors_of(0, 1), 2 * start), 2 * start + 200);
    assert_int_equal(load(from_side(sectors_of(0, 1), 1), 3 * start), 3 * start + 300);
    store(words_of(0, 0xff), 4 * start);
    assert_int_equal(load(from_side(sectors_of(0, 1), 1), 5 * start), 5 * start + 200);
    assert_int_equal(site(0)->dram_read_sectors, 0);
    small_gpu_close(&gpu);
}

/* ---- Atomics --------------------------------------------------------------------------------- */

/* A slice is taken for each pass, or for the sectors where that is longer. */
static void an_atomic_keeps_its_slice_for_its_passes(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    assert_int_equal(atomic(sectors_of(5, 1), 1, start), start + 4 + 600);
    assert_int_equal(atomic(sectors_of(5, 1), 3, 2 * start), 2 * start + 3 * 4 + 200);
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 3 * 4 + 200);
    assert_int_equal(load(sectors_of(5, 1), 3 * start), 3 * start + 200);
    assert_int_equal(site(0)->l2_atomic_sectors, 2);
    assert_int_equal(site(0)->l2_read_sectors, 2);
    assert_int_equal(gpu.memory.busy[USE_L2], ticks_of_cycles(4 + 3 * 4 + 1 + 1));
    small_gpu_close(&gpu);
    arch.l2_megabytes_per_s = 1000;
    small_gpu_open(&gpu, &arch);
    assert_int_equal(atomic(sectors_of(5, 1), 1, start), start + 32 + 600);
    assert_int_equal(atomic(sectors_of(6, 1), 1, start), start + 32 + 32 + 600);
    small_gpu_close(&gpu);
}

static uint64_t atomic_of_lanes(const uint8_t most[LINE_SECTORS], bool floats, uint64_t cycle)
{
    struct memsys_lanes lanes = {.add_floats = floats};
    struct memsys_request request = sectors_of(5, 0);
    for (unsigned i = 0; i < LINE_SECTORS; i++) {
        lanes.most[i] = most[i];
        request.sectors |= (uint8_t)((most[i] > 0) << i);
    }
    return whole_cycles(
        memsys_atomic(&gpu.memory, &request, &lanes, ticks_of_cycles((int64_t)cycle)));
}

static void passes_of_a_lines_sectors_add_up(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    const uint8_t lanes[] = {7, 0, 2, 1};
    atomic_of_lanes(lanes, false, start);
    assert_int_equal(atomic_of_lanes(lanes, false, 2 * start), 2 * start + 10 * 4 + 200);
    small_gpu_close(&gpu);
}

/* One behind another in a sector; sectors side by side, and the slice is free for others. */
static void additions_of_floats_wait_in_their_sector(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.atomic_float_millicycles = 10000;
    small_gpu_open(&gpu, &arch);
    const uint8_t both[] = {7, 5, 0, 0}, first[] = {1, 0, 0, 0}, third[] = {0, 0, 2, 0};
    atomic_of_lanes(both, false, start);
    assert_int_equal(atomic_of_lanes(both, true, 2 * start), 2 * start + 7 * 10 + 200);
    assert_int_equal(atomic_of_lanes(first, true, 2 * start), 2 * start + 7 * 10 + 10 + 200);
    atomic_of_lanes(third, false, 3 * start);
    assert_int_equal(atomic_of_lanes(both, true, 4 * start), 4 * start + 7 * 10 + 200);
    assert_int_equal(atomic_of_lanes(third, true, 4 * start), 4 * start + 12 * 4 + 2 * 10 + 200);
    small_gpu_close(&gpu);
}

static void an_atomic_of_the_other_side_is_further_away(void **state)
{
    (void)state;
    struct arch arch = arch_of_two_sides();
    small_gpu_open(&gpu, &arch);
    for (uint8_t home = 0; home < 2; home++) {
        uint32_t line = 2U * home;
        atomic(sectors_of(line, 1), 1, start);
        for (uint8_t side = 0; side < 2; side++) {
            uint64_t now = start * (2U + 2U * home + side);
            assert_int_equal(atomic(from_side(sectors_of(line, 1), side), 1, now),
                             now + 4 + 200 + (side == home ? 0 : 100));
        }
    }
    small_gpu_close(&gpu);
}

/* What an atomic changed lies at home, dirty, and is written back for it and not for who wrote before. */
static void an_atomic_owns_its_line(void **state)
{
    (void)state;
    for (uint8_t side = 0; side < 2; side++) {
        struct arch arch = arch_of_two_sides();
        arch.l2_bytes = 1024;
        arch.l2_ways = 4;
        struct memsys_request of_site_1 = from_side(sectors_of(0, 5), side);
        of_site_1.site = 1;
        small_gpu_open(&gpu, &arch);
        store(words_of(0, 0xff), start);
        atomic(of_site_1, 1, 2 * start);
        assert_int_equal(load(sectors_of(0, 1), 3 * start), 3 * start + 200);
        for (uint32_t line = 4; line <= 16; line += 4)
            load(sectors_of(line, 1), start * line);
        assert_int_equal(site(0)->dram_write_sectors, 0);
        assert_int_equal(site(1)->dram_write_sectors, 2);
        small_gpu_close(&gpu);
    }
}

static void an_atomic_brings_its_sector_alone_where_stores_in_part_do(void **state)
{
    (void)state;
    for (int64_t when = 2; when < 4; when++) {
        struct arch arch = small_gpu_arch(90);
        arch.dram_access_bytes = 64;
        arch.partial_write_reads = when;
        small_gpu_open(&gpu, &arch);
        atomic(sectors_of(5, 1), 1, start);
        assert_int_equal(site(0)->dram_read_sectors, when == 3 ? 1 : 2);
        small_gpu_close(&gpu);
    }
}

/* ---- Without L2 ------------------------------------------------------------------------------ */

static struct arch arch_without_l2(void)
{
    struct arch arch = small_gpu_arch(13);
    arch.l2_bytes = arch.l2_slices = arch.l2_latency_cycles = arch.l2_megabytes_per_s = 0;
    return arch;
}

/* Half of the latency is the way there. */
static void without_l2_requests_go_to_their_partition(void **state)
{
    (void)state;
    struct arch arch = arch_without_l2();
    small_gpu_open(&gpu, &arch);
    assert_int_equal(load(sectors_of(5, 3), start), start + 600);
    assert_int_equal(load(sectors_of(5, 1), start), start + 602);
    assert_int_equal(store(words_of(5, 0xffff), 2 * start), 2 * start + 302);
    assert_int_equal(atomic(sectors_of(5, 1), 2, 3 * start), 3 * start + 4 + 600);
    assert_int_equal(load(sectors_of(5, 1), 3 * start), 3 * start + 1 + 4 + 1 + 600);
    assert_int_equal(site(0)->dram_read_sectors, 5);
    assert_int_equal(site(0)->dram_write_sectors, 3);
    assert_int_equal(site(0)->l2_read_sectors + site(0)->l2_write_sectors, 0);
    assert_int_equal(gpu.memory.busy[USE_DRAM], ticks_of_cycles(5 + 3 + 4));
    assert_int_equal(gpu.site_bytes[0], 32 * 8);
    small_gpu_close(&gpu);
}

/* A batch of four rows and more: writes open rows of their own, sorted within 32 requests and not within
 * the 64 of reads. Row 0 is used, others are, and it is used again. */
static uint64_t opened_again(bool is_write, uint32_t between)
{
    struct arch arch = arch_without_l2();
    const uint32_t lines_a_row = (uint32_t)arch.dram_row_bytes / 128;
    arch.dram_window = 64;
    arch.dram_write_batch_bytes = 4 * arch.dram_row_bytes;
    small_gpu_open(&gpu, &arch);
    for (uint32_t i = 0; i < between + 2; i++) {
        uint32_t row = i == 0 || i == between + 1 ? 0 : 1;
        if (is_write)
            store(words_of(row * lines_a_row, 0xff), start);
        else
            load(sectors_of(row * lines_a_row, 1), start);
    }
    uint64_t misses = site(0)->dram_row_misses;
    assert_int_equal(misses + site(0)->dram_row_hits, between + 2);
    small_gpu_close(&gpu);
    return misses - 2;
}

static void writes_of_long_batches_are_sorted_within_a_window_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(opened_again(true, 31), 0);
    assert_int_equal(opened_again(true, 32), 1);
    assert_int_equal(opened_again(false, 63), 0);
    assert_int_equal(opened_again(false, 64), 1);
}

static void drain_ends_with_the_last_write(void **state)
{
    (void)state;
    struct arch arch = arch_without_l2();
    arch.dram_write_batch_bytes = 1024;
    small_gpu_open(&gpu, &arch);
    store(words_of(5, 0xffffffff), start);
    assert_int_equal(drain(start + 300), start + 304);
    assert_int_equal(drain(start + 303), start + 304);
    assert_int_equal(drain(start + 305), start + 305);
    small_gpu_close(&gpu);
}

/* ---- The host -------------------------------------------------------------------------------- */

static struct memsys_request of_host(struct memsys_request request)
{
    request.host = true;
    return request;
}

static void host_memory_is_asked_over_the_bus_both_ways(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    assert_int_equal(load(of_host(sectors_of(5, 15)), start), start + 1000);
    assert_int_equal(load(of_host(sectors_of(5, 1)), start), start + 1004);
    assert_int_equal(store(of_host(words_of(5, 0xffff)), start), start); /* a way of its own */
    assert_int_equal(store(of_host(words_of(5, 0xff)), start), start + 2);
    assert_int_equal(atomic(of_host(sectors_of(5, 1)), 1, 2 * start), 2 * start + 1000);
    assert_int_equal(site(0)->host_read_bytes, 32 * 6);
    assert_int_equal(site(0)->host_write_bytes, 32 * 4);
    assert_int_equal(site(0)->host_atomic_sectors, 1);
    assert_int_equal(site(0)->l2_read_sectors + site(0)->l2_write_sectors, 0);
    assert_int_equal(gpu.memory.busy[USE_HOST], ticks_of_cycles(10));
    small_gpu_close(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_of_the_other_side_is_further_away_and_kept_here),
        cmocka_unit_test(the_other_side_is_asked_for_what_the_copy_lacks),
        cmocka_unit_test(a_store_goes_home_and_leaves_copies_valid),
        cmocka_unit_test(an_atomic_keeps_its_slice_for_its_passes),
        cmocka_unit_test(passes_of_a_lines_sectors_add_up),
        cmocka_unit_test(additions_of_floats_wait_in_their_sector),
        cmocka_unit_test(an_atomic_of_the_other_side_is_further_away),
        cmocka_unit_test(an_atomic_owns_its_line),
        cmocka_unit_test(an_atomic_brings_its_sector_alone_where_stores_in_part_do),
        cmocka_unit_test(without_l2_requests_go_to_their_partition),
        cmocka_unit_test(writes_of_long_batches_are_sorted_within_a_window_of_their_own),
        cmocka_unit_test(drain_ends_with_the_last_write),
        cmocka_unit_test(host_memory_is_asked_over_the_bus_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
