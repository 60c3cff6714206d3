/* memsys_l2.c - the L2 and what it asks of DRAM. The decisions are in memsys.c and memsys.h. */
#include "sim/time/memsys_l2.h"

/* ---- DRAM ------------------------------------------------------------------------------------ */

struct place_in_memory memsys_place(const struct memsys *memory, uint64_t line)
{
    return address_map_find(&memory->map, line << LINE_LOG2);
}

/* One request to DRAM, in either direction: what the scheduler is asked, and whose it is. */
static uint64_t request_dram(struct memsys *memory, const struct place_in_memory *place,
                             uint64_t line, uint32_t bytes, uint32_t site, bool is_write,
                             uint64_t now)
{
    struct dram_partition *p = &memory->partitions[place->partition];
    struct counters *c = judge_site(memory->judge, site);
    const struct dram_row row = address_map_row(&memory->map, place, line << LINE_LOG2);
    const uint64_t busy = p->busy, misses = p->row_misses;
    uint64_t at = (is_write ? dram_write : dram_read)(p, &memory->dram, row, bytes, now);
    memory->busy[USE_DRAM] += p->busy - busy;
    uint64_t *in_window =
        &memory->site_bytes[(size_t)site * memory->partition_count + place->partition];
    if (*in_window == 0)
        memory->in_window[memory->in_window_count++] =
            (struct site_partition){site, place->partition};
    *in_window += bytes;
    c->dram_row_misses += p->row_misses - misses;
    c->dram_row_hits += 1 - (p->row_misses - misses);
    return at;
}

uint64_t memsys_read_dram(struct memsys *memory, const struct place_in_memory *place, uint64_t line,
                          uint32_t sectors, uint32_t site, uint64_t now)
{
    uint32_t count = sectors_count(sectors);
    memory->partitions[place->partition].bytes_read += SECTOR_BYTES * count;
    judge_site(memory->judge, site)->dram_read_sectors += count;
    return request_dram(memory, place, line, SECTOR_BYTES * count, site, false, now);
}

uint64_t memsys_write_dram(struct memsys *memory, const struct place_in_memory *place,
                           uint64_t line, uint32_t sectors, uint32_t site, uint64_t now)
{
    uint32_t count = sectors_count(sectors);
    memory->partitions[place->partition].bytes_written += SECTOR_BYTES * count;
    judge_site(memory->judge, site)->dram_write_sectors += count;
    return request_dram(memory, place, line, SECTOR_BYTES * count, site, true, now);
}

/* ---- L2 -------------------------------------------------------------------------------------- */

uint64_t memsys_take_slice(struct memsys *memory, uint32_t slice, uint32_t sectors, uint64_t now)
{
    uint64_t busy = ticks_later(sectors * memory->sector_ticks, memory->lookup_ticks);
    memory->busy[USE_L2] += busy;
    return port_take(&memory->slices[slice], now, busy);
}

/* Reads the missing bytes of sectors that were written in part. */
static uint64_t complete(struct memsys *memory, struct cache_line *line,
                         const struct place_in_memory *place, uint64_t now)
{
    uint32_t sectors = memory->partial_write_reads == 3
                           ? line->partial
                           : sectors_widened(line->partial, memory->sector_pairs);
    judge_site(memory->judge, line->site)->dram_fill_sectors += sectors_count(sectors);
    uint64_t at = memsys_read_dram(memory, place, line->line, sectors, line->site, now);
    line->valid |= sectors & ALL_SECTORS;
    line->partial = 0;
    return at;
}

/* Counts what waits of a line of a side, as it was and is. */
static void recount(struct memsys *memory, uint32_t side, struct cache_line before,
                    struct cache_line after)
{
    struct l2_waiting *waiting = &memory->waiting[side];
    waiting->dirty += (uint32_t)(after.dirty != 0) - (uint32_t)(before.dirty != 0);
    waiting->partial += (uint32_t)(after.partial != 0) - (uint32_t)(before.partial != 0);
}

/* The line's dirty ones of these sectors; they are dirty no more. Returns when DRAM has taken them. */
static uint64_t write_back(struct memsys *memory, uint32_t side, struct cache_line *line,
                           uint32_t sectors, uint64_t now)
{
    if (line->line == CACHE_NO_LINE || (line->dirty & sectors) == 0)
        return now;
    const struct cache_line before = *line;
    const uint32_t dirty = line->dirty & sectors;
    struct place_in_memory place = memsys_place(memory, line->line);
    if (memory->partial_write_reads && line->partial)
        complete(memory, line, &place, now);
    line->dirty &= ~sectors & ALL_SECTORS;
    line->partial &= ~sectors & ALL_SECTORS;
    recount(memory, side, before, *line);
    return memsys_write_dram(memory, &place, line->line, dirty, line->site, now);
}

