/* work.c - machine code of kernels -> an estimate of the GPU instructions that a block takes.
 *
 * Decisions. One instruction of the CPU stands for one of the GPU, with these exceptions:
 *  - an access is what its hook announces: 1 for the call, nothing for the move that carries it out
 *    and for what sets the call's arguments up. An operation with an operand in memory is 1 besides:
 *    GPUs load and compute in two instructions;
 *  - frames, saved registers, spills and constants loaded from memory are nothing: a GPU thread has
 *    registers for them and constants in its instructions. Reading an index (threadIdx) is 1, in an operand too;
 *  - jumps to the next instruction and padding are nothing;
 *  - an exclusive or or a shift to the right of 8 bytes is 2, a product of them 4, all 16 bytes of it 10: registers have 4.
 *    A product of what is made wider is 1, with one such factor 3;
 *  - an integer division or remainder is 20: GPUs have no such instruction, and the sequence that
 *    stands for it is some 20 to 40 long (CUDA C++ Best Practices Guide, "Division Modulo
 *    Operations"). Division and square root of floats are 10: a reciprocal, the steps that refine
 *    it, and the check for special values;
 *  - what GPUs have no instruction for (is_other_name in code_size.c) is nothing: copies of registers, zeros, constants,
 *    integers made wider;
 *  - what a loop counts with is nothing once it is unrolled whole, and a part of an instruction where it is unrolled by some, in front
 *    of which more is done (machine_code/spared_form.c);
 *  - a shuffle or vote is 1, a function of mathematics what math_cost.def says, every other function that a GPU would
 *    carry out is 1;
 *  - an addition of a product is nothing: it is one instruction with the multiplication. So it is with sums and logic of three words,
 *    shifts and sums, products and sums, and the smaller or larger of two (machine_code/code_fusion.c);
 *  - branches around few instructions are nothing, and those instructions are made whatever the condition is; around more, lanes
 *    part and come together (machine_code/branch_form.c);
 *  - a kernel is WORK_OF_KERNEL besides, and one for each parameter, which GPUs load from constant memory.
 *
 * The compiler for the GPU keeps other values in registers, and knows other shortcuts, so the figure is an estimate; it does not
 * depend on where the program is loaded. Only bytes of the program's own executable segment are read. From an instruction that
 * the decoder does not know on, a block counts 1 for each 4 bytes.
 */
#define _GNU_SOURCE
#include "tracer/work/work.h"

#include <link.h>
#include <stdlib.h>

#include "machine_code/address_form.h"
#include "machine_code/code_fusion.h"
#include "machine_code/code_size.h"
#include "machine_code/float_effect.h"
#include "tracer/engine.h"
#include "tracer/made/loops.h"
#include "tracer/tracer.h"
#include "tracer/widths/widths.h"
#include "tracer/work/call_cost.h"
#include "tracer/work/lag.h"
#include "warplens/cuda.h"

enum {
    COST_INTEGER_DIVISION = 20,
    COST_FLOAT_DIVISION = 10,
    COST_IN_HALVES = 2,
    COST_LONG_PRODUCT = 10,
    UNKNOWN_BYTES_EACH = 4
};

#if defined(__aarch64__)
#define code_decode code_decode_arm64
#else
#define code_decode code_decode_x86_64
#endif

void __sanitizer_cov_trace_pc(void);

struct work_table work_table;

/* The executable segment that holds the runtime, and so the kernels linked with it. */
static int find_code(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
            !(segment->p_flags & PF_R) || (uintptr_t)work_start - begin >= segment->p_filesz)
            continue;
        work_table.code_begin = begin;
        work_table.slot_count = segment->p_filesz / WORK_SLOT_BYTES;
    }
    return 1; /* the first object is the program itself */
}

void work_start(void)
{
    if (work_table.slots)
        return;
    dl_iterate_phdr(find_code, NULL);
    work_table.slots = calloc(work_table.slot_count + 1, sizeof *work_table.slots);
    if (work_table.slots == NULL) {
        work_table.slot_count = 0;
        tracer_fail("no memory for the kernels' instructions");
    }
}

