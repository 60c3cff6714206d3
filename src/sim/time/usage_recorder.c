/* usage_recorder.c - the sums of a window are those at its end less those at its beginning. */
#include "sim/time/usage_recorder.h"

#include <string.h>

#include "result/shrink.h"
#include "sim/time/ticks.h"

enum { FIRST_WINDOW_CYCLES = 1024 };

static size_t bytes_for(size_t windows)
{
    return sizeof(struct usage) + windows * sizeof(struct usage_window);
}

bool usage_start(struct usage_recorder *recorder, uint32_t partitions,
                 const uint64_t capacity[USE_COUNT])
{
    *recorder = (struct usage_recorder){.window_ticks = ticks_of_cycles(FIRST_WINDOW_CYCLES),
                                        .kept = calloc(1, bytes_for(USAGE_WINDOWS))};
    if (recorder->kept == NULL)
        return false;
    recorder->kept->partitions = partitions;
    memcpy(recorder->kept->capacity, capacity, sizeof recorder->kept->capacity);
    return true;
}

void usage_begin_launch(struct usage_recorder *recorder)
{
    const struct usage *kept = recorder->kept;
    recorder->before.count = kept->count;
    recorder->before.hottest_bytes = kept->hottest_bytes;
    recorder->before.all_bytes = kept->all_bytes;
}

void usage_drop_launch(struct usage_recorder *recorder)
{
    struct usage *kept = recorder->kept;
    kept->count = recorder->before.count;
    kept->hottest_bytes = recorder->before.hottest_bytes;
    kept->all_bytes = recorder->before.all_bytes;
}

struct usage *usage_take(struct usage_recorder *recorder)
{
    struct usage *kept = recorder->kept;
    recorder->kept = NULL;
    return shrink(kept, bytes_for(kept->count));
}

static void halve(struct usage_recorder *recorder)
{
    struct usage *kept = recorder->kept;
    for (size_t i = 0; i < USAGE_WINDOWS / 2; i++) {
        struct usage_window both;
        usage_join(kept, i, USAGE_WINDOWS / 2, &both);
        kept->windows[i] = both;
    }
    kept->count = USAGE_WINDOWS / 2;
    recorder->window_ticks *= 2;
    recorder->before.count /= 2;
}

/* Before windows are joined: in a longer one the hottest partition may have moved on. */
static void note_hottest(struct usage *kept, const struct usage_window *window)
{
    uint64_t hottest = 0;
    for (size_t p = 0; p < kept->partitions; p++) {
        kept->all_bytes += window->bytes[p];
        hottest = window->bytes[p] > hottest ? window->bytes[p] : hottest;
    }
    kept->hottest_bytes += hottest;
}

void usage_close(struct usage_recorder *recorder, uint64_t now, const uint64_t *partition_busy,
                 const uint64_t *partition_bytes, struct usage_window *closed)
{
    struct usage *kept = recorder->kept;
    struct usage_window *window = &kept->windows[kept->count++];
    memset(window, 0, sizeof *window);
    window->ticks = now - recorder->window_begin;
    recorder->window_begin = now;
    for (size_t i = 0; i < USE_COUNT; i++) {
        window->busy[i] = recorder->busy[i] - recorder->seen[i];
        recorder->seen[i] = recorder->busy[i];
    }
    for (size_t p = 0; p < kept->partitions; p++) {
        window->bytes[p] = partition_bytes[p] - recorder->seen_bytes[p];
        window->partition[p] = partition_busy[p] - recorder->seen_partition[p];
        recorder->seen_bytes[p] = partition_bytes[p];
        recorder->seen_partition[p] = partition_busy[p];
    }
    note_hottest(kept, window);
    *closed = *window;
    if (kept->count == USAGE_WINDOWS)
        halve(recorder);
}

static void add_bytes_left_out(struct usage_recorder *recorder, uint64_t bytes, uint64_t camped)
{
    struct usage *kept = recorder->kept;
    const double all = (double)(kept->all_bytes - recorder->before.all_bytes);
    const double hottest = (double)(kept->hottest_bytes - recorder->before.hottest_bytes);
    uint64_t on_hottest = all > 0 ? (uint64_t)((double)bytes * (hottest / all)) : bytes;
    on_hottest = on_hottest > camped ? on_hottest : camped;
    kept->all_bytes += bytes;
    kept->hottest_bytes += on_hottest < bytes ? on_hottest : bytes;
}

void usage_add_left_out(struct usage_recorder *recorder, uint64_t ticks, uint64_t bytes,
                        uint64_t camped)
{
    struct usage *kept = recorder->kept;
    uint64_t seen[USE_COUNT] = {0}, sum = 0, left = ticks;
    for (size_t i = recorder->before.count; i < kept->count; i++) {
        const enum resource limiter = usage_limiter(kept, &kept->windows[i]);
        const uint64_t of = limiter == USE_LAUNCH ? 0 : kept->windows[i].ticks;
        seen[limiter] += of;
        sum += of;
    }
    for (size_t i = 0; i < USE_COUNT && sum; i++) {
        const uint64_t part = (uint64_t)((double)ticks * ((double)seen[i] / (double)sum));
        kept->repeated[i] += part < left ? part : left;
        left -= part < left ? part : left;
    }
    kept->repeated[USE_LATENCY] += left;
    add_bytes_left_out(recorder, bytes, camped);
}
