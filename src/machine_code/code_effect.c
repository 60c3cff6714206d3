/* code_effect.c - x86-64: which integers an instruction writes, and what it makes them of.
 *
 * As much as counting loops need: moves, sums, shifts, products and comparisons. Whatever else
 * writes a register or a slot of the frame makes it PLACE_UNKNOWN. Parts of registers count as
 * whole. Calls are taken to keep the registers that the System V ABI has them keep.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.
 */
#include "machine_code/code_effect.h"

#include "machine_code/code_read.h"

enum { AX = 0, DX = 2 };
enum { CALL_CLOBBERS = 0x0fc7 }; /* ax, cx, dx, si, di, r8 to r11 */
enum { SHIFT_LEFT = 4, SHIFT_LEFT_ALSO = 6 };
enum {
    GROUP_ADD = 0,
    GROUP_ADD_CARRY = 2,
    GROUP_SUB_BORROW = 3,
    GROUP_AND = 4,
    GROUP_SUB = 5,
    GROUP_XOR = 6,
    GROUP_COMPARE = 7
};

static int64_t place_of_reg(const struct code_reader *r)
{
    return code_reg(r);
}

static int64_t place_of_rm(const struct code_reader *r)
{
    if (r->mod == 3)
        return code_rm(r);
    if (r->on_stack && r->index == NO_INDEX)
        return PLACE_SLOT + r->offset;
    bool is_variable = r->relative || (!r->has_base && r->index == NO_INDEX);
    return is_variable ? PLACE_FIXED : PLACE_UNKNOWN;
}

static int64_t place_in_opcode(const struct code_reader *r)
{
    return (r->opcode & 7) | (r->rex & REX_B) << 3;
}

static struct code_effect effect(enum effect_kind kind, int64_t to, int64_t from, int64_t other)
{
    return (struct code_effect){.kind = kind, .factor = 1, .to = to, .from = {from, other}};
}

static struct code_effect arithmetic(enum effect_kind kind, int64_t to, int64_t from, int64_t other)
{
    struct code_effect result = effect(kind, to, from, other);
    result.flags = true;
    return result;
}

static struct code_effect unknown_to(int64_t to)
{
    return effect(EFFECT_MIX, to, PLACE_UNKNOWN, PLACE_NONE);
}

static struct code_effect clobber(unsigned registers, bool flags)
{
    return (struct code_effect){
        .kind = EFFECT_CLOBBER, .flags = flags, .registers = (uint16_t)registers};
}

static struct code_effect plus(struct code_effect sum, int64_t constant)
{
    sum.plus = constant;
    return sum;
}

static struct code_effect times(struct code_effect mix, int64_t factor)
{
    mix.times = factor;
    return mix;
}

/* One of the eight operations add, or, adc, sbb, and, sub, xor, cmp; `from` PLACE_NONE: a constant. */
static struct code_effect operation(unsigned group, int64_t to, int64_t from, int64_t constant)
{
    if (group == GROUP_COMPARE) {
        struct code_effect result = arithmetic(EFFECT_COMPARE, PLACE_NONE, to, from);
        result.constant = from == PLACE_NONE;
        return plus(result, from == PLACE_NONE ? constant : 0);
    }
    if (group == GROUP_ADD || group == GROUP_SUB) {
        struct code_effect result = arithmetic(EFFECT_SUM, to, to, from);
        result.factor = group == GROUP_ADD ? 1 : -1;
        return plus(result, from == PLACE_NONE ? result.factor * constant : 0);
    }
    if (group == GROUP_XOR && to == from)
        return arithmetic(EFFECT_SUM, to, PLACE_NONE, PLACE_NONE);
    struct code_effect result = arithmetic(EFFECT_MIX, to, to, from);
    result.by_flags = group == GROUP_ADD_CARRY || group == GROUP_SUB_BORROW;
    if (group == GROUP_AND && from == PLACE_NONE && constant)
        result.zero_bits = (uint8_t)__builtin_ctzll((uint64_t)constant);
    return result;
}

/* A register compared with itself is compared with 0: how many times a loop goes round that counts
 * down does not show in that. */
static struct code_effect test(int64_t a, int64_t b)
{
    return arithmetic(EFFECT_COMPARE, PLACE_NONE, a == b ? a : PLACE_UNKNOWN, PLACE_NONE);
}

