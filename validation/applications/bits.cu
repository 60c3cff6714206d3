// Work on bits: population counts, Hamming distances to the nearest code, a 32x32 bit transpose by votes, and
// the reversal of words in a grid-stride loop.
#include "common.h"

#define CODES 64

__global__ void popcount_words(const unsigned *words, unsigned *counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        counts[i] = __popc(words[i]);
}

__global__ void nearest_code(const unsigned *words, const unsigned *codes, unsigned *nearest, int n)
{
    __shared__ unsigned table[CODES];
    for (int c = threadIdx.x; c < CODES; c += blockDim.x)
        table[c] = codes[c];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned word = words[i];
    int best = 33, which = 0;
    for (int c = 0; c < CODES; c++) {
        const int distance = __popc(word ^ table[c]);
        if (distance < best) {
            best = distance;
            which = c;
        }
    }
    nearest[i] = which;
}

// Lane l of a warp gets bit l of the warp's 32 words.
__global__ void transpose_bits(const unsigned *words, unsigned *transposed, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    const unsigned word = i < n ? words[i] : 0;
    unsigned mine = 0;
    for (int bit = 0; bit < 32; bit++) {
        const unsigned row = __ballot_sync(0xffffffffu, word >> bit & 1);
        if (lane == bit)
            mine = row;
    }
    if (i < n)
        transposed[i] = mine;
}

__global__ void reverse_words(const uint4 *words, uint4 *reversed, int n4)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        const uint4 v = words[i];
        reversed[i] = make_uint4(__brev(v.x), __brev(v.y), __brev(v.z), __brev(v.w));
    }
}

static unsigned reversed(unsigned word)
{
    unsigned to = 0;
    for (int bit = 0; bit < 32; bit++)
        to |= (word >> bit & 1) << (31 - bit);
    return to;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 256, rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned> words(n), codes(CODES), counts(n), nearest(n), transposed(n),
        backwards(n);
    for (int c = 0; c < CODES; c++)
        codes[c] = hash32(c + 77);
    for (int i = 0; i < n; i++) {
        words[i] = hash32(i);
        counts[i] = __builtin_popcount(words[i]);
        backwards[i] = reversed(words[i]);
        for (int c = 1; c < CODES; c++)
            if (__builtin_popcount(words[i] ^ codes[c]) <
                __builtin_popcount(words[i] ^ codes[nearest[i]]))
                nearest[i] = c;
    }
    for (int i = 0; i < n; i++)
        for (int bit = 0; bit < 32; bit++)
            transposed[i] |= (words[i / 32 * 32 + bit] >> i % 32 & 1) << bit;
    unsigned *dwords = to_device(words), *dcodes = to_device(codes);
    unsigned *dcounts = device_zeros<unsigned>(n), *dnearest = device_zeros<unsigned>(n);
    unsigned *dtransposed = device_zeros<unsigned>(n), *dreversed = device_zeros<unsigned>(n);
    for (int round = 0; round < rounds; round++) {
        popcount_words<<<n / 256, 256>>>(dwords, dcounts, n);
        nearest_code<<<n / 256, 256>>>(dwords, dcodes, dnearest, n);
        transpose_bits<<<n / 256, 256>>>(dwords, dtransposed, n);
        reverse_words<<<264, 256>>>((const uint4 *)dwords, (uint4 *)dreversed, n / 4);
    }
    expect("popcount_words", dcounts, counts);
    expect("nearest_code", dnearest, nearest);
    expect("transpose_bits", dtransposed, transposed);
    expect("reverse_words", dreversed, backwards);
    return verdict();
}
