/* usage.c - limiters, shares, camping index.
 *
 * Decision. Work is booked in the window in which it was asked for. When requests queue up, that is
 * before it is done; a window can then show more than its capacity: the stage with the longest queue
 * is the one that holds the kernel up.
 */
#include "result/usage.h"

#include <string.h>

static void add_window(struct usage_window *to, const struct usage_window *from)
{
    to->ticks += from->ticks;
    for (size_t i = 0; i < USE_COUNT; i++)
        to->busy[i] += from->busy[i];
    for (size_t p = 0; p < USAGE_PARTITIONS_MAX; p++) {
        to->bytes[p] += from->bytes[p];
        to->partition[p] += from->partition[p];
    }
}

static uint64_t highest(const uint64_t *values, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

/* The busy time of the hottest partition, if it stands out: 0 when it has less than one and a half
 * times the average. */
static uint64_t hot_partition(const struct usage *usage, const struct usage_window *window)
{
    uint64_t hottest = highest(window->partition, usage->partitions), sum = 0;
    for (size_t p = 0; p < usage->partitions; p++)
        sum += window->partition[p];
    return 2 * hottest * usage->partitions > 3 * sum ? hottest : 0;
}

enum resource usage_limiter(const struct usage *usage, const struct usage_window *window)
{
    enum resource best = USE_LATENCY;
    double best_share = USAGE_LIMIT_PERCENT / 100.0;
    for (size_t i = 0; i < USE_LATENCY; i++) {
        uint64_t capacity = usage->capacity[i] * window->ticks;
        uint64_t busy = i == USE_PARTITION ? hot_partition(usage, window) : window->busy[i];
        double share = capacity ? (double)busy / (double)capacity : 0;
        if (share > best_share && (i != USE_PARTITION || best != USE_DRAM)) {
            best = (enum resource)i;
            best_share = share;
        }
    }
    return best;
}

void usage_shares(const struct usage *usage, uint64_t ticks[USE_COUNT])
{
    memcpy(ticks, usage->repeated, USE_COUNT * sizeof *ticks);
    for (size_t i = 0; i < usage->count; i++)
        ticks[usage_limiter(usage, &usage->windows[i])] += usage->windows[i].ticks;
}

void usage_rank(const struct usage *usage, struct usage_limit limits[USE_COUNT])
{
    uint64_t ticks[USE_COUNT], sum = 0;
    usage_shares(usage, ticks);
    for (size_t i = 0; i < USE_COUNT; i++)
        sum += ticks[i];
    for (size_t i = 0; i < USE_COUNT; i++) {
        const double share = sum ? (double)ticks[i] / (double)sum : 0;
        size_t at = i;
        for (; at > 0 && limits[at - 1].share < share; at--)
            limits[at] = limits[at - 1];
        limits[at] = (struct usage_limit){(enum resource)i, share};
    }
}

bool usage_limiter_counted(const struct counters *c, enum resource *limiter)
{
    const uint64_t cycles[USE_COUNT] = {
#define LIMITER(resource, counter, ...) [USE_##resource] = c->counter,
#include "sim/counters/limiters.def"
#undef LIMITER
    };
    *limiter = USE_LATENCY;
    for (size_t i = 0; i < USE_COUNT; i++)
        if (cycles[i] > cycles[*limiter])
            *limiter = (enum resource)i;
    return cycles[*limiter] > 0;
}

void usage_join(const struct usage *usage, size_t part, size_t parts, struct usage_window *joined)
{
    memset(joined, 0, sizeof *joined);
    for (size_t i = part * usage->count / parts; i < (part + 1) * usage->count / parts; i++)
        add_window(joined, &usage->windows[i]);
}

void usage_partition_bytes(const struct usage *usage, uint64_t *hottest, uint64_t *mean)
{
    *hottest += usage->hottest_bytes;
    *mean += usage->all_bytes / usage->partitions;
}

static const struct {
    const char *name, *words, *ratio;
} limiters[] = {
#define LIMITER(resource, counter, ratio, name, words, clause) {name, words, #ratio},
#include "sim/counters/limiters.def"
#undef LIMITER
};

const char *usage_name(enum resource resource)
{
    return limiters[resource].name;
}

const char *usage_words(enum resource resource)
{
    return limiters[resource].words;
}

const char *usage_ratio(enum resource resource)
{
    return limiters[resource].ratio;
}
