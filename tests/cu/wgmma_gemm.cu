/* wgmma_gemm.cu - a product of matrices as kernels for Hopper are written: one warpgroup of which a thread asks for tiles (TMA), two that multiply
 * them (wgmma), a ring of stages between them with a barrier each way, registers moved from the one to the others, and results that go
 * back through shared memory. C = A B^T: A is M x K, B is N x K, both by rows.
 */
#include <cstdint>
#include <cstdio>
#include <vector>
#include <cuda.h>
#include <cuda_fp16.h>
#include "check.h"
#include "../../tools/cuda/wgmma/forms.h"

enum { TILE_M = 128, TILE_N = 128, TILE_K = 64, STAGES = 3, GROUP = 128, CONSUMERS = 2 };

struct Shared {
    alignas(1024) half a[STAGES][TILE_M * TILE_K];
    alignas(1024) half b[STAGES][TILE_N * TILE_K];
    alignas(1024) half c[CONSUMERS][TILE_M / CONSUMERS * TILE_N];
    uint64_t full[STAGES], empty[STAGES];
};

static __device__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

static __device__ void barrier_init(uint64_t *barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
}
static __device__ void barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}
static __device__ void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
static __device__ void barrier_wait(uint64_t *barrier, int parity)
{
    asm volatile("{\n"
                 ".reg .pred P1;\n"
                 "LAB_WAIT:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
                 "@P1 bra DONE;\n"
                 "bra LAB_WAIT;\n"
                 "DONE:\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

static __device__ void load_tile(half *to, const CUtensorMap *map, uint64_t *barrier, int k, int row)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                     shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(k), "r"(row)
                 : "memory");
}
static __device__ void store_tile(const CUtensorMap *map, const half *from, int column, int row)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
                 "r"(shared_address(from)), "r"(column), "r"(row)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* Rows of 128 bytes with their swizzle. */
static __device__ uint64_t describe(const half *tile)
{
    return (uint64_t)(shared_address(tile) & 0x3ffff) >> 4 | (uint64_t)(16 >> 4) << 16 | (uint64_t)(1024 >> 4) << 32 | 1ull << 62;
}

static __device__ void produce(Shared *s, const CUtensorMap *a, const CUtensorMap *b, int k_tiles)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(40));
    if (threadIdx.x % GROUP != 0)
        return;
    for (int t = 0; t < k_tiles; t++) {
        const int stage = t % STAGES, round = t / STAGES;
        barrier_wait(&s->empty[stage], (round & 1) ^ 1);
        barrier_expect(&s->full[stage], (TILE_M + TILE_N) * TILE_K * sizeof(half));
        load_tile(s->a[stage], a, &s->full[stage], t * TILE_K, blockIdx.y * TILE_M);
        load_tile(s->b[stage], b, &s->full[stage], t * TILE_K, blockIdx.x * TILE_N);
    }
}

static __device__ void write_back(Shared *s, const CUtensorMap *c, int consumer, const float (&d)[64])
{
    const int t = threadIdx.x % GROUP, row = t / 32 * 16 + t % 32 / 4;
    half *tile = s->c[consumer];
#pragma unroll
    for (int i = 0; i < 64; i += 2) {
        half2 *to = (half2 *)&tile[(row + i / 2 % 2 * 8) * TILE_N + i / 4 * 8 + t % 4 * 2];
        *to = __floats2half2_rn(d[i], d[i + 1]);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, %1;" ::"r"(1 + consumer), "n"((int)GROUP) : "memory");
    if (t == 0)
        store_tile(c, tile, blockIdx.x * TILE_N, blockIdx.y * TILE_M + consumer * (TILE_M / CONSUMERS));
}

static __device__ void consume(Shared *s, const CUtensorMap *c, int consumer, int k_tiles)
{
    float d[64];
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(232));
    for (int t = 0; t < k_tiles; t++) {
        const int stage = t % STAGES;
        barrier_wait(&s->full[stage], t / STAGES & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < TILE_K; k += 16)
            f32_f16_128::from_shared<1, 1, 0, 0>(d, describe(s->a[stage] + consumer * (TILE_M / CONSUMERS) * TILE_K + k),
                                                 describe(s->b[stage] + k), t > 0 || k > 0);
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        if (threadIdx.x % GROUP == 0)
            barrier_arrive(&s->empty[stage]);
    }
    write_back(s, c, consumer, d);
}

