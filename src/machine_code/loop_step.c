/* loop_step.c - x86-64: whether a loop's counter has a constant step, and a constant bound.
 *
 * The conditions of a loop are those of its jump back and of the branches out of it. Each compares
 * two values. How a value changes over one iteration is found by going back from the comparison,
 * around the loop, to what wrote it: additions of constants only make a constant step, nothing makes
 * a bound, and anything else, a step that is in a variable among it, a value that the loop changes
 * in some other way. Copies and sums (spilled counters, `i + k < n`) are followed to what they are
 * made of. The code is taken as it lies: which side of a branch inside the loop runs is not asked.
 *
 * GPU compilers unroll innermost loops, and those whose inner loops they have unrolled whole.
 *
 * A loop goes round a constant number of times when its counter begins at a constant and is compared
 * with one. gcc makes pointers of counters: those begin at a constant distance from their bound.
 * Both are found by going back in the code in front of the loop, again as it lies.
 */
#include "machine_code/loop_code.h"

enum {
    INSTRUCTIONS_MAX = 1024, /* of a loop; the code of longer ones does not tell */
    CALL_OPCODE = 0xe8,
    CALL_BYTES = 5,
    BEFORE_BYTES = 2048, /* of code in front of a loop that are looked at */
};

/* ---- Rounds ----------------------------------------------------------------------------------- */

/* In front of the instructions a_at and b_at the places a and b differ by a constant. */
static bool are_apart_by_constant(const struct loop_instruction *code, int64_t a, unsigned a_at,
                                  int64_t b, unsigned b_at, unsigned depth)
{
    a = loop_trace_back(code, a, &a_at);
    b = loop_trace_back(code, b, &b_at);
    if (a_at == b_at || (a == PLACE_NONE && b == PLACE_NONE))
        return a == b && a != PLACE_UNKNOWN;
    if (a < 0 || b < 0 || a_at == LOOP_NOBODY || b_at == LOOP_NOBODY || depth == 0)
        return false;
    const struct code_effect *x = &code[a_at].effect, *y = &code[b_at].effect;
    if (x->kind != EFFECT_SUM || y->kind != EFFECT_SUM || x->factor != y->factor)
        return false;
    for (unsigned swap = 0; swap < (x->factor == 1 ? 2 : 1); swap++)
        if (are_apart_by_constant(code, x->from[0], a_at, y->from[swap], b_at, depth - 1) &&
            are_apart_by_constant(code, x->from[1], a_at, y->from[1 - swap], b_at, depth - 1))
            return true;
    return false;
}

/* How often the loop goes round is a constant: its counter begins at a constant and is compared with
 * one, or begins at a constant distance from the bound. Where the counter's first value is not to be
 * found it is taken for a constant. */
static bool goes_round_constantly(const struct loop_range *loop, const struct code_effect *compare)
{
    unsigned at = loop->first;
    if (!compare->constant)
        return are_apart_by_constant(loop->code, compare->from[0], at, compare->from[1], at,
                                     LOOP_DEPTH_MAX / 2);
    int64_t origin = loop_trace_back(loop->code, compare->from[0], &at);
    return origin == PLACE_NONE || at == LOOP_NOBODY;
}

/* The same where the loop counts a constant down to 0, and compares nothing: gcc does so where it knows how often a loop goes round. */
static bool counts_down_constantly(const struct loop_range *loop, const struct code_effect *sum)
{
    unsigned at = loop->first;
    return code_effect_adds_constant(sum) &&
           loop_trace_back(loop->code, sum->to, &at) == PLACE_NONE && at != LOOP_NOBODY;
}

/* ---- Conditions ------------------------------------------------------------------------------- */

/* What the loop is by the condition of the branch `at`. */
static enum loop_kind kind_by_branch(const struct loop_range *loop, unsigned at,
                                     kind_of_call *kind_of)
{
    unsigned flags = at;
    while (flags > loop->first && !loop->code[flags].effect.flags)
        flags--;
    const struct code_effect *effect = &loop->code[flags].effect;
    enum change one, other = CHANGE_NONE;
    if (effect->kind == EFFECT_COMPARE) {
        one = loop_change(loop, effect->from[0], flags);
        other = loop_change(loop, effect->from[1], flags);
    } else if (effect->kind == EFFECT_SUM || effect->kind == EFFECT_MIX) {
        one = loop_change(loop, effect->to, flags + 1); /* its result */
    } else {
        return LOOP_UNROLLED;
    }
    if (loop_larger(one, other) == CHANGE_OTHER)
        return loop_counts_by_variable(loop, at, flags, kind_of) ? LOOP_BY_FOUR : LOOP_ROLLED;
    if (loop_may_begin_again(loop, at, flags))
        return LOOP_BY_FOUR;
    const bool is_constant = effect->kind == EFFECT_COMPARE
                                 ? one != other && goes_round_constantly(loop, effect)
                                 : counts_down_constantly(loop, effect);
    return is_constant ? LOOP_FLATTENED : LOOP_UNROLLED;
}

/* The least that any condition of the loop allows; LOOP_UNROLLED when there is none. */
static enum loop_kind kind_by_conditions(const struct loop_range *loop, kind_of_call *kind_of)
{
    enum loop_kind kind = LOOP_KINDS;
    for (unsigned i = loop->first; i <= loop->last; i++) {
        const struct loop_instruction *branch = &loop->code[i];
        if (branch->kind != CODE_BRANCH ||
            !(loop_goes_out(loop, branch) || loop_goes_to_head(loop, branch)))
            continue;
        enum loop_kind allowed = kind_by_branch(loop, i, kind_of);
        kind = allowed < kind ? allowed : kind;
    }
    return kind < LOOP_KINDS ? kind : LOOP_UNROLLED;
}

