/* hgemm.c - products of half-precision matrices on tensor cores: C = A * B^T with ldmatrix and mma, and how tiles lie in shared
 * memory.
 *
 * A is m x k, B n x k, both by rows, C m x n. A block of 4 warps makes 64 x 64 elements, a warp 32 x 32, in steps of 64 along k. A
 * row of a tile is then 128 bytes, as long as all banks: without more the 8 rows that ldmatrix takes at once lie in the same banks.
 * Padding moves each row on by 16 bytes; a swizzle exchanges the 16-byte pieces of a row by the row's number (as in CUTLASS).
 * halves.h has the matrices.
 */
#include "halves.h"

enum { PIECE = 8 /* halves in 16 bytes */, PIECES = TILE / PIECE };

/* Two registers of a lane in a word. */
typedef unsigned long long registers;

#ifdef __CUDACC__ /* for GPUs that have them; others would get wrong results */
struct four_registers {
    registers low, high;
};

__device__ __forceinline__ registers two(unsigned first, unsigned second)
{
    return first | (registers)second << 32;
}

__device__ __forceinline__ four_registers LOAD_MATRICES(const unsigned short *row)
{
    unsigned at = (unsigned)__cvta_generic_to_shared(row), a = 0, b = 0, c = 0, d = 0;
#if __CUDA_ARCH__ >= 750
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at));
#endif
    four_registers all = {two(a, b), two(c, d)};
    return all;
}

__device__ __forceinline__ void STORE_MATRICES(unsigned short *row, registers low, registers high)
{
#if __CUDA_ARCH__ >= 900
    unsigned at = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
                 "r"((unsigned)low), "r"((unsigned)(low >> 32)), "r"((unsigned)high),
                 "r"((unsigned)(high >> 32))
                 : "memory");
#endif
}

__device__ __forceinline__ registers PRODUCT(four_registers a, registers b, registers c)
{
    unsigned d0 = 0, d1 = 0;
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, "
                 "{%6, %7}, {%8, %9};"
                 : "=r"(d0), "=r"(d1)
                 : "r"((unsigned)a.low), "r"((unsigned)(a.low >> 32)), "r"((unsigned)a.high),
                   "r"((unsigned)(a.high >> 32)), "r"((unsigned)b), "r"((unsigned)(b >> 32)),
                   "r"((unsigned)c), "r"((unsigned)(c >> 32)));
#endif
    return two(d0, d1);
}
#else
#include "warplens/cuda_matrix_calls.h"

#define four_registers struct wl_words
#define LOAD_MATRICES(row) wl_ldmatrix(4, 0, row)
#define STORE_MATRICES(row, low, high) wl_stmatrix(4, 0, row, low, high)

static const struct wl_product halves = {16, 8, 16, WL_F16, WL_F16, WL_F16, WL_F16, 0};

#define PRODUCT(a, b, c)                                                                           \
    (wl_fragment_give(WL_MATRIX_A, (a).low, (a).high, 0, 0),                                       \
     wl_fragment_give(WL_MATRIX_B, b, 0, 0, 0), wl_fragment_give(WL_ACCUMULATOR, c, 0, 0, 0),      \
     wl_mma(&halves).low)
#endif

/* Where a row's piece lies in a tile whose rows are `pitch` halves apart. */
#define AT(row, piece) ((row)*pitch + ((piece) ^ ((row)&swizzle)) * PIECE)

/* Matrix by matrix: of A, and of results, the lower rows before the next columns; of B the next columns first. */
#define A_ROW (lane % 16)
#define A_PIECE (lane / 16)
#define B_ROW (lane / 16 * 8 + lane % 8)
#define B_PIECE (lane / 8 % 2)

/* Two neighbouring tiles of 16 x 8: a lane has two halves of 4 rows. */
static __device__ __forceinline__ void put(unsigned short *C, int n, registers left,
                                           registers right)
{
    *(unsigned *)C = (unsigned)left;
    *(unsigned *)&C[8] = (unsigned)right;
    *(unsigned *)&C[8 * n] = (unsigned)(left >> 32);
    *(unsigned *)&C[8 * n + 8] = (unsigned)(right >> 32);
}

