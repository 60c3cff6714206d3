/* ptx.c - what inline PTX asks of the runtime (warplens/cuda_ptx.h declares it): addresses of state spaces, the
 * condition code, shuffles with their predicate, which SM a block is on.
 *
 * A 32-bit address of shared memory is the offset in the program's thread-local block, which begins at a multiple of
 * 256 bytes as each array in it does; that of another block's has its rank above it (grid/cluster.h).
 */
#include "tracer/engine.h"
#include "tracer/grid/cluster.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void *wl_shared_pointer(unsigned long long address, long long offset);
unsigned long long wl_shared_address(const void *pointer);
bool wl_is_shared(const void *pointer);
bool wl_is_local(const void *pointer);
bool wl_is_constant(const void *pointer);
unsigned long long wl_ptx_shuffle(enum wl_shuffle mode, unsigned mask, unsigned value,
                                  unsigned lane, unsigned clamp);
unsigned wl_carry(void);
void wl_set_carry(unsigned carry);
unsigned wl_sm_count(void);
unsigned wl_sm(void);

/* An address that is none of shared memory's stays what it is: its access is told. A generic one in 64 bits is taken as well: its low
 * half is the offset on a GPU. */
WORK_COST_0 void *wl_shared_pointer(unsigned long long address, long long offset)
{
    if ((uintptr_t)address - shared_window.base < shared_window.bytes)
        return (void *)((uintptr_t)address + (uintptr_t)offset);
    if (address >> CLUSTER_RANK_SHIFT) {
        char *other = cluster_pointer(address);
        if (other || cluster_holds((const void *)(uintptr_t)address))
            return other ? other + offset : (char *)(uintptr_t)address + offset;
    }
    return (void *)(shared_window.base + (uintptr_t)address + (uintptr_t)offset);
}

WORK_COST_0 unsigned long long wl_shared_address(const void *pointer)
{
    return cluster_holds(pointer) ? cluster_address(pointer)
                                  : (uintptr_t)pointer - shared_window.base;
}

WORK_COST_1 bool wl_is_shared(const void *pointer)
{
    return (uintptr_t)pointer - shared_window.base < shared_window.bytes;
}

WORK_COST_1 bool wl_is_local(const void *pointer)
{
    return engine.current &&
           (uintptr_t)pointer - (uintptr_t)lane_stack(engine.current->context) < LANE_STACK_BYTES;
}

WORK_COST_1 bool wl_is_constant(const void *pointer)
{
    uint64_t offset;
    return variables_is_constant(pointer, &offset);
}

/* ---- Carry ------------------------------------------------------------------------------------------- */

WORK_COST_0 unsigned wl_carry(void)
{
    return engine.current && engine.current->carry;
}

WORK_COST_0 void wl_set_carry(unsigned carry)
{
    if (engine.current)
        engine.current->carry = carry != 0;
}

/* ---- Shuffles: PTX ISA, "shfl.sync" -------------------------------------------------------------------- */

struct shuffle_source {
    unsigned lane;
    bool in_range;
};

/* Bits 0-4 of `clamp` are the last lane of a segment, bits 8-12 those of the lane's number that say the segment. */
static struct shuffle_source shuffle_source(enum wl_shuffle mode, unsigned own, unsigned lane,
                                            unsigned clamp)
{
    const unsigned by = lane & 31, last = clamp & 31, mask = clamp >> 8 & 31;
    const unsigned highest = (own & mask) | (last & ~mask), lowest = own & mask;
    struct shuffle_source source = {.lane = own};
    switch (mode) {
    case WL_SHFL_UP:
        source.in_range = (int)(own - by) >= (int)highest;
        source.lane = own - by;
        break;
    case WL_SHFL_DOWN:
        source.lane = own + by;
        source.in_range = source.lane <= highest;
        break;
    case WL_SHFL_XOR:
        source.lane = own ^ by;
        source.in_range = source.lane <= highest;
        break;
    case WL_SHFL_IDX:
        source.lane = lowest | (by & ~mask);
        source.in_range = source.lane <= highest;
        break;
    }
    if (!source.in_range)
        source.lane = own;
    return source;
}

WORK_COST_1 unsigned long long wl_ptx_shuffle(enum wl_shuffle mode, unsigned mask, unsigned value,
                                              unsigned lane, unsigned clamp)
{
    const unsigned own = engine.current->index % WARP_LANES;
    const struct shuffle_source source = shuffle_source(mode, own, lane, clamp);
    const uint64_t got = warp_op_run(RETURN_ADDRESS, (struct warp_op){.kind = WARP_OP_SHUFFLE,
                                                                      .mode = WL_SHFL_IDX,
                                                                      .mask = mask,
                                                                      .lane = source.lane,
                                                                      .width = WARP_LANES,
                                                                      .value = value});
    return (uint32_t)got | (uint64_t)source.in_range << 32;
}

/* ---- SMs ------------------------------------------------------------------------------------------------- */

WORK_COST_1 unsigned wl_sm_count(void)
{
    int count = 1;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return count > 0 ? (unsigned)count : 1;
}

WORK_COST_1 unsigned wl_sm(void)
{
    return engine.block_linear % wl_sm_count();
}
