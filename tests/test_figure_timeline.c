/* test_figure_timeline.c - does the picture of a block's timeline show what was recorded, and is it the one that
 * somebody has looked at?
 *
 * The run is made by hand: times of kernels depend on the compiler. `test_figure_timeline print` writes the
 * picture to standard output; tests/golden/timeline.svg is that.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"

#include "models/models.h"
#include "report/figure_timeline.h"
#include "report/report.h"
#include "report/timeline_segments.h"
#include "session/session.h"

enum { WARPS = 4 };

/* A block fills shared memory, meets, and reads it with bank conflicts; what is read gives addresses. */
static const struct trace_site sites[] = {
    {"hand.c", 10, "in", SPACE_GLOBAL, OP_LOAD, 4},
    {"hand.c", 10, "tile", SPACE_SHARED, OP_STORE, 4},
    {"hand.c", 12, "tile", SPACE_SHARED, OP_LOAD, 4},
    {"hand.c", 13, "in", SPACE_GLOBAL, OP_LOAD, 4},
    {"hand.c", 14, "out<4>", SPACE_GLOBAL, OP_STORE, 4},
};
enum { SITES = sizeof sites / sizeof sites[0] };

static bool give_access(const struct trace_sink *sink, uint32_t warp, uint32_t site, uint64_t base,
                        int64_t stride)
{
    const struct warp_access access = {
        .base = base,
        .stride = stride,
        .active = UINT32_MAX,
        .resident = UINT32_MAX,
        .warp = warp,
        .site = site,
        .work = (uint16_t)(5 + 3 * site),
        .loads_left = site == 3 ? 0 : NEEDS_NO_LOAD,
        .width = 4,
        .op = sites[site].op,
        .space = sites[site].space,
    };
    return sink_access(sink, &access);
}

static bool give_warp(const struct trace_sink *sink, uint32_t warp)
{
    const uint64_t in = 1 << 20, out = 1 << 24;
    const struct trace_event barrier = {.kind = TRACE_BARRIER, .warp = warp, .work = 2};
    const struct trace_event end = {.kind = TRACE_WARP_END, .warp = warp, .work = 1};
    return give_access(sink, warp, 0, in + 128 * warp, 4) &&
           give_access(sink, warp, 1, 128 * warp, 4) && sink_event(sink, &barrier) &&
           give_access(sink, warp, 2, 4 * warp, 128) &&
           give_access(sink, warp, 3, in + 4096 * (warp + 1), 128) &&
           give_access(sink, warp, 4, out + 128 * warp, 4) && sink_event(sink, &end);
}

static const char *give_run(void *context, const struct trace_sink *sink)
{
    const struct launch_info launch = {.kernel = "hand", .grid = {1, 1, 1}, .block = {128, 1, 1}};
    const struct trace_event end = {.kind = TRACE_BLOCK_END, .shared_bytes = 4096};
    (void)context;
    sink_note(sink, "kernel", "hand & foot");
    for (uint32_t i = 0; i < SITES; i++)
        sink_site(sink, i, &sites[i]);
    sink_launch_begin(sink, &launch);
    for (uint32_t warp = 0; warp < WARPS; warp++)
        give_warp(sink, warp);
    sink_event(sink, &end);
    sink_launch_end(sink, 4096);
    return NULL;
}

static void run(const char *gpu_name, bool timeline, struct result *result)
{
    struct session_gpu gpu = {.model = models_find(gpu_name)};
    const struct session_request request = {
        .source = {NULL, give_run}, .gpus = &gpu, .gpu_count = 1, .timeline = timeline};
    arch_from_model(gpu.model, &gpu.arch);
    assert_null(session_run(&request, result));
}

