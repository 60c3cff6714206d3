/* function_code.h - x86-64: a function's code in blocks, and the forms of its registers and slots in them: the inside of
 * address_form.c.
 *
 *   function_blocks.c  bytes -> instructions -> blocks
 *   function_forms.c   what each place holds where a block begins, and what an instruction makes of it
 *   function_straight.c  which blocks are one for a compiler for GPUs
 *   function_counters.c  counters of loops in forms
 *   kept_form.c        which loads a compiler for GPUs makes once in front of a loop
 *   spared_form.c      which instructions it spares by unrolling
 *   control_flow.c     which blocks depend on which branches
 *   function_region.c  which blocks have no branch between them that a GPU takes
 *   branch_form.c      what branches are to a GPU
 *   needed_form.c      which loads the address of a load comes from
 *   frame_form.c       which addresses are of the frame, and whether a compiler for GPUs has them in registers
 *   address_form.c     what is told of a call's address
 */
#ifndef WARPLENS_MACHINE_CODE_FUNCTION_CODE_H
#define WARPLENS_MACHINE_CODE_FUNCTION_CODE_H

#include "machine_code/address_form.h"
#include "machine_code/code_effect.h"
#include "machine_code/code_size.h"
#include "machine_code/linear_form.h"

enum {
    BYTES_MAX = 65536, /* of a function */
    INSTRUCTIONS_MAX = 8192,
    BLOCKS_MAX = 1024,
    SLOTS_MAX = 48, /* of the frame, that are followed */
    REGISTERS = 16,
    PLACES = REGISTERS + SLOTS_MAX,
    ROUNDS_FREE = 6, /* from then on what was joined once stays so: it might be joined in turns */
    UNROLLED_LOADS_MAX = 128, /* that a loop has once it is unrolled whole */
    ROUNDS_MAX = 64,
    REPLACED_MAX = 16, /* counters in counters */
    LOOPS_MAX = 64,
    FRAME_STEPS_MAX = 64, /* of looking for the frame in what an address is made of */
    AX = 0,
    SP = 4,
    DI = 7,
};

/* What an ATOM_RESULT is of its instruction, besides the number of a register that it clobbers. */
enum { RESULT_MIX = REGISTERS, RESULT_MEMORY, RESULT_SUM };

struct instruction {
    size_t at;
    uint8_t bytes;
    enum code_kind kind;
    bool has_target;
    size_t target;
    struct code_effect effect;
};

struct block {
    uint32_t first, end; /* instructions */
    uint32_t next[2];    /* blocks; BLOCKS_MAX: none */
    uint32_t
        straight; /* the block that a compiler for GPUs begins this one with: it, or one in front of it */
    uint32_t region; /* the first block of those that no branch is between which a GPU takes */
    bool
        is_behind_branch; /* its region is not the one that an iteration of the loop around it, or the function, begins with */
    size_t begins;        /* where its call that begins a block returns to; 0: it has none */
    uint32_t out[PLACES]; /* forms at its end */
    bool joined[PLACES];  /* at its beginning: for good */
    /* Calls for loads, local arrays' left out. This and what follows is known where the function has a loop. */
    uint32_t loads;
    bool changes_global, changes_shared; /* or may change such memory */
};

/* The blocks that a jump back to the head is reached from without passing it, and which the head is in front of. */
struct natural_loop {
    uint32_t head, count; /* of the blocks */
    uint8_t spared;       /* of what only counts in it, of SPARED_WHOLE (spared_form.c) */
    uint64_t blocks[BLOCKS_MAX / 64]; /* a bit each */
};

struct function {
    const uint8_t *code;
    size_t room, entry;
    const struct address_calls *calls;
    bool is_lost;               /* the code is not one that can be followed */
    uint16_t number[BYTES_MAX]; /* 1 + of the instruction there */
    bool is_leader[BYTES_MAX];  /* a block begins there */
    struct instruction read[INSTRUCTIONS_MAX],
        instructions[INSTRUCTIONS_MAX]; /* as read; in order */
    uint32_t count;
    size_t to_read[BLOCKS_MAX * 2];
    uint32_t to_read_count;
    struct block blocks[BLOCKS_MAX];
    uint32_t block_count;
    int64_t slots[SLOTS_MAX];
    uint32_t slot_count;
    unsigned round;           /* of finding forms */
    bool in_loop[BLOCKS_MAX]; /* of the loop that was looked at last */
    struct natural_loop loops[LOOPS_MAX];
    uint32_t loop_count;
    struct linear_forms forms;
};

/* function_blocks.c: reads f->code from f->entry on and cuts it; f->is_lost when it cannot be followed. */
void function_read(struct function *f);
bool function_calls(const struct instruction *i, size_t function);
/* It is one for a GPU. */
bool function_is_counted(const struct instruction *i);
/* Those of the block that are ones for a GPU. */
unsigned function_instructions(const struct function *f, uint32_t block);

/* function_straight.c: sets the blocks' `straight`. */
void function_find_straight(struct function *f);

/* function_forms.c: sets the blocks' `out`; f->is_lost when that does not come to an end. */
void function_find_forms(struct function *f);
/* The forms of all places where a block begins. */
void function_join(struct function *f, uint32_t block, uint32_t *places);
/* What they are behind an instruction. */
void function_step(struct function *f, const struct instruction *i, uint32_t *places);
/* The form of a place that the instruction reads. */
uint32_t function_form(struct function *f, const struct instruction *i, int64_t place,
                       const uint32_t *places);

struct counter {
    uint32_t begin; /* the form in front of the loop */
    int64_t step;
};

/* A form, and the counters that were in it. */
struct resolved {
    uint32_t form, count;
    struct {
        uint32_t block, place; /* where it is joined: the loop's first */
        int64_t step;
    } counters[ADDRESS_COUNTERS_MAX];
};

