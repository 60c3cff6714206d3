/* matmul.c - matrix multiplication C = A * B: naive, through tiles, with results in registers.
 *
 * MatMulKernel is the CUDA programming guide's and matrixMul the SDK sample's, whose sizes are the
 * defaults: A is 80 x 48, B is 48 x 128, a grid of 8 x 5 blocks of 16x16. sgemmNN is Volkov's
 * scheme (Volkov and Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", 2008): blocks of
 * 16x4 threads make 64 x 16 elements of C, 16 in the registers of each thread; matrices are
 * column-major. matrixMult is the tile algorithm in double precision. Sizes must be multiples of
 * the tile. Shared loads are one word each, as written; nvcc may join a thread's neighbouring
 * As[ty][k] into one load.
 */
#include "gallery.h"

#define BLOCK_SIZE 16
#define BASE_TYPE double

struct Matrix {
    int width, height;
    float *elements;
};

__global__ void MatMulKernel(struct Matrix A, struct Matrix B, struct Matrix C)
{
    float Cvalue = 0;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    for (int e = 0; e < A.width; ++e)
        Cvalue += A.elements[row * A.width + e] * B.elements[e * B.width + col];
    C.elements[row * C.width + col] = Cvalue;
}
KERNEL_LAUNCHER(MatMulKernel, struct Matrix, struct Matrix, struct Matrix)

__global__ void matrixMul(float *C, float *A, float *B, int wA, int wB)
{
    __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;

    int aBegin = wA * BLOCK_SIZE * by; /* first tile of A for this block: down its left edge */
    int aEnd = aBegin + wA - 1;
    int aStep = BLOCK_SIZE;
    int bBegin = BLOCK_SIZE * bx; /* first tile of B: along its upper edge */
    int bStep = BLOCK_SIZE * wB;
    float Csub = 0;

    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
        As[ty][tx] = A[a + wA * ty + tx];
        Bs[ty][tx] = B[b + wB * ty + tx];
        __syncthreads();

        for (int k = 0; k < BLOCK_SIZE; ++k)
            Csub += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }

    int c = wB * BLOCK_SIZE * by + BLOCK_SIZE * bx;
    C[c + wB * ty + tx] = Csub;
}
KERNEL_LAUNCHER(matrixMul, float *, float *, float *, int, int)

