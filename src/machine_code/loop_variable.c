/* loop_variable.c - loops that only one of nvcc's two compilers unrolls, by four.
 *
 * Asked of nvcc 13 by PTX and machine code, 70 loops: the one that makes PTX computes how often a loop goes round where its counter is signed, grows by a
 * variable and is compared by < with a bound; it divides for that, in front of all loops around, or leaves the loop as it is. What
 * may go on for ever, by an unsigned counter that steps over its bound or by effects that others see, it leaves as well. The
 * assembler unrolls what counts by constants, signed or not, and nothing twice that counts by a variable.
 */
#include "machine_code/loop_code.h"

/* ---- The loop around it ------------------------------------------------------------------------ */

enum { FRONT_MAX = 256 }; /* instructions between the heads of two loops */

/* The jump back of the innermost loop around it; LOOP_NOBODY. */
static unsigned outer_jump(const struct loop_range *loop)
{
    for (unsigned i = loop->last + 1; i < loop->end; i++) {
        const struct loop_instruction *jump = &loop->code[i];
        if (jump->has_target && (jump->kind == CODE_JUMP || jump->kind == CODE_BRANCH) &&
            jump->target < loop->code[loop->first].at && !loop_goes_to_head(loop, jump))
            return i;
    }
    return LOOP_NOBODY;
}

/* The instructions from the outer loop's head to the loop's; how many, or 0 where there are too many or they do not tell. */
static unsigned read_front(const struct loop_range *loop, size_t at,
                           struct loop_instruction front[FRONT_MAX])
{
    const size_t head = loop->code[loop->first].at;
    unsigned count = 0, length = 1;
    for (; at < head && count < FRONT_MAX && length > 0; count++) {
        length = loop_read(loop->bytes, at, &front[count]);
        at += length;
    }
    return at == head ? count : 0;
}

/* Whether the loop around it writes the place, in front of the loop or behind it. */
static bool outer_writes(const struct loop_range *loop, const struct loop_instruction *front,
                         unsigned count, unsigned jump, int64_t place)
{
    for (unsigned i = 0; i < count; i++)
        if (loop_writes(&front[i].effect, place))
            return true;
    for (unsigned i = loop->last + 1; i <= jump; i++)
        if (loop_writes(&loop->code[i].effect, place))
            return true;
    return false;
}

/* Whether the counter begins at the same value each time that a loop around it comes to it: otherwise nvcc would divide each time to know how
 * often it goes round. It begins at a copy of what the loop around it leaves alone, or at a variable of the program. */
static bool begins_as_before(const struct loop_range *loop, int64_t counter)
{
    struct loop_instruction front[FRONT_MAX];
    const unsigned jump = outer_jump(loop);
    if (jump == LOOP_NOBODY)
        return true;
    const unsigned count = read_front(loop, loop->code[jump].target, front);
    for (unsigned at = count; count && counter >= 0;) {
        at = loop_find_before(front, counter, at);
        if (at == LOOP_NOBODY)
            return !outer_writes(loop, front, count, jump, counter);
        const struct code_effect *copy = &front[at].effect;
        if (copy->kind != EFFECT_SUM || copy->from[1] != PLACE_NONE)
            return false;
        counter = copy->from[0];
    }
    return counter == PLACE_NONE || counter == PLACE_FIXED;
}

/* ---- What a loop of that kind must not do ------------------------------------------------------- */

/* Whether it calls what is no load, no store and no arithmetic: barriers, atomics, volatile accesses. A loop with those may go on for ever. */
static bool has_effects(const struct loop_range *loop, kind_of_call *kind_of)
{
    for (unsigned i = loop->first; i <= loop->last && kind_of; i++) {
        const struct loop_instruction *call = &loop->code[i];
        if (call->kind == CODE_CALL && call->has_target && call->target != loop->announces &&
            kind_of(call->target) == CALL_OTHER)
            return true;
    }
    return false;
}

/* The condition of a branch, by its opcode's last four bits. */
static unsigned condition_of(const struct loop_bytes *bytes, size_t at)
{
    return bytes->code[at] == 0x0f ? bytes->code[at + 1] & 15U : bytes->code[at] & 15U;
}

