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
#include "machine_code/loop_step.h"

#include "machine_code/code_effect.h"
#include "machine_code/code_size.h"

enum {
    INSTRUCTIONS_MAX = 1024, /* of a loop; the code of longer ones does not tell */
    CALL_OPCODE = 0xe8,
    CALL_BYTES = 5,
    DEPTH_MAX = 8,       /* copies and sums followed */
    BEFORE_BYTES = 2048, /* of code in front of a loop that are looked at */
    HEAD_BYTES = 48,     /* from where a jump to the head goes to, at most */
};

static const unsigned NOBODY = UINT32_MAX;

struct instruction {
    size_t at;
    enum code_kind kind;
    bool has_target;
    size_t target; /* wraps around when it is in front of the code that may be read */
    struct code_effect effect;
};

struct bytes {
    const uint8_t *code;
    size_t room;
};

/* A range of instructions: the first is the head's, the last jumps back to it. */
struct loop_range {
    const struct bytes *bytes;
    const struct instruction *code;
    unsigned first, last;
};

/* How a value changes from one iteration to the next. */
enum change { CHANGE_NONE, CHANGE_CONSTANT, CHANGE_OTHER };

static enum change larger(enum change a, enum change b)
{
    return a > b ? a : b;
}

static bool is_same_plus_constant(const struct code_effect *effect)
{
    return effect->kind == EFFECT_SUM && effect->from[0] == effect->to &&
           effect->from[1] == PLACE_NONE;
}

static bool writes(const struct code_effect *effect, int64_t place)
{
    if (effect->kind == EFFECT_CLOBBER)
        return place < 16 && effect->registers >> place & 1U;
    return (effect->kind == EFFECT_SUM || effect->kind == EFFECT_MIX) && effect->to == place;
}

/* The last instruction in front of `at`, around the loop, that writes `place` with anything but
 * itself plus a constant, which sets *stepped; `at` itself is the last one looked at. False when
 * there is none. */
static bool find_source(const struct loop_range *loop, int64_t place, unsigned *at, bool *stepped)
{
    *stepped = false;
    for (unsigned left = loop->last - loop->first + 1; left > 0; left--) {
        *at = *at == loop->first ? loop->last : *at - 1;
        const struct code_effect *effect = &loop->code[*at].effect;
        if (is_same_plus_constant(effect) && effect->to == place)
            *stepped = true;
        else if (writes(effect, place))
            return true;
    }
    return false;
}

/* How the value in `place` changes that the instruction `at` finds there. `copies`: all that was
 * followed up to here were copies and additions of constants, so going on for ever means that they
 * go round the loop, and the value with them by a constant. */
static enum change change_of(const struct loop_range *loop, int64_t place, unsigned at,
                             unsigned depth, bool copies)
{
    bool stepped;
    if (place == PLACE_NONE || place == PLACE_FIXED)
        return CHANGE_NONE;
    if (place == PLACE_UNKNOWN)
        return CHANGE_OTHER;
    if (!find_source(loop, place, &at, &stepped))
        return stepped ? CHANGE_CONSTANT : CHANGE_NONE;
    const struct code_effect *source = &loop->code[at].effect;
    if (source->kind == EFFECT_CLOBBER)
        return CHANGE_OTHER;
    if (depth == DEPTH_MAX)
        return copies ? CHANGE_CONSTANT : CHANGE_OTHER;
    copies = copies && source->kind == EFFECT_SUM && source->from[1] == PLACE_NONE;
    enum change first = change_of(loop, source->from[0], at, depth + 1, copies);
    enum change change = larger(first, change_of(loop, source->from[1], at, depth + 1, copies));
    return source->kind == EFFECT_MIX && change != CHANGE_NONE ? CHANGE_OTHER : change;
}

/* ---- Before the loop -------------------------------------------------------------------------- */

/* The last instruction in front of `at` that writes `place` with anything but itself plus a
 * constant; NOBODY when there is none. */
static unsigned find_before(const struct instruction *code, int64_t place, unsigned at)
{
    while (at > 0) {
        const struct code_effect *effect = &code[--at].effect;
        if (writes(effect, place) && !is_same_plus_constant(effect))
            return at;
    }
    return NOBODY;
}

/* Where the value comes from that `place` has in front of the instruction *at, through copies and
 * additions of constants: what is found is a place and the instruction that writes it. */
