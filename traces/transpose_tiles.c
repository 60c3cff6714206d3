/* transpose_tiles.c - where a tiled transpose loses its time: copies, transposes, and kernels that
 * do only half of a transpose, to be compared with each other.
 *
 * The kernels of the CUDA SDK's transpose sample and of Ruetsch and Micikevicius, "Optimizing
 * Matrix Transpose in CUDA" (2009): tiles of 32x32 floats, blocks of 32x8 threads, each thread four
 * elements; a warp is a row of the tile. fineGrained transposes inside each tile and leaves the
 * tile where it is; coarseGrained moves the tiles and leaves their inside as it is.
 */
#include "gallery.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void copy(float *odata, float *idata, int width, int height)
{
    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index = xIndex + width * yIndex;
    (void)height;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index + i * width] = idata[index + i * width];
}
KERNEL_LAUNCHER(copy, float *, float *, int, int)

__global__ void copySharedMem(float *odata, float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];

    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index = xIndex + width * yIndex;
    (void)height;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index + i * width] = tile[threadIdx.y + i][threadIdx.x];
}
KERNEL_LAUNCHER(copySharedMem, float *, float *, int, int)

__global__ void transposeNaive(float *odata, float *idata, int width, int height)
{
    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + width * yIndex;
    int index_out = yIndex + height * xIndex;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i] = idata[index_in + i * width];
}
KERNEL_LAUNCHER(transposeNaive, float *, float *, int, int)

__global__ void transposeCoalesced(float *odata, float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM];

    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + width * yIndex;

    xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + height * yIndex;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
KERNEL_LAUNCHER(transposeCoalesced, float *, float *, int, int)

__global__ void transposeNoBankConflicts(float *odata, float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + width * yIndex;

    xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + height * yIndex;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
KERNEL_LAUNCHER(transposeNoBankConflicts, float *, float *, int, int)

__global__ void transposeFineGrained(float *odata, float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index = xIndex + width * yIndex;
    (void)height;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index + i * width] = tile[threadIdx.x][threadIdx.y + i];
}
KERNEL_LAUNCHER(transposeFineGrained, float *, float *, int, int)

__global__ void transposeCoarseGrained(float *odata, float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + width * yIndex;

    xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + height * yIndex;

    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i * height] = tile[threadIdx.y + i][threadIdx.x];
}
KERNEL_LAUNCHER(transposeCoarseGrained, float *, float *, int, int)

typedef void tile_launch(dim3 grid, dim3 block, size_t shared, float *odata, float *idata,
                         int width, int height);

/* Where the result has its tiles, and which way round a tile lies in it. */
enum tile_place { TILES_STAY, TILES_MOVE };
enum tile_inside { INSIDE_KEPT, INSIDE_TRANSPOSED };

static void tiles_on_host(float *out, const float *in, int width, int height, enum tile_place place,
                          enum tile_inside inside)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int column = x % TILE_DIM, row = y % TILE_DIM;
            int to_column = inside == INSIDE_TRANSPOSED ? row : column;
            int to_row = inside == INSIDE_TRANSPOSED ? column : row;
            int to_x = (place == TILES_MOVE ? y - row : x - column) + to_column;
            int to_y = (place == TILES_MOVE ? x - column : y - row) + to_row;
            out[to_y * (place == TILES_MOVE ? height : width) + to_x] = in[y * width + x];
        }
}

static void tiles_run(const struct gallery_args *args, tile_launch *launch, enum tile_place place,
                      enum tile_inside inside)
{
    const int width = gallery_int(args, "width"), height = gallery_int(args, "height");
    GALLERY_INPUT(float, idata, width *height);
    GALLERY_OUTPUT(float, odata, width *height);
    launch(make_dim3(width / TILE_DIM, height / TILE_DIM, 1), make_dim3(TILE_DIM, BLOCK_ROWS, 1), 0,
           odata, idata, width, height);
    tiles_on_host(odata_host, idata_host, width, height, place, inside);
    GALLERY_CHECK(odata, width * height);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_copy(const struct gallery_args *args)
{
    tiles_run(args, launch_copy, TILES_STAY, INSIDE_KEPT);
}

static void run_copySharedMem(const struct gallery_args *args)
{
    tiles_run(args, launch_copySharedMem, TILES_STAY, INSIDE_KEPT);
}

static void run_transposeNaive(const struct gallery_args *args)
{
    tiles_run(args, launch_transposeNaive, TILES_MOVE, INSIDE_TRANSPOSED);
}

static void run_transposeCoalesced(const struct gallery_args *args)
{
    tiles_run(args, launch_transposeCoalesced, TILES_MOVE, INSIDE_TRANSPOSED);
}

static void run_transposeNoBankConflicts(const struct gallery_args *args)
{
    tiles_run(args, launch_transposeNoBankConflicts, TILES_MOVE, INSIDE_TRANSPOSED);
}

static void run_transposeFineGrained(const struct gallery_args *args)
{
    tiles_run(args, launch_transposeFineGrained, TILES_STAY, INSIDE_TRANSPOSED);
}

static void run_transposeCoarseGrained(const struct gallery_args *args)
{
    tiles_run(args, launch_transposeCoarseGrained, TILES_MOVE, INSIDE_KEPT);
}

static const struct gallery_kernel kernels[] = {
    {"copy",
     "copies a matrix in 32x32 tiles, straight from global memory to global memory",
     "Each warp reads and writes whole 128-byte rows, fully used on every generation: the "
     "bandwidth that a transpose can hope for.",
     run_copy,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"copySharedMem",
     "copies a matrix in 32x32 tiles through shared memory",
     "The global transactions of copy, and one pass for each shared access: what remains is the "
     "price of the detour and of the barrier.",
     run_copySharedMem,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"transposeNaive",
     "transposes a matrix without shared memory, a warp reading a row and writing a column",
     "Each store of a warp goes to 32 rows: 32 transactions of 32 bytes with 4 useful ones, 12.5 "
     "%. "
     "Caches that merge the stores of a block's other warps give part of it back from sm_20 on.",
     run_transposeNaive,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"transposeCoalesced",
     "transposes a matrix through a 32x32 tile without padding",
     "Global loads and stores coalesce; the column of the tile lies in one bank: 16 passes a "
     "half-warp on sm_1x, 32 a warp from sm_20 on (16 on Kepler).",
     run_transposeCoalesced,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"transposeNoBankConflicts",
     "transposes a matrix through a 32x33 tile",
     "One word of padding a row makes the column one pass. On sm_1x that hardly shows when all "
     "blocks store to one partition; from sm_20 on it does.",
     run_transposeNoBankConflicts,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"transposeFineGrained",
     "transposes inside each 32x32 tile, every tile staying in its place",
     "Everything a transpose does to a tile, with the global addresses of copy: near the speed of "
     "copySharedMem on every generation, so the work in the tile is not what costs.",
     run_transposeFineGrained,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
    {"transposeCoarseGrained",
     "moves each 32x32 tile to its transposed place, without transposing inside",
     "Only the order of the stores differs from copySharedMem: a column of tiles. As slow as a "
     "whole transpose where that column lies in one partition (sm_1x, rows of 2048 floats): the "
     "cost is partition camping, which hashed addresses end from sm_20 on.",
     run_transposeCoarseGrained,
     {{"width", 2048, 32, 8192, 32, "columns"}, {"height", 2048, 32, 8192, 32, "rows"}}},
};
GALLERY_TOPIC(transpose_tiles, "Matrix transpose: what the tile and the order of tiles cost",
              kernels);
