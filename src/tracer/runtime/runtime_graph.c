/* runtime_graph.c - CUDA graphs: nodes with what comes before them, and executables, which are the nodes in an order.
 *
 * Decisions. The order is that in which the nodes were added, but for a node that comes after a later one: it waits for it.
 * Streams run in order here, so no other order could show more. A graph may change when its executable was made, which
 * keeps what it was.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/graph.h"

/* ---- What nodes do ------------------------------------------------------------------------------ */

struct graph_work *graph_work_new(enum cudaGraphNodeType type, void (*run)(void *),
                                  void (*release)(void *), const void *data, size_t bytes)
{
    struct graph_work *work = malloc(sizeof *work + bytes);
    if (work) {
        *work = (struct graph_work){.references = 1, .type = type, .run = run, .release = release};
        memcpy(work->data, data, bytes);
    } else if (release) {
        release((void *)(uintptr_t)data);
    }
    return work;
}

void graph_work_release(struct graph_work *work)
{
    if (work == NULL || --work->references)
        return;
    if (work->release)
        work->release(work->data);
    free(work);
}

static struct graph_work *share(struct graph_work *work)
{
    work->references++;
    return work;
}

/* ---- Graphs ------------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    *graph = calloc(1, sizeof **graph);
    return *graph ? runtime_state() : runtime_answer(cudaErrorMemoryAllocation);
}

static void node_free(struct CUgraphNode_st *node)
{
    graph_work_release(node->work);
    free(node->before);
    free(node);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *node = graph->first, *next; node; node = next) {
        next = node->next;
        node_free(node);
    }
    free(graph);
    return runtime_state();
}

static bool are_of(const struct CUgraph_st *graph, struct CUgraphNode_st *const *nodes,
                   size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] == NULL || nodes[i]->graph != graph)
            return false;
    return count == 0 || nodes;
}

/* Notes that `node` comes after these. */
static bool add_before(struct CUgraphNode_st *node, struct CUgraphNode_st *const *before,
                       size_t count)
{
    struct CUgraphNode_st **grown =
        realloc(node->before, (node->before_count + count) * sizeof(struct CUgraphNode_st *));
    if (grown == NULL)
        return false;
    node->before = grown;
    memcpy(grown + node->before_count, before, count * sizeof(struct CUgraphNode_st *));
    node->before_count += count;
    return true;
}

static void append(struct CUgraph_st *graph, struct CUgraphNode_st *node)
{
    node->graph = graph;
    node->number = graph->count++;
    *(graph->last ? &graph->last->next : &graph->first) = node;
    graph->last = node;
}

cudaError_t graph_add_node(struct CUgraphNode_st **node, struct CUgraph_st *graph,
                           struct CUgraphNode_st *const *before, size_t before_count,
                           struct graph_work *work)
{
    *node = NULL;
    if (work == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    if (graph == NULL || (before_count && before == NULL) || !are_of(graph, before, before_count)) {
        graph_work_release(work);
        return runtime_answer(cudaErrorInvalidValue);
    }
    struct CUgraphNode_st *made = calloc(1, sizeof *made);
    if (made == NULL || (before_count && !add_before(made, before, before_count))) {
        free(made);
        graph_work_release(work);
        return runtime_answer(cudaErrorMemoryAllocation);
    }
    made->work = work;
    append(graph, made);
    *node = made;
    return runtime_state();
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    if (graph == NULL || !are_of(graph, from, count) || !are_of(graph, to, count))
        return runtime_answer(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!add_before(to[i], &from[i], 1))
            return runtime_answer(cudaErrorMemoryAllocation);
    return runtime_state();
}

/* The node of a copy that stands for the one with that number. */
static struct CUgraphNode_st *node_of_number(const struct CUgraph_st *graph, size_t number)
{
    struct CUgraphNode_st *node = graph->first;
    while (node && node->number != number)
        node = node->next;
    return node;
}

static bool copy_dependencies(struct CUgraph_st *copy, const struct CUgraph_st *graph)
{
    struct CUgraphNode_st *made = copy->first;
    for (const struct CUgraphNode_st *node = graph->first; node; node = node->next) {
        for (size_t i = 0; i < node->before_count; i++) {
            struct CUgraphNode_st *before = node_of_number(copy, node->before[i]->number);
            if (!add_before(made, &before, 1))
                return false;
        }
        made = made->next;
    }
    return true;
}

static bool copy_nodes(struct CUgraph_st *copy, const struct CUgraph_st *graph)
{
    for (const struct CUgraphNode_st *node = graph->first; node; node = node->next) {
        struct CUgraphNode_st *made = calloc(1, sizeof *made);
        if (made == NULL)
            return false;
        made->work = share(node->work);
        append(copy, made);
    }
    return copy_dependencies(copy, graph);
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph)
{
    *clone = NULL;
    if (graph == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    struct CUgraph_st *copy = calloc(1, sizeof *copy);
    if (copy && copy_nodes(copy, graph)) {
        *clone = copy;
        return runtime_state();
    }
    if (copy)
        cudaGraphDestroy(copy);
    return runtime_answer(cudaErrorMemoryAllocation);
}

/* ---- Questions ---------------------------------------------------------------------------------- */

static bool is_root(const struct CUgraphNode_st *node)
{
    return node->before_count == 0;
}

/* Up to *count nodes, when there is an array for them; NULL stands for those that the array has beyond. */
static cudaError_t give_nodes(const struct CUgraph_st *graph, cudaGraphNode_t *nodes, size_t *count,
                              bool only_roots)
{
    size_t found = 0;
    if (graph == NULL || count == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    for (struct CUgraphNode_st *node = graph->first; node; node = node->next) {
        if (only_roots && !is_root(node))
            continue;
        if (nodes && found < *count)
            nodes[found] = node;
        found++;
    }
    for (size_t i = found; nodes && i < *count; i++)
        nodes[i] = NULL;
    if (nodes == NULL || found < *count)
        *count = found;
    return runtime_state();
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return give_nodes(graph, nodes, count, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return give_nodes(graph, nodes, count, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
    if (node == NULL)
        return runtime_answer(cudaErrorInvalidValue);
    *type = node->work->type;
    return runtime_state();
}

/* ---- Executables -------------------------------------------------------------------------------- */

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
            executable->steps[executable->count++].work = share(node->work);
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
        share(copy->steps[copy->count].work);
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
