/* accelsim_line.h - a line of a warp in a .traceg file: one instruction.
 *
 *   [x y z warp] [line] PC mask dests [R...] opcode sources [R...] width
 *       [mode addresses...] [immediate]
 *
 * Block and warp stand in front in versions 1 and 2 of the tracer, the source line when the header
 * says so. A width that is not 0 means memory. Addresses are those of the active lanes: mode 0, all of
 * them in hexadecimal; mode 1, the first and a decimal stride, for lanes next to each other; mode 2,
 * the first and decimal distances from lane to lane.
 */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_LINE_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_LINE_H

#include "trace_io/sass_opcode.h"
#include "trace_io/trace_record.h"

enum { ACCELSIM_DESTS = 4, ACCELSIM_SOURCES = 8, ACCELSIM_RZ = 255 };

struct accelsim_format {
    uint32_t version; /* of the tracer: 1 to 5 */
    bool has_lines;   /* -enable lineinfo = 1 */
};

struct accelsim_instruction {
    uint32_t cta[3], warp; /* versions 1 and 2 */
    uint32_t line, mask;
    uint64_t pc;
    uint32_t dest_count, source_count;
    uint8_t dests[ACCELSIM_DESTS], sources[ACCELSIM_SOURCES];
    const char *opcode; /* in the line */
    struct sass_opcode does;
    uint32_t width;      /* as it stands there; 0: no memory */
    struct lane_row row; /* active: those of the mask */
};

bool accelsim_line_read(struct trace_input *input, char *text, struct accelsim_format format,
                        struct accelsim_instruction *instruction);

#endif
