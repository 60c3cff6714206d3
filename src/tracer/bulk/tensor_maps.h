/* tensor_maps.h - tensor maps (CUtensorMap): which tensor in global memory a copy's boxes are of. */
#ifndef WARPLENS_TRACER_BULK_TENSOR_MAPS_H
#define WARPLENS_TRACER_BULK_TENSOR_MAPS_H

#include "sim/rules/access.h"

/* What warplens keeps in the 128 bytes that the driver API has for one. */
struct tensor_map {
    uint64_t tag;
    char *base; /* host address */
    uint64_t pitch[BULK_RANK_MAX];
    uint32_t size[BULK_RANK_MAX];
    uint16_t box[BULK_RANK_MAX];
    uint8_t rank, element, swizzle; /* as in struct bulk_copy */
};
_Static_assert(sizeof(struct tensor_map) <= 128, "it fits a CUtensorMap");

#define TENSOR_MAP_TAG 0x70616d726f736e74ULL

#endif
