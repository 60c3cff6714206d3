// Sample sort of unsigned keys: splitters from a sorted sample, keys counted by bucket (by binary search, or along a
// tree of splitters in shared memory), scattered, and each bucket sorted by a block (bitonic, or merges of what the
// warps sorted).
#include "common.h"

#define BUCKETS 256
#define SAMPLE 2048
#define CAPACITY 4096
#define ITEMS 8
#define BLOCK 256
#define LAST_KEY 0xffffffffu

// Which key is number k of the sample.
__host__ __device__ inline int sampled(int k, int count)
{
    return (int)((unsigned)k * 2654435761u % (unsigned)count);
}

__device__ inline void order_pair(unsigned *keys, int a, int b)
{
    const unsigned low = keys[a], high = keys[b];
    if (low > high) {
        keys[a] = high;
        keys[b] = low;
    }
}

// The block sorts count keys where they are, in shared or in global memory. All pairs are put in ascending order, so
// that partners after the end may be left out.
__device__ void bitonic(unsigned *keys, int count)
{
    for (int size = 2; size < 2 * count; size *= 2) {
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            const int partner = i ^ (size - 1);
            if (partner > i && partner < count)
                order_pair(keys, i, partner);
        }
        __syncthreads();
        for (int step = size / 4; step > 0; step /= 2) {
            for (int i = threadIdx.x; i < count; i += blockDim.x) {
                const int partner = i ^ step;
                if (partner > i && partner < count)
                    order_pair(keys, i, partner);
            }
            __syncthreads();
        }
    }
}

// One block sorts the sample; every eighth of it is a splitter. The tree has the middle one first: the children of
// node k are 2k and 2k + 1.
__global__ void __launch_bounds__(1024)
    choose_splitters(const unsigned *__restrict__ keys, unsigned *__restrict__ splitters,
                     unsigned *__restrict__ tree, int count)
{
    __shared__ unsigned sample[SAMPLE];
    for (int k = threadIdx.x; k < SAMPLE; k += 1024)
        sample[k] = keys[sampled(k, count)];
    __syncthreads();
    bitonic(sample, SAMPLE);
    const int k = threadIdx.x;
    if (k >= 1 && k < BUCKETS) {
        const int level = 31 - __clz(k), at = 2 * (k - (1 << level)) + 1;
        splitters[k - 1] = sample[k * (SAMPLE / BUCKETS)];
        tree[k] = sample[at * (BUCKETS >> (level + 1)) * (SAMPLE / BUCKETS)];
    }
}

// A thread a key: its bucket is the number of splitters that are not above it.
__global__ void count_search(const unsigned *keys, const unsigned *splitters, int *counts,
                             int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    int low = 0, high = BUCKETS - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (splitters[middle] <= keys[i])
            low = middle + 1;
        else
            high = middle;
    }
    atomicAdd(&counts[low], 1);
}

// A block ITEMS * BLOCK keys: down the tree without branches; the keys' buckets are kept for the scatter.
__global__ void __launch_bounds__(BLOCK)
    count_tree(const unsigned *__restrict__ keys, const unsigned *__restrict__ tree,
               unsigned char *__restrict__ buckets, int *__restrict__ counts, int count)
{
    __shared__ unsigned nodes[BUCKETS];
    __shared__ int block_counts[BUCKETS];
    const int t = threadIdx.x, first = blockIdx.x * ITEMS * BLOCK;
    nodes[t] = t > 0 ? tree[t] : 0;
    block_counts[t] = 0;
    __syncthreads();
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        const int i = first + item * BLOCK + t;
        if (i >= count)
            break;
        const unsigned key = keys[i];
        int node = 1;
#pragma unroll
        for (int level = 1; level < BUCKETS; level *= 2)
            node = 2 * node + (nodes[node] <= key);
        buckets[i] = (unsigned char)(node - BUCKETS);
        atomicAdd(&block_counts[node - BUCKETS], 1);
    }
    __syncthreads();
    counts[t * gridDim.x + blockIdx.x] = block_counts[t];
}

// One block of 1024: counts, bucket after bucket, become places; start is where the buckets begin.
__global__ void scan_counts(int *counts, int *start, int blocks)
{
    __shared__ int sums[1024];
    const int t = threadIdx.x, all = BUCKETS * blocks;
    int before = 0;
    for (int first = 0; first < all; first += 1024) {
        const int i = first + t, own = i < all ? counts[i] : 0;
        sums[t] = own;
        __syncthreads();
        for (int step = 1; step < 1024; step *= 2) {
            const int other = t >= step ? sums[t - step] : 0;
            __syncthreads();
            sums[t] += other;
            __syncthreads();
        }
        if (i < all)
            counts[i] = before + sums[t] - own;
        if (i < all && i % blocks == 0)
            start[i / blocks] = before + sums[t] - own;
        before += sums[1023];
        __syncthreads();
    }
    if (t == 0)
        start[BUCKETS] = before;
}

// Each block puts its keys to its places of their buckets; their order in there is any.
__global__ void __launch_bounds__(BLOCK)
    scatter(const unsigned *__restrict__ keys, const unsigned char *__restrict__ buckets,
            const int *__restrict__ places, unsigned *__restrict__ out, int count)
{
    __shared__ int next[BUCKETS];
    const int first = blockIdx.x * ITEMS * BLOCK, end = min(first + ITEMS * BLOCK, count);
    next[threadIdx.x] = places[threadIdx.x * gridDim.x + blockIdx.x];
    __syncthreads();
    for (int i = first + threadIdx.x; i < end; i += BLOCK)
        out[atomicAdd(&next[buckets[i]], 1)] = keys[i];
}

