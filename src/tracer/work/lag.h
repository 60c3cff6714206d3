/* lag.h - cycles that an instruction of a GPU holds its warp up beyond the warp's pace (instruction_millicycles), on Volta and later.
 *
 * Source: what warps of 910 launches on an H100 wait for, by the opcodes that they have (tools/cuda/measure_causes.sh): least
 * squares give a branch 9 cycles of stall_wait, 1 of stall_branch_resolving and 1 of stall_no_instruction, and its comparison 4;
 * BSYNC 6 and 9; MUFU 6 of stall_wait and 10 of stall_short_scoreboard; conversions 18 of the latter. Those of a
 * quotient are its MUFU and FCHK with the branch behind them, of an integer's its conversions and MUFU.
 */
#ifndef WARPLENS_TRACER_LAG_H
#define WARPLENS_TRACER_LAG_H

#include <stdint.h>

#include "machine_code/address_form.h"
#include "machine_code/code_size.h"

enum lag {
    LAG_BRANCH = 16,
    LAG_RECONVERGENCE = 10, /* of lanes that have parted, besides their branch */
    LAG_FLOAT_DIVISION = 30,
    LAG_INTEGER_DIVISION = 45,
    LAG_CONVERSION = 16,
    LAG_DOUBLE = 5,
    LAG_FUNCTION = 16, /* of mathematics */
    LAG_SHUFFLE = 18
};

/* Cycles, of what stands for the instruction of this computer at that address; `branch`: what it is, if it is one. */
unsigned lag_of_instruction(uintptr_t at, const struct code_instruction *instruction,
                            enum gpu_branch branch);

#endif
