/* tensor_tiles.c - a transpose whose tiles a tensor map brings to shared memory (TMA): one thread asks for a tile, nobody loads.
 *
 * Tiles of 32x32 floats, blocks of 32x8 threads. A warp reads a column of the tile and stores it as a row of the result. The rows of the
 * tile are 128 bytes, so that its columns lie in one bank each; a tensor copy cannot pad them, but it can swizzle: the 16-byte unit u of row r
 * goes to unit u ^ r % 8.
 */
#include "gallery.h"
#include "tensor_copy.h"

enum { TILE_DIM = 32, BLOCK_ROWS = 8, UNIT_FLOATS = 4 };

static __device__ __forceinline__ void transpose_tile(float *odata, const CUtensorMap *map,
                                                      int height, int swizzle)
{
    TENSOR_TILE(tile, TILE_DIM);
    TENSOR_BARRIER(barrier);
    const int x = blockIdx.x * TILE_DIM, y = blockIdx.y * TILE_DIM;
    const int row = threadIdx.x;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        TENSOR_BARRIER_BEGIN(barrier);
        TENSOR_LOAD(tile, map, x, y, barrier, sizeof tile);
    }
    __syncthreads();
    TENSOR_WAIT(barrier, 0);
    for (int column = threadIdx.y; column < TILE_DIM; column += BLOCK_ROWS) {
        const int unit = column / UNIT_FLOATS ^ (swizzle ? row % 8 : 0);
        odata[(x + column) * height + y + row] =
            tile[row][unit * UNIT_FLOATS + column % UNIT_FLOATS];
    }
}

__global__ void transposeTensor(float *odata, const __grid_constant__ CUtensorMap map, int height)
{
    transpose_tile(odata, &map, height, 0);
}
KERNEL_LAUNCHER(transposeTensor, float *, CUtensorMap, int)

__global__ void transposeTensorSwizzled(float *odata, const __grid_constant__ CUtensorMap map,
                                        int height)
{
    transpose_tile(odata, &map, height, 1);
}
KERNEL_LAUNCHER(transposeTensorSwizzled, float *, CUtensorMap, int)

/* ---- Host code -------------------------------------------------------------------------------------- */

typedef void launcher(dim3 grid, dim3 block, size_t shared, float *odata, CUtensorMap map,
                      int height);

static void run_transpose(const struct gallery_args *args, launcher *launch,
                          enum tensor_swizzle swizzle)
{
    const int width = gallery_int(args, "width"), height = gallery_int(args, "height");
    CUtensorMap map;
    GALLERY_INPUT(float, idata, width *height);
    GALLERY_OUTPUT(float, odata, width *height);
    if (tensor_map_of(&map, idata, width, height, TILE_DIM, swizzle))
        launch(make_dim3(width / TILE_DIM, height / TILE_DIM, 1),
               make_dim3(TILE_DIM, BLOCK_ROWS, 1), 0, odata, map, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            odata_host[x * height + y] = idata_host[y * width + x];
    GALLERY_CHECK(odata, width * height);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_transposeTensor(const struct gallery_args *args)
{
    run_transpose(args, launch_transposeTensor, TENSOR_DENSE);
}

static void run_transposeTensorSwizzled(const struct gallery_args *args)
{
    run_transpose(args, launch_transposeTensorSwizzled, TENSOR_SWIZZLE_128B);
}

#define SIZES                                                                                      \
    {                                                                                              \
        {"width", 512, 32, 8192, 32, "columns"},                                                   \
        {                                                                                          \
            "height", 512, 32, 8192, 32, "rows"                                                    \
        }                                                                                          \
    }

static const struct gallery_kernel kernels[] = {
    {"transposeTensor", "transposes a matrix whose tiles a tensor map brings (sm_90)",
     "One thread's bulk load takes the place of 32 warps' loads and of their stores into shared "
     "memory; but the column of the tile lies in one bank, 32 passes, and no padding is possible.",
     run_transposeTensor, SIZES},
    {"transposeTensorSwizzled", "the same with the tensor map's swizzle of 128 bytes (sm_90)",
     "The swizzle spreads a column's 16-byte units over eight groups of four banks: 4 passes in "
     "place of 32, with the same sectors and the same instructions but one.",
     run_transposeTensorSwizzled, SIZES},
};
GALLERY_TOPIC(tensor_tiles, "Tensor maps (TMA)", kernels);
