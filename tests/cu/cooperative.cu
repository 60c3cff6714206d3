// cooperative.cu - do all blocks of a cooperative launch wait for each other, each with its shared memory, its registers
// and its local arrays as they were? Are launches by the address of a kernel those of the kernel?
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

// Each round adds up what a thread of another block has left in the round before.
template <int Rounds> __global__ void pass_on(int *a, int *b, int n)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    a[i] = i;
    grid.sync();
    for (int round = 0; round < Rounds; round++) {
        b[i] = a[n - 1 - i] + round;
        cg::sync(grid);
        a[i] = b[(i + 1) % n];
        grid.sync();
    }
}

static int passed_on(int *values, int n, int rounds)
{
    int before[1024];
    for (int i = 0; i < n; i++)
        values[i] = i;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < n; i++)
            before[i] = values[n - 1 - i] + round;
        for (int i = 0; i < n; i++)
            values[i] = before[(i + 1) % n];
    }
    return n;
}

// Static and dynamic shared memory, a local array with an index that changes, and a count at a barrier.
__global__ void keeps(int *out, int *sum)
{
    __shared__ int tile[96];
    extern __shared__ double more[];
    int t = (int)threadIdx.x, local[8];
    tile[t] = (int)blockIdx.x * 1000 + t;
    more[t] = blockIdx.x + t / 128.0;
    for (int i = 0; i < 8; i++)
        local[i] = t * i + (int)blockIdx.x;
    __syncthreads();
    atomicAdd(sum, 1);
    cg::this_grid().sync();
    int all = *(volatile int *)sum;
    __shared__ int late[96];
    late[95 - t] = tile[95 - t];
    int same = __syncthreads_count(local[t % 8] == t * (t % 8) + (int)blockIdx.x);
    cg::this_grid().sync();
    out[blockIdx.x * 96 + t] = late[t] + (int)(more[t] * 128) - (int)blockIdx.x * 128 + all + same;
}

// Blocks in three dimensions, and threads: half of them are in a branch at the barrier of the block, none at the grid's.
__global__ void places(int *out)
{
    cg::grid_group grid = cg::this_grid();
    if (!grid.is_valid()) {
        out[grid.thread_rank()] = -1;
        return;
    }
    out[grid.thread_rank()] = 0;
    grid.sync();
    unsigned long long other = grid.size() - 1 - grid.thread_rank();
    atomicAdd(&out[other], (int)(blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z));
}

static void rounds(int *a, int *b)
{
    int n = 8 * 96, host[1024], expected[1024];
    void *arguments[] = {&a, &b, &n};
    passed_on(expected, n, 3);
    CHECK_CALL(cudaLaunchCooperativeKernel((void *)pass_on<3>, 8, 96, arguments));
    CHECK_CALL(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK_THAT(host[i] == expected[i]);
    passed_on(expected, n, 1);
    CHECK_CALL(cudaLaunchCooperativeKernel(pass_on<1>, dim3(12), dim3(64), arguments, 0, NULL));
    CHECK_CALL(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        CHECK_THAT(host[i] == expected[i]);
}

static void state(int *out, int *sum)
{
    static int host[20 * 96];
    void *arguments[] = {&out, &sum};
    CHECK_CALL(cudaMemset(sum, 0, sizeof *sum));
    CHECK_CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&keeps), 20, 96, arguments,
                                           96 * sizeof(double), 0));
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int block = 0; block < 20; block++)
        for (int t = 0; t < 96; t++)
            CHECK_THAT(host[block * 96 + t] == block * 1000 + t + t + 20 * 96 + 96);
}

static void dimensions(int *out)
{
    int host[2 * 3 * 2 * 12];
    void *arguments[] = {&out};
    const void *kernel = (const void *)places;
    CHECK_CALL(cudaLaunchCooperativeKernel(kernel, dim3(2, 3, 2), dim3(4, 3), arguments, 0, 0));
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 144; i++) {
        int block = (143 - i) / 12;
        CHECK_THAT(host[i] == block % 2 + 10 * (block / 2 % 3) + 100 * (block / 6));
    }
    CHECK_CALL(cudaLaunchKernel(kernel, dim3(2, 3, 2), dim3(4, 3), arguments, 0, 0));
    CHECK_CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    CHECK_THAT(host[0] == -1 && host[143] == -1);
}

// As a node of a graph.
static void recorded(int *a, int *b)
{
    int n = 4 * 64, host[1024], expected[1024];
    void *arguments[] = {&a, &b, &n};
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    CHECK_CALL(cudaStreamCreate(&stream));
    CHECK_CALL(cudaMemset(a, 0, n * sizeof(int)));
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaLaunchCooperativeKernel((void *)pass_on<2>, 4, 64, arguments, 0, stream));
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK_THAT(host[1] == 0);
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_CALL(cudaStreamSynchronize(stream));
    CHECK_CALL(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    passed_on(expected, n, 2);
    for (int i = 0; i < n; i++)
        CHECK_THAT(host[i] == expected[i]);
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphDestroy(graph));
}

// As many as are resident, and one more.
static void sizes(int *out)
{
    cudaDeviceProp p;
    int can, each;
    void *arguments[] = {&out};
    CHECK_CALL(cudaGetDeviceProperties(&p, 0));
    CHECK_CALL(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    CHECK_THAT(can == 1 && p.cooperativeLaunch == 1);
    CHECK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, places, 64, 0));
    CHECK_THAT(p.major != 9 || each == 32); // a block's two warps are not rounded up to four
    unsigned most = (unsigned)(each * p.multiProcessorCount);
    CHECK_CALL(cudaLaunchCooperativeKernel((void *)places, most, 64, arguments));
    CHECK_THAT(cudaLaunchCooperativeKernel((void *)places, most + 1, 64, arguments) ==
               cudaErrorCooperativeLaunchTooLarge);
    CHECK_THAT(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
    CHECK_THAT(cudaLaunchCooperativeKernel((const void *)&most, 1, 64, arguments) ==
               cudaErrorInvalidDeviceFunction);
    cudaGetLastError();
}

int main()
{
    int *a, *b;
    CHECK_CALL(cudaMalloc(&a, 1 << 20));
    CHECK_CALL(cudaMalloc(&b, 1 << 20));
    rounds(a, b);
    state(a, b);
    dimensions(a);
    recorded(a, b);
    sizes(a);
    puts("PASSED");
    return 0;
}
