// matrix_ptx.cu - ldmatrix, stmatrix and mma.sync by inline PTX: are elements where PTX documents them, and are products those of
// plain arithmetic? Values are small integers, of which every order of summation is exact.
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

// ---- ldmatrix, stmatrix: rows in any order, as many as there are matrices ---------------------------------

__device__ unsigned row_address(const unsigned short *tile, const int *rows)
{
    return (unsigned)__cvta_generic_to_shared(tile + rows[threadIdx.x % 32]);
}

#define LOAD_1(suffix, r, at) \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" suffix ".shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at))
#define LOAD_2(suffix, r, at)                                                                         \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" suffix ".shared::cta.b16 {%0, %1}, [%2];"            \
                 : "=r"(r[0]), "=r"(r[1])                                                             \
                 : "r"(at))
#define LOAD_4(suffix, r, at)                                                                         \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" suffix ".shared.b16 {%0, %1, %2, %3}, [%4];"         \
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                                     \
                 : "r"(at))

// What lane l has of matrix m: two elements, in 6 ways.
__global__ void load(const unsigned short *in, const int *rows, unsigned *out)
{
    __shared__ __align__(16) unsigned short tile[2048];
    const int l = threadIdx.x % 32;
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        tile[i] = in[i];
    __syncthreads();
    unsigned r[14], at = row_address(tile, rows);
    LOAD_1("", r, at);
    LOAD_2("", (r + 1), at);
    LOAD_4("", (r + 3), at);
    LOAD_1(".trans", (r + 7), at);
    LOAD_2(".trans", (r + 8), at);
    LOAD_4(".trans", (r + 10), at);
    for (int i = 0; i < 14; i++)
        out[(threadIdx.x / 32 * 32 + l) * 14 + i] = r[i];
    // A generic address, and an offset.
    unsigned again;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1+16];" : "=r"(again) : "l"(tile + 8 * (l % 8)));
    if ((again & 0xffff) != tile[8 * (l / 4) + 8 + 2 * (l % 4)])
        out[0] = 0xffffffff;
}

static void check_loads()
{
    std::vector<unsigned short> host(2048);
    std::vector<int> rows(32);
    std::vector<unsigned> got(64 * 14);
    for (int i = 0; i < 2048; i++)
        host[i] = (unsigned short)(i * 37);
    for (int i = 0; i < 32; i++)
        rows[i] = (i * 11 % 32) * 64 % 2048 + 8 * (i % 5);
    unsigned short *in;
    int *at;
    unsigned *out;
    CHECK_CALL(cudaMalloc(&in, 4096));
    CHECK_CALL(cudaMalloc(&at, 128));
    CHECK_CALL(cudaMalloc(&out, 64 * 14 * 4));
    CHECK_CALL(cudaMemcpy(in, host.data(), 4096, cudaMemcpyHostToDevice));
    CHECK_CALL(cudaMemcpy(at, rows.data(), 128, cudaMemcpyHostToDevice));
    load<<<1, 64>>>(in, at, out);
    CHECK_CALL(cudaMemcpy(got.data(), out, 64 * 14 * 4, cudaMemcpyDeviceToHost));
    const int matrix[7] = {0, 0, 1, 0, 1, 2, 3};
    for (int t = 0; t < 64; t++)
        for (int i = 0; i < 14; i++)
            for (int k = 0; k < 2; k++) {
                const int l = t % 32, along = l % 4 * 2 + k, across = l / 4;
                const int row = i < 7 ? across : along, column = i < 7 ? along : across;
                const unsigned value = got[t * 14 + i] >> (16 * k) & 0xffff;
                CHECK_THAT(value == host[rows[8 * matrix[i % 7] + row] + column]);
            }
    CHECK_CALL(cudaFree(in));
    CHECK_CALL(cudaFree(at));
    CHECK_CALL(cudaFree(out));
}

