// constant_times.cu - how many cycles a load of constant memory keeps an SM whose lanes want 1 to 32 different words, so many words
// apart, alone and beside as many loads of shared or global memory: CSV on standard output, for validation/h100_constant_times.csv.
//
//   nvcc -arch=sm_90 -o constant_times tools/cuda/constant_times.cu && ./constant_times
#include <algorithm>
#include <cstdio>
#include <vector>

enum { BLOCK = 1024, ROUNDS = 64, LOADS = 8, WARPS = BLOCK / 32, TRIES = 3 };
enum beside { ALONE, SHARED, GLOBAL, BESIDES };

__constant__ float table[16384];

template <beside BESIDE> __global__ void load(long long *cycles, float *out, const float *words, int distinct, int stride)
{
    __shared__ float tile[BLOCK + ROUNDS];
    const int t = threadIdx.x, base = t % distinct * stride;
    float sum = 0;
    tile[t] = t;
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < ROUNDS; r++) {
        const int at = base + r % 8 * LOADS;
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            sum += table[at + i];
            if (BESIDE == SHARED)
                sum += tile[(t ^ r) + i];
            if (BESIDE == GLOBAL)
                sum += words[(t ^ r) + i * BLOCK];
        }
    }
    __syncthreads();
    const long long end = clock64();
    if (t == 0)
        cycles[blockIdx.x] = end - begin;
    if (sum == -1)
        out[0] = sum;
}

static double cycles_of(beside beside, long long *cycles, float *out, const float *words, int distinct, int stride)
{
    std::vector<double> tries;
    for (int i = 0; i < TRIES; i++) {
        long long taken = 0;
        switch (beside) {
        case ALONE: load<ALONE><<<1, BLOCK>>>(cycles, out, words, distinct, stride); break;
        case SHARED: load<SHARED><<<1, BLOCK>>>(cycles, out, words, distinct, stride); break;
        default: load<GLOBAL><<<1, BLOCK>>>(cycles, out, words, distinct, stride); break;
        }
        cudaMemcpy(&taken, cycles, sizeof taken, cudaMemcpyDeviceToHost);
        tries.push_back((double)taken / ((double)WARPS * ROUNDS * LOADS));
    }
    std::sort(tries.begin(), tries.end());
    return tries[0];
}

int main()
{
    static const char *const besides[] = {"alone", "shared", "global"};
    long long *cycles;
    float *out, *words;
    cudaMalloc(&cycles, sizeof *cycles);
    cudaMalloc(&out, sizeof *out);
    cudaMalloc(&words, 2 * LOADS * BLOCK * sizeof *words);
    puts("beside,distinct,stride,cycles");
    for (int beside = 0; beside < BESIDES; beside++)
        for (int distinct = 1; distinct <= 32; distinct *= 2)
            for (int stride = 1; stride <= 256; stride *= 2)
                if (distinct > 1 || stride == 1)
                    printf("%s,%d,%d,%.2f\n", besides[beside], distinct, stride,
                           cycles_of((enum beside)beside, cycles, out, words, distinct, stride));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
