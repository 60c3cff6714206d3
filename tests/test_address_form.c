/* test_address_form.c - what is known of the addresses that a function hands to calls, by hand-written machine code: what
 * they are multiples of, which have one base, and how they count.
 */
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "machine_code/address_form.h"

#if defined(__x86_64__)
/* A function as gcc makes them: `body` calls ACCESS for its accesses. */
#define SAMPLE(name, body)                                                                         \
    __asm__(".text\n"                                                                              \
            "form_" #name ":\n"                                                                    \
            "  call form_function_begins\n"                                                        \
            "form_" #name "_entry:\n"                                                              \
            "  call form_block_begins\n" body "\n  ret\n"                                          \
            "form_" #name "_end:\n");                                                              \
    extern const uint8_t form_##name[], form_##name##_entry[], form_##name##_end[];

#define ACCESS "  call form_access\n"
__asm__(".text\n"
        "form_block_begins: ret\nform_function_begins: ret\nform_shared: ret\nform_access: ret\n");
extern const uint8_t form_block_begins[], form_function_begins[], form_shared[], form_access[];

#define TILE                                                                                       \
    "  movq %fs:0, %rax\n  leaq -4096(%rax), %rbx\n" /* an array of the thread's own memory */
SAMPLE(rows_of_16,
       "  movslq (%r8), %rcx\n  salq $6, %rcx\n" TILE
       "  leaq (%rbx,%rcx), %rbp\n  movq %rbp, %rdi\n" ACCESS "  leaq 4(%rbp), %rdi\n" ACCESS)
SAMPLE(rows_of_18, "  movslq (%r8), %rcx\n  leaq (%rcx,%rcx,8), %rcx\n" TILE
                   "  leaq (%rbx,%rcx,8), %rdi\n" ACCESS)
SAMPLE(rows_of_17,
       "  movslq (%r8), %rcx\n  imulq $68, %rcx, %rcx\n" TILE "  leaq (%rbx,%rcx), %rdi\n" ACCESS)
SAMPLE(parameter, "  movslq (%r8), %rcx\n  salq $4, %rcx\n  leaq (%r12,%rcx), %rdi\n" ACCESS)
SAMPLE(masked, "  movl (%r8), %ecx\n  sall $2, %ecx\n  andl $124, %ecx\n" TILE
               "  leaq (%rbx,%rcx,4), %rdi\n" ACCESS)
SAMPLE(by_spilled, "  movslq (%r8), %rcx\n  salq $4, %rcx\n  movq %rcx, 8(%rsp)\n" TILE
                   "  movq 8(%rsp), %rdx\n  leaq 12(%rbx,%rdx), %rdi\n" ACCESS
                   "  addq 8(%rsp), %rbx\n  movq %rbx, %rdi\n" ACCESS)
SAMPLE(other_base,
       "  movslq (%r8), %rcx\n  salq $4, %rcx\n  movslq 4(%r8), %rdx\n  salq $4, %rdx\n" TILE
       "  movq %rdx, %r13\n  leaq (%rbx,%rcx), %rdi\n" ACCESS "  leaq 4(%rbx,%r13), %rdi\n" ACCESS)
SAMPLE(over_branch,
       TILE "  movq %rbx, %rdi\n" ACCESS "  testl %r12d, %r12d\n  je 1f\n  call form_block_begins\n"
            "  call form_access\n1: leaq 4(%rbx), %rdi\n" ACCESS)
#define OVER_ARM(name, arm)                                                                        \
    SAMPLE(name, TILE "  movq %rbx, %rdi\n" ACCESS                                                 \
                      "  testl %r12d, %r12d\n  je 1f\n  call form_block_begins\n" arm              \
                      "1: leaq 4(%rbx), %rdi\n" ACCESS)
#define OPERATION "  addss %xmm1, %xmm0\n"
OVER_ARM(over_four_operations, "  movaps %xmm2, %xmm1\n" OPERATION OPERATION OPERATION OPERATION)
OVER_ARM(over_five_operations, OPERATION OPERATION OPERATION OPERATION OPERATION)
OVER_ARM(over_division, "  divss %xmm1, %xmm0\n")
#define OVER_ARMS(name, arm, other)                                                                \
    SAMPLE(name,                                                                                   \
           TILE "  movq %rbx, %rdi\n" ACCESS                                                       \
                "  testl %r12d, %r12d\n  je 1f\n  call form_block_begins\n" arm                    \
                "  jmp 2f\n1: call form_block_begins\n" other "2: leaq 4(%rbx), %rdi\n" ACCESS)
OVER_ARMS(over_two_arms, OPERATION OPERATION, OPERATION OPERATION)
/* Where the arms meet more is done. */
#define MEETING(name, condition, arm, other)                                                       \
    SAMPLE(name,                                                                                   \
           TILE "  movq %rbx, %rdi\n" ACCESS condition                                             \
                "  testl %r12d, %r12d\n  je 1f\n  call form_block_begins\n" arm                    \
                "  jmp 2f\n1: call form_block_begins\n" other                                      \
                "2: call form_block_begins\n" OPERATION OPERATION "  leaq 4(%rbx), %rdi\n" ACCESS)
#define FIVE_OPERATIONS OPERATION OPERATION OPERATION OPERATION OPERATION
#define OF_DATA "  movl (%r8), %r12d\n"
MEETING(meeting_short, OF_DATA, OPERATION OPERATION, OPERATION)
MEETING(meeting_long, OF_DATA, FIVE_OPERATIONS FIVE_OPERATIONS FIVE_OPERATIONS, OPERATION)
MEETING(meeting_uniform, "", FIVE_OPERATIONS FIVE_OPERATIONS FIVE_OPERATIONS, OPERATION)
MEETING(meeting_division, OF_DATA, OPERATION OPERATION, "  divss %xmm1, %xmm0\n")
OVER_ARMS(over_long_arms, OPERATION OPERATION OPERATION, OPERATION OPERATION)
SAMPLE(loop, TILE "  leaq 64(%rbx), %r12\n1: call form_block_begins\n  movq %rbx, %rdi\n" ACCESS
                  "  addq $4, %rbx\n  cmpq %r12, %rbx\n  jne 1b")
#define LOOP_OF(rounds)                                                                            \
    TILE "  leaq 4*" rounds "(%rbx), %r12\n1: call form_block_begins\n  movq %rbx, %rdi\n" ACCESS  \
         "  addq $4, %rbx\n  cmpq %r12, %rbx\n  jne 1b"
SAMPLE(loop_of_100, LOOP_OF("100"))
SAMPLE(loop_of_200, LOOP_OF("200"))
/* A second condition behind the first, both to one place; and one that something is loaded for. */
#define TWO_CONDITIONS(between)                                                                    \
    TILE "  leaq 4096(%rbx), %r12\n  movq %rbx, %rdi\n1: call form_block_begins\n" ACCESS          \
         "  addq $4, %rbx\n  cmpq %r13, %rbx\n  je 2f\n  call form_block_begins\n" between         \
         "  cmpq %r12, %rbx\n  jne 1b\n2: call form_block_begins\n"
SAMPLE(loop_two_conditions, TWO_CONDITIONS(""))
SAMPLE(loop_condition_loads, TWO_CONDITIONS(ACCESS))
/* As often as the loop around has gone round. */
SAMPLE(loop_of_triangle, TILE
       "  leaq 64(%rbx), %r13\n  movq %rbx, %r12\n2: call form_block_begins\n  movq %rbx, %rbp\n"
       "1: call form_block_begins\n  movq %rbp, %rdi\n" ACCESS
       "  addq $4, %rbp\n  cmpq %r12, %rbp\n  jne 1b\n  call form_block_begins\n"
       "  addq $4, %r12\n  cmpq %r13, %r12\n  jne 2b")
SAMPLE(loop_by_number,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
            "  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b")
SAMPLE(loop_to_n,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
            "  addq $1, %rbp\n  cmpq %r12, %rbp\n  jne 1b")
/* Another goes round a constant number of times in it; a branch that is left is in it. */
SAMPLE(loop_around_constant,
       TILE "  xorl %r12d, %r12d\n2: call form_block_begins\n  xorl %ebp, %ebp\n"
            "1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS OPERATION
            "  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b\n  call form_block_begins\n"
            "  addq $1, %r12\n  cmpq %r13, %r12\n  jne 2b")
SAMPLE(loop_around_branch,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  testl %r14d, %r14d\n  je 2f\n"
            "  call form_block_begins\n" FIVE_OPERATIONS FIVE_OPERATIONS FIVE_OPERATIONS
            "2: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
            "  addq $1, %rbp\n  cmpq %r12, %rbp\n  jne 1b")
/* Addresses of a table are apart by a constant. */
SAMPLE(loop_over_table, "  leaq form_access(%rip), %rbx\n  leaq form_access+64(%rip), %r12\n"
                        "1: call form_block_begins\n  movq %rbx, %rdi\n" ACCESS
                        "  addq $4, %rbx\n  cmpq %r12, %rbx\n  jne 1b")
/* Something is computed of a counter, and of data. */
SAMPLE(loop_computes,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  addl %ebp, %r13d\n"
            "  leaq (%rbx,%rbp,4), %rdi\n" ACCESS "  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b")
SAMPLE(loop_checks,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  testl %r12d, %r12d\n  je 2f\n"
            "  call form_block_begins\n2: leaq (%rbx,%rbp,4), %rdi\n" ACCESS
            "  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b")
SAMPLE(loop_left,
       TILE "  xorl %ebp, %ebp\n1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
            "  testl %r12d, %r12d\n  je 2f\n  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b\n2:")
SAMPLE(loop_by_variable, TILE "1: call form_block_begins\n  movq %rbx, %rdi\n" ACCESS
                              "  addq %r13, %rbx\n  cmpq %r12, %rbx\n  jne 1b")
SAMPLE(one_of_two, TILE "  testl %r12d, %r12d\n  je 1f\n  movslq (%r8), %rcx\n  addq %rcx, %rbx\n"
                        "1: movq %rbx, %rdi\n" ACCESS)

/* Local arrays: at 16(%rsp) and on. */
#define FRAME "  leaq 16(%rsp), %rbx\n"
SAMPLE(frame_word, "  leaq 20(%rsp), %rdi\n" ACCESS)
SAMPLE(frame_loop,
       FRAME "  leaq 64(%rbx), %r12\n1: call form_block_begins\n  movq %rbx, %rdi\n" ACCESS
             "  addq $4, %rbx\n  cmpq %r12, %rbx\n  jne 1b")
SAMPLE(frame_loop_down,
       FRAME "  leaq 60(%rbx), %rbp\n1: call form_block_begins\n  movq %rbp, %rdi\n" ACCESS
             "  cmpq %rbx, %rbp\n  leaq -4(%rbp), %rbp\n  jne 1b")
SAMPLE(frame_loop_to_n,
       FRAME "  xorl %ebp, %ebp\n1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
             "  addq $1, %rbp\n  cmpq %r12, %rbp\n  jne 1b")
/* No call tells of what is stored: the array is the thread's own, and in registers where the loop is unrolled. */
SAMPLE(array_loop_to_n,
       FRAME "  xorl %ebp, %ebp\n1: call form_block_begins\n  movss %xmm0, (%rbx,%rbp,4)\n"
             "  addq $1, %rbp\n  cmpq %r12, %rbp\n  jne 1b")
SAMPLE(frame_loop_left,
       FRAME "  xorl %ebp, %ebp\n1: call form_block_begins\n  leaq (%rbx,%rbp,4), %rdi\n" ACCESS
             "  testl %r12d, %r12d\n  je 2f\n  call form_block_begins\n  addq $1, %rbp\n"
             "  cmpq $16, %rbp\n  jne 1b\n2:")
/* Its condition is in the middle. */
SAMPLE(frame_loop_rotated, FRAME
       "  xorl %ebp, %ebp\n  jmp 2f\n1: call form_block_begins\n  addq $1, %rbp\n  cmpq $16, %rbp\n"
       "  je 3f\n  call form_block_begins\n2: call form_block_begins\n"
       "  leaq (%rbx,%rbp,4), %rdi\n" ACCESS "  jmp 1b\n3:")
/* The counter around is kept in the frame meanwhile, while two loops go round. */
SAMPLE(frame_loop_saved, FRAME
       "  xorl %ebp, %ebp\n3: call form_block_begins\n  movq %rbp, 8(%rsp)\n  movq %rbp, %r13\n"
       "  salq $4, %r13\n  addq %rbx, %r13\n  leaq 16(%r13), %r14\n"
       "2: call form_block_begins\n  xorl %ebp, %ebp\n"
       "1: call form_block_begins\n  addq $1, %rbp\n  cmpq $4, %rbp\n  jne 1b\n"
       "  call form_block_begins\n  movq %r13, %rdi\n" ACCESS
       "  addq $4, %r13\n  cmpq %r14, %r13\n  jne 2b\n  call form_block_begins\n"
       "  movq 8(%rsp), %rbp\n  addq $1, %rbp\n  cmpq $4, %rbp\n  jne 3b")
SAMPLE(frame_in_turns,
       FRAME "  xorl %ebp, %ebp\n1: call form_block_begins\n  movq %rbp, %rcx\n  andl $1, %ecx\n  "
             "salq $4, %rcx\n"
             "  leaq (%rbx,%rcx), %rdi\n" ACCESS "  addq $1, %rbp\n  cmpq $16, %rbp\n  jne 1b")
SAMPLE(frame_by_data, FRAME "  movslq (%r8), %rcx\n  leaq (%rbx,%rcx,4), %rdi\n" ACCESS)
SAMPLE(frame_chosen, FRAME "  leaq 32(%rbx), %rcx\n  testl %r12d, %r12d\n  cmovne %rcx, %rbx\n"
                           "  movq %rbx, %rdi\n" ACCESS)
SAMPLE(frame_either, FRAME "  testl %r12d, %r12d\n  je 1f\n  movq 8(%r8), %rbx\n"
                           "1: movq %rbx, %rdi\n" ACCESS)
SAMPLE(frame_handed, FRAME "  movl $1, %edi\n  movq %rbx, %rsi\n  call 5f\n  ret\n"
                           "5: call form_function_begins\n")
SAMPLE(frame_to_runtime, FRAME "  movl $1, %edi\n  movq %rbx, %rsi\n  call form_shared\n")
SAMPLE(computed_jump, TILE "  movq %rbx, %rdi\n" ACCESS "  jmp *%r12\n")

enum { CALLS_MAX = 4 };
struct found {
    unsigned count, loops; /* that go round a constant number of times */
    enum loop_kind most;   /* of the last loop */
    uint64_t size;         /* the largest of all */
    bool is_straight;      /* all are */
    unsigned branches;     /* 1 << enum gpu_branch of those that were told of */
    int spared;            /* in SPARED_WHOLE an instruction; below 0: more are added */
    struct address_form forms[CALLS_MAX];
};

static void find(void *context, const struct address_form *form)
{
    struct found *found = context;
    assert_true(found->count < CALLS_MAX);
    found->forms[found->count++] = *form;
}

static void find_loop(void *context, const struct address_loop *loop)
{
    struct found *found = context;
    found->loops += loop->is_constant;
    found->most = loop->most;
    found->size = loop->size > found->size ? loop->size : found->size;
    found->is_straight &= loop->is_straight;
}

static void find_branch(void *context, size_t at, enum gpu_branch branch)
{
    (void)at;
    ((struct found *)context)->branches |= 1U << branch;
}

static void find_spared(void *context, size_t at, int spared)
{
    (void)at;
    ((struct found *)context)->spared += spared;
}

static size_t access_at; /* form_access, as a distance from the code */

static enum address_call kind_of(size_t function)
{
    return function == access_at ? CALL_LOAD : CALL_OTHER;
}

static struct found forms_of(const uint8_t *code, const uint8_t *entry, const uint8_t *end)
{
    const struct address_calls calls = {.block_begins = (size_t)(form_block_begins - code),
                                        .function_begins = (size_t)(form_function_begins - code),
                                        .dynamic_shared = (size_t)(form_shared - code),
                                        .kind_of = kind_of};
    access_at = (size_t)(form_access - code);
    struct found found = {.is_straight = true};
    const struct address_listener listener = {find,        find_loop, find_spared,
                                              find_branch, NULL,      &found};
    assert_true(address_forms_x86_64(code, (size_t)(end - code), (size_t)(entry - code), &calls,
                                     &listener));
    return found;
}
#define FORMS(name) forms_of(form_##name, form_##name##_entry, form_##name##_end)

static void assert_log2(struct found found, unsigned log2)
{
    assert_int_equal(found.count, 1);
    assert_int_equal(found.forms[0].log2, log2);
}

static void what_an_address_is_a_multiple_of_follows_from_its_computation(void **state)
{
    (void)state;
    assert_log2(FORMS(rows_of_18), 3);
    assert_log2(FORMS(rows_of_17), 2);
    assert_log2(FORMS(parameter), 0); /* nothing is known of the pointer */
    assert_log2(FORMS(masked), 4);
    assert_log2(FORMS(one_of_two), 0);
}

static void addresses_of_one_base_are_apart_by_constants(void **state)
{
    (void)state;
    struct found rows = FORMS(rows_of_16), spilled = FORMS(by_spilled), other = FORMS(other_base);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.forms[0].log2, 4);
    assert_int_equal(rows.forms[0].base, rows.forms[1].base);
    assert_int_equal(rows.forms[1].constant - rows.forms[0].constant, 4);
    assert_int_equal(rows.forms[0].block, rows.forms[1].block);
    assert_int_equal(spilled.forms[0].base, spilled.forms[1].base);
    assert_int_equal(spilled.forms[0].constant - spilled.forms[1].constant, 12);
    assert_int_equal(other.forms[1].log2, 4); /* aligned both, and not known to be near */
    assert_int_not_equal(other.forms[0].base, other.forms[1].base);
}

