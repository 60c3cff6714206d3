/* test_advise_regroup.c - does a run whose work is given to other threads count, access by access, what a
 * kernel counts that was written for those threads?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "advise/measure.h"
#include "advise/regroup.h"
#include "published.h"

/* ---- Kernels of the gallery ------------------------------------------------------------------ */

/* A run, other threads for it, and the run that was written so. */
struct rewritten {
    const char *kernel, *params;
    struct change change;
    const char *as, *as_params;
};

static const char *const gpus[] = {"h200", "gtx280", "m2090", "gtx980"};

static void assert_same_counters(const struct rewritten *r, const struct counters *a,
                                 const struct counters *b)
{
    for (size_t i = 0; i < counter_count; i++)
        if (counters_get(a, &counter_table[i]) != counters_get(b, &counter_table[i]))
            fail_msg("%s, regrouped: %s is %" PRIu64 ", %s has %" PRIu64, r->kernel,
                     counter_table[i].name, counters_get(a, &counter_table[i]), r->as,
                     counters_get(b, &counter_table[i]));
}

/* All counters, those of time too: the threads of both do the same, instruction for instruction. */
static void assert_rewritten(const struct rewritten *r)
{
    static struct published run;
    struct spool spool;
    struct observed observed;
    struct result result;
    assert_true(spool_start(&spool, ADVISE_ACCESSES_MAX));
    const struct trace_sink sink = spool_sink(&spool);
    published_trace(r->kernel, r->params, &sink);
    assert_true(plan_observe(&(struct plan){.count = 0}, &spool, &observed));
    struct change change;
    assert_true(change_start(&change, &observed));
    change.regrouping = r->change.regrouping;
    change.order = r->change.order;
    const struct plan plan = {.changes = {&change}, .observed = {&observed}, .count = 1};
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        published_open_timed(&run, gpus[i], r->as, r->as_params);
        const struct measure measure = {.spool = &spool, .gpu = &run.gpus[0]};
        const char *error = measure_run(&measure, &plan, false, &result);
        if (error)
            fail_msg("%s: %s", r->kernel, error);
        assert_same_counters(r, &result.total, &run.results[0].total);
        results_free(&result, 1);
        published_close(&run);
    }
    change_free(&change);
    observed_free(&observed);
    spool_stop(&spool);
}

static void columns_become_rows(void **state)
{
    (void)state;
    static const char size[] = "nx=256 ny=256";
    const struct change swapped = {.regrouping = {REGROUP_SWAP, "copyCol", {16, 16, 1}, 0, true},
                                   .order = {order_columns, NULL}};
    assert_rewritten(&(struct rewritten){"copyCol", size, swapped, "copyRow", size});
    struct change other = swapped;
    other.regrouping.kernel = "transposeRowCol";
    assert_rewritten(&(struct rewritten){"transposeRowCol", size, other, "transposeColRow", size});
    other.regrouping.kernel = "transposeColRow";
    assert_rewritten(&(struct rewritten){"transposeColRow", size, other, "transposeRowCol", size});
}

/* One block becomes one: the same lanes meet again, in the same order, at barriers and in branches too. */
static void what_stays_is_as_it_was(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *params;
        uint32_t threads;
    } runs[] = {
        {"reduce1", "n=4096", 512},
        {"reduce6", "n=4096", 512},
        {"scattered384", "n=4096", 256},
    };
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const struct change same = {
            .regrouping = {REGROUP_MERGE, runs[i].kernel, {runs[i].threads, 1, 1}, 1, false}};
        assert_rewritten(&(struct rewritten){runs[i].kernel, runs[i].params, same, runs[i].kernel,
                                             runs[i].params});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_is_as_it_was),
        cmocka_unit_test(columns_become_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
