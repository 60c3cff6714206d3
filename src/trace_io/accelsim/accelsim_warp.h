/* accelsim_warp.h - a warp's instructions -> records of accesses, barriers and the end.
 *
 * An event's work is the number of instructions since the warp's event before it. What a load writes
 * is followed by register: an instruction that reads it needs the value, so the warp's next event
 * waits for that load and those before. Writing a register over needs nothing.
 */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_WARP_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_WARP_H

#include "trace_io/accelsim/accelsim_line.h"
#include "trace_io/copied_arrays.h"
#include "trace_io/record_sort.h"
#include "trace_io/site_hashes.h"

struct accelsim_kernel {
    struct trace_input *input;
    const struct trace_sink *sink;
    struct record_sort *sort; /* of one block's records */
    struct site_hashes *sites;
    const struct copied_arrays *arrays;
    struct accelsim_format format;
    struct trace_windows windows;
    struct launch_info launch;
    uint32_t threads, warp_count;
    uint64_t blocks, block; /* of the grid; the one that is read */
    char name[4096];
};

struct accelsim_warp {
    uint32_t number, lanes, ended; /* lanes of the block; of these, those that have exited */
    uint32_t round;                /* barriers so far */
    uint32_t work;
    uint64_t loads;                   /* so far */
    uint64_t needed;                  /* the latest load whose value was read; 0: none since the
                                        event before */
    uint64_t loaded[ACCELSIM_RZ + 1]; /* by register: the load that wrote it; 0: something else */
};

void accelsim_warp_start(struct accelsim_warp *warp, const struct accelsim_kernel *kernel,
                         uint32_t number);

/* Adds what the instruction does to the kernel's records. */
bool accelsim_warp_add(struct accelsim_kernel *kernel, struct accelsim_warp *warp,
                       struct accelsim_instruction *instruction);

/* Adds the warp's end. */
bool accelsim_warp_end(struct accelsim_kernel *kernel, struct accelsim_warp *warp);

#endif
