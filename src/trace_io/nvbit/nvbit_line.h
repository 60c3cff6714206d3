/* nvbit_line.h - a line of NVBit's mem_trace: a launch, an access of a warp, or anything else, since
 * the traced program prints to the same place.
 *
 *   MEMTRACE: CTX 0x... - LAUNCH - Kernel pc 0x... - Kernel name NAME - grid launch id 0
 *       - grid size 4,1,1 - block size 256,1,1 - nregs 16 - shmem 0 - cuda stream id 0
 *   MEMTRACE: CTX 0x... - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E.64 - 0x... (32 of them)
 *
 * and, in its first versions,
 *
 *   Kernel NAME - grid size 4,1,1 - block size 256,1,1 - nregs 16 - shmem 0 - cuda stream id 0
 *   CTA 0,0,0 - warp 0 - LDG.E.64 - 0x... (32 of them)
 *
 * Decisions. NAME may hold anything, " - " too, so fields are taken from both ends. A launch may
 * stand on several lines, up to the one with the stream's id. A line that begins like one of these
 * and goes on otherwise is an error, but for the first versions' forms, which have no mark of their
 * own: what does not fit them whole is the program's.
 */
#ifndef WARPLENS_TRACE_IO_NVBIT_NVBIT_LINE_H
#define WARPLENS_TRACE_IO_NVBIT_NVBIT_LINE_H

#include "stream/input.h"
#include "trace_io/trace_record.h"

enum { NVBIT_LAUNCH_BYTES = 8000 };

enum nvbit_kind { NVBIT_NOTHING, NVBIT_LAUNCH, NVBIT_ACCESS };

struct nvbit_line {
    uint64_t context, launch_id;
    bool marked;               /* has both: not of the first versions */
    struct launch_info launch; /* NVBIT_LAUNCH; its kernel is in launch_text */
    uint32_t cta[3], warp;     /* NVBIT_ACCESS */
    const char *opcode;        /* in the line */
    struct lane_row row;       /* active: lanes whose address is not 0 */
    size_t launch_used;        /* bytes of a launch that is not whole yet */
    char launch_text[NVBIT_LAUNCH_BYTES];
};

/* What the text is, which it changes; with input->failed set, NVBIT_NOTHING. */
enum nvbit_kind nvbit_line_read(struct trace_input *input, char *text, struct nvbit_line *line);

#endif
