/* repeats.c - decisions. A launch repeats an earlier one when both have the same kernel, sizes and arguments, byte for
 * byte, when all memory that the earlier one read or wrote is as it left it, and when it read nothing of what it
 * wrote: then the launch would read what was read then, and write what is there. Contents are compared by a hash of
 * 64 bits over whole granules, whoever has written them. What else a kernel can depend on or do forbids it: managed and
 * host memory, the clock, output, launches, atomics (which read what they write), faults.
 *
 * A launch is traced twice before others repeat it: the second time it finds the caches as launches in a loop do.
 */
#include "tracer/repeats.h"

#include <string.h>

#include "stream/select.h"
#include "tracer/engine.h"

enum { RUNS_MAX = 1024 };

/* Neighbouring granules that a launch has touched. */
struct run {
    uint64_t begin, end; /* offsets in the arena */
};

struct remembered {
    bool is_there;
    bool may_repeat; /* the sink keeps its figures */
    struct launch_key key;
    uint64_t number, repeatable; /* of the launch; of those that may be repeated, when it may */
    uint64_t accesses, used;     /* warp accesses; a clock of uses */
    uint64_t hash;
    size_t run_count;
    struct run runs[RUNS_MAX];
};

static struct remembered remembered[REPEATED_LAUNCHES_MAX];
static struct launch_key current, next; /* of the launch; of wl_launch_arguments */
static struct remembered *same;         /* that the launch repeats */
static uint64_t repeatable_count, uses, accesses_before;

void repeats_start(void)
{
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++)
        remembered[i].is_there = false;
    repeatable_count = uses = 0;
    same = NULL;
    next.has_arguments = false;
}

void wl_launch_arguments(const void *kernel, const void *const *arguments, const size_t *sizes,
                         size_t count)
{
    next.kernel = kernel;
    next.argument_bytes = 0;
    next.has_arguments = true;
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] > LAUNCH_ARGUMENT_BYTES - next.argument_bytes) {
            next.has_arguments = false;
            return;
        }
        memcpy(next.arguments + next.argument_bytes, arguments[i], sizes[i]);
        next.argument_bytes += sizes[i];
    }
}

void repeats_take_arguments(struct launch_key *key)
{
    key->has_arguments = next.has_arguments;
    key->kernel = next.kernel;
    key->argument_bytes = next.argument_bytes;
    if (next.has_arguments)
        memcpy(key->arguments, next.arguments, next.argument_bytes);
    next.has_arguments = false;
}

static bool same_size(dim3 a, dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_key(const struct launch_key *a, const struct launch_key *b)
{
    return a->call == b->call && a->kernel == b->kernel && strcmp(a->name, b->name) == 0 &&
           same_size(a->grid, b->grid) && same_size(a->block, b->block) &&
           a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
           a->is_cooperative == b->is_cooperative && a->argument_bytes == b->argument_bytes &&
           memcmp(a->arguments, b->arguments, a->argument_bytes) == 0;
}

/* ---- Contents of memory ------------------------------------------------------------------------- */

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

/* Takes the bytes of arrays in a run in; false when one is not device memory's, or was freed. */
static bool hash_run(const struct run *run, uint64_t *hash)
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
        *hash = hash_bytes(*hash, memory_bytes(array, from), to - from);
    }
    return true;
}

/* Of all that the launch has touched, and of constant memory, which may be written as a whole. */
static bool hash_touched(const struct remembered *launch, uint64_t *hash)
{
    size_t bytes;
    const char *constants = variables_constants(0, &bytes);
    *hash = hash_bytes(0, constants, bytes);
    constants = variables_constants(1, &bytes);
    *hash = hash_bytes(*hash, constants, bytes);
    for (size_t i = 0; i < launch->run_count; i++)
        if (!hash_run(&launch->runs[i], hash))
            return false;
    return true;
}

/* Notes what the launch has touched; false when it read what it wrote, or touched too many places to remember. */
static bool take_runs(struct remembered *launch)
{
    const uint8_t *granules = device_arena.granules;
    const uint64_t count = memory_used_bytes() >> GRANULE_LOG2;
    launch->run_count = 0;
    for (uint64_t i = 0, end; i < count; i = end) {
        end = i + 1;
        if (granules[i] == 0)
            continue;
        while (end < count && granules[end] == granules[i])
            end++;
        if (granules[i] == (GRANULE_READ | GRANULE_WRITTEN) || launch->run_count == RUNS_MAX)
            return false;
        launch->runs[launch->run_count++] = (struct run){i << GRANULE_LOG2, end << GRANULE_LOG2};
    }
    return true;
}

/* ---- Launches ----------------------------------------------------------------------------------- */

static struct remembered *find(const struct launch_key *key)
{
    uint64_t hash;
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++) {
        struct remembered *launch = &remembered[i];
        if (launch->is_there && same_key(&launch->key, key))
            return hash_touched(launch, &hash) && hash == launch->hash ? launch : NULL;
    }
    return NULL;
}

/* The sink keeps figures of the latest ones alone. */
static bool has_figures(const struct remembered *launch)
{
    return launch->may_repeat && repeatable_count - launch->repeatable < REPEATED_LAUNCHES_MAX;
}

enum launch_way repeats_choose(const struct launch_key *key, bool is_wanted, bool *may_repeat)
{
    const bool is_looked_for =
        engine.program && key->has_arguments && (engine.sink->takes_repeats || !is_wanted);
    current = *key;
    same = is_looked_for ? find(key) : NULL;
    *may_repeat = false;
    engine.depends_on_more = false;
    memset(device_arena.granules, 0, memory_used_bytes() >> GRANULE_LOG2);
    accesses_before = engine.accesses;
    if (same == NULL)
        return is_wanted ? LAUNCH_TRACED : LAUNCH_MUTED;
    same->used = ++uses;
    *may_repeat = is_wanted;
    if (is_wanted && !has_figures(same))
        return LAUNCH_TRACED;
    engine.accesses += same->accesses;
    return is_wanted ? LAUNCH_REPEATS : LAUNCH_NOT_RUN;
}

uint64_t repeats_distance(void)
{
    return engine.launches - 1 - same->number;
}

/* The one of that key, or an empty one, or the one that was longest not used. */
static struct remembered *place_for(const struct launch_key *key)
{
    struct remembered *oldest = &remembered[0];
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++) {
        struct remembered *launch = &remembered[i];
        if (launch->is_there && same_key(&launch->key, key))
            return launch;
        if (oldest->is_there && (!launch->is_there || launch->used < oldest->used))
            oldest = launch;
    }
    return oldest;
}

void repeats_note(bool is_fine, bool may_repeat)
{
    if (may_repeat)
        repeatable_count++;
    if (!current.has_arguments || !engine.program)
        return;
    struct remembered *launch = place_for(&current);
    launch->is_there = false;
    launch->run_count = 0;
    if (!is_fine || engine.failed || engine.depends_on_more || !take_runs(launch) ||
        !hash_touched(launch, &launch->hash))
        return;
    launch->is_there = true;
    launch->may_repeat = may_repeat;
    launch->key = current;
    launch->number = engine.launches - 1;
    launch->repeatable = repeatable_count;
    launch->accesses = engine.accesses - accesses_before;
    launch->used = ++uses;
}
