/* wmma.c - the product of hgemm.c by nvcuda::wmma: fragments straight from global memory, and through tiles in shared memory.
 *
 * load_matrix_sync takes a pointer and the distance of rows, and says nothing of lanes: which 16 x 16 halves a fragment has is
 * known, which lane has which is the compiler's. From shared memory nvcc makes an ldmatrix of it, from global memory loads of
 * 4 bytes a lane. A block of 4 warps makes 64 x 64 elements, a warp 32 x 32, in steps of 16 along k.
 */
#include "halves.h"

enum { FRAGMENT = 16 };

#if defined(__CUDACC__) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700)
#include <mma.h>

using namespace nvcuda;

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fragment_a;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fragment_b;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, __half> fragment_c;

#define HALVES(p) reinterpret_cast<const __half *>(p)
#define LOAD_A(a, from, ld) wmma::load_matrix_sync(a, HALVES(from), ld)
#define LOAD_B(b, from, ld) wmma::load_matrix_sync(b, HALVES(from), ld)
#define STORE_C(to, c, ld)                                                                         \
    wmma::store_matrix_sync(reinterpret_cast<__half *>(to), c, ld, wmma::mem_row_major)
#define CLEAR(c) wmma::fill_fragment(c, __half(0.0f))
#define ADD_PRODUCT(c, a, b) wmma::mma_sync(c, a, b, c)

#elif defined(__CUDACC__) /* GPUs before sm_70, which would get wrong results */
typedef int fragment_a, fragment_b, fragment_c;

#define LOAD_A(a, from, ld) (a = 0)
#define LOAD_B(b, from, ld) (b = 0)
#define STORE_C(to, c, ld) ((void)0)
#define CLEAR(c) (c = 0)
#define ADD_PRODUCT(c, a, b) (c += a * b)

#else
#include "warplens/cuda_matrix_calls.h"

typedef struct wl_words fragment_a, fragment_b, fragment_c;

static const struct wl_fragment a_by_rows = {WL_MATRIX_A, 16, 16, 16, 2, 0, 0};
static const struct wl_fragment b_by_columns = {WL_MATRIX_B, 16, 16, 16, 2, 1, 0};
static const struct wl_fragment c_by_rows = {WL_ACCUMULATOR, 16, 16, 16, 2, 0, 0};
static const struct wl_product halves = {16, 16, 16, WL_F16, WL_F16, WL_F16, WL_F16, 0};

#define GIVE(use, f) wl_fragment_give(use, (f).low, (f).high, 0, 0)
#define LOAD_A(a, from, ld) (a = wl_fragment_load(&a_by_rows, from, ld, __FILE__, __LINE__))
#define LOAD_B(b, from, ld) (b = wl_fragment_load(&b_by_columns, from, ld, __FILE__, __LINE__))
#define STORE_C(to, c, ld)                                                                         \
    (GIVE(WL_ACCUMULATOR, c), wl_fragment_store(&c_by_rows, to, ld, __FILE__, __LINE__))
#define CLEAR(c) ((c).low = (c).high = 0)
#define ADD_PRODUCT(c, a, b)                                                                       \
    (GIVE(WL_MATRIX_A, a), GIVE(WL_MATRIX_B, b), GIVE(WL_ACCUMULATOR, c), c = wl_mma(&halves))
#endif

/* 16 of k for the warp's 32 x 32 elements: A and B begin at its rows. */
static __device__ __forceinline__ void step(fragment_c c[4], const unsigned short *A,
                                            const unsigned short *B, int pitch)
{
    fragment_a a0, a1;
    fragment_b b0, b1;
    LOAD_A(a0, A, pitch);
    LOAD_A(a1, A + FRAGMENT * pitch, pitch);
    LOAD_B(b0, B, pitch);
    LOAD_B(b1, B + FRAGMENT * pitch, pitch);
    ADD_PRODUCT(c[0], a0, b0);
    ADD_PRODUCT(c[1], a0, b1);
    ADD_PRODUCT(c[2], a1, b0);
    ADD_PRODUCT(c[3], a1, b1);
}

#define WARP_TOP (threadIdx.x / 64 * 32)
#define WARP_LEFT (threadIdx.x / 32 % 2 * 32)

static __device__ __forceinline__ void clear(fragment_c c[4])
{
    CLEAR(c[0]);
    CLEAR(c[1]);
    CLEAR(c[2]);
    CLEAR(c[3]);
}

static __device__ __forceinline__ void put(unsigned short *C, int n, const fragment_c c[4])
{
    C += (size_t)(blockIdx.y * TILE + WARP_TOP) * n + blockIdx.x * TILE + WARP_LEFT;
    STORE_C(C, c[0], n);
    STORE_C(C + FRAGMENT, c[1], n);
    STORE_C(C + FRAGMENT * n, c[2], n);
    STORE_C(C + FRAGMENT * n + FRAGMENT, c[3], n);
}