static void a_branch_over_an_access_ends_a_block(void **state)
{
    (void)state;
    struct found found = FORMS(over_branch);
    assert_int_equal(found.count, 3);
    assert_int_equal(found.forms[0].base, found.forms[2].base);
    assert_int_not_equal(found.forms[0].block, found.forms[2].block);
}

/* The two accesses in front of a condition and behind it. */
static void assert_one_block(struct found found, bool one)
{
    assert_int_equal(found.count, 2);
    assert_int_equal(found.forms[0].base, found.forms[1].base);
    assert_int_equal(found.forms[0].block == found.forms[1].block, one);
}

static void a_condition_of_four_operations_ends_no_block(void **state)
{
    (void)state;
    assert_one_block(FORMS(over_four_operations), true);
    assert_one_block(FORMS(over_five_operations), false);
    assert_one_block(FORMS(over_division), false);
    assert_one_block(FORMS(over_two_arms), true);
    assert_one_block(FORMS(over_long_arms), false);
}

/* One access that counts by 4. */
static void assert_counts(struct found found, bool constantly)
{
    assert_int_equal(found.count, 1);
    assert_int_equal(found.forms[0].log2, 4);
    assert_int_equal(found.forms[0].counter_count, 1);
    assert_int_equal(found.forms[0].counters[0].step, 4);
    assert_true(found.forms[0].counters[0].head > 0);
    assert_int_equal(found.forms[0].counters[0].end > found.forms[0].counters[0].head, constantly);
}