static int64_t trace_back(const struct instruction *code, int64_t place, unsigned *at)
{
    for (unsigned left = DEPTH_MAX; left > 0 && place >= 0; left--) {
        unsigned source = find_before(code, place, *at);
        if (source == NOBODY) {
            *at = NOBODY;
            return place;
        }
        const struct code_effect *effect = &code[source].effect;
        *at = source;
        if (effect->kind != EFFECT_SUM || effect->from[1] != PLACE_NONE)
            return place;
        place = effect->from[0];
    }
    return place;
}

/* In front of the instructions a_at and b_at the places a and b differ by a constant. */
static bool are_apart_by_constant(const struct instruction *code, int64_t a, unsigned a_at,
                                  int64_t b, unsigned b_at, unsigned depth)
{
    a = trace_back(code, a, &a_at);
    b = trace_back(code, b, &b_at);
    if (a_at == b_at || (a == PLACE_NONE && b == PLACE_NONE))
        return a == b && a != PLACE_UNKNOWN;
    if (a < 0 || b < 0 || a_at == NOBODY || b_at == NOBODY || depth == 0)
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
                                     DEPTH_MAX / 2);
    int64_t origin = trace_back(loop->code, compare->from[0], &at);
    return origin == PLACE_NONE || at == NOBODY;
}

/* ---- Conditions ------------------------------------------------------------------------------- */

/* What the loop is by the condition of the branch `at`. */
static enum loop_kind kind_by_branch(const struct loop_range *loop, unsigned at)
{
    unsigned flags = at;
    while (flags > loop->first && !loop->code[flags].effect.flags)
        flags--;
    const struct code_effect *effect = &loop->code[flags].effect;
    enum change one, other = CHANGE_NONE;
    if (effect->kind == EFFECT_COMPARE) {
        one = change_of(loop, effect->from[0], flags, 0, true);
        other = change_of(loop, effect->from[1], flags, 0, true);
    } else if (effect->kind == EFFECT_SUM || effect->kind == EFFECT_MIX) {
        one = change_of(loop, effect->to, flags + 1, 0, true); /* its result */
    } else {
        return LOOP_UNROLLED;
    }
    if (larger(one, other) == CHANGE_OTHER)
        return LOOP_ROLLED;
    bool counts = effect->kind == EFFECT_COMPARE && one != other;
    return counts && goes_round_constantly(loop, effect) ? LOOP_FLATTENED : LOOP_UNROLLED;
}

/* From `at` the code runs straight to `to`, through moves and then the call that begins the block. */
static bool begins_block(const struct bytes *bytes, size_t at, size_t to)
{
    struct code_instruction next = {.kind = CODE_OTHER};
    while (at < to && next.kind != CODE_CALL) {
        next = code_decode_x86_64(bytes->code + at, bytes->room - at);
        if (next.bytes == 0 || next.kind == CODE_JUMP || next.kind == CODE_BRANCH ||
            next.kind == CODE_RETURN)
            return false;
        at += next.bytes;
    }
    return at == to && next.kind == CODE_CALL;
}

static bool goes_to_head(const struct loop_range *loop, const struct instruction *jump)
{
    size_t head = loop->code[loop->first].at;
    if (!jump->has_target || (jump->kind != CODE_JUMP && jump->kind != CODE_BRANCH) ||
        jump->target > head || head - jump->target > HEAD_BYTES)
        return false;
    return begins_block(loop->bytes, jump->target, head);
}

static bool goes_out(const struct loop_range *loop, const struct instruction *branch)
{
    return !goes_to_head(loop, branch) && (branch->target < loop->code[loop->first].at ||
                                           branch->target > loop->code[loop->last].at);
}

/* The least that any condition of the loop allows; LOOP_UNROLLED when there is none. */
static enum loop_kind kind_by_conditions(const struct loop_range *loop)
{
    enum loop_kind kind = LOOP_KINDS;
    for (unsigned i = loop->first; i <= loop->last; i++) {
        const struct instruction *branch = &loop->code[i];
        if (branch->kind != CODE_BRANCH || !(goes_out(loop, branch) || goes_to_head(loop, branch)))
            continue;
        enum loop_kind allowed = kind_by_branch(loop, i);
        kind = allowed < kind ? allowed : kind;
    }
    return kind < LOOP_KINDS ? kind : LOOP_UNROLLED;
}

