// Histograms of bytes that are not evenly spread: atomics on global memory, on shared memory, a histogram for
// each warp of a block, and one of bins too many for a block's atomics to meet.
#include "common.h"

#define BINS 256
#define FINE 4096
#define WARPS 8

__global__ void histogram_global(const unsigned char *data, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogram_shared(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void histogram_warps(const unsigned *data, unsigned *bins, int words)
{
    __shared__ unsigned mine[WARPS][BINS];
    const int warp = threadIdx.x / 32;
    for (int b = threadIdx.x; b < WARPS * BINS; b += blockDim.x)
        mine[b / BINS][b % BINS] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        const unsigned four = data[i];
        atomicAdd(&mine[warp][four & 255], 1u);
        atomicAdd(&mine[warp][four >> 8 & 255], 1u);
        atomicAdd(&mine[warp][four >> 16 & 255], 1u);
        atomicAdd(&mine[warp][four >> 24], 1u);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < WARPS; w++)
        sum += mine[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
}

__global__ void histogram_fine(const unsigned short *data, unsigned *bins, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i] % FINE], 1u);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 4096, rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned char> data(n);
    std::vector<unsigned short> wide(n / 2);
    std::vector<unsigned> want(BINS), fine(FINE);
    for (int i = 0; i < n; i++) { // the middle bins most
        data[i] = (unsigned char)((hash32(i) % 128 + hash32(i + n) % 129) & 255);
        want[data[i]]++;
    }
    for (int i = 0; i < n / 2; i++)
        fine[(wide[i] = (unsigned short)hash32(i + 5)) % FINE]++;
    unsigned char *ddata = to_device(data);
    unsigned short *dwide = to_device(wide);
    unsigned *global = device_zeros<unsigned>(BINS), *shared = device_zeros<unsigned>(BINS);
    unsigned *warps = device_zeros<unsigned>(BINS), *many = device_zeros<unsigned>(FINE);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, BINS>>>(global, 0u, BINS);
        fill_array<<<1, BINS>>>(shared, 0u, BINS);
        fill_array<<<1, BINS>>>(warps, 0u, BINS);
        fill_array<<<FINE / 256, 256>>>(many, 0u, FINE);
        histogram_global<<<264, 256>>>(ddata, global, n);
        histogram_shared<<<264, BINS>>>(ddata, shared, n);
        histogram_warps<<<264, WARPS * 32>>>((const unsigned *)ddata, warps, n / 4);
        histogram_fine<<<n / 2 / 256, 256>>>(dwide, many, n / 2);
    }
    expect("histogram_global", global, want);
    expect("histogram_shared", shared, want);
    expect("histogram_warps", warps, want);
    expect("histogram_fine", many, fine);
    return verdict();
}
