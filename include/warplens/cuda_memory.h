/* cuda_memory.h - the part of the runtime API that is templates and macros in C++: allocations, which
 * note the name of the variable, copies to and from variables, and calls about a kernel.
 */
#ifndef WARPLENS_CUDA_MEMORY_H
#define WARPLENS_CUDA_MEMORY_H
#pragma GCC system_header

namespace wl
{

template <class T> inline cudaError_t allocate(const char *names, T **pointer, size_t bytes)
{
    return wl_cuda_malloc((void **)pointer, bytes, names); /* of constants, too */
}
template <class T>
inline cudaError_t allocate_async(const char *names, T **pointer, size_t bytes, cudaStream_t stream)
{
    return wl_captures(stream) ? wl_capture_malloc(stream, (void **)pointer, bytes, names)
                               : allocate(names, pointer, bytes);
}
template <class T>
inline cudaError_t allocate_pool(const char *names, T **pointer, size_t bytes, cudaMemPool_t,
                                 cudaStream_t stream)
{
    return allocate_async(names, pointer, bytes, stream);
}
template <class T>
inline cudaError_t allocate_managed(const char *names, T **pointer, size_t bytes,
                                    unsigned flags = cudaMemAttachGlobal)
{
    (void)flags;
    return wl_cuda_malloc_managed(reinterpret_cast<void **>(pointer), bytes, names);
}
template <class T>
inline cudaError_t allocate_host(const char *names, T **pointer, size_t bytes, unsigned flags = 0)
{
    (void)flags;
    return wl_host_alloc(reinterpret_cast<void **>(pointer), bytes, names);
}
template <class T>
inline cudaError_t allocate_pitch(const char *names, T **pointer, size_t *pitch, size_t width_bytes,
                                  size_t height)
{
    return wl_cuda_malloc_pitch(reinterpret_cast<void **>(pointer), pitch, width_bytes, height,
                                names);
}
inline cudaError_t allocate_3d(const char *names, cudaPitchedPtr *pointer, cudaExtent extent)
{
    return wl_cuda_malloc_3d(pointer, extent, names);
}
template <class T>
inline cudaError_t register_host(const char *names, T *pointer, size_t bytes, unsigned flags = 0)
{
    (void)flags;
    return wl_host_register(const_cast<std::remove_cv_t<T> *>(pointer), bytes, names);
}

} // namespace wl

#define cudaMallocFromPoolAsync(...) ::wl::allocate_pool(#__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc(...) ::wl::allocate(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocAsync(...) ::wl::allocate_async(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocManaged(...) ::wl::allocate_managed(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocHost(...) ::wl::allocate_host(#__VA_ARGS__, __VA_ARGS__)
#define cudaHostAlloc(...) ::wl::allocate_host(#__VA_ARGS__, __VA_ARGS__)
#define cudaMallocPitch(...) ::wl::allocate_pitch(#__VA_ARGS__, __VA_ARGS__)
#define cudaMalloc3D(...) ::wl::allocate_3d(#__VA_ARGS__, __VA_ARGS__)
#define cudaHostRegister(...) ::wl::register_host(#__VA_ARGS__, __VA_ARGS__)

template <class T> inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned)
{
    return wl_host_device_pointer(reinterpret_cast<void **>(device), host);
}

inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                        cudaStream_t = nullptr)
{
    return wl_prefetch(pointer, bytes, device);
}
inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, cudaMemLocation place,
                                        unsigned, cudaStream_t = nullptr)
{
    return wl_prefetch(pointer, bytes,
                       place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId);
}

inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width, size_t height)
{
    return {pointer, pitch, width, height};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}

/* ---- Variables ---------------------------------------------------------------------------------- */

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                      size_t offset = 0, cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return wl_symbol_write(&symbol, sizeof symbol, from, bytes, offset);
}
template <class T>
inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr)
{
    if (!wl_may_run_now("cudaMemcpyToSymbolAsync", stream))
        return cudaErrorStreamCaptureUnsupported;
    return wl_symbol_write(&symbol, sizeof symbol, from, bytes, offset);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return wl_symbol_read(to, &symbol, sizeof symbol, bytes, offset);
}
template <class T>
inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr)
{
    if (!wl_may_run_now("cudaMemcpyFromSymbolAsync", stream))
        return cudaErrorStreamCaptureUnsupported;
    return wl_symbol_read(to, &symbol, sizeof symbol, bytes, offset);
}
template <class P, class T> inline cudaError_t cudaGetSymbolAddress(P **pointer, const T &symbol)
{
    return wl_symbol_address(reinterpret_cast<void **>(pointer), &symbol);
}
template <class T> inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
    *bytes = sizeof symbol;
    return cudaSuccess;
}

/* ---- Kernels ------------------------------------------------------------------------------------ */

template <class K> inline cudaError_t cudaFuncSetCacheConfig(K, cudaFuncCache)
{
    return cudaSuccess;
}
template <class K> inline cudaError_t cudaFuncSetSharedMemConfig(K, cudaSharedMemConfig)
{
    return cudaSuccess;
}
template <class K>
inline cudaError_t cudaFuncSetAttribute(K, cudaFuncAttribute attribute, int value)
{
    return wl_function_set_attribute(attribute, value);
}
template <class K> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, K)
{
    return wl_function_attributes(attributes);
}
template <class K>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, K, int threads,
                                                                 size_t shared_bytes)
{
    return wl_occupancy_blocks(blocks, threads, shared_bytes);
}
template <class K>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, K,
                                                      size_t shared_bytes = 0, int limit = 0)
{
    (void)shared_bytes;
    return wl_occupancy_block_size(grid_size, block_size, limit);
}

template <class K>
inline cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, K,
                                                  const cudaLaunchConfig_t *config)
{
    return wl_occupancy_clusters(clusters, config);
}
template <class K>
inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *blocks, K,
                                                        const cudaLaunchConfig_t *config)
{
    return wl_occupancy_cluster_size(blocks, config);
}

/* Names of before CUDA 4. */
inline cudaError_t cudaThreadSynchronize()
{
    return cudaDeviceSynchronize();
}
inline cudaError_t cudaThreadExit()
{
    return cudaDeviceReset();
}
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config)
{
    return cudaDeviceSetCacheConfig(config);
}
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

#endif
