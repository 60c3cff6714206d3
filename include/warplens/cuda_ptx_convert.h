/* cuda_ptx_convert.h - PTX's cvt: cvt_<rounding><To, From>, with _sat for integers that clamp. */
#ifndef WARPLENS_CUDA_PTX_CONVERT_H
#define WARPLENS_CUDA_PTX_CONVERT_H
#pragma GCC system_header

namespace wl
{
namespace ptx
{

/* .ftz: what is below the least normal number is 0 of its sign. */
template <class T> WL_INLINE T flush(T value)
{
    return value;
}
WL_INLINE float flush(float value)
{
    return __builtin_fabsf(value) < 1.17549435e-38f ? __builtin_copysignf(0.0f, value) : value;
}
/* .sat: [0, 1], and what is no number is 0. */
template <class T> WL_INLINE T saturate(T value)
{
    return value > 0 ? value < 1 ? value : (T)1 : (T)0;
}

template <class T>
constexpr T lowest = std::is_signed<T>::value ? (T)((T)1 << (sizeof(T) * 8 - 1)) : (T)0;
template <class T> constexpr T highest = (T)~lowest<T>;

/* Integers of the same or another size, numbers to larger ones. */
template <class To, class From> WL_INLINE To cvt(From value)
{
    return (To)value;
}
template <class To, class From> WL_INLINE To cvt_rn(From value)
{
    return (To)value;
}
/* Of integers with .sat. */
template <class To, class From> WL_INLINE To cvt_sat(From value)
{
    const __int128 wide = value;
    return wide < lowest<To> ? lowest<To> : wide > highest<To> ? highest<To> : (To)value;
}

/* A whole number to an integer. What does not fit is clamped. What is no number is 0, or, from .f64 or to 64 bits,
 * the highest bit alone. */
template <class To, class From> WL_INLINE To whole_to_integer(From whole)
{
    const To not_a_number =
        sizeof(From) == 8 || sizeof(To) == 8 ? (To)((To)1 << (sizeof(To) * 8 - 1)) : (To)0;
    if (whole != whole)
        return not_a_number;
    if (whole <= (From)lowest<To>)
        return lowest<To>;
    return whole >= (From)highest<To> ? highest<To> : (To)whole;
}
#define WL_CVT_WHOLE(name, function)                                                               \
    template <class To, class From> WL_INLINE To cvt_##name(From value)                            \
    {                                                                                              \
        if constexpr (std::is_integral<To>::value)                                                 \
            return whole_to_integer<To, From>(function(value));                                    \
        else                                                                                       \
            return function(value);                                                                \
    }                                                                                              \
    template <class To, class From> WL_INLINE To cvt_##name##_sat(From value)                      \
    {                                                                                              \
        return cvt_##name<To, From>(value);                                                        \
    }
WL_CVT_WHOLE(rni, std::rint)
WL_CVT_WHOLE(rzi, std::trunc)
WL_CVT_WHOLE(rmi, std::floor)
WL_CVT_WHOLE(rpi, std::ceil)
#undef WL_CVT_WHOLE

/* .f64 to .f32 in a direction: to nearest, and one step back where that went too far. */
template <class To> WL_INLINE To cvt_directed(double value, bool too_far, To towards)
{
    return too_far ? std::nextafter((To)value, towards) : (To)value;
}
template <class To, class From> WL_INLINE To cvt_rz(From value)
{
    static_assert(sizeof(From) == 8 && sizeof(To) == 4, "of doubles alone");
    return cvt_directed<To>(value, std::fabs((double)(To)value) > std::fabs(value), (To)0);
}
template <class To, class From> WL_INLINE To cvt_rm(From value)
{
    static_assert(sizeof(From) == 8 && sizeof(To) == 4, "of doubles alone");
    return cvt_directed<To>(value, (double)(To)value > value, -__builtin_inff());
}
template <class To, class From> WL_INLINE To cvt_rp(From value)
{
    static_assert(sizeof(From) == 8 && sizeof(To) == 4, "of doubles alone");
    return cvt_directed<To>(value, (double)(To)value < value, __builtin_inff());
}

} // namespace ptx
} // namespace wl

#endif
