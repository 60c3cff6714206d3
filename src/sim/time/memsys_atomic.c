/* memsys_atomic.c - atomics at the L2, or at DRAM where there is none.
 *
 * A slice carries out a pass at a time: one lane on each address of one sector. Lanes that want one address go one after
 * another, and so do sectors of a line. On an H200 a million atomicAdd of ints to 1, 2, 4 and 8 words of one sector, 32, 16,
 * 8 and 4 passes a request, take 774, 390, 198 and 83 us; to 2 to 8 words in a sector each, 32 passes, 773 to 783.
 * Additions of floats take as many passes, but the next one in the same sector begins later: 1848 us for one word, 774 for 4
 * words of a sector each.
 */
#include "sim/time/memsys_l2.h"

static uint64_t atomic_at_dram(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    const struct place_in_memory place = memsys_place(memory, r->line);
    struct dram_partition *p = &memory->partitions[place.partition];
    const uint64_t busy = memory->atomic_ticks, arrives = now + memory->there;
    const uint64_t at = memsys_read_dram(memory, &place, r->line, r->sectors, r->site, arrives);
    memsys_note_arrival(memory, arrives, TIMELINE_DRAM, at);
    port_take(&p->bus, at, busy);
    p->busy += busy;
    memory->busy[USE_DRAM] += busy;
    memsys_write_dram(memory, &place, r->line, r->sectors, r->site, at + busy);
    return at + busy + memory->dram_back;
}

/* When the last of the additions that wait for one another in their sectors is through. */
static uint64_t add_floats(struct memsys *memory, const struct memsys_request *r,
                           const uint8_t lanes[LINE_SECTORS], uint64_t now)
{
    uint64_t end = now;
    for (uint32_t i = 0; i < LINE_SECTORS; i++) {
        const uint32_t sector = (uint32_t)r->line * LINE_SECTORS + i;
        struct store_turn *turn =
            &memory->atomic_turns[(sector ^ sector >> 12) & (ATOMIC_TURNS - 1)];
        if (lanes[i] == 0)
            continue;
        const uint64_t begin = turn->line == sector ? ticks_later(now, turn->next) : now;
        *turn = (struct store_turn){sector, begin + lanes[i] * memory->atomic_float_ticks};
        end = ticks_later(end, turn->next);
    }
    return end;
}

/* When the slice has carried it out. */
static uint64_t carry_out(struct memsys *memory, const struct memsys_request *r, uint32_t slice,
                          const struct memsys_lanes *lanes, uint64_t now)
{
    uint32_t passes = 0;
    for (uint32_t i = 0; i < LINE_SECTORS; i++)
        passes += lanes->most[i];
    const uint64_t sectors = sectors_count(r->sectors) * memory->sector_ticks;
    const uint64_t busy =
        ticks_later(passes * memory->atomic_ticks, ticks_later(sectors, memory->lookup_ticks));
    memory->busy[USE_L2] += busy;
    const uint64_t at = port_take(&memory->slices[slice], now, busy);
    memsys_note_arrival(memory, now, TIMELINE_L2, at);
    if (!lanes->add_floats || memory->atomic_float_ticks == 0)
        return at + busy;
    return ticks_later(at + busy, add_floats(memory, r, lanes->most, at));
}

uint64_t memsys_atomic(struct memsys *memory, const struct memsys_request *r,
                       const struct memsys_lanes *lanes, uint64_t now)
{
    if (r->host) {
        judge_site(memory->judge, r->site)->host_atomic_sectors += sectors_count(r->sectors);
        memsys_store(memory, r, now);
        return memsys_load(memory, r, now);
    }
    if (!memory->has_l2)
        return atomic_at_dram(memory, r, now);
    const struct place_in_memory place = memsys_place(memory, r->line);
    const uint32_t home = memsys_home_side(memory, place.slice);
    judge_site(memory->judge, r->site)->l2_atomic_sectors += sectors_count(r->sectors);
    uint64_t at = carry_out(memory, r, place.slice, lanes, now + memory->there);
    if (home != r->side)
        at += memory->far;
    uint64_t hits = 0;
    struct memsys_request updated = *r;
    updated.alone = memory->partial_write_reads == 3; /* as counted on an H200 */
    at = memsys_load_at_home(memory, &updated, &place, &hits, at);
    struct cache_line evicted, *line = cache_claim(&memory->l2[home], r->line, &evicted);
    const struct cache_line before = *line;
    line->dirty |= r->sectors & ALL_SECTORS;
    line->site = (uint16_t)r->site;
    /* as the request arrives: DRAM is asked in the order of time */
    memsys_note_stored(memory, home, before, line, now + memory->there);
    return at;
}
