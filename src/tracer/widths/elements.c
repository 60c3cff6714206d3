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
    bool is_alone, is_constant; /* struct reach */
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
    next.arrays[next.count] = (struct elements){begin, begin + array->bytes, LOG2_MAX, true, true};
    return &next.arrays[next.count++];
}

/* Without room an array would keep what its first parameter has said: then none is known. */
static bool take_pointer(const void *pointer, unsigned log2, bool is_restricted, bool is_constant)
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
    elements->is_alone &= is_restricted;
    elements->is_constant &= is_constant;
    return true;
}

void wl_launch_elements(const void *const *arguments, const signed char *log2, size_t count,
                        uint64_t restricted, uint64_t constant)
{
    next.count = 0;
    next.parameters = (unsigned)count;
    for (size_t i = 0; i < count; i++) {
        const void *pointer;
        if (log2[i] < 0)
            continue;
        memcpy(&pointer, arguments[i], sizeof pointer);
        if (!take_pointer(pointer, (unsigned)log2[i], i < 64 && restricted >> i & 1,
                          i < 64 && constant >> i & 1)) {
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
    current.parameters = current.count = 0;
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

/* The array that the address is in; NULL. */
static const struct elements *find(uint64_t addr)
{
    for (unsigned tries = 0; tries < current.count; tries++) {
        if (holds(&current.arrays[current.last], addr))
            return &current.arrays[current.last];
        current.last = (current.last + 1) % current.count;
    }
    return NULL;
}

unsigned elements_log2(uint64_t addr)
{
    const struct elements *elements = find(addr);
    return elements && (addr | ((1U << elements->log2) - 1)) < elements->end ? elements->log2 : 0;
}

struct reach elements_reach(uint64_t addr)
{
    const struct elements *elements = find(addr);
    if (elements == NULL)
        return (struct reach){0, false, false};
    return (struct reach){(uint8_t)(1 + current.last), elements->is_alone, elements->is_constant};
}
