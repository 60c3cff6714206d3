/* runtime_graph_nodes.c - nodes that a program adds to a graph, and changes there or in an executable.
 *
 * A kernel's arguments are copied when its node is made, as CUDA does; what they point to is that of the launch.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/grid/cluster_launch.h"
#include "tracer/runtime/graph.h"

/* ---- Kernels ------------------------------------------------------------------------------------ */

static void run_launch(void *data)
{
    const struct graph_launch *l = data;
    launch_note_extra(&l->extra);
    (l->is_cooperative ? launch_cooperative : wl_launch)(l->name, l->call, l->arguments, l->grid,
                                                         l->block, l->shared_bytes);
}

static void release_launch(void *data)
{
    const struct graph_launch *launch = data;
    free((char *)(uintptr_t)launch->name);
    free(launch->arguments);
}

struct graph_work *graph_launch_work(const struct graph_launch *launch)
{
    struct graph_launch own = *launch;
    own.extra = launch_take_extra();
    own.name = strdup(launch->name);
    if (own.name)
        return graph_work_new(cudaGraphNodeTypeKernel, run_launch, release_launch, &own,
                              sizeof own);
    free(own.arguments);
    return NULL;
}

/* *error says why there is none. */
static struct graph_work *kernel_work(const struct cudaKernelNodeParams *p, cudaError_t *error)
{
    const struct wl_kernel_type *type = runtime_kernel_type("a kernel node of a graph", p->func);
    *error = type ? cudaErrorMemoryAllocation : cudaErrorInvalidDeviceFunction;
    if (type && type->count && p->kernelParams == NULL) {
        *error = runtime_refuse(cudaErrorInvalidValue,
                                "a kernel node of a graph without kernelParams: arguments in "
                                "`extra` are not read");
        return NULL;
    }
    void *arguments = type ? type->keep(p->func, (const void *const *)p->kernelParams) : NULL;
    if (arguments == NULL)
        return NULL;
    return graph_launch_work(&(struct graph_launch){.name = wl_function_name(p->func),
                                                    .call = type->call,
                                                    .arguments = arguments,
                                                    .grid = p->grid_dim,
                                                    .block = p->block_dim,
                                                    .shared_bytes = p->sharedMemBytes});
}

/* ---- Copies, fills, functions, graphs ----------------------------------------------------------- */

static struct graph_work *copy_work(const struct cudaMemcpy3DParms *parameters, cudaError_t *error)
{
    *error = cudaErrorMemoryAllocation;
    return graph_call_work(cudaGraphNodeTypeMemcpy, runtime_run_copy_3d, parameters,
                           sizeof *parameters);
}

/* A row of elements, made on the host and copied to each row. */
static void fill_by_copies(const struct cudaMemsetParams *p)
{
    const size_t row_bytes = p->width * p->elementSize;
    char *row = malloc(row_bytes);
    if (row == NULL) {
        runtime_answer(cudaErrorMemoryAllocation);
        return;
    }
    for (size_t i = 0; i < row_bytes; i++) /* a GPU's bytes are in this order */
        row[i] = (char)(p->value >> 8 * (i % p->elementSize));
    for (size_t y = 0; y < p->height; y++)
        cudaMemcpy((char *)p->dst + y * p->pitch, row, row_bytes, cudaMemcpyHostToDevice);
    free(row);
}

static void run_fill(const void *data)
{
    const struct cudaMemsetParams *p = data;
    if (p->value == 0 || p->elementSize == 1)
        cudaMemset2D(p->dst, p->pitch, (int)p->value, p->width * p->elementSize, p->height);
    else
        fill_by_copies(p);
}

static struct graph_work *fill_work(const struct cudaMemsetParams *p, cudaError_t *error)
{
    *error = cudaErrorMemoryAllocation;
    if (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4)
        return graph_call_work(cudaGraphNodeTypeMemset, run_fill, p, sizeof *p);
    *error = runtime_refuse(cudaErrorInvalidValue,
                            "a memset node of elements of %u bytes: 1, 2 or 4 are possible",
                            p->elementSize);
    return NULL;
}

