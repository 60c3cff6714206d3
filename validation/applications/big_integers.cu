// Many numbers of 32 words: sums by a thread a number with words by rows and by columns and by a warp a number,
// products of 8 words in registers and of 32 words by warps, powers modulo 32 and (Montgomery's way) 63 bits.
#include "common.h"

#define WORDS 32
#define FEW 8
#define WARPS 4

typedef unsigned long long u64;

__global__ void add_rows(const unsigned *a, const unsigned *b, unsigned *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    u64 carry = 0;
    for (int k = 0; k < WORDS; k++) {
        carry += (u64)a[i * WORDS + k] + b[i * WORDS + k];
        out[i * WORDS + k] = (unsigned)carry;
        carry >>= 32;
    }
}

// Word k of all numbers side by side.
__global__ void add_columns(const unsigned *__restrict__ a, const unsigned *__restrict__ b,
                            unsigned *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned carry = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        const unsigned x = a[k * count + i], y = b[k * count + i], sum = x + y, all = sum + carry;
        out[k * count + i] = all;
        carry = (sum < x) | (all < sum);
    }
}

// A lane a word; one addition of the lanes' votes finds which of them get a carry.
__global__ void add_warp(const unsigned *__restrict__ a, const unsigned *__restrict__ b,
                         unsigned *__restrict__ out, int count)
{
    const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; i < count; i += warps) {
        const unsigned x = a[i * WORDS + lane], sum = x + b[i * WORDS + lane];
        const unsigned makes = __ballot_sync(0xffffffffu, sum < x);
        const unsigned passes = __ballot_sync(0xffffffffu, sum == 0xffffffffu);
        const unsigned carries = ((makes << 1) + passes) ^ passes;
        out[i * WORDS + lane] = sum + (carries >> lane & 1);
    }
}

// The lowest FEW words of both, by columns; a thread a product.
template <int N>
__global__ void multiply_registers(const unsigned *__restrict__ a, const unsigned *__restrict__ b,
                                   unsigned *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned x[N], product[2 * N];
#pragma unroll
    for (int k = 0; k < N; k++) {
        x[k] = a[k * count + i];
        product[k] = 0;
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        const unsigned y = b[j * count + i];
        u64 carry = 0;
#pragma unroll
        for (int k = 0; k < N; k++) {
            carry += (u64)x[k] * y + product[j + k];
            product[j + k] = (unsigned)carry;
            carry >>= 32;
        }
        product[j + N] = (unsigned)carry;
    }
#pragma unroll
    for (int k = 0; k < 2 * N; k++)
        out[k * count + i] = product[k];
}

// A warp a product, a lane the columns lane and lane + 32 of the schoolbook's sum; one lane carries.
__global__ void multiply_warp(const unsigned *a, const unsigned *b, unsigned *out, int count)
{
    __shared__ unsigned x[WARPS][WORDS], y[WARPS][WORDS], high[WARPS][2 * WORDS];
    __shared__ u64 low[WARPS][2 * WORDS];
    const int lane = threadIdx.x, w = threadIdx.y, i = blockIdx.x * WARPS + w;
    if (i >= count)
        return;
    x[w][lane] = a[i * WORDS + lane];
    y[w][lane] = b[i * WORDS + lane];
    __syncwarp();
    for (int column = lane; column < 2 * WORDS; column += 32) {
        u64 sum = 0;
        unsigned over = 0;
        for (int k = max(0, column - WORDS + 1); k <= min(column, WORDS - 1); k++) {
            const u64 product = (u64)x[w][k] * y[w][column - k];
            sum += product;
            over += sum < product;
        }
        low[w][column] = sum;
        high[w][column] = over;
    }
    __syncwarp();
    if (lane == 0) {
        u64 carry = 0;
        for (int k = 0; k < 2 * WORDS; k++) {
            const u64 sum = low[w][k] + carry;
            carry = (sum >> 32) + ((u64)(high[w][k] + (sum < carry)) << 32);
            low[w][k] = sum & 0xffffffffu;
        }
    }
    __syncwarp();
    out[i * 2 * WORDS + lane] = (unsigned)low[w][lane];
    out[i * 2 * WORDS + lane + 32] = (unsigned)low[w][lane + 32];
}

__global__ void power_plain(const unsigned *bases, const unsigned *exponents,
                            const unsigned *moduli, unsigned *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    u64 modulus = moduli[i], base = bases[i] % modulus, result = 1;
    for (unsigned e = exponents[i]; e > 0; e >>= 1) {
        if (e & 1)
            result = result * base % modulus;
        base = base * base % modulus;
    }
    out[i] = (unsigned)result;
}

__device__ __forceinline__ u64 montgomery(u64 a, u64 b, u64 modulus, u64 inverse)
{
    const u64 low = a * b, high = __umul64hi(a, b);
    const u64 sum = high + __umul64hi(low * inverse, modulus) + (low != 0);
    return sum >= modulus ? sum - modulus : sum;
}

