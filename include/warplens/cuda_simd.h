/* cuda_simd.h - functions that take a word as two or four integers: __vadd2, __vmaxs4, ... Lane by lane.
 */
#ifndef WARPLENS_CUDA_SIMD_H
#define WARPLENS_CUDA_SIMD_H
#pragma GCC system_header

namespace wl
{
namespace simd
{

template <class T> constexpr unsigned lanes = 4 / sizeof(T);
template <class T> constexpr int low = std::is_signed<T>::value ? -(1 << (sizeof(T) * 8 - 1)) : 0;
template <class T> constexpr int high = low<T> + (1 << sizeof(T) * 8) - 1;

template <class T> WL_INLINE int get(unsigned word, unsigned lane)
{
    return (T)(word >> lane * sizeof(T) * 8);
}
/* The low bits of a lane's result in its place. */
template <class T> WL_INLINE unsigned put(int value, unsigned lane)
{
    return ((unsigned)value & ((1U << sizeof(T) * 8) - 1)) << lane * sizeof(T) * 8;
}
template <class T> WL_INLINE int clamp(int value)
{
    return value < low<T> ? low<T> : value > high<T> ? high<T> : value;
}

} // namespace simd
} // namespace wl

/* `expression` of lanes a and b of type T. */
#define WL_SIMD_1(name, type, cost, expression)                                                    \
    WL_ARITHMETIC(cost) unsigned name(unsigned wl_a)                                               \
    {                                                                                              \
        typedef type T;                                                                            \
        unsigned result = 0;                                                                       \
        for (unsigned i = 0; i < wl::simd::lanes<T>; i++) {                                        \
            const int a = wl::simd::get<T>(wl_a, i);                                               \
            result |= wl::simd::put<T>(expression, i);                                             \
        }                                                                                          \
        return result;                                                                             \
    }
#define WL_SIMD_2(name, type, cost, expression)                                                    \
    WL_ARITHMETIC(cost) unsigned name(unsigned wl_a, unsigned wl_b)                                \
    {                                                                                              \
        typedef type T;                                                                            \
        unsigned result = 0;                                                                       \
        for (unsigned i = 0; i < wl::simd::lanes<T>; i++) {                                        \
            const int a = wl::simd::get<T>(wl_a, i), b = wl::simd::get<T>(wl_b, i);                \
            result |= wl::simd::put<T>(expression, i);                                             \
        }                                                                                          \
        return result;                                                                             \
    }
#define WL_SIMD_3(name, type, cost, expression)                                                    \
    WL_ARITHMETIC(cost) unsigned name(unsigned wl_a, unsigned wl_b, unsigned wl_c)                 \
    {                                                                                              \
        typedef type T;                                                                            \
        unsigned result = 0;                                                                       \
        for (unsigned i = 0; i < wl::simd::lanes<T>; i++) {                                        \
            const int a = wl::simd::get<T>(wl_a, i), b = wl::simd::get<T>(wl_b, i);                \
            const int c = wl::simd::get<T>(wl_c, i);                                               \
            result |= wl::simd::put<T>(expression, i);                                             \
        }                                                                                          \
        return result;                                                                             \
    }
#define WL_SIMD_SUM(name, type)                                                                    \
    WL_ARITHMETIC(1) unsigned name(unsigned wl_a, unsigned wl_b)                                   \
    {                                                                                              \
        unsigned result = 0;                                                                       \
        for (unsigned i = 0; i < wl::simd::lanes<type>; i++)                                       \
            result += (unsigned)abs(wl::simd::get<type>(wl_a, i) - wl::simd::get<type>(wl_b, i));  \
        return result;                                                                             \
    }

