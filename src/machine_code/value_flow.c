/* value_flow.c - decisions. What an instruction writes comes from all that it reads, registers whole: a byte of one counts as
 * the register. Memory that is not the frame is what the latest load has announced; shared memory is left out, since a wait for it
 * would be one for all loads of global memory in front of it, too. Instructions that are not known here leave
 * all places as they are: kernels hardly have them.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
 */
#include "machine_code/value_flow.h"

#include "machine_code/code_read.h"

enum { AX = 0, CX = 1, DX = 2, SP = 4, SI = 6, DI = 7, NOWHERE = -1 };

bool value_flow_add(struct flow *to, struct flow from)
{
    const struct flow sum = {to->now | from.now, to->before | from.before};
    const bool is_new = sum.now != to->now || sum.before != to->before;
    *to = sum;
    return is_new;
}

static struct flow both(struct flow a, struct flow b)
{
    value_flow_add(&a, b);
    return a;
}

/* ---- Operands ----------------------------------------------------------------------------------- */

static int reg_of(const struct code_reader *r, int kind)
{
    return kind + code_reg(r);
}

static int rm_of(const struct code_reader *r, int kind)
{
    if (r->mod == 3)
        return kind + code_rm(r);
    return r->on_stack ? FLOW_SLOT + (int)((uint64_t)r->offset / 4 % FLOW_SLOTS) : NOWHERE;
}

/* What the operand in register or memory holds. */
static struct flow value_of_rm(const struct flow *places, const struct code_reader *r, int kind)
{
    const int place = rm_of(r, kind);
    if (place != NOWHERE)
        return places[place];
    return r->relative || r->of_thread ? (struct flow){0, 0} : places[FLOW_LOADED];
}

static void put(struct flow *places, int place, struct flow value)
{
    if (place != NOWHERE)
        places[place] = value;
}

static bool is_with_itself(const struct code_reader *r)
{
    return r->mod == 3 && r->reg == r->rm && (r->rex & REX_R) >> 2 == (r->rex & REX_B);
}

/* ---- Instructions of general registers ------------------------------------------------------------ */

/* add, or, adc, sbb, and, sub, xor, cmp: of two operands. */
static void step_arithmetic(struct flow *places, const struct code_reader *r)
{
    const uint8_t operation = r->opcode >> 3 & 7, form = r->opcode & 7;
    const bool takes_flags = operation == 2 || operation == 3, is_compared = operation == 7;
    const int to = form == 4 || form == 5 ? AX : form & 2 ? reg_of(r, 0) : rm_of(r, 0);
    struct flow value =
        form == 4 || form == 5 ? places[AX] : both(places[reg_of(r, 0)], value_of_rm(places, r, 0));
    if ((operation == 6 || operation == 5) && form < 4 && is_with_itself(r))
        value = (struct flow){0, 0};
    if (takes_flags)
        value_flow_add(&value, places[FLOW_FLAGS]);
    places[FLOW_FLAGS] = value;
    if (!is_compared)
        put(places, to, value);
}

/* The same with a constant, and shifts. */
static void step_with_constant(struct flow *places, const struct code_reader *r, bool is_shift)
{
    struct flow value = value_of_rm(places, r, 0);
    if (is_shift && (r->opcode & 2))
        value_flow_add(&value, places[CX]);
    if (!is_shift && (r->reg == 2 || r->reg == 3))
        value_flow_add(&value, places[FLOW_FLAGS]);
    places[FLOW_FLAGS] = value;
    if (is_shift || r->reg != 7)
        put(places, rm_of(r, 0), value);
}

/* test, not, neg, mul, imul, div, idiv. */
static void step_f7(struct flow *places, const struct code_reader *r)
{
    const struct flow value = value_of_rm(places, r, 0);
    places[FLOW_FLAGS] = value;
    if (r->reg < 4)
        return;
    places[AX] = both(value, both(places[AX], r->reg >= 6 ? places[DX] : value));
    places[DX] = places[AX];
}

static void step_one_byte(struct flow *places, const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    if (op < 0x40 && (op & 7) < 6)
        step_arithmetic(places, r);
    else if (op == 0x88 || op == 0x89)
        put(places, rm_of(r, 0), places[reg_of(r, 0)]);
    else if (op == 0x8a || op == 0x8b || op == 0x63)
        places[reg_of(r, 0)] = value_of_rm(places, r, 0);
    else if (op == 0x8d)
        places[reg_of(r, 0)] = both(r->has_base ? places[r->base] : (struct flow){0, 0},
                                    r->index != SP ? places[r->index] : (struct flow){0, 0});
    else if (op == 0x69 || op == 0x6b)
        places[reg_of(r, 0)] = value_of_rm(places, r, 0);
    else if (op >= 0x80 && op <= 0x83)
        step_with_constant(places, r, false);
    else if (op == 0x84 || op == 0x85)
        places[FLOW_FLAGS] = both(places[reg_of(r, 0)], value_of_rm(places, r, 0));
    else if (op == 0xc0 || op == 0xc1 || (op >= 0xd0 && op <= 0xd3))
        step_with_constant(places, r, true);
    else if (op == 0xf6 || op == 0xf7)
        step_f7(places, r);
    else if (op == 0x99)
        places[DX] = places[AX];
    else if ((op & 0xf8) == 0xb8 || (op & 0xf8) == 0xb0)
        places[(op & 7) | (r->rex & REX_B) << 3] = (struct flow){0, 0};
    else if (op == 0xc6 || op == 0xc7)
        put(places, rm_of(r, 0), (struct flow){0, 0});
    else if (op == 0x86 || op == 0x87)
        value_flow_add(&places[reg_of(r, 0)], value_of_rm(places, r, 0));
}

