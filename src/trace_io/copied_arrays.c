/* copied_arrays.c - see copied_arrays.h. */
#include "trace_io/copied_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

bool copied_arrays_start(struct copied_arrays *table)
{
    *table = (struct copied_arrays){.arrays = memory_take(COPIED_ARRAYS_MAX, sizeof *table->arrays),
                                    .names = memory_take(COPIED_ARRAYS_MAX, sizeof *table->names)};
    return table->arrays && table->names;
}

void copied_arrays_free(struct copied_arrays *table)
{
    free(table->arrays);
    free(table->names);
    *table = (struct copied_arrays){0};
}

/* How many arrays begin at or before the address. */
static size_t count_up_to(const struct copied_arrays *table, uint64_t addr)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->arrays[middle].base <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t last_byte(const struct trace_array *array)
{
    return array->base + (array->bytes - 1);
}

/* Makes the arrays [first, end) and the range one. */
static void merge(struct copied_arrays *table, size_t first, size_t end, uint64_t base,
                  uint64_t last)
{
    struct trace_array *into = &table->arrays[first];
    uint64_t begins = base < into->base ? base : into->base;
    uint64_t ends = last_byte(&table->arrays[end - 1]);
    for (size_t i = first + 1; i < end; i++) /* names are numbered: the earlier is in front */
        if (table->arrays[i].name < into->name)
            into->name = table->arrays[i].name;
    into->base = begins;
    into->bytes = (last > ends ? last : ends) - begins + 1;
    memmove(into + 1, &table->arrays[end], (table->count - end) * sizeof *into);
    table->count -= end - first - 1;
}

static bool insert(struct copied_arrays *table, size_t at, uint64_t base, uint64_t bytes)
{
    struct trace_array *to = &table->arrays[at];
    char *name = table->names[table->named];
    if (table->named == COPIED_ARRAYS_MAX)
        return false;
    snprintf(name, ARRAY_NAME_BYTES, "htod%u", table->named++);
    memmove(to + 1, to, (table->count++ - at) * sizeof *to);
    *to = (struct trace_array){.name = name, .base = base, .bytes = bytes, .home = HOME_DEVICE};
    return true;
}

bool copied_arrays_add(struct copied_arrays *table, uint64_t base, uint64_t bytes)
{
    uint64_t last = base + (bytes - 1);
    size_t first = count_up_to(table, base), end = count_up_to(table, last);
    if (first && last_byte(&table->arrays[first - 1]) >= base)
        first--;
    if (first == end)
        return insert(table, first, base, bytes);
    merge(table, first, end, base, last);
    return true;
}

const char *copied_arrays_find(const struct copied_arrays *table, uint64_t addr)
{
    size_t at = count_up_to(table, addr);
    if (at == 0 || last_byte(&table->arrays[at - 1]) < addr)
        return "";
    return table->arrays[at - 1].name;
}
