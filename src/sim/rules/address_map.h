/* address_map.h - which slice, partition, bank and row an address belongs to. Pure functions.
 *
 * Consecutive chunks of partition_bytes go to consecutive slices. G80 and GT200: address / 256 mod
 * partitions and nothing else (Ruetsch and Micikevicius 2009), which is what partition camping
 * comes from. From Fermi on the vendor hashes addresses and does not say how. Here each run of as
 * many chunks as there are slices goes to all slices once, begun at a slice that a hash of the run's
 * number picks: sequential access is spread evenly, and no power-of-two stride stays on one slice.
 *
 * An H200's atomics on few bytes show a coarser spread over its L2: 256 bytes are in one slice, 1 KB in two, 2 KB in four
 * (validation/h200_atomic_times.csv). There l2_group_bytes in a row are shared by the slices of one partition, and groups go
 * to the partitions in turn, begun a fixed part of a turn further on in each run: a transpose that stores at 16 KB goes at the rate of all slices
 * together (16.8 million sectors in 526,500 cycles; begun at random it would take 17 % more). DRAM is spread as above all the same: with the groups in one
 * partition of DRAM, strided loads would be 12 % faster than they are.
 */
#ifndef WARPLENS_SIM_RULES_ADDRESS_MAP_H
#define WARPLENS_SIM_RULES_ADDRESS_MAP_H

#include "models/arch.h"

struct address_map {
    uint32_t chunk_log2;    /* log2 of partition_bytes */
    uint32_t slices;        /* L2 slices, or partitions when there is no L2 */
    uint32_t slices_shared; /* slices of one partition */
    uint32_t group_log2;    /* log2 of the chunks in l2_group_bytes; 0: no groups */
    uint32_t
        group_runs_log2; /* log2 of the runs of chunks in which groups go to all partitions once */
    uint32_t partitions; /* slices / slices_shared */
    uint64_t inverse;    /* 2^32 / slices, rounded up */
    uint64_t partition_inverse; /* 2^32 / slices_shared, rounded up */
    uint32_t row_log2;          /* log2 of dram_row_bytes */
    uint32_t banks;
    bool hashed;
};

/* Where an address is: the slice of L2, the partition of DRAM, and which chunk of it: `turn` in the run number `chunk`. */
struct place_in_memory {
    uint32_t slice, partition, turn;
    uint64_t chunk;
};

struct address_map address_map_for(const struct arch *arch);

struct place_in_memory address_map_find(const struct address_map *map, uint64_t addr);

/* The bank of a partition, and the row in it, of an address at `place`. */
struct dram_row {
    uint32_t bank;
    uint64_t row;
};
struct dram_row address_map_row(const struct address_map *map, const struct place_in_memory *place,
                                uint64_t addr);

#endif
