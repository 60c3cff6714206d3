/* test_dram.c - does a DRAM partition take as long as its header says: not done at t - 1, done at t?
 *
 * Times are picked so that each limit shows alone: one tick a byte on the bus, a row cycle of 1000.
 * Random work is held against a log of all requests that is searched anew for every one. The
 * conversions of ticks.h, which all these times go through, come first. Usage: test_dram [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_cases.h"
#include "models/models.h"
#include "sim/time/dram.h"

enum { BANKS = 4, REQUESTS = 3000 };

static uint64_t seed = 20260404;

static const struct dram_times usual = {.ticks_per_kilobyte = 1024,
                                        .row_cycle = 1000,
                                        .row_gap = 200,
                                        .turnaround = 50,
                                        .access_bytes = 64,
                                        .write_batch_bytes = 256,
                                        .window = 16};

static struct dram_bank banks[BANKS];

static struct dram_partition idle_partition(void)
{
    for (uint32_t i = 0; i < BANKS; i++)
        banks[i] = (struct dram_bank){0};
    return (struct dram_partition){.banks = banks};
}

static struct dram_row row_at(uint32_t bank, uint64_t row)
{
    return (struct dram_row){.bank = bank, .row = row};
}

static uint64_t read_row(struct dram_partition *p, uint32_t bank, uint64_t row, uint64_t now)
{
    return dram_read(p, &usual, row_at(bank, row), 64, now);
}

static uint64_t write_row(struct dram_partition *p, uint32_t bank, uint64_t row, uint64_t now)
{
    return dram_write(p, &usual, row_at(bank, row), 64, now);
}

static void ticks_keep_fractions_and_ports_keep_order(void **state)
{
    (void)state;
    struct port port = {0};
    assert_int_equal(ticks_of_cycles(3), 768);
    assert_int_equal(ticks_of_millicycles(1000), 256);
    assert_int_equal(ticks_of_millicycles(1), 0);
    assert_int_equal(ticks_of_millicycles(2), 1); /* 0.512, to the nearest */
    assert_int_equal(ticks_of_ps(1000, 1000000), 256);
    assert_true(ticks_of_ps(1000000000, 5000000) == UINT64_C(5000000) * 256);
    /* 1 GHz, 8 units of 1.28 GB/s each: 800 cycles for 1024 bytes. */
    assert_int_equal(ticks_of_kilobyte(10240, 8, 1000000), 800 * 256);
    assert_int_equal(port_take(&port, 10, 5), 10);
    assert_int_equal(port_take(&port, 14, 5), 15);
    assert_int_equal(port_take(&port, 20, 5), 20);
    assert_int_equal(port_take(&port, 99, 5), 99);
    assert_int_equal(port.free_at, 104);
}

static void an_idle_read_begins_at_once(void **state)
{
    (void)state;
    for (uint64_t now = 0; now < 3; now++) {
        struct dram_partition p = idle_partition();
        assert_int_equal(read_row(&p, 2, 0, 7000 * now), 7000 * now);
        assert_int_equal(p.row_misses, 1);
        assert_int_equal(p.busy, 64);
    }
}

static void reads_of_an_open_row_are_a_bus_time_apart(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 3; late++) {
        struct dram_partition p = idle_partition();
        read_row(&p, 0, 5, 100);
        assert_int_equal(read_row(&p, 0, 5, 163 + late), late == 2 ? 165 : 164);
        assert_int_equal(p.row_hits, 1);
    }
    struct dram_partition p = idle_partition();
    for (uint64_t i = 0; i < 10; i++)
        assert_int_equal(read_row(&p, 0, 5, 0), 64 * i);
}

static void bytes_are_rounded_up_to_whole_accesses(void **state)
{
    (void)state;
    static const uint32_t bytes[] = {32, 64, 65, 96, 128}, busy[] = {64, 64, 128, 128, 128};
    for (size_t i = 0; i < 5; i++) {
        struct dram_partition p = idle_partition();
        dram_read(&p, &usual, row_at(0, 0), bytes[i], 0);
        assert_int_equal(p.busy, busy[i]);
        assert_int_equal(p.bus.free_at, busy[i]);
    }
}

