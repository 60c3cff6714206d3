// CRC-32 (of Ethernet and zip files) of many messages of unequal length: a thread a message bytewise with the table in
// global and in shared memory, slicing by 4 and by 8, and a warp a message whose lanes' parts are put together.
#include "common.h"

#define POLYNOMIAL 0xedb88320u
#define MOST 1024

typedef unsigned char byte;

__global__ void crc_bytes(const byte *data, const int *starts, const int *lengths,
                          const unsigned *table, unsigned *out, int messages)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= messages)
        return;
    const byte *p = data + starts[i];
    unsigned crc = 0xffffffffu;
    for (int k = 0; k < lengths[i]; k++)
        crc = crc >> 8 ^ table[(crc ^ p[k]) & 255];
    out[i] = ~crc;
}

__global__ void crc_bytes_shared(const byte *__restrict__ data, const int *__restrict__ starts,
                                 const int *__restrict__ lengths,
                                 const unsigned *__restrict__ table, unsigned *__restrict__ out,
                                 int messages)
{
    __shared__ unsigned s[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        s[k] = table[k];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= messages)
        return;
    const byte *p = data + starts[i], *end = p + lengths[i];
    unsigned crc = 0xffffffffu;
#pragma unroll 4
    while (p < end)
        crc = crc >> 8 ^ s[(crc ^ *p++) & 255];
    out[i] = ~crc;
}

// Messages start at multiples of 8; table k tells what a byte does that k more bytes follow.
__device__ __forceinline__ unsigned slice4(const unsigned (*s)[256], unsigned crc)
{
    return s[3][crc & 255] ^ s[2][crc >> 8 & 255] ^ s[1][crc >> 16 & 255] ^ s[0][crc >> 24];
}

template <int SLICES>
__global__ void crc_slices(const byte *__restrict__ data, const int *__restrict__ starts,
                           const int *__restrict__ lengths, const unsigned *__restrict__ tables,
                           unsigned *__restrict__ out, int messages)
{
    __shared__ unsigned s[SLICES][256];
    for (int k = threadIdx.x; k < SLICES * 256; k += blockDim.x)
        s[k / 256][k % 256] = tables[k];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < messages;
         i += gridDim.x * blockDim.x) {
        const byte *p = data + starts[i];
        unsigned crc = 0xffffffffu;
        int left = lengths[i];
        for (; left >= SLICES; left -= SLICES, p += SLICES) {
            if (SLICES == 4) {
                crc = slice4(s, crc ^ *(const unsigned *)p);
            } else {
                const uint2 v = *(const uint2 *)p;
                crc = slice4(s + SLICES - 4, crc ^ v.x) ^ slice4(s, v.y);
            }
        }
        for (; left > 0; left--)
            crc = crc >> 8 ^ s[0][(crc ^ *p++) & 255];
        out[i] = ~crc;
    }
}

// The product of two polynomials, the highest bit the power 0, without their common remainder.
__host__ __device__ inline unsigned multiply(unsigned a, unsigned b)
{
    unsigned product = 0;
    for (unsigned bit = 1u << 31; bit; bit >>= 1) {
        if (a & bit)
            product ^= b;
        b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0);
    }
    return product;
}

