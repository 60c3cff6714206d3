/* cuda_ptx.h - what inline PTX becomes (src/cu/ptx.h): registers, addresses, special registers, comparisons.
 * Arithmetic is in cuda_ptx_arithmetic.h and cuda_ptx_bits.h, conversions are in cuda_ptx_convert.h. By the PTX ISA, version 8.
 */
#ifndef WARPLENS_CUDA_PTX_H
#define WARPLENS_CUDA_PTX_H
#pragma GCC system_header

#include "warplens/cuda_async.h"
#include "warplens/cuda_atomics.h"
#include "warplens/cuda_bulk.h"
#include "warplens/cuda_cluster.h"
#include "warplens/cuda_warp.h"

extern "C" {
/* The host address of a 32-bit address of shared memory, and the other way round; what is none stays none. */
void *wl_shared_pointer(unsigned long long address, long long offset)
    __attribute__((const, nothrow));
unsigned long long wl_shared_address(const void *pointer) __attribute__((const, nothrow));
bool wl_is_shared(const void *pointer) __attribute__((const, nothrow));
bool wl_is_local(const void *pointer) __attribute__((const, nothrow));
bool wl_is_constant(const void *pointer) __attribute__((const, nothrow));
/* shfl: the value in the low half, the predicate in bit 32. A mask of 0: of the lanes that are together. */
WL_CONVERGENT unsigned long long wl_ptx_shuffle(enum wl_shuffle mode, unsigned mask, unsigned value,
                                                unsigned lane, unsigned clamp);
/* The condition code's carry of the lane. */
unsigned wl_carry(void) __attribute__((nothrow));
void wl_set_carry(unsigned carry) __attribute__((nothrow));
/* Blocks take turns on the SMs of the GPU. */
unsigned wl_sm_count(void) __attribute__((nothrow));
unsigned wl_sm(void) __attribute__((nothrow));
/* Ends the launch: of a library's code that cannot run, where it is reached. */
[[noreturn]] void wl_refuse(const char *what);
}

