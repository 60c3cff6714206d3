/* memsys.c - see the header. Decisions beyond it:
 *
 * The way to L2 takes half of the L2 latency (of the DRAM latency where there is no L2), the way
 * back the rest. A slice is taken for one sector time a sector. A sector is written back when its
 * line is evicted; lines stay until then, whole or in part. Sectors written in part are completed
 * from DRAM before they are written back or read, where the part does so. A line written on its
 * home side stays valid in the other side's copy.
 */
#include "sim/time/memsys_l2.h"

#include <stdlib.h>
#include <string.h>

enum { L2_FILLS = 1 << 16 };

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
    memory->atomic_float_ticks = ticks_of_millicycles(arch->atomic_float_millicycles);
    if (memory->has_l2)
        memory->sector_ticks =
            (ticks_of_kilobyte(arch->l2_megabytes_per_s, arch->l2_slices, arch->sm_clock_khz) +
             16) /
            32;
    memory->store_ticks = ticks_of_millicycles(arch->l2_store_millicycles);
    memory->partial_ticks = ticks_of_millicycles(arch->l2_partial_millicycles);
    if (memory->has_l2 && arch->l2_lookups_per_us)
        memory->lookup_ticks = (uint64_t)(TICKS_PER_CYCLE * arch->l2_slices * arch->sm_clock_khz /
                                          (arch->l2_lookups_per_us * 1000));
}

void memsys_forget(struct memsys *memory)
{
    for (uint32_t i = 0; i < memory->sides && memory->has_l2; i++)
        cache_clear(&memory->l2[i]);
    memset(memory->waiting, 0, sizeof memory->waiting);
    memset(memory->written, 0, (memory->written_mask + (size_t)1) * sizeof *memory->written);
}

static uint32_t share_of_lines(const struct cache *l2, int64_t permille)
{
    const uint32_t lines = (uint32_t)((uint64_t)l2->sets * l2->ways * (uint64_t)permille / 1000);
    return permille && lines == 0 ? 1 : lines;
}

static bool init_l2(struct memsys *memory, const struct arch *arch)
{
    uint64_t bytes = (uint64_t)(arch->l2_bytes * arch->l2_usable_permille / 1000) / memory->sides;
    for (uint32_t i = 0; i < memory->sides && memory->has_l2; i++)
        if (!cache_init(&memory->l2[i], bytes, (uint32_t)arch->l2_ways, CACHE_HASHED_RUNS,
                        L2_FILLS))
            return false;
    memory->written_mask = 1;
    while (memory->has_l2 && (uint64_t)memory->written_mask * LINE_BYTES < (uint64_t)arch->l2_bytes)
        memory->written_mask *= 2;
    /* All 0, and untouched until lines are stored to in part: 4 MB less for an H200. */
    memory->written = calloc(memory->written_mask, sizeof *memory->written);
    memory->written_mask -= 1;
    memory->clean_ways = (uint32_t)arch->l2_clean_ways < memory->l2[0].ways
                             ? (uint32_t)arch->l2_clean_ways
                             : memory->l2[0].ways - 1;
    memory->dirty_most = share_of_lines(&memory->l2[0], arch->l2_dirty_permille);
    memory->partial_most = share_of_lines(&memory->l2[0], arch->l2_partial_permille);
    return memory->written != NULL;
}

bool memsys_init(struct memsys *memory, const struct arch *arch)
{
    *memory = (struct memsys){
        .map = address_map_for(arch),
        .dram = dram_times_for(arch),
        .sides = arch->l2_sides == 2 ? 2 : 1,
        .partition_count = (uint32_t)arch->dram_partitions,
        .has_l2 = arch->l2_bytes > 0 && arch->l2_slices > 0,
        .partial_write_reads = (uint8_t)arch->partial_write_reads,
        .sector_pairs = (uint8_t)(arch->dram_access_bytes / SECTOR_BYTES),
        .sector_latency = ticks_of_cycles(arch->l2_sector_cycles),
        .store_turn = ticks_of_cycles(arch->l2_store_turn_cycles),
    };
    set_latencies(memory, arch);
    memory->partitions = calloc(memory->partition_count, sizeof *memory->partitions);
    memory->banks =
        calloc((size_t)memory->partition_count * memory->map.banks, sizeof *memory->banks);
    memory->slices = calloc(memory->map.slices, sizeof *memory->slices);
    memory->turns = calloc(STORE_TURNS, sizeof *memory->turns);
    memory->atomic_turns = calloc(ATOMIC_TURNS, sizeof *memory->atomic_turns);
    if (!memory->turns || !memory->atomic_turns || !memory->partitions || !memory->banks ||
        !memory->slices || !init_l2(memory, arch)) {
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
    free(memory->turns);
    free(memory->atomic_turns);
    cache_free(&memory->l2[0]);
    cache_free(&memory->l2[1]);
    *memory = (struct memsys){0};
}

/* ---- The host -------------------------------------------------------------------------------- */

static uint64_t host_ticks(const struct memsys *memory, uint32_t bytes)
{
    return (bytes * memory->host_kilobyte_ticks + 512) >> 10;
}

static uint64_t take_host(struct memsys *memory, struct port *port, uint32_t bytes, uint64_t now)
{
    uint64_t busy = host_ticks(memory, bytes);
    memory->busy[USE_HOST] += busy;
    uint64_t at = port_take(port, now, busy);
    timeline_note(memory->watched, TIMELINE_HOST, at, at);
    return at;
}

/* ---- What SMs ask ---------------------------------------------------------------------------- */

uint64_t memsys_after_first(const struct memsys *memory, uint32_t sectors)
{
    return (sectors_count(sectors) - 1) * memory->sector_latency;
}

uint64_t memsys_load(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    if (r->host) {
        uint32_t bytes = SECTOR_BYTES * sectors_count(r->sectors);
        judge_site(memory->judge, r->site)->host_read_bytes += bytes;
        return take_host(memory, &memory->host_read, bytes, now) + memory->host_latency;
    }
    if (memory->has_l2)
        return memsys_load_l2(memory, r, now) + memsys_after_first(memory, r->sectors);
    struct place_in_memory place = memsys_place(memory, r->line);
    uint64_t at =
        memsys_read_dram(memory, &place, r->line, r->sectors, r->site, now + memory->there);
    memsys_note_arrival(memory, now + memory->there, TIMELINE_DRAM, at);
    return at + memory->dram_back;
}

uint64_t memsys_store(struct memsys *memory, const struct memsys_request *r, uint64_t now)
{
    if (r->host) {
        uint32_t bytes = SECTOR_BYTES * sectors_count(r->sectors);
        judge_site(memory->judge, r->site)->host_write_bytes += bytes;
        return take_host(memory, &memory->host_write, bytes, now);
    }
    if (memory->has_l2)
        return memsys_store_l2(memory, r, now);
    struct place_in_memory place = memsys_place(memory, r->line);
    uint64_t at =
        memsys_write_dram(memory, &place, r->line, r->sectors, r->site, now + memory->there);
    memsys_note_arrival(memory, now + memory->there, TIMELINE_DRAM, at);
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
