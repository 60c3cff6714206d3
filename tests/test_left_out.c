/* test_left_out.c - do the counters that are estimated for accesses left out keep the laws, and the rates of those that
 * were modelled?
 *
 * Each synthetic kernel is run whole in the model of time; what it has counted stands for the waves measured, for all
 * that was modelled, and, its counters of the rules times a number, for what was left out.
 */
#include "test_support.h"

#include <string.h>

#include "models/models.h"
#include "sim/counters/laws.h"
#include "sim/time/left_out.h"
#include "sim_feed.h"

enum { BASE = 1 << 30, TIMES = 7 };

static void drop_time(struct counters *c)
{
    for (size_t i = 0; i < counter_count; i++)
        if (counter_table[i].basis == BASIS_TIME)
            counters_set(c, &counter_table[i], 0);
}

/* The counters of a site of accesses left out, `times` those of `seen`. */
static struct counters estimate(const struct counters *seen, uint64_t times,
                                const struct arch *arch)
{
    struct counters some = {0};
    counters_add_times(&some, seen, times);
    drop_time(&some);
    left_out_site(&some, seen, seen, arch);
    return some;
}

static void assert_laws(const char *name, struct feed *feed)
{
    struct feed_result result = feed_total(feed);
    const struct arch *arch = &feed->judge.arch;
    for (size_t i = 0; i < feed->judge.site_count; i++) {
        const struct counters more = estimate(&feed->judge.sites[i], TIMES, arch);
        counters_add(&result.counters, &more);
        result.counters.hottest_partition_bytes +=
            32 * (more.dram_read_sectors + more.dram_write_sectors);
    }
    /* What belongs to no site is not this function's. */
    const uint64_t moved =
        32 * (result.counters.dram_read_sectors + result.counters.dram_write_sectors);
    result.counters.mean_partition_bytes = moved / (uint64_t)arch->dram_partitions;
    const struct law *law = laws_first_broken(&result.counters, arch);
    if (law)
        fail_msg("%s: %s: %s", name, law->name, law->text);
}

/* Loads that hit and that miss, stores whole and in part, atomics: of each the rates are carried over. */
static const struct feed_part mixed[] = {
    {.shape = FEED_STREAM, .op = OP_LOAD, .base = BASE},
    {.shape = FEED_STREAM, .op = OP_LOAD, .base = BASE, .bytes = 1 << 16},
    {.shape = FEED_STRIDED, .op = OP_LOAD, .base = BASE, .bytes = 1 << 22, .stride = 40},
    {.shape = FEED_STREAM, .op = OP_STORE, .base = 2U * BASE},
    {.shape = FEED_STRIDED, .op = OP_STORE, .base = 2U * BASE, .bytes = 1 << 22, .stride = 12},
    {.shape = FEED_RANDOM, .op = OP_ATOMIC, .base = 3U * BASE, .bytes = 1 << 20},
    {.shape = FEED_STREAM, .op = OP_LOAD, .base = BASE, .flags = ACCESS_HOST, .bytes = 1 << 16},
    {.shape = FEED_STREAM, .op = OP_STORE, .base = BASE, .flags = ACCESS_HOST, .bytes = 1 << 16},
    {.shape = FEED_STREAM,
     .op = OP_LOAD,
     .base = BASE,
     .flags = ACCESS_READ_ONLY,
     .bytes = 1 << 18},
    {.shape = FEED_STREAM, .op = OP_LOAD, .base = BASE, .flags = ACCESS_VOLATILE, .bytes = 1 << 18},
    {.shape = FEED_STREAM, .op = OP_LOAD, .space = SPACE_LOCAL, .base = 64 << 20, .bytes = 1 << 16},
    {.shape = FEED_STREAM,
     .op = OP_STORE,
     .space = SPACE_LOCAL,
     .base = 64 << 20,
     .bytes = 1 << 16},
    {.shape = FEED_CHASE, .op = OP_LOAD, .space = SPACE_CONSTANT, .stride = 64, .bytes = 1 << 15},
};
enum { PARTS = sizeof mixed / sizeof mixed[0] };

