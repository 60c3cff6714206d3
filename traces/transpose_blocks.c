/* transpose_blocks.c - transposes and copies by rows and by columns, for blocks of any shape.
 *
 * From Cheng, Grossman and McKercher, "Professional CUDA C Programming", chapters 4 and 5, and the
 * texts that follow it. `in` has ny rows of nx elements; a copy by columns takes it as nx rows of
 * ny. Diagonal block coordinates cover every block once only when the grid has as many blocks in x
 * as in y. The shared tiles belong to blocks of 16x16, where a warp is two rows of the block.
 */
#include <stdio.h>

#include "gallery.h"

#define BDIMX 16
#define BDIMY 16
#define IPAD 2

__global__ void copyRow(float *out, float *in, const int nx, const int ny)
{
    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[iy * nx + ix] = in[iy * nx + ix];
    }
}
KERNEL_LAUNCHER(copyRow, float *, float *, int, int)

__global__ void copyCol(float *out, float *in, const int nx, const int ny)
{
    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[ix * ny + iy];
    }
}
KERNEL_LAUNCHER(copyCol, float *, float *, int, int)

__global__ void transposeRowCol(float *out, float *in, const int nx, const int ny)
{
    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[iy * nx + ix];
    }
}
KERNEL_LAUNCHER(transposeRowCol, float *, float *, int, int)

__global__ void transposeColRow(float *out, float *in, const int nx, const int ny)
{
    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[iy * nx + ix] = in[ix * ny + iy];
    }
}
KERNEL_LAUNCHER(transposeColRow, float *, float *, int, int)

__global__ void transposeDiagonalRowCol(float *out, float *in, const int nx, const int ny)
{
    int blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    int blk_y = blockIdx.x;
    int ix = blockDim.x * blk_x + threadIdx.x;
    int iy = blockDim.y * blk_y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[ix * ny + iy] = in[iy * nx + ix];
    }
}
KERNEL_LAUNCHER(transposeDiagonalRowCol, float *, float *, int, int)

__global__ void transposeDiagonalColRow(float *out, float *in, const int nx, const int ny)
{
    int blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    int blk_y = blockIdx.x;
    int ix = blockDim.x * blk_x + threadIdx.x;
    int iy = blockDim.y * blk_y + threadIdx.y;
    if (ix < nx && iy < ny) {
        out[iy * nx + ix] = in[ix * ny + iy];
    }
}
KERNEL_LAUNCHER(transposeDiagonalColRow, float *, float *, int, int)

__global__ void transposeSmem(float *out, float *in, const int nx, const int ny)
{
    __shared__ float tile[BDIMY][BDIMX];

    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
    }
    __syncthreads();

    ix = blockDim.y * blockIdx.y + threadIdx.x;
    iy = blockDim.x * blockIdx.x + threadIdx.y;
    if (ix < ny && iy < nx) {
        out[iy * ny + ix] = tile[threadIdx.x][threadIdx.y];
    }
}
KERNEL_LAUNCHER(transposeSmem, float *, float *, int, int)

__global__ void transposeSmemPad(float *out, float *in, const int nx, const int ny)
{
    __shared__ float tile[BDIMY][BDIMX + IPAD];

    int ix = blockDim.x * blockIdx.x + threadIdx.x;
    int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        tile[threadIdx.y][threadIdx.x] = in[iy * nx + ix];
    }
    __syncthreads();

    ix = blockDim.y * blockIdx.y + threadIdx.x;
    iy = blockDim.x * blockIdx.x + threadIdx.y;
    if (ix < ny && iy < nx) {
        out[iy * ny + ix] = tile[threadIdx.x][threadIdx.y];
    }
}
KERNEL_LAUNCHER(transposeSmemPad, float *, float *, int, int)

typedef void matrix_launch(dim3 grid, dim3 block, size_t shared, float *out, float *in, int nx,
                           int ny);
typedef void matrix_reference(float *out, const float *in, int nx, int ny);

static void copied(float *out, const float *in, int nx, int ny)
{
    memcpy(out, in, (size_t)nx * ny * sizeof(float));
}