struct count {
    unsigned total;
    unsigned lag; /* of SPARED_WHOLE a cycle */
    int spared;   /* of SPARED_WHOLE an instruction */
    uint8_t held; /* argument registers set: they cost nothing if a call of the runtime follows */
    bool ended;
    uint32_t products; /* vector registers that hold a product which nothing has taken */
    uint32_t wide;     /* general registers that something has put 8 bytes in, in this block */
    struct fusion fusion;
};

#if defined(__aarch64__)
static bool is_joined(struct count *count, uintptr_t at, size_t room)
{
    (void)count, (void)at, (void)room;
    return false;
}
#else
/* An addition that takes a product, which is one instruction with the multiplication. Keeps count->products. */
static bool is_contracted(struct count *count, uintptr_t at, size_t room)
{
    const struct float_effect effect = float_effect_x86_64((const uint8_t *)at, room);
    const uint32_t to = 1U << effect.to, from = 1U << effect.from;
    const bool takes_to = count->products & to, takes_from = count->products & from;
    if (effect.kind == FLOAT_NONE)
        return false;
    count->products &= ~to;
    if (effect.kind == FLOAT_MULTIPLY || (effect.kind == FLOAT_MOVE && takes_from))
        count->products |= to;
    if (effect.kind != FLOAT_ADD)
        return false;
    if (!takes_to)
        count->products &= ~from;
    return takes_to || takes_from;
}

/* The instruction is one of a GPU's together with those in front of it. */
static bool is_joined(struct count *count, uintptr_t at, size_t room)
{
    const bool is_sum_of_product = is_contracted(count, at, room);
    return fusion_step_x86_64(&count->fusion, (const uint8_t *)at, room) || is_sum_of_product;
}
#endif

static void count_held(struct count *count, uint8_t held)
{
    count->total += (unsigned)__builtin_popcount(held);
    count->held &= (uint8_t)~held;
}

static void count_call(struct count *count, uintptr_t function, uintptr_t back)
{
    int cost =
        widths_is_in_register((uint32_t)(back - engine.image_base)) ? 0 : call_cost(function);
    if (cost < 0)
        count_held(count, count->held);
    count->held = 0;
    count->total += cost < 0 ? call_cost_of_other(function) : (unsigned)cost;
    count->ended = function == (uintptr_t)__sanitizer_cov_trace_pc;
}

static bool is_index(uintptr_t address)
{
    return address - (uintptr_t)&wl_indices < sizeof wl_indices;
}

/* One instruction for the lower halves (IMAD.WIDE), and one for each upper half that may be more than a sign; their sum. */
static unsigned cost_of_product(const struct count *count, const uint8_t factor[2])
{
    const unsigned wide = (count->wide >> factor[0] & 1) + (count->wide >> factor[1] & 1);
    return wide == 0 ? 1 : wide + 2;
}

/* Keeps count->wide, behind the instruction. */
static void note_width(struct count *count, const struct code_instruction *instruction)
{
    enum { KEPT_BY_CALLS = 1 << 3 | 1 << 5 | 0xf << 12, AX_AND_DX = 1 << 0 | 1 << 2 };
    const uint32_t written = 1U << instruction->writes;
    if (instruction->kind == CODE_CALL)
        count->wide &= KEPT_BY_CALLS;
    if (instruction->kind == CODE_LONG_PRODUCT)
        count->wide |= AX_AND_DX;
    count->wide = instruction->writes_8 ? count->wide | written : count->wide & ~written;
    count->wide &= ~(1U << CODE_NO_REGISTER);
}

