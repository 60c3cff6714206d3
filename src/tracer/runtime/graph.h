/* graph.h - the inside of CUDA graphs.
 *
 *   runtime_graph.c         graphs and their nodes
 *   runtime_graph_exec.c    executables
 *   runtime_graph_nodes.c   what programs add and change, node by node
 *   runtime_graph_memory.c  nodes that allocate and free
 *   runtime_capture.c       nodes that are recorded from streams
 */
#ifndef WARPLENS_TRACER_RUNTIME_GRAPH_H
#define WARPLENS_TRACER_RUNTIME_GRAPH_H

#include <stdbool.h>

#include "tracer/repeats.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_graphs.h"

/* What a node does, which nobody changes: a node that is changed gets another one. Nodes, their copies in clones and
 * those in executables share it. */
struct graph_work {
    unsigned references;
    enum cudaGraphNodeType type;
    void (*run)(void *data);     /* NULL: nothing */
    void (*release)(void *data); /* of what `data` points to; NULL: nothing */
    _Alignas(16) char data[];
};

struct CUgraphNode_st {
    struct CUgraph_st *graph;
    struct graph_work *work;
    struct CUgraphNode_st **before; /* those that it depends on */
    size_t before_count;
    struct CUgraphNode_st *next; /* in the order in which they were added */
    size_t number;               /* ... from 0 on */
    bool is_taken;               /* while an order is looked for */
};

struct CUgraph_st {
    struct CUgraphNode_st *first, *last;
    size_t count;
};

struct CUgraphExec_st {
    size_t count;
    struct {
        const struct CUgraphNode_st *node; /* which it was made of: for comparisons alone */
        struct graph_work *work;
    } steps[]; /* in the order in which they run */
};

/* With a copy of `bytes` of data; NULL: no memory, and `data` is released. */
struct graph_work *graph_work_new(enum cudaGraphNodeType type, void (*run)(void *),
                                  void (*release)(void *), const void *data, size_t bytes);
static inline struct graph_work *graph_work_share(struct graph_work *work)
{
    work->references++;
    return work;
}
void graph_work_release(struct graph_work *work);

/* A call with a copy of its arguments, of which there are at most so many bytes. */
enum { GRAPH_CALL_BYTES_MAX = 1024 };
struct graph_work *graph_call_work(enum cudaGraphNodeType type, void (*run)(const void *data),
                                   const void *data, size_t bytes);

/* Adds a node, which has the work from then on; without work there was no memory for it. */
cudaError_t graph_add_node(struct CUgraphNode_st **node, struct CUgraph_st *graph,
                           struct CUgraphNode_st *const *before, size_t before_count,
                           struct graph_work *work);
/* What that node does in the executable from now on. Takes the work. */
cudaError_t graph_exec_change(struct CUgraphExec_st *executable, const struct CUgraphNode_st *node,
                              struct graph_work *work);
struct CUgraphExec_st *graph_exec_copy(const struct CUgraphExec_st *executable);

/* What a launch is; the name is copied, `arguments` are the work's. */
struct graph_launch {
    const char *name;
    void (*call)(const void *arguments);
    void *arguments;
    dim3 grid, block;
    size_t shared_bytes;
    bool is_cooperative;
    struct launch_extra extra; /* what was said of it when it was made */
};
struct graph_work *graph_launch_work(const struct graph_launch *launch);
/* Keeps it in the graph that the stream's capture makes. */
void graph_capture_launch(cudaStream_t stream, const struct graph_launch *launch);
/* A graph that another one runs. Takes the executable. */
struct graph_work *graph_child_work(struct CUgraphExec_st *executable);

/* Keeps a call in that graph, or refuses it: the default stream has none. Takes the work. */
cudaError_t graph_capture_work(cudaStream_t stream, const char *call, struct graph_work *work);

#endif
