/* cuda_rounding.h - arithmetic with a direction of rounding: __fadd_rz (towards zero), _rd (down), _ru (up), and so
 * on. To nearest: cuda_math.h.
 */
#ifndef WARPLENS_CUDA_ROUNDING_H
#define WARPLENS_CUDA_ROUNDING_H
#pragma GCC system_header

enum wl_rounding { WL_TOWARDS_ZERO, WL_DOWN, WL_UP };
enum wl_rounded {
    WL_ROUNDED_ADD,
    WL_ROUNDED_SUB,
    WL_ROUNDED_MUL,
    WL_ROUNDED_DIV,
    WL_ROUNDED_SQRT, /* of x */
    WL_ROUNDED_FMA
};

#ifdef __cplusplus
extern "C" {
#endif
float wl_rounded_float(enum wl_rounded what, enum wl_rounding how, float x, float y, float z);
double wl_rounded_double(enum wl_rounded what, enum wl_rounding how, double x, double y, double z);
float wl_rounded_narrow(enum wl_rounding how, double x);
#ifdef __cplusplus
}

/* `p` is what the functions of a type begin with, `f` what its fma is called. */
#define WL_ROUNDED_OF(type, word, p, f, suffix, how)                                               \
    WL_INLINE type __##p##add_##suffix(type x, type y)                                             \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_ADD, how, x, y, 0);                                    \
    }                                                                                              \
    WL_INLINE type __##p##sub_##suffix(type x, type y)                                             \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_SUB, how, x, y, 0);                                    \
    }                                                                                              \
    WL_INLINE type __##p##mul_##suffix(type x, type y)                                             \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_MUL, how, x, y, 0);                                    \
    }                                                                                              \
    WL_INLINE type __##p##div_##suffix(type x, type y)                                             \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_DIV, how, x, y, 0);                                    \
    }                                                                                              \
    WL_INLINE type __##p##rcp_##suffix(type x)                                                     \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_DIV, how, 1, x, 0);                                    \
    }                                                                                              \
    WL_INLINE type __##p##sqrt_##suffix(type x)                                                    \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_SQRT, how, x, 0, 0);                                   \
    }                                                                                              \
    WL_INLINE type __##f##_##suffix(type x, type y, type z)                                        \
    {                                                                                              \
        return wl_rounded_##word(WL_ROUNDED_FMA, how, x, y, z);                                    \
    }
#define WL_ROUNDED(suffix, how)                                                                    \
    WL_ROUNDED_OF(float, float, f, fmaf, suffix, how)                                              \
    WL_ROUNDED_OF(double, double, d, fma, suffix, how)                                             \
    WL_INLINE float __double2float_##suffix(double x)                                              \
    {                                                                                              \
        return wl_rounded_narrow(how, x);                                                          \
    }
WL_ROUNDED(rz, WL_TOWARDS_ZERO)
WL_ROUNDED(rd, WL_DOWN)
WL_ROUNDED(ru, WL_UP)
#undef WL_ROUNDED_OF
#undef WL_ROUNDED
#endif

#endif
