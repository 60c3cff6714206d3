/* test_tracer_work.c - is the work of accesses and events that of the instructions between them?
 * Kernels differ by a known number of instructions; one piece of code is counted by hand.
 */
#include "test_support.h"
#include "tracer/work/lag.h"
#include "tracer/work/work.h"
#include "trace_recorder.h"

/* ---- Code counted by hand ---------------------------------------------------------------------
 */

#if defined(__x86_64__)
__asm__(".text\n"
        "work_sample:\n"
        "  call __sanitizer_cov_trace_pc\n"
        "work_sample_block:\n"
        "  movl wl_indices(%rip), %eax\n" /* 1: an index */
        "  pushq %rbx\n"                  /* 0 */
        "  imull %ecx, %eax\n"            /* 1 */
        "  movl %eax, 8(%rsp)\n"          /* 0: a spill */
        "  leaq (%rbx,%rax,4), %rdi\n"    /* 0: the argument */
        "  call __tsan_read4\n"           /* 1 */
        "work_sample_load:\n"
        "  addl (%rbx,%rax,4), %edx\n" /* 1: the sum; the load is the call's */
        "  movl %edx, %edi\n"          /* 1: the argument of another function */
        "  call work_sample\n"         /* 1 */
        "  cltd\n"                     /* 1 */
        "  idivl %ecx\n"               /* 20 */
        "  divss %xmm1, %xmm0\n"       /* 10 */
        "  movq %rbx, %r12\n"          /* 0: another name */
        "  xorl %ecx, %ecx\n"          /* 0: a zero */
        "  movl $1, %esi\n"            /* 0 */
        "  movq %rbx, %rdi\n"          /* 0 */
        "  call wl_atomicAdd_i32\n"    /* 1 */
        "work_sample_atomic:\n"
        "  jmp 1f\n" /* 0 */
        "1:\n"
        "  call wl_activemask\n" /* 1 */
        "  nop\n"                /* 0 */
        "  testl %eax, %eax\n"   /* 1 */
        "work_sample_branch:\n"
        "  jne work_sample\n" /* 1 */
        "  call __sanitizer_cov_trace_pc\n"
        "work_sample_last:\n"
        "  addq $8, %rsp\n" /* 0 */
        "  popq %rbx\n"     /* 0 */
        "  ret\n"           /* 1 */
        "  jmp __sanitizer_cov_trace_pc\n"
        "work_sample_behind:\n" /* no call returns to here: a jump comes back to the caller */
        "  addl %eax, %edx\n"
        "  ret\n");
extern const char work_sample_block[], work_sample_load[], work_sample_atomic[],
    work_sample_branch[], work_sample_last[], work_sample_behind[];

static void code_is_counted_by_the_rules(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32); /* the program's code is known */
    work_branch((uintptr_t)work_sample_branch, GPU_BRANCH_PARTS);
    const struct work block = work_enter_block((uintptr_t)work_sample_block);
    assert_int_equal(block.instructions, 3 + 35 + 3);
    assert_int_equal(block.lag,
                     LAG_INTEGER_DIVISION + LAG_FLOAT_DIVISION + LAG_BRANCH + LAG_RECONVERGENCE);
    assert_int_equal(work_from((uintptr_t)work_sample_load).instructions, 35 + 3);
    assert_int_equal(work_from((uintptr_t)work_sample_atomic).instructions, 3);
    assert_int_equal(work_of_block((uintptr_t)work_sample_atomic), 3 + 35 + 3);
    assert_int_equal(work_from((uintptr_t)work_sample_atomic).lag, LAG_BRANCH + LAG_RECONVERGENCE);
    const struct work last = work_enter_block((uintptr_t)work_sample_last);
    assert_int_equal(last.lag, 0);
    assert_int_equal(last.instructions, 1);
    assert_int_equal(work_enter_block((uintptr_t)work_sample_behind).instructions, 0);
    assert_int_equal(work_of_block((uintptr_t)work_sample_atomic), 3 + 35 + 3);
}
#else
static void code_is_counted_by_the_rules(void **state)
{
    (void)state;
    skip();
}
#endif

static void code_elsewhere_counts_nothing(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32);
    assert_int_equal(work_enter_block(16).instructions, 0);
    assert_int_equal(work_from(UINTPTR_MAX).instructions, 0);
    assert_int_equal(work_of_block((uintptr_t)state), 0);
}

/* A GPU takes 10 to 12 instructions for a copied element. */
static void a_copy_takes_about_as_many_as_on_a_gpu(void **state)
{
    (void)state;
    RUN(addArrays, .n = 32);
    assert_in_range(recorder_work(), 15, 45); /* three accesses, with calls of the test's own */
}

/* ---- Kernels that differ by what is counted ---------------------------------------------------
 */

static const unsigned extra_work[] = {
    [EXTRA_NONE] = 0,      [EXTRA_ADDS] = WORK_OF_ADDS, [EXTRA_NOPS] = 0,
    [EXTRA_DIVISION] = 20, [EXTRA_SQUARE_ROOT] = 10,
};

