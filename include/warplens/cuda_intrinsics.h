/* cuda_intrinsics.h - CUDA's integer, bit and conversion functions, and loads with a cache hint.
 */
#ifndef WARPLENS_CUDA_INTRINSICS_H
#define WARPLENS_CUDA_INTRINSICS_H
#pragma GCC system_header

/* ---- Loads and stores with a hint: __ldg takes the read-only path, the others are plain ---------- */

#define __ldg(p) WL_LOAD_VIA_(wl_next_load_read_only, p)
#define __ldcg(p) (*(p))
#define __ldca(p) (*(p))
#define __ldcs(p) (*(p))
#define __ldlu(p) (*(p))
#define __ldcv(p) (*(p))
#define __stwb(p, value) ((void)(*(p) = (value)))
#define __stcg(p, value) ((void)(*(p) = (value)))
#define __stcs(p, value) ((void)(*(p) = (value)))
#define __stwt(p, value) ((void)(*(p) = (value)))

/* ---- Bits ---------------------------------------------------------------------------------------- */

/* Their costs: what nvcc 13.0 makes of a kernel with one call for sm_90 more than of one without. */
WL_ARITHMETIC(1) int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
WL_ARITHMETIC(4) int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
WL_ARITHMETIC(3) int __ffs(int x)
{
    return __builtin_ffs(x);
}
WL_ARITHMETIC(11) int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
WL_ARITHMETIC(2) int __clz(int x)
{
    return x == 0 ? 32 : __builtin_clz((unsigned)x);
}
WL_ARITHMETIC(8) int __clzll(long long x)
{
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
WL_ARITHMETIC(1) unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
    x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
    x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
    return __builtin_bswap32(x);
}
WL_ARITHMETIC(2) unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
WL_ARITHMETIC(1) unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++)
        result |= (unsigned)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return result;
}
WL_ARITHMETIC(1) unsigned __funnelshift_l(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (by & 31) >> 32);
}
WL_ARITHMETIC(1) unsigned __funnelshift_r(unsigned low, unsigned high, unsigned by)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (by & 31));
}

/* ---- Integers ------------------------------------------------------------------------------------ */

WL_INLINE int __mul24(int x, int y)
{
    return (int)((unsigned)((int)((unsigned)x << 8) >> 8) *
                 (unsigned)((int)((unsigned)y << 8) >> 8));
}
WL_INLINE unsigned __umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffU) * (y & 0xffffffU);
}
WL_INLINE int mul24(int x, int y)
{
    return __mul24(x, y);
}
WL_INLINE unsigned umul24(unsigned x, unsigned y)
{
    return __umul24(x, y);
}
WL_INLINE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
WL_INLINE unsigned __umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
WL_ARITHMETIC(17) long long __mul64hi(long long x, long long y)
{
    return (long long)((__int128)x * y >> 64);
}
WL_ARITHMETIC(7) unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
WL_INLINE unsigned __sad(int x, int y, unsigned z)
{
    return z + (x > y ? (unsigned)x - (unsigned)y : (unsigned)y - (unsigned)x);
}
WL_INLINE unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return z + (x > y ? x - y : y - x);
}
WL_INLINE int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}
WL_INLINE int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
WL_INLINE unsigned __uhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y) >> 1);
}
WL_INLINE unsigned __urhadd(unsigned x, unsigned y)
{
    return (unsigned)(((unsigned long long)x + y + 1) >> 1);
}

/* Four products of bytes, as of sm_61. */
WL_ARITHMETIC(1) int __dp4a(int a, int b, int sum)
{
    for (unsigned i = 0; i < 32; i += 8)
        sum += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
    return sum;
}
WL_ARITHMETIC(1) unsigned __dp4a(unsigned a, unsigned b, unsigned sum)
{
    for (unsigned i = 0; i < 32; i += 8)
        sum += (a >> i & 0xff) * (b >> i & 0xff);
    return sum;
}

/* ---- The same bits as another type --------------------------------------------------------------- */

#define WL_SAME_BITS(name, from, to)                                                               \
    WL_INLINE to name(from value)                                                                  \
    {                                                                                              \
        to bits;                                                                                   \
        __builtin_memcpy(&bits, &value, sizeof bits);                                              \
        return bits;                                                                               \
    }
