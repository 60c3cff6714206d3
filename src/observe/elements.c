/* elements.c - the elements of arrays, found in the strides of the accesses.
 *
 * All addresses of one site are of one field when they differ by multiples of the element's size: the
 * greatest common divisor of a site's differences is a multiple of it, and that of all sites of an array
 * is taken for it. Exact for what was accessed; a kernel that takes every second number of a plain array
 * looks as if elements were twice as wide, which is what it costs. Positions count from the beginning
 * of the array, so arrays whose beginning is not known are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "observe/elements.h"
#include "sim/rules/lanes.h"

struct element_site {
    uint64_t base, end; /* of the array in this launch; end 0: to be looked up */
    uint64_t first;     /* position of its first access in the array */
    uint64_t step;      /* divides all differences so far; 0: there are none */
    bool seen, unknown; /* unknown: in no array */
};

struct element_finder {
    struct trace_array *arrays; /* of the launch; the names are not kept */
    size_t array_count;
    struct element_site sites[OBSERVED_SITES_MAX];
};

struct element_finder *elements_new(void)
{
    return calloc(1, sizeof(struct element_finder));
}

void elements_free(struct element_finder *finder)
{
    if (finder)
        free(finder->arrays);
    free(finder);
}

bool elements_launch(struct element_finder *finder, const struct launch_info *launch)
{
    const size_t bytes = launch->array_count * sizeof *launch->arrays;
    free(finder->arrays);
    finder->array_count = 0;
    finder->arrays = malloc(bytes + 1);
    if (finder->arrays == NULL)
        return false;
    if (bytes)
        memcpy(finder->arrays, launch->arrays, bytes);
    finder->array_count = launch->array_count;
    for (size_t i = 0; i < OBSERVED_SITES_MAX; i++)
        finder->sites[i].end = 0;
    return true;
}

static bool find_array(const struct element_finder *finder, struct element_site *site,
                       uint64_t addr)
{
    for (size_t i = 0; i < finder->array_count; i++) {
        const struct trace_array *array = &finder->arrays[i];
        if (addr - array->base < array->bytes) {
            site->base = array->base;
            site->end = array->base + array->bytes;
            return true;
        }
    }
    return false;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void add_position(struct element_site *site, uint64_t position)
{
    const uint64_t apart = position > site->first ? position - site->first : site->first - position;
    site->step = common_divisor(apart, site->step);
}

void elements_add(struct element_finder *finder, const struct warp_access *access)
{
    if (access->site >= OBSERVED_SITES_MAX)
        return;
    struct element_site *site = &finder->sites[access->site];
    if (site->unknown || (site->step && site->step <= access->width))
        return; /* nothing more can be learnt */
    const uint32_t lowest = lanes_lowest(access->active);
    const uint64_t addr = access_addr(access, lowest);
    if ((addr < site->base || addr >= site->end) && !find_array(finder, site, addr)) {
        site->unknown = true;
        return;
    }
    if (!site->seen)
        site->first = addr - site->base;
    site->seen = true;
    add_position(site, addr - site->base);
    if (access->addr == NULL && (access->active & access->active >> 1)) {
        site->step = common_divisor(access_step(access), site->step);
        return; /* two neighbours are a stride apart, all others some strides */
    }
    for (uint32_t left = access->active; left; left &= left - 1)
        add_position(site, access_addr(access, lanes_lowest(left)) - site->base);
}

/* ---- Sites -> elements ----------------------------------------------------------------------- */

static struct observed_element *element_of(struct observation *observation, const char *array)
{
    for (size_t i = 0; i < observation->element_count; i++)
        if (strcmp(observation->elements[i].array, array) == 0)
            return &observation->elements[i];
    struct observed_element *element = &observation->elements[observation->element_count++];
    *element = (struct observed_element){.array = array};
    return element;
}

static void add_field(struct observed_element *element, uint64_t offset,
                      const struct trace_site *site)
{
    size_t i = 0;
    while (i < element->field_count &&
           (element->fields[i].offset != offset || element->fields[i].bytes != site->width))
        i++;
    if (i == OBSERVED_FIELDS_MAX)
        return;
    struct observed_field *field = &element->fields[i];
    if (i == element->field_count) {
        element->field_count++;
        *field = (struct observed_field){.offset = (uint32_t)offset,
                                         .bytes = site->width,
                                         .file = site->file,
                                         .line = site->line};
    }
    field->loaded |= site->op != OP_STORE;
    field->stored |= site->op != OP_LOAD;
    for (uint32_t byte = 0; byte < site->width; byte++)
        element->touched |= UINT64_C(1) << (offset + byte) % element->bytes;
}

static int compare_fields(const void *a, const void *b)
{
    const struct observed_field *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Keeps the arrays whose elements are wider than what is accessed. */
static void drop_plain_arrays(struct observation *observation)
{
    size_t kept = 0;
    for (size_t i = 0; i < observation->element_count; i++) {
        struct observed_element *element = &observation->elements[i];
        uint32_t widest = 0;
        for (size_t f = 0; f < element->field_count; f++)
            widest = element->fields[f].bytes > widest ? element->fields[f].bytes : widest;
        qsort(element->fields, element->field_count, sizeof element->fields[0], compare_fields);
        if (widest && element->bytes > widest)
            observation->elements[kept++] = *element;
    }
    observation->element_count = kept;
}

bool elements_finish(const struct element_finder *finder, const struct trace_site *sites,
                     struct observation *observation)
{
    size_t seen = 0;
    for (size_t i = 0; i < OBSERVED_SITES_MAX; i++)
        seen += finder->sites[i].seen && sites[i].array[0];
    observation->elements = calloc(seen + 1, sizeof *observation->elements);
    if (observation->elements == NULL)
        return false;
    for (size_t i = 0; i < OBSERVED_SITES_MAX; i++) {
        const struct element_site *site = &finder->sites[i];
        if (!site->seen || sites[i].array[0] == '\0')
            continue;
        struct observed_element *element = element_of(observation, sites[i].array);
        const uint64_t step = common_divisor(site->step, element->bytes);
        element->bytes = step <= UINT32_MAX ? (uint32_t)step : UINT32_MAX;
    }
    for (size_t i = 0; i < OBSERVED_SITES_MAX; i++) {
        const struct element_site *site = &finder->sites[i];
        if (!site->seen || sites[i].array[0] == '\0')
            continue;
        struct observed_element *element = element_of(observation, sites[i].array);
        if (element->bytes && element->bytes <= OBSERVED_ELEMENT_MAX)
            add_field(element, site->first % element->bytes, &sites[i]);
    }
    drop_plain_arrays(observation);
    return true;
}
