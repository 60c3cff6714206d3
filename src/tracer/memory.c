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
#include <sys/resource.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"

enum { MANAGED_ALIGN = 2 << 20 };

struct device_arena device_arena;
static struct device_array *arrays;
static size_t array_count, array_room;
static size_t found; /* of the latest search */
/* Those that are not freed, in their order: a program may have freed a hundred times as many. */
#define NOBODY UINT32_MAX
static uint32_t live_first = NOBODY, live_last = NOBODY;
static size_t live_count, live_outside;
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

/* Address space for the largest arena the machine grants, 64 GiB down to 32 MiB. Memory itself is
 * taken only as kernels touch it. */
static void arena_open(void)
{
    uint64_t most = 64ULL << 30;
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        while (most > space.rlim_cur / 4) /* a half for the two, a half for the host's code */
            most /= 2;
    for (uint64_t bytes = most; bytes >= 32ULL << 20; bytes /= 2) {
        char *data = reserve(GPU_PAGE_BYTES + bytes);
        void *state = data ? reserve(bytes) : NULL;
        void *granules = state ? reserve(bytes >> GRANULE_LOG2) : NULL;
        if (granules) {
            device_arena = (struct device_arena){.base = (uintptr_t)data + GPU_PAGE_BYTES,
                                                 .bytes = bytes,
                                                 .state = state,
                                                 .granules = granules};
            return;
        }
        if (state)
            munmap(state, bytes);
        if (data)
            munmap(data, GPU_PAGE_BYTES + bytes);
    }
}

void memory_start(void)
{
    if (device_arena.base == 0)
        arena_open();
    if (used_bytes) { /* give the pages of the run before back; they read as zero again */
        madvise((char *)device_arena.base - GPU_PAGE_BYTES, GPU_PAGE_BYTES + used_bytes,
                MADV_DONTNEED);
        madvise(device_arena.state, used_bytes, MADV_DONTNEED);
    }
    heap_reset();
    device_arena.read_only_arrays = device_arena.host_arrays = false;
    device_arena.outside_begin = device_arena.outside_bytes = 0;
    device_arena.live_bytes = 0;
    for (size_t i = 0; i < array_count; i++)
        free(arrays[i].touched);
    used_bytes = 0;
    array_count = live_count = live_outside = 0;
    live_first = live_last = NOBODY;
}

/* Arrays that are not freed: for (uint32_t i = live_first; i != NOBODY; i = arrays[i].live_after) */
static void live_add(uint32_t i)
{
    arrays[i].live_before = live_last;
    arrays[i].live_after = NOBODY;
    *(live_last == NOBODY ? &live_first : &arrays[live_last].live_after) = i;
    live_last = i;
    live_count++;
}