namespace wl
{
namespace ptx
{

/* ---- Registers: unsigned words --------------------------------------------------------------------- */

typedef unsigned char reg8;
typedef unsigned short reg16;
typedef unsigned reg32;
typedef unsigned long long reg64;

/* One access's bytes, of whatever type they are. */
typedef unsigned char word1;
typedef unsigned short __attribute__((may_alias)) word2;
typedef unsigned __attribute__((may_alias)) word4;
typedef unsigned long long __attribute__((may_alias)) word8;
typedef unsigned __int128 __attribute__((may_alias)) word16;

template <unsigned Bytes> struct unsigned_of;
template <> struct unsigned_of<1> {
    typedef unsigned char type;
};
template <> struct unsigned_of<2> {
    typedef unsigned short type;
};
template <> struct unsigned_of<4> {
    typedef unsigned type;
};
template <> struct unsigned_of<8> {
    typedef unsigned long long type;
};
template <> struct unsigned_of<16> {
    typedef unsigned __int128 type;
};
template <class T> using bits_t = typename unsigned_of<sizeof(T)>::type;

template <class To, class From> WL_INLINE To same_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "as many bytes");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

/* An operand of asm as a register; smaller integers are extended. */
template <unsigned Bytes, class T>
WL_INLINE std::enable_if_t<sizeof(T) == Bytes, typename unsigned_of<Bytes>::type> word(T value)
{
    return same_bits<typename unsigned_of<Bytes>::type>(value);
}
template <unsigned Bytes, class T>
WL_INLINE std::enable_if_t<(sizeof(T) < Bytes), typename unsigned_of<Bytes>::type> word(T value)
{
    static_assert(std::is_integral<T>::value || std::is_enum<T>::value,
                  "an operand of asm is smaller than its constraint says");
    return (typename unsigned_of<Bytes>::type)value;
}
template <unsigned Bytes, class T>
WL_INLINE std::enable_if_t<(sizeof(T) > Bytes), typename unsigned_of<Bytes>::type> word(T value)
{
    static_assert(std::is_integral<T>::value,
                  "an operand of asm is larger than its constraint says");
    return (typename unsigned_of<Bytes>::type)value;
}

/* ... and back. */
template <class T, class R> WL_INLINE void back(T &to, R value)
{
    static_assert(sizeof(T) == sizeof(R),
                  "an operand of asm has another size than its constraint says");
    to = same_bits<std::remove_cv_t<T>>(value);
}

/* A register read as an instruction's type: the low bytes of a larger one. */
template <class T, class R> WL_INLINE T as(R value)
{
    if constexpr (std::is_same<T, bool>::value || sizeof(T) != sizeof(R))
        return (T)value;
    else
        return same_bits<T>(value);
}

/* A value into a register: into a larger one with its sign, or with zeros. */
template <class R, class T> WL_INLINE void set(R &to, T value)
{
    if constexpr (std::is_const<R>::value) {
        wl_refuse("PTX that writes an operand which its asm statement only reads cannot run under "
                  "warplens: make it an output, \"=r\" or \"+r\"");
    } else if constexpr (std::is_same<R, bool>::value) {
        static_assert(std::is_same<T, bool>::value, "a predicate register takes a predicate");
        to = value;
    } else if constexpr (sizeof(R) == sizeof(T)) {
        to = same_bits<R>(value);
    } else {
        static_assert(sizeof(R) > sizeof(T) && std::is_integral<T>::value &&
                          !std::is_same<T, bool>::value,
                      "a register of PTX has another size than the instruction's result");
        to = (R)value;
    }
}

/* The compiler does not know what value it has from here on. */
template <class T> WL_INLINE void hide(T &value)
{
    __asm__ volatile("" : "+r"(value));
}
/* The value is used, so the load that it comes from stays. */
template <class T> WL_INLINE void use(T value)
{
    if constexpr (sizeof(T) == 16)
        __asm__ volatile("" : : "r"((unsigned long long)value));
    else
        __asm__ volatile("" : : "r"(value));
}

/* Part `K` of a word of several T, and several of them as a word. */
template <class T, unsigned K, class W> WL_INLINE T lane(W word)
{
    return same_bits<T>((bits_t<T>)(word >> (8 * sizeof(T) * K % (8 * sizeof(W)))));
}
template <class T> WL_INLINE bits_t<T> join(T a)
{
    return same_bits<bits_t<T>>(a);
}
template <class T> WL_INLINE typename unsigned_of<2 * sizeof(T)>::type join(T a, T b)
{
    typedef typename unsigned_of<2 * sizeof(T)>::type pair;
    return (pair)((pair)join<T>(b) << 8 * sizeof(T) | (pair)join<T>(a));
}
template <class T> WL_INLINE typename unsigned_of<4 * sizeof(T)>::type join(T a, T b, T c, T d)
{
    typedef typename unsigned_of<4 * sizeof(T)>::type four;
    return (four)((four)join<T>(c, d) << 16 * sizeof(T) | (four)join<T>(a, b));
}

/* ---- Addresses --------------------------------------------------------------------------------------- */

WL_INLINE void *at_generic(unsigned long long address, long long offset)
{
    return (void *)(address + (unsigned long long)offset);
}
WL_INLINE void *at_global(unsigned long long address, long long offset)
{
    return at_generic(address, offset);
}
WL_INLINE void *at_local(unsigned long long address, long long offset)
{
    return at_generic(address, offset);
}
WL_INLINE void *at_const(unsigned long long address, long long offset)
{
    return at_generic(address, offset);
}
WL_INLINE void *at_shared(unsigned long long address, long long offset)
{
    return wl_shared_pointer(address, offset);
}

/* cvta: only shared memory has addresses of its own. */
#define WL_CVTA(name)                                                                              \
    template <class T> WL_INLINE T name(T address)                                                 \
    {                                                                                              \
        return address;                                                                            \
    }
WL_CVTA(cvta_)
WL_CVTA(cvta_global_)
WL_CVTA(cvta_local_)
WL_CVTA(cvta_const_)
WL_CVTA(cvta_to_global_)
WL_CVTA(cvta_to_local_)
WL_CVTA(cvta_to_const_)
#undef WL_CVTA
template <class T> WL_INLINE unsigned long long cvta_shared_(T address)
{
    return (unsigned long long)wl_shared_pointer(address, 0);
}
template <class T> WL_INLINE T cvta_to_shared_(T address)
{
    return (T)wl_shared_address((const void *)address);
}
WL_INLINE bool is_shared(unsigned long long address)
{
    return wl_is_shared((const void *)address);
}
WL_INLINE bool is_cluster(unsigned long long address)
{
    return wl_is_cluster((const void *)address);
}
WL_INLINE bool is_local(unsigned long long address)
{
    return wl_is_local((const void *)address);
}
WL_INLINE bool is_const(unsigned long long address)
{
    return wl_is_constant((const void *)address);
}
WL_INLINE bool is_global(unsigned long long address)
{
    return !is_cluster(address) && !is_local(address) && !is_const(address);
}

/* ---- Special registers --------------------------------------------------------------------------------- */

#define WL_SREG(type, name, value)                                                                 \
    WL_INLINE type sreg_##name()                                                                   \
    {                                                                                              \
        return value;                                                                              \
    }
WL_SREG(unsigned, tid_x, threadIdx.x)
WL_SREG(unsigned, tid_y, threadIdx.y)
WL_SREG(unsigned, tid_z, threadIdx.z)
WL_SREG(unsigned, ntid_x, blockDim.x)
WL_SREG(unsigned, ntid_y, blockDim.y)
WL_SREG(unsigned, ntid_z, blockDim.z)
WL_SREG(unsigned, ctaid_x, blockIdx.x)
WL_SREG(unsigned, ctaid_y, blockIdx.y)
WL_SREG(unsigned, ctaid_z, blockIdx.z)
WL_SREG(unsigned, nctaid_x, gridDim.x)
WL_SREG(unsigned, nctaid_y, gridDim.y)
WL_SREG(unsigned, nctaid_z, gridDim.z)
WL_INLINE unsigned thread_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
WL_SREG(unsigned, laneid, thread_in_block() % 32)
WL_SREG(unsigned, warpid, thread_in_block() / 32)
WL_SREG(unsigned, nwarpid, (blockDim.x * blockDim.y * blockDim.z + 31) / 32)
WL_SREG(unsigned, cluster_ctarank, wl_cluster_value(WL_CLUSTER_RANK))
WL_SREG(unsigned, cluster_nctarank, wl_cluster_value(WL_CLUSTER_BLOCKS))
WL_SREG(unsigned, cluster_ctaid_x, wl_cluster_value(WL_CLUSTER_BLOCK))
WL_SREG(unsigned, cluster_ctaid_y, wl_cluster_value(WL_CLUSTER_BLOCK + 1))
WL_SREG(unsigned, cluster_ctaid_z, wl_cluster_value(WL_CLUSTER_BLOCK + 2))
WL_SREG(unsigned, cluster_nctaid_x, wl_cluster_value(WL_CLUSTER_DIM))
WL_SREG(unsigned, cluster_nctaid_y, wl_cluster_value(WL_CLUSTER_DIM + 1))
WL_SREG(unsigned, cluster_nctaid_z, wl_cluster_value(WL_CLUSTER_DIM + 2))
WL_SREG(unsigned, clusterid_x, wl_cluster_value(WL_CLUSTER_ID))
WL_SREG(unsigned, clusterid_y, wl_cluster_value(WL_CLUSTER_ID + 1))
WL_SREG(unsigned, clusterid_z, wl_cluster_value(WL_CLUSTER_ID + 2))
WL_SREG(unsigned, nclusterid_x, wl_cluster_value(WL_CLUSTER_GRID))
WL_SREG(unsigned, nclusterid_y, wl_cluster_value(WL_CLUSTER_GRID + 1))
WL_SREG(unsigned, nclusterid_z, wl_cluster_value(WL_CLUSTER_GRID + 2))
WL_SREG(unsigned, smid, wl_sm())
WL_SREG(unsigned, nsmid, wl_sm_count())
WL_SREG(unsigned, lanemask_eq, 1U << sreg_laneid())
WL_SREG(unsigned, lanemask_lt, (1U << sreg_laneid()) - 1)
WL_SREG(unsigned, lanemask_le, ~0U >> (31 - sreg_laneid()))
WL_SREG(unsigned, lanemask_gt, ~0U - (~0U >> (31 - sreg_laneid())))
WL_SREG(unsigned, lanemask_ge, ~0U << sreg_laneid())
WL_SREG(unsigned, clock, (unsigned)clock64())
WL_SREG(unsigned, clock_hi, (unsigned)((unsigned long long)clock64() >> 32))
WL_SREG(unsigned long long, clock64, (unsigned long long)::clock64())
WL_SREG(unsigned long long, globaltimer, (unsigned long long)::clock64())
WL_SREG(unsigned, globaltimer_lo, (unsigned)::clock64())
WL_SREG(unsigned, globaltimer_hi, (unsigned)((unsigned long long)::clock64() >> 32))
#undef WL_SREG

/* ---- Comparisons: those that end with u are true where one is no number ---------------------------------- */

#define WL_COMPARE(name, expression)                                                               \
    template <class T> WL_INLINE bool compare_##name(T a, T b)                                     \
    {                                                                                              \
        return expression;                                                                         \
    }
WL_COMPARE(eq, a == b)
WL_COMPARE(lt, a < b)
WL_COMPARE(le, a <= b)
WL_COMPARE(gt, a > b)
WL_COMPARE(ge, a >= b)
WL_COMPARE(lo, a < b)
WL_COMPARE(ls, a <= b)
WL_COMPARE(hi, a > b)
WL_COMPARE(hs, a >= b)
WL_COMPARE(ne, a<b || a> b)
WL_COMPARE(num, a == a && b == b)
WL_COMPARE(nan, a != a || b != b)
WL_COMPARE(equ, !(a < b || a > b))
WL_COMPARE(neu, !(a == b))
WL_COMPARE(ltu, !(a >= b))
WL_COMPARE(leu, !(a > b))
WL_COMPARE(gtu, !(a <= b))
WL_COMPARE(geu, !(a < b))
#undef WL_COMPARE

} // namespace ptx
} // namespace wl

/* The same conversions of addresses as functions. */
WL_INLINE size_t __cvta_generic_to_shared(const void *pointer)
{
    return wl_shared_address(pointer);
}
WL_INLINE size_t __cvta_generic_to_global(const void *pointer)
{
    return (size_t)pointer;
}
WL_INLINE void *__cvta_shared_to_generic(size_t address)
{
    return wl_shared_pointer(address, 0);
}
WL_INLINE void *__cvta_global_to_generic(size_t address)
{
    return (void *)address;
}
WL_INLINE unsigned __isShared(const void *pointer)
{
    return wl_is_shared(pointer);
}
WL_INLINE unsigned __isGlobal(const void *pointer)
{
    return wl::ptx::is_global((unsigned long long)pointer);
}
WL_INLINE unsigned __isLocal(const void *pointer)
{
    return wl_is_local(pointer);
}
WL_INLINE unsigned __isConstant(const void *pointer)
{
    return wl_is_constant(pointer);
}

#include "warplens/cuda_ptx_arithmetic.h"
#include "warplens/cuda_ptx_bits.h"
#include "warplens/cuda_ptx_convert.h"
#include "warplens/cuda_ptx_matrix.h"

#endif
