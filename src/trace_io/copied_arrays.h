/* copied_arrays.h - arrays that a trace file tells of only by copies to the device: ranges of
 * addresses, in their order. Ranges that overlap are one array, with the name of the earlier.
 */
#ifndef WARPLENS_TRACE_IO_COPIED_ARRAYS_H
#define WARPLENS_TRACE_IO_COPIED_ARRAYS_H

#include "stream/stream.h"

enum { COPIED_ARRAYS_MAX = 1 << 14, ARRAY_NAME_BYTES = 16 };

struct copied_arrays {
    struct trace_array *arrays; /* by address; names point to `names` */
    char (*names)[ARRAY_NAME_BYTES];
    size_t count;
    uint32_t named;
};

bool copied_arrays_start(struct copied_arrays *table);
void copied_arrays_free(struct copied_arrays *table);

/* Adds [base, base + bytes), called htod0, htod1, ... in the order of these calls. False when there
 * are too many. */
bool copied_arrays_add(struct copied_arrays *table, uint64_t base, uint64_t bytes);

/* The name of the array that holds the address; "" when none does. */
const char *copied_arrays_find(const struct copied_arrays *table, uint64_t addr);

#endif
