/* async_copy.c - lanes, their conflicts and their wavefronts.
 *
 * Lanes pass the banks in groups of 32, 16 or 8 neighbours for 4, 8 or 16 bytes. Two lanes of a group conflict when their
 * destinations lie at the same place within 128 bytes or, where both read, their sources do; that it is the same word does
 * not help. Two figures follow: the passes that the profiler foretells are the most lanes that conflict with one lane; those
 * that are made follow the longest chain, where a lane comes behind every earlier lane that it conflicts with.
 *
 * Source: counters of an H200, one instruction of one warp at a time.
 */
#include "sim/rules/async_copy.h"

#include "sim/rules/coalesce.h"
#include "sim/rules/l1stage.h"
#include "sim/rules/lanes.h"

enum { TAG_BANKS_OF_L1 = 4, LINE_QUEUES = 4 };

/* An access, lane by lane; masks are of lanes. */
struct copy_lanes {
    const struct warp_access *access;
    const struct async_copy *copy;
    uint64_t from[WARP_LANES];
    uint32_t reading;               /* reads something */
    uint32_t zeros;                 /* reads nothing */
    uint32_t group_lanes;           /* that pass the banks together */
    uint32_t conflicts[WARP_LANES]; /* by lane: with whom in its group, itself included */
    uint32_t wavefronts;            /* of the source's lines */
    uint8_t wavefront[WARP_LANES];  /* by lane that reads: of its source's line */
};

uint32_t async_copy_reading(const struct warp_access *a)
{
    uint32_t reading = 0;
    for (uint32_t left = a->active; left != 0; left &= left - 1)
        if (a->copy->bytes[lanes_lowest(left)])
            reading |= left & -left;
    return reading;
}

/* ---- Conflicts -------------------------------------------------------------------------------- */

static uint32_t group_of(const struct copy_lanes *c, uint32_t lane)
{
    return lanes_range(lane / c->group_lanes * c->group_lanes, c->group_lanes);
}

/* The place within 128 bytes, in words of the access's width. */
static uint32_t place_of(const struct copy_lanes *c, uint64_t address)
{
    return (uint32_t)(address % LINE_BYTES) >> access_width_log2(c->access);
}

static void find_conflicts(struct copy_lanes *c)
{
    uint32_t from[WARP_LANES] = {0}, to[WARP_LANES] = {0}; /* by place */
    for (uint32_t left = c->access->active; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left), bit = 1U << lane;
        to[place_of(c, c->copy->to[lane])] |= bit;
        if (c->reading & bit)
            from[place_of(c, c->from[lane])] |= bit;
    }
    for (uint32_t left = c->access->active; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        uint32_t with = to[place_of(c, c->copy->to[lane])];
        if (c->reading >> lane & 1)
            with |= from[place_of(c, c->from[lane])];
        c->conflicts[lane] = with & group_of(c, lane);
    }
}

/* Summed over the groups: the most lanes that conflict with one lane. */
static uint32_t count_crowds(const struct copy_lanes *c)
{
    uint32_t sum = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += c->group_lanes) {
        uint32_t most = 0, left = c->access->active & lanes_range(first, c->group_lanes);
        for (; left != 0; left &= left - 1) {
            const uint32_t crowd = lanes_count(c->conflicts[lanes_lowest(left)]);
            most = crowd > most ? crowd : most;
        }
        sum += most;
    }
    return sum;
}

/* The longest chain among lanes of one group. */
static uint32_t chain_of(const struct copy_lanes *c, uint32_t lanes)
{
    uint32_t level[WARP_LANES], longest = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        uint32_t before = c->conflicts[lane] & lanes & ((1U << lane) - 1);
        level[lane] = 1;
        for (; before != 0; before &= before - 1) {
            const uint32_t behind = level[lanes_lowest(before)] + 1;
            level[lane] = behind > level[lane] ? behind : level[lane];
        }
        longest = level[lane] > longest ? level[lane] : longest;
    }
    return longest;
}

static uint32_t count_chains(const struct copy_lanes *c, uint32_t lanes)
{
    uint32_t sum = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += c->group_lanes)
        sum += chain_of(c, lanes & lanes_range(first, c->group_lanes));
    return sum;
}

/* ---- Wavefronts ------------------------------------------------------------------------------- */

/* The lowest lane that reads and has the same source line; with `both`, the same destination line as well. */
static uint32_t first_alike(const struct copy_lanes *c, uint32_t lane, bool both)
{
    uint32_t left = c->reading;
    for (;; left &= left - 1) {
        const uint32_t other = lanes_lowest(left);
        if (c->from[other] >> LINE_LOG2 == c->from[lane] >> LINE_LOG2 &&
            (!both || c->copy->to[other] >> LINE_LOG2 == c->copy->to[lane] >> LINE_LOG2))
            return other;
    }
}

/* Those of loads: the k-th new line of a tag bank goes in wavefront k. */
static void find_wavefronts(struct copy_lanes *c)
{
    uint8_t used[TAG_BANKS_OF_L1] = {0};
    c->wavefronts = 0;
    for (uint32_t left = c->reading; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left), first = first_alike(c, lane, false);
        if (first == lane)
            c->wavefront[lane] = used[l1stage_tag_bank(c->from[lane] >> LINE_LOG2)]++;
        else
            c->wavefront[lane] = c->wavefront[first];
        if (c->wavefront[lane] >= c->wavefronts)
            c->wavefronts = c->wavefront[lane] + 1U;
    }
}

/* Past the L1 the pairs of source and destination line of a wavefront queue by the destination's line modulo 4: the pair's
 * place in its queue, by lane that reads. The number of all wavefronts. */
