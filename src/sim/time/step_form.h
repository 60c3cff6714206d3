/* step_form.h - how steps are packed: the inside of steps.c, which packs them, and of step_cursor.c.
 *
 * A step begins with a head of 2 bytes: its form, and a number. Values are in the machine's own byte order, since they never leave
 * the process. A step never crosses chunks.
 *
 *   EVENT  number: what happens       2 bytes of work and 2 of lag; the number has a wait's groups, too. An asynchronous copy has struct loose
 *                                     instead, and 13 bytes for each active lane; a bulk copy that and itself; a phase
 *                                     has struct step_phase behind its work
 *   NEAR   number: the shape          2 bytes of address (shared memory)
 *   FAR    number: the shape          6 bytes of address
 *   LOOSE  number: how lanes follow   an access without a shape: struct loose, and its active lanes' distances from the base
 *                                     unless it is affine, 4 bytes each when they fit, otherwise 8
 *
 * Against a fixed part of 24 bytes with the distances behind it, a product of 256^3 in 16x16 blocks, modelled from a trace, takes
 * 0.33 s of a processor for 1.78, and the whole process 22 MB for 48.
 */
#ifndef WARPLENS_SIM_TIME_STEP_FORM_H
#define WARPLENS_SIM_TIME_STEP_FORM_H

#include <stdint.h>

#include "sim/time/steps.h"

enum step_form { FORM_EVENT, FORM_NEAR, FORM_FAR, FORM_LOOSE };
enum { FORM_BITS = 2, NEAR_BYTES = 2, FAR_BYTES = 6 };
#define FAR_END (1ULL << 8 * FAR_BYTES)

enum loose_lanes { LOOSE_AFFINE, LOOSE_4_BYTES, LOOSE_8_BYTES };

struct loose {
    uint64_t base;
    int32_t stride;
    uint32_t active;
    uint32_t site;
    uint16_t work;
    uint16_t lag;
    uint8_t width_op; /* width | op << 5 */
    uint8_t space;    /* space | resident lanes differ << 7 */
    uint8_t flags;
    uint8_t loads_left;
};

/* In place of a kind of event; a copy's struct loose has in place of a base how it goes. */
enum { EVENT_KIND_BITS = 4, EVENT_IS_BULK = 14, EVENT_IS_COPY = 15 };

typedef uint16_t step_head;
_Static_assert(STEP_SHAPES_MAX << FORM_BITS <= UINT16_MAX + 1, "a shape's number fits a head");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "short values are read as little-endian");

#endif