static __device__ __forceinline__ void multiply(const unsigned short *A, const unsigned short *B,
                                                unsigned short *C, int n, int k, unsigned short *As,
                                                unsigned short *Bs, int pitch, int swizzle,
                                                int by_matrices)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int top = warp / 2 * 32, left = warp % 2 * 32;
    registers c[8] = {0, 0, 0, 0, 0, 0, 0, 0}; /* 2 x 4 tiles of 16 x 8 */
    A += (size_t)blockIdx.y * TILE * k;
    B += (size_t)blockIdx.x * TILE * k;
    C += (size_t)blockIdx.y * TILE * n + blockIdx.x * TILE;
    for (int from = 0; from < k; from += TILE) {
        for (int i = threadIdx.x; i < TILE * PIECES; i += blockDim.x) {
            const int row = i / PIECES, piece = i % PIECES;
            const sixteen_bytes a = *(const sixteen_bytes *)&A[row * k + from + piece * PIECE];
            const sixteen_bytes b = *(const sixteen_bytes *)&B[row * k + from + piece * PIECE];
            *(sixteen_bytes *)&As[AT(row, piece)] = a;
            *(sixteen_bytes *)&Bs[AT(row, piece)] = b;
        }
        __syncthreads();
        for (int step = 0; step < PIECES; step += 2) { /* 16 of k */
            const four_registers a0 = LOAD_MATRICES(&As[AT(top + A_ROW, step + A_PIECE)]);
            const four_registers a1 = LOAD_MATRICES(&As[AT(top + 16 + A_ROW, step + A_PIECE)]);
            const four_registers b0 = LOAD_MATRICES(&Bs[AT(left + B_ROW, step + B_PIECE)]);
            const four_registers b1 = LOAD_MATRICES(&Bs[AT(left + 16 + B_ROW, step + B_PIECE)]);
            c[0] = PRODUCT(a0, b0.low, c[0]);
            c[1] = PRODUCT(a0, b0.high, c[1]);
            c[2] = PRODUCT(a0, b1.low, c[2]);
            c[3] = PRODUCT(a0, b1.high, c[3]);
            c[4] = PRODUCT(a1, b0.low, c[4]);
            c[5] = PRODUCT(a1, b0.high, c[5]);
            c[6] = PRODUCT(a1, b1.low, c[6]);
            c[7] = PRODUCT(a1, b1.high, c[7]);
        }
        __syncthreads();
    }
    if (!by_matrices) {
        C += (top + lane / 4) * n + left + lane % 4 * 2;
        put(C, n, c[0], c[1]);
        put(C + 16, n, c[2], c[3]);
        put(C + 16 * n, n, c[4], c[5]);
        put(C + 16 * n + 16, n, c[6], c[7]);
        return;
    }
    STORE_MATRICES(&As[AT(top + A_ROW, left / PIECE + A_PIECE)], c[0], c[1]);
    STORE_MATRICES(&As[AT(top + A_ROW, left / PIECE + 2 + A_PIECE)], c[2], c[3]);
    STORE_MATRICES(&As[AT(top + 16 + A_ROW, left / PIECE + A_PIECE)], c[4], c[5]);
    STORE_MATRICES(&As[AT(top + 16 + A_ROW, left / PIECE + 2 + A_PIECE)], c[6], c[7]);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * PIECES; i += blockDim.x) {
        const int row = i / PIECES, piece = i % PIECES;
        const sixteen_bytes results = *(const sixteen_bytes *)&As[AT(row, piece)];
        *(sixteen_bytes *)&C[row * n + piece * PIECE] = results;
    }
}

#define PADDED (TILE + PIECE)

__global__ void hgemmPlain(const unsigned short *A, const unsigned short *B, unsigned short *C,
                           int n, int k)
{
    __shared__ unsigned short As[TILE * TILE];
    __shared__ unsigned short Bs[TILE * TILE];
    multiply(A, B, C, n, k, As, Bs, TILE, 0, 0);
}
KERNEL_LAUNCHER(hgemmPlain, const unsigned short *, const unsigned short *, unsigned short *, int,
                int)

__global__ void hgemmPadded(const unsigned short *A, const unsigned short *B, unsigned short *C,
                            int n, int k)
{
    __shared__ unsigned short As[TILE * PADDED];
    __shared__ unsigned short Bs[TILE * PADDED];
    multiply(A, B, C, n, k, As, Bs, PADDED, 0, 0);
}
KERNEL_LAUNCHER(hgemmPadded, const unsigned short *, const unsigned short *, unsigned short *, int,
                int)

__global__ void hgemmSwizzled(const unsigned short *A, const unsigned short *B, unsigned short *C,
                              int n, int k)
{
    __shared__ unsigned short As[TILE * TILE];
    __shared__ unsigned short Bs[TILE * TILE];
    multiply(A, B, C, n, k, As, Bs, TILE, PIECES - 1, 0);
}
KERNEL_LAUNCHER(hgemmSwizzled, const unsigned short *, const unsigned short *, unsigned short *,
                int, int)

__global__ void hgemmStmatrix(const unsigned short *A, const unsigned short *B, unsigned short *C,
                              int n, int k)
{
    __shared__ unsigned short As[TILE * TILE];
    __shared__ unsigned short Bs[TILE * TILE];
    multiply(A, B, C, n, k, As, Bs, TILE, PIECES - 1, 1);
}
KERNEL_LAUNCHER(hgemmStmatrix, const unsigned short *, const unsigned short *, unsigned short *,
                int, int)

/* ---- Host code -------------------------------------------------------------------------------------- */

static void run_hgemmPlain(const struct gallery_args *args)
{
    run_halves(args, launch_hgemmPlain);
}

static void run_hgemmPadded(const struct gallery_args *args)
{
    run_halves(args, launch_hgemmPadded);
}

static void run_hgemmSwizzled(const struct gallery_args *args)
{
    run_halves(args, launch_hgemmSwizzled);
}

static void run_hgemmStmatrix(const struct gallery_args *args)
{
    run_halves(args, launch_hgemmStmatrix);
}

static const struct gallery_kernel kernels[] = {
    {"hgemmPlain", "half-precision product by ldmatrix and mma, tiles as they are (sm_80)",
     "The 8 rows of a matrix are 128 bytes apart and lie in the same four banks: each ldmatrix "
     "takes 8 passes a matrix.",
     run_hgemmPlain, HALVES_SIZES},
    {"hgemmPadded", "the same with rows of 144 bytes (sm_80)",
     "Rows move on by 16 bytes, so 8 of them lie in 8 groups of four banks: a pass a matrix, for "
     "an eighth more shared memory.",
     run_hgemmPadded, HALVES_SIZES},
    {"hgemmSwizzled", "the same with the 16-byte pieces of a row exchanged by its number (sm_80)",
     "Exclusive or with the row's number spreads a column of pieces over all banks: no conflict "
     "and no padding.",
     run_hgemmSwizzled, HALVES_SIZES},
    {"hgemmStmatrix",
     "the swizzled one, whose results go through shared memory by stmatrix (sm_90)",
     "stmatrix puts fragments together to rows; what is stored in global memory are whole sectors "
     "then, instead of halves.",
     run_hgemmStmatrix, HALVES_SIZES},
};
GALLERY_TOPIC(hgemm, "Tensor cores", kernels);
