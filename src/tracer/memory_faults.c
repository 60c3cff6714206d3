/* memory_faults.c - accesses of device memory that cannot be: what is said about them, and which of
 * them a program gets away with, as it does on hardware.
 */
#include <string.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"

enum { GPU_PAGE_BYTES = 2 << 20 };

static const char *const verbs[] = {"load", "store", "atomic"};

void memory_fail(int64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    const struct device_array *array = memory_array_near(offset);
    engine.error = cudaErrorIllegalAddress;
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

/* Behind an array and in its last page, which the GPU has mapped: no GPU notices. The bytes between
 * arrays take part in nothing else here. */
static bool tolerate_outside(struct device_array *array, uint64_t offset, unsigned width,
                             enum mem_op op, uintptr_t pc)
{
    uint64_t end = array->offset + array->bytes;
    if (offset + width > end + GPU_PAGE_BYTES || offset + width > device_arena.bytes)
        return false;
    if (!array->told_outside)
        engine_warn(pc,
                    "%s of %u bytes at %s + %llu bytes, outside every array: %s has %llu bytes; "
                    "undefined in CUDA, though a GPU may not notice",
                    verbs[op], width, array->name, (unsigned long long)(offset - array->offset),
                    array->name, (unsigned long long)array->bytes);
    array->told_outside = true;
    return true;
}

bool memory_tolerate(uint64_t offset, unsigned width, enum mem_op op, uintptr_t pc)
{
    struct device_array *array = memory_array_at(offset);
    if (!engine.program || array == NULL || array->freed || array->outside)
        return false;
    if (offset + width > array->offset + array->bytes)
        return tolerate_outside(array, offset, width, op, pc);
    if (!array->told_unwritten)
        engine_warn(pc,
                    "%s of %u bytes at %s + %llu bytes, which was never written: 0 here, anything "
                    "on a GPU",
                    verbs[op], width, array->name, (unsigned long long)(offset - array->offset));
    array->told_unwritten = true;
    memset(device_arena.state + offset, BYTE_WRITTEN, width);
    return true;
}

void memory_check_host(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    uint64_t offset = memory_offset(pointer);
    const struct device_array *array = offset == MEMORY_NOWHERE ? NULL : memory_array_at(offset);
    if (array == NULL || array->freed || offset >= array->offset + array->bytes)
        return;
    if (array->home == HOME_MANAGED)
        memory_touch(pointer, width, MANAGED_TOUCHED);
    else if (array->home == HOME_DEVICE)
        engine_fail_host(
            pc, "host code: %s of %u bytes at %s + %llu bytes, which is device memory: %s",
            verbs[op], width, array->name, (unsigned long long)(offset - array->offset),
            array->outside ? "copy it with cudaMemcpyToSymbol or cudaMemcpyFromSymbol"
                           : "copy it with cudaMemcpy first");
}
