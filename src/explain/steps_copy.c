/* steps_copy.c - the rules of asynchronous copies in words: what is read, and how it gets into shared memory.
 *
 * Sources: those of sim/rules/async_copy.c.
 */
#include "explain/explained.h"

#include <inttypes.h>

#include "sim/rules/lanes.h"

enum { PIECES_TOLD = 8, TOLD_OF_MANY = 3 };

static uint64_t place_of(const struct explained *x, uint64_t addr)
{
    return addr % LINE_BYTES / x->access->width;
}

static bool reads(const struct explained *x, uint32_t lane)
{
    return access_lane_active(x->access, lane);
}

/* Lanes of the group that a lane cannot share a pass with, and itself. */
static uint32_t crowd_of(const struct explained *x, uint32_t group, uint32_t lane)
{
    const struct warp_access *a = x->access;
    uint32_t crowd = 0;
    for (uint32_t left = group; left != 0; left &= left - 1) {
        const uint32_t other = lanes_lowest(left);
        if (place_of(x, a->copy->to[other]) == place_of(x, a->copy->to[lane]) ||
            (reads(x, other) && reads(x, lane) &&
             place_of(x, access_addr(a, other)) == place_of(x, access_addr(a, lane))))
            crowd |= left & -left;
    }
    return crowd;
}

static void put_group(const struct explained *x, uint32_t group, struct step_sink *sink)
{
    uint32_t most = 0, of = 0;
    struct text t;
    for (uint32_t left = group; left != 0; left &= left - 1) {
        const uint32_t crowd = crowd_of(x, group, lanes_lowest(left));
        if (lanes_count(crowd) > lanes_count(most)) {
            most = crowd;
            of = lanes_lowest(left);
        }
    }
    text_start(&t);
    text_add_lanes(&t, group);
    if (lanes_count(most) == 1)
        text_add(&t, ": every lane has a place of its own in source and destination: 1 pass");
    else {
        text_add(&t, ": the place of lane %" PRIu32 " is also wanted by others: ", of);
        text_add_lanes(&t, most);
        text_add(&t, ": %" PRIu32 " passes", lanes_count(most));
    }
    steps_put(sink, &t);
}

static void put_through_l1(const struct explained *x, struct step_sink *sink)
{
    const uint32_t size = explained_group_lanes(x);
    struct text t;
    text_start(&t);
    text_add(&t,
             "into shared memory: %u bytes a lane, so %" PRIu32 " lanes go together; two of them "
             "conflict that lie at the same place within 128 bytes, of the source or of the "
             "destination, also with the same word",
             x->access->width, size);
    steps_put(sink, &t);
    for (uint32_t first = 0; first < WARP_LANES; first += size) {
        const uint32_t group = x->subject->access->active & lanes_range(first, size);
        if (group != 0)
            put_group(x, group, sink);
    }
    text_start(&t);
    text_add(&t, "the L1 looks its lines up in ");
    text_add_count(&t, x->copied.tag_wavefronts, "tag wavefront", "s");
    text_add(&t, ", and its data stage makes ");
    text_add_count(&t, x->copied.data_passes, "pass", "es");
    text_add(&t, ": the lanes of each wavefront on their own%s",
             x->subject->access->active == x->access->active ? "" : ", and those of zeros");
    steps_put(sink, &t);
}

static void put_piece(const struct explained *x, uint32_t i, struct step_sink *sink)
{
    struct text t;
    text_start(&t);
    text_add(&t, "pass %" PRIu32 ": sector%s ", i + 1,
             (x->pieces.in_line[i] & (x->pieces.in_line[i] - 1)) == 0 ? "" : "s");
    text_add_set(&t, x->pieces.in_line[i]);
    text_add(&t, " of the source's line ");
    text_add_range(&t, x->pieces.line[i] * LINE_BYTES, LINE_BYTES);
    steps_put(sink, &t);
}

static void put_past_l1(const struct explained *x, struct step_sink *sink)
{
    const uint32_t count = x->pieces.count, told = count > PIECES_TOLD ? TOLD_OF_MANY : count;
    struct text t;
    text_start(&t);
    text_add(&t,
             "into shared memory: %" PRIu32 " moves of a 32-byte sector to one there, with its "
             "halves of 16 bytes as they are or swapped; those of one line share a pass when "
             "sectors 0 to 3 go to one line of shared memory turned round or mirrored",
             x->pieces.sectors);
    steps_put(sink, &t);
    for (uint32_t i = 0; i < told; i++)
        put_piece(x, i, sink);
    if (told < count) {
        text_start(&t);
        text_add(&t, "and so on, up to pass %" PRIu32, count);
        steps_put(sink, &t);
    }
    if (x->copied.passes == count)
        return;
    text_start(&t);
    text_add(&t,
             "with a source size lanes count besides as they do through the L1, in groups: %" PRIu32
             " passes more",
             x->copied.passes - count);
    steps_put(sink, &t);
}

/* A source size, or a predicate that ignores the source: the rest is zeros. */
static void put_zeros(const struct explained *x, struct step_sink *sink)
{
    const struct warp_access *a = x->subject->access;
    const uint32_t nothing = a->active & ~x->access->active;
    uint32_t less = 0;
    struct text t;
    for (uint32_t left = x->access->active; left != 0; left &= left - 1)
        if (a->copy->bytes[lanes_lowest(left)] < a->width)
            less |= left & -left;
    text_start(&t);
    if (nothing != 0) {
        text_add_lanes(&t, nothing);
        text_add(&t, " read%s nothing: zeros are written", nothing & (nothing - 1) ? "" : "s");
    }
    if (less != 0) {
        text_add(&t, "%s", nothing ? "; " : "");
        text_add_lanes(&t, less);
        text_add(&t, " read%s less than %u bytes: zeros are written behind them",
                 less & (less - 1) ? "" : "s", a->width);
    }
    if (t.length != 0)
        steps_put(sink, &t);
}

void steps_copy(const struct explained *x, struct step_sink *sink)
{
    put_zeros(x, sink);
    steps_sectors(x, sink);
    if (x->access->copy->past_l1)
        put_past_l1(x, sink);
    else
        put_through_l1(x, sink);
}
