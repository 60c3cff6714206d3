/* code_size.c - x86-64: the length of an instruction and what kind it is.
 *
 *   | legacy prefixes | REX, VEX or EVEX | 1 to 3 bytes of opcode | ModRM, SIB | offset | constant |
 *
 * What follows an opcode is looked up in a table of one letter an opcode. The tables accept more
 * than processors do: the bytes come from a compiler, so only the lengths of what exists matter.
 * VEX and EVEX instructions have the lengths of the plain ones with the same map and opcode. What
 * is left out: XOP, 3DNow!, MVEX and 16-bit addressing, which compilers do not write.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2 and
 * appendix A.
 */
#include "machine_code/code_read.h"

/* Behind the opcode: '.' nothing, 'm' ModRM; constants: 'b' 1 byte, 'w' 2, 'd' 4 (2 with prefix
 * 66), 'q' 4 (8 with REX.W), 'a' an address, 'r' 4 whatever the prefix, 'e' 3; 'M' ModRM and b, 'D'
 * ModRM and d; 't' and 'T' the groups whose first two members have a constant; 'x' invalid, or read
 * elsewhere. */
static const char one_byte_map[] = "mmmmbdxxmmmmbdxx" /* 0_ */
                                   "mmmmbdxxmmmmbdxx"
                                   "mmmmbdxxmmmmbdxx"
                                   "mmmmbdxxmmmmbdxx"
                                   "xxxxxxxxxxxxxxxx" /* 4_ */
                                   "................"
                                   "xxxmxxxxdDbM...."
                                   "bbbbbbbbbbbbbbbb"
                                   "MDxMmmmmmmmmmmmm" /* 8_ */
                                   "..........x....."
                                   "aaaa....bd......"
                                   "bbbbbbbbqqqqqqqq"
                                   "MMw.xxMDe.w..bx." /* C_ */
                                   "mmmmxxx.mmmmmmmm"
                                   "bbbbbbbbrrxb...."
                                   "x.xx..tT......mm";
static const char two_byte_map[] = "mmmmx.....x.xm.x" /* 0F 0_ */
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmxxxxmmmmmmmm"
                                   "........xxxxxxxx"
                                   "mmmmmmmmmmmmmmmm" /* 0F 4_ */
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"
                                   "MMMMmmm.mmmmmmmm"
                                   "rrrrrrrrrrrrrrrr" /* 0F 8_ */
                                   "mmmmmmmmmmmmmmmm"
                                   "...mMmxx...mMmmm"
                                   "mmmmmmmmmmMmmmmm"
                                   "mmMmMMMm........" /* 0F C_ */
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm";

enum { REGISTER_CX = 1, REGISTER_SP = 4, REGISTER_SI = 6, REGISTER_DI = 7 };
enum { BYTES_MAX = 15 };

static uint8_t next_byte(struct code_reader *r)
{
    if (r->at >= r->room || r->at >= BYTES_MAX) {
        r->failed = true;
        return 0;
    }
    return r->code[r->at++];
}

/* A signed little-endian number of 1, 2, 4 or 8 bytes. */
static int64_t next_number(struct code_reader *r, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)next_byte(r) << 8 * i;
    uint64_t sign = 1ULL << (8 * bytes - 1);
    return (int64_t)((value ^ sign) - sign);
}

static bool is_legacy_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
           (byte & 0xe7) == 0x26 || byte == 0x64 || byte == 0x65;
}

/* VEX and EVEX keep REX's bits inverted. */
static void read_vex(struct code_reader *r, uint8_t first)
{
    uint8_t bits = next_byte(r);
    r->is_vex = true;
    r->map = MAP_0F;
    r->rex = (uint8_t)(~bits >> 5 & REX_R);
    if (first != 0xc5) {
        r->rex = (uint8_t)(~bits >> 5 & 7);
        r->map = bits & (first == 0x62 ? 7 : 31);
        next_byte(r);
    }
    if (first == 0x62)
        next_byte(r);
    r->opcode = next_byte(r);
    r->failed |= r->map == MAP_ONE_BYTE || r->map >= MAP_COUNT;
}

static void read_opcode(struct code_reader *r)
{
    uint8_t byte = next_byte(r);
    for (; is_legacy_prefix(byte) && !r->failed; byte = next_byte(r)) {
        r->operand_16 |= byte == 0x66;
        r->repeat |= byte == 0xf3;
        r->of_thread |= byte == 0x64;
    }
    if ((byte & 0xf0) == 0x40) {
        r->rex = byte & 15;
        byte = next_byte(r);
    } else if (byte == 0xc4 || byte == 0xc5 || byte == 0x62) {
        read_vex(r, byte);
        return;
    }
    if (byte == 0x0f) {
        r->map = MAP_0F;
        byte = next_byte(r);
        if (byte == 0x38 || byte == 0x3a) {
            r->map = byte == 0x38 ? MAP_0F38 : MAP_0F3A;
            byte = next_byte(r);
        }
    }
    r->opcode = byte;
}

