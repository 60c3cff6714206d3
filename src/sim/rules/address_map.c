/* address_map.c - see the header for the decisions. Bank and row follow from the address within the
 * partition: consecutive rows lie in consecutive banks, and on hashed GPUs the bank is hashed with
 * the row as well, the permutation that spreads power-of-two strides over banks (Zhang, Zhu and
 * Zhang, "A permutation-based page interleaving scheme", 2000).
 */
#include "sim/rules/address_map.h"

static uint32_t log2_of(uint64_t value)
{
    return (uint32_t)(63 - __builtin_clzll(value));
}

struct address_map address_map_for(const struct arch *arch)
{
    struct address_map map = {
        .chunk_log2 = log2_of((uint64_t)arch->partition_bytes),
        .slices = (uint32_t)(arch->l2_slices ? arch->l2_slices : arch->dram_partitions),
        .row_log2 = log2_of((uint64_t)arch->dram_row_bytes),
        .banks = (uint32_t)arch->dram_banks,
        .hashed = arch->partition_hashed != 0,
    };
    map.slices_shared = map.slices / (uint32_t)arch->dram_partitions;
    map.slices_shared += map.slices_shared == 0;
    if (arch->l2_group_bytes > arch->partition_bytes)
        map.group_log2 = log2_of((uint64_t)(arch->l2_group_bytes / arch->partition_bytes));
    map.partitions = map.slices / map.slices_shared;
    if (map.group_log2)
        map.group_runs_log2 = map.group_log2 - log2_of(map.slices_shared);
    map.inverse = UINT32_MAX / map.slices + 1ULL;
    map.partition_inverse = UINT32_MAX / map.slices_shared + 1ULL;
    return map;
}

enum { HASH_TOP = 24 }; /* its upper bits are better mixed than its lowest */

static uint32_t hash_of(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15ULL;
    x ^= x >> 32;
    return (uint32_t)((x * 0xd6e8feb86659fd93ULL) >> 32);
}

/* chunk / slices and its remainder, without a division while chunk is below 2^32: the product is the
 * quotient or one more. */
static inline uint64_t divide(const struct address_map *map, uint64_t chunk, uint32_t *remainder)
{
    if (chunk > UINT32_MAX) {
        *remainder = (uint32_t)(chunk % map->slices);
        return chunk / map->slices;
    }
    uint64_t quotient = chunk * map->inverse >> 32;
    int64_t rest = (int64_t)chunk - (int64_t)(quotient * map->slices);
    if (rest < 0) {
        quotient--;
        rest += map->slices;
    }
    *remainder = (uint32_t)rest;
    return quotient;
}

/* One of `count`, `first` of them in front of it, begun a part of a turn further on, in 2^-32. */
static inline uint32_t in_turn(uint32_t begin, uint32_t first, uint32_t count)
{
    const uint32_t at = first + (uint32_t)((uint64_t)begin * count >> 32);
    return at >= count ? at - count : at;
}

/* How much further on each run of groups begins, in 2^-32 of a turn: the fraction of pi, with which strides of a power of two, or next to
 * one, find all partitions evenly. */
enum { GROUP_RUN_STEP = 0x243f6a89 };

/* A run of groups is as many runs of chunks as a group has chunks a slice. `number` is the chunk's, `rest` its place in run
 * `run` of chunks. */
static inline uint32_t slice_of_group(const struct address_map *map, uint64_t number, uint64_t run,
                                      uint32_t rest)
{
    const uint32_t before = (uint32_t)(run & ((1U << map->group_runs_log2) - 1)) * map->slices;
    const uint32_t partition = in_turn((uint32_t)(run >> map->group_runs_log2) * GROUP_RUN_STEP,
                                       (before + rest) >> map->group_log2, map->partitions);
    const uint32_t which = (uint32_t)number ^ hash_of(number >> map->group_log2) >> HASH_TOP;
    return partition * map->slices_shared + (which & (map->slices_shared - 1));
}

struct place_in_memory address_map_find(const struct address_map *map, uint64_t addr)
{
    struct place_in_memory place;
    const uint64_t number = addr >> map->chunk_log2;
    uint32_t rest;
    place.chunk = divide(map, number, &rest);
    place.turn = map->hashed ? in_turn(hash_of(place.chunk), rest, map->slices) : rest;
    place.partition = (uint32_t)(place.turn * map->partition_inverse >> 32); /* exact: few slices */
    place.slice = map->group_log2 ? slice_of_group(map, number, place.chunk, rest) : place.turn;
    return place;
}

struct dram_row address_map_row(const struct address_map *map, const struct place_in_memory *place,
                                uint64_t addr)
{
    uint64_t slice_in_partition = place->turn - (uint64_t)place->partition * map->slices_shared;
    uint64_t chunk = place->chunk * map->slices_shared + slice_in_partition;
    uint64_t local = (chunk << map->chunk_log2) | (addr & ((1ULL << map->chunk_log2) - 1));
    struct dram_row at = {.row = local >> map->row_log2};
    if (map->hashed)
        at.bank = (uint32_t)((uint64_t)hash_of(at.row) * map->banks >> 32);
    else
        at.bank = (uint32_t)at.row % map->banks;
    return at;
}
