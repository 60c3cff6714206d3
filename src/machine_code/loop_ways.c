/* loop_ways.c - reads instructions; which jumps go back to a loop's head, and which leave it. */
#include "machine_code/loop_code.h"

enum { HEAD_BYTES = 48 }; /* from where a jump to the head goes to, at most */

unsigned loop_read(const struct loop_bytes *bytes, size_t at, struct loop_instruction *to)
{
    struct code_instruction read = code_decode_x86_64(bytes->code + at, bytes->room - at);
    *to = (struct loop_instruction){
        .at = at,
        .kind = read.kind,
        .has_target = read.has_target,
        .target = at + (size_t)read.target,
        .effect = code_effect_x86_64(bytes->code + at, bytes->room - at),
    };
    return read.bytes;
}

/* From `at` the code runs straight to `to`, through moves and then the call that begins the block. */
static bool begins_block(const struct loop_bytes *bytes, size_t at, size_t to)
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

bool loop_goes_to_head(const struct loop_range *loop, const struct loop_instruction *jump)
{
    size_t head = loop->code[loop->first].at;
    if (!jump->has_target || (jump->kind != CODE_JUMP && jump->kind != CODE_BRANCH) ||
        jump->target > head || head - jump->target > HEAD_BYTES)
        return false;
    return begins_block(loop->bytes, jump->target, head);
}

bool loop_goes_out(const struct loop_range *loop, const struct loop_instruction *branch)
{
    return !loop_goes_to_head(loop, branch) && (branch->target < loop->code[loop->first].at ||
                                                branch->target > loop->code[loop->last].at);
}
