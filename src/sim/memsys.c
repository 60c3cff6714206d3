/* memsys.c - see the header. Decisions beyond it:
 *
 * The way to L2 takes half of the L2 latency (of the DRAM latency where there is no L2), the way
 * back the rest. A slice is taken for one sector time a sector. A sector is written back when its
 * line is evicted; lines stay until then, whole or in part. Sectors written in part are completed
 * from DRAM before they are written back or read, where the part does so. A line written on its
 * home side stays valid in the other side's copy.
 */
#include "sim/memsys.h"

#include <stdlib.h>

enum { L2_FILLS = 1 << 16 };

static uint32_t bits4(uint32_t mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

static void set_latencies(struct memsys *memory, const struct arch *arch)
{
    int64_t first = memory->has_l2 ? arch->l2_latency_cycles : arch->dram_latency_cycles;
    memory->there = ticks_of_cycles(first) / 2;
    memory->l2_back = ticks_of_cycles(arch->l2_latency_cycles) - memory->there;
    memory->dram_back = ticks_of_cycles(arch->dram_latency_cycles) - memory->there;
    memory->far = memory->sides == 2 ? ticks_of_cycles(arch->l2_far_cycles) : 0;
    memory->host_latency = ticks_of_ps(1000 * arch->pcie_latency_ns, arch->sm_clock_khz);
    memory->host_kilobyte_ticks =
        ticks_of_kilobyte(arch->pcie_megabytes_per_s, 1, arch->sm_clock_khz);
    memory->atomic_ticks = ticks_of_millicycles(arch->atomic_millicycles);
    if (memory->has_l2)
        memory->sector_ticks =
            (ticks_of_kilobyte(arch->l2_megabytes_per_s, arch->l2_slices, arch->sm_clock_khz) +
             16) /
            32;
}

static bool init_l2(struct memsys *memory, const struct arch *arch)
{
    uint64_t bytes = (uint64_t)arch->l2_bytes / memory->sides;
    for (uint32_t i = 0; i < memory->sides && memory->has_l2; i++)
        if (!cache_init(&memory->l2[i], bytes, (uint32_t)arch->l2_ways, true, L2_FILLS))
            return false;
    memory->written_mask = 1;
    while (memory->has_l2 && (uint64_t)memory->written_mask * 128 < (uint64_t)arch->l2_bytes)
        memory->written_mask *= 2;
    memory->written = malloc(memory->written_mask * sizeof *memory->written);
    for (uint32_t i = 0; i < memory->written_mask && memory->written; i++)
        memory->written[i] = (struct written_words){CACHE_NO_LINE, 0};
    memory->written_mask -= 1;
    return memory->written != NULL;
}

bool memsys_init(struct memsys *memory, const struct arch *arch, struct usage *usage)
{
    *memory = (struct memsys){
        .map = address_map_for(arch),
        .dram = dram_times_for(arch),
        .sides = arch->l2_sides == 2 ? 2 : 1,
        .partition_count = (uint32_t)arch->dram_partitions,
        .has_l2 = arch->l2_bytes > 0 && arch->l2_slices > 0,
        .partial_write_reads = (uint8_t)arch->partial_write_reads,
        .sector_pairs = (uint8_t)(arch->dram_access_bytes / 32),
        .usage = usage,
    };
    set_latencies(memory, arch);
    memory->partitions = calloc(memory->partition_count, sizeof *memory->partitions);
    memory->banks =
        calloc((size_t)memory->partition_count * memory->map.banks, sizeof *memory->banks);
    memory->slices = calloc(memory->map.slices, sizeof *memory->slices);
    if (!memory->partitions || !memory->banks || !memory->slices || !init_l2(memory, arch)) {
        memsys_free(memory);
        return false;
    }
    for (uint32_t p = 0; p < memory->partition_count; p++)
        memory->partitions[p].banks = &memory->banks[(size_t)p * memory->map.banks];
    return true;
}

void memsys_free(struct memsys *memory)
{
    free(memory->partitions);
    free(memory->banks);
    free(memory->slices);
    free(memory->written);
    cache_free(&memory->l2[0]);
    cache_free(&memory->l2[1]);
    *memory = (struct memsys){0};
}

/* ---- DRAM ------------------------------------------------------------------------------------ */

/* Sectors that a DRAM access moves when it must move these. */
static uint32_t whole_accesses(const struct memsys *memory, uint32_t sectors)
{
    if (memory->sector_pairs >= 4)
        return 15;
    if (memory->sector_pairs == 2)
        return ((sectors | sectors >> 1) & 5) * 3;
    return sectors;
}

static struct place_in_memory place_of(const struct memsys *memory, uint64_t line)
{
    return address_map_find(&memory->map, line << 7);
}

static void note_bytes(struct memsys *memory, uint32_t partition, uint32_t site, uint32_t bytes)
{
    memory->site_bytes[(size_t)site * memory->partition_count + partition] += bytes;
}

static uint64_t read_dram(struct memsys *memory, const struct place_in_memory *place, uint64_t line,
                          uint32_t sectors, uint32_t site, uint64_t now)
{
    struct dram_partition *p = &memory->partitions[place->partition];
    struct counters *c = &memory->sites[site];
    uint32_t bytes = 32 * bits4(sectors);
    uint64_t busy = p->busy, misses = p->row_misses;
    uint64_t at =
        dram_read(p, &memory->dram, address_map_row(&memory->map, place, line << 7), bytes, now);
    memory->usage->busy[USE_DRAM] += p->busy - busy;
    p->bytes_read += bytes;
    note_bytes(memory, place->partition, site, bytes);
    c->dram_read_sectors += bytes / 32;
    c->dram_row_misses += p->row_misses - misses;
    c->dram_row_hits += 1 - (p->row_misses - misses);
    return at;
}

static uint64_t write_dram(struct memsys *memory, const struct place_in_memory *place,
                           uint64_t line, uint32_t sectors, uint32_t site, uint64_t now)
{
    struct dram_partition *p = &memory->partitions[place->partition];
    struct counters *c = &memory->sites[site];
    uint32_t bytes = 32 * bits4(sectors);
    uint64_t busy = p->busy, misses = p->row_misses;
    uint64_t at =
        dram_write(p, &memory->dram, address_map_row(&memory->map, place, line << 7), bytes, now);
    memory->usage->busy[USE_DRAM] += p->busy - busy;
    p->bytes_written += bytes;
    note_bytes(memory, place->partition, site, bytes);
    c->dram_write_sectors += bytes / 32;
    c->dram_row_misses += p->row_misses - misses;
    c->dram_row_hits += 1 - (p->row_misses - misses);
    return at;
}

/* ---- L2 -------------------------------------------------------------------------------------- */

static uint64_t take_slice(struct memsys *memory, uint32_t slice, uint32_t sectors, uint64_t now)
{
    uint64_t busy = sectors * memory->sector_ticks;
    memory->usage->busy[USE_L2] += busy;
    return port_take(&memory->slices[slice], now, busy);
}

/* Reads the missing bytes of sectors that were written in part. */
static uint64_t complete(struct memsys *memory, struct cache_line *line,
                         const struct place_in_memory *place, uint64_t now)
{
    uint32_t sectors = whole_accesses(memory, line->partial);
    memory->sites[line->site].dram_fill_sectors += bits4(sectors);
    uint64_t at = read_dram(memory, place, line->line, sectors, line->site, now);
    line->valid |= sectors & 15;
    line->partial = 0;
    return at;
}

/* Returns when DRAM has taken it. */
static uint64_t write_back(struct memsys *memory, struct cache_line *line, uint64_t now)
{
    if (line->line == CACHE_NO_LINE || line->dirty == 0)
        return now;
    struct place_in_memory place = place_of(memory, line->line);
    if (memory->partial_write_reads && line->partial)
        complete(memory, line, &place, now);
    return write_dram(memory, &place, line->line, line->dirty, line->site, now);
}

/* The line, in L2 from now on; *accepted: when what it replaced is on its way. */
static struct cache_line *claim(struct memsys *memory, uint32_t side, uint32_t line, uint64_t now,
                                uint64_t *accepted)
{
    struct cache_line evicted, *at = cache_claim(&memory->l2[side], line, &evicted);
    *accepted = write_back(memory, &evicted, now);
    return at;
}

/* The side that a line's home slice is on. */
static uint32_t home_side(const struct memsys *memory, uint32_t slice)
{
    return memory->sides == 2 && 2 * slice >= memory->map.slices;
}

/* The slice of the asking side that stands for a slice of the other. */
static uint32_t slice_on(const struct memsys *memory, uint32_t slice, uint32_t side)
{
    uint32_t half = memory->map.slices / 2;
    if (home_side(memory, slice) == side || memory->sides == 1)
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
    line->valid |= sectors & 15;
    line->partial &= ~sectors & 15;
    cache_note_fill(cache, line, filled);
}

/* A load at its home side: hit, which is counted, or from DRAM. */
static uint64_t load_at_home(struct memsys *memory, const struct memsys_request *r,
                             const struct place_in_memory *place, uint64_t *hits, uint64_t now)
{
    uint64_t accepted;
    const uint32_t side = home_side(memory, place->slice);
    struct cache_line *line = claim(memory, side, r->line, now, &accepted);
    uint32_t lacks = missing(line, r->sectors);
    *hits += bits4(r->sectors & ~lacks);
    uint64_t done = now + memory->l2_back;
    if (lacks) {
        uint32_t sectors = whole_accesses(memory, lacks);
        uint64_t at = read_dram(memory, place, r->line, sectors, r->site, now);
        fill(&memory->l2[side], line, sectors, at + memory->dram_back);
    }
    return cache_filled(&memory->l2[side], line, done);
}

static uint64_t load_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    struct place_in_memory place = place_of(memory, r->line);
    struct counters *c = &memory->sites[r->site];
    uint32_t count = bits4(r->sectors), home = home_side(memory, place.slice);
    c->l2_read_sectors += count;
    uint64_t at =
        take_slice(memory, slice_on(memory, place.slice, r->side), count, now + memory->there);
    if (memory->sides == 1 || home == r->side)
        return load_at_home(memory, r, &place, &c->l2_read_hit_sectors, at);
    uint64_t accepted;
    struct cache_line *copy = claim(memory, r->side, r->line, at, &accepted);
    uint32_t lacks = missing(copy, r->sectors);
    c->l2_read_hit_sectors += count - bits4(lacks);
    if (lacks) {
        struct memsys_request rest = *r;
        rest.sectors = (uint8_t)lacks;
        c->l2_far_read_sectors += bits4(lacks);
        at = ticks_later(at, take_slice(memory, place.slice, bits4(lacks), now + memory->there)) +
             memory->far;
        uint64_t done = load_at_home(memory, &rest, &place, &c->l2_far_read_hit_sectors, at);
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
    line->partial = lacks & ~whole & 15;
    line->valid |= sectors & 15;
    line->dirty |= sectors & 15;
}

static uint64_t store_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    struct place_in_memory place = place_of(memory, r->line);
    uint32_t home = home_side(memory, place.slice), count = bits4(r->sectors);
    memory->sites[r->site].l2_write_sectors += count;
    uint64_t at = take_slice(memory, place.slice, count, now + memory->there);
    uint64_t accepted;
    struct cache_line *line = claim(memory, home, r->line, at, &accepted);
    mark_written(memory, line, r->sectors, r->words);
    line->site = (uint16_t)r->site;
    if (memory->partial_write_reads == 2 && line->partial)
        complete(memory, line, &place, at);
    return accepted;
}