WL_SAME_BITS(__float_as_int, float, int)
WL_SAME_BITS(__int_as_float, int, float)
WL_SAME_BITS(__float_as_uint, float, unsigned)
WL_SAME_BITS(__uint_as_float, unsigned, float)
WL_SAME_BITS(__double_as_longlong, double, long long)
WL_SAME_BITS(__longlong_as_double, long long, double)
#undef WL_SAME_BITS
WL_INLINE int __double2loint(double d)
{
    return (int)(unsigned)__double_as_longlong(d);
}
WL_INLINE int __double2hiint(double d)
{
    return (int)(__double_as_longlong(d) >> 32);
}
WL_INLINE double __hiloint2double(int high, int low)
{
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

/* ---- Conversions: _rn to nearest even, _rz towards zero, _rd down, _ru up ------------------------- */

namespace wl
{
/* A GPU clamps what does not fit, and makes 0 of what is no number. */
template <class To, class From> WL_INLINE To clamped(From rounded)
{
    const To low = std::is_signed<To>::value ? (To)((To)1 << (sizeof(To) * 8 - 1)) : (To)0;
    const To high = (To)~low;
    if (!(rounded > (From)low))
        return rounded != rounded ? (To)0 : low;
    return rounded >= (From)high ? high : (To)rounded;
}
} // namespace wl

#define WL_TO_INTEGER(from, from_name, to, to_name)                                                \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_rn(from x)                                     \
    {                                                                                              \
        return wl::clamped<to>(std::rint(x));                                                      \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_rz(from x)                                     \
    {                                                                                              \
        return wl::clamped<to>(std::trunc(x));                                                     \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_rd(from x)                                     \
    {                                                                                              \
        return wl::clamped<to>(std::floor(x));                                                     \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_ru(from x)                                     \
    {                                                                                              \
        return wl::clamped<to>(std::ceil(x));                                                      \
    }
WL_TO_INTEGER(float, float, int, int)
WL_TO_INTEGER(float, float, unsigned, uint)
WL_TO_INTEGER(float, float, long long, ll)
WL_TO_INTEGER(float, float, unsigned long long, ull)
WL_TO_INTEGER(double, double, int, int)
WL_TO_INTEGER(double, double, unsigned, uint)
WL_TO_INTEGER(double, double, long long, ll)
WL_TO_INTEGER(double, double, unsigned long long, ull)
#undef WL_TO_INTEGER

namespace wl
{
/* To nearest, and one step towards `limit` where that went past x on the other side. */
template <class To, class From> WL_INLINE To integer_towards(From x, To limit)
{
    const To nearest = (To)x;
    const __int128 back = (__int128)nearest;
    return (limit > nearest ? back < x : back > x) ? std::nextafter(nearest, limit) : nearest;
}
} // namespace wl

#define WL_FROM_INTEGER(from, from_name, to, to_name)                                              \
    WL_INLINE to __##from_name##2##to_name##_rn(from x)                                            \
    {                                                                                              \
        return (to)x;                                                                              \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_rz(from x)                                     \
    {                                                                                              \
        return wl::integer_towards<to>(x, 0);                                                      \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_rd(from x)                                     \
    {                                                                                              \
        return wl::integer_towards<to>(x, -(to)__builtin_inf());                                   \
    }                                                                                              \
    WL_ARITHMETIC(1) to __##from_name##2##to_name##_ru(from x)                                     \
    {                                                                                              \
        return wl::integer_towards<to>(x, (to)__builtin_inf());                                    \
    }
WL_FROM_INTEGER(int, int, float, float)
WL_FROM_INTEGER(unsigned, uint, float, float)
WL_FROM_INTEGER(long long, ll, float, float)
WL_FROM_INTEGER(unsigned long long, ull, float, float)
WL_FROM_INTEGER(long long, ll, double, double)
WL_FROM_INTEGER(unsigned long long, ull, double, double)
#undef WL_FROM_INTEGER
WL_INLINE double __int2double_rn(int x)
{
    return x;
}
WL_INLINE double __uint2double_rn(unsigned x)
{
    return x;
}
WL_INLINE float __double2float_rn(double x)
{
    return (float)x;
}

#endif
