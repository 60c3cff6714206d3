/* cluster.cu - shared memory of a cluster of two blocks: the first block's lanes "lanes" access "addr" in
 * the shared memory of block "rank" (0: their own, 1: the other's). */
#include "fragments.h"

extern __shared__ __align__(1024) char shared[];

enum access { LOAD, STORE, ATOMIC, ASYNC_STORE, ASYNC_REDUCTION };

__device__ void both_blocks()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ uint32_t address_in(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

template <int words> __device__ void load(uint32_t p, uint32_t v[4])
{
    if constexpr (words == 1)
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v[0]) : "r"(p) : "memory");
    if constexpr (words == 2)
        asm volatile("ld.shared::cluster.v2.u32 {%0, %1}, [%2];"
                     : "=r"(v[0]), "=r"(v[1])
                     : "r"(p)
                     : "memory");
    if constexpr (words == 4)
        asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                     : "r"(p)
                     : "memory");
}

template <int words> __device__ void store(uint32_t p, const uint32_t v[4])
{
    if constexpr (words == 1)
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(p), "r"(v[0]) : "memory");
    if constexpr (words == 2)
        asm volatile("st.shared::cluster.v2.u32 [%0], {%1, %2};" ::"r"(p), "r"(v[0]), "r"(v[1])
                     : "memory");
    if constexpr (words == 4)
        asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(p), "r"(v[0]),
                     "r"(v[1]), "r"(v[2]), "r"(v[3])
                     : "memory");
}

#define ASYNC "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"

template <int words> __device__ void store_async(uint32_t p, const uint32_t v[4], uint32_t barrier)
{
    if constexpr (words == 1)
        asm volatile(ASYNC ".b32 [%0], %1, [%2];" ::"r"(p), "r"(v[0]), "r"(barrier) : "memory");
    if constexpr (words == 2)
        asm volatile(ASYNC ".v2.b32 [%0], {%1, %2}, [%3];" ::"r"(p), "r"(v[0]), "r"(v[1]),
                     "r"(barrier)
                     : "memory");
    if constexpr (words == 4)
        asm volatile(ASYNC ".v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(p), "r"(v[0]), "r"(v[1]),
                     "r"(v[2]), "r"(v[3]), "r"(barrier)
                     : "memory");
}

/* What a store leaves in a word: the same for every lane, so that lanes may share one. */
__device__ uint32_t stored_word(uint32_t word)
{
    return scrambled(word + 0x3000000);
}

/* v comes back as what was loaded. */
template <access op, int words>
__device__ void execute_access(uint32_t address, uint32_t rank, uint32_t offset, uint32_t barrier,
                               uint32_t v[4])
{
    uint32_t p = address_in(address, rank);
    if constexpr (op == LOAD)
        load<words>(p, v);
    else
        for (int i = 0; i < words; i++)
            v[i] = stored_word(offset / 4 + i);
    if constexpr (op == STORE)
        store<words>(p, v);
    if constexpr (op == ATOMIC)
        asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(v[0]) : "r"(p) : "memory");
    if constexpr (op == ASYNC_STORE)
        store_async<words>(p, v, address_in(barrier, rank));
    if constexpr (op == ASYNC_REDUCTION)
        asm volatile(
            "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
            "[%0], %1, [%2];" ::"r"(p),
            "r"(1), "r"(address_in(barrier, rank))
            : "memory");
}

/* What a word should hold at the end. */
template <access op, int words> __device__ uint32_t final_word(const lanes &l, uint32_t word)
{
    uint32_t value = shared_word(word);
    for (int i = 0; i < 32; i++) {
        bool covers = l.active >> i & 1 && word >= l.a[i] / 4 && word < l.a[i] / 4 + words;
        if (covers && (op == STORE || op == ASYNC_STORE))
            value = stored_word(word);
        if (covers && (op == ATOMIC || op == ASYNC_REDUCTION))
            value++;
    }
    return value;
}

template <access op, int words>
__global__ void __cluster_dims__(2) measured_cluster(const __grid_constant__ lanes l, uint32_t rank,
                                                     uint32_t *errors, uint32_t *sink)
{
    const bool async = op == ASYNC_STORE || op == ASYNC_REDUCTION;
    uint32_t base = shared_address(shared), barrier = base + SHARED_BYTES,
             offset = l.a[threadIdx.x];
    bool acts = blockIdx.x == 0 && l.active >> threadIdx.x & 1;
    uint32_t v[4] = {0, 0, 0, 0};
    if (errors)
        fill_shared(shared);
    if (async && threadIdx.x == 0) {
        barrier_init(barrier);
        if (blockIdx.x == rank)
            barrier_expect(barrier, 4 * words * __popc(l.active));
    }
    both_blocks();
    if (acts)
        execute_access<op, words>(base + offset, rank, offset, barrier, v);
    if ((v[0] ^ v[1] ^ v[2] ^ v[3]) == NEVER)
        *sink = 1;
    if (async && blockIdx.x == rank && !barrier_wait(barrier) && errors)
        atomicAdd(errors, 1);
    both_blocks();
    if (errors == nullptr)
        return;
    if (op == LOAD && acts)
        for (int i = 0; i < words; i++)
            count_error(errors, v[i] != shared_word(offset / 4 + i));
    if (blockIdx.x == rank)
        for (uint32_t w = threadIdx.x; w < SHARED_BYTES / 4; w += 32)
            count_error(errors, ((uint32_t *)shared)[w] != final_word<op, words>(l, w));
}

template <access op, int words> void execute_cluster(const pattern &p, const memory &m)
{
    lanes l = {};
    uint32_t rank = (uint32_t)p.value("rank", 1);
    lane_values(p, "addr", SHARED_BYTES - 4 * words, l.a);
    l.active = active_lanes(p);
    if (rank > 1)
        refuse(p, "a cluster has 2 blocks here");
    launch(2, measured_cluster<op, words>, l, rank, m.errors, (uint32_t *)m.target);
}

void add_cluster_executors(executors &table)
{
    table["ld.shared::cluster.4"] = execute_cluster<LOAD, 1>;
    table["ld.shared::cluster.8"] = execute_cluster<LOAD, 2>;
    table["ld.shared::cluster.16"] = execute_cluster<LOAD, 4>;
    table["st.shared::cluster.4"] = execute_cluster<STORE, 1>;
    table["st.shared::cluster.8"] = execute_cluster<STORE, 2>;
    table["st.shared::cluster.16"] = execute_cluster<STORE, 4>;
    table["atom.shared::cluster.4"] = execute_cluster<ATOMIC, 1>;
    table["st.async.4"] = execute_cluster<ASYNC_STORE, 1>;
    table["st.async.8"] = execute_cluster<ASYNC_STORE, 2>;
    table["st.async.16"] = execute_cluster<ASYNC_STORE, 4>;
    table["red.async.4"] = execute_cluster<ASYNC_REDUCTION, 1>;
}
