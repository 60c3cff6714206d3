/* causes_shared.c - causes that lie in shared memory: rows whose length fits the banks too well, and
 * interleaved addressing.
 */
#include <inttypes.h>

#include "advise/causes.h"

enum { PADS = 4, WORD_BYTES = 4, PITCHES_MAX = 4, POWERS_LEAST = 3 };

static uint64_t conflicts_of(const struct findings *f, size_t object)
{
    const struct counters *c = &f->by_object[object];
    return c->shared_load_conflicts + c->shared_store_conflicts;
}

static uint64_t passes_of(const struct findings *f, size_t object)
{
    const struct counters *c = &f->by_object[object];
    return c->shared_load_passes + c->shared_store_passes;
}

static bool has_conflicts(const struct findings *f, size_t i)
{
    const struct object *object = &f->observed->objects[i];
    return object->space == SPACE_SHARED && object->width && conflicts_of(f, i);
}

/* The word that padding comes in. */
static uint32_t unit_of(const struct object *object)
{
    return object->width > WORD_BYTES ? object->width : WORD_BYTES;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static void say_conflicts(const struct findings *f, size_t i, uint64_t pitch, struct candidate *c)
{
    const uint64_t conflicts = conflicts_of(f, i), passes = passes_of(f, i);
    snprintf(c->why, sizeof c->why,
             "lanes %" PRIu64
             " words apart meet in the same banks: %s of %s passes over @ are conflicts",
             pitch / WORD_BYTES, FINDINGS_COUNT(conflicts), FINDINGS_COUNT(passes));
}

static uint64_t row_count(const struct object *object, uint64_t pitch)
{
    return (object->bytes + pitch - 1) / pitch;
}

static void add_pad(struct findings *f, size_t i, uint64_t pitch, uint64_t pad)
{
    const struct object *object = &f->observed->objects[i];
    const uint32_t width = object->width;
    const uint64_t rows = row_count(object, pitch);
    struct candidate *c = findings_add(f, "pad", i);
    if (c == NULL)
        return;
    c->map.kind = MAP_ROWS;
    c->map.pitch = pitch;
    c->map.pad = pad;
    say_conflicts(f, i, pitch, c);
    snprintf(c->change, sizeof c->change,
             "pad the rows: declare @[%" PRIu64 "][%" PRIu64 "] instead of [%" PRIu64 "][%" PRIu64
             "]",
             rows, (pitch + pad) / width, rows, pitch / width);
}

static void add_swizzle(struct findings *f, size_t i, uint64_t pitch)
{
    const struct object *object = &f->observed->objects[i];
    const uint32_t unit = unit_of(object);
    const uint64_t words = pitch / unit;
    if (words < 2 || (words & (words - 1)) != 0 || object->bytes % pitch != 0)
        return;
    struct candidate *c = findings_add(f, "swizzle", i);
    if (c == NULL)
        return;
    c->map.kind = MAP_SWIZZLE;
    c->map.pitch = pitch;
    c->map.unit_bytes = unit;
    say_conflicts(f, i, pitch, c);
    snprintf(c->change, sizeof c->change,
             "swizzle the columns: @[r][c ^ (r & %" PRIu64 ")] wherever it says @[r][c]",
             words - 1);
    snprintf(c->cost, sizeof c->cost, "an XOR for each shared access");
}

/* The distances between lanes, and between rows of lanes, that may be the length of a row. */
static size_t find_pitches(const struct object *object, uint64_t pitches[PITCHES_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < object->step_count && count < PITCHES_MAX; i++) {
        const uint64_t bytes = object->steps[i].bytes;
        if (bytes > object->width && bytes % unit_of(object) == 0 && bytes < object->bytes)
            pitches[count++] = bytes;
    }
    return count;
}

void find_bank_conflicts(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        uint64_t pitches[PITCHES_MAX];
        if (!has_conflicts(f, i))
            continue;
        const size_t count = find_pitches(object, pitches);
        for (uint64_t pad = 1; pad <= PADS; pad++)
            for (size_t k = 0; k < count; k++)
                add_pad(f, i, pitches[k], pad * unit_of(object));
        for (size_t k = 0; k < count; k++)
            add_swizzle(f, i, pitches[k]);
        if (object->is_irregular)
            findings_add_untried(
                f,
                "%s: %s of %s passes are bank conflicts between lanes in no regular order; sort "
                "what the lanes work on, or give warps copies of their own",
                findings_name(object), FINDINGS_COUNT(conflicts_of(f, i)),
                FINDINGS_COUNT(passes_of(f, i)));
    }
}

/* ---- Interleaved addressing ------------------------------------------------------------------ */

static bool is_power(uint64_t value)
{
    return value && (value & (value - 1)) == 0;
}

/* How many powers of two of words, from 2 on, lanes are apart. */
static size_t count_powers(const struct object *object)
{
    size_t count = 0;
    for (size_t i = 0; i < object->step_count; i++)
        count += is_power(object->steps[i].bytes / object->width) &&
                 object->steps[i].bytes >= 2ULL * object->width;
    return count;
}

void find_interleaved(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (!has_conflicts(f, i) || object->is_irregular ||
            !is_power(object->bytes / object->width) || count_powers(object) < POWERS_LEAST)
            continue;
        struct candidate *c = findings_add(f, "sequential", i);
        if (c == NULL)
            return;
        c->map.kind = MAP_HALVES;
        c->map.unit_bytes = object->width;
        snprintf(c->why, sizeof c->why,
                 "lanes are 2, 4, 8, ... words apart, step by step: %s of %s passes over @ are "
                 "conflicts",
                 FINDINGS_COUNT(conflicts_of(f, i)), FINDINGS_COUNT(passes_of(f, i)));
        snprintf(c->change, sizeof c->change,
                 "sequential addressing: thread t works on @[t] and @[t + s], s = half of what is "
                 "left, then half of that");
        snprintf(c->cost, sizeof c->cost,
                 "elements are combined in another order: right for a sum, wrong for a scan");
    }
}