#define STORE_4(suffix, at, r)                                                                        \
    asm volatile("stmatrix.sync.aligned.m8n8.x4" suffix ".shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), \
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])                                           \
                 : "memory")

// Stored and loaded again, across: every lane gives and gets the same.
__global__ void store(unsigned *wrong)
{
#if __CUDA_ARCH__ >= 900
    __shared__ __align__(16) unsigned short tile[32 * 16];
    const int l = threadIdx.x;
    unsigned r[4], s[4], at = (unsigned)__cvta_generic_to_shared(tile + 16 * l);
    for (int i = 0; i < 4; i++)
        r[i] = l * 1000003u + i * 7919u;
    STORE_4("", at, r);
    __syncwarp();
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 2; k++)
            if (tile[16 * (8 * m + l / 4) + 2 * (l % 4) + k] != (unsigned short)(r[m] >> 16 * k))
                *wrong = __LINE__;
    __syncwarp();
    STORE_4(".trans", at, r);
    __syncwarp();
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 2; k++)
            if (tile[16 * (8 * m + 2 * (l % 4) + k) + l / 4] != (unsigned short)(r[m] >> 16 * k))
                *wrong = __LINE__;
    LOAD_4(".trans", s, at);
    for (int m = 0; m < 4; m++)
        if (s[m] != r[m])
            *wrong = __LINE__;
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r[3]) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(r[2]), "r"(r[0]) : "memory");
    LOAD_2("", s, at);
    if (s[0] != r[2] || s[1] != r[0])
        *wrong = __LINE__;
#endif
}

// ---- mma.sync: registers filled as PTX says, element by element -------------------------------------------

struct place {
    int row, column;
};

// Element i of lane l, of A, B and the accumulators, by the width of elements of A (PTX ISA, mma fragments).
__host__ __device__ constexpr place of_a(int bits, int i, int l)
{
    const int g = l / 4, q = l % 4;
    return bits == 8    ? place{g + i / 4 % 2 * 8, 4 * q + i % 4 + i / 8 * 16}
           : bits == 16 ? place{g + i / 2 % 2 * 8, 2 * q + i % 2 + i / 4 * 8}
           : bits == 32 ? place{g + i % 2 * 8, q + i / 2 * 4}
                        : place{g, q};
}
__host__ __device__ constexpr place of_b(int bits, int i, int l)
{
    const int g = l / 4, q = l % 4;
    return bits == 8    ? place{4 * q + i % 4 + i / 4 * 16, g}
           : bits == 16 ? place{2 * q + i % 2 + i / 2 * 8, g}
           : bits == 32 ? place{q + i * 4, g}
                        : place{q, g};
}
__host__ __device__ constexpr place of_c(int i, int l)
{
    return place{l / 4 + i / 2 * 8, l % 4 * 2 + i % 2};
}

template <class T> __device__ void put(unsigned *words, int i, T value)
{
    memcpy((char *)words + sizeof(T) * i, &value, sizeof value);
}

template <class T> struct stored {
    typedef T type;
};
struct tf32 {
};
template <> struct stored<tf32> {
    typedef float type;
};

// A kernel for a shape and its types: C is what D begins with.
#define PRODUCT(kernel, TA, TB, TC, m, n, k, text, to, ...)                                            \
    __global__ void kernel(const int *A, const int *B, const int *C, double *D)                        \
    {                                                                                                  \
        typedef stored<TA>::type SA;                                                                   \
        typedef stored<TB>::type SB;                                                                   \
        constexpr int bits = 8 * sizeof(SA);                                                           \
        constexpr int held_a = m * k / 32, held_b = k * n / 32, held_c = m * n / 32;                   \
        const int l = threadIdx.x;                                                                     \
        unsigned a[4] = {0}, b[4] = {0}, c[8] = {0};                                                   \
        for (int i = 0; i < held_a; i++)                                                               \
            put(a, i, (SA)(float)A[of_a(bits, i, l).row * k + of_a(bits, i, l).column]);               \
        for (int i = 0; i < held_b; i++)                                                               \
            put(b, i, (SB)(float)B[of_b(bits, i, l).row * n + of_b(bits, i, l).column]);               \
        for (int i = 0; i < held_c; i++)                                                               \
            put(c, i, (TC)(float)C[of_c(i, l).row * n + of_c(i, l).column]);                           \
        asm volatile("mma.sync.aligned." text : to : __VA_ARGS__);                                     \
        for (int i = 0; i < held_c; i++) {                                                             \
            TC value;                                                                                  \
            memcpy(&value, (const char *)c + sizeof value * i, sizeof value);                          \
            D[of_c(i, l).row * n + of_c(i, l).column] = (double)(float)value;                          \
        }                                                                                              \
    }

