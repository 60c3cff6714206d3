/* test_memsys.c - what L2 and DRAM make of requests: when is data there, what was read, filled, written back?
 * Requests go in, times and counters come out; small_gpu.h has the round figures.
 */
#include "small_gpu_ask.h"

static void an_idle_load_takes_the_latency_of_where_it_is(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    assert_int_equal(load(sectors_of(5, 1), start), start + 600);
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 200);
    assert_int_equal(load(sectors_of(5, 3), 3 * start), 3 * start + 600); /* one of two is there */
    assert_int_equal(site(0)->l2_read_sectors, 4);
    assert_int_equal(site(0)->l2_read_hit_sectors, 2);
    assert_int_equal(site(0)->dram_read_sectors, 2);
    small_gpu_close(&gpu);
}

static void further_sectors_of_a_load_take_longer(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l2_sector_cycles = 7;
    small_gpu_open(&gpu, &arch);
    assert_int_equal(load(sectors_of(5, 15), start), start + 600 + 3 * 7);
    assert_int_equal(load(sectors_of(5, 6), 2 * start), 2 * start + 200 + 7);
    small_gpu_close(&gpu);
}

static void a_slice_serves_a_sector_a_cycle(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    load(sectors_of(5, 15), 1);
    load(sectors_of(6, 15), 1);
    for (uint64_t late = 2; late < 5; late++) {
        uint64_t now = late * start;
        load(sectors_of(5, 7), now);
        assert_int_equal(load(sectors_of(6, 1), now + late), now + (late < 3 ? 3 : late) + 200);
    }
    small_gpu_close(&gpu);
}

/* 250 lookups in a microsecond: one in four cycles, unless the sectors take longer; a store's take 3 or 5 cycles each beside it. */
static void a_slice_looks_up_requests_at_its_own_rate(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l2_lookups_per_us = 250;
    arch.l2_store_millicycles = 3000;
    arch.l2_partial_millicycles = 5000;
    small_gpu_open(&gpu, &arch);
    load(sectors_of(5, 15), 1);
    load(sectors_of(5, 1), start);
    assert_int_equal(load(sectors_of(5, 1), start), start + 4 + 200);
    store(words_of(5, 0xff), 2 * start); /* a whole sector */
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 7 + 200);
    store(words_of(5, 0xff0f), 3 * start); /* a part, and a whole one */
    assert_int_equal(load(sectors_of(5, 1), 3 * start), 3 * start + 12 + 200);
    assert_int_equal(gpu.memory.busy[USE_L2] / TICKS_PER_CYCLE, 4 + 2 * 4 + 7 + 4 + 12 + 4);
    small_gpu_close(&gpu);
}

/* What one sector brings along, by the bytes of a DRAM access. */
static void a_dram_access_brings_whole_accesses(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        uint8_t asked, brought;
    } cases[] = {{32, 2, 2},   {32, 5, 5},   {64, 2, 3},  {64, 4, 12},
                 {64, 10, 15}, {128, 1, 15}, {128, 8, 15}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arch arch = small_gpu_arch(90);
        arch.dram_access_bytes = cases[i].bytes;
        small_gpu_open(&gpu, &arch);
        load(sectors_of(5, cases[i].asked), start);
        assert_int_equal(site(0)->dram_read_sectors, __builtin_popcount(cases[i].brought));
        assert_int_equal(load(sectors_of(5, cases[i].brought), 2 * start), 2 * start + 200);
        assert_int_equal(load(sectors_of(5, 15), 3 * start),
                         3 * start + (cases[i].brought == 15 ? 200 : 600));
        small_gpu_close(&gpu);
    }
}

static void a_load_alone_brings_nothing_else(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.dram_access_bytes = 128;
    small_gpu_open(&gpu, &arch);
    struct memsys_request alone = sectors_of(5, 2);
    alone.alone = true;
    load(alone, start);
    assert_int_equal(site(0)->dram_read_sectors, 1);
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 600);
    small_gpu_close(&gpu);
}

