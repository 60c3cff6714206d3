/* test_launches.c - are a run's figures those of its launches, and does a launch that fails leave nothing?
 *
 * Random launches: some go to arrays and lines of earlier ones, and all leave dirty lines in L2 that
 * later ones write back. Usage: test_launches [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "models/models.h"
#include "session/gpu_run.h"

enum { SITES = 300, BLOCKS = 12, WARPS = 2, ACCESSES = 12, STEPS_BYTES = 1 << 20 };

static uint64_t seed = 20261122;

static const char *const gpus[] = {"gtx280", "m2090", "k40", "gtx1080ti", "h200"};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

struct one_run {
    struct session_gpu gpu;
    struct session_request request;
    struct step_store store;
    struct gpu_run run;
    struct result result;
    struct random_bits random;
};

static void start(struct one_run *r, const char *gpu, bool rules_only)
{
    memset(r, 0, sizeof *r);
    r->random = random_start(seed, 0);
    r->gpu.model = models_find(gpu);
    arch_from_model(r->gpu.model, &r->gpu.arch);
    r->request = (struct session_request){
        .gpus = &r->gpu, .gpu_count = 1, .rules_only = rules_only, .timeline = !rules_only};
    r->result.info = run_info_new();
    assert_non_null(r->result.info);
    for (uint32_t i = 0; i < SITES; i++) {
        const struct trace_site site = {
            .file = "k.cu", .line = 1 + i / 3, .array = i % 3 ? "a" : "b", .width = 4, .op = i % 2};
        assert_true(run_info_add_site(r->result.info, &site));
    }
    step_store_init(&r->store, STEPS_BYTES);
    assert_true(gpu_run_start(&r->run, &r->request, 0, &r->result));
}

static void stop(struct one_run *r)
{
    gpu_run_free(&r->run);
    step_store_free(&r->store);
    results_free(&r->result, 1);
}

/* Of one of a few sites that launch `launch` has, mostly of its own. */
static struct warp_access some_access(struct one_run *r, uint32_t launch, uint32_t block,
                                      uint32_t warp)
{
    const uint32_t site =
        (uint32_t)((random_below(&r->random, 4) ? launch * 20 : 0) + random_below(&r->random, 20));
    return (struct warp_access){
        .base = 4096 * random_below(&r->random, 4096) + 4 * random_below(&r->random, 4),
        .stride = 4 << random_below(&r->random, 4),
        .active = UINT32_MAX,
        .resident = UINT32_MAX,
        .block = block,
        .warp = warp,
        .site = site,
        .work = (uint16_t)(1 + random_below(&r->random, 9)),
        .width = 4,
        .op = site % 2,
    };
}

static void give_block(struct one_run *r, uint32_t launch, uint32_t block)
{
    struct step_block *steps =
        r->request.rules_only ? NULL : step_block_new(&r->store, block, WARPS);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        for (int i = 0; i < ACCESSES; i++) {
            const struct warp_access access = some_access(r, launch, block, warp);
            if (steps)
                step_block_add_access(steps, &access);
            else
                assert_true(gpu_run_access(&r->run, &access));
        }
        if (steps)
            step_block_add(steps, warp, STEP_END, 1);
    }
    if (steps == NULL)
        return;
    step_block_close(steps);
    assert_true(gpu_run_block(&r->run, steps, 20 * (launch + 1), 0));
    step_block_release(steps);
}

static void begin(struct one_run *r, uint32_t launch, uint32_t blocks)
{
    const struct launch_info info = {
        .kernel = "k", .grid = {BLOCKS + launch, 1, 1}, .block = {WARPS * WARP_LANES, 1, 1}};
    assert_true(gpu_run_launch_begin(&r->run, &info));
    for (uint32_t block = 0; block < blocks; block++)
        give_block(r, launch, block);
}

static void launch_whole(struct one_run *r, uint32_t launch)
{
    begin(r, launch, BLOCKS + launch);
    assert_true(gpu_run_launch_end(&r->run, 0, launch));
}

/* ---- Sums ------------------------------------------------------------------------------------- */

static void counters_of_launches_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * GPUS; i++) {
        struct one_run r;
        struct counters sum = {0};
        start(&r, gpus[i / 2], i % 2);
        for (uint32_t launch = 0; launch < 14; launch++)
            launch_whole(&r, launch);
        assert_true(gpu_run_finish(&r.run));
        assert_int_equal(r.result.launch_count, 14);
        for (size_t l = 0; l < 14; l++) {
            assert_int_equal(r.result.launches[l].counters.warp_accesses,
                             (BLOCKS + l) * WARPS * ACCESSES);
            counters_add(&sum, &r.result.launches[l].counters);
        }
        assert_memory_equal(&sum, &r.result.total, sizeof sum);
        stop(&r);
    }
}

/* ---- A launch that is dropped ----------------------------------------------------------------- */

static void assert_same_bytes(const void *a, const void *b, size_t bytes)
{
    assert_true((a == NULL) == (b == NULL));
    if (a && bytes)
        assert_memory_equal(a, b, bytes);
}

static void assert_same(const struct result *a, const struct result *b)
{
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_int_equal(a->launch_count, b->launch_count);
    for (size_t i = 0; i < a->launch_count; i++)
        assert_memory_equal(&a->launches[i].counters, &b->launches[i].counters,
                            sizeof a->launches[i].counters);
    assert_int_equal(a->line_count, b->line_count);
    for (size_t i = 0; i < a->line_count; i++)
        assert_memory_equal(a->lines[i].counters, b->lines[i].counters,
                            sizeof *a->lines[i].counters);
    assert_int_equal(a->partitions.count, b->partitions.count);
    assert_int_equal(a->partitions.block_count, b->partitions.block_count);
    assert_same_bytes(a->partitions.rows, b->partitions.rows,
                      ((size_t)a->partitions.block_count + 1) * a->partitions.count *
                          sizeof *a->partitions.rows);
    assert_true((a->timeline == NULL) == (b->timeline == NULL));
    if (a->usage)
        assert_int_equal(a->usage->count, b->usage->count);
    if (a->usage)
        assert_same_bytes(a->usage->windows, b->usage->windows,
                          a->usage->count * sizeof *a->usage->windows);
}

static void nothing_is_left_of_a_dropped_launch(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * GPUS; i++)
        for (uint32_t whole = 0; whole < 4; whole++) {
            struct one_run r, without;
            start(&r, gpus[i / 2], i % 2);
            start(&without, gpus[i / 2], i % 2);
            for (uint32_t launch = 0; launch < whole; launch++) {
                launch_whole(&r, launch);
                launch_whole(&without, launch);
            }
            begin(&r, whole, BLOCKS / 2 * (whole % 2));
            assert_true(gpu_run_launch_drop(&r.run));
            assert_true(gpu_run_finish(&r.run));
            assert_true(gpu_run_finish(&without.run));
            assert_same(&r.result, &without.result);
            stop(&r);
            stop(&without);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_of_launches_add_up),
        cmocka_unit_test(nothing_is_left_of_a_dropped_launch),
    };
    seed = argc > 1 ? strtoull(argv[1], NULL, 0) : seed;
    print_message("seed %" PRIu64 "\n", seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