/* Adds the instruction at `at`. */
static void count_one(struct count *count, uintptr_t at, const struct code_instruction *instruction)
{
    uintptr_t target = instruction->has_target ? at + (uintptr_t)instruction->target : 0;
    switch (instruction->kind) {
    case CODE_CALL:
        count_call(count, target, at + instruction->bytes);
        break;
    case CODE_ARGUMENT:
        count_held(count, count->held & instruction->arguments);
        count->held |= instruction->arguments;
        break;
    case CODE_MOVE:
        count->total += is_index(target);
        break;
    case CODE_JUMP:
    case CODE_BRANCH:
        if (target == at + instruction->bytes)
            break;
        count->total++;
        count->ended = instruction->kind == CODE_JUMP;
        break;
    case CODE_RETURN:
        count->total++;
        count->ended = true;
        break;
    case CODE_INTEGER_DIVISION:
        count->total += COST_INTEGER_DIVISION;
        break;
    case CODE_FLOAT_DIVISION:
        count->total += COST_FLOAT_DIVISION;
        break;
    case CODE_IN_HALVES:
        count->total += COST_IN_HALVES;
        break;
    case CODE_PRODUCT:
        count->total += cost_of_product(count, instruction->factor);
        break;
    case CODE_LONG_PRODUCT:
        count->total += COST_LONG_PRODUCT;
        break;
    case CODE_OTHER:
        count->total += 1 + is_index(target);
        break;
    case CODE_NOTHING:
    case CODE_UNKNOWN:
        break;
    }
}

/* Bytes from `at` to the next call that begins a block, found without knowing instructions. */
static size_t bytes_to_next_block(uintptr_t at, size_t room)
{
    for (size_t bytes = 0; bytes < room; bytes++) {
        struct code_instruction call = code_decode((const uint8_t *)at + bytes, room - bytes);
        if (call.kind == CODE_CALL && call.has_target &&
            at + bytes + (uintptr_t)call.target == (uintptr_t)__sanitizer_cov_trace_pc)
            return bytes;
    }
    return room;
}

/* NULL without memory. */
static struct work_note *note_at(uintptr_t at)
{
    if (work_table.notes == NULL)
        work_table.notes =
            calloc(work_table.slot_count, WORK_SLOT_BYTES * sizeof *work_table.notes);
    return work_table.notes ? &work_table.notes[at - work_table.code_begin] : NULL;
}

void work_spare(uintptr_t at, int spared)
{
    struct work_note *note = note_at(at);
    if (note)
        note->spared = (int16_t)spared;
}

void work_branch(uintptr_t at, enum gpu_branch branch)
{
    struct work_note *note = note_at(at);
    if (note)
        note->branch = (uint8_t)branch;
}

static struct work_note known_of(uintptr_t at)
{
    return work_table.notes ? work_table.notes[at - work_table.code_begin] : (struct work_note){0};
}

/* Adds the instruction at `at`, less what a GPU's compiler spares of it, or with what it has besides. */
static void count_less(struct count *count, uintptr_t at,
                       const struct code_instruction *instruction)
{
    const unsigned before = count->total;
    count_one(count, at, instruction);
    const struct work_note note = known_of(at);
    count->spared += note.spared < 0 ? note.spared : (int)(count->total - before) * note.spared;
    const int left = note.spared < 0 ? SPARED_WHOLE : SPARED_WHOLE - note.spared;
    if (count->total > before)
        count->lag += lag_of_instruction(at, instruction, note.branch) * (unsigned)left;
}

/* In whole instructions. */
static unsigned without_spared(const struct count *count)
{
    const int total = (int)count->total * SPARED_WHOLE - count->spared;
    return (unsigned)(total + SPARED_WHOLE / 2) / SPARED_WHOLE;
}

/* Instructions from `at` to the end of the block, which is stored in *end, as they are estimated. */
static struct work estimate_to_end(uintptr_t at, uintptr_t *end)
{
    uintptr_t code_end = work_table.code_begin + work_table.slot_count * WORK_SLOT_BYTES;
    struct count count = {0};
    while (at < code_end && !count.ended && count.total < WORK_MAX) {
        struct code_instruction instruction = code_decode((const uint8_t *)at, code_end - at);
        if (instruction.bytes == 0) {
            size_t bytes = bytes_to_next_block(at, code_end - at);
            count.total += (unsigned)(bytes / UNKNOWN_BYTES_EACH);
            at += bytes;
            break;
        }
        if (!is_joined(&count, at, code_end - at))
            count_less(&count, at, &instruction);
        else if (instruction.has_target)
            count.total += is_index(at + (uintptr_t)instruction.target);
        note_width(&count, &instruction);
        at += instruction.bytes;
    }
    count_held(&count, count.held);
    count.total = without_spared(&count);
    *end = at;
    const unsigned lag = count.lag / SPARED_WHOLE;
    return (struct work){count.total < WORK_MAX ? count.total : WORK_MAX - 1,
                         lag < WORK_MAX ? lag : WORK_MAX};
}

