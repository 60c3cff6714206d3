/* step_shapes.h - what many accesses have in common: all but the address at which they lie.
 *
 * The same instruction of thousands of warps touches the same pattern at another place. The pattern is
 * kept once, here; a warp's step is then its number and an address (steps.c). Patterns that come once, as of
 * scattered addresses, are not kept.
 *
 * One thread adds, others may read what was added before the block that uses it was closed.
 */
#ifndef WARPLENS_SIM_TIME_STEP_SHAPES_H
#define WARPLENS_SIM_TIME_STEP_SHAPES_H

#include "sim/rules/access.h"

enum { STEP_SHAPES_MAX = 4096, STEP_SHAPES_SLOTS = 2 * STEP_SHAPES_MAX };
#define STEP_NO_SHAPE UINT32_MAX

/* The active lanes' addresses as distances from the first of them. */
struct step_lanes {
    uint64_t base;
    bool is_far;                  /* some of them are no int32_t */
    int32_t distance[WARP_LANES]; /* by lane; 0 for those that are not active */
};

struct step_shape {
    struct warp_access access; /* of a base of 0; `addr` is NULL */
    uint64_t key[3];           /* all of it but the distances, packed */
    bool listed;               /* the lanes' addresses are base + distance, by lane; else affine */
    int32_t distance[WARP_LANES];
};

struct step_shapes {
    struct step_shape *shapes;         /* STEP_SHAPES_MAX */
    uint16_t slots[STEP_SHAPES_SLOTS]; /* by hash: 1 + a shape's number; 0: free */
    uint32_t seen[1024];               /* by hash: what came once */
    uint32_t count;
};

/* False when memory is short. */
bool step_shapes_init(struct step_shapes *shapes);
void step_shapes_free(struct step_shapes *shapes);

/* Forgets all of them. Nobody may use one any more. */
void step_shapes_clear(struct step_shapes *shapes);

/* The number of the access's shape, which is added when it comes for the second time. `lanes`: NULL when it is affine, else
 * not far. STEP_NO_SHAPE: it has none. *hash: of the shape, also of one that is not kept. */
uint32_t step_shapes_find(struct step_shapes *shapes, const struct warp_access *access,
                          const struct step_lanes *lanes, uint64_t *hash);

#endif
