/* array_table.c - arrays by address. See array_table.h. */
#include "trace_io/array_table.h"

#include <stdlib.h>
#include <string.h>

#include "stream/addresses.h"
#include "text/list.h"
#include "text/memory.h"

enum { MANAGED_ALIGN = MANAGED_BLOCK_PAGES * MANAGED_PAGE_BYTES };

static const char no_memory[] = "no memory for the arrays";

void array_table_free(struct array_table *table)
{
    free(table->arrays);
    free(table->fresh);
    free(table->ranges);
    free(table->first_page);
    free(table->pages);
    *table = (struct array_table){0};
}

static bool grow_arrays(struct array_table *table)
{
    size_t fresh_room = table->room;
    return list_grow(&table->fresh, &fresh_room, sizeof *table->fresh) &&
           list_grow(&table->arrays, &table->room, sizeof *table->arrays);
}

/* Behind those of the same address, so that the order of a stream stays. */
static void insert(struct array_table *table, const struct trace_array *array)
{
    size_t at = table->count++;
    for (; at > 0 && table->arrays[at - 1].base > array->base; at--) {
        table->arrays[at] = table->arrays[at - 1];
        table->fresh[at] = table->fresh[at - 1];
    }
    table->arrays[at] = *array;
    table->fresh[at] = true;
}

const char *array_table_add(struct array_table *table, const char *name, const uint64_t *base,
                            uint64_t bytes, enum array_home home)
{
    struct trace_array array = {.name = name, .bytes = bytes, .home = (uint8_t)home};
    if (table->count == ARRAYS_MOST)
        return "more than 4096 arrays; allowed: 4096 at a time";
    if (table->count == table->room && !grow_arrays(table))
        return no_memory;
    array.base =
        base ? *base
             : DEVICE_BASE_ADDRESS +
                   array_offset(table->end, home == HOME_MANAGED ? MANAGED_ALIGN : ARRAY_ALIGN);
    if (bytes == 0 || bytes > ARRAY_ADDRESS_END || array.base > ARRAY_ADDRESS_END - bytes)
        return "the array ends above the addresses there are; allowed: 1 byte and more, below 2^48";
    uint64_t end = array.base + bytes;
    if (end > DEVICE_BASE_ADDRESS && end - DEVICE_BASE_ADDRESS + ARRAY_GAP > table->end)
        table->end = end - DEVICE_BASE_ADDRESS + ARRAY_GAP;
    insert(table, &array);
    return NULL;
}

static bool is_table_of(const struct array_table *table, const struct launch_info *launch)
{
    if (table->count != launch->array_count)
        return false;
    for (size_t i = 0; i < table->count; i++) {
        const struct trace_array *a = &table->arrays[i], *b = &launch->arrays[i];
        if (a->base != b->base || a->bytes != b->bytes || a->home != b->home ||
            strcmp(a->name, b->name) != 0)
            return false;
    }
    return true;
}

const char *array_table_take(struct array_table *table, struct names *names,
                             const struct launch_info *launch, bool *changed)
{
    *changed = !is_table_of(table, launch);
    if (!*changed)
        return NULL;
    array_table_clear(table);
    for (size_t i = 0; i < launch->array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        const char *name = names_keep(names, array->name, strlen(array->name));
        if (name == NULL)
            return "the name of an array is too long, or there are too many names";
        if (array->home > HOME_MANAGED)
            return "an array of an unknown home";
        const char *error =
            array_table_add(table, name, &array->base, array->bytes, (enum array_home)array->home);
        if (error)
            return error;
    }
    return NULL;
}

void array_table_clear(struct array_table *table)
{
    table->count = 0;
}

size_t array_table_find(const struct array_table *table, const char *name,
                        const struct trace_array **found)
{
    size_t count = 0;
    for (size_t i = 0; i < table->count; i++)
        if (table->arrays[i].name == name && count++ == 0)
            *found = &table->arrays[i];
    return count;
}

const struct trace_array *array_table_at(const struct array_table *table, uint64_t addr)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->arrays[middle].base <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    const struct trace_array *array = low ? &table->arrays[low - 1] : NULL;
    return array && addr - array->base < array->bytes ? array : NULL;
}

uint8_t array_home_flags(enum array_home home)
{
    return home == HOME_HOST ? ACCESS_HOST : home == HOME_MANAGED ? ACCESS_MANAGED : 0;
}

/* ---- Managed memory -------------------------------------------------------------------------- */

uint64_t array_table_range_pages(const struct managed_range *range)
{
    uint64_t last = (range->address + range->bytes - 1) >> MANAGED_PAGE_LOG2;
    return last - (range->address >> MANAGED_PAGE_LOG2) + 1;
}

static bool grow_ranges(struct array_table *table)
{
    size_t first_page_room = table->range_room;
    return list_grow(&table->first_page, &first_page_room, sizeof *table->first_page) &&
           list_grow(&table->ranges, &table->range_room, sizeof *table->ranges);
}

