/* cuda_copies.h - C++'s asynchronous copies to shared memory: which instructions nvcc makes of them. A GPU before sm_80 has
 * none: they are loads and stores there, as in CUDA; so are copies that are not from global to shared memory, and those aligned to
 * fewer than 4 bytes. Other accesses than cp.async are at a line of this file.
 *
 * Sources: cuda_pipeline_helpers.h, cooperative_groups/details/async.h and libcu++ of CUDA 13.0, and what nvcc 13.0 makes of them.
 */
#ifndef WARPLENS_CUDA_COPIES_H
#define WARPLENS_CUDA_COPIES_H
#pragma GCC system_header

#include <cstddef>
#include <type_traits>

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"
#include "warplens/cuda_ptx.h"

/* Where the program calls, for the copies' own line. */
#define WL_COPY_PLACE int line = __builtin_LINE(), const char *file = __builtin_FILE()

namespace wl
{

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
constexpr bool has_async_copies = true;
#else
constexpr bool has_async_copies = false;
#endif

/* A load and a store. */
template <size_t Bytes> WL_INLINE void copy_word(void *to, const void *from)
{
    typedef typename ptx::unsigned_of<Bytes>::type __attribute__((may_alias)) word;
    *(word *)to = *(const word *)from;
}

/* ... of which the last `zeros` bytes are not loaded. */
template <size_t Bytes> WL_INLINE void copy_word_part(void *to, const void *from, size_t zeros)
{
    typedef typename ptx::unsigned_of<Bytes>::type __attribute__((may_alias)) word;
    word all = 0;
    const size_t bytes = Bytes - zeros, step = bytes % 4 == 0 ? 4 : 1;
    for (size_t at = 0; at < bytes; at += step)
        all |= (word)(step == 4 ? *(const ptx::word4 *)((const char *)from + at)
                                : *((const ptx::word1 *)from + at))
               << 8 * at;
    *(word *)to = all;
}

/* One thread's copy of 4, 8 or 16 bytes: past the L1 where it is of 16. */
template <size_t Bytes>
WL_INLINE void copy_async(void *to, const void *from, size_t zeros, int line, const char *file)
{
    if constexpr (has_async_copies)
        wl_copy_async_at(
            to, from, Bytes, (unsigned)(Bytes - zeros),
            copy_how(Bytes == 16 ? WL_COPY_PAST_L1 : 0, Bytes, (unsigned)(Bytes - zeros)), file,
            line);
    else if (zeros)
        copy_word_part<Bytes>(to, from, zeros);
    else
        copy_word<Bytes>(to, from);
}

WL_INLINE void copy_commit()
{
    if constexpr (has_async_copies)
        wl_copy_commit();
}
WL_INLINE void copy_wait(size_t left)
{
    if constexpr (has_async_copies)
        wl_copy_wait((unsigned)left);
}

/* `size` bytes by the threads of a group, words of `Bytes` in turn. */
template <size_t Bytes, class Group>
WL_INLINE void copy_by_group(const Group &group, char *to, const char *from, size_t size, int line,
                             const char *file)
{
    const size_t stride = group.size() * Bytes;
    if constexpr (Bytes >= 4) {
        if (wl_copy_is_async(to, from)) {
            for (size_t at = group.thread_rank() * Bytes; at < size; at += stride)
                copy_async<Bytes>(to + at, from + at, 0, line, file);
            return;
        }
    }
    for (size_t at = group.thread_rank() * Bytes; at < size; at += stride)
        copy_word<Bytes>(to + at, from + at);
}

struct single_thread {
    WL_INLINE_MEMBER static constexpr unsigned size()
    {
        return 1;
    }
    WL_INLINE_MEMBER static constexpr unsigned thread_rank()
    {
        return 0;
    }
};

} // namespace wl

/* ---- cuda_pipeline_primitives.h ---------------------------------------------------------------------- */

WL_INLINE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zfill = 0,
                                       WL_COPY_PLACE)
{
    if (size == 16)
        wl::copy_async<16>(to, from, zfill, line, file);
    else if (size == 8)
        wl::copy_async<8>(to, from, zfill, line, file);
    else if (size == 4)
        wl::copy_async<4>(to, from, zfill, line, file);
    else
        wl_refuse("an asynchronous copy of another size than 4, 8 or 16 bytes "
                  "(__pipeline_memcpy_async) is not in CUDA");
}
WL_INLINE void __pipeline_commit()
{
    wl::copy_commit();
}
WL_INLINE void __pipeline_wait_prior(size_t left)
{
    wl::copy_wait(left < 8 ? left : 8);
}

/* ---- Sizes with an alignment ------------------------------------------------------------------------- */

namespace cuda
{

template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    WL_INLINE_MEMBER explicit constexpr aligned_size_t(size_t size) : value(size)
    {
    }
    WL_INLINE_MEMBER constexpr operator size_t() const
    {
        return value;
    }
};

} // namespace cuda
#endif
