// Two passes of a radix sort by four bits: digits counted by block, counts scanned, keys put in their places a
// thread's own stretch and by ranks within the block.
#include "common.h"

#define DIGITS 16
#define TILE 1024

// counts by digit: digit d of block b at d blocks + b.
__global__ void count_digits(const unsigned *keys, int *counts, int shift, int n)
{
    __shared__ int mine[DIGITS];
    if (threadIdx.x < DIGITS)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int k = threadIdx.x; k < TILE; k += blockDim.x) {
        const int i = blockIdx.x * TILE + k;
        if (i < n)
            atomicAdd(&mine[keys[i] >> shift & (DIGITS - 1)], 1);
    }
    __syncthreads();
    if (threadIdx.x < DIGITS)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

__global__ void scan_counts(const int *counts, int *starts, int count)
{
    __shared__ int s[1024];
    __shared__ int before;
    const int t = threadIdx.x;
    if (t == 0)
        before = 0;
    for (int first = 0; first < count; first += 1024) {
        const int mine = first + t < count ? counts[first + t] : 0;
        s[t] = mine;
        __syncthreads();
        for (int step = 1; step < 1024; step *= 2) {
            const int add = t >= step ? s[t - step] : 0;
            __syncthreads();
            s[t] += add;
            __syncthreads();
        }
        if (first + t < count)
            starts[first + t] = before + s[t] - mine;
        __syncthreads();
        if (t == 1023)
            before += s[t];
        __syncthreads();
    }
}

// A warp a tile, 32 keys at a time: equal digits find each other by votes and keep their order.
__global__ void place_votes(const unsigned *keys, const int *starts, unsigned *out, int shift,
                            int blocks, int n)
{
    __shared__ int next[4][DIGITS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile = blockIdx.x * 4 + warp;
    if (tile >= blocks)
        return;
    if (lane < DIGITS)
        next[warp][lane] = starts[lane * blocks + tile];
    __syncwarp();
    for (int k = lane; k < TILE; k += 32) {
        const int i = tile * TILE + k;
        const unsigned key = i < n ? keys[i] : 0, digit = key >> shift & (DIGITS - 1);
        unsigned same = __ballot_sync(0xffffffffu, i < n);
        for (int bit = 0; bit < 4; bit++) {
            const unsigned set = __ballot_sync(0xffffffffu, digit >> bit & 1);
            same &= digit >> bit & 1 ? set : ~set;
        }
        const int rank = __popc(same & ((1u << lane) - 1)), place = next[warp][digit] + rank;
        __syncwarp();
        if (i < n) {
            out[place] = key;
            if (rank == 0)
                next[warp][digit] += __popc(same);
        }
        __syncwarp();
    }
}

// Sorts the tile in shared memory bit by bit, then copies it out in runs of equal digits.
__global__ void place_sorted(const unsigned *keys, const int *starts, unsigned *out, int shift,
                             int n)
{
    __shared__ unsigned s[TILE];
    __shared__ int warps[32], first[DIGITS];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * TILE + t;
    unsigned key = i < n ? keys[i] : 0xffffffffu;
    for (int bit = 0; bit < 4; bit++) {
        const int zero = !(key >> (shift + bit) & 1);
        const unsigned vote = __ballot_sync(0xffffffffu, zero);
        if (lane == 0)
            warps[warp] = __popc(vote);
        const int zeros = __syncthreads_count(zero);
        int before = __popc(vote & ((1u << lane) - 1));
        for (int w = 0; w < warp; w++)
            before += warps[w];
        s[zero ? before : zeros + t - before] = key;
        __syncthreads();
        key = s[t];
        __syncthreads();
    }
    const unsigned digit = key >> shift & (DIGITS - 1);
    if (t == 0 || digit != (s[t - 1] >> shift & (DIGITS - 1)))
        first[digit] = t;
    __syncthreads();
    const int place = starts[digit * gridDim.x + blockIdx.x] + t - first[digit];
    if (blockIdx.x * TILE + t < n)
        out[place] = key;
}

int main(int argc, char **argv)
{
    const int blocks = argument(argc, argv, 1, 64), rounds = argument(argc, argv, 2, 1),
              n = blocks * TILE;
    std::vector<unsigned> keys(n);
    for (int i = 0; i < n; i++)
        keys[i] = hash32(i);
    std::vector<unsigned> want = keys;
    std::stable_sort(want.begin(), want.end(),
                     [](unsigned a, unsigned b) { return (a & 255) < (b & 255); });
    unsigned *from = to_device(keys), *middle = device_zeros<unsigned>(n),
             *votes = device_zeros<unsigned>(n);
    unsigned *sorted = device_zeros<unsigned>(n);
    int *counts = device_zeros<int>(blocks * DIGITS), *starts = device_zeros<int>(blocks * DIGITS);
    for (int round = 0; round < rounds; round++)
        for (int form = 0; form < 2; form++)
            for (int shift = 0; shift < 8; shift += 4) {
                const unsigned *in = shift ? middle : from;
                unsigned *out = shift ? (form ? sorted : votes) : middle;
                count_digits<<<blocks, 256>>>(in, counts, shift, n);
                scan_counts<<<1, 1024>>>(counts, starts, blocks * DIGITS);
                if (form)
                    place_sorted<<<blocks, TILE>>>(in, starts, out, shift, n);
                else
                    place_votes<<<ceil_div(blocks, 4), 128>>>(in, starts, out, shift, blocks, n);
            }
    expect("place_votes", votes, want);
    expect("place_sorted", sorted, want);
    return verdict();
}
