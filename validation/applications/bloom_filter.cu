// Bloom filters of 64-bit keys: bits set and asked anywhere in the filter, a small filter gathered in shared memory, and
// the split form of databases, whose keys set one bit in each of the eight words of a block of 32 bytes.
#include "common.h"

#define HASHES 4
#define BITS_A_KEY 12
#define SMALL_WORDS 8192
#define WAY 8

typedef unsigned long long Key;

// Odd factors, one a word of the block.
__constant__ unsigned salts[WAY];

// The last step of MurmurHash3.
__host__ __device__ inline Key mix(Key key)
{
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdull;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53ull;
    return key ^ key >> 33;
}

// Double hashing: bit k of a key.
__host__ __device__ inline unsigned bit_of(Key hash, int k, unsigned mask)
{
    return ((unsigned)hash + k * ((unsigned)(hash >> 32) | 1)) & mask;
}

__global__ void insert_bits(const Key *keys, unsigned *filter, unsigned mask, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Key hash = mix(keys[i]);
    for (int k = 0; k < HASHES; k++) {
        unsigned bit = bit_of(hash, k, mask);
        atomicOr(&filter[bit / 32], 1u << bit % 32);
    }
}

// A block's part of the keys sets bits of its own copy, whose words are added to the filter at last.
__global__ void __launch_bounds__(512)
    insert_shared(const Key *__restrict__ keys, unsigned *filter, int count)
{
    __shared__ unsigned s[SMALL_WORDS];
    for (int k = threadIdx.x; k < SMALL_WORDS; k += 512)
        s[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 512 + threadIdx.x; i < count; i += gridDim.x * 512) {
        const Key hash = mix(keys[i]);
#pragma unroll
        for (int k = 0; k < HASHES; k++) {
            const unsigned bit = bit_of(hash, k, 32 * SMALL_WORDS - 1);
            atomicOr(&s[bit / 32], 1u << bit % 32);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < SMALL_WORDS; k += 512)
        if (s[k])
            atomicOr(&filter[k], s[k]);
}

// Stops at the first bit that is not set.
__global__ void query_bits(const Key *__restrict__ keys, const unsigned *__restrict__ filter,
                           unsigned char *__restrict__ found, unsigned mask, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const Key hash = mix(keys[i]);
    bool all = true;
    for (int k = 0; k < HASHES && all; k++) {
        const unsigned bit = bit_of(hash, k, mask);
        all = filter[bit / 32] >> bit % 32 & 1;
    }
    found[i] = all;
}

// The block of a key, by its hash's high half; the bit of each word by the low half.
__host__ __device__ inline unsigned block_of(Key hash, unsigned blocks)
{
    return (unsigned)((hash >> 32) * blocks >> 32);
}

// Eight threads a key, a word each.
__global__ void insert_split(const Key *__restrict__ keys, unsigned *filter, unsigned blocks,
                             int count)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / WAY, w = thread % WAY;
    if (i >= count)
        return;
    const Key hash = mix(keys[i]);
    atomicOr(&filter[block_of(hash, blocks) * WAY + w], 1u << ((unsigned)hash * salts[w] >> 27));
}

// A thread two keys, a block of the filter by two loads of 16 bytes; hits are counted, too.
__global__ void query_split(const ulonglong2 *__restrict__ keys, const uint4 *__restrict__ filter,
                            uchar2 *__restrict__ found, int *hits, unsigned blocks, int pairs)
{
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
        const ulonglong2 both = keys[i];
        unsigned char all[2];
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const Key hash = mix(k == 0 ? both.x : both.y);
            const unsigned at = block_of(hash, blocks), low = (unsigned)hash;
            const uint4 a = filter[2 * at], b = filter[2 * at + 1];
            const unsigned words[WAY] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
            unsigned bits = 1;
#pragma unroll
            for (int w = 0; w < WAY; w++)
                bits &= words[w] >> (low * salts[w] >> 27);
            all[k] = (unsigned char)bits;
            mine += bits;
        }
        found[i] = make_uchar2(all[0], all[1]);
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, step);
    if (threadIdx.x % 32 == 0 && mine)
        atomicAdd(hits, mine);
}