static char operands_of(const struct code_reader *r)
{
    switch (r->map) {
    case MAP_ONE_BYTE:
        return one_byte_map[r->opcode];
    case MAP_0F:
        return two_byte_map[r->opcode];
    case MAP_0F38:
        return 'm';
    default:
        return 'M';
    }
}

static void read_modrm(struct code_reader *r)
{
    uint8_t modrm = next_byte(r);
    unsigned offset_bytes = modrm >> 6 == 1 ? 1 : modrm >> 6 == 2 ? 4 : 0;
    r->has_modrm = true;
    r->mod = modrm >> 6;
    r->reg = modrm >> 3 & 7;
    r->rm = modrm & 7;
    if (r->mod == 3)
        return;
    uint8_t base = r->rm;
    if (r->rm == 4) {
        uint8_t sib = next_byte(r);
        base = sib & 7;
        r->scale = sib >> 6;
        r->index = (uint8_t)((sib >> 3 & 7) | (r->rex & REX_X) << 2);
        r->on_stack = base == REGISTER_SP && !(r->rex & REX_B);
    }
    r->base = (uint8_t)(base | (r->rex & REX_B) << 3);
    r->has_base = r->mod != 0 || base != 5;
    if (r->mod == 0 && base == 5)
        offset_bytes = 4;
    r->relative = r->mod == 0 && r->rm == 5;
    if (offset_bytes)
        r->offset = next_number(r, offset_bytes);
}

/* Bytes of constants behind ModRM. */
static unsigned constant_bytes(const struct code_reader *r, char operands)
{
    unsigned wide = r->operand_16 ? 2 : 4;
    switch (operands) {
    case 'b':
    case 'M':
        return 1;
    case 'w':
        return 2;
    case 'e':
        return 3;
    case 'd':
    case 'D':
        return wide;
    case 'r':
        return 4;
    case 'q':
        return r->rex & REX_W ? 8 : wide;
    case 'a':
        return 8;
    case 't':
        return r->reg < 2 ? 1 : 0;
    case 'T':
        return r->reg < 2 ? wide : 0;
    default:
        return 0;
    }
}

static bool is_branch(const struct code_reader *r)
{
    if (r->map == MAP_0F)
        return (r->opcode & 0xf0) == 0x80;
    return r->map == MAP_ONE_BYTE && ((r->opcode & 0xf0) == 0x70 || (r->opcode & 0xfc) == 0xe0);
}

