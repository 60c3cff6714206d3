// The positive ones of an array moved together: by one counter, by one atomic a warp, and by block sums, a scan of them
// and places in order.
#include "common.h"

__global__ void compact_atomic(const int *in, int *out, int *count, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(count, 1)] = in[i];
}

__global__ void compact_warp(const int *in, int *out, int *count, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const int value = i < n ? in[i] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value > 0);
    int first = 0;
    if (lane == 0 && kept)
        first = atomicAdd(count, __popc(kept));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (value > 0)
        out[first + __popc(kept & ((1u << lane) - 1))] = value;
}

__global__ void count_blocks(const int *in, int *counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int kept = __syncthreads_count(i < n && in[i] > 0);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = kept;
}

// One block: each thread sums a stretch, the stretches are scanned in shared memory.
__global__ void scan_counts(const int *counts, int *starts, int blocks)
{
    __shared__ int sums[256];
    const int t = threadIdx.x, each = (blocks + 255) / 256;
    int sum = 0;
    for (int b = t * each; b < min((t + 1) * each, blocks); b++)
        sum += counts[b];
    sums[t] = sum;
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int add = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += add;
        __syncthreads();
    }
    int start = sums[t] - sum;
    for (int b = t * each; b < min((t + 1) * each, blocks); b++) {
        starts[b] = start;
        start += counts[b];
    }
}

__global__ void place_blocks(const int *in, const int *starts, int *out, int n)
{
    __shared__ int before[8];
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32,
              warp = threadIdx.x / 32;
    const int value = i < n ? in[i] : 0;
    const unsigned kept = __ballot_sync(0xffffffffu, value > 0);
    if (lane == 0)
        before[warp] = __popc(kept);
    __syncthreads();
    int place = starts[blockIdx.x] + __popc(kept & ((1u << lane) - 1));
    for (int w = 0; w < warp; w++)
        place += before[w];
    if (value > 0)
        out[place] = value;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1000, rounds = argument(argc, argv, 2, 1);
    const int blocks = ceil_div(n, 256);
    std::vector<int> in(n), want;
    for (int i = 0; i < n; i++) {
        in[i] = (int)(hash32(i) % 1000) - 600;
        if (in[i] > 0)
            want.push_back(in[i]);
    }
    int *din = to_device(in), *counter = device_zeros<int>(2), *counts = device_zeros<int>(blocks);
    int *starts = device_zeros<int>(blocks), *a = device_zeros<int>(n), *b = device_zeros<int>(n);
    int *c = device_zeros<int>(n);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(counter, 0, 2);
        compact_atomic<<<blocks, 256>>>(din, a, counter, n);
        compact_warp<<<blocks, 256>>>(din, b, counter + 1, n);
        count_blocks<<<blocks, 256>>>(din, counts, n);
        scan_counts<<<1, 256>>>(counts, starts, blocks);
        place_blocks<<<blocks, 256>>>(din, starts, c, n);
    }
    expect("counters", counter, std::vector<int>(2, (int)want.size()));
    expect("place_blocks", c, want);
    std::vector<int> sorted(want), by_atomic = to_host(a, want.size()),
                                   by_warp = to_host(b, want.size());
    std::sort(sorted.begin(), sorted.end());
    std::sort(by_atomic.begin(), by_atomic.end());
    std::sort(by_warp.begin(), by_warp.end());
    wrong_arrays += by_atomic != sorted;
    wrong_arrays += by_warp != sorted;
    return verdict();
}
