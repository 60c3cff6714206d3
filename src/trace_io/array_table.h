/* array_table.h - the arrays of a trace and what the host did to the managed ones: what readers of
 * traces collect for a launch, and what writers compare a launch with. Memory is bounded.
 */
#ifndef WARPLENS_TRACE_IO_ARRAY_TABLE_H
#define WARPLENS_TRACE_IO_ARRAY_TABLE_H

#include "stream/managed_range.h"
#include "stream/stream.h"
#include "trace_io/names.h"

enum { ARRAYS_MOST = 4096, MANAGED_PAGES_MOST = 1 << 22 }; /* 16 GB of managed memory */
#define ARRAY_ADDRESS_END (UINT64_C(1) << 48)

struct array_table {
    struct trace_array *arrays; /* owned, by address */
    bool *fresh;                /* owned: no launch has had it yet */
    size_t count, room;
    uint64_t end; /* no array that was placed here lies above; an offset from the first one */

    /* Of the next launch. */
    bool managed_told; /* the trace says what is managed */
    struct managed_range *ranges;
    size_t *first_page; /* owned: where the pages of a range begin; SIZE_MAX: it has none */
    size_t range_count, range_room;
    uint8_t *pages;                        /* owned */
    size_t page_next, page_end, page_room; /* where the next page told goes; taken; allocated */
};

void array_table_free(struct array_table *table);

/* Adds an array behind all others, as cudaMalloc does, or at `*base`. `name` stays the caller's.
 * NULL, or what is wrong. */
const char *array_table_add(struct array_table *table, const char *name, const uint64_t *base,
                            uint64_t bytes, enum array_home home);

/* Makes the table that of a launch, for writers; the names go to `names`. *changed: it was another
 * one before. NULL, or what a reader would find wrong. */
const char *array_table_take(struct array_table *table, struct names *names,
                             const struct launch_info *launch, bool *changed);

/* Forgets all arrays; their addresses are not used again. */
void array_table_clear(struct array_table *table);

/* How many arrays have that name (of one struct names); *found becomes the first. */
size_t array_table_find(const struct array_table *table, const char *name,
                        const struct trace_array **found);

/* The array that holds an address; NULL: none. */
const struct trace_array *array_table_at(const struct array_table *table, uint64_t addr);

/* ACCESS_... of accesses to an array of that home. */
uint8_t array_home_flags(enum array_home home);

/* The next launch has managed memory there. NULL, or what is wrong. */
const char *array_table_managed(struct array_table *table, uint64_t address, uint64_t bytes);

/* The next launch has none. */
const char *array_table_managed_none(struct array_table *table);

/* `count` further pages of the range that was told last, each with these bits. */
const char *array_table_pages(struct array_table *table, uint64_t count, uint8_t bits);

/* Puts arrays and managed memory into a launch; valid until the next call. What was not told: each
 * managed array; before its first launch the host has touched all of it. */
const char *array_table_launch(struct array_table *table, struct launch_info *launch);

/* Pages that a range lies in. */
uint64_t array_table_range_pages(const struct managed_range *range);

/* How many pages from `page` on have the same bits; the range has pages. */
uint64_t array_table_run(const struct managed_range *range, uint64_t page);

/* What a reader would find wrong in the managed memory of a launch; NULL: nothing. */
const char *array_table_check_managed(const struct launch_info *launch);

bool array_table_has_managed(const struct array_table *table);

#endif
