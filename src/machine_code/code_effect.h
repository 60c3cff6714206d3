/* code_effect.h - x86-64: which integers an instruction writes, and what it makes them of.
 *
 * A place is a register (0 to 15), a slot of the function's frame (PLACE_SLOT and its distance from
 * the stack pointer), or one of those below. Pure functions on bytes.
 */
#ifndef WARPLENS_MACHINE_CODE_CODE_EFFECT_H
#define WARPLENS_MACHINE_CODE_CODE_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLACE_SLOT (1LL << 40)
#define PLACE_NONE (-1LL)    /* no place: a constant, or nothing */
#define PLACE_FIXED (-2LL)   /* a variable of the program: kernels do not change them in a loop */
#define PLACE_UNKNOWN (-3LL) /* other memory, or a value that is computed in some other way */

enum effect_kind {
    EFFECT_NONE, /* writes no such place */
    EFFECT_SUM,  /* `to` becomes from[0] + factor * from[1] + plus */
    EFFECT_MIX, /* `to` becomes something that is made of `from` alone: where `times` is not 0, `plus` and so
                       many times the one place that there is in `from` */
    EFFECT_COMPARE, /* sets the flags for a branch by `from`, or by from[0] and `plus` where that is `constant` */
    EFFECT_CLOBBER, /* writes the registers in `registers` */
};

struct code_effect {
    enum effect_kind kind;
    bool flags;         /* sets the flags of the processor */
    bool by_flags;      /* what EFFECT_MIX gives depends on them, too */
    bool constant;      /* compares with a constant */
    uint16_t registers; /* bit i: register i */
    int8_t factor;
    int64_t to, from[2];
    int64_t plus, times;
    uint8_t zero_bits; /* the lowest ones of what EFFECT_MIX without `times` gives are 0 */
    /* The variable that PLACE_FIXED stands for: its distance from the instruction's first byte where it is `relative`,
     * in the thread's own memory (a distance from its end) where it is `of_thread`, or its address. */
    int64_t variable;
    bool relative, of_thread;
    bool is_address; /* its address, not what is in it */
};

/* It adds a constant to a place. */
static inline bool code_effect_adds_constant(const struct code_effect *effect)
{
    return effect->kind == EFFECT_SUM && effect->from[0] == effect->to &&
           effect->from[1] == PLACE_NONE;
}

/* What the instruction at `code` does, of which `room` bytes may be read; nothing when unknown. */
struct code_effect code_effect_x86_64(const uint8_t *code, size_t room);

#endif
