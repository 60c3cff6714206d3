/* function_straight.c - x86-64: blocks of a function that have no branch between them in a compiler for GPUs.
 *
 * Such a compiler computes what stands under a condition always, and then chooses, where that is cheap and accesses nothing:
 * `if (x > 0) y = 1 - y`. What is in front of the condition and behind it is one block then. nvcc 13 does it for up to four
 * operations in both arms together, none of them a division or a root (found by asking it: tests/cu/widths.cu).
 */
#include "machine_code/function_code.h"

enum { CHEAP_OPERATIONS = 4, NEVER_CHEAP = CHEAP_OPERATIONS + 1 };

/* The opcode behind the prefixes; two-byte ones as 0x0f00 and the second. */
static unsigned opcode_of(const uint8_t *code, unsigned bytes)
{
    unsigned at = 0;
    while (at + 1 < bytes && (code[at] == 0x66 || code[at] == 0xf2 || code[at] == 0xf3))
        at++;
    if (at + 1 < bytes && (code[at] & 0xf0) == 0x40)
        at++;
    return code[at] == 0x0f && at + 1 < bytes ? 0x0f00U | code[at + 1] : code[at];
}

/* What a compiler for GPUs does not count: values in other registers, constants, other widths. */
static bool is_move(unsigned opcode)
{
    switch (opcode) {
    case 0x88:
    case 0x89:
    case 0x8a:
    case 0x8b:
    case 0x90:
    case 0xc6:
    case 0xc7:
    case 0x63:
    case 0x0f10:
    case 0x0f11:
    case 0x0f12:
    case 0x0f14:
    case 0x0f1f:
    case 0x0f28:
    case 0x0f29:
    case 0x0f6e:
    case 0x0f6f:
    case 0x0f7e:
    case 0x0f7f:
    case 0x0fb6:
    case 0x0fb7:
    case 0x0fbe:
    case 0x0fbf:
    case 0x0fd6:
        return true;
    default:
        return opcode >= 0xb0 && opcode <= 0xbf;
    }
}

static bool is_division(unsigned opcode)
{
    return opcode == 0xf6 || opcode == 0xf7 || opcode == 0x0f5e || opcode == 0x0f51;
}

static unsigned cost_of(const struct function *f, const struct instruction *i)
{
    const unsigned opcode = opcode_of(f->code + i->at, i->bytes);
    if (i->kind == CODE_JUMP || function_calls(i, f->calls->block_begins) || is_move(opcode))
        return 0;
    return i->kind == CODE_CALL || i->kind == CODE_RETURN || i->kind == CODE_BRANCH ||
                   is_division(opcode)
               ? NEVER_CHEAP
               : 1;
}

static unsigned cost_of_block(const struct function *f, uint32_t number)
{
    unsigned cost = 0;
    for (uint32_t i = f->blocks[number].first; i < f->blocks[number].end && cost < NEVER_CHEAP; i++)
        cost += cost_of(f, &f->instructions[i]);
    return cost;
}

/* The only block that a block goes on to, if that is so. */
static uint32_t only_next(const struct block *block)
{
    if (block->next[0] == BLOCKS_MAX)
        return block->next[1];
    return block->next[1] == BLOCKS_MAX || block->next[1] == block->next[0] ? block->next[0]
                                                                            : BLOCKS_MAX;
}

static unsigned count_ways_to(const struct function *f, uint32_t number)
{
    unsigned ways = 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        ways += f->blocks[b].next[0] == number || f->blocks[b].next[1] == number;
    return ways;
}

/* An arm of a condition: entered from it alone, cheap, and going on to `behind`. */
static unsigned cost_of_arm(const struct function *f, uint32_t arm, uint32_t behind)
{
    if (arm == behind)
        return 0;
    bool is_arm = only_next(&f->blocks[arm]) == behind && count_ways_to(f, arm) == 1;
    return is_arm ? cost_of_block(f, arm) : NEVER_CHEAP;
}

/* Where both arms of the condition at the end of a block meet again, if a compiler for GPUs has no branch there. */
static uint32_t behind_condition(const struct function *f, uint32_t number)
{
    const uint32_t *next = f->blocks[number].next;
    if (next[0] == BLOCKS_MAX || next[1] == BLOCKS_MAX || next[0] == next[1])
        return BLOCKS_MAX;
    const uint32_t ways[] = {next[0], next[1], only_next(&f->blocks[next[0]])};
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (ways[i] != BLOCKS_MAX && ways[i] > number && count_ways_to(f, ways[i]) == 2 &&
            cost_of_arm(f, next[0], ways[i]) + cost_of_arm(f, next[1], ways[i]) <= CHEAP_OPERATIONS)
            return ways[i];
    return BLOCKS_MAX;
}

void function_find_straight(struct function *f)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        f->blocks[b].straight = b;
    for (uint32_t b = 0; b < f->block_count; b++) {
        uint32_t behind = behind_condition(f, b);
        if (behind != BLOCKS_MAX)
            f->blocks[behind].straight = f->blocks[b].straight;
    }
}
