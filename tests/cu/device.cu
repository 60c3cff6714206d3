// device.cu - streams, events, the GPU's answers, and settings.
#include "check.h"

__global__ void work(int *p)
{
    p[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

static void count_up(void *data)
{
    ++*(int *)data;
}
static void CUDART_CB callback(cudaStream_t, cudaError_t status, void *data)
{
    if (status == cudaSuccess)
        ++*(int *)data;
}

static void streams(int *p)
{
    cudaStream_t stream[3];
    int least, greatest, called = 0;
    CHECK_CALL(cudaStreamCreate(&stream[0]));
    CHECK_CALL(cudaStreamCreateWithFlags(&stream[1], cudaStreamNonBlocking));
    CHECK_CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK_CALL(cudaStreamCreateWithPriority(&stream[2], cudaStreamDefault, greatest));
    for (int i = 0; i < 3; i++) {
        work<<<1, 32, 0, stream[i]>>>(p);
        CHECK_CALL(cudaStreamAddCallback(stream[i], callback, &called, 0));
        CHECK_CALL(cudaLaunchHostFunc(stream[i], count_up, &called));
        CHECK_CALL(cudaStreamSynchronize(stream[i]));
        CHECK_CALL(cudaStreamQuery(stream[i]));
    }
    CHECK_THAT(called == 6);
    for (int i = 0; i < 3; i++)
        CHECK_CALL(cudaStreamDestroy(stream[i]));
}

static void events(int *p)
{
    cudaEvent_t start, middle, stop;
    float one, three;
    CHECK_CALL(cudaEventCreate(&start));
    CHECK_CALL(cudaEventCreateWithFlags(&middle, cudaEventDefault));
    CHECK_CALL(cudaEventCreate(&stop, cudaEventBlockingSync));
    CHECK_CALL(cudaEventRecord(start));
    work<<<64, 128>>>(p);
    CHECK_CALL(cudaEventRecord(middle, 0));
    for (int i = 0; i < 2; i++)
        work<<<64, 128>>>(p);
    CHECK_CALL(cudaEventRecord(stop, 0));
    CHECK_CALL(cudaEventSynchronize(stop));
    CHECK_CALL(cudaEventQuery(stop));
    CHECK_CALL(cudaEventElapsedTime(&one, start, middle));
    CHECK_CALL(cudaEventElapsedTime(&three, start, stop));
    CHECK_THAT(one > 0 && three > one);
    CHECK_CALL(cudaEventDestroy(start));
    CHECK_CALL(cudaEventDestroy(middle));
    CHECK_CALL(cudaEventDestroy(stop));
}

static void answers()
{
    int count, device, threads, major, blocks, grid_size, block_size, version, can;
    cudaDeviceProp properties;
    CHECK_CALL(cudaGetDeviceCount(&count));
    CHECK_CALL(cudaSetDevice(0));
    CHECK_CALL(cudaGetDevice(&device));
    CHECK_THAT(count == 1 && device == 0);
    CHECK_CALL(cudaGetDeviceProperties(&properties, device));
    CHECK_THAT(properties.name[0] && properties.warpSize == 32 && properties.totalGlobalMem > 0);
    CHECK_THAT(properties.multiProcessorCount > 0 && properties.sharedMemPerBlock >= 16384);
    CHECK_CALL(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, 0));
    CHECK_CALL(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CHECK_THAT(threads == properties.maxThreadsPerBlock && major == properties.major);
    CHECK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, 0));
    CHECK_THAT(blocks >= 1 && blocks * 256 <= properties.maxThreadsPerMultiProcessor);
    CHECK_CALL(cudaOccupancyMaxPotentialBlockSize(&grid_size, &block_size, work, 0, 0));
    CHECK_THAT(block_size > 0 && grid_size % properties.multiProcessorCount == 0);
    unsigned flags;
    int priority;
    cudaStream_t stream;
    CHECK_CALL(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2));
    CHECK_CALL(cudaStreamGetPriority(stream, &priority));
    CHECK_CALL(cudaStreamGetFlags(stream, &flags));
    CHECK_THAT(priority == -2 && flags == cudaStreamNonBlocking);
    CHECK_CALL(cudaStreamGetPriority(0, &priority));
    CHECK_THAT(priority == 0 && cudaErrorStartupFailure == 127 && cudaErrorMapBufferObjectFailed == 205);
    CHECK_CALL(cudaStreamDestroy(stream));
    CHECK_CALL(cudaDriverGetVersion(&version));
    CHECK_CALL(cudaRuntimeGetVersion(&version));
    CHECK_CALL(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK_THAT(version == CUDART_VERSION && can == 0);
    cudaFuncAttributes attributes;
    CHECK_CALL(cudaFuncGetAttributes(&attributes, work));
    CHECK_CALL(cudaFuncSetCacheConfig(work, cudaFuncCachePreferL1));
    CHECK_CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
    CHECK_CALL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 22));
}

// What a stream is given is what it says afterwards.
static void attributes()
{
    cudaStream_t a, b;
    cudaStreamAttrValue window = {}, back;
    size_t persisting = 1;
    int x;
    CHECK_CALL(cudaStreamCreate(&a));
    CHECK_CALL(cudaStreamCreateWithPriority(&b, cudaStreamDefault, -1));
    window.accessPolicyWindow.base_ptr = &x;
    window.accessPolicyWindow.num_bytes = 4096;
    window.accessPolicyWindow.hitRatio = 0.5f;
    window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    CHECK_CALL(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &window));
    CHECK_CALL(cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &back));
    CHECK_THAT(back.accessPolicyWindow.num_bytes == 0);
    CHECK_CALL(cudaStreamCopyAttributes(b, a));
    CHECK_CALL(cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &back));
    CHECK_THAT(back.accessPolicyWindow.base_ptr == &x && back.accessPolicyWindow.num_bytes == 4096);
    CHECK_THAT(back.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
    CHECK_CALL(cudaStreamGetAttribute(b, cudaStreamAttributePriority, &back));
    CHECK_THAT(back.priority == -1);
    CHECK_CALL(cudaStreamGetAttribute(b, cudaStreamAttributeSynchronizationPolicy, &back));
    CHECK_THAT(back.syncPolicy == cudaSyncPolicyAuto);
    CHECK_THAT(cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &window) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CALL(cudaCtxResetPersistingL2Cache());
    CHECK_CALL(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
    CHECK_CALL(cudaDeviceGetLimit(&persisting, cudaLimitPersistingL2CacheSize));
    CHECK_THAT(persisting == 0);
    CHECK_CALL(cudaStreamDestroy(a));
    CHECK_CALL(cudaStreamDestroy(b));
}

int main()
{
    int *p;
    CHECK_CALL(cudaMalloc(&p, 64 * 128 * sizeof(int)));
    CHECK_CALL(cudaMemset(p, 0, 64 * 128 * sizeof(int)));
    streams(p);
    events(p);
    answers();
    attributes();
    CHECK_CALL(cudaDeviceReset());
    printf("PASSED\n");
}