/* A later sector of a line may come before an earlier one: who wants the line waits for the last. */
static void data_on_its_way_is_waited_for(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    load(sectors_of(5, 1), start);
    assert_int_equal(load(sectors_of(5, 1), start + 100), start + 600);
    assert_int_equal(load(sectors_of(5, 1), start + 400), start + 600);
    assert_int_equal(load(sectors_of(5, 1), start + 401), start + 601);
    small_gpu_close(&gpu);
}

/* A sector of which half is written; then loaded; then loaded again. */
static void a_sector_written_in_part_is_completed_once(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    store(words_of(5, 0x0f), start);
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 600);
    assert_int_equal(load(sectors_of(5, 1), 3 * start), 3 * start + 200);
    store(words_of(5, 0x0f), 4 * start); /* all of it is there: it stays so */
    assert_int_equal(load(sectors_of(5, 1), 5 * start), 5 * start + 200);
    assert_int_equal(site(0)->dram_read_sectors, 1);
    small_gpu_close(&gpu);
}

/* Filling sector 1 says nothing of sector 0. */
static void a_fill_completes_the_sectors_it_brings_and_no_others(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    store(words_of(5, 0x0f0f), start);
    assert_int_equal(load(sectors_of(5, 2), 2 * start), 2 * start + 600);
    assert_int_equal(load(sectors_of(5, 1), 3 * start), 3 * start + 600);
    assert_int_equal(load(sectors_of(5, 3), 4 * start), 4 * start + 200);
    small_gpu_close(&gpu);
}

static void stores_that_fill_a_sector_together_leave_it_whole(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    store(words_of(5, 0x0f), start);
    store(words_of(5, 0xf0), start);
    store(words_of(6, 0xff00), start);
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 200);
    assert_int_equal(load(sectors_of(6, 2), 2 * start + 1), 2 * start + 1 + 200);
    assert_int_equal(site(0)->dram_read_sectors, 0);
    assert_int_equal(site(0)->l2_write_sectors, 3);
    small_gpu_close(&gpu);
}

/* Words are known of as many lines as L2 has, four: each has a place of its own, and line 5 the one of line 1,
 * which counts as written in part from then on. */
static void the_words_of_a_line_are_known_until_another_needs_the_place(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l2_bytes = 512;
    arch.l2_ways = 4;
    small_gpu_open(&gpu, &arch);
    for (uint32_t half = 0; half < 2; half++)
        for (uint32_t line = 1; line <= 4; line++)
            store(words_of(line, half ? 0xf0 : 0x0f), start);
    for (uint32_t line = 1; line <= 4; line++)
        assert_int_equal(load(sectors_of(line, 1), start * (1 + line)), start * (1 + line) + 200);
    memsys_forget(&gpu.memory);
    store(words_of(1, 0x0f), 7 * start);
    store(words_of(5, 0x0f), 7 * start);
    store(words_of(1, 0xf0), 7 * start);
    assert_int_equal(load(sectors_of(1, 1), 8 * start), 8 * start + 600);
    small_gpu_close(&gpu);
}

/* Stores in part to a line are 50 cycles apart, whole sectors are not. */
static void stores_in_part_to_one_line_take_turns(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    arch.l2_store_turn_cycles = 50;
    small_gpu_open(&gpu, &arch);
    for (uint64_t i = 0; i < 3; i++) /* the slice takes a sector a cycle, the line one in fifty */
        assert_int_equal(store(words_of(7, 1), start), start + 100 + 50 * i);
    assert_int_equal(store(words_of(7, 0x100), start + 149), start + 249 + 1);
    assert_int_equal(store(words_of(7, 0x100), start + 201), start + 301); /* on time: at once */
    assert_int_equal(store(words_of(8, 1), start + 202), start + 302);
    assert_int_equal(store(words_of(7, 0xff), start + 203), start + 303);
    assert_int_equal(store(words_of(7, 0x1ff), start + 204), start + 351);
    for (uint32_t line = 10; line < 20 * 4097; line += 4097) /* no line waits for another */
        assert_int_equal(store(words_of(line, 1), 2 * start + line / 2048),
                         2 * start + line / 2048 + 100);
    small_gpu_close(&gpu);
}

/* An L2 of one set of four ways. */
static struct arch arch_of_four_lines(void)
{
    struct arch arch = small_gpu_arch(90);
    arch.l2_bytes = 512;
    arch.l2_ways = 4;
    return arch;
}

