/* cuda_fp16.h - half precision: numbers of two bytes, computed in float and rounded to nearest even
 * after each operation, as the hardware's single operations are.
 */
#ifndef WARPLENS_COMPAT_CUDA_FP16_H
#define WARPLENS_COMPAT_CUDA_FP16_H
#pragma GCC system_header

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"

/* ---- Conversions ---------------------------------------------------------------------------------- */

WL_INLINE unsigned short wl_half_from(float value)
{
    unsigned bits = __float_as_uint(value), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000)
        return (unsigned short)(sign | 0x7fff);
    if (rest >= 0x477ff000) /* 65520 and more */
        return (unsigned short)(sign | 0x7c00);
    if (rest < 0x38800000) { /* below the least normal number: steps of 2^-24 */
        float scaled = __uint_as_float(rest) * 16777216.0f;
        return (unsigned short)(sign | (unsigned)__float2int_rn(scaled));
    }
    rest += 0xfff + (rest >> 13 & 1);
    return (unsigned short)(sign | ((rest - 0x38000000) >> 13));
}
WL_INLINE float wl_half_to(unsigned short half)
{
    unsigned sign = (unsigned)(half & 0x8000) << 16, rest = half & 0x7fffU;
    if (rest >= 0x7c00)
        return __uint_as_float(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest < 0x400)
        return __uint_as_float(sign | __float_as_uint((float)rest * 5.9604644775390625e-8f));
    return __uint_as_float(sign | (rest << 13) + 0x38000000);
}

struct __half_raw {
    unsigned short x;
};
struct __half {
    unsigned short bits;
    __half() = default;
    WL_INLINE_MEMBER __half(float value) : bits(wl_half_from(value))
    {
    }
    WL_INLINE_MEMBER __half(double value) : bits(wl_half_from((float)value))
    {
    }
    WL_INLINE_MEMBER __half(int value) : bits(wl_half_from((float)value))
    {
    }
    WL_INLINE_MEMBER __half(unsigned value) : bits(wl_half_from((float)value))
    {
    }
    WL_INLINE_MEMBER __half(__half_raw raw) : bits(raw.x)
    {
    }
    WL_INLINE_MEMBER operator float() const
    {
        return wl_half_to(bits);
    }
    WL_INLINE_MEMBER __half &operator+=(__half b)
    {
        return *this = __half((float)*this + (float)b);
    }
    WL_INLINE_MEMBER __half &operator-=(__half b)
    {
        return *this = __half((float)*this - (float)b);
    }
    WL_INLINE_MEMBER __half &operator*=(__half b)
    {
        return *this = __half((float)*this * (float)b);
    }
    WL_INLINE_MEMBER __half &operator/=(__half b)
    {
        return *this = __half((float)*this / (float)b);
    }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    WL_INLINE_MEMBER constexpr __half2(__half first, __half second) : x(first), y(second)
    {
    }
};
typedef __half2 half2;

WL_INLINE __half __float2half(float value)
{
    return __half(value);
}
WL_INLINE __half __float2half_rn(float value)
{
    return __half(value);
}
WL_INLINE __half __double2half(double value)
{
    return __half(value);
}
WL_INLINE float __half2float(__half value)
{
    return (float)value;
}
WL_INLINE __half __int2half_rn(int value)
{
    return __half((float)value);
}
WL_INLINE int __half2int_rn(__half value)
{
    return __float2int_rn((float)value);
}
WL_INLINE unsigned short __half_as_ushort(__half value)
{
    return value.bits;
}
WL_INLINE __half __ushort_as_half(unsigned short bits)
{
    return __half(__half_raw{bits});
}

/* ---- Operators and functions, for one and for two -------------------------------------------------- */

#define WL_HALF_OPERATOR(op)                                                                       \
    WL_INLINE __half operator op(__half a, __half b)                                               \
    {                                                                                              \
        return __half((float)a op(float) b);                                                       \
    }                                                                                              \
    WL_INLINE __half2 operator op(__half2 a, __half2 b)                                            \
    {                                                                                              \
        return {a.x op b.x, a.y op b.y};                                                           \
    }
WL_HALF_OPERATOR(+)
WL_HALF_OPERATOR(-)
WL_HALF_OPERATOR(*)
WL_HALF_OPERATOR(/)
#undef WL_HALF_OPERATOR

