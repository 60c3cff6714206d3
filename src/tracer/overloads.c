/* overloads.c - the shuffles of C++ programs: a function for each type, under the name that C++ gives
 * it (cuda_warp.h declares them, cuda_atomics.h says why they are templates): "int
 * __shfl_sync<void>(unsigned, int, int, int)" is _Z11__shfl_syncIvEijiii (Itanium C++ ABI, section
 * 5.1.5).
 */
#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static uint64_t shuffle(enum wl_shuffle mode, unsigned mask, uint64_t bits, unsigned lane,
                        int width, uintptr_t pc)
{
    if (width <= 0 || width > WARP_LANES || (width & (width - 1)))
        engine_fail_lane(pc, "shuffle width %d: 1, 2, 4, 8, 16 or 32 is possible", width);
    return warp_op_run(pc, (struct warp_op){.kind = WARP_OP_SHUFFLE,
                                            .mode = mode,
                                            .mask = mask,
                                            .lane = lane,
                                            .width = (unsigned)width,
                                            .value = bits});
}

#define BODY(type, mode, mask)                                                                     \
    {                                                                                              \
        uint64_t bits = 0;                                                                         \
        __builtin_memcpy(&bits, &value, sizeof value);                                             \
        bits = shuffle(mode, mask, bits, (unsigned)lane, width, RETURN_ADDRESS);                   \
        __builtin_memcpy(&value, &bits, sizeof value);                                             \
        return value;                                                                              \
    }

/* One with a mask, and the one of before sm_70: of the lanes that are together. */
#define SHUFFLE(type, letter, mode, what, lane_type, lane_letter, sync_length, length)             \
    type what##_sync_##letter(unsigned mask, type value, lane_type lane, int width) __asm__(       \
        "_Z" #sync_length "__" #what "_syncIvE" #letter "j" #letter #lane_letter "i");             \
    type what##_##letter(type value, lane_type lane, int width) __asm__(                           \
        "_Z" #length "__" #what "IvE" #letter #letter #lane_letter "i");                           \
    WORK_COST_1 type what##_sync_##letter(unsigned mask, type value, lane_type lane, int width)    \
        BODY(type, mode, mask)                                                                     \
            WORK_COST_1 type what##_##letter(type value, lane_type lane, int width)                \
                BODY(type, mode, 0)

#define SHUFFLES(type, letter)                                                                     \
    SHUFFLE(type, letter, WL_SHFL_IDX, shfl, int, i, 11, 6)                                        \
    SHUFFLE(type, letter, WL_SHFL_UP, shfl_up, unsigned, j, 14, 9)                                 \
    SHUFFLE(type, letter, WL_SHFL_DOWN, shfl_down, unsigned, j, 16, 11)                            \
    SHUFFLE(type, letter, WL_SHFL_XOR, shfl_xor, int, i, 15, 10)

SHUFFLES(int, i)
SHUFFLES(unsigned, j)
SHUFFLES(long, l)
SHUFFLES(unsigned long, m)
SHUFFLES(long long, x)
SHUFFLES(unsigned long long, y)
SHUFFLES(float, f)
SHUFFLES(double, d)
