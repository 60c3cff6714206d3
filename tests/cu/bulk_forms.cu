/* bulk_forms.cu - other ways to the same: addresses in 64 bits, barriers of C, the driver's way to a tensor map, states and counts of
 * barriers in PTX, labels of a statement that is there twice, a leader of a warp. */
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

enum { THREADS = 64, ROWS = 7, ROW = 128 };

/* A ring of two rows: one thread copies, by generic addresses; a warp computes. */
__global__ void ring(const int *in, int *out)
{
    __shared__ alignas(16) int rows[2][ROW];
    __shared__ block_barrier full[2], empty[2];
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 32 + 1);
        init(&empty[threadIdx.x], 32 + 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(24));
        for (int k = 0; k < ROWS && threadIdx.x == 0; k++) {
            empty[k % 2].wait(empty[k % 2].arrive());
            const uint64_t to = reinterpret_cast<uint64_t>(rows[k % 2]),
                           barrier = reinterpret_cast<uint64_t>(
                               cuda::device::barrier_native_handle(full[k % 2]));
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                         " [%0], [%1], %2, [%3];" ::"l"(to),
                         "l"(in + k * ROW), "r"((unsigned)sizeof rows[0]), "l"(barrier)
                         : "memory");
            block_barrier::arrival_token token =
                cuda::device::barrier_arrive_tx(full[k % 2], 1, sizeof rows[0]);
            (void)token;
        }
    } else {
        for (int k = 0; k < 2; k++)
            (void)empty[k].arrive();
        for (int k = 0; k < ROWS; k++) {
            full[k % 2].wait(full[k % 2].arrive());
            for (int i = threadIdx.x - 32; i < ROW; i += 32)
                out[k * ROW + i] = rows[k % 2][i] * 2;
            (void)empty[k % 2].arrive();
        }
    }
}

__global__ void turned(int *out)
{
    __shared__ __mbarrier_t barrier;
    __shared__ int values[THREADS];
    if (threadIdx.x == 0)
        __mbarrier_init(&barrier, blockDim.x);
    __syncthreads();
    values[threadIdx.x] = threadIdx.x;
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token))
        ;
    out[threadIdx.x] = values[THREADS - 1 - threadIdx.x];
}

__device__ __forceinline__ void wait(uint32_t barrier, uint64_t state)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "wait_again: mbarrier.try_wait.shared::cta.b64 done, [%0], %1, 0x989680;\n"
                 "@!done bra wait_again;\n"
                 "}" ::"r"(barrier),
                 "l"(state)
                 : "memory");
}

/* Half of the threads drop out behind the first phase; both waits are the same statement. What is pending is so in front of an
 * arrival: all of the first to come. */
__global__ void counts(int *out)
{
    __shared__ uint64_t barrier;
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(&barrier);
    uint64_t state;
    uint32_t pending, leads;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(THREADS));
    __syncthreads();
    if (threadIdx.x < THREADS / 2)
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    else
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    wait(at, state);
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(leads));
    if (threadIdx.x >= THREADS / 2) {
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1], 1;" : "=l"(state) : "r"(at) : "memory");
        wait(at, state);
    }
    out[threadIdx.x] = (int)leads + (pending >= 1 && pending <= THREADS ? 0 : THREADS);
    if (pending == THREADS)
        atomicAdd(&out[THREADS], 1);
}

__global__ void add_index(const __grid_constant__ CUtensorMap map, int x, int y)
{
    __shared__ alignas(128) int tile[8][THREADS];
    __shared__ block_barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    uint64_t token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x, y, barrier);
        token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof tile);
    } else {
        token = barrier.arrive();
    }
    barrier.wait(cuda::std::move(token));
    tile[0][threadIdx.x] += threadIdx.x;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &tile);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

static PFN_cuTensorMapEncodeTiled_v12000 by_the_driver()
{
    cudaDriverEntryPointQueryResult found;
    CUdriverProcAddressQueryResult status;
    void *by_name = nullptr, *encode = nullptr;
    cudaGetDriverEntryPointByVersion("cuGetProcAddress", &by_name, 12000, cudaEnableDefault, &found);
    if (found != cudaDriverEntryPointSuccess ||
        ((PFN_cuGetProcAddress_v12000)by_name)("cuTensorMapEncodeTiled", &encode, 12000,
                                               CU_GET_PROC_ADDRESS_DEFAULT, &status) != CUDA_SUCCESS)
        return nullptr;
    return (PFN_cuTensorMapEncodeTiled_v12000)encode;
}

static int check_map()
{
    enum { WIDTH = 256, HEIGHT = 16, X = 64, Y = 8 };
    static int results[HEIGHT][WIDTH];
    int *array, wrong = 0;
    CUtensorMap map{};
    const cuuint64_t size[] = {WIDTH, HEIGHT}, pitch[] = {WIDTH * sizeof(int)};
    const cuuint32_t box[] = {THREADS, 8}, one[] = {1, 1};
    const PFN_cuTensorMapEncodeTiled_v12000 encode = by_the_driver();
    cudaMalloc(&array, sizeof results);
    cudaMemset(array, 0, sizeof results);
    if (encode == nullptr ||
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, array, size, pitch, box, one,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
        return 1;
    add_index<<<1, THREADS>>>(map, X, Y);
    cudaMemcpy(results, array, sizeof results, cudaMemcpyDeviceToHost);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            wrong += results[y][x] != (y == Y && x >= X && x < X + THREADS ? x - X : 0);
    return wrong;
}

int main()
{
    static int values[ROWS * ROW], results[ROWS * ROW];
    int *in, *out, wrong = check_map();
    for (int i = 0; i < ROWS * ROW; i++)
        values[i] = i;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    ring<<<1, THREADS>>>(in, out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ROWS * ROW; i++)
        wrong += results[i] != 2 * i;
    turned<<<1, THREADS>>>(out);
    cudaMemcpy(results, out, THREADS * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        wrong += results[i] != THREADS - 1 - i;
    cudaMemset(out + THREADS, 0, sizeof *out);
    counts<<<1, THREADS>>>(out);
    cudaMemcpy(results, out, (THREADS + 1) * sizeof(int), cudaMemcpyDeviceToHost);
    int leaders = 0;
    for (int i = 0; i < THREADS; i++)
        leaders += results[i];
    wrong += leaders != THREADS / 32 || results[THREADS] == 0;
    puts(wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
