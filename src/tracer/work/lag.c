/* lag.c - the lag of an instruction by its kind. */
#include "tracer/work/lag.h"

#include "machine_code/float_effect.h"
#include "tracer/work/call_cost.h"

#if defined(__aarch64__)
static unsigned lag_of_float(uintptr_t at, size_t room)
{
    (void)at, (void)room;
    return 0;
}
#else
static unsigned lag_of_float(uintptr_t at, size_t room)
{
    static const unsigned lags[] = {[FLOAT_UNIT_NONE] = 0,
                                    [FLOAT_UNIT_DOUBLES] = LAG_DOUBLE,
                                    [FLOAT_UNIT_CONVERSIONS] = LAG_CONVERSION};
    return lags[float_unit_x86_64((const uint8_t *)at, room)];
}
#endif

/* Of a branch or jump. Sides under a predicate have none, nor do lanes that exit. */
static unsigned lag_of_branch(enum gpu_branch branch)
{
    switch (branch) {
    case GPU_BRANCH_LEFT:
        return LAG_BRANCH;
    case GPU_BRANCH_PARTS:
        return LAG_BRANCH + LAG_RECONVERGENCE;
    default:
        return 0;
    }
}

unsigned lag_of_instruction(uintptr_t at, const struct code_instruction *instruction,
                            enum gpu_branch branch)
{
    switch (instruction->kind) {
    case CODE_BRANCH:
    case CODE_JUMP:
        return lag_of_branch(branch);
    case CODE_FLOAT_DIVISION:
        return LAG_FLOAT_DIVISION;
    case CODE_INTEGER_DIVISION:
        return LAG_INTEGER_DIVISION;
    case CODE_CALL:
        return instruction->has_target ? call_lag(at + (uintptr_t)instruction->target) : 0;
    default:
        return lag_of_float(at, instruction->bytes);
    }
}