#define WL_HALF_TWO(name, op)                                                                      \
    WL_INLINE __half __h##name(__half a, __half b)                                                 \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    WL_INLINE __half2 __h##name##2(__half2 a, __half2 b)                                           \
    {                                                                                              \
        return a op b;                                                                             \
    }
WL_HALF_TWO(add, +)
WL_HALF_TWO(sub, -)
WL_HALF_TWO(mul, *)
#undef WL_HALF_TWO
WL_INLINE __half __hdiv(__half a, __half b)
{
    return a / b;
}
WL_INLINE __half2 __h2div(__half2 a, __half2 b)
{
    return a / b;
}
WL_INLINE __half __hneg(__half a)
{
    return __half(-(float)a);
}
WL_INLINE __half2 __hneg2(__half2 a)
{
    return {__hneg(a.x), __hneg(a.y)};
}
WL_INLINE __half __habs(__half a)
{
    return __half(__builtin_fabsf((float)a));
}
/* One rounding: the product of two halves is exact in float, and the sum in double. */
WL_INLINE __half __hfma(__half a, __half b, __half c)
{
    return __half((float)((double)((float)a * (float)b) + (double)(float)c));
}
WL_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define WL_HALF_COMPARISON(name, op)                                                               \
    WL_INLINE bool __h##name(__half a, __half b)                                                   \
    {                                                                                              \
        return (float)a op(float) b;                                                               \
    }
WL_HALF_COMPARISON(eq, ==)
WL_HALF_COMPARISON(ne, !=)
WL_HALF_COMPARISON(lt, <)
WL_HALF_COMPARISON(le, <=)
WL_HALF_COMPARISON(gt, >)
WL_HALF_COMPARISON(ge, >=)
#undef WL_HALF_COMPARISON
WL_INLINE bool __hisnan(__half a)
{
    return (a.bits & 0x7fff) > 0x7c00;
}
WL_INLINE __half __hmax(__half a, __half b)
{
    return __half(__builtin_fmaxf((float)a, (float)b));
}
WL_INLINE __half __hmin(__half a, __half b)
{
    return __half(__builtin_fminf((float)a, (float)b));
}

WL_INLINE __half2 __floats2half2_rn(float x, float y)
{
    return {__half(x), __half(y)};
}
WL_INLINE __half2 __float2half2_rn(float x)
{
    return {__half(x), __half(x)};
}
WL_INLINE __half2 __float22half2_rn(float2 v)
{
    return {__half(v.x), __half(v.y)};
}
WL_INLINE float2 __half22float2(__half2 v)
{
    return make_float2((float)v.x, (float)v.y);
}
WL_INLINE __half2 __halves2half2(__half x, __half y)
{
    return {x, y};
}
WL_INLINE __half2 make_half2(__half x, __half y)
{
    return {x, y};
}
WL_INLINE __half2 __half2half2(__half x)
{
    return {x, x};
}
WL_INLINE __half __low2half(__half2 v)
{
    return v.x;
}
WL_INLINE __half __high2half(__half2 v)
{
    return v.y;
}
WL_INLINE float __low2float(__half2 v)
{
    return (float)v.x;
}
WL_INLINE float __high2float(__half2 v)
{
    return (float)v.y;
}
WL_INLINE __half2 __lowhigh2highlow(__half2 v)
{
    return {v.y, v.x};
}

#define WL_HALF_FUNCTION(name, of)                                                                 \
    WL_INLINE __half h##name(__half a)                                                             \
    {                                                                                              \
        return __half((float)of((float)a));                                                        \
    }                                                                                              \
    WL_INLINE __half2 h2##name(__half2 a)                                                          \
    {                                                                                              \
        return {h##name(a.x), h##name(a.y)};                                                       \
    }
WL_HALF_FUNCTION(sqrt, sqrtf)
WL_HALF_FUNCTION(rsqrt, rsqrtf)
WL_HALF_FUNCTION(exp, expf)
WL_HALF_FUNCTION(log, logf)
WL_HALF_FUNCTION(sin, sinf)
WL_HALF_FUNCTION(cos, cosf)
WL_HALF_FUNCTION(rcp, 1.0f /)
WL_HALF_FUNCTION(floor, floorf)
WL_HALF_FUNCTION(ceil, ceilf)
#undef WL_HALF_FUNCTION

#endif
