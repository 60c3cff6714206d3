/* float_effect.c - x86-64: which instructions multiply and add floats. SSE2's, as compilers make them without options
 * (Intel's manual, volume 2): [66, f2 or f3] [REX] 0f opcode ModRM.
 */
#include "machine_code/float_effect.h"

#include <stdbool.h>

enum {
    PREFIX_SINGLE = 0xf3,
    PREFIX_DOUBLE = 0xf2,
    PREFIX_WIDE = 0x66,
    ESCAPE = 0x0f,
    MOVE_ALIGNED = 0x28,
    STORE_SCALAR = 0x11,
    STORE_ALIGNED = 0x29,
    COMPARE_FIRST = 0x2e, /* ucomiss and comiss */
    COMPARE_LAST = 0x2f,
    ADD = 0x58,
    MULTIPLY = 0x59,
    CONVERT = 0x5a,
    SUBTRACT = 0x5c,
    TO_FLOAT = 0x2a,
    TO_INTEGER_FIRST = 0x2c,
    TO_INTEGER_LAST = 0x2d,
    MOVE_OUT = 0x7e,
    LONGEST_HEAD = 5,
};

static bool is_scalar(uint8_t prefix)
{
    return prefix == PREFIX_SINGLE || prefix == PREFIX_DOUBLE;
}

static enum float_kind kind_of(uint8_t prefix, uint8_t opcode)
{
    if (is_scalar(prefix) && opcode == MULTIPLY)
        return FLOAT_MULTIPLY;
    if (is_scalar(prefix) && (opcode == ADD || opcode == SUBTRACT))
        return FLOAT_ADD;
    if (!is_scalar(prefix) && opcode == MOVE_ALIGNED)
        return FLOAT_MOVE;
    const bool writes_none = opcode == STORE_SCALAR || opcode == STORE_ALIGNED ||
                             (opcode >= COMPARE_FIRST && opcode <= COMPARE_LAST) ||
                             (opcode >= TO_INTEGER_FIRST && opcode <= TO_INTEGER_LAST) ||
                             (opcode == MOVE_OUT && prefix == PREFIX_WIDE);
    const bool is_vector = (opcode >= 0x10 && opcode <= 0x17) ||
                           (opcode >= 0x28 && opcode <= 0x2f) ||
                           (opcode >= 0x50 && opcode <= 0x7f) || opcode >= 0xc2;
    return writes_none || !is_vector ? FLOAT_NONE : FLOAT_OTHER;
}

struct head {
    uint8_t prefix, rex, opcode, modrm;
};

/* False where the instruction is none of SSE2's. */
static bool read_head(const uint8_t *code, size_t room, struct head *head)
{
    size_t at = 0;
    *head = (struct head){0};
    if (room < LONGEST_HEAD)
        return false;
    if (is_scalar(code[at]) || code[at] == PREFIX_WIDE)
        head->prefix = code[at++];
    if ((code[at] & 0xf0) == 0x40)
        head->rex = code[at++];
    if (code[at++] != ESCAPE)
        return false;
    head->opcode = code[at];
    head->modrm = code[at + 1];
    return true;
}

struct float_effect float_effect_x86_64(const uint8_t *code, size_t room)
{
    struct head h;
    if (!read_head(code, room, &h))
        return (struct float_effect){FLOAT_NONE, 0, 0};
    return (struct float_effect){
        .kind = kind_of(h.prefix, h.opcode),
        .to = (uint8_t)((h.modrm >> 3 & 7) | (h.rex & 4) << 1),
        .from = (uint8_t)(h.modrm >= 0xc0 ? (h.modrm & 7) | (h.rex & 1) << 3 : FLOAT_FROM_MEMORY),
    };
}

enum float_unit float_unit_x86_64(const uint8_t *code, size_t room)
{
    struct head h;
    if (!read_head(code, room, &h) || !is_scalar(h.prefix))
        return FLOAT_UNIT_NONE;
    const bool to_integer = h.opcode >= TO_INTEGER_FIRST && h.opcode <= TO_INTEGER_LAST;
    if (to_integer || h.opcode == CONVERT || (h.opcode == TO_FLOAT && h.prefix == PREFIX_DOUBLE))
        return FLOAT_UNIT_CONVERSIONS;
    const bool is_sum = h.opcode == ADD || h.opcode == MULTIPLY || h.opcode == SUBTRACT;
    return is_sum && h.prefix == PREFIX_DOUBLE ? FLOAT_UNIT_DOUBLES : FLOAT_UNIT_NONE;
}
