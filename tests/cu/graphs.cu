// graphs.cu - does a stream that is captured do nothing, and its graph all of it, in order, as often as it is launched?
#include <cstring>
#include <cublas_v2.h>

#include "graph_calls.h"

template <class T> __global__ void add(T *x, const T *y)
{
    x[threadIdx.x] += y[threadIdx.x];
}
struct pair {
    int step;
    float value;
};
__global__ void put(float *x, pair p)
{
    if (threadIdx.x % p.step == 0)
        x[threadIdx.x] = p.value;
}
__device__ float weight;

static cudaGraph_t record(cudaStream_t stream, float *x, float *y, const float *host, int *number)
{
    cudaGraph_t graph;
    cudaStreamCaptureStatus status;
    pair p = {2, 10};
    float by = 3;
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaStreamIsCapturing(stream, &status));
    CHECK_THAT(status == cudaStreamCaptureStatusActive);
    CHECK_CALL(cudaMemcpyAsync(x, host, N * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK_CALL(cudaMemsetAsync(y, 0, N * sizeof(float), stream));
    scale<<<1, N, 0, stream>>>(x, by);
    put<<<1, N, 0, stream>>>(y, p);
    by = 1000, p.value = 1000; // arguments are those of the call
    add<float><<<1, N, 0, stream>>>(x, y);
    CHECK_CALL(cudaLaunchHostFunc(stream, note, number));
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaStreamIsCapturing(stream, &status));
    CHECK_THAT(status == cudaStreamCaptureStatusNone);
    return graph;
}

static void replays(cudaStream_t stream, float *x, float *y)
{
    float host[N];
    int number = 5;
    size_t count;
    for (int i = 0; i < N; i++)
        host[i] = (float)i;
    CHECK_CALL(cudaMemset(x, 0, N * sizeof(float)));
    cudaGraph_t graph = record(stream, x, y, host, &number);
    CHECK_THAT(calls.empty() && at(x, 3) == 0);
    CHECK_CALL(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK_THAT(count == 6);
    cudaGraphExec_t run, again;
    CHECK_CALL(cudaGraphInstantiate(&run, graph, NULL, NULL, 0));
    CHECK_CALL(cudaGraphInstantiate(&again, graph, 0));
    CHECK_CALL(cudaGraphDestroy(graph));
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_THAT(at(x, 3) == 9 && at(x, 4) == 22 && calls == std::vector<int>{5});
    host[3] = 7, number = 6; // what pointers point to is that of the launch
    for (int i = 0; i < 3; i++)
        CHECK_CALL(cudaGraphLaunch(again, stream));
    CHECK_THAT(at(x, 3) == 21 && at(x, 4) == 22 && calls.size() == 4 && calls[3] == 6);
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphExecDestroy(again));
}

// A second stream that waits for the first is a part of the graph; a third runs as ever.
static void streams(cudaStream_t stream, float *x, float *y)
{
    cudaStream_t side, other;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    CHECK_CALL(cudaStreamCreate(&side));
    CHECK_CALL(cudaStreamCreate(&other));
    CHECK_CALL(cudaEventCreate(&fork));
    CHECK_CALL(cudaEventCreate(&join));
    CHECK_CALL(cudaMemset(x, 0, N * sizeof(float)));
    CHECK_CALL(cudaMemset(y, 0, N * sizeof(float)));
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaEventRecord(fork, stream));
    CHECK_CALL(cudaStreamWaitEvent(side, fork, 0));
    put<<<1, N, 0, side>>>(x, pair{1, 2});
    put<<<1, N, 0, other>>>(y, pair{1, 5});
    CHECK_CALL(cudaEventRecord(join, side));
    CHECK_CALL(cudaStreamWaitEvent(stream, join, 0));
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_THAT(at(x, 0) == 0 && at(y, 0) == 5);
    put<<<1, N, 0, side>>>(x, pair{1, 1});
    CHECK_THAT(at(x, 0) == 1);
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphLaunch(run, other));
    CHECK_THAT(at(x, 0) == 2);
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphDestroy(graph));
}

static void refused(cudaStream_t stream, float *x)
{
    cudaGraph_t graph;
    cublasHandle_t handle;
    size_t count;
    float sum;
    CHECK_THAT(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    CHECK_THAT(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState && graph == NULL);
    CHECK_THAT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    cublasSetStream(handle, stream);
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    // A result on the host would have to be there now.
    CHECK_THAT(cublasSasum(handle, N, x, 1, &sum) == CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_THAT(cudaMemcpyToSymbolAsync(weight, &sum, 4, 0, cudaMemcpyHostToDevice, stream) ==
               cudaErrorStreamCaptureUnsupported);
    CHECK_THAT(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    scale<<<1, N>>>(x, 2);
    CHECK_THAT(cudaGetLastError() == cudaErrorStreamCaptureImplicit);
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK_THAT(count == 0);
    CHECK_CALL(cudaGraphDestroy(graph));
}

static void pools(cudaStream_t stream)
{
    cudaMemPool_t pool;
    unsigned long long threshold = ~0ULL, back = 0;
    int *x, *y, can = 1, values[2] = {3, 4}, result[2];
    CHECK_CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
    CHECK_CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    CHECK_CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
    CHECK_THAT(back == threshold);
    CHECK_CALL(cudaMallocAsync(&x, sizeof values, stream));
    CHECK_CALL(cudaMallocFromPoolAsync(&y, sizeof values, pool, stream));
    CHECK_CALL(cudaMemcpyAsync(x, values, sizeof values, cudaMemcpyHostToDevice, stream));
    CHECK_CALL(cudaMemcpyPeer(y, 0, x, 0, sizeof values));
    add<int><<<1, 2>>>(x, y);
    CHECK_CALL(cudaMemcpyPeerAsync(y, 0, x, 0, sizeof values, stream));
    CHECK_CALL(cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost));
    CHECK_THAT(result[0] == 6 && result[1] == 8);
    CHECK_THAT(cudaMemcpyPeer(y, 1, x, 0, sizeof values) == cudaErrorInvalidDevice);
    CHECK_CALL(cudaDeviceCanAccessPeer(&can, 0, 0));
    CHECK_THAT(can == 0);
    CHECK_CALL(cudaFreeAsync(x, stream));
    CHECK_CALL(cudaFreeAsync(y, stream));
    CHECK_CALL(cudaMemPoolTrimTo(pool, 0));
}

int main()
{
    cudaStream_t stream;
    float *x, *y;
    CHECK_CALL(cudaStreamCreate(&stream));
    CHECK_CALL(cudaMalloc(&x, N * sizeof(float)));
    CHECK_CALL(cudaMalloc(&y, N * sizeof(float)));
    replays(stream, x, y);
    streams(stream, x, y);
    refused(stream, x);
    pools(stream);
    printf("PASSED\n");
}
