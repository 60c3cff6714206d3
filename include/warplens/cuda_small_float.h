/* cuda_small_float.h - a type of 16 bits with all its functions. cuda_fp16.h and cuda_bf16.h include it once each, with
 *
 *   WL_T, WL_T2, WL_RAW   the types of one and of two, and of the bits
 *   WL_N, WL_N2           what the functions' names have: __float2<WL_N>
 *   WL_BITS               exponent and mantissa
 *
 * Each operation is rounded once, to nearest even: sums, products and quotients of float are exact enough for that. What
 * a GPU approximates is computed in double. What a GPU has an instruction for is a function that counts as one, or as
 * few: GPUs take a half of a register as an operand, and compute with two numbers at a time.
 */
#define WL_PASTE_3(a, b, c) a##b##c
#define WL_JOIN(a, b, c) WL_PASTE_3(a, b, c)
#define WL_AS(name) WL_JOIN(__, WL_N, name) /* __half2float */
#define WL_TO(name) WL_JOIN(__, name, WL_N)
#define WL_TO_2(name) WL_JOIN(__, name, WL_N2)
#define WL_BITS_OF(type) WL_JOIN(wl_, WL_N, _of_##type)
#define WL_BITS_TO(type) WL_JOIN(wl_, WL_N, _to_##type)

WL_ARITHMETIC(1) float WL_BITS_TO(float)(unsigned short bits)
{
    return wl::small::to<WL_BITS>(bits);
}
WL_ARITHMETIC(1) unsigned short WL_BITS_OF(float)(float value)
{
    return (unsigned short)wl::small::from<WL_BITS, float>((double)value);
}
WL_ARITHMETIC(1) unsigned short WL_BITS_OF(double)(double value)
{
    return (unsigned short)wl::small::from<WL_BITS, double>(value);
}
WL_ARITHMETIC(1) unsigned short WL_BITS_OF(signed)(long long value)
{
    return (unsigned short)wl::small::from<WL_BITS>(wl::small::double_to_odd(value));
}
WL_ARITHMETIC(1) unsigned short WL_BITS_OF(unsigned)(unsigned long long value)
{
    return (unsigned short)wl::small::from<WL_BITS>(wl::small::double_to_odd(value));
}
struct WL_RAW {
    unsigned short x;
};
struct WL_T {
    unsigned short __x;
    WL_T() = default;
    template <class From, class = std::enable_if_t<std::is_floating_point<From>::value>>
    WL_INLINE_MEMBER WL_T(From value)
        : __x(std::is_same<From, float>::value ? WL_BITS_OF(float)((float)value)
                                               : WL_BITS_OF(double)((double)value))
    {
    }
    template <class From, class = std::enable_if_t<std::is_integral<From>::value>, class = void>
    WL_INLINE_MEMBER WL_T(From value)
        : __x(std::is_signed<From>::value ? WL_BITS_OF(signed)((long long)value)
                                          : WL_BITS_OF(unsigned)((unsigned long long)value))
    {
    }
    /* Of the other type of 16 bits, whose values are floats. */
    template <class From, class = std::enable_if_t<wl::is_small_float<From>::value>, class = void,
              class = void>
    WL_INLINE_MEMBER explicit WL_T(From value) : WL_T((float)value)
    {
    }
    WL_INLINE_MEMBER WL_T(WL_RAW raw) : __x(raw.x)
    {
    }
    WL_INLINE_MEMBER operator float() const
    {
        return WL_BITS_TO(float)(__x);
    }
    WL_INLINE_MEMBER operator WL_RAW() const
    {
        return {__x};
    }
};
namespace wl
{
template <> struct is_small_float<WL_T> : std::true_type {
};
} // namespace wl
struct __attribute__((aligned(4))) WL_T2 {
    WL_T x, y;
    WL_T2() = default;
    WL_INLINE_MEMBER constexpr WL_T2(WL_T first, WL_T second) : x(first), y(second)
    {
    }
};

