/* test_counter_marks.c - do scope and basis of every row of counters.def say what runs show? Lines and arrays
 * add up to a counter of LINE, have some of one of PART and nothing of one of LAUNCH; the rules alone give a
 * counter of RULE what they give it with the model of time, and one of TIME nothing. Counters have to be
 * met, so that no mark goes untested. */
#include <inttypes.h>
#include <string.h>

#include "gallery_list.h"
#include "models/models.h"
#include "session/gallery_source.h"
#include "session/session.h"
#include "test_support.h"

enum { COUNTERS = sizeof(struct counters) / sizeof(uint64_t), GPUS = 7 };

static const char *const gpu_names[GPUS] = {"gtx280", "m2090",     "k40", "gtx980",
                                            "p100",   "rtx2080ti", "h200"};

/* Every space and operation, managed and zero-copy data, barriers, all with small parameters. */
static const char *const kernels[] = {
    "transpose_naive", "transpose",      "sharedStride",     "sharedAtomics", "atomicPatternFetch",
    "copyKernelLdg",   "constantTable",  "readTexels",       "localSpill",    "stream_thread",
    "stream_prefetch", "zeroCopyBoth",   "timedReduction",   "strideCopy",    "gridSweep",
    "storeScattered",  "transposeNaive", "texture2DColumns", "reduceGmem",    "sharedDouble",
    "hgemmStmatrix"};

static const struct {
    const char *name;
    long long value;
} small[] = {{"n", 8192},     {"width", 128},     {"height", 128}, {"blocks", 24}, {"nreps", 2},
             {"bytes", 4096}, {"kilobytes", 256}, {"stride", 32},  {"distinct", 4}};

/* What no kernel of the gallery has. Which limiters are met depends on the compiler. */
static const char *const not_met[] = {"global_atomic_transactions_64b",
                                      "global_atomic_transactions_128b", "host_atomic_sectors"};

struct seen {
    bool total[COUNTERS], lines[COUNTERS]; /* they had something of it */
    bool rest[COUNTERS];                   /* lines did not add up to it */
};

static struct gallery_args small_args(const struct gallery_kernel *kernel)
{
    struct gallery_args args = {.params = kernel->params};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        args.values[i] = kernel->params[i].value;
        for (size_t k = 0; k < sizeof small / sizeof small[0]; k++)
            if (strcmp(small[k].name, kernel->params[i].name) == 0)
                args.values[i] =
                    small[k].value < kernel->params[i].max ? small[k].value : kernel->params[i].max;
    }
    return args;
}

static void run(const char *name, bool rules_only, struct result results[GPUS])
{
    struct session_gpu gpus[GPUS];
    const struct gallery_kernel *kernel = gallery_find(name);
    assert_non_null(kernel);
    struct gallery_args args = small_args(kernel);
    struct gallery_run gallery = {kernel, &args};
    for (size_t i = 0; i < GPUS; i++) {
        gpus[i].model = models_find(gpu_names[i]);
        arch_from_model(gpus[i].model, &gpus[i].arch);
        if (gpus[i].arch.shared_bytes_per_sm == 16384)
            gpus[i].arch.shared_bytes_per_sm *= 2; /* sm_1x: for sharedAtomics */
    }
    const struct session_request request = {.source = gallery_source(&gallery),
                                            .gpus = gpus,
                                            .gpu_count = GPUS,
                                            .rules_only = rules_only};
    const char *error = session_run(&request, results);
    if (error)
        fail_msg("%s: %s", name, error);
}

static uint64_t sum_of(const struct result_part *parts, size_t count, size_t i)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += counters_get(parts[k].counters, &counter_table[i]);
    return sum;
}

static bool fits(enum counter_scope scope, uint64_t total, uint64_t parts)
{
    switch (scope) {
    case SCOPE_LINE:
        return parts == total;
    case SCOPE_PART:
        return parts <= total;
    case SCOPE_LAUNCH:
        return parts == 0;
    }
    return false;
}

static void check_scope(const struct result *r, size_t i, struct seen *seen)
{
    const struct counter_info *counter = &counter_table[i];
    const uint64_t total = counters_get(&r->total, counter);
    const uint64_t lines = sum_of(r->lines, r->line_count, i);
    const uint64_t arrays = sum_of(r->arrays, r->array_count, i);
    if (!fits(counter->scope, total, lines) || !fits(counter->scope, total, arrays))
        fail_msg("%s on %s: %s is %" PRIu64 ", lines have %" PRIu64 ", arrays %" PRIu64,
                 r->info->kernel, r->gpu->name, counter->name, total, lines, arrays);
    seen->total[i] |= total > 0;
    seen->lines[i] |= lines > 0;
    seen->rest[i] |= lines < total;
}

static void check_basis(const struct result *timed, const struct result *ruled, size_t i)
{
    const struct counter_info *counter = &counter_table[i];
    const uint64_t with = counters_get(&timed->total, counter);
    const uint64_t without = counters_get(&ruled->total, counter);
    if (without != (counter->basis == BASIS_RULE ? with : 0))
        fail_msg("%s on %s: %s is %" PRIu64 " with the model of time and %" PRIu64 " without",
                 timed->info->kernel, timed->gpu->name, counter->name, with, without);
}

static void check_kernel(const char *name, struct seen *seen)
{
    struct result timed[GPUS], ruled[GPUS];
    run(name, false, timed);
    run(name, true, ruled);
    for (size_t g = 0; g < GPUS; g++)
        for (size_t i = 0; i < counter_count; i++) {
            check_scope(&timed[g], i, seen);
            check_basis(&timed[g], &ruled[g], i);
        }
    results_free(timed, GPUS);
    results_free(ruled, GPUS);
}

static bool has_to_be_met(const struct counter_info *counter)
{
    for (size_t i = 0; i < sizeof not_met / sizeof not_met[0]; i++)
        if (strcmp(not_met[i], counter->name) == 0)
            return false;
    return counter->group != GROUP_LIMITER;
}

static void marks_say_what_runs_show(void **state)
{
    struct seen seen = {{false}, {false}, {false}};
    (void)state;
    assert_int_equal(counter_count, COUNTERS);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        check_kernel(kernels[i], &seen);
    for (size_t i = 0; i < counter_count; i++) {
        if (!seen.total[i] && has_to_be_met(&counter_table[i]))
            fail_msg("no run has %s", counter_table[i].name);
        if (counter_table[i].scope == SCOPE_PART && !(seen.lines[i] && seen.rest[i]))
            fail_msg("%s is not counted in part", counter_table[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(marks_say_what_runs_show)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
