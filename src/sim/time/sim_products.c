/* sim_products.c - see sim_products.h. What products take of shared memory is their own time alone: other accesses do not wait for it. */
#include "sim/time/sim_products.h"

#include <stdlib.h>

#include "stream/stream.h"

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
static void begin(struct sim *sim, uint32_t index, struct warpgroup_product product, uint64_t at)
{
    const uint32_t place = sim->warps[index].place, warp = index - place * sim->warps_per_block;
    struct sim_product_groups *groups = &sim->products->warps[index];
    const uint64_t busy = ticks_of_cycles(warpgroup_product_cycles(product));
    struct port *port = &sim->products->cores[sim->blocks[place].sm][warp % SIM_TENSOR_CORES];
    groups->ends[groups->groups % SIM_PRODUCT_GROUPS] = port_take(port, at, busy) + busy;
    sim->products->used = true;
    judge_product(product, warp, &sim->loose);
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
        begin(sim, index, stream_product(step->left), at);
    if (step->kind == STEP_PRODUCT_COMMIT)
        groups->ends[++groups->groups % SIM_PRODUCT_GROUPS] = 0;
    return step->kind == STEP_PRODUCT_WAIT ? wait(sim, index, step->left, at) : at;
}
