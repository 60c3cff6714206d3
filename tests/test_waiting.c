/* test_waiting.c - is waiting booked on what is waited for: on the load whose data comes last, on the access that
 * needs the load/store unit, at barriers on the barrier; and is it so in the gallery's kernels?
 *
 * Warps of one block on a GPU of round figures: an instruction is a cycle, an access goes to the load/store unit
 * when its instruction is through and keeps it for a cycle; shared memory takes 20 cycles and DRAM 600.
 */
#include "sim_feed.h"
#include "small_gpu.h"

#include "test_support.h"

#include <string.h>

#include "gallery_list.h"
#include "models/models.h"
#include "session/gallery_source.h"
#include "session/session.h"

/* ---- A block --------------------------------------------------------------------------------- */

enum { WARPS = 4, STEPS = 6, SITES = 4 };

/* What a warp does at one step. The site of an access is its place in the warp's list plus the warp. */
struct doing {
    enum step_kind kind; /* STEP_END: so does the list */
    uint8_t op, space;
    uint8_t loads_left; /* as in struct warp_access, for loads */
    uint32_t work;      /* instructions */
    int64_t stride;     /* between the lanes' words; 128: a line each */
};

#define LOAD_AFTER(left, in)                                                                       \
    {                                                                                              \
        .op = OP_LOAD, .space = in, .loads_left = left, .work = 1                                  \
    }
#define LOAD LOAD_AFTER(NEEDS_NO_LOAD, SPACE_GLOBAL)
#define SHARED_LOAD LOAD_AFTER(NEEDS_NO_LOAD, SPACE_SHARED)
#define ATOMIC                                                                                     \
    {                                                                                              \
        .op = OP_ATOMIC, .work = 1                                                                 \
    }
#define STORE                                                                                      \
    {                                                                                              \
        .op = OP_STORE, .work = 1                                                                  \
    }
#define BARRIER                                                                                    \
    {                                                                                              \
        .kind = STEP_BARRIER, .work = 1                                                            \
    }
#define END(instructions)                                                                          \
    {                                                                                              \
        .kind = STEP_END, .work = instructions                                                     \
    }

static struct feed feed;

static struct arch arch_of_waiting(void)
{
    struct arch arch = small_gpu_arch(90);
    arch.issue_millicycles = arch.instruction_millicycles = 1000;
    arch.instruction_percent = 100;
    arch.block_launch_millicycles = arch.warp_launch_millicycles = 0;
    arch.block_start_cycles = arch.warp_start_cycles = 0;
    arch.barrier_cycles = 50;
    arch.shared_latency_cycles = 20;
    arch.loads_in_flight = 8;
    return arch;
}

static void add_doing(struct step_block *block, uint32_t warp, uint32_t site, const struct doing *d)
{
    if (d->kind != STEP_ACCESS) {
        step_block_add(block, warp, d->kind, d->work);
        return;
    }
    const struct warp_access access = {.base = 1048576 * (1 + warp) + 65536 * site,
                                       .stride = d->stride,
                                       .active = UINT32_MAX,
                                       .resident = UINT32_MAX,
                                       .warp = warp,
                                       .site = site,
                                       .work = (uint16_t)d->work,
                                       .loads_left = d->loads_left,
                                       .width = 4,
                                       .op = d->op,
                                       .space = d->space};
    step_block_add_access(block, &access);
}

/* Each warp does what its list says, from cycle 0 on. */
static void run_block(const struct arch *arch, const struct doing (*lists)[STEPS], uint32_t warps)
{
    const struct kernel_resources resources = {.threads_per_block = 32 * (int64_t)warps};
    const struct occupancy occupancy = occupancy_of(arch, &resources);
    feed_open(&feed, arch, NULL);
    assert_true(sim_reserve_sites(&feed.sim, SITES));
    assert_true(sim_launch(&feed.sim, &occupancy, 0, 1));
    struct step_block *block = step_block_new(&feed.store, 0, warps);
    assert_non_null(block);
    for (uint32_t warp = 0; warp < warps; warp++)
        for (uint32_t i = 0; i == 0 || lists[warp][i - 1].kind != STEP_END; i++)
            add_doing(block, warp, warp + i, &lists[warp][i]);
    step_block_close(block);
    sim_run_block(&feed.sim, block);
    step_block_release(block);
    sim_finish(&feed.sim);
}

/* What the sites have of the waiting, and the barriers. */
static void expect_waiting(const uint64_t at[SITES], uint64_t barriers)
{
    for (uint32_t i = 0; i < SITES; i++)
        if (feed.judge.sites[i].stall_cycles != at[i])
            fail_msg("site %u has %llu cycles of waiting, not %llu", i,
                     (unsigned long long)feed.judge.sites[i].stall_cycles,
                     (unsigned long long)at[i]);
    assert_int_equal(feed_total(&feed).counters.barrier_stall_cycles, barriers);
    feed_close(&feed);
}

#define WAITING(...) ((const uint64_t[SITES]){__VA_ARGS__})

static void run_warp(const struct arch *arch, const struct doing list[STEPS])
{
    run_block(arch, (const struct doing(*)[STEPS])(const void *)list, 1);
}

