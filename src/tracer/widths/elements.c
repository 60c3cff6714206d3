/* elements.c - decisions. Where parameters of several types point into one array the smallest alignment holds for it, and a
 * pointer to numbers or to void leaves none. What pointers in structs, in variables and in other arrays point to is not
 * known, nor are launches by kernels and graphs.
 */
#include "tracer/widths/elements.h"

#include <string.h>

#include "tracer/engine.h"
#include "tracer/memory.h"
#include "warplens/cuda_calls.h"

enum { ELEMENTS_MAX = 64, LOG2_MAX = 4 };

struct elements {
    uint64_t begin, end; /* simulated addresses */
    unsigned log2;
};

static struct list {
    struct elements arrays[ELEMENTS_MAX];
    unsigned count, last; /* found last */
    unsigned parameters;  /* of the kernel; 0: not said */
    bool are_there;
} current, next;

static struct elements *array_of(const struct device_array *array)
{
    const uint64_t begin = DEVICE_BASE_ADDRESS + array->offset;
    for (unsigned i = 0; i < next.count; i++)
        if (next.arrays[i].begin == begin)
            return &next.arrays[i];
    if (next.count == ELEMENTS_MAX)
        return NULL;
    next.arrays[next.count] = (struct elements){begin, begin + array->bytes, LOG2_MAX};
    return &next.arrays[next.count++];
}

/* Without room an array would keep what its first parameter has said: then none is known. */
static bool take_pointer(const void *pointer, unsigned log2)
{
    const uint64_t offset = memory_offset(pointer);
    const struct device_array *array = offset == MEMORY_NOWHERE ? NULL : memory_array_at(offset);
    if (array == NULL || offset - array->offset >= array->bytes)
        return true;
    struct elements *elements = array_of(array);
    if (elements == NULL)
        return false;
    if ((DEVICE_BASE_ADDRESS + offset) & ((1U << log2) - 1))
        log2 = 0;
    elements->log2 = log2 < elements->log2 ? log2 : elements->log2;
    return true;
}

void wl_launch_elements(const void *const *arguments, const signed char *log2, size_t count)
{
    next.count = 0;
    next.parameters = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        const void *pointer;
        if (log2[i] < 0)
            continue;
        memcpy(&pointer, arguments[i], sizeof pointer);
        if (!take_pointer(pointer, (unsigned)log2[i])) {
            next.count = 0;
            return;
        }
    }
}

void elements_begin(void)
{
    current = next;
    current.last = 0;
    current.are_there = false;
    for (unsigned i = 0; i < current.count; i++)
        current.are_there |= current.arrays[i].log2 > 0;
    next.count = next.parameters = 0;
}

unsigned elements_parameters(void)
{
    return current.parameters ? current.parameters : PARAMETERS_USUAL;
}

void elements_end(void)
{
    current.parameters = 0;
    current.are_there = false;
}

bool elements_are_there(void)
{
    return current.are_there;
}

static bool holds(const struct elements *elements, uint64_t addr)
{
    return addr >= elements->begin && addr < elements->end;
}

unsigned elements_log2(uint64_t addr)
{
    for (unsigned tries = 0; tries < current.count; tries++) {
        const struct elements *elements = &current.arrays[current.last];
        if (holds(elements, addr) && (addr | ((1U << elements->log2) - 1)) < elements->end)
            return elements->log2;
        current.last = (current.last + 1) % current.count;
    }
    return 0;
}