static void transposed_row_col(float *out, const float *in, int nx, int ny)
{
    for (int iy = 0; iy < ny; iy++)
        for (int ix = 0; ix < nx; ix++)
            out[ix * ny + iy] = in[iy * nx + ix];
}

static void transposed_col_row(float *out, const float *in, int nx, int ny)
{
    for (int ix = 0; ix < nx; ix++)
        for (int iy = 0; iy < ny; iy++)
            out[iy * nx + ix] = in[ix * ny + iy];
}

static void matrix_run(const struct gallery_args *args, dim3 block, matrix_launch *launch,
                       matrix_reference *reference)
{
    const int nx = gallery_int(args, "nx"), ny = gallery_int(args, "ny");
    dim3 grid = make_dim3((nx + block.x - 1) / block.x, (ny + block.y - 1) / block.y, 1);
    GALLERY_INPUT(float, in, nx *ny);
    GALLERY_OUTPUT(float, out, nx *ny);
    launch(grid, block, 0, out, in, nx, ny);
    reference(out_host, in_host, nx, ny);
    GALLERY_CHECK(out, nx * ny);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

static int block_is_possible(int block_x, int block_y)
{
    char message[120];
    snprintf(message, sizeof message,
             "block_x = %d, block_y = %d: block_x * block_y can be at most 1024", block_x, block_y);
    return gallery_require(block_x * block_y <= 1024, message);
}

static void blocks_run(const struct gallery_args *args, matrix_launch *launch,
                       matrix_reference *reference)
{
    const int block_x = gallery_int(args, "block_x"), block_y = gallery_int(args, "block_y");
    if (block_is_possible(block_x, block_y))
        matrix_run(args, make_dim3(block_x, block_y, 1), launch, reference);
}

static void diagonal_run(const struct gallery_args *args, matrix_launch *launch,
                         matrix_reference *reference)
{
    const int nx = gallery_int(args, "nx"), ny = gallery_int(args, "ny");
    const int block_x = gallery_int(args, "block_x"), block_y = gallery_int(args, "block_y");
    const int grid_x = (nx + block_x - 1) / block_x, grid_y = (ny + block_y - 1) / block_y;
    char message[160];
    snprintf(message, sizeof message,
             "nx = %d, ny = %d, block_x = %d, block_y = %d make a grid of %d x %d blocks: diagonal "
             "order needs nx / block_x = ny / block_y",
             nx, ny, block_x, block_y, grid_x, grid_y);
    if (block_is_possible(block_x, block_y) && gallery_require(grid_x == grid_y, message))
        matrix_run(args, make_dim3(block_x, block_y, 1), launch, reference);
}

static void run_copyRow(const struct gallery_args *args)
{
    blocks_run(args, launch_copyRow, copied);
}

static void run_copyCol(const struct gallery_args *args)
{
    blocks_run(args, launch_copyCol, copied);
}

static void run_transposeRowCol(const struct gallery_args *args)
{
    blocks_run(args, launch_transposeRowCol, transposed_row_col);
}

static void run_transposeColRow(const struct gallery_args *args)
{
    blocks_run(args, launch_transposeColRow, transposed_col_row);
}

static void run_transposeDiagonalRowCol(const struct gallery_args *args)
{
    diagonal_run(args, launch_transposeDiagonalRowCol, transposed_row_col);
}

static void run_transposeDiagonalColRow(const struct gallery_args *args)
{
    diagonal_run(args, launch_transposeDiagonalColRow, transposed_col_row);
}

static void run_transposeSmem(const struct gallery_args *args)
{
    matrix_run(args, make_dim3(BDIMX, BDIMY, 1), launch_transposeSmem, transposed_row_col);
}

static void run_transposeSmemPad(const struct gallery_args *args)
{
    matrix_run(args, make_dim3(BDIMX, BDIMY, 1), launch_transposeSmemPad, transposed_row_col);
}

static const struct gallery_kernel kernels[] = {
    {"copyRow",
     "copies a matrix, neighbouring threads along a row",
     "A warp of a 16x16 block is two pieces of 64 bytes: no byte is wasted in half-warps or in "
     "sectors; the 128-byte L1 lines of sm_20 are used by half unless block_x is 32 or more. The "
     "upper bound for a transpose.",
     run_copyRow,
     {{"nx", 2048, 1, 8192, 1, "columns"},
      {"ny", 2048, 1, 8192, 1, "rows"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"copyCol",
     "copies a matrix, neighbouring threads along a column",
     "A warp of a 16x16 block touches 16 sectors of 32 bytes and uses 8 bytes of each, 25 %; "
     "nvprof on sm_5x and 6x says 12.5 % for the stores, as it counts each group of 8 lanes by "
     "itself. The lower bound for a transpose.",
     run_copyCol,
     {{"nx", 2048, 1, 8192, 1, "rows"},
      {"ny", 2048, 1, 8192, 1, "columns"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"transposeRowCol",
     "transposes a matrix, reading rows and writing columns",
     "Of the sectors moved, loads use 100 %; stores use 25 % with 16x16 blocks and 12.5 % once "
     "block_x is 32 or more, since a sector then takes one word a warp. On sm_1x each word is a "
     "transaction of 32 bytes in either case.",
     run_transposeRowCol,
     {{"nx", 2048, 1, 8192, 1, "columns of the input"},
      {"ny", 2048, 1, 8192, 1, "rows of the input"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"transposeColRow",
     "transposes a matrix, reading columns and writing rows",
     "The poor side is now the loads, 25 % with 16x16 blocks; where a cache keeps their sectors, "
     "the block's other warps find the words beside theirs in it, so this is the faster of the "
     "two.",
     run_transposeColRow,
     {{"nx", 2048, 1, 8192, 1, "columns of the output"},
      {"ny", 2048, 1, 8192, 1, "rows of the output"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"transposeDiagonalRowCol",
     "transposeRowCol with the blocks taken along the diagonals",
     "The transactions of transposeRowCol in another order: blocks that run together no longer "
     "store to one partition, a gain where partitions are fixed stripes (sm_1x).",
     run_transposeDiagonalRowCol,
     {{"nx", 2048, 1, 8192, 1, "columns of the input"},
      {"ny", 2048, 1, 8192, 1, "rows of the input"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x; nx / block_x must equal ny / block_y"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"transposeDiagonalColRow",
     "transposeColRow with the blocks taken along the diagonals",
     "The transactions of transposeColRow in another order: blocks that run together no longer "
     "load from one partition, a gain where partitions are fixed stripes (sm_1x).",
     run_transposeDiagonalColRow,
     {{"nx", 2048, 1, 8192, 1, "columns of the output"},
      {"ny", 2048, 1, 8192, 1, "rows of the output"},
      {"block_x", 16, 1, 1024, 1, "threads a block in x; nx / block_x must equal ny / block_y"},
      {"block_y", 16, 1, 1024, 1, "threads a block in y; block_x * block_y is at most 1024"}}},
    {"transposeSmem",
     "transposes a matrix through a 16x16 tile in shared memory, blocks of 16x16",
     "Loads and stores of global memory coalesce. A warp reads two columns of the tile, 8 "
     "words in each of 4 banks: 8 passes a load (16 a half-warp on sm_1x), one a store.",
     run_transposeSmem,
     {{"nx", 2048, 1, 8192, 1, "columns of the input"},
      {"ny", 2048, 1, 8192, 1, "rows of the input"}}},
    {"transposeSmemPad",
     "transposes a matrix through a 16x16 tile whose rows are padded to 18 words",
     "With rows of 18 words the two columns that a warp reads fall into 32 banks, one pass; the "
     "two rows that it writes now overlap in two banks, two passes. No padding gives one and one.",
     run_transposeSmemPad,
     {{"nx", 2048, 1, 8192, 1, "columns of the input"},
      {"ny", 2048, 1, 8192, 1, "rows of the input"}}},
};
GALLERY_TOPIC(transpose_blocks, "Matrix transpose: by rows, by columns, block shapes", kernels);
