/* tensor_tiles.cu - a transpose whose tiles are brought to shared memory by a tensor map (TMA), sm_90 and later. A tile has 32 rows of 128
 * bytes, and lane k of a warp wants element c of row k: all of them are in one bank. With the tensor map's swizzle of 128 bytes the 16-byte
 * units of row k stand at unit ^ k % 8, in eight groups of four banks: four lanes meet instead of 32, and nothing else changes.
 *
 *   warplens run examples/cuda/tensor_tiles.cu --gpu h200
 *   nvcc -arch=sm_90 -std=c++17 tensor_tiles.cu && ./a.out
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

enum { SIDE = 512, TILE = 32, THREADS = 256 };

__device__ void transpose_tile(const CUtensorMap *map, float *out, int swizzle)
{
    __shared__ alignas(1024) float tile[TILE][TILE];
    __shared__ uint64_t barrier;
    const int x = blockIdx.x * TILE, y = blockIdx.y * TILE, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&barrier, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        const int32_t at[] = {x, y};
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                       sizeof tile);
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, map, at, &barrier);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
        ;
    for (int column = threadIdx.x / 32; column < TILE; column += THREADS / 32) {
        const int unit = column / 4 ^ (swizzle ? lane % 8 : 0);
        out[(x + column) * SIDE + y + lane] = tile[lane][unit * 4 + column % 4];
    }
}

__global__ void transposeDense(const __grid_constant__ CUtensorMap map, float *out)
{
    transpose_tile(&map, out, 0);
}

__global__ void transposeSwizzled(const __grid_constant__ CUtensorMap map, float *out)
{
    transpose_tile(&map, out, 1);
}

static float values[SIDE * SIDE], results[SIDE * SIDE];

/* A tensor map of the matrix; by the runtime's way to the driver API, so that nothing more is linked. */
static CUtensorMap map_of(float *array, CUtensorMapSwizzle swizzle)
{
    const cuuint64_t size[] = {SIDE, SIDE}, pitch[] = {SIDE * sizeof(float)};
    const cuuint32_t box[] = {TILE, TILE}, one[] = {1, 1};
    CUtensorMap map;
    void *function = nullptr;
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &found);
    memcpy(&encode, &function, sizeof encode);
    if (encode == nullptr ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, array, size, pitch, box, one,
               CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        printf("no tensor map\n");
    return map;
}

static int check(const char *name, const float *out)
{
    int wrong = 0;
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIDE * SIDE; i++)
        wrong += results[i] != values[i % SIDE * SIDE + i / SIDE];
    printf("%s: %s\n", name, wrong ? "wrong" : "right");
    return wrong;
}

int main()
{
    float *in, *out;
    int wrong = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (float)i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    const dim3 tiles(SIDE / TILE, SIDE / TILE);
    transposeDense<<<tiles, THREADS>>>(map_of(in, CU_TENSOR_MAP_SWIZZLE_NONE), out);
    wrong += check("transposeDense", out);
    transposeSwizzled<<<tiles, THREADS>>>(map_of(in, CU_TENSOR_MAP_SWIZZLE_128B), out);
    wrong += check("transposeSwizzled", out);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
