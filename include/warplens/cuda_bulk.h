/* cuda_bulk.h - barriers in shared memory (mbarrier) and bulk copies (cp.async.bulk, TMA): what inline PTX, C++ and the gallery call.
 * src/tracer/bulk has the functions. A GPU has mbarrier from sm_80 on; bulk copies, and barriers that expect their bytes, from sm_90 on.
 */
#ifndef WARPLENS_CUDA_BULK_H
#define WARPLENS_CUDA_BULK_H
#pragma GCC system_header

#include <stdbool.h>

#include "warplens/cuda_calls.h"

/* Of the elements that a reduction adds; signed integers as unsigned ones. */
enum wl_bulk_type { WL_BULK_U32, WL_BULK_U64, WL_BULK_F32, WL_BULK_F64 };

#ifdef __cplusplus
extern "C" {
#endif
/* Each is at that line of the program; without a file at the call's own. */
/* A barrier of so many arrivals, 8 bytes of shared memory; it is no more. */
void wl_mbarrier_init(void *barrier, unsigned arrivals, const char *file, int line)
    __attribute__((nothrow));
void wl_mbarrier_inval(void *barrier) __attribute__((nothrow));
/* The state that a wait takes: of the phase that runs. `drops`: from the next phase on there are fewer to come. */
unsigned long long wl_mbarrier_arrive(void *barrier, unsigned arrivals, bool drops,
                                      const char *file, int line) __attribute__((nothrow));
/* Expects so many bytes more first. */
unsigned long long wl_mbarrier_arrive_expect(void *barrier, unsigned arrivals, unsigned bytes,
                                             bool drops, const char *file, int line)
    __attribute__((nothrow));
void wl_mbarrier_expect(void *barrier, unsigned bytes, const char *file, int line)
    __attribute__((nothrow));
void wl_mbarrier_complete(void *barrier, unsigned bytes) __attribute__((nothrow));
/* Whether the phase has ended; waits for it. `tests`: false where no thread of the block can go on. */
WL_CONVERGENT bool wl_mbarrier_wait(const void *barrier, unsigned long long state, bool tests,
                                    const char *file, int line);
WL_CONVERGENT bool wl_mbarrier_wait_parity(const void *barrier, unsigned parity, bool tests,
                                           const char *file, int line);
/* Arrivals that were pending behind the one that gave the state. */
unsigned wl_mbarrier_pending(unsigned long long state) __attribute__((nothrow));

/* Between global and shared memory, at multiples of 16 bytes. A load's bytes come to the barrier. */
void wl_bulk_load(void *to, const void *from, unsigned bytes, void *barrier, const char *file,
                  int line) __attribute__((nothrow));
void wl_bulk_store(void *to, const void *from, unsigned bytes, const char *file, int line)
    __attribute__((nothrow));
/* Adds what is in shared memory; type: enum wl_bulk_type. */
void wl_bulk_add(void *to, const void *from, unsigned bytes, unsigned type, const char *file,
                 int line) __attribute__((nothrow));
/* A box of the tensor whose map that is, from coordinates on, `rank` of them, the innermost first. */
void wl_tensor_load(void *to, const void *map, unsigned rank, int c0, int c1, int c2, int c3,
                    int c4, void *barrier, const char *file, int line) __attribute__((nothrow));
void wl_tensor_store(const void *map, const void *from, unsigned rank, int c0, int c1, int c2,
                     int c3, int c4, const char *file, int line) __attribute__((nothrow));
/* Stores since the last one are a group; all groups but the latest `left` are written, or read, behind it. */
void wl_bulk_commit(void) __attribute__((nothrow));
void wl_bulk_wait(unsigned left) __attribute__((nothrow));
void wl_bulk_wait_read(unsigned left) __attribute__((nothrow));
#ifdef __cplusplus
}
#endif

#endif