#define STORE_HOST(name, extra) [extra] = run_extraBeforeStore##name,
#define BARRIER_HOST(name, extra) [extra] = run_extraBeforeBarrier##name,
#define END_HOST(name, extra) [extra] = run_extraBeforeEnd##name,
static host_function *const store_hosts[] = {RUNTIME_EXTRAS(STORE_HOST)};
static host_function *const barrier_hosts[] = {RUNTIME_EXTRAS(BARRIER_HOST)};
static host_function *const end_hosts[] = {RUNTIME_EXTRAS(END_HOST)};

/* Setting the registers of a division up takes some more. */
static void assert_extra(uint64_t with, uint64_t without, enum work_extra extra)
{
    if (extra == EXTRA_DIVISION)
        assert_in_range(with, without + extra_work[extra], without + extra_work[extra] + 4);
    else
        assert_int_equal(with, without + extra_work[extra]);
}

static void assert_extras(host_function *const *hosts, uint64_t (*work)(void))
{
    const struct runtime_args args = {.n = 0};
    recorder_run_well(hosts[EXTRA_NONE], &args);
    uint64_t without = work(), all_without = recorder_work();
    for (unsigned extra = EXTRA_ADDS; extra <= EXTRA_SQUARE_ROOT; extra++) {
        recorder_run_well(hosts[extra], &args);
        assert_extra(work(), without, (enum work_extra)extra);
        assert_extra(recorder_work(), all_without, (enum work_extra)extra);
    }
}

static uint64_t work_of_store(void)
{
    return recorder.kept[1].work;
}

static uint64_t work_of_barrier(void)
{
    return recorder_event(TRACE_BARRIER, 0, 0, 0)->event.work;
}

static uint64_t work_of_end(void)
{
    return recorder_event(TRACE_WARP_END, 0, 0, 0)->event.work;
}

static void an_access_has_the_work_since_the_one_before(void **state)
{
    (void)state;
    assert_extras(store_hosts, work_of_store);
}

static void a_barrier_has_the_work_since_the_access_before(void **state)
{
    (void)state;
    assert_extras(barrier_hosts, work_of_barrier);
}

static void the_end_has_the_work_since_the_last_access(void **state)
{
    (void)state;
    assert_extras(end_hosts, work_of_end);
}

/* ---- Loops and branches -----------------------------------------------------------------------
 */

static uint64_t work_of(host_function *host, int n)
{
    recorder_run_well(host, &(struct runtime_args){.n = n});
    return recorder_work();
}

static void work_grows_with_the_trips(void **state)
{
    (void)state;
    uint64_t one = work_of(run_quietLoop, 1), trip = work_of(run_quietLoop, 2) - one;
    assert_in_range(trip, WORK_OF_ADDS + 2, WORK_OF_ADDS + 6);
    for (unsigned n = 3; n < 40; n++) {
        assert_int_equal(work_of(run_quietLoop, (int)n), one + (n - 1) * trip);
        assert_int_equal(recorder.count, 1);
    }
}

static void work_of_one_event_is_limited(void **state)
{
    (void)state;
    work_of(run_quietLoop, 10000);
    assert_int_equal(recorder.kept[0].work, WORK_MAX);
}

/* Lanes that are through wait for the others: the warp's work is that of its longest lanes. */
static void lanes_that_go_round_less_often_cost_nothing(void **state)
{
    (void)state;
    for (int n = 1; n < 10; n++)
        assert_int_equal(work_of(run_unevenLoop, n), work_of(run_unevenLoop, n + EVEN_TRIPS));
    assert_true(work_of(run_unevenLoop, 9) > work_of(run_unevenLoop, 8));
}

/* Both sides of a branch are executed one after another; what is in front of it once. */
static void sides_of_a_branch_add_up(void **state)
{
    (void)state;
    uint64_t first = work_of(run_twoSides, 32), second = work_of(run_twoSides, 0);
    uint64_t both = work_of(run_twoSides, 16);
    assert_int_equal(recorder.count, 2);
    assert_in_range(first - second, WORK_OF_ADDS - 2, WORK_OF_ADDS + 2);
    assert_in_range(both, second + 2 * WORK_OF_ADDS, second + 2 * WORK_OF_ADDS + 8);
    assert_in_range(recorder.kept[1].work, WORK_OF_ADDS, WORK_OF_ADDS + 8);
}

/* Lanes that skip a side have not done anything that the others had not. */
static void a_skipped_side_adds_nothing(void **state)
{
    (void)state;
    uint64_t whole = work_of(run_skippedSide, 32);
    for (int n = 1; n < 32; n++)
        assert_int_equal(work_of(run_skippedSide, n), whole);
    assert_true(work_of(run_skippedSide, 0) < whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_counted_by_the_rules),
        cmocka_unit_test(code_elsewhere_counts_nothing),
        cmocka_unit_test(a_copy_takes_about_as_many_as_on_a_gpu),
        cmocka_unit_test(an_access_has_the_work_since_the_one_before),
        cmocka_unit_test(a_barrier_has_the_work_since_the_access_before),
        cmocka_unit_test(the_end_has_the_work_since_the_last_access),
        cmocka_unit_test(work_grows_with_the_trips),
        cmocka_unit_test(work_of_one_event_is_limited),
        cmocka_unit_test(lanes_that_go_round_less_often_cost_nothing),
        cmocka_unit_test(sides_of_a_branch_add_up),
        cmocka_unit_test(a_skipped_side_adds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
