/* touched.c - memory that a launch has touched, by granules; its contents as a hash, or as a copy of what was written. */
#include "tracer/touched.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"

#define KEPT_BYTES_MAX ((uint64_t)256 << 20) /* of all launches together */
static uint64_t kept_bytes;

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Four sums side by side: a processor takes as long for all as for one. */
static uint64_t hash_bytes(uint64_t hash, const char *bytes, uint64_t count)
{
    uint64_t sums[4] = {hash, 1, 2, 3}, words[4], at = 0;
    for (; at + sizeof words <= count; at += sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        for (unsigned i = 0; i < 4; i++)
            sums[i] = mix(sums[i], words[i]);
    }
    for (; at < count; at++)
        sums[at % 4] = mix(sums[at % 4], (unsigned char)bytes[at]);
    return mix(mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3]), count);
}

/* What is done with the bytes of arrays in a run, piece by piece. */
typedef void take_bytes(void *context, char *bytes, uint64_t count);

/* False when an array there is not device memory's, or was freed. */
static bool each_piece(const struct run *run, take_bytes *take, void *context)
{
    const struct device_array *array = memory_array_at(run->begin);
    if (array == NULL)
        array = memory_array_next(NULL);
    for (; array && array->offset < run->end; array = memory_array_next(array)) {
        const uint64_t end = array->offset + array->bytes;
        const uint64_t from = array->offset > run->begin ? array->offset : run->begin;
        const uint64_t to = end < run->end ? end : run->end;
        if (from >= to)
            continue;
        if (array->freed || array->home != HOME_DEVICE)
            return false;
        take(context, memory_bytes(array, from), to - from);
    }
    return true;
}

static void take_hash(void *context, char *bytes, uint64_t count)
{
    uint64_t *hash = context;
    *hash = hash_bytes(*hash, bytes, count);
}

bool touched_hash(const struct touched *touched, uint64_t *hash)
{
    size_t bytes;
    const char *constants = variables_constants(0, &bytes);
    *hash = hash_bytes(0, constants, bytes);
    constants = variables_constants(1, &bytes);
    *hash = hash_bytes(*hash, constants, bytes);
    for (size_t i = 0; i < touched->run_count; i++)
        if (!each_piece(&touched->runs[i], take_hash, hash))
            return false;
    return true;
}

static void take_copy(void *context, char *bytes, uint64_t count)
{
    char **to = context;
    memcpy(*to, bytes, count);
    *to += count;
}

static void give_copy(void *context, char *bytes, uint64_t count)
{
    const char **from = context;
    memcpy(bytes, *from, count);
    *from += count;
}

void touched_keep_nothing(struct touched *touched)
{
    free(touched->kept);
    kept_bytes -= touched->kept_bytes;
    touched->kept = NULL;
    touched->kept_bytes = 0;
}

bool touched_keep_written(struct touched *touched)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < touched->run_count; i++)
        bytes += touched->runs[i].is_written ? touched->runs[i].end - touched->runs[i].begin : 0;
    touched_keep_nothing(touched);
    touched->kept = bytes <= KEPT_BYTES_MAX - kept_bytes ? malloc(bytes) : NULL;
    if (touched->kept == NULL)
        return false;
    touched->kept_bytes = bytes;
    kept_bytes += bytes;
    char *to = touched->kept;
    for (size_t i = 0; i < touched->run_count; i++)
        if (touched->runs[i].is_written)
            each_piece(&touched->runs[i], take_copy, &to);
    return true;
}

void touched_write_again(const struct touched *touched)
{
    const char *from = touched->kept;
    for (size_t i = 0; from && i < touched->run_count; i++)
        if (touched->runs[i].is_written)
            each_piece(&touched->runs[i], give_copy, &from);
}

bool touched_find(struct touched *touched)
{
    const uint8_t *granules = device_arena.granules;
    const uint64_t count = memory_used_bytes() >> GRANULE_LOG2;
    touched->run_count = 0;
    touched->in_place = false;
    for (uint64_t i = 0, end; i < count; i = end) {
        end = i + 1;
        if (granules[i] == 0)
            continue;
        while (end < count && granules[end] == granules[i])
            end++;
        if (touched->run_count == RUNS_MAX)
            return false;
        touched->in_place |= granules[i] == (GRANULE_READ | GRANULE_WRITTEN);
        touched->runs[touched->run_count++] = (struct run){i << GRANULE_LOG2, end << GRANULE_LOG2,
                                                           (granules[i] & GRANULE_WRITTEN) != 0};
    }
    return true;
}

bool touched_same(const struct touched *a, const struct touched *b)
{
    bool same = a->run_count == b->run_count;
    for (size_t i = 0; same && i < a->run_count; i++)
        same = a->runs[i].begin == b->runs[i].begin && a->runs[i].end == b->runs[i].end &&
               a->runs[i].is_written == b->runs[i].is_written;
    return same;
}

void touched_take(struct touched *to, const struct touched *from)
{
    touched_keep_nothing(to);
    to->run_count = from->run_count;
    memcpy(to->runs, from->runs, from->run_count * sizeof *from->runs);
}
