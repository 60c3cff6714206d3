/* bulk_events.h - what lanes do about bulk copies and barriers in shared memory, as events of theirs, and as steps of their warps. */
#ifndef WARPLENS_TRACER_BULK_BULK_EVENTS_H
#define WARPLENS_TRACER_BULK_BULK_EVENTS_H

#include "tracer/engine.h"

/* A block begins. */
void bulk_events_block(void);

/* The running lane asks for a copy of, or to, the simulated address `from`; commits; waits (BULK_WAIT, BULK_WAIT_READ). Steps of products
 * are told as these are: `left` is as in struct trace_copy. */
void bulk_events_copy(const struct bulk_copy *copy, uint64_t from, enum mem_op op, uintptr_t pc);
/* To that simulated address of shared memory of the cluster, from the block's own. */
void bulk_events_peer(const struct bulk_copy *copy, uint64_t to, uintptr_t pc);
void bulk_events_step(enum copy_step step, unsigned left, uintptr_t pc);
/* It arrives at a barrier; it has waited for a phase of so many arrivals and bytes. */
void bulk_events_arrive(uint32_t barrier, uint32_t phase, uint32_t arrivals, uintptr_t pc);
void bulk_events_wait(uint32_t barrier, uint32_t phase, uint32_t arrivals, uint32_t bytes,
                      uintptr_t pc);

/* Tells the sink. */
void bulk_events_emit(struct warp *warp, const struct merged_event *event);

#endif
