// hgemm.cu - C = A * B of halves on tensor cores in six forms: tiles in shared memory plain, padded or swizzled, filled through
// registers or by cp.async with two tiles of each matrix.
//
//   hgemm [N]     N x N x N, a multiple of 128; 1024 if none is given
//
// A block of 8 warps makes 128 x 128 elements in steps of 32 along k, a warp 64 x 32. A is read by ldmatrix, B (k by rows) by
// ldmatrix.trans. Values are small integers, so that every sum is exact.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <vector>

#define CHECK(call)                                                                                     \
    do {                                                                                                \
        cudaError_t error = call;                                                                       \
        if (error != cudaSuccess) {                                                                     \
            printf("%s: %s\n", #call, cudaGetErrorString(error));                                       \
            exit(1);                                                                                    \
        }                                                                                               \
    } while (0)

enum { M_TILE = 128, N_TILE = 128, K_TILE = 32, THREADS = 256, PIECE = 8 };
enum layout { PLAIN, PADDED, SWIZZLED };

template <layout L, int COLUMNS> __device__ int place(int row, int column)
{
    if (L == PADDED)
        return row * (COLUMNS + PIECE) + column;
    if (L == SWIZZLED && COLUMNS == K_TILE) // rows of 64 bytes: two lie side by side in the banks
        return row * COLUMNS + (column ^ (row / 2 % 4 * PIECE));
    if (L == SWIZZLED)
        return row * COLUMNS + (column ^ (row % 8 * PIECE));
    return row * COLUMNS + column;
}

template <layout L> struct tiles {
    enum { EXTRA = L == PADDED ? PIECE : 0 };
    half a[M_TILE * (K_TILE + EXTRA)];
    half b[K_TILE * (N_TILE + EXTRA)];
};

template <bool ASYNC> __device__ void copy(half *to, const half *from)
{
    if (ASYNC) {
        unsigned at = (unsigned)__cvta_generic_to_shared(to);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    } else {
        *(uint4 *)to = *(const uint4 *)from;
    }
}

template <layout L, bool ASYNC> __device__ void fill(tiles<L> &t, const half *a, const half *b, int n)
{
    for (int i = threadIdx.x; i < M_TILE * K_TILE / PIECE; i += THREADS) {
        const int row = i / (K_TILE / PIECE), column = i % (K_TILE / PIECE) * PIECE;
        copy<ASYNC>(&t.a[place<L, K_TILE>(row, column)], a + (size_t)row * n + column);
    }
    for (int i = threadIdx.x; i < K_TILE * N_TILE / PIECE; i += THREADS) {
        const int row = i / (N_TILE / PIECE), column = i % (N_TILE / PIECE) * PIECE;
        copy<ASYNC>(&t.b[place<L, N_TILE>(row, column)], b + (size_t)row * n + column);
    }
}

template <layout L> __device__ void multiply(const tiles<L> &t, float sums[4][4][4])
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int top = warp / 4 * 64, left = warp % 4 * 32;
#pragma unroll
    for (int k = 0; k < K_TILE; k += 16) {
        unsigned a[4][4], b[4][2];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            unsigned at = (unsigned)__cvta_generic_to_shared(&t.a[place<L, K_TILE>(top + i * 16 + lane % 16, k + lane / 16 * 8)]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                         : "r"(at));
        }
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
            unsigned at = (unsigned)__cvta_generic_to_shared(&t.b[place<L, N_TILE>(k + lane % 16, left + j * 8 + lane / 16 * 8)]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b[j][0]), "=r"(b[j][1]), "=r"(b[j + 1][0]), "=r"(b[j + 1][1])
                         : "r"(at));
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                             "{%8, %9}, {%0, %1, %2, %3};"
                             : "+f"(sums[i][j][0]), "+f"(sums[i][j][1]), "+f"(sums[i][j][2]), "+f"(sums[i][j][3])
                             : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
    }
}