/* ---- Instructions of vector registers, and others behind 0f -------------------------------------------- */

static bool is_vector_load(const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    return op == 0x10 || op == 0x28 || op == 0x6f || op == 0x5a || op == 0x5b || op == 0xe6 ||
           op == 0x51 || op == 0x52 || op == 0x53 || op == 0x70 || (op == 0x7e && r->repeat) ||
           (r->mod != 3 && (op == 0x12 || op == 0x16));
}

static bool is_vector_store(const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    return op == 0x11 || op == 0x13 || op == 0x17 || op == 0x29 || op == 0x2b || op == 0x7f ||
           op == 0xd6 || op == 0xe7;
}

/* From one kind of register to the other; false when it is no such instruction. */
static bool step_between(struct flow *places, const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    if (op == 0x2a || op == 0x6e || op == 0xc4)
        places[reg_of(r, FLOW_VECTOR)] = value_of_rm(places, r, FLOW_GENERAL);
    else if (op == 0x2c || op == 0x2d || op == 0x50 || op == 0xd7 || op == 0xc5)
        places[reg_of(r, FLOW_GENERAL)] = value_of_rm(places, r, FLOW_VECTOR);
    else if (op == 0x7e && !r->repeat)
        put(places, rm_of(r, FLOW_GENERAL), places[reg_of(r, FLOW_VECTOR)]);
    else
        return false;
    return true;
}

static void step_vector(struct flow *places, const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    if (step_between(places, r))
        return;
    if (op == 0x2e || op == 0x2f)
        places[FLOW_FLAGS] =
            both(places[reg_of(r, FLOW_VECTOR)], value_of_rm(places, r, FLOW_VECTOR));
    else if (is_vector_store(r))
        put(places, rm_of(r, FLOW_VECTOR), places[reg_of(r, FLOW_VECTOR)]);
    else if (is_vector_load(r))
        places[reg_of(r, FLOW_VECTOR)] = value_of_rm(places, r, FLOW_VECTOR);
    else if ((op == 0x57 || op == 0xef) && is_with_itself(r))
        places[reg_of(r, FLOW_VECTOR)] = (struct flow){0, 0};
    else
        value_flow_add(&places[reg_of(r, FLOW_VECTOR)], value_of_rm(places, r, FLOW_VECTOR));
}

static void step_behind_0f(struct flow *places, const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    if ((op & 0xf0) == 0x40) /* a move under a condition */
        value_flow_add(&places[reg_of(r, 0)], both(value_of_rm(places, r, 0), places[FLOW_FLAGS]));
    else if ((op & 0xf0) == 0x90) /* a condition as a number */
        put(places, rm_of(r, 0), places[FLOW_FLAGS]);
    else if (op == 0xaf)
        value_flow_add(&places[reg_of(r, 0)], value_of_rm(places, r, 0));
    else if ((op & 0xf6) == 0xb6 || op == 0xb8 || op == 0xbc || op == 0xbd)
        places[reg_of(r, 0)] = value_of_rm(places, r, 0);
    else if ((op & 0xfe) == 0xa4 || (op & 0xfe) == 0xac)
        put(places, rm_of(r, 0), both(places[reg_of(r, 0)], value_of_rm(places, r, 0)));
    else if (r->has_modrm && ((op >= 0x10 && op < 0x18) || (op >= 0x28 && op < 0x30) ||
                              (op >= 0x50 && op < 0x80) || op == 0xc2 || op >= 0xc4))
        step_vector(places, r);
}

void value_flow_step(struct flow places[FLOW_PLACES], const uint8_t *code, size_t room)
{
    struct code_reader r;
    if (!code_read_x86_64(&r, code, room) || r.is_vex)
        return;
    if (r.map == MAP_ONE_BYTE)
        step_one_byte(places, &r);
    else if (r.map == MAP_0F)
        step_behind_0f(places, &r);
    else if (r.has_modrm)
        value_flow_add(&places[reg_of(&r, FLOW_VECTOR)], value_of_rm(places, &r, FLOW_VECTOR));
}

void value_flow_call(struct flow places[FLOW_PLACES])
{
    static const int changed[] = {CX, DX, SI, DI, 8, 9, 10, 11};
    struct flow result = both(both(places[DI], places[SI]), both(places[DX], places[CX]));
    for (int i = 0; i < 3; i++)
        value_flow_add(&result, places[FLOW_VECTOR + i]);
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++)
        places[changed[i]] = (struct flow){0, 0};
    for (int i = 1; i < 16; i++)
        places[FLOW_VECTOR + i] = (struct flow){0, 0};
    places[AX] = places[FLOW_VECTOR] = result;
    places[FLOW_FLAGS] = (struct flow){0, 0};
}
