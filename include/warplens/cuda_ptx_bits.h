/* cuda_ptx_bits.h - logic, shifts, fields and counts of PTX: what cuda_ptx_arithmetic.h is for numbers.
 */
#ifndef WARPLENS_CUDA_PTX_BITS_H
#define WARPLENS_CUDA_PTX_BITS_H
#pragma GCC system_header

namespace wl
{
namespace ptx
{

/* ---- Logic and shifts -------------------------------------------------------------------------------------- */

template <class T> WL_INLINE T and_(T a, T b)
{
    return (T)(a & b);
}
template <class T> WL_INLINE T or_(T a, T b)
{
    return (T)(a | b);
}
template <class T> WL_INLINE T xor_(T a, T b)
{
    return (T)(a ^ b);
}
template <class T> WL_INLINE T not_(T a)
{
    if constexpr (std::is_same<T, bool>::value)
        return !a;
    else
        return (T)~a;
}
template <class T> WL_INLINE T cnot_(T a)
{
    return a == 0;
}
/* Bit 4a+2b+c of the table. */
template <class T> WL_INLINE T lop3_(T a, T b, T c, unsigned table)
{
    T result = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
/* By more than there are bits: 0, or the sign. */
template <class T> WL_INLINE T shl_(T a, unsigned by)
{
    return by < bit_count<T> ? (T)((modular<T>)a << by) : (T)0;
}
template <class T> WL_INLINE T shr_(T a, unsigned by)
{
    return (T)(by < bit_count<T> ? a >> by : a < 0 ? -1 : 0);
}
WL_INLINE unsigned long long both(unsigned low, unsigned high)
{
    return (unsigned long long)high << 32 | low;
}
template <class T> WL_INLINE T shf_l_wrap_(T low, T high, unsigned by)
{
    return (T)(both(low, high) << (by & 31) >> 32);
}
template <class T> WL_INLINE T shf_l_clamp_(T low, T high, unsigned by)
{
    return by < 32 ? shf_l_wrap_<T>(low, high, by) : low;
}
template <class T> WL_INLINE T shf_r_wrap_(T low, T high, unsigned by)
{
    return (T)(both(low, high) >> (by & 31));
}
template <class T> WL_INLINE T shf_r_clamp_(T low, T high, unsigned by)
{
    return by < 32 ? shf_r_wrap_<T>(low, high, by) : high;
}

/* A byte of the eight that a selector's digit names; its highest bit takes the byte's sign instead. */
WL_INLINE unsigned picked_byte(unsigned a, unsigned b, unsigned digit)
{
    const unsigned byte = (unsigned)(both(a, b) >> 8 * (digit & 7)) & 0xff;
    return digit & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
template <class T> WL_INLINE T prmt_(T a, T b, unsigned selector)
{
    return picked_byte(a, b, selector) | picked_byte(a, b, selector >> 4) << 8 |
           picked_byte(a, b, selector >> 8) << 16 | picked_byte(a, b, selector >> 12) << 24;
}
/* The modes: which byte goes to place i when the selector is s, of 0 to 3. */
#define WL_PTX_PRMT(name, byte)                                                                    \
    template <class T> WL_INLINE T prmt_##name##_(T a, T b, unsigned selector)                     \
    {                                                                                              \
        const unsigned s = selector & 3;                                                           \
        T result = 0;                                                                              \
        for (unsigned i = 0; i < 4; i++)                                                           \
            result |= picked_byte(a, b, (byte)&7) << 8 * i;                                        \
        return result;                                                                             \
    }
WL_PTX_PRMT(f4e, s + i)
WL_PTX_PRMT(b4e, s - i)
WL_PTX_PRMT(rc8, s)
WL_PTX_PRMT(ecl, s > i ? s : i)
WL_PTX_PRMT(ecr, s < i ? s : i)
WL_PTX_PRMT(rc16, (s & 1) * 2 + (i & 1))
#undef WL_PTX_PRMT

/* ---- Fields and counts --------------------------------------------------------------------------------------- */

/* Position and length are bytes. What is above the highest bit has the sign that the field, or the number, ends with. */
template <class T> WL_INLINE T bfe_(T a, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    const unsigned top = bit_count<T> - 1;
    const unsigned last = position + length - 1 < top ? position + length - 1 : top;
    const bool sign = std::is_signed<T>::value && length && (a >> last & 1);
    typedef std::make_unsigned_t<T> bits;
    bits field = position <= top ? (bits)a >> position : 0;
    const unsigned held = position > top                ? 0
                          : length < top + 1 - position ? length
                                                        : top + 1 - position;
    field = held <= top ? field & (((bits)1 << held) - 1) : field;
    return (T)(sign && held <= top ? field | ~(bits)0 << held : field);
}
template <class T> WL_INLINE T bfi_(T a, T b, unsigned position, unsigned length)
{
    position &= 0xff;
    length &= 0xff;
    const T mask = (length < bit_count<T> ? ((T)1 << length) - 1 : ~(T)0);
    return position < bit_count<T> ? (b & ~(mask << position)) | (a & mask) << position : b;
}
/* Ones at `length` bits from `position` on, as far as there are bits. */
template <class T> WL_INLINE T bmsk_wrap_(T position, T length)
{
    const T first = position % bit_count<T>, end = first + length % bit_count<T>;
    return (~(T)0 << first) & ~(end < bit_count<T> ? ~(T)0 << end : 0);
}
template <class T> WL_INLINE T bmsk_clamp_(T position, T length)
{
    const T below = position < bit_count<T> ? ~(T)0 << position : 0;
    return length < bit_count<T> ? below & bmsk_wrap_(position, length) : below;
}
template <class T> WL_INLINE unsigned popc_(T a)
{
    return (unsigned)__builtin_popcountll(a);
}
template <class T> WL_INLINE unsigned clz_(T a)
{
    return a ? (unsigned)__builtin_clzll(a) - (64 - bit_count<T>) : bit_count<T>;
}
template <class T> WL_INLINE T brev_(T a)
{
    T result = 0;
    for (unsigned i = 0; i < bit_count<T>; i++)
        result |= (a >> i & 1) << (bit_count<T> - 1 - i);
    return result;
}
/* The highest bit that is not the sign's; none: all ones. */
template <class T> WL_INLINE unsigned bfind_(T a)
{
    typedef std::make_unsigned_t<T> bits;
    const bits significant = a < 0 ? ~(bits)a : (bits)a;
    return significant ? bit_count<T> - 1 - clz_<bits>(significant) : ~0U;
}
template <class T> WL_INLINE unsigned bfind_shiftamt_(T a)
{
    const unsigned found = bfind_<T>(a);
    return found == ~0U ? found : bit_count<T> - 1 - found;
}
template <class T> WL_INLINE T selp_(T a, T b, bool first)
{
    return first ? a : b;
}

} // namespace ptx
} // namespace wl

#endif
