/* test_scaling.c - does twice as much take twice as long, whatever there is more of: places in the source, launches, arrays,
 * arrays that were freed?
 *
 * No clock: the rooms below are built once more, so that the compiler calls __sanitizer_cov_trace_... at each
 * comparison (tests/meson.build), of which every loop has one a round; these are counted, and what memset and memcpy take. Twice as much may take three times the
 * steps; what is quadratic takes four times as many.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "report/report.h"
#include "runtime_kernels.h"
#include "session/session.h"
#include "test_support.h"
#include "trace_io/binary/binary_write.h"
#include "trace_io/trace_file.h"
#include "tracer/tracer.h"

static uint64_t steps;

static inline void count(uint64_t more)
{
    __atomic_fetch_add(&steps, more, __ATOMIC_RELAXED);
}

#define COUNT_COMPARISONS(name, type)                                                              \
    void __sanitizer_cov_trace_##name(type a, type b);                                             \
    void __sanitizer_cov_trace_##name(type a, type b)                                              \
    {                                                                                              \
        (void)a, (void)b;                                                                          \
        count(1);                                                                                  \
    }
COUNT_COMPARISONS(cmp1, uint8_t)
COUNT_COMPARISONS(cmp2, uint16_t)
COUNT_COMPARISONS(cmp4, uint32_t)
COUNT_COMPARISONS(cmp8, uint64_t)
COUNT_COMPARISONS(const_cmp1, uint8_t)
COUNT_COMPARISONS(const_cmp2, uint16_t)
COUNT_COMPARISONS(const_cmp4, uint32_t)
COUNT_COMPARISONS(const_cmp8, uint64_t)
COUNT_COMPARISONS(cmpf, float)
COUNT_COMPARISONS(cmpd, double)

void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases);
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases)
{
    (void)value, (void)cases;
    count(1);
}

void *__real_memset(void *to, int byte, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes)
{
    count(bytes / 64);
    return __real_memset(to, byte, bytes);
}

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    count(bytes / 64);
    return __real_memcpy(to, from, bytes);
}

/* ---- Traces ---------------------------------------------------------------------------------- */

enum { ARRAY_BYTES = 4096 };
#define BASE 0x100000

static void give_launch(const struct trace_sink *sink, uint32_t arrays, uint32_t first_site,
                        uint32_t sites)
{
    struct trace_array *list = calloc(arrays, sizeof *list);
    char(*names)[16] = calloc(arrays, sizeof *names);
    assert_true(list && names);
    for (uint32_t i = 0; i < arrays; i++) {
        snprintf(names[i], sizeof names[i], "a%u", i);
        list[i] = (struct trace_array){names[i], BASE + (uint64_t)i * ARRAY_BYTES, ARRAY_BYTES, 0};
    }
    const struct launch_info launch = {.kernel = "k",
                                       .grid = {1, 1, 1},
                                       .block = {32, 1, 1},
                                       .arrays = list,
                                       .array_count = arrays};
    const struct trace_event warp_end = {.kind = TRACE_WARP_END},
                             block_end = {.kind = TRACE_BLOCK_END};
    assert_true(sink_launch_begin(sink, &launch));
    for (uint32_t i = first_site; i < first_site + sites; i++) {
        const struct trace_site site = {"k.cu", i + 1, names[i % arrays], SPACE_GLOBAL, OP_LOAD, 4};
        const struct warp_access access = {.base = BASE + (uint64_t)(i % arrays) * ARRAY_BYTES,
                                           .stride = 4,
                                           .active = UINT32_MAX,
                                           .resident = UINT32_MAX,
                                           .site = i,
                                           .loads_left = NEEDS_NO_LOAD,
                                           .width = 4};
        assert_true(sink_site(sink, i, &site) && sink_access(sink, &access));
    }
    assert_true(sink_event(sink, &warp_end) && sink_event(sink, &block_end) &&
                sink_launch_end(sink, 0));
    free(names);
    free(list);
}