static void read_operands(struct code_reader *r)
{
    char operands = operands_of(r);
    bool jumps = is_branch(r) || (r->map == MAP_ONE_BYTE &&
                                  (r->opcode == 0xe8 || r->opcode == 0xe9 || r->opcode == 0xeb));
    r->failed |= operands == 'x';
    if (operands == 'm' || operands == 'M' || operands == 'D' || operands == 't' || operands == 'T')
        read_modrm(r);
    unsigned bytes = constant_bytes(r, operands);
    if (jumps) {
        r->offset = next_number(r, bytes);
        r->relative = true;
        return;
    }
    if (bytes)
        r->constant = next_number(r, bytes);
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* A move with a memory operand, whole or widened. */
static bool is_memory_move(const struct code_reader *r)
{
    uint8_t op = r->opcode;
    if (r->map == MAP_ONE_BYTE && op >= 0xa0 && op <= 0xa3)
        return true;
    if (!r->has_modrm || r->mod == 3)
        return false;
    if (r->map == MAP_ONE_BYTE)
        return (op >= 0x88 && op <= 0x8b) || op == 0xc6 || op == 0xc7 || op == 0x63;
    if (r->map != MAP_0F)
        return false;
    return (op & 0xfe) == 0x10 || op == 0x12 || op == 0x13 || op == 0x16 || op == 0x17 ||
           (op & 0xfe) == 0x28 || op == 0x6e || op == 0x6f || op == 0x7e || op == 0x7f ||
           op == 0xd6 || op == 0xe7 || (op & 0xf6) == 0xb6;
}

static bool is_nop(const struct code_reader *r)
{
    if (r->map == MAP_0F)
        return r->opcode >= 0x18 && r->opcode <= 0x1f; /* hints and endbr64 among them */
    return r->map == MAP_ONE_BYTE && r->opcode == 0x90 && !(r->rex & REX_B);
}

/* A shift of 8 bytes by 4: to a GPU, whose registers have 4 bytes, another name of a half. */
static bool is_other_half(const struct code_reader *r)
{
    enum { SHIFT_BY_CONSTANT = 0xc1, LEFT = 4, RIGHT = 5, RIGHT_SIGNED = 7, HALF_BITS = 32 };
    return r->map == MAP_ONE_BYTE && r->opcode == SHIFT_BY_CONSTANT && r->rex & REX_W &&
           (r->reg == LEFT || r->reg == RIGHT || r->reg == RIGHT_SIGNED) &&
           r->constant == HALF_BITS;
}

/* Pushes, pops, and changes of the stack pointer. */
static bool is_frame(const struct code_reader *r)
{
    uint8_t op = r->opcode;
    if (r->map != MAP_ONE_BYTE)
        return false;
    if ((op & 0xf0) == 0x50 || op == 0x68 || op == 0x6a || op == 0xc9 || op == 0x8f)
        return true;
    if (op == 0xff)
        return r->reg == 6;
    if (op == 0x8d)
        return r->reg == REGISTER_SP && !(r->rex & REX_R);
    return (op == 0x81 || op == 0x83) && r->mod == 3 && r->rm == REGISTER_SP && !(r->rex & REX_B);
}

/* The argument registers that the instruction does nothing but set. */
static uint8_t arguments_set(const struct code_reader *r)
{
    uint8_t op = r->opcode, to = REGISTER_CX, extension = REX_R;
    const bool is_widened = r->map == MAP_0F && (op & 0xf6) == 0xb6 && r->mod == 3;
    if (r->map != MAP_ONE_BYTE && !is_widened)
        return 0;
    if (is_widened || op == 0x8d || (op == 0x8b && r->mod == 3)) {
        to = r->reg;
    } else if ((op == 0x89 && r->mod == 3) || (op & 0xf8) == 0xb8) {
        to = op == 0x89 ? r->rm : op & 7;
        extension = REX_B;
    }
    if (r->rex & extension)
        return 0;
    return to == REGISTER_DI ? 1 : to == REGISTER_SI ? 2 : 0;
}

static enum code_kind kind_of_transfer(const struct code_reader *r)
{
    if (is_branch(r))
        return CODE_BRANCH;
    if (r->map != MAP_ONE_BYTE)
        return CODE_UNKNOWN;
    switch (r->opcode) {
    case 0xe8:
        return CODE_CALL;
    case 0xe9:
    case 0xeb:
        return CODE_JUMP;
    case 0xc2:
    case 0xc3:
        return CODE_RETURN;
    case 0xff:
        return r->reg == 2 ? CODE_CALL : r->reg == 4 ? CODE_JUMP : CODE_UNKNOWN;
    default:
        return CODE_UNKNOWN;
    }
}

/* Both operands are one register. */
static bool is_with_itself(const struct code_reader *r)
{
    return r->has_modrm && r->mod == 3 && r->reg == r->rm &&
           (r->rex & REX_R) >> 2 == (r->rex & REX_B);
}

/* An address in the frame that is a constant distance from the stack pointer. */
static bool is_place_in_frame(const struct code_reader *r)
{
    return r->on_stack && r->index == NO_INDEX;
}

/* What GPUs have no instruction for: a copy of a register, which instructions with two operands need and those with three do not;
 * a 0; a constant, or an address that is one, in the frame too; an integer made wider, which products of addresses do; another sign of
 * a float, or none, which operands may have. */
static bool is_other_name(const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    const bool is_register = r->has_modrm && r->mod == 3;
    if (r->is_vex)
        return false;
    if (r->map == MAP_ONE_BYTE)
        return (is_register && (op == 0x89 || op == 0x8b || op == 0x63)) || op == 0x98 ||
               (op & 0xf8) == 0xb8 || (op == 0x8d && (r->relative || is_place_in_frame(r))) ||
               ((op == 0x31 || op == 0x33) && is_with_itself(r));
    return r->map == MAP_0F && ((is_register && (op == 0x28 || op == 0x6e || op == 0x7e)) ||
                                ((op == 0x57 || op == 0xef) && is_with_itself(r)) ||
                                ((op == 0x54 || op == 0x57) && r->relative));
}

/* What GPUs do with the two halves of 8 bytes one after another: choices by a condition, too. Left out are shifts to the left, which are of addresses: products
 * with a sum make those; and `and` and `or`, by which a CPU puts two words together. */
static bool is_in_halves(const struct code_reader *r)
{
    enum { XOR = 6, RIGHT = 5, RIGHT_SIGNED = 7 };
    const uint8_t op = r->opcode;
    if (r->map == MAP_0F && (op & 0xf0) == 0x40)
        return r->rex & REX_W;
    if (r->map != MAP_ONE_BYTE || !(r->rex & REX_W) || is_with_itself(r))
        return false;
    if (op == 0x81 || op == 0x83)
        return r->reg == XOR;
    if (op == 0xc1 || op == 0xd1 || op == 0xd3)
        return r->reg == RIGHT || r->reg == RIGHT_SIGNED;
    return op == 0x31 || op == 0x33;
}

static enum code_kind kind_of_product(const struct code_reader *r)
{
    enum { MULTIPLY = 4, MULTIPLY_SIGNED = 5 };
    if (!(r->rex & REX_W))
        return CODE_UNKNOWN;
    if (r->map == MAP_0F)
        return r->opcode == 0xaf ? CODE_PRODUCT : CODE_UNKNOWN;
    if (r->map != MAP_ONE_BYTE)
        return CODE_UNKNOWN;
    if (r->opcode == 0x69 || r->opcode == 0x6b)
        return CODE_PRODUCT;
    return r->opcode == 0xf7 && (r->reg == MULTIPLY || r->reg == MULTIPLY_SIGNED)
               ? CODE_LONG_PRODUCT
               : CODE_UNKNOWN;
}

/* ---- Registers --------------------------------------------------------------------------------- */

static uint8_t register_of_rm(const struct code_reader *r)
{
    return r->mod == 3 ? code_rm(r) : CODE_NO_REGISTER;
}

/* The general register that the instruction writes. */
static uint8_t register_written(const struct code_reader *r)
{
    const uint8_t op = r->opcode;
    if (r->is_vex)
        return CODE_NO_REGISTER;
    if (r->map == MAP_0F)
        return (op & 0xf0) == 0x40 || op == 0xaf || (op & 0xf6) == 0xb6 ? code_reg(r)
               : op == 0x7e                                             ? register_of_rm(r)
                                                                        : CODE_NO_REGISTER;
    if (r->map != MAP_ONE_BYTE)
        return CODE_NO_REGISTER;
    if ((op & 0xf8) == 0xb8)
        return (uint8_t)((op & 7) | (r->rex & REX_B) << 3);
    if (op < 0x38)
        return op & 2 ? code_reg(r) : register_of_rm(r);
    if (op == 0x8b || op == 0x8d || op == 0x63 || op == 0x69 || op == 0x6b)
        return code_reg(r);
    if (op == 0x89 || op == 0x81 || op == 0x83 || op == 0xc1 || op == 0xd1 || op == 0xd3 ||
        op == 0xf7)
        return register_of_rm(r);
    return CODE_NO_REGISTER;
}

/* A sign made wider is no more than 4 bytes either. */
static bool writes_8_bytes(const struct code_reader *r)
{
    const bool is_widened = r->map == MAP_ONE_BYTE && r->opcode == 0x63;
    return r->rex & REX_W && !is_widened;
}

/* ---- Kinds, and what is told of an instruction --------------------------------------------------- */

static enum code_kind kind_of(const struct code_reader *r)
{
    enum code_kind transfer = kind_of_transfer(r);
    if (transfer != CODE_UNKNOWN)
        return transfer;
    if (is_nop(r) || is_frame(r) || is_other_half(r) || (is_memory_move(r) && r->on_stack))
        return CODE_NOTHING;
    if (is_memory_move(r))
        return CODE_MOVE;
    if (r->map == MAP_ONE_BYTE && (r->opcode == 0xf6 || r->opcode == 0xf7) && r->reg >= 6)
        return CODE_INTEGER_DIVISION;
    if (r->map == MAP_0F && (r->opcode == 0x5e || r->opcode == 0x51))
        return CODE_FLOAT_DIVISION;
    if (arguments_set(r))
        return CODE_ARGUMENT;
    if (is_in_halves(r))
        return CODE_IN_HALVES;
    if (kind_of_product(r) != CODE_UNKNOWN)
        return kind_of_product(r);
    return is_other_name(r) ? CODE_NOTHING : CODE_OTHER;
}

bool code_read_x86_64(struct code_reader *r, const uint8_t *code, size_t room)
{
    *r = (struct code_reader){.code = code, .room = room, .index = REGISTER_SP};
    read_opcode(r);
    if (!r->failed)
        read_operands(r);
    return !r->failed;
}

struct code_instruction code_decode_x86_64(const uint8_t *code, size_t room)
{
    struct code_reader r;
    if (!code_read_x86_64(&r, code, room))
        return (struct code_instruction){.kind = CODE_UNKNOWN};
    enum code_kind kind = kind_of(&r);
    return (struct code_instruction){
        .kind = kind,
        .bytes = (uint8_t)r.at,
        .arguments = kind == CODE_ARGUMENT ? arguments_set(&r) : 0,
        .writes = register_written(&r),
        .writes_8 = writes_8_bytes(&r),
        .factor = {register_of_rm(&r), r.map == MAP_0F ? code_reg(&r) : (uint8_t)CODE_NO_REGISTER},
        .has_target = r.relative,
        .target = r.relative ? (int64_t)r.at + r.offset : 0,
    };
}
