/* work.h - how many GPU instructions a piece of a kernel is, estimated from its machine code.
 *
 * A block is the code from where __sanitizer_cov_trace_pc returns to the next such call, or to
 * where the code jumps away or the function returns.
 */
#ifndef WARPLENS_TRACER_WORK_H
#define WARPLENS_TRACER_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "machine_code/address_form.h"

/* What a call from a kernel costs, when it is to one of the runtime's functions: they are in
 * sections of these names. Setting up their arguments costs nothing. So are those of WL_ARITHMETIC (warplens/cuda_calls.h), which
 * are nothing but instructions. */
#define WORK_COST_0 __attribute__((section("warplens_cost_0")))
#define WORK_COST_1 __attribute__((section("warplens_cost_1")))
#define WORK_COST_2 __attribute__((section("warplens_cost_2")))

enum { WORK_MAX = UINT16_MAX, WORK_SLOT_BYTES = 4 };

/* What a piece of a kernel takes: instructions, and the cycles that they hold their warp up beyond its pace (lag.h). */
struct work {
    unsigned instructions, lag;
};

/* Where a block begins: that lanes come there is told (widths/kept_loads.h). */
#define WORK_WATCHED 0x8000U

/* What every kernel for a GPU has besides what the host's code shows: nvcc's code loads the stack pointer and exits. */
enum { WORK_OF_KERNEL = 2 };

/* Figures by place in the program's code, a slot for every 4 bytes: return addresses, which index it, are
 * that far apart. Each is 0 before it is known. */
struct work_slot {
    uint16_t rest;  /* 1 + instructions from here to the end of the block, and WORK_WATCHED */
    uint16_t block; /* instructions of the block that this is in */
    uint16_t lag;   /* cycles of lag from here to the end of the block */
};
/* What is known of an instruction before it is counted (address_form.h). */
struct work_note {
    int16_t spared; /* of SPARED_WHOLE; below 0: what there is besides */
    uint8_t branch; /* enum gpu_branch */
};
struct work_table {
    uintptr_t code_begin;
    uintptr_t slot_count;
    struct work_slot *slots;
    struct work_note *notes; /* by byte of the code; NULL: there are none */
};
extern struct work_table work_table;

/* Where a place in the code is in the table; slot_count or beyond: it is elsewhere. */
static inline uintptr_t work_slot_at(uintptr_t pc)
{
    return (pc - work_table.code_begin) / WORK_SLOT_BYTES;
}

/* 1 + instructions from the return address `pc` to the end of its block, 0 where that is not known yet, and WORK_WATCHED. */
static inline unsigned work_known(uintptr_t pc)
{
    const uintptr_t slot = work_slot_at(pc);
    return slot < work_table.slot_count ? work_table.slots[slot].rest : 0;
}

/* From `pc` to the end of its block, where work_known says `known`, WORK_WATCHED left out, and that is not 0. */
static inline struct work work_kept(uintptr_t pc, unsigned known)
{
    return (struct work){known - 1, work_table.slots[work_slot_at(pc)].lag};
}

/* Of the instruction at that address a compiler for GPUs spares so much of SPARED_WHOLE, or has more (address_form.h): told before
 * lanes enter its function. */
void work_spare(uintptr_t at, int spared);

/* ... and what the branch at that address is. */
void work_branch(uintptr_t at, enum gpu_branch branch);

/* The block that begins at the return address `pc` is watched from now on. */
void work_watch(uintptr_t pc);

/* Finds the program's code. */
void work_start(void);

/* Of the block that begins at the return address `pc`, where work_known has nothing of it; instructions are below WORK_WATCHED - 1. From then
 * on work_of_block knows it. */
struct work work_enter_block(uintptr_t pc);

/* Where the first block from `at` on begins; code_end or behind when there is none. */
uintptr_t work_next_block(uintptr_t at, uintptr_t code_end);

/* Instructions from `pc` to the end of its block, as estimated from the host's code alone; *next: where the next block begins, or
 * behind code_end. */
unsigned work_estimate(uintptr_t pc, uintptr_t code_end, uintptr_t *next);

/* Instructions of all blocks from that of the return address `pc` on to the one that is `bytes` behind it. */
unsigned work_between(uintptr_t pc, uint32_t bytes);

/* From the return address `pc` to the end of its block. */
struct work work_from(uintptr_t pc);

/* Instructions of the block, entered before, that the return address `pc` is in. */
unsigned work_of_block(uintptr_t pc);

#endif
