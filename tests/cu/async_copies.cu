/* async_copies.cu - does each form of an asynchronous copy bring what it should to shared memory? A block sums tiles, of which
 * the next one is on its way while one is summed up. */
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

enum { THREADS = 64, TILES = 5, TILE = 4 * THREADS, N = TILES * TILE };

/* A thread adds up what others have copied. */
__device__ float sum_of(const float *tile)
{
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += tile[(threadIdx.x * 4 + i * 37 + 5) % TILE] * (i + 1);
    return sum;
}

template <int Bytes> __device__ void copy_ca(void *to, const void *from)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], %2;" ::"r"(at), "l"(from), "n"(Bytes));
}
__device__ void copy_cg(void *to, const void *from)
{
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared::cta.global [%0+0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
}

template <int Bytes, bool PastL1> __device__ void copy_tile(float *to, const float *from)
{
    for (int i = threadIdx.x * Bytes / 4; i < TILE; i += THREADS * Bytes / 4)
        if (PastL1)
            copy_cg(to + i, from + i);
        else
            copy_ca<Bytes>(to + i, from + i);
    asm volatile("cp.async.commit_group;");
}

template <int Bytes, bool PastL1> __global__ void by_ptx(float *out, const float *in)
{
    __shared__ __align__(16) float tile[2][TILE];
    float sum = 0;
    copy_tile<Bytes, PastL1>(tile[0], in);
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES) {
            copy_tile<Bytes, PastL1>(tile[(i + 1) % 2], in + (i + 1) * TILE);
            asm volatile("cp.async.wait_group 1;");
        } else {
            asm volatile("cp.async.wait_all;");
        }
        __syncthreads();
        sum += sum_of(tile[i % 2]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void by_primitives(float *out, const float *in)
{
    __shared__ alignas(16) float tile[2][TILE];
    float sum = 0;
    const int at = 4 * threadIdx.x;
    __pipeline_memcpy_async(&tile[0][at], in + at, 16);
    __pipeline_commit();
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES)
            __pipeline_memcpy_async(&tile[(i + 1) % 2][at], in + (i + 1) * TILE + at, 16);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += sum_of(tile[i % 2]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void by_pipeline(float *out, const float *in)
{
    __shared__ float4 tile[3][THREADS];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    float sum = 0;
    for (int next = 0, i = 0; i < TILES; i++) {
        for (; next < TILES && next < i + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[next % 3][threadIdx.x], (const float4 *)in + next * THREADS + threadIdx.x,
                               cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        sum += sum_of((const float *)tile[i % 3]);
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void by_shared_pipeline(float *out, const float *in)
{
    __shared__ float tile[2][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int next = 0, i = 0; i < TILES; i++) {
        for (; next < TILES && next < i + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, tile[next % 2], in + next * TILE, sizeof tile[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += sum_of(tile[i % 2]);
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

/* The first THREADS threads use tiles, a warp behind them brings them, up to three ahead. */
template <bool ByCount> __global__ void by_roles(float *out, const float *in)
{
    __shared__ float tile[3][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    const bool produces = ByCount ? threadIdx.x < 32 : threadIdx.x >= THREADS;
    auto make = [&] {
        if constexpr (ByCount)
            return cuda::make_pipeline(block, &state, (size_t)32);
        else
            return cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    };
    auto pipe = make();
    const unsigned t = ByCount ? threadIdx.x - 32 : threadIdx.x;
    float sum = 0;
    for (int i = 0; i < TILES; i++)
        if (produces) {
            pipe.producer_acquire();
            for (int j = threadIdx.x % 32 * 4; j < TILE; j += 128)
                cuda::memcpy_async((float4 *)&tile[i % 3][j], (const float4 *)&in[i * TILE + j], cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            for (int k = 0; k < 4; k++)
                sum += tile[i % 3][(t * 4 + k * 37 + 5) % TILE] * (k + 1);
            pipe.consumer_release();
        }
    if (!produces)
        out[t] = sum;
}

__global__ void by_barriers(float *out, const float *in)
{
    __shared__ float4 tile[2][THREADS];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready[2];
    float sum = 0;
    if (threadIdx.x < 2)
        init(&ready[threadIdx.x], THREADS);
    __syncthreads();
    cuda::memcpy_async(&tile[0][threadIdx.x], (const float4 *)in + threadIdx.x, sizeof(float4), ready[0]);
    for (int i = 0; i < TILES; i++) {
        if (i + 1 < TILES)
            cuda::memcpy_async(&tile[(i + 1) % 2][threadIdx.x], (const float4 *)in + (i + 1) * THREADS + threadIdx.x,
                               sizeof(float4), ready[(i + 1) % 2]);
        ready[i % 2].arrive_and_wait();
        sum += sum_of((const float *)tile[i % 2]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/* Elements, bytes of any alignment, tiles of a warp. */
__global__ void by_groups(float *out, const float *in)
{
    __shared__ float tile[TILE];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    float sum = 0;
    for (int i = 0; i < TILES; i++) {
        const float *from = in + i * TILE;
        if (i % 3 == 0) {
            cg::memcpy_async(block, tile, TILE, from, N - i * TILE);
        } else if (i % 3 == 1) {
            const int half = TILE / 2 * warp.meta_group_rank();
            cg::memcpy_async(warp, tile + half, from + half, sizeof tile / 2);
        } else {
            cg::memcpy_async(block, (char *)tile, (const char *)from, sizeof tile);
        }
        cg::wait(block);
        sum += sum_of(tile);
        block.sync();
    }
    out[threadIdx.x] = sum;
}

/* Zeros behind short sources, and what a predicate ignores. */
__global__ void zeros(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[3][TILE];
    const int first = 4 * threadIdx.x;
    const int left = n - first, bytes = left <= 0 ? 0 : left >= 4 ? 16 : 4 * left;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[0][first]),
                   other = (unsigned)__cvta_generic_to_shared(&tile[1][first]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(in + first), "r"(bytes));
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 16, p; }" ::"r"(other),
                 "l"(in + first), "r"(bytes));
    __pipeline_memcpy_async(&tile[2][first], in + first, 16, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            out[i * TILE + first + k] = tile[i][(first + k + 4) % TILE];
}

static float *in, *out;
static int wrong;

static void look(const char *name, const float *from)
{
    float got[THREADS];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        float sum = 0;
        for (int i = 0; i < TILES; i++)
            for (int k = 0; k < 4; k++)
                sum += from[i * TILE + (t * 4 + k * 37 + 5) % TILE] * (k + 1);
        if (got[t] != sum) {
            printf("%s: thread %d has %g, not %g\n", name, t, got[t], sum);
            wrong++;
            return;
        }
    }
}

#define RUN_WITH(threads, name, ...)                                                                                   \
    do {                                                                                                               \
        cudaMemset(out, 0, 3 * TILE * sizeof(float));                                                                  \
        __VA_ARGS__<<<1, threads>>>(out, in);                                                                          \
        look(name, host);                                                                                              \
    } while (0)
#define RUN(name, ...) RUN_WITH(THREADS, name, __VA_ARGS__)

static void look_at_zeros(const float *from, int n)
{
    float got[3 * TILE];
    zeros<<<1, THREADS>>>(out, in, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < TILE; i++) {
        const int at = (i + 4) % TILE, whole = at / 4 * 4 < n;
        const float want[3] = {at < n ? from[at] : 0, whole ? from[at] : 0, at % 4 == 3 ? 0 : from[at]};
        for (int k = 0; k < 3; k++)
            if (got[k * TILE + i] != want[k]) {
                printf("zeros %d: %d has %g, not %g\n", k, i, got[k * TILE + i], want[k]);
                wrong++;
                return;
            }
    }
}

int main()
{
    static float host[N];
    for (int i = 0; i < N; i++)
        host[i] = (float)(i % 251 + 1);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 3 * TILE * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    RUN("ca.4", by_ptx<4, false>);
    RUN("ca.8", by_ptx<8, false>);
    RUN("ca.16", by_ptx<16, false>);
    RUN("cg.16", by_ptx<16, true>);
    RUN("primitives", by_primitives);
    RUN("pipeline", by_pipeline);
    RUN("shared pipeline", by_shared_pipeline);
    RUN_WITH(THREADS + 32, "roles", by_roles<false>);
    RUN_WITH(THREADS + 32, "a number of producers", by_roles<true>);
    RUN("barriers", by_barriers);
    RUN("groups", by_groups);
    look_at_zeros(host, 101);
    printf(wrong ? "FAILED\n" : "PASSED\n");
    return wrong != 0;
}
