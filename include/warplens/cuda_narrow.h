/* cuda_narrow.h - numbers of few bits: from a double with one rounding, and exactly to a float. For half, bfloat16 and the
 * formats of 8 bits.
 */
#ifndef WARPLENS_CUDA_NARROW_H
#define WARPLENS_CUDA_NARROW_H
#pragma GCC system_header

namespace wl
{
/* half and bfloat16 (cuda_small_float.h). */
template <class T> struct is_small_float : std::false_type {
};

/* As what a value goes to a function of WL_ARITHMETIC and comes from it: structs as numbers, since compilers do not announce the
 * accesses to memory that structs given to a function, or taken from one, make. */
template <class T> struct packed {
    typedef T type;
    WL_INLINE_MEMBER static T to(T value)
    {
        return value;
    }
    WL_INLINE_MEMBER static T of(T value)
    {
        return value;
    }
};

namespace small
{

enum rounding { NEAREST, TO_ZERO, DOWN, UP };

/* The bits of |value| with `Mantissa` bits behind the point, its exponent ahead of them; what is too large goes on with
 * exponents that the format may not have. */
template <int Exponent, int Mantissa> WL_INLINE unsigned magnitude(double value, rounding how)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    const bool negative = bits >> 63, away = how == (negative ? DOWN : UP);
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023, least = 2 - (1 << (Exponent - 1));
    const unsigned long long significand =
        (bits & 0xfffffffffffffULL) | (unsigned long long)(exponent > -1023) << 52;
    int shift = 52 - Mantissa + (exponent < least ? least - exponent : 0);
    shift = shift > 60 ? 60 : shift;
    const unsigned long long rest = significand & ((1ULL << shift) - 1), half = 1ULL << (shift - 1);
    unsigned long long kept = significand >> shift;
    if (how == NEAREST ? rest > half || (rest == half && kept & 1) : away && rest)
        kept++;
    return (unsigned)kept + ((unsigned)(exponent < least ? 0 : exponent - least) << Mantissa);
}

/* What is no number, of a double: its sign and its highest bits are kept, as an H200 keeps them. Of a float all bits are 1. */
template <int Exponent, int Mantissa> WL_INLINE unsigned no_number(double value)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    const unsigned kept = (unsigned)(bits >> (52 - Mantissa)) & ((1U << Mantissa) - 1);
    return (unsigned)(bits >> 63) << (Exponent + Mantissa) | ((1U << Exponent) - 1) << Mantissa |
           1U << (Mantissa - 1) | kept;
}

/* A format of IEEE's kind: infinity behind the largest number. `Source`: the type that is converted. */
template <int Exponent, int Mantissa, class Source = float>
WL_INLINE unsigned from(double value, rounding how = NEAREST)
{
    if (value != value && std::is_same<Source, double>::value)
        return no_number<Exponent, Mantissa>(value);
    const unsigned sign = (unsigned)((unsigned long long)__double_as_longlong(value) >> 63)
                          << (Exponent + Mantissa);
    const unsigned infinity = ((1U << Exponent) - 1) << Mantissa;
    if (value != value)
        return infinity | ((1U << Mantissa) - 1);
    if (__builtin_fabs(value) == __builtin_inf())
        return sign | infinity;
    const unsigned bits = magnitude<Exponent, Mantissa>(value, how);
    const bool stays = how == TO_ZERO || how == (sign ? UP : DOWN); /* at the largest number */
    return sign | (bits < infinity ? bits : infinity - stays);
}

template <int Exponent, int Mantissa> WL_INLINE float to(unsigned bits)
{
    const unsigned sign = bits >> (Exponent + Mantissa) << 31,
                   mantissa = bits & ((1U << Mantissa) - 1);
    const unsigned exponent = bits >> Mantissa & ((1U << Exponent) - 1),
                   bias = (1U << (Exponent - 1)) - 1;
    if (exponent == (1U << Exponent) - 1)
        return __uint_as_float(sign | 0x7f800000U | mantissa << (23 - Mantissa));
    if (exponent || Exponent == 8)
        return __uint_as_float(sign | (exponent + 127 - bias) << 23 | mantissa << (23 - Mantissa));
    const float step = __uint_as_float((128 - bias - Mantissa) << 23);
    return __uint_as_float(sign | __float_as_uint((float)mantissa * step));
}

/* A sum whose last bit says whether it is exact, so that a rounding to fewer bits is the only one: to odd. */
WL_INLINE double sum_to_odd(double a, double b)
{
    const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    const long long bits = __double_as_longlong(sum);
    if (error == 0 || sum - sum != 0 || bits & 1)
        return sum;
    return __longlong_as_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* An integer as a double, to odd. */
template <class T> WL_INLINE double double_to_odd(T value)
{
    const bool negative = value < 0;
    const unsigned long long all = (unsigned long long)value, size = negative ? 0 - all : all;
    const bool large = size >> 53;
    const double result = (double)(large ? (size >> 11 | ((size & 0x7ff) != 0)) << 11 : size);
    return negative ? -result : result;
}

/* The greater and the smaller one: the other where one is no number, and -0 is less than +0. */
WL_INLINE float greater(float a, float b)
{
    return wl::ptx::max_<float>(a, b);
}
WL_INLINE float smaller(float a, float b)
{
    return wl::ptx::min_<float>(a, b);
}

} // namespace small
} // namespace wl

#endif