static uint32_t find_queues(const struct copy_lanes *c, uint8_t place[WARP_LANES])
{
    uint8_t queued[WARP_LANES][LINE_QUEUES] = {{0}}, longest[WARP_LANES] = {0};
    uint32_t sum = 0;
    for (uint32_t left = c->reading; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left), first = first_alike(c, lane, true);
        const uint32_t wave = c->wavefront[lane];
        if (first != lane) {
            place[lane] = place[first];
            continue;
        }
        place[lane] = queued[wave][c->copy->to[lane] >> LINE_LOG2 & (LINE_QUEUES - 1)]++;
        if (place[lane] >= longest[wave]) {
            longest[wave]++;
            sum++;
        }
    }
    return sum;
}

/* ---- Counts ----------------------------------------------------------------------------------- */

/* Through the L1 each wavefront's lanes are copied on their own. */
static uint32_t count_copied_passes(const struct copy_lanes *c)
{
    uint32_t sum = 0, lanes[WARP_LANES] = {0};
    for (uint32_t left = c->reading; left != 0; left &= left - 1)
        lanes[c->wavefront[lanes_lowest(left)]] |= left & -left;
    for (uint32_t wave = 0; wave < c->wavefronts; wave++)
        sum += count_chains(c, lanes[wave]);
    return sum;
}

/* Past the L1 data do not pass the data stage; the zeros behind short reads do, wavefront by wavefront. */
static uint32_t count_short_passes(const struct copy_lanes *c, const uint8_t place[WARP_LANES])
{
    uint32_t sum = 0, left = 0;
    for (uint32_t lanes = c->reading; lanes != 0; lanes &= lanes - 1)
        if (c->copy->bytes[lanes_lowest(lanes)] < c->access->width)
            left |= lanes & -lanes;
    while (left != 0) {
        const uint32_t lane = lanes_lowest(left);
        uint32_t together = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            const uint32_t other = lanes_lowest(lanes);
            if (c->wavefront[other] == c->wavefront[lane] && place[other] == place[lane])
                together |= lanes & -lanes;
        }
        sum += count_chains(c, together);
        left &= ~together;
    }
    return sum;
}

static uint32_t zero_words(const struct copy_lanes *c)
{
    uint32_t words = 0;
    for (uint32_t left = c->access->active; left != 0; left &= left - 1) {
        const uint32_t bytes = c->copy->bytes[lanes_lowest(left)];
        words += bytes ? (16 - bytes) / 4 : 4;
    }
    return words;
}

/* What ca and cg have in common: distinct sectors and lines, as of a load by the lanes that read. */
static void count_load(const struct copy_lanes *c, struct async_copy_counts *n,
                       uint32_t *distinct_sectors, uint32_t *lines)
{
    struct coalesced load = {0};
    struct warp_access reads = *c->access;
    *distinct_sectors = *lines = 0;
    reads.active = c->reading;
    if (c->reading) {
        coalesce(COALESCE_SECTOR, &reads, &load);
        n->ideal_sectors = coalesce_ideal_sectors(coalesce_distinct_bytes(&reads));
    }
    *distinct_sectors = load.transactions;
    for (uint32_t left = c->reading; left != 0; left &= left - 1) {
        const uint32_t lane = lanes_lowest(left);
        *lines += first_alike(c, lane, false) == lane;
        n->bytes_read += c->copy->bytes[lane];
    }
}

static void count_through_l1(const struct copy_lanes *c, struct async_copy_counts *n)
{
    const uint32_t words = c->access->width / 4U;
    n->passes = count_crowds(c);
    n->conflicts = n->passes - lanes_count_groups(c->access->active, c->group_lanes);
    n->tag_wavefronts = c->wavefronts ? c->wavefronts : 1;
    n->data_passes += count_copied_passes(c);
    n->bank_writes = (8 * n->sectors + words * lanes_count(c->access->active)) & ~1U;
}

static void count_past_l1(const struct copy_lanes *c, struct async_copy_counts *n,
                          struct async_copy_pieces *asked)
{
    struct async_copy_pieces made;
    uint8_t place[WARP_LANES];
    const uint32_t wavefronts = find_queues(c, place);
    async_copy_find_pieces(c->access, true, &made);
    async_copy_find_pieces(c->access, false, asked);
    n->sectors = asked->sectors;
    n->l2_requests = asked->count;
    n->passes = made.count;
    if (c->copy->sized) {
        const uint32_t crowds = count_crowds(c);
        n->passes += crowds;
        n->conflicts = crowds - lanes_count_groups(c->access->active, c->group_lanes);
    }
    n->tag_wavefronts = wavefronts ? wavefronts : 1;
    n->data_passes += count_short_passes(c, place);
    n->bank_writes = (4 * asked->halves + zero_words(c)) & ~1U;
}

struct async_copy_counts async_copy_count(const struct warp_access *a,
                                          struct async_copy_pieces *asked)
{
    struct copy_lanes c = {.access = a,
                           .copy = a->copy,
                           .reading = async_copy_reading(a),
                           .group_lanes = access_line_words(a)};
    struct async_copy_counts n = {0};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        c.from[lane] = access_addr(a, lane);
    c.zeros = a->active & ~c.reading;
    find_conflicts(&c);
    find_wavefronts(&c);
    n.requests = c.reading != 0;
    count_load(&c, &n, &n.sectors, &n.l2_requests);
    n.data_passes = count_chains(&c, c.zeros); /* one store */
    if (a->copy->past_l1)
        count_past_l1(&c, &n, asked);
    else
        count_through_l1(&c, &n);
    return n;
}
