// A permutation computed from the index by a network of four rounds: elements sent through it, fetched through it,
// its inverse written as a table, and cycles followed for some steps.
#include "common.h"

__host__ __device__ inline unsigned permuted(unsigned i, int half_bits)
{
    const unsigned mask = (1u << half_bits) - 1;
    unsigned left = i >> half_bits, right = i & mask;
    for (unsigned round = 0; round < 4; round++) {
        const unsigned mixed = (right * 0x9e3779b1u + round * 0x85ebca6bu) >> 7;
        const unsigned swap = right;
        right = left ^ (mixed & mask);
        left = swap;
    }
    return left << half_bits | right;
}

__global__ void send(const float *from, float *to, int half_bits)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[permuted(i, half_bits)] = from[i];
}

__global__ void fetch(const float *from, float *to, int half_bits)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[permuted(i, half_bits)];
}

__global__ void invert(unsigned *inverse, int half_bits)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    inverse[permuted(i, half_bits)] = i;
}

// Dependent loads: each place says where to look next.
__global__ void follow(const unsigned *table, unsigned *ends, int steps, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned at = i;
    for (int k = 0; k < steps; k++)
        at = table[at];
    ends[i] = at;
}

int main(int argc, char **argv)
{
    const int size = argument(argc, argv, 1, 65536), rounds = argument(argc, argv, 2, 1),
              steps = 16;
    int half_bits = 5;
    while (1 << 2 * half_bits < size)
        half_bits++;
    const int n = 1 << 2 * half_bits, walkers = n / 16;
    const std::vector<float> from = units(n, 1);
    std::vector<float> sent(n), fetched(n);
    std::vector<unsigned> inverse(n), ends(walkers);
    for (int i = 0; i < n; i++) {
        const unsigned j = permuted(i, half_bits);
        sent[j] = from[i];
        fetched[i] = from[j];
        inverse[j] = i;
    }
    for (int i = 0; i < walkers; i++) {
        ends[i] = i;
        for (int k = 0; k < steps; k++)
            ends[i] = inverse[ends[i]];
    }
    float *dfrom = to_device(from), *a = device_zeros<float>(n), *b = device_zeros<float>(n);
    unsigned *table = device_zeros<unsigned>(n), *dends = device_zeros<unsigned>(walkers);
    for (int round = 0; round < rounds; round++) {
        send<<<n / 256, 256>>>(dfrom, a, half_bits);
        fetch<<<n / 256, 256>>>(dfrom, b, half_bits);
        invert<<<n / 256, 256>>>(table, half_bits);
        follow<<<ceil_div(walkers, 64), 64>>>(table, dends, steps, walkers);
    }
    expect("send", a, sent);
    expect("fetch", b, fetched);
    expect("invert", table, inverse);
    expect("follow", dends, ends);
    return verdict();
}
