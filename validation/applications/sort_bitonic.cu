// Sorting networks: bitonic steps through global memory, steps within a block's tile in shared memory, and
// odd-even transposition of each tile.
#include "common.h"

#define TILE 1024

__global__ void bitonic_global(unsigned *keys, int size, int step)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = 2 * t - (t & (step - 1)), j = i + step;
    const unsigned a = keys[i], b = keys[j];
    if ((a > b) == ((i & size) == 0)) {
        keys[i] = b;
        keys[j] = a;
    }
}

__device__ void tile_steps(unsigned *s, int size, int step, int base)
{
    for (; step > 0; step /= 2) {
        __syncthreads();
        const int i = 2 * threadIdx.x - (threadIdx.x & (step - 1)), j = i + step;
        const unsigned a = s[i], b = s[j];
        if ((a > b) == (((base + i) & size) == 0)) {
            s[i] = b;
            s[j] = a;
        }
    }
    __syncthreads();
}

__global__ void bitonic_tile_sort(unsigned *keys)
{
    __shared__ unsigned s[TILE];
    const int t = threadIdx.x, base = blockIdx.x * TILE;
    s[t] = keys[base + t];
    s[t + TILE / 2] = keys[base + t + TILE / 2];
    for (int size = 2; size <= TILE; size *= 2)
        tile_steps(s, size, size / 2, base);
    keys[base + t] = s[t];
    keys[base + t + TILE / 2] = s[t + TILE / 2];
}

__global__ void bitonic_tile_merge(unsigned *keys, int size)
{
    __shared__ unsigned s[TILE];
    const int t = threadIdx.x, base = blockIdx.x * TILE;
    s[t] = keys[base + t];
    s[t + TILE / 2] = keys[base + t + TILE / 2];
    tile_steps(s, size, TILE / 2, base);
    keys[base + t] = s[t];
    keys[base + t + TILE / 2] = s[t + TILE / 2];
}

// A tile of 128 keys in 128 rounds; a thread compares one pair in every round.
__global__ void odd_even(unsigned *keys)
{
    __shared__ unsigned s[128];
    const int t = threadIdx.x;
    for (int w = t; w < 128; w += 64)
        s[w] = keys[blockIdx.x * 128 + w];
    __syncthreads();
    for (int round = 0; round < 128; round++) {
        const int i = 2 * t + round % 2;
        if (i < 127 && s[i] > s[i + 1]) {
            const unsigned kept = s[i];
            s[i] = s[i + 1];
            s[i + 1] = kept;
        }
        __syncthreads();
    }
    for (int w = t; w < 128; w += 64)
        keys[blockIdx.x * 128 + w] = s[w];
}

int main(int argc, char **argv)
{
    const int asked = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1);
    int n = TILE;
    while (n < asked)
        n *= 2;
    std::vector<unsigned> keys(n), sorted, pieces;
    for (int i = 0; i < n; i++)
        keys[i] = hash32(i);
    sorted = pieces = keys;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < n; i += 128)
        std::sort(pieces.begin() + i, pieces.begin() + i + 128);
    unsigned *from = to_device(keys), *network = to_device(keys), *odd = to_device(keys);
    for (int round = 0; round < rounds; round++) {
        copy_array<<<n / 256, 256>>>(network, from, n);
        copy_array<<<n / 256, 256>>>(odd, from, n);
        bitonic_tile_sort<<<n / TILE, TILE / 2>>>(network);
        for (int size = 2 * TILE; size <= n; size *= 2) {
            for (int step = size / 2; step >= TILE; step /= 2)
                bitonic_global<<<n / 512, 256>>>(network, size, step);
            bitonic_tile_merge<<<n / TILE, TILE / 2>>>(network, size);
        }
        odd_even<<<n / 128, 64>>>(odd);
    }
    expect("bitonic", network, sorted);
    expect("odd_even", odd, pieces);
    return verdict();
}
