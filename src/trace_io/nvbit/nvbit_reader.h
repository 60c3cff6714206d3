/* nvbit_reader.h - what nvbit_read.c, which reads lines into records, and nvbit_give.c, which gives
 * sorted records to the sink, know of each other.
 */
#ifndef WARPLENS_TRACE_IO_NVBIT_NVBIT_READER_H
#define WARPLENS_TRACE_IO_NVBIT_NVBIT_READER_H

#include "trace_io/nvbit/nvbit_line.h"
#include "trace_io/record_sort.h"
#include "trace_io/site_hashes.h"

enum {
    NVBIT_LAUNCHES_MAX = 1 << 16,
    NVBIT_OPCODES_MAX = 1024,
    NVBIT_OPCODE_BYTES = 48,
    NVBIT_WARP_IDS = 256,
    NVBIT_IDLE_BLOCKS = 1 << 20, /* blocks without accesses, beyond one for each access */
};

struct nvbit_launch {
    uint64_t context, id;
    uint64_t shared_bytes;
    uint64_t blocks, line;
    uint32_t grid[3], block[3];
    uint32_t registers, threads;
    bool marked;
};

struct nvbit_trace {
    struct trace_input *input;
    const struct trace_sink *sink;
    struct record_sort sort;
    struct site_hashes sites;
    struct nvbit_launch *launches;
    uint32_t launch_count;
    size_t launch_room;
    char (*opcodes)[NVBIT_OPCODE_BYTES];
    uint32_t opcode_count;
    uint64_t accesses;
    struct nvbit_line line;
    char kernel[RECORD_BYTES_MAX]; /* the launch's that is given */
};

/* Keys: launch, block, and in the block first what is known of all of it, then warp by warp. */
enum { NVBIT_SLOT_BITS = 9, NVBIT_LAUNCH_SHIFT = NVBIT_SLOT_BITS + 32 };

static inline uint64_t nvbit_key(uint32_t launch, uint32_t block, uint32_t slot)
{
    return (uint64_t)launch << NVBIT_LAUNCH_SHIFT | (uint64_t)block << NVBIT_SLOT_BITS | slot;
}

/* RECORD_OTHER: with `listed`, a launch, its kernel's name behind the record; otherwise the block's
 * warp numbers are those of the SM. Of an access `site` is the opcode's number and `resident` the
 * lanes whose address was not 0. */

/* Gives everything to the sink; false on an error, or when the sink wants no more. */
bool nvbit_give(struct nvbit_trace *trace);

#endif