/* ---- The host -------------------------------------------------------------------------------- */

static uint64_t host_ticks(const struct memsys *memory, uint32_t bytes)
{
    return (bytes * memory->host_kilobyte_ticks + 512) >> 10;
}

static uint64_t take_host(struct memsys *memory, struct port *port, uint32_t bytes, uint64_t now)
{
    uint64_t busy = host_ticks(memory, bytes);
    memory->usage->busy[USE_HOST] += busy;
    return port_take(port, now, busy);
}

/* ---- What SMs ask ---------------------------------------------------------------------------- */

uint64_t memsys_load(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    if (r->host) {
        uint32_t bytes = 32 * bits4(r->sectors);
        memory->sites[r->site].host_read_bytes += bytes;
        return take_host(memory, &memory->host_read, bytes, now) + memory->host_latency;
    }
    if (memory->has_l2)
        return load_l2(memory, r, now);
    struct place_in_memory place = place_of(memory, r->line);
    return read_dram(memory, &place, r->line, r->sectors, r->site, now + memory->there) +
           memory->dram_back;
}

uint64_t memsys_store(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    if (r->host) {
        uint32_t bytes = 32 * bits4(r->sectors);
        memory->sites[r->site].host_write_bytes += bytes;
        return take_host(memory, &memory->host_write, bytes, now);
    }
    if (memory->has_l2)
        return store_l2(memory, r, now);
    struct place_in_memory place = place_of(memory, r->line);
    return write_dram(memory, &place, r->line, r->sectors, r->site, now + memory->there);
}

