/* transpose.c - matrix transpose, step by step: naive, through a 16x16 tile, in diagonal order.
 *
 * A row-major matrix of `height` rows and `width` columns becomes one of `width` rows. With 16x16
 * threads a half-warp is a row of the block and a warp is two rows. The diagonal order is that of
 * Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2009); it covers every tile once
 * only when the grid is square. Different from the usual listing: a second barrier, so that no warp
 * overwrites the tile for the next repetition while another one still reads it.
 */
#include <stdio.h>

#include "gallery.h"

#define BLOCK_DIM 16
#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transpose_naive(float *odata, float *idata, int width, int height)
{
    unsigned int xIndex = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int yIndex = blockDim.y * blockIdx.y + threadIdx.y;

    if (xIndex < width && yIndex < height) {
        unsigned int index_in = xIndex + width * yIndex;
        unsigned int index_out = yIndex + height * xIndex;
        odata[index_out] = idata[index_in];
    }
}
KERNEL_LAUNCHER(transpose_naive, float *, float *, int, int)

__global__ void transpose(float *odata, float *idata, int width, int height)
{
    __shared__ float block[BLOCK_DIM][BLOCK_DIM + 1];

    unsigned int xIndex = blockIdx.x * BLOCK_DIM + threadIdx.x;
    unsigned int yIndex = blockIdx.y * BLOCK_DIM + threadIdx.y;
    if (xIndex < width && yIndex < height) {
        unsigned int index_in = yIndex * width + xIndex;
        block[threadIdx.y][threadIdx.x] = idata[index_in];
    }
    __syncthreads();

    xIndex = blockIdx.y * BLOCK_DIM + threadIdx.x;
    yIndex = blockIdx.x * BLOCK_DIM + threadIdx.y;
    if (xIndex < height && yIndex < width) {
        unsigned int index_out = yIndex * height + xIndex;
        odata[index_out] = block[threadIdx.x][threadIdx.y];
    }
}
KERNEL_LAUNCHER(transpose, float *, float *, int, int)

__global__ void transposeUnpadded(float *odata, float *idata, int width, int height)
{
    __shared__ float block[BLOCK_DIM][BLOCK_DIM];

    unsigned int xIndex = blockIdx.x * BLOCK_DIM + threadIdx.x;
    unsigned int yIndex = blockIdx.y * BLOCK_DIM + threadIdx.y;
    if (xIndex < width && yIndex < height) {
        unsigned int index_in = yIndex * width + xIndex;
        block[threadIdx.y][threadIdx.x] = idata[index_in];
    }
    __syncthreads();

    xIndex = blockIdx.y * BLOCK_DIM + threadIdx.x;
    yIndex = blockIdx.x * BLOCK_DIM + threadIdx.y;
    if (xIndex < height && yIndex < width) {
        unsigned int index_out = yIndex * height + xIndex;
        odata[index_out] = block[threadIdx.x][threadIdx.y];
    }
}
KERNEL_LAUNCHER(transposeUnpadded, float *, float *, int, int)

__global__ void transposeDiagonal(float *odata, float *idata, int width, int height, int nreps)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int blockIdx_y = blockIdx.x;
    int blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;

    int xIndex = blockIdx_x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx_y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + yIndex * width;

    xIndex = blockIdx_y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx_x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + yIndex * height;

    for (int r = 0; r < nreps; r++) {
        for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
            tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
        __syncthreads();
        for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
            odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
        __syncthreads();
    }
}
KERNEL_LAUNCHER(transposeDiagonal, float *, float *, int, int, int)

