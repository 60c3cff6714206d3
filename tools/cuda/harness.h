/* harness.h - what a gallery file sees when nvcc compiles it for measurement: the same source as under
 * warplens, with every CUDA call checked, device arrays known by name, and launches handed to the
 * harness. The build includes this header in front of each file (tools/cuda/Makefile).
 */
#ifndef WARPLENS_HARNESS_H
#define WARPLENS_HARNESS_H

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/* Ends the program with the call, its place and CUDA's words, unless the call went well. */
cudaError_t harness_check(cudaError_t error, const char *call, const char *file, int line);

/* An array in the GPU's memory, or in memory that the GPU reaches. */
struct harness_array {
    std::string name;
    uintptr_t base;
    size_t bytes;
};

/* The arrays that exist now, in the order in which they were made. */
const std::vector<harness_array> &harness_arrays();

/* Arrays in the GPU's memory come from an arena that begins at a multiple of 1 GiB, and lie in it as
 * under warplens (src/tracer/memory.c): caches choose by address bits, and so see the same addresses. */
cudaError_t harness_malloc(void **pointer, size_t bytes, const char *expression);
cudaError_t harness_allocated(void *const *pointer, size_t bytes, const char *expression);
cudaError_t harness_free(void *pointer);
void harness_freed(void *pointer);

/* Runs a launch in the way that was asked for: once, many times by the clock, or recorded. */
void harness_launch(const char *function, dim3 grid, dim3 block, size_t shared_bytes,
                    const std::function<void()> &launch);

#define HARNESS_CHECK(call, text) harness_check(call, text, __FILE__, __LINE__)
#define HARNESS_ALLOCATE(call, p, bytes, text)                                                     \
    (HARNESS_CHECK(call, text), harness_allocated((void **)(p), bytes, #p))
#define cudaMalloc(p, bytes) harness_malloc((void **)(p), bytes, #p)
#define cudaHostAlloc(p, bytes, flags)                                                             \
    HARNESS_ALLOCATE((cudaHostAlloc)((void **)(p), bytes, flags), p, bytes, "cudaHostAlloc")
#define cudaMallocManaged(p, bytes)                                                                \
    HARNESS_ALLOCATE((cudaMallocManaged)((void **)(p), bytes), p, bytes, "cudaMallocManaged")
#define cudaFree(p) harness_free(p)
#define cudaFreeHost(p) (harness_freed(p), HARNESS_CHECK((cudaFreeHost)(p), "cudaFreeHost"))
#define cudaMemcpy(...) HARNESS_CHECK((cudaMemcpy)(__VA_ARGS__), "cudaMemcpy")
#define cudaMemset(...) HARNESS_CHECK((cudaMemset)(__VA_ARGS__), "cudaMemset")
#define cudaMemcpyToSymbol(symbol, ...)                                                            \
    HARNESS_CHECK(cudaMemcpyToSymbol<>(symbol, __VA_ARGS__), "cudaMemcpyToSymbol")
#define cudaDeviceSynchronize() HARNESS_CHECK((cudaDeviceSynchronize)(), "cudaDeviceSynchronize")
#define cudaMemPrefetchAsync(...)                                                                  \
    HARNESS_CHECK((cudaMemPrefetchAsync)(__VA_ARGS__), "cudaMemPrefetchAsync")
#define cudaHostGetDevicePointer(p, ...)                                                           \
    HARNESS_CHECK((cudaHostGetDevicePointer)((void **)(p), __VA_ARGS__), "cudaHostGetDevicePointe" \
                                                                         "r")

#define KERNEL_LAUNCHER(kernel, ...)                                                               \
    template <typename... Arguments>                                                               \
    static void launch_##kernel(dim3 grid, dim3 block, size_t shared, Arguments... arguments)      \
    {                                                                                              \
        harness_launch(#kernel, grid, block, shared,                                               \
                       [=] { kernel<<<grid, block, shared>>>(arguments...); });                    \
    }

#endif