static void another_row_of_a_bank_waits_a_row_cycle(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 3; late++) {
        struct dram_partition p = idle_partition();
        read_row(&p, 1, 0, 0);
        assert_int_equal(read_row(&p, 1, 1, 999 + late), late == 2 ? 1001 : 1000);
        assert_int_equal(p.row_misses, 2);
    }
    struct dram_partition p = idle_partition();
    for (uint64_t row = 0; row < 5; row++)
        assert_int_equal(read_row(&p, 1, row, 0), 1000 * row);
    assert_int_equal(read_row(&p, 1, 0, 0),
                     5 * 64); /* who waits for a bank does not hold the bus */
}

static void rows_of_other_banks_wait_the_row_gap(void **state)
{
    (void)state;
    for (uint64_t late = 0; late < 3; late++) {
        struct dram_partition p = idle_partition();
        read_row(&p, 0, 0, 0);
        assert_int_equal(read_row(&p, 1, 0, 199 + late), late == 2 ? 201 : 200);
    }
    struct dram_partition p = idle_partition();
    for (uint32_t bank = 0; bank < BANKS; bank++)
        assert_int_equal(read_row(&p, bank, 0, 0), 200 * bank);
}

/* Row 0 of bank 0, others in between, and row 0 again. */
static void a_row_within_the_window_is_open_and_not_beyond(void **state)
{
    (void)state;
    for (uint32_t between = 14; between < 18; between++) {
        struct dram_partition p = idle_partition();
        read_row(&p, 0, 0, 0);
        for (uint32_t i = 0; i < between; i++)
            read_row(&p, 1, 0, 0);
        uint64_t hits = p.row_hits, now = 90000;
        read_row(&p, 0, 0, now);
        assert_int_equal(p.row_hits - hits, between + 1 <= usual.window);
    }
}

static void several_rows_of_one_bank_lie_in_the_window(void **state)
{
    (void)state;
    struct dram_partition p = idle_partition();
    for (uint64_t i = 0; i < 5 * DRAM_ROWS_KEPT; i++)
        read_row(&p, 0, i % DRAM_ROWS_KEPT, 0);
    assert_int_equal(p.row_misses, DRAM_ROWS_KEPT);
    assert_int_equal(p.row_hits, 4 * DRAM_ROWS_KEPT);
}

/* The last eight of a bank are remembered: the ninth drives the first one out, and so on. */
static void a_ninth_row_of_a_bank_drives_out_the_first(void **state)
{
    (void)state;
    struct dram_partition p = idle_partition();
    for (uint64_t i = 0; i < 2 * 9; i++)
        read_row(&p, 0, i % 9, 0);
    assert_int_equal(p.row_misses, 18);
}

static void writes_go_out_in_batches(void **state)
{
    (void)state;
    struct dram_partition p = idle_partition();
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(write_row(&p, 0, 0, 10), 10);
    assert_int_equal(p.busy, 0);
    assert_int_equal(p.bytes_waiting, 192);
    assert_int_equal(write_row(&p, 0, 0, 10), 10 + 4 * 64);
    assert_int_equal(p.busy, 4 * 64);
    assert_int_equal(p.bytes_waiting, 0);
    assert_int_equal(write_row(&p, 0, 0, 265), 266); /* is taken when the bus is */
    assert_int_equal(write_row(&p, 0, 0, 267), 267);
}

/* A batch, and the read that finds it on the bus. */
static uint64_t batch_then_read(struct dram_partition *p, uint64_t now)
{
    for (int i = 0; i < 4; i++)
        write_row(p, 0, 0, now);
    return read_row(p, 0, 0, now) - now;
}

static void a_batch_between_reads_turns_the_bus_around_twice(void **state)
{
    (void)state;
    struct dram_partition p = idle_partition();
    assert_int_equal(batch_then_read(&p, 1000), 256); /* no read so far */
    assert_int_equal(batch_then_read(&p, 2000), 256 + 100);
    for (int i = 0; i < 4; i++)
        write_row(&p, 0, 0, 3000);
    assert_int_equal(p.bus.free_at, 3000 + 356);
    assert_int_equal(batch_then_read(&p, 4000), 256); /* no read since the last batch */
    assert_int_equal(p.busy, 4 * 256 + 2 * 100 + 3 * 64);
}

