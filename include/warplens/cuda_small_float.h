/* cuda_small_float.h - a type of 16 bits with all its functions. cuda_fp16.h and cuda_bf16.h include it once each, with
 *
 *   WL_T, WL_T2, WL_RAW   the types of one and of two, and of the bits
 *   WL_N, WL_N2           what the functions' names have: __float2<WL_N>
 *   WL_BITS               exponent and mantissa
 *
 * Each operation is rounded once, to nearest even: sums, products and quotients of float are exact enough for that. What
 * a GPU approximates is computed in double.
 */
#define WL_PASTE_3(a, b, c) a##b##c
#define WL_JOIN(a, b, c) WL_PASTE_3(a, b, c)
#define WL_AS(name) WL_JOIN(__, WL_N, name) /* __half2float */
#define WL_TO(name) WL_JOIN(__, name, WL_N)
#define WL_TO_2(name) WL_JOIN(__, name, WL_N2)

struct WL_RAW {
    unsigned short x;
};
struct WL_T {
    unsigned short __x;
    WL_T() = default;
    template <class From, class = std::enable_if_t<std::is_floating_point<From>::value>>
    WL_INLINE_MEMBER WL_T(From value)
        : __x((unsigned short)wl::small::from<WL_BITS, From>((double)value))
    {
    }
    template <class From, class = std::enable_if_t<std::is_integral<From>::value>, class = void>
    WL_INLINE_MEMBER WL_T(From value)
        : __x((unsigned short)wl::small::from<WL_BITS>(wl::small::double_to_odd(value)))
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
        return wl::small::to<WL_BITS>(__x);
    }
    WL_INLINE_MEMBER operator WL_RAW() const
    {
        return {__x};
    }
    WL_INLINE_MEMBER WL_T &operator+=(WL_T b)
    {
        return *this = WL_T((float)*this + (float)b);
    }
    WL_INLINE_MEMBER WL_T &operator-=(WL_T b)
    {
        return *this = WL_T((float)*this - (float)b);
    }
    WL_INLINE_MEMBER WL_T &operator*=(WL_T b)
    {
        return *this = WL_T((float)*this * (float)b);
    }
    WL_INLINE_MEMBER WL_T &operator/=(WL_T b)
    {
        return *this = WL_T((float)*this / (float)b);
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
WL_INLINE WL_T2 WL_JOIN(__floats2, WL_N2, _rn)(float x, float y)
{
    return {WL_T(x), WL_T(y)};
}
WL_INLINE WL_T2 WL_JOIN(__float2, WL_N2, _rn)(float x)
{
    return {WL_T(x), WL_T(x)};
}
WL_INLINE WL_T2 WL_JOIN(__float22, WL_N2, _rn)(float2 v)
{
    return {WL_T(v.x), WL_T(v.y)};
}
WL_INLINE float2 WL_JOIN(__, WL_N2, 2float2)(WL_T2 v)
{
    return make_float2((float)v.x, (float)v.y);
}

#define WL_ROUNDED(source, name, suffix, how, convert)                                             \
    WL_INLINE WL_T WL_JOIN(__##name##2, WL_N, _##suffix)(source value)                             \
    {                                                                                              \
        return WL_T(WL_RAW{                                                                        \
            (unsigned short)wl::small::from<WL_BITS, source>(convert(value), wl::small::how)});    \
    }
#define WL_ROUNDED_ALL(source, name, convert)                                                      \
    WL_ROUNDED(source, name, rn, NEAREST, convert)                                                 \
    WL_ROUNDED(source, name, rz, TO_ZERO, convert)                                                 \
    WL_ROUNDED(source, name, rd, DOWN, convert)                                                    \
    WL_ROUNDED(source, name, ru, UP, convert)
#define WL_TO_INTEGER(type, name)                                                                  \
    WL_ROUNDED_ALL(type, name, wl::small::double_to_odd)                                           \
    WL_INLINE type WL_JOIN(__, WL_N, 2##name##_rn)(WL_T value)                                     \
    {                                                                                              \
        return wl::ptx::cvt_rni<type, float>((float)value);                                        \
    }                                                                                              \
    WL_INLINE type WL_JOIN(__, WL_N, 2##name##_rz)(WL_T value)                                     \
    {                                                                                              \
        return wl::ptx::cvt_rzi<type, float>((float)value);                                        \
    }                                                                                              \
    WL_INLINE type WL_JOIN(__, WL_N, 2##name##_rd)(WL_T value)                                     \
    {                                                                                              \
        return wl::ptx::cvt_rmi<type, float>((float)value);                                        \
    }                                                                                              \
    WL_INLINE type WL_JOIN(__, WL_N, 2##name##_ru)(WL_T value)                                     \
    {                                                                                              \
        return wl::ptx::cvt_rpi<type, float>((float)value);                                        \
    }
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

#define WL_OPERATOR(name, name_2, op)                                                              \
    WL_INLINE WL_T operator op(WL_T a, WL_T b)                                                     \
    {                                                                                              \
        return WL_T((float)a op(float) b);                                                         \
    }                                                                                              \
    WL_INLINE WL_T2 operator op(WL_T2 a, WL_T2 b)                                                  \
    {                                                                                              \
        return {a.x op b.x, a.y op b.y};                                                           \
    }                                                                                              \
    WL_INLINE WL_T2 &operator op##=(WL_T2 &a, WL_T2 b)                                             \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    WL_INLINE WL_T name(WL_T a, WL_T b)                                                            \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    WL_INLINE WL_T2 name_2(WL_T2 a, WL_T2 b)                                                       \
    {                                                                                              \
        return a op b;                                                                             \
    }
WL_OPERATOR(__hadd, __hadd2, +)
WL_OPERATOR(__hsub, __hsub2, -)
WL_OPERATOR(__hmul, __hmul2, *)
WL_OPERATOR(__hdiv, __h2div, /)
#undef WL_OPERATOR
WL_INLINE WL_T wl_saturated(WL_T a)
{
    return WL_T(wl::ptx::saturate((float)a));
}
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
WL_INLINE WL_T __hfma(WL_T a, WL_T b, WL_T c)
{
    return WL_T(wl::small::sum_to_odd((double)(float)a * (double)(float)b, (double)(float)c));
}
WL_INLINE WL_T wl_not_negative(WL_T a)
{
    return (float)a != (float)a || (float)a > 0 ? a : WL_T(0.0f);
}
WL_INLINE WL_T __hneg(WL_T a)
{
    return WL_T(WL_RAW{(unsigned short)(a.__x ^ 0x8000)});
}
WL_INLINE WL_T __habs(WL_T a)
{
    return WL_T(WL_RAW{(unsigned short)(a.__x & 0x7fff)});
}
#define WL_OF_TWO_3(name, of)                                                                      \
    WL_INLINE WL_T2 name(WL_T2 a, WL_T2 b, WL_T2 c)                                                \
    {                                                                                              \
        return {of(a.x, b.x, c.x), of(a.y, b.y, c.y)};                                             \
    }
#define WL_OF_TWO_1(name, of)                                                                      \
    WL_INLINE WL_T2 name(WL_T2 a)                                                                  \
    {                                                                                              \
        return {of(a.x), of(a.y)};                                                                 \
    }
#define WL_OF_TWO_2(name, of)                                                                      \
    WL_INLINE WL_T2 name(WL_T2 a, WL_T2 b)                                                         \
    {                                                                                              \
        return {of(a.x, b.x), of(a.y, b.y)};                                                       \
    }
WL_INLINE WL_T __hfma_sat(WL_T a, WL_T b, WL_T c)
{
    return wl_saturated(__hfma(a, b, c));
}
WL_INLINE WL_T __hfma_relu(WL_T a, WL_T b, WL_T c)
{
    return wl_not_negative(__hfma(a, b, c));
}
WL_OF_TWO_3(__hfma2, __hfma)
WL_OF_TWO_3(__hfma2_sat, __hfma_sat)
WL_OF_TWO_3(__hfma2_relu, __hfma_relu)
WL_OF_TWO_1(__hneg2, __hneg)
WL_OF_TWO_1(__habs2, __habs)
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

/* ---- Comparisons: those that end with u are true where one is no number -------------------------------------- */

WL_INLINE bool __hisnan(WL_T a)
{
    return (float)a != (float)a;
}
WL_INLINE int __hisinf(WL_T a)
{
    return (float)a == __builtin_inff() ? 1 : (float)a == -__builtin_inff() ? -1 : 0;
}
WL_INLINE WL_T wl_true(WL_T, bool is)
{
    return WL_T(is ? 1.0f : 0.0f);
}
WL_INLINE WL_T2 __hisnan2(WL_T2 a)
{
    return {wl_true(a.x, __hisnan(a.x)), wl_true(a.y, __hisnan(a.y))};
}
#define WL_COMPARISON(name, how)                                                                   \
    WL_INLINE bool __h##name(WL_T a, WL_T b)                                                       \
    {                                                                                              \
        return wl::ptx::compare_##how<float>((float)a, (float)b);                                  \
    }                                                                                              \
    WL_INLINE WL_T2 __h##name##2(WL_T2 a, WL_T2 b)                                                 \
    {                                                                                              \
        return {wl_true(a.x, __h##name(a.x, b.x)), wl_true(a.x, __h##name(a.y, b.y))};             \
    }                                                                                              \
    WL_INLINE unsigned __h##name##2_mask(WL_T2 a, WL_T2 b)                                         \
    {                                                                                              \
        return (__h##name(a.x, b.x) ? 0xffffU : 0U) | (__h##name(a.y, b.y) ? 0xffff0000U : 0U);    \
    }                                                                                              \
    WL_INLINE bool __hb##name##2(WL_T2 a, WL_T2 b)                                                 \
    {                                                                                              \
        return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                         \
    }
WL_COMPARISON(eq, eq)
WL_COMPARISON(ne, ne)
WL_COMPARISON(lt, lt)
WL_COMPARISON(le, le)
WL_COMPARISON(gt, gt)
WL_COMPARISON(ge, ge)
WL_COMPARISON(equ, equ)
WL_COMPARISON(neu, neu)
WL_COMPARISON(ltu, ltu)
WL_COMPARISON(leu, leu)
WL_COMPARISON(gtu, gtu)
WL_COMPARISON(geu, geu)
#undef WL_COMPARISON
#define WL_OF_TWO_COMPARED(op, name)                                                               \
    WL_INLINE bool operator op(WL_T2 a, WL_T2 b)                                                   \
    {                                                                                              \
        return name(a, b);                                                                         \
    }
WL_OF_TWO_COMPARED(==, __hbeq2)
WL_OF_TWO_COMPARED(!=, __hbneu2)
WL_OF_TWO_COMPARED(<, __hblt2)
WL_OF_TWO_COMPARED(<=, __hble2)
WL_OF_TWO_COMPARED(>, __hbgt2)
WL_OF_TWO_COMPARED(>=, __hbge2)
#undef WL_OF_TWO_COMPARED

WL_INLINE WL_T __hmax(WL_T a, WL_T b)
{
    return WL_T(wl::small::greater((float)a, (float)b));
}
WL_INLINE WL_T __hmin(WL_T a, WL_T b)
{
    return WL_T(wl::small::smaller((float)a, (float)b));
}
WL_INLINE WL_T __hmax_nan(WL_T a, WL_T b)
{
    return __hisnan(a) || __hisnan(b) ? WL_T(__builtin_nanf("")) : __hmax(a, b);
}
WL_INLINE WL_T __hmin_nan(WL_T a, WL_T b)
{
    return __hisnan(a) || __hisnan(b) ? WL_T(__builtin_nanf("")) : __hmin(a, b);
}
WL_OF_TWO_2(__hmax2, __hmax)
WL_OF_TWO_2(__hmin2, __hmin)
WL_OF_TWO_2(__hmax2_nan, __hmax_nan)
WL_OF_TWO_2(__hmin2_nan, __hmin_nan)

/* ---- Functions ------------------------------------------------------------------------------------------------ */

#define WL_FUNCTION(name, expression)                                                              \
    WL_INLINE WL_T h##name(WL_T a)                                                                 \
    {                                                                                              \
        const double x = (double)(float)a;                                                         \
        return WL_T(expression);                                                                   \
    }                                                                                              \
    WL_OF_TWO_1(h2##name, h##name)
WL_FUNCTION(sqrt, std::sqrt(x))
WL_FUNCTION(rsqrt, 1 / std::sqrt(x))
WL_FUNCTION(rcp, 1 / x)
WL_FUNCTION(exp, std::exp(x))
WL_FUNCTION(exp2, std::exp2(x))
WL_FUNCTION(exp10, exp10(x))
WL_FUNCTION(log, std::log(x))
WL_FUNCTION(log2, std::log2(x))
WL_FUNCTION(log10, std::log10(x))
WL_FUNCTION(sin, std::sin(x))
WL_FUNCTION(cos, std::cos(x))
WL_FUNCTION(tanh, std::tanh(x))
WL_FUNCTION(tanh_approx, std::tanh(x))
WL_FUNCTION(floor, std::floor(x))
WL_FUNCTION(ceil, std::ceil(x))
WL_FUNCTION(trunc, std::trunc(x))
WL_FUNCTION(rint, std::rint(x))
#undef WL_FUNCTION
#undef WL_OF_TWO_1
#undef WL_OF_TWO_2
#undef WL_OF_TWO_3

/* ---- Lanes and atomics -------------------------------------------------------------------------------------------- */

#define WL_SHUFFLES(type)                                                                          \
    WL_SHUFFLE_OF(type, __shfl_sync, WL_SHFL_IDX, int)                                             \
    WL_SHUFFLE_OF(type, __shfl_up_sync, WL_SHFL_UP, unsigned)                                      \
    WL_SHUFFLE_OF(type, __shfl_down_sync, WL_SHFL_DOWN, unsigned)                                  \
    WL_SHUFFLE_OF(type, __shfl_xor_sync, WL_SHFL_XOR, int)
#define WL_SHUFFLE_OF(type, name, mode, lane_type)                                                 \
    WL_INLINE type name(unsigned mask, type value, lane_type lane, int width = 32)                 \
    {                                                                                              \
        uint64_t bits = 0;                                                                         \
        __builtin_memcpy(&bits, &value, sizeof value);                                             \
        bits = wl_shuffle(mode, mask, bits, (unsigned)lane, (unsigned)width);                      \
        __builtin_memcpy(&value, &bits, sizeof value);                                             \
        return value;                                                                              \
    }
WL_SHUFFLES(WL_T)
WL_SHUFFLES(WL_T2)
#undef WL_SHUFFLES
#undef WL_SHUFFLE_OF

WL_INLINE WL_T atomicAdd(WL_T *address, WL_T value, int line = __builtin_LINE(),
                         const char *file = __builtin_FILE())
{
    return wl::atomic_update(
        address, [value](WL_T old) { return old + value; }, file, line);
}
WL_INLINE WL_T2 atomicAdd(WL_T2 *address, WL_T2 value, int line = __builtin_LINE(),
                          const char *file = __builtin_FILE())
{
    return wl::atomic_update(
        address, [value](WL_T2 old) { return old + value; }, file, line);
}

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
