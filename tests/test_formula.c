/* test_formula.c - does every model have, on an idle GPU, the latencies that its table states?
 *
 * They are those of a chase: one lane, each address known when the load before is there. Then they
 * are the table's to the tick, at every level, near and far, and a chase through all levels takes the
 * sum of its hits and misses.
 */
#include "sim_feed.h"

#include "test_support.h"

enum { STEPS = 24, LISTED = 16 };

static const uint64_t array = 1 << 24;

static void expect_ticks(const char *name, const char *what, uint64_t ticks, uint64_t expected)
{
    if (ticks != expected)
        fail_msg("%s, %s: %.3f cycles, the table says %.3f", name, what,
                 (double)ticks / TICKS_PER_CYCLE, (double)expected / TICKS_PER_CYCLE);
}

static struct feed_part chase(uint8_t space, int64_t stride, uint64_t bytes)
{
    return (struct feed_part){.shape = FEED_CHASE,
                              .space = space,
                              .waits = true,
                              .active = 1,
                              .base = array,
                              .stride = stride,
                              .bytes = bytes};
}

static struct feed_kernel one_warp(const struct feed_part *part, uint32_t rounds)
{
    return (struct feed_kernel){
        .parts = part, .part_count = 1, .rounds = rounds, .blocks = 1, .warps = 1};
}

/* Ticks of `rounds` further steps after as many that bring the data near. */
static uint64_t repeated(const struct arch *arch, const struct feed_part *part, uint32_t rounds)
{
    struct feed_kernel once = one_warp(part, rounds), twice = one_warp(part, 2 * rounds);
    return feed_alone(arch, &twice).ticks - feed_alone(arch, &once).ticks;
}

/* An instruction of one warp, nothing else going on. */
static uint64_t instruction_ticks(const struct arch *arch)
{
    const struct sm_times times = sm_times_for(arch);
    return ticks_later(times.issue, times.pace);
}