/* 4 ticks a byte: the second write begins to pass when the first is in. */
static void a_narrow_way_in_holds_writes_and_not_reads(void **state)
{
    (void)state;
    struct dram_times narrow = usual;
    narrow.write_ticks_per_kilobyte = 4096;
    for (uint64_t late = 0; late < 3; late++) {
        struct dram_partition p = idle_partition();
        assert_int_equal(dram_write(&p, &narrow, row_at(0, 0), 64, 100), 100);
        assert_int_equal(dram_read(&p, &narrow, row_at(0, 0), 64, 101), 101);
        assert_int_equal(dram_write(&p, &narrow, row_at(0, 0), 64, 355 + late),
                         late == 2 ? 357 : 356);
        assert_int_equal(p.write_busy, 512);
        assert_int_equal(dram_drain(&p, &narrow, BANKS, 357), late == 2 ? 613 : 612);
    }
}

/* With batches of many rows, a write opens a row that a read has just used anew, and keeps other
 * activations away for write_gap. */
static void writes_of_long_batches_open_rows_of_their_own(void **state)
{
    (void)state;
    struct dram_times apart = usual;
    struct dram_partition p = idle_partition();
    apart.writes_apart = true;
    apart.write_gap = 320;
    dram_read(&p, &apart, row_at(0, 5), 64, 0);
    dram_write(&p, &apart, row_at(0, 5), 64, 5000);
    assert_int_equal(p.row_misses, 2);
    dram_write(&p, &apart, row_at(0, 5), 64, 5100);
    assert_int_equal(p.row_hits, 1);
    assert_int_equal(dram_read(&p, &apart, row_at(1, 9), 64, 5100), 5320); /* not at 5319 */
    struct dram_partition together = idle_partition();
    dram_read(&together, &usual, row_at(0, 5), 64, 0);
    dram_write(&together, &usual, row_at(0, 5), 64, 5000);
    assert_int_equal(together.row_misses, 1);
}

static void drain_sends_what_waits(void **state)
{
    (void)state;
    struct dram_partition p = idle_partition();
    assert_int_equal(dram_drain(&p, &usual, BANKS, 77), 77);
    write_row(&p, 0, 0, 100);
    assert_int_equal(dram_through_at(&p, &usual, BANKS, 100), 164); /* who asks changes nothing */
    assert_int_not_equal(p.bytes_waiting, 0);
    assert_int_equal(dram_drain(&p, &usual, BANKS, 100), 164);
    assert_int_equal(p.bytes_waiting, 0);
    assert_int_equal(dram_drain(&p, &usual, BANKS, 163), 164);
    assert_int_equal(dram_drain(&p, &usual, BANKS, 165), 165);
    p = idle_partition();
    for (uint64_t row = 0; row < 4; row++)
        write_row(&p, 3, row, 0); /* the last row is open at 3000 */
    assert_int_equal(dram_drain(&p, &usual, BANKS, 0), 3000);
}

static struct dram_row requests[REQUESTS];

/* Whether the row was used by one of the last `window` requests, and by fewer than DRAM_ROWS_KEPT
 * other rows of its bank since. */
static bool is_open_in_log(size_t count, struct dram_row at, uint32_t window)
{
    uint64_t others[DRAM_ROWS_KEPT];
    size_t other_count = 0;
    for (size_t back = 1; back <= window && back <= count; back++) {
        struct dram_row seen = requests[count - back];
        size_t i = 0;
        if (seen.bank != at.bank)
            continue;
        if (seen.row == at.row)
            return true;
        while (i < other_count && others[i] != seen.row)
            i++;
        if (i == other_count)
            others[other_count++] = seen.row;
        if (other_count == DRAM_ROWS_KEPT)
            return false;
    }
    return false;
}

