/* causes_atomics.c - atomics on so few words that they wait for each other.
 *
 * Decisions. Both remedies are tried where on average two lanes of an access or more, or of a block, meet in a
 * word. A block's own copy takes the words that are accessed, at most what any GPU has for static arrays; it is
 * for arrays that one kernel touches by atomics alone: the sums are there when the block ends, not before.
 */
#include <inttypes.h>

#include "advise/causes.h"

enum { MEET_LEAST = 2, COPY_BYTES_MAX = 48 << 10, COPY_WIDTH_LEAST = 4 };

static uint64_t lanes_of(const struct findings *f, size_t i)
{
    const struct counters *c = &f->by_object[i];
    return (c->global_atomic_bytes_requested + c->shared_atomic_bytes_requested) /
           f->observed->objects[i].width;
}

static uint64_t words_of(const struct object *object)
{
    return (object->high - object->low) / object->width;
}

/* Whether lanes of one access meet in words; the rules do not count that for shared memory. */
static bool lanes_meet(const struct findings *f, size_t i)
{
    const struct counters *c = &f->by_object[i];
    if (f->observed->objects[i].space == SPACE_SHARED)
        return c->shared_atomic_conflicts > 0;
    return c->global_atomic_bytes_requested >= MEET_LEAST * c->global_atomic_bytes_used;
}

static bool fits_a_block(const struct findings *f, size_t i)
{
    const struct object *object = &f->observed->objects[i];
    return object->space == SPACE_GLOBAL && object->home != HOME_HOST && !object->is_mixed &&
           object->atomics == object->accesses && object->atomic_kernel[0] &&
           !object->returns_used && object->width >= COPY_WIDTH_LEAST &&
           object->high - object->low <= COPY_BYTES_MAX &&
           lanes_of(f, i) >= MEET_LEAST * words_of(object) * f->result->total.blocks;
}

static struct candidate *add_sum(struct findings *f, size_t i, const char *remedy,
                                 enum map_kind kind)
{
    const uint64_t words = words_of(&f->observed->objects[i]);
    struct candidate *c = findings_add(f, remedy, i);
    if (c == NULL)
        return NULL;
    c->map.kind = kind;
    c->needs_time = true;
    snprintf(c->why, sizeof c->why,
             "%s atomic operations on %s word%s of @: those on one word go one after another",
             FINDINGS_COUNT(lanes_of(f, i)), FINDINGS_COUNT(words), words == 1 ? "" : "s");
    return c;
}

static void add_warp_sum(struct findings *f, size_t i)
{
    struct candidate *c = add_sum(f, i, "aggregate", MAP_WARP_SUM);
    if (c == NULL)
        return;
    snprintf(c->change, sizeof c->change,
             "add up over the warp first (__shfl_down_sync, __reduce_add_sync or __popc of a "
             "__ballot_sync), and let one lane do the atomic on @");
    snprintf(c->cost, sizeof c->cost,
             "some shuffles for each atomic, counted in the time; not for locks and "
             "loops around atomicCAS");
}

static void add_block_sum(struct findings *f, size_t i)
{
    struct candidate *c = add_sum(f, i, "privatise", MAP_BLOCK_SUM);
    if (c == NULL)
        return;
    c->map.pad = f->observed->objects[i].high - f->observed->objects[i].low;
    snprintf(c->change, sizeof c->change,
             "add to a copy of @ in shared memory, one a block, set to 0 first; behind "
             "__syncthreads() at the end add the copy to @, one atomic a word");
    snprintf(c->cost, sizeof c->cost,
             "two barriers a block; only where nobody uses what the atomic returns");
}

void find_atomics(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (object->atomics == 0 || object->width == 0)
            continue;
        if (lanes_meet(f, i))
            add_warp_sum(f, i);
        if (fits_a_block(f, i))
            add_block_sum(f, i);
    }
}
