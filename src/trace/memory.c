/* memory.c - device memory: an arena of host memory with simulated addresses, named arrays and a
 * state for every byte.
 *
 * Decisions. Addresses are deterministic: an array starts at a multiple of 84 KB, which is a
 * multiple of 256 bytes (what cudaMalloc promises) and of 256 bytes times 6, 7, 8, 12 and 16, so
 * that every array begins in DRAM partition 0 on the GPUs whose partitions are not hashed; real
 * placement is the driver's and not known. At least one unused page lies between arrays, so that an
 * index that runs over the end is seen. Freed memory is not used again in the same run. Pinned host
 * memory and managed memory are arrays of the arena too; managed ones begin at multiples of 2 MB, as
 * the driver's blocks do.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/managed.h"
#include "trace/engine.h"

enum { MANAGED_ALIGN = 2 << 20 };

struct device_arena device_arena;
static struct device_array *arrays;
static size_t array_count, array_room;
static uint64_t used_bytes;
static struct trace_array *live; /* what a launch is told of */
static size_t live_room;
static struct managed_range *ranges;
static size_t range_room;

static void *reserve(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Address space for the largest arena the machine grants, 64 GiB down to 256 MiB. Memory itself is
 * taken only as kernels touch it. */
static void arena_open(void)
{
    for (uint64_t bytes = 64ULL << 30; bytes >= 256ULL << 20; bytes /= 2) {
        void *data = reserve(bytes);
        void *state = data ? reserve(bytes) : NULL;
        if (state) {
            device_arena =
                (struct device_arena){.base = (uintptr_t)data, .bytes = bytes, .state = state};
            return;
        }
        if (data)
            munmap(data, bytes);
    }
}

void memory_start(void)
{
    if (device_arena.base == 0)
        arena_open();
    if (used_bytes) { /* give the pages of the run before back; they read as zero again */
        madvise((void *)device_arena.base, used_bytes, MADV_DONTNEED);
        madvise(device_arena.state, used_bytes, MADV_DONTNEED);
    }
    device_arena.read_only_arrays = device_arena.host_arrays = false;
    for (size_t i = 0; i < array_count; i++)
        free(arrays[i].touched);
    used_bytes = 0;
    array_count = 0;
}

static struct device_array *array_add(void)
{
    if (array_count == array_room) {
        size_t room = array_room ? 2 * array_room : 16;
        struct device_array *grown = realloc(arrays, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        arrays = grown;
        array_room = room;
    }
    return &arrays[array_count];
}

static uint64_t page_count(uint64_t bytes)
{
    return (bytes + MANAGED_PAGE_BYTES - 1) >> MANAGED_PAGE_LOG2;
}

void *memory_allocate_at(enum array_home home, uint64_t bytes, const char *name)
{
    uint64_t offset = array_offset(used_bytes, home == HOME_MANAGED ? MANAGED_ALIGN : ARRAY_ALIGN);
    if (device_arena.base == 0 || bytes == 0 || bytes > device_arena.bytes ||
        offset + bytes + ARRAY_GAP > device_arena.bytes)
        return NULL;
    struct device_array *array = array_add();
    uint8_t *touched = home == HOME_MANAGED ? calloc(page_count(bytes), 1) : NULL;
    if (array == NULL || (home == HOME_MANAGED && touched == NULL)) {
        free(touched);
        return NULL;
    }
    *array = (struct device_array){
        .offset = offset, .bytes = bytes, .home = (uint8_t)home, .touched = touched};
    snprintf(array->name, sizeof array->name, "%s", name);
    array_count++;
    used_bytes = offset + bytes + ARRAY_GAP;
    memset(device_arena.state + offset, home == HOME_DEVICE ? BYTE_UNWRITTEN : BYTE_WRITTEN, bytes);
    device_arena.host_arrays |= home != HOME_DEVICE;
    return (void *)(device_arena.base + offset);
}

void *memory_allocate(uint64_t bytes, const char *name)
{
    return memory_allocate_at(HOME_DEVICE, bytes, name);
}

bool memory_is_arena(const void *pointer)
{
    return (uintptr_t)pointer - device_arena.base < device_arena.bytes;
}

struct device_array *memory_array_at(uint64_t offset)
{
    size_t low = 0, high = array_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (arrays[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &arrays[low - 1] : NULL;
}

bool memory_free(const void *pointer)
{
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    struct device_array *array = memory_is_arena(pointer) ? memory_array_at(offset) : NULL;
    if (array == NULL || array->offset != offset || array->freed)
        return false;
    array->freed = true;
    memset(device_arena.state + offset, BYTE_FREED, array->bytes);
    return true;
}

bool memory_holds(const void *pointer, uint64_t bytes)
{
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    const struct device_array *array = memory_is_arena(pointer) ? memory_array_at(offset) : NULL;
    return array && !array->freed && offset - array->offset <= array->bytes &&
           bytes <= array->bytes - (offset - array->offset);
}

bool memory_write(const void *pointer, uint64_t bytes)
{
    if (!memory_holds(pointer, bytes))
        return false;
    memset(device_arena.state + ((uintptr_t)pointer - device_arena.base), BYTE_WRITTEN, bytes);
    return true;
}

uint8_t memory_home_flags(uint64_t addr)
{
    static const uint8_t flags[] = {
        [HOME_DEVICE] = 0, [HOME_HOST] = ACCESS_HOST, [HOME_MANAGED] = ACCESS_MANAGED};
    const struct device_array *array = memory_array_at(addr - DEVICE_BASE_ADDRESS);
    return array ? flags[array->home] : 0;
}

bool memory_touch(const void *pointer, uint64_t bytes, uint8_t how)
{
    if (bytes == 0 || !memory_holds(pointer, bytes))
        return false;
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    struct device_array *array = memory_array_at(offset);
    if (array->home != HOME_MANAGED)
        return false;
    uint64_t first = (offset - array->offset) >> MANAGED_PAGE_LOG2;
    uint64_t last = (offset - array->offset + bytes - 1) >> MANAGED_PAGE_LOG2;
    for (uint64_t page = first; page <= last; page++)
        array->touched[page] = how | (how == MANAGED_PREFETCHED ? array->touched[page] : 0);
    return true;
}

const struct trace_array *memory_arrays(size_t *count)
{
    *count = 0;
    if (live_room < array_count) {
        struct trace_array *grown = realloc(live, array_count * sizeof *grown);
        if (grown == NULL)
            return NULL;
        live = grown;
        live_room = array_count;
    }
    for (size_t i = 0; i < array_count; i++)
        if (!arrays[i].freed)
            live[(*count)++] =
                (struct trace_array){arrays[i].name, DEVICE_BASE_ADDRESS + arrays[i].offset,
                                     arrays[i].bytes, arrays[i].home};
    return live;
}

const struct managed_range *memory_managed(size_t *count)
{
    *count = 0;
    if (!device_arena.host_arrays)
        return NULL;
    if (range_room < array_count) {
        struct managed_range *grown = realloc(ranges, array_count * sizeof *grown);
        if (grown == NULL)
            return NULL;
        ranges = grown;
        range_room = array_count;
    }
    for (size_t i = 0; i < array_count; i++)
        if (arrays[i].home == HOME_MANAGED && !arrays[i].freed)
            ranges[(*count)++] = (struct managed_range){DEVICE_BASE_ADDRESS + arrays[i].offset,
                                                        arrays[i].bytes, arrays[i].touched};
    return ranges;
}

void memory_managed_clear(void)
{
    for (size_t i = 0; i < array_count; i++)
        if (arrays[i].home == HOME_MANAGED)
            memset(arrays[i].touched, 0, page_count(arrays[i].bytes));
}

/* The array that holds an offset, or else the one that is nearest. */
static const struct device_array *array_near(int64_t offset)
{
    const struct device_array *before = offset < 0 ? NULL : memory_array_at((uint64_t)offset);
    const struct device_array *after = before ? before + 1 : arrays;
    if (array_count == 0 || after == arrays + array_count)
        return before;
    if (before == NULL)
        return after;
    int64_t past_end = offset - (int64_t)(before->offset + before->bytes);
    return (int64_t)after->offset - offset < past_end ? after : before;
}

void memory_fail(int64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    static const char *const verbs[] = {"load", "store", "atomic"};
    const struct device_array *array = array_near(offset);
    if (array == NULL)
        engine_fail_lane(pc, "%s of %u bytes outside every array", verbs[op], width);
    int64_t at = offset - (int64_t)array->offset;
    if (at < 0 || (uint64_t)at + width > array->bytes)
        engine_fail_lane(
            pc, "%s of %u bytes at %s %c %lld bytes, outside every array: %s has %llu bytes",
            verbs[op], width, array->name, at < 0 ? '-' : '+',
            at < 0 ? -(long long)at : (long long)at, array->name, (unsigned long long)array->bytes);
    engine_fail_lane(pc, "%s of %u bytes at %s + %lld bytes, %s", verbs[op], width, array->name,
                     (long long)at, array->freed ? "which was freed" : "which was never written");
}