/* What is drawn or written, to be freed. */
static char *picture(const struct result *result, enum svg_place place)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    figure_timeline(result, place, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static size_t times(const char *text, const char *what)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static void the_picture_is_the_one_that_was_looked_at(void **state)
{
    (void)state;
    struct result result;
    run("m2090", true, &result);
    char *drawn = picture(&result, SVG_ALONE), golden[1 << 16];
    FILE *file = fopen(GOLDEN_DIR "/timeline.svg", "r");
    assert_non_null(file);
    golden[fread(golden, 1, sizeof golden - 1, file)] = '\0';
    fclose(file);
    if (strcmp(drawn, golden) != 0)
        fail_msg("the picture is not " GOLDEN_DIR "/timeline.svg; if that is meant: "
                 "sh tools/record_goldens.sh, and look at it");
    free(drawn);
    results_free(&result, 1);
}

/* On every GPU: all steps but those that take no time, each warp, the barrier's opening once. */
static void every_step_is_in_the_picture_with_its_place_in_the_source(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct result result;
        run(models[m]->name, true, &result);
        assert_int_equal(result.timeline->count, WARPS * (SITES + 2));
        char *drawn = picture(&result, SVG_IN_PAGE);
        assert_int_equal(times(drawn, "hand.c:14 global store out&lt;4&gt;: passes"), WARPS);
        assert_int_equal(times(drawn, "hand.c:12 shared load tile: passes"), WARPS);
        assert_int_equal(times(drawn, ">warp 3</text>"), 1);
        assert_int_equal(times(drawn, "class=\"opening\""), 1);
        assert_int_equal(times(drawn, "hand &amp; foot on "), 1);
        assert_int_equal(times(drawn, "<g"), times(drawn, "</g>"));
        assert_null(strstr(drawn, "nan"));
        assert_null(strstr(drawn, "=\"-"));
        free(drawn);
        results_free(&result, 1);
    }
}

static void without_a_timeline_the_picture_says_so(void **state)
{
    (void)state;
    struct result result;
    run("h200", false, &result);
    char *drawn = picture(&result, SVG_IN_PAGE);
    assert_non_null(strstr(drawn, "no timeline was recorded"));
    free(drawn);
    results_free(&result, 1);
}

/* What a warp does and where its access is: without gaps in an access's trip, none after the other's begin. */
static void segments_follow_each_other(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct timeline_segment s[TIMELINE_SEGMENTS_MAX];
        struct result result;
        run(models[m]->name, true, &result);
        for (size_t i = 0; i < result.timeline->count; i++) {
            const struct timeline_step *step = &result.timeline->steps[i];
            size_t count = timeline_doings(step, s);
            assert_true(count <= TIMELINE_SEGMENTS_MAX);
            for (size_t k = 0; k < count; k++)
                assert_true(s[k].begin >= (k ? s[k - 1].end : step->turn) && s[k].end > s[k].begin);
            count = timeline_trip(step, s);
            assert_true(count > 0 || step->kind != STEP_ACCESS);
            for (size_t k = 1; k < count; k++)
                assert_true(s[k].begin == s[k - 1].end && s[k].end > s[k].begin);
            if (timeline_is_load(step))
                assert_true(s[count - 1].end == step->span[TIMELINE_DATA].last);
        }
        results_free(&result, 1);
    }
}

static void steps_of_an_axis_are_round(void **state)
{
    (void)state;
    static const struct {
        double length;
        uint64_t step;
    } cases[] = {{0, 1},    {10, 1},   {11, 2},    {21, 5},      {51, 10},
                 {100, 10}, {101, 20}, {999, 100}, {1e6, 100000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(timeline_round_step(cases[i].length, 10), cases[i].step);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_picture_is_the_one_that_was_looked_at),
        cmocka_unit_test(every_step_is_in_the_picture_with_its_place_in_the_source),
        cmocka_unit_test(without_a_timeline_the_picture_says_so),
        cmocka_unit_test(segments_follow_each_other),
        cmocka_unit_test(steps_of_an_axis_are_round),
    };
    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        struct result result;
        run("m2090", true, &result);
        figure_timeline(&result, SVG_ALONE, stdout);
        results_free(&result, 1);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
