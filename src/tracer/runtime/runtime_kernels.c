/* runtime_kernels.c - launches by the address of a kernel. A program casts the kernel's name to a pointer to void; there
 * it is noted which parameters it has (wl::kernel_address), without which its arguments could not be copied.
 */
#include <stdlib.h>

#include "tracer/engine.h"
#include "tracer/runtime/graph.h"

static struct known {
    const void *kernel;
    const struct wl_kernel_type *type;
} * known;
static size_t known_count, known_room;

static const struct known *find(const void *kernel)
{
    for (size_t i = 0; i < known_count; i++)
        if (known[i].kernel == kernel)
            return &known[i];
    return NULL;
}

void wl_kernel_is(const void *kernel, const struct wl_kernel_type *type)
{
    if (find(kernel))
        return;
    if (known_count == known_room) {
        const size_t room = 2 * known_room + 16;
        struct known *grown = realloc(known, room * sizeof *known);
        if (grown == NULL)
            return; /* its launch is refused */
        known = grown;
        known_room = room;
    }
    known[known_count++] = (struct known){kernel, type};
}

const struct wl_kernel_type *runtime_kernel_type(const char *call, const void *kernel)
{
    const struct known *found = find(kernel);
    if (found == NULL)
        runtime_refuse(cudaErrorInvalidDeviceFunction,
                       "%s: no kernel is known at this address: give the kernel's name, or cast "
                       "it to a pointer to void where it is named: (void *)kernel",
                       call);
    return found ? found->type : NULL;
}

/* What the host asks for by an address. */
struct asked {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    bool is_cooperative;
};

static cudaError_t launch_address(const char *call, const void *kernel, void **arguments,
                                  const struct asked *how)
{
    const struct wl_kernel_type *type = runtime_kernel_type(call, kernel);
    const void *const *given = (const void *const *)arguments;
    if (type == NULL)
        return cudaErrorInvalidDeviceFunction;
    const char *name = wl_function_name(kernel);
    void *data = type->keep(kernel, given);
    if (data == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    if (wl_in_kernel() && !how->is_cooperative) {
        wl_launch_later(name, type->call, data, how->grid, how->block, how->shared_bytes);
        return cudaSuccess;
    }
    if (wl_captures(how->stream)) {
        graph_capture_launch(how->stream,
                             &(struct graph_launch){.name = name,
                                                    .call = type->call,
                                                    .arguments = data,
                                                    .grid = how->grid,
                                                    .block = how->block,
                                                    .shared_bytes = how->shared_bytes,
                                                    .is_cooperative = how->is_cooperative});
        return cudaPeekAtLastError();
    }
    wl_launch_arguments(kernel, given, type->sizes, type->count);
    (how->is_cooperative ? launch_cooperative : wl_launch)(name, type->call, data, how->grid,
                                                           how->block, how->shared_bytes);
    free(data);
    return cudaPeekAtLastError();
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    return launch_address("cudaLaunchKernel", kernel, arguments,
                          &(struct asked){grid, block, shared_bytes, stream, false});
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    const cudaError_t refused = wl_launch_config(config);
    return refused != cudaSuccess
               ? refused
               : launch_address("cudaLaunchKernelExC", kernel, arguments,
                                &(struct asked){config->grid_dim, config->block_dim,
                                                config->dynamicSmemBytes, config->stream, false});
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    return launch_address("cudaLaunchCooperativeKernel", kernel, arguments,
                          &(struct asked){grid, block, shared_bytes, stream, true});
}