static void counters_and_constant_bounds_are_found(void **state)
{
    (void)state;
    assert_counts(FORMS(loop), true);
    assert_counts(FORMS(loop_by_number), true);
    assert_counts(FORMS(loop_to_n), false);
    assert_counts(FORMS(loop_left), false); /* it may end earlier */
    struct found by_variable = FORMS(loop_by_variable);
    assert_int_equal(by_variable.forms[0].counter_count, 0);
    assert_int_equal(by_variable.forms[0].log2, 0);
}

static void assert_frame(struct found found, enum address_frame frame, int64_t bytes)
{
    assert_int_equal(found.count, 1);
    assert_int_equal(found.forms[0].frame, frame);
    if (frame == ADDRESS_FRAME_FIXED)
        assert_int_equal(found.forms[0].frame_high - found.forms[0].frame_low, bytes);
}

static void places_of_the_frame_are_fixed_where_loops_can_be_unrolled(void **state)
{
    (void)state;
    assert_frame(FORMS(frame_word), ADDRESS_FRAME_FIXED, 0);
    assert_frame(FORMS(frame_loop), ADDRESS_FRAME_FIXED, 60);
    assert_frame(FORMS(frame_loop_down), ADDRESS_FRAME_FIXED, 60);
    assert_frame(FORMS(frame_loop_left), ADDRESS_FRAME_FIXED, 60);
    assert_frame(FORMS(frame_loop_rotated), ADDRESS_FRAME_FIXED, 60);
    assert_frame(FORMS(frame_loop_saved), ADDRESS_FRAME_FIXED, 60);
    assert_frame(FORMS(frame_in_turns), ADDRESS_FRAME_FIXED, 0); /* how far is not known */
    assert_frame(FORMS(frame_loop_to_n), ADDRESS_FRAME_VARIES, 0);
    assert_frame(FORMS(frame_by_data), ADDRESS_FRAME_VARIES, 0);
    assert_frame(FORMS(frame_chosen), ADDRESS_FRAME_VARIES, 0);
    assert_frame(FORMS(frame_either), ADDRESS_FRAME_VARIES, 0);
    assert_frame(FORMS(frame_handed), ADDRESS_FRAME_VARIES, 0);
    assert_frame(FORMS(frame_to_runtime), ADDRESS_ELSEWHERE, 0);
    assert_frame(FORMS(loop), ADDRESS_ELSEWHERE, 0);
}

