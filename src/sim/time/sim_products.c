/* sim_products.c - see sim_products.h.
 *
 * The rate: 64 rows of A, 32 bytes deep, times two columns of B a cycle and SM, whatever the elements are. NVIDIA H100 Tensor Core GPU
 * Architecture (white paper): 989.4 TFLOPS of halves without sparsity at 1,830 MHz on 132 SMs are 4,096 operations a cycle and SM; half as many
 * of tf32, twice as many of bytes. What a product takes beyond that is not known, and was not measured [?].
 */
#include "sim/time/sim_products.h"

#include <stdlib.h>

#include "stream/stream.h"

enum { COLUMNS_A_CYCLE = 2 };

bool sim_products_init(struct sim *sim)
{
    struct sim_products *products = sim->products = calloc(1, sizeof *products);
    if (products == NULL)
        return false;
    products->cores = calloc(sim->sm_count, sizeof *products->cores);
    products->warps =
        calloc((size_t)sim->place_count * sim->warps_per_block, sizeof *products->warps);
    return products->cores && products->warps;
}

void sim_products_free(struct sim *sim)
{
    if (sim->products == NULL)
        return;
    free(sim->products->cores);
    free(sim->products->warps);
    free(sim->products);
    sim->products = NULL;
}

void sim_products_block(struct sim *sim, uint32_t place)
{
    for (uint32_t i = 0; i < sim->warps_per_block && sim->products->used; i++)
        sim->products->warps[place * sim->warps_per_block + i] = (struct sim_product_groups){0};
}

/* The warp's tensor core has it from then on. */
static void begin(struct sim *sim, uint32_t index, uint32_t columns, uint64_t at)
{
    const uint32_t place = sim->warps[index].place;
    struct sim_product_groups *groups = &sim->products->warps[index];
    const uint32_t core = (index - place * sim->warps_per_block) % SIM_TENSOR_CORES;
    const uint64_t busy = ticks_of_cycles(columns / COLUMNS_A_CYCLE);
    struct port *port = &sim->products->cores[sim->blocks[place].sm][core];
    groups->ends[groups->groups % SIM_PRODUCT_GROUPS] = port_take(port, at, busy) + busy;
    sim->products->used = true;
}

/* A group's end is that of its last product, since a core takes them in their order. */
static uint64_t wait(struct sim *sim, uint32_t index, uint32_t left, uint64_t at)
{
    const struct sim_product_groups *groups = &sim->products->warps[index];
    const uint32_t most = SIM_PRODUCT_GROUPS - 2;
    left = left < most ? left : most;
    if (groups->groups <= left)
        return at;
    return ticks_later(at, groups->ends[(groups->groups - left - 1) % SIM_PRODUCT_GROUPS]);
}

uint64_t sim_products_step(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    struct sim_product_groups *groups = &sim->products->warps[index];
    if (step->kind == STEP_PRODUCT)
        begin(sim, index, step->left * PRODUCT_COLUMNS, at);
    if (step->kind == STEP_PRODUCT_COMMIT)
        groups->ends[++groups->groups % SIM_PRODUCT_GROUPS] = 0;
    return step->kind == STEP_PRODUCT_WAIT ? wait(sim, index, step->left, at) : at;
}
