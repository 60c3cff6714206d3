// Convolution with 17 coefficients: from global memory, with constant coefficients, with the tile and its
// halo in shared memory, and several outputs a thread.
#include "common.h"

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)

__constant__ float taps_constant[TAPS];

__global__ void convolve_naive(const float *in, const float *taps, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++)
        if (i + k >= 0 && i + k < n)
            sum += in[i + k] * taps[k + RADIUS];
    out[i] = sum;
}

__global__ void convolve_constant(const float *__restrict__ in, float *__restrict__ out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        const int j = i + k - RADIUS;
        if (j >= 0 && j < n)
            sum += in[j] * taps_constant[k];
    }
    out[i] = sum;
}

__global__ void convolve_shared(const float *in, float *out, int n)
{
    __shared__ float tile[256 + 2 * RADIUS];
    const int t = threadIdx.x, first = blockIdx.x * blockDim.x - RADIUS;
    for (int w = t; w < (int)blockDim.x + 2 * RADIUS; w += blockDim.x) {
        const int j = first + w;
        tile[w] = j >= 0 && j < n ? in[j] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < TAPS; k++)
        sum += tile[t + k] * taps_constant[k];
    const int i = blockIdx.x * blockDim.x + t;
    if (i < n)
        out[i] = sum;
}

// Four neighbouring outputs a thread, which share their inputs in registers.
__global__ void convolve_four(const float *in, float *out, int n)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= n)
        return;
    float window[TAPS + 3];
#pragma unroll
    for (int k = 0; k < TAPS + 3; k++) {
        const int j = i + k - RADIUS;
        window[k] = j >= 0 && j < n ? in[j] : 0.0f;
    }
#pragma unroll
    for (int o = 0; o < 4; o++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++)
            sum += window[o + k] * taps_constant[k];
        if (i + o < n)
            out[i + o] = sum;
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1000, rounds = argument(argc, argv, 2, 1);
    const std::vector<float> in = units(n, 1), taps = units(TAPS, 2);
    std::vector<float> want(n);
    for (int i = 0; i < n; i++)
        for (int k = -RADIUS; k <= RADIUS; k++)
            if (i + k >= 0 && i + k < n)
                want[i] += in[i + k] * taps[k + RADIUS];
    CHECK(cudaMemcpyToSymbol(taps_constant, taps.data(), TAPS * sizeof(float)));
    float *din = to_device(in), *dtaps = to_device(taps);
    float *naive = device_zeros<float>(n), *constant = device_zeros<float>(n);
    float *shared = device_zeros<float>(n), *four = device_zeros<float>(n);
    for (int round = 0; round < rounds; round++) {
        convolve_naive<<<ceil_div(n, 256), 256>>>(din, dtaps, naive, n);
        convolve_constant<<<ceil_div(n, 256), 256>>>(din, constant, n);
        convolve_shared<<<ceil_div(n, 256), 256>>>(din, shared, n);
        convolve_four<<<ceil_div(n, 4 * 128), 128>>>(din, four, n);
    }
    expect("convolve_naive", naive, want, 1e-5);
    expect("convolve_constant", constant, want, 1e-5);
    expect("convolve_shared", shared, want, 1e-5);
    expect("convolve_four", four, want, 1e-5);
    return verdict();
}
