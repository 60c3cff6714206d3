/* array_table.h - arrays that a trace file tells of only by copies to the device: ranges of
 * addresses, in their order. Ranges that overlap are one array, with the name of the earlier.
 */
#ifndef WARPLENS_TRACE_IO_ARRAY_TABLE_H
#define WARPLENS_TRACE_IO_ARRAY_TABLE_H

#include "trace/stream.h"

enum { ARRAYS_MAX = 1 << 14, ARRAY_NAME_BYTES = 16 };

struct array_table {
    struct trace_array *arrays; /* by address; names point to `names` */
    char (*names)[ARRAY_NAME_BYTES];
    size_t count;
    uint32_t named;
};

bool array_table_start(struct array_table *table);
void array_table_free(struct array_table *table);

/* Adds [base, base + bytes), called htod0, htod1, ... in the order of these calls. False when there
 * are too many. */
bool array_table_add(struct array_table *table, uint64_t base, uint64_t bytes);

/* The name of the array that holds the address; "" when none does. */
const char *array_table_find(const struct array_table *table, uint64_t addr);

#endif