#define C4 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define C2 "+r"(c[0]), "+r"(c[1])
#define AB42 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define AB21 "r"(a[0]), "r"(a[1]), "r"(b[0])
#define T_C4_AB42 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
#define T_C4_AB21 " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
#define T_C2_AB42 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
#define T_C2_AB21 " {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
#define T_C2_AB11 " {%0, %1}, {%2}, {%3}, {%0, %1};"

PRODUCT(half_16, half, half, float, 16, 8, 16, "m16n8k16.row.col.f32.f16.f16.f32" T_C4_AB42, C4, AB42)
PRODUCT(half_8, half, half, float, 16, 8, 8, "m16n8k8.row.col.f32.f16.f16.f32" T_C4_AB21, C4, AB21)
PRODUCT(half_half_16, half, half, half, 16, 8, 16, "m16n8k16.row.col.f16.f16.f16.f16" T_C2_AB42, C2, AB42)
PRODUCT(half_half_8, half, half, half, 16, 8, 8, "m16n8k8.row.col.f16.f16.f16.f16" T_C2_AB21, C2, AB21)
PRODUCT(bfloat_16, __nv_bfloat16, __nv_bfloat16, float, 16, 8, 16, "m16n8k16.row.col.f32.bf16.bf16.f32" T_C4_AB42, C4,
        AB42)
PRODUCT(bfloat_8, __nv_bfloat16, __nv_bfloat16, float, 16, 8, 8, "m16n8k8.row.col.f32.bf16.bf16.f32" T_C4_AB21, C4,
        AB21)
PRODUCT(tf32_8, tf32, tf32, float, 16, 8, 8, "m16n8k8.row.col.f32.tf32.tf32.f32" T_C4_AB42, C4, AB42)
PRODUCT(tf32_4, tf32, tf32, float, 16, 8, 4, "m16n8k4.row.col.f32.tf32.tf32.f32" T_C4_AB21, C4, AB21)
PRODUCT(bytes_32, signed char, signed char, int, 16, 8, 32, "m16n8k32.row.col.s32.s8.s8.s32" T_C4_AB42, C4, AB42)
PRODUCT(bytes_16, unsigned char, signed char, int, 16, 8, 16, "m16n8k16.row.col.s32.u8.s8.s32" T_C4_AB21, C4, AB21)
PRODUCT(bytes_m8, signed char, unsigned char, int, 8, 8, 16, "m8n8k16.row.col.s32.s8.u8.s32" T_C2_AB11, C2,
        "r"(a[0]), "r"(b[0]))

__global__ void doubles(const int *A, const int *B, const int *C, double *D)
{
    const int l = threadIdx.x, g = l / 4, q = l % 4;
    double c0 = C[g * 8 + 2 * q], c1 = C[g * 8 + 2 * q + 1], d0, d1;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d0), "=d"(d1)
                 : "d"((double)A[g * 4 + q]), "d"((double)B[q * 8 + g]), "d"(c0), "d"(c1));
    D[g * 8 + 2 * q] = d0;
    D[g * 8 + 2 * q + 1] = d1;
}

typedef void product_kernel(const int *, const int *, const int *, double *);

static void check_product(product_kernel *kernel, int m, int n, int k, bool negative_a, bool negative_b)
{
    int *A, *B, *C;
    double *D;
    CHECK_CALL(cudaMallocManaged(&A, m * k * sizeof *A));
    CHECK_CALL(cudaMallocManaged(&B, k * n * sizeof *B));
    CHECK_CALL(cudaMallocManaged(&C, m * n * sizeof *C));
    CHECK_CALL(cudaMallocManaged(&D, m * n * sizeof *D));
    for (int i = 0; i < m * k; i++)
        A[i] = i * 7 % 13 - (negative_a ? 6 : 0);
    for (int i = 0; i < k * n; i++)
        B[i] = i * 5 % 11 - (negative_b ? 5 : 0);
    for (int i = 0; i < m * n; i++)
        C[i] = i * 3 % 17 - 8;
    kernel<<<1, 32>>>(A, B, C, D);
    CHECK_CALL(cudaDeviceSynchronize());
    for (int row = 0; row < m; row++)
        for (int column = 0; column < n; column++) {
            int sum = C[row * n + column];
            for (int i = 0; i < k; i++)
                sum += A[row * k + i] * B[i * n + column];
            CHECK_THAT(D[row * n + column] == sum);
        }
    cudaFree(A), cudaFree(B), cudaFree(C), cudaFree(D);
}

