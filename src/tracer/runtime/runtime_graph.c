/* runtime_graph.c - CUDA graphs, made by recording a stream: what is called while a stream is captured does not run,
 * but is kept with its arguments, and runs in the order of the calls whenever the graph is launched.
 *
 * One capture at a time. A stream that waits for an event of a captured one is captured, too. What is done at once
 * (copies without Async, calls of libraries, the default stream) cannot be kept, and is refused while one lasts.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_graphs.h"
#include "warplens/cuda_libraries.h"

struct graph_node {
    void (*run)(const void *data);
    void *data, *arguments; /* the node's own; of a launch */
    struct graph_node *next;
};
/* Also of its executables: they are what the graph was then. */
struct CUgraph_st {
    unsigned references;
    struct graph_node *first, *last;
    size_t count;
};

static struct CUgraph_st *recorded; /* of the capture that lasts; NULL: there is none */
static cudaStream_t origin;
static uint64_t capture; /* its number, from 1 on */

static void graph_release(struct CUgraph_st *graph)
{
    if (--graph->references)
        return;
    for (struct graph_node *node = graph->first, *next; node; node = next) {
        next = node->next;
        free(node->data);
        free(node->arguments);
        free(node);
    }
    free(graph);
}

/* ---- Recording -------------------------------------------------------------------------------- */

static bool is_default(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool graph_records(cudaStream_t stream)
{
    return recorded && (is_default(stream) || stream->capture == capture);
}

/* `data` and `arguments` are the node's from then on. */
static cudaError_t add_node(cudaStream_t stream, const char *call, void (*run)(const void *),
                            void *data, void *arguments)
{
    struct graph_node *node = data && !is_default(stream) ? calloc(1, sizeof *node) : NULL;
    if (node == NULL) {
        free(data);
        free(arguments);
        if (is_default(stream))
            return runtime_refuse(cudaErrorStreamCaptureImplicit,
                                  "%s in the default stream while another one is captured", call);
        return runtime_answer(cudaErrorMemoryAllocation);
    }
    *node = (struct graph_node){.run = run, .data = data, .arguments = arguments};
    *(recorded->last ? &recorded->last->next : &recorded->first) = node;
    recorded->last = node;
    recorded->count++;
    return cudaSuccess;
}

cudaError_t graph_add(cudaStream_t stream, const char *call, void (*run)(const void *),
                      const void *data, size_t bytes)
{
    void *kept = malloc(bytes);
    if (kept)
        memcpy(kept, data, bytes);
    return add_node(stream, call, run, kept, NULL);
}

bool wl_may_run_now(const char *call, cudaStream_t stream)
{
    const bool kept = graph_records(stream) && !is_default(stream);
    if (kept)
        runtime_refuse(cudaErrorStreamCaptureUnsupported,
                       "%s in a stream that is captured cannot be a part of a graph here: call it "
                       "outside",
                       call);
    return !kept;
}

bool wl_library_may_run(const char *name, cudaStream_t stream)
{
    return wl_may_run_now(name, stream);
}

bool wl_captures(cudaStream_t stream)
{
    return graph_records(stream);
}

/* A launch with its arguments, which are its own. */
struct kept_launch {
    void (*call)(const void *arguments);
    void *arguments;
    dim3 grid, block;
    size_t shared_bytes;
    char name[];
};

static void run_launch(const void *data)
{
    const struct kept_launch *l = data;
    wl_launch(l->name, l->call, l->arguments, l->grid, l->block, l->shared_bytes);
}

void wl_capture_launch(cudaStream_t stream, const char *name, void (*call)(const void *data),
                       void *arguments, dim3 grid, dim3 block, size_t shared_bytes)
{
    const size_t name_bytes = strlen(name) + 1;
    struct kept_launch *launch = arguments ? malloc(sizeof *launch + name_bytes) : NULL;
    if (launch == NULL) {
        free(arguments);
        runtime_answer(cudaErrorMemoryAllocation);
        return;
    }
    *launch = (struct kept_launch){call, arguments, grid, block, shared_bytes};
    memcpy(launch->name, name, name_bytes);
    add_node(stream, name, run_launch, launch, arguments);
}

/* ---- Capture ---------------------------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (is_default(stream) || recorded)
        return runtime_refuse(
            cudaErrorStreamCaptureUnsupported,
            recorded ? "cudaStreamBeginCapture: another stream is captured already"
                     : "cudaStreamBeginCapture: the default stream cannot be captured");
    recorded = calloc(1, sizeof *recorded);
    if (recorded == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    recorded->references = 1;
    origin = stream;
    stream->capture = ++capture;
    return runtime_state();
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = NULL;
    if (recorded == NULL || stream != origin)
        return runtime_refuse(cudaErrorIllegalState,
                              "cudaStreamEndCapture: no capture was begun in this stream");
    *graph = recorded;
    recorded = NULL;
    return runtime_state();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    *status = !is_default(stream) && graph_records(stream) ? cudaStreamCaptureStatusActive
                                                           : cudaStreamCaptureStatusNone;
    return runtime_state();
}

void graph_record_event(cudaEvent_t event, cudaStream_t stream)
{
    event->capture = !is_default(stream) && graph_records(stream) ? capture : 0;
}

void graph_wait_event(cudaEvent_t event, cudaStream_t stream)
{
    if (recorded && event->capture == capture && !is_default(stream))
        stream->capture = capture;
}

/* ---- Graphs ----------------------------------------------------------------------------------- */

cudaError_t wl_graph_instantiate(cudaGraphExec_t *executable, cudaGraph_t graph)
{
    *executable = (cudaGraphExec_t)graph;
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    graph->references++;
    return runtime_state();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    const struct CUgraph_st *graph = (struct CUgraph_st *)executable;
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    if (graph_records(stream))
        return runtime_refuse(cudaErrorStreamCaptureUnsupported,
                              "cudaGraphLaunch in a stream that is captured: graphs within graphs "
                              "are not there");
    for (const struct graph_node *node = graph->first; node && !engine.failed; node = node->next)
        node->run(node->data);
    return runtime_state();
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream)
{
    (void)stream;
    return executable ? runtime_state() : runtime_answer(cudaErrorInvalidValue);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    graph_release(graph);
    return runtime_state();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return cudaGraphDestroy((cudaGraph_t)executable);
}

cudaError_t wl_graph_node_count(cudaGraph_t graph, size_t *count)
{
    *count = graph ? graph->count : 0;
    return graph ? runtime_state() : runtime_answer(cudaErrorInvalidValue);
}
