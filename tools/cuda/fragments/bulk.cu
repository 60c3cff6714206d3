/* bulk.cu - cp.async.bulk by one lane: "size" bytes from "src" to "dst". load: the source arena to shared
 * memory; store and add: shared memory to the target arena; peer: shared memory of a cluster's first block
 * to that of its block "rank". size=0 leaves the copy out: what else the kernel costs. */
#include "fragments.h"

extern __shared__ __align__(1024) char shared[];

struct bulk {
    uint32_t src, dst, size, rank;
};

/* Counts the words of [words, words + count) that are neither copied nor as before. */
template <typename Copied, typename Before>
__device__ void check_words(const uint32_t *words, uint32_t count, const bulk &b, Copied copied,
                            Before before, uint32_t *errors)
{
    for (uint32_t w = threadIdx.x; w < count; w += 32) {
        uint32_t offset = 4 * w - b.dst;
        bool inside = 4 * w >= b.dst && offset < b.size;
        count_error(errors, words[w] != (inside ? copied((b.src + offset) / 4) : before(w)));
    }
}

__global__ void measured_bulk_load(const bulk b, const char *source, uint32_t *errors)
{
    uint32_t base = shared_address(shared), barrier = base + SHARED_BYTES;
    if (errors)
        fill_shared(shared);
    if (threadIdx.x == 0)
        barrier_init(barrier);
    __syncwarp();
    asm volatile("fence.proxy.async;" ::: "memory");
    if (threadIdx.x == 0 && b.size > 0) {
        barrier_expect(barrier, b.size);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(base + b.dst),
                     "l"(source + b.src), "r"(b.size), "r"(barrier)
                     : "memory");
        bool came = barrier_wait(barrier);
        if (errors)
            count_error(errors, !came);
    }
    __syncwarp();
    if (errors)
        check_words((uint32_t *)shared, SHARED_BYTES / 4, b, source_word, shared_word, errors);
}

template <bool add>
__global__ void measured_bulk_store(const bulk b, char *target, uint32_t *errors)
{
    if (errors)
        fill_shared(shared);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncwarp();
    if (threadIdx.x == 0 && b.size > 0) {
        uint32_t from = shared_address(shared) + b.src;
        if constexpr (add)
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
                         "[%0], [%1], %2;" ::"l"(target + b.dst),
                         "r"(from), "r"(b.size)
                         : "memory");
        else
            asm volatile(
                "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(target + b.dst),
                "r"(from), "r"(b.size)
                : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

template <bool add>
__global__ void check_bulk_store(const bulk b, const char *target, uint32_t *errors)
{
    int32_t shift = ((int32_t)b.dst - (int32_t)b.src) / 4; /* words; negative where dst < src */
    auto copied = [shift](uint32_t w) {
        return shared_word(w) + (add ? target_word(w + shift) : 0);
    };
    check_words((const uint32_t *)target, TARGET_CHECKED / 4, b, copied, target_word, errors);
}

__device__ void cluster_barrier()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ uint32_t cluster_address(uint32_t address, uint32_t rank)
{
    uint32_t there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

__global__ void __cluster_dims__(2) measured_bulk_peer(const bulk b, uint32_t *errors)
{
    uint32_t base = shared_address(shared), barrier = base + SHARED_BYTES;
    if (errors)
        fill_shared(shared);
    if (threadIdx.x == 0) {
        barrier_init(barrier);
        if (blockIdx.x == b.rank && b.size > 0)
            barrier_expect(barrier, b.size);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster_barrier();
    if (blockIdx.x == 0 && threadIdx.x == 0 && b.size > 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes "
                     "[%0], [%1], %2, [%3];" ::"r"(cluster_address(base + b.dst, b.rank)),
                     "r"(base + b.src), "r"(b.size), "r"(cluster_address(barrier, b.rank))
                     : "memory");
    if (blockIdx.x == b.rank && b.size > 0) {
        bool came = barrier_wait(barrier);
        if (errors)
            count_error(errors, !came);
    }
    cluster_barrier();
    if (errors && blockIdx.x == b.rank)
        check_words((uint32_t *)shared, SHARED_BYTES / 4, b, shared_word, shared_word, errors);
}

static bulk bulk_of(const pattern &p, uint32_t src_limit, uint32_t dst_limit)
{
    bulk b = {(uint32_t)p.value("src", 0), (uint32_t)p.value("dst", 0),
              (uint32_t)p.value("size", 0), (uint32_t)p.value("rank", 1)};
    if ((uint64_t)b.src + b.size > src_limit || (uint64_t)b.dst + b.size > dst_limit || b.rank > 1)
        refuse(p, "beyond the memory of patterns");
    return b;
}

static void execute_load(const pattern &p, const memory &m)
{
    launch(1, measured_bulk_load, bulk_of(p, ARENA_BYTES, SHARED_BYTES), (const char *)m.source,
           m.errors);
}

template <bool add> void execute_store(const pattern &p, const memory &m)
{
    bulk b = bulk_of(p, SHARED_BYTES, TARGET_CHECKED);
    fill_target(m);
    launch(1, measured_bulk_store<add>, b, m.target, m.errors);
    if (m.errors != nullptr)
        launch(1, check_bulk_store<add>, b, (const char *)m.target, m.errors);
}

static void execute_peer(const pattern &p, const memory &m)
{
    launch(2, measured_bulk_peer, bulk_of(p, SHARED_BYTES, SHARED_BYTES), m.errors);
}

void add_bulk_executors(executors &table)
{
    table["cp.async.bulk.load"] = execute_load;
    table["cp.async.bulk.store"] = execute_store<false>;
    table["cp.async.bulk.add"] = execute_store<true>;
    table["cp.async.bulk.peer"] = execute_peer;
}