static void a_dirty_line_is_written_back_for_who_stored_it(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    struct memsys_request of_site_1 = words_of(1, 0xffff);
    of_site_1.site = 1;
    small_gpu_open(&gpu, &arch);
    store(of_site_1, start);
    for (uint32_t line = 2; line < 5; line++)
        load(sectors_of(line, 1), start * line);
    assert_int_equal(site(1)->dram_write_sectors, 0); /* four lines are there */
    load(sectors_of(6, 1), start * 6);
    assert_int_equal(site(1)->dram_write_sectors, 2);
    assert_int_equal(site(0)->dram_write_sectors, 0);
    assert_int_equal(load(sectors_of(1, 1), start * 7), start * 7 + 600);
    load(sectors_of(8, 1), start * 8);
    assert_int_equal(site(0)->dram_write_sectors, 0); /* nobody wrote what goes now */
    small_gpu_close(&gpu);
}

/* partial_write_reads: never, when written back, at once, when written back without its pair. */
static void sectors_written_in_part_are_completed_as_the_model_says(void **state)
{
    (void)state;
    static const uint32_t at_once[] = {0, 0, 2, 0}, in_the_end[] = {0, 2, 2, 1};
    for (int64_t when = 0; when < 4; when++) {
        struct arch arch = arch_of_four_lines();
        arch.partial_write_reads = when;
        arch.dram_access_bytes = 64;
        small_gpu_open(&gpu, &arch);
        store(words_of(1, 1), start);
        assert_int_equal(site(0)->dram_fill_sectors, at_once[when]);
        for (uint32_t line = 2; line < 6; line++)
            store(words_of(line, 0xff), start * line);
        assert_int_equal(site(0)->dram_fill_sectors, in_the_end[when]);
        assert_int_equal(site(0)->dram_read_sectors, in_the_end[when]);
        assert_int_equal(site(0)->dram_write_sectors, 1);
        small_gpu_close(&gpu);
    }
}

static void lines_beyond_those_that_may_be_dirty_are_written_back_and_stay(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    arch.l2_dirty_permille = 500; /* two */
    small_gpu_open(&gpu, &arch);
    for (uint32_t line = 1; line < 4; line++) {
        assert_int_equal(site(0)->dram_write_sectors, 0);
        store(words_of(line, 0xff), start * line);
    }
    assert_int_equal(site(0)->dram_write_sectors, 1);
    store(words_of(3, 0xff00), 4 * start); /* is dirty already */
    assert_int_equal(site(0)->dram_write_sectors, 1);
    assert_int_equal(load(sectors_of(1, 1), 5 * start), 5 * start + 200);
    store(words_of(1, 0xff), 6 * start); /* dirty again: line 2 goes */
    assert_int_equal(site(0)->dram_write_sectors, 2);
    small_gpu_close(&gpu);
}

static void lines_beyond_those_that_may_be_partial_are_completed_and_written_back(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    arch.l2_partial_permille = 250; /* one */
    arch.partial_write_reads = 3;
    small_gpu_open(&gpu, &arch);
    store(words_of(1, 0xff), start);
    store(words_of(2, 1), start);
    store(words_of(3, 0xff), start);
    assert_int_equal(site(0)->dram_write_sectors, 0); /* one line is written in part */
    store(words_of(2, 0xff00), start);
    store(words_of(4, 1), start); /* of line 2 the sector goes that lacks words */
    assert_int_equal(site(0)->dram_write_sectors, 1);
    assert_int_equal(site(0)->dram_fill_sectors, 1);
    small_gpu_close(&gpu);
}

static void the_ways_that_go_next_are_clean(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    arch.l2_clean_ways = 2;
    small_gpu_open(&gpu, &arch);
    store(words_of(1, 0xff), start);
    store(words_of(2, 0xff), 2 * start);
    load(sectors_of(3, 1), 3 * start); /* line 1 is the last but one */
    assert_int_equal(site(0)->dram_write_sectors, 1);
    load(sectors_of(4, 1), 4 * start); /* ... and line 2 */
    assert_int_equal(site(0)->dram_write_sectors, 2);
    load(sectors_of(5, 1), 5 * start);
    assert_int_equal(site(0)->dram_write_sectors, 2);
    small_gpu_close(&gpu);
}

