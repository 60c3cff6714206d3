/* regroup_warp.h - threads' steps -> the accesses and events of their warps and blocks. Internal to
 * regroup.
 */
#ifndef WARPLENS_ADVISE_REGROUP_WARP_H
#define WARPLENS_ADVISE_REGROUP_WARP_H

#include "advise/regroup_lanes.h"

struct warp_maker;

/* NULL without memory. What is given must outlive it. */
struct warp_maker *warp_maker_new(struct lanes *lanes, size_t site_count,
                                  const struct trace_sink *next);
void warp_maker_free(struct warp_maker *maker);

/* Gives out the group's new block `block`, as block `number` of the launch. False: the sink wants no more,
 * or lanes->refusal is set. */
bool warp_maker_block(struct warp_maker *maker, uint32_t block, uint32_t number);

#endif
