/* published_kernels.c - transposes by tiles and blocks of 16x16, a thread an element, as CUDA's transpose sample has
 * had them since 2010; the gallery has the others of them (copyRow, transposeRowCol, transposeSmem, transposeSmemPad)
 * and those of 32x32.
 */
#include "gallery.h"

#include "published_kernels.h"

enum { TILE = 16 };

__global__ void copyTile16(float *out, float *in, const int n)
{
    __shared__ float tile[TILE][TILE];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.y][threadIdx.x];
}
KERNEL_LAUNCHER(copyTile16, float *, float *, int)

__global__ void transposeFine16(float *out, float *in, const int n)
{
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL_LAUNCHER(transposeFine16, float *, float *, int)

__global__ void transposeCoarse16(float *out, float *in, const int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * n + x] = tile[threadIdx.y][threadIdx.x];
}
KERNEL_LAUNCHER(transposeCoarse16, float *, float *, int)

__global__ void transposeDiagonal16(float *out, float *in, const int n)
{
    __shared__ float tile[TILE][TILE + 1];
    const int block_y = blockIdx.x, block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = block_x * TILE + threadIdx.x, y = block_y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = block_y * TILE + threadIdx.x;
    y = block_x * TILE + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL_LAUNCHER(transposeDiagonal16, float *, float *, int)

typedef void tiles_launch(dim3 grid, dim3 block, size_t shared, float *out, float *in, int n);

static void launch_tiles(const struct gallery_args *args, tiles_launch *launch)
{
    const int n = gallery_int(args, "n");
    GALLERY_INPUT(float, in, n *n);
    GALLERY_OUTPUT(float, out, n *n);
    launch(make_dim3(n / TILE, n / TILE, 1), make_dim3(TILE, TILE, 1), 0, out, in, n);
    GALLERY_FREE(out);
    GALLERY_FREE(in);
}

#define RUN(kernel)                                                                                \
    static void run_##kernel(const struct gallery_args *args)                                      \
    {                                                                                              \
        launch_tiles(args, launch_##kernel);                                                       \
    }
RUN(copyTile16)
RUN(transposeFine16)
RUN(transposeCoarse16)
RUN(transposeDiagonal16)

#define SIDE                                                                                       \
    {                                                                                              \
        {"n", 2048, TILE, 8192, TILE, "rows and columns"},                                         \
    }

/* clang-format off */
const struct gallery_kernel published_kernels[PUBLISHED_KERNELS] = {
    {"copyTile16", "copies through a tile", "", run_copyTile16, SIDE},
    {"transposeFine16", "transposes inside each tile", "", run_transposeFine16, SIDE},
    {"transposeCoarse16", "moves each tile to its transposed place", "", run_transposeCoarse16, SIDE},
    {"transposeDiagonal16", "transposes, blocks along the diagonals", "", run_transposeDiagonal16, SIDE},
};
/* clang-format on */
