/* runtime_attributes.c - attributes of streams: kept, and without effect. A window of L2 is told once, since a program that
 * sets one is about what it does.
 */
#include <stdio.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"

/* The streams that nobody creates have these together. */
static struct stream_attributes standing;

static struct stream_attributes *attributes_of(cudaStream_t stream)
{
    const bool is_standing =
        stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    return is_standing ? &standing : &stream->attributes;
}

static void tell_of_window(void)
{
    static bool is_told;
    if (!is_told && engine.program)
        fprintf(stderr, "warplens: cudaStreamSetAttribute: an access policy window has no effect: "
                        "what stays in L2 is not modelled by it\n");
    is_told = true;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value)
{
    struct stream_attributes *kept = attributes_of(stream);
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
        if (value->accessPolicyWindow.num_bytes)
            tell_of_window();
        kept->window = value->accessPolicyWindow;
        return runtime_state();
    case cudaLaunchAttributeSynchronizationPolicy:
        kept->policy = value->syncPolicy;
        return runtime_state();
    default:
        return runtime_answer(cudaErrorInvalidValue);
    }
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value)
{
    const struct stream_attributes *kept = attributes_of(stream);
    *value = (cudaStreamAttrValue){.pad = {0}};
    switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
        value->accessPolicyWindow = kept->window;
        return runtime_state();
    case cudaLaunchAttributeSynchronizationPolicy:
        value->syncPolicy = kept->policy ? kept->policy : cudaSyncPolicyAuto;
        return runtime_state();
    case cudaLaunchAttributePriority:
        return cudaStreamGetPriority(stream, &value->priority);
    default:
        return runtime_answer(cudaErrorInvalidValue);
    }
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    *attributes_of(to) = *attributes_of(from);
    return runtime_state();
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return runtime_state();
}
