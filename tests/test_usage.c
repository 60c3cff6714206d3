/* test_usage.c - do the windows add up to what the resources did, and is the right one blamed?
 *
 * Sums are kept a second time beside the windows, which must not lose any of them however often
 * they double. Usage: test_usage [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "sim/time/ticks.h"
#include "sim/time/usage_recorder.h"

enum { PARTITIONS = 6, CLOSES = 3000, FIRST_TICKS = 1024 * TICKS_PER_CYCLE };

static uint64_t seed = 20260406;

static struct usage_recorder usage;
static uint64_t partition_busy[PARTITIONS], partition_bytes[PARTITIONS];

static const uint64_t capacity[USE_COUNT] = {
    [USE_ISSUE] = 4, [USE_LSU] = 4,       [USE_SHARED] = 4, [USE_L1] = 4,
    [USE_DRAM] = 6,  [USE_PARTITION] = 1, [USE_HOST] = 1};

static int start_usage(void **state)
{
    (void)state;
    memset(partition_busy, 0, sizeof partition_busy);
    memset(partition_bytes, 0, sizeof partition_bytes);
    free(usage.kept);
    assert_true(usage_start(&usage, PARTITIONS, capacity));
    return 0;
}

static struct usage_window close_window(uint64_t now)
{
    static struct usage_window closed;
    usage_close(&usage, now, partition_busy, partition_bytes, &closed);
    return closed;
}

static void a_window_is_over_when_its_time_is(void **state)
{
    (void)state;
    assert_false(usage_is_over(&usage, 0));
    assert_false(usage_is_over(&usage, FIRST_TICKS - 1));
    assert_true(usage_is_over(&usage, FIRST_TICKS));
    close_window(FIRST_TICKS + 500);
    assert_false(usage_is_over(&usage, 2 * FIRST_TICKS + 499));
    assert_true(usage_is_over(&usage, 2 * FIRST_TICKS + 500));
}

static void a_window_shows_what_came_since_the_last(void **state)
{
    (void)state;
    for (uint64_t w = 1; w <= 3; w++) {
        usage.busy[USE_LSU] += 100 * w;
        usage.busy[USE_DRAM] += 7 * w;
        partition_busy[2] += 5 * w;
        partition_bytes[PARTITIONS - 1] += 32 * w;
        struct usage_window window = close_window(1000 * w * w);
        assert_int_equal(window.ticks, 1000 * (2 * w - 1));
        assert_int_equal(window.busy[USE_LSU], 100 * w);
        assert_int_equal(window.busy[USE_DRAM], 7 * w);
        assert_int_equal(window.busy[USE_ISSUE], 0);
        assert_int_equal(window.partition[2], 5 * w);
        assert_int_equal(window.partition[0], 0);
        assert_int_equal(window.bytes[PARTITIONS - 1], 32 * w);
        assert_int_equal(usage.kept->count, w);
    }
}

static void work_on(struct random_bits *random)
{
    for (size_t i = 0; i < USE_COUNT; i++)
        usage.busy[i] += random_below(random, 1 << 20);
    for (size_t p = 0; p < PARTITIONS; p++) {
        partition_busy[p] += random_below(random, 1 << 18);
        partition_bytes[p] += random_below(random, 1 << 18);
    }
}

static void check_sums(uint64_t now)
{
    uint64_t ticks = 0, busy[USE_COUNT] = {0}, bytes[PARTITIONS] = {0}, taken[PARTITIONS] = {0};
    for (size_t w = 0; w < usage.kept->count; w++) {
        const struct usage_window *window = &usage.kept->windows[w];
        ticks += window->ticks;
        for (size_t i = 0; i < USE_COUNT; i++)
            busy[i] += window->busy[i];
        for (size_t p = 0; p < PARTITIONS; p++) {
            bytes[p] += window->bytes[p];
            taken[p] += window->partition[p];
        }
    }
    assert_true(ticks == now);
    assert_memory_equal(busy, usage.busy, sizeof busy);
    assert_memory_equal(bytes, partition_bytes, sizeof bytes);
    assert_memory_equal(taken, partition_busy, sizeof taken);
}

/* Every share belongs to one resource, and together they are the time. */
static void check_shares(uint64_t now)
{
    uint64_t ticks[USE_COUNT], sum = 0;
    memset(ticks, 0xa5, sizeof ticks);
    usage_shares(usage.kept, ticks);
    for (size_t i = 0; i < USE_COUNT; i++)
        sum += ticks[i];
    assert_true(sum == now);
    assert_true(ticks[USE_L2] == 0); /* there is none */
}

