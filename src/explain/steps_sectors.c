/* steps_sectors.c - the rules of sm_20 to sm_90 in words: how the warp is split, and which lines,
 * segments or sectors each part of it touches.
 *
 * Sources: those of sim/rules/coalesce.c.
 */
#include "explain/explained.h"

#include <inttypes.h>

enum { TOLD_MOST = 8, TOLD_OF_MANY = 3, LISTED_MOST = 6 };

uint32_t steps_request_lanes(enum coalesce_rule rule, uint32_t width)
{
    const uint32_t split = width <= 4 ? 1 : width / 4;
    if (rule == COALESCE_LINE_128 || rule == COALESCE_SEGMENT_32)
        return 32 / split;
    if (rule == COALESCE_SECTOR_GROUPED || rule == COALESCE_SECTOR_SPLIT_REQUESTS)
        return 8 / split;
    return 32;
}

static const char *unit_name(const struct explained *x)
{
    if (x->rule == COALESCE_LINE_128)
        return "line";
    return x->rule == COALESCE_SEGMENT_32 || x->rule == COALESCE_STORE_124 ? "segment" : "sector";
}

static void put_split(const struct explained *x, struct step_sink *sink)
{
    const uint32_t lanes = steps_request_lanes(x->rule, x->access->width);
    const uint32_t groups = WARP_LANES / lanes;
    struct text t;
    text_start(&t);
    if (lanes == WARP_LANES && (x->rule == COALESCE_SECTOR || x->rule == COALESCE_SECTOR_ROUNDS)) {
        text_add(&t, "the whole warp is one request, whatever the width of its words");
    } else if (lanes == WARP_LANES) {
        text_add(&t, "%u-byte words: the whole warp is one request", x->access->width);
    } else {
        text_add(&t,
                 "%u-byte words: the warp is split into %" PRIu32 " groups of %" PRIu32 " lanes",
                 x->access->width, groups, lanes);
        if (x->moved.requests < groups)
            text_add(&t, ", of which %" PRIu32 " ha%s an active lane", x->moved.requests,
                     x->moved.requests == 1 ? "s" : "ve");
        text_add(&t, ": ");
        text_add_count(&t, x->moved.requests, "request", "s");
    }
    steps_put(sink, &t);
}

/* ": T1 0x80-0xff, T2 0x100-0x17f": the transactions whose lanes are among `lanes`. */
static void add_transactions(const struct explained *x, uint32_t lanes, struct text *t)
{
    const char *separator = ": ";
    uint32_t told = 0, left = 0;
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        const struct transaction *sent = &x->moved.list[i];
        if ((sent->lanes & lanes) == 0)
            continue;
        if (told == LISTED_MOST) {
            left++;
            continue;
        }
        text_add(t, "%sT%" PRIu32 " ", separator, i + 1);
        text_add_range(t, sent->addr, sent->bytes);
        separator = ", ";
        told++;
    }
    if (left != 0)
        text_add(t, " and %" PRIu32 " more", left);
}

/* Transactions with a lane of the set. */
static uint32_t count_transactions(const struct explained *x, uint32_t lanes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->moved.transactions; i++)
        count += (x->moved.list[i].lanes & lanes) != 0;
    return count;
}

/* What one group of lanes touches. */
static void put_group(const struct explained *x, uint32_t lanes, uint32_t number,
                      struct step_sink *sink)
{
    struct text t;
    text_start(&t);
    text_add(&t, "request %" PRIu32 ", ", number);
    text_add_lanes(&t, lanes);
    text_add(&t, (lanes & (lanes - 1)) == 0 ? ", touches " : ", touch ");
    text_add_count(&t, count_transactions(x, lanes), unit_name(x), "s");
    add_transactions(x, lanes, &t);
    steps_put(sink, &t);
}

static void put_groups(const struct explained *x, struct step_sink *sink)
{
    const uint32_t size = steps_request_lanes(x->rule, x->access->width);
    const uint32_t told = x->moved.requests > TOLD_MOST ? TOLD_OF_MANY : x->moved.requests;
    uint32_t number = 0;
    struct text t;
    for (uint32_t first = 0; first < WARP_LANES && number < told; first += size) {
        uint32_t lanes = x->access->active & UINT32_MAX >> (WARP_LANES - size) << first;
        if (lanes != 0)
            put_group(x, lanes, ++number, sink);
    }
    if (told == x->moved.requests)
        return;
    text_start(&t);
    text_add(&t, "and so on, up to request %" PRIu32, x->moved.requests);
    steps_put(sink, &t);
}

/* The 32-byte sectors of a line that the lanes touch, as a set of the numbers 0 to 3. */
static uint32_t sectors_of_line(const struct explained *x, uint64_t line)
{
    uint32_t sectors = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t addr = access_addr(x->access, lane);
        if (access_lane_active(x->access, lane) && addr / LINE_BYTES == line)
            sectors |= 1U << addr % LINE_BYTES / SECTOR_BYTES;
    }
    return sectors;
}

