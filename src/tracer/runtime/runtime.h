/* runtime.h - the inside of the CUDA runtime API: what its files share.
 *
 *   runtime_attributes.c  attributes of streams
 *   runtime_errors.c  the last error, names and texts
 *   runtime_memory.c runtime_copy.c   allocations; copies and fills
 *   runtime_device.c  the GPU's properties; runtime_occupancy.c
 *   runtime_graph.c runtime_graph_....c runtime_capture.c   graphs (graph.h)
 *   runtime_kernels.c kernels that are launched by their addresses
 *   runtime_library.c calls of libraries that the host computes
 *   runtime_pool.c    pools of memory, copies between devices
 *   runtime_stream.c  streams, events, callbacks
 */
#ifndef WARPLENS_TRACER_RUNTIME_RUNTIME_H
#define WARPLENS_TRACER_RUNTIME_RUNTIME_H

#include <stdbool.h>

#include "warplens/cuda.h"
#include "warplens/cuda_graphs.h"
#include "warplens/cuda_stream_attributes.h"

void runtime_start(void);

/* Remembers an error for cudaGetLastError, and returns it. */
cudaError_t runtime_answer(cudaError_t error);
/* The same for a call that was refused: a program is told in a line on standard error; in the gallery
 * it is the run's error. */
cudaError_t runtime_refuse(cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* cudaSuccess, or the error that a kernel has left: nothing works after it. */
cudaError_t runtime_state(void);

struct stream_attributes {
    struct cudaAccessPolicyWindow window;
    enum cudaSynchronizationPolicy policy; /* 0: not set */
};
struct CUstream_st {
    unsigned flags;
    int priority;
    struct stream_attributes attributes;
    uint64_t capture; /* the last one that it was a part of; 0: none */
};
struct CUevent_st {
    unsigned flags;
    bool recorded;
    uint64_t accesses;
    uint64_t capture; /* recorded in a stream of that one */
};

/* Whether what is called in a stream is kept, or refused, instead of done. */
bool graph_records(cudaStream_t stream);
/* Keeps a call with a copy of its arguments, of which there are at most GRAPH_CALL_BYTES_MAX. */
cudaError_t graph_add(cudaStream_t stream, const char *call, enum cudaGraphNodeType type,
                      void (*run)(const void *data), const void *data, size_t bytes);
/* runtime_copy.c: what the nodes of a graph do that are copies and fills. */
void runtime_run_copy_3d(const void *parameters);
/* Whether the program frees memory of a graph, which stays where it is for the graph's next launch. */
bool graph_memory_free(void *pointer);
/* cudaFreeAsync in a stream that is captured. */
cudaError_t graph_capture_free(cudaStream_t stream, void *pointer);
void graph_record_event(cudaEvent_t event, cudaStream_t stream);
void graph_wait_event(cudaEvent_t event, cudaStream_t stream);

/* What is known of the kernel at an address; NULL, refused in the name of `call`, where there is none. */
const struct wl_kernel_type *runtime_kernel_type(const char *call, const void *kernel);
/* launch.c: wl_launch, of a launch whose blocks may wait for each other. */
void launch_cooperative(const char *name, void (*call)(const void *arguments),
                        const void *arguments, dim3 grid, dim3 block, size_t dynamic_shared_bytes);

/* Tells the sink how often which function of a library was called; when the program ends. */
void runtime_libraries_give(void);

struct runtime_limits {
    struct cudaDeviceProp properties;
    /* What occupancy needs besides. */
    int register_unit, warp_unit, register_per_block, shared_unit;
    /* What cudaFuncSetAttribute has raised the dynamic shared memory of a block to. */
    size_t dynamic_shared_max;
    bool non_portable_clusters; /* what it has allowed: more than 8 blocks */
    int gpcs;                   /* 0: not known */
};
struct runtime_limits *runtime_limits(void);
void runtime_device_start(void);

/* launch_limits.c: whether the launch that engine and engine_indices describe can be; refuses it
 * otherwise. */
bool launch_is_possible(const struct cudaDeviceProp *device, size_t dynamic_shared_max);
struct launch_info;
/* Whether a stream can carry as many arrays; fails otherwise. */
bool launch_arrays_are_possible(const struct launch_info *launch);

#endif
