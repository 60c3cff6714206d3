/* bulk_parts.h - the inside of bulk copies: what those within a cluster share with the others. */
#ifndef WARPLENS_TRACER_BULK_BULK_PARTS_H
#define WARPLENS_TRACER_BULK_BULK_PARTS_H

#include "tracer/engine.h"

/* Ends the launch where a row's size or places are impossible. */
void bulk_check_row(const void *to, const void *from, unsigned bytes, uintptr_t pc);
/* Checks the bytes and notes those that are written; where they are in their block's shared memory. */
uint64_t bulk_shared_place(const void *pointer, unsigned bytes, enum mem_op op, uintptr_t pc);
struct bulk_copy bulk_row_of(uint64_t shared, unsigned bytes);
/* A load, whole: checked, carried out, told; `more` other blocks get the same. Of a box the bytes of shared memory that it takes, and *bytes: that come to the barrier. */
void bulk_load_row(void *to, const void *from, unsigned bytes, void *barrier, unsigned more,
                   uintptr_t pc);
uint32_t bulk_load_box(void *to, const void *map, unsigned rank, const int *at, void *barrier,
                       unsigned more, uint32_t *bytes, uintptr_t pc);

#endif
