/* async.c - tiles that are on their way while others are used: C = A * B through registers, and by cp.async.
 *
 * A is m x k, B k x n, C m x n, all by rows. A block of 32 x 8 threads makes 32 x 32 elements of C in steps of 32 along k, a
 * thread four of them, 8 rows apart. A thread brings 16 bytes of each tile, a warp four rows of 128 bytes. `pad` floats behind
 * each row of a tile move the rows on; no access here needs that, so that what padding costs a copy stands alone.
 */
#include "async_copy.h"
#include "gallery.h"

enum { TILE = 32, ROWS = 8 /* of threads */, PIECE = 4 /* floats in 16 bytes */ };

/* The thread's piece of a tile. */
#define ROW (threadIdx.y * PIECE + threadIdx.x / ROWS)
#define COLUMN (threadIdx.x % ROWS * PIECE)

static __device__ __forceinline__ void multiply(const float *As, const float *Bs, int pitch,
                                                float sums[4])
{
    As += threadIdx.y * pitch;
    Bs += threadIdx.x;
    for (int k = 0; k < TILE; k++) {
        const float b = Bs[k * pitch];
        sums[0] += As[k] * b;
        sums[1] += As[k + ROWS * pitch] * b;
        sums[2] += As[k + 2 * ROWS * pitch] * b;
        sums[3] += As[k + 3 * ROWS * pitch] * b;
    }
}

