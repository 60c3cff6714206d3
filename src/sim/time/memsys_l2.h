/* memsys_l2.h - slices, sides and what lies behind them: for memsys.c and memsys_l2.c. */
#ifndef WARPLENS_SIM_TIME_MEMSYS_L2_H
#define WARPLENS_SIM_TIME_MEMSYS_L2_H

#include "sim/time/memsys.h"
#include "sim/rules/sectors.h"

/* For the timeline: a request arrives where `stage` begins with it at `at`. One comparison for both. */
static inline void memsys_note_arrival(struct memsys *memory, uint64_t arrival,
                                       enum timeline_stage stage, uint64_t at)
{
    if (memory->watched == NULL)
        return;
    timeline_add(memory->watched, TIMELINE_ARRIVAL, arrival, arrival);
    timeline_add(memory->watched, stage, at, at);
}

/* Where a line belongs. */
struct place_in_memory memsys_place(const struct memsys *memory, uint64_t line);

/* Sectors of a line, in one row: when their data begins to move; when a write is taken. */
uint64_t memsys_read_dram(struct memsys *memory, const struct place_in_memory *place, uint64_t line,
                          uint32_t sectors, uint32_t site, uint64_t now);
uint64_t memsys_write_dram(struct memsys *memory, const struct place_in_memory *place,
                           uint64_t line, uint32_t sectors, uint32_t site, uint64_t now);

/* Keeps an L2 slice for some sectors; when it begins. */
uint64_t memsys_take_slice(struct memsys *memory, uint32_t slice, uint32_t sectors, uint64_t now);

/* The side that a line's home slice is on. */
uint32_t memsys_home_side(const struct memsys *memory, uint32_t slice);

/* A load at its home side: hit, which is counted in *hits, or from DRAM. */
uint64_t memsys_load_at_home(struct memsys *memory, const struct memsys_request *r,
                             const struct place_in_memory *place, uint64_t *hits, uint64_t now);

/* After a line of a side was stored to, which was `before`: counts it, and writes back what may not wait any longer. */
void memsys_note_stored(struct memsys *memory, uint32_t side, struct cache_line before,
                        const struct cache_line *line, uint64_t now);

/* Loads and stores of GPUs that have an L2. */
uint64_t memsys_load_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now);
uint64_t memsys_store_l2(struct memsys *memory, const struct memsys_request *r, uint64_t now);

#endif
