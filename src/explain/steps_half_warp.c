/* steps_half_warp.c - the rules of sm_10 to sm_13 in words: the strict rule as its three tests with
 * the first lane that fails one, the segment rule as the guide's protocol, one step a transaction.
 *
 * Source: CUDA C Programming Guide 3.2, G.3.2.1 and G.3.2.2; the tests are in the guide's order.
 */
#include "explain/explained.h"

#include <inttypes.h>

enum { HALF_WARP_LANES = 16, TOLD_MOST = 6, TOLD_OF_MANY = 3 };

/* The segment in which a lane's word must lie, by the lowest active lane of its half-warp. 16-byte
 * words take two segments in a row, the upper lanes the second one. */
static uint64_t strict_segment(const struct warp_access *a, uint32_t lanes, unsigned lane)
{
    const unsigned lowest = (unsigned)__builtin_ctz(lanes);
    const uint64_t bytes = a->width == 4 ? 64 : 128;
    uint64_t segment = access_addr(a, lowest) / bytes * bytes;
    if (a->width == 16 && lowest % 16 >= 8)
        segment -= bytes;
    if (a->width == 16 && lane % 16 >= 8)
        segment += bytes;
    return segment;
}

static uint64_t strict_word(const struct warp_access *a, unsigned lane)
{
    return a->width == 16 ? lane % 8 : lane % 16;
}

enum strict_test strict_find_failure(const struct warp_access *a, uint32_t lanes, unsigned *lane)
{
    const uint64_t bytes = a->width == 4 ? 64 : 128;
    *lane = (unsigned)__builtin_ctz(lanes);
    if (a->width < 4)
        return STRICT_WIDTH;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        *lane = (unsigned)__builtin_ctz(rest);
        if (access_addr(a, *lane) - strict_segment(a, lanes, *lane) >= bytes)
            return STRICT_SEGMENT;
    }
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        *lane = (unsigned)__builtin_ctz(rest);
        uint64_t offset = access_addr(a, *lane) - strict_segment(a, lanes, *lane);
        if (offset != strict_word(a, *lane) * a->width)
            return STRICT_ORDER;
    }
    return STRICT_PASSES;
}

/* First and last transaction that serve some of the lanes, as numbers from 1. */
static void find_transactions(const struct coalesced *moved, uint32_t lanes, uint32_t *first,
                              uint32_t *last)
{
    *first = *last = 0;
    for (uint32_t i = 0; i < moved->transactions; i++) {
        if ((moved->list[i].lanes & lanes) == 0)
            continue;
        *first = *first == 0 ? i + 1 : *first;
        *last = i + 1;
    }
}

static void add_transactions(struct text *t, uint32_t first, uint32_t last)
{
    if (first == last)
        text_add(t, "transaction T%" PRIu32, first);
    else
        text_add(t, "transactions T%" PRIu32 " to T%" PRIu32, first, last);
}

static void add_half_warp(struct text *t, uint32_t lanes)
{
    text_start(t);
    text_add(t, "half-warp %d: ", lanes > UINT16_MAX);
}

static void put_width_test(const struct explained *x, uint32_t lanes, bool failed,
                           struct step_sink *sink)
{
    struct text t;
    add_half_warp(&t, lanes);
    text_add(&t, "test 1, words of 4, 8 or 16 bytes: %s, they have %u byte%s",
             failed ? "failed" : "passed", x->access->width, x->access->width == 1 ? "" : "s");
    steps_put(sink, &t);
}

static void put_segment_test(const struct explained *x, uint32_t lanes, bool failed, unsigned lane,
                             struct step_sink *sink)
{
    const struct warp_access *a = x->access;
    const uint64_t bytes = a->width == 4 ? 64 : 128;
    const unsigned lowest = (unsigned)__builtin_ctz(lanes);
    const uint64_t segment = strict_segment(a, lanes, failed ? lane : lowest);
    struct text t;
    add_half_warp(&t, lanes);
    text_add(&t,
             a->width == 16 ? "test 2, each eight lanes in one aligned segment of 128 bytes: "
                            : "test 2, all lanes in one aligned segment of %u bytes: ",
             (unsigned)bytes);
    if (failed)
        text_add(&t, "failed first by lane %u at 0x%" PRIx64 "; the segment set by lane %u is ",
                 lane, access_addr(a, lane), lowest);
    else
        text_add(&t, a->width == 16 ? "passed, the segment of lane %u is " : "passed, it is ",
                 lowest);
    text_add_range(&t, segment, bytes);
    steps_put(sink, &t);
}

static void put_order_test(const struct explained *x, uint32_t lanes, bool failed, unsigned lane,
                           struct step_sink *sink)
{
    const struct warp_access *a = x->access;
    struct text t;
    add_half_warp(&t, lanes);
    text_add(&t, "test 3, lane k takes word k: ");
    if (failed)
        text_add(&t, "failed first by lane %u, which takes word %u of its segment, not word %u",
                 lane, (unsigned)(access_addr(a, lane) - strict_segment(a, lanes, lane)) / a->width,
                 (unsigned)strict_word(a, lane));
    else
        text_add(&t, "passed");
    steps_put(sink, &t);
}

