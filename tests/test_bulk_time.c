/* test_bulk_time.c - in time: a bulk copy does not hold its warp up, a wait for its phase does until its bytes and all arrivals have come,
 * also of other warps; a wait for stores does until they are sent; and a wait for what never comes ends when nothing else runs.
 */

#include "run_on.h"

enum { WORK_CYCLES = 4000, BYTES = 4096, BARRIER = 0x8000 };

/* What a warp does. */
enum { LOAD, STORE, COMMIT, WAIT_STORES, ARRIVE, WAIT, WAIT_BYTES, NEXT_WAIT, WORK, END };

static struct trace_copy step_of(uint8_t step, const struct warp_access *access)
{
    static const enum copy_step steps[] = {
        [LOAD] = BULK_BEGINS,      [STORE] = BULK_BEGINS,    [COMMIT] = BULK_COMMIT,
        [WAIT_STORES] = BULK_WAIT, [ARRIVE] = PHASE_ARRIVE,  [WAIT] = PHASE_WAIT,
        [WAIT_BYTES] = PHASE_WAIT, [NEXT_WAIT] = PHASE_WAIT,
    };
    const bool of_phase = step >= ARRIVE && step <= NEXT_WAIT;
    return (struct trace_copy){.step = steps[step],
                               .warp = access->warp,
                               .lanes = 1,
                               .work = 1,
                               .access = step <= STORE ? access : NULL,
                               .barrier = of_phase ? BARRIER : 0,
                               .phase = step == NEXT_WAIT,
                               .needs = of_phase,
                               .bytes = step == WAIT_BYTES ? BYTES : 0};
}

static bool give(const struct trace_sink *sink, uint32_t warp, uint8_t step, uint64_t base)
{
    const struct bulk_copy bulk = {
        .barrier = BARRIER, .rank = 1, .element = 1, .box = {BYTES}, .size = {BYTES}, .pitch = {1}};
    const struct warp_access access = {.base = base,
                                       .active = 1,
                                       .resident = UINT32_MAX,
                                       .warp = warp,
                                       .site = step == STORE,
                                       .work = 1,
                                       .loads_left = NEEDS_NO_LOAD,
                                       .width = 16,
                                       .op = step == STORE ? OP_STORE : OP_LOAD,
                                       .space = SPACE_GLOBAL,
                                       .bulk = &bulk};
    if (step == WORK) /* an arrival that nobody waits for */
        return sink_copy(sink, &(struct trace_copy){.step = PHASE_ARRIVE,
                                                    .warp = warp,
                                                    .lanes = 1,
                                                    .work = WORK_CYCLES,
                                                    .barrier = BARRIER + 8,
                                                    .needs = 1});
    const struct trace_copy given = step_of(step, &access);
    return sink_copy(sink, &given);
}

struct script {
    const uint8_t *warps[2]; /* NULL: there is no second one */
};

static const char *run_script(void *context, const struct trace_sink *sink)
{
    const struct script *script = context;
    const struct trace_site sites[] = {{"script", 1, "in", SPACE_GLOBAL, OP_LOAD, 16},
                                       {"script", 2, "out", SPACE_GLOBAL, OP_STORE, 16}};
    const uint32_t warps = script->warps[1] ? 2 : 1;
    const struct launch_info launch = {
        .kernel = "script", .grid = {1, 1, 1}, .block = {32 * warps, 1, 1}};
    bool fine = sink_site(sink, 0, &sites[0]) && sink_site(sink, 1, &sites[1]) &&
                sink_launch_begin(sink, &launch);
    for (uint32_t w = 0; w < warps; w++) {
        for (unsigned i = 0; script->warps[w][i] != END; i++)
            fine = fine && give(sink, w, script->warps[w][i], (1 << 20) + (4 * w + i) * BYTES);
        fine =
            fine &&
            sink_event(sink, &(struct trace_event){.kind = TRACE_WARP_END, .warp = w, .work = 1});
    }
    return fine && sink_event(sink, &(struct trace_event){.kind = TRACE_BLOCK_END}) &&
                   sink_launch_end(sink, 1024)
               ? NULL
               : "stopped";
}