/* The loop that the instruction `last` jumps back in, if it does, to behind the outer loop's head. */
static bool is_inner_loop(const struct loop_range *outer, unsigned last, struct loop_range *inner)
{
    const struct loop_instruction *jump = &outer->code[last];
    if (!jump->has_target || (jump->kind != CODE_BRANCH && jump->kind != CODE_JUMP) ||
        jump->target > jump->at || loop_goes_out(outer, jump) || loop_goes_to_head(outer, jump))
        return false;
    *inner = *outer;
    inner->last = last;
    while (outer->code[inner->first].at < jump->target)
        inner->first++;
    while (inner->first < last && outer->code[inner->first].kind != CODE_CALL)
        inner->first++;
    return inner->first++ < last;
}

static enum loop_kind kind_of_loop(const struct loop_range *loop, kind_of_call *kind_of,
                                   bool *is_around)
{
    struct loop_range inner;
    *is_around = false;
    for (unsigned i = loop->first; i < loop->last; i++)
        if (is_inner_loop(loop, i, &inner)) {
            *is_around = true;
            if (kind_by_conditions(&inner, kind_of) != LOOP_FLATTENED)
                return LOOP_ROLLED;
        }
    return kind_by_conditions(loop, kind_of);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* Where the call that begins the block at `head` goes; 0 when there is none. */
static size_t announcer(const struct loop_bytes *bytes, size_t head)
{
    struct loop_instruction call;
    const bool is_call = head >= CALL_BYTES &&
                         loop_read(bytes, head - CALL_BYTES, &call) == CALL_BYTES &&
                         call.kind == CODE_CALL && call.has_target;
    return is_call ? call.target : 0;
}

/* A block that begins at most BEFORE_BYTES in front of `head`: the first whose call goes where that
 * in front of the head goes. `head` when there is none. */
static size_t block_before(const struct loop_bytes *bytes, size_t head)
{
    size_t at = head > BEFORE_BYTES ? head - BEFORE_BYTES : 0;
    struct loop_instruction other;
    const size_t announces = announcer(bytes, head);
    for (; announces && at < head; at++)
        if (bytes->code[at] == CALL_OPCODE && loop_read(bytes, at, &other) == CALL_BYTES &&
            other.target == announces)
            return at;
    return head;
}

/* Reads what is in front of the loop; how many instructions that is. */
static unsigned read_before(const struct loop_bytes *bytes, size_t head,
                            struct loop_instruction *to)
{
    unsigned count = 0, length = 1;
    size_t at = block_before(bytes, head);
    for (; at < head && count < INSTRUCTIONS_MAX / 2 && length > 0; count++) {
        length = loop_read(bytes, at, &to[count]);
        at += length;
    }
    return at == head ? count : 0;
}

enum { OPCODE_SQUARE_ROOT = 0x51 };

/* The opcode of sqrtss and the like is behind 0f, which prefixes stand before. */
static bool is_square_root(const struct loop_bytes *bytes, const struct loop_instruction *i)
{
    size_t at = i->at;
    while (at + 1 < bytes->room && bytes->code[at] != 0x0f)
        at++;
    return at + 1 < bytes->room && bytes->code[at + 1] == OPCODE_SQUARE_ROOT;
}

/* Divides floats, or takes a square root. Where there are as many of both, each square root is divided by: GPUs have an
 * instruction for that. */
static bool divides(const struct loop_range *loop)
{
    unsigned roots = 0, others = 0;
    for (unsigned i = loop->first; i <= loop->last; i++)
        if (loop->code[i].kind == CODE_FLOAT_DIVISION) {
            const bool is_root = is_square_root(loop->bytes, &loop->code[i]);
            roots += is_root;
            others += !is_root;
        }
    return roots != others;
}

/* What is behind the loop in its function. */
static void read_behind(struct loop_range *loop, struct loop_instruction *to, size_t at)
{
    enum code_kind kind = CODE_OTHER;
    unsigned length = 1;
    for (loop->end = loop->last + 1;
         loop->end < INSTRUCTIONS_MAX && kind != CODE_RETURN && at < loop->bytes->room;
         loop->end++) {
        length = loop_read(loop->bytes, at, &to[loop->end]);
        if (length == 0)
            return;
        kind = to[loop->end].kind;
        at += length;
    }
}

/* The instructions take some 70 KB of stack: too much for a lane's, but lanes do not come here. */
struct loop_step loop_step_x86_64(const uint8_t *code, size_t room, size_t head, size_t end,
                                  kind_of_call *kind_of)
{
    struct loop_instruction instructions[INSTRUCTIONS_MAX];
    const struct loop_bytes bytes = {code, room};
    struct loop_range loop = {&bytes, instructions, 0, 0, 0, announcer(&bytes, head)};
    size_t at = head;
    loop.first = loop.last = read_before(&bytes, head, instructions);
    for (; loop.last < INSTRUCTIONS_MAX && at < room; loop.last++) {
        unsigned length = loop_read(&bytes, at, &instructions[loop.last]);
        if (length == 0)
            break;
        at += length;
        if (at <= end || !loop_goes_to_head(&loop, &instructions[loop.last]))
            continue;
        read_behind(&loop, instructions, at);
        struct loop_step step = {.bytes = (uint32_t)(at - head), .divides = divides(&loop)};
        step.kind = kind_of_loop(&loop, kind_of, &step.is_around);
        return step;
    }
    return (struct loop_step){.kind = LOOP_UNROLLED};
}
