/* float_effect.h - x86-64: which instructions multiply and add floats, so that a multiplication whose product an addition
 * takes can be told: GPUs have one instruction for both.
 *
 * Pure functions on bytes.
 */
#ifndef WARPLENS_MACHINE_CODE_FLOAT_EFFECT_H
#define WARPLENS_MACHINE_CODE_FLOAT_EFFECT_H

#include <stddef.h>
#include <stdint.h>

enum float_kind {
    FLOAT_NONE,     /* writes no vector register */
    FLOAT_MULTIPLY, /* to *= from, of one float or double */
    FLOAT_ADD,      /* to += from, or -= */
    FLOAT_MOVE,     /* to = from */
    FLOAT_OTHER,    /* writes `to` */
};

enum { FLOAT_FROM_MEMORY = 16 };

struct float_effect {
    enum float_kind kind;
    uint8_t to, from; /* vector registers, 0 to 15; FLOAT_FROM_MEMORY */
};

/* What the instruction at `code` does, of which `room` bytes may be read. */
struct float_effect float_effect_x86_64(const uint8_t *code, size_t room);

/* Whose work it is on a GPU: of the unit that doubles have, or of the one that converts floats to integers and to other widths. Integers
 * of 4 bytes become floats as integers are added. */
enum float_unit { FLOAT_UNIT_NONE, FLOAT_UNIT_DOUBLES, FLOAT_UNIT_CONVERSIONS };
enum float_unit float_unit_x86_64(const uint8_t *code, size_t room);

#endif