uint64_t memsys_atomic(struct memsys *memory, const struct memsys_request *r, uint32_t rounds,
                       uint64_t now)
{
    if (r->host) {
        memsys_store(memory, r, now);
        return memsys_load(memory, r, now);
    }
    struct place_in_memory place = place_of(memory, r->line);
    uint64_t busy = rounds * memory->atomic_ticks;
    if (!memory->has_l2) {
        struct dram_partition *p = &memory->partitions[place.partition];
        uint64_t at = read_dram(memory, &place, r->line, r->sectors, r->site, now + memory->there);
        port_take(&p->bus, at, busy);
        p->busy += busy;
        memory->usage->busy[USE_DRAM] += busy;
        write_dram(memory, &place, r->line, r->sectors, r->site, at + busy);
        return at + busy + memory->dram_back;
    }
    uint32_t home = home_side(memory, place.slice);
    memory->sites[r->site].l2_atomic_sectors += bits4(r->sectors);
    uint64_t at = take_slice(memory, place.slice, bits4(r->sectors), now + memory->there);
    memory->usage->busy[USE_L2] += busy;
    at = port_take(&memory->slices[place.slice], at, busy) + busy;
    if (home != r->side)
        at += memory->far;
    uint64_t hits = 0;
    at = load_at_home(memory, r, &place, &hits, at);
    struct cache_line evicted, *line = cache_claim(&memory->l2[home], r->line, &evicted);
    line->dirty |= r->sectors & 15U;
    line->site = (uint16_t)r->site;
    return at;
}

uint64_t memsys_drain(struct memsys *memory, uint64_t now)
{
    uint64_t end = now;
    for (uint32_t p = 0; p < memory->partition_count; p++)
        end = ticks_later(
            end, dram_drain(&memory->partitions[p], &memory->dram, memory->map.banks, now));
    return end;
}