static void check_random_work(struct random_bits *random, const struct dram_times *times)
{
    struct dram_partition p = idle_partition();
    uint64_t now = 0, latest = 0, bus = 0, hits = 0;

    bool reads = false;
    for (size_t n = 0; n < REQUESTS; n++) {
        struct dram_row at = {.bank = (uint32_t)random_below(random, BANKS),
                              .row = random_below(random, 12)};
        uint32_t bytes = 32 * (1 + (uint32_t)random_below(random, 4));
        bool is_write = random_below(random, 100) < n * 100 / REQUESTS;
        uint64_t whole = (bytes + 63) / 64 * 64, busy = p.busy;
        hits += is_open_in_log(n, at, times->window);
        requests[n] = at;
        now += random_below(random, 400);
        uint64_t begins = (is_write ? dram_write : dram_read)(&p, times, at, bytes, now);
        assert_true(begins >= now);
        assert_int_equal(p.row_hits, hits);
        bus += whole;
        assert_true(is_write || p.busy - busy == whole);
        assert_true(!is_write || p.busy == busy || p.bytes_waiting == 0);
        if (is_write && p.bytes_waiting == 0) {
            bus += reads ? 2 * times->turnaround : 0;
            reads = false;
        }
        reads |= !is_write;
        begins += is_write ? 0 : whole;
        latest = begins > latest && !is_write ? begins : latest;
    }
    bus += reads && p.bytes_waiting ? 2 * times->turnaround : 0;
    uint64_t end = dram_drain(&p, times, BANKS, now);
    assert_int_equal(p.busy, bus);
    assert_true(end >= now && end + 128 >= latest);
    assert_int_equal(p.row_hits + p.row_misses, REQUESTS);
}

static void random_work_equals_a_log(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        struct random_bits random = random_start(seed, i);
        struct dram_times times = usual;
        times.window = 1U << i % 7;
        times.write_batch_bytes = 64 * (1 + i);
        check_random_work(&random, &times);
    }
}

/* An endless sequential read on all partitions reaches the share of the peak that the model states.
 */
static void models_reach_their_bandwidth(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        arch_from_model(models[m], &arch);
        struct dram_times times = dram_times_for(&arch);
        struct dram_partition p = idle_partition();
        for (int i = 0; i < 1000; i++)
            dram_read(&p, &times, row_at(0, 0), 1024, 0);
        double seconds = (double)p.bus.free_at / TICKS_PER_CYCLE / 1e3 / (double)arch.sm_clock_khz;
        double rate = 1024e3 * (double)arch.dram_partitions / 1e6 / seconds;
        double want =
            (double)arch.peak_megabytes_per_s * (double)arch.dram_efficiency_percent / 100;
        if (rate < want * 0.999 || rate > want * 1.001)
            fail_msg("%s: %.0f MB/s, not %.0f", models[m]->name, rate, want);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_keep_fractions_and_ports_keep_order),
        cmocka_unit_test(an_idle_read_begins_at_once),
        cmocka_unit_test(reads_of_an_open_row_are_a_bus_time_apart),
        cmocka_unit_test(bytes_are_rounded_up_to_whole_accesses),
        cmocka_unit_test(another_row_of_a_bank_waits_a_row_cycle),
        cmocka_unit_test(rows_of_other_banks_wait_the_row_gap),
        cmocka_unit_test(a_row_within_the_window_is_open_and_not_beyond),
        cmocka_unit_test(several_rows_of_one_bank_lie_in_the_window),
        cmocka_unit_test(a_ninth_row_of_a_bank_drives_out_the_first),
        cmocka_unit_test(writes_go_out_in_batches),
        cmocka_unit_test(a_batch_between_reads_turns_the_bus_around_twice),
        cmocka_unit_test(a_narrow_way_in_holds_writes_and_not_reads),
        cmocka_unit_test(writes_of_long_batches_open_rows_of_their_own),
        cmocka_unit_test(drain_sends_what_waits),
        cmocka_unit_test(random_work_equals_a_log),
        cmocka_unit_test(models_reach_their_bandwidth),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d requests a run\n", seed, (int)REQUESTS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
