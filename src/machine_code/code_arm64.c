/* code_arm64.c - arm64: every instruction has 4 bytes; what kind it is.
 *
 * Source: Arm Architecture Reference Manual for A-profile, chapter C4, "A64 Instruction Set
 * Encoding".
 */
#include "machine_code/code_size.h"

enum { STACK_POINTER = 31 };

static bool matches(uint32_t word, uint32_t mask, uint32_t value)
{
    return (word & mask) == value;
}

static unsigned base_register(uint32_t word)
{
    return word >> 5 & 31;
}

/* The signed field of `bits` bits from bit `low` on, in words of 4 bytes. */
static int64_t word_offset(uint32_t word, unsigned low, unsigned bits)
{
    uint64_t field = word >> low & ((1ULL << bits) - 1), sign = 1ULL << (bits - 1);
    return (int64_t)((field ^ sign) - sign) * 4;
}

static bool is_add_or_subtract_constant(uint32_t word)
{
    return matches(word, 0x1f800000, 0x11000000);
}

static bool is_nothing(uint32_t word)
{
    if (matches(word, 0xfffff01f, 0xd503201f)) /* hints */
        return true;
    if (is_add_or_subtract_constant(word))
        return (word & 31) == STACK_POINTER && base_register(word) == STACK_POINTER;
    return matches(word, 0x0a000000, 0x08000000) && base_register(word) == STACK_POINTER;
}

/* Moves, sums and constants that go to x0 or x1. */
static uint8_t arguments_set(uint32_t word)
{
    bool simple = matches(word, 0x7fe0ffe0, 0x2a0003e0) || matches(word, 0x7f800000, 0x11000000) ||
                  matches(word, 0x7f000000, 0x0b000000) || matches(word, 0x7f800000, 0x52800000);
    uint8_t registers = 0;
    if (simple && (word & 31) < 2)
        registers = (uint8_t)(1U << (word & 31));
    return registers;
}

static enum code_kind kind_of(uint32_t word)
{
    if (is_nothing(word))
        return CODE_NOTHING;
    if (matches(word, 0x0a000000, 0x08000000))
        return CODE_MOVE;
    if (matches(word, 0x7fe0f800, 0x1ac00800))
        return CODE_INTEGER_DIVISION;
    if (matches(word, 0xff20fc00, 0x1e201800) || matches(word, 0xff3ffc00, 0x1e21c000))
        return CODE_FLOAT_DIVISION;
    return arguments_set(word) ? CODE_ARGUMENT : CODE_OTHER;
}

/* A direct transfer: how it goes, and where. */
static struct code_instruction transfer_to(enum code_kind kind, int64_t target)
{
    return (struct code_instruction){
        .kind = kind, .bytes = 4, .has_target = true, .target = target};
}

struct code_instruction code_decode_arm64(const uint8_t *code, size_t room)
{
    if (room < 4)
        return (struct code_instruction){.kind = CODE_UNKNOWN};
    uint32_t word =
        code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    if (matches(word, 0x7c000000, 0x14000000)) /* b, bl */
        return transfer_to(word >> 31 ? CODE_CALL : CODE_JUMP, word_offset(word, 0, 26));
    if (matches(word, 0xff000000, 0x54000000) || matches(word, 0x7e000000, 0x34000000))
        return transfer_to(CODE_BRANCH, word_offset(word, 5, 19)); /* b.cond; cbz, cbnz */
    if (matches(word, 0x7e000000, 0x36000000))                     /* tbz, tbnz */
        return transfer_to(CODE_BRANCH, word_offset(word, 5, 14));
    struct code_instruction instruction = {.bytes = 4};
    if (matches(word, 0xfffffc1f, 0xd61f0000))
        instruction.kind = CODE_JUMP;
    else if (matches(word, 0xfffffc1f, 0xd63f0000))
        instruction.kind = CODE_CALL;
    else if (matches(word, 0xfffffc1f, 0xd65f0000))
        instruction.kind = CODE_RETURN;
    else
        instruction.kind = kind_of(word);
    if (instruction.kind == CODE_ARGUMENT)
        instruction.arguments = arguments_set(word);
    return instruction;
}