static __device__ __forceinline__ void put(float *C, int n, const float sums[4])
{
    C += (size_t)(blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE + threadIdx.x;
    C[0] = sums[0];
    C[ROWS * n] = sums[1];
    C[2 * ROWS * n] = sums[2];
    C[3 * ROWS * n] = sums[3];
}

__global__ void tilesRegisters(const float *A, const float *B, float *C, int n, int k, int pad)
{
    SHARED_DYNAMIC(sixteen_bytes, tiles);
    const int pitch = TILE + pad;
    float *As = (float *)tiles, *Bs = As + TILE * pitch;
    float *toA = &As[ROW * pitch + COLUMN], *toB = &Bs[ROW * pitch + COLUMN];
    float sums[4] = {0, 0, 0, 0};
    A += (size_t)(blockIdx.y * TILE + ROW) * k + COLUMN;
    B += ROW * n + blockIdx.x * TILE + COLUMN;
    for (int from = 0; from < k; from += TILE) {
        const sixteen_bytes a = *(const sixteen_bytes *)&A[from];
        const sixteen_bytes b = *(const sixteen_bytes *)&B[(size_t)from * n];
        *(sixteen_bytes *)toA = a;
        *(sixteen_bytes *)toB = b;
        __syncthreads();
        multiply(As, Bs, pitch, sums);
        __syncthreads();
    }
    put(C, n, sums);
}
KERNEL_LAUNCHER(tilesRegisters, const float *, const float *, float *, int, int, int)

__global__ void tilesAsync(const float *A, const float *B, float *C, int n, int k, int pad)
{
    SHARED_DYNAMIC(sixteen_bytes, tiles);
    const int pitch = TILE + pad;
    float *As = (float *)tiles, *Bs = As + TILE * pitch;
    float *toA = &As[ROW * pitch + COLUMN], *toB = &Bs[ROW * pitch + COLUMN];
    float sums[4] = {0, 0, 0, 0};
    A += (size_t)(blockIdx.y * TILE + ROW) * k + COLUMN;
    B += ROW * n + blockIdx.x * TILE + COLUMN;
    for (int from = 0; from < k; from += TILE) {
        COPY_ASYNC_CG(toA, &A[from]);
        COPY_ASYNC_CG(toB, &B[(size_t)from * n]);
        COPY_COMMIT();
        COPY_WAIT(0);
        __syncthreads();
        multiply(As, Bs, pitch, sums);
        __syncthreads();
    }
    put(C, n, sums);
}
KERNEL_LAUNCHER(tilesAsync, const float *, const float *, float *, int, int, int)

/* Two tiles of each matrix: one is used while the next is on its way. */
#define COPY(to, from)                                                                             \
    do {                                                                                           \
        if (past_l1)                                                                               \
            COPY_ASYNC_CG(to, from);                                                               \
        else                                                                                       \
            COPY_ASYNC_CA(to, from, 16);                                                           \
    } while (0)

static __device__ __forceinline__ void two_tiles(const float *A, const float *B, float *C, int n,
                                                 int k, int pitch, float *As, int past_l1)
{
    float *Bs = As + 2 * TILE * pitch;
    float *toA = &As[ROW * pitch + COLUMN], *toB = &Bs[ROW * pitch + COLUMN];
    float sums[4] = {0, 0, 0, 0};
    A += (size_t)(blockIdx.y * TILE + ROW) * k + COLUMN;
    B += ROW * n + blockIdx.x * TILE + COLUMN;
    COPY(toA, A);
    COPY(toB, B);
    COPY_COMMIT();
    for (int from = 0; from < k; from += TILE) {
        const int now = from % (2 * TILE) * pitch, next = TILE * pitch - now;
        if (from + TILE < k) {
            COPY(toA + next, &A[from + TILE]);
            COPY(toB + next, &B[(size_t)(from + TILE) * n]);
        }
        COPY_COMMIT();
        COPY_WAIT(1); /* this tile is there, the next one may be on its way */
        __syncthreads();
        multiply(As + now, Bs + now, pitch, sums);
        __syncthreads();
    }
    put(C, n, sums);
}

__global__ void tilesDouble(const float *A, const float *B, float *C, int n, int k, int pad)
{
    SHARED_DYNAMIC(sixteen_bytes, tiles);
    two_tiles(A, B, C, n, k, TILE + pad, (float *)tiles, 1);
}
KERNEL_LAUNCHER(tilesDouble, const float *, const float *, float *, int, int, int)

__global__ void tilesDoubleCa(const float *A, const float *B, float *C, int n, int k, int pad)
{
    SHARED_DYNAMIC(sixteen_bytes, tiles);
    two_tiles(A, B, C, n, k, TILE + pad, (float *)tiles, 0);
}
KERNEL_LAUNCHER(tilesDoubleCa, const float *, const float *, float *, int, int, int)

/* ---- Host code -------------------------------------------------------------------------------------- */

typedef void launcher(dim3 grid, dim3 block, size_t shared, const float *A, const float *B,
                      float *C, int n, int k, int pad);

static void run_product(const struct gallery_args *args, launcher *launch, int tiles)
{
    const int m = gallery_int(args, "m"), n = gallery_int(args, "n"), k = gallery_int(args, "k");
    const int pad = gallery_int(args, "pad");
    const size_t shared = sizeof(float) * 2 * tiles * TILE * (TILE + pad);
    GALLERY_INPUT(float, A, m *k);
    GALLERY_INPUT(float, B, k *n);
    GALLERY_OUTPUT(float, C, m *n);
    launch(make_dim3(n / TILE, m / TILE, 1), make_dim3(TILE, ROWS, 1), shared, A, B, C, n, k, pad);
    for (int i = 0; i < m; i++)
        for (int e = 0; e < k; e++)
            for (int j = 0; j < n; j++)
                C_host[i * n + j] += A_host[i * k + e] * B_host[e * n + j];
    GALLERY_CHECK(C, m * n);
    GALLERY_FREE(C);
    GALLERY_FREE(B);
    GALLERY_FREE(A);
}

static void run_tilesRegisters(const struct gallery_args *args)
{
    run_product(args, launch_tilesRegisters, 1);
}

static void run_tilesAsync(const struct gallery_args *args)
{
    run_product(args, launch_tilesAsync, 1);
}

static void run_tilesDouble(const struct gallery_args *args)
{
    run_product(args, launch_tilesDouble, 2);
}

static void run_tilesDoubleCa(const struct gallery_args *args)
{
    run_product(args, launch_tilesDoubleCa, 2);
}

#define SIZES                                                                                      \
    {                                                                                              \
        {"m", 128, TILE, 1024, TILE, "rows of A and C"},                                           \
            {"n", 128, TILE, 1024, TILE, "columns of B and C"},                                    \
            {"k", 256, TILE, 1024, TILE, "columns of A, rows of B"},                               \
        {                                                                                          \
            "pad", 0, 0, 32, PIECE, "floats behind each row of a tile"                             \
        }                                                                                          \
    }

static const struct gallery_kernel kernels[] = {
    {"tilesRegisters", "product of matrices whose tiles go through registers into shared memory",
     "What a thread brings is a load, which it waits for, and a store: two instructions, and "
     "nothing else happens while the tile is on its way.",
     run_tilesRegisters, SIZES},
    {"tilesAsync", "the same by cp.async.cg, waited for at once (sm_80)",
     "One instruction in place of two, and no store into shared memory is counted; but the wait "
     "stands right behind it, so that little time is gained.",
     run_tilesAsync, SIZES},
    {"tilesDouble", "the same with two tiles of each matrix: the next one is on its way (sm_80)",
     "The wait is for the copies before the last ones, which have had a whole tile's time to "
     "arrive: the same counts, and less time. Rows padded by 4 floats cost copies past the L1 half "
     "as many sectors again.",
     run_tilesDouble, SIZES},
    {"tilesDoubleCa", "the same through the L1 by cp.async.ca (sm_80)",
     "What neighbouring blocks of an SM have brought is found in L1; padding costs no sectors, as "
     "L1 keeps them whole.",
     run_tilesDoubleCa, SIZES},
};
GALLERY_TOPIC(async, "Asynchronous copies", kernels);
