/* observe_atomics.h - whose atomics an object has, and whether what they return is used. */
#ifndef WARPLENS_ADVISE_OBSERVE_ATOMICS_H
#define WARPLENS_ADVISE_OBSERVE_ATOMICS_H

#include "advise/observe.h"
#include "stream/limits.h"

/* A warp's latest atomic. */
struct atomic_turn {
    struct object *object; /* NULL: none yet */
    uint32_t active, block;
};

struct atomic_turns {
    struct atomic_turn of_warp[BLOCK_WARPS_MAX];
};

/* Before the access is counted in object->atomics. */
void observe_atomic(struct atomic_turns *turns, struct object *object, const char *kernel,
                    const struct warp_access *access);

#endif
