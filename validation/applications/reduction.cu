// The sum of an array: neighbours first with lanes that drop out, halves, shuffles with float4 and a second launch
// over the blocks' sums, one atomic a block; and the place of the maximum.
#include "common.h"

__global__ void sum_neighbours(const float *in, float *out, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < (int)blockDim.x; step *= 2) {
        if (t % (2 * step) == 0)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

__global__ void sum_halves(const float *in, float *out, int n)
{
    extern __shared__ float parts[];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    parts[t] = (i < n ? in[i] : 0.0f) + (i + (int)blockDim.x < n ? in[i + blockDim.x] : 0.0f);
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (t < step)
            parts[t] += parts[t + step];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = parts[0];
}

template <int THREADS> __device__ float block_sum(float sum)
{
    __shared__ float warps[THREADS / 32];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32)
        return 0.0f;
    sum = threadIdx.x < THREADS / 32 ? warps[threadIdx.x] : 0.0f;
#pragma unroll
    for (int step = THREADS / 64; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    return sum;
}

template <int THREADS>
__global__ void sum_float4(const float4 *__restrict__ in, float *__restrict__ out, int n4)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n4; i += gridDim.x * THREADS) {
        const float4 v = in[i];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = block_sum<THREADS>(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void sum_last(const float *parts, float *sum, int count)
{
    float mine = 0.0f;
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        mine += parts[i];
    mine = block_sum<256>(mine);
    if (threadIdx.x == 0)
        *sum = mine;
}

__global__ void place_of_maximum(const float *in, unsigned long long *best, int n)
{
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const unsigned long long here =
            (unsigned long long)__float_as_uint(in[i]) << 32 | (unsigned)i;
        mine = here > mine ? here : mine;
    }
    for (int step = 16; step > 0; step /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffffu, mine, step);
        mine = other > mine ? other : mine;
    }
    if (threadIdx.x % 32 == 0)
        atomicMax(best, mine);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1),
              parts = n / 256;
    const std::vector<float> in = units(n, 1);
    std::vector<float> blocks(parts), halves(parts / 2), total(1);
    double sum = 0;
    int best = 0;
    for (int i = 0; i < n; i++) {
        blocks[i / 256] += in[i];
        halves[i / 512] += in[i];
        sum += in[i];
        best = in[i] >= in[best] ? i : best;
    }
    total[0] = (float)sum;
    float *din = to_device(in), *a = device_zeros<float>(parts),
          *b = device_zeros<float>(parts / 2);
    float *c = device_zeros<float>(264), *last = device_zeros<float>(1);
    unsigned long long *dbest = device_zeros<unsigned long long>(1);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, 32>>>(dbest, 0ull, 1);
        sum_neighbours<<<parts, 256>>>(din, a, n);
        sum_halves<<<parts / 2, 256, 256 * sizeof(float)>>>(din, b, n);
        sum_float4<512><<<264, 512>>>((const float4 *)din, c, n / 4);
        sum_last<<<1, 256>>>(c, last, 264);
        place_of_maximum<<<132, 256>>>(din, dbest, n);
    }
    expect("sum_neighbours", a, blocks, 1e-5);
    expect("sum_halves", b, halves, 1e-5);
    expect("sum_last", last, total, 1e-4);
    wrong_arrays += (int)(to_host(dbest, 1)[0] & 0xffffffffu) != best;
    return verdict();
}
