/* cuda_ptx_matrix.h - what ldmatrix, stmatrix and mma of inline PTX become (src/cu/ptx/matrix.c): a lane's registers as words of
 * 8 bytes, which never are in memory.
 */
#ifndef WARPLENS_CUDA_PTX_MATRIX_H
#define WARPLENS_CUDA_PTX_MATRIX_H
#pragma GCC system_header

#include "warplens/cuda_matrix_calls.h"
#include "warplens/cuda_narrow.h"

namespace wl
{
namespace ptx
{

/* The compute capability that the program is compiled for, as in __CUDA_ARCH__. */
#ifdef __CUDA_ARCH__
constexpr int arch = __CUDA_ARCH__;
#else
constexpr int arch = 1000;
#endif

/* Register `K` of registers of type T in words. */
template <class T, unsigned K> WL_INLINE T part(wl_words words)
{
    constexpr unsigned each = 8 / sizeof(T);
    return (T)((K / each ? words.high : words.low) >> (8 * sizeof(T) * (K % each) % 64));
}

WL_INLINE uint64_t pack(unsigned a, unsigned b = 0)
{
    return a | (uint64_t)b << 32;
}

/* A lane's registers: up to four of 4 bytes, or two of 8. */
template <unsigned Use>
WL_INLINE void give(unsigned a, unsigned b = 0, unsigned c = 0, unsigned d = 0)
{
    wl_fragment_give_registers(Use, a, b, c, d);
}
template <unsigned Use> WL_INLINE void give_wide(uint64_t a, uint64_t b = 0)
{
    wl_fragment_give(Use, a, b, 0, 0);
}

template <unsigned M, unsigned N, unsigned K, unsigned D, unsigned A, unsigned B, unsigned C,
          bool Saturates>
struct product {
    static constexpr wl_product value = {M, N, K, A, B, C, D, Saturates};
};

/* PTX's names of types in those of wgmma. */
enum : unsigned {
    of_f16 = WL_F16,
    of_bf16 = WL_BF16,
    of_tf32 = WL_TF32,
    of_f32 = WL_F32,
    of_e4m3 = WL_E4M3,
    of_e5m2 = WL_E5M2,
    of_s8 = WL_S8,
    of_u8 = WL_U8,
    of_s32 = WL_S32
};
template <unsigned N, unsigned K, unsigned A, unsigned B, unsigned D, bool Saturates,
          bool AInRegisters>
struct warpgroup_product {
    static constexpr wl_warpgroup_product value = {N, K, A, B, D, Saturates, AInRegisters};
};
WL_INLINE unsigned warpgroup_flags(bool adds, int scale_a = 1, int scale_b = 1,
                                   int a_by_columns = 0, int b_by_columns = 0)
{
    if ((scale_a != 1 && scale_a != -1) || (scale_b != 1 && scale_b != -1) ||
        (a_by_columns & ~1) != 0 || (b_by_columns & ~1) != 0)
        return ~0U;
    return (adds ? WL_ADDS : 0) | (scale_a < 0 ? WL_MINUS_A : 0) | (scale_b < 0 ? WL_MINUS_B : 0) |
           (a_by_columns ? WL_A_BY_COLUMNS : 0) | (b_by_columns ? WL_B_BY_COLUMNS : 0);
}

/* To tf32's 10 bits of mantissa, to nearest; halfway away from zero. */
WL_INLINE unsigned tf32_of(float value)
{
    const unsigned bits = same_bits<unsigned>(value);
    return (bits & 0x7f800000) == 0x7f800000 ? bits : (bits + 0x1000) & 0xffffe000;
}
/* Two of 16 bits, the first in the upper half. */
template <int Exponent, int Mantissa> WL_INLINE unsigned two_of(float upper, float lower)
{
    return (unsigned)wl::small::from<Exponent, Mantissa, float>((double)upper) << 16 |
           (unsigned)wl::small::from<Exponent, Mantissa, float>((double)lower);
}

} // namespace ptx
} // namespace wl

#endif
