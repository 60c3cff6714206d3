// cluster_times.cu - how long an access of another block's shared memory takes, and how many bytes a cycle an SM gets and sends (sm_90).
//
//     nvcc -arch=sm_90 -O2 -o cluster_times cluster_times.cu && ./cluster_times > times.csv
//
// Columns: what, of how many blocks a cluster has, warps of a block, bytes a lane, cycles (of one access in a chain; of all in a loop), and bytes a
// cycle that each block moves. Blocks are as many as SMs, one on each: they ask for nearly all of its shared memory.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { WORDS = 4096, CHAIN = 512, ROUNDS = 256, SHARED_BYTES = 180 * 1024 };

// A chain of addresses: each load's result is the next one's index. `far`: in the next block of the cluster.
template <bool ATOMIC> __global__ void chain(long long *cycles, int far)
{
    extern __shared__ uint32_t words[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = (i + 33) % WORDS;
    cluster.sync();
    uint32_t *at = far ? cluster.map_shared_rank(words, (cluster.block_rank() + 1) % cluster.num_blocks()) : words;
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        uint32_t next = 0;
        for (int pass = 0; pass < 2; pass++) { // the second one is measured
            const long long begin = clock64();
            for (int i = 0; i < CHAIN; i++)
                next = ATOMIC ? atomicAdd(&at[next], 0u) : *(volatile uint32_t *)&at[next];
            *cycles = clock64() - begin + (next == WORDS);
        }
    }
    cluster.sync();
}

// Every lane of every warp, ROUNDS times, 16 bytes or 4 of the next block's memory.
template <class T, bool STORES> __global__ void stream(long long *cycles, T *out)
{
    extern __shared__ uint32_t words[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = i;
    cluster.sync();
    T *at = (T *)cluster.map_shared_rank(words, (cluster.block_rank() + 1) % cluster.num_blocks());
    const unsigned held = WORDS * sizeof(uint32_t) / sizeof(T);
    T sum = {};
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < ROUNDS; i++) {
        const unsigned place = (i * blockDim.x + threadIdx.x) % held;
        if (STORES)
            at[place] = sum;
        else {
            const T value = at[place];
            ((uint32_t *)&sum)[0] += ((const uint32_t *)&value)[0];
        }
    }
    if (((uint32_t *)&sum)[0] == 1)
        *out = sum;
    cluster.sync(); // stores are there behind it
    const long long ends = clock64();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = ends - begin;
}

static long long *cycles, host[1024];

template <class K, class... A> static void launch(K kernel, int blocks, int threads, int of_cluster, A... arguments)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = of_cluster;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = SHARED_BYTES;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    for (int i = 0; i < 2; i++)
        cudaLaunchKernelEx(&config, kernel, cycles, arguments...);
    if (cudaDeviceSynchronize() != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(host, cycles, sizeof host, cudaMemcpyDeviceToHost);
}

template <bool ATOMIC> static void time_chain(const char *name)
{
    for (int of_cluster = 1; of_cluster <= 8; of_cluster *= 2) {
        launch(chain<ATOMIC>, of_cluster, 32, of_cluster, of_cluster > 1);
        printf("%s,%d,1,4,%.1f,\n", name, of_cluster, (double)host[0] / CHAIN);
    }
}

template <class T, bool STORES> static void time_stream(const char *name, int sms)
{
    for (int of_cluster = 2; of_cluster <= 8; of_cluster *= 2)
        for (int warps = 1; warps <= 32; warps *= 2) {
            const int blocks = sms / of_cluster * of_cluster / 2 / of_cluster * of_cluster;
            launch(stream<T, STORES>, blocks, 32 * warps, of_cluster, (T *)nullptr);
            long long sum = 0;
            for (int i = 0; i < blocks; i++)
                sum += host[i];
            const double mean = (double)sum / blocks;
            printf("%s,%d,%d,%d,%.0f,%.2f\n", name, of_cluster, warps, (int)sizeof(T), mean, 32.0 * warps * ROUNDS * sizeof(T) / mean);
        }
}

int main()
{
    int sms;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaMalloc(&cycles, sizeof host);
    printf("what,cluster,warps,bytes,cycles,bytes_a_cycle\n");
    time_chain<false>("load_chain");
    time_chain<true>("atomic_chain");
    time_stream<uint32_t, false>("load", sms);
    time_stream<uint4, false>("load", sms);
    time_stream<uint32_t, true>("store", sms);
    time_stream<uint4, true>("store", sms);
    return 0;
}