static void check_laws(const char *name, const struct arch *arch)
{
    const struct feed_kernel kernel = {
        .parts = mixed, .part_count = PARTS, .rounds = 4, .blocks = 60};
    struct feed feed;
    feed_open(&feed, arch, NULL);
    feed_run(&feed, &kernel);
    assert_laws(name, &feed);
    feed_close(&feed);
}

static void the_laws_hold_on_every_gpu(void **state)
{
    (void)state;
    feed_each_model(check_laws);
}

static void assert_rate(const char *what, uint64_t part, uint64_t of, uint64_t seen,
                        uint64_t seen_of)
{
    const double rate = (double)part / (double)of, was = (double)seen / (double)seen_of;
    if (seen_of && (rate > was + 0.001 || rate < was - 0.001))
        fail_msg("%s: a rate of %g for %g", what, rate, was);
}

static void check_rates(const char *name, const struct arch *arch)
{
    const struct feed_kernel kernel = {
        .parts = mixed, .part_count = PARTS, .rounds = 4, .blocks = 60};
    struct feed feed;
    feed_open(&feed, arch, NULL);
    feed_run(&feed, &kernel);
    for (size_t i = 0; i < PARTS; i++) {
        const struct counters *seen = &feed.judge.sites[i];
        const struct counters more = estimate(seen, 1000, arch);
        assert_rate(name, more.l1_hit_sectors, more.l1_lookup_sectors, seen->l1_hit_sectors,
                    seen->l1_lookup_sectors);
        assert_rate(name, more.l2_read_hit_sectors, more.l2_read_sectors, seen->l2_read_hit_sectors,
                    seen->l2_read_sectors);
        assert_rate(name, more.dram_write_sectors, more.l2_write_sectors, seen->dram_write_sectors,
                    seen->l2_write_sectors);
        assert_rate(name, more.dram_row_hits + more.dram_row_misses,
                    more.dram_read_sectors + more.dram_write_sectors,
                    seen->dram_row_hits + seen->dram_row_misses,
                    seen->dram_read_sectors + seen->dram_write_sectors);
        assert_rate(name, more.instructions, more.warp_accesses, seen->instructions,
                    seen->warp_accesses);
    }
    feed_close(&feed);
}

static void rates_are_carried_over(void **state)
{
    (void)state;
    feed_each_model(check_rates);
}

static void a_share_is_no_more_than_the_whole(void **state)
{
    (void)state;
    assert_int_equal(left_out_share(100, 1, 3), 33);
    assert_int_equal(left_out_share(100, 3, 3), 100);
    assert_int_equal(left_out_share(100, 4, 3), 100);
    assert_int_equal(left_out_share(100, 0, 3), 0);
    assert_int_equal(left_out_share(100, 1, 0), 0);
}

/* Worked out by hand: three of four sectors hit L1 there, and a quarter of the rest L2. */
static void hits_come_from_the_waves_measured(void **state)
{
    (void)state;
    struct arch arch;
    arch_from_model(models_find("h200"), &arch);
    const struct counters modelled = {.warp_accesses = 10,
                                      .global_load_sectors = 40,
                                      .l1_lookup_sectors = 40,
                                      .crossbar_read_bytes = 32 * 40,
                                      .l2_read_sectors = 40,
                                      .dram_read_sectors = 40};
    const struct counters settled = {.warp_accesses = 4,
                                     .global_load_sectors = 16,
                                     .l1_lookup_sectors = 16,
                                     .l1_hit_sectors = 12,
                                     .crossbar_read_bytes = 32 * 4,
                                     .l2_read_sectors = 4,
                                     .l2_read_hit_sectors = 1,
                                     .dram_read_sectors = 3};
    struct counters c = {.warp_accesses = 100, .global_load_sectors = 400};
    left_out_site(&c, &settled, &modelled, &arch);
    assert_int_equal(c.l1_lookup_sectors, 400);
    assert_int_equal(c.l1_hit_sectors, 300);
    assert_int_equal(c.l2_read_sectors, 100);
    assert_int_equal(c.crossbar_read_bytes, 3200);
    assert_int_equal(c.l2_read_hit_sectors, 25);
    assert_int_equal(c.dram_read_sectors, 75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_laws_hold_on_every_gpu),
        cmocka_unit_test(rates_are_carried_over),
        cmocka_unit_test(a_share_is_no_more_than_the_whole),
        cmocka_unit_test(hits_come_from_the_waves_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