/* A warp's events are on whole cycles. */
static uint64_t whole_cycles(uint64_t ticks)
{
    return (ticks + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE * TICKS_PER_CYCLE;
}

static uint64_t launch_ticks(const struct arch *arch)
{
    return whole_cycles(ticks_of_ps(1000 * arch->launch_ns, arch->sm_clock_khz));
}

/* What a launch's time is without what a launch takes by itself, and without the start of its only block. */
static uint64_t without_start(const struct arch *arch, uint64_t ticks)
{
    return ticks - launch_ticks(arch) - ticks_of_cycles(arch->block_start_cycles);
}

/* Steps of no instruction and of one, which is issued behind the load that it needs. */
static void check_hit(const char *name, const struct arch *arch, struct feed_part part,
                      const char *what, int64_t cycles)
{
    uint32_t steps = (uint32_t)(part.bytes / (uint64_t)part.stride);
    for (part.work = 0; part.work <= 1; part.work++)
        expect_ticks(
            name, what, repeated(arch, &part, steps),
            steps * whole_cycles(ticks_of_cycles(cycles) + part.work * instruction_ticks(arch)));
}

static void check_l1(const char *name, const struct arch *arch)
{
    if (arch->l1_bytes == 0)
        return;
    if (arch->l1_caches_global)
        check_hit(name, arch, chase(SPACE_GLOBAL, 128, 4 * 128), "L1 hit", arch->l1_latency_cycles);
    check_hit(name, arch, chase(SPACE_LOCAL, 128, 4 * 128), "local memory in L1",
              arch->l1_latency_cycles);
}

static void a_load_that_hits_l1_takes_its_latency(void **state)
{
    (void)state;
    feed_each_model(check_l1);
}

static void check_other_hits(const char *name, const struct arch *arch)
{
    struct feed_part constant = chase(SPACE_CONSTANT, 64, 512);
    constant.base = 0;
    check_hit(name, arch, constant, "constant cache", arch->constant_latency_cycles);
    check_hit(name, arch, chase(SPACE_TEXTURE, 32, 512), "texture cache",
              arch->read_only_latency_cycles);
    struct feed_part read_only = chase(SPACE_GLOBAL, 32, 512);
    read_only.flags = ACCESS_READ_ONLY;
    if (arch->sm >= 32)
        check_hit(name, arch, read_only, "read-only data", arch->read_only_latency_cycles);
}

static void a_load_that_hits_the_constant_or_texture_cache_takes_its_latency(void **state)
{
    (void)state;
    feed_each_model(check_other_hits);
}

/* Lanes a multiple of 16 banks apart conflict. A warp goes on at a whole cycle. */
static void check_shared(const char *name, const struct arch *arch)
{
    struct feed_part part = chase(SPACE_SHARED, 4, 512);
    check_hit(name, arch, part, "shared memory", arch->shared_latency_cycles);
    const struct feed_part conflict = {.shape = FEED_STRIDED,
                                       .space = SPACE_SHARED,
                                       .waits = true,
                                       .stride = 64 * (arch->shared_bank_bytes / 4),
                                       .bytes = 8192};
    struct feed_kernel kernel = one_warp(&conflict, STEPS);
    struct feed_result run = feed_alone(arch, &kernel);
    uint64_t further = run.counters.shared_load_passes / STEPS - 1;
    assert_in_range(further, 1, 31);
    uint64_t step = ticks_of_cycles(arch->shared_latency_cycles) +
                    further * ticks_of_millicycles(arch->shared_conflict_millicycles);
    uint64_t cycles = (step + TICKS_PER_CYCLE - 1) / TICKS_PER_CYCLE;
    expect_ticks(name, "bank conflicts", without_start(arch, run.ticks),
                 STEPS * cycles * TICKS_PER_CYCLE);
}

static void a_shared_load_takes_its_latency_and_more_for_each_further_pass(void **state)
{
    (void)state;
    feed_each_model(check_shared);
}

/* Lines whose home is one side of the L2. */
static void list_lines(const struct arch *arch, uint32_t side, uint64_t list[LISTED])
{
    struct address_map map = address_map_for(arch);
    uint64_t addr = array;
    for (uint32_t n = 0; n < LISTED; addr += 128) {
        uint32_t home = 2 * address_map_find(&map, addr).slice >= map.slices;
        if (arch->l2_sides == 1 || home == side)
            list[n++] = addr;
    }
}

/* The first warp's chase through these lines, after SM `warmer` has read them; UINT32_MAX: nobody
 * has. SMs are on the sides in turn. */
static struct feed_result chase_lines(const struct arch *arch, const uint64_t *list,
                                      uint32_t warmer, uint32_t active)
{
    struct feed_part part = chase(SPACE_GLOBAL, 0, 0);
    part.active = active;
    part.list = list;
    part.list_count = LISTED;
    struct feed_kernel warm = one_warp(&part, LISTED), kernel = warm;
    warm.blocks = warmer + 1;
    warm.idle = warmer;
    struct feed feed;
    feed_open(&feed, arch, NULL);
    if (warmer != UINT32_MAX)
        feed_run(&feed, &warm);
    struct feed_result before = feed_total(&feed);
    feed_run(&feed, &kernel);
    struct feed_result after = feed_total(&feed);
    feed_close(&feed);
    after.ticks = without_start(arch, after.ticks - before.ticks);
    return after;
}

static void check_l2(const char *name, const struct arch *arch)
{
    uint64_t list[LISTED];
    if (arch->l2_bytes == 0)
        return;
    list_lines(arch, 0, list);
    expect_ticks(name, "L2 hit", chase_lines(arch, list, 0, 1).ticks,
                 LISTED * ticks_of_cycles(arch->l2_latency_cycles));
    if (arch->l2_sector_cycles) /* a whole line: four sectors */
        expect_ticks(name, "L2 hit of a line", chase_lines(arch, list, 0, UINT32_MAX).ticks,
                     LISTED *
                         ticks_of_cycles(arch->l2_latency_cycles + 3 * arch->l2_sector_cycles));
    if (arch->l2_sides == 1)
        return;
    list_lines(arch, 1, list);
    expect_ticks(name, "L2 hit on the other side", chase_lines(arch, list, 1, 1).ticks,
                 LISTED * ticks_of_cycles(arch->l2_latency_cycles + arch->l2_far_cycles));
}

static void a_load_that_hits_l2_takes_its_latency_near_and_far(void **state)
{
    (void)state;
    feed_each_model(check_l2);
}

/* A line on the other side of the L2 takes the way there as well. */
static void check_dram(const char *name, const struct arch *arch)
{
    uint64_t list[LISTED];
    for (uint32_t side = 0; side < (uint32_t)arch->l2_sides; side++) {
        int64_t far = side ? arch->l2_far_cycles : 0;
        list_lines(arch, side, list);
        expect_ticks(name, "DRAM", chase_lines(arch, list, UINT32_MAX, 1).ticks,
                     LISTED * ticks_of_cycles(arch->dram_latency_cycles + far));
    }
}

static void a_load_that_misses_every_cache_takes_the_dram_latency(void **state)
{
    (void)state;
    feed_each_model(check_dram);
}

static void check_host(const char *name, const struct arch *arch)
{
    struct feed_part part = chase(SPACE_GLOBAL, 128, 0);
    part.flags = ACCESS_HOST;
    struct feed_kernel kernel = one_warp(&part, STEPS);
    uint64_t latency = ticks_of_ps(1000 * arch->pcie_latency_ns, arch->sm_clock_khz);
    uint64_t most = STEPS * (latency + TICKS_PER_CYCLE),
             ticks = without_start(arch, feed_alone(arch, &kernel).ticks);
    if (ticks < STEPS * latency || ticks > most) /* a warp goes on at a whole cycle */
        expect_ticks(name, "host memory", ticks, STEPS * latency);
}

static void a_zero_copy_load_takes_the_latency_of_the_bus(void **state)
{
    (void)state;
    feed_each_model(check_host);
}

/* A chase through a list in which lines come again soon, later or never: hits and misses of all levels
 * come mixed, and the time is the sum of what the counters say. */
static void check_mixture(const char *name, const struct arch *arch)
{
    enum { ROUNDS = 3000 };
    uint64_t list[ROUNDS];
    struct feed_part part = chase(SPACE_GLOBAL, 0, 0);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t again = i % 7 == 3 ? i - 1 : i % 5 == 4 ? i / 2 : i % 11 == 5 ? i - 200 : i;
        list[i] = array + 128 * (again > i ? 0 : again);
    }
    part.list = list;
    part.list_count = ROUNDS;
    struct arch small = *arch;
    small.l1_bytes = arch->l1_bytes ? 16384 : 0;
    small.l2_bytes = arch->l2_bytes ? 131072 : 0;
    struct feed_kernel kernel = one_warp(&part, ROUNDS);
    struct feed_result run = feed_alone(&small, &kernel);
    const struct counters *c = &run.counters;
    uint64_t each = c->global_load_sectors / ROUNDS; /* sectors an access */
    uint64_t l1 = c->l1_hit_sectors / each, l2 = c->l2_read_hit_sectors / each;
    uint64_t far = c->l2_far_read_sectors / each, far_hits = c->l2_far_read_hit_sectors / each;
    uint64_t dram = ROUNDS - l1 - l2 - far_hits;
    uint64_t cycles = l1 * (uint64_t)arch->l1_latency_cycles +
                      (l2 + far_hits) * (uint64_t)arch->l2_latency_cycles +
                      dram * (uint64_t)arch->dram_latency_cycles +
                      far * (uint64_t)arch->l2_far_cycles;
    assert_true(arch->l1_bytes == 0 || !arch->l1_caches_global || l1 > 0);
    assert_true(arch->l2_bytes == 0 || (l2 > 0 && dram > 0));
    expect_ticks(name, "a mixture", without_start(arch, run.ticks), cycles * TICKS_PER_CYCLE);
}

