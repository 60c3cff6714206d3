/* cuda_math.h - CUDA's mathematical functions that C++ has not, and its fast ones. A fast function here
 * is as exact as the slow one: results may differ from a GPU's in the last places.
 */
#ifndef WARPLENS_CUDA_MATH_H
#define WARPLENS_CUDA_MATH_H
#pragma GCC system_header

/* ---- min and max: for each pair of equal types, and mixed as CUDA mixes them ---------------------- */

#define WL_MIN_MAX(type, a, b)                                                                     \
    WL_INLINE type min(a x, b y)                                                                   \
    {                                                                                              \
        return (type)x < (type)y ? (type)x : (type)y;                                              \
    }                                                                                              \
    WL_INLINE type max(a x, b y)                                                                   \
    {                                                                                              \
        return (type)x > (type)y ? (type)x : (type)y;                                              \
    }
#define WL_MIN_MAX_MIXED(type, a, b) WL_MIN_MAX(type, a, b) WL_MIN_MAX(type, b, a)
WL_MIN_MAX(int, int, int)
WL_MIN_MAX(unsigned, unsigned, unsigned)
WL_MIN_MAX_MIXED(unsigned, int, unsigned)
WL_MIN_MAX(long, long, long)
WL_MIN_MAX(unsigned long, unsigned long, unsigned long)
WL_MIN_MAX_MIXED(unsigned long, long, unsigned long)
WL_MIN_MAX(long long, long long, long long)
WL_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WL_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
WL_INLINE float min(float x, float y)
{
    return __builtin_fminf(x, y);
}
WL_INLINE float max(float x, float y)
{
    return __builtin_fmaxf(x, y);
}
WL_INLINE double min(double x, double y)
{
    return __builtin_fmin(x, y);
}
WL_INLINE double max(double x, double y)
{
    return __builtin_fmax(x, y);
}
WL_INLINE double min(float x, double y)
{
    return __builtin_fmin((double)x, y);
}
WL_INLINE double max(float x, double y)
{
    return __builtin_fmax((double)x, y);
}
WL_INLINE double min(double x, float y)
{
    return __builtin_fmin(x, (double)y);
}
WL_INLINE double max(double x, float y)
{
    return __builtin_fmax(x, (double)y);
}
#undef WL_MIN_MAX
#undef WL_MIN_MAX_MIXED
WL_INLINE unsigned umin(unsigned x, unsigned y)
{
    return x < y ? x : y;
}
WL_INLINE unsigned umax(unsigned x, unsigned y)
{
    return x > y ? x : y;
}
WL_INLINE long long llmin(long long x, long long y)
{
    return x < y ? x : y;
}
WL_INLINE long long llmax(long long x, long long y)
{
    return x > y ? x : y;
}

/* ---- What math.h has not -------------------------------------------------------------------------- */

