/* loop_code.h - a loop's instructions, for loop_step.c: how its values change, where it is left. Not for others. */
#ifndef WARPLENS_MACHINE_CODE_LOOP_CODE_H
#define WARPLENS_MACHINE_CODE_LOOP_CODE_H

#include "machine_code/code_effect.h"
#include "machine_code/code_size.h"
#include "machine_code/loop_step.h"

struct loop_instruction {
    size_t at;
    enum code_kind kind;
    bool has_target;
    size_t target; /* wraps around when it is in front of the code that may be read */
    struct code_effect effect;
};

struct loop_bytes {
    const uint8_t *code;
    size_t room;
};

/* A range of instructions: the first is the head's, the last jumps back to it; those in front of it are read, and those behind it up to `end`. */
struct loop_range {
    const struct loop_bytes *bytes;
    const struct loop_instruction *code;
    unsigned first, last, end;
    size_t announces; /* where the calls go that begin blocks */
};

/* How a value changes from one iteration to the next. */
enum change { CHANGE_NONE, CHANGE_CONSTANT, CHANGE_OTHER };

static inline enum change loop_larger(enum change a, enum change b)
{
    return a > b ? a : b;
}

static const unsigned LOOP_NOBODY = UINT32_MAX;
enum { LOOP_DEPTH_MAX = 8 }; /* copies and sums followed */

/* ---- loop_change.c ---------------------------------------------------------------------------- */

/* How the value in `place` changes that the instruction `at` finds there. */
enum change loop_change(const struct loop_range *loop, int64_t place, unsigned at);
/* Whether the value in `place` in front of the instruction `at` is, an iteration later, that value plus one that the loop does not change:
 * *step, a place, PLACE_NONE while none is found. */
bool loop_grows_steadily(const struct loop_range *loop, int64_t place, unsigned at, int64_t *step);
/* The same of that value, or of a place that is added up to it in the same iteration. */
bool loop_adds_steady(const struct loop_range *loop, int64_t place, unsigned at);
bool loop_writes(const struct code_effect *effect, int64_t place);
/* The last instruction in front of `at` that writes `place` with anything but itself plus a
 * constant; LOOP_NOBODY when there is none. */
unsigned loop_find_before(const struct loop_instruction *code, int64_t place, unsigned at);
/* Where the value comes from that `place` has in front of the instruction *at, through copies and
 * additions of constants: what is found is a place and the instruction that writes it, LOOP_NOBODY where none does. */
int64_t loop_trace_back(const struct loop_instruction *code, int64_t place, unsigned *at);

/* ---- loop_ways.c ------------------------------------------------------------------------------ */

/* Reads the instruction at `at` into *to; its length, 0 when there is none. */
unsigned loop_read(const struct loop_bytes *bytes, size_t at, struct loop_instruction *to);
bool loop_goes_to_head(const struct loop_range *loop, const struct loop_instruction *jump);
bool loop_goes_out(const struct loop_range *loop, const struct loop_instruction *branch);

/* ---- loop_variable.c -------------------------------------------------------------------------- */

/* Whether nvcc unrolls the loop though its counter, which the branch compares, grows by a variable. `flags`: the comparison. */
bool loop_counts_by_variable(const struct loop_range *loop, unsigned branch, unsigned flags,
                             kind_of_call *kind_of);
/* A counter that is compared as unsigned numbers are may step over its bound and begin again: nvcc leaves such a loop to its assembler,
 * which unrolls it by four. */
bool loop_may_begin_again(const struct loop_range *loop, unsigned branch, unsigned flags);

#endif
