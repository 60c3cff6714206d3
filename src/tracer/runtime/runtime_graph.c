/* runtime_graph.c - CUDA graphs: nodes with what comes before them. */
#include <stdlib.h>
#include <string.h>

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
        made->work = graph_work_share(node->work);
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
