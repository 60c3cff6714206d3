// Merge sort up to runs of 4096: blocks of 1024 by ranks and by merge paths in shared memory; then two runs to one by
// ranks, by a path a thread, and by a path a block whose ends a kernel before has found.
#include "common.h"

#define TILE 1024
#define ITEMS 4
#define BLOCK (TILE / ITEMS)

// How many of the sorted keys are less than key, or not greater (EQUAL).
template <bool EQUAL> __device__ int rank(const unsigned *keys, int count, unsigned key)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (EQUAL ? keys[middle] <= key : keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// How many of the first `diagonal` merged keys come from a.
__device__ __forceinline__ int path(const unsigned *a, int as, const unsigned *b, int bs,
                                    int diagonal)
{
    int low = max(0, diagonal - bs), high = min(diagonal, as);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <int COUNT>
__device__ __forceinline__ void merge(const unsigned *a, int as, const unsigned *b, int bs, int i,
                                      int j, unsigned *merged)
{
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        const bool first = j >= bs || (i < as && a[i] <= b[j]);
        merged[k] = first ? a[i++] : b[j++];
    }
}

// Each level writes every key to its own index in its run plus its rank in the other.
__global__ void sort_ranks(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[2][TILE];
    const int base = blockIdx.x * TILE;
    for (int i = threadIdx.x; i < TILE; i += blockDim.x)
        s[0][i] = in[base + i];
    int now = 0;
    for (int run = 1; run < TILE; run *= 2) {
        __syncthreads();
        for (int i = threadIdx.x; i < TILE; i += blockDim.x) {
            const unsigned key = s[now][i];
            const int own = i % run, pair = i - i % (2 * run);
            const int other = i % (2 * run) < run ? rank<false>(&s[now][pair + run], run, key)
                                                  : rank<true>(&s[now][pair], run, key);
            s[1 - now][pair + own + other] = key;
        }
        now = 1 - now;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE; i += blockDim.x)
        out[base + i] = s[now][i];
}

__device__ __forceinline__ void order(unsigned &a, unsigned &b)
{
    const unsigned low = min(a, b);
    b = max(a, b);
    a = low;
}

// Four keys a thread, in order from a network, then merged with the neighbours' level by level.
__global__ __launch_bounds__(BLOCK) void sort_paths(const uint4 *__restrict__ in,
                                                    uint4 *__restrict__ out)
{
    __shared__ unsigned s[TILE];
    const int t = threadIdx.x, mine = t * ITEMS;
    const uint4 v = in[blockIdx.x * BLOCK + t];
    unsigned keys[ITEMS] = {v.x, v.y, v.z, v.w};
    order(keys[0], keys[1]);
    order(keys[2], keys[3]);
    order(keys[0], keys[2]);
    order(keys[1], keys[3]);
    order(keys[1], keys[2]);
    for (int run = ITEMS; run < TILE; run *= 2) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS; k++)
            s[mine + k] = keys[k];
        __syncthreads();
        const int pair = mine & ~(2 * run - 1), diagonal = mine - pair;
        const unsigned *a = s + pair, *b = a + run;
        const int i = path(a, run, b, run, diagonal);
        merge<ITEMS>(a, run, b, run, i, diagonal - i, keys);
    }
    out[blockIdx.x * BLOCK + t] = make_uint4(keys[0], keys[1], keys[2], keys[3]);
}

__global__ void merge_ranks(const unsigned *__restrict__ in, unsigned *__restrict__ out, int run,
                            int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned key = in[i];
    const int pair = i / (2 * run) * (2 * run), own = i % run;
    const int other =
        i - pair < run ? rank<false>(in + pair + run, run, key) : rank<true>(in + pair, run, key);
    out[pair + own + other] = key;
}

// Eight merged keys a thread, all from global memory.
__global__ void merge_direct(const unsigned *in, unsigned *out, int run, int n)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (first >= n)
        return;
    const int pair = first / (2 * run) * (2 * run), diagonal = first - pair;
    const unsigned *a = in + pair, *b = a + run;
    const int i = path(a, run, b, run, diagonal);
    merge<8>(a, run, b, run, i, diagonal - i, out + first);
}