static void loops_that_go_round_constantly_are_told(void **state)
{
    (void)state;
    assert_int_equal(FORMS(loop).loops, 1);
    assert_int_equal(FORMS(loop_left).loops, 1);
    assert_int_equal(FORMS(frame_loop_rotated).loops, 1);
    assert_int_equal(FORMS(loop_to_n).loops, 0);
    assert_int_equal(FORMS(loop_by_variable).loops, 0);
}

/* Of the copy or sum that is the address, the counter, the comparison and the jump. */
static void counting_is_spared_by_unrolling(void **state)
{
    (void)state;
    assert_int_equal(FORMS(loop).spared, 4 * SPARED_WHOLE);
    assert_int_equal(FORMS(loop_over_table).loops, 1);
    assert_int_equal(FORMS(loop_over_table).spared, 4 * SPARED_WHOLE);
    assert_int_equal(FORMS(loop_computes).spared, 4 * SPARED_WHOLE);
    assert_int_equal(FORMS(loop_checks).spared,
                     5 * SPARED_WHOLE); /* the branch within, but not its condition */
    assert_int_equal(FORMS(loop_to_n).spared, 4 * SPARED_WHOLE * 15 / 16 - 20 * SPARED_WHOLE);
    assert_int_equal(FORMS(array_loop_to_n).spared, 3 * SPARED_WHOLE);
    assert_int_equal(FORMS(loop_by_variable).spared, 0);
    assert_int_equal(FORMS(frame_word).spared, 0);
}