/* ---- Data ------------------------------------------------------------------------------------ */

/* The load is at the unit in cycle 1, its data there in 601. The store's instruction is through by 2. */
static void waiting_for_data_is_the_loads(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    run_warp(&arch, (const struct doing[STEPS]){LOAD, STORE, END(0)});
    expect_waiting(WAITING(599, 0), 0);
}

/* The second load's instruction is behind the wait, which begins in cycle 1; the store then waits for it. */
static void waiting_for_an_address_is_the_loads_that_brings_it(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    run_warp(&arch, (const struct doing[STEPS]){LOAD, LOAD_AFTER(0, SPACE_GLOBAL), STORE, END(0)});
    expect_waiting(WAITING(600, 599, 0), 0);
}

/* The store's instruction is through by 3. DRAM's data comes in 601 or, of a second load, in 602. */
static void several_loads_share_a_wait_as_long_as_they_are_out(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    run_warp(&arch, (const struct doing[STEPS]){LOAD, SHARED_LOAD, STORE, END(0)});
    expect_waiting(WAITING(598 - 9, 9, 0), 0); /* 18 cycles of both */
    run_warp(&arch, (const struct doing[STEPS]){SHARED_LOAD, LOAD, STORE, END(0)});
    expect_waiting(WAITING(9, 599 - 9, 0), 0);
}

/* The older load's data comes a cycle before the other's, with it, and a cycle after it: what does not divide is the
 * one's that comes last. */
static void two_that_come_at_once_have_the_half_each(void **state)
{
    (void)state;
    static const struct doing list[STEPS] = {SHARED_LOAD, LOAD, STORE, END(0)};
    static const uint64_t first[] = {299, 299, 301}, second[] = {300, 300, 299};
    for (int64_t late = 0; late < 3; late++) {
        struct arch arch = arch_of_waiting();
        arch.shared_latency_cycles = 600 + late;
        run_warp(&arch, list);
        expect_waiting(WAITING(first[late], second[late], 0), 0);
    }
}

/* Two loads may be under way: the third waits for the first, the store for the second and third. */
static void a_full_window_waits_for_the_oldest_load(void **state)
{
    (void)state;
    struct arch arch = arch_of_waiting();
    arch.loads_in_flight = 2;
    run_warp(&arch, (const struct doing[STEPS]){LOAD, LOAD, LOAD, STORE, END(0)});
    expect_waiting(WAITING(598, 0, 599, 0), 0);
}

/* The first of three loads has come when the third goes: the second is still waited for. */
static void a_load_behind_one_that_has_come_is_not_forgotten(void **state)
{
    (void)state;
    struct arch arch = arch_of_waiting();
    arch.loads_in_flight = 2;
    const struct doing late = {
        .op = OP_LOAD, .space = SPACE_SHARED, .loads_left = NEEDS_NO_LOAD, .work = 30};
    run_warp(&arch, (const struct doing[STEPS]){SHARED_LOAD, LOAD, late, STORE, END(0)});
    expect_waiting(WAITING(0, 602 - 33 - 9, 9, 0), 0); /* 18 cycles with the third */
}

/* More loads than are kept, of two sites by turns. */
static void each_of_many_loads_has_its_own(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    const struct feed_part parts[] = {
        {.base = 1 << 20, .active = 1, .work = 1},
        {.op = OP_STORE, .base = 1 << 26, .active = 1, .work = 1},
        {.space = SPACE_SHARED, .base = 1024, .bytes = 128, .work = 1},
        {.op = OP_STORE, .base = 1 << 27, .active = 1, .work = 1},
    };
    const struct feed_kernel kernel = {
        .parts = parts, .part_count = 4, .rounds = 21, .blocks = 1, .warps = 1};
    feed_open(&feed, &arch, NULL);
    feed_run(&feed, &kernel);
    expect_waiting(WAITING(21 * 599, 0, 21 * 19, 0), 0);
}

/* For loads that are still under way, and at a barrier. */
static void waiting_at_the_end_is_the_loads(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    run_warp(&arch, (const struct doing[STEPS]){LOAD, END(1)});
    expect_waiting(WAITING(599), 0);
    run_warp(&arch, (const struct doing[STEPS]){LOAD, BARRIER, LOAD, END(1)});
    expect_waiting(WAITING(599, 0, 599), 0);
}

/* 32 lanes on one address, 4 cycles each, and L2 that reads its line first. */
static void waiting_for_what_an_atomic_returns_is_the_atomics(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    run_warp(&arch, (const struct doing[STEPS]){ATOMIC, STORE, END(0)});
    expect_waiting(WAITING(32 * 4 + 599, 0), 0);
}

/* ---- Other warps ---------------------------------------------------------------------------------- */

