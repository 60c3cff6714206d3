/* test_bandwidths.c - does every model reach the bandwidths that its table states, and never more?
 *
 * Warps fill the GPU. A rate is that of the difference between a run and one of half its length,
 * which leaves out how it begins and ends; the longer run as a whole must stay below the table.
 */
#include "sim_feed.h"

#include "test_support.h"

static const uint64_t array = 1 << 24;
static const uint64_t launch_bytes = 1ULL << 32; /* more than one launch reads */

/* Per tick: in the long run, and of a whole run with its beginning and its end. */
struct rate {
    double steady, whole;
};

/* What is measured: sectors of loads, passes, instructions. */
typedef uint64_t work_done(const struct counters *c);

static uint64_t loaded_bytes(const struct counters *c)
{
    return 32 * c->global_load_sectors;
}

static uint64_t shared_passes(const struct counters *c)
{
    return c->shared_load_passes;
}

static uint64_t instructions(const struct counters *c)
{
    return c->instructions;
}

/* Runs `rounds`, once more, and twice as many. The first launch brings to L2 what fits there; data
 * without end is other data in each launch. */
static struct rate measure(const struct arch *arch, const struct feed_part *part, uint32_t rounds,
                           work_done *work)
{
    struct feed_part moved = *part;
    struct feed_kernel kernel = {.parts = &moved, .part_count = 1};
    struct feed feed;
    double ticks[3], done[3];
    uint64_t ticks_before = 0, done_before = 0;
    feed_open(&feed, arch, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        kernel.rounds = i == 2 ? 2 * rounds : rounds;
        moved.base = part->base + (part->bytes ? 0 : i * launch_bytes);
        feed_run(&feed, &kernel);
        struct feed_result total = feed_total(&feed);
        ticks[i] = (double)(total.ticks - ticks_before);
        done[i] = (double)(work(&total.counters) - done_before);
        ticks_before = total.ticks;
        done_before = work(&total.counters);
    }
    feed_close(&feed);
    return (struct rate){(done[2] - done[1]) / (ticks[2] - ticks[1]), done[2] / ticks[2]};
}

/* Times in whole ticks are rounded, and a difference of two runs is not that of two equal moments. */
#define ROUNDING_PERCENT 0.15
#define DIFFERENCE_PERCENT 1

static void expect_rate(const char *name, const char *what, struct rate rate, double table,
                        double least_percent)
{
    double steady = 100 * rate.steady / table, whole = 100 * rate.whole / table;
    if (steady < least_percent || steady > 100 + DIFFERENCE_PERCENT ||
        whole > 100 + ROUNDING_PERCENT)
        fail_msg("%s, %s: %.2f %% of the table in the long run, %.2f %% of it as a whole", name,
                 what, steady, whole);
}

static double bytes_per_tick(const struct arch *arch, double megabytes_per_s)
{
    return megabytes_per_s * 1000 / ((double)arch->sm_clock_khz * TICKS_PER_CYCLE);
}

