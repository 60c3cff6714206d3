// atomic_times.cu - how long a million atomics take that want few or many words, in which lanes of a warp have one word, words in
// turn, or words by a hash: CSV on standard output, for validation/h200_atomic_times.csv.
//
//   nvcc -arch=sm_90 -o atomic_times tools/cuda/atomic_times.cu && ./atomic_times
#include <algorithm>
#include <cstdio>
#include <vector>

enum { ATOMICS = 1 << 20, BLOCK = 256, TRIES = 4 };
static const size_t ROOM = 1 << 28;

template <class T, bool USES_RESULT> __global__ void add(T *bins, const int *index, int *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    const T old = atomicAdd(&bins[index[t]], (T)(t % 7 + 1));
    if (USES_RESULT && old == (T)-12345)
        out[0] = 1;
}

__global__ void read(const int *index, int *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (index[t] == -7)
        out[0] = 1;
}

__global__ void maximum(int *bins, const int *index, int *)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(&bins[index[t]], t % 7 + 1);
}

__global__ void compare_and_swap(int *bins, const int *index, int *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (atomicCAS(&bins[index[t]], 0, t) == -12345)
        out[0] = 1;
}

static const char *const operations[] = {"read", "red_int", "atom_int", "red_float", "atom_float", "red_u64", "red_double", "max_int", "cas_int"};

static void launch(unsigned operation, void *bins, const int *index, int *out)
{
    const int grid = ATOMICS / BLOCK;
    switch (operation) {
    case 0: read<<<grid, BLOCK>>>(index, out); break;
    case 1: add<int, false><<<grid, BLOCK>>>((int *)bins, index, out); break;
    case 2: add<int, true><<<grid, BLOCK>>>((int *)bins, index, out); break;
    case 3: add<float, false><<<grid, BLOCK>>>((float *)bins, index, out); break;
    case 4: add<float, true><<<grid, BLOCK>>>((float *)bins, index, out); break;
    case 5: add<unsigned long long, false><<<grid, BLOCK>>>((unsigned long long *)bins, index, out); break;
    case 6: add<double, false><<<grid, BLOCK>>>((double *)bins, index, out); break;
    case 7: maximum<<<grid, BLOCK>>>((int *)bins, index, out); break;
    default: compare_and_swap<<<grid, BLOCK>>>((int *)bins, index, out); break;
    }
}

static unsigned hash(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352dU, x ^= x >> 15, x *= 0x846ca68bU;
    return x ^ x >> 16;
}

// The second shortest of the tries, between events.
static float microseconds(unsigned operation, void *bins, const int *index, int *out)
{
    static cudaEvent_t begin, end;
    std::vector<float> tries;
    if (!begin)
        cudaEventCreate(&begin), cudaEventCreate(&end);
    for (int i = 0; i < TRIES; i++) {
        float milliseconds;
        cudaEventRecord(begin);
        launch(operation, bins, index, out);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&milliseconds, begin, end);
        tries.push_back(milliseconds * 1000);
    }
    std::sort(tries.begin(), tries.end());
    return tries[1];
}

int main()
{
    int *index, *out;
    void *bins;
    cudaMalloc(&index, ATOMICS * sizeof(int));
    cudaMalloc(&out, 64);
    cudaMalloc(&bins, ROOM);
    cudaMemset(bins, 0, ROOM);
    std::vector<int> host(ATOMICS);
    printf("op,pattern,distinct,stride,n,us\n");
    for (const char *pattern : {"warp", "lane", "rand"})
        for (int stride : {1, 2, 8, 32})
            for (int distinct : {1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096, 32768, 1 << 20}) {
                if ((size_t)distinct * stride * 8 > ROOM)
                    continue;
                for (int t = 0; t < ATOMICS; t++)
                    host[t] = (pattern[0] == 'w' ? t / 32 % distinct : pattern[0] == 'l' ? t % distinct : hash(t) % distinct) * stride;
                cudaMemcpy(index, host.data(), ATOMICS * sizeof(int), cudaMemcpyHostToDevice);
                for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++)
                    printf("%s,%s,%d,%d,%d,%.2f\n", operations[i], pattern, distinct, stride, (int)ATOMICS, microseconds(i, bins, index, out));
            }
    return cudaGetLastError() != cudaSuccess;
}
