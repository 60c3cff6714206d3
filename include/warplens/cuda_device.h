/* cuda_device.h - what a program asks of its GPU, and whole-device calls. The answers are those of
 * the GPU that `warplens run` simulates: it tells them in the environment (WARPLENS_DEVICE).
 */
#ifndef WARPLENS_CUDA_DEVICE_H
#define WARPLENS_CUDA_DEVICE_H

#include <stddef.h>

/* The version that programs are told: of the last major one before 13, which drops GPUs older than sm_75. */
#define WL_CUDA_VERSION 12080

enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};

typedef struct CUuuid_st {
    char bytes[16];
} cudaUUID_t;

/* CUDA's fields, those that version 13 has taken out included. */
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate; /* kHz */
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory;
    int computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3], maxSurface1DLayered[2];
    int maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing;
    int memoryClockRate; /* kHz */
    int memoryBusWidth;  /* bits */
    int l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported;
    int canUseHostPointerForRegisteredMem, cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, memoryPoolsSupported, clusterLaunch;
};

/* X(name, number, value): CUDA's attributes that have an answer; value is of a struct cudaDeviceProp
 * *p. */
#define WL_DEVICE_ATTRIBUTES(X)                                                                    \
    X(cudaDevAttrMaxThreadsPerBlock, 1, p->maxThreadsPerBlock)                                     \
    X(cudaDevAttrMaxBlockDimX, 2, p->maxThreadsDim[0])                                             \
    X(cudaDevAttrMaxBlockDimY, 3, p->maxThreadsDim[1])                                             \
    X(cudaDevAttrMaxBlockDimZ, 4, p->maxThreadsDim[2])                                             \
    X(cudaDevAttrMaxGridDimX, 5, p->maxGridSize[0])                                                \
    X(cudaDevAttrMaxGridDimY, 6, p->maxGridSize[1])                                                \
    X(cudaDevAttrMaxGridDimZ, 7, p->maxGridSize[2])                                                \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8, (int)p->sharedMemPerBlock)                            \
    X(cudaDevAttrTotalConstantMemory, 9, (int)p->totalConstMem)                                    \
    X(cudaDevAttrWarpSize, 10, p->warpSize)                                                        \
    X(cudaDevAttrMaxPitch, 11, (int)p->memPitch)                                                   \
    X(cudaDevAttrMaxRegistersPerBlock, 12, p->regsPerBlock)                                        \
    X(cudaDevAttrClockRate, 13, p->clockRate)                                                      \
    X(cudaDevAttrTextureAlignment, 14, (int)p->textureAlignment)                                   \
    X(cudaDevAttrGpuOverlap, 15, p->deviceOverlap)                                                 \
    X(cudaDevAttrMultiProcessorCount, 16, p->multiProcessorCount)                                  \
    X(cudaDevAttrKernelExecTimeout, 17, p->kernelExecTimeoutEnabled)                               \
    X(cudaDevAttrIntegrated, 18, p->integrated)                                                    \
    X(cudaDevAttrCanMapHostMemory, 19, p->canMapHostMemory)                                        \
    X(cudaDevAttrComputeMode, 20, p->computeMode)                                                  \
    X(cudaDevAttrConcurrentKernels, 31, p->concurrentKernels)                                      \
    X(cudaDevAttrEccEnabled, 32, p->ECCEnabled)                                                    \
    X(cudaDevAttrPciBusId, 33, p->pciBusID)                                                        \
    X(cudaDevAttrPciDeviceId, 34, p->pciDeviceID)                                                  \
    X(cudaDevAttrTccDriver, 35, p->tccDriver)                                                      \
    X(cudaDevAttrMemoryClockRate, 36, p->memoryClockRate)                                          \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, p->memoryBusWidth)                                      \
    X(cudaDevAttrL2CacheSize, 38, p->l2CacheSize)                                                  \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, p->maxThreadsPerMultiProcessor)                  \
    X(cudaDevAttrAsyncEngineCount, 40, p->asyncEngineCount)                                        \
    X(cudaDevAttrUnifiedAddressing, 41, p->unifiedAddressing)                                      \
    X(cudaDevAttrPciDomainId, 50, p->pciDomainID)                                                  \
    X(cudaDevAttrComputeCapabilityMajor, 75, p->major)                                             \
    X(cudaDevAttrComputeCapabilityMinor, 76, p->minor)                                             \
    X(cudaDevAttrStreamPrioritiesSupported, 78, p->streamPrioritiesSupported)                      \
    X(cudaDevAttrGlobalL1CacheSupported, 79, p->globalL1CacheSupported)                            \
    X(cudaDevAttrLocalL1CacheSupported, 80, p->localL1CacheSupported)                              \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, (int)p->sharedMemPerMultiprocessor)         \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, p->regsPerMultiprocessor)                      \
    X(cudaDevAttrManagedMemory, 83, p->managedMemory)                                              \
    X(cudaDevAttrIsMultiGpuBoard, 84, p->isMultiGpuBoard)                                          \
    X(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, p->singleToDoublePrecisionPerfRatio)        \
    X(cudaDevAttrPageableMemoryAccess, 88, p->pageableMemoryAccess)                                \
    X(cudaDevAttrConcurrentManagedAccess, 89, p->concurrentManagedAccess)                          \
    X(cudaDevAttrComputePreemptionSupported, 90, p->computePreemptionSupported)                    \
    X(cudaDevAttrCooperativeLaunch, 95, p->cooperativeLaunch)                                      \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, (int)p->sharedMemPerBlockOptin)                 \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, p->maxBlocksPerMultiProcessor)                   \
    X(cudaDevAttrReservedSharedMemoryPerBlock, 111, (int)p->reservedSharedMemPerBlock)             \
    X(cudaDevAttrMemoryPoolsSupported, 115, p->memoryPoolsSupported)                               \
    X(cudaDevAttrClusterLaunch, 120, p->clusterLaunch)

enum cudaDeviceAttr {
#define X(name, number, value) name = number,
    WL_DEVICE_ATTRIBUTES(X)
#undef X
        cudaDevAttrMax = 1000
};

enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum {
    cudaDeviceScheduleAuto,
    cudaDeviceScheduleSpin,
    cudaDeviceScheduleYield,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaDeviceLmemResizeToMax = 16
};

#endif
