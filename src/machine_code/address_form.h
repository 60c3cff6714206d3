/* address_form.h - x86-64: what a function's calls for its accesses are known to have as their addresses.
 *
 * An address is a base that the code does not tell, counters of loops, and a constant. Two addresses with one base
 * are apart by what the constants and counters say; the base is a multiple of a power of two that the code
 * does tell (of arrays, rows and elements of known sizes). Compilers for GPUs join accesses by no more than that.
 */
#ifndef WARPLENS_MACHINE_CODE_ADDRESS_FORM_H
#define WARPLENS_MACHINE_CODE_ADDRESS_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine_code/loop_step.h"
#include "machine_code/value_flow.h"

enum { SPARED_WHOLE = 16 };
enum { ADDRESS_COUNTERS_MAX = 3, ADDRESS_ENTRIES_MAX = 4 };

/* What an address is to the function's frame, where its local arrays are. */
enum address_frame {
    ADDRESS_ELSEWHERE,   /* none of it, as far as is known */
    ADDRESS_FRAME_FIXED, /* of it, at a place that is a constant once loops that go round a constant number of times are unrolled */
    ADDRESS_FRAME_VARIES /* of it, at a place that is not; or the call is of a function that may access the frame */
};

struct address_form {
    size_t at;       /* where the call returns to */
    uint32_t block;  /* calls of one block are made one after another, without a branch between that
                       compilers for GPUs leave */
    uint32_t region; /* calls of one region have no branch between them that a GPU takes */
    bool
        is_behind_branch; /* the region is not the one that an iteration of the loop around begins with */
    uint32_t
        base; /* equal ones are the same value as long as no loop goes round that is not in `counters` */
    size_t
        fixed_head; /* of the outermost loop around in which the base does not change, as a counter's; 0: there is none */
    uint32_t fixed_bytes; /* of the loop, from there on */
    uint8_t log2;         /* the base is a multiple of two to this, 4 at most */
    bool
        is_uniform; /* where the function is a kernel: all threads of a block have the same address in the same iteration */
    enum address_frame frame;
    /* Of a fixed one: its lowest and highest place over all iterations, as distances in the frame. */
    int64_t frame_low, frame_high;
    /* A load that compilers for GPUs make in front of a loop: how often an iteration of the loop makes it (0: it is made where
     * it is), and where the beginnings of the blocks return to from which the loop is entered. */
    uint32_t kept_loads, kept_entry_count;
    size_t kept_entries[ADDRESS_ENTRIES_MAX];
    int64_t constant; /* in front of the loops' first iterations */
    uint32_t counter_count;
    struct {
        size_t head;  /* of the loop: where its first block's beginning returns to; 0: not known */
        size_t end;   /* behind its jump back, if it goes round a constant number of times; or 0 */
        int64_t step; /* of the address, each iteration */
    } counters[ADDRESS_COUNTERS_MAX];
};

/* What the functions are that the code calls, and where the words of threadIdx are, as distances from its beginning. */
struct address_calls {
    size_t block_begins, function_begins, dynamic_shared;
    size_t thread_index, thread_index_end;
    enum address_call (*kind_of)(size_t function); /* NULL: nothing is known of others */
};

/* What a branch is to a GPU (branch_form.c). */
enum gpu_branch {
    GPU_BRANCH_UNKNOWN, /* in code that has not been looked through */
    GPU_BRANCH_LEFT,    /* of a loop, a jump, or all lanes of a warp go the same way */
    GPU_BRANCH_PARTS,   /* its lanes part, and come together again */
    GPU_BRANCH_EXITS,   /* lanes exit by it */
    GPU_BRANCH_NONE /* its sides are carried out under a predicate, or it is one with the branch in front of it */
};

struct address_loop {
    size_t head;         /* where its first block's beginning returns to */
    bool is_constant;    /* it goes round a constant number of times */
    enum loop_kind most; /* that a compiler for GPUs makes of it */
    bool
        is_straight; /* no branch that a GPU takes is in it, but for those that leave it or go on with it */
    uint64_t
        size; /* instructions of an iteration, loops in it unrolled whole where they go round a constant number of times */
};

/* Who is told of what a function has. */
struct address_listener {
    void (*found)(void *context, const struct address_form *form);
    void (*found_loop)(void *context, const struct address_loop *loop); /* NULL: not wanted */
    /* An instruction at that place in the code of which a compiler for GPUs spares so much of SPARED_WHOLE; below 0: so many times
     * SPARED_WHOLE as it has instructions besides. NULL: not wanted. */
    void (*found_spared)(void *context, size_t at, int spared);
    /* A branch at that place. NULL: not wanted. */
    void (*found_branch)(void *context, size_t at, enum gpu_branch branch);
    /* A load, by where its call returns to, its number in the function, and the loads that its address comes from, by theirs. NULL:
     * not wanted. */
    void (*found_needed)(void *context, size_t at, unsigned number, struct flow needed);
    void *context;
};

/* The forms of all calls of the function that code[entry] is in the first block of, and its loops, in no order.
 * False without memory. A function that is too large or jumps to where it computes has none. */
bool address_forms_x86_64(const uint8_t *code, size_t room, size_t entry,
                          const struct address_calls *calls,
                          const struct address_listener *listener);

#endif
