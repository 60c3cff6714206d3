/* code_fusion.h - x86-64: which instructions are one of a GPU's together with those in front of them.
 *
 * GPUs since Volta have instructions of three operands: LOP3 (any function of three words, bit by bit), IADD3 (a sum of three), IMAD
 * (a product and a sum), LEA (a shift to the left and a sum), and IMNMX or VIMNMX (the smaller or larger of two). A CPU, whose
 * instructions overwrite one of two operands, has two or three for each. What stands here is what nvcc's code for sm_90 shows.
 */
#ifndef WARPLENS_MACHINE_CODE_CODE_FUSION_H
#define WARPLENS_MACHINE_CODE_CODE_FUSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUSION_REGISTERS = 16 };

enum fusion_kind {
    FUSION_NONE,
    FUSION_LOGIC,
    FUSION_SUM,
    FUSION_SHIFT,   /* to the left, by a constant */
    FUSION_PRODUCT, /* of 4 bytes */
    FUSION_UPPER    /* 8 bytes of which the lower 4 are 0 */
};

/* What the general registers hold that an instruction behind may still be one with. All 0: nothing. */
struct fusion {
    uint8_t kind[FUSION_REGISTERS];    /* enum fusion_kind */
    uint8_t inputs[FUSION_REGISTERS];  /* words that it is made of */
    uint8_t copy_of[FUSION_REGISTERS]; /* 1 + the register that it is a copy of; 0: none */
    bool has_compared;                 /* these two registers, or one with 0 */
    uint8_t compared[2];
};

/* Goes past the instruction at `code`. True when it costs nothing, as it is one with what is in front of it. A call forgets all. */
bool fusion_step_x86_64(struct fusion *fusion, const uint8_t *code, size_t room);

#endif
