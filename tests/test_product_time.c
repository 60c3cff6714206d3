/* test_product_time.c - products of warpgroups in time: a product takes two columns a cycle of its warp's tensor core, and does not hold the warp
 * up; a wait does, until its groups are there; warps whose tensor core is the same take turns.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/models.h"
#include "session/session.h"

enum { WARPS_MAX = 8, STEPS_MAX = 16 };
enum { COLUMNS = 256, CYCLES = COLUMNS / 2, WORK = 20000 };

/* What each of the warps of one block does. */
struct script {
    unsigned warps;
    struct {
        enum copy_step step;
        uint32_t left;
        uint16_t work;
    } steps[STEPS_MAX];
    unsigned count;
};

static bool give_warp(const struct trace_sink *sink, const struct script *script, uint32_t warp)
{
    for (unsigned i = 0; i < script->count; i++) {
        const struct trace_copy copy = {.step = script->steps[i].step,
                                        .warp = warp,
                                        .lanes = UINT32_MAX,
                                        .left = script->steps[i].left,
                                        .work = script->steps[i].work};
        if (!sink_copy(sink, &copy))
            return false;
    }
    return sink_event(sink, &(struct trace_event){.kind = TRACE_WARP_END, .warp = warp, .work = 1});
}

static const char *run_script(void *context, const struct trace_sink *sink)
{
    const struct script *script = context;
    const struct launch_info launch = {
        .kernel = "script", .grid = {1, 1, 1}, .block = {32 * script->warps, 1, 1}};
    bool fine = sink_launch_begin(sink, &launch);
    for (uint32_t w = 0; w < script->warps; w++)
        fine = fine && give_warp(sink, script, w);
    return fine && sink_event(sink, &(struct trace_event){.kind = TRACE_BLOCK_END}) &&
                   sink_launch_end(sink, 1024)
               ? NULL
               : "stopped";
}

static uint64_t cycles_of(struct script script)
{
    struct result result;
    struct session_gpu of = {.model = models_find("h200")};
    arch_from_model(of.model, &of.arch);
    const struct session_request request = {
        .source = {&script, run_script}, .gpus = &of, .gpu_count = 1};
    assert_null(session_run(&request, &result));
    const uint64_t cycles = result.total.elapsed_cycles;
    results_free(&result, 1);
    return cycles;
}

#define PRODUCT                                                                                    \
    {                                                                                              \
        PRODUCT_BEGINS, COLUMNS / PRODUCT_COLUMNS - 1, 1                                           \
    }
#define COMMIT                                                                                     \
    {                                                                                              \
        PRODUCT_COMMIT, 0, 1                                                                       \
    }
#define WAIT(left)                                                                                 \
    {                                                                                              \
        PRODUCT_WAIT, left, 1                                                                      \
    }
#define BUSY                                                                                       \
    {                                                                                              \
        PRODUCT_COMMIT, 0, WORK                                                                    \
    } /* instructions, and a group that is empty */

/* Beyond a kernel that does nothing but the same instructions. */
static void assert_longer(struct script script, struct script than, uint64_t by)
{
    const uint64_t with = cycles_of(script), without = cycles_of(than);
    assert_in_range(with - without, by - 16, by + 16);
}

static void test_a_wait_takes_the_product(void **state)
{
    (void)state;
    const struct script one = {1, {PRODUCT, COMMIT, WAIT(0)}, 3};
    const struct script none = {1, {PRODUCT, COMMIT, WAIT(1)}, 3};
    assert_longer(one, none, CYCLES);
    const struct script four = {1, {PRODUCT, PRODUCT, PRODUCT, PRODUCT, COMMIT, WAIT(0)}, 6};
    assert_longer(four, none, 4 * CYCLES);
}

static void test_groups(void **state)
{
    (void)state;
    const struct script none = {1, {PRODUCT, COMMIT, PRODUCT, COMMIT, WAIT(2)}, 5};
    const struct script first = {1, {PRODUCT, COMMIT, PRODUCT, COMMIT, WAIT(1)}, 5};
    const struct script both = {1, {PRODUCT, COMMIT, PRODUCT, COMMIT, WAIT(0)}, 5};
    const struct script open = {1, {PRODUCT, COMMIT, PRODUCT, WAIT(0), COMMIT}, 5};
    assert_longer(first, none, CYCLES);
    assert_longer(both, none, 2 * CYCLES);
    assert_longer(open, none, CYCLES); /* no group is waited for that is not committed */
}

/* The warp's own instructions go on meanwhile. */
static void test_products_are_asynchronous(void **state)
{
    (void)state;
    const struct script with = {1, {PRODUCT, COMMIT, BUSY, WAIT(0)}, 4};
    const struct script without = {1, {PRODUCT, COMMIT, BUSY, WAIT(2)}, 4};
    assert_int_equal(cycles_of(with), cycles_of(without));
}

/* A warpgroup's four warps have a tensor core each; those of two take turns. */
static void test_tensor_cores(void **state)
{
    (void)state;
    struct script script = {1, {PRODUCT, PRODUCT, PRODUCT, PRODUCT, COMMIT, WAIT(0)}, 6};
    const uint64_t one = cycles_of(script);
    script.warps = 4;
    assert_in_range(cycles_of(script), one, one + 32);
    script.warps = 8;
    assert_in_range(cycles_of(script), one + 4 * CYCLES, one + 4 * CYCLES + 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wait_takes_the_product),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_products_are_asynchronous),
        cmocka_unit_test(test_tensor_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
