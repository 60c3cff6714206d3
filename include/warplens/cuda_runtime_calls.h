/* cuda_runtime_calls.h - the CUDA runtime API as far as it is plain C; src/tracer/runtime/ has it.
 *
 * Everything runs at once and in order: a launch or a copy has ended when the call comes back, in
 * every stream. What C needs the name of a variable for (allocations) is a function wl_... and a
 * macro or template in front of it: cuda.h for C, cuda_memory.h for C++.
 */
#ifndef WARPLENS_CUDA_RUNTIME_CALLS_H
#define WARPLENS_CUDA_RUNTIME_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "warplens/cuda_device.h"
#include "warplens/cuda_types.h"

#ifdef __cplusplus
#define WL_OR(value) = value
extern "C" {
#else
#define WL_OR(value)
#endif

enum cudaError {
#define X(name, code, text) name = code,
#include "warplens/cuda_errors.def"
#undef X
    cudaErrorApiFailureBase = 10000
};
typedef enum cudaError cudaError_t;

cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);

/* ---- Memory ----------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum { cudaHostAllocDefault, cudaHostAllocPortable, cudaHostAllocMapped };
enum { cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault, cudaHostRegisterPortable, cudaHostRegisterMapped };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

/* Device memory: 256-byte aligned, never written, known by the name of the variable. */
cudaError_t wl_cuda_malloc(void **pointer, size_t bytes, const char *expression);
/* Pinned host memory, which kernels reach over PCIe ("zero-copy"), mapped or not: with one address
 * space for both sides all pinned memory is. The device's pointer is the host's. */
cudaError_t wl_host_alloc(void **pointer, size_t bytes, const char *expression);
cudaError_t wl_host_device_pointer(void **device, void *host);
/* Memory of the host's own that kernels may reach from now on, as pinned memory. */
cudaError_t wl_host_register(void *pointer, size_t bytes, const char *expression);
/* Managed memory. Host code of a kernel file moves pages to the host by its loads and stores; what a
 * library function does there (memset, fread) is not seen. */
cudaError_t wl_cuda_malloc_managed(void **pointer, size_t bytes, const char *expression);
/* Rows at multiples of 512 bytes, as GPUs do since Kepler. */
cudaError_t wl_cuda_malloc_pitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height,
                                 const char *expression);
cudaError_t wl_prefetch(const void *pointer, size_t bytes, int device);
cudaError_t wl_memcpy_to_symbol(void *symbol, const void *from, size_t bytes);
/* A copy to or from a variable of `size` bytes, at `offset` in it. */
cudaError_t wl_symbol_write(const void *symbol, size_t size, const void *from, size_t bytes,
                            size_t offset);
cudaError_t wl_symbol_read(void *to, const void *symbol, size_t size, size_t bytes, size_t offset);
cudaError_t wl_symbol_address(void **pointer, const void *symbol);

cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream WL_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width_bytes, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width_bytes, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream WL_OR(0));
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream WL_OR(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width_bytes, size_t height);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream WL_OR(0));
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
typedef struct cudaArray *cudaArray_t;
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    struct cudaPos srcPos;
    struct cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    struct cudaPos dstPos;
    struct cudaPitchedPtr dstPtr;
    struct cudaExtent extent;
    enum cudaMemcpyKind kind;
};
cudaError_t wl_cuda_malloc_3d(struct cudaPitchedPtr *pointer, struct cudaExtent extent,
                              const char *expression);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream WL_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
/* Advice is checked and has no effect: the model moves pages as without. */
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device);

enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);

/* ---- Streams and events ------------------------------------------------------------------------ */

enum { cudaStreamDefault, cudaStreamNonBlocking };
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags WL_OR(0));
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags);
typedef void (*cudaHostFn_t)(void *data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes WL_OR(0),
                                     unsigned flags WL_OR(cudaMemAttachSingle));

enum { cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming };
enum { cudaEventInterprocess = 4, cudaEventRecordDefault = 0, cudaEventWaitDefault = 0 };
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WL_OR(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
/* Not a time of a GPU: 1 us for each 1000 warp accesses between the events, and 1 us more. The times
 * of a kernel are in the report. */
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- The device -------------------------------------------------------------------------------- */

cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* ---- Launches ---------------------------------------------------------------------------------- */

enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9,
    cudaFuncAttributeClusterDimMustBeSet = 10,
    cudaFuncAttributeRequiredClusterWidth = 11,
    cudaFuncAttributeRequiredClusterHeight = 12,
    cudaFuncAttributeRequiredClusterDepth = 13,
    cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
    cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
    cudaFuncAttributeMax
};
enum {
    cudaSharedmemCarveoutDefault = -1,
    cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutMaxL1 = 0
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
cudaError_t wl_function_attributes(struct cudaFuncAttributes *attributes);
cudaError_t wl_function_set_attribute(enum cudaFuncAttribute attribute, int value);
/* Of a kernel: how it is called with `data` that keep() has made of its arguments, bit by bit; NULL: no memory. */
struct wl_kernel_type {
    void (*call)(const void *data);
    void *(*keep)(const void *kernel, const void *const *arguments);
    const size_t *sizes; /* of its parameters */
    size_t count;
};
/* That address is a kernel's. `type` stays. */
void wl_kernel_is(const void *kernel, const struct wl_kernel_type *type);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes WL_OR(0), cudaStream_t stream WL_OR(0));
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes WL_OR(0), cudaStream_t stream WL_OR(0));

cudaError_t wl_occupancy_blocks(int *blocks, int threads, size_t dynamic_shared_bytes);
cudaError_t wl_occupancy_block_size(int *grid_size, int *block_size, int block_size_limit);

/* Banks are those of the GPU that is simulated (--set shared_bank_bytes=8): what a program asks for
 * is remembered and has no effect, as on GPUs without a choice. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);

#ifdef __cplusplus
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags)
{
    return cudaEventCreateWithFlags(event, flags);
}
#endif
#endif