// All bits of the exponent from the highest on; odd moduli below 2^63.
__global__ void power_montgomery(const u64 *__restrict__ bases,
                                 const unsigned *__restrict__ exponents,
                                 const u64 *__restrict__ moduli, u64 *__restrict__ out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const u64 modulus = moduli[i], one = (0 - modulus) % modulus;
    u64 inverse = modulus, square = one;
#pragma unroll
    for (int k = 0; k < 5; k++)
        inverse *= 2 - modulus * inverse;
    inverse = 0 - inverse;
    for (int k = 0; k < 64; k++) {
        square <<= 1;
        if (square >= modulus)
            square -= modulus;
    }
    const u64 base = montgomery(bases[i], square, modulus, inverse);
    const unsigned exponent = exponents[i];
    u64 result = one;
    for (int bit = 31; bit >= 0; bit--) {
        result = montgomery(result, result, modulus, inverse);
        if (exponent >> bit & 1)
            result = montgomery(result, base, modulus, inverse);
    }
    out[i] = montgomery(result, 1, modulus, inverse);
}

static void multiply(const unsigned *a, const unsigned *b, unsigned *out, int words)
{
    for (int j = 0; j < words; j++) {
        u64 carry = 0;
        for (int k = 0; k < words; k++) {
            carry += (u64)a[k] * b[j] + out[j + k];
            out[j + k] = (unsigned)carry;
            carry >>= 32;
        }
        out[j + words] = (unsigned)carry;
    }
}

int main(int argc, char **argv)
{
    const int n = argument(argc, argv, 1, 1024), rounds = argument(argc, argv, 2, 1);
    std::vector<unsigned> a(n * WORDS), b(a.size()), columns_a(a.size()), columns_b(a.size()),
        sum(a.size()), columns_sum(a.size()), few(n * 2 * FEW), product(n * 2 * WORDS), bases(n),
        exponents(n), moduli(n), power(n), long_power(2 * n);
    std::vector<u64> long_bases(n), long_moduli(n);
    for (int i = 0; i < n; i++) {
        unsigned carry = 0, part[2 * FEW] = {};
        for (int k = 0; k < WORDS; k++) {
            const int at = i * WORDS + k;
            const unsigned h = hash32(2 * at + 1);
            // Now and then a row of words that pass a carry on.
            a[at] = columns_a[k * n + i] = h;
            b[at] = columns_b[k * n + i] = hash32(i * 8 + k / 4) % 4 ? hash32(2 * at + 2) : ~h;
            const u64 all = (u64)a[at] + b[at] + carry;
            sum[at] = columns_sum[k * n + i] = (unsigned)all;
            carry = (unsigned)(all >> 32);
        }
        multiply(&a[i * WORDS], &b[i * WORDS], &product[i * 2 * WORDS], WORDS);
        multiply(&a[i * WORDS], &b[i * WORDS], part, FEW);
        for (int k = 0; k < 2 * FEW; k++)
            few[k * n + i] = part[k];
        bases[i] = a[i * WORDS];
        exponents[i] = a[i * WORDS + 1];
        moduli[i] = a[i * WORDS + 2] | 1;
        long_moduli[i] = ((u64)a[i * WORDS + 3] << 31 | a[i * WORDS + 4] | 1) & ~0ull >> 1;
        long_bases[i] = ((u64)a[i * WORDS + 5] << 32 | a[i * WORDS + 6]) % long_moduli[i];
        u64 base = bases[i] % moduli[i], result = 1;
        unsigned __int128 wide = long_bases[i], wide_result = 1;
        for (unsigned e = exponents[i]; e > 0; e >>= 1) {
            if (e & 1) {
                result = result * base % moduli[i];
                wide_result = wide_result * wide % long_moduli[i];
            }
            base = base * base % moduli[i];
            wide = wide * wide % long_moduli[i];
        }
        power[i] = (unsigned)result;
        long_power[2 * i] = (unsigned)wide_result;
        long_power[2 * i + 1] = (unsigned)(wide_result >> 32);
    }
    const unsigned *da = to_device(a), *db = to_device(b), *ca = to_device(columns_a),
                   *cb = to_device(columns_b), *dbases = to_device(bases),
                   *dexponents = to_device(exponents), *dmoduli = to_device(moduli);
    const u64 *dlong_bases = to_device(long_bases), *dlong_moduli = to_device(long_moduli);
    unsigned *sums[3], *dfew = device_zeros<unsigned>(few.size()),
                       *dproduct = device_zeros<unsigned>(product.size()),
                       *dpower = device_zeros<unsigned>(n);
    for (int k = 0; k < 3; k++)
        sums[k] = device_zeros<unsigned>(a.size());
    u64 *dlong_power = device_zeros<u64>(n);
    for (int round = 0; round < rounds; round++) {
        add_rows<<<ceil_div(n, 128), 128>>>(da, db, sums[0], n);
        add_columns<<<ceil_div(n, 128), 128>>>(ca, cb, sums[1], n);
        add_warp<<<std::min(ceil_div(n, 8), 1056), 256>>>(da, db, sums[2], n);
        multiply_registers<FEW><<<ceil_div(n, 64), 64>>>(ca, cb, dfew, n);
        multiply_warp<<<ceil_div(n, WARPS), dim3(32, WARPS)>>>(da, db, dproduct, n);
        power_plain<<<ceil_div(n, 256), 256>>>(dbases, dexponents, dmoduli, dpower, n);
        power_montgomery<<<ceil_div(n, 128), 128>>>(dlong_bases, dexponents, dlong_moduli,
                                                    dlong_power, n);
    }
    expect("add_rows", sums[0], sum);
    expect("add_columns", sums[1], columns_sum);
    expect("add_warp", sums[2], sum);
    expect("multiply_registers", dfew, few);
    expect("multiply_warp", dproduct, product);
    expect("power_plain", dpower, power);
    expect("power_montgomery", (unsigned *)dlong_power, long_power);
    return verdict();
}
