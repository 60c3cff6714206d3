/* cuda_indices.h - threadIdx, blockIdx, blockDim and gridDim of C++ programs: variables, so that the scopes of
 * C++ hold for them, and reads of them stay reads of constants (cuda_calls.h).
 *
 * gcc: structs that lie on the words, blockDim and gridDim of a type that becomes a dim3, since a struct with
 * constructors is no constant to it. clang: an empty struct whose x, y and z are read by the instruction that
 * it neither joins nor instruments.
 */
#ifndef WARPLENS_CUDA_INDICES_H
#define WARPLENS_CUDA_INDICES_H

#define WL_INDEX_INLINE inline __attribute__((always_inline))

#ifdef __clang__

#define WL_INDEX_MEMBER_(name, i)                                                                  \
    __declspec(property(get = read_##name)) unsigned name;                                         \
    static WL_INDEX_INLINE unsigned read_##name()                                                  \
    {                                                                                              \
        return WL_WORD_(i);                                                                        \
    }
#define WL_INDEX_VARIABLE_(name, i)                                                                \
    static const struct wl_type_of_##name {                                                        \
        WL_INDEX_MEMBER_(x, 3 * (i))                                                               \
        WL_INDEX_MEMBER_(y, 3 * (i) + 1)                                                           \
        WL_INDEX_MEMBER_(z, 3 * (i) + 2)                                                           \
        typedef void wl_index; /* it becomes a dim3 */                                             \
        WL_INDEX_INLINE operator uint3() const                                                     \
        {                                                                                          \
            return make_uint3(WL_INDEX_(i));                                                       \
        }                                                                                          \
    } name __attribute__((unused)) = {};
WL_INDEX_VARIABLE_(threadIdx, 0)
WL_INDEX_VARIABLE_(blockIdx, 1)
WL_INDEX_VARIABLE_(blockDim, 2)
WL_INDEX_VARIABLE_(gridDim, 3)
#undef WL_INDEX_VARIABLE_
#undef WL_INDEX_MEMBER_

#else

struct wl_dim3_words {
    unsigned x, y, z;
    typedef void wl_index; /* it becomes a dim3 */
    WL_INDEX_INLINE operator uint3() const
    {
        return make_uint3(x, y, z);
    }
};
extern const uint3 threadIdx __asm__("wl_thread_index");
extern const uint3 blockIdx __asm__("wl_block_index");
extern const struct wl_dim3_words blockDim __asm__("wl_block_dim");
extern const struct wl_dim3_words gridDim __asm__("wl_grid_dim");

#endif
#endif
