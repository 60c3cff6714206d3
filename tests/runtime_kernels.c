/* runtime_kernels.c - kernels for the tests of the tracer: memory spaces and kinds of access.
 *
 * The arrays' names and the order of allocation matter: tests look for them.
 */
#include "runtime_kernels.h"

#include "runtime_host.h"

#define COPY_KERNEL(name, type)                                                                    \
    __global__ void name(type *out, const type *in)                                                \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        HERE(HERE_LOAD, out[i] = in[i]);                                                           \
    }                                                                                              \
    KERNEL_LAUNCHER(name, type *, const type *)                                                    \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        const size_t bytes = host_threads(args) * sizeof(type);                                    \
        type *out, *in;                                                                            \
        cudaMalloc(&out, bytes);                                                                   \
        cudaMalloc(&in, bytes);                                                                    \
        cudaMemset(in, 7, bytes);                                                                  \
        launch_##name(host_grid(args), host_block(args), 0, out, in);                              \
        if (args->result)                                                                          \
            cudaMemcpy(args->result, out, bytes, cudaMemcpyDeviceToHost);                          \
    }
RUNTIME_COPIES(COPY_KERNEL)

__global__ void whoAmI(unsigned *out)
{
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned *p = out + 12 * (block * threads + thread);
    HERE(HERE_STORE, p[0] = threadIdx.x);
    p[1] = threadIdx.y, p[2] = threadIdx.z;
    p[3] = blockIdx.x, p[4] = blockIdx.y, p[5] = blockIdx.z;
    p[6] = blockDim.x, p[7] = blockDim.y, p[8] = blockDim.z;
    p[9] = gridDim.x, p[10] = gridDim.y, p[11] = gridDim.z;
}
KERNEL_LAUNCHER(whoAmI, unsigned *)
HOST_OUTPUT(whoAmI, unsigned, 12)

__global__ void addArrays(int *out, const int *a, const int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int first = HERE(HERE_LOAD, a[i]);
        int second = HERE(HERE_OTHER, b[i]);
        HERE(HERE_STORE, out[i] = first + second);
    }
}
KERNEL_LAUNCHER(addArrays, int *, const int *, const int *, int)

/* n launches, each with arrays of its own, freed behind it. */
void run_addInLoop(const struct runtime_args *args)
{
    const size_t bytes = host_threads(args) * sizeof(int);
    for (int i = 0; i < args->n; i++) {
        int *out, *a;
        cudaMalloc(&out, bytes);
        cudaMalloc(&a, bytes);
        cudaMemset(a, 1, bytes);
        launch_addArrays(host_grid(args), host_block(args), 0, out, a, a, 1);
        cudaFree(a);
        cudaFree(out);
    }
}

void run_addArrays(const struct runtime_args *args)
{
    const size_t bytes = host_threads(args) * sizeof(int);
    int *out, *a, *b;
    cudaMalloc(&out, bytes);
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemset(a, 1, bytes);
    cudaMemset(b, 2, bytes);
    launch_addArrays(host_grid(args), host_block(args), 0, out, a, b, args->n);
    if (args->result)
        cudaMemcpy(args->result, out, bytes, cudaMemcpyDeviceToHost);
}

void run_copyTwice(const struct runtime_args *args)
{
    const size_t bytes = host_threads(args) * sizeof(int);
    int *a, *b, *c;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 1, bytes);
    launch_copyInt(host_grid(args), host_block(args), 0, b, a);
    launch_copyInt(host_grid(args), host_block(args), 0, c, b);
}

/* Lane t copies n + t % 3 structs. */
__global__ void copyInLoop(struct triple *out, const struct triple *in, int n)
{
    int t = threadIdx.x;
    for (int k = 0; k < n + t % 3; k++)
        out[k * 32 + t] = in[k * 32 + t];
}
KERNEL_LAUNCHER(copyInLoop, struct triple *, const struct triple *, int)

