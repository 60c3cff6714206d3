/* code_fusion.c - x86-64: which instructions are one of a GPU's together with those in front of them.
 *
 * Decisions. An instruction joins the one that has made the operand which it overwrites, as nothing else can need that. Whatever
 * reads a register in some other way needs what is in it: nothing joins it from then on.
 */
#include "machine_code/code_fusion.h"

#include <string.h>

#include "machine_code/code_read.h"

enum { INPUTS_MAX = 3, HALF_BITS = 32 };
enum { GROUP_ADD, GROUP_OR, GROUP_ADD_CARRY, GROUP_SUB_BORROW, GROUP_AND, GROUP_SUB, GROUP_XOR };
enum { CONSTANT_IN_BYTE = 0x83, CONSTANT = 0x81, SHIFT = 0xc1, LEFT = 4 };

/* What an instruction makes of the register that it overwrites. */
struct operation {
    enum fusion_kind kind; /* FUSION_NONE: something else */
    uint8_t to;
    bool from_register;
    uint8_t from; /* besides `to` */
};

static enum fusion_kind kind_of_group(unsigned group)
{
    if (group == GROUP_ADD || group == GROUP_SUB)
        return FUSION_SUM;
    return group == GROUP_OR || group == GROUP_AND || group == GROUP_XOR ? FUSION_LOGIC
                                                                         : FUSION_NONE;
}

static struct operation shift_of(const struct code_reader *r)
{
    struct operation operation = {.to = code_rm(r)};
    if (r->reg == LEFT)
        operation.kind = r->rex & REX_W && r->constant == HALF_BITS ? FUSION_UPPER : FUSION_SHIFT;
    return operation;
}

/* Opcodes 00 to 3f, of 4 bytes and of 8. */
static struct operation two_operands(const struct code_reader *r)
{
    const bool to_reg = r->opcode & 2;
    return (struct operation){.kind = kind_of_group(r->opcode >> 3),
                              .to = to_reg ? code_reg(r) : code_rm(r),
                              .from_register = !to_reg || r->mod == 3,
                              .from = to_reg ? code_rm(r) : code_reg(r)};
}

static struct operation operation_of(const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    const bool is_register = r->has_modrm && r->mod == 3;
    if (r->is_vex)
        return (struct operation){0};
    if (r->map == MAP_0F && op == 0xaf && !(r->rex & REX_W))
        return (struct operation){.kind = FUSION_PRODUCT, .to = code_reg(r)};
    if (r->map != MAP_ONE_BYTE)
        return (struct operation){0};
    if (op < 0x38 && ((op & 7) == 3 || ((op & 7) == 1 && is_register)))
        return two_operands(r);
    if ((op == 0x69 || op == 0x6b) && !(r->rex & REX_W))
        return (struct operation){.kind = FUSION_PRODUCT, .to = code_reg(r)};
    if ((op == CONSTANT || op == CONSTANT_IN_BYTE) && is_register)
        return (struct operation){.kind = kind_of_group(r->reg), .to = code_rm(r)};
    return op == SHIFT && is_register ? shift_of(r) : (struct operation){0};
}

/* ---- Comparisons ------------------------------------------------------------------------------------ */

static bool is_compare(const struct code_reader *r)
{
    return r->map == MAP_ONE_BYTE && r->mod == 3 && r->has_modrm &&
           ((r->opcode >= 0x38 && r->opcode <= 0x3b) || (r->opcode & 0xfe) == 0x84);
}

/* cmov of a condition that tells the smaller from the larger, or, of one register with 0, a sign. */
static bool is_choice(const struct code_reader *r)
{
    enum { BELOW = 0x2, NOT_BELOW = 0x3, NOT_ABOVE = 0x6, SIGN = 0x8, NO_SIGN = 0x9, LESS = 0xc };
    const uint8_t condition = r->opcode & 15;
    return r->map == MAP_0F && (r->opcode & 0xf0) == 0x40 && r->mod == 3 && !(r->rex & REX_W) &&
           (condition == BELOW || condition == NOT_BELOW || condition == NOT_ABOVE ||
            condition == NOT_ABOVE + 1 || condition == SIGN || condition == NO_SIGN ||
            condition >= LESS);
}

/* The register, or that of which it is a copy. */
static uint8_t origin_of(const struct fusion *fusion, uint8_t reg)
{
    return fusion->copy_of[reg] ? fusion->copy_of[reg] - 1 : reg;
}

/* The smaller or larger of the two that were compared. */
static bool is_extreme(const struct fusion *fusion, const struct code_reader *r)
{
    const uint8_t a = origin_of(fusion, code_reg(r)), b = origin_of(fusion, code_rm(r)),
                  *compared = fusion->compared;
    if (!fusion->has_compared || !is_choice(r))
        return false;
    return compared[0] == compared[1]
               ? compared[0] == a || compared[0] == b
               : (compared[0] == a && compared[1] == b) || (compared[0] == b && compared[1] == a);
}

static bool moves_constant(const struct code_reader *r)
{
    return r->map == MAP_ONE_BYTE && (r->opcode & 0xf8) == 0xb8;
}