static struct counters run(const uint8_t *first, const uint8_t *second)
{
    struct script script = {{first, second}};
    return counters_on_h200((struct trace_source){&script, run_script});
}
#define STEPS(...) ((const uint8_t[]){__VA_ARGS__, END})

static void a_wait_stalls_and_a_copy_does_not(void **state)
{
    (void)state;
    const struct counters work = run(STEPS(WORK), NULL);
    const struct counters at_once = run(STEPS(ARRIVE, LOAD, WAIT_BYTES, WORK), NULL);
    const struct counters behind = run(STEPS(ARRIVE, LOAD, WORK, WAIT_BYTES), NULL);
    assert_true(at_once.stall_cycles + at_once.barrier_stall_cycles > 400);
    assert_int_equal(behind.stall_cycles + behind.barrier_stall_cycles, 0);
    assert_true(at_once.elapsed_cycles > behind.elapsed_cycles + 400);
    assert_true(behind.elapsed_cycles < work.elapsed_cycles + 150);
    assert_int_equal(at_once.bulk_loads, 1);
    assert_int_equal(at_once.l2_read_sectors, BYTES / 32);
    assert_int_equal(at_once.dram_read_sectors, BYTES / 32);
}

static void a_wait_is_for_all_that_comes(void **state)
{
    (void)state;
    const struct counters arrived = run(STEPS(WORK, ARRIVE), STEPS(WAIT));
    const struct counters copied = run(STEPS(WORK, ARRIVE, LOAD), STEPS(WAIT_BYTES));
    const struct counters nobody_waits = run(STEPS(WORK, ARRIVE), STEPS(END));
    assert_true(arrived.barrier_stall_cycles > WORK_CYCLES / 2);
    assert_true(nobody_waits.barrier_stall_cycles == 0);
    assert_true(arrived.elapsed_cycles < nobody_waits.elapsed_cycles + 150);
    assert_true(copied.elapsed_cycles > arrived.elapsed_cycles + 400);
}

static void stores_are_waited_for(void **state)
{
    (void)state;
    const struct counters waited = run(STEPS(STORE, COMMIT, WAIT_STORES), NULL);
    const struct counters left = run(STEPS(STORE, COMMIT), NULL);
    assert_true(waited.stall_cycles + waited.barrier_stall_cycles > 20);
    assert_int_equal(left.stall_cycles + left.barrier_stall_cycles, 0);
    assert_int_equal(left.l2_write_sectors, BYTES / 32); /* also behind the block's end */
    assert_int_equal(left.crossbar_write_bytes, BYTES);
}

/* A phase that no program comes to waits for: a trace may hold anything. */
static void what_never_comes(void **state)
{
    (void)state;
    const struct counters c = run(STEPS(NEXT_WAIT, ARRIVE), STEPS(WAIT_BYTES, LOAD));
    assert_int_equal(c.bulk_loads, 1);
}

/* The same results, whatever else the wheel holds: twice. */
static void runs_are_equal(void **state)
{
    (void)state;
    const uint8_t *steps = STEPS(ARRIVE, LOAD, LOAD, STORE, COMMIT, LOAD, WAIT_STORES, WAIT_BYTES);
    const struct counters a = run(steps, steps), b = run(steps, steps);
    assert_memory_equal(&a, &b, sizeof a);
}

static void a_gpu_without_copies(void **state)
{
    struct script script = {{STEPS(ARRIVE, LOAD, WAIT_BYTES), NULL}};
    struct result result;
    (void)state;
    assert_string_equal(
        run_on("a100", (struct trace_source){&script, run_script}, &result),
        "script:1: a bulk copy (cp.async.bulk): a100 is sm_80, and sm_90 (Hopper) is "
        "the first that has them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wait_stalls_and_a_copy_does_not),
        cmocka_unit_test(a_wait_is_for_all_that_comes),
        cmocka_unit_test(stores_are_waited_for),
        cmocka_unit_test(what_never_comes),
        cmocka_unit_test(runs_are_equal),
        cmocka_unit_test(a_gpu_without_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