static struct code_effect load_address(const struct code_reader *r)
{
    int64_t base = r->has_base ? r->base : r->relative ? PLACE_FIXED : PLACE_NONE;
    int64_t index = r->index == NO_INDEX ? PLACE_NONE : r->index;
    bool scaled = base == PLACE_NONE && index != PLACE_NONE;
    struct code_effect result =
        effect(scaled ? EFFECT_MIX : EFFECT_SUM, place_of_reg(r), base, index);
    result.factor = (int8_t)(1 << r->scale);
    result.is_address = r->relative;
    return plus(scaled ? times(result, 1 << r->scale) : result, r->relative ? 0 : r->offset);
}

/* Opcodes f6 and f7: test, not, neg, products and divisions. */
static struct code_effect group_3(const struct code_reader *r)
{
    if (r->reg < 2)
        return test(PLACE_UNKNOWN, PLACE_NONE);
    if (r->reg < 4)
        return times(arithmetic(EFFECT_MIX, place_of_rm(r), place_of_rm(r), PLACE_NONE),
                     r->reg == 3 ? -1 : 0);
    return clobber(1U << AX | 1U << DX, true);
}

/* Opcodes fe and ff: inc, dec, calls, jumps, push. */
static struct code_effect group_5(const struct code_reader *r)
{
    if (r->reg < 2)
        return plus(arithmetic(EFFECT_SUM, place_of_rm(r), place_of_rm(r), PLACE_NONE),
                    r->reg == 0 ? 1 : -1);
    return r->reg == 2 ? clobber(CALL_CLOBBERS, true) : (struct code_effect){.kind = EFFECT_NONE};
}

static struct code_effect shift(const struct code_reader *r)
{
    bool by_constant = r->opcode != 0xd2 && r->opcode != 0xd3;
    int64_t place = place_of_rm(r);
    struct code_effect result =
        arithmetic(EFFECT_MIX, place, by_constant ? place : PLACE_UNKNOWN, PLACE_NONE);
    unsigned bits = r->opcode < 0xd0 ? r->constant & 63 : 1;
    bool is_product =
        by_constant && (r->reg == SHIFT_LEFT || r->reg == SHIFT_LEFT_ALSO) && bits < 32;
    return is_product ? times(result, (int64_t)1 << bits) : result;
}

/* Opcodes 00 to 3f: eight operations in six forms. */
static struct code_effect operation_by_form(const struct code_reader *r)
{
    int64_t reg = place_of_reg(r), rm = place_of_rm(r);
    switch (r->opcode & 7) {
    case 0:
    case 1:
        return operation(r->opcode >> 3, rm, reg, 0);
    case 2:
    case 3:
        return operation(r->opcode >> 3, reg, rm, 0);
    default:
        return operation(r->opcode >> 3, AX, PLACE_NONE, r->constant);
    }
}

static struct code_effect move_of_one_byte(const struct code_reader *r)
{
    switch (r->opcode) {
    case 0x88:
    case 0x89:
        return effect(EFFECT_SUM, place_of_rm(r), place_of_reg(r), PLACE_NONE);
    case 0x63:
    case 0x8a:
    case 0x8b:
        return effect(EFFECT_SUM, place_of_reg(r), place_of_rm(r), PLACE_NONE);
    case 0x8d:
        return load_address(r);
    case 0x8f:
        return unknown_to(place_of_rm(r));
    case 0x99:
        return clobber(1U << DX, false);
    case 0xc6:
    case 0xc7:
        return plus(effect(EFFECT_SUM, place_of_rm(r), PLACE_NONE, PLACE_NONE), r->constant);
    case 0xe8:
        return clobber(CALL_CLOBBERS, true);
    default:
        return (struct code_effect){.kind = EFFECT_NONE};
    }
}

