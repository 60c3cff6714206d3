/* causes_words.c - causes whose cure is another program: they are named, and nothing is tried. */
#include <inttypes.h>

#include "advise/causes.h"
#include "advise/words.h"

enum { REUSE_LEAST = 4, SHARE_LEAST = 4, OCCUPANCY_PERCENT = 50, LATENCY_PERCENT = 40 };

static uint64_t sectors_of(const struct counters *c)
{
    return c->global_load_sectors + c->global_store_sectors;
}

/* Whether an object has at least a quarter of the sectors that move. */
static bool is_large_part(const struct findings *f, size_t i)
{
    return sectors_of(&f->by_object[i]) * SHARE_LEAST >= sectors_of(&f->result->total);
}

static uint64_t ideal_of(const struct counters *c)
{
    return c->global_load_ideal_sectors + c->global_store_ideal_sectors;
}

/* Whether lanes lie far apart and each walks on among its neighbouring words. Elements of few parts have
 * remedies that can be tried. */
static bool walks_rows(const struct object *object)
{
    return object->home == HOME_DEVICE && object->lane_step && !object->lane_steps_differ &&
           (object->has_more_fields || object->lane_step > LINE_BYTES) &&
           2 * object->near_returns > object->returns;
}

void find_rows(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        const struct counters *c = &f->by_object[i];
        char place[ADVICE_TEXT_BYTES] = "";
        if (!walks_rows(object) || !is_large_part(f, i) || sectors_of(c) < 2 * ideal_of(c))
            continue;
        words_add_place(place, f->observed, (uint16_t)i);
        findings_add_untried(
            f,
            "%.100s: neighbouring lanes are %s bytes apart and each walks along a row of its own: "
            "%s sectors move where %s would do: let neighbouring lanes take neighbouring elements "
            "of a row (exchange the roles of lanes and loop), or stage rows through a shared tile",
            place, FINDINGS_COUNT(object->lane_step), FINDINGS_COUNT(sectors_of(c)),
            FINDINGS_COUNT(ideal_of(c)));
    }
}

void find_reuse(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        const bool has_fields = !object->lane_steps_differ && object->field_count > 1;
        if (object->sectors_loaded == 0 || has_fields || !is_large_part(f, i) ||
            object->sectors_loaded < REUSE_LEAST * object->sectors_by_block)
            continue;
        findings_add_untried(
            f,
            "a block loads each 32-byte sector of %s %.1f times on average: stage it "
            "through shared memory, a tile at a time, or let each thread keep more "
            "of it in registers",
            findings_name(object),
            (double)object->sectors_loaded / (double)object->sectors_by_block);
    }
}

void find_occupancy(struct findings *f)
{
    static const char *const cures[LIMIT_COUNT] = {
        [LIMIT_WARPS] = "blocks whose warps fit an SM better",
        [LIMIT_BLOCKS] = "larger blocks",
        [LIMIT_REGISTERS] = "fewer registers a thread",
        [LIMIT_SHARED] = "less shared memory a block",
    };
    const struct result *r = f->result;
    const struct counters *total = &r->total;
    const int64_t most = r->arch.warps_per_sm;
    if (r->occupancy.warps_per_sm * 100 >= most * OCCUPANCY_PERCENT ||
        r->wave_blocks >= total->blocks ||
        total->limited_latency_cycles * 100 < total->elapsed_cycles * LATENCY_PERCENT)
        return;
    findings_add_untried(
        f,
        "an SM holds %" PRId64 " of %" PRId64 " warps, limited by %s, and for %.0f %% of the time "
        "nothing is near its limit: %s would let more warps hide latency",
        r->occupancy.warps_per_sm, most, occupancy_limit_name(r->occupancy.limit),
        100.0 * (double)total->limited_latency_cycles / (double)total->elapsed_cycles,
        cures[r->occupancy.limit]);
}

void find_scattered(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        const struct counters *c = &f->by_object[i];
        const uint64_t ideal = ideal_of(c);
        if (!object->is_irregular || !is_large_part(f, i) || sectors_of(c) < 2 * ideal)
            continue;
        findings_add_untried(f,
                             "lanes take words of %s in no regular order, %s sectors where %s hold "
                             "the words: sort what the threads work on by address",
                             findings_name(object), FINDINGS_COUNT(sectors_of(c)),
                             FINDINGS_COUNT(ideal));
    }
}

/* Whether accesses to the object are made wider by a change that is tried. */
static bool is_widened(const struct findings *f, size_t object)
{
    bool is = false;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->observed->kernel_count; k++)
            is |= f->candidates[i].regrouping.kind == REGROUP_VECTOR &&
                  f->candidates[i].regrouping.kernel == f->observed->kernels[k].name &&
                  kernel_has_object(&f->observed->kernels[k], object);
    return is;
}

void find_narrow(struct findings *f)
{
    for (size_t i = 0; i < f->observed->object_count; i++) {
        const struct object *object = &f->observed->objects[i];
        if (object->space != SPACE_GLOBAL || object->width == 0 || object->width > 2 ||
            object->lane_steps_differ || object->lane_step != object->width ||
            !is_large_part(f, i) || is_widened(f, i))
            continue;
        findings_add_untried(f,
                             "a lane takes %u byte%s of %s at a time: let each thread work on %u "
                             "neighbours with one access of 4 bytes",
                             object->width, object->width > 1 ? "s" : "", findings_name(object),
                             4 / object->width);
    }
}