static double of_all_sms(const struct arch *arch, int64_t bytes_per_cycle)
{
    return (double)(arch->sm_count * bytes_per_cycle) / TICKS_PER_CYCLE;
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static struct feed_part stream(uint8_t space, uint8_t width, uint64_t bytes)
{
    return (struct feed_part){
        .shape = FEED_STREAM, .space = space, .width = width, .base = array, .bytes = bytes};
}

/* Where the L2 has two sides, a sector that misses takes a slice, and every second one another slice
 * on its home side. */
static double dram_limit(const struct arch *arch)
{
    double dram = (double)(arch->peak_megabytes_per_s * arch->dram_efficiency_percent) / 100;
    double l2 = (double)arch->l2_megabytes_per_s / (arch->l2_sides == 2 ? 1.5 : 1);
    return bytes_per_tick(arch, arch->l2_bytes ? lesser(dram, l2) : dram);
}

/* The SMs of a side share its slices, and neighbouring blocks are on different sides: for a while some
 * slices are asked more than others. Fermi has few requests under way to wait for them with. */
static double least_of_l2(const struct arch *arch)
{
    return arch->l2_sides == 2 ? 88 : 96;
}

static void check_dram_stream(const char *name, const struct arch *arch)
{
    struct feed_part narrow = stream(SPACE_GLOBAL, 4, 0), wide = stream(SPACE_GLOBAL, 16, 0);
    double least = arch->l2_sides == 2 ? 97 : 99;
    expect_rate(name, "DRAM, 4-byte words", measure(arch, &narrow, 20, loaded_bytes),
                dram_limit(arch), least);
    expect_rate(name, "DRAM, 16-byte words", measure(arch, &wide, 8, loaded_bytes),
                dram_limit(arch), least);
}

static void a_long_read_reaches_the_dram_bandwidth(void **state)
{
    (void)state;
    feed_each_model(check_dram_stream);
}

/* What the warps read in eight rounds, at most a quarter of the L2. */
static uint64_t bytes_for_l2(const struct arch *arch)
{
    uint64_t warps = (uint64_t)(arch->warps_per_sm * arch->sm_count);
    uint64_t bytes = 8 * 128 * warps, most = (uint64_t)arch->l2_bytes / 4;
    return (bytes < most ? bytes : most) & ~4095ULL;
}

static void check_l2_stream(const char *name, const struct arch *arch)
{
    struct arch past_l1 = *arch;
    struct feed_part part = stream(SPACE_GLOBAL, 4, bytes_for_l2(arch));
    double l2 = bytes_per_tick(arch, (double)arch->l2_megabytes_per_s);
    if (arch->l2_bytes == 0)
        return;
    past_l1.l1_caches_global = 0;
    past_l1.gpcs = 0; /* what is merged on its way does not reach L2 */
    expect_rate(name, "L2", measure(&past_l1, &part, 24, loaded_bytes),
                lesser(l2, of_all_sms(arch, arch->sm_read_bytes_per_cycle)), least_of_l2(arch));
}

static void repeated_reads_reach_the_l2_bandwidth(void **state)
{
    (void)state;
    feed_each_model(check_l2_stream);
}

static void check_l1_stream(const char *name, const struct arch *arch)
{
    if (arch->l1_bytes == 0 || !arch->l1_caches_global)
        return;
    for (uint8_t width = 4; width <= 16; width = (uint8_t)(4 * width)) {
        struct feed_part part = stream(SPACE_GLOBAL, width, 4096);
        expect_rate(name, "L1", measure(arch, &part, 128, loaded_bytes),
                    of_all_sms(arch, arch->l1_bytes_per_cycle), 99.9);
    }
}

static void repeated_reads_reach_the_l1_bandwidth(void **state)
{
    (void)state;
    feed_each_model(check_l1_stream);
}

static void check_shared_stream(const char *name, const struct arch *arch)
{
    struct feed_part part = stream(SPACE_SHARED, 4, 4096);
    double table =
        (double)arch->sm_count / (double)ticks_of_millicycles(arch->shared_pass_millicycles);
    expect_rate(name, "shared memory", measure(arch, &part, 128, shared_passes), table, 99.9);
}

static void shared_loads_reach_a_pass_in_every_pass_time(void **state)
{
    (void)state;
    feed_each_model(check_shared_stream);
}

static void check_issue(const char *name, const struct arch *arch)
{
    struct feed_part part = stream(SPACE_SHARED, 4, 4096);
    struct sm_times times = sm_times_for(arch);
    part.work = 16;
    expect_rate(name, "instruction issue", measure(arch, &part, 16, instructions),
                (double)arch->sm_count / (double)times.issue, 99.9);
}

static void instructions_reach_the_issue_rate(void **state)
{
    (void)state;
    feed_each_model(check_issue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_read_reaches_the_dram_bandwidth),
        cmocka_unit_test(repeated_reads_reach_the_l2_bandwidth),
        cmocka_unit_test(repeated_reads_reach_the_l1_bandwidth),
        cmocka_unit_test(shared_loads_reach_a_pass_in_every_pass_time),
        cmocka_unit_test(instructions_reach_the_issue_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
