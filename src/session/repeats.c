/* repeats.c - a launch's figures are differences of sums that are rounded to cycles. Counted again a hundred times, the
 * rounding would be, too: so a launch's times by limit are made to add up to its own time, and nanoseconds are made of
 * the sum of the cycles. */
#include "session/repeats.h"

#include <string.h>

/* A window of usage that was joined with a neighbour may have changed its limit: a launch's share of the one that it had
 * before is then below 0. */
static void settle_limits(struct counters *c)
{
    uint64_t *const limits[] = {
#define LIMITER(resource, counter, ...) &c->counter,
#include "sim/counters/limiters.def"
#undef LIMITER
    };
    uint64_t left = c->elapsed_cycles, *largest = limits[0];
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (*limits[i] > left) /* also what is below 0, and has wrapped */
            *limits[i] = *limits[i] > INT64_MAX ? 0 : left;
        left -= *limits[i];
        largest = *limits[i] > *largest ? limits[i] : largest;
    }
    *largest += left;
}

bool repeats_keep(struct repeats *repeats, const struct result *result, const struct judge *judge,
                  uint64_t number, const struct counters *apart,
                  const struct result_sampling *sampling, const struct result_launch *launch)
{
    struct repeatable *kept = &repeats->kept[repeats->count++ % REPEATED_LAUNCHES_MAX];
    judge_free_share(&kept->share);
    *kept = (struct repeatable){
        .is_there = true,
        .number = number,
        .place = result->launch_count < RESULT_LAUNCHES_MAX ? result->launch_count + 1 : 0,
        .apart = *apart,
        .sampling = *sampling,
        .launch = *launch,
        .shared_bytes_per_block = result->shared_bytes_per_block,
        .registers_per_thread = result->registers_per_thread,
        .occupancy = result->occupancy};
    settle_limits(&kept->apart);
    return judge_take_share(judge, &kept->share);
}

/* As after the launch itself, what is told of the last launch alone. */
static void describe_last(struct result *result, const struct repeatable *kept)
{
    memcpy(result->grid, kept->launch.grid, sizeof result->grid);
    memcpy(result->block, kept->launch.block, sizeof result->block);
    result->shared_bytes_per_block = kept->shared_bytes_per_block;
    result->registers_per_thread = kept->registers_per_thread;
    result->occupancy = kept->occupancy;
}

const struct repeatable *repeats_count(struct repeats *repeats, struct result *result,
                                       struct judge *judge, uint64_t number)
{
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++) {
        const struct repeatable *kept = &repeats->kept[i];
        if (!kept->is_there || kept->number != number)
            continue;
        judge_add_share(judge, &kept->share);
        counters_add(&repeats->sum, &kept->apart);
        result_sampling_add(&result->sampling, &kept->sampling);
        describe_last(result, kept);
        return kept;
    }
    return NULL;
}

void repeats_hand_over(const struct repeats *repeats, struct result *result)
{
    struct counters sum = repeats->sum;
    sum.elapsed_ns =
        (uint64_t)((double)sum.elapsed_cycles * 1e6 / (double)result->arch.sm_clock_khz);
    counters_add(&result->total, &sum);
    if (result->usage == NULL)
        return;
#define LIMITER(resource, counter, ...)                                                            \
    result->usage->repeated[USE_##resource] += sum.counter << TICKS_LOG2;
#include "sim/counters/limiters.def"
#undef LIMITER
}

void repeats_free(struct repeats *repeats)
{
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++)
        judge_free_share(&repeats->kept[i].share);
    memset(repeats, 0, sizeof *repeats);
}
