/* runtime_kernels_loads.c - kernels for the tests of loads_left: where addresses come from, and what
 * loops make of it. */
#include "runtime_kernels.h"

#include "runtime_host.h"

/* Loads stay in the order of the source. */
#define IN_ORDER() __asm__ volatile("" ::: "memory")

struct node {
    struct node *next;
    long value;
};

/* A device array of `count` ints: index[i] = RUNTIME_INDEX(i), or other data. */
static int *index_array(int count)
{
    int *index, host[64];
    for (int i = 0; i < 64; i++)
        host[i] = RUNTIME_INDEX(i);
    cudaMalloc(&index, count * sizeof(int));
    cudaMemcpy(index, host, count * sizeof(int), cudaMemcpyHostToDevice);
    return index;
}

static int *zero_array(int count)
{
    int *data;
    cudaMalloc(&data, count * sizeof(int));
    cudaMemset(data, 0, count * sizeof(int));
    return data;
}

/* The kernel's arguments: out, index, data and n or choice. */
#define HOST_INDEXED(name)                                                                         \
    KERNEL_LAUNCHER(name, int *, const int *, const int *, int)                                    \
    void run_##name(const struct runtime_args *args)                                               \
    {                                                                                              \
        int *out = zero_array(64), *index = index_array(32), *data = zero_array(256);              \
        launch_##name(host_grid(args), host_block(args), 0, out, index, data,                      \
                      args->n ? args->n : args->choice);                                           \
    }

__global__ void chaseIndices(int *out, const int *index, const int *data, int n)
{
    (void)data;
    int at = threadIdx.x;
    for (int k = 0; k < n; k++)
        at = HERE(HERE_LOAD, index[at]);
    HERE(HERE_STORE, out[threadIdx.x] = at);
}
HOST_INDEXED(chaseIndices)

__global__ void chaseAlone(int *out, const int *index, const int *data, int n)
{
    (void)data;
    int at = 1;
    if (threadIdx.x == 0) {
        for (int k = 0; k < n; k++)
            at = HERE(HERE_LOAD, index[at]);
        out[0] = at;
    }
}
HOST_INDEXED(chaseAlone)

__global__ void chasePointers(long *out, struct node *const *heads, int n)
{
    const struct node *node = HERE(HERE_OTHER, heads[threadIdx.x]);
    long sum = 0;
    for (int k = 0; k < n; k++) {
        sum += HERE(HERE_LOAD, node->value);
        IN_ORDER();
        node = HERE(HERE_STORE, node->next);
    }
    out[threadIdx.x] = sum + (node == 0); /* the last pointer is used, too */
}
KERNEL_LAUNCHER(chasePointers, long *, struct node *const *, int)

