/* cuda_wmma.h - nvcuda::wmma: fragments, their loads and stores, and products.
 *
 * A fragment's elements are an array of the lane; they go to the runtime (cuda_matrix_calls.h) in words, so that the array is in
 * no memory that anybody else knows, as registers are. Which element of a matrix x[i] is CUDA leaves open; here it is as PTX has
 * the fragments of mma.sync. Those of half have each element of A and B twice where that fills 16, as in CUDA's own header.
 *
 * Not there: elements of 1 and 4 bits (nvcuda::wmma::experimental).
 */
#ifndef WARPLENS_CUDA_WMMA_H
#define WARPLENS_CUDA_WMMA_H
#pragma GCC system_header

#include "warplens/cuda_kernel.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}
namespace experimental
{
namespace precision
{
struct u4;
struct s4;
struct b1;
} // namespace precision
} // namespace experimental

namespace wl_detail
{

/* What it is in C++, to the runtime, and in which compute capability it came. */
template <class T> struct element {
    static_assert(
        !std::is_same<T, T>::value, WL_REFUSED
        "a fragment of these elements (nvcuda::wmma) cannot run under warplens: use half, "
        "__nv_bfloat16, precision::tf32, float, double, signed char, unsigned char or int");
};
#define WL_ELEMENT(name, type, number, first)                                                      \
    template <> struct element<name> {                                                             \
        typedef type stored;                                                                       \
        enum { kind = number, arch = first };                                                      \
    };
WL_ELEMENT(__half, __half, WL_F16, 700)
WL_ELEMENT(__nv_bfloat16, __nv_bfloat16, WL_BF16, 800)
WL_ELEMENT(precision::tf32, float, WL_TF32, 800)
WL_ELEMENT(float, float, WL_F32, 700)
WL_ELEMENT(double, double, WL_F64, 800)
WL_ELEMENT(signed char, signed char, WL_S8, 720)
WL_ELEMENT(unsigned char, unsigned char, WL_U8, 720)
WL_ELEMENT(int, int, WL_S32, 720)
#undef WL_ELEMENT

template <class Use> struct use;
template <> struct use<matrix_a> {
    enum { number = WL_MATRIX_A };
};
template <> struct use<matrix_b> {
    enum { number = WL_MATRIX_B };
};
template <> struct use<accumulator> {
    enum { number = WL_ACCUMULATOR };
};

constexpr bool is_shape(int m, int n, int k, int kind)
{
    const bool of_16 =
        k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
    switch (kind) {
    case WL_TF32:
        return m == 16 && n == 16 && k == 8;
    case WL_F64:
        return m == 8 && n == 8 && k == 4;
    case WL_F32:
        return of_16 || is_shape(m, n, k, WL_TF32);
    default:
        return of_16;
    }
}

/* Elements of a matrix that a lane has. */
constexpr int held(int use, int m, int n, int k)
{
    return (use == WL_MATRIX_A ? m * k : use == WL_MATRIX_B ? k * n : m * n) / 32;
}

template <class F, bool ByColumns> struct form {
    static constexpr wl_fragment value = {
        F::wl_use,          F::wl_m, F::wl_n, F::wl_k, sizeof(typename F::element_type), ByColumns,
        wl::ptx::arch < 750};
};

/* Word `w` of the elements, and back. */
template <class F> WL_INLINE uint64_t to_word(const F &f, int w)
{
    typedef typename F::element_type T;
    constexpr int each = 8 / sizeof(T);
    uint64_t word = 0;
#pragma GCC unroll 8
    for (int i = 0; i < each; i++)
        if (each * w + i < F::wl_held)
            word |= (uint64_t)wl::ptx::same_bits<wl::ptx::bits_t<T>>(f.x[each * w + i])
                    << (8 * sizeof(T) * i) % 64;
    return word;
}
template <class F> WL_INLINE void from_word(F &f, int w, uint64_t word)
{
    typedef typename F::element_type T;
    constexpr int each = 8 / sizeof(T);
#pragma GCC unroll 8
    for (int i = 0; i < each; i++)
        if (each * w + i < F::wl_held)
            f.x[each * w + i] =
                wl::ptx::same_bits<T>((wl::ptx::bits_t<T>)(word >> (8 * sizeof(T) * i) % 64));
}
template <class F> WL_INLINE void give(const F &f)
{
    wl_fragment_give(F::wl_use, to_word(f, 0), to_word(f, 1), to_word(f, 2), to_word(f, 3));
}
template <class F> WL_INLINE void take(F &f, wl_words first)
{
    from_word(f, 0, first.low);
    from_word(f, 1, first.high);
    if (8 * 2 / sizeof(f.x[0]) < F::wl_held) {
        const wl_words rest = wl_fragment_rest();
        from_word(f, 2, rest.low);
        from_word(f, 3, rest.high);
    }
#pragma GCC unroll 16
    for (int i = F::wl_held; i < F::num_elements; i++)
        f.x[i] = f.x[i % F::wl_held];
}

template <int Arch> WL_INLINE void needs(const char *file, int line)
{
    static_assert(Arch == 700 || Arch == 720 || Arch == 800, "one of the texts below");
    if (wl::ptx::arch < Arch)
        wl_refuse_at(
            Arch == 700   ? "nvcuda::wmma needs sm_70 (Volta) or later: name such a GPU with --gpu"
            : Arch == 720 ? "nvcuda::wmma of bytes needs sm_72 (Volta) or later: name such "
                            "a GPU with --gpu"
                          : "nvcuda::wmma of bfloat16, tf32 and double needs sm_80 (Ampere) or "
                            "later: name such a GPU with --gpu",
            file, line);
}

} // namespace wl_detail

