/* runtime_device.c - the one GPU that a program finds. Its figures come from the environment, where
 * `warplens run` puts those of the GPU that it simulates:
 *
 *     WARPLENS_DEVICE="name=Tesla K40c;major=3;minor=5;sm_count=15;..."
 *
 * by the keys of src/tracer/runtime/device_keys.def, which also has what is usual when a key is not told. Where no
 * GPU's figure is known (textures, PCI numbers) the answer is 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"

static struct runtime_limits limits;

struct runtime_limits *runtime_limits(void)
{
    return &limits;
}

/* Behind "key=" in the environment, up to the next ';'; NULL when it is not there. */
static const char *find_key(const char *key, size_t *length)
{
    const char *at = getenv("WARPLENS_DEVICE");
    const size_t key_length = strlen(key);
    while (at && *at) {
        size_t item = strcspn(at, ";");
        if (item > key_length && strncmp(at, key, key_length) == 0 && at[key_length] == '=') {
            *length = item - key_length - 1;
            return at + key_length + 1;
        }
        at += item + (at[item] == ';');
    }
    return NULL;
}

static long long number_of(const char *key, long long usual)
{
    size_t length;
    const char *text = find_key(key, &length);
    return text && length ? strtoll(text, NULL, 10) : usual;
}

struct answers {
#define DEVICE_KEY(key, usual, from_arch) long long key;
#include "tracer/runtime/device_keys.def"
#undef DEVICE_KEY
};

static struct answers read_answers(void)
{
    return (struct answers){
#define DEVICE_KEY(key, usual, from_arch) .key = number_of(#key, usual),
#include "tracer/runtime/device_keys.def"
#undef DEVICE_KEY
    };
}

static void read_name(struct cudaDeviceProp *p)
{
    size_t length;
    const char *name = find_key("name", &length);
    if (name)
        snprintf(p->name, sizeof p->name, "%.*s", (int)length, name);
    else
        snprintf(p->name, sizeof p->name, "warplens");
}

static void set_sizes(struct cudaDeviceProp *p, const struct answers *answers)
{
    p->major = (int)answers->major;
    p->minor = (int)answers->minor;
    p->warpSize = (int)answers->warp_size;
    p->multiProcessorCount = (int)answers->sm_count;
    p->maxThreadsPerMultiProcessor = (int)answers->threads_per_sm;
    p->maxBlocksPerMultiProcessor = (int)answers->blocks_per_sm;
    p->regsPerMultiprocessor = (int)answers->registers_per_sm;
    p->regsPerBlock = (int)answers->registers_per_block;
    p->sharedMemPerMultiprocessor = (size_t)answers->shared_bytes_per_sm;
    p->sharedMemPerBlockOptin = (size_t)answers->shared_bytes_per_block_optin;
    p->sharedMemPerBlock = (size_t)answers->shared_bytes_per_block;
    p->reservedSharedMemPerBlock = (size_t)answers->shared_reserved_per_block;
    p->maxThreadsPerBlock = (int)answers->threads_per_block;
    p->maxThreadsDim[0] = (int)answers->block_x_max;
    p->maxThreadsDim[1] = (int)answers->block_y_max;
    p->maxThreadsDim[2] = (int)answers->block_z_max;
    p->maxGridSize[0] = (int)answers->grid_x_max;
    p->maxGridSize[1] = (int)answers->grid_y_max;
    p->maxGridSize[2] = (int)answers->grid_z_max;
    p->totalGlobalMem = (size_t)answers->total_bytes;
    p->totalConstMem = (size_t)answers->constant_bytes;
    p->l2CacheSize = (int)answers->l2_bytes;
    p->clockRate = (int)answers->clock_khz;
    p->memoryClockRate = (int)answers->memory_clock_khz;
    p->memoryBusWidth = (int)answers->memory_bus_bits;
    p->globalL1CacheSupported = (int)answers->l1_caches_global;
}

static void set_features(struct cudaDeviceProp *p)
{
    p->memPitch = INT32_MAX;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->canMapHostMemory = p->unifiedAddressing = p->concurrentKernels = 1;
    p->deviceOverlap = p->asyncEngineCount = 1;
    p->streamPrioritiesSupported = p->managedMemory = p->memoryPoolsSupported = 1;
    p->concurrentManagedAccess = p->computePreemptionSupported = p->major >= 6;
    p->cooperativeLaunch = p->major >= 6;
    p->clusterLaunch = p->major >= 9;
    p->localL1CacheSupported = p->canUseHostPointerForRegisteredMem = p->hostRegisterSupported = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
}

/* Registers are given out by the rules of the GPU's generation, from CUDA's occupancy tables: for
 * a block in its whole before sm_30, for a warp since. The limits of the gallery are those that every
 * CUDA device shares: it asks for no device. */
void runtime_device_start(void)
{
    const struct answers answers = read_answers();
    struct cudaDeviceProp *p = &limits.properties;
    memset(&limits, 0, sizeof limits);
    read_name(p);
    set_sizes(p, &answers);
    set_features(p);
    limits.gpcs = (int)answers.gpcs;
    limits.register_unit = p->major >= 3 ? 256 : p->major == 2 ? 64 : 512;
    limits.register_per_block = p->major < 2;
    limits.warp_unit = p->major >= 3 ? 4 : 2;
    limits.shared_unit = p->major >= 8 ? 128 : p->major >= 3 ? 256 : 512;
    limits.dynamic_shared_max = engine.program ? p->sharedMemPerBlock : p->sharedMemPerBlockOptin;
}

static cudaError_t check_device(int device)
{
    if (device == 0)
        return cudaSuccess;
    return runtime_refuse(cudaErrorInvalidDevice, "device %d: there is one device, number 0",
                          device);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    return check_device(device);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    cudaError_t error = check_device(device);
    if (error == cudaSuccess)
        *properties = limits.properties;
    return error;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    const struct cudaDeviceProp *p = &limits.properties;
    if (check_device(device))
        return cudaErrorInvalidDevice;
    switch ((int)attribute) {
#define X(name, number, answer)                                                                    \
    case number:                                                                                   \
        *value = answer;                                                                           \
        return cudaSuccess;
        WL_DEVICE_ATTRIBUTES(X)
#undef X
    default:
        return runtime_refuse(cudaErrorInvalidValue,
                              "cudaDeviceGetAttribute: attribute %d is not known here",
                              (int)attribute);
    }
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    return cudaGetDevice(device);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return runtime_state();
}

/* Memory stays as it is: programs reset at their end. */
cudaError_t cudaDeviceReset(void)
{
    return runtime_state();
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit == cudaLimitMallocHeapSize && !heap_set_limit(value))
        return runtime_answer(cudaErrorInvalidValue);
    return limit <= cudaLimitPersistingL2CacheSize ? cudaSuccess
                                                   : runtime_answer(cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (limit == cudaLimitStackSize)
        *value = 1024;
    else if (limit == cudaLimitPrintfFifoSize)
        *value = 1 << 20;
    else if (limit == cudaLimitMallocHeapSize)
        *value = heap_limit();
    else if (limit == cudaLimitPersistingL2CacheSize)
        *value = (size_t)limits.properties.persistingL2CacheMaxSize;
    else
        return runtime_answer(cudaErrorUnsupportedLimit);
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = 0;
    return check_device(device) || check_device(peer) ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    return check_device(peer) ? cudaErrorInvalidDevice
                              : runtime_answer(cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return runtime_answer(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = WL_CUDA_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}