// How full a filter is.
__global__ void count_set(const uint4 *__restrict__ filter, int *sum, int quads)
{
    __shared__ int block;
    if (threadIdx.x == 0)
        block = 0;
    __syncthreads();
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
        const uint4 v = filter[i];
        mine += __popc(v.x) + __popc(v.y) + __popc(v.z) + __popc(v.w);
    }
    atomicAdd(&block, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, block);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 16) * 1024, rounds = argument(argc, argv, 2, 1);
    unsigned bits = 32 * SMALL_WORDS;
    while (bits < (unsigned)n * BITS_A_KEY)
        bits *= 2;
    const unsigned mask = bits - 1, blocks = (unsigned)n * BITS_A_KEY / (32 * WAY);
    const int words = (int)(bits / 32), small = std::min(n, 32 * SMALL_WORDS / 4);
    const std::vector<unsigned> factors = {0x47b6137bu, 0x44974d91u, 0x8824ad5bu, 0xa2b7289du,
                                           0x705495c7u, 0x2df1424bu, 0x9efc4947u, 0x5c6bfb31u};
    std::vector<Key> keys(n), asked(n);
    std::vector<unsigned> plain(words), little(SMALL_WORDS), split(blocks * WAY);
    std::vector<unsigned char> found(n), found_split(n);
    std::vector<int> sums(2);
    for (int i = 0; i < n; i++) {
        keys[i] = (Key)hash32(i) << 32 | hash32(i + 0x40000000u);
        const Key hash = mix(keys[i]);
        for (int k = 0; k < HASHES; k++) {
            plain[bit_of(hash, k, mask) / 32] |= 1u << bit_of(hash, k, mask) % 32;
            const unsigned bit = bit_of(hash, k, 32 * SMALL_WORDS - 1);
            if (i < small)
                little[bit / 32] |= 1u << bit % 32;
        }
        for (int w = 0; w < WAY; w++)
            split[block_of(hash, blocks) * WAY + w] |= 1u << ((unsigned)hash * factors[w] >> 27);
    }
    // A third of those that are asked for are there.
    for (int i = 0; i < n; i++) {
        asked[i] = hash32(i + 77) % 3 ? (Key)hash32(i + 5) * 0x9e3779b97f4a7c15ull
                                      : keys[hash32(i + 123457) % n];
        const Key hash = mix(asked[i]);
        found[i] = found_split[i] = 1;
        for (int k = 0; k < HASHES; k++)
            found[i] &= plain[bit_of(hash, k, mask) / 32] >> bit_of(hash, k, mask) % 32 & 1;
        for (int w = 0; w < WAY; w++)
            found_split[i] &= split[block_of(hash, blocks) * WAY + w] >>
                              ((unsigned)hash * factors[w] >> 27) & 1;
        sums[0] += found_split[i];
    }
    for (const unsigned word : plain)
        for (unsigned rest = word; rest; rest &= rest - 1)
            sums[1]++;
    CHECK(cudaMemcpyToSymbol(salts, factors.data(), sizeof salts));
    const Key *dkeys = to_device(keys), *dasked = to_device(asked);
    unsigned *a = device_zeros<unsigned>(words), *b = device_zeros<unsigned>(SMALL_WORDS),
             *c = device_zeros<unsigned>(blocks * WAY);
    unsigned char *f = device_zeros<unsigned char>(n), *g = device_zeros<unsigned char>(n);
    int *dsums = device_zeros<int>(2);
    for (int round = 0; round < rounds; round++) {
        fill_array<<<ceil_div(words, 256), 256>>>(a, 0u, words);
        fill_array<<<ceil_div(SMALL_WORDS, 256), 256>>>(b, 0u, SMALL_WORDS);
        fill_array<<<ceil_div(blocks * WAY, 256), 256>>>(c, 0u, blocks * WAY);
        fill_array<<<1, 32>>>(dsums, 0, 2);
        insert_bits<<<ceil_div(n, 256), 256>>>(dkeys, a, mask, n);
        insert_shared<<<ceil_div(small, 1024), 512>>>(dkeys, b, small);
        query_bits<<<ceil_div(n, 256), 256>>>(dasked, a, f, mask, n);
        insert_split<<<ceil_div(n, 256 / WAY), 256>>>(dkeys, c, blocks, n);
        query_split<<<std::min(n / 512, 1056), 256>>>((const ulonglong2 *)dasked, (const uint4 *)c,
                                                      (uchar2 *)g, dsums, blocks, n / 2);
        count_set<<<std::min(ceil_div(words, 2048), 264), 256>>>((const uint4 *)a, dsums + 1,
                                                                 words / 4);
    }
    expect("insert_bits", a, plain);
    expect("insert_shared", b, little);
    expect("query_bits", f, found);
    expect("insert_split", c, split);
    expect("query_split", g, found_split);
    expect("sums", dsums, sums);
    return verdict();
}