static void transpose_on_host(float *out, const float *in, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

typedef void transpose_launch(dim3 grid, dim3 block, size_t shared, float *odata, float *idata,
                              int width, int height);

static void transpose_run(const struct gallery_args *args, transpose_launch *launch)
{
    const int width = gallery_int(args, "width"), height = gallery_int(args, "height");
    GALLERY_INPUT(float, idata, width *height);
    GALLERY_OUTPUT(float, odata, width *height);
    dim3 grid =
        make_dim3((width + BLOCK_DIM - 1) / BLOCK_DIM, (height + BLOCK_DIM - 1) / BLOCK_DIM, 1);
    launch(grid, make_dim3(BLOCK_DIM, BLOCK_DIM, 1), 0, odata, idata, width, height);
    transpose_on_host(odata_host, idata_host, width, height);
    GALLERY_CHECK(odata, width * height);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_transpose_naive(const struct gallery_args *args)
{
    transpose_run(args, launch_transpose_naive);
}

static void run_transpose(const struct gallery_args *args)
{
    transpose_run(args, launch_transpose);
}

static void run_transposeUnpadded(const struct gallery_args *args)
{
    transpose_run(args, launch_transposeUnpadded);
}

static void run_transposeDiagonal(const struct gallery_args *args)
{
    const int width = gallery_int(args, "width"), height = gallery_int(args, "height");
    char message[120];
    snprintf(message, sizeof message,
             "transposeDiagonal: width = %d, height = %d: the diagonal order needs width = height",
             width, height);
    if (!gallery_require(width == height, message))
        return;
    GALLERY_INPUT(float, idata, width *height);
    GALLERY_OUTPUT(float, odata, width *height);
    launch_transposeDiagonal(make_dim3(width / TILE_DIM, height / TILE_DIM, 1),
                             make_dim3(TILE_DIM, BLOCK_ROWS, 1), 0, odata, idata, width, height,
                             gallery_int(args, "nreps"));
    transpose_on_host(odata_host, idata_host, width, height);
    GALLERY_CHECK(odata, width * height);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static const struct gallery_kernel kernels[] = {
    {"transpose_naive",
     "transposes a matrix, each thread one element, with no shared memory",
     "Loads are rows and coalesce; a half-warp stores to 16 rows: 16 transactions of 32 bytes on "
     "sm_1x and, from sm_20 on, 16 sectors a warp with 8 useful bytes each. Where a row is a "
     "multiple of all partitions' width, blocks that run together store to one partition.",
     run_transpose_naive,
     {{"width", 2048, 1, 8192, 1, "columns of the input"},
      {"height", 2048, 1, 8192, 1, "rows of the input"}}},
    {"transpose",
     "transposes a matrix through a padded tile of 16x17 floats in shared memory",
     "The tile turns the rows, so that global loads and stores both coalesce. The padding by one "
     "is made for half-warps: one pass on the 16 banks of sm_1x, but two where a warp, which is "
     "two rows of the block, goes to 32 banks at once.",
     run_transpose,
     {{"width", 2048, 1, 8192, 1, "columns of the input"},
      {"height", 2048, 1, 8192, 1, "rows of the input"}}},
    {"transposeUnpadded",
     "transposes a matrix through a tile of 16x16 floats, without padding",
     "Global traffic is that of transpose. A column of the tile lies in one of the 16 banks of "
     "sm_1x, 16 passes a half-warp; with 32 banks it lies in two: 8 passes a warp.",
     run_transposeUnpadded,
     {{"width", 2048, 1, 8192, 1, "columns of the input"},
      {"height", 2048, 1, 8192, 1, "rows of the input"}}},
    {"transposeDiagonal",
     "transposes a square matrix in 32x32 tiles, blocks taken along the diagonals",
     "The transactions are those of a padded tile, in another order: blocks that run together "
     "spread their stores over all partitions. That pays on sm_1x, whose partitions are stripes "
     "of 256 bytes, and no longer from sm_20 on, where addresses are hashed over the channels.",
     run_transposeDiagonal,
     {{"width", 2048, 32, 8192, 32, "columns of the input"},
      {"height", 2048, 32, 8192, 32, "rows of the input; must equal width"},
      {"nreps", 1, 1, 100, 1, "how often the kernel repeats its work"}}},
};
GALLERY_TOPIC(transpose, "Matrix transpose: naive, tiled, diagonal", kernels);
