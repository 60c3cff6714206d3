/* heap.c - malloc, free, new and delete of kernels: the device heap, one array of global memory.
 *
 * Decisions. Pieces are in units of 16 bytes, what CUDA promises of their addresses, with one unit behind each that is
 * nobody's, so that an index that runs over the end is seen. A piece goes to the first gap that holds it. Lanes that
 * allocate together first come together: then their pieces lie in the order of the lanes, call by call, as they mostly
 * do on a GPU. What the allocator itself reads and writes is not modelled. The heap stays from launch to launch.
 *
 * Called by host code, the functions are the C and C++ libraries'.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { UNIT_BYTES = 16, LEAST_BYTES = 4096 };
#define LIMIT_BYTES (8ULL << 20)

static struct {
    bool used;      /* the program has a kernel that allocates */
    uint64_t limit; /* cudaLimitMallocHeapSize; 0: what it begins as */
    char *base;     /* NULL: no kernel has run yet */
    uint32_t units;
    uint32_t *pieces; /* by unit: how many the piece has that begins there; 0 */
    uint32_t first;   /* before it no unit is free */
} heap;

void heap_reset(void)
{
    free(heap.pieces);
    heap.base = NULL;
    heap.pieces = NULL;
    heap.first = 0;
}

uint64_t heap_limit(void)
{
    return heap.limit ? heap.limit : LIMIT_BYTES;
}

bool heap_set_limit(uint64_t bytes)
{
    if (heap.base || bytes > UINT32_MAX)
        return false;
    heap.limit = bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
    return true;
}

static bool heap_open(void)
{
    const uint64_t bytes = heap_limit() / UNIT_BYTES * UNIT_BYTES;
    heap.units = (uint32_t)(bytes / UNIT_BYTES);
    heap.pieces = calloc(heap.units, sizeof *heap.pieces);
    heap.base = heap.pieces ? memory_allocate(bytes, HEAP_NAME) : NULL;
    if (heap.base == NULL)
        return false;
    memset(device_arena.state + memory_offset(heap.base), BYTE_FREED, bytes);
    return true;
}

void heap_launch(void)
{
    if (heap.used && heap.base == NULL && !heap_open())
        tracer_fail("no memory for the heap of kernels that allocate: %llu bytes",
                    (unsigned long long)heap_limit());
}

int wl_use_heap(void);
int wl_use_heap(void)
{
    heap.used = true;
    return 0;
}

/* ---- Pieces -------------------------------------------------------------------------------------------- */

/* The first of `units` free ones in a row; heap.units: there are none. */
static uint32_t find_gap(uint32_t units)
{
    uint32_t begin = heap.first;
    for (uint32_t at = heap.first; at < heap.units && at - begin < units;) {
        const uint32_t piece = heap.pieces[at];
        at += piece ? piece : 1;
        begin = piece ? at : begin;
    }
    return begin < heap.units && heap.units - begin >= units ? begin : heap.units;
}

static void *take_piece(size_t bytes)
{
    if (bytes == 0 || bytes > heap_limit() || (heap.base == NULL && !heap_open()))
        return NULL;
    const uint32_t units = (uint32_t)((bytes + UNIT_BYTES - 1) / UNIT_BYTES) + 1;
    const uint32_t at = find_gap(units);
    if (at == heap.units)
        return NULL;
    heap.pieces[at] = units;
    if (at == heap.first)
        heap.first += units;
    char *piece = heap.base + (size_t)at * UNIT_BYTES;
    memset(device_arena.state + memory_offset(piece), BYTE_UNWRITTEN, bytes);
    return piece;
}

/* False: it is no piece's beginning. */
static bool give_piece(const void *pointer)
{
    const uintptr_t offset = (uintptr_t)pointer - (uintptr_t)heap.base;
    const uint32_t at = (uint32_t)(offset / UNIT_BYTES);
    if (heap.base == NULL || offset >= (uintptr_t)heap.units * UNIT_BYTES || offset % UNIT_BYTES ||
        heap.pieces[at] == 0)
        return false;
    memset(device_arena.state + memory_offset(pointer), BYTE_FREED,
           (size_t)heap.pieces[at] * UNIT_BYTES);
    heap.pieces[at] = 0;
    if (at < heap.first)
        heap.first = at;
    return true;
}

/* ---- What programs call ----------------------------------------------------------------------------------- */

static void *allocate(size_t bytes, uintptr_t pc)
{
    engine.depends_on_more = true;
    warp_op_run(pc, (struct warp_op){.kind = WARP_OP_SYNC});
    return take_piece(bytes);
}

static void release(void *pointer, const char *function, uintptr_t pc)
{
    engine.depends_on_more = true;
    if (pointer && !give_piece(pointer))
        engine_fail_lane(
            pc, "%s of a pointer that malloc() or new has not given, or that was freed", function);
}

/* new and delete are the C++ library's for all code but the program's own, which the linker sends here (--wrap, in
 * src/cu/build.c). Their names are those of C++ (Itanium C++ ABI): m is size_t, Pv a pointer. Weak: without a program
 * there is no such library. */
#define WRAPPED(type, name, mangled, ...)                                                          \
    extern type library_##name(__VA_ARGS__) __asm__("__real_" mangled) __attribute__((weak));      \
    type wl_##name(__VA_ARGS__) __asm__("__wrap_" mangled);
WRAPPED(void *, new, "_Znwm", size_t)
WRAPPED(void *, new_array, "_Znam", size_t)
WRAPPED(void, delete, "_ZdlPv", void *)
WRAPPED(void, delete_array, "_ZdaPv", void *)
WRAPPED(void, delete_sized, "_ZdlPvm", void *, size_t)
WRAPPED(void, delete_array_sized, "_ZdaPvm", void *, size_t)

void *wl_malloc(size_t bytes);
void wl_free(void *pointer);

WORK_COST_0 void *wl_host_bytes(size_t bytes)
{
    return malloc(bytes);
}

WORK_COST_2 void *wl_malloc(size_t bytes)
{
    return engine.current ? allocate(bytes, RETURN_ADDRESS) : malloc(bytes);
}

WORK_COST_2 void wl_free(void *pointer)
{
    if (engine.current)
        release(pointer, "free()", RETURN_ADDRESS);
    else
        free(pointer);
}

WORK_COST_2 void *wl_new(size_t bytes)
{
    return engine.current ? allocate(bytes, RETURN_ADDRESS) : library_new(bytes);
}

WORK_COST_2 void *wl_new_array(size_t bytes)
{
    return engine.current ? allocate(bytes, RETURN_ADDRESS) : library_new_array(bytes);
}

WORK_COST_2 void wl_delete(void *pointer)
{
    if (engine.current)
        release(pointer, "delete", RETURN_ADDRESS);
    else
        library_delete(pointer);
}

WORK_COST_2 void wl_delete_array(void *pointer)
{
    if (engine.current)
        release(pointer, "delete[]", RETURN_ADDRESS);
    else
        library_delete_array(pointer);
}

WORK_COST_2 void wl_delete_sized(void *pointer, size_t bytes)
{
    if (engine.current)
        release(pointer, "delete", RETURN_ADDRESS);
    else
        library_delete_sized(pointer, bytes);
}

WORK_COST_2 void wl_delete_array_sized(void *pointer, size_t bytes)
{
    if (engine.current)
        release(pointer, "delete[]", RETURN_ADDRESS);
    else
        library_delete_array_sized(pointer, bytes);
}
