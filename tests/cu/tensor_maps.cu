/* tensor_maps.cu - boxes of tensors in both directions, by inline PTX, by cuda::ptx and on a cuda::barrier: of 1 to 5 dimensions, across the
 * tensor's borders, with each swizzle. Shared memory is looked at byte by byte.
 */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                          const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                          CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                          CUtensorMapFloatOOBfill);

/* ---- A matrix, box by box: by PTX, 2d ----------------------------------------------------------------- */

enum { WIDTH = 100, PITCH = 112, HEIGHT = 37, BOX_X = 32, BOX_Y = 8 };

__global__ void scale(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to)
{
    __shared__ alignas(128) float tile[BOX_Y][BOX_X];
    __shared__ uint64_t barrier;
    const int x = blockIdx.x * BOX_X, y = blockIdx.y * BOX_Y;
    const uint32_t tile_at = (uint32_t)__cvta_generic_to_shared(tile),
                   barrier_at = (uint32_t)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&from) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_at));
        asm volatile("fence.proxy.async.shared::cta;");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            " [%0], [%1, {%3, %4}], [%2];" ::"r"(tile_at),
            "l"(&from), "r"(barrier_at), "r"(x), "r"(y)
            : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier_at),
                     "r"((unsigned)sizeof tile)
                     : "memory");
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0))
        ;
    for (int i = threadIdx.x; i < BOX_X * BOX_Y; i += blockDim.x)
        tile[i / BOX_X][i % BOX_X] = 3 * tile[i / BOX_X][i % BOX_X] + 7;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
                         &to),
                     "r"(tile_at), "r"(x), "r"(y)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static int check_scale()
{
    static float values[HEIGHT][PITCH], results[HEIGHT][PITCH];
    float *in, *out;
    CUtensorMap from, to;
    const cuuint64_t size[] = {WIDTH, HEIGHT}, pitch[] = {PITCH * sizeof(float)};
    const cuuint32_t box[] = {BOX_X, BOX_Y}, one[] = {1, 1};
    int wrong = 0;
    for (int i = 0; i < HEIGHT * PITCH; i++)
        values[i / PITCH][i % PITCH] = (float)(i % 777);
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof values);
    for (CUtensorMap *map : {&from, &to})
        wrong += encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, map == &from ? in : out, size, pitch,
                        box, one, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS;
    scale<<<dim3((WIDTH + BOX_X - 1) / BOX_X, (HEIGHT + BOX_Y - 1) / BOX_Y), 64>>>(from, to);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PITCH; x++)
            wrong += results[y][x] != (x < WIDTH ? 3 * values[y][x] + 7 : 0);
    cudaFree(in);
    cudaFree(out);
    return wrong;
}

/* ---- What a box is in shared memory: of 1 to 5 dimensions, by cuda::ptx ------------------------------------ */

enum { IMAGE = 16384 };

template <int Rank> struct place {
    int32_t at[Rank];
};

template <int Rank>
__global__ void look(const __grid_constant__ CUtensorMap map, place<Rank> where, unsigned bytes,
                     unsigned image_bytes, unsigned char *image)
{
    extern __shared__ __align__(1024) unsigned char tile[];
    __shared__ block_barrier barrier;
    for (unsigned i = threadIdx.x; i < image_bytes; i += blockDim.x)
        tile[i] = 0xee;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, where.at,
                                  cuda::device::barrier_native_handle(barrier));
        token = cuda::device::barrier_arrive_tx(barrier, 1, bytes);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    for (unsigned i = threadIdx.x; i < image_bytes; i += blockDim.x)
        image[i] = tile[i];
}

