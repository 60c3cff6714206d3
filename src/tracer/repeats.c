/* repeats.c - decisions. A launch repeats an earlier one when both have the same kernel, sizes and arguments, byte for
 * byte, and when all memory that the earlier one touched is as it was before that: lanes run in an order that is always the
 * same, so the launch would do the same again. Contents are compared by a hash of 64 bits over whole granules, whoever has
 * written them. What else a kernel can depend on or do forbids it: managed and host memory, the clock, output, launches, faults.
 *
 * What a launch touches is known when it has run. One that read nothing of what it wrote finds memory, where that was not
 * changed since, as it will leave it. One that works in place is looked at before its second run, in the granules of its first; if it has
 * touched those again, what it has written there is kept, for those that repeat it.
 *
 * A launch is traced twice (in place: three times) before others repeat it: the second time it finds the caches as launches in a loop do. Memory is
 * looked at in vain for a launch that never finds it as before; after a few times that ends.
 */
#include "tracer/repeats.h"

#include <string.h>

#include "stream/select.h"
#include "tracer/engine.h"
#include "tracer/touched.h"

enum { LOOKS_IN_VAIN_MAX = 8 };

struct remembered {
    bool is_there;     /* its key and runs are known */
    bool has_hash;     /* of memory as the launch will find it that repeats this one */
    bool looks_before; /* that memory is as it was before this one; otherwise: as it left it */
    bool may_repeat;   /* the sink keeps its figures */
    unsigned in_vain;  /* looks at memory, one after another, that did not find it like that */
    struct launch_key key;
    uint64_t number, repeatable; /* of the launch; of those that may be repeated, when it may */
    uint64_t accesses, used;     /* warp accesses; a clock of uses */
    uint64_t hash;
    struct touched touched;
};

static struct remembered remembered[REPEATED_LAUNCHES_MAX];
static struct launch_key current, next; /* of the launch; of wl_launch_arguments */
static struct remembered *same;         /* that the launch repeats */
static struct {
    bool is_known;
    uint64_t hash;
} before; /* memory that the last launch of the key touched, in front of this one */
static uint64_t repeatable_count, uses, accesses_before;

static void forget(struct remembered *launch)
{
    touched_keep_nothing(&launch->touched);
    launch->is_there = launch->has_hash = launch->looks_before = false;
    launch->in_vain = 0;
}

void repeats_start(void)
{
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++)
        forget(&remembered[i]);
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
    key->objects_destroyed = engine.objects_destroyed;
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
           a->is_cooperative == b->is_cooperative &&
           same_size(a->extra.cluster, b->extra.cluster) &&
           a->objects_destroyed == b->objects_destroyed && a->argument_bytes == b->argument_bytes &&
           memcmp(a->arguments, b->arguments, a->argument_bytes) == 0;
}

/* ---- Launches ----------------------------------------------------------------------------------- */

static struct remembered *find(const struct launch_key *key)
{
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++)
        if (remembered[i].is_there && same_key(&remembered[i].key, key))
            return &remembered[i];
    return NULL;
}

/* That launch when this one repeats it. */
static struct remembered *find_same(const struct launch_key *key)
{
    struct remembered *launch = find(key);
    if (launch == NULL || launch->in_vain == LOOKS_IN_VAIN_MAX)
        return NULL;
    before.is_known = touched_hash(&launch->touched, &before.hash);
    if (before.is_known && launch->has_hash && before.hash == launch->hash) {
        launch->in_vain = 0;
        return launch;
    }
    launch->looks_before |= launch->has_hash;
    launch->in_vain++;
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
    before.is_known = false;
    same = is_looked_for ? find_same(key) : NULL;
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
    touched_write_again(&same->touched);
    return is_wanted ? LAUNCH_REPEATS : LAUNCH_NOT_RUN;
}

uint64_t repeats_distance(void)
{
    return engine.launches - 1 - same->number;
}

/* The one of that key, or an empty one, or the one that was longest not used. */
static struct remembered *place_for(const struct launch_key *key)
{
    struct remembered *oldest = find(key);
    if (oldest)
        return oldest;
    oldest = &remembered[0];
    for (size_t i = 0; i < REPEATED_LAUNCHES_MAX; i++) {
        struct remembered *launch = &remembered[i];
        if (oldest->is_there && (!launch->is_there || launch->used < oldest->used))
            oldest = launch;
    }
    forget(oldest);
    return oldest;
}

/* What memory a launch has to find that repeats this one, which has touched `now`. */
static bool note_memory(struct remembered *launch, const struct touched *now)
{
    const bool as_before =
        launch->is_there && before.is_known && touched_same(&launch->touched, now);
    launch->looks_before |= now->in_place;
    if (launch->in_vain == LOOKS_IN_VAIN_MAX) {
        touched_keep_nothing(&launch->touched);
        return false;
    }
    touched_take(&launch->touched, now);
    launch->hash = before.hash;
    return launch->looks_before ? as_before && touched_keep_written(&launch->touched)
                                : touched_hash(&launch->touched, &launch->hash);
}

void repeats_note(bool is_fine, bool may_repeat)
{
    static struct touched now;
    if (may_repeat)
        repeatable_count++;
    if (!current.has_arguments || !engine.program)
        return;
    struct remembered *launch = place_for(&current);
    if (!is_fine || engine.failed || engine.depends_on_more || !touched_find(&now)) {
        forget(launch);
        return;
    }
    launch->has_hash = note_memory(launch, &now);
    launch->is_there = true;
    launch->may_repeat = may_repeat;
    launch->key = current;
    launch->number = engine.launches - 1;
    launch->repeatable = repeatable_count;
    launch->accesses = engine.accesses - accesses_before;
    launch->used = ++uses;
}