/* Whether an instruction computes with 64 bits. */
static bool is_wide(const uint8_t *code)
{
    enum { REX_W = 0x48, REX_MASK = 0xf8 };
    return (code[0] & REX_MASK) == REX_W;
}

/* Whether the loop makes 64 bits of a counter of 32 each time, or of a sum with it: that it goes on behind 2^31 is not known not to happen,
 * as where an unsigned number is added to it. */
static bool widens_counter(const struct loop_range *loop)
{
    enum { SIGN_EXTEND = 0x63, EXTEND_EAX = 0x98, EAX = 0 };
    for (unsigned i = loop->first; i <= loop->last; i++) {
        const uint8_t *code = loop->bytes->code + loop->code[i].at;
        if (is_wide(code) && (code[1] == SIGN_EXTEND || code[1] == EXTEND_EAX) &&
            loop_adds_steady(loop, code[1] == SIGN_EXTEND ? loop->code[i].effect.from[0] : EAX, i))
            return true;
    }
    return false;
}

/* Whether anything grows by a variable in 64 bits: gcc does so with what cannot begin again at 0. */
static bool grows_in_64_bits(const struct loop_range *loop)
{
    for (unsigned i = loop->first; i <= loop->last; i++) {
        const struct code_effect *sum = &loop->code[i].effect;
        int64_t step;
        if (sum->kind == EFFECT_SUM && sum->from[1] != PLACE_NONE &&
            is_wide(loop->bytes->code + loop->code[i].at) &&
            loop_grows_steadily(loop, sum->to, i + 1, &step))
            return true;
    }
    return false;
}

/* Whether the counter grows by a variable of the program as it is, a word of blockDim or gridDim: those are unsigned, and so is the sum. */
static bool steps_by_dimension(const struct loop_range *loop, int64_t step)
{
    unsigned at = loop->last + 1;
    return loop_trace_back(loop->code, step, &at) == PLACE_FIXED && !grows_in_64_bits(loop);
}

/* On what comparison the loop goes on. */
enum condition { BELOW = 0x2, ABOVE = 0x7, LESS = 0xc, GREATER = 0xf };

static unsigned goes_on_while(const struct loop_range *loop, unsigned branch)
{
    const unsigned condition = condition_of(loop->bytes, loop->code[branch].at);
    return loop_goes_out(loop, &loop->code[branch]) ? condition ^ 1U : condition;
}

bool loop_counts_by_variable(const struct loop_range *loop, unsigned branch, unsigned flags,
                             kind_of_call *kind_of)
{
    const struct code_effect *compare = &loop->code[flags].effect;
    const unsigned condition = goes_on_while(loop, branch), counter = condition == GREATER;
    if (compare->kind != EFFECT_COMPARE || (condition != LESS && condition != GREATER))
        return false;
    int64_t step;
    return loop_grows_steadily(loop, compare->from[counter], flags, &step) &&
           loop_change(loop, compare->from[1 - counter], flags) == CHANGE_NONE &&
           !steps_by_dimension(loop, step) && !widens_counter(loop) &&
           !has_effects(loop, kind_of) && begins_as_before(loop, compare->from[counter]);
}

/* Whether the loop adds a constant other than 1 to what is in the place. */
static bool steps_over(const struct loop_range *loop, int64_t place)
{
    for (unsigned i = loop->first; i <= loop->last; i++) {
        const struct code_effect *effect = &loop->code[i].effect;
        if (effect->to == place && code_effect_adds_constant(effect) && effect->plus != 1)
            return true;
    }
    return false;
}

bool loop_may_begin_again(const struct loop_range *loop, unsigned branch, unsigned flags)
{
    const struct code_effect *compare = &loop->code[flags].effect;
    const unsigned condition = goes_on_while(loop, branch);
    return compare->kind == EFFECT_COMPARE && !compare->constant &&
           ((condition == BELOW && steps_over(loop, compare->from[0])) ||
            (condition == ABOVE && steps_over(loop, compare->from[1])));
}