/* ... or as they are known. */
static struct work count_to_end(uintptr_t at, uintptr_t *end)
{
    struct work work = estimate_to_end(at, end);
    work.instructions = made_work(at, work.instructions);
    if (work.instructions > WORK_WATCHED - 2)
        work.instructions = WORK_WATCHED - 2;
    return work;
}

static struct work_slot *slot_of(uintptr_t pc)
{
    const uintptr_t slot = work_slot_at(pc);
    return slot < work_table.slot_count ? &work_table.slots[slot] : NULL;
}

static unsigned rest_of(const struct work_slot *slot)
{
    return slot->rest & ~WORK_WATCHED;
}

void work_watch(uintptr_t pc)
{
    struct work_slot *slot = slot_of(pc);
    if (slot)
        slot->rest |= WORK_WATCHED;
}

#if defined(__aarch64__)
enum { CALL_BYTES = 4 };
#else
enum { CALL_BYTES = 5 };
#endif

/* A call that begins a block returns to there. */
static bool begins_block(uintptr_t pc)
{
    const struct code_instruction call = code_decode((const uint8_t *)pc - CALL_BYTES, CALL_BYTES);
    return call.kind == CODE_CALL && call.has_target &&
           pc - CALL_BYTES + (uintptr_t)call.target == (uintptr_t)__sanitizer_cov_trace_pc;
}

static void keep(struct work_slot *slot, struct work work)
{
    slot->rest |= (uint16_t)(work.instructions + 1);
    slot->lag = (uint16_t)work.lag;
}

struct work work_enter_block(uintptr_t pc)
{
    struct work_slot *slot = slot_of(pc);
    uintptr_t end;
    if (slot == NULL)
        return (struct work){0};
    struct work work = count_to_end(pc, &end);
    if (!begins_block(pc)) /* a jump in place of the last call: it returns to the caller */
        work = (struct work){0};
    keep(slot, work);
    /* The slot of the next block's return address, behind the call that ends this one, is its own. */
    for (uintptr_t at = pc; at + WORK_SLOT_BYTES < end; at += WORK_SLOT_BYTES)
        slot_of(at)->block = (uint16_t)work.instructions;
    return work;
}

struct work work_from(uintptr_t pc)
{
    struct work_slot *slot = slot_of(pc);
    uintptr_t end;
    if (slot == NULL)
        return (struct work){0};
    if (rest_of(slot) == 0)
        keep(slot, count_to_end(pc, &end));
    return work_kept(pc, rest_of(slot));
}

unsigned work_of_block(uintptr_t pc)
{
    const struct work_slot *slot = slot_of(pc);
    return slot ? slot->block : 0;
}

uintptr_t work_next_block(uintptr_t at, uintptr_t code_end)
{
    return at + bytes_to_next_block(at, code_end - at) + CALL_BYTES;
}

unsigned work_estimate(uintptr_t pc, uintptr_t code_end, uintptr_t *next)
{
    const unsigned work = estimate_to_end(pc, next).instructions;
    if (*next < code_end && !begins_block(*next))
        *next = work_next_block(*next, code_end);
    return work;
}

unsigned work_between(uintptr_t pc, uint32_t bytes)
{
    const uintptr_t code_end = work_table.code_begin + work_table.slot_count * WORK_SLOT_BYTES;
    unsigned work = 0;
    for (uintptr_t at = pc, end; at < pc + bytes && at < code_end; at = end) {
        work += count_to_end(at, &end).instructions;
        if (!begins_block(end))
            end += bytes_to_next_block(end, code_end - end) + CALL_BYTES;
    }
    return work;
}