__global__ void find_splits(const unsigned *__restrict__ in, int *splits, int run, int tiles)
{
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile >= tiles)
        return;
    const int pair = tile * TILE / (2 * run) * (2 * run);
    splits[tile] = path(in + pair, run, in + pair + run, run, tile * TILE - pair);
}

__global__ __launch_bounds__(BLOCK) void merge_tiles(const unsigned *__restrict__ in,
                                                     uint4 *__restrict__ out,
                                                     const int *__restrict__ splits, int run)
{
    __shared__ unsigned s[TILE];
    const int t = threadIdx.x, tile = blockIdx.x, pair = tile * TILE / (2 * run) * (2 * run);
    const int begin = tile * TILE - pair, a0 = splits[tile], b0 = begin - a0;
    const int a1 = begin + TILE == 2 * run ? run : splits[tile + 1];
    const int as = a1 - a0, bs = TILE - as;
    for (int i = t; i < TILE; i += BLOCK)
        s[i] = i < as ? in[pair + a0 + i] : in[pair + run + b0 + i - as];
    __syncthreads();
    unsigned keys[ITEMS];
    const int i = path(s, as, s + as, bs, t * ITEMS);
    merge<ITEMS>(s, as, s + as, bs, i, t * ITEMS - i, keys);
    out[tile * BLOCK + t] = make_uint4(keys[0], keys[1], keys[2], keys[3]);
}

static std::vector<unsigned> sorted_runs(std::vector<unsigned> keys, int run)
{
    for (size_t i = 0; i < keys.size(); i += run)
        std::sort(keys.begin() + i, keys.begin() + i + run);
    return keys;
}

int main(int argc, char **argv)
{
    const int tiles = ceil_div(argument(argc, argv, 1, 16), 4) * 4,
              rounds = argument(argc, argv, 2, 1), n = tiles * TILE;
    std::vector<unsigned> in(n);
    for (int i = 0; i < n; i++)
        in[i] = hash32(i) % (unsigned)(2 * n); // some are equal
    const std::vector<unsigned> once = sorted_runs(in, TILE), twice = sorted_runs(in, 2 * TILE),
                                all = sorted_runs(in, 4 * TILE);
    unsigned *din = to_device(in), *ranks = device_zeros<unsigned>(n),
             *paths = device_zeros<unsigned>(n), *a = device_zeros<unsigned>(n),
             *b = device_zeros<unsigned>(n), *direct = device_zeros<unsigned>(n),
             *c = device_zeros<unsigned>(n), *d = device_zeros<unsigned>(n);
    int *splits = device_zeros<int>(tiles);
    for (int round = 0; round < rounds; round++) {
        sort_ranks<<<tiles, 512>>>(din, ranks);
        sort_paths<<<tiles, BLOCK>>>((uint4 *)din, (uint4 *)paths);
        merge_ranks<<<n / 256, 256>>>(ranks, a, TILE, n);
        merge_ranks<<<n / 256, 256>>>(a, b, 2 * TILE, n);
        merge_direct<<<ceil_div(n / 8, 128), 128>>>(paths, direct, TILE, n);
        find_splits<<<ceil_div(tiles, 128), 128>>>(paths, splits, TILE, tiles);
        merge_tiles<<<tiles, BLOCK>>>(paths, (uint4 *)c, splits, TILE);
        find_splits<<<ceil_div(tiles, 128), 128>>>(c, splits, 2 * TILE, tiles);
        merge_tiles<<<tiles, BLOCK>>>(c, (uint4 *)d, splits, 2 * TILE);
    }
    expect("sort_ranks", ranks, once);
    expect("sort_paths", paths, once);
    expect("merge_ranks, 2048", a, twice);
    expect("merge_ranks, 4096", b, all);
    expect("merge_direct", direct, twice);
    expect("merge_tiles, 2048", c, twice);
    expect("merge_tiles, 4096", d, all);
    return verdict();
}
