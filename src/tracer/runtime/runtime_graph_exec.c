/* runtime_graph_exec.c - executables of graphs: their nodes in an order, launched and changed.
 *
 * Decisions. The order is that in which the nodes were added, but for a node that comes after a later one: it waits for it.
 * Streams run in order here, so no other order could show more. A graph may change when its executable was made, which
 * keeps what it was.
 */
#include <stdlib.h>

#include "tracer/engine.h"
#include "tracer/runtime/graph.h"

static bool may_run(const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (!node->before[i]->is_taken)
            return false;
    return !node->is_taken;
}

/* Goes over the nodes until all are taken, or no more can be: they wait for each other. */
static bool put_in_order(const struct CUgraph_st *graph, struct CUgraphExec_st *executable)
{
    size_t before;
    for (struct CUgraphNode_st *node = graph->first; node; node = node->next)
        node->is_taken = false;
    do {
        before = executable->count;
        for (struct CUgraphNode_st *node = graph->first; node; node = node->next) {
            if (!may_run(node))
                continue;
            node->is_taken = true;
            executable->steps[executable->count].node = node;
            executable->steps[executable->count++].work = graph_work_share(node->work);
        }
    } while (executable->count > before);
    return executable->count == graph->count;
}

static struct CUgraphExec_st *exec_new(size_t steps)
{
    struct CUgraphExec_st *made = malloc(sizeof *made + steps * sizeof made->steps[0]);
    if (made)
        made->count = 0;
    return made;
}

cudaError_t wl_graph_instantiate(cudaGraphExec_t *executable, cudaGraph_t graph)
{
    *executable = NULL;
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    struct CUgraphExec_st *made = exec_new(graph->count);
    if (made == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    *executable = made;
    if (put_in_order(graph, made))
        return runtime_state();
    cudaGraphExecDestroy(made);
    *executable = NULL;
    return runtime_refuse(cudaErrorInvalidValue,
                          "cudaGraphInstantiate: nodes of the graph depend on each other in a "
                          "circle");
}

struct CUgraphExec_st *graph_exec_copy(const struct CUgraphExec_st *executable)
{
    struct CUgraphExec_st *copy = exec_new(executable->count);
    for (; copy && copy->count < executable->count; copy->count++) {
        copy->steps[copy->count] = executable->steps[copy->count];
        graph_work_share(copy->steps[copy->count].work);
    }
    return copy;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    if (executable == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    for (size_t i = 0; i < executable->count; i++)
        graph_work_release(executable->steps[i].work);
    free(executable);
    return runtime_state();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    if (executable == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    if (graph_records(stream)) {
        struct CUgraphExec_st *copy = graph_exec_copy(executable);
        return graph_capture_work(stream, "cudaGraphLaunch", copy ? graph_child_work(copy) : NULL);
    }
    for (size_t i = 0; i < executable->count && !engine.failed; i++)
        if (executable->steps[i].work->run)
            executable->steps[i].work->run(executable->steps[i].work->data);
    return runtime_state();
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream)
{
    (void)stream;
    return executable ? runtime_state() : runtime_answer(cudaErrorInvalidValue);
}

/* ---- Changes ------------------------------------------------------------------------------------ */

cudaError_t graph_exec_change(struct CUgraphExec_st *executable, const struct CUgraphNode_st *node,
                              struct graph_work *work)
{
    for (size_t i = 0; executable && node && i < executable->count; i++) {
        if (executable->steps[i].node != node || executable->steps[i].work->type != work->type)
            continue;
        graph_work_release(executable->steps[i].work);
        executable->steps[i].work = work;
        return runtime_state();
    }
    graph_work_release(work);
    return runtime_refuse(cudaErrorInvalidValue,
                          "a change of a node that the executable graph does not have, or has as "
                          "one of another kind");
}

cudaError_t wl_graph_exec_update(cudaGraphExec_t executable, cudaGraph_t graph, bool *is_same)
{
    struct CUgraphExec_st *other;
    cudaError_t error = wl_graph_instantiate(&other, graph);
    *is_same = false;
    if (error || executable == NULL)
        return error ? error : runtime_answer(cudaErrorInvalidValue);
    *is_same = other->count == executable->count;
    for (size_t i = 0; i < other->count && *is_same; i++)
        *is_same = other->steps[i].work->type == executable->steps[i].work->type;
    for (size_t i = 0; i < other->count && *is_same; i++) {
        struct graph_work *work = executable->steps[i].work;
        executable->steps[i].work = other->steps[i].work;
        other->steps[i].work = work;
    }
    cudaGraphExecDestroy(other);
    return *is_same ? runtime_state() : runtime_answer(cudaErrorGraphExecUpdateFailure);
}
