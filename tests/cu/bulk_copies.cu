/* bulk_copies.cu - barriers in shared memory and bulk copies as programs have them: inline PTX, cuda::ptx, cuda::barrier. Each kernel's
 * result is checked; some are a pipeline of warps with different work.
 */
#include <cstdint>
#include <cstdio>
#include <utility>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

enum { TILE = 512, TILES = 6, BLOCKS = 3, COUNT = TILE * TILES * BLOCKS };

__device__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ void wait_parity(uint64_t *barrier, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra over;\n"
                 "bra again;\n"
                 "over:\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ uint32_t test_parity(uint64_t *barrier, uint32_t parity)
{
    uint32_t done;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}\n"
                 : "=r"(done)
                 : "r"(shared_address(barrier)), "r"(parity)
                 : "memory");
    return done;
}

/* ---- One thread copies in, all compute, one copies out ---------------------------------------------- */

__global__ void by_ptx(const float *in, float *out)
{
    __shared__ alignas(128) float tile[TILE];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)),
                     "n"(1));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    for (int t = 0; t < TILES; t++) {
        const int at = (blockIdx.x * TILES + t) * TILE;
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                             shared_address(&barrier)),
                         "r"((unsigned)sizeof tile)
                         : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
                         "[%1], %2, [%3];" ::"r"(shared_address(tile)),
                         "l"(in + at), "r"((unsigned)sizeof tile), "r"(shared_address(&barrier))
                         : "memory");
        }
        wait_parity(&barrier, t & 1);
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[i] = 2 * tile[i] + 1;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + at),
                         "r"(shared_address(tile)), "r"((unsigned)sizeof tile)
                         : "memory");
            asm volatile("cp.async.bulk.commit_group;");
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
        __syncthreads();
    }
}

/* ---- A cuda::barrier of all threads, one of which announces bytes ---------------------------------------- */

__global__ void by_barrier(const float *in, float *out)
{
    __shared__ alignas(16) float tile[TILE];
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    for (int t = 0; t < TILES; t++) {
        const int at = (blockIdx.x * TILES + t) * TILE;
        block_barrier::arrival_token token;
        /* The last thread: others wait already when it comes. */
        if (threadIdx.x == blockDim.x - 1) {
            cuda::device::memcpy_async_tx(tile, in + at, cuda::aligned_size_t<16>(sizeof tile),
                                          barrier);
            token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
        } else {
            token = barrier.arrive();
        }
        barrier.wait(std::move(token));
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            tile[i] = 2 * tile[i] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + at, tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
        __syncthreads();
    }
}

/* ---- A warp that copies, and warps that compute ------------------------------------------------------------ */

enum { STAGES = 2 };

__global__ void by_warps(const float *in, float *out)
{
    __shared__ alignas(128) float tiles[STAGES][TILE];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const unsigned warp = threadIdx.x / 32, consumers = blockDim.x - 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx::mbarrier_init(&full[s], 1);
            ptx::mbarrier_init(&empty[s], consumers);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (warp == 0) {
        for (int t = 0; t < TILES; t++) {
            const int s = t % STAGES, round = t / STAGES;
            if (threadIdx.x == 0) {
                while (!ptx::mbarrier_try_wait_parity(&empty[s], (round & 1) ^ 1))
                    ;
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                               &full[s], sizeof tiles[s]);
                ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[s],
                                   in + (blockIdx.x * TILES + t) * TILE, sizeof tiles[s], &full[s]);
            }
            __syncwarp();
        }
    } else {
        for (int t = 0; t < TILES; t++) {
            const int s = t % STAGES, round = t / STAGES;
            while (!test_parity(&full[s], round & 1))
                ;
            for (unsigned i = threadIdx.x - 32; i < TILE; i += consumers)
                out[(blockIdx.x * TILES + t) * TILE + i] = 2 * tiles[s][i] + 1;
            ptx::mbarrier_arrive(&empty[s]);
        }
    }
}

/* ---- Half of the threads at a barrier; added in global memory ------------------------------------------------ */

__global__ void by_half(const float *in, float *out)
{
    __shared__ alignas(16) float tile[TILE];
    __shared__ block_barrier half;
    const unsigned threads = blockDim.x / 2;
    if (threadIdx.x == 0)
        init(&half, threads);
    __syncthreads();
    if (threadIdx.x >= threads)
        return;
    for (int t = 0; t < TILES; t++) {
        const int at = (blockIdx.x * TILES + t) * TILE;
        for (unsigned i = threadIdx.x; i < TILE; i += threads)
            tile[i] = in[at + i] + 1;
        ptx::fence_proxy_async(ptx::space_shared);
        half.arrive_and_wait();
        if (threadIdx.x == 0) {
            ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out + at,
                                      (const float *)tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        }
        half.arrive_and_wait();
    }
}

/* ---- Warps with different work at barriers of all threads, where each of them waits elsewhere -------------- */

__global__ void by_roles(const float *in, float *out)
{
    __shared__ float tiles[2][TILE];
    __shared__ block_barrier ready[2], filled[2];
    const unsigned half = blockDim.x / 2;
    if (threadIdx.x < 2) {
        init(&ready[threadIdx.x], blockDim.x);
        init(&filled[threadIdx.x], blockDim.x);
    }
    __syncthreads();
    if (threadIdx.x < half) {
        for (int t = 0; t < TILES; t++) {
            ready[t % 2].arrive_and_wait();
            for (unsigned i = threadIdx.x; i < TILE; i += half)
                tiles[t % 2][i] = 2 * in[(blockIdx.x * TILES + t) * TILE + i];
            (void)filled[t % 2].arrive();
        }
    } else {
        (void)ready[0].arrive();
        (void)ready[1].arrive();
        for (int t = 0; t < TILES; t++) {
            filled[t % 2].arrive_and_wait();
            for (unsigned i = threadIdx.x - half; i < TILE; i += half)
                out[(blockIdx.x * TILES + t) * TILE + i] = tiles[t % 2][i] + 1;
            (void)ready[t % 2].arrive();
        }
    }
}

/* ---- Host --------------------------------------------------------------------------------------------------- */

static float *in, *out, values[COUNT], results[COUNT];

static int check(const char *name)
{
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < COUNT; i++)
        wrong += results[i] != 2 * values[i] + 1;
    printf("%s: %s\n", name, wrong ? "wrong" : "right");
    cudaMemset(out, 0, sizeof results);
    return wrong;
}

int main()
{
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(i % 1021);
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof results);
    by_ptx<<<BLOCKS, 128>>>(in, out);
    wrong += check("by_ptx");
    by_barrier<<<BLOCKS, 96>>>(in, out);
    wrong += check("by_barrier");
    by_warps<<<BLOCKS, 96>>>(in, out);
    wrong += check("by_warps");
    cudaMemcpy(out, in, sizeof values, cudaMemcpyDeviceToDevice);
    by_half<<<BLOCKS, 64>>>(in, out);
    wrong += check("by_half");
    by_roles<<<BLOCKS, 64>>>(in, out);
    wrong += check("by_roles");
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
