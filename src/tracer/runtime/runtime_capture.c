/* runtime_capture.c - graphs that are recorded from streams: what is called while a stream is captured does not run, but
 * becomes a node with its arguments. The nodes run in the order of the calls.
 *
 * One capture at a time. A stream that waits for an event of a captured one is captured, too. What is done at once
 * (copies without Async, calls of cuRAND and cuFFT, results of libraries on the host, the default stream) cannot be
 * kept, and is refused while one lasts.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/graph.h"
#include "warplens/cuda_libraries.h"

static struct CUgraph_st *recorded; /* of the capture that lasts; NULL: there is none */
static cudaStream_t origin;
static uint64_t capture; /* its number, from 1 on */

static bool is_default(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool graph_records(cudaStream_t stream)
{
    return recorded && (is_default(stream) || stream->capture == capture);
}

cudaError_t graph_capture_work(cudaStream_t stream, const char *call, struct graph_work *work)
{
    struct CUgraphNode_st *node;
    if (!is_default(stream))
        return graph_add_node(&node, recorded, NULL, 0, work);
    graph_work_release(work);
    return runtime_refuse(cudaErrorStreamCaptureImplicit,
                          "%s in the default stream while another one is captured", call);
}

struct call_data {
    void (*run)(const void *data);
    size_t bytes;
};

static void run_call(void *data)
{
    struct call_data call;
    memcpy(&call, data, sizeof call);
    call.run((char *)data + sizeof call);
}

struct graph_work *graph_call_work(enum cudaGraphNodeType type, void (*run)(const void *data),
                                   const void *data, size_t bytes)
{
    char both[sizeof(struct call_data) + GRAPH_CALL_BYTES_MAX];
    memcpy(both, &(struct call_data){run, bytes}, sizeof(struct call_data));
    memcpy(both + sizeof(struct call_data), data, bytes);
    return graph_work_new(type, run_call, NULL, both, sizeof(struct call_data) + bytes);
}

cudaError_t graph_add(cudaStream_t stream, const char *call, enum cudaGraphNodeType type,
                      void (*run)(const void *), const void *data, size_t bytes)
{
    return graph_capture_work(stream, call, graph_call_work(type, run, data, bytes));
}

bool wl_may_run_now(const char *call, cudaStream_t stream)
{
    const bool kept = wl_library_captures(stream);
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

bool wl_library_captures(cudaStream_t stream)
{
    return graph_records(stream) && !is_default(stream);
}

_Static_assert((int)WL_LIBRARY_CALL_BYTES_MAX <= (int)GRAPH_CALL_BYTES_MAX,
               "a library's call is too large");

/* On a GPU it would be kernels. */
bool wl_library_keep(const char *name, cudaStream_t stream, void (*run)(const void *call),
                     const void *call, size_t bytes)
{
    return graph_add(stream, name, cudaGraphNodeTypeKernel, run, call, bytes) == cudaSuccess;
}

void wl_library_refuse_result(const char *name)
{
    runtime_refuse(
        cudaErrorStreamCaptureUnsupported,
        "%s in a stream that is captured cannot have its result on the host: let it be on "
        "the device (pointer mode), or call it outside",
        name);
}

void wl_library_answered(const char *name, int status)
{
    if (status)
        runtime_refuse(cudaErrorLaunchFailure,
                       "%s, a node of a graph, answers with status %d when the graph is launched: "
                       "look at the arguments of the call that was captured",
                       name, status);
}

bool wl_captures(cudaStream_t stream)
{
    return graph_records(stream);
}

void graph_capture_launch(cudaStream_t stream, const struct graph_launch *launch)
{
    graph_capture_work(stream, launch->name, launch->arguments ? graph_launch_work(launch) : NULL);
}

void wl_capture_launch(cudaStream_t stream, const char *name, void (*call)(const void *data),
                       void *arguments, dim3 grid, dim3 block, size_t shared_bytes)
{
    graph_capture_launch(stream, &(struct graph_launch){.name = name,
                                                        .call = call,
                                                        .arguments = arguments,
                                                        .grid = grid,
                                                        .block = block,
                                                        .shared_bytes = shared_bytes});
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    (void)mode;
    if (is_default(stream) || recorded)
        return runtime_refuse(
            cudaErrorStreamCaptureUnsupported,
            recorded ? "cudaStreamBeginCapture: another stream is captured already"
                     : "cudaStreamBeginCapture: the default stream cannot be captured");
    cudaError_t error = cudaGraphCreate(&recorded, 0);
    if (recorded == NULL)
        return error;
    origin = stream;
    stream->capture = ++capture;
    return error;
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
