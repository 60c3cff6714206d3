/* cuda_markers.h - CUDA's qualifiers in a .cu file, as words that the rewriter (src/cu/rewrite.h)
 * finds in the preprocessed text.
 *
 * What a qualifier means for C++ depends on the declaration around it, which a macro cannot see:
 * __device__ is a section for a variable and nothing for a function, __shared__ is something else
 * behind `extern`. So the preprocessor leaves a word of ours, and the rewriter, which sees the whole
 * declaration, puts the C++ there:
 *
 *     __global__              noinline; the name is known as a kernel, a template or an overload
 *     extern __shared__       extern __thread T name[] at the symbol warplens_dynamic_shared
 *     __shared__              static thread_local, at a multiple of 256 bytes
 *     __constant__            in the section warplens_constant (of const type: warplens_constant_const)
 *     __device__ variable     in the section warplens_device (of const type: warplens_device_const)
 *     __managed__             in the section warplens_managed
 *     __device__ function     nothing, as is __host__; both say where its body runs
 *     __cluster_dims__(...)   a constant of the kernel's own, in its body
 *     __noinline__            no macro: system headers write __attribute__((__noinline__)), which stays;
 *                             anywhere else it becomes the attribute
 */
#ifndef WARPLENS_CUDA_MARKERS_H
#define WARPLENS_CUDA_MARKERS_H

#define __global__ __wl_global__
#define __shared__ __wl_shared__
#define __constant__ __wl_constant__
#define __device__ __wl_device__
#define __host__ __wl_host__
#define __managed__ __wl_managed__

#endif