/* The same slowly: 16-byte units of a line change places by the line's number. */
template <int Rank>
static int check_look(const unsigned size_of_element, const cuuint64_t (&size)[Rank],
                      const cuuint32_t (&box)[Rank], const int32_t (&at)[Rank], int swizzle)
{
    static const CUtensorMapDataType types[] = {
        CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64};
    static unsigned char expected[IMAGE], got[IMAGE], host[1 << 20];
    cuuint64_t pitch[5] = {size_of_element};
    cuuint32_t one[] = {1, 1, 1, 1, 1};
    place<Rank> where;
    unsigned rows = 1, bytes = size_of_element;
    size_t all = size_of_element;
    unsigned char *array, *image;
    CUtensorMap map;
    int wrong = 0;
    for (int d = 0; d < Rank; d++) {
        pitch[d] = d ? (pitch[d - 1] * size[d - 1] + 15) / 16 * 16 : size_of_element;
        all = pitch[d] * size[d];
        rows *= d ? box[d] : 1;
        bytes *= box[d];
        where.at[d] = at[d];
    }
    const unsigned row = box[0] * size_of_element, width = swizzle ? 16 << swizzle : row;
    for (size_t i = 0; i < all; i++)
        host[i] = (unsigned char)(i * 7 + i / 251 + 1);
    cudaMalloc(&array, all);
    cudaMalloc(&image, IMAGE);
    cudaMemcpy(array, host, all, cudaMemcpyHostToDevice);
    wrong += encode(&map, types[size_of_element == 1   ? 0
                                : size_of_element == 2 ? 1
                                : size_of_element == 4 ? 2
                                                       : 3],
                    Rank, array, size, pitch + 1, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE,
                    (CUtensorMapSwizzle)swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS;
    memset(expected, 0xee, sizeof expected);
    for (unsigned k = 0; k < rows; k++)
        for (unsigned i = 0; i < row; i++) {
            long long place = at[0] + (int)(i / size_of_element), offset = 0;
            bool inside = place >= 0 && place < (long long)size[0];
            offset = place * size_of_element + i % size_of_element;
            for (unsigned d = 1, rest = k; d < Rank; rest /= box[d], d++) {
                place = at[d] + (int)(rest % box[d]);
                inside = inside && place >= 0 && place < (long long)size[d];
                offset += place * (long long)pitch[d];
            }
            unsigned to = k * width + i;
            if (swizzle)
                to ^= (to / 128 % (1u << swizzle)) * 16;
            expected[to] = inside ? host[offset] : 0;
        }
    look<Rank><<<1, 32, rows * width>>>(map, where, bytes, rows * width, image);
    cudaMemcpy(got, image, rows * width, cudaMemcpyDeviceToHost);
    wrong += memcmp(got, expected, rows * width) != 0;
    cudaFree(array);
    cudaFree(image);
    return wrong;
}

static int check_looks()
{
    int wrong = 0;
    wrong += check_look<1>(4, {100}, {32}, {80}, 0);
    wrong += check_look<2>(2, {64, 50}, {64, 8}, {0, 4}, 3);
    wrong += check_look<2>(2, {64, 50}, {64, 16}, {0, -3}, 3);
    wrong += check_look<2>(4, {60, 30}, {16, 8}, {48, 25}, 2);
    wrong += check_look<2>(1, {64, 64}, {32, 16}, {16, 8}, 1);
    wrong += check_look<3>(2, {40, 10, 6}, {16, 4, 2}, {-8, 8, 5}, 0);
    wrong += check_look<4>(8, {10, 5, 4, 3}, {4, 2, 2, 2}, {2, 1, 3, 1}, 0);
    wrong += check_look<5>(4, {16, 3, 3, 3, 3}, {8, 2, 2, 2, 2}, {4, 1, 1, 1, 1}, 2);
    return wrong;
}

/* ---- On a cuda::barrier: two boxes at one barrier, summed ---------------------------------------------------- */

__global__ void add(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                    const __grid_constant__ CUtensorMap sum)
{
    __shared__ alignas(128) int first[8][8], second[8][8];
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(first, &a, blockIdx.x * 8, blockIdx.y * 8,
                                                      barrier);
        cde::cp_async_bulk_tensor_2d_global_to_shared(second, &b, blockIdx.x * 8, blockIdx.y * 8,
                                                      barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof first + sizeof second);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(std::move(token));
    first[threadIdx.x / 8][threadIdx.x % 8] += second[threadIdx.x / 8][threadIdx.x % 8];
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&sum, blockIdx.x * 8, blockIdx.y * 8, first);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

/* Where an array of a tensor begins: at an address with this bit, or cudaMalloc's own. */
static const uintptr_t FLAG = 1u << 21;

static int sum_arrays(bool changed)
{
    enum { SIDE = 24 };
    static int values[2][SIDE * SIDE], results[SIDE * SIDE];
    int *arrays[3], wrong = 0;
    CUtensorMap maps[3];
    memset(results, 0, sizeof results);
    const cuuint64_t size[] = {SIDE, SIDE}, pitch[] = {SIDE * sizeof(int)};
    const cuuint32_t box[] = {8, 8}, one[] = {1, 1};
    for (int k = 0; k < 3; k++) {
        cudaMalloc(&arrays[k], changed ? 2 * FLAG : sizeof results);
        if (changed)
            arrays[k] = reinterpret_cast<int *>(
                (reinterpret_cast<uintptr_t>(arrays[k]) + FLAG - 1) & ~(FLAG - 1) | FLAG);
        for (int i = 0; i < SIDE * SIDE && k < 2; i++)
            values[k][i] = (k + 1) * i * 3 + k;
        cudaMemcpy(arrays[k], k < 2 ? values[k] : results, sizeof results, cudaMemcpyHostToDevice);
        wrong += encode(&maps[k], CU_TENSOR_MAP_DATA_TYPE_INT32, 2, arrays[k], size, pitch, box, one,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_NONE,
                        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS;
        maps[k].opaque[1] &= changed ? ~FLAG : ~uintptr_t(0);
    }
    add<<<dim3(3, 3), 64>>>(maps[0], maps[1], maps[2]);
    cudaMemcpy(results, arrays[2], sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < SIDE * SIDE; i++)
        wrong += results[i] != values[0][i] + values[1][i];
    return wrong;
}

static int check_add()
{
    return sum_arrays(false);
}

/* What libraries are known to do for tensors below 128 KiB: they clear a flag in the map's second word. */
static int check_flags()
{
    return sum_arrays(true);
}

/* ---- What the driver refuses ---------------------------------------------------------------------------------- */

static int check_refusals()
{
    float *array;
    CUtensorMap map;
    const cuuint64_t size[] = {64, 64}, pitch[] = {256}, odd_pitch[] = {250};
    const cuuint32_t box[] = {16, 8}, wide[] = {257, 1}, narrow[] = {3, 8}, one[] = {1, 1};
    int taken = 0;
    cudaMalloc(&array, 64 * 256);
#define TRY(rank, at, pitch, box, swizzle)                                                         \
    taken += encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, at, size, pitch, box, one,        \
                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,       \
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS
    TRY(0, array, pitch, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(6, array, pitch, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(2, array + 1, pitch, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(2, array, odd_pitch, box, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(2, array, pitch, wide, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(2, array, pitch, narrow, CU_TENSOR_MAP_SWIZZLE_NONE);
    TRY(2, array, pitch, box, CU_TENSOR_MAP_SWIZZLE_32B);
#undef TRY
    cudaFree(array);
    return taken;
}

int main()
{
    void *function = nullptr;
    cudaDriverEntryPointQueryResult found;
    int wrong = 0, all = 0;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &found);
    if (found != cudaDriverEntryPointSuccess)
        return 1;
    memcpy(&encode, &function, sizeof encode);
#define CHECK(name)                                                                                \
    all += wrong = check_##name();                                                                 \
    printf(#name ": %s\n", wrong ? "wrong" : "right")
    CHECK(scale);
    CHECK(looks);
    CHECK(add);
    CHECK(flags);
    CHECK(refusals);
    puts(all ? "FAILED" : "PASSED");
    return all != 0;
}