/* One instruction of a GPU and what scales it: not a division by a root. */
WL_ARITHMETIC(4) float rsqrtf(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
WL_INLINE double rsqrt(double x)
{
    return 1.0 / __builtin_sqrt(x);
}
WL_INLINE float rsqrt(float x)
{
    return rsqrtf(x);
}
WL_INLINE float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
WL_INLINE double rcbrt(double x)
{
    return 1.0 / cbrt(x);
}
WL_INLINE float rhypotf(float x, float y)
{
    return 1.0f / hypotf(x, y);
}
WL_INLINE double rhypot(double x, double y)
{
    return 1.0 / hypot(x, y);
}
WL_INLINE double norm3d(double x, double y, double z)
{
    return hypot(hypot(x, y), z);
}
WL_INLINE float norm3df(float x, float y, float z)
{
    return (float)__builtin_sqrt((double)x * x + (double)y * y + (double)z * z);
}
WL_INLINE double rnorm3d(double x, double y, double z)
{
    return 1.0 / norm3d(x, y, z);
}
WL_INLINE float rnorm3df(float x, float y, float z)
{
    return 1.0f / norm3df(x, y, z);
}
WL_INLINE double norm4d(double x, double y, double z, double w)
{
    return hypot(hypot(x, y), hypot(z, w));
}
WL_INLINE float norm4df(float x, float y, float z, float w)
{
    return (float)norm4d((double)x, (double)y, (double)z, (double)w);
}
WL_INLINE float fdividef(float x, float y)
{
    return x / y;
}
WL_INLINE float saturate(float x)
{
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

/* Exact where the angle is: at multiples of a half. */
WL_INLINE double sinpi(double x)
{
    double turn = std::fmod(x, 2.0);
    turn += turn < 0 ? 2.0 : 0.0;
    if (turn == 0.0 || turn == 1.0)
        return 0.0;
    if (turn == 0.5 || turn == 1.5)
        return 2.0 - 2.0 * turn;
    return std::sin(turn * 3.14159265358979323846);
}
WL_INLINE double cospi(double x)
{
    return sinpi(std::fmod(x, 2.0) + 0.5);
}
WL_INLINE float sinpif(float x)
{
    return (float)sinpi((double)x);
}
WL_INLINE float cospif(float x)
{
    return (float)cospi((double)x);
}
WL_INLINE void sincospi(double x, double *sine, double *cosine)
{
    *sine = sinpi(x);
    *cosine = cospi(x);
}
WL_INLINE void sincospif(float x, float *sine, float *cosine)
{
    *sine = sinpif(x);
    *cosine = cospif(x);
}
WL_INLINE void sincos(float x, float *sine, float *cosine)
{
    *sine = std::sin(x);
    *cosine = std::cos(x);
}

WL_INLINE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
WL_INLINE float normcdff(float x)
{
    return (float)normcdf((double)x);
}
WL_INLINE double erfcx(double x)
{
    return exp(x * x) * erfc(x);
}
WL_INLINE float erfcxf(float x)
{
    return (float)erfcx((double)x);
}

namespace wl
{
/* Newton's method on erfc, from a rough start: the derivative is known. */
inline double erfc_inverse(double y)
{
    if (!(y > 0.0 && y < 2.0))
        return y == 0.0 ? HUGE_VAL : y == 2.0 ? -HUGE_VAL : NAN;
    double small = y < 1.0 ? y : 2.0 - y, t = std::sqrt(-2.0 * std::log(small / 2.0));
    double x = 0.70710678 * (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)));
    for (int i = 0; i < 4; i++) {
        double error = erfc(x) - small;
        x += error / (1.12837916709551257390 * std::exp(-x * x) - x * error);
    }
    return y < 1.0 ? x : -x;
}
} // namespace wl
WL_INLINE double erfcinv(double y)
{
    return wl::erfc_inverse(y);
}
WL_INLINE double erfinv(double y)
{
    return wl::erfc_inverse(1.0 - y);
}
WL_INLINE double normcdfinv(double y)
{
    return -1.41421356237309504880 * wl::erfc_inverse(2.0 * y);
}
WL_INLINE float erfcinvf(float y)
{
    return (float)erfcinv((double)y);
}
WL_INLINE float erfinvf(float y)
{
    return (float)erfinv((double)y);
}
WL_INLINE float normcdfinvf(float y)
{
    return (float)normcdfinv((double)y);
}

/* ---- Fast functions. glibc has some of these names for itself: macros go before them -------------- */

#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __expf(x) expf(x)
#define __exp2f(x) exp2f(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, sine, cosine) sincosf(x, sine, cosine)
WL_INLINE float __fdividef(float x, float y)
{
    return x / y;
}
WL_INLINE float __saturatef(float x)
{
    return saturate(x);
}
WL_INLINE float __fsqrt_rn(float x)
{
    return __builtin_sqrtf(x);
}
WL_INLINE float __frsqrt_rn(float x)
{
    return 1.0f / __builtin_sqrtf(x);
}
WL_INLINE float __frcp_rn(float x)
{
    return 1.0f / x;
}
WL_INLINE float __fadd_rn(float x, float y)
{
    return x + y;
}
WL_INLINE float __fsub_rn(float x, float y)
{
    return x - y;
}
WL_INLINE float __fmul_rn(float x, float y)
{
    return x * y;
}
WL_INLINE float __fdiv_rn(float x, float y)
{
    return x / y;
}
WL_INLINE float __fmaf_rn(float x, float y, float z)
{
    return fmaf(x, y, z);
}
WL_INLINE float __fmaf_ieee_rn(float x, float y, float z)
{
    return fmaf(x, y, z);
}
WL_INLINE double __dadd_rn(double x, double y)
{
    return x + y;
}
WL_INLINE double __dsub_rn(double x, double y)
{
    return x - y;
}
WL_INLINE double __dmul_rn(double x, double y)
{
    return x * y;
}
WL_INLINE double __ddiv_rn(double x, double y)
{
    return x / y;
}
WL_INLINE double __dsqrt_rn(double x)
{
    return __builtin_sqrt(x);
}
WL_INLINE double __drcp_rn(double x)
{
    return 1.0 / x;
}
WL_INLINE double __fma_rn(double x, double y, double z)
{
    return fma(x, y, z);
}

#endif