static void doubling_windows_keeps_all_sums(void **state)
{
    (void)state;
    struct random_bits random = random_start(seed, 0);
    uint64_t now = 0, length = usage.window_ticks;
    uint32_t doublings = 0;
    for (uint32_t i = 0; i < CLOSES; i++) {
        now += usage.window_ticks + random_below(&random, usage.window_ticks);
        work_on(&random);
        assert_true(usage_is_over(&usage, now));
        close_window(now);
        assert_true(usage.kept->count > 0 && usage.kept->count < USAGE_WINDOWS);
        assert_true(usage.window_ticks == length || usage.window_ticks == 2 * length);
        doublings += usage.window_ticks != length;
        length = usage.window_ticks;
        if (i % 100 == 99 || usage.kept->count == USAGE_WINDOWS / 2)
            check_sums(now);
    }
    check_shares(now);
    assert_int_equal(doublings, 1 + (CLOSES - USAGE_WINDOWS) / (USAGE_WINDOWS / 2));
}

/* Shares in percent of each resource's capacity in a window of 1000 ticks. */
struct blame {
    uint32_t issue, lsu, dram, partition;
    enum resource want;
};

static const struct blame blames[] = {
    {0, 0, 0, 0, USE_LATENCY},  {60, 60, 60, 60, USE_LATENCY},  {61, 0, 0, 0, USE_ISSUE},
    {70, 80, 0, 0, USE_LSU},    {80, 70, 0, 0, USE_ISSUE},      {0, 0, 90, 90, USE_DRAM},
    {0, 0, 90, 100, USE_DRAM},  {0, 0, 20, 90, USE_PARTITION},  {0, 0, 60, 61, USE_PARTITION},
    {95, 0, 20, 90, USE_ISSUE}, {70, 0, 20, 90, USE_PARTITION}, {150, 90, 90, 90, USE_ISSUE},
    {61, 62, 63, 64, USE_DRAM},
};

static void the_resource_nearest_its_limit_is_blamed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof blames / sizeof *blames; i++) {
        const struct blame *b = &blames[i];
        struct usage_window window = {.ticks = 1000};
        window.busy[USE_ISSUE] = b->issue * capacity[USE_ISSUE] * 10;
        window.busy[USE_LSU] = b->lsu * capacity[USE_LSU] * 10;
        window.busy[USE_DRAM] = b->dram * capacity[USE_DRAM] * 10;
        window.partition[i % PARTITIONS] = b->partition * 10;
        enum resource got = usage_limiter(usage.kept, &window);
        if (got != b->want)
            fail_msg("row %zu: %s", i, usage_name(got));
    }
}

/* What a GPU does not have cannot hold it up. */
static void a_resource_without_units_is_never_blamed(void **state)
{
    (void)state;
    struct usage_window window = {.ticks = 1000};
    window.busy[USE_L2] = window.busy[USE_CROSSBAR] = 1000000;
    assert_int_equal(usage_limiter(usage.kept, &window), USE_LATENCY);
}

static void shares_go_to_the_windows_limiters(void **state)
{
    (void)state;
    uint64_t ticks[USE_COUNT];
    usage.busy[USE_ISSUE] += 4 * 1000;
    close_window(1000);
    close_window(3500);
    usage.busy[USE_HOST] += 300;
    close_window(3900);
    usage_shares(usage.kept, ticks);
    assert_int_equal(ticks[USE_ISSUE], 1000);
    assert_int_equal(ticks[USE_LATENCY], 2500);
    assert_int_equal(ticks[USE_HOST], 400);
}

/* An eighth of the time left out is issue's, as of the windows, and the launch itself has none of it; the rest is latency's.
 * What an earlier launch was held up by does not matter. */
