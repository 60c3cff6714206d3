/* verdict.c - one sentence on what would help, found by trying it.
 *
 * The same lanes are put through the same rule with better addresses: a start at an aligned
 * address, the same addresses in lane order, the same words side by side; in shared memory, a
 * padded stride. What lowers the cost is named, the smallest change first. Nothing is said when
 * nothing helps.
 *
 * Decision: cost is bytes moved, then transactions.
 */
#include "explain/explained.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PERIOD_BYTES = 256 };

/* An access with addresses of its own. */
struct trial {
    struct warp_access access;
    uint64_t addr[WARP_LANES];
};

struct cost {
    uint32_t bytes, transactions;
};

static void trial_start(const struct explained *x, struct trial *trial)
{
    trial->access = *x->access;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        trial->addr[lane] = access_addr(x->access, lane);
    trial->access.addr = trial->addr;
}

static struct cost trial_cost(const struct explained *x, struct trial *trial)
{
    struct coalesced moved;
    trial->access.addr = trial->addr;
    coalesce(x->rule, &trial->access, &moved);
    return (struct cost){moved.bytes_moved, moved.transactions};
}

static bool is_lower(struct cost a, struct cost b)
{
    return a.bytes < b.bytes || (a.bytes == b.bytes && a.transactions < b.transactions);
}

static struct cost cost_lower(struct cost a, struct cost b)
{
    return is_lower(a, b) ? a : b;
}

/* The cost when the lowest address is `start`. */
static struct cost cost_started_at(const struct explained *x, uint64_t start)
{
    struct trial trial;
    trial_start(x, &trial);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        trial.addr[lane] += start - x->low;
    return trial_cost(x, &trial);
}

/* The smallest power of two that the start must be a multiple of to be sure of the cost that a
 * start at a multiple of PERIOD_BYTES has. */
static uint32_t needed_alignment(const struct explained *x)
{
    const struct cost best = cost_started_at(x, 0);
    uint32_t alignment = SECTOR_BYTES;
    for (uint32_t start = 0; start < PERIOD_BYTES && alignment < PERIOD_BYTES;) {
        if (is_lower(best, cost_started_at(x, start))) {
            alignment *= 2;
            start = 0;
        } else {
            start += alignment;
        }
    }
    return alignment;
}

static int compare_addresses(const void *a, const void *b)
{
    const uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static struct cost cost_in_order(const struct explained *x)
{
    struct trial trial;
    uint64_t sorted[WARP_LANES];
    size_t count = 0, next = 0;
    trial_start(x, &trial);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (access_lane_active(x->access, lane))
            sorted[count++] = trial.addr[lane];
    }
    qsort(sorted, count, sizeof *sorted, compare_addresses);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (access_lane_active(x->access, lane))
            trial.addr[lane] = sorted[next++];
    }
    return trial_cost(x, &trial);
}

/* The distinct words in a row from address 0: without gaps, or (`by_lane`) with lane k's word in
 * place k, which is what the strict rule of sm_10 wants when lanes are off. */
static struct cost cost_side_by_side(const struct explained *x, bool by_lane)
{
    const struct warp_access *a = x->access;
    struct trial trial;
    unsigned words = 0;
    trial_start(x, &trial);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned first = 0;
        if (!access_lane_active(a, lane))
            continue;
        while (!access_lane_active(a, first) || access_addr(a, first) != access_addr(a, lane))
            first++;
        if (first < lane)
            trial.addr[lane] = trial.addr[first];
        else
            trial.addr[lane] = (uint64_t)(by_lane ? lane : words++) * a->width;
    }
    return trial_cost(x, &trial);
}

static void add_comparison(const struct explained *x, struct cost better, const char *how,
                           struct text *t)
{
    text_add_count(t, x->moved.transactions, "transaction", "s");
    text_add(t, " (%" PRIu32 " bytes), but %" PRIu32 " (%" PRIu32 " bytes) %s",
             x->moved.bytes_moved, better.transactions, better.bytes, how);
}

static bool is_same(struct cost a, struct cost b)
{
    return a.bytes == b.bytes && a.transactions == b.transactions;
}

