/* cuda_tensor_calls.h - a tensor map, and the call that makes one: what C++ programs (cuda_tensor_map.h) and the gallery have.
 */
#ifndef WARPLENS_CUDA_TENSOR_CALLS_H
#define WARPLENS_CUDA_TENSOR_CALLS_H
#pragma GCC system_header

#include <stdint.h>

typedef struct CUtensorMap_st {
    uint64_t opaque[16];
} __attribute__((aligned(64))) CUtensorMap;

/* What cuTensorMapEncodeTiled is given, in its enumerations' numbers; src/tracer/bulk/tensor_maps.c has it, too. */
struct wl_tensor_request {
    unsigned type, rank;
    void *address;
    const uint64_t *sizes, *pitches;
    const uint32_t *box, *strides;
    unsigned interleave, swizzle, promotion, fill;
};

#ifdef __cplusplus
extern "C"
#endif
    int
    wl_tensor_map_encode(void *map, const struct wl_tensor_request *request);

#endif
