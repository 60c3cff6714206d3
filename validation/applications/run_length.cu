// Run-length encoding of an array into the values of its runs and where they start: heads are counted, the counts of
// the blocks scanned, the runs placed. Decoding by a thread a run, by binary search, and by scans of tiles.
#include "common.h"

#define THREADS 256
#define EACH 4
#define TILE (THREADS * EACH)

struct Runs {
    int *values, *starts; // one start more than runs: where the last one ends
    int *total;
};

// Bit k is set if element first + k begins a run.
__device__ __forceinline__ unsigned heads_of(const int *in, int first, int n, int4 &v)
{
    v = first < n ? *(const int4 *)(in + first) : make_int4(0, 0, 0, 0);
    if (first >= n)
        return 0;
    const bool head = first == 0 || in[first - 1] != v.x;
    return head | (v.x != v.y) << 1 | (v.y != v.z) << 2 | (v.z != v.w) << 3;
}

__global__ void count_heads(const int *__restrict__ in, int *__restrict__ counts, int n)
{
    __shared__ int warps[THREADS / 32];
    int4 v;
    int sum = __popc(heads_of(in, (blockIdx.x * THREADS + threadIdx.x) * EACH, n, v));
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++)
            sum += warps[w];
        counts[blockIdx.x] = sum;
    }
}

// What all threads before this one have; the block's sum goes to *all.
template <int BLOCK> __device__ int exclusive_scan(int value, int *all)
{
    __shared__ int warps[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = value;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, sum, step);
        if (lane >= step)
            sum += other;
    }
    if (lane == 31)
        warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int part = lane < BLOCK / 32 ? warps[lane] : 0;
#pragma unroll
        for (int step = 1; step < 32; step *= 2) {
            const int other = __shfl_up_sync(0xffffffffu, part, step);
            if (lane >= step)
                part += other;
        }
        warps[lane] = part;
    }
    __syncthreads();
    *all = warps[BLOCK / 32 - 1];
    const int before = warp > 0 ? warps[warp - 1] : 0;
    __syncthreads();
    return before + sum - value;
}

// One block; counts become the numbers of the blocks' first runs.
__global__ void __launch_bounds__(1024)
    scan_counts(const int *__restrict__ counts, int *__restrict__ firsts, int *total, int blocks)
{
    int carry = 0;
    for (int base = 0; base < blocks; base += 1024) {
        const int i = base + threadIdx.x;
        int all;
        const int before = exclusive_scan<1024>(i < blocks ? counts[i] : 0, &all);
        if (i < blocks)
            firsts[i] = carry + before;
        carry += all;
    }
    if (threadIdx.x == 0)
        *total = carry;
}

__global__ void place_runs(const int *__restrict__ in, const int *__restrict__ firsts, Runs runs,
                           int n)
{
    const int first = (blockIdx.x * THREADS + threadIdx.x) * EACH;
    int4 v;
    int all;
    const unsigned heads = heads_of(in, first, n, v);
    int place = firsts[blockIdx.x] + exclusive_scan<THREADS>(__popc(heads), &all);
    const int part[EACH] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (heads >> k & 1) {
            runs.values[place] = part[k];
            runs.starts[place++] = first + k;
        }
    if (first == 0)
        runs.starts[*runs.total] = n;
}

__global__ void decode_runs(Runs runs, int *out)
{
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < *runs.total;
         r += gridDim.x * blockDim.x) {
        int value = runs.values[r], end = runs.starts[r + 1];
        for (int i = runs.starts[r]; i < end; i++)
            out[i] = value;
    }
}

// The last run that starts at or before i.
__device__ __forceinline__ int run_of(const int *__restrict__ starts, int total, int i)
{
    int low = 0, high = total;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Four elements a thread: the first is searched for, the others follow from it.
__global__ void decode_search(const int *__restrict__ values, const int *__restrict__ starts,
                              const int *__restrict__ total, int4 *__restrict__ out, int quads)
{
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= quads)
        return;
    int run = run_of(starts, *total, 4 * q), end = starts[run + 1], part[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (4 * q + k == end)
            end = starts[++run + 1];
        part[k] = values[run];
    }
    out[q] = make_int4(part[0], part[1], part[2], part[3]);
}

// Heads are marked in shared memory, and a scan of them numbers the runs of the tile.
__global__ void __launch_bounds__(THREADS)
    decode_tiles(const int *__restrict__ values, const int *__restrict__ starts,
                 const int *__restrict__ total, int4 *__restrict__ out, int n)
{
    __shared__ uchar4 marks[THREADS];
    __shared__ int first_run;
    const int t = threadIdx.x, base = blockIdx.x * TILE, count = *total;
    marks[t] = make_uchar4(0, 0, 0, 0);
    if (t == 0)
        first_run = run_of(starts, count, base);
    __syncthreads();
    const int first = first_run, end = min(base + TILE, n);
    for (int r = first + 1 + t; r < count; r += THREADS) {
        const int start = starts[r];
        if (start >= end)
            break;
        ((unsigned char *)marks)[start - base] = 1;
    }
    __syncthreads();
    const uchar4 mine = marks[t];
    int all, run = first + exclusive_scan<THREADS>(mine.x + mine.y + mine.z + mine.w, &all);
    const int a = run + mine.x, b = a + mine.y, c = b + mine.z, d = c + mine.w;
    if (base + EACH * t < n)
        out[base / EACH + t] = make_int4(values[a], values[b], values[c], values[d]);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 1024, rounds = argument(argc, argv, 2, 1);
    std::vector<int> in, values, starts;
    // Most runs are short, one in sixteen is long; neighbouring ones differ.
    for (unsigned r = 0; (int)in.size() < n; r++) {
        const unsigned any = hash32(2 * r + 5);
        const int length = any % 16 ? 1 + any / 16 % 12 : 1 + any / 16 % 400;
        values.push_back((int)(hash32(2 * r) % 1000 * 2 + r % 2));
        starts.push_back((int)in.size());
        in.resize(std::min(n, (int)in.size() + length), values.back());
    }
    const int blocks = ceil_div(n, TILE), count = (int)values.size();
    starts.push_back(n);
    const int *din = to_device(in);
    int *counts = device_zeros<int>(blocks), *firsts = device_zeros<int>(blocks), *out[3];
    for (int k = 0; k < 3; k++)
        out[k] = device_zeros<int>(n);
    const Runs runs = {device_zeros<int>(n), device_zeros<int>(n + 1), device_zeros<int>(1)};
    for (int round = 0; round < rounds; round++) {
        count_heads<<<blocks, THREADS>>>(din, counts, n);
        scan_counts<<<1, 1024>>>(counts, firsts, runs.total, blocks);
        place_runs<<<blocks, THREADS>>>(din, firsts, runs, n);
        decode_runs<<<std::min(ceil_div(n, 2048), 1056), 128>>>(runs, out[0]);
        decode_search<<<ceil_div(n / 4, 256), 256>>>(runs.values, runs.starts, runs.total,
                                                     (int4 *)out[1], n / 4);
        decode_tiles<<<blocks, THREADS>>>(runs.values, runs.starts, runs.total, (int4 *)out[2], n);
    }
    expect("total", runs.total, std::vector<int>(1, count));
    expect("values", runs.values, values);
    expect("starts", runs.starts, starts);
    expect("decode_runs", out[0], in);
    expect("decode_search", out[1], in);
    expect("decode_tiles", out[2], in);
    return verdict();
}
