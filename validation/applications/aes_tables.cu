// AES-128 of many blocks of 16 bytes by T tables: one table in constant memory, four in global memory, one in shared
// memory with a copy a bank, and counter mode with four in shared memory.
#include "common.h"

#define ROUNDS 10

typedef unsigned char byte;

__constant__ unsigned c_keys[4 * (ROUNDS + 1)];
__constant__ unsigned c_table[256];
__constant__ byte c_sbox[256];

__device__ __forceinline__ unsigned rotate(unsigned x, int bits)
{
    return x << bits | x >> (32 - bits);
}

// Words hold a column each, its first row in the low byte.
__global__ void encrypt_constant(const unsigned *in, unsigned *out, int blocks)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks)
        return;
    unsigned s[4], t[4];
    for (int c = 0; c < 4; c++)
        s[c] = in[4 * i + c] ^ c_keys[c];
    for (int round = 1; round < ROUNDS; round++) {
#pragma unroll
        for (int c = 0; c < 4; c++)
            t[c] = c_table[s[c] & 255] ^ rotate(c_table[s[(c + 1) % 4] >> 8 & 255], 8) ^
                   rotate(c_table[s[(c + 2) % 4] >> 16 & 255], 16) ^
                   rotate(c_table[s[(c + 3) % 4] >> 24], 24) ^ c_keys[4 * round + c];
#pragma unroll
        for (int c = 0; c < 4; c++)
            s[c] = t[c];
    }
#pragma unroll
    for (int c = 0; c < 4; c++)
        out[4 * i + c] = (c_sbox[s[c] & 255] | (unsigned)c_sbox[s[(c + 1) % 4] >> 8 & 255] << 8 |
                          (unsigned)c_sbox[s[(c + 2) % 4] >> 16 & 255] << 16 |
                          (unsigned)c_sbox[s[(c + 3) % 4] >> 24] << 24) ^
                         c_keys[4 * ROUNDS + c];
}

// Four tables of 256 words, and the S box as bytes, wherever they lie.
__device__ __forceinline__ uint4 encrypt_four(uint4 s, const unsigned *t, const byte *box)
{
    s.x ^= c_keys[0];
    s.y ^= c_keys[1];
    s.z ^= c_keys[2];
    s.w ^= c_keys[3];
#define MIXED(a, b, c, d, key)                                                                     \
    (t[(a) & 255] ^ t[256 + ((b) >> 8 & 255)] ^ t[512 + ((c) >> 16 & 255)] ^ t[768 + ((d) >> 24)] ^ \
     c_keys[key])
#define LAST(a, b, c, d, key)                                                                      \
    ((box[(a) & 255] | (unsigned)box[(b) >> 8 & 255] << 8 | (unsigned)box[(c) >> 16 & 255] << 16 | \
      (unsigned)box[(d) >> 24] << 24) ^                                                            \
     c_keys[4 * ROUNDS + key])
#pragma unroll
    for (int k = 4; k < 4 * ROUNDS; k += 4)
        s = make_uint4(MIXED(s.x, s.y, s.z, s.w, k), MIXED(s.y, s.z, s.w, s.x, k + 1),
                       MIXED(s.z, s.w, s.x, s.y, k + 2), MIXED(s.w, s.x, s.y, s.z, k + 3));
    return make_uint4(LAST(s.x, s.y, s.z, s.w, 0), LAST(s.y, s.z, s.w, s.x, 1),
                      LAST(s.z, s.w, s.x, s.y, 2), LAST(s.w, s.x, s.y, s.z, 3));
}

__global__ void encrypt_global(const uint4 *__restrict__ in, const unsigned *__restrict__ tables,
                               const byte *__restrict__ sbox, uint4 *__restrict__ out, int blocks)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < blocks)
        out[i] = encrypt_four(in[i], tables, sbox);
}

