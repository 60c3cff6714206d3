/* test_advise_threads.c - does a run whose work is given to other threads count what a kernel counts that was
 * written for those threads, times included; and is that advised?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "advise/advise.h"
#include "advise/measure.h"
#include "gallery_list.h"
#include "published.h"
#include "session/gallery_source.h"

/* ---- Kernels of the gallery ------------------------------------------------------------------ */

/* A run, other threads for it, and the run that was written so. */
struct rewritten {
    const char *kernel, *params;
    struct change change;
    const char *as, *as_params;
};

static const char *const gpus[] = {"h200", "gtx280", "m2090", "gtx980"};

static void assert_same_counters(const struct rewritten *r, bool with_time,
                                 const struct counters *a, const struct counters *b)
{
    for (size_t i = 0; i < counter_count; i++)
        if ((with_time || counter_table[i].basis == BASIS_RULE) &&
            counters_get(a, &counter_table[i]) != counters_get(b, &counter_table[i]))
            fail_msg("%s, regrouped: %s is %" PRIu64 ", %s has %" PRIu64, r->kernel,
                     counter_table[i].name, counters_get(a, &counter_table[i]), r->as,
                     counters_get(b, &counter_table[i]));
}

static void assert_as_written(const struct rewritten *r, bool with_time)
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
        assert_same_counters(r, with_time, &result.total, &run.results[0].total);
        results_free(&result, 1);
        published_close(&run);
    }
    change_free(&change);
    observed_free(&observed);
    spool_stop(&spool);
}

/* All counters, those of time too: the threads of both do the same, instruction for instruction. */
static void assert_rewritten(const struct rewritten *r)
{
    assert_as_written(r, true);
}

static void columns_become_rows(void **state)
{
    (void)state;
    static const char size[] = "nx=256 ny=256";
    const struct change swapped = {.regrouping = {.kind = REGROUP_SWAP,
                                                  .kernel = "copyCol",
                                                  .block = {16, 16, 1},
                                                  .swaps_grid = true},
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
        const struct change same = {.regrouping = {.kind = REGROUP_MERGE,
                                                   .kernel = runs[i].kernel,
                                                   .block = {runs[i].threads, 1, 1},
                                                   .factor = 1}};
        assert_rewritten(&(struct rewritten){runs[i].kernel, runs[i].params, same, runs[i].kernel,
                                             runs[i].params});
    }
}

static struct change other_blocks(enum regroup_kind kind, const char *kernel, uint32_t x,
                                  uint32_t y, uint32_t factor)
{
    return (struct change){
        .regrouping = {
            .kind = kind, .kernel = kernel, .block = {x, y, 1}, .factor = factor, .wider = 1}};
}