/* Up to 128 loads, as often as a constant says. */
static void loops_of_few_loads_are_unrolled_whole(void **state)
{
    (void)state;
    assert_int_equal(FORMS(loop_of_100).most, LOOP_FLATTENED);
    assert_int_equal(FORMS(loop_of_200).most, LOOP_UNROLLED);
    assert_int_equal(FORMS(loop_of_200).loops, 1);
    assert_int_equal(FORMS(array_loop_to_n).most, LOOP_FLATTENED);
    const struct found triangle = FORMS(loop_of_triangle);
    assert_int_equal(triangle.loops, 1); /* the one around */
    assert_int_equal(triangle.most, LOOP_ROLLED);
}

/* The access, the counter, the comparison and the jump; loops inside that are unrolled whole count as often as they jump back, without what
 * counts their rounds. */
static void sizes_of_iterations_are_told(void **state)
{
    (void)state;
    assert_int_equal(FORMS(loop_to_n).size, 4);
    assert_int_equal(FORMS(loop_around_constant).size, 15 * 2 + 3);
    assert_true(FORMS(loop_around_constant).is_straight);
    assert_false(FORMS(loop_around_branch).is_straight);
}

/* Short sides are carried out under a predicate, whatever it is: the branch is spared, they are counted with it and not where they are.
 * Around long ones lanes part and come together. */