/* Of two lanes and of four: Hopper has instructions for most of two, and some five for most of four. `Signed` and `Unsigned` are the lanes' types. */
#define WL_SIMD_COMPARE(n, suffix, type, cost, name, op)                                           \
    WL_SIMD_2(__vcmp##name##suffix##n, type, cost, a op b ? -1 : 0)                                \
    WL_SIMD_2(__vset##name##suffix##n, type, cost, a op b ? 1 : 0)
#define WL_SIMD_ORDER(n, suffix, type, cost)                                                       \
    WL_SIMD_COMPARE(n, suffix, type, cost, ge, >=)                                                 \
    WL_SIMD_COMPARE(n, suffix, type, cost, gt, >)                                                  \
    WL_SIMD_COMPARE(n, suffix, type, cost, le, <=)                                                 \
    WL_SIMD_COMPARE(n, suffix, type, cost, lt, <)                                                  \
    WL_SIMD_2(__vmax##suffix##n, type, cost, a > b ? a : b)                                        \
    WL_SIMD_2(__vmin##suffix##n, type, cost, a < b ? a : b)                                        \
    WL_SIMD_2(__vabsdiff##suffix##n, type, 1, a < b ? b - a : a - b)                               \
    WL_SIMD_SUM(__vsad##suffix##n, type)
#define WL_SIMD(n, Signed, Unsigned, cost)                                                         \
    WL_SIMD_2(__vadd##n, Unsigned, cost, a + b)                                                    \
    WL_SIMD_2(__vaddss##n, Signed, cost, wl::simd::clamp<T>(a + b))                                \
    WL_SIMD_2(__vaddus##n, Unsigned, cost, wl::simd::clamp<T>(a + b))                              \
    WL_SIMD_2(__vsub##n, Unsigned, cost, a - b)                                                    \
    WL_SIMD_2(__vsubss##n, Signed, cost, wl::simd::clamp<T>(a - b))                                \
    WL_SIMD_2(__vsubus##n, Unsigned, cost, wl::simd::clamp<T>(a - b))                              \
    WL_SIMD_2(__vavgs##n, Signed, cost, (a + b + (a + b >= 0)) >> 1)                               \
    WL_SIMD_2(__vavgu##n, Unsigned, cost, (a + b + 1) >> 1)                                        \
    WL_SIMD_2(__vhaddu##n, Unsigned, cost, (a + b) >> 1)                                           \
    WL_SIMD_1(__vabs##n, Signed, cost, a < 0 ? -a : a)                                             \
    WL_SIMD_1(__vabsss##n, Signed, cost, wl::simd::clamp<T>(a < 0 ? -a : a))                       \
    WL_SIMD_1(__vneg##n, Signed, cost, -a)                                                         \
    WL_SIMD_1(__vnegss##n, Signed, cost, wl::simd::clamp<T>(-a))                                   \
    WL_SIMD_COMPARE(n, , Unsigned, cost, eq, ==)                                                   \
    WL_SIMD_COMPARE(n, , Unsigned, cost, ne, !=)                                                   \
    WL_SIMD_ORDER(n, s, Signed, cost)                                                              \
    WL_SIMD_ORDER(n, u, Unsigned, cost)
WL_SIMD(2, short, unsigned short, 2)
WL_SIMD(4, signed char, unsigned char, 5)

/* ---- The least and greatest of three, of a sum and another, with 0 below (_relu), and which it was ---------- */

#define WL_MORE(a, b) ((a) > (b) ? (a) : (b))
#define WL_LESS(a, b) ((a) < (b) ? (a) : (b))
#define WL_DPX(name, pick)                                                                         \
    WL_SIMD_3(__vi##name##3_s16x2, short, 1, pick(pick(a, b), c))                                  \
    WL_SIMD_3(__vi##name##3_u16x2, unsigned short, 1, pick(pick(a, b), c))                         \
    WL_SIMD_3(__vi##name##3_s16x2_relu, short, 1, WL_MORE(pick(pick(a, b), c), 0))                 \
    WL_SIMD_2(__vi##name##_s16x2_relu, short, 1, WL_MORE(pick(a, b), 0))                           \
    WL_SIMD_3(__viadd##name##_s16x2, short, 1, pick((T)(a + b), c))                                \
    WL_SIMD_3(__viadd##name##_u16x2, unsigned short, 1, pick((T)(a + b), c))                       \
    WL_SIMD_3(__viadd##name##_s16x2_relu, short, 1, WL_MORE(pick((T)(a + b), c), 0))               \
    WL_DPX_32(name, pick, int, s32)                                                                \
    WL_DPX_32(name, pick, unsigned, u32)                                                           \
    WL_ARITHMETIC(1) int __vi##name##_s32_relu(int a, int b)                                       \
    {                                                                                              \
        return WL_MORE(pick(a, b), 0);                                                             \
    }                                                                                              \
    WL_ARITHMETIC(1) int __vi##name##3_s32_relu(int a, int b, int c)                               \
    {                                                                                              \
        return WL_MORE(__vi##name##3_s32(a, b, c), 0);                                             \
    }                                                                                              \
    WL_ARITHMETIC(1) int __viadd##name##_s32_relu(int a, int b, int c)                             \
    {                                                                                              \
        return WL_MORE(__viadd##name##_s32(a, b, c), 0);                                           \
    }
#define WL_DPX_32(name, pick, type, suffix)                                                        \
    WL_ARITHMETIC(1) type __vi##name##3_##suffix(type a, type b, type c)                           \
    {                                                                                              \
        return pick(pick(a, b), c);                                                                \
    }                                                                                              \
    WL_ARITHMETIC(1) type __viadd##name##_##suffix(type a, type b, type c)                         \
    {                                                                                              \
        const type sum = (type)((unsigned)a + (unsigned)b);                                        \
        return pick(sum, c);                                                                       \
    }
WL_DPX(max, WL_MORE)
WL_DPX(min, WL_LESS)

#define WL_DPX_WHICH(name, op)                                                                     \
    WL_INLINE int __vib##name##_s32(int a, int b, bool *first)                                     \
    {                                                                                              \
        return (*first = a op b) ? a : b;                                                          \
    }                                                                                              \
    WL_INLINE unsigned __vib##name##_u32(unsigned a, unsigned b, bool *first)                      \
    {                                                                                              \
        return (*first = a op b) ? a : b;                                                          \
    }                                                                                              \
    WL_INLINE unsigned __vib##name##_s16x2(unsigned a, unsigned b, bool *high, bool *low)          \
    {                                                                                              \
        *high = wl::simd::get<short>(a, 1) op wl::simd::get<short>(b, 1);                          \
        *low = wl::simd::get<short>(a, 0) op wl::simd::get<short>(b, 0);                           \
        return ((*high ? a : b) & 0xffff0000U) | ((*low ? a : b) & 0xffffU);                       \
    }                                                                                              \
    WL_INLINE unsigned __vib##name##_u16x2(unsigned a, unsigned b, bool *high, bool *low)          \
    {                                                                                              \
        *high = a >> 16 op b >> 16;                                                                \
        *low = (a & 0xffffU) op(b & 0xffffU);                                                      \
        return ((*high ? a : b) & 0xffff0000U) | ((*low ? a : b) & 0xffffU);                       \
    }
WL_DPX_WHICH(max, >=)
WL_DPX_WHICH(min, <=)

#undef WL_SIMD_1
#undef WL_SIMD_2
#undef WL_SIMD_3
#undef WL_SIMD_SUM
#undef WL_SIMD_COMPARE
#undef WL_SIMD_ORDER
#undef WL_SIMD
#undef WL_MORE
#undef WL_LESS
#undef WL_DPX
#undef WL_DPX_32
#undef WL_DPX_WHICH

/* ---- Products of parts, as of sm_61, and shifts of two words ------------------------------------------------- */

WL_INLINE int __dp4a(char4 a, char4 b, int sum)
{
    return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
WL_INLINE unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum)
{
    return sum + (unsigned)(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
WL_INLINE int __dp2a_lo(int a, int b, int sum)
{
    return (int)wl::ptx::dp2a_lo_s32_<int>((unsigned)a, b, (unsigned)sum);
}
WL_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum)
{
    return wl::ptx::dp2a_lo_u32_<unsigned>(a, b, sum);
}
WL_INLINE int __dp2a_hi(int a, int b, int sum)
{
    return (int)wl::ptx::dp2a_hi_s32_<int>((unsigned)a, b, (unsigned)sum);
}
WL_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum)
{
    return wl::ptx::dp2a_hi_u32_<unsigned>(a, b, sum);
}
WL_INLINE int __dp2a_lo(short2 a, char4 b, int sum)
{
    return sum + a.x * b.x + a.y * b.y;
}
WL_INLINE unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned sum)
{
    return sum + (unsigned)a.x * b.x + (unsigned)a.y * b.y;
}
WL_INLINE int __dp2a_hi(short2 a, char4 b, int sum)
{
    return sum + a.x * b.z + a.y * b.w;
}
WL_INLINE unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned sum)
{
    return sum + (unsigned)a.x * b.z + (unsigned)a.y * b.w;
}
WL_INLINE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned by)
{
    return wl::ptx::shf_l_clamp_<unsigned>(low, high, by);
}
WL_INLINE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned by)
{
    return wl::ptx::shf_r_clamp_<unsigned>(low, high, by);
}

#endif
