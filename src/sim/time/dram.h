/* dram.h - one DRAM partition (memory channel): a data bus, banks with rows, and a scheduler.
 *
 * Requests are served when they ask; what a first-ready scheduler (FR-FCFS) gains by waiting is
 * told by its window: a row of a bank that one of the partition's last `window` requests used
 * counts as open, since the scheduler would have served the two together. Every other request
 * activates its row: the bank is then busy for a row cycle, and a partition cannot activate more often
 * than every row gap on average. Writes are collected and put on the bus in batches; a batch between reads
 * costs the bus its turn-around twice. Where the way in for writes is narrower than the bus, writes
 * pass through it first.
 */
#ifndef WARPLENS_SIM_TIME_DRAM_H
#define WARPLENS_SIM_TIME_DRAM_H

#include <stdbool.h>

#include "sim/rules/address_map.h"
#include "sim/time/ticks.h"

enum { DRAM_ROWS_KEPT = 8 }; /* rows of a bank that can lie within the window */

struct dram_bank {
    uint64_t free_at;              /* ticks: when the next row can be activated */
    uint64_t opened_at;            /* when the row activated last is open */
    uint32_t row[DRAM_ROWS_KEPT];  /* most recently used first */
    uint32_t used[DRAM_ROWS_KEPT]; /* the partition's request number of that use; 0: none */
};

struct dram_times {
    uint64_t ticks_per_kilobyte;       /* bus, at the efficiency the model file states */
    uint64_t write_ticks_per_kilobyte; /* the way in for writes; 0: no limit of its own */
    uint64_t row_cycle, row_gap, turnaround;
    uint32_t access_bytes, write_batch_bytes, window;
    uint64_t write_gap; /* the same before writes, where they are apart */
    bool writes_apart;  /* writes open rows of their own, also of the same address */
};

struct dram_partition {
    struct port bus, activations, writes;
    struct dram_bank *banks;
    uint32_t requests;   /* served so far */
    uint64_t busy;       /* ticks that the bus was taken, turn-arounds included */
    uint64_t write_busy; /* ticks that the way in for writes was taken */
    uint64_t bytes_read, bytes_written;
    uint64_t row_hits, row_misses;
    uint32_t bytes_waiting; /* written, and not yet on the bus */
    uint64_t write_ticks;   /* of those */
    bool reads_since_batch;
};

struct dram_times dram_times_for(const struct arch *arch);

/* Reads or writes `bytes` in one row, rounded up to whole accesses. Returns when the data begins to
 * move, `now` on an idle partition; for a write, when the partition can take it. */
uint64_t dram_read(struct dram_partition *p, const struct dram_times *times, struct dram_row at,
                   uint32_t bytes, uint64_t now);
uint64_t dram_write(struct dram_partition *p, const struct dram_times *times, struct dram_row at,
                    uint32_t bytes, uint64_t now);

/* At the end of a launch: what is waiting goes on the bus. Returns when bus and banks are through.
 */
uint64_t dram_drain(struct dram_partition *p, const struct dram_times *times, uint32_t banks,
                    uint64_t now);

/* When it would be, for those who only ask: what is waiting still does. */
uint64_t dram_through_at(const struct dram_partition *p, const struct dram_times *times,
                         uint32_t banks, uint64_t now);

#endif
