/* code_read.h - x86-64: the fields of an instruction, for what asks more than its length and kind.
 *
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, chapter 2.
 */
#ifndef WARPLENS_MACHINE_CODE_CODE_READ_H
#define WARPLENS_MACHINE_CODE_CODE_READ_H

#include "machine_code/code_size.h"

enum { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_COUNT };

struct code_reader {
    const uint8_t *code;
    size_t room, at; /* bytes that may be read; bytes read: the length */
    bool failed;
    bool operand_16, repeat, is_vex, of_thread; /* of_thread: addresses count from fs */
    uint8_t rex, map, opcode;
    uint8_t mod, reg, rm; /* without the bits that REX adds */
    bool has_modrm, on_stack, relative, has_base;
    uint8_t base, index; /* of an operand in memory, whole; index 4: none */
    uint8_t scale;       /* of the index: log2 */
    int64_t offset;      /* of a jump, or of an operand in memory */
    int64_t constant;    /* behind the operands */
};

/* `index` where an operand in memory has none. */
enum { NO_INDEX = 4 };
enum { REX_B = 1, REX_X = 2, REX_R = 4, REX_W = 8 };

/* The registers that the fields are, whole; rm: where `mod` is 3. */
static inline uint8_t code_reg(const struct code_reader *r)
{
    return (uint8_t)(r->reg | (r->rex & REX_R) << 1);
}
static inline uint8_t code_rm(const struct code_reader *r)
{
    return (uint8_t)(r->rm | (r->rex & REX_B) << 3);
}

/* Reads the instruction that begins at `code`; false when there is none, or it is cut off. */
bool code_read_x86_64(struct code_reader *r, const uint8_t *code, size_t room);

#endif
