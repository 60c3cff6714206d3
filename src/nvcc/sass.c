/* sass.c - the fields of an instruction. */
#include "nvcc/sass.h"

enum {
    OPERATION_BITS = 9, /* the three above say which operands there are */
    WIDTH_AT = 9,       /* these of the upper 64 bits */
    COUNTER_AT = 46,
    WAITS_AT = 52,
    TARGET_AT = 34,     /* and these of the lower ones */
    TARGET_LOW_AT = 16, /* its lowest 8 bits, from sm_90 on */
    SM_OF_LOW_BITS = 90,
    LD = 0x180,
    LDG = 0x181,
    LDS = 0x184,
    ST = 0x185,
    STG = 0x186,
    STS = 0x188,
    CALL_RELATIVE = 0x144,
    BRA = 0x147,
    NOP = 0x118,
};

static uint64_t read_word(const uint8_t *at)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)at[i] << (8 * i);
    return word;
}

/* In units of 4 bytes, from behind the instruction. */
static int64_t read_target(uint64_t low, int sm)
{
    const int64_t high = (int64_t)(low >> TARGET_AT ^ 1U << 29) - (int64_t)(1U << 29);
    const int64_t units =
        sm >= SM_OF_LOW_BITS ? high * 256 + (int64_t)(low >> TARGET_LOW_AT & 0xff) : high;
    return SASS_BYTES + units * 4;
}

static enum sass_kind kind_of(unsigned operation)
{
    switch (operation) {
    case LD:
    case LDG:
        return SASS_LOAD;
    case LDS:
        return SASS_LOAD_SHARED;
    case ST:
    case STG:
    case STS:
        return SASS_STORE;
    case BRA:
        return SASS_BRANCH;
    case CALL_RELATIVE:
        return SASS_CALL;
    case NOP:
        return SASS_NOTHING;
    default:
        return SASS_OTHER;
    }
}

struct sass_instruction sass_decode(const uint8_t code[SASS_BYTES], int sm)
{
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 8, 16, 16};
    const uint64_t low = read_word(code), high = read_word(code + 8);
    struct sass_instruction in = {.kind = kind_of(low & ((1U << OPERATION_BITS) - 1)),
                                  .counter = high >> COUNTER_AT & 7,
                                  .waits = high >> WAITS_AT & 0x3f};
    if (in.kind == SASS_LOAD || in.kind == SASS_LOAD_SHARED || in.kind == SASS_STORE)
        in.bytes = widths[high >> WIDTH_AT & 7];
    in.has_target = in.kind == SASS_BRANCH || in.kind == SASS_CALL;
    if (in.has_target)
        in.target = read_target(low, sm);
    return in;
}