static void branches_are_spared_where_sides_are_short(void **state)
{
    (void)state;
    enum { BRANCH = 1, JUMP = 1, OPERATIONS = 3 };
    assert_int_equal(FORMS(meeting_short).spared,
                     (BRANCH - OPERATIONS + OPERATIONS + JUMP) * SPARED_WHOLE);
    assert_int_equal(FORMS(meeting_long).spared, -2 * SPARED_WHOLE);
    assert_int_equal(FORMS(meeting_long).branches,
                     1 << GPU_BRANCH_PARTS | 1 << GPU_BRANCH_LEFT); /* and its jump */
    assert_int_equal(FORMS(meeting_short).branches, 1 << GPU_BRANCH_NONE | 1 << GPU_BRANCH_LEFT);
    assert_int_equal(FORMS(meeting_uniform).branches, 1 << GPU_BRANCH_LEFT);
    assert_int_equal(FORMS(over_two_arms).branches, 1 << GPU_BRANCH_EXITS | 1 << GPU_BRANCH_LEFT);
    assert_int_equal(FORMS(loop_two_conditions).branches,
                     1 << GPU_BRANCH_LEFT | 1 << GPU_BRANCH_NONE);
    assert_int_equal(FORMS(loop_condition_loads).branches, 1 << GPU_BRANCH_LEFT);
    assert_int_equal(FORMS(meeting_division).spared, -2 * SPARED_WHOLE);
    assert_int_equal(FORMS(meeting_uniform).spared, 0); /* all lanes go the same way */
    assert_int_equal(FORMS(over_two_arms).spared, 0);   /* they meet where the function ends */
}

