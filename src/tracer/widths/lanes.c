/* lanes.c - what is joined is found once for all lanes that have the same events, at addresses that are as far apart at
 * all of them: nearly always all 32. A product through tiles is traced 1.8 times as fast as with one lane after another.
 */
#include "tracer/widths/widths.h"

#include <string.h>

#include "tracer/engine.h"
#include "tracer/shared_faults.h"

enum {
    GROUPS_MAX = 4
}; /* of lanes that go different ways: it is not worth while to look for more */

/* Lanes of `run` that have the same events as the first of them, but for addresses. */
static uint32_t with_same_events(uint32_t run, unsigned first, const uint16_t *counts)
{
    uint64_t differs[WARP_LANES] = {0};
    uint32_t same = 0;
    for (unsigned row = 0; row < counts[first]; row++)
        for (unsigned i = 0; i < WARP_LANES; i++)
            differs[i] |= event_rows.meta[row][i] ^ event_rows.meta[row][first];
    for (unsigned i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(differs[i] == 0 && counts[i] == counts[first]) << i;
    return same & run;
}

/* Of `lanes` those whose addresses are all away[lane] from those looked at, in whole pieces: what is joined there is the same. */
static uint32_t with_same_outcome(uint32_t lanes, const struct width_outcome *outcome,
                                  uint64_t *away)
{
    uint64_t differs[WARP_LANES] = {0};
    uint32_t same = 0;
    bool is_first = true;
    memset(away, 0, WARP_LANES * sizeof *away);
    for (unsigned k = 0; k < outcome->count; k++) {
        const uint64_t *addr = event_rows.addr[outcome->rows[k]];
        for (unsigned i = 0; i < WARP_LANES; i++) {
            const uint64_t distance = (addr[i] & EVENT_ADDR_MASK) - outcome->addr[k];
            if (is_first && !outcome->is_place[k])
                away[i] = distance;
            differs[i] |= distance ^ (outcome->is_place[k] ? 0 : away[i]);
        }
        is_first &= outcome->is_place[k];
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(differs[i] == 0 && away[i] % ACCESS_BYTES_MAX == 0) << i;
    return lanes & same;
}

/* What was joined in the column of lane `first` is in those of `lanes`, too. */
static void join_alike(unsigned first, unsigned count, uint32_t lanes, const uint64_t *away)
{
    const unsigned other = (unsigned)__builtin_ctz(lanes);
    for (unsigned row = 0; row < count; row++) {
        uint64_t *meta = event_rows.meta[row], *addr = event_rows.addr[row];
        if (meta[first] == meta[other])
            continue;
        for (uint32_t left = lanes; left; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            meta[i] = meta[first];
            if (meta[first] != WIDTHS_GONE)
                addr[i] = (addr[i] & ~EVENT_ADDR_MASK) |
                          (((addr[first] & EVENT_ADDR_MASK) + away[i]) & EVENT_ADDR_MASK);
        }
    }
}

/* Moves a lane's event up to row `kept`. Work that it has done in front of events that are gone is in front of the next one
 * that is left; their own instructions were one each. */
static inline void keep_event(unsigned lane, unsigned row, unsigned kept, uint64_t *work,
                              uint64_t *gone)
{
    const uint64_t taken = *gone < *work ? *gone : *work;
    *work -= taken;
    *gone -= taken;
    const uint64_t now = *work < WORK_MAX ? *work : WORK_MAX;
    *work -= now;
    event_rows.meta[kept][lane] = event_rows.meta[row][lane];
    event_rows.addr[kept][lane] =
        (event_rows.addr[row][lane] & EVENT_ADDR_MASK) | now << EVENT_WORK_SHIFT;
    if (event_kind(event_rows.meta[kept][lane]) == EVENT_COPY)
        event_rows.value[kept][lane] = event_rows.value[row][lane];
}

/* Of lanes in which the same events are gone; how many are left in each. */
static unsigned close_gaps(uint32_t lanes, unsigned count)
{
    uint64_t work[WARP_LANES] = {0}, gone[WARP_LANES] = {0};
    unsigned kept = 0;
    for (unsigned row = 0; row < count; row++) {
        const bool is_gone = event_rows.meta[row][__builtin_ctz(lanes)] == WIDTHS_GONE;
        for (unsigned i = 0; i < WARP_LANES; i++) {
            if (!(lanes >> i & 1U))
                continue;
            work[i] += event_rows.addr[row][i] >> EVENT_WORK_SHIFT;
            gone[i] += is_gone;
            if (!is_gone)
                keep_event(i, row, kept, &work[i], &gone[i]);
        }
        kept += !is_gone;
    }
    return kept;
}

/* Joins the events of lane `first`, and of those of `lanes` in which it comes to the same; gives all of these. */
static uint32_t join_together(unsigned first, uint32_t lanes, uint16_t *counts)
{
    static struct width_outcome outcome;
    uint64_t away[WARP_LANES];
    const uint32_t alone = 1U << first;
    const unsigned count = counts[first];
    const bool joined = widths_join_lane(first, count, &outcome);
    lanes = outcome.at_arrays ? 0 : with_same_outcome(lanes & ~alone, &outcome, away);
    if (!joined)
        return lanes | alone;
    if (lanes)
        join_alike(first, count, lanes, away);
    const unsigned kept = close_gaps(lanes | alone, count);
    for (uint32_t left = lanes | alone; left; left &= left - 1)
        counts[__builtin_ctz(left)] = (uint16_t)kept;
    return lanes | alone;
}

void widths_join(uint32_t run, uint16_t *counts)
{
    for (unsigned groups = 0; run; groups++) {
        const unsigned first = (unsigned)__builtin_ctz(run);
        const uint32_t same =
            groups < GROUPS_MAX ? with_same_events(run, first, counts) : 1U << first;
        run &= ~join_together(first, same, counts);
    }
}