void run_copyInLoop(const struct runtime_args *args)
{
    const size_t bytes = (args->n + 2) * 32 * sizeof(struct triple);
    struct triple *out, *in;
    cudaMalloc(&out, bytes);
    cudaMalloc(&in, bytes);
    cudaMemset(in, 7, bytes);
    launch_copyInLoop(host_grid(args), host_block(args), 0, out, in, args->n);
}

__global__ void sumFloat4(float *out, const float4 *in)
{
    int i = threadIdx.x;
    float4 v = HERE(HERE_LOAD, in[i]);
    out[i] = v.x + 2 * v.y + 3 * v.z + 4 * v.w;
}
KERNEL_LAUNCHER(sumFloat4, float *, const float4 *)

void run_sumFloat4(const struct runtime_args *args)
{
    float4 *in, host[32];
    float *out;
    for (int i = 0; i < 32; i++)
        host[i] = make_float4(i, 1, 2, 3);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 32 * sizeof(float));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    launch_sumFloat4(host_grid(args), host_block(args), 0, out, in);
    cudaMemcpy(args->result, out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
}

__global__ void sharedTriples(struct triple *out, const struct triple *in)
{
    __shared__ struct triple tile[32];
    int t = threadIdx.x;
    HERE(HERE_STORE, tile[t] = in[t]);
    __syncthreads();
    HERE(HERE_LOAD, out[t] = tile[31 - t]);
}
KERNEL_LAUNCHER(sharedTriples, struct triple *, const struct triple *)

void run_sharedTriples(const struct runtime_args *args)
{
    struct triple *in, *out, host[32];
    for (int i = 0; i < 32; i++)
        host[i] = (struct triple){i, 1, 2};
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    launch_sharedTriples(host_grid(args), host_block(args), 0, out, in);
    cudaMemcpy(args->result, out, sizeof host, cudaMemcpyDeviceToHost);
}

__global__ void sharedTwo(double *out)
{
    __shared__ int first[100];
    __shared__ double second[32];
    int t = threadIdx.x;
    HERE(HERE_STORE, second[t] = t);
    HERE(HERE_OTHER, first[t] = t);
    __syncthreads();
    out[t] = second[31 - t] + first[t];
}
KERNEL_LAUNCHER(sharedTwo, double *)
HOST_OUTPUT(sharedTwo, double, 1)

__device__ __noinline__ static void storeThrough(int *p)
{
    HERE(HERE_STORE, p[threadIdx.x] = 1);
}

__global__ void sharedEither(int *out, int choice)
{
    __shared__ int left[32], right[32];
    storeThrough(choice ? right : left);
    storeThrough(choice ? left : right);
    out[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}
KERNEL_LAUNCHER(sharedEither, int *, int)

void run_sharedEither(const struct runtime_args *args)
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    launch_sharedEither(host_grid(args), host_block(args), 0, out, 0);
    launch_sharedEither(host_grid(args), host_block(args), 0, out, 1);
}

__global__ void sharedDynamic(float *out)
{
    SHARED_DYNAMIC(float, buffer);
    __shared__ float fixed[1];
    int t = threadIdx.x;
    if (t == 0)
        fixed[0] = 1;
    HERE(HERE_STORE, buffer[t] = t);
    __syncthreads();
    float mirrored = HERE(HERE_LOAD, buffer[31 - t]);
    out[t] = mirrored + fixed[0];
}
KERNEL_LAUNCHER(sharedDynamic, float *)

void run_sharedDynamic(const struct runtime_args *args)
{
    float *out;
    cudaMalloc(&out, 32 * sizeof(float));
    launch_sharedDynamic(host_grid(args), host_block(args), args->n, out);
}

__global__ void readOnlyGather(int *out, const int *a, const int *b)
{
    int t = threadIdx.x;
    HERE(HERE_LOAD, out[t] = __ldg(&a[b[t]]));
}
KERNEL_LAUNCHER(readOnlyGather, int *, const int *, const int *)
HOST_GATHER(readOnlyGather)

/* The same address with and without __ldg. */
__global__ void readOnlySame(int *out, const int *a, const int *b)
{
    int t = threadIdx.x;
    int before = HERE(HERE_OTHER, a[t]);
    int marked = HERE(HERE_LOAD, __ldg(a + t));
    int after = HERE(HERE_STORE, a[t]);
    out[t] = before + marked + after + b[t];
}
KERNEL_LAUNCHER(readOnlySame, int *, const int *, const int *)
HOST_GATHER(readOnlySame)

