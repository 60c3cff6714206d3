// Clusters as C++ has them: CUDA's intrinsics, cooperative groups, cuda::ptx. Two blocks hand each other words, sums and a row of bytes, which
// nobody waits for but at the barrier of the block that gets them. Prints PASSED, on a GPU as well.
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

enum { BLOCKS = 4, THREADS = 32, BYTES = THREADS * (4 + 8 + 16 + 4 * 4) + 128 };

struct arrived {
    alignas(16) unsigned row[THREADS], four[THREADS][4];
    unsigned box[THREADS], sums[4];
    unsigned long long wide[THREADS];
    uint64_t barrier;
};

__device__ void start(arrived &mine)
{
    ptx::mbarrier_init(&mine.barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &mine.barrier, BYTES);
    mine.sums[0] = mine.sums[2] = mine.sums[3] = 0;
    mine.sums[1] = 0xffffffffu;
}

__device__ void send(arrived *other, const unsigned *row)
{
    const unsigned t = threadIdx.x;
    const unsigned four[4] = {t, t + 1, t + 2, t + 3};
    ptx::st_async(&other->box[t], t + 1, &other->barrier);
    ptx::st_async(&other->wide[t], (unsigned long long)t << 40, &other->barrier);
    ptx::st_async(other->four[t], four, &other->barrier);
    ptx::red_async(ptx::op_add, &other->sums[0], t, &other->barrier);
    ptx::red_async(ptx::op_min, &other->sums[1], t + 5, &other->barrier);
    ptx::red_async(ptx::op_max, &other->sums[2], t + 5, &other->barrier);
    ptx::red_async(ptx::op_or_op, &other->sums[3], 1u << t, &other->barrier);
    if (t == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, other->row, row, 128, &other->barrier);
}

__global__ void __cluster_dims__(2, 1, 1) calls(unsigned *out)
{
    __shared__ arrived mine;
    __shared__ alignas(16) unsigned row[THREADS];
    const unsigned t = threadIdx.x, own = __clusterRelativeBlockRank(), next = 1 - own;
    cg::cluster_group cluster = cg::this_cluster();
    if (t == 0)
        start(mine);
    row[t] = t * 7 + own;
    ptx::fence_proxy_async(ptx::space_shared);
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    arrived *other = (arrived *)__cluster_map_shared_rank(&mine, next);
    send(other, row);
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &mine.barrier, 0))
        ;
    bool good = mine.box[t] == t + 1 && mine.wide[t] == (unsigned long long)t << 40 && mine.four[t][3] == t + 3;
    good &= mine.sums[0] == 496 && mine.sums[1] == 5 && mine.sums[2] == 36 && mine.sums[3] == 0xffffffffu;
    good &= mine.row[t] == t * 7 + next;
    good &= __clusterSizeInBlocks() == 2 && __clusterIdx().x == blockIdx.x / 2 && __clusterDim().x == 2;
    good &= __clusterGridDimInClusters().x == gridDim.x / 2 && __clusterRelativeBlockIdx().x == own;
    good &= __cluster_query_shared_rank(other) == next && __isClusterShared(other) && !__isShared(other);
    good &= cluster.num_threads() == 2 * THREADS && cluster.thread_rank() == own * THREADS + t;
    good &= cluster.dim_blocks().x == 2 && cluster.block_index().x == own && cluster.query_shared_rank(other) == next;
    out[blockIdx.x * THREADS + t] = good;
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait();
    cg::cluster_group::arrival_token token = cluster.barrier_arrive();
    cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
}

int main()
{
    unsigned *out, host[BLOCKS * THREADS];
    int right = 0;
    cudaMalloc(&out, sizeof host);
    calls<<<BLOCKS, THREADS>>>(out);
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    for (int i = 0; i < BLOCKS * THREADS; i++)
        right += host[i] == 1;
    printf("%d of %d threads are right\n", right, BLOCKS * THREADS);
    puts(right == BLOCKS * THREADS ? "PASSED" : "FAILED");
    return right != BLOCKS * THREADS;
}
