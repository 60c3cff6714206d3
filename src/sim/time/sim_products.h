/* sim_products.h - products of warpgroups (wgmma) in time: tensor cores that work beside the warps, and groups of products.
 *
 * An SM has a tensor core for each of its four schedulers, and a warp of a warpgroup its own. It works through the warps' products one
 * after another; a warp goes on at once, and waits for groups of them.
 */
#ifndef WARPLENS_SIM_TIME_SIM_PRODUCTS_H
#define WARPLENS_SIM_TIME_SIM_PRODUCTS_H

#include "sim/time/sim_warp.h"

enum { SIM_TENSOR_CORES = 4, SIM_PRODUCT_GROUPS = 16 };

/* A warp's products by groups: group n at n mod SIM_PRODUCT_GROUPS, the latest one open. */
struct sim_product_groups {
    uint32_t groups;                   /* committed so far */
    uint64_t ends[SIM_PRODUCT_GROUPS]; /* ticks */
};

struct sim_products {
    struct port (*cores)[SIM_TENSOR_CORES]; /* by SM */
    struct sim_product_groups *warps;
    bool used; /* in this launch */
};

/* A launch's; false when memory is short. */
bool sim_products_init(struct sim *sim);
void sim_products_free(struct sim *sim);
/* A block takes the place. */
void sim_products_block(struct sim *sim, uint32_t place);
/* STEP_PRODUCT... of a warp, at `at`: when it goes on. */
uint64_t sim_products_step(struct sim *sim, uint32_t warp, const struct step *step, uint64_t at);

#endif
