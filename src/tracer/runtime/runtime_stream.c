/* runtime_stream.c - streams and events. Everything runs at once and in order, so a stream is a handle
 * and an event is the number of warp accesses that were traced before it.
 */
#include <stdlib.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_graphs.h"

enum { LOWEST_PRIORITY = 0, HIGHEST_PRIORITY = -5 };

/* A nominal rate, and a least time: a program may divide by it. */
static const double ACCESSES_PER_MILLISECOND = 1e6, LEAST_MILLISECONDS = 1e-3;

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    *stream = malloc(sizeof **stream);
    if (*stream == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    **stream = (struct CUstream_st){.flags = flags, .priority = priority};
    return runtime_state();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, LOWEST_PRIORITY);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *lowest, int *highest)
{
    *lowest = LOWEST_PRIORITY;
    *highest = HIGHEST_PRIORITY;
    return cudaSuccess;
}

/* The streams that nobody creates. */
static bool is_standing(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    *priority = is_standing(stream) ? LOWEST_PRIORITY : stream->priority;
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
    *flags = is_standing(stream) ? cudaStreamDefault : stream->flags;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (is_standing(stream))
        return runtime_answer(cudaErrorInvalidResourceHandle);
    free(stream);
    return runtime_state();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return wl_may_run_now("cudaStreamSynchronize", stream) ? runtime_state()
                                                           : cudaErrorStreamCaptureUnsupported;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return runtime_state();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    if (event)
        graph_wait_event(event, stream);
    return event ? runtime_state() : runtime_answer(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    (void)flags;
    if (!wl_may_run_now("cudaStreamAddCallback", stream))
        return cudaErrorStreamCaptureUnsupported;
    callback(stream, runtime_state(), data);
    return runtime_state();
}

struct host_call {
    cudaHostFn_t function;
    void *data;
};

static void run_host_call(const void *data)
{
    const struct host_call *h = data;
    h->function(h->data);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    const struct host_call h = {function, data};
    if (graph_records(stream))
        return graph_add(stream, "cudaLaunchHostFunc", cudaGraphNodeTypeHost, run_host_call, &h,
                         sizeof h);
    function(data);
    return runtime_state();
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned flags)
{
    (void)stream;
    (void)bytes;
    (void)flags;
    return memory_is_arena(pointer) ? runtime_state() : runtime_answer(cudaErrorInvalidValue);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    *event = malloc(sizeof **event);
    if (*event == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    **event = (struct CUevent_st){.flags = flags};
    return runtime_state();
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (event == NULL)
        return runtime_answer(cudaErrorInvalidResourceHandle);
    graph_record_event(event, stream);
    event->recorded = true;
    event->accesses = engine.accesses;
    return runtime_state();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event ? runtime_state() : runtime_answer(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (event == NULL)
        return runtime_answer(cudaErrorInvalidResourceHandle);
    free(event);
    return runtime_state();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    if (start == NULL || end == NULL || !start->recorded || !end->recorded ||
        (start->flags | end->flags) & cudaEventDisableTiming)
        return runtime_answer(cudaErrorInvalidResourceHandle);
    double accesses = (double)(int64_t)(end->accesses - start->accesses);
    *milliseconds = (float)(LEAST_MILLISECONDS + accesses / ACCESSES_PER_MILLISECOND);
    return runtime_state();
}