static bool moves_to_rm(const struct code_reader *r)
{
    return r->map == MAP_ONE_BYTE && (r->opcode == 0x88 || r->opcode == 0x89);
}

/* Moves leave the flags. */
static bool is_move(const struct code_reader *r)
{
    const bool makes_wider = r->map == MAP_0F && (r->opcode & 0xf6) == 0xb6;
    return moves_constant(r) || moves_to_rm(r) || makes_wider ||
           (r->map == MAP_ONE_BYTE && r->opcode == 0x8b);
}

static uint8_t register_moved_to(const struct code_reader *r)
{
    if (moves_constant(r))
        return (uint8_t)((r->opcode & 7) | (r->rex & REX_B) << 3);
    return moves_to_rm(r) ? code_rm(r) : code_reg(r);
}

/* The register is written: it is no copy any more, and no other is one of it. */
static void forget_copies(struct fusion *fusion, uint8_t reg)
{
    for (unsigned i = 0; i < FUSION_REGISTERS; i++)
        if (i == reg || fusion->copy_of[i] == reg + 1)
            fusion->copy_of[i] = 0;
}

/* Any instruction but a comparison may write what its operands are. */
static void note_copies(struct fusion *fusion, const struct code_reader *r)
{
    const bool moves = is_move(r), is_register = r->has_modrm && r->mod == 3;
    const uint8_t to = register_moved_to(r), reg = code_reg(r), rm = code_rm(r);
    if (is_compare(r))
        return;
    if (!r->has_modrm && !moves) {
        memset(fusion->copy_of, 0, sizeof fusion->copy_of);
        return;
    }
    forget_copies(fusion, to);
    if (is_register && !moves)
        forget_copies(fusion, rm);
    if (is_register && moves)
        fusion->copy_of[to] = origin_of(fusion, to == reg ? rm : reg) + 1;
}

static void note_compare(struct fusion *fusion, const struct code_reader *r)
{
    const uint8_t written = register_moved_to(r);
    if (is_compare(r)) {
        fusion->has_compared = true;
        fusion->compared[0] = origin_of(fusion, code_reg(r));
        fusion->compared[1] = origin_of(fusion, code_rm(r));
    } else if (!is_move(r) || written == fusion->compared[0] || written == fusion->compared[1]) {
        fusion->has_compared = false;
    }
}

/* ---- Steps ------------------------------------------------------------------------------------------ */

/* Registers that the instruction names are needed as they are. */
static void forget_named(struct fusion *fusion, const struct code_reader *r)
{
    if (!r->has_modrm) {
        memset(fusion->kind, 0, sizeof fusion->kind);
        return;
    }
    fusion->kind[code_reg(r)] = FUSION_NONE;
    if (r->mod == 3)
        fusion->kind[code_rm(r)] = FUSION_NONE;
    else if (r->has_base)
        fusion->kind[r->base] = FUSION_NONE;
    if (r->mod != 3 && r->index != NO_INDEX)
        fusion->kind[r->index] = FUSION_NONE;
}

/* Whether an operation joins what is in the operand that it overwrites, or in the other where that is moved into place. */
static bool joins(const struct operation *operation, enum fusion_kind before, unsigned inputs,
                  enum fusion_kind other)
{
    if (operation->kind == FUSION_LOGIC)
        return (before == FUSION_LOGIC && inputs < INPUTS_MAX) || before == FUSION_UPPER ||
               other == FUSION_UPPER;
    if (operation->kind == FUSION_SUM)
        return (before == FUSION_SUM && inputs < INPUTS_MAX) || before == FUSION_SHIFT ||
               before == FUSION_PRODUCT;
    return false;
}

bool fusion_step_x86_64(struct fusion *fusion, const uint8_t *code, size_t room)
{
    struct code_reader r;
    if (!code_read_x86_64(&r, code, room)) {
        memset(fusion, 0, sizeof *fusion);
        return false;
    }
    if (is_extreme(fusion, &r)) {
        note_copies(fusion, &r);
        forget_named(fusion, &r);
        fusion->has_compared = false;
        return true;
    }
    const struct operation operation = operation_of(&r);
    const enum fusion_kind before = (enum fusion_kind)fusion->kind[operation.to];
    const enum fusion_kind other =
        operation.from_register ? (enum fusion_kind)fusion->kind[operation.from] : FUSION_NONE;
    const unsigned inputs = fusion->inputs[operation.to];
    note_compare(fusion, &r);
    note_copies(fusion, &r);
    forget_named(fusion, &r);
    if (operation.kind == FUSION_NONE)
        return false;
    const bool is_one = joins(&operation, before, inputs, other);
    const bool is_open = !is_one || (before == operation.kind && inputs + 1 < INPUTS_MAX);
    fusion->kind[operation.to] = is_open ? (uint8_t)operation.kind : FUSION_NONE;
    fusion->inputs[operation.to] = (uint8_t)(is_one ? inputs + 1 : 2);
    return is_one;
}
