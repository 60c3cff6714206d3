/* sass_opcode.h - the text of a SASS opcode, "LDG.E.64.CONSTANT", and what it does to memory.
 *
 * Sources: the tables of instructions in NVIDIA's "CUDA Binary Utilities"; Accel-Sim's tables of
 * opcodes by binary version (gpu-simulator/ISA_Def) for which of them its reader knows.
 *
 * Decisions. The width of a lane's access stands in a suffix: 8, 16, 32, 64 or 128 bits, with or
 * without a letter for the type in front (U8, S16, F64); none is 32 bits. Packed types (F16x2) are
 * 32 bits. LDSM and STSM move 8x8 matrices of 16-bit elements: 8 lanes for each matrix give the
 * address of a row of 16 bytes, so they are accesses of 16 bytes by 8, 16 or 32 lanes.
 */
#ifndef WARPLENS_TRACE_IO_SASS_OPCODE_H
#define WARPLENS_TRACE_IO_SASS_OPCODE_H

#include "sim/rules/access.h"

enum sass_kind {
    SASS_PLAIN, /* no access to memory that is modelled: arithmetic, branches, fences, hints */
    SASS_MEMORY,
    SASS_BARRIER, /* the warp waits for its block */
    SASS_EXIT,
};

enum { SPACE_GENERIC = SPACE_COUNT }; /* global, shared or local: the address says which */

struct sass_opcode {
    uint8_t kind;  /* enum sass_kind */
    uint8_t space; /* enum mem_space, or SPACE_GENERIC */
    uint8_t op;
    uint8_t width;  /* bytes */
    uint8_t flags;  /* ACCESS_READ_ONLY, ACCESS_VOLATILE; of shared memory ACCESS_INCREMENT */
    uint32_t lanes; /* that can take part */
    bool copies;    /* LDGSTS: global memory -> shared memory */
};

/* False when the opcode's width is none that a lane's access can have. */
bool sass_opcode_read(const char *text, struct sass_opcode *opcode);

enum { SASS_TEXT_BYTES = 48 };

/* An opcode of Accel-Sim's table for sm_70 for an access; false when there is none. */
bool sass_opcode_write(const struct warp_access *access, char text[SASS_TEXT_BYTES]);

#endif
