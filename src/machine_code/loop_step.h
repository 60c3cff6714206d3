/* loop_step.h - what does the compiler for a GPU make of a loop: does it unroll it, wholly or in part?
 *
 * A warp executes in order and stops at the first use of a value that is not there yet. What a loop loads it uses in the
 * same iteration, nearly always; so the loads of one iteration are under way together, unless the compiler unrolls the
 * loop and puts the loads of several iterations in front of their uses. It does so where the counter's step is a constant.
 *
 * Pure functions on bytes.
 */
#ifndef WARPLENS_MACHINE_CODE_LOOP_STEP_H
#define WARPLENS_MACHINE_CODE_LOOP_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine_code/address_call.h"

enum loop_kind {
    LOOP_ROLLED,  /* the step is not constant, or another loop is inside */
    LOOP_BY_FOUR, /* unrolled by the compiler or by its assembler, not by both: the step is a variable, or the counter unsigned */
    LOOP_UNROLLED,  /* the step is constant; also where the code does not tell */
    LOOP_FLATTENED, /* and the counter is compared with a constant: unrolled whole */
    LOOP_KINDS
};

struct loop_step {
    enum loop_kind kind;
    uint32_t bytes; /* of code, from the head to behind the jump back to it; 0 unknown */
    bool is_around; /* another loop, which is unrolled whole */
    bool divides;   /* floats, or takes a square root */
};

/* What a call of the function at code[function] does. */
typedef enum address_call kind_of_call(size_t function);

/* The loop whose first block's code begins at code[head], where the call of
 * __sanitizer_cov_trace_pc returns to; code[0] to code[room - 1] may be read. Lanes have jumped back
 * to the head from code[end] or behind. `kind_of` NULL: calls are loads and stores. */
struct loop_step loop_step_x86_64(const uint8_t *code, size_t room, size_t head, size_t end,
                                  kind_of_call *kind_of);

#endif
