/* cuComplex.h - CUDA's complex numbers: a float2 or a double2, and functions of them. */
#ifndef WARPLENS_COMPAT_CUCOMPLEX_H
#define WARPLENS_COMPAT_CUCOMPLEX_H
#pragma GCC system_header

#include "warplens/cuda.h"

/* F: the functions' letter; T and E: the types of a number and of its parts; H: hypot of E. */
#define WL_COMPLEX(T, E, real, imag, conjugate, add, sub, mul, div, magnitude, fma, H)             \
    WL_INLINE E real(T x)                                                                          \
    {                                                                                              \
        return x.x;                                                                                \
    }                                                                                              \
    WL_INLINE E imag(T x)                                                                          \
    {                                                                                              \
        return x.y;                                                                                \
    }                                                                                              \
    WL_INLINE T make_##T(E r, E i)                                                                 \
    {                                                                                              \
        T x;                                                                                       \
        x.x = r;                                                                                   \
        x.y = i;                                                                                   \
        return x;                                                                                  \
    }                                                                                              \
    WL_INLINE T conjugate(T x)                                                                     \
    {                                                                                              \
        return make_##T(x.x, -x.y);                                                                \
    }                                                                                              \
    WL_INLINE T add(T x, T y)                                                                      \
    {                                                                                              \
        return make_##T(x.x + y.x, x.y + y.y);                                                     \
    }                                                                                              \
    WL_INLINE T sub(T x, T y)                                                                      \
    {                                                                                              \
        return make_##T(x.x - y.x, x.y - y.y);                                                     \
    }                                                                                              \
    WL_INLINE T mul(T x, T y)                                                                      \
    {                                                                                              \
        return make_##T(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                             \
    }                                                                                              \
    WL_INLINE T div(T x, T y)                                                                      \
    {                                                                                              \
        const E scale = (y.x < 0 ? -y.x : y.x) + (y.y < 0 ? -y.y : y.y);                           \
        const T a = make_##T(x.x / scale, x.y / scale), b = make_##T(y.x / scale, y.y / scale);    \
        const E size = b.x * b.x + b.y * b.y;                                                      \
        return make_##T((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);           \
    }                                                                                              \
    WL_INLINE E magnitude(T x)                                                                     \
    {                                                                                              \
        return H(x.x, x.y);                                                                        \
    }                                                                                              \
    WL_INLINE T fma(T x, T y, T d)                                                                 \
    {                                                                                              \
        return add(mul(x, y), d);                                                                  \
    }

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
WL_COMPLEX(cuFloatComplex, float, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf, cuCdivf,
           cuCabsf, cuCfmaf, hypotf)
WL_COMPLEX(cuDoubleComplex, double, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv,
           cuCabs, cuCfma, hypot)
#undef WL_COMPLEX

WL_INLINE cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
WL_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x)
{
    return make_cuDoubleComplex(x.x, x.y);
}
WL_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x)
{
    return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif
