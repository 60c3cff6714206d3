/* cuComplex.h - complex numbers of two floats and of two doubles.
 */
#ifndef WARPLENS_COMPAT_CUCOMPLEX_H
#define WARPLENS_COMPAT_CUCOMPLEX_H
#pragma GCC system_header

#include "warplens/cuda.h"

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

/* `s` is what the functions' names end with. Quotients and absolute values scale, so that no square overflows. */
#define WL_COMPLEX(C, R, s, hypot_of)                                                              \
    WL_INLINE R cuCreal##s(C x)                                                                    \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    WL_INLINE R cuCimag##s(C x)                                                                    \
    {                                                                                              \
        return x.y;                                                                                \
    }                                                                                              \
    WL_INLINE C cuConj##s(C x)                                                                     \
    {                                                                                              \
        return {x.x, -x.y};                                                                        \
    }                                                                                              \
    WL_INLINE C cuCadd##s(C a, C b)                                                                \
    {                                                                                              \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    WL_INLINE C cuCsub##s(C a, C b)                                                                \
    {                                                                                              \
        return {a.x - b.x, a.y - b.y};                                                             \
    }                                                                                              \
    WL_INLINE C cuCmul##s(C a, C b)                                                                \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    WL_INLINE C cuCdiv##s(C a, C b)                                                                \
    {                                                                                              \
        const R scale = 1 / (std::fabs(b.x) + std::fabs(b.y));                                     \
        const R ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;            \
        const R over = 1 / (bx * bx + by * by);                                                    \
        return {(ax * bx + ay * by) * over, (ay * bx - ax * by) * over};                           \
    }                                                                                              \
    WL_INLINE R cuCabs##s(C x)                                                                     \
    {                                                                                              \
        return hypot_of(x.x, x.y);                                                                 \
    }                                                                                              \
    WL_INLINE C cuCfma##s(C a, C b, C c)                                                           \
    {                                                                                              \
        return {(a.x * b.x + c.x) - a.y * b.y, (a.x * b.y + c.y) + a.y * b.x};                     \
    }
WL_COMPLEX(cuFloatComplex, float, f, hypotf)
WL_COMPLEX(cuDoubleComplex, double, , hypot)
#undef WL_COMPLEX

WL_INLINE cuFloatComplex make_cuFloatComplex(float x, float y)
{
    return {x, y};
}
WL_INLINE cuComplex make_cuComplex(float x, float y)
{
    return {x, y};
}
WL_INLINE cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    return {x, y};
}
WL_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex c)
{
    return {(float)c.x, (float)c.y};
}
WL_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex c)
{
    return {(double)c.x, (double)c.y};
}

#endif