namespace wl
{
template <> struct packed<WL_T> {
    typedef unsigned short type;
    WL_INLINE_MEMBER static unsigned short to(WL_T value)
    {
        return value.__x;
    }
    WL_INLINE_MEMBER static WL_T of(unsigned short bits)
    {
        return WL_T(WL_RAW{bits});
    }
};
template <> struct packed<WL_T2> {
    typedef unsigned type;
    WL_INLINE_MEMBER static unsigned to(WL_T2 value)
    {
        unsigned bits;
        __builtin_memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    WL_INLINE_MEMBER static WL_T2 of(unsigned bits)
    {
        WL_T2 value;
        __builtin_memcpy(&value, &bits, sizeof value);
        return value;
    }
};
} // namespace wl

/* A function `name` of T that gives `...` of a, or of a, b and c, as so many instructions. */
#define WL_MADE_1(cost, R, name, T, ...)                                                           \
    WL_ARITHMETIC(cost) wl::packed<R>::type WL_JOIN(wl_, WL_N, name)(wl::packed<T>::type wl_a)     \
    {                                                                                              \
        const T a = wl::packed<T>::of(wl_a);                                                       \
        return wl::packed<R>::to(__VA_ARGS__);                                                     \
    }                                                                                              \
    WL_INLINE R name(T wl_a)                                                                       \
    {                                                                                              \
        return wl::packed<R>::of(WL_JOIN(wl_, WL_N, name)(wl::packed<T>::to(wl_a)));               \
    }
#define WL_MADE_2(cost, R, name, T, ...)                                                           \
    WL_ARITHMETIC(cost)                                                                            \
    wl::packed<R>::type WL_JOIN(wl_, WL_N, name)(wl::packed<T>::type wl_a,                         \
                                                 wl::packed<T>::type wl_b)                         \
    {                                                                                              \
        const T a = wl::packed<T>::of(wl_a), b = wl::packed<T>::of(wl_b);                          \
        return wl::packed<R>::to(__VA_ARGS__);                                                     \
    }                                                                                              \
    WL_INLINE R name(T wl_a, T wl_b)                                                               \
    {                                                                                              \
        return wl::packed<R>::of(                                                                  \
            WL_JOIN(wl_, WL_N, name)(wl::packed<T>::to(wl_a), wl::packed<T>::to(wl_b)));           \
    }
#define WL_MADE_3(cost, R, name, T, ...)                                                           \
    WL_ARITHMETIC(cost)                                                                            \
    wl::packed<R>::type WL_JOIN(wl_, WL_N, name)(                                                  \
        wl::packed<T>::type wl_a, wl::packed<T>::type wl_b, wl::packed<T>::type wl_c)              \
    {                                                                                              \
        const T a = wl::packed<T>::of(wl_a), b = wl::packed<T>::of(wl_b),                          \
                c = wl::packed<T>::of(wl_c);                                                       \
        return wl::packed<R>::to(__VA_ARGS__);                                                     \
    }                                                                                              \
    WL_INLINE R name(T wl_a, T wl_b, T wl_c)                                                       \
    {                                                                                              \
        return wl::packed<R>::of(WL_JOIN(wl_, WL_N, name)(                                         \
            wl::packed<T>::to(wl_a), wl::packed<T>::to(wl_b), wl::packed<T>::to(wl_c)));           \
    }

/* ---- Bits and halves --------------------------------------------------------------------------------- */

WL_INLINE WL_T WL_JOIN(__ushort_as_, WL_N, )(unsigned short bits)
{
    return WL_T(WL_RAW{bits});
}
WL_INLINE WL_T WL_JOIN(__short_as_, WL_N, )(short bits)
{
    return WL_T(WL_RAW{(unsigned short)bits});
}
WL_INLINE unsigned short WL_AS(_as_ushort)(WL_T value)
{
    return value.__x;
}
WL_INLINE short WL_AS(_as_short)(WL_T value)
{
    return (short)value.__x;
}
WL_INLINE WL_T2 WL_TO_2(halves2)(WL_T x, WL_T y)
{
    return {x, y};
}
WL_INLINE WL_T2 WL_JOIN(make_, WL_N2, )(WL_T x, WL_T y)
{
    return {x, y};
}
WL_INLINE WL_T2 WL_JOIN(WL_AS(2), WL_N2, )(WL_T x)
{
    return {x, x};
}
WL_INLINE WL_T WL_TO(low2)(WL_T2 v)
{
    return v.x;
}
WL_INLINE WL_T WL_TO(high2)(WL_T2 v)
{
    return v.y;
}
WL_INLINE WL_T2 WL_TO_2(low2)(WL_T2 v)
{
    return {v.x, v.x};
}
WL_INLINE WL_T2 WL_TO_2(high2)(WL_T2 v)
{
    return {v.y, v.y};
}
WL_INLINE WL_T2 WL_TO_2(lows2)(WL_T2 a, WL_T2 b)
{
    return {a.x, b.x};
}
WL_INLINE WL_T2 WL_TO_2(highs2)(WL_T2 a, WL_T2 b)
{
    return {a.y, b.y};
}
WL_INLINE WL_T2 __lowhigh2highlow(WL_T2 v)
{
    return {v.y, v.x};
}

/* ---- Conversions ----------------------------------------------------------------------------------------- */

WL_INLINE WL_T WL_TO(float2)(float value)
{
    return WL_T(value);
}
WL_INLINE WL_T WL_TO(double2)(double value)
{
    return WL_T(value);
}
WL_INLINE float WL_AS(2float)(WL_T value)
{
    return (float)value;
}
WL_INLINE float __low2float(WL_T2 v)
{
    return (float)v.x;
}
WL_INLINE float __high2float(WL_T2 v)
{
    return (float)v.y;
}
WL_MADE_2(1, WL_T2, WL_JOIN(__floats2, WL_N2, _rn), float, WL_T2(WL_T(a), WL_T(b)))
WL_INLINE WL_T2 WL_JOIN(__float2, WL_N2, _rn)(float x)
{
    return {WL_T(x), WL_T(x)};
}
WL_INLINE WL_T2 WL_JOIN(__float22, WL_N2, _rn)(float2 v)
{
    return WL_JOIN(__floats2, WL_N2, _rn)(v.x, v.y);
}
WL_INLINE float2 WL_JOIN(__, WL_N2, 2float2)(WL_T2 v)
{
    return make_float2((float)v.x, (float)v.y);
}

#define WL_ROUNDED(source, name, suffix, how, convert)                                             \
    WL_MADE_1(1, WL_T, WL_JOIN(__##name##2, WL_N, _##suffix), source,                              \
              WL_T(WL_RAW{                                                                         \
                  (unsigned short)wl::small::from<WL_BITS, source>(convert(a), wl::small::how)}))
#define WL_ROUNDED_ALL(source, name, convert)                                                      \
    WL_ROUNDED(source, name, rn, NEAREST, convert)                                                 \
    WL_ROUNDED(source, name, rz, TO_ZERO, convert)                                                 \
    WL_ROUNDED(source, name, rd, DOWN, convert)                                                    \
    WL_ROUNDED(source, name, ru, UP, convert)
#define WL_TO_INTEGER(type, name)                                                                  \
    WL_ROUNDED_ALL(type, name, wl::small::double_to_odd)                                           \
    WL_MADE_1(1, type, WL_JOIN(__, WL_N, 2##name##_rn), WL_T,                                      \
              wl::ptx::cvt_rni<type, float>((float)a))                                             \
    WL_MADE_1(1, type, WL_JOIN(__, WL_N, 2##name##_rz), WL_T,                                      \
              wl::ptx::cvt_rzi<type, float>((float)a))                                             \
    WL_MADE_1(1, type, WL_JOIN(__, WL_N, 2##name##_rd), WL_T,                                      \
              wl::ptx::cvt_rmi<type, float>((float)a))                                             \
    WL_MADE_1(1, type, WL_JOIN(__, WL_N, 2##name##_ru), WL_T,                                      \
              wl::ptx::cvt_rpi<type, float>((float)a))
WL_ROUNDED_ALL(float, float, (double))
WL_TO_INTEGER(short, short)
WL_TO_INTEGER(unsigned short, ushort)
WL_TO_INTEGER(int, int)
WL_TO_INTEGER(unsigned, uint)
WL_TO_INTEGER(long long, ll)
WL_TO_INTEGER(unsigned long long, ull)
#undef WL_TO_INTEGER
#undef WL_ROUNDED
#undef WL_ROUNDED_ALL
WL_INLINE signed char WL_AS(2char_rz)(WL_T value)
{
    return wl::ptx::cvt_rzi<signed char, float>((float)value);
}
WL_INLINE unsigned char WL_AS(2uchar_rz)(WL_T value)
{
    return wl::ptx::cvt_rzi<unsigned char, float>((float)value);
}

/* ---- Arithmetic: of one and of two, also limited to [0, 1] -------------------------------------------------- */

#define WL_OPERATOR(name, name_2, op, cost, cost_2)                                                \
    WL_MADE_2(cost, WL_T, name, WL_T, WL_T((float)a op(float) b))                                  \
    WL_MADE_2(cost_2, WL_T2, name_2, WL_T2, WL_T2(name(a.x, b.x), name(a.y, b.y)))                 \
    WL_INLINE WL_T operator op(WL_T a, WL_T b)                                                     \
    {                                                                                              \
        return name(a, b);                                                                         \
    }                                                                                              \
    WL_INLINE WL_T2 operator op(WL_T2 a, WL_T2 b)                                                  \
    {                                                                                              \
        return name_2(a, b);                                                                       \
    }                                                                                              \
    WL_INLINE WL_T &operator op##=(WL_T &a, WL_T b)                                                \
    {                                                                                              \
        return a = name(a, b);                                                                     \
    }                                                                                              \
    WL_INLINE WL_T2 &operator op##=(WL_T2 &a, WL_T2 b)                                             \
    {                                                                                              \
        return a = name_2(a, b);                                                                   \
    }
WL_OPERATOR(__hadd, __hadd2, +, 1, 1)
WL_OPERATOR(__hsub, __hsub2, -, 1, 1)
WL_OPERATOR(__hmul, __hmul2, *, 1, 1)
WL_OPERATOR(__hdiv, __h2div, /, 12, 23)
#undef WL_OPERATOR
WL_MADE_1(0, WL_T, wl_saturated, WL_T, WL_T(wl::ptx::saturate((float)a)))
#define WL_VARIANTS(name, op)                                                                      \
    WL_INLINE WL_T name##_rn(WL_T a, WL_T b)                                                       \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    WL_INLINE WL_T2 name##2_rn(WL_T2 a, WL_T2 b)                                                   \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    WL_INLINE WL_T name##_sat(WL_T a, WL_T b)                                                      \
    {                                                                                              \
        return wl_saturated(a op b);                                                               \
    }                                                                                              \
    WL_INLINE WL_T2 name##2_sat(WL_T2 a, WL_T2 b)                                                  \
    {                                                                                              \
        return {wl_saturated(a.x op b.x), wl_saturated(a.y op b.y)};                               \
    }
WL_VARIANTS(__hadd, +)
WL_VARIANTS(__hsub, -)
WL_VARIANTS(__hmul, *)
#undef WL_VARIANTS

/* One rounding: the product is exact in double, the sum to odd. */
WL_MADE_3(1, WL_T, __hfma, WL_T,
          WL_T(wl::small::sum_to_odd((double)(float)a *(double)(float)b, (double)(float)c)))
WL_MADE_1(0, WL_T, wl_not_negative, WL_T, (float)a != (float)a || (float)a > 0 ? a : WL_T(0.0f))
WL_INLINE WL_T __hneg(WL_T a)
{
    return WL_T(WL_RAW{(unsigned short)(a.__x ^ 0x8000)});
}
WL_INLINE WL_T __habs(WL_T a)
{
    return WL_T(WL_RAW{(unsigned short)(a.__x & 0x7fff)});
}
#define WL_OF_TWO_3(name, of, cost)                                                                \
    WL_MADE_3(cost, WL_T2, name, WL_T2, WL_T2(of(a.x, b.x, c.x), of(a.y, b.y, c.y)))
#define WL_OF_TWO_1(name, of, cost) WL_MADE_1(cost, WL_T2, name, WL_T2, WL_T2(of(a.x), of(a.y)))
#define WL_OF_TWO_2(name, of, cost)                                                                \
    WL_MADE_2(cost, WL_T2, name, WL_T2, WL_T2(of(a.x, b.x), of(a.y, b.y)))
WL_INLINE WL_T __hfma_sat(WL_T a, WL_T b, WL_T c)
{
    return wl_saturated(__hfma(a, b, c));
}
WL_INLINE WL_T __hfma_relu(WL_T a, WL_T b, WL_T c)
{
    return wl_not_negative(__hfma(a, b, c));
}
WL_OF_TWO_3(__hfma2, __hfma, 1)
WL_OF_TWO_3(__hfma2_sat, __hfma_sat, 1)
WL_OF_TWO_3(__hfma2_relu, __hfma_relu, 1)
WL_OF_TWO_1(__hneg2, __hneg, 0)
WL_OF_TWO_1(__habs2, __habs, 0)
/* A product of complex numbers, and a sum. */
WL_INLINE WL_T2 __hcmadd(WL_T2 a, WL_T2 b, WL_T2 c)
{
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),
            __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
WL_INLINE WL_T2 operator-(WL_T2 a)
{
    return __hneg2(a);
}
WL_INLINE WL_T operator-(WL_T a)
{
    return __hneg(a);
}

#include "warplens/cuda_small_float_functions.h"

#undef WL_T
#undef WL_T2
#undef WL_RAW
#undef WL_N
#undef WL_N2
#undef WL_BITS
#undef WL_PASTE_3
#undef WL_JOIN
#undef WL_AS
#undef WL_TO
#undef WL_TO_2
#undef WL_MADE_1
#undef WL_MADE_2
#undef WL_MADE_3
#undef WL_BITS_OF
#undef WL_BITS_TO