template <layout L, bool ASYNC> __global__ void __launch_bounds__(THREADS) hgemm(const half *a, const half *b, float *c, int n)
{
    __shared__ __align__(128) tiles<L> t[ASYNC ? 2 : 1];
    float sums[4][4][4] = {};
    a += (size_t)blockIdx.y * M_TILE * n;
    b += blockIdx.x * N_TILE;
    if (ASYNC) {
        fill<L, true>(t[0], a, b, n);
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    for (int k = 0; k < n; k += K_TILE) {
        const int now = ASYNC ? k / K_TILE % 2 : 0;
        if (!ASYNC) {
            fill<L, false>(t[0], a + k, b + (size_t)k * n, n);
        } else if (k + K_TILE < n) {
            fill<L, true>(t[ASYNC ? 1 - now : 0], a + k + K_TILE, b + (size_t)(k + K_TILE) * n, n);
            asm volatile("cp.async.commit_group;" ::: "memory");
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        multiply<L>(t[now], sums);
        __syncthreads();
    }
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    c += (size_t)(blockIdx.y * M_TILE + warp / 4 * 64 + lane / 4) * n + blockIdx.x * N_TILE + warp % 4 * 32 + lane % 4 * 2;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++)
                *(float2 *)&c[(size_t)(i * 16 + h * 8) * n + j * 8] = make_float2(sums[i][j][2 * h], sums[i][j][2 * h + 1]);
}

static int a_of(int row, int k) { return (row * 7 + k * 3) % 5 - 2; }
static int b_of(int k, int column) { return (k * 5 + column * 11) % 7 - 3; }

// Both inputs repeat, in k by 5 and by 7: a sum of n is one of 35 pairs, each so often.
static bool is_right(const std::vector<float> &c, int n)
{
    for (int row = 0; row < n; row += 13)
        for (int column = 0; column < n; column += 7) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += a_of(row, k) * b_of(k, column);
            if (c[(size_t)row * n + column] != (float)sum)
                return false;
        }
    return true;
}

template <layout L, bool ASYNC> static bool run(const char *name, const half *a, const half *b, float *c, int n)
{
    std::vector<float> result((size_t)n * n);
    CHECK(cudaMemset(c, 0, result.size() * sizeof(float)));
    hgemm<L, ASYNC><<<dim3(n / N_TILE, n / M_TILE), THREADS>>>(a, b, c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result.data(), c, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    const bool right = is_right(result, n);
    printf("%-16s %s\n", name, right ? "right" : "WRONG");
    return right;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1024;
    if (n < 128 || n % 128) {
        printf("hgemm: N is a multiple of 128\n");
        return 2;
    }
    std::vector<half> host((size_t)n * n);
    half *a, *b;
    float *c;
    CHECK(cudaMalloc(&a, host.size() * sizeof(half)));
    CHECK(cudaMalloc(&b, host.size() * sizeof(half)));
    CHECK(cudaMalloc(&c, host.size() * sizeof(float)));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            host[(size_t)i * n + j] = __float2half((float)a_of(i, j));
    CHECK(cudaMemcpy(a, host.data(), host.size() * sizeof(half), cudaMemcpyHostToDevice));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            host[(size_t)i * n + j] = __float2half((float)b_of(i, j));
    CHECK(cudaMemcpy(b, host.data(), host.size() * sizeof(half), cudaMemcpyHostToDevice));
    bool right = run<PLAIN, false>("plain", a, b, c, n);
    right &= run<PADDED, false>("padded", a, b, c, n);
    right &= run<SWIZZLED, false>("swizzled", a, b, c, n);
    right &= run<PLAIN, true>("plain async", a, b, c, n);
    right &= run<PADDED, true>("padded async", a, b, c, n);
    right &= run<SWIZZLED, true>("swizzled async", a, b, c, n);
    printf(right ? "PASSED\n" : "FAILED\n");
    return !right;
}
