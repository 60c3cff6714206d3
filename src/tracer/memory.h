/* memory.h - the inside of the tracer: device memory. */
#ifndef WARPLENS_TRACER_MEMORY_H
#define WARPLENS_TRACER_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/stream.h"

/* memory.c: the arena of device memory, offsets in which stand for simulated addresses. A byte's
 * state: */
enum byte_state { BYTE_NONE, BYTE_FREED, BYTE_UNWRITTEN, BYTE_WRITTEN };
enum { GPU_PAGE_BYTES = 2 << 20 }; /* what a GPU maps at once */
/* What a launch has touched is known by granules, of which no two arrays of the arena share one. */
enum { GRANULE_LOG2 = 12, GRANULE_READ = 1, GRANULE_WRITTEN = 2 };
struct device_arena {
    uintptr_t base; /* host address of offset 0; a page in front of it is nobody's */
    uint64_t bytes;
    uint8_t *state;        /* one enum byte_state a byte */
    uint8_t *granules;     /* GRANULE_... bits of the launch, one byte a granule */
    bool read_only_arrays; /* some array is marked read_only: engine.special_loads is set then */
    bool host_arrays;      /* some array is in host memory, or managed */
    uint64_t live_bytes;   /* of device memory and managed */
    uintptr_t outside_begin,
        outside_bytes; /* host addresses of arrays that are not in the arena, and
                                               what lies between */
};
extern struct device_arena device_arena;
/* An array that kernels can access; `offset` is in the arena. */
struct device_array {
    uint64_t offset, bytes;
    char *outside; /* where its bytes are when they are not in the arena */
    char name[48];
    bool freed, read_only;
    bool host_may_touch; /* a library's, whose code runs on the host */
    uint8_t home;        /* enum array_home */
    uint8_t *touched;    /* managed: MANAGED_... bits of each page since the last launch */
    uint32_t live_before, live_after; /* memory.c: its neighbours among those that are not freed */
};
void memory_start(void);
void *memory_allocate(uint64_t bytes, const char *name);
/* An array whose bytes are elsewhere; `offset` in the arena is free. False when there is no room. */
bool memory_add_outside(enum array_home home, char *bytes_at, uint64_t bytes, uint64_t offset,
                        const char *name);
/* The first offset that an array can have now, room for `bytes` there, or MEMORY_NOWHERE. */
uint64_t memory_reserve(uint64_t bytes);
#define MEMORY_NOWHERE UINT64_MAX
/* The arena offset that a host address stands for, MEMORY_NOWHERE when it is no array's. */
uint64_t memory_offset(const void *pointer);
/* The host address that an offset in an array stands for. */
char *memory_bytes(const struct device_array *array, uint64_t offset);
/* The same in host memory or managed: the host may write there, so all bytes count as written. */
void *memory_allocate_at(enum array_home home, uint64_t bytes, const char *name);
/* ACCESS_... flags of an access to arena memory at a simulated address. */
uint8_t memory_home_flags(uint64_t addr);
/* The host did something (MANAGED_... bit) to a range; false when it is not within a managed array. */
bool memory_touch(const void *pointer, uint64_t bytes, uint8_t how);
/* The live arrays. */
const struct trace_array *memory_arrays(size_t *count);
/* The managed arrays, and after a launch a clean record of what the host does to them. */
const struct managed_range *memory_managed(size_t *count);
void memory_managed_clear(void);
/* False when the pointer is not the start of a live array. */
bool memory_free(const void *pointer);
/* Whether a range is within one live array. */
bool memory_holds(const void *pointer, uint64_t bytes);
/* Marks a range as written; false when part of it is outside every array. */
bool memory_write(const void *pointer, uint64_t bytes);
/* The array that holds an offset, or the last one that starts at or before it; NULL before the
 * first. */
struct device_array *memory_array_at(uint64_t offset);
/* The one behind it, or behind NULL the first; NULL behind the last. */
struct device_array *memory_array_next(const struct device_array *array);
/* Offsets in the arena that arrays have begun before. */
uint64_t memory_used_bytes(void);
/* The array that holds an offset, or else the one that is nearest. */
const struct device_array *memory_array_near(int64_t offset);
/* heap.c: what kernels allocate. A launch begins; the heap is gone; its size, which a kernel fixes. */
#define HEAP_NAME "heap of malloc()"
void heap_launch(void);
void heap_reset(void);
uint64_t heap_limit(void);
bool heap_set_limit(uint64_t bytes);
/* memory_faults.c. What a GPU lets pass: counts it, and goes on. False when it stops the launch instead, as all of it
 * does where the host code is the gallery's. */
bool memory_tolerate(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc);
bool memory_tolerate_before(uint64_t distance, unsigned width, enum mem_op op, uintptr_t pc);
/* Host code loads or stores where only kernels can: ends the program. */
void memory_check_host(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* Above 0: a library's code runs on the host, which may. */
extern unsigned memory_library_depth;
/* Ends the launch with why bytes [offset, offset + width) cannot be accessed; an offset before the
 * first array is negative. */
_Noreturn void memory_fail(int64_t offset, unsigned width, enum mem_op op, uintptr_t pc);
bool memory_is_arena(const void *pointer); /* kernels can reach it */

#endif
