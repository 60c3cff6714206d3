/* cuda_cluster.h - thread block clusters: what cooperative groups, intrinsics and inline PTX call. src/tracer/grid has the functions.
 */
#ifndef WARPLENS_CUDA_CLUSTER_H
#define WARPLENS_CUDA_CLUSTER_H
#pragma GCC system_header

#include "warplens/cuda_calls.h"

/* What wl_cluster_value says, of the block and its cluster; of a dim3 its x, y and z from there on. */
enum wl_cluster_word {
    WL_CLUSTER_RANK,
    WL_CLUSTER_BLOCKS,
    WL_CLUSTER_BLOCK,    /* the block's index in the cluster */
    WL_CLUSTER_DIM = 5,  /* the cluster's blocks */
    WL_CLUSTER_ID = 8,   /* the cluster's index in the grid */
    WL_CLUSTER_GRID = 11 /* the grid's clusters */
};
/* Of a reduction without an answer (red.async). */
enum wl_async_operation {
    WL_ASYNC_ADD,
    WL_ASYNC_MIN_S32,
    WL_ASYNC_MIN_U32,
    WL_ASYNC_MAX_S32,
    WL_ASYNC_MAX_U32,
    WL_ASYNC_INC,
    WL_ASYNC_DEC,
    WL_ASYNC_AND,
    WL_ASYNC_OR,
    WL_ASYNC_XOR
};

extern "C" {
unsigned wl_cluster_value(unsigned which) __attribute__((const, nothrow));
WL_CONVERGENT void wl_cluster_arrive(void);
WL_CONVERGENT void wl_cluster_wait(void);
WL_CONVERGENT void wl_cluster_sync(void);
/* The same place of block `rank`: a generic address of a generic one, at that line or its own; a 32-bit one of a 32-bit one. */
void *wl_cluster_map(const void *pointer, unsigned rank, const char *file, int line)
    __attribute__((nothrow));
unsigned long long wl_cluster_address(unsigned long long address, unsigned rank)
    __attribute__((nothrow));
/* Which block's memory that is; whether it is some block's of the cluster. */
unsigned wl_cluster_rank_of(const void *pointer) __attribute__((nothrow));
bool wl_is_cluster(const void *pointer) __attribute__((nothrow));

/* Stores 4, 8 or 16 bytes, or combines 4 or 8, that come to a barrier of the same block: st.async and red.async. */
void wl_store_async(void *to, unsigned long long low, unsigned long long high, unsigned bytes,
                    void *barrier, const char *file, int line) __attribute__((nothrow));
void wl_reduce_async(void *to, unsigned long long value, unsigned bytes,
                     enum wl_async_operation operation, void *barrier, const char *file, int line)
    __attribute__((nothrow));
/* From the block's shared memory to that of a block of the cluster, whose barrier the bytes come to. */
void wl_bulk_peer(void *to, const void *from, unsigned bytes, void *barrier, const char *file,
                  int line) __attribute__((nothrow));
/* The loads of cuda_bulk.h into the same place of each block whose bit is in `blocks`, and to their barriers there. */
void wl_bulk_load_multicast(void *to, const void *from, unsigned bytes, void *barrier,
                            unsigned blocks, const char *file, int line) __attribute__((nothrow));
void wl_tensor_load_multicast(void *to, const void *map, unsigned rank, int c0, int c1, int c2,
                              int c3, int c4, void *barrier, unsigned blocks, const char *file,
                              int line) __attribute__((nothrow));
}

/* ---- Intrinsics (sm_90_rt.h of CUDA) --------------------------------------------------------------------- */

WL_CONVERGENT void __cluster_barrier_arrive() __asm__("wl_cluster_arrive");
WL_CONVERGENT void __cluster_barrier_arrive_relaxed() __asm__("wl_cluster_arrive");
WL_CONVERGENT void __cluster_barrier_wait() __asm__("wl_cluster_wait");

WL_INLINE dim3 wl_cluster_dim3(unsigned from)
{
    return dim3(wl_cluster_value(from), wl_cluster_value(from + 1), wl_cluster_value(from + 2));
}
#define WL_CLUSTER_INTRINSIC(type, name, value)                                                    \
    WL_INLINE type name()                                                                          \
    {                                                                                              \
        return value;                                                                              \
    }
WL_CLUSTER_INTRINSIC(dim3, __clusterDim, wl_cluster_dim3(WL_CLUSTER_DIM))
WL_CLUSTER_INTRINSIC(dim3, __clusterRelativeBlockIdx, wl_cluster_dim3(WL_CLUSTER_BLOCK))
WL_CLUSTER_INTRINSIC(dim3, __clusterGridDimInClusters, wl_cluster_dim3(WL_CLUSTER_GRID))
WL_CLUSTER_INTRINSIC(dim3, __clusterIdx, wl_cluster_dim3(WL_CLUSTER_ID))
WL_CLUSTER_INTRINSIC(unsigned, __clusterRelativeBlockRank, wl_cluster_value(WL_CLUSTER_RANK))
WL_CLUSTER_INTRINSIC(unsigned, __clusterSizeInBlocks, wl_cluster_value(WL_CLUSTER_BLOCKS))
#undef WL_CLUSTER_INTRINSIC
WL_INLINE void *__cluster_map_shared_rank(const void *pointer, unsigned rank,
                                          const char *file = __builtin_FILE(),
                                          int line = __builtin_LINE())
{
    return wl_cluster_map(pointer, rank, file, line);
}
WL_INLINE unsigned __cluster_query_shared_rank(const void *pointer)
{
    return wl_cluster_rank_of(pointer);
}
WL_INLINE unsigned __isClusterShared(const void *pointer)
{
    return wl_is_cluster(pointer);
}

#endif
