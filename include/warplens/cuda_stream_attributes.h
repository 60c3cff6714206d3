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
    cudaLaunchAttributeAccessPolicyWindow = 1,
    cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy,
    cudaLaunchAttributePriority = 8
};
union cudaLaunchAttributeValue {
    char pad[64];
    struct cudaAccessPolicyWindow accessPolicyWindow;
    int cooperative;
    enum cudaSynchronizationPolicy syncPolicy;
    int priority;
};
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
#ifdef __cplusplus
}
#endif
#endif
