/* events.h - the inside of the tracer: what lanes do, as events in columns. */
#ifndef WARPLENS_TRACER_EVENTS_H
#define WARPLENS_TRACER_EVENTS_H

#include <stdint.h>

#include "sim/rules/access.h"

enum { EVENT_ROWS = 256 /* events a lane can run ahead */ };

/* One event of one lane, 64 bits and an address:
 *
 *   63     56 55     48 47  45  44   43  42   40 39   37 36     32 31              0
 *   |  part  |  depth  | kind |sync|r-o | space |  op   | log2 w  | program counter |
 *
 * The two highest bits of the width's are those of atomics that add floats, and the constant 1; r-o is of atomics
 * that a warp's lanes carry out together where they have one address (combine.h).
 *
 * part: which word of a split access; depth: calls below the kernel. Lanes whose events agree in
 * all 64 bits are at the same instruction. The program counter is relative to the program's load
 * address; a jump back has its target there, and where it comes from as its address.
 *
 * The address has the lane's work since its event before in the high bits:
 *
 *   |63  48|47              0|
 *   | work | simulated address |
 *
 * A jump back has the lane's lag (work/work.h) since its jump before in bits 47 to 32.
 */
/* A fence has its enum sync_kind where an access has its width, EVENT_COPY_STEP its enum copy_step. EVENT_COPY is an
 * asynchronous copy as an access of its source: its `value` has the destination and the bytes (async_copies.c). EVENT_BULK is what a lane
 * does about bulk copies and barriers in shared memory (bulk/bulk_events.c). */
enum event_kind {
    EVENT_ACCESS,
    EVENT_JUMP_BACK,
    EVENT_CALL,
    EVENT_WARP_OP,
    EVENT_FENCE, /* nothing waits for those from here on */
    EVENT_COPY,
    EVENT_COPY_STEP,
    EVENT_BULK
};
enum {
    EVENT_WIDTH_SHIFT = 32,
    EVENT_FLOAT_SHIFT = 35,
    EVENT_INCREMENT_SHIFT = 36,
    EVENT_OP_SHIFT = 37,
    EVENT_SPACE_SHIFT = 40,
    EVENT_READ_ONLY_SHIFT = 43,
    EVENT_COMBINES_SHIFT = EVENT_READ_ONLY_SHIFT,
    EVENT_SYNC_SHIFT = 44,
    EVENT_KIND_SHIFT = 45,
    EVENT_DEPTH_SHIFT = 48,
    EVENT_PART_SHIFT = 56,
    EVENT_WORK_SHIFT = 48, /* of the address */
    EVENT_LAG_SHIFT = 32,  /* the same */
};
enum { EVENT_WIDTH_MASK = 7, EVENT_SYNC_KIND_MASK = 15 };
#define EVENT_ADDR_MASK ((1ULL << EVENT_WORK_SHIFT) - 1)

static inline enum event_kind event_kind(uint64_t meta)
{
    return (enum event_kind)(meta >> EVENT_KIND_SHIFT & 7);
}

/* Event k of lane i of the warp is at [k][i]: a row whose lanes agree is a warp access as it
 * stands. */
struct event_rows {
    _Alignas(64) uint64_t meta[EVENT_ROWS][WARP_LANES];
    _Alignas(64) uint64_t addr[EVENT_ROWS][WARP_LANES];
    _Alignas(64)
        uint64_t value[EVENT_ROWS][WARP_LANES]; /* of stores, when the sink wants them; of copies */
};
#define VALUE_UNKNOWN UINT64_MAX /* known ones have 32 bits */

extern struct event_rows event_rows;
enum { EVENT_ADDR_OFFSET = EVENT_ROWS * WARP_LANES, EVENT_VALUE_OFFSET = 2 * EVENT_ADDR_OFFSET };

#endif