void run_chasePointers(const struct runtime_args *args)
{
    struct node *nodes, **heads, host[32], *host_heads[32];
    long *out;
    cudaMalloc(&out, 32 * sizeof(long));
    cudaMalloc(&nodes, sizeof host);
    cudaMalloc(&heads, sizeof host_heads);
    for (int i = 0; i < 32; i++) {
        host[i] = (struct node){nodes + RUNTIME_INDEX(i), i * i % 7}; /* no index */
        host_heads[i] = nodes + RUNTIME_INDEX(31 - i);
    }
    cudaMemcpy(nodes, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(heads, host_heads, sizeof host_heads, cudaMemcpyHostToDevice);
    launch_chasePointers(host_grid(args), host_block(args), 0, out, heads, args->n);
}

__global__ void gatherByIndex(int *out, const int *index, const int *data, int n)
{
    (void)n;
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    int value = HERE(HERE_LOAD, data[i]);
    HERE(HERE_STORE, out[threadIdx.x] = value);
}
HOST_INDEXED(gatherByIndex)

__global__ void gatherByByte(int *out, const unsigned char *index, const int *data)
{
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    int value = HERE(HERE_LOAD, data[i]);
    HERE(HERE_STORE, out[threadIdx.x] = value);
}
KERNEL_LAUNCHER(gatherByByte, int *, const unsigned char *, const int *)

void run_gatherByByte(const struct runtime_args *args)
{
    unsigned char *index, host[32];
    int *out = zero_array(32), *data = zero_array(256);
    for (int i = 0; i < 32; i++)
        host[i] = 200 + RUNTIME_INDEX(i);
    cudaMalloc(&index, 32);
    cudaMemcpy(index, host, 32, cudaMemcpyHostToDevice);
    launch_gatherByByte(host_grid(args), host_block(args), 0, out, index, data);
}

__global__ void gatherStructs(int *out, const int *index, const int *data, int n)
{
    (void)n;
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    int value = HERE(HERE_LOAD, data[3 * i + 1]);
    HERE(HERE_STORE, out[threadIdx.x] = value);
}
HOST_INDEXED(gatherStructs)

__global__ void gatherLate(int *out, const int *index, const int *data, int between)
{
    int i = HERE(HERE_OTHER, index[threadIdx.x]), sum = 0;
    if (between > 0) /* no loop: those wait, too */
        sum += data[threadIdx.x];
    if (between > 1)
        sum += data[threadIdx.x + 32];
    if (between > 2)
        sum += data[threadIdx.x + 64];
    if (between > 3)
        sum += data[threadIdx.x + 96];
    IN_ORDER();
    int value = HERE(HERE_LOAD, data[i]);
    HERE(HERE_STORE, out[threadIdx.x] = value + sum);
}
HOST_INDEXED(gatherLate)

__global__ void gatherAfterBarrier(int *out, const int *index, const int *data, int n)
{
    (void)n;
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    __syncthreads();
    int value = HERE(HERE_LOAD, data[i]);
    HERE(HERE_STORE, out[threadIdx.x] = value);
}
HOST_INDEXED(gatherAfterBarrier)

__global__ void gatherByShared(int *out, const int *index, const int *data, int n)
{
    (void)n;
    __shared__ int keys[32];
    keys[threadIdx.x] = index[threadIdx.x];
    __syncthreads();
    int i = HERE(HERE_OTHER, keys[31 - threadIdx.x]);
    int value = HERE(HERE_LOAD, data[i]);
    HERE(HERE_STORE, out[threadIdx.x] = value);
}
HOST_INDEXED(gatherByShared)

__global__ void scatterByIndex(int *out, const int *index, const int *data, int n)
{
    (void)data;
    (void)n;
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    HERE(HERE_STORE, out[i] = 1);
}
HOST_INDEXED(scatterByIndex)

__global__ void countByIndex(int *out, const int *index, const int *data, int n)
{
    (void)data;
    (void)n;
    int i = HERE(HERE_OTHER, index[threadIdx.x]);
    HERE(HERE_STORE, atomicAdd(&out[i % 8], 1));
}
HOST_INDEXED(countByIndex)

__global__ void copyIdentity(int *out, const int *in, int n)
{
    int t = threadIdx.x;
    if (t < n) {
        int value = HERE(HERE_LOAD, in[t]);
        HERE(HERE_STORE, out[t] = value);
    }
}
KERNEL_LAUNCHER(copyIdentity, int *, const int *, int)

void run_copyIdentity(const struct runtime_args *args)
{
    int *out = zero_array(32), *in, host[32];
    for (int i = 0; i < 32; i++)
        host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    launch_copyIdentity(host_grid(args), host_block(args), 0, out, in, args->n);
}

__global__ void copyPermuted(int *out, const int *index, const int *data, int n)
{
    (void)data;
    (void)n;
    int i = threadIdx.x * 7 % 32;
    int value = HERE(HERE_LOAD, index[i]);
    HERE(HERE_STORE, out[i] = value);
}
HOST_INDEXED(copyPermuted)

/* ---- Loops ------------------------------------------------------------------------------------ */

/* Addresses are linear in the lane, so they come from no load. */
__global__ void sumByBlock(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x)
        sum += HERE(HERE_LOAD, data[i]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumByBlock)

__global__ void sumConstantStep(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += HERE(HERE_LOAD, data[k + threadIdx.x]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumConstantStep)

__global__ void sumMuch(int *out, const int *index, const int *data, int n)
{
    (void)index;
    unsigned sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned v = (unsigned)HERE(HERE_LOAD, data[k + threadIdx.x]);
        v = (v ^ v >> 3) + sum;
        v = (v ^ v >> 5) + sum;
        v = (v ^ v >> 7) + sum;
        v = (v ^ v >> 9) + sum;
        sum = (v ^ v >> 11) + sum;
    }
    out[threadIdx.x] = (int)sum;
}
HOST_INDEXED(sumMuch)

__global__ void sumQuotients(int *out, const int *index, const int *data, int n)
{
    (void)index;
    float sum = 1.0f;
    for (int k = 0; k < n; k++)
        sum = 1.0f / (sum + HERE(HERE_LOAD, data[k + threadIdx.x]));
    out[threadIdx.x] = (int)sum;
}
HOST_INDEXED(sumQuotients)

__global__ void sumReciprocalRoots(int *out, const int *index, const int *data, int n)
{
    (void)index;
    float sum = 1.0f;
    for (int k = 0; k < n; k++)
        sum += 1.0f / __builtin_sqrtf(sum + HERE(HERE_LOAD, data[k + threadIdx.x]));
    out[threadIdx.x] = (int)sum;
}
HOST_INDEXED(sumReciprocalRoots)

__global__ void fillTwoTiles(int *out, const int *index, const int *data, int n)
{
    (void)n;
    __shared__ int one[32], other[32];
    for (int k = 0; k < 2; k++) {
        const int value = HERE(HERE_LOAD, (k ? data : index)[threadIdx.x]);
        HERE(HERE_STORE, (k ? other : one)[threadIdx.x] = value);
    }
    int late = data[threadIdx.x + 32];
    IN_ORDER();
    int taken = HERE(HERE_OTHER, one[threadIdx.x]);
    IN_ORDER();
    HERE(HERE_BARRIER, other[threadIdx.x] = taken);
    out[threadIdx.x] = late + other[threadIdx.x];
}
HOST_INDEXED(fillTwoTiles)

__global__ void fillByBlock(int *out, const int *index, const int *data, int n)
{
    (void)index;
    __shared__ int tile[256];
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x) {
        const int value = HERE(HERE_LOAD, data[i]);
        tile[i] = value;
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
HOST_INDEXED(fillByBlock)

__global__ void sumConstantBound(int *out, const int *index, const int *data, int n)
{
    (void)index;
    (void)n;
    int sum = 0;
    for (int k = 0; k < CONSTANT_BOUND; k++)
        sum += HERE(HERE_LOAD, data[k * k % 128 + threadIdx.x]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumConstantBound)

__global__ void sumNested(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (int s = 0; s < n; s++)
        for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x)
            sum += HERE(HERE_LOAD, data[i]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumNested)

__global__ void sumNestedBy1(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (int s = 0; s < n; s++)
        for (int k = 0; k < n; k++)
            sum += HERE(HERE_LOAD, data[k + threadIdx.x]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumNestedBy1)

__global__ void sumUneven(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0, trips = threadIdx.x % 2 ? n : 1;
    for (unsigned i = threadIdx.x; i < trips * blockDim.x; i += blockDim.x)
        sum += HERE(HERE_LOAD, data[i]);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumUneven)

__device__ __noinline__ static int load_one(const int *data, unsigned i)
{
    return HERE(HERE_LOAD, data[i]);
}

__global__ void sumByCall(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x)
        sum += load_one(data, i);
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumByCall)

__global__ void sumByIndex(int *out, const int *index, const int *data, int n)
{
    int sum = 0;
    for (int k = 0; k < n; k++) {
        const int at = HERE(HERE_OTHER, index[(k + threadIdx.x) & 31]);
        sum += HERE(HERE_LOAD, data[at]);
    }
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumByIndex)

__global__ void sumWide(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (int k = 0; k < n; k++) {
        const int4 v = HERE(HERE_LOAD, ((const int4 *)data)[k + threadIdx.x]);
        const int4 w = HERE(HERE_OTHER, ((const int4 *)data)[k + threadIdx.x + 8]);
        sum += v.x + v.y + v.z + v.w + w.x + w.y + w.z + w.w;
    }
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumWide)

__global__ void storeByIndex(int *out, const int *index, const int *data, int n)
{
    for (int k = 0; k < n; k++) {
        const int at = HERE(HERE_OTHER, index[(k + threadIdx.x) & 31]);
        const int value = HERE(HERE_LOAD, data[at]);
        HERE(HERE_STORE, out[(k + threadIdx.x) & 63] = value);
    }
}
HOST_INDEXED(storeByIndex)

__global__ void sumUntil(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int k = 0;
    while (k < n && HERE(HERE_LOAD, data[k + threadIdx.x]) == 0)
        k++;
    out[threadIdx.x] = k;
}
HOST_INDEXED(sumUntil)

__global__ void sumAndStore(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x) {
        sum += HERE(HERE_LOAD, data[i]);
        HERE(HERE_STORE, out[threadIdx.x] = sum);
    }
}
HOST_INDEXED(sumAndStore)

__global__ void loadAround(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int first = HERE(HERE_OTHER, data[threadIdx.x]), product = 1;
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x) {
        product = product * 3 + (int)i;
        IN_ORDER();
    }
    out[threadIdx.x] = first + product + HERE(HERE_LOAD, data[threadIdx.x + 32]);
}
HOST_INDEXED(loadAround)

__global__ void sumToBarrier(int *out, const int *index, const int *data, int n)
{
    (void)index;
    int sum = 0;
    for (unsigned i = threadIdx.x; i < n * blockDim.x; i += blockDim.x) {
        sum += HERE(HERE_LOAD, data[i]);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
HOST_INDEXED(sumToBarrier)
