/* test_loop_step.c - what a GPU's compiler makes of loops, by hand-written
 * machine code and by that of the gallery's kernels.
 */
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "machine_code/code_effect.h"
#include "machine_code/code_size.h"
#include "machine_code/loop_step.h"

/* ---- Machine code by hand ---------------------------------------------------------------------
 */

#if defined(__x86_64__)
/* A loop whose body begins with the call that begins a block, and ends with `condition`. */
#define SAMPLE(name, before, body, condition)                                                      \
    __asm__(".text\n"                                                                              \
            "step_" #name ":\n" before "1: call __sanitizer_cov_trace_pc\n"                        \
            "step_" #name "_head:\n" body "\n"                                                     \
            "step_" #name "_end:\n" condition "\n"                                                 \
            "  ret\n");                                                                            \
    extern const uint8_t step_##name[], step_##name##_head[], step_##name##_end[];

SAMPLE(add, "", "addl $1, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(subtract, "", "subq $8, %rbx", "cmpq %rbx, %r12\n jne 1b")
SAMPLE(decrease, "", "nop", "decl %ebx\n jne 1b")
SAMPLE(count_down, "", "nop", "subl $1, %ebx\n jne 1b")
SAMPLE(count_constant_down, "call __sanitizer_cov_trace_pc\n movl $5, %r12d\n", "addl %ebx, %ebx",
       "subl $1, %r12d\n jne 1b")
SAMPLE(count_other_down, "call __sanitizer_cov_trace_pc\n movl (%rsi), %r12d\n", "addl %ebx, %ebx",
       "subl $1, %r12d\n jne 1b")
SAMPLE(
    around_count_down, "",
    "movl $5, %r12d\n 2: call __sanitizer_cov_trace_pc\n subl $1, %r12d\n jne 2b\n addl $1, %ebx",
    "cmpl %r13d, %ebx\n jl 1b")
SAMPLE(test_zero, "", "subl $1, %ebx", "testl %ebx, %ebx\n jne 1b")
SAMPLE(lea, "", "leaq 4(%rbx), %rbx", "cmpq %rbx, %r12\n jne 1b")
SAMPLE(lea_away, "", "leal 1(%rbx), %eax\n movl %eax, %ebx", "cmpl %eax, %r12d\n jg 1b")
SAMPLE(spilled, "", "addl $1, (%rsp)", "movl 4(%rsp), %esi\n cmpl %esi, (%rsp)\n jl 1b")
SAMPLE(sum, "", "addl $1, %ebx", "leal (%r14,%rbx,1), %eax\n cmpl %eax, %r13d\n jg 1b")
SAMPLE(by_register, "", "addl %ecx, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_variable, "", "addl wl_indices(%rip), %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_copied_variable, "call __sanitizer_cov_trace_pc\n movl wl_indices(%rip), %r13d\n",
       "addl %r13d, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_wide_variable, "call __sanitizer_cov_trace_pc\n movslq wl_indices(%rip), %r13\n",
       "addq %r13, %rbx", "cmpl %ebx, %r12d\n jg 1b")
SAMPLE(by_spilled, "", "movl 8(%rsp), %eax\n addl %eax, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(lea_sum, "", "leaq (%rbx,%r14), %rbx", "cmpq %rbx, %r12\n jg 1b")
SAMPLE(by_copies, "", "leal (%rbx,%r13), %eax\n movl %eax, %ebx", "cmpl %eax, %r12d\n jg 1b")
SAMPLE(by_variable_way_out, "", "addl %ecx, %ebx\n cmpl %r12d, %ebx\n jge 9f", "jmp 1b\n 9:")
SAMPLE(by_variable_widened, "", "movslq %ebx, %rax\n addl %ecx, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_variable_widened_sum, "", "leal (%rdi,%rbx), %eax\n movslq %eax, %rdx\n addl %ecx, %ebx",
       "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_variable_widened_eax, "", "movl %ebx, %eax\n cltq\n addl %ecx, %ebx",
       "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(other_widened, "", "movslq %ebp, %rax\n addl %ecx, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_variable_and_with, "", "addl %ecx, %ebx", "cmpl %r12d, %ebx\n jle 1b")
SAMPLE(by_variable_down, "", "subl %ecx, %ebx", "testl %ebx, %ebx\n jns 1b")
SAMPLE(by_variable_below, "", "addl %ecx, %ebx", "cmpl %r12d, %ebx\n jb 1b")
SAMPLE(by_variable_to_changing, "", "addl %ecx, %ebx\n movl (%rdi), %r12d",
       "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(by_changing, "", "addl %ecx, %ebx\n movl (%rdi), %ecx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(below, "", "addl $1, %ebx", "cmpl %r12d, %ebx\n jb 1b")
SAMPLE(below_by_32, "", "addl $32, %ebx", "cmpl %r12d, %ebx\n jb 1b")
SAMPLE(above_by_32, "", "addl $32, %ebx", "cmpl %ebx, %r12d\n ja 1b")
SAMPLE(way_out_by_32, "", "addl $32, %ebx\n cmpl %r12d, %ebx\n jae 9f", "jmp 1b\n 9:")
SAMPLE(doubled, "", "addl %ebx, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(halved, "", "sarl $1, %ebx", "cmpl $32, %ebx\n jg 1b")
SAMPLE(halved_flags, "", "nop", "shrl $1, %ebx\n jne 1b")
SAMPLE(loaded, "", "movq (%rbx), %rbx", "testq %rbx, %rbx\n jne 1b")
SAMPLE(returned, "", "call step_add\n movl %eax, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(floats, "", "addss %xmm1, %xmm0", "comiss %xmm2, %xmm0\n jb 1b")
SAMPLE(between, "", "addl $1, %ebx", "cmpl %r12d, %ebx\n movss %xmm0, 4(%rsp)\n jl 1b")
SAMPLE(no_counter, "", "nop", "cmpl %r12d, %r13d\n jl 1b")
SAMPLE(for_ever, "", "addl $1, %ebx", "jmp 1b")
SAMPLE(constant, "xorl %ebx, %ebx\n", "addl $1, %ebx", "cmpl $24, %ebx\n jne 1b")
SAMPLE(constant_moved, "movl $-3, %ebx\n", "addl $4, %ebx", "cmpl $1024, %ebx\n jne 1b")
SAMPLE(constant_bound_only, "call __sanitizer_cov_trace_pc\n movl wl_indices(%rip), %ebx\n",
       "addl $32, %ebx", "cmpl $1024, %ebx\n jl 1b")
SAMPLE(pointer, "call __sanitizer_cov_trace_pc\n leaq 64(%rbp), %r12\n movq %rbp, %rbx\n",
       "addq $4, %rbx", "cmpq %r12, %rbx\n jne 1b")
SAMPLE(pointer_sum,
       "call __sanitizer_cov_trace_pc\n leaq (%r8,%r9), %rbx\n leaq 64(%r9,%r8), %r12\n",
       "addq $4, %rbx", "cmpq %r12, %rbx\n jne 1b")
SAMPLE(pointer_scaled,
       "call __sanitizer_cov_trace_pc\n leaq (%r8,%r9,4), %rbx\n leaq 64(%r8,%r9,8), %r12\n",
       "addq $4, %rbx", "cmpq %r12, %rbx\n jne 1b")
SAMPLE(pointer_to_end,
       "call __sanitizer_cov_trace_pc\n leaq (%rbp,%rcx,4), %r12\n movq %rbp, %rbx\n",
       "addq $4, %rbx", "cmpq %r12, %rbx\n jne 1b")
SAMPLE(breaks, "", "cmpl $7, (%rbx)\n je 9f\n addl $1, %ebx", "cmpl %r12d, %ebx\n jl 1b\n 9:")
SAMPLE(leaves_early, "", "cmpl %r13d, %ebx\n jge 9f\n addl $1, %ebx",
       "cmpl %r12d, %ebx\n jl 1b\n 9:")
SAMPLE(
    around_loop, "",
    "2: call __sanitizer_cov_trace_pc\n addl $1, %ebp\n cmpl %r14d, %ebp\n jl 2b\n addl $1, %ebx",
    "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(around_flat, "",
       "xorl %ebp, %ebp\n 2: call __sanitizer_cov_trace_pc\n addl $1, %ebp\n cmpl $3, %ebp\n"
       " jl 2b\n addl $1, %ebx",
       "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(goes_on, "", "testl %eax, %eax\n je 1b\n addl $1, %ebx", "cmpl %r12d, %ebx\n jl 1b")
SAMPLE(moves_first, "xorl %ecx, %ecx\n jmp 1f\n 3: xorl %ecx, %ecx\n nop\n", "addl $1, %ebx",
       "cmpl %r12d, %ebx\n jl 3b")

struct sample {
    const char *name;
    const uint8_t *code, *head, *end;
    enum loop_kind kind;
};
#define CASE(name, kind)                                                                           \
    {                                                                                              \
#name, step_##name, step_##name##_head, step_##name##_end, kind                            \
    }

static const struct sample samples[] = {
    CASE(add, LOOP_UNROLLED),
    CASE(subtract, LOOP_UNROLLED),
    CASE(decrease, LOOP_UNROLLED),
    CASE(count_down, LOOP_UNROLLED),
    CASE(count_constant_down, LOOP_FLATTENED),
    CASE(count_other_down, LOOP_UNROLLED),
    CASE(around_count_down, LOOP_UNROLLED),
    CASE(test_zero, LOOP_UNROLLED),
    CASE(lea, LOOP_UNROLLED),
    CASE(lea_away, LOOP_UNROLLED),
    CASE(spilled, LOOP_UNROLLED),
    CASE(sum, LOOP_UNROLLED),
    CASE(by_register, LOOP_BY_FOUR),
    CASE(by_variable, LOOP_ROLLED),
    CASE(by_copied_variable, LOOP_ROLLED),
    CASE(by_wide_variable, LOOP_BY_FOUR),
    CASE(by_spilled, LOOP_BY_FOUR),
    CASE(lea_sum, LOOP_BY_FOUR),
    CASE(by_copies, LOOP_BY_FOUR),
    CASE(by_variable_way_out, LOOP_BY_FOUR),
    CASE(by_variable_widened, LOOP_ROLLED),
    CASE(by_variable_widened_eax, LOOP_ROLLED),
    CASE(by_variable_widened_sum, LOOP_ROLLED),
    CASE(other_widened, LOOP_BY_FOUR),
    CASE(by_variable_and_with, LOOP_ROLLED),
    CASE(by_variable_down, LOOP_ROLLED),
    CASE(by_variable_below, LOOP_ROLLED),
    CASE(by_variable_to_changing, LOOP_ROLLED),
    CASE(by_changing, LOOP_ROLLED),
    CASE(below, LOOP_UNROLLED),
    CASE(below_by_32, LOOP_BY_FOUR),
    CASE(above_by_32, LOOP_BY_FOUR),
    CASE(way_out_by_32, LOOP_BY_FOUR),
    CASE(doubled, LOOP_ROLLED),
    CASE(halved, LOOP_ROLLED),
    CASE(halved_flags, LOOP_ROLLED),
    CASE(loaded, LOOP_ROLLED),
    CASE(returned, LOOP_ROLLED),
    CASE(floats, LOOP_ROLLED),
    CASE(between, LOOP_UNROLLED),
    CASE(no_counter, LOOP_UNROLLED),
    CASE(for_ever, LOOP_UNROLLED),
    CASE(constant, LOOP_FLATTENED),
    CASE(constant_moved, LOOP_FLATTENED),
    CASE(constant_bound_only, LOOP_UNROLLED),
    CASE(pointer, LOOP_FLATTENED),
    CASE(pointer_sum, LOOP_FLATTENED),
    CASE(pointer_scaled, LOOP_UNROLLED),
    CASE(pointer_to_end, LOOP_UNROLLED),
    CASE(breaks, LOOP_ROLLED),
    CASE(leaves_early, LOOP_UNROLLED),
    CASE(around_loop, LOOP_ROLLED),
    CASE(around_flat, LOOP_UNROLLED),
    CASE(goes_on, LOOP_UNROLLED),
    CASE(moves_first, LOOP_UNROLLED),
};

enum { SAMPLE_BYTES_MAX = 128 };

static void steps_and_bounds_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *s = &samples[i];
        struct loop_step step =
            loop_step_x86_64(s->code, SAMPLE_BYTES_MAX, (size_t)(s->head - s->code),
                             (size_t)(s->end - s->code), NULL);
        if (step.kind != s->kind)
            fail_msg("%s: %u, not %u", s->name, step.kind, s->kind);
        assert_true(step.bytes > (size_t)(s->end - s->head));
    }
}

/* The first jump back is not the loop's end when lanes have jumped from behind it. */
static void the_end_is_where_lanes_have_jumped_from(void **state)
{
    (void)state;
    size_t head = (size_t)(step_goes_on_head - step_goes_on);
    size_t end = (size_t)(step_goes_on_end - step_goes_on);
    size_t near = loop_step_x86_64(step_goes_on, SAMPLE_BYTES_MAX, head, head, NULL).bytes;
    size_t far = loop_step_x86_64(step_goes_on, SAMPLE_BYTES_MAX, head, end, NULL).bytes;
    assert_true(near < end - head && far > end - head);
}

static void code_that_is_cut_off_does_not_tell(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct sample *s = &samples[i];
        size_t head = (size_t)(s->head - s->code), end = (size_t)(s->end - s->code);
        size_t bytes = head + loop_step_x86_64(s->code, SAMPLE_BYTES_MAX, head, end, NULL).bytes;
        for (size_t room = head; room < bytes; room++) {
            uint8_t *code = malloc(room); /* bytes behind are not to be read */
            assert_non_null(code);
            memcpy(code, s->code, room);
            struct loop_step step = loop_step_x86_64(code, room, head, end, NULL);
            assert_true(step.kind == LOOP_UNROLLED && step.bytes == 0);
            free(code);
        }
    }
}

/* ---- Kernels -----------------------------------------------------------------------------------
 */

void __sanitizer_cov_trace_pc(void);
void __tsan_func_exit(void *unused);

enum { LOOPS_MAX = 8, KERNEL_BYTES_MAX = 4096 };

/* The loops of a kernel, by head: where jumps back lead to the call that begins a block. */
struct found {
    unsigned count;
    struct {
        size_t head, end;
    } loops[LOOPS_MAX];
};

static bool begins_block(const uint8_t *code, size_t at)
{
    struct code_instruction call = code_decode_x86_64(code + at, KERNEL_BYTES_MAX - at);
    return call.kind == CODE_CALL && call.has_target &&
           (uintptr_t)code + at + (uintptr_t)call.target == (uintptr_t)__sanitizer_cov_trace_pc;
}

static void add_jump(struct found *found, size_t head, size_t end)
{
    unsigned i = 0;
    while (i < found->count && found->loops[i].head != head)
        i++;
    assert_true(i < LOOPS_MAX);
    found->count += i == found->count;
    found->loops[i].head = head;
    found->loops[i].end = end;
}

static struct found find_loops(const uint8_t *code)
{
    struct found found = {0};
    for (size_t at = 0; at < KERNEL_BYTES_MAX;) {
        struct code_instruction i = code_decode_x86_64(code + at, KERNEL_BYTES_MAX - at);
        size_t target = at + (size_t)i.target;
        bool jumps = i.has_target && (i.kind == CODE_JUMP || i.kind == CODE_BRANCH);
        if (jumps && target < at && begins_block(code, target))
            add_jump(&found, target + 5, at);
        if (i.bytes == 0 || i.kind == CODE_RETURN ||
            (jumps && (uintptr_t)code + target == (uintptr_t)__tsan_func_exit))
            break;
        at += i.bytes;
    }
    return found;
}

#define KERNELS(X)                                                                                 \
    X(workingSet, 2, LOOP_ROLLED, LOOP_ROLLED)                                                     \
    X(gridSweep, 2, LOOP_ROLLED, LOOP_ROLLED)                                                      \
    X(reduce6, 1, LOOP_ROLLED, 0)                                                                  \
    X(MatMulKernel, 1, LOOP_UNROLLED, 0)                                                           \
    X(scalMultGlobal, 1, LOOP_UNROLLED, 0)                                                         \
    X(sumWindow, 1, LOOP_UNROLLED, 0)                                                              \
    X(texture2DRows, 1, LOOP_UNROLLED, 0) /* both loops begin at one place */                      \
    X(matrixMul, 2, LOOP_FLATTENED, LOOP_UNROLLED)                                                 \
    X(transposeCoalesced, 2, LOOP_FLATTENED, LOOP_FLATTENED)                                       \
    X(transposeNaive, 1, LOOP_FLATTENED, 0)
#define DECLARE(name, count, a, b) extern const uint8_t code_of_##name[] __asm__(#name);
#define ROW(name, count, a, b) {#name, code_of_##name, count, {a, b}},
KERNELS(DECLARE)

struct kernel {
    const char *name;
    const uint8_t *code;
    unsigned count;
    enum loop_kind kinds[2]; /* of the loops, by where they end */
};

static const struct kernel kernels[] = {KERNELS(ROW)};

static void loops_of_kernels_are_as_nvcc_has_them(void **state)
{
    (void)state;
#if defined(__clang__)
    skip(); /* other code: it is only read without harm */
#endif
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const struct kernel *kernel = &kernels[i];
        struct found found = find_loops(kernel->code);
        assert_int_equal(found.count, kernel->count);
        for (unsigned k = 0; k < found.count; k++) {
            struct loop_step step = loop_step_x86_64(kernel->code, KERNEL_BYTES_MAX,
                                                     found.loops[k].head, found.loops[k].end, NULL);
            if (step.kind != kernel->kinds[k])
                fail_msg("%s, loop %u: %u, not %u", kernel->name, k, step.kind, kernel->kinds[k]);
        }
    }
}
#endif

/* Any bytes: what is read stays within its room, and the answer is one of the three. */
static void random_bytes_are_read_within_their_room(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        size_t room = 1 + i % 200, head = i % 7 < room ? i % 7 : 0;
        uint8_t *code = malloc(room);
        assert_non_null(code);
        for (size_t k = 0; k < room; k++) {
            random = random * 6364136223846793005ULL + 1442695040888963407ULL;
            code[k] = (uint8_t)(random >> 56);
            if (random >> 40 & 1) /* more often what jumps, compares and adds */
                code[k] = (uint8_t) "\x7c\xeb\x39\x83\xe8\x01\xf0\xe0"[random >> 32 & 7];
        }
        struct loop_step step = loop_step_x86_64(code, room, head, head, NULL);
        assert_true(step.kind < LOOP_KINDS);
        assert_true(step.bytes <= room - head);
        free(code);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
        cmocka_unit_test(steps_and_bounds_are_told_apart),
        cmocka_unit_test(the_end_is_where_lanes_have_jumped_from),
        cmocka_unit_test(code_that_is_cut_off_does_not_tell),
        cmocka_unit_test(loops_of_kernels_are_as_nvcc_has_them),
#endif
        cmocka_unit_test(random_bytes_are_read_within_their_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