// A block a bucket: bitonic in shared memory, or in global memory if it is too large for that.
__global__ void sort_bitonic(unsigned *keys, const int *start)
{
    __shared__ unsigned shared[CAPACITY];
    unsigned *bucket = keys + start[blockIdx.x];
    const int count = start[blockIdx.x + 1] - start[blockIdx.x];
    if (count > CAPACITY) {
        bitonic(bucket, count);
        return;
    }
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        shared[k] = bucket[k];
    __syncthreads();
    bitonic(shared, count);
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        bucket[k] = shared[k];
}

// A block a bucket: each warp sorts 32 keys by shuffles; then runs of 32, 64, ... are merged, every key by a search in
// the other run.
__global__ void __launch_bounds__(BLOCK)
    sort_merge(unsigned *__restrict__ keys, const int *__restrict__ start)
{
    __shared__ unsigned shared[2][CAPACITY];
    unsigned *bucket = keys + start[blockIdx.x];
    const int count = start[blockIdx.x + 1] - start[blockIdx.x];
    if (count > CAPACITY) {
        bitonic(bucket, count);
        return;
    }
    const int lane = threadIdx.x % 32;
    for (int first = threadIdx.x - lane; first < count; first += BLOCK) {
        const int i = first + lane;
        unsigned key = i < count ? bucket[i] : LAST_KEY;
#pragma unroll
        for (int size = 2; size <= 32; size *= 2)
#pragma unroll
            for (int step = size / 2; step > 0; step /= 2) {
                const unsigned other = __shfl_xor_sync(0xffffffffu, key, step);
                const bool small = ((lane & step) == 0) == ((lane & size) == 0);
                key = small ? min(key, other) : max(key, other);
            }
        if (i < count)
            shared[0][i] = key;
    }
    __syncthreads();
    int from = 0;
    for (int width = 32; width < count; width *= 2, from ^= 1) {
        for (int i = threadIdx.x; i < count; i += BLOCK) {
            const unsigned key = shared[from][i];
            const int run = i & ~(width - 1), pair = run & ~width;
            const bool left = run == pair;
            const int other = min(left ? run + width : pair, count);
            int low = other, high = min(other + width, count);
            while (low < high) {
                const int middle = (low + high) / 2;
                const unsigned there = shared[from][middle];
                if (there < key || (!left && there == key))
                    low = middle + 1;
                else
                    high = middle;
            }
            shared[from ^ 1][pair + (i - run) + (low - other)] = key;
        }
        __syncthreads();
    }
    for (int k = threadIdx.x; k < count; k += BLOCK)
        bucket[k] = shared[from][k];
}

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 4096), rounds = argument(argc, argv, 2, 1),
              blocks = ceil_div(count, ITEMS * BLOCK);
    std::vector<unsigned> keys(count), sample(SAMPLE);
    // A sixteenth of the keys has one of 16 values.
    for (int i = 0; i < count; i++)
        keys[i] = hash32(i + 99) % 16 == 0 ? (hash32(i) % 16) << 28 : hash32(hash32(i) + 1);
    for (int k = 0; k < SAMPLE; k++)
        sample[k] = keys[sampled(k, count)];
    std::sort(sample.begin(), sample.end());
    std::vector<unsigned> sorted(keys), splitters;
    std::sort(sorted.begin(), sorted.end());
    for (int b = 1; b < BUCKETS; b++)
        splitters.push_back(sample[b * (SAMPLE / BUCKETS)]);
    std::vector<int> want_counts(BUCKETS), want_start(BUCKETS + 1);
    for (int i = 0; i < count; i++)
        want_counts[std::upper_bound(splitters.begin(), splitters.end(), keys[i]) -
                    splitters.begin()]++;
    for (int b = 0; b < BUCKETS; b++)
        want_start[b + 1] = want_start[b] + want_counts[b];
    const unsigned *dkeys = to_device(keys);
    unsigned *dsplitters = device_zeros<unsigned>(BUCKETS), *tree = device_zeros<unsigned>(BUCKETS),
             *scattered = device_zeros<unsigned>(count), *merged = device_zeros<unsigned>(count);
    unsigned char *buckets = device_zeros<unsigned char>(count);
    int *counts = device_zeros<int>(BUCKETS), *places = device_zeros<int>(BUCKETS * blocks),
        *start = device_zeros<int>(BUCKETS + 1);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<1, BUCKETS>>>(counts, 0, BUCKETS);
        choose_splitters<<<1, 1024>>>(dkeys, dsplitters, tree, count);
        count_search<<<ceil_div(count, 256), 256>>>(dkeys, dsplitters, counts, count);
        count_tree<<<blocks, BLOCK>>>(dkeys, tree, buckets, places, count);
        scan_counts<<<1, 1024>>>(places, start, blocks);
        scatter<<<blocks, BLOCK>>>(dkeys, buckets, places, scattered, count);
        copy_array<<<ceil_div(count, 256), 256>>>(merged, scattered, count);
        sort_bitonic<<<BUCKETS, 128>>>(scattered, start);
        sort_merge<<<BUCKETS, BLOCK>>>(merged, start);
    }
    expect("choose_splitters", dsplitters, splitters);
    expect("count_search", counts, want_counts);
    expect("scan_counts", start, want_start);
    expect("sort_bitonic", scattered, sorted);
    expect("sort_merge", merged, sorted);
    return verdict();
}
