/* cuda_stream_attributes.h - attributes of streams. An access policy window is kept and has no effect: L2 keeps no lines for
 * it, and no device says that it could (persistingL2CacheMaxSize is 0).
 */
#ifndef WARPLENS_CUDA_STREAM_ATTRIBUTES_H
#define WARPLENS_CUDA_STREAM_ATTRIBUTES_H
#ifdef __cplusplus
#pragma GCC system_header
#endif

#include "warplens/cuda_runtime_calls.h"

enum cudaAccessProperty {
    cudaAccessPropertyNormal,
    cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cudaAccessProperty hitProp, missProp;
};
enum cudaSynchronizationPolicy {
    cudaSyncPolicyAuto = 1,
    cudaSyncPolicySpin,
    cudaSyncPolicyYield,
    cudaSyncPolicyBlockingSync
};
enum cudaLaunchAttributeID {
    cudaLaunchAttributeIgnore,
    cudaLaunchAttributeAccessPolicyWindow,
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy,
    cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributeProgrammaticStreamSerialization,
    cudaLaunchAttributeProgrammaticEvent,
    cudaLaunchAttributePriority,
    cudaLaunchAttributePreferredClusterDimension = 11
};
enum cudaClusterSchedulingPolicy {
    cudaClusterSchedulingPolicyDefault,
    cudaClusterSchedulingPolicySpread,
    cudaClusterSchedulingPolicyLoadBalancing
};
union cudaLaunchAttributeValue {
    char pad[64];
    struct cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    int priority;
    struct {
        unsigned x, y, z;
    } clusterDim, preferredClusterDim;
    enum cudaClusterSchedulingPolicy clusterSchedulingPolicyPreference;
    int programmaticStreamSerializationAllowed;
};
/* A launch by cudaLaunchKernelEx. */
struct cudaLaunchAttribute {
    enum cudaLaunchAttributeID id;
    union cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_st {
#ifdef __cplusplus
    dim3 gridDim, blockDim;
#else
    dim3 grid_dim, block_dim; /* C has macros of the other names (cuda_calls.h) */
#endif
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    struct cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};
typedef struct cudaLaunchConfig_st cudaLaunchConfig_t;
typedef enum cudaLaunchAttributeID cudaStreamAttrID;
typedef union cudaLaunchAttributeValue cudaStreamAttrValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments);
/* Attributes of the launch that follows; an error: there is none. */
cudaError_t wl_launch_config(const cudaLaunchConfig_t *config);
cudaError_t wl_occupancy_clusters(int *clusters, const cudaLaunchConfig_t *config);
cudaError_t wl_occupancy_cluster_size(int *blocks, const cudaLaunchConfig_t *config);
#ifdef __cplusplus
}
#endif
#endif