static void blocks_get_other_sizes(void **state)
{
    (void)state;
    static const char copy[] = "offsetCopy", rows[] = "copyRow";
    static const char of_64[] = "n=16384 block=64", of_256[] = "n=16384 block=256";
    static const char square[] = "nx=256 ny=128 block_x=16 block_y=16";
    const struct rewritten list[] = {
        {copy, of_64, other_blocks(REGROUP_MERGE, copy, 64, 1, 4), copy, of_256},
        {copy, of_256, other_blocks(REGROUP_SPLIT, copy, 256, 1, 4), copy, of_64},
        {rows, square, other_blocks(REGROUP_SHAPE, rows, 16, 16, 2), rows,
         "nx=256 ny=128 block_x=32 block_y=8"},
        {rows, square, other_blocks(REGROUP_SHAPE, rows, 16, 16, 4), rows,
         "nx=256 ny=128 block_x=64 block_y=4"},
        {rows, square, other_blocks(REGROUP_MERGE, rows, 16, 16, 2), rows,
         "nx=256 ny=128 block_x=32 block_y=16"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        assert_rewritten(&list[i]);
}

/* A loop's iterations among four times as many blocks, and those of one warp among more threads too. Each
 * thread stores its sum: parts of one thread to the same word, threads of the kernel to words of their own. */
static void loops_are_dealt_out(void **state)
{
    (void)state;
    static const char sweep[] = "gridSweep";
    const struct change of_8 = other_blocks(REGROUP_DEAL, sweep, 512, 1, 4);
    assert_as_written(&(struct rewritten){sweep, "blocks=8 block=512 kilobytes=1024 sweeps=1", of_8,
                                          sweep, "blocks=32 block=512 kilobytes=1024 sweeps=1"},
                      false);
    struct change of_1 = other_blocks(REGROUP_DEAL, sweep, 32, 1, 16);
    of_1.regrouping.wider = 8;
    assert_as_written(&(struct rewritten){sweep, "blocks=1 block=32 kilobytes=256 sweeps=1", of_1,
                                          sweep, "blocks=16 block=256 kilobytes=256 sweeps=1"},
                      false);
}

/* A change that cannot be made has no figures: neither those of a part of the run nor those of now. */
static void refusals_are_no_results(void **state)
{
    (void)state;
    static struct published run;
    struct spool spool;
    struct observed observed;
    struct change change;
    struct result result;
    assert_true(spool_start(&spool, 100));
    const struct trace_sink sink = spool_sink(&spool);
    published_trace("offsetCopy", "n=65536 block=256", &sink); /* 7 of its 256 blocks are kept */
    assert_true(plan_observe(&(struct plan){.count = 0}, &spool, &observed));
    assert_true(change_start(&change, &observed));
    change.regrouping = other_blocks(REGROUP_MERGE, "offsetCopy", 256, 1, 4).regrouping;
    const struct plan plan = {.changes = {&change}, .observed = {&observed}, .count = 1};
    published_open_timed(&run, "h200", "offsetCopy", "n=1024");
    const struct measure measure = {.spool = &spool, .gpu = &run.gpus[0]};
    assert_string_equal(measure_run(&measure, &plan, true, &result),
                        "not all blocks of a group were kept");
    published_close(&run);
    change_free(&change);
    observed_free(&observed);
    spool_stop(&spool);
}

/* ---- Advice ---------------------------------------------------------------------------------- */

struct advised {
    const char *gpu, *kernel, *params;
    const char *cause, *remedy; /* the first of all */
    const char *as,
        *as_params; /* a kernel that has it done, and is no faster; NULL: there is none */
};

static void assert_advised(const struct advised *a)
{
    static struct published run; /* for its arguments and GPU */
    char message[ADVISE_MESSAGE_BYTES];
    struct advice_report report;
    published_open(&run, &a->gpu, 1, a->kernel, a->params);
    struct gallery_run gallery = {gallery_find(a->kernel), &run.args};
    const struct advise_request request = {
        .source = gallery_source(&gallery), .gpus = run.gpus, .gpu_count = 1};
    assert_null(advise_run(&request, &report, message));
    published_close(&run);
    if (report.advice_count == 0)
        fail_msg("%s on %s: nothing advised", a->kernel, a->gpu);
    assert_string_equal(report.advice[0].cause, a->cause);
    assert_string_equal(report.advice[0].remedy, a->remedy);
    if (a->as) {
        const struct counters real = published_run_timed(a->gpu, a->as, a->as_params);
        assert_true(report.advice[0].after.elapsed_cycles <= real.elapsed_cycles);
    }
    advise_free(&report, 1);
}

static void other_threads_are_advised(void **state)
{
    (void)state;
    static const char size[] = "nx=256 ny=256", small[] = "n=65536 block=32 offset=0";
    static const struct advised list[] = {
        {"h200", "copyCol", size, "column", "swap", "copyRow", size},
        {"gtx280", "copyCol", size, "column", "swap", "copyRow", size},
        {"m2090", "copyCol", size, "column", "swap", "copyRow", size},
        {"m2090", "offsetCopy", small, "small-blocks", "larger-blocks", NULL, NULL},
        {"h200", "copyRow", "nx=512 ny=512 block_x=4 block_y=16", "block-shape", "wider", NULL,
         NULL},
        {"h200", "gridSweep", "blocks=8 kilobytes=1024", "few-blocks", "more-blocks", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        assert_advised(&list[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_is_as_it_was), cmocka_unit_test(columns_become_rows),
        cmocka_unit_test(blocks_get_other_sizes),  cmocka_unit_test(loops_are_dealt_out),
        cmocka_unit_test(refusals_are_no_results), cmocka_unit_test(other_threads_are_advised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
