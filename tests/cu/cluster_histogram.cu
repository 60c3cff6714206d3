// A histogram whose bins are spread over the shared memory of a cluster's blocks: each adds to another block's with atomicAdd on a mapped
// pointer (the idea of the CUDA C++ Programming Guide's section on distributed shared memory). Prints PASSED, on a GPU as well.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

constexpr int BINS = 256, BLOCKS = 16, THREADS = 128, N = 1 << 14;

__global__ void histogram(int *bins, const int *values, int n, int bins_per_block)
{
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
        own[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < n; i += blockDim.x * gridDim.x) {
        const int bin = values[i];
        int *others = cluster.map_shared_rank(own, bin / bins_per_block);
        atomicAdd(others + bin % bins_per_block, 1);
    }
    cluster.sync();
    int *global = bins + cluster.block_rank() * bins_per_block;
    for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x)
        atomicAdd(&global[i], own[i]);
}

template <int BlocksOfCluster>
__global__ void __cluster_dims__(BlocksOfCluster, 1, 1) ranks(unsigned *out)
{
    __shared__ unsigned mine;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        mine = 100 * blockIdx.x + cluster.block_rank();
    cluster.sync();
    const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    if (threadIdx.x == 0)
        out[blockIdx.x] = *cluster.map_shared_rank(&mine, next);
    cluster.sync();
}

static bool run_histogram(int cluster_blocks)
{
    int *values, *bins, expected[BINS] = {0}, got[BINS];
    static int host[N];
    for (int i = 0; i < N; i++)
        expected[host[i] = (i * 37 + i / 64) % BINS]++;
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&bins, sizeof got);
    cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof got);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster_blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = BLOCKS;
    config.blockDim = THREADS;
    config.dynamicSmemBytes = BINS / cluster_blocks * sizeof(int);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaError_t error = cudaLaunchKernelEx(&config, histogram, bins, values, N, BINS / cluster_blocks);
    if (error != cudaSuccess) {
        printf("clusters of %d: %s\n", cluster_blocks, cudaGetErrorName(error));
        return false;
    }
    cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost);
    bool good = true;
    for (int i = 0; i < BINS; i++)
        good &= got[i] == expected[i];
    cudaFree(values);
    cudaFree(bins);
    printf("histogram in clusters of %d: %s\n", cluster_blocks, good ? "right" : "wrong");
    return good;
}

static bool run_ranks()
{
    unsigned *out, got[8];
    cudaMalloc(&out, sizeof got);
    ranks<4><<<8, 32>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    bool good = cudaGetLastError() == cudaSuccess;
    for (unsigned i = 0; i < 8; i++) {
        const unsigned next = i / 4 * 4 + (i + 1) % 4;
        good &= got[i] == 100 * next + next % 4;
    }
    cudaFree(out);
    printf("ranks: %s\n", good ? "right" : "wrong");
    return good;
}

int main()
{
    bool good = run_ranks();
    for (int blocks = 1; blocks <= 8; blocks *= 2)
        good &= run_histogram(blocks);
    printf(good ? "PASSED\n" : "FAILED\n");
    return good ? 0 : 1;
}
