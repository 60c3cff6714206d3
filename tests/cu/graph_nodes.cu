// graph_nodes.cu - do the nodes of a graph run in an order that their dependencies allow, with the arguments of when they
// were added? Are executables what the graph was when they were made, and changed alone?
#include <string.h>

#include "graph_calls.h"

template <class T> __global__ void add(T *x, T y)
{
    x[threadIdx.x] += y;
}

static cudaKernelNodeParams kernel(void *function, void **arguments)
{
    cudaKernelNodeParams p = {};
    p.func = function;
    p.gridDim = dim3(1);
    p.blockDim = dim3(N);
    p.kernelParams = arguments;
    return p;
}

static cudaGraphNode_t host(cudaGraph_t graph, int *number, const std::vector<cudaGraphNode_t> &before)
{
    cudaGraphNode_t node;
    cudaHostNodeParams p = {note, number};
    CHECK_CALL(cudaGraphAddHostNode(&node, graph, before.data(), before.size(), &p));
    return node;
}

// copy -> scale -> copy back, and a fill that waits for nobody.
static void arithmetic(float *x, float *y)
{
    cudaGraph_t graph, clone;
    cudaGraphExec_t run, other;
    cudaGraphNode_t in, twice, out, fill, more;
    float values[N], result[N];
    float by = 2, plus = 0.5f;
    for (int i = 0; i < N; i++)
        values[i] = (float)i;
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values, sizeof values, N, 1);
    copy.dstPtr = make_cudaPitchedPtr(x, sizeof values, N, 1);
    copy.extent = make_cudaExtent(sizeof values, 1, 1);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK_CALL(cudaGraphAddMemcpyNode(&in, graph, NULL, 0, &copy));
    void *scaled[] = {&x, &by};
    cudaKernelNodeParams p = kernel((void *)scale, scaled);
    CHECK_CALL(cudaGraphAddKernelNode(&twice, graph, &in, 1, &p));
    CHECK_CALL(cudaGraphAddMemcpyNode1D(&out, graph, &twice, 1, result, x, sizeof result, cudaMemcpyDeviceToHost));
    cudaMemsetParams bytes = {y, 0, 0x3f800000, 4, N, 1};
    CHECK_CALL(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &bytes));
    CHECK_CALL(cudaGraphClone(&clone, graph));
    CHECK_CALL(cudaGraphInstantiate(&run, graph, NULL, NULL, 0));
    by = 100; // arguments are those of when the node was added
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT(result[3] == 6 && at(x, N - 1) == 2 * (N - 1) && at(y, 0) == 1 && at(y, N - 1) == 1);

    // The graph grows; its executable does not. The clone is what it was.
    void *added[] = {&y, &plus};
    p = kernel((void *)add<float>, added);
    CHECK_CALL(cudaGraphAddKernelNode(&more, graph, &fill, 1, &p));
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT(at(y, 0) == 1);
    CHECK_CALL(cudaGraphInstantiateWithFlags(&other, graph, 0));
    CHECK_CALL(cudaGraphLaunch(other, 0));
    CHECK_THAT(at(y, 5) == 1.5f);
    CHECK_CALL(cudaGraphExecDestroy(other));
    CHECK_CALL(cudaGraphInstantiate(&other, clone, 0));
    CHECK_CALL(cudaGraphLaunch(other, 0));
    CHECK_THAT(at(y, 5) == 1 && result[7] == 14);

    // One executable gets another argument; the other one keeps its own.
    p = kernel((void *)scale, scaled);
    CHECK_CALL(cudaGraphExecKernelNodeSetParams(run, twice, &p));
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT(result[3] == 300);
    CHECK_CALL(cudaGraphLaunch(other, 0));
    CHECK_THAT(result[3] == 6);
    CHECK_THAT(cudaGraphExecKernelNodeSetParams(other, twice, &p) == cudaErrorInvalidValue);
    CHECK_THAT(cudaGraphExecKernelNodeSetParams(run, in, &p) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CALL(cudaGraphDestroy(graph)); // its executables stay
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT(result[3] == 300);
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphExecDestroy(other));
    CHECK_CALL(cudaGraphDestroy(clone));
}