/* What a set gives away next is clean: nothing that comes has to wait for DRAM. */
static void clean_last_ways(struct memsys *memory, uint32_t side, struct cache_line *set,
                            uint64_t now)
{
    for (uint32_t i = 0; i < memory->clean_ways; i++)
        write_back(memory, side, &set[memory->l2[side].ways - 1 - i], ALL_SECTORS, now);
}

/* The line, in L2 from now on; *accepted: when what it replaced is on its way. */
static struct cache_line *claim(struct memsys *memory, uint32_t side, uint32_t line, uint64_t now,
                                uint64_t *accepted)
{
    struct cache_line evicted, *at = cache_claim(&memory->l2[side], line, &evicted);
    *accepted = write_back(memory, side, &evicted, ALL_SECTORS, now);
    if (at->valid == 0) /* it has just come */
        clean_last_ways(memory, side, at, now);
    return at;
}

uint32_t memsys_home_side(const struct memsys *memory, uint32_t slice)
{
    return memory->sides == 2 && 2 * slice >= memory->map.slices;
}

/* The slice of the asking side that stands for a slice of the other. */
static uint32_t slice_on(const struct memsys *memory, uint32_t slice, uint32_t side)
{
    uint32_t half = memory->map.slices / 2;
    if (memsys_home_side(memory, slice) == side || memory->sides == 1)
        return slice;
    return slice >= half ? slice - half : slice + half;
}

/* Sectors of a line that cannot be served as they are. */
static uint32_t missing(const struct cache_line *line, uint32_t sectors)
{
    return sectors & ~(uint32_t)(line->valid & ~line->partial);
}

static void fill(struct cache *cache, struct cache_line *line, uint32_t sectors, uint64_t filled)
{
    line->valid |= sectors & ALL_SECTORS;
    line->partial &= ~sectors & ALL_SECTORS;
    cache_note_fill(cache, line, filled);
}

uint64_t memsys_load_at_home(struct memsys *memory, const struct memsys_request *r,
                             const struct place_in_memory *place, uint64_t *hits, uint64_t now)
{
    uint64_t accepted;
    const uint32_t side = memsys_home_side(memory, place->slice);
    struct cache_line *line = claim(memory, side, r->line, now, &accepted);
    uint32_t lacks = missing(line, r->sectors);
    *hits += sectors_count(r->sectors & ~lacks);
    uint64_t done = now + memory->l2_back;
    if (lacks) {
        uint32_t sectors = r->alone ? lacks : sectors_widened(lacks, memory->sector_pairs);
        uint64_t at = memsys_read_dram(memory, place, r->line, sectors, r->site, now);
        timeline_note(memory->watched, TIMELINE_DRAM, at, at);
        const struct cache_line before = *line;
        fill(&memory->l2[side], line, sectors, at + memory->dram_back);
        recount(memory, side, before, *line);
    }
    return cache_filled(&memory->l2[side], line, done);
}

uint64_t memsys_load_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    struct place_in_memory place = memsys_place(memory, r->line);
    struct counters *c = judge_site(memory->judge, r->site);
    uint32_t count = sectors_count(r->sectors), home = memsys_home_side(memory, place.slice);
    c->l2_read_sectors += count;
    uint64_t at = memsys_take_slice(memory, slice_on(memory, place.slice, r->side), count,
                                    now + memory->there);
    memsys_note_arrival(memory, now + memory->there, TIMELINE_L2, at);
    if (memory->sides == 1 || home == r->side)
        return memsys_load_at_home(memory, r, &place, &c->l2_read_hit_sectors, at);
    uint64_t accepted;
    struct cache_line *copy = claim(memory, r->side, r->line, at, &accepted);
    uint32_t lacks = missing(copy, r->sectors);
    c->l2_read_hit_sectors += count - sectors_count(lacks);
    if (lacks) {
        struct memsys_request rest = *r;
        rest.sectors = (uint8_t)lacks;
        c->l2_far_read_sectors += sectors_count(lacks);
        at = ticks_later(at, memsys_take_slice(memory, place.slice, sectors_count(lacks),
                                               now + memory->there)) +
             memory->far;
        timeline_note(memory->watched, TIMELINE_L2, at, at);
        uint64_t done = memsys_load_at_home(memory, &rest, &place, &c->l2_far_read_hit_sectors, at);
        fill(&memory->l2[r->side], copy, lacks, done);
        return done;
    }
    return cache_filled(&memory->l2[r->side], copy, at + memory->l2_back);
}