// Of lane 0: sums that go round and that end, what is below a tf32, a sum that is rounded to half once, at its end.
__global__ void ends(int *sums, float *floats, half *halves)
{
    unsigned ones = 0x7f7f7f7f, c0 = 0x7fffffff, c1 = 0x7fffffff, d0, d1, e0, e1;
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%2}, {%3, %4};"
                 : "=r"(d0), "=r"(d1)
                 : "r"(ones), "r"(c0), "r"(c1));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%2}, {%3, %4};"
                 : "=r"(e0), "=r"(e1)
                 : "r"(ones), "r"(c0), "r"(c1));
    float f[4], near_one = __uint_as_float(0x3f800fff), one = 1;
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
                 : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3])
                 : "r"(__float_as_uint(near_one)), "r"(__float_as_uint(one)), "f"(0.0f));
    // 2048 + 8 * 0.75: by halves each sum would stay 2048, 2050, ...; at the end it is 2054.
    unsigned many = 0x3a003a00, first = 0x68006800, h0, h1;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2}, {%3}, {%4, %4};"
                 : "=r"(h0), "=r"(h1)
                 : "r"(many), "r"(0x3c003c00), "r"(first));
    unsigned rounded, halfs, bfloats;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(0x3f801000)));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halfs) : "f"(1.0f), "f"(-2.0f));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bfloats) : "f"(1.0f), "f"(-2.0f));
    sums[3] = rounded == 0x3f802000 && halfs == 0x3c00c000 && bfloats == 0x3f80c000;
    if (threadIdx.x == 0) {
        sums[0] = (int)d0, sums[1] = (int)e0, sums[2] = (int)e1;
        floats[0] = f[0], floats[1] = f[3];
        halves[0] = __ushort_as_half((unsigned short)h0);
        halves[1] = __ushort_as_half((unsigned short)(h1 >> 16));
    }
}

static void check_ends()
{
    int *sums;
    float *floats;
    half *halves;
    CHECK_CALL(cudaMallocManaged(&sums, 16));
    CHECK_CALL(cudaMallocManaged(&floats, 8));
    CHECK_CALL(cudaMallocManaged(&halves, 4));
    ends<<<1, 32>>>(sums, floats, halves);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_THAT(sums[0] == (int)(0x7fffffffu + 16u * 127 * 127) && sums[1] == 0x7fffffff && sums[2] == 0x7fffffff && sums[3]);
    CHECK_THAT(floats[0] == 4.0f && floats[1] == 4.0f);
    CHECK_THAT((float)halves[0] == 2054.0f && (float)halves[1] == 2054.0f);
}

int main()
{
    cudaDeviceProp device;
    CHECK_CALL(cudaGetDeviceProperties(&device, 0));
    const int arch = device.major * 10 + device.minor;
    unsigned *wrong;
    CHECK_CALL(cudaMallocManaged(&wrong, 4));
    *wrong = 0;
    check_loads();
    store<<<1, 32>>>(wrong);
    CHECK_CALL(cudaDeviceSynchronize());
    if (*wrong)
        printf("line %u\n", *wrong);
    CHECK_THAT(*wrong == 0);
    check_product(half_8, 16, 8, 8, true, true);
    check_product(half_half_8, 16, 8, 8, true, true);
    check_product(bytes_m8, 8, 8, 16, true, false);
    if (arch >= 80) {
        check_product(half_16, 16, 8, 16, true, true);
        check_product(half_half_16, 16, 8, 16, true, true);
        check_product(bfloat_16, 16, 8, 16, true, true);
        check_product(bfloat_8, 16, 8, 8, true, true);
        check_product(tf32_8, 16, 8, 8, true, true);
        check_product(tf32_4, 16, 8, 4, true, true);
        check_product(doubles, 8, 8, 4, true, true);
        check_product(bytes_32, 16, 8, 32, true, true);
        check_product(bytes_16, 16, 8, 16, false, true);
        check_ends();
    }
    puts("PASSED");
}
