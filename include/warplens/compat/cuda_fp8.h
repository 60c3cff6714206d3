/* cuda_fp8.h - numbers of 8 bits: __nv_fp8_e4m3, which has no infinity and goes up to 448, and __nv_fp8_e5m2. A conversion
 * rounds once, to nearest even; what is too large becomes the largest number, unless __NV_NOSAT says otherwise.
 */
#ifndef WARPLENS_COMPAT_CUDA_FP8_H
#define WARPLENS_COMPAT_CUDA_FP8_H
#pragma GCC system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

template <class Source>
WL_INLINE __nv_fp8_storage_t wl_fp8_from(double value, __nv_saturation_t saturation,
                                         __nv_fp8_interpretation_t kind)
{
    const unsigned sign = __builtin_signbit(value) ? 0x80 : 0;
    const unsigned most = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
    if (value != value && !std::is_same<Source, double>::value)
        return 0x7f;
    if (value != value)
        return (__nv_fp8_storage_t)(kind == __NV_E4M3 ? sign | 0x7f
                                                      : wl::small::no_number<5, 2>(value));
    unsigned bits = 0x7f;
    if (__builtin_fabs(value) <= 1e6)
        bits = kind == __NV_E4M3 ? wl::small::magnitude<4, 3>(value, wl::small::NEAREST)
                                 : wl::small::magnitude<5, 2>(value, wl::small::NEAREST);
    if (bits > most)
        bits = saturation == __NV_SATFINITE ? most : beyond;
    return (__nv_fp8_storage_t)(sign | bits);
}
WL_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double value, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind)
{
    return wl_fp8_from<double>(value, saturation, kind);
}
WL_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float value, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind)
{
    return wl_fp8_from<float>((double)value, saturation, kind);
}
WL_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw value, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind)
{
    return wl_fp8_from<float>((double)(float)__half(value), saturation, kind);
}
WL_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw value,
                                                         __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind)
{
    return wl_fp8_from<float>((double)(float)__nv_bfloat16(value), saturation, kind);
}
WL_INLINE float wl_fp8_to_float(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind)
{
    if (kind == __NV_E5M2)
        return wl::small::to<5, 2>(bits);
    if ((bits & 0x7f) == 0x7f)
        return __builtin_nanf("");
    /* The highest exponent is one of numbers: with half the exponent's range more it is none of infinity's. */
    return wl::small::to<5, 3>((bits & 0x80U) << 1 | (bits & 0x7fU)) * 256.0f;
}
WL_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits,
                                             __nv_fp8_interpretation_t kind)
{
    return __half(wl_fp8_to_float(bits, kind));
}
#define WL_FP8_TWO(from, name)                                                                     \
    WL_INLINE __nv_fp8x2_storage_t __nv_cvt_##name##2_to_fp8x2(                                    \
        from##2 value, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind)               \
    {                                                                                              \
        return (__nv_fp8x2_storage_t)(__nv_cvt_##name##_to_fp8(value.x, saturation, kind) |        \
                                      __nv_cvt_##name##_to_fp8(value.y, saturation, kind) << 8);   \
    }
WL_FP8_TWO(float, float)
WL_FP8_TWO(double, double)
#undef WL_FP8_TWO

#define WL_FP8(n, kind)                                                                            \
    struct __nv_fp8_##n {                                                                          \
        __nv_fp8_storage_t __x;                                                                    \
        __nv_fp8_##n() = default;                                                                  \
        template <class T>                                                                         \
        WL_INLINE_MEMBER explicit __nv_fp8_##n(T value)                                            \
            : __x(wl_fp8_from<T>(wl_fp8_source(value), __NV_SATFINITE, kind))                      \
        {                                                                                          \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator float() const                                           \
        {                                                                                          \
            return wl_fp8_to_float(__x, kind);                                                     \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator double() const                                          \
        {                                                                                          \
            return (double)wl_fp8_to_float(__x, kind);                                             \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator __half() const                                          \
        {                                                                                          \
            return __half(wl_fp8_to_float(__x, kind));                                             \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator __nv_bfloat16() const                                   \
        {                                                                                          \
            return __nv_bfloat16(wl_fp8_to_float(__x, kind));                                      \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(2))) __nv_fp8x2_##n {                                            \
        __nv_fp8x2_storage_t __x;                                                                  \
        __nv_fp8x2_##n() = default;                                                                \
        WL_INLINE_MEMBER explicit __nv_fp8x2_##n(float2 v)                                         \
            : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind))                               \
        {                                                                                          \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator float2() const                                          \
        {                                                                                          \
            return make_float2(wl_fp8_to_float((__nv_fp8_storage_t)__x, kind),                     \
                               wl_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind));             \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) __nv_fp8x4_##n {                                            \
        __nv_fp8x4_storage_t __x;                                                                  \
        __nv_fp8x4_##n() = default;                                                                \
        WL_INLINE_MEMBER explicit __nv_fp8x4_##n(float4 v)                                         \
            : __x(__nv_cvt_float2_to_fp8x2(make_float2(v.x, v.y), __NV_SATFINITE, kind) |          \
                  (unsigned)__nv_cvt_float2_to_fp8x2(make_float2(v.z, v.w), __NV_SATFINITE, kind)  \
                      << 16)                                                                       \
        {                                                                                          \
        }                                                                                          \
        WL_INLINE_MEMBER explicit operator float4() const                                          \
        {                                                                                          \
            return make_float4(wl_fp8_to_float((__nv_fp8_storage_t)__x, kind),                     \
                               wl_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind),              \
                               wl_fp8_to_float((__nv_fp8_storage_t)(__x >> 16), kind),             \
                               wl_fp8_to_float((__nv_fp8_storage_t)(__x >> 24), kind));            \
        }                                                                                          \
    };
/* What a number is as a double. */
template <class T> WL_INLINE double wl_fp8_source(T value)
{
    if constexpr (std::is_integral<T>::value)
        return wl::small::double_to_odd(value);
    else if constexpr (std::is_floating_point<T>::value)
        return (double)value;
    else
        return (double)(float)value;
}
WL_FP8(e4m3, __NV_E4M3)
WL_FP8(e5m2, __NV_E5M2)
#undef WL_FP8

#endif