static void a_chase_takes_the_sum_of_its_hits_and_misses(void **state)
{
    (void)state;
    feed_each_model(check_mixture);
}

/* Two launches of one warp. */
static struct feed_result two_launches(const struct arch *arch, int64_t launch_ns)
{
    const struct feed_part part = chase(SPACE_GLOBAL, 4096, 1 << 20);
    const struct feed_kernel kernel = one_warp(&part, STEPS);
    struct arch with = *arch;
    struct feed feed;
    with.launch_ns = launch_ns;
    feed_open(&feed, &with, NULL);
    feed_run(&feed, &kernel);
    feed_run(&feed, &kernel);
    struct feed_result result = feed_total(&feed);
    feed_close(&feed);
    return result;
}

static void check_launches(const char *name, const struct arch *arch)
{
    enum { NS = 2345 };
    struct arch with = *arch;
    with.launch_ns = NS;
    const uint64_t each = launch_ticks(&with);
    const struct feed_result none = two_launches(arch, 0), timed = two_launches(arch, NS);
    expect_ticks(name, "two launches", timed.ticks, none.ticks + 2 * each);
    assert_int_equal(none.counters.limited_launch_cycles, 0);
    assert_in_range(timed.counters.limited_launch_cycles + 2, 2 * each / TICKS_PER_CYCLE,
                    2 * each / TICKS_PER_CYCLE + 2);
    assert_int_equal(timed.counters.resident_warp_cycles, none.counters.resident_warp_cycles);
    assert_int_equal(timed.counters.stall_cycles, none.counters.stall_cycles);
    assert_int_equal(timed.counters.dram_read_sectors, none.counters.dram_read_sectors);
}

static void a_launch_takes_its_time_and_changes_nothing_of_the_kernel(void **state)
{
    (void)state;
    feed_each_model(check_launches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_hits_l1_takes_its_latency),
        cmocka_unit_test(a_load_that_hits_the_constant_or_texture_cache_takes_its_latency),
        cmocka_unit_test(a_shared_load_takes_its_latency_and_more_for_each_further_pass),
        cmocka_unit_test(a_load_that_hits_l2_takes_its_latency_near_and_far),
        cmocka_unit_test(a_load_that_misses_every_cache_takes_the_dram_latency),
        cmocka_unit_test(a_zero_copy_load_takes_the_latency_of_the_bus),
        cmocka_unit_test(a_chase_takes_the_sum_of_its_hits_and_misses),
        cmocka_unit_test(a_launch_takes_its_time_and_changes_nothing_of_the_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