/* The last range gets pages, none of which was touched yet. */
static const char *begin_pages(struct array_table *table)
{
    uint64_t count = array_table_range_pages(&table->ranges[table->range_count - 1]);
    if (count > MANAGED_PAGES_MOST - table->page_end)
        return "more than 16 GB of managed memory with pages told";
    size_t end = table->page_end + (size_t)count;
    if (end > table->page_room) {
        uint8_t *pages = memory_grow(table->pages, end);
        if (pages == NULL)
            return no_memory;
        table->pages = pages;
        table->page_room = end;
    }
    memset(table->pages + table->page_end, 0, (size_t)count);
    table->first_page[table->range_count - 1] = table->page_next = table->page_end;
    table->page_end = end;
    return NULL;
}

uint64_t array_table_run(const struct managed_range *range, uint64_t page)
{
    uint64_t count = array_table_range_pages(range), end = page;
    while (end < count && range->touched[end] == range->touched[page])
        end++;
    return end - page;
}

static const char *check_range(struct array_table *table, const struct managed_range *range)
{
    const char *error = array_table_managed(table, range->address, range->bytes);
    uint64_t count = error == NULL && range->touched ? array_table_range_pages(range) : 0;
    if (count)
        error = array_table_pages(table, 0, 0);
    for (uint64_t page = 0; page < count && error == NULL; page++)
        if (range->touched[page] & ~(MANAGED_TOUCHED | MANAGED_PREFETCHED | MANAGED_SET))
            error = "a managed page with unknown bits";
    return error;
}

const char *array_table_check_managed(const struct launch_info *launch)
{
    struct array_table table = {0};
    const char *error = NULL;
    for (size_t i = 0; i < launch->managed_count && error == NULL; i++)
        error = check_range(&table, &launch->managed[i]);
    array_table_free(&table);
    return error;
}

bool array_table_has_managed(const struct array_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->arrays[i].home == HOME_MANAGED)
            return true;
    return false;
}

static const char *add_range(struct array_table *table, uint64_t address, uint64_t bytes)
{
    if (bytes == 0 || bytes > ARRAY_ADDRESS_END || address > ARRAY_ADDRESS_END - bytes)
        return "managed memory above the addresses there are; allowed: 1 byte and more, below 2^48";
    if (table->range_count == ARRAYS_MOST)
        return "more than 4096 pieces of managed memory";
    if (table->range_count == table->range_room && !grow_ranges(table))
        return no_memory;
    table->ranges[table->range_count] = (struct managed_range){address, bytes, NULL};
    table->first_page[table->range_count++] = SIZE_MAX;
    return NULL;
}

const char *array_table_managed(struct array_table *table, uint64_t address, uint64_t bytes)
{
    table->managed_told = true;
    return add_range(table, address, bytes);
}

const char *array_table_managed_none(struct array_table *table)
{
    table->managed_told = true;
    return table->range_count ? "'none' besides managed memory; allowed: one or the other" : NULL;
}

const char *array_table_pages(struct array_table *table, uint64_t count, uint8_t bits)
{
    const char *error = NULL;
    if (table->range_count == 0)
        return "pages of no managed memory; write 'managed' first";
    if (table->first_page[table->range_count - 1] == SIZE_MAX)
        error = begin_pages(table);
    if (error)
        return error;
    if (count > table->page_end - table->page_next)
        return "more pages than the managed memory has: a page is 4096 bytes";
    memset(table->pages + table->page_next, bits, (size_t)count);
    table->page_next += (size_t)count;
    return NULL;
}

/* What was not told: all managed arrays. */
static const char *add_managed_arrays(struct array_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct trace_array *array = &table->arrays[i];
        if (array->home != HOME_MANAGED)
            continue;
        const char *error = add_range(table, array->base, array->bytes);
        if (error == NULL && table->fresh[i])
            error = array_table_pages(
                table, array_table_range_pages(&table->ranges[table->range_count - 1]),
                MANAGED_TOUCHED);
        if (error)
            return error;
    }
    return NULL;
}

const char *array_table_launch(struct array_table *table, struct launch_info *launch)
{
    const char *error = table->managed_told ? NULL : add_managed_arrays(table);
    for (size_t i = 0; i < table->range_count; i++)
        table->ranges[i].touched =
            table->first_page[i] == SIZE_MAX ? NULL : table->pages + table->first_page[i];
    for (size_t i = 0; i < table->count; i++)
        table->fresh[i] = false;
    launch->arrays = table->arrays;
    launch->array_count = table->count;
    launch->managed = table->range_count ? table->ranges : NULL;
    launch->managed_count = table->range_count;
    table->managed_told = false;
    table->range_count = table->page_next = table->page_end = 0;
    return error;
}