// 0 depends on 2, which is added later; 1 is free; 3 on both 0 and 1.
static void order()
{
    int numbers[] = {0, 1, 2, 3};
    cudaGraph_t graph, outer;
    cudaGraphExec_t run;
    cudaGraphNode_t nodes[5], child, join;
    size_t count = 5;
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t zero = host(graph, &numbers[0], {}), one = host(graph, &numbers[1], {});
    cudaGraphNode_t two = host(graph, &numbers[2], {}), three = host(graph, &numbers[3], {zero, one});
    CHECK_CALL(cudaGraphAddDependencies(graph, &two, &zero, nullptr, 1));
    CHECK_CALL(cudaGraphGetNodes(graph, nodes, &count));
    CHECK_THAT(count == 4 && nodes[0] == zero && nodes[3] == three && nodes[4] == NULL);
    CHECK_CALL(cudaGraphGetRootNodes(graph, NULL, &count));
    CHECK_THAT(count == 2);
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT((calls == std::vector<int>{1, 2, 0, 3}));
    CHECK_CALL(cudaGraphExecDestroy(run));

    // As a child of another graph, what it is then.
    cudaGraphNodeType type;
    CHECK_CALL(cudaGraphCreate(&outer, 0));
    CHECK_CALL(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
    CHECK_CALL(cudaGraphAddEmptyNode(&join, outer, &child, 1));
    host(outer, &numbers[1], {join});
    CHECK_CALL(cudaGraphNodeGetType(child, &type));
    CHECK_THAT(type == cudaGraphNodeTypeGraph);
    calls.clear();
    CHECK_CALL(cudaGraphInstantiate(&run, outer, 0));
    CHECK_CALL(cudaGraphAddDependencies(graph, &three, &two, nullptr, 1));
    CHECK_CALL(cudaGraphLaunch(run, 0));
    CHECK_THAT((calls == std::vector<int>{1, 2, 0, 3, 1}));
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_THAT(cudaGraphInstantiate(&run, graph, 0) == cudaErrorInvalidValue); // in a circle now
    CHECK_THAT(cudaGraphAddDependencies(outer, &three, &two, nullptr, 1) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CALL(cudaGraphDestroy(graph));
    CHECK_CALL(cudaGraphDestroy(outer));
}

// An executable takes over what another graph of the same form does.
static void update(cudaStream_t stream, float *x)
{
    cudaGraph_t graph;
    cudaGraphExec_t run = NULL;
    cudaGraphExecUpdateResult result;
    cudaGraphExecUpdateResultInfo info;
    for (int i = 0; i < 3; i++) {
        CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECK_CALL(cudaMemsetAsync(x, 0, N * sizeof(float), stream));
        add<float><<<1, N, 0, stream>>>(x, (float)i);
        CHECK_CALL(cudaStreamEndCapture(stream, &graph));
        if (run == NULL)
            CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
        else
            CHECK_CALL(cudaGraphExecUpdate(run, graph, NULL, &result));
        CHECK_CALL(cudaGraphLaunch(run, stream));
        CHECK_THAT(at(x, 7) == i);
        CHECK_CALL(cudaGraphDestroy(graph));
    }
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    CHECK_THAT(cudaGraphExecUpdate(run, graph, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK_THAT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    cudaGetLastError();
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_THAT(at(x, 7) == 2);

    // A graph within one that is recorded.
    cudaGraphExec_t outer;
    CHECK_CALL(cudaGraphDestroy(graph));
    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaGraphLaunch(run, stream));
    add<float><<<1, N, 0, stream>>>(x, 40);
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphInstantiate(&outer, graph, 0));
    CHECK_CALL(cudaGraphLaunch(outer, stream));
    CHECK_THAT(at(x, 7) == 42);
    CHECK_CALL(cudaGraphExecDestroy(outer));
    CHECK_CALL(cudaGraphDestroy(graph));
}

// Memory of a graph has the same address at each launch; what nobody frees is the program's.
static void memory(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaGraphNode_t get, fill, work, give;
    cudaMemAllocNodeParams p = {};
    float plus = 3, *kept, *x;
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = N * sizeof(float);
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    CHECK_CALL(cudaGraphAddMemAllocNode(&get, graph, NULL, 0, &p));
    x = (float *)p.dptr;
    cudaMemsetParams zeros = {x, 0, 0, 1, p.bytesize, 1};
    CHECK_CALL(cudaGraphAddMemsetNode(&fill, graph, &get, 1, &zeros));
    void *arguments[] = {&x, &plus};
    cudaKernelNodeParams k = kernel((void *)add<float>, arguments);
    CHECK_CALL(cudaGraphAddKernelNode(&work, graph, &fill, 1, &k));
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_THAT(at(x, 9) == 3);
    CHECK_CALL(cudaFree(x));
    CHECK_CALL(cudaGraphLaunch(run, stream));
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_CALL(cudaGraphDestroy(graph));
    CHECK_THAT(at(x, 9) == 3);
    CHECK_CALL(cudaFree(x));
    CHECK_THAT(cudaFree(x) == cudaErrorInvalidValue);
    cudaGetLastError();

    CHECK_CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK_CALL(cudaMallocAsync(&kept, p.bytesize, stream));
    CHECK_CALL(cudaMemsetAsync(kept, 0, p.bytesize, stream));
    add<float><<<1, N, 0, stream>>>(kept, 5);
    CHECK_CALL(cudaMemcpyAsync(&plus, kept + 1, sizeof plus, cudaMemcpyDeviceToHost, stream));
    CHECK_CALL(cudaFreeAsync(kept, stream));
    CHECK_CALL(cudaStreamEndCapture(stream, &graph));
    CHECK_CALL(cudaGraphInstantiate(&run, graph, 0));
    CHECK_CALL(cudaGraphDestroy(graph));
    for (int i = 0; i < 2; i++) {
        plus = 0;
        CHECK_CALL(cudaGraphLaunch(run, stream));
        CHECK_THAT(plus == 5);
    }
    CHECK_CALL(cudaGraphExecDestroy(run));
    CHECK_THAT(cudaFree(kept) == cudaErrorInvalidValue); // it was the graph's
    cudaGetLastError();
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    CHECK_CALL(cudaGraphAddMemFreeNode(&give, graph, NULL, 0, NULL));
    CHECK_CALL(cudaGraphDestroy(graph));
}

static void refused(float *x)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    float by = 1;
    void *arguments[] = {&x, &by};
    cudaKernelNodeParams p = kernel(x, arguments);
    CHECK_CALL(cudaGraphCreate(&graph, 0));
    CHECK_THAT(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidDeviceFunction);
    p = kernel((void *)scale, NULL);
    CHECK_THAT(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p) == cudaErrorInvalidValue);
    cudaMemsetParams bytes = {x, 0, 1, 8, N, 1};
    CHECK_THAT(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &bytes) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CALL(cudaGraphDestroy(graph));
}

int main()
{
    cudaStream_t stream;
    float *x, *y;
    CHECK_CALL(cudaStreamCreate(&stream));
    CHECK_CALL(cudaMalloc(&x, N * sizeof(float)));
    CHECK_CALL(cudaMalloc(&y, N * sizeof(float)));
    arithmetic(x, y);
    order();
    update(stream, x);
    memory(stream);
    refused(x);
    puts("PASSED");
    return 0;
}