// Each lane looks up in its own bank; the S box is the second byte of the table.
__global__ void __launch_bounds__(512)
    encrypt_banks(const uint4 *__restrict__ in, const unsigned *__restrict__ tables,
                  uint4 *__restrict__ out, int blocks)
{
    __shared__ unsigned s[256][32];
    const int lane = threadIdx.x % 32;
    for (int k = threadIdx.x / 32; k < 256; k += 16)
        s[k][lane] = tables[k];
    __syncthreads();
    for (int i = blockIdx.x * 512 + threadIdx.x; i < blocks; i += gridDim.x * 512) {
        const uint4 v = in[i];
        unsigned a[4] = {v.x ^ c_keys[0], v.y ^ c_keys[1], v.z ^ c_keys[2], v.w ^ c_keys[3]}, b[4];
        for (int round = 1; round < ROUNDS; round++) {
#pragma unroll
            for (int c = 0; c < 4; c++)
                b[c] = s[a[c] & 255][lane] ^
                       __byte_perm(s[a[(c + 1) & 3] >> 8 & 255][lane], 0, 0x2103) ^
                       __byte_perm(s[a[(c + 2) & 3] >> 16 & 255][lane], 0, 0x1032) ^
                       __byte_perm(s[a[(c + 3) & 3] >> 24][lane], 0, 0x0321) ^
                       c_keys[4 * round + c];
#pragma unroll
            for (int c = 0; c < 4; c++)
                a[c] = b[c];
        }
#pragma unroll
        for (int c = 0; c < 4; c++)
            b[c] = ((s[a[c] & 255][lane] >> 8 & 0xff) |
                    (s[a[(c + 1) & 3] >> 8 & 255][lane] & 0xff00) |
                    (s[a[(c + 2) & 3] >> 16 & 255][lane] << 8 & 0xff0000) |
                    (s[a[(c + 3) & 3] >> 24][lane] << 16 & 0xff000000)) ^
                   c_keys[4 * ROUNDS + c];
        out[i] = make_uint4(b[0], b[1], b[2], b[3]);
    }
}

// Counter mode: the number of the block is encrypted, and added to the text.
__global__ void __launch_bounds__(256)
    counter_mode(const uint4 *__restrict__ in, const unsigned *__restrict__ tables,
                 const byte *__restrict__ sbox, uint4 *__restrict__ out, uint2 nonce, int blocks)
{
    __shared__ unsigned s[1024];
    __shared__ byte box[256];
    for (int k = threadIdx.x; k < 1024; k += 256)
        s[k] = tables[k];
    box[threadIdx.x] = sbox[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < blocks; i += gridDim.x * 256) {
        const uint4 pad = encrypt_four(make_uint4(nonce.x, nonce.y, 0, __byte_perm(i, 0, 0x0123)),
                                       s, box),
                    text = in[i];
        out[i] = make_uint4(text.x ^ pad.x, text.y ^ pad.y, text.z ^ pad.z, text.w ^ pad.w);
    }
}

static byte twice(byte x)
{
    return (byte)(x << 1 ^ (x & 128 ? 0x1b : 0));
}