__global__ void sgemmNN(const float *A, int lda, const float *B, int ldb, float *C, int ldc, int k)
{
    A += blockIdx.x * 64 + threadIdx.x + threadIdx.y * 16;
    B += threadIdx.x + (blockIdx.y * 16 + threadIdx.y) * ldb;
    C += blockIdx.x * 64 + threadIdx.x + (threadIdx.y + blockIdx.y * ldc) * 16;

    __shared__ float bs[16][17];
    float c[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const float *Blast = B + k;

    do {
        for (int i = 0; i < 16; i += 4)
            bs[threadIdx.x][threadIdx.y + i] = B[i * ldb];
        B += 16;
        __syncthreads();

        for (int i = 0; i < 16; i++, A += lda) {
            const float a = A[0];
            for (int j = 0; j < 16; j++)
                c[j] += a * bs[i][j];
        }
        __syncthreads();
    } while (B < Blast);

    for (int j = 0; j < 16; j++, C += ldc)
        C[0] = c[j];
}
KERNEL_LAUNCHER(sgemmNN, const float *, int, const float *, int, float *, int, int)

__global__ void matrixMult(const BASE_TYPE *A, const BASE_TYPE *B, BASE_TYPE *C, int Acols,
                           int Bcols)
{
    int aBegin = Acols * blockDim.y * blockIdx.y;
    int aEnd = aBegin + Acols - 1;
    int aStep = blockDim.x;
    int bBegin = blockDim.x * blockIdx.x;
    int bStep = blockDim.y * Bcols;

    __shared__ BASE_TYPE as[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ BASE_TYPE bs[BLOCK_SIZE][BLOCK_SIZE];

    BASE_TYPE sum = 0.0;
    for (int ia = aBegin, ib = bBegin; ia < aEnd; ia += aStep, ib += bStep) {
        as[threadIdx.y][threadIdx.x] = A[ia + Acols * threadIdx.y + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = B[ib + Bcols * threadIdx.y + threadIdx.x];
        __syncthreads();

        for (int k = 0; k < blockDim.x; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }

    int ind =
        Bcols * (blockDim.y * blockIdx.y + threadIdx.y) + blockDim.x * blockIdx.x + threadIdx.x;
    C[ind] = sum;
}
KERNEL_LAUNCHER(matrixMult, const BASE_TYPE *, const BASE_TYPE *, BASE_TYPE *, int, int)

/* C += A * B, row-major; C is rows x cols and A rows x inner. */
static void product_f32(float *C, const float *A, const float *B, int rows, int inner, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < cols; j++)
                C[i * cols + j] += A[i * inner + k] * B[k * cols + j];
}

static void product_f64(double *C, const double *A, const double *B, int rows, int inner, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < cols; j++)
                C[i * cols + j] += A[i * inner + k] * B[k * cols + j];
}

static void run_MatMulKernel(const struct gallery_args *args)
{
    const int hA = gallery_int(args, "hA"), wA = gallery_int(args, "wA"),
              wB = gallery_int(args, "wB");
    GALLERY_INPUT(float, A, hA *wA);
    GALLERY_INPUT(float, B, wA *wB);
    GALLERY_OUTPUT(float, C, hA *wB);
    const struct Matrix d_A = {wA, hA, A}, d_B = {wB, wA, B}, d_C = {wB, hA, C};
    launch_MatMulKernel(make_dim3(wB / BLOCK_SIZE, hA / BLOCK_SIZE, 1),
                        make_dim3(BLOCK_SIZE, BLOCK_SIZE, 1), 0, d_A, d_B, d_C);
    product_f32(C_host, A_host, B_host, hA, wA, wB);
    GALLERY_CHECK(C, hA * wB);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static void run_matrixMul(const struct gallery_args *args)
{
    const int hA = gallery_int(args, "hA"), wA = gallery_int(args, "wA"),
              wB = gallery_int(args, "wB");
    GALLERY_INPUT(float, A, hA *wA);
    GALLERY_INPUT(float, B, wA *wB);
    GALLERY_OUTPUT(float, C, hA *wB);
    launch_matrixMul(make_dim3(wB / BLOCK_SIZE, hA / BLOCK_SIZE, 1),
                     make_dim3(BLOCK_SIZE, BLOCK_SIZE, 1), 0, C, A, B, wA, wB);
    product_f32(C_host, A_host, B_host, hA, wA, wB);
    GALLERY_CHECK(C, hA * wB);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static void run_sgemmNN(const struct gallery_args *args)
{
    const int m = gallery_int(args, "m"), n = gallery_int(args, "n"), k = gallery_int(args, "k");
    GALLERY_INPUT(float, A, m *k);
    GALLERY_INPUT(float, B, k *n);
    GALLERY_OUTPUT(float, C, m *n);
    launch_sgemmNN(make_dim3(m / 64, n / 16, 1), make_dim3(16, 4, 1), 0, A, m, B, k, C, m, k);
    /* Column-major C = A * B is row-major C' = B' * A'. */
    product_f32(C_host, B_host, A_host, n, k, m);
    GALLERY_CHECK(C, m * n);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static void run_matrixMult(const struct gallery_args *args)
{
    const int Arows = gallery_int(args, "Arows"), Acols = gallery_int(args, "Acols");
    const int Bcols = gallery_int(args, "Bcols");
    GALLERY_INPUT(BASE_TYPE, A, Arows * Acols);
    GALLERY_INPUT(BASE_TYPE, B, Acols * Bcols);
    GALLERY_OUTPUT(BASE_TYPE, C, Arows * Bcols);
    launch_matrixMult(make_dim3(Bcols / BLOCK_SIZE, Arows / BLOCK_SIZE, 1),
                      make_dim3(BLOCK_SIZE, BLOCK_SIZE, 1), 0, A, B, C, Acols, Bcols);
    product_f64(C_host, A_host, B_host, Arows, Acols, Bcols);
    GALLERY_CHECK(C, Arows * Bcols);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static const struct gallery_kernel kernels[] = {
    {"MatMulKernel",
     "multiplies matrices, each thread one row of A by one column of B from global memory",
     "All lanes of a half-warp load one word of A: 16 transactions on sm_10, one on sm_13, one "
     "sector later; B comes in whole pieces of 64 bytes. The cost is the number of loads: every "
     "element of A is loaded by wB threads and every element of B by hA.",
     run_MatMulKernel,
     {{"hA", 80, 16, 1024, 16, "rows of A and C"},
      {"wA", 48, 16, 1024, 16, "columns of A, rows of B"},
      {"wB", 128, 16, 1024, 16, "columns of B and C"}}},
    {"matrixMul",
     "multiplies matrices through 16x16 tiles of A and B in shared memory",
     "Tiles cut the loads of global memory to a sixteenth, and all of them coalesce. In shared "
     "memory As[ty][k] is one word for a half-warp, a broadcast, and Bs[k][tx] a row: no conflicts "
     "on any generation.",
     run_matrixMul,
     {{"hA", 80, 16, 1024, 16, "rows of A and C"},
      {"wA", 48, 16, 1024, 16, "columns of A, rows of B"},
      {"wB", 128, 16, 1024, 16, "columns of B and C"}}},
    {"sgemmNN",
     "multiplies column-major matrices, each thread 16 elements of C in registers",
     "One coalesced load of A serves 16 multiplications, and B comes from shared memory as "
     "broadcasts. bs[16][17] is filled by columns: conflict-free for the half-warps of sm_1x, two "
     "passes for a warp on 32 banks.",
     run_sgemmNN,
     {{"m", 64, 64, 1024, 64, "rows of A and C"},
      {"n", 64, 16, 1024, 16, "columns of B and C"},
      {"k", 64, 16, 1024, 16, "columns of A, rows of B"}}},
    {"matrixMult",
     "multiplies matrices of doubles through 16x16 tiles in shared memory",
     "A half-warp's row bs[k][tx] of 16 doubles is 32 words: a 2-way conflict on the 16 banks of "
     "sm_13, the first with doubles, and none on the 32 banks from sm_20 on. Global loads stay "
     "coalesced, 128 bytes a half-warp.",
     run_matrixMult,
     {{"Arows", 128, 16, 1024, 16, "rows of A and C"},
      {"Acols", 128, 16, 1024, 16, "columns of A, rows of B"},
      {"Bcols", 128, 16, 1024, 16, "columns of B and C"}}},
};
GALLERY_TOPIC(matmul, "Matrix multiplication: naive, tiled, in registers", kernels);
