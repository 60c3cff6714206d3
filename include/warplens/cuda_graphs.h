/* cuda_graphs.h - CUDA graphs as far as they are recorded from streams (src/tracer/runtime/runtime_graph.c), pools of
 * memory, and copies between devices, of which there is one.
 */
#ifndef WARPLENS_CUDA_GRAPHS_H
#define WARPLENS_CUDA_GRAPHS_H
#ifdef __cplusplus
#pragma GCC system_header
#endif

#include "warplens/cuda_runtime_calls.h"

typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal,
    cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
    cudaStreamCaptureStatusNone,
    cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated
};

/* A pool gives what cudaMalloc gives: its attributes are kept, and have no effect. */
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent,
    cudaMemPoolAttrUsedMemHigh
};

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t wl_graph_instantiate(cudaGraphExec_t *executable, cudaGraph_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t wl_graph_node_count(cudaGraph_t graph, size_t *count);
/* Whether a launch in this stream is kept, and how. `arguments` are the graph's from then on. */
bool wl_captures(cudaStream_t stream);
/* Whether a call that cannot be kept may be done now; refuses it in a stream that is captured. */
bool wl_may_run_now(const char *call, cudaStream_t stream);
void wl_capture_launch(cudaStream_t stream, const char *name, void (*call)(const void *data),
                       void *arguments, dim3 grid, dim3 block, size_t shared_bytes);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                           size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream WL_OR(0));

#ifdef __cplusplus
}

/* Before CUDA 12 with places for a message, since then with flags. */
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                        unsigned long long flags = 0)
{
    (void)flags;
    return wl_graph_instantiate(executable, graph);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                        cudaGraphNode_t *, char *, size_t)
{
    return wl_graph_instantiate(executable, graph);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                                 unsigned long long)
{
    return wl_graph_instantiate(executable, graph);
}
/* The count alone: a node is nothing that a program could change here. */
inline cudaError_t cudaGraphGetNodes(cudaGraph_t graph, decltype(nullptr), size_t *count)
{
    return wl_graph_node_count(graph, count);
}
#endif
#endif
