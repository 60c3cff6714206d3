/* memory_faults.c - accesses of device memory that cannot be: what is said about them, and which of
 * them a program gets away with, as it does on hardware. An index that runs on into another array is not seen:
 * that is memory that the kernel may use.
 */
#include <string.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"

static const char *const verbs[] = {"load", "store", "atomic"};

/* Of an access at an offset, in the array that it is nearest to (NULL: there is none). */
static struct trace_fault fault_of(enum fault_kind kind, const struct device_array *array,
                                   int64_t offset, unsigned width, enum mem_op op)
{
    return (struct trace_fault){.kind = (uint8_t)kind,
                                .array = array ? array->name : "",
                                .space = SPACE_GLOBAL,
                                .op = (uint8_t)op,
                                .width = (uint8_t)width,
                                .offset = array ? offset - (int64_t)array->offset : 0,
                                .array_bytes = array ? array->bytes : 0};
}

/* Of the heap of kernels, what nobody has: freed, or never given. */
static bool is_no_piece(const struct device_array *array, uint64_t offset, unsigned width)
{
    return offset + width <= array->offset + array->bytes &&
           memchr(device_arena.state + offset, BYTE_FREED, width) != NULL;
}

void memory_fail(int64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    const struct device_array *array = memory_array_near(offset);
    struct trace_fault fault = fault_of(FAULT_OUT_OF_BOUNDS, array, offset, width, op);
    const int64_t at = fault.offset;
    engine.error = cudaErrorIllegalAddress;
    if (array && at >= 0 && (uint64_t)at + width <= array->bytes)
        fault.kind = array->freed || is_no_piece(array, (uint64_t)offset, width)
                         ? FAULT_USE_AFTER_FREE
                         : FAULT_UNWRITTEN_GLOBAL;
    faults_stop_is(&fault);
    if (array == NULL)
        engine_fail_lane(pc, "%s of %u bytes outside every array", verbs[op], width);
    if (fault.kind == FAULT_OUT_OF_BOUNDS)
        engine_fail_lane(
            pc, "%s of %u bytes at %s %c %lld bytes, outside every array: %s has %llu bytes",
            verbs[op], width, array->name, at < 0 ? '-' : '+',
            at < 0 ? -(long long)at : (long long)at, array->name, (unsigned long long)array->bytes);
    engine_fail_lane(
        pc, "%s of %u bytes at %s + %lld bytes, %s", verbs[op], width, array->name, (long long)at,
        array->freed                         ? "which was freed"
        : fault.kind == FAULT_USE_AFTER_FREE ? "which is none that malloc() or new has "
                                               "given, or was freed"
                                             : "which was never written");
}

static void count_outside(int64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    const struct device_array *array = memory_array_near(offset);
    const struct trace_fault fault = fault_of(FAULT_OUT_OF_BOUNDS, array, offset, width, op);
    const long long at = fault.offset;
    faults_count(&fault, pc,
                 "%s of %u bytes at %s %c %lld bytes, outside every array: %s has %llu bytes",
                 verbs[op], width, array->name, at < 0 ? '-' : '+', at < 0 ? -at : at, array->name,
                 (unsigned long long)array->bytes);
}

/* Behind an array and in its last page, which the GPU has mapped: no GPU notices. The bytes between
 * arrays take part in nothing else here. The fault is the nearest array's: p[-1] is not another's. */
static bool tolerate_outside(const struct device_array *before, uint64_t offset, unsigned width,
                             enum mem_op op, uintptr_t pc)
{
    uint64_t end = before->offset + before->bytes;
    if (offset + width > end + GPU_PAGE_BYTES || offset + width > device_arena.bytes)
        return false;
    count_outside((int64_t)offset, width, op, pc);
    return true;
}

/* In front of the first array, where a GPU has what the driver took before the program. */
bool memory_tolerate_before(uint64_t distance, unsigned width, enum mem_op op, uintptr_t pc)
{
    if (!engine.program || distance > GPU_PAGE_BYTES || memory_array_near(-1) == NULL)
        return false;
    count_outside(-(int64_t)distance, width, op, pc);
    return true;
}

/* What an atomic has met is written then. */
static void tolerate_unwritten(const struct device_array *array, uint64_t offset, unsigned width,
                               enum mem_op op, uintptr_t pc)
{
    const struct trace_fault fault =
        fault_of(FAULT_UNWRITTEN_GLOBAL, array, (int64_t)offset, width, op);
    faults_count(
        &fault, pc,
        "%s of %u bytes at %s + %lld bytes, which was never written: 0 here, anything on a "
        "GPU",
        verbs[op], width, array->name, (long long)fault.offset);
    if (op == OP_ATOMIC)
        memset(device_arena.state + offset, BYTE_WRITTEN, width);
}

/* Of a load of several bytes, some of which nothing has written: a struct's, between its members. */
static bool is_padding(uint64_t offset, unsigned width)
{
    return memchr(device_arena.state + offset, BYTE_WRITTEN, width) != NULL;
}

bool memory_tolerate(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    const struct device_array *array = memory_array_at(offset);
    if (!engine.program || array == NULL || array->freed || array->outside ||
        is_no_piece(array, offset, width))
        return false;
    if (offset + width > array->offset + array->bytes)
        return tolerate_outside(array, offset, width, op, pc);
    if (op != OP_LOAD || !is_padding(offset, width))
        tolerate_unwritten(array, offset, width, op, pc);
    return true;
}

unsigned memory_library_depth;

void memory_check_host(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    uint64_t offset = memory_offset(pointer);
    const struct device_array *array = offset == MEMORY_NOWHERE ? NULL : memory_array_at(offset);
    if (array == NULL || array->freed || offset >= array->offset + array->bytes)
        return;
    if (array->home == HOME_MANAGED)
        memory_touch(pointer, width, MANAGED_TOUCHED);
    else if (array->host_may_touch)
        return;
    else if (memory_library_depth && op != OP_LOAD)
        memory_write(pointer, width);
    else if (memory_library_depth)
        return;
    else if (array->home == HOME_DEVICE)
        engine_fail_host(
            pc, "host code: %s of %u bytes at %s + %llu bytes, which is device memory: %s",
            verbs[op], width, array->name, (unsigned long long)(offset - array->offset),
            array->outside ? "copy it with cudaMemcpyToSymbol or cudaMemcpyFromSymbol"
                           : "copy it with cudaMemcpy first");
}