static void time_left_out_goes_to_the_launchs_limiters(void **state)
{
    (void)state;
    uint64_t ticks[USE_COUNT], hottest = 0, mean = 0;
    usage.kept->capacity[USE_LAUNCH] = 1;
    usage.busy[USE_HOST] += 10000;
    close_window(10000);
    usage_begin_launch(&usage);
    usage.busy[USE_LAUNCH] += 500;
    close_window(10500);
    usage.busy[USE_ISSUE] += 4 * 1000;
    close_window(11500);
    partition_bytes[2] += 300;
    partition_bytes[3] += 100;
    close_window(18500);
    usage_add_left_out(&usage, 80000, 4000, 0);
    usage_shares(usage.kept, ticks);
    assert_int_equal(ticks[USE_HOST], 10000);
    assert_int_equal(ticks[USE_LAUNCH], 500);
    assert_int_equal(ticks[USE_ISSUE], 1000 + 10000);
    assert_int_equal(ticks[USE_LATENCY], 7000 + 70000);
    usage_partition_bytes(usage.kept, &hottest, &mean);
    assert_int_equal(hottest, 300 + 3000);
    assert_int_equal(mean, (400 + 4000) / PARTITIONS);
    usage_add_left_out(&usage, 0, 1000, 900); /* camped: on the hottest one */
    hottest = 0;
    usage_partition_bytes(usage.kept, &hottest, &mean);
    assert_int_equal(hottest, 300 + 3000 + 900);
}

/* Camping moves from partition to partition: each window has its own hottest one. */
static void hottest_bytes_are_of_each_windows_hottest(void **state)
{
    (void)state;
    uint64_t hottest = 0, mean = 0;
    for (size_t p = 0; p < PARTITIONS; p++) {
        partition_bytes[p] += 600;
        close_window(1000 * (p + 1));
    }
    usage_partition_bytes(usage.kept, &hottest, &mean);
    assert_int_equal(hottest, 600 * PARTITIONS);
    assert_int_equal(mean, 600);
    usage_partition_bytes(usage.kept, &hottest, &mean); /* adds */
    assert_int_equal(hottest, 2 * 600 * PARTITIONS);
    assert_int_equal(mean, 1200);
    start_usage(NULL);
    for (size_t p = 0; p < PARTITIONS; p++)
        partition_bytes[p] += 128;
    close_window(1000);
    hottest = mean = 0;
    usage_partition_bytes(usage.kept, &hottest, &mean);
    assert_int_equal(hottest, 128);
    assert_int_equal(mean, 128);
}

static void the_limiter_of_counters_is_the_one_with_most_cycles(void **state)
{
    (void)state;
    struct counters c = {0};
    enum resource limiter;
    assert_false(usage_limiter_counted(&c, &limiter));
    c.limited_l2_cycles = 5;
    c.limited_dram_cycles = 5;
    assert_true(usage_limiter_counted(&c, &limiter));
    assert_int_equal(limiter, USE_L2);
    c.limited_dram_cycles = 6;
    usage_limiter_counted(&c, &limiter);
    assert_int_equal(limiter, USE_DRAM);
    c.limited_latency_cycles = 6;
    usage_limiter_counted(&c, &limiter);
    assert_int_equal(limiter, USE_LATENCY);
}

static void every_resource_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < USE_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(usage_name((enum resource)i), usage_name((enum resource)k));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_window_is_over_when_its_time_is, start_usage),
        cmocka_unit_test_setup(a_window_shows_what_came_since_the_last, start_usage),
        cmocka_unit_test_setup(doubling_windows_keeps_all_sums, start_usage),
        cmocka_unit_test_setup(the_resource_nearest_its_limit_is_blamed, start_usage),
        cmocka_unit_test_setup(a_resource_without_units_is_never_blamed, start_usage),
        cmocka_unit_test_setup(shares_go_to_the_windows_limiters, start_usage),
        cmocka_unit_test_setup(time_left_out_goes_to_the_launchs_limiters, start_usage),
        cmocka_unit_test_setup(hottest_bytes_are_of_each_windows_hottest, start_usage),
        cmocka_unit_test(the_limiter_of_counters_is_the_one_with_most_cycles),
        cmocka_unit_test(every_resource_has_a_name_of_its_own),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d windows\n", seed, (int)CLOSES);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