static void live_remove(const struct device_array *array)
{
    const uint32_t before = array->live_before, after = array->live_after;
    *(before == NOBODY ? &live_first : &arrays[before].live_after) = after;
    *(after == NOBODY ? &live_last : &arrays[after].live_before) = before;
    live_count--;
    live_outside -= array->outside != NULL;
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

/* An array at `offset`, which is behind all others. */
static struct device_array *array_begin(enum array_home home, uint64_t offset, uint64_t bytes,
                                        const char *name)
{
    struct device_array *array = array_add();
    uint8_t *touched = home == HOME_MANAGED ? calloc(page_count(bytes), 1) : NULL;
    if (array == NULL || (home == HOME_MANAGED && touched == NULL)) {
        free(touched);
        return NULL;
    }
    *array = (struct device_array){
        .offset = offset, .bytes = bytes, .home = (uint8_t)home, .touched = touched};
    snprintf(array->name, sizeof array->name, "%s", name);
    live_add((uint32_t)array_count++);
    used_bytes = offset + bytes + ARRAY_GAP;
    device_arena.host_arrays |= home != HOME_DEVICE;
    device_arena.live_bytes += home == HOME_HOST ? 0 : bytes;
    return array;
}

static uint64_t offset_for(uint64_t bytes, uint64_t align)
{
    uint64_t offset = array_offset(used_bytes, align);
    bool room = device_arena.base && bytes && bytes <= device_arena.bytes &&
                offset + bytes + ARRAY_GAP <= device_arena.bytes;
    return room ? offset : MEMORY_NOWHERE;
}

uint64_t memory_reserve(uint64_t bytes)
{
    return offset_for(bytes, ARRAY_ALIGN);
}

void *memory_allocate_at(enum array_home home, uint64_t bytes, const char *name)
{
    uint64_t offset = offset_for(bytes, home == HOME_MANAGED ? MANAGED_ALIGN : ARRAY_ALIGN);
    if (offset == MEMORY_NOWHERE || array_begin(home, offset, bytes, name) == NULL)
        return NULL;
    memset(device_arena.state + offset, home == HOME_DEVICE ? BYTE_UNWRITTEN : BYTE_WRITTEN, bytes);
    return (void *)(device_arena.base + offset);
}

static void include_outside(uintptr_t begin, uint64_t bytes)
{
    struct device_arena *arena = &device_arena;
    uintptr_t first = arena->outside_bytes ? arena->outside_begin : begin;
    uintptr_t end = first + arena->outside_bytes;
    arena->outside_begin = begin < first ? begin : first;
    end = begin + bytes > end ? begin + bytes : end;
    arena->outside_bytes = end - arena->outside_begin;
}

bool memory_add_outside(enum array_home home, char *bytes_at, uint64_t bytes, uint64_t offset,
                        const char *name)
{
    struct device_array *array = array_begin(home, offset, bytes, name);
    if (array == NULL)
        return false;
    array->outside = bytes_at;
    live_outside++;
    include_outside((uintptr_t)bytes_at, bytes);
    memset(device_arena.state + offset, BYTE_WRITTEN, bytes);
    return true;
}

uint64_t memory_offset(const void *pointer)
{
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    if (offset < device_arena.bytes)
        return offset;
    for (uint32_t i = live_outside ? live_first : NOBODY; i != NOBODY; i = arrays[i].live_after) {
        uint64_t at = (uintptr_t)pointer - (uintptr_t)arrays[i].outside;
        if (arrays[i].outside && at < arrays[i].bytes)
            return arrays[i].offset + at;
    }
    return MEMORY_NOWHERE;
}

char *memory_bytes(const struct device_array *array, uint64_t offset)
{
    return array->outside ? array->outside + (offset - array->offset)
                          : (char *)device_arena.base + offset;
}

void *memory_allocate(uint64_t bytes, const char *name)
{
    return memory_allocate_at(HOME_DEVICE, bytes, name);
}

bool memory_is_arena(const void *pointer)
{
    return memory_offset(pointer) != MEMORY_NOWHERE;
}

/* Nearly every question is about the array of one of the questions before: where dependence.c asks, the search
 * took an eighth of the time of a traced program. Arrays stay where they are until the next run. */
static struct device_array *found_before(uint64_t offset)
{
    struct device_array *array = &arrays[found];
    return found < array_count && offset - array->offset < array->bytes ? array : NULL;
}

struct device_array *memory_array_at(uint64_t offset)
{
    size_t low = 0, high = array_count;
    if (found_before(offset))
        return &arrays[found];
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (arrays[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    found = low ? low - 1 : 0;
    return low ? &arrays[low - 1] : NULL;
}

struct device_array *memory_array_next(const struct device_array *array)
{
    const size_t next = array ? (size_t)(array - arrays) + 1 : 0;
    return next < array_count ? &arrays[next] : NULL;
}

uint64_t memory_used_bytes(void)
{
    return used_bytes;
}

bool memory_free(const void *pointer)
{
    uint64_t offset = memory_offset(pointer);
    struct device_array *array = offset != MEMORY_NOWHERE ? memory_array_at(offset) : NULL;
    if (array == NULL || array->offset != offset || array->freed)
        return false;
    array->freed = true;
    live_remove(array);
    device_arena.live_bytes -= array->home == HOME_HOST ? 0 : array->bytes;
    memset(device_arena.state + offset, BYTE_FREED, array->bytes);
    return true;
}

bool memory_holds(const void *pointer, uint64_t bytes)
{
    uint64_t offset = memory_offset(pointer);
    const struct device_array *array = offset != MEMORY_NOWHERE ? memory_array_at(offset) : NULL;
    return array && !array->freed && offset - array->offset <= array->bytes &&
           bytes <= array->bytes - (offset - array->offset);
}

bool memory_write(const void *pointer, uint64_t bytes)
{
    if (!memory_holds(pointer, bytes))
        return false;
    memset(device_arena.state + memory_offset(pointer), BYTE_WRITTEN, bytes);
    return true;
}

uint8_t memory_home_flags(uint64_t addr)
{
    static const uint8_t flags[] = {
        [HOME_DEVICE] = 0, [HOME_HOST] = ACCESS_HOST, [HOME_MANAGED] = ACCESS_MANAGED};
    const struct device_array *array =
        addr < DEVICE_BASE_ADDRESS ? NULL : memory_array_at(addr - DEVICE_BASE_ADDRESS);
    return array ? flags[array->home] : 0;
}

bool memory_touch(const void *pointer, uint64_t bytes, uint8_t how)
{
    if (bytes == 0 || !memory_holds(pointer, bytes))
        return false;
    uint64_t offset = memory_offset(pointer);
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
    if (live_room < live_count) {
        struct trace_array *grown = realloc(live, 2 * live_count * sizeof *grown);
        if (grown == NULL) {
            tracer_fail("no memory for the arrays of a launch");
            return NULL;
        }
        live = grown;
        live_room = 2 * live_count;
    }
    for (uint32_t i = live_first; i != NOBODY; i = arrays[i].live_after)
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
    if (range_room < live_count) {
        struct managed_range *grown = realloc(ranges, 2 * live_count * sizeof *grown);
        if (grown == NULL) {
            tracer_fail("no memory for the managed arrays of a launch");
            return NULL;
        }
        ranges = grown;
        range_room = 2 * live_count;
    }
    for (uint32_t i = live_first; i != NOBODY; i = arrays[i].live_after)
        if (arrays[i].home == HOME_MANAGED)
            ranges[(*count)++] = (struct managed_range){DEVICE_BASE_ADDRESS + arrays[i].offset,
                                                        arrays[i].bytes, arrays[i].touched};
    return ranges;
}

void memory_managed_clear(void)
{
    for (uint32_t i = live_first; i != NOBODY; i = arrays[i].live_after)
        if (arrays[i].home == HOME_MANAGED)
            memset(arrays[i].touched, 0, page_count(arrays[i].bytes));
}

const struct device_array *memory_array_near(int64_t offset)
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