static void put_line(const struct explained *x, uint64_t line, struct step_sink *sink)
{
    const uint32_t sectors = sectors_of_line(x, line);
    uint32_t sent = 0;
    struct text t;
    text_start(&t);
    text_add(&t, "line ");
    text_add_range(&t, line * LINE_BYTES, LINE_BYTES);
    text_add(&t, ", %s%s ", unit_name(x), (sectors & (sectors - 1)) == 0 ? "" : "s");
    text_add_set(&t, sectors);
    text_add(&t, " of 4: ");
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        if (x->moved.list[i].addr / LINE_BYTES == line)
            sent |= UINT32_C(1) << i;
    }
    text_add_transactions(&t, sent);
    for (; x->rule == COALESCE_STORE_124 && sent != 0; sent &= sent - 1)
        text_add(&t, ", %" PRIu32 " bytes at 0x%" PRIx64, x->moved.list[__builtin_ctz(sent)].bytes,
                 x->moved.list[__builtin_ctz(sent)].addr);
    steps_put(sink, &t);
}

/* The distinct 128-byte lines, in the order of the transactions. Returns their number. */
static uint32_t find_lines(const struct explained *x, uint64_t lines[WARP_LANES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        uint32_t k = 0;
        while (k < count && lines[k] != x->moved.list[i].addr / LINE_BYTES)
            k++;
        lines[k] = x->moved.list[i].addr / LINE_BYTES;
        count += k == count;
    }
    return count;
}

static void put_lines(const struct explained *x, struct step_sink *sink)
{
    uint64_t lines[WARP_LANES];
    const uint32_t count = find_lines(x, lines);
    const uint32_t told = count > TOLD_MOST ? TOLD_OF_MANY : count;
    struct text t;
    for (uint32_t i = 0; i < told; i++)
        put_line(x, lines[i], sink);
    if (told == count)
        return;
    text_start(&t);
    text_add(&t, "and so on over %" PRIu32 " lines, up to T%" PRIu32, count, x->moved.transactions);
    steps_put(sink, &t);
}

static void put_touched(const struct explained *x, struct step_sink *sink)
{
    struct coalesced sectors;
    struct text t;
    coalesce(COALESCE_SECTOR, x->access, &sectors);
    text_start(&t);
    text_add_count(&t, x->lanes, "lane", "s");
    text_add(&t, " touch%s %" PRIu32 " distinct 32-byte %s%s", x->lanes == 1 ? "es" : "",
             sectors.transactions, unit_name(x), sectors.transactions == 1 ? "" : "s");
    if (x->rule == COALESCE_SECTOR_GROUPED)
        text_add(&t, "; as groups do not share, %" PRIu32 " are sent", x->moved.transactions);
    else if (x->rule == COALESCE_SECTOR_SPLIT_REQUESTS)
        text_add(&t, ", and each moves once, whichever requests want it");
    else if (x->rule == COALESCE_SECTOR_ROUNDS && x->moved.transactions != sectors.transactions)
        text_add(&t,
                 "; lanes that want one address take a round each, and as rounds do not share, "
                 "%" PRIu32 " are counted",
                 x->moved.transactions);
    else if (x->rule == COALESCE_STORE_124)
        text_add(&t, "; whole lines and halves of lines go as one transaction");
    steps_put(sink, &t);
}

/* The most lanes on one address. */
static uint32_t most_on_one_address(const struct warp_access *a)
{
    uint32_t most = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t same = 0;
        for (unsigned other = 0; other < WARP_LANES; other++)
            same += access_lane_active(a, other) && access_lane_active(a, lane) &&
                    access_addr(a, other) == access_addr(a, lane);
        most = same > most ? same : most;
    }
    return most;
}

static void put_remarks(const struct explained *x, struct step_sink *sink)
{
    struct text t;
    text_start(&t);
    if (x->access->op == OP_ATOMIC)
        text_add(&t,
                 "the L2 performs atomics one at a time for one address: here at most %" PRIu32
                 " in a row",
                 most_on_one_address(x->access));
    else if (x->rule == COALESCE_SECTOR_SPLIT_REQUESTS && x->access->width == 4)
        text_add(&t, "nvprof's gld_transactions shows 16 for this load as for every load of 32-bit "
                     "words on these GPUs; it does not count sectors");
    else
        return;
    steps_put(sink, &t);
}

void steps_sectors(const struct explained *x, struct step_sink *sink)
{
    bool shares_in_groups = x->rule == COALESCE_LINE_128 || x->rule == COALESCE_SEGMENT_32 ||
                            x->rule == COALESCE_SECTOR_GROUPED;
    put_split(x, sink);
    if (shares_in_groups)
        put_groups(x, sink);
    if (x->rule != COALESCE_LINE_128 && x->rule != COALESCE_SEGMENT_32)
        put_touched(x, sink);
    if (!shares_in_groups)
        put_lines(x, sink);
    put_remarks(x, sink);
}
