/* dependence.c - whether an access's address comes from values that its warp loaded just before:
 * data[index[i]], a walk along a chain of indices or pointers, a histogram.
 *
 * Nothing in a trace of addresses says so; the values do. An address that comes from a loaded value
 * is a constant plus the value times the size of an element, for all lanes the same constant and
 * size. An access is taken to depend on a load when that is so, with at least two different values
 * among the lanes that both have. One value alone (one lane, or a broadcast) must be the index of
 * the element in its array, or a pointer to it or into the struct that it begins.
 *
 * What this misses: addresses computed in other ways (hashes), values that were stored over before
 * the warp's access was merged, loads that more than RECENT_LOADS others followed, and indices that
 * are linear in the lane, whose accesses are taken to be computed from the lane's number. What it
 * takes wrongly: data that happens to be such an index. Atomics give no value here.
 */
#include "tracer/waits/dependence.h"

#include <string.h>

#include "tracer/engine.h"

enum { ELEMENT_BYTES_MAX = 64, STRUCT_BYTES_MAX = 256 };

static uint64_t load_addr(const struct recent_load *load, unsigned lane)
{
    return load->listed ? load->addr[lane] : load->base + (uint64_t)load->stride * lane;
}

/* The value a lane loaded, as an index or a pointer; false when it is not to be had. */
static bool load_value(const struct recent_load *load, unsigned lane, uint64_t *value)
{
    const void *bytes =
        spaces_bytes((enum mem_space)load->space, load_addr(load, lane), load->width);
    int32_t word;
    if (bytes == NULL)
        return false;
    *value = 0;
    switch (load->width) {
    case 4:
        memcpy(&word, bytes, 4);
        *value = (uint64_t)(int64_t)word;
        return true;
    case 1: /* bytes and halves are unsigned where they are indices */
    case 2:
    case 8:
        memcpy(value, bytes, load->width); /* little-endian */
        return true;
    default:
        return false;
    }
}

/* Sizes of elements that addresses are multiples of: powers of two and structs of words. */
static bool is_element_size(uint64_t bytes)
{
    return bytes >= 1 && bytes <= ELEMENT_BYTES_MAX && (bytes < 3 || bytes % 4 == 0);
}

/* `value` is the index of the element at `addr` in its array, or points to it. */
static bool value_names(uint64_t value, const struct warp_access *access, uint64_t addr)
{
    uint64_t begin, end;
    if (value == 0)
        return false;
    if (access->space == SPACE_SHARED) {
        spaces_shared_array(addr, &begin, &end);
    } else if (access->space == SPACE_GLOBAL || access->space == SPACE_TEXTURE) {
        const struct device_array *array = memory_array_at(addr - DEVICE_BASE_ADDRESS);
        uint64_t pointed = value - device_arena.base + DEVICE_BASE_ADDRESS;
        if (addr - pointed < STRUCT_BYTES_MAX)
            return true;
        if (array == NULL)
            return false;
        begin = DEVICE_BASE_ADDRESS + array->offset;
    } else {
        return false;
    }
    return addr == begin + value || addr == begin + value * access->width;
}

struct fit {
    uint64_t value, addr; /* of the first lane */
    uint64_t size;        /* of an element; 0 while all values are equal */
};

/* 0 when `steps` elements cannot be that far apart. */
static uint64_t element_size(int64_t steps, int64_t bytes)
{
    if (steps < 0) {
        steps = (int64_t)(0 - (uint64_t)steps);
        bytes = (int64_t)(0 - (uint64_t)bytes);
    }
    uint64_t size = steps > 0 && bytes > 0 && bytes % steps == 0 ? (uint64_t)(bytes / steps) : 0;
    return is_element_size(size) ? size : 0;
}

/* The lane's value and address are on the line through those of the lanes before. */
static bool fit_add(struct fit *fit, uint64_t value, uint64_t addr)
{
    uint64_t steps = value - fit->value, bytes = addr - fit->addr;
    if (steps == 0)
        return bytes == 0;
    if (fit->size == 0) {
        fit->size = element_size((int64_t)steps, (int64_t)bytes);
        return fit->size != 0;
    }
    return bytes == steps * fit->size;
}

/* Where all addresses are the same, all values must be, and name the element: the first one alone mostly tells that
 * it does not. simpleStreams of NVIDIA's samples, whose loop reads one word in
 * all lanes, is traced 1.8 times as fast. */
static bool comes_from(const struct recent_load *load, const struct warp_access *access)
{
    const uint32_t both = load->active & access->active;
    const unsigned first = (unsigned)__builtin_ctz(both | 1U << (WARP_LANES - 1));
    struct fit fit = {.addr = access_addr(access, first)};
    if (both == 0 || !load_value(load, first, &fit.value) ||
        (access->addr == NULL && !value_names(fit.value, access, fit.addr)))
        return false;
    for (uint32_t left = both & (both - 1); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t value;
        if (!load_value(load, lane, &value) || !fit_add(&fit, value, access_addr(access, lane)))
            return false;
    }
    return fit.size || value_names(fit.value, access, fit.addr);
}

/* Addresses that are linear in the lane, and not all the same: computed from its number. */
static bool is_linear(const struct warp_access *access)
{
    if (access->addr == NULL)
        return access->stride != 0;
    unsigned first = (unsigned)__builtin_ctz(access->active);
    uint32_t rest = access->active & (access->active - 1);
    if (rest == 0)
        return false;
    unsigned second = (unsigned)__builtin_ctz(rest);
    int64_t span = (int64_t)(access->addr[second] - access->addr[first]);
    int64_t stride = span / (int64_t)(second - first);
    for (uint32_t left = rest; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (access->addr[lane] != access->addr[first] + (uint64_t)stride * (lane - first))
            return false;
    }
    return stride != 0;
}

uint8_t dependence_find(const struct recent_loads *recent, const struct warp_access *access)
{
    if (recent->count == 0 || is_linear(access))
        return NEEDS_NO_LOAD;
    for (unsigned back = 0; back < RECENT_LOADS && back < recent->count; back++)
        if (comes_from(&recent->loads[(recent->count - 1 - back) % RECENT_LOADS], access))
            return (uint8_t)back;
    return NEEDS_NO_LOAD;
}

void dependence_note(struct recent_loads *recent, const struct warp_access *load)
{
    struct recent_load *to = &recent->loads[recent->count++ % RECENT_LOADS];
    to->base = load->base;
    to->stride = load->stride;
    to->active = load->active;
    to->width = load->width;
    to->space = load->space;
    to->listed = load->addr != NULL;
    if (to->listed)
        memcpy(to->addr, load->addr, sizeof to->addr);
}
