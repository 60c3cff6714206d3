/* shared_faults.c - loads of shared memory that nothing has written, and indices beyond its arrays. A block's
 * shared memory holds on a GPU what blocks before it have left there; lanes run ahead of each other here
 * (engine.h), and so a load of what another thread stores behind no barrier may be such a load, too.
 */
#include "tracer/shared_faults.h"

#include <string.h>

#include "tracer/engine.h"

static struct trace_fault shared_fault(enum fault_kind kind, const struct shared_array *array,
                                       uint64_t offset, unsigned width, enum mem_op op)
{
    return (struct trace_fault){.kind = (uint8_t)kind,
                                .array = spaces_shared_name(array),
                                .space = SPACE_SHARED,
                                .op = (uint8_t)op,
                                .width = (uint8_t)width,
                                .offset = (int64_t)(offset - array->tls_offset),
                                .array_bytes = array->bytes};
}

/* What lies behind the last array is the dynamic part, which a kernel may not have: the index is the array's. */
void shared_fail_outside(const struct shared_array *array, uint64_t offset, unsigned width,
                         enum mem_op op, uintptr_t pc)
{
    if (array->bytes == 0 && array->tls_offset) {
        const struct shared_array *before = spaces_shared_owner(array->tls_offset - 1);
        array = before ? before : array;
    }
    const struct trace_fault fault = shared_fault(FAULT_OUT_OF_BOUNDS, array, offset, width, op);
    faults_stop_is(&fault);
    engine_fail_lane(pc,
                     "shared-memory access of %u bytes at %s + %lld bytes, outside every array: "
                     "%s has %llu bytes",
                     width, fault.array, (long long)fault.offset, fault.array,
                     (unsigned long long)array->bytes);
}

void shared_count_unwritten(uint64_t offset, unsigned width, enum mem_op op, const char *whose,
                            uintptr_t pc)
{
    const struct trace_fault fault =
        shared_fault(FAULT_UNWRITTEN_SHARED, spaces_shared_owner(offset), offset, width, op);
    faults_count(&fault, pc,
                 "%s of %u bytes at %s + %lld bytes of shared memory, which no thread %s has "
                 "written yet",
                 op == OP_LOAD ? "load" : "atomic", width, fault.array, (long long)fault.offset,
                 whose);
}

void shared_check(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    const uint64_t offset = (uintptr_t)pointer - shared_window.base;
    if (offset >= shared_window.bytes) /* no memory for states */
        return;
    uint8_t *state = shared_window.state + offset;
    /* Some bytes are enough: a struct has others between its members. */
    const bool written = memchr(state, BYTE_WRITTEN, width) != NULL;
    if (op != OP_LOAD)
        memset(state, BYTE_WRITTEN, width);
    if (written || op == OP_STORE)
        return;
    shared_count_unwritten(offset, width, op, "of the block", pc);
}