/* function_counters.c: whether a place where a block begins counts. */
bool function_find_counter(struct function *f, const struct atom *join, struct counter *counter);
/* The form with each counter replaced by what it begins with. */
struct resolved function_resolve(struct function *f, uint32_t form);
/* Whether the loop of which that place is a counter goes round a constant number of times, which *rounds is then: a branch
 * out of it compares its counter with what is a constant away from where it began. Other ways out are left out of account. */
bool function_counts_constantly(struct function *f, uint32_t head, uint32_t place,
                                uint64_t *rounds);
/* Whether the block is the first of such a loop. */
bool function_is_constant_loop(struct function *f, uint32_t head, uint64_t *rounds);
/* The two forms that the branch at the end of a block compares; false when it is of another kind. */
bool function_compared(struct function *f, uint32_t block, uint32_t forms[2]);
/* The same two with the counters of all loops replaced by what they begin with; a form may be FORM_NONE. */
bool function_compared_at_first(struct function *f, uint32_t block, struct resolved sides[2]);
/* Behind the jump back of such a loop, if it lies in one piece that nothing leaves from within; 0 otherwise. */
size_t function_constant_end(struct function *f, uint32_t head, uint32_t place);

/* kept_form.c: the function's loops, and what its blocks do to memory. */
void function_find_loops(struct function *f);
bool function_has_block(const struct natural_loop *loop, uint32_t block);
/* The smallest loop around a block that is larger than `within`; NULL when there is none. */
const struct natural_loop *function_loop_around(const struct function *f, uint32_t block,
                                                const struct natural_loop *within);
/* A branch of the block leaves the loop. */
bool function_leaves(const struct function *f, const struct natural_loop *loop, uint32_t block);
/* What a form is made of, which counters have been replaced in, is of the loop. */
bool function_varies(const struct function *f, const struct natural_loop *loop, uint32_t form);
/* A counter of the loop was in it. */
bool function_counts_in(const struct natural_loop *loop, const struct resolved *resolved);
/* What is told of a call in that block as a load that is made in front of a loop: the outermost one of which that is so. */
void function_find_kept(struct function *f, uint32_t block, const struct instruction *call,
                        const struct resolved *resolved, struct address_form *form);

/* address_form.c: it is made of constants, the kernel's parameters and variables that are not the thread's own. */
bool function_is_uniform(const struct function *f, const struct resolved *resolved);
/* The thread's index is in it. */
bool function_has_index(const struct function *f, uint32_t form);

/* spared_form.c: tells the listener of the instructions that unrolling spares. */
void function_find_spared(struct function *f, const struct address_listener *listener);
/* The most that a compiler for GPUs makes of the loop, whatever its conditions are. */
enum loop_kind function_most_of_loop(struct function *f, const struct natural_loop *loop);
/* Instructions of an iteration, as in struct address_loop. */
uint64_t function_size_of_loop(struct function *f, const struct natural_loop *loop);

/* What a call does to memory. */
enum address_call function_call_kind(const struct function *f, const struct instruction *call);
/* The way from a block to another is a jump back of a loop. */
bool function_jumps_back(struct function *f, uint32_t from, uint32_t to);
/* control_flow.c: of each block, what every way from it goes through, to be freed; NULL without memory. */
struct behind;
struct behind *function_find_behind(const struct function *f);
/* Adds to what each block waits for the conditions of the branches that it depends on; `conditions`: of each
 * block's branch. */
void function_find_conditions(struct function *f, const struct behind *all,
                              const struct flow *conditions, struct flow *waits);
/* The sides of the block's branch meet where the function ends alone. */
bool function_meets_at_end(const struct function *f, const struct behind *all, uint32_t block);
/* ptxas carries out sides of up to some ten instructions under predicates, loads among them. */
enum { PREDICATED_MAX = 12, SIDE_BLOCKS_MAX = 12 };
/* Instructions of the blocks on that side of the branch, up to where the sides meet, and the blocks; no more than it takes to know
 * that there are more than PREDICATED_MAX. */
struct side {
    uint32_t count, blocks[SIDE_BLOCKS_MAX];
};
unsigned function_find_side(const struct function *f, const struct behind *all, uint32_t branch,
                            uint32_t to, struct side *side);
/* By block: whether its branch is left to a GPU, as a side of it is too long to be carried out under a predicate. */
void function_find_branches(const struct function *f, const struct behind *all, bool *is_branch);
/* function_region.c: sets the blocks' `region`. */
void function_find_regions(struct function *f, const struct behind *behind);
/* branch_form.c: tells the listener of the branches that a GPU does without, and of what others take. */
void function_find_branch_costs(struct function *f, const struct behind *behind,
                                const struct address_listener *listener);
/* needed_form.c: tells the listener which loads the addresses of loads come from. */
void function_find_needed(struct function *f, const struct behind *behind,
                          const struct address_listener *listener);

/* frame_form.c: the block of the instruction at that place in the code; BLOCKS_MAX when there is none. */
uint32_t function_block_at(const struct function *f, size_t at);
/* Whether the form is an address in the frame; takes steps, and gives up where there are none left. */
bool function_reaches_frame(struct function *f, uint32_t form, unsigned *steps);
/* What an address is to the function's frame; its lowest and highest place goes to low and high. */
enum address_frame function_frame(struct function *f, const struct resolved *resolved, int64_t *low,
                                  int64_t *high);
/* Whether the call hands an address of the frame to a function that makes accesses of its own. `places`: in front of it. */
bool function_hands_frame(struct function *f, const struct instruction *call,
                          const uint32_t *places);

#endif