static void add_misalignment(const struct explained *x, struct cost better, struct text *t)
{
    const uint32_t alignment = needed_alignment(x);
    text_add(t, "misaligned by %" PRIu64 " bytes: ", x->low % alignment);
    add_comparison(x, better, "if it started", t);
    text_add(t, " at a multiple of %" PRIu32, alignment);
}

static void add_gaps(const struct explained *x, struct cost better, struct text *t)
{
    int64_t stride;
    if (explained_find_stride(x, &stride))
        text_add(t, "a stride of %" PRId64 " bytes spreads the words: ", stride);
    else
        text_add(t, "the words are scattered: ");
    add_comparison(x, better, "if they lay side by side", t);
}

static bool find_for_memory(const struct explained *x, struct text *t)
{
    const struct cost now = {x->moved.bytes_moved, x->moved.transactions};
    const struct cost aligned = cost_started_at(x, 0), ordered = cost_in_order(x);
    const struct cost packed = cost_lower(cost_side_by_side(x, false), cost_side_by_side(x, true));
    const struct cost best = cost_lower(packed, cost_lower(aligned, ordered));
    if (!is_lower(best, now)) {
        if (x->access->op == OP_ATOMIC ||
            x->moved.bytes_moved != SECTOR_BYTES * coalesce_ideal_sectors(x->bytes_used))
            return false;
        text_add(t, "no layout moves these %" PRIu32 " bytes in fewer sectors", x->bytes_used);
    } else if (is_same(best, aligned)) {
        add_misalignment(x, aligned, t);
    } else if (is_same(best, ordered)) {
        text_add(t, "the lanes are out of order: ");
        add_comparison(x, ordered, "if lanes took the same words in order", t);
    } else {
        add_gaps(x, best, t);
    }
    return true;
}

/* The passes of the access with another stride. */
static uint32_t passes_with_stride(const struct explained *x, int64_t stride)
{
    struct trial trial;
    trial_start(x, &trial);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        trial.addr[lane] = x->low % PERIOD_BYTES + (uint64_t)stride * lane;
    trial.access.addr = trial.addr;
    return banks_count(x->rules.banks, &trial.access).passes;
}

static bool find_for_banks(const struct explained *x, struct text *t)
{
    int64_t stride;
    if (x->passes.passes == x->passes.ideal) {
        text_add(t, "no bank conflict");
        return true;
    }
    if (x->banks.by_lane || !explained_find_stride(x, &stride) || stride == 0 || stride % 4 != 0)
        return false;
    const int64_t pad = x->access->width > 4 ? x->access->width : 4;
    const int64_t padded = llabs(stride) + pad;
    const uint32_t passes = passes_with_stride(x, padded);
    if (passes >= x->passes.passes)
        return false;
    text_add(t, "a stride of %" PRId64 " bytes takes ", (int64_t)llabs(stride));
    text_add_count(t, x->passes.passes, "pass", "es");
    text_add(t, "; padded by %" PRId64 " bytes to %" PRId64 " it would take %" PRIu32, pad, padded,
             passes);
    return true;
}

static bool find_for_constant(const struct explained *x, struct text *t)
{
    if (x->constant.passes == x->constant_ideal)
        text_add(t, "the best case: one address for all lanes");
    else
        text_add(t, "%" PRIu32 " passes, but %" PRIu32 " if all lanes wanted the same address",
                 x->constant.passes, x->constant_ideal);
    return true;
}

static bool find_for_copy(const struct explained *x, struct text *t)
{
    const uint32_t best = x->copied.ideal_sectors;
    text_add_count(t, x->copied.passes, "pass", "es");
    text_add(t, " into shared memory%s; ", x->copied.conflicts ? "" : ", no conflict");
    if (x->copied.sectors > best)
        text_add(t, "%" PRIu32 " sectors are read where %" PRIu32 " would do", x->copied.sectors,
                 best);
    else
        text_add(t, "no sector too many");
    return true;
}

bool verdict_find(const struct explained *x, struct text *t)
{
    text_start(t);
    if (x->path == PATH_MEMORY)
        return find_for_memory(x, t);
    if (x->path == PATH_COPY)
        return find_for_copy(x, t);
    return x->path == PATH_BANKS ? find_for_banks(x, t) : find_for_constant(x, t);
}
