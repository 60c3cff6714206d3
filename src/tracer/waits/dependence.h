/* dependence.h - does the address of an access come from a value that the warp loaded just before?
 */
#ifndef WARPLENS_TRACER_DEPENDENCE_H
#define WARPLENS_TRACER_DEPENDENCE_H

#include "sim/rules/access.h"

enum { RECENT_LOADS = 4 };

struct recent_load {
    uint64_t base; /* affine loads: as in struct warp_access */
    int64_t stride;
    uint32_t active;
    uint8_t width, space;
    bool listed; /* not affine: addresses are in `addr` */
    uint64_t addr[WARP_LANES];
};

/* The loads of a warp since its last barrier. */
struct recent_loads {
    unsigned count;                         /* all of them */
    struct recent_load loads[RECENT_LOADS]; /* load i at i modulo RECENT_LOADS */
};

/* struct warp_access.loads_left of the warp's next access, as far as its address tells. */
uint8_t dependence_find(const struct recent_loads *recent, const struct warp_access *access);

/* Adds a load. */
void dependence_note(struct recent_loads *recent, const struct warp_access *load);

#endif
