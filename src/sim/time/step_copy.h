/* step_copy.h - packing the lanes of an asynchronous copy: for steps.c. */
#ifndef WARPLENS_SIM_TIME_STEP_COPY_H
#define WARPLENS_SIM_TIME_STEP_COPY_H

#include "sim/time/steps.h"

/* How it goes, in place of a base address. */
uint64_t step_copy_how(const struct async_copy *copy);
/* Bytes of its active lanes. */
size_t step_copy_bytes(const struct warp_access *access);
void step_copy_pack(uint8_t *to, const struct warp_access *access);
/* step->access has all but its lanes, and how it goes as its base. */
void step_copy_unpack(const uint8_t *from, struct step *step);
/* For block_kind.h: equal for copies that differ in where their sources begin. */
uint64_t step_copy_kind(const struct warp_access *access);

#endif