static void code_that_cannot_be_followed_has_no_forms(void **state)
{
    (void)state;
    assert_int_equal(FORMS(computed_jump).count, 0);
}

static enum address_call any_kind(size_t function)
{
    return (enum address_call)(function % 4);
}

/* Whatever bytes: no byte behind them is read. */
static void any_bytes_may_be_asked(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (unsigned run = 0; run < 300; run++) {
        size_t room = 1 + run % 61;
        uint8_t *code = malloc(room);
        const struct address_calls calls = {
            .block_begins = 3, .function_begins = 7, .dynamic_shared = 11, .kind_of = any_kind};
        struct found found = {.is_straight = true};
        const struct address_listener listener = {find,        find_loop, find_spared,
                                                  find_branch, NULL,      &found};
        assert_non_null(code);
        for (size_t i = 0; i < room; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            code[i] = (uint8_t)(random >> 56);
        }
        found.count = 0;
        assert_true(address_forms_x86_64(code, room, 0, &calls, &listener) || found.count == 0);
        free(code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_address_is_a_multiple_of_follows_from_its_computation),
        cmocka_unit_test(addresses_of_one_base_are_apart_by_constants),
        cmocka_unit_test(a_branch_over_an_access_ends_a_block),
        cmocka_unit_test(a_condition_of_four_operations_ends_no_block),
        cmocka_unit_test(counters_and_constant_bounds_are_found),
        cmocka_unit_test(places_of_the_frame_are_fixed_where_loops_can_be_unrolled),
        cmocka_unit_test(loops_that_go_round_constantly_are_told),
        cmocka_unit_test(counting_is_spared_by_unrolling),
        cmocka_unit_test(loops_of_few_loads_are_unrolled_whole),
        cmocka_unit_test(sizes_of_iterations_are_told),
        cmocka_unit_test(branches_are_spared_where_sides_are_short),
        cmocka_unit_test(code_that_cannot_be_followed_has_no_forms),
        cmocka_unit_test(any_bytes_may_be_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    return 77; /* the code of other processors does not tell */
}
#endif