static void put_strict_result(const struct explained *x, uint32_t lanes, bool passed,
                              struct step_sink *sink)
{
    uint32_t first, last;
    struct text t;
    find_transactions(&x->moved, lanes, &first, &last);
    add_half_warp(&t, lanes);
    if (passed)
        text_add(&t, "coalesced: %" PRIu32 " bytes, ", x->moved.list[first - 1].bytes);
    else
        text_add(&t, "not coalesced: 32 bytes for each of %d active lanes, ",
                 __builtin_popcount(lanes));
    add_transactions(&t, first, last);
    steps_put(sink, &t);
}

static void steps_strict(const struct explained *x, uint32_t lanes, struct step_sink *sink)
{
    unsigned lane;
    enum strict_test failed = strict_find_failure(x->access, lanes, &lane);
    put_width_test(x, lanes, failed == STRICT_WIDTH, sink);
    if (failed != STRICT_WIDTH)
        put_segment_test(x, lanes, failed == STRICT_SEGMENT, lane, sink);
    if (failed != STRICT_WIDTH && failed != STRICT_SEGMENT)
        put_order_test(x, lanes, failed == STRICT_ORDER, lane, sink);
    put_strict_result(x, lanes, failed == STRICT_PASSES, sink);
}

/* Which half of the segment is in use, halving by halving, down to the transaction. */
static void add_shrinking(struct text *t, uint64_t segment, uint32_t bytes,
                          const struct transaction *sent)
{
    const uint32_t whole = bytes;
    if (bytes == 32)
        text_add(t, "; 32 bytes is the smallest size");
    while (bytes > sent->bytes) {
        bytes /= 2;
        bool is_upper = sent->addr >= segment + bytes;
        segment += is_upper ? bytes : 0;
        text_add(t, "; only the %s half ", is_upper ? "upper" : "lower");
        text_add_range(t, segment, bytes);
        text_add(t, " is used, shrinks to %" PRIu32 " bytes", bytes);
    }
    if (bytes > 32)
        text_add(t, "; both halves%s are used, stays %" PRIu32 " bytes",
                 bytes < whole ? " of it" : "", bytes);
}

static void put_segment_step(const struct explained *x, uint32_t i, struct step_sink *sink)
{
    const struct transaction *sent = &x->moved.list[i];
    const uint32_t bytes = x->access->width == 1 ? 32 : x->access->width == 2 ? 64 : 128;
    const unsigned lowest = (unsigned)__builtin_ctz(sent->lanes);
    const uint64_t wanted = access_addr(x->access, lowest), segment = wanted / bytes * bytes;
    struct text t;
    add_half_warp(&t, sent->lanes);
    text_add(&t, "lowest unserved lane %u wants 0x%" PRIx64 "; its %u-byte segment is ", lowest,
             wanted, (unsigned)bytes);
    text_add_range(&t, segment, bytes);
    text_add(&t, "; ");
    text_add_lanes(&t, sent->lanes);
    text_add(&t, (sent->lanes & (sent->lanes - 1)) == 0 ? " lies in it" : " lie in it");
    add_shrinking(&t, segment, bytes, sent);
    text_add(&t, "; transaction T%" PRIu32, i + 1);
    steps_put(sink, &t);
}

static void steps_segment(const struct explained *x, uint32_t lanes, struct step_sink *sink)
{
    uint32_t first, last;
    struct text t;
    find_transactions(&x->moved, lanes, &first, &last);
    const uint32_t all = last - first + 1, told = all > TOLD_MOST ? TOLD_OF_MANY : all;
    for (uint32_t i = 0; i < told; i++)
        put_segment_step(x, first - 1 + i, sink);
    if (told == all)
        return;
    add_half_warp(&t, lanes);
    text_add(&t, "and so on, segment by segment, until no lane is left: ");
    add_transactions(&t, first + told, last);
    steps_put(sink, &t);
}

static void steps_lanes(const struct explained *x, uint32_t lanes, struct step_sink *sink)
{
    uint32_t first, last;
    struct text t;
    find_transactions(&x->moved, lanes, &first, &last);
    add_half_warp(&t, lanes);
    text_add(&t, "an atomic: 32 bytes for each of %d active lanes, ", __builtin_popcount(lanes));
    add_transactions(&t, first, last);
    steps_put(sink, &t);
}

void steps_half_warp(const struct explained *x, struct step_sink *sink)
{
    for (unsigned first = 0; first < WARP_LANES; first += HALF_WARP_LANES) {
        uint32_t lanes = x->access->active & UINT32_C(0xffff) << first;
        if (lanes == 0)
            continue;
        if (x->rule == COALESCE_HALF_WARP_STRICT)
            steps_strict(x, lanes, sink);
        else if (x->rule == COALESCE_HALF_WARP_SEGMENT)
            steps_segment(x, lanes, sink);
        else
            steps_lanes(x, lanes, sink);
    }
}