__global__ void textureGather(int *out, const int *a, const int *b)
{
    int t = threadIdx.x;
    HERE(HERE_LOAD, out[t] = tex1Dfetch(a, b[t]));
}
KERNEL_LAUNCHER(textureGather, int *, const int *, const int *)
HOST_GATHER(textureGather)

/* Only array a is marked; it is also written, which a marked array may be. */
__global__ void readOnlyArray(int *a, const int *b)
{
    int t = threadIdx.x;
    int v = HERE(HERE_LOAD, a[t]);
    v += HERE(HERE_OTHER, b[t]);
    HERE(HERE_STORE, a[t] = v);
}
KERNEL_LAUNCHER(readOnlyArray, int *, const int *)

void run_readOnlyArray(const struct runtime_args *args)
{
    int *a, *b;
    cudaMalloc(&a, 32 * sizeof(int));
    cudaMalloc(&b, 32 * sizeof(int));
    cudaMemset(a, 0, 32 * sizeof(int));
    cudaMemset(b, 0, 32 * sizeof(int));
    wl_read_only_array(a);
    launch_readOnlyArray(host_grid(args), host_block(args), 0, a, b);
}

__constant__ float weights[20];
__constant__ short offsets[3];

__global__ void constantTables(float *out)
{
    int t = threadIdx.x;
    float weight = HERE(HERE_LOAD, weights[t % 20]);
    HERE(HERE_OTHER, out[t] = weight + offsets[2]);
}
KERNEL_LAUNCHER(constantTables, float *)

void run_constantTables(const struct runtime_args *args)
{
    float weights_host[20], *out;
    short offsets_host[3] = {1, 2, 1000};
    for (int i = 0; i < 20; i++)
        weights_host[i] = i;
    cudaMemcpyToSymbol(weights, weights_host, sizeof weights_host);
    cudaMemcpyToSymbol(offsets, offsets_host, sizeof offsets_host);
    cudaMalloc(&out, 32 * sizeof(float));
    launch_constantTables(host_grid(args), host_block(args), 0, out);
    cudaMemcpy(args->result, out, 32 * sizeof(float), cudaMemcpyDeviceToHost);
}

__device__ __noinline__ static void fillOwn(int *own, int n)
{
    for (int k = 0; k < n; k++)
        HERE(HERE_STORE, own[k] = threadIdx.x * 100 + k);
}

__device__ __noinline__ static void writeOwn(int *out, const int *own, int n)
{
    for (int k = 0; k < n; k++) {
        int value = HERE(HERE_LOAD, own[k]);
        out[threadIdx.x * n + k] = value;
    }
}

__global__ void localArray(int *out, int n)
{
    int own[16];
    fillOwn(own, n);
    __syncthreads();
    writeOwn(out, own, n);
}
KERNEL_LAUNCHER(localArray, int *, int)

void run_localArray(const struct runtime_args *args)
{
    const size_t bytes = host_threads(args) * args->n * sizeof(int);
    int *out;
    cudaMalloc(&out, bytes);
    launch_localArray(host_grid(args), host_block(args), 0, out, args->n);
    cudaMemcpy(args->result, out, bytes, cudaMemcpyDeviceToHost);
}

/* The clock moves by the lane's own accesses. */
__global__ void countAccesses(long *out, const int *in)
{
    long before = clock();
    int zeros = in[threadIdx.x] + in[0];
    long after = clock();
    out[threadIdx.x] = after - before + zeros;
}
KERNEL_LAUNCHER(countAccesses, long *, const int *)

void run_countAccesses(const struct runtime_args *args)
{
    int *in;
    long *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(long));
    cudaMemset(in, 0, 32 * sizeof(int));
    launch_countAccesses(host_grid(args), host_block(args), 0, out, in);
    cudaMemcpy(args->result, out, 32 * sizeof(long), cudaMemcpyDeviceToHost);
}