static void give_sites(const struct trace_sink *sink, uint32_t count)
{
    give_launch(sink, 1, 0, count);
}

/* Each from a line of its own. */
static void give_launches(const struct trace_sink *sink, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        give_launch(sink, 1, i, 1);
}

static void give_arrays(const struct trace_sink *sink, uint32_t count)
{
    give_launch(sink, count, 0, count);
}

/* ---- Through all of it ------------------------------------------------------------------------ */

static void run_file(FILE *stream)
{
    static const struct trace_file_options options = {.format = "binary"};
    const struct report_options full = {.full = true};
    struct trace_file *file = malloc(sizeof *file);
    struct session_gpu gpus[2] = {{.model = models_find("gtx280")}, {.model = models_find("k20x")}};
    struct result results[2];
    assert_non_null(file);
    rewind(stream);
    trace_file_start(file, stream, "trace", trace_format_named("binary"), &options);
    for (size_t i = 0; i < 2; i++)
        arch_from_model(gpus[i].model, &gpus[i].arch);
    const struct session_request request = {
        .source = trace_file_source(file), .gpus = gpus, .gpu_count = 2};
    const char *error = session_run(&request, results);
    if (error)
        fail_msg("%s", error);
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    report_text(results, 2, &full, nowhere);
    report_json(results, 2, &full, nowhere);
    report_csv(results, 2, &full, nowhere);
    fclose(nowhere);
    results_free(results, 2);
    free(file);
}

static uint64_t steps_of_trace(void (*give)(const struct trace_sink *sink, uint32_t count),
                               uint32_t count)
{
    FILE *stream = tmpfile();
    steps = 0;
    struct binary_writer *writer = binary_writer_new(stream);
    assert_true(stream && writer);
    const struct trace_sink sink = binary_writer_sink(writer);
    give(&sink, count);
    assert_null(binary_writer_end(writer));
    binary_writer_free(writer);
    run_file(stream);
    fclose(stream);
    return steps;
}

static void check(const char *what, uint64_t some, uint64_t twice)
{
    print_message("%s: %llu steps, twice as many: %.2f times\n", what, (unsigned long long)some,
                  (double)twice / (double)some);
    assert_true(some > 10000); /* the rooms are counted */
    assert_true(twice < 3 * some);
}

static void check_trace(const char *what,
                        void (*give)(const struct trace_sink *sink, uint32_t count), uint32_t count)
{
    check(what, steps_of_trace(give, count), steps_of_trace(give, 2 * count));
}

static void places_in_the_source(void **state)
{
    (void)state;
    check_trace("places", give_sites, 3000);
}

static void launches_from_many_lines(void **state)
{
    (void)state;
    check_trace("launches", give_launches, 1000);
}

static void arrays(void **state)
{
    (void)state;
    check_trace("arrays", give_arrays, 2000);
}

/* ---- Arrays that were freed --------------------------------------------------------------------- */

void runtime_note(enum here here, const char *file, unsigned line)
{
    (void)here, (void)file, (void)line;
}

static bool ignore_access(void *context, const struct warp_access *access)
{
    ++*(uint64_t *)context;
    return access->active != 0;
}

static uint64_t steps_of_loop(uint32_t count)
{
    uint64_t accesses = 0;
    const struct trace_sink sink = {.context = &accesses, .access = ignore_access};
    const struct runtime_args args = {.n = (int)count};
    steps = 0;
    tracer_start(&sink);
    run_addInLoop(&args);
    assert_null(tracer_error());
    tracer_stop();
    assert_int_equal(accesses, 3 * count);
    return steps;
}

static void arrays_that_were_freed(void **state)
{
    (void)state;
    const uint64_t some = steps_of_loop(3000);
    check("arrays freed", some, steps_of_loop(6000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_in_the_source),
        cmocka_unit_test(launches_from_many_lines),
        cmocka_unit_test(arrays),
        cmocka_unit_test(arrays_that_were_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
