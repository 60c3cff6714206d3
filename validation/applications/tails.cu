// Grids that fill the GPU once or twice and a bit more: blocks that compute, blocks of 1024 threads that stream,
// blocks that need much shared memory, blocks of unequal length. The size is the number of blocks.
#include "common.h"

__host__ __device__ inline unsigned churned(unsigned x, int steps)
{
    for (int k = 0; k < steps; k++)
        x = x * 1664525u + 1013904223u ^ x >> 13;
    return x;
}

__global__ void compute_blocks(const unsigned *in, unsigned *out, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = churned(in[i], steps);
}

__global__ void __launch_bounds__(1024) stream_blocks(const float4 *in, float4 *out)
{
    const int base = blockIdx.x * 4096;
    for (int k = threadIdx.x; k < 4096; k += 1024) {
        const float4 v = in[base + k];
        out[base + k] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
    }
}

// 40 KB a block: five blocks an SM at most.
__global__ void shared_blocks(const float *in, float *out)
{
    __shared__ float s[10240];
    for (int k = threadIdx.x; k < 10240; k += blockDim.x)
        s[k] = in[(blockIdx.x * 64 + k) % 16384];
    __syncthreads();
    float sum = 0.0f;
    for (int k = 0; k < 40; k++)
        sum += s[(threadIdx.x + k * 263) % 10240];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void unequal_blocks(const unsigned *in, unsigned *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int steps = blockIdx.x % 13 == 0 ? 2000 : 100;
    unsigned x = in[i];
    for (int k = 0; k < steps; k++)
        x = x * 1664525u + 1013904223u ^ x >> 13;
    out[i] = x;
}

int main(int argc, char **argv)
{
    const int blocks = argument(argc, argv, 1, 132), rounds = argument(argc, argv, 2, 1),
              n = blocks * 256;
    const size_t streamed = (size_t)blocks * 16384;
    const std::vector<float> in = units(streamed, 1);
    std::vector<float> doubled(streamed), sums(n);
    std::vector<unsigned> x(n), computed(n), unequal(n);
    for (size_t i = 0; i < streamed; i++)
        doubled[i] = 2 * in[i];
    for (int i = 0; i < n; i++) {
        x[i] = hash32(i);
        computed[i] = churned(x[i], 500);
        unequal[i] = churned(x[i], i / 256 % 13 == 0 ? 2000 : 100);
        for (int k = 0; k < 40; k++)
            sums[i] += in[(i / 256 * 64 + (i % 256 + k * 263) % 10240) % 16384];
    }
    unsigned *dx = to_device(x), *a = device_zeros<unsigned>(n), *b = device_zeros<unsigned>(n);
    float *din = to_device(in), *out = device_zeros<float>(streamed),
          *dsums = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        compute_blocks<<<blocks, 256>>>(dx, a, 500);
        stream_blocks<<<blocks, 1024>>>((const float4 *)din, (float4 *)out);
        shared_blocks<<<blocks, 256>>>(din, dsums);
        unequal_blocks<<<blocks, 256>>>(dx, b);
    }
    expect("compute_blocks", a, computed);
    expect("stream_blocks", out, doubled);
    expect("shared_blocks", dsums, sums, 1e-5);
    expect("unequal_blocks", b, unequal);
    return verdict();
}