// Lane 31 has the last words and each other one as many before: what lies before the message counts as zeros. shifts[w]
// is the power 32 w.
__global__ void __launch_bounds__(128)
    crc_warp(const byte *__restrict__ data, const int *__restrict__ starts,
             const int *__restrict__ lengths, const unsigned *__restrict__ tables,
             const unsigned *__restrict__ shifts, unsigned *__restrict__ out, int messages)
{
    __shared__ unsigned s[4][256];
    for (int k = threadIdx.x; k < 4 * 256; k += 128)
        s[k / 256][k % 256] = tables[k];
    __syncthreads();
    const int lane = threadIdx.x % 32, i = (blockIdx.x * 128 + threadIdx.x) / 32;
    if (i >= messages)
        return;
    const byte *p = data + starts[i];
    const unsigned *words = (const unsigned *)p;
    const int length = lengths[i], count = length / 4, each = (count + 31) / 32;
    const int end = count - (31 - lane) * each;
    unsigned crc = 0;
    for (int k = max(end - each, 0); k < end; k++)
        crc = slice4(s, crc ^ words[k] ^ (k == 0 ? 0xffffffffu : 0));
    unsigned shift = shifts[each];
    for (int step = 1; step < 32; step *= 2) {
        const unsigned other = __shfl_down_sync(0xffffffffu, crc, step);
        if (lane % (2 * step) == 0)
            crc = multiply(shift, crc) ^ other;
        shift = multiply(shift, shift);
    }
    if (lane > 0)
        return;
    if (count == 0)
        crc = 0xffffffffu;
    for (int k = 4 * count; k < length; k++)
        crc = crc >> 8 ^ s[0][(crc ^ p[k]) & 255];
    out[i] = ~crc;
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 512), rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned> tables(8 * 256), want(n), shifts(MOST / 128 + 1, 1u << 31);
    std::vector<int> starts(n), lengths(n);
    std::vector<byte> data;
    for (unsigned k = 0; k < 256; k++) {
        unsigned crc = k;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        tables[k] = crc;
    }
    for (int k = 256; k < 8 * 256; k++)
        tables[k] = tables[k - 256] >> 8 ^ tables[tables[k - 256] & 255];
    // the power 32 is 1 after 32 steps
    unsigned power = 1u << 31;
    for (int bit = 0; bit < 32; bit++)
        power = power >> 1 ^ (power & 1 ? POLYNOMIAL : 0);
    for (size_t w = 1; w < shifts.size(); w++)
        shifts[w] = multiply(shifts[w - 1], power);
    // As packets are: many short, some of the greatest length, the rest between.
    for (int i = 0; i < n; i++) {
        const unsigned kind = hash32(i + 3) % 8, any = hash32(i + 700001);
        lengths[i] = kind < 3 ? any % 97 : kind < 5 ? MOST : 97 + any % (MOST - 97);
        starts[i] = (int)data.size();
        for (int k = 0; k < lengths[i]; k++)
            data.push_back((byte)(hash32((unsigned)data.size() + 11) >> 7));
        data.resize((data.size() + 7) / 8 * 8);
    }
    // The first message is the one whose sum every description gives.
    const char *digits = "123456789";
    lengths[0] = std::min(9, lengths[0]);
    std::copy(digits, digits + lengths[0], data.begin());
    for (int i = 0; i < n; i++) {
        unsigned crc = 0xffffffffu;
        for (int k = 0; k < lengths[i]; k++) {
            crc ^= data[starts[i] + k];
            for (int bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
        }
        want[i] = ~crc;
    }
    data.resize(data.size() + 8);
    const byte *d = to_device(data);
    const int *at = to_device(starts), *len = to_device(lengths);
    const unsigned *dtables = to_device(tables), *dshifts = to_device(shifts);
    unsigned *out[5];
    for (int k = 0; k < 5; k++)
        out[k] = device_zeros<unsigned>(n);
    const int blocks = ceil_div(n, 64);
    for (int round = 0; round < rounds; round++) {
        crc_bytes<<<blocks, 64>>>(d, at, len, dtables, out[0], n);
        crc_bytes_shared<<<blocks, 64>>>(d, at, len, dtables, out[1], n);
        crc_slices<4><<<blocks, 64>>>(d, at, len, dtables, out[2], n);
        crc_slices<8><<<std::min(blocks, 264), 64>>>(d, at, len, dtables, out[3], n);
        crc_warp<<<ceil_div(n, 4), 128>>>(d, at, len, dtables, dshifts, out[4], n);
    }
    const char *names[5] = {"crc_bytes", "crc_bytes_shared", "crc_slices<4>", "crc_slices<8>",
                            "crc_warp"};
    for (int k = 0; k < 5; k++)
        expect(names[k], out[k], want);
    if (lengths[0] == 9)
        expect("digits", out[0], std::vector<unsigned>(1, 0xcbf43926u));
    return verdict();
}