static struct code_effect one_byte(const struct code_reader *r)
{
    uint8_t op = r->opcode;
    if (op < 0x40)
        return operation_by_form(r);
    if ((op & 0xf8) == 0x58) /* pop */
        return unknown_to(place_in_opcode(r));
    if (op == 0x69 || op == 0x6b)
        return times(arithmetic(EFFECT_MIX, place_of_reg(r), place_of_rm(r), PLACE_NONE),
                     r->constant);
    if (op >= 0x80 && op <= 0x83)
        return operation(r->reg, place_of_rm(r), PLACE_NONE, r->constant);
    if (op == 0x84 || op == 0x85)
        return test(place_of_rm(r), place_of_reg(r));
    if (op == 0xa8 || op == 0xa9)
        return test(PLACE_UNKNOWN, PLACE_NONE);
    if (op == 0x86 || op == 0x87)
        return r->mod == 3 ? clobber(1U << place_of_reg(r) | 1U << place_of_rm(r), false)
                           : unknown_to(place_of_reg(r));
    if ((op & 0xf8) == 0x90 && place_in_opcode(r) != AX) /* else no operation */
        return clobber(1U << AX | 1U << place_in_opcode(r), false);
    if ((op & 0xf0) == 0xb0)
        return plus(effect(EFFECT_SUM, place_in_opcode(r), PLACE_NONE, PLACE_NONE), r->constant);
    if ((op & 0xfe) == 0xc0 || (op & 0xfc) == 0xd0)
        return shift(r);
    if ((op & 0xfe) == 0xf6)
        return group_3(r);
    return (op & 0xfe) == 0xfe ? group_5(r) : move_of_one_byte(r);
}

/* Conversions, bit counts and moves from vector registers. */
static bool writes_register(uint8_t op)
{
    return op == 0x2c || op == 0x2d || op == 0x50 || op == 0xb8 || op == 0xbc || op == 0xbd ||
           op == 0xc5 || op == 0xd7;
}

/* Stores of vector registers, and bytes that are set by a condition. */
static bool writes_operand(const struct code_reader *r)
{
    uint8_t op = r->opcode;
    bool vector_store = op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b ||
                        op == 0x7f || op == 0xd6 || op == 0xe7;
    return (vector_store && r->mod != 3) || (op == 0x7e && !r->repeat) || (op & 0xf0) == 0x90;
}

/* Double shifts, exchanges, and changes of one bit. */
static bool changes_operand(uint8_t op)
{
    return (op & 0xf6) == 0xa4 || (op & 0xfe) == 0xb0 || (op & 0xfe) == 0xc0 || op == 0xab ||
           op == 0xb3 || op == 0xba || op == 0xbb;
}

static struct code_effect two_byte(const struct code_reader *r)
{
    uint8_t op = r->opcode;
    if ((op & 0xf0) == 0x40 || op == 0xaf) { /* conditional moves and products */
        struct code_effect mix =
            arithmetic(EFFECT_MIX, place_of_reg(r), place_of_reg(r), place_of_rm(r));
        mix.by_flags = op != 0xaf;
        return mix;
    }
    if ((op & 0xf6) == 0xb6) /* moves with more bits */
        return effect(EFFECT_SUM, place_of_reg(r), place_of_rm(r), PLACE_NONE);
    if (op == 0x2e || op == 0x2f || op == 0xa3) /* compares floats, or tests a bit */
        return test(PLACE_UNKNOWN, PLACE_NONE);
    if (writes_register(op))
        return unknown_to(place_of_reg(r));
    if ((op & 0xf8) == 0xc8)
        return unknown_to(place_in_opcode(r));
    if (writes_operand(r))
        return unknown_to(place_of_rm(r));
    if (changes_operand(op))
        return arithmetic(EFFECT_MIX, place_of_rm(r), PLACE_UNKNOWN, PLACE_NONE);
    return (struct code_effect){.kind = EFFECT_NONE};
}

static struct code_effect effect_of(const struct code_reader *r)
{
    switch (r->map) {
    case MAP_ONE_BYTE:
        return one_byte(r);
    case MAP_0F:
        return two_byte(r);
    case MAP_0F38:
        if (r->opcode >= 0xf0) /* operations on bits */
            return unknown_to(place_of_reg(r));
        break;
    default:
        if (r->opcode >= 0x14 && r->opcode <= 0x17) /* a part of a vector register */
            return unknown_to(place_of_rm(r));
        break;
    }
    return (struct code_effect){.kind = EFFECT_NONE};
}

struct code_effect code_effect_x86_64(const uint8_t *code, size_t room)
{
    struct code_reader r;
    if (!code_read_x86_64(&r, code, room))
        return (struct code_effect){.kind = EFFECT_NONE};
    struct code_effect result = effect_of(&r);
    if (result.from[0] == PLACE_FIXED || result.from[1] == PLACE_FIXED) {
        result.variable = r.relative ? (int64_t)r.at + r.offset : r.offset;
        result.relative = r.relative;
        result.of_thread = r.of_thread;
    }
    return result;
}
