/* cuda_nvcc.h - the same kernel files under nvcc: real CUDA, plus the three names of cuda.h that C
 * needs and CUDA does not. */
#ifndef WARPLENS_CUDA_NVCC_H
#define WARPLENS_CUDA_NVCC_H

#include <cuda_runtime.h>

#define SHARED_DYNAMIC(type, name) extern __shared__ type name[]
#ifndef KERNEL_LAUNCHER /* a program that measures launches has its own */
#define KERNEL_LAUNCHER(kernel, ...)                                                               \
    template <typename... Arguments>                                                               \
    static void launch_##kernel(dim3 grid, dim3 block, size_t shared, Arguments... arguments)      \
    {                                                                                              \
        kernel<<<grid, block, shared>>>(arguments...);                                             \
    }
#endif
#define make_dim3(x, y, z) dim3(x, y, z)
#define wl_read_only_array(pointer) ((void)(pointer))

#endif
