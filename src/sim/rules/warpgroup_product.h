/* warpgroup_product.h - a product of a warpgroup (wgmma): 64 rows of A times `columns` columns of B, both 32 bytes deep.
 *
 * Found on an H100 and equal to all that was measured there (validation/wgmma; docs/model.md, 4.2): the layout in shared memory, its swizzle
 * and the types of the elements make no difference.
 */
#ifndef WARPLENS_SIM_RULES_WARPGROUP_PRODUCT_H
#define WARPLENS_SIM_RULES_WARPGROUP_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

enum { WARPGROUP_WARPS = 4 };

struct warpgroup_product {
    uint32_t columns; /* of B: 8 to 256, multiples of 8 */
    bool a_in_registers;
};

/* Passes through the banks of shared memory: 8 units of 16 bytes each. Those of A's rows are each warp's; those of B, which all
 * four warps get at once, are told of the warpgroup's first. `rank`: of the warp, 0 to 3. */
uint32_t warpgroup_product_passes(struct warpgroup_product product, uint32_t rank);

/* For which the four tensor cores of an SM are busy with it. */
uint32_t warpgroup_product_cycles(struct warpgroup_product product);

#endif
