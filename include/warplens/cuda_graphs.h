/* cuda_graphs.h - CUDA graphs, recorded from streams or built node by node (src/tracer/runtime/graph.h), pools of memory,
 * and copies between devices, of which there is one.
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

enum cudaGraphNodeType {
    cudaGraphNodeTypeKernel,
    cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset,
    cudaGraphNodeTypeHost,
    cudaGraphNodeTypeGraph,
    cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeMemAlloc = 10,
    cudaGraphNodeTypeMemFree
};
enum cudaGraphExecUpdateResult {
    cudaGraphExecUpdateSuccess,
    cudaGraphExecUpdateError,
    cudaGraphExecUpdateErrorTopologyChanged,
    cudaGraphExecUpdateErrorNodeTypeChanged,
    cudaGraphExecUpdateErrorFunctionChanged,
    cudaGraphExecUpdateErrorParametersChanged,
    cudaGraphExecUpdateErrorNotSupported
};
typedef struct {
    enum cudaGraphExecUpdateResult result;
    cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;
enum cudaGraphInstantiateFlags {
    cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload = 2,
    cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8
};
struct cudaKernelNodeParams {
    void *func;
#ifdef __cplusplus
    dim3 gridDim, blockDim;
#else
    dim3 grid_dim, block_dim; /* C has macros of the other names (cuda_calls.h) */
#endif
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};
/* Of `height` rows, `pitch` bytes apart, `width` elements of 1, 2 or 4 bytes. */
struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};
struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone,
    cudaMemHandleTypePosixFileDescriptor = 1,
    cudaMemHandleTypeWin32 = 2,
    cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8
};
enum cudaMemLocationType {
    cudaMemLocationTypeInvalid,
    cudaMemLocationTypeDevice,
    cudaMemLocationTypeHost,
    cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent
};
struct cudaMemLocation {
    enum cudaMemLocationType type;
    int id;
};
struct cudaMemPoolProps {
    enum cudaMemAllocationType allocType;
    enum cudaMemAllocationHandleType handleTypes;
    struct cudaMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
};
enum cudaMemAccessFlags {
    cudaMemAccessFlagsProtNone,
    cudaMemAccessFlagsProtRead,
    cudaMemAccessFlagsProtReadWrite = 3
};
struct cudaMemAccessDesc {
    struct cudaMemLocation location;
    enum cudaMemAccessFlags flags;
};
struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr; /* the answer */
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
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);

/* What a node of each kind is made of; nodes that it depends on stand in front of it. */
#define WL_ADD_NODE(kind, ...)                                                                     \
    cudaError_t cudaGraphAdd##kind##Node(cudaGraphNode_t *node, cudaGraph_t graph,                 \
                                         const cudaGraphNode_t *before, size_t before_count,       \
                                         __VA_ARGS__)
WL_ADD_NODE(Kernel, const struct cudaKernelNodeParams *parameters);
WL_ADD_NODE(Memcpy, const struct cudaMemcpy3DParms *parameters);
WL_ADD_NODE(Memset, const struct cudaMemsetParams *parameters);
WL_ADD_NODE(Host, const struct cudaHostNodeParams *parameters);
WL_ADD_NODE(ChildGraph, cudaGraph_t child);
WL_ADD_NODE(MemAlloc, struct cudaMemAllocNodeParams *parameters);
WL_ADD_NODE(MemFree, void *pointer);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t before_count);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t before_count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind);

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node,
                                       const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *parameters);
/* *is_same: both have the same kinds of nodes in the same order; otherwise nothing is changed. */
cudaError_t wl_graph_exec_update(cudaGraphExec_t executable, cudaGraph_t graph, bool *is_same);
cudaError_t wl_capture_malloc(cudaStream_t stream, void **pointer, size_t bytes,
                              const char *expression);
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
/* Before CUDA 12 with the node that differs, and the result, since then with both in a struct. */
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo *info)
{
    bool is_same;
    cudaError_t error = wl_graph_exec_update(executable, graph, &is_same);
    *info = {is_same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged,
             nullptr, nullptr};
    return error;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphNode_t *node, cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
    *result = info.result;
    if (node)
        *node = nullptr;
    return error;
}
/* Since CUDA 13 with data of the edges, which say nothing that is done here. */
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, decltype(nullptr),
                                            size_t count)
{
    return cudaGraphAddDependencies(graph, from, to, count);
}
#endif
#endif
