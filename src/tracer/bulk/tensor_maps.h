/* tensor_maps.h - tensor maps (CUtensorMap): which tensor in global memory a copy's boxes are of. */
#ifndef WARPLENS_TRACER_BULK_TENSOR_MAPS_H
#define WARPLENS_TRACER_BULK_TENSOR_MAPS_H

#include "sim/rules/access.h"

/* What warplens keeps in the 128 bytes that the driver API has for one.
 *
 * They are opaque, but programs are known that change the second word: CUTLASS 4 clears its bit 21 for tensors below 128 KiB, up to
 * CUDA 13.1's driver (make_tma_copy_desc in cute/atom/copy_traits_sm90_tma.hpp), where a GPU has a flag. Nothing is kept there. The
 * rest is under a sum, so that a copy by other changed bytes ends with a message and not with bytes of another place.
 */
struct tensor_map {
    char *base;     /* host address */
    uint64_t flags; /* the program's; 0 */
    uint64_t tag;
    uint64_t sum; /* of all others but flags and tag */
    uint64_t pitch[BULK_RANK_MAX];
    uint32_t size[BULK_RANK_MAX];
    uint16_t box[BULK_RANK_MAX];
    uint8_t rank, element, swizzle; /* as in struct bulk_copy */
};
_Static_assert(sizeof(struct tensor_map) <= 128, "it fits a CUtensorMap");

#define TENSOR_MAP_TAG 0x70616d726f736e74ULL

/* The map that a kernel's copy of a box of `rank` dimensions names at `pc`. Ends the launch with a message when there is none. */
const struct tensor_map *tensor_map_at(const void *pointer, unsigned rank, uintptr_t pc);

#endif