template <class Use, int M, int N, int K, class T, class Layout = void> class fragment
{
    static_assert(
        wl_detail::is_shape(M, N, K, wl_detail::element<T>::kind), WL_REFUSED
        "a fragment of this shape (nvcuda::wmma) is none that its elements have: 16x16x16, "
        "32x8x16 or 8x32x16; of precision::tf32 16x16x8; of double 8x8x4");

  public:
    enum {
        wl_use = wl_detail::use<Use>::number,
        wl_m = M,
        wl_n = N,
        wl_k = K,
        wl_kind = wl_detail::element<T>::kind,
        wl_arch = wl_detail::element<T>::arch,
        wl_held = wl_detail::held(wl_use, M, N, K),
    };
    typedef typename wl_detail::element<T>::stored element_type, storage_element_type;
    enum {
        num_elements = wl_kind == WL_F16 && wl_use != WL_ACCUMULATOR ? 16 : (int)wl_held,
        num_storage_elements = num_elements,
    };
    element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
WL_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f,
                             const typename fragment<Use, M, N, K, T, Layout>::element_type &value)
{
#pragma GCC unroll 16
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = value;
}

#define WL_HERE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <class Use, int M, int N, int K, class T, class Layout>
WL_INLINE void
load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f,
                 const typename fragment<Use, M, N, K, T, Layout>::element_type *from, unsigned ld,
                 WL_HERE)
{
    typedef fragment<Use, M, N, K, T, Layout> F;
    static_assert(!std::is_same<Use, accumulator>::value,
                  "an accumulator is loaded with mem_row_major or mem_col_major");
    wl_detail::needs<F::wl_arch>(file, line);
    wl_detail::take(
        f, wl_fragment_load(&wl_detail::form<F, std::is_same<Layout, col_major>::value>::value,
                            from, ld, file, line));
}

template <int M, int N, int K, class T>
WL_INLINE void
load_matrix_sync(fragment<accumulator, M, N, K, T> &f,
                 const typename fragment<accumulator, M, N, K, T>::element_type *from, unsigned ld,
                 layout_t layout, WL_HERE)
{
    typedef fragment<accumulator, M, N, K, T> F;
    wl_detail::needs<F::wl_arch>(file, line);
    wl_detail::take(f, wl_fragment_load(layout == mem_col_major ? &wl_detail::form<F, true>::value
                                                                : &wl_detail::form<F, false>::value,
                                        from, ld, file, line));
}

template <int M, int N, int K, class T>
WL_INLINE void store_matrix_sync(typename fragment<accumulator, M, N, K, T>::element_type *to,
                                 const fragment<accumulator, M, N, K, T> &f, unsigned ld,
                                 layout_t layout, WL_HERE)
{
    typedef fragment<accumulator, M, N, K, T> F;
    wl_detail::needs<F::wl_arch>(file, line);
    wl_detail::give(f);
    wl_fragment_store(layout == mem_col_major ? &wl_detail::form<F, true>::value
                                              : &wl_detail::form<F, false>::value,
                      to, ld, file, line);
}

template <int M, int N, int K, class T, class LayoutA, class LayoutB, class C, class D>
WL_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d,
                        const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                        const fragment<matrix_b, M, N, K, T, LayoutB> &b,
                        const fragment<accumulator, M, N, K, C> &c, bool satf = false, WL_HERE)
{
    typedef fragment<matrix_a, M, N, K, T, LayoutA> A;
    enum { kind = A::wl_kind, sum = wl_detail::element<C>::kind, to = wl_detail::element<D>::kind };
    static_assert(kind == WL_F16                   ? sum == WL_F16 || sum == WL_F32
                  : kind == WL_F64                 ? sum == WL_F64
                  : kind == WL_S8 || kind == WL_U8 ? sum == WL_S32
                                                   : sum == WL_F32,
                  "the accumulator has elements that a product of these has not");
    static_assert((int)sum == (int)to || (kind == WL_F16 && (to == WL_F16 || to == WL_F32)),
                  "the result has elements that a product of these has not");
    wl_detail::needs<A::wl_arch>(file, line);
    wl_detail::give(a);
    wl_detail::give(b);
    wl_detail::give(c);
    wl_detail::take(d, satf
                           ? wl_mma(&wl::ptx::product<M, N, K, to, kind, kind, sum, true>::value)
                           : wl_mma(&wl::ptx::product<M, N, K, to, kind, kind, sum, false>::value));
}

#undef WL_HERE

/* Of products of bits the names, which libraries' headers use in what programs do not call. */
namespace experimental
{
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental
template <class D, class A, class B, class C>
WL_INLINE void bmma_sync(D &, const A &, const B &, const C &,
                         experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                         experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC)
{
    wl_refuse(
        "bmma_sync cannot run under warplens: a tensor core's product of bits is not modelled");
}

} // namespace wmma
} // namespace nvcuda

WL_INLINE float __float_to_tf32(float value)
{
    return wl::ptx::same_bits<float>(wl::ptx::tf32_of(value));
}
namespace nvcuda
{
namespace wmma
{
using ::__float_to_tf32;
}
} // namespace nvcuda

#endif
