/* cuda_awbarrier_primitives.h - barriers in shared memory as functions of C. */
#ifndef WARPLENS_COMPAT_CUDA_AWBARRIER_PRIMITIVES_H
#define WARPLENS_COMPAT_CUDA_AWBARRIER_PRIMITIVES_H
#pragma GCC system_header
#include "warplens/cuda_bulk_objects.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

WL_INLINE void __mbarrier_init(__mbarrier_t *barrier, uint32_t count, WL_BULK_PLACE)
{
    WL_BULK_NEEDS(80, "__mbarrier_init");
    wl_mbarrier_init(barrier, count, file, line);
}
WL_INLINE void __mbarrier_inval(__mbarrier_t *barrier)
{
    wl_mbarrier_inval(barrier);
}
WL_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier, WL_BULK_PLACE)
{
    return wl_mbarrier_arrive(barrier, 1, false, file, line);
}
WL_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier, WL_BULK_PLACE)
{
    return wl_mbarrier_arrive(barrier, 1, true, file, line);
}
WL_INLINE bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token, WL_BULK_PLACE)
{
    return wl_mbarrier_wait(barrier, token, true, file, line);
}
WL_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity, WL_BULK_PLACE)
{
    return wl_mbarrier_wait_parity(barrier, parity, true, file, line);
}
WL_INLINE bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t,
                                   WL_BULK_PLACE)
{
    return wl_mbarrier_wait(barrier, token, false, file, line);
}
WL_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, uint32_t,
                                          WL_BULK_PLACE)
{
    return wl_mbarrier_wait_parity(barrier, parity, false, file, line);
}
WL_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return wl_mbarrier_pending(token);
}
WL_INLINE uint32_t __mbarrier_maximum_count()
{
    return (1U << 20) - 1;
}
#endif
