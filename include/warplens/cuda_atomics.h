/* cuda_atomics.h - CUDA's atomic functions: declared here, in the runtime under the names that C++
 * gives them (src/tracer/overloads.c), so that an access has the program's own line.
 *
 * They are templates without a use for their parameter, since an ordinary function of the same
 * signature is then the better one: many programs bring an atomicAdd for double of their own.
 */
#ifndef WARPLENS_CUDA_ATOMICS_H
#define WARPLENS_CUDA_ATOMICS_H
#pragma GCC system_header

#define WL_ATOMIC(type, name) template <class = void> type name(type *address, type value);
#define WL_ATOMIC_SCOPES(type, op)                                                                 \
    WL_ATOMIC(type, atomic##op)                                                                    \
    WL_ATOMIC(type, atomic##op##_block)                                                            \
    WL_ATOMIC(type, atomic##op##_system)
#define WL_ATOMIC_CAS(type, name)                                                                  \
    template <class = void> type name(type *address, type compare, type value);
#define WL_ATOMIC_CAS_SCOPES(type)                                                                 \
    WL_ATOMIC_CAS(type, atomicCAS)                                                                 \
    WL_ATOMIC_CAS(type, atomicCAS_block)                                                           \
    WL_ATOMIC_CAS(type, atomicCAS_system)

/* Of 4-byte integers these are inlined, since an increment is told by its constant, and where nobody uses the result lanes
 * may combine what they bring (cuda_calls.h); the place of the call goes along, as that of an inlined one is here. */
#define WL_ATOMIC_4(type, suffix, op, name)                                                        \
    template <class = void>                                                                        \
    WL_INLINE_MEMBER type name(type *address, type value, int line = __builtin_LINE(),             \
                               const char *file = __builtin_FILE())                                \
    {                                                                                              \
        const unsigned wanted = wl_result_wanted();                                                \
        wl_next_add(file, __builtin_constant_p(value) && value == 1 ? -line : line);               \
        unsigned old = (unsigned)wl_atomic##op##_##suffix(address, value);                         \
        WL_USE_TOGETHER_(old, wanted);                                                             \
        return (type)old;                                                                          \
    }
#define WL_ATOMIC_4_SCOPES(type, suffix, op)                                                       \
    WL_ATOMIC_4(type, suffix, op, atomic##op)                                                      \
    WL_ATOMIC_4(type, suffix, op, atomic##op##_block)                                              \
    WL_ATOMIC_4(type, suffix, op, atomic##op##_system)
#define WL_ATOMICS_4(type, suffix)                                                                 \
    WL_ATOMIC_4_SCOPES(type, suffix, Add)                                                          \
    WL_ATOMIC_4_SCOPES(type, suffix, Sub)                                                          \
    WL_ATOMIC_4_SCOPES(type, suffix, Min)                                                          \
    WL_ATOMIC_4_SCOPES(type, suffix, Max)                                                          \
    WL_ATOMIC_4_SCOPES(type, suffix, And)                                                          \
    WL_ATOMIC_4_SCOPES(type, suffix, Or)                                                           \
    WL_ATOMIC_4_SCOPES(type, suffix, Xor)
WL_ATOMICS_4(int, i32)
WL_ATOMICS_4(unsigned, u32)
#undef WL_ATOMIC_4
#undef WL_ATOMIC_4_SCOPES
#undef WL_ATOMICS_4

#define WL_ATOMIC_TYPES(X, op) X(int, op) X(unsigned, op) X(unsigned long long, op)
WL_ATOMIC_SCOPES(unsigned long long, Add)
WL_ATOMIC_SCOPES(float, Add)
WL_ATOMIC_SCOPES(double, Add)
WL_ATOMIC_TYPES(WL_ATOMIC_SCOPES, Exch)
WL_ATOMIC_SCOPES(float, Exch)
WL_ATOMIC_SCOPES(unsigned long long, Min)
WL_ATOMIC_SCOPES(long long, Min)
WL_ATOMIC_SCOPES(unsigned long long, Max)
WL_ATOMIC_SCOPES(long long, Max)
WL_ATOMIC_SCOPES(unsigned long long, And)
WL_ATOMIC_SCOPES(unsigned long long, Or)
WL_ATOMIC_SCOPES(unsigned long long, Xor)
WL_ATOMIC_SCOPES(unsigned, Inc)
WL_ATOMIC_SCOPES(unsigned, Dec)
WL_ATOMIC_CAS_SCOPES(int)
WL_ATOMIC_CAS_SCOPES(unsigned)
WL_ATOMIC_CAS_SCOPES(unsigned long long)
WL_ATOMIC_CAS_SCOPES(unsigned short)

#undef WL_ATOMIC
#undef WL_ATOMIC_SCOPES
#undef WL_ATOMIC_CAS
#undef WL_ATOMIC_CAS_SCOPES
#undef WL_ATOMIC_TYPES

extern "C" {
/* An atomic access that the caller carries out with wl_copy_bytes, at a line of the program's. */
void wl_atomic_at(const void *p, unsigned bytes, const char *file, int line);
}
namespace wl
{
/* Of types that the runtime does not know: no other lane runs in between. */
template <class T, class F>
WL_INLINE T atomic_update(T *address, F update, const char *file, int line)
{
    T old, changed;
    wl_atomic_at(address, sizeof(T), file, line);
    wl_copy_bytes(&old, address, sizeof(T));
    changed = update(old);
    wl_copy_bytes(address, &changed, sizeof(T));
    return old;
}
} // namespace wl

#endif
