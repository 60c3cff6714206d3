/* warpgroup_product.c - see warpgroup_product.h. */
#include "sim/rules/warpgroup_product.h"

enum { ROWS = 64, DEPTH_BYTES = 32, PASS_BYTES = 128, COLUMNS_A_CYCLE = 2 };
enum { LEAST_CYCLES_OF_REGISTERS = 13 }; /* measured of 8 columns, which alone are below it */

uint32_t warpgroup_product_passes(struct warpgroup_product product, uint32_t rank)
{
    const uint32_t of_a =
        product.a_in_registers ? 0 : ROWS / WARPGROUP_WARPS * DEPTH_BYTES / PASS_BYTES;
    const uint32_t of_b = rank ? 0 : product.columns * DEPTH_BYTES / PASS_BYTES;
    return of_a + of_b;
}

uint32_t warpgroup_product_cycles(struct warpgroup_product product)
{
    const uint32_t of_cores = product.columns / COLUMNS_A_CYCLE;
    uint32_t of_memory = LEAST_CYCLES_OF_REGISTERS;
    if (!product.a_in_registers) {
        of_memory = 0;
        for (uint32_t rank = 0; rank < WARPGROUP_WARPS; rank++)
            of_memory += warpgroup_product_passes(product, rank);
    }
    return of_cores > of_memory ? of_cores : of_memory;
}