__global__ void __launch_bounds__(GROUP *(1 + CONSUMERS))
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const __grid_constant__ CUtensorMap c, int k_tiles)
{
    extern __shared__ __align__(1024) unsigned char bytes[];
    Shared *s = (Shared *)bytes;
    if (threadIdx.x == 0) {
        for (int i = 0; i < STAGES; i++) {
            barrier_init(&s->full[i], 1);
            barrier_init(&s->empty[i], CONSUMERS);
        }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (threadIdx.x < GROUP)
        produce(s, &a, &b, k_tiles);
    else
        consume(s, &c, threadIdx.x / GROUP - 1, k_tiles);
}

static CUresult (*encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                          const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                          CUtensorMapFloatOOBfill);

static CUtensorMap map_of(half *matrix, int rows, int columns, int box_rows, int box_columns, CUtensorMapSwizzle swizzle)
{
    CUtensorMap map;
    const cuuint64_t size[] = {(cuuint64_t)columns, (cuuint64_t)rows}, pitch[] = {columns * sizeof(half)};
    const cuuint32_t box[] = {(cuuint32_t)box_columns, (cuuint32_t)box_rows}, one[] = {1, 1};
    CHECK_THAT(encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, matrix, size, pitch, box, one, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    return map;
}

static half *to_device(const std::vector<half> &values)
{
    half *copy;
    CHECK_CALL(cudaMalloc(&copy, values.size() * sizeof(half)));
    CHECK_CALL(cudaMemcpy(copy, values.data(), values.size() * sizeof(half), cudaMemcpyHostToDevice));
    return copy;
}

static int value_of(int row, int k)
{
    return (row * 7 + k * 3 + row * k % 5) % 5 - 2;
}

int main()
{
    const int m = 2 * TILE_M, n = 2 * TILE_N, depth = 5 * TILE_K;
    std::vector<half> a(m * depth), b(n * depth), c(m * n);
    for (int i = 0; i < m * depth; i++)
        a[i] = (half)(float)value_of(i / depth, i % depth);
    for (int i = 0; i < n * depth; i++)
        b[i] = (half)(float)value_of(i / depth + 3, i % depth);
    cudaDriverEntryPointQueryResult found;
    CHECK_CALL(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", (void **)&encode, cudaEnableDefault, &found));
    half *on_a = to_device(a), *on_b = to_device(b), *on_c = to_device(c);
    const CUtensorMap map_a = map_of(on_a, m, depth, TILE_M, TILE_K, CU_TENSOR_MAP_SWIZZLE_128B),
                      map_b = map_of(on_b, n, depth, TILE_N, TILE_K, CU_TENSOR_MAP_SWIZZLE_128B),
                      map_c = map_of(on_c, m, n, TILE_M / CONSUMERS, TILE_N, CU_TENSOR_MAP_SWIZZLE_NONE);
    CHECK_CALL(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
    gemm<<<dim3(n / TILE_N, m / TILE_M), GROUP *(1 + CONSUMERS), sizeof(Shared)>>>(map_a, map_b, map_c, depth / TILE_K);
    CHECK_CALL(cudaDeviceSynchronize());
    CHECK_CALL(cudaMemcpy(c.data(), on_c, c.size() * sizeof(half), cudaMemcpyDeviceToHost));
    for (int i = 0; i < m * n; i++) {
        int sum = 0;
        for (int k = 0; k < depth; k++)
            sum += value_of(i / n, k) * value_of(i % n + 3, k);
        CHECK_THAT((float)c[i] == (float)sum);
    }
    puts("PASSED");
    return 0;
}
