/* cuda_cluster_objects.h - what cuda::ptx has for clusters: the cluster's barrier, copies to another block or to several, stores and
 * reductions that nobody waits for. A part of cuda_bulk_objects.h, which includes it. Signatures as libcu++ of CUDA 13.0 has them.
 */
#ifndef WARPLENS_CUDA_CLUSTER_OBJECTS_H
#define WARPLENS_CUDA_CLUSTER_OBJECTS_H
#pragma GCC system_header

namespace cuda
{
namespace ptx
{

WL_INLINE_MEMBER void cp_async_bulk(space_cluster_t, space_shared_t, void *to, const void *from,
                                    const uint32_t &bytes, uint64_t *barrier, WL_COPY_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk");
    wl_bulk_peer(to, from, bytes, barrier, file, line);
}
WL_INLINE_MEMBER void cp_async_bulk(space_cluster_t, space_global_t, void *to, const void *from,
                                    const uint32_t &bytes, uint64_t *barrier,
                                    const uint16_t &blocks, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk");
    wl_bulk_load_multicast(to, from, bytes, barrier, blocks, file, line);
}
template <int Rank>
WL_INLINE_MEMBER void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *to,
                                           const void *map, const int32_t (&at)[Rank],
                                           uint64_t *barrier, const uint16_t &blocks, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(90, "cp_async_bulk_tensor");
    wl_tensor_load_multicast(to, map, Rank, at[0], Rank > 1 ? at[Rank > 1] : 0,
                             Rank > 2 ? at[2 * (Rank > 2)] : 0, Rank > 3 ? at[3 * (Rank > 3)] : 0,
                             Rank > 4 ? at[4 * (Rank > 4)] : 0, barrier, blocks, file, line);
}

WL_INLINE_MEMBER void barrier_cluster_arrive()
{
    wl_cluster_arrive();
}
template <dot_sem Sem> WL_INLINE_MEMBER void barrier_cluster_arrive(sem_t<Sem>)
{
    wl_cluster_arrive();
}
WL_INLINE_MEMBER void barrier_cluster_wait()
{
    wl_cluster_wait();
}
WL_INLINE_MEMBER void barrier_cluster_wait(sem_acquire_t)
{
    wl_cluster_wait();
}
WL_INLINE_MEMBER uint32_t getctarank(space_cluster_t, const void *pointer)
{
    return wl_cluster_rank_of(pointer);
}

template <class T>
WL_INLINE_MEMBER void st_async(T *to, const T &value, uint64_t *barrier, WL_COPY_PLACE)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "st_async is of 4 or 8 bytes");
    WL_BULK_NEEDS(90, "st_async");
    unsigned long long word = 0;
    __builtin_memcpy(&word, &value, sizeof value);
    wl_store_async(to, word, 0, sizeof value, barrier, file, line);
}
template <class T, int N>
WL_INLINE_MEMBER void st_async(T *to, const T (&value)[N], uint64_t *barrier, WL_COPY_PLACE)
{
    static_assert(sizeof value == 8 || sizeof value == 16, "st_async is of 8 or 16 bytes");
    WL_BULK_NEEDS(90, "st_async");
    unsigned long long words[2] = {0, 0};
    __builtin_memcpy(words, value, sizeof value);
    wl_store_async(to, words[0], words[1], sizeof value, barrier, file, line);
}

template <dot_op Op, class T> constexpr enum wl_async_operation wl_async_of()
{
    constexpr bool is_signed = ::std::is_signed<T>::value;
    return Op == dot_op::min      ? (is_signed ? WL_ASYNC_MIN_S32 : WL_ASYNC_MIN_U32)
           : Op == dot_op::max    ? (is_signed ? WL_ASYNC_MAX_S32 : WL_ASYNC_MAX_U32)
           : Op == dot_op::inc    ? WL_ASYNC_INC
           : Op == dot_op::dec    ? WL_ASYNC_DEC
           : Op == dot_op::and_op ? WL_ASYNC_AND
           : Op == dot_op::or_op  ? WL_ASYNC_OR
           : Op == dot_op::xor_op ? WL_ASYNC_XOR
                                  : WL_ASYNC_ADD;
}
template <dot_op Op, class T>
WL_INLINE_MEMBER void red_async(op_t<Op>, T *to, const T &value, uint64_t *barrier, WL_COPY_PLACE)
{
    static_assert(::std::is_integral<T>::value &&
                      (sizeof(T) == 4 || (sizeof(T) == 8 && Op == dot_op::add)),
                  "red_async is of 4 bytes, additions of 8, too");
    WL_BULK_NEEDS(90, "red_async");
    wl_reduce_async(to, (unsigned long long)value, sizeof value, wl_async_of<Op, T>(), barrier,
                    file, line);
}

} // namespace ptx
} // namespace cuda
#endif
