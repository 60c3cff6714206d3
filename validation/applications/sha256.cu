// SHA-256 of many messages of 119 bytes, two blocks each: read by bytes with the schedule in memory, by words in
// registers, and from words laid out across messages; a level of a hash tree; and tried numbers after a fixed start.
#include "common.h"

#define BYTES 119 // with the end's bit and the length: two blocks of 64

__constant__ unsigned constants[64];

__host__ __device__ __forceinline__ unsigned turn(unsigned x, int by)
{
    return x >> by | x << (32 - by);
}

__device__ __forceinline__ unsigned turned(unsigned x, int by)
{
    return __funnelshift_r(x, x, by);
}

__device__ __forceinline__ void start(unsigned *h)
{
    h[0] = 0x6a09e667u;
    h[1] = 0xbb67ae85u;
    h[2] = 0x3c6ef372u;
    h[3] = 0xa54ff53au;
    h[4] = 0x510e527fu;
    h[5] = 0x9b05688cu;
    h[6] = 0x1f83d9abu;
    h[7] = 0x5be0cd19u;
}

// One block, the schedule as 64 words, as the standard has it.
__host__ __device__ inline void block_plain(unsigned *h, unsigned *w, const unsigned *k)
{
    for (int i = 16; i < 64; i++) {
        const unsigned a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] +
               (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    unsigned s[8];
    for (int i = 0; i < 8; i++)
        s[i] = h[i];
    for (int i = 0; i < 64; i++) {
        const unsigned t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                            ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        const unsigned t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int m = 7; m > 0; m--)
            s[m] = s[m - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

// One block, the schedule as 16 words in turn, all unrolled by 16.
__device__ __forceinline__ void block_registers(unsigned *h, unsigned *w)
{
    unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], i = h[7];
#pragma unroll 1
    for (int round = 0; round < 64; round += 16) {
#pragma unroll
        for (int m = 0; m < 16; m++) {
            const unsigned t1 = i + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
                                (g ^ (e & (f ^ g))) + constants[round + m] + w[m];
            const unsigned t2 =
                (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) | (c & (a | b)));
            i = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
            const unsigned next = w[(m + 1) % 16], last = w[(m + 14) % 16];
            w[m] += (turned(next, 7) ^ turned(next, 18) ^ next >> 3) + w[(m + 9) % 16] +
                    (turned(last, 17) ^ turned(last, 19) ^ last >> 10);
        }
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += i;
}

__global__ void hash_bytes(const unsigned char *messages, unsigned *digests, int count)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count)
        return;
    unsigned h[8], w[64];
    start(h);
    for (int block = 0; block < 2; block++) {
        for (int i = 0; i < 16; i++) {
            w[i] = 0;
            for (int k = 0; k < 4; k++) {
                const int at = block * 64 + i * 4 + k;
                const unsigned byte = at < BYTES ? messages[m * 128 + at] : at == BYTES ? 128u : 0u;
                w[i] = w[i] << 8 | byte;
            }
        }
        if (block == 1)
            w[15] = BYTES * 8;
        block_plain(h, w, constants);
    }
    for (int i = 0; i < 8; i++)
        digests[m * 8 + i] = h[i];
}

// From here on the messages have their ends already.
__global__ __launch_bounds__(128) void hash_words(const uint4 *__restrict__ messages,
                                                  uint4 *__restrict__ digests, int count)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= count)
        return;
    unsigned h[8], w[16];
    start(h);
#pragma unroll 1
    for (int block = 0; block < 2; block++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint4 v = messages[m * 8 + block * 4 + i];
            w[4 * i] = __byte_perm(v.x, 0, 0x0123);
            w[4 * i + 1] = __byte_perm(v.y, 0, 0x0123);
            w[4 * i + 2] = __byte_perm(v.z, 0, 0x0123);
            w[4 * i + 3] = __byte_perm(v.w, 0, 0x0123);
        }
        block_registers(h, w);
    }
    digests[2 * m] = make_uint4(h[0], h[1], h[2], h[3]);
    digests[2 * m + 1] = make_uint4(h[4], h[5], h[6], h[7]);
}

// Word i of message m at i * count + m.
__global__ void hash_across(const unsigned *__restrict__ words, unsigned *__restrict__ digests,
                            int count)
{
    for (int m = blockIdx.x * blockDim.x + threadIdx.x; m < count; m += gridDim.x * blockDim.x) {
        unsigned h[8], w[16];
        start(h);
        for (int block = 0; block < 2; block++) {
#pragma unroll
            for (int i = 0; i < 16; i++)
                w[i] = words[(block * 16 + i) * count + m];
            block_registers(h, w);
        }
#pragma unroll
        for (int i = 0; i < 8; i++)
            digests[i * count + m] = h[i];
    }
}