// Byte by byte, as the standard has it.
static void encrypt_host(const byte *sbox, const byte *keys, const byte *in, byte *out)
{
    byte s[16], t[16];
    for (int k = 0; k < 16; k++)
        s[k] = in[k] ^ keys[k];
    for (int round = 1; round <= ROUNDS; round++) {
        for (int k = 0; k < 16; k++)
            t[k] = sbox[s[(k + k % 4 * 4) % 16]];
        for (int k = 0; k < 16; k++) {
            const byte *c = t + k / 4 * 4, a = c[k % 4], b = c[(k + 1) % 4];
            s[k] = round == ROUNDS ? a
                                   : twice(a) ^ twice(b) ^ b ^ c[(k + 2) % 4] ^ c[(k + 3) % 4];
            s[k] ^= keys[16 * round + k];
        }
    }
    std::copy(s, s + 16, out);
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 64) * 64, rounds = argument(argc, argv, 2, 1);
    std::vector<byte> sbox(256), keys = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                         0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    std::vector<unsigned> tables(1024), in(4 * (size_t)n), want(in.size()), counted(in.size());
    // p runs through the powers of 3, and q through those of its inverse.
    byte p = 1, q = 1;
    sbox[0] = 0x63;
    do {
        p = (byte)(p ^ twice(p));
        q ^= (byte)(q << 1);
        q ^= (byte)(q << 2);
        q ^= (byte)(q << 4);
        q ^= q & 128 ? 0x09 : 0;
        unsigned sum = 0;
        for (int k = 0; k < 5; k++)
            sum ^= (unsigned)q << k | q >> (8 - k);
        sbox[p] = (byte)(sum ^ 0x63);
    } while (p != 1);
    for (int k = 16, power = 1; k < 16 * (ROUNDS + 1); k++) {
        const bool first = k % 16 < 4;
        byte x = first ? sbox[keys[k % 4 == 3 ? k - 7 : k - 3]] : keys[k - 4];
        if (k % 16 == 0) {
            x ^= (byte)power;
            power = twice((byte)power);
        }
        keys.push_back(keys[k - 16] ^ x);
    }
    for (int k = 0; k < 1024; k++) {
        const unsigned v = sbox[k % 256], v2 = twice((byte)v), turn = k / 256 * 8,
                       x = v2 | v << 8 | v << 16 | (v2 ^ v) << 24;
        tables[k] = turn ? x << turn | x >> (32 - turn) : x;
    }
    const uint2 nonce = make_uint2(0x12345678u, 0x9abcdef0u);
    for (size_t k = 0; k < in.size(); k++)
        in[k] = hash32((unsigned)k + 9) * 0x9e3779b9u;
    // The standard's example is the first block.
    const unsigned example[8] = {0xa8f64332u, 0x8d305a88u, 0xa2983131u, 0x340737e0u,
                                 0x1d842539u, 0xfb09dc02u, 0x978511dcu, 0x320b6a19u};
    std::copy(example, example + 4, in.begin());
    for (int i = 0; i < n; i++) {
        const byte number[16] = {0x78, 0x56, 0x34, 0x12, 0xf0, 0xde, 0xbc, 0x9a, 0, 0, 0, 0,
                                 (byte)(i >> 24), (byte)(i >> 16), (byte)(i >> 8), (byte)i};
        encrypt_host(sbox.data(), keys.data(), (const byte *)&in[4 * i], (byte *)&want[4 * i]);
        encrypt_host(sbox.data(), keys.data(), number, (byte *)&counted[4 * i]);
        for (int c = 0; c < 4; c++)
            counted[4 * i + c] ^= in[4 * i + c];
    }
    CHECK(cudaMemcpyToSymbol(c_keys, keys.data(), keys.size()));
    CHECK(cudaMemcpyToSymbol(c_table, tables.data(), sizeof c_table));
    CHECK(cudaMemcpyToSymbol(c_sbox, sbox.data(), sizeof c_sbox));
    const unsigned *din = to_device(in), *dtables = to_device(tables);
    const byte *dsbox = to_device(sbox);
    unsigned *out[4];
    for (int k = 0; k < 4; k++)
        out[k] = device_zeros<unsigned>(in.size());
    const uint4 *text = (const uint4 *)din;
    for (int round = 0; round < rounds; round++) {
        encrypt_constant<<<ceil_div(n, 256), 256>>>(din, out[0], n);
        encrypt_global<<<ceil_div(n, 128), 128>>>(text, dtables, dsbox, (uint4 *)out[1], n);
        encrypt_banks<<<std::min(ceil_div(n, 512), 264), 512>>>(text, dtables, (uint4 *)out[2], n);
        counter_mode<<<std::min(ceil_div(n, 256), 1056), 256>>>(text, dtables, dsbox,
                                                                (uint4 *)out[3], nonce, n);
    }
    expect("example", out[0], std::vector<unsigned>(example + 4, example + 8));
    expect("encrypt_constant", out[0], want);
    expect("encrypt_global", out[1], want);
    expect("encrypt_banks", out[2], want);
    expect("counter_mode", out[3], counted);
    return verdict();
}