static void run_host(const void *data)
{
    const struct cudaHostNodeParams *p = data;
    p->fn(p->userData);
}

static struct graph_work *host_work(const struct cudaHostNodeParams *parameters, cudaError_t *error)
{
    *error = cudaErrorMemoryAllocation;
    return graph_call_work(cudaGraphNodeTypeHost, run_host, parameters, sizeof *parameters);
}

static void run_child(void *data)
{
    cudaGraphLaunch(*(struct CUgraphExec_st **)data, NULL);
}

static void release_child(void *data)
{
    cudaGraphExecDestroy(*(struct CUgraphExec_st **)data);
}

struct graph_work *graph_child_work(struct CUgraphExec_st *executable)
{
    return graph_work_new(cudaGraphNodeTypeGraph, run_child, release_child, &executable,
                          sizeof executable);
}

/* ---- Adding them -------------------------------------------------------------------------------- */

#define ADD_AND_CHANGE(kind, make, parameters_type)                                                \
    WL_ADD_NODE(kind, const struct parameters_type *parameters)                                    \
    {                                                                                              \
        cudaError_t error;                                                                         \
        struct graph_work *work = make(parameters, &error);                                        \
        return work ? graph_add_node(node, graph, before, before_count, work)                      \
                    : runtime_answer(error);                                                       \
    }                                                                                              \
    cudaError_t cudaGraph##kind##NodeSetParams(cudaGraphNode_t node,                               \
                                               const struct parameters_type *parameters)           \
    {                                                                                              \
        cudaError_t error;                                                                         \
        struct graph_work *work = make(parameters, &error);                                        \
        return work ? change(node, work) : runtime_answer(error);                                  \
    }                                                                                              \
    cudaError_t cudaGraphExec##kind##NodeSetParams(cudaGraphExec_t executable,                     \
                                                   cudaGraphNode_t node,                           \
                                                   const struct parameters_type *parameters)       \
    {                                                                                              \
        cudaError_t error;                                                                         \
        struct graph_work *work = make(parameters, &error);                                        \
        return work ? graph_exec_change(executable, node, work) : runtime_answer(error);           \
    }

static cudaError_t change(struct CUgraphNode_st *node, struct graph_work *work)
{
    const bool is_possible = node && node->work->type == work->type;
    struct graph_work *old = is_possible ? node->work : work;
    if (is_possible)
        node->work = work;
    graph_work_release(old);
    return is_possible ? runtime_state() : runtime_answer(cudaErrorInvalidValue);
}

ADD_AND_CHANGE(Kernel, kernel_work, cudaKernelNodeParams)
ADD_AND_CHANGE(Memcpy, copy_work, cudaMemcpy3DParms)
ADD_AND_CHANGE(Memset, fill_work, cudaMemsetParams)
ADD_AND_CHANGE(Host, host_work, cudaHostNodeParams)

WL_ADD_NODE(ChildGraph, cudaGraph_t child)
{
    cudaGraphExec_t executable;
    cudaError_t error = wl_graph_instantiate(&executable, child);
    return error ? error
                 : graph_add_node(node, graph, before, before_count, graph_child_work(executable));
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *before, size_t before_count)
{
    return graph_add_node(node, graph, before, before_count,
                          graph_work_new(cudaGraphNodeTypeEmpty, NULL, NULL, "", 0));
}

struct copy_1d {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};

static void run_copy_1d(const void *data)
{
    const struct copy_1d *c = data;
    cudaMemcpy(c->to, c->from, c->bytes, c->kind);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before, size_t before_count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    const struct copy_1d copy = {to, from, bytes, kind};
    return graph_add_node(
        node, graph, before, before_count,
        graph_call_work(cudaGraphNodeTypeMemcpy, run_copy_1d, &copy, sizeof copy));
}
