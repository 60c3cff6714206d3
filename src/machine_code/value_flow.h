/* value_flow.h - x86-64: which loads the values in registers and in the frame come from, instruction by instruction.
 *
 * Pure functions on bytes.
 */
#ifndef WARPLENS_MACHINE_CODE_VALUE_FLOW_H
#define WARPLENS_MACHINE_CODE_VALUE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOW_LOADS_MAX = 63 }; /* of a function; values of others come from nowhere */
#define FLOW_OF_CALL                                                                               \
    ((uint64_t)1                                                                                   \
     << FLOW_LOADS_MAX) /* what a call has given that is told nothing of: an atomic's old value */

/* Loads that a value comes from, by computation of whatever kind: a bit each. */
struct flow {
    uint64_t now;    /* as they were made last */
    uint64_t before; /* as they were made in front of the latest jump back of a loop */
};

enum {
    FLOW_GENERAL = 0,
    FLOW_VECTOR = 16,
    FLOW_FLAGS = 32,
    FLOW_LOADED, /* what the latest load has brought, for the instruction that moves it into a register */
    FLOW_PASSED, /* conditions of branches that are left to a GPU, which a warp has waited for */
    FLOW_SLOT,   /* words of the frame, by a hash */
    FLOW_SLOTS = 64,
    FLOW_PLACES = FLOW_SLOT + FLOW_SLOTS
};

/* What the instruction at `code`, of which `room` bytes may be read, does to the places; calls are not its business. */
void value_flow_step(struct flow places[FLOW_PLACES], const uint8_t *code, size_t room);

/* A call that gives what it makes of its arguments; other registers that calls may change hold nothing from then on. */
void value_flow_call(struct flow places[FLOW_PLACES]);

/* The same, seen from behind a jump back. */
static inline struct flow value_flow_before(struct flow value)
{
    return (struct flow){0, value.now | value.before};
}

/* Adds `from` to `to`; true when that was new. */
bool value_flow_add(struct flow *to, struct flow from);

#endif