__global__ void wmmaGlobal(const unsigned short *A, const unsigned short *B, unsigned short *C,
                           int n, int k)
{
    fragment_c c[4];
    clear(c);
    A += (size_t)(blockIdx.y * TILE + WARP_TOP) * k;
    B += (size_t)(blockIdx.x * TILE + WARP_LEFT) * k;
    for (int from = 0; from < k; from += FRAGMENT)
        step(c, A + from, B + from, k);
    put(C, n, c);
}
KERNEL_LAUNCHER(wmmaGlobal, const unsigned short *, const unsigned short *, unsigned short *, int,
                int)

static __device__ __forceinline__ void through_tiles(const unsigned short *A,
                                                     const unsigned short *B, unsigned short *C,
                                                     int n, int k, unsigned short *As,
                                                     unsigned short *Bs, int pitch)
{
    enum { PIECE = 8 /* halves in 16 bytes */, PIECES = TILE / PIECE };
    fragment_c c[4];
    clear(c);
    A += (size_t)blockIdx.y * TILE * k;
    B += (size_t)blockIdx.x * TILE * k;
    for (int from = 0; from < k; from += TILE) {
        for (int i = threadIdx.x; i < TILE * PIECES; i += blockDim.x) {
            const int row = i / PIECES, column = i % PIECES * PIECE;
            const sixteen_bytes a = *(const sixteen_bytes *)&A[row * k + from + column];
            const sixteen_bytes b = *(const sixteen_bytes *)&B[row * k + from + column];
            *(sixteen_bytes *)&As[row * pitch + column] = a;
            *(sixteen_bytes *)&Bs[row * pitch + column] = b;
        }
        __syncthreads();
        for (int at = 0; at < TILE; at += FRAGMENT)
            step(c, &As[WARP_TOP * pitch + at], &Bs[WARP_LEFT * pitch + at], pitch);
        __syncthreads();
    }
    put(C, n, c);
}

__global__ void wmmaTiles(const unsigned short *A, const unsigned short *B, unsigned short *C,
                          int n, int k)
{
    __shared__ __align__(32) unsigned short As[TILE * TILE];
    __shared__ __align__(32) unsigned short Bs[TILE * TILE];
    through_tiles(A, B, C, n, k, As, Bs, TILE);
}
KERNEL_LAUNCHER(wmmaTiles, const unsigned short *, const unsigned short *, unsigned short *, int,
                int)

/* Rows of 144 bytes: load_matrix_sync allows distances that are multiples of 16 bytes. */
#define PADDED (TILE + 8)

__global__ void wmmaPadded(const unsigned short *A, const unsigned short *B, unsigned short *C,
                           int n, int k)
{
    __shared__ __align__(32) unsigned short As[TILE * PADDED];
    __shared__ __align__(32) unsigned short Bs[TILE * PADDED];
    through_tiles(A, B, C, n, k, As, Bs, PADDED);
}
KERNEL_LAUNCHER(wmmaPadded, const unsigned short *, const unsigned short *, unsigned short *, int,
                int)

/* ---- Host code -------------------------------------------------------------------------------------- */

static void run_wmmaGlobal(const struct gallery_args *args)
{
    run_halves(args, launch_wmmaGlobal);
}

static void run_wmmaTiles(const struct gallery_args *args)
{
    run_halves(args, launch_wmmaTiles);
}

static void run_wmmaPadded(const struct gallery_args *args)
{
    run_halves(args, launch_wmmaPadded);
}

static const struct gallery_kernel kernels[] = {
    {"wmmaGlobal", "half-precision product by wmma, fragments straight from global memory (sm_75)",
     "A fragment of 16 x 16 halves is 4 loads of 4 bytes a lane, each of 8 rows and half a sector "
     "of each; and every warp brings all it needs itself.",
     run_wmmaGlobal, HALVES_SIZES},
    {"wmmaTiles", "the same through tiles in shared memory, rows of 128 bytes (sm_75)",
     "Four warps share what is brought, 16 bytes a lane; load_matrix_sync becomes an ldmatrix, "
     "whose 8 rows lie in the same banks: 8 passes a matrix.",
     run_wmmaTiles, HALVES_SIZES},
    {"wmmaPadded", "the same with rows of 144 bytes (sm_75)",
     "Another distance of rows is all that changes, and the conflicts are gone. A swizzle cannot "
     "be "
     "told to load_matrix_sync: it needs ldmatrix.",
     run_wmmaPadded, HALVES_SIZES},
};
GALLERY_TOPIC(wmma, "Matrix fragments by wmma", kernels);
