/* test_async_time.c - in time: a copy does not hold its warp up, a wait does until its groups have arrived; what goes through the
 * L1 stays there, what goes past it does not; and a GPU without copies says so.
 */
#include "run_on.h"

#include <string.h>

enum { COPY_CA, COPY_CG, COMMIT, WAIT_ALL, WAIT_ONE, WORK, END };

/* One warp; its copies begin at multiples of 4 KB, or all at the same place. */
struct script {
    const uint8_t *steps; /* up to END */
    bool same_place;
};

static bool give(const struct trace_sink *sink, uint8_t step, uint64_t base)
{
    struct async_copy copy = {.past_l1 = step == COPY_CG};
    struct warp_access access = {.base = base,
                                 .stride = 16,
                                 .active = UINT32_MAX,
                                 .resident = UINT32_MAX,
                                 .work = 1,
                                 .loads_left = NEEDS_NO_LOAD,
                                 .width = 16,
                                 .op = OP_LOAD,
                                 .space = SPACE_GLOBAL,
                                 .copy = &copy};
    struct trace_copy given = {.lanes = UINT32_MAX, .work = 1};
    memset(copy.bytes, 16, sizeof copy.bytes);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        copy.to[lane] = 16 * lane;
    if (step == WORK)
        return sink_event(sink, &(struct trace_event){.kind = TRACE_BARRIER, .work = 2000});
    given.step = step == COMMIT ? COPY_COMMIT : step < COMMIT ? COPY_BEGINS : COPY_WAIT;
    given.left = step == WAIT_ONE;
    given.access = given.step == COPY_BEGINS ? &access : NULL;
    return sink_copy(sink, &given);
}

static const char *run_script(void *context, const struct trace_sink *sink)
{
    const struct script *script = context;
    const struct trace_site site = {"script", 1, "in", SPACE_GLOBAL, OP_LOAD, 16};
    const struct launch_info launch = {.kernel = "script", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    bool fine = sink_site(sink, 0, &site) && sink_launch_begin(sink, &launch);
    for (unsigned i = 0; script->steps[i] != END; i++)
        fine =
            fine && give(sink, script->steps[i], (1 << 20) + (script->same_place ? 0 : i * 4096));
    return fine && sink_event(sink, &(struct trace_event){.kind = TRACE_WARP_END, .work = 1}) &&
                   sink_event(sink, &(struct trace_event){.kind = TRACE_BLOCK_END}) &&
                   sink_launch_end(sink, 1024)
               ? NULL
               : "stopped";
}

static struct counters run(const uint8_t *steps, bool same_place)
{
    struct script script = {steps, same_place};
    return counters_on_h200((struct trace_source){&script, run_script});
}
#define RUN(same_place, ...) run((const uint8_t[]){__VA_ARGS__, END}, same_place)

static void a_wait_stalls_and_a_copy_does_not(void **state)
{
    (void)state;
    const struct counters work = RUN(false, WORK);
    const struct counters at_once = RUN(false, COPY_CG, COMMIT, WAIT_ALL, WORK);
    const struct counters behind = RUN(false, COPY_CG, COMMIT, WORK, WAIT_ALL);
    const struct counters never = RUN(false, COPY_CG, COMMIT, WORK);
    assert_true(at_once.stall_cycles > 400);
    assert_int_equal(behind.stall_cycles, 0);
    assert_true(at_once.elapsed_cycles > behind.elapsed_cycles + 400);
    assert_true(behind.elapsed_cycles < work.elapsed_cycles + 150);
    assert_true(never.elapsed_cycles <= behind.elapsed_cycles);
    assert_int_equal(at_once.async_copies, 1);
    assert_int_equal(at_once.dram_read_sectors, 16);
}

static void a_wait_is_for_its_groups(void **state)
{
    (void)state;
    const struct counters first =
        RUN(false, COPY_CG, COMMIT, WORK, COPY_CG, COMMIT, WAIT_ONE, WORK);
    const struct counters both = RUN(false, COPY_CG, COMMIT, WORK, COPY_CG, COMMIT, WAIT_ALL, WORK);
    const struct counters open = RUN(false, COPY_CG, WAIT_ALL, WORK);
    const struct counters two = RUN(false, COPY_CG, COPY_CG, COMMIT, WAIT_ALL, WORK);
    assert_int_equal(first.stall_cycles, 0);
    assert_true(both.stall_cycles > 400);
    assert_int_equal(open.stall_cycles, 0); /* of no group yet */
    assert_true(two.stall_cycles > 400);
}

/* More groups than are kept: the oldest has to have arrived. */
static void many_groups(void **state)
{
    uint8_t steps[2 * 40 + 2];
    (void)state;
    for (unsigned i = 0; i < 40; i++) {
        steps[2 * i] = COPY_CA;
        steps[2 * i + 1] = COMMIT;
    }
    steps[80] = WAIT_ALL;
    steps[81] = END;
    const struct counters c = run(steps, false);
    assert_int_equal(c.async_copies, 40);
    assert_true(c.stall_cycles > 400);
}

static void what_stays_in_the_l1(void **state)
{
    (void)state;
    const struct counters through = RUN(true, COPY_CA, COMMIT, WAIT_ALL, COPY_CA, COMMIT, WAIT_ALL);
    const struct counters past = RUN(true, COPY_CG, COMMIT, WAIT_ALL, COPY_CG, COMMIT, WAIT_ALL);
    assert_int_equal(through.l1_lookup_sectors, 32);
    assert_int_equal(through.l1_hit_sectors, 16);
    assert_int_equal(through.l1_global_hit_sectors, 0); /* of loads */
    assert_int_equal(past.l1_lookup_sectors, 0);
    assert_int_equal(past.l1_passed_sectors, 32);
    assert_int_equal(past.l2_read_sectors, 32);
}

static void a_gpu_without_copies(void **state)
{
    const uint8_t steps[] = {COPY_CA, COMMIT, WAIT_ALL, END};
    struct script script = {steps, false};
    struct result result;
    (void)state;
    assert_string_equal(run_on("v100", (struct trace_source){&script, run_script}, &result),
                        "script:1: an asynchronous copy (cp.async): v100 is sm_70, and sm_80 "
                        "(Ampere) is the first that has them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_stalls_and_a_copy_does_not),
        cmocka_unit_test(a_wait_is_for_its_groups),
        cmocka_unit_test(many_groups),
        cmocka_unit_test(what_stays_in_the_l1),
        cmocka_unit_test(a_gpu_without_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
