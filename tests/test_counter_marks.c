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

/* A copy of a warp: each lane to the next 16 bytes, or all to the same 128, which conflict. */
static bool give_copy(const struct trace_sink *sink, uint32_t warp, bool past_l1)
{
    struct async_copy copy = {.past_l1 = past_l1};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        copy.to[lane] = past_l1 ? 16 * lane : 16 * (lane % 4);
        copy.bytes[lane] = 16;
    }
    const struct warp_access access = {.base = 1 << 20,
                                       .stride = 16,
                                       .active = UINT32_MAX,
                                       .resident = UINT32_MAX,
                                       .warp = warp,
                                       .work = 3,
                                       .loads_left = NEEDS_NO_LOAD,
                                       .width = 16,
                                       .op = OP_LOAD,
                                       .space = SPACE_GLOBAL,
                                       .copy = &copy};
    const struct trace_copy begins = {
        .step = COPY_BEGINS, .warp = warp, .lanes = UINT32_MAX, .work = 3, .access = &access};
    const struct trace_copy commits = {
        .step = COPY_COMMIT, .warp = warp, .lanes = UINT32_MAX, .work = 1};
    return sink_copy(sink, &begins) && sink_copy(sink, &commits);
}

/* A bulk copy of each kind by a warp. */
static bool give_bulk_copies(const struct trace_sink *sink, uint32_t warp)
{
    const struct bulk_copy bulk = {
        .rank = 1, .element = 1, .box = {512}, .size = {512}, .pitch = {1}};
    bool fine = true;
    for (uint32_t op = OP_LOAD; op < OP_COUNT; op++) {
        const struct warp_access access = {.base = 1 << 20,
                                           .active = 1,
                                           .resident = UINT32_MAX,
                                           .warp = warp,
                                           .site = 1 + op,
                                           .work = 3,
                                           .loads_left = NEEDS_NO_LOAD,
                                           .width = 16,
                                           .op = (uint8_t)op,
                                           .space = SPACE_GLOBAL,
                                           .bulk = &bulk};
        const struct trace_copy begins = {
            .step = BULK_BEGINS, .warp = warp, .lanes = 1, .work = 3, .access = &access};
        fine = fine && sink_copy(sink, &begins);
    }
    return fine;
}

/* A bulk copy to another block of a cluster, and a load of its memory. */
static bool give_cluster(const struct trace_sink *sink, uint32_t warp)
{
    const struct bulk_copy bulk = {
        .rank = 1, .element = 1, .box = {512}, .size = {512}, .pitch = {1}};
    struct warp_access access = {.base = CLUSTER_BLOCK_BYTES,
                                 .active = 1,
                                 .resident = UINT32_MAX,
                                 .warp = warp,
                                 .site = 4,
                                 .work = 3,
                                 .loads_left = NEEDS_NO_LOAD,
                                 .width = 16,
                                 .op = OP_STORE,
                                 .space = SPACE_SHARED,
                                 .flags = ACCESS_CLUSTER,
                                 .bulk = &bulk};
    const struct trace_copy begins = {
        .step = BULK_BEGINS, .warp = warp, .lanes = 1, .work = 3, .access = &access};
    const bool fine = sink_copy(sink, &begins);
    access.bulk = NULL;
    access.site = 5;
    access.op = OP_LOAD;
    return fine && sink_access(sink, &access);
}

static bool give_product(const struct trace_sink *sink, uint32_t warp)
{
    const struct trace_copy begins = {
        .step = PRODUCT_BEGINS, .warp = warp, .lanes = UINT32_MAX, .work = 1};
    return sink_copy(sink, &begins);
}

/* No kernel of the gallery has asynchronous copies: few GPUs do. */
static const char *run_copies(void *context, const struct trace_sink *sink)
{
    const struct trace_site site = {"copies", 1, "in", SPACE_GLOBAL, OP_LOAD, 16};
    const struct launch_info launch = {.kernel = "copies", .grid = {1, 1, 1}, .block = {64, 1, 1}};
    bool fine = sink_site(sink, 0, &site);
    for (uint8_t op = OP_LOAD; op < OP_COUNT; op++) {
        const struct trace_site bulk = {"copies", 2U + op, "in", SPACE_GLOBAL, op, 16};
        fine = fine && sink_site(sink, 1U + op, &bulk);
    }
    for (uint32_t i = 4; i < 6; i++) {
        const struct trace_site other = {
            "copies", i, "tile", SPACE_SHARED, i == 4 ? OP_STORE : OP_LOAD, 16};
        fine = fine && sink_site(sink, i, &other);
    }
    fine = fine && sink_launch_begin(sink, &launch);
    (void)context;
    for (uint32_t warp = 0; warp < 2; warp++) {
        const struct trace_copy waits = {
            .step = COPY_WAIT, .warp = warp, .lanes = UINT32_MAX, .left = 1, .work = 1};
        const struct trace_event end = {.kind = TRACE_WARP_END, .warp = warp, .work = 1};
        fine = fine && give_copy(sink, warp, false) && give_copy(sink, warp, true) &&
               give_bulk_copies(sink, warp) && give_cluster(sink, warp) &&
               give_product(sink, warp) && sink_copy(sink, &waits) && sink_event(sink, &end);
    }
    const struct trace_event end = {.kind = TRACE_BLOCK_END, .shared_bytes = 1024};
    return fine && sink_event(sink, &end) && sink_launch_end(sink, 1024) ? NULL : "stopped";
}

/* The GPUs from `first` on. */
static void run(const char *name, bool rules_only, size_t first, struct result results[GPUS])
{
    struct session_gpu gpus[GPUS];
    const struct gallery_kernel *kernel = gallery_find(name);
    struct gallery_args args = {0};
    if (kernel)
        args = small_args(kernel);
    struct gallery_run gallery = {kernel, &args};
    for (size_t i = 0; i < GPUS; i++) {
        gpus[i].model = models_find(gpu_names[i]);
        arch_from_model(gpus[i].model, &gpus[i].arch);
        if (gpus[i].arch.shared_bytes_per_sm == 16384)
            gpus[i].arch.shared_bytes_per_sm *= 2; /* sm_1x: for sharedAtomics */
    }
    const struct session_request request = {
        .source = kernel ? gallery_source(&gallery) : (struct trace_source){NULL, run_copies},
        .gpus = gpus + first,
        .gpu_count = GPUS - first,
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

static void check_kernel(const char *name, size_t first, struct seen *seen)
{
    const size_t count = GPUS - first;
    struct result timed[GPUS], ruled[GPUS];
    run(name, false, first, timed);
    run(name, true, first, ruled);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < counter_count; i++) {
            check_scope(&timed[g], i, seen);
            check_basis(&timed[g], &ruled[g], i);
        }
    results_free(timed, count);
    results_free(ruled, count);
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
        check_kernel(kernels[i], 0, &seen);
    check_kernel("copies", GPUS - 1, &seen);
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
