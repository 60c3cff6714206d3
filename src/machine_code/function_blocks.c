/* function_blocks.c - x86-64: a function's bytes -> its instructions, in blocks.
 *
 * The code is read from the function's first block on, along all branches. A block ends where a branch does, or another may jump
 * to what follows.
 */
#include "machine_code/function_code.h"

static bool is_inside(const struct function *f, size_t at)
{
    return at - f->entry < BYTES_MAX && at < f->room;
}

static void read_later(struct function *f, size_t at)
{
    if (!is_inside(f, at))
        return;
    f->is_leader[at - f->entry] = true;
    if (f->number[at - f->entry])
        return;
    if (f->to_read_count == sizeof f->to_read / sizeof f->to_read[0])
        f->is_lost = true;
    else
        f->to_read[f->to_read_count++] = at;
}

static bool read_one(struct function *f, size_t at)
{
    struct code_instruction code = code_decode_x86_64(f->code + at, f->room - at);
    f->is_lost |= code.bytes == 0 || f->count == INSTRUCTIONS_MAX ||
                  (code.kind == CODE_JUMP && !code.has_target);
    if (f->is_lost)
        return false;
    f->read[f->count] = (struct instruction){
        .at = at,
        .bytes = code.bytes,
        .kind = code.kind,
        .has_target = code.has_target,
        .target = at + (size_t)code.target,
        .effect = code_effect_x86_64(f->code + at, f->room - at),
    };
    f->number[at - f->entry] = (uint16_t)++f->count;
    return true;
}

/* Whether the code goes on behind that instruction, where *at is then. A function that has called what does not come back may
 * seem to go on into the next one. */
static bool goes_on(struct function *f, const struct instruction *read, size_t *at)
{
    if (read->kind == CODE_JUMP || read->kind == CODE_BRANCH)
        read_later(f, read->target);
    *at = read->at + read->bytes;
    if (read->kind == CODE_BRANCH)
        read_later(f, *at);
    bool next_function =
        read->kind == CODE_CALL && read->has_target && read->target == f->calls->function_begins;
    return read->kind == CODE_CALL
               ? !next_function
               : read->kind != CODE_JUMP && read->kind != CODE_RETURN && read->kind != CODE_BRANCH;
}

static void read_all(struct function *f)
{
    read_later(f, f->entry);
    while (f->to_read_count > 0 && !f->is_lost) {
        size_t at = f->to_read[--f->to_read_count];
        bool on = true;
        while (on && is_inside(f, at) && f->number[at - f->entry] == 0 && read_one(f, at))
            on = goes_on(f, &f->read[f->count - 1], &at);
    }
}

/* ---- Blocks ----------------------------------------------------------------------------------- */

static uint32_t block_at(const struct function *f, size_t at)
{
    uint32_t low = 0, high = f->block_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (f->instructions[f->blocks[middle].first].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->block_count && f->instructions[f->blocks[low].first].at == at ? low
                                                                                  : BLOCKS_MAX;
}

/* Puts what was read in order and cuts it where blocks begin. */
static void cut_blocks(struct function *f)
{
    uint32_t count = 0;
    for (size_t at = 0; at < BYTES_MAX && !f->is_lost; at++) {
        if (f->number[at] == 0)
            continue;
        struct instruction *next = &f->instructions[count];
        *next = f->read[f->number[at] - 1];
        bool follows = count > 0 && next[-1].at + next[-1].bytes == next->at;
        if (!follows || f->is_leader[at]) {
            f->is_lost |= f->block_count == BLOCKS_MAX;
            if (!f->is_lost)
                f->blocks[f->block_count++].first = count;
        }
        if (!f->is_lost)
            f->blocks[f->block_count - 1].end = ++count;
    }
}

bool function_calls(const struct instruction *i, size_t function)
{
    return i->kind == CODE_CALL && i->has_target && i->target == function;
}

bool function_is_counted(const struct instruction *i)
{
    return i->kind != CODE_NOTHING && i->kind != CODE_MOVE && i->kind != CODE_ARGUMENT;
}

unsigned function_instructions(const struct function *f, uint32_t block)
{
    unsigned count = 0;
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].end; i++) {
        const struct instruction *one = &f->instructions[i];
        count += function_is_counted(one) && !function_calls(one, f->calls->block_begins);
    }
    return count;
}

static void link_block(struct function *f, struct block *block)
{
    const struct instruction *last = &f->instructions[block->end - 1];
    bool ends = last->kind == CODE_JUMP || last->kind == CODE_RETURN ||
                function_calls(last, f->calls->function_begins);
    bool jumps = last->kind == CODE_JUMP || last->kind == CODE_BRANCH;
    block->next[0] = jumps && is_inside(f, last->target) ? block_at(f, last->target) : BLOCKS_MAX;
    block->next[1] = ends ? BLOCKS_MAX : block_at(f, last->at + last->bytes);
    for (uint32_t i = block->end; i-- > block->first;)
        if (function_calls(&f->instructions[i], f->calls->block_begins))
            block->begins = f->instructions[i].at + f->instructions[i].bytes;
}

void function_read(struct function *f)
{
    read_all(f);
    cut_blocks(f);
    for (uint32_t b = 0; b < f->block_count && !f->is_lost; b++)
        link_block(f, &f->blocks[b]);
}
