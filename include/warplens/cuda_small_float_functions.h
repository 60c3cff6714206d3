/* cuda_small_float_functions.h - comparisons, functions, lanes and atomics of a type of 16 bits; cuda_small_float.h includes it where
 * the type and its arithmetic are there.
 */
/* ---- Comparisons: those that end with u are true where one is no number -------------------------------------- */

WL_MADE_1(1, bool, __hisnan, WL_T, (float)a != (float)a)
WL_MADE_1(1, int, __hisinf, WL_T,
          (float)a == __builtin_inff()    ? 1
          : (float)a == -__builtin_inff() ? -1
                                          : 0)
WL_INLINE WL_T wl_true(WL_T, bool is)
{
    return WL_T(is ? 1.0f : 0.0f);
}
WL_INLINE WL_T2 __hisnan2(WL_T2 a)
{
    return {wl_true(a.x, __hisnan(a.x)), wl_true(a.y, __hisnan(a.y))};
}
#define WL_COMPARISON(name, how)                                                                   \
    WL_MADE_2(1, bool, __h##name, WL_T, wl::ptx::compare_##how<float>((float)a, (float)b))         \
    WL_MADE_2(1, WL_T2, __h##name##2, WL_T2,                                                       \
              WL_T2(wl_true(a.x, __h##name(a.x, b.x)), wl_true(a.x, __h##name(a.y, b.y))))         \
    WL_MADE_2(1, unsigned, __h##name##2_mask, WL_T2,                                               \
              (__h##name(a.x, b.x) ? 0xffffU : 0U) | (__h##name(a.y, b.y) ? 0xffff0000U : 0U))     \
    WL_MADE_2(1, bool, __hb##name##2, WL_T2, __h##name(a.x, b.x) && __h##name(a.y, b.y))
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

WL_MADE_2(1, WL_T, __hmax, WL_T, WL_T(wl::small::greater((float)a, (float)b)))
WL_MADE_2(1, WL_T, __hmin, WL_T, WL_T(wl::small::smaller((float)a, (float)b)))
WL_MADE_2(1, WL_T, __hmax_nan, WL_T,
          __hisnan(a) || __hisnan(b) ? WL_T(__builtin_nanf("")) : __hmax(a, b))
WL_MADE_2(1, WL_T, __hmin_nan, WL_T,
          __hisnan(a) || __hisnan(b) ? WL_T(__builtin_nanf("")) : __hmin(a, b))
WL_OF_TWO_2(__hmax2, __hmax, 1)
WL_OF_TWO_2(__hmin2, __hmin, 1)
WL_OF_TWO_2(__hmax2_nan, __hmax_nan, 1)
WL_OF_TWO_2(__hmin2_nan, __hmin_nan, 1)

/* ---- Functions ------------------------------------------------------------------------------------------------ */

WL_INLINE double wl_double(WL_T a)
{
    return (double)(float)a;
}
#define WL_FUNCTION(name, expression, cost, cost_2)                                                \
    WL_MADE_1(cost, WL_T, h##name, WL_T, WL_T(expression))                                         \
    WL_OF_TWO_1(h2##name, h##name, cost_2)
WL_FUNCTION(sqrt, std::sqrt(wl_double(a)), 3, 5)
WL_FUNCTION(rsqrt, 1 / std::sqrt(wl_double(a)), 3, 5)
WL_FUNCTION(rcp, 1 / wl_double(a), 3, 5)
WL_FUNCTION(exp, std::exp(wl_double(a)), 10, 15)
WL_FUNCTION(exp2, std::exp2(wl_double(a)), 4, 7)
WL_FUNCTION(exp10, exp10(wl_double(a)), 10, 15)
WL_FUNCTION(log, std::log(wl_double(a)), 10, 15)
WL_FUNCTION(log2, std::log2(wl_double(a)), 4, 7)
WL_FUNCTION(log10, std::log10(wl_double(a)), 10, 15)
WL_FUNCTION(sin, std::sin(wl_double(a)), 29, 57)
WL_FUNCTION(cos, std::cos(wl_double(a)), 29, 57)
WL_FUNCTION(tanh, std::tanh(wl_double(a)), 19, 36)
WL_FUNCTION(tanh_approx, std::tanh(wl_double(a)), 3, 5)
WL_FUNCTION(floor, std::floor(wl_double(a)), 1, 2)
WL_FUNCTION(ceil, std::ceil(wl_double(a)), 1, 2)
WL_FUNCTION(trunc, std::trunc(wl_double(a)), 1, 2)
WL_FUNCTION(rint, std::rint(wl_double(a)), 1, 2)
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