/* The first warp's 8 tag wavefronts keep the unit for 32 cycles from 1 on. The second warp comes in cycle 10. */
static void waiting_for_the_unit_is_the_access_that_needs_it(void **state)
{
    (void)state;
    const struct doing lists[][STEPS] = {
        {{.op = OP_STORE, .stride = 128, .work = 1}, END(0)},
        {STORE, END(0)},
    };
    struct arch arch = arch_of_waiting();
    arch.lsu_millicycles = 4000;
    arch.warp_start_cycles = 10;
    run_block(&arch, lists, 2);
    expect_waiting(WAITING(0, 1 + 32 - 10), 0);
}

/* Warps come one by one, 100 cycles apart. */
static void waiting_at_a_barrier_is_for_the_last_that_comes(void **state)
{
    (void)state;
    struct arch arch = arch_of_waiting();
    const struct doing same[WARPS][STEPS] = {
        {BARRIER, END(0)}, {BARRIER, END(0)}, {BARRIER, END(0)}, {BARRIER, END(0)}};
    arch.warp_start_cycles = 100;
    run_block(&arch, same, WARPS);
    expect_waiting(WAITING(0), 300 + 200 + 100);
    run_block(&arch, same, 1);
    expect_waiting(WAITING(0), 0); /* a barrier's own time is nobody's wait */
}

/* Two instructions go first, then 50. The last warp's second barrier is its own. */
static void waiting_at_a_barrier_ends_when_the_others_end(void **state)
{
    (void)state;
    const struct arch arch = arch_of_waiting();
    const struct doing lists[][STEPS] = {{BARRIER, END(0)}, {BARRIER, BARRIER, END(0)}, {END(50)}};
    run_block(&arch, lists, 3);
    expect_waiting(WAITING(0), 2 * 52);
}

/* ---- The gallery ----------------------------------------------------------------------------- */

static void run_gallery(const char *name, const char *gpu_name, int side, struct result *result)
{
    const struct gallery_kernel *kernel = gallery_find(name);
    struct session_gpu gpu = {.model = models_find(gpu_name)};
    assert_non_null(kernel);
    struct gallery_args args = {.params = kernel->params};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        const char *param = kernel->params[i].name;
        const bool is_side = strcmp(param, "width") == 0 || strcmp(param, "height") == 0;
        args.values[i] = is_side && side ? side : kernel->params[i].value;
    }
    struct gallery_run run = {kernel, &args};
    const struct session_request request = {
        .source = gallery_source(&run), .gpus = &gpu, .gpu_count = 1};
    arch_from_model(gpu.model, &gpu.arch);
    assert_null(session_run(&request, result));
}

/* Percent of all waiting. */
static double share_of(const struct result *r, const char *array)
{
    uint64_t waiting = 0;
    for (size_t i = 0; i < r->array_count; i++)
        if (strcmp(r->arrays[i].array, array) == 0)
            waiting += r->arrays[i].counters->stall_cycles;
    return 100 * (double)waiting / (double)r->total.stall_cycles;
}

static void a_tiled_product_waits_for_global_memory(void **state)
{
    (void)state;
    struct result r;
    run_gallery("matrixMul", "h200", 0, &r);
    assert_true(share_of(&r, "A") + share_of(&r, "B") >
                95); /* both under way at once: the later one has it */
    assert_true(share_of(&r, "As") + share_of(&r, "Bs") < 1);
    results_free(&r, 1);
}

static void structures_of_three_floats_wait_for_the_load(void **state)
{
    (void)state;
    struct result r;
    run_gallery("vec3d", "h200", 0, &r);
    assert_true(share_of(&r, "data") > 99);
    results_free(&r, 1);
}

/* Camping stores keep the load/store unit, for which the tile's accesses wait. */
static void a_transpose_that_camps_waits_for_the_unit_and_its_input(void **state)
{
    (void)state;
    struct result r;
    run_gallery("transposeCoalesced", "gtx280", 2048, &r);
    assert_true(share_of(&r, "idata") > 25);                        /* 29.9 */
    assert_true(share_of(&r, "tile") + share_of(&r, "odata") > 60); /* 38.5 for the tile */
    results_free(&r, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_for_data_is_the_loads),
        cmocka_unit_test(waiting_for_an_address_is_the_loads_that_brings_it),
        cmocka_unit_test(several_loads_share_a_wait_as_long_as_they_are_out),
        cmocka_unit_test(two_that_come_at_once_have_the_half_each),
        cmocka_unit_test(a_full_window_waits_for_the_oldest_load),
        cmocka_unit_test(a_load_behind_one_that_has_come_is_not_forgotten),
        cmocka_unit_test(each_of_many_loads_has_its_own),
        cmocka_unit_test(waiting_at_the_end_is_the_loads),
        cmocka_unit_test(waiting_for_what_an_atomic_returns_is_the_atomics),
        cmocka_unit_test(waiting_for_the_unit_is_the_access_that_needs_it),
        cmocka_unit_test(waiting_at_a_barrier_is_for_the_last_that_comes),
        cmocka_unit_test(waiting_at_a_barrier_ends_when_the_others_end),
        cmocka_unit_test(a_tiled_product_waits_for_global_memory),
        cmocka_unit_test(structures_of_three_floats_wait_for_the_load),
        cmocka_unit_test(a_transpose_that_camps_waits_for_the_unit_and_its_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
