/* causes_layout.c - causes that lie in where global arrays begin and how their elements are laid out:
 * misaligned starts, strides, arrays of structs.
 */
#include <inttypes.h>

#include "advise/causes.h"

enum { ELEMENT_BYTES_MAX = 512, WIDE_BYTES_MAX = 16 };

static bool can_change(const struct object *object)
{
    return object->accesses && !object->is_mixed && object->home == HOME_DEVICE;
}

static bool is_in_memory(const struct object *object)
{
    return object->space == SPACE_GLOBAL || object->space == SPACE_TEXTURE;
}

/* ---- Misaligned ------------------------------------------------------------------------------ */

/* Bytes beyond a boundary at which all accesses begin; 0 when they do not agree or begin at it. */
static uint32_t misalignment(const struct object *object, uint32_t *boundary)
{
    for (*boundary = LINE_BYTES; *boundary >= SECTOR_BYTES; *boundary /= 2)
        if ((object->start_differs & (*boundary - 1)) == 0 && object->has_start)
            return object->start & (*boundary - 1);
    return 0;
}

/* How far the bytes go down in an array that begins at a boundary, as all do when they are placed anew:
 * to its beginning if that will do, or else by what the accesses are beyond. */
static uint64_t shift_of(const struct object *object, uint32_t beyond, uint32_t boundary)
{
    const bool low_is_beyond = object->low % boundary == beyond;
    return low_is_beyond ? object->low - object->base : (beyond - object->base) % boundary;
}

void find_misaligned(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        uint32_t boundary;
        const uint32_t beyond = misalignment(object, &boundary);
        if (!can_change(object) || !is_in_memory(object) || beyond == 0)
            continue;
        struct candidate *c = findings_add(f, "shift", i);
        if (c == NULL)
            return;
        c->map.kind = MAP_SHIFT;
        c->map.pad = shift_of(object, beyond, boundary);
        snprintf(c->why, sizeof c->why,
                 "every warp's access begins %" PRIu32 " bytes beyond a multiple of %" PRIu32,
                 beyond, boundary);
        snprintf(c->change, sizeof c->change,
                 "begin the part of @ in use at a multiple of %" PRIu32
                 " bytes: move it down by %" PRIu32 " bytes, or up by %" PRIu32,
                 boundary, beyond, boundary - beyond);
    }
}

/* ---- Elements -------------------------------------------------------------------------------- */

static uint64_t field_bytes(const struct object *object)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < object->field_count; i++)
        sum += object->fields[i].width;
    return sum;
}

static bool fields_overlap(const struct object *object)
{
    bool overlap = false;
    for (size_t i = 1; i < object->field_count; i++)
        overlap |=
            object->fields[i - 1].offset + object->fields[i - 1].width > object->fields[i].offset;
    return overlap;
}

/* Whether neighbouring lanes take the same parts of neighbouring elements, and nothing else happens. */
static bool has_elements(const struct object *object)
{
    return can_change(object) && !object->lane_steps_differ && object->lane_step &&
           object->lane_step <= ELEMENT_BYTES_MAX && object->field_count &&
           !object->has_more_fields && !fields_overlap(object) &&
           object->lane_step > object->fields[0].width &&
           (is_in_memory(object) || object->space == SPACE_SHARED);
}

static struct candidate *add_split(struct findings *f, size_t i)
{
    const struct object *object = &f->observed->objects[i];
    const bool is_struct = object->field_count > 1;
    struct candidate *c = findings_add(f, is_struct ? "split" : "pack", i);
    if (c == NULL)
        return NULL;
    c->map.kind = MAP_FIELDS;
    c->map.pitch = object->lane_step;
    c->map.field_count = object->field_count;
    for (size_t k = 0; k < object->field_count; k++)
        c->map.fields[k] = (struct field_place){.offset = object->fields[k].offset,
                                                .width = object->fields[k].width};
    return c;
}

void find_strides(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (!has_elements(object) || object->field_count != 1)
            continue;
        struct candidate *c = add_split(f, i);
        if (c == NULL)
            return;
        snprintf(c->why, sizeof c->why,
                 "neighbouring lanes are %" PRIu64 " bytes apart and take %u of them",
                 object->lane_step, object->fields[0].width);
        snprintf(c->change, sizeof c->change,
                 "keep the elements of @ that are used side by side: [i] instead of [i * %" PRIu64
                 "]",
                 object->lane_step / object->fields[0].width);
    }
}

static void add_wide(struct findings *f, size_t i)
{
    const struct object *object = &f->observed->objects[i];
    uint64_t bytes = object->fields[0].width;
    while (bytes < object->lane_step)
        bytes *= 2;
    if (bytes > WIDE_BYTES_MAX || !is_in_memory(object) || object->atomics ||
        object->fields[0].offset != 0)
        return;
    struct candidate *c = findings_add(f, "widen", i);
    if (c == NULL)
        return;
    c->map.kind = MAP_WIDE;
    c->map.pitch = object->lane_step;
    c->map.pad = bytes - object->lane_step;
    snprintf(c->why, sizeof c->why, "a struct of %" PRIu64 " bytes is taken in %zu accesses",
             object->lane_step, object->field_count);
    snprintf(c->change, sizeof c->change,
             "give the struct of @ __align__(%" PRIu64 ") and copy it whole: one access of %" PRIu64
             " bytes",
             bytes, bytes);
}

void find_structs(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (!has_elements(object) || object->field_count < 2)
            continue;
        struct candidate *c = add_split(f, i);
        if (c == NULL)
            return;
        snprintf(c->why, sizeof c->why,
                 "an element has %" PRIu64 " bytes, of which an access takes %u: its %zu fields in "
                 "use (%" PRIu64 " bytes) are interleaved",
                 object->lane_step, object->fields[0].width, object->field_count,
                 field_bytes(object));
        snprintf(c->change, sizeof c->change,
                 "split @ into %zu arrays, one a field (struct of arrays)", object->field_count);
        add_wide(f, i);
    }
}