/* The loop that the instruction `last` jumps back in, if it does, to behind the outer loop's head. */
static bool is_inner_loop(const struct loop_range *outer, unsigned last, struct loop_range *inner)
{
    const struct instruction *jump = &outer->code[last];
    if (!jump->has_target || (jump->kind != CODE_BRANCH && jump->kind != CODE_JUMP) ||
        jump->target > jump->at || goes_out(outer, jump) || goes_to_head(outer, jump))
        return false;
    *inner = *outer;
    inner->last = last;
    while (outer->code[inner->first].at < jump->target)
        inner->first++;
    while (inner->first < last && outer->code[inner->first].kind != CODE_CALL)
        inner->first++;
    return inner->first++ < last;
}

static enum loop_kind kind_of(const struct loop_range *loop)
{
    struct loop_range inner;
    for (unsigned i = loop->first; i < loop->last; i++)
        if (is_inner_loop(loop, i, &inner) && kind_by_conditions(&inner) != LOOP_FLATTENED)
            return LOOP_ROLLED;
    return kind_by_conditions(loop);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* Reads the instruction at `at` into *to; its length, 0 when there is none. */
static unsigned read_instruction(const struct bytes *bytes, size_t at, struct instruction *to)
{
    struct code_instruction read = code_decode_x86_64(bytes->code + at, bytes->room - at);
    *to = (struct instruction){
        .at = at,
        .kind = read.kind,
        .has_target = read.has_target,
        .target = at + (size_t)read.target,
        .effect = code_effect_x86_64(bytes->code + at, bytes->room - at),
    };
    return read.bytes;
}

/* Where the call that begins the block at `head` goes; 0 when there is none. */
static size_t announcer(const struct bytes *bytes, size_t head)
{
    struct instruction call;
    const bool is_call = head >= CALL_BYTES &&
                         read_instruction(bytes, head - CALL_BYTES, &call) == CALL_BYTES &&
                         call.kind == CODE_CALL && call.has_target;
    return is_call ? call.target : 0;
}

/* A block that begins at most BEFORE_BYTES in front of `head`: the first whose call goes where that
 * in front of the head goes. `head` when there is none. */
static size_t block_before(const struct bytes *bytes, size_t head)
{
    size_t at = head > BEFORE_BYTES ? head - BEFORE_BYTES : 0;
    struct instruction other;
    const size_t announces = announcer(bytes, head);
    for (; announces && at < head; at++)
        if (bytes->code[at] == CALL_OPCODE && read_instruction(bytes, at, &other) == CALL_BYTES &&
            other.target == announces)
            return at;
    return head;
}

/* Reads what is in front of the loop; how many instructions that is. */
static unsigned read_before(const struct bytes *bytes, size_t head, struct instruction *to)
{
    unsigned count = 0, length = 1;
    size_t at = block_before(bytes, head);
    for (; at < head && count < INSTRUCTIONS_MAX / 2 && length > 0; count++) {
        length = read_instruction(bytes, at, &to[count]);
        at += length;
    }
    return at == head ? count : 0;
}

enum { OPCODE_SQUARE_ROOT = 0x51 };

/* The opcode of sqrtss and the like is behind 0f, which prefixes stand before. */
static bool is_square_root(const struct bytes *bytes, const struct instruction *i)
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

/* The instructions take some 70 KB of stack: too much for a lane's, but lanes do not come here. */
struct loop_step loop_step_x86_64(const uint8_t *code, size_t room, size_t head, size_t end)
{
    struct instruction instructions[INSTRUCTIONS_MAX];
    const struct bytes bytes = {code, room};
    struct loop_range loop = {&bytes, instructions, 0, 0};
    size_t at = head;
    loop.first = loop.last = read_before(&bytes, head, instructions);
    for (; loop.last < INSTRUCTIONS_MAX && at < room; loop.last++) {
        unsigned length = read_instruction(&bytes, at, &instructions[loop.last]);
        if (length == 0)
            break;
        at += length;
        if (at > end && goes_to_head(&loop, &instructions[loop.last]))
            return (struct loop_step){
                .kind = kind_of(&loop),
                .bytes = (uint32_t)(at - head),
                .divides = divides(&loop),
            };
    }
    return (struct loop_step){.kind = LOOP_UNROLLED};
}
