/* banks.c - rows and columns of a tile in shared memory: the square and the rectangle on which bank
 * conflicts are usually taught, each in one block, and the smallest kernel that has them.
 */
#include "gallery.h"

#define BDIMX 32
#define BDIMY 32
#define RECT_DIMX 32
#define RECT_DIMY 16
#define PAD 1
#define TILE_WORDS (BDIMX * BDIMY)
#define RECT_WORDS (RECT_DIMX * RECT_DIMY)

__global__ void setRowReadRow(int *out)
{
    __shared__ int tile[BDIMY][BDIMX];
    int idx = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.y][threadIdx.x];
}
KERNEL_LAUNCHER(setRowReadRow, int *)

__global__ void setColReadCol(int *out)
{
    __shared__ int tile[BDIMX][BDIMY];
    int idx = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.x][threadIdx.y] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}
KERNEL_LAUNCHER(setColReadCol, int *)

__global__ void setRowReadCol(int *out)
{
    __shared__ int tile[BDIMY][BDIMX];
    int idx = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}
KERNEL_LAUNCHER(setRowReadCol, int *)

__global__ void setRowReadColPad(int *out)
{
    __shared__ int tile[BDIMY][BDIMX + PAD];
    int idx = threadIdx.y * blockDim.x + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[threadIdx.x][threadIdx.y];
}
KERNEL_LAUNCHER(setRowReadColPad, int *)

__global__ void setRowReadColRect(int *out, int pad)
{
    SHARED_DYNAMIC(int, tile);
    int idx = threadIdx.y * blockDim.x + threadIdx.x;
    int irow = idx / blockDim.y;
    int icol = idx % blockDim.y;
    tile[threadIdx.y * (blockDim.x + pad) + threadIdx.x] = idx;
    __syncthreads();
    out[idx] = tile[icol * (blockDim.x + pad) + irow];
}
KERNEL_LAUNCHER(setRowReadColRect, int *, int)

__global__ void sharedStride4(int *out, const int *in)
{
    __shared__ int shm[4 * 32];
    int idx = threadIdx.x;
    for (int k = 0; k < 4; k++)
        shm[32 * k + idx] = in[32 * k + idx];
    __syncthreads();
    out[blockIdx.x * blockDim.x + idx] = shm[idx * 4];
}
KERNEL_LAUNCHER(sharedStride4, int *, const int *)

static void run_square(void (*launch)(dim3 grid, dim3 block, size_t shared, int *), int transposed)
{
    GALLERY_OUTPUT(int, out, TILE_WORDS);
    launch(make_dim3(1, 1, 1), make_dim3(BDIMX, BDIMY, 1), 0, out);
    for (int y = 0; y < BDIMY; y++)
        for (int x = 0; x < BDIMX; x++)
            out_host[y * BDIMX + x] = transposed ? x * BDIMX + y : y * BDIMX + x;
    GALLERY_CHECK(out, TILE_WORDS);
    GALLERY_FREE(out);
}

static void run_setRowReadRow(const struct gallery_args *args)
{
    (void)args;
    run_square(launch_setRowReadRow, 0);
}

static void run_setColReadCol(const struct gallery_args *args)
{
    (void)args;
    run_square(launch_setColReadCol, 0);
}

static void run_setRowReadCol(const struct gallery_args *args)
{
    (void)args;
    run_square(launch_setRowReadCol, 1);
}

static void run_setRowReadColPad(const struct gallery_args *args)
{
    (void)args;
    run_square(launch_setRowReadColPad, 1);
}

static void run_setRowReadColRect(const struct gallery_args *args)
{
    const int pad = gallery_int(args, "pad");
    GALLERY_OUTPUT(int, out, RECT_WORDS);
    launch_setRowReadColRect(make_dim3(1, 1, 1), make_dim3(RECT_DIMX, RECT_DIMY, 1),
                             RECT_DIMY * (RECT_DIMX + pad) * sizeof(int), out, pad);
    for (int x = 0; x < RECT_DIMX; x++)
        for (int y = 0; y < RECT_DIMY; y++)
            out_host[x * RECT_DIMY + y] = y * RECT_DIMX + x;
    GALLERY_CHECK(out, RECT_WORDS);
    GALLERY_FREE(out);
}

static void run_sharedStride4(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks");
    GALLERY_INPUT(int, in, 4 * 32);
    GALLERY_OUTPUT(int, out, 32 * blocks);
    launch_sharedStride4(make_dim3(blocks, 1, 1), make_dim3(32, 1, 1), 0, out, in);
    for (int i = 0; i < 32 * blocks; i++)
        out_host[i] = in_host[i % 32 * 4];
    GALLERY_CHECK(out, 32 * blocks);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static const struct gallery_kernel kernels[] = {
    {"setRowReadRow",
     "one block writes a 32x32 tile of ints by rows and reads it by rows",
     "Each warp's words lie in all the banks, one in each: the 32 warps write in 32 passes and "
     "read in 32 (64 and 64 for the half-warps of sm_1x), the least there can be.",
     run_setRowReadRow,
     {{0}}},
    {"setColReadCol",
     "one block writes a 32x32 tile of ints by columns and reads it by columns",
     "A column lies in one bank: 1024 passes to write and 1024 to read, 32-way conflicts from "
     "Fermi on and 16-way ones of the half-warps on sm_1x. Kepler takes 512, since its banks "
     "deliver words in pairs.",
     run_setColReadCol,
     {{0}}},
    {"setRowReadCol",
     "one block writes a 32x32 tile of ints by rows and reads it by columns: a transpose",
     "Writing takes 32 passes and reading 1024, because a column lies in one bank (64 and 1024 "
     "on sm_1x, 32 and 512 on Kepler).",
     run_setRowReadCol,
     {{0}}},
    {"setRowReadColPad",
     "as setRowReadCol, with one unused word after each row of the tile",
     "With rows of 33 words a column goes through all the banks: 32 passes to write and 32 to "
     "read (64 and 64 on sm_1x).",
     run_setRowReadColPad,
     {{0}}},
    {"setRowReadColRect",
     "one block writes a tile of 16 rows of 32 ints by rows and reads it by columns",
     "A warp reads two columns of 16 words: 16-way without padding (8-way on Kepler), 2-way "
     "with one unused word a row, free of conflicts with two. A half-warp of sm_1x reads one "
     "column, so that one word is right there and two words are 2-way again.",
     run_setRowReadColRect,
     {{"pad", 0, 0, 32, 1, "unused words after each row"}}},
    {"sharedStride4",
     "one warp a block reads every fourth word of a shared array of 128 ints",
     "32 lanes meet in 8 banks, 4 in each: 3 passes too many for each warp, so that two blocks "
     "have 6 conflicts. Kepler, whose banks deliver words in pairs, has one a warp; sm_1x has "
     "3 a half-warp.",
     run_sharedStride4,
     {{"blocks", 2, 1, 65535, 1, "blocks of 32 threads"}}},
};
GALLERY_TOPIC(banks, "Shared memory: rows, columns and banks", kernels);
