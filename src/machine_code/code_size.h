/* code_size.h - machine code, one instruction at a time: how long it is and what kind it is.
 *
 * Pure functions on bytes. Both processors' decoders are built on every machine.
 */
#ifndef WARPLENS_MACHINE_CODE_CODE_SIZE_H
#define WARPLENS_MACHINE_CODE_CODE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_kind {
    CODE_UNKNOWN,  /* not an instruction, or cut off: its length is 0 */
    CODE_OTHER,    /* arithmetic and everything not named below */
    CODE_NOTHING,  /* no operation, or work on the stack: frames, saved registers, spills */
    CODE_MOVE,     /* only moves between a register and memory that is not the stack */
    CODE_ARGUMENT, /* only puts a value into an argument register: `arguments` says which */
    CODE_CALL,
    CODE_JUMP, /* always taken */
    CODE_BRANCH,
    CODE_RETURN,
    CODE_INTEGER_DIVISION,
    CODE_FLOAT_DIVISION, /* and square root */
    CODE_IN_HALVES, /* exclusive or, shifts to the right and choices of 8 bytes, but shifts by 4 of them */
    CODE_PRODUCT,      /* of 8 bytes */
    CODE_LONG_PRODUCT, /* of 8 bytes, all 16 of it */
};

enum { CODE_NO_REGISTER = 16 };

struct code_instruction {
    enum code_kind kind;
    uint8_t bytes;     /* 0 when unknown */
    uint8_t arguments; /* bit i: the (i + 1)-th argument's register; the first two only */
    uint8_t
        writes; /* the general register, or CODE_NO_REGISTER; calls and products may write more */
    bool writes_8;     /* its 8 bytes; otherwise the upper 4 are 0, or its sign */
    uint8_t factor[2]; /* of CODE_PRODUCT: registers, CODE_NO_REGISTER for a constant or memory */
    bool has_target;   /* of a direct call, jump or branch; of an operand relative to the code */
    int64_t target;    /* in bytes from the instruction's first */
};

/* The instruction that begins at `code`, of which `room` bytes may be read. */
struct code_instruction code_decode_x86_64(const uint8_t *code, size_t room);
struct code_instruction code_decode_arm64(const uint8_t *code, size_t room);

#endif