static void atomics_make_lines_dirty_as_stores_do(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    arch.l2_dirty_permille = 500; /* two */
    small_gpu_open(&gpu, &arch);
    const struct memsys_lanes lanes = {.most = {1, 1, 1, 1}};
    for (uint32_t line = 1; line < 4; line++) {
        const struct memsys_request request = sectors_of(line, 1);
        assert_int_equal(site(0)->dram_write_sectors, 0);
        memsys_atomic(&gpu.memory, &request, &lanes, start * line);
    }
    assert_int_equal(site(0)->dram_write_sectors, 1);
    small_gpu_close(&gpu);
}

/* What is counted must stay what there is, or lines would wait too long, or too many be looked for. */
static void lines_that_wait_are_counted_as_they_are(void **state)
{
    (void)state;
    struct arch arch = arch_of_four_lines();
    arch.partial_write_reads = 3;
    small_gpu_open(&gpu, &arch);
    uint32_t random = 7;
    for (uint32_t i = 1; i < 4000; i++) {
        random = random * 1664525 + 1013904223;
        const uint32_t line = 1 + (random >> 28),
                       words = random >> 20 & 1 ? 0xff : random >> 8 & 0xffff;
        if (random >> 21 & 1)
            load(sectors_of(line, 15), start * i);
        else if (words)
            store(words_of(line, words), start * i);
        uint32_t dirty = 0, partial = 0;
        for (uint32_t k = 0; k < 4; k++) {
            const struct cache_line *at = &gpu.memory.l2[0].lines[k];
            dirty += at->line != CACHE_NO_LINE && at->dirty;
            partial += at->line != CACHE_NO_LINE && at->partial;
        }
        assert_int_equal(gpu.memory.waiting[0].dirty, dirty);
        assert_int_equal(gpu.memory.waiting[0].partial, partial);
    }
    small_gpu_close(&gpu);
}

static void forgetting_empties_l2_without_writing_it_back(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    small_gpu_open(&gpu, &arch);
    store(words_of(5, 0xff), start);
    store(words_of(6, 0x0f), start);
    memsys_forget(&gpu.memory);
    store(words_of(6, 0xf0), start); /* what was written before is forgotten, too */
    assert_int_equal(load(sectors_of(5, 1), 2 * start), 2 * start + 600);
    assert_int_equal(load(sectors_of(6, 1), 3 * start), 3 * start + 600);
    assert_int_equal(site(0)->dram_write_sectors, 0);
    small_gpu_close(&gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_load_takes_the_latency_of_where_it_is),
        cmocka_unit_test(further_sectors_of_a_load_take_longer),
        cmocka_unit_test(a_slice_serves_a_sector_a_cycle),
        cmocka_unit_test(a_slice_looks_up_requests_at_its_own_rate),
        cmocka_unit_test(a_dram_access_brings_whole_accesses),
        cmocka_unit_test(a_load_alone_brings_nothing_else),
        cmocka_unit_test(data_on_its_way_is_waited_for),
        cmocka_unit_test(a_sector_written_in_part_is_completed_once),
        cmocka_unit_test(a_fill_completes_the_sectors_it_brings_and_no_others),
        cmocka_unit_test(stores_that_fill_a_sector_together_leave_it_whole),
        cmocka_unit_test(the_words_of_a_line_are_known_until_another_needs_the_place),
        cmocka_unit_test(stores_in_part_to_one_line_take_turns),
        cmocka_unit_test(a_dirty_line_is_written_back_for_who_stored_it),
        cmocka_unit_test(sectors_written_in_part_are_completed_as_the_model_says),
        cmocka_unit_test(lines_beyond_those_that_may_be_dirty_are_written_back_and_stay),
        cmocka_unit_test(lines_beyond_those_that_may_be_partial_are_completed_and_written_back),
        cmocka_unit_test(the_ways_that_go_next_are_clean),
        cmocka_unit_test(atomics_make_lines_dirty_as_stores_do),
        cmocka_unit_test(lines_that_wait_are_counted_as_they_are),
        cmocka_unit_test(forgetting_empties_l2_without_writing_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
