/* runtime_graph_memory.c - memory that graphs allocate and free. A graph has the same addresses at each of its launches:
 * they are taken when the node is made. Freed by a node or by the program the memory stays where it is as long as a graph or
 * an executable has the node, and is given back with the last of them; memory that nobody has freed by then is the
 * program's.
 */
#include <stdlib.h>

#include "tracer/runtime/graph.h"

struct graph_memory {
    void *pointer;
    bool is_free;
    struct graph_memory *next;
};
static struct graph_memory *allocated; /* of the nodes that there are */

static struct graph_memory *find(const void *pointer)
{
    struct graph_memory *memory = allocated;
    while (memory && memory->pointer != pointer)
        memory = memory->next;
    return memory;
}

bool graph_memory_free(void *pointer)
{
    struct graph_memory *memory = find(pointer);
    if (memory)
        memory->is_free = true;
    return memory;
}

static void run_allocation(void *data)
{
    (*(struct graph_memory **)data)->is_free = false;
}

static void release_allocation(void *data)
{
    struct graph_memory *memory = *(struct graph_memory **)data, **link = &allocated;
    while (*link != memory)
        link = &(*link)->next;
    *link = memory->next;
    if (memory->is_free)
        cudaFree(memory->pointer);
    free(memory);
}

/* NULL: no memory, of the host or the device; *pointer is then NULL, too. */
static struct graph_work *allocation_work(void **pointer, size_t bytes, const char *expression)
{
    struct graph_memory *memory = malloc(sizeof *memory);
    *pointer = NULL;
    if (memory == NULL || wl_cuda_malloc(pointer, bytes, expression) || *pointer == NULL) {
        free(memory);
        return NULL;
    }
    *memory = (struct graph_memory){.pointer = *pointer, .is_free = true, .next = allocated};
    allocated = memory;
    return graph_work_new(cudaGraphNodeTypeMemAlloc, run_allocation, release_allocation, &memory,
                          sizeof memory);
}

static void run_free(void *data)
{
    cudaFree(*(void **)data);
}

static struct graph_work *free_work(void *pointer)
{
    return graph_work_new(cudaGraphNodeTypeMemFree, run_free, NULL, &pointer, sizeof pointer);
}

WL_ADD_NODE(MemAlloc, struct cudaMemAllocNodeParams *parameters)
{
    return graph_add_node(node, graph, before, before_count,
                          allocation_work(&parameters->dptr, parameters->bytesize, "graph memory"));
}

WL_ADD_NODE(MemFree, void *pointer)
{
    return graph_add_node(node, graph, before, before_count, free_work(pointer));
}

cudaError_t wl_capture_malloc(cudaStream_t stream, void **pointer, size_t bytes,
                              const char *expression)
{
    return graph_capture_work(stream, "cudaMallocAsync",
                              allocation_work(pointer, bytes, expression));
}

cudaError_t graph_capture_free(cudaStream_t stream, void *pointer)
{
    return graph_capture_work(stream, "cudaFreeAsync", free_work(pointer));
}
