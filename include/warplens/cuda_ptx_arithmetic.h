/* cuda_ptx_arithmetic.h - the functions that src/cu/ptx.def names: an instruction's name with _ for each dot and one
 * behind it, with the type that it has. By the PTX ISA, version 8, chapters "Integer Arithmetic Instructions",
 * "Extended-Precision ...", "Floating Point Instructions", "Logic and Shift Instructions".
 */
#ifndef WARPLENS_CUDA_PTX_ARITHMETIC_H
#define WARPLENS_CUDA_PTX_ARITHMETIC_H
#pragma GCC system_header

namespace wl
{
namespace ptx
{

template <class T> constexpr unsigned bit_count = 8 * sizeof(T);

/* An integer's type twice as wide, of the same sign. */
template <class T> struct twice;
#define WL_TWICE(from, to)                                                                         \
    template <> struct twice<from> {                                                               \
        typedef to type;                                                                           \
    };
WL_TWICE(unsigned short, unsigned)
WL_TWICE(short, int)
WL_TWICE(unsigned, unsigned long long)
WL_TWICE(int, long long)
WL_TWICE(unsigned long long, unsigned __int128)
WL_TWICE(long long, __int128)
#undef WL_TWICE
template <class T> using twice_t = typename twice<T>::type;

/* Integers wrap: in unsigned arithmetic of 32 bits at least. */
template <class T>
using modular = std::conditional_t<(sizeof(T) < 4), unsigned, std::make_unsigned_t<T>>;

#define WL_PTX_2(name, integer, real)                                                              \
    template <class T> WL_INLINE T name(T a, T b)                                                  \
    {                                                                                              \
        if constexpr (std::is_integral<T>::value)                                                  \
            return (T)(integer);                                                                   \
        else                                                                                       \
            return real;                                                                           \
    }
WL_PTX_2(add_, (modular<T>)a + (modular<T>)b, a + b)
WL_PTX_2(sub_, (modular<T>)a - (modular<T>)b, a - b)
template <class T> WL_INLINE T mul_(T a, T b)
{
    return a * b;
}
template <class T> WL_INLINE T div_(T a, T b)
{
    return (T)(a / b);
}
template <class T> WL_INLINE T div_approx_(T a, T b)
{
    return a / b;
}
template <class T> WL_INLINE T div_full_(T a, T b)
{
    return a / b;
}
template <class T> WL_INLINE T rem_(T a, T b)
{
    return (T)(a % b);
}
template <class T> WL_INLINE T fma_(T a, T b, T c)
{
    return std::fma(a, b, c);
}
template <class T> WL_INLINE T mad_(T a, T b, T c)
{
    return std::fma(a, b, c);
}
/* The other one where one is no number; -0 is less than +0. */
WL_PTX_2(min_, a < b ? a : b,
         a != a                                      ? b
         : b != b                                    ? a
         : a < b || (a == b && __builtin_signbit(a)) ? a
                                                     : b)
WL_PTX_2(max_, a > b ? a : b,
         a != a                                       ? b
         : b != b                                     ? a
         : a > b || (a == b && !__builtin_signbit(a)) ? a
                                                      : b)
template <class T> WL_INLINE T neg_(T a)
{
    if constexpr (std::is_integral<T>::value)
        return (T)(0 - (modular<T>)a);
    else
        return -a;
}
template <class T> WL_INLINE T abs_(T a)
{
    if constexpr (std::is_integral<T>::value)
        return a < 0 ? neg_<T>(a) : a;
    else
        return std::fabs(a);
}
/* b with the sign of a. */
template <class T> WL_INLINE T copysign_(T a, T b)
{
    return std::copysign(b, a);
}

#define WL_PTX_REAL(name, expression)                                                              \
    template <class T> WL_INLINE T name(T a)                                                       \
    {                                                                                              \
        return (T)(expression);                                                                    \
    }
WL_PTX_REAL(rcp_, 1 / a)
WL_PTX_REAL(rcp_approx_, 1 / a)
WL_PTX_REAL(sqrt_, std::sqrt(a))
WL_PTX_REAL(sqrt_approx_, std::sqrt(a))
WL_PTX_REAL(rsqrt_approx_, 1 / std::sqrt((double)a))
WL_PTX_REAL(sin_approx_, std::sin((double)a))
WL_PTX_REAL(cos_approx_, std::cos((double)a))
WL_PTX_REAL(lg2_approx_, std::log2((double)a))
WL_PTX_REAL(ex2_approx_, std::exp2((double)a))
WL_PTX_REAL(tanh_approx_, std::tanh((double)a))
#undef WL_PTX_REAL

/* ---- Carry: subtraction's is a borrow ------------------------------------------------------------------ */

template <class T> WL_INLINE T carry_out(twice_t<std::make_unsigned_t<T>> sum)
{
    wl_set_carry((unsigned)(sum >> bit_count<T>)&1);
    return (T)sum;
}
#define WL_PTX_CARRY(name, operation, carry)                                                       \
    template <class T> WL_INLINE T name##_(T a, T b)                                               \
    {                                                                                              \
        return (T)((std::make_unsigned_t<T>)a operation(std::make_unsigned_t<T>)                   \
                       b operation carry);                                                         \
    }                                                                                              \
    template <class T> WL_INLINE T name##_cc_(T a, T b)                                            \
    {                                                                                              \
        typedef twice_t<std::make_unsigned_t<T>> wide;                                             \
        return carry_out<T>((wide)(std::make_unsigned_t<T>)a operation(wide)(                      \
            std::make_unsigned_t<T>) b operation carry);                                           \
    }
WL_PTX_CARRY(addc, +, wl_carry())
WL_PTX_CARRY(subc, -, wl_carry())
WL_PTX_CARRY(plain_add, +, 0U)
WL_PTX_CARRY(plain_sub, -, 0U)
template <class T> WL_INLINE T add_cc_(T a, T b)
{
    return plain_add_cc_<T>(a, b);
}
template <class T> WL_INLINE T sub_cc_(T a, T b)
{
    return plain_sub_cc_<T>(a, b);
}

/* ---- Products -------------------------------------------------------------------------------------------- */

template <class T> WL_INLINE T mul_lo_(T a, T b)
{
    return (T)((modular<T>)a * (modular<T>)b);
}
template <class T> WL_INLINE twice_t<T> mul_wide_(T a, T b)
{
    return (twice_t<T>)a * (twice_t<T>)b;
}
template <class T> WL_INLINE T mul_hi_(T a, T b)
{
    return (T)(mul_wide_<T>(a, b) >> bit_count<T>);
}
template <class T> WL_INLINE T mad_lo_(T a, T b, T c)
{
    return add_<T>(mul_lo_<T>(a, b), c);
}
template <class T> WL_INLINE T mad_hi_(T a, T b, T c)
{
    return add_<T>(mul_hi_<T>(a, b), c);
}
template <class T> WL_INLINE twice_t<T> mad_wide_(T a, T b, twice_t<T> c)
{
    return add_<twice_t<T>>(mul_wide_<T>(a, b), c);
}
#define WL_PTX_MAD_CARRY(half)                                                                     \
    template <class T> WL_INLINE T mad_##half##_cc_(T a, T b, T c)                                 \
    {                                                                                              \
        return add_cc_<T>(mul_##half##_<T>(a, b), c);                                              \
    }                                                                                              \
    template <class T> WL_INLINE T madc_##half##_(T a, T b, T c)                                   \
    {                                                                                              \
        return addc_<T>(mul_##half##_<T>(a, b), c);                                                \
    }                                                                                              \
    template <class T> WL_INLINE T madc_##half##_cc_(T a, T b, T c)                                \
    {                                                                                              \
        return addc_cc_<T>(mul_##half##_<T>(a, b), c);                                             \
    }
WL_PTX_MAD_CARRY(lo)
WL_PTX_MAD_CARRY(hi)
#undef WL_PTX_MAD_CARRY
#undef WL_PTX_CARRY

/* The product of the low 24 bits has 48: the low 32 of them, or the high 32. */
template <class T> WL_INLINE twice_t<T> product_of_24(T a, T b)
{
    return mul_wide_<T>((T)((T)((unsigned)a << 8) >> 8), (T)((T)((unsigned)b << 8) >> 8));
}
template <class T> WL_INLINE T mul24_lo_(T a, T b)
{
    return (T)product_of_24<T>(a, b);
}
template <class T> WL_INLINE T mul24_hi_(T a, T b)
{
    return (T)(product_of_24<T>(a, b) >> 16);
}
template <class T> WL_INLINE T sad_(T a, T b, T c)
{
    return add_<T>(c, a < b ? sub_<T>(b, a) : sub_<T>(a, b));
}
/* The four bytes of the words, their differences' sizes added up. */
template <class Byte> WL_INLINE unsigned sum_of_differences(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        const int x = (Byte)(a >> shift), y = (Byte)(b >> shift);
        sum += (unsigned)(x < y ? y - x : x - y);
    }
    return sum;
}
template <class T> WL_INLINE T vabsdiff4_add_u32_u32_(T a, T b, T c)
{
    return c + sum_of_differences<unsigned char>(a, b);
}
template <class T> WL_INLINE T vabsdiff4_add_s32_s32_(T a, T b, T c)
{
    return add_<T>(c, (T)sum_of_differences<signed char>((unsigned)a, (unsigned)b));
}
template <class T> WL_INLINE T clamp_32(long long value)
{
    return (T)(value < INT_MIN ? INT_MIN : value > INT_MAX ? INT_MAX : value);
}
template <class T> WL_INLINE T add_sat_(T a, T b)
{
    return clamp_32<T>((long long)a + b);
}
template <class T> WL_INLINE T sub_sat_(T a, T b)
{
    return clamp_32<T>((long long)a - b);
}

/* Part `i` of a word: A's parts have `wide` bits, B's are bytes. */
template <class Part> WL_INLINE int part_of(unsigned word, unsigned i)
{
    return (Part)(word >> (i * 8 * sizeof(Part)));
}
template <class A, class B>
WL_INLINE unsigned dot(unsigned a, unsigned b, unsigned sum, unsigned parts, unsigned from)
{
    for (unsigned i = 0; i < parts; i++)
        sum += (unsigned)(part_of<A>(a, i) * part_of<B>(b, from + i));
    return sum;
}
template <class T>
using byte_like = std::conditional_t<std::is_signed<T>::value, signed char, unsigned char>;
#define WL_PTX_DOT(name, part, parts, from)                                                        \
    template <class T> WL_INLINE unsigned name(unsigned a, T b, unsigned c)                        \
    {                                                                                              \
        return dot<part, byte_like<T>>(a, (unsigned)b, c, parts, from);                            \
    }
WL_PTX_DOT(dp4a_u32_, unsigned char, 4, 0)
WL_PTX_DOT(dp4a_s32_, signed char, 4, 0)
WL_PTX_DOT(dp2a_lo_u32_, unsigned short, 2, 0)
WL_PTX_DOT(dp2a_lo_s32_, short, 2, 0)
WL_PTX_DOT(dp2a_hi_u32_, unsigned short, 2, 2)
WL_PTX_DOT(dp2a_hi_s32_, short, 2, 2)
#undef WL_PTX_DOT

#undef WL_PTX_2

} // namespace ptx
} // namespace wl

#endif
