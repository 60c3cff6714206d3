/* cooperative_groups/memcpy_async.h - copies to shared memory by the threads of a group, which nobody waits for until wait() or
 * wait_prior(). Words are as large as the type or the size is aligned; of bytes, 2-byte words and void the pointers say it, and
 * what lies in front of and behind such words is copied by loads and stores.
 */
#ifndef WARPLENS_COMPAT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define WARPLENS_COMPAT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#pragma GCC system_header

#include "../cooperative_groups.h"
#include "warplens/cuda_copies.h"

namespace cooperative_groups
{

namespace detail
{

/* Threads of a tile beyond the last words copy the last one once more. */
template <class Group> struct is_tile : std::false_type {
};
template <unsigned Size, class Parent>
struct is_tile<thread_block_tile<Size, Parent>> : std::integral_constant<bool, (Size > 1)> {
};

template <size_t Bytes, class Group>
WL_INLINE void copy_words(const Group &group, char *to, const char *from, size_t size, int line,
                          const char *file)
{
    if constexpr (is_tile<Group>::value && Bytes >= 4 && wl::has_async_copies) {
        const size_t count = size / Bytes, rest = count & (group.size() - 1), whole = count - rest;
        if (wl_copy_is_async(to, from)) {
            wl::copy_by_group<Bytes>(group, to, from, whole * Bytes, line, file);
            if (rest) {
                const size_t rank = group.thread_rank() < rest ? group.thread_rank() : rest - 1;
                const size_t at = (whole + rank) * Bytes;
                wl::copy_async<Bytes>(to + at, from + at, 0, line, file);
            }
            return;
        }
    }
    wl::copy_by_group<Bytes>(group, to, from, size / Bytes * Bytes, line, file);
}

/* Words between bytes. */
template <size_t Bytes, class Group>
WL_INLINE void copy_between(const Group &group, char *to, const char *from, size_t size, int line,
                            const char *file)
{
    const size_t before = (0 - (uintptr_t)from) & (Bytes - 1);
    wl::copy_by_group<1>(group, to, from, before, line, file);
    const size_t words = (size - before) / Bytes * Bytes;
    copy_words<Bytes>(group, to + before, from + before, words, line, file);
    wl::copy_by_group<1>(group, to + before + words, from + before + words, size - before - words,
                         line, file);
}

/* The largest words that both pointers can be cut into; `Least` when the copy is smaller than one. */
template <size_t Least>
WL_INLINE size_t common_alignment(const char *to, const char *from, size_t size)
{
    const size_t differs = ((uintptr_t)to ^ (uintptr_t)from) & 15;
    size_t align = 16;
    for (size_t next = 8; next >= Least; next /= 2)
        if (next & differs)
            align = next;
    return size < align ? Least : align;
}

template <size_t Align, class Group>
WL_INLINE void copy(const Group &group, void *to_, const void *from_, size_t size, int line,
                    const char *file)
{
    char *to = (char *)to_;
    const char *from = (const char *)from_;
    if constexpr (Align >= 4) {
        copy_words<(Align > 16 ? 16 : Align)>(group, to, from, size, line, file);
    } else {
        const size_t align = common_alignment<Align>(to, from, size);
        if (align == 16)
            copy_between<16>(group, to, from, size, line, file);
        else if (align == 8)
            copy_between<8>(group, to, from, size, line, file);
        else if (align == 4)
            copy_between<4>(group, to, from, size, line, file);
        else if (align == 2)
            copy_words<2>(group, to, from, size, line, file);
        else
            copy_words<1>(group, to, from, size, line, file);
    }
    wl::copy_commit();
}

template <class T> struct alignment_of {
    static constexpr size_t value = alignof(T);
};
template <> struct alignment_of<void> {
    static constexpr size_t value = 1;
};

template <class T> struct bytes_of {
    static constexpr size_t value = sizeof(T);
};
template <> struct bytes_of<void> {
    static constexpr size_t value = 1;
};

} // namespace detail

/* Bytes. */
template <class Group, class T>
WL_INLINE void memcpy_async(const Group &group, T *to, const T *from, size_t size, WL_COPY_PLACE)
{
    detail::copy<detail::alignment_of<T>::value>(group, to, from, size, line, file);
}
template <class Group, class T, size_t Align>
WL_INLINE void memcpy_async(const Group &group, T *to, const T *from,
                            const cuda::aligned_size_t<Align> &size, WL_COPY_PLACE)
{
    detail::copy<Align>(group, to, from, size.value, line, file);
}
/* Elements that there are, and that are wanted. */
template <class Group, class T>
WL_INLINE void memcpy_async(const Group &group, T *to, size_t to_count, const T *from,
                            size_t from_count, WL_COPY_PLACE)
{
    const size_t count = to_count < from_count ? to_count : from_count;
    detail::copy<detail::alignment_of<T>::value>(group, to, from,
                                                 count * detail::bytes_of<T>::value, line, file);
}
template <class Group, class T, size_t Align>
WL_INLINE void memcpy_async(const Group &group, T *to, const cuda::aligned_size_t<Align> &to_count,
                            const T *from, const cuda::aligned_size_t<Align> &from_count,
                            WL_COPY_PLACE)
{
    const size_t count = to_count.value < from_count.value ? to_count.value : from_count.value;
    detail::copy<Align>(group, to, from, count * detail::bytes_of<T>::value, line, file);
}

template <unsigned Stages, class Group> WL_INLINE void wait_prior(const Group &group)
{
    wl::copy_wait(Stages < 8 ? Stages : 8);
    group.sync();
}
template <class Group> WL_INLINE void wait(const Group &group)
{
    wl::copy_wait(0);
    group.sync();
}

} // namespace cooperative_groups
#endif
