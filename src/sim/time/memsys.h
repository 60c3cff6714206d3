/* memsys.h - everything beyond the SMs: the way to L2, its slices, the DRAM partitions, the host.
 *
 * Loads return the time at which the data is back at the SM; on an idle GPU that is the latency of
 * the model file to the tick. Stores return the time at which they are taken. GPUs without an L2
 * (sm_1x) send transactions straight to their partitions.
 *
 * Where the L2 has two partitions ("sides"), each SM asks its own side. A line whose home is the
 * other side is looked up there next and kept on both, as measured on an H200: data that all SMs
 * read has only half of the L2.
 */
#ifndef WARPLENS_SIM_TIME_MEMSYS_H
#define WARPLENS_SIM_TIME_MEMSYS_H

#include "sim/rules/address_map.h"
#include "sim/rules/judge.h"
#include "sim/time/cache.h"
#include "sim/time/dram.h"
#include "sim/time/timeline_recorder.h"
#include "result/usage.h"

/* Words written of a line of which some sector is incomplete; 0: of no line. */
struct written_words {
    uint32_t line, words;
};

/* Lines stored to in part: when each takes the next such store. Lines share places. */
enum { STORE_TURNS = 4096 };
struct store_turn {
    uint32_t line;
    uint64_t next; /* ticks */
};

/* Sectors with atomics of floats: when the next one begins. They share places. */
enum { ATOMIC_TURNS = 4096 };

struct site_partition {
    uint32_t site, partition;
};

/* Lines of L2 that are to be written back, and those of them that lack bytes. */
struct l2_waiting {
    uint32_t dirty, partial;
};

struct memsys {
    struct address_map map;
    struct dram_times dram;
    struct dram_partition *partitions;
    struct dram_bank *banks;
    struct cache l2[2]; /* by side */
    struct written_words *written;
    uint32_t written_mask; /* size of that table - 1: about as many places as L2 has lines */
    struct port *slices;
    struct port host_read, host_write;
    uint32_t sides, partition_count;
    uint64_t there, l2_back, dram_back, far; /* ticks: latencies from SM to slice, and back */
    uint64_t sector_ticks;                   /* of a slice, for each sector */
    uint64_t lookup_ticks;                   /* ... for a request, at least; 0: as its sectors */
    uint64_t store_ticks,
        partial_ticks; /* ... for each sector of a store, whole or in part, beside its lookup; 0: as a load's */
    uint64_t sector_latency;           /* ticks, for each sector of a load after the first */
    uint64_t store_turn;               /* ticks between two stores in part to one line; 0: none */
    struct store_turn *turns;          /* STORE_TURNS of them */
    uint32_t clean_ways;               /* of a set, the least recently used ones */
    struct l2_waiting waiting[2];      /* by side */
    uint32_t dirty_most, partial_most; /* lines of a side; 0: all */
    uint64_t atomic_ticks;           /* of a slice: a pass, one lane on each address of a sector */
    uint64_t atomic_float_ticks;     /* between two additions of floats in one sector */
    struct store_turn *atomic_turns; /* ATOMIC_TURNS of them, by sector */
    uint64_t host_latency, host_kilobyte_ticks;
    bool has_l2;
    uint8_t partial_write_reads;   /* as in arch_fields.def */
    uint8_t sector_pairs;          /* sectors that come with one that is read: 1, 2 or 4 */
    struct timeline_step *watched; /* whose requests are noted; NULL: nobody's */
    /* Counters by site, as the caller keeps them; set anew whenever they move. */
    struct judge *judge;  /* the counters by site */
    uint64_t *site_bytes; /* by site and partition, since the window began */
    struct site_partition
        *in_window; /* those of site_bytes that are not 0; the caller's, with room for all */
    /* Apart from what the SMs' thread reads. */
    _Alignas(64) size_t in_window_count;
    uint64_t busy[USE_COUNT]; /* ticks, of what lies beyond the SMs */
    _Alignas(64) char end[64];
};

/* One request of an SM: sectors of a line. */
struct memsys_request {
    uint32_t line;  /* cache_line_number() */
    uint32_t words; /* stores: written 4-byte words */
    uint32_t site;
    uint8_t sectors, side;
    bool host;  /* a zero-copy array */
    bool alone; /* DRAM is read for these sectors alone, without what else an access of it moves */
};

/* False when memory is short. */
bool memsys_init(struct memsys *memory, const struct arch *arch);
void memsys_free(struct memsys *memory);

/* Empties L2 without writing it back. */
void memsys_forget(struct memsys *memory);

/* `now`: when the request leaves the SM. */
uint64_t memsys_load(struct memsys *memory, const struct memsys_request *request, uint64_t now);

/* Ticks by which the last of a load's sectors comes from L2 behind the first. */
uint64_t memsys_after_first(const struct memsys *memory, uint32_t sectors);
uint64_t memsys_store(struct memsys *memory, const struct memsys_request *request, uint64_t now);

/* An atomic's lanes in a line. */
struct memsys_lanes {
    uint8_t most[LINE_SECTORS]; /* on one address, by sector */
    bool add_floats;
};

/* Returns when an atomic's result is back. */
uint64_t memsys_atomic(struct memsys *memory, const struct memsys_request *request,
                       const struct memsys_lanes *lanes, uint64_t now);

/* At the end of a launch: when all partitions are through with what they were given. Dirty lines
 * stay in L2, as they do on the GPU. */
uint64_t memsys_drain(struct memsys *memory, uint64_t now);

#endif