// Two digests of 32 bytes to one, without an end block.
__global__ void tree_level(const unsigned *__restrict__ below, unsigned *__restrict__ above,
                           int pairs)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= pairs)
        return;
    unsigned h[8], w[16];
    start(h);
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = below[m * 16 + i];
    block_registers(h, w);
#pragma unroll
    for (int i = 0; i < 8; i++)
        above[m * 8 + i] = h[i];
}

// The least digest's first word over all numbers tried.
__global__ void try_numbers(const unsigned *__restrict__ head, unsigned *least, int count)
{
    __shared__ unsigned words[16];
    if (threadIdx.x < 16)
        words[threadIdx.x] = head[threadIdx.x];
    __syncthreads();
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h[8], w[16];
    start(h);
#pragma unroll
    for (int i = 0; i < 16; i++)
        w[i] = words[i];
    w[3] = (unsigned)m;
    block_registers(h, w);
    const unsigned low = __reduce_min_sync(0xffffffffu, m < count ? h[0] : ~0u);
    if (threadIdx.x % 32 == 0)
        atomicMin(least, low);
}

static void digest(unsigned *h, const unsigned *words, int blocks, const unsigned *k)
{
    const unsigned first[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                               0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
    std::copy(first, first + 8, h);
    for (int block = 0; block < blocks; block++) {
        unsigned w[64];
        std::copy(words + 16 * block, words + 16 * block + 16, w);
        block_plain(h, w, k);
    }
}

int main(int argc, char **argv)
{
    const int count = argument(argc, argv, 1, 4) * 256, rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned> k, across(32 * count), want(8 * count), want_across(8 * count),
        tree(4 * count), words(32), head(16), least(1, ~0u);
    for (int p = 2; k.size() < 64; p++) {
        bool prime = true;
        for (int d = 2; d < p; d++)
            prime &= p % d != 0;
        if (prime)
            k.push_back((unsigned)floorl((cbrtl(p) - floorl(cbrtl(p))) * 4294967296.0L));
    }
    std::vector<unsigned char> messages(128 * count);
    for (int m = 0; m < count; m++) {
        unsigned char *bytes = &messages[128 * m];
        for (int i = 0; i < BYTES; i++)
            bytes[i] = (unsigned char)hash32(m * 128 + i);
        bytes[BYTES] = 128;
        bytes[126] = BYTES * 8 / 256;
        bytes[127] = BYTES * 8 % 256;
        for (int i = 0; i < 32; i++)
            across[i * count + m] = words[i] = (unsigned)bytes[4 * i] << 24 |
                                               bytes[4 * i + 1] << 16 | bytes[4 * i + 2] << 8 |
                                               bytes[4 * i + 3];
        digest(&want[8 * m], words.data(), 2, k.data());
        for (int i = 0; i < 8; i++)
            want_across[i * count + m] = want[8 * m + i];
    }
    for (int m = 0; m < count / 2; m++)
        digest(&tree[8 * m], &want[16 * m], 1, k.data());
    for (int i = 0; i < 16; i++)
        head[i] = hash32(i + 77);
    for (int m = 0; m < count; m++) {
        unsigned h[8];
        head[3] = m;
        digest(h, head.data(), 1, k.data());
        least[0] = std::min(least[0], h[0]);
    }
    CHECK(cudaMemcpyToSymbol(constants, k.data(), 64 * sizeof(unsigned)));
    unsigned char *dmessages = to_device(messages);
    unsigned *dacross = to_device(across), *a = device_zeros<unsigned>(8 * count),
             *b = device_zeros<unsigned>(8 * count), *c = device_zeros<unsigned>(8 * count),
             *dtree = device_zeros<unsigned>(4 * count), *dhead = to_device(head),
             *dleast = device_zeros<unsigned>(1);
    for (int round = 0; round < rounds; round++) {
        hash_bytes<<<ceil_div(count, 128), 128>>>(dmessages, a, count);
        hash_words<<<ceil_div(count, 128), 128>>>((uint4 *)dmessages, (uint4 *)b, count);
        hash_across<<<std::min(264, ceil_div(count, 256)), 256>>>(dacross, c, count);
        tree_level<<<ceil_div(count / 2, 64), 64>>>(b, dtree, count / 2);
        fill_array<<<1, 32>>>(dleast, ~0u, 1);
        try_numbers<<<ceil_div(count, 256), 256>>>(dhead, dleast, count);
    }
    expect("hash_bytes", a, want);
    expect("hash_words", b, want);
    expect("hash_across", c, want_across);
    expect("tree_level", dtree, tree);
    expect("try_numbers", dleast, least);
    return verdict();
}