/* The words of a line that were written since it lacks some, this store's included. Lines share the
 * table's places: one that is driven out counts as written in part until it is read. */
static uint32_t words_written(struct memsys *memory, uint32_t line, uint32_t words)
{
    struct written_words *at = &memory->written[line & memory->written_mask];
    if (at->line != line)
        *at = (struct written_words){line, 0};
    at->words |= words;
    return at->words;
}

/* Sectors of which all eight words are set. */
static uint32_t whole_sectors(uint32_t words)
{
    uint32_t sectors = 0;
    for (uint32_t s = 0; s < 4; s++)
        sectors |= (uint32_t)((words >> 8 * s & 255) == 255) << s;
    return sectors;
}

/* Marks sectors as written; those that are neither whole nor here lack bytes. */
static void mark_written(struct memsys *memory, struct cache_line *line, uint32_t sectors,
                         uint32_t words)
{
    uint32_t lacks = line->partial | (sectors & ~(uint32_t)line->valid);
    uint32_t whole = whole_sectors(words);
    if (lacks & ~whole)
        whole |= whole_sectors(words_written(memory, line->line, words));
    line->partial = lacks & ~whole & ALL_SECTORS;
    line->valid |= sectors & ALL_SECTORS;
    line->dirty |= sectors & ALL_SECTORS;
}

/* Stores take a slice for longer than loads. */
static uint64_t take_slice_to_store(struct memsys *memory, uint32_t slice,
                                    const struct memsys_request *r, uint64_t now)
{
    const uint32_t sectors = sectors_count(r->sectors);
    const uint32_t partial = sectors_count(r->sectors & ~whole_sectors(r->words));
    if (memory->store_ticks == 0)
        return memsys_take_slice(memory, slice, sectors, now);
    const uint64_t busy = memory->lookup_ticks + (sectors - partial) * memory->store_ticks +
                          partial * memory->partial_ticks;
    memory->busy[USE_L2] += busy;
    return port_take(&memory->slices[slice], now, busy);
}

/* When a store in part may begin: the line reads and writes what the one before has changed. */
static uint64_t wait_for_turn(struct memsys *memory, uint32_t line, uint64_t now)
{
    struct store_turn *turn = &memory->turns[(line ^ line >> 12) & (STORE_TURNS - 1)];
    uint64_t at = turn->line == line ? ticks_later(now, turn->next) : now;
    *turn = (struct store_turn){line, at + memory->store_turn};
    return at;
}

/* L2 writes back before it needs the places: with one line more that waits for that than may, the set that is cleaned next gives the
 * one of it that was not used for longest. Of lines that lack bytes the sectors go that lack them. */
void memsys_note_stored(struct memsys *memory, uint32_t side, struct cache_line before,
                        const struct cache_line *line, uint64_t now)
{
    recount(memory, side, before, *line);
    const struct l2_waiting *waiting = &memory->waiting[side];
    if (memory->dirty_most && waiting->dirty > memory->dirty_most)
        write_back(memory, side, cache_next_waiting(&memory->l2[side], false), ALL_SECTORS, now);
    if (memory->partial_most && waiting->partial > memory->partial_most) {
        struct cache_line *oldest = cache_next_waiting(&memory->l2[side], true);
        write_back(memory, side, oldest, oldest->partial, now);
    }
}

uint64_t memsys_store_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    struct place_in_memory place = memsys_place(memory, r->line);
    uint32_t home = memsys_home_side(memory, place.slice), count = sectors_count(r->sectors);
    judge_site(memory->judge, r->site)->l2_write_sectors += count;
    uint64_t at = take_slice_to_store(memory, place.slice, r, now + memory->there);
    memsys_note_arrival(memory, now + memory->there, TIMELINE_L2, at);
    uint64_t accepted;
    struct cache_line *line = claim(memory, home, r->line, at, &accepted);
    const struct cache_line before = *line;
    if (memory->store_turn && r->sectors & ~whole_sectors(r->words))
        accepted = ticks_later(accepted, wait_for_turn(memory, r->line, at));
    mark_written(memory, line, r->sectors, r->words);
    line->site = (uint16_t)r->site;
    if (memory->partial_write_reads == 2 && line->partial)
        complete(memory, line, &place, at);
    memsys_note_stored(memory, home, before, line, at);
    return accepted;
}
