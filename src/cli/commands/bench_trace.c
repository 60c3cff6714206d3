/* bench_trace.c - a copy of 64 MB: blocks of 256 threads, each warp loads 128 bytes and stores them. The
 * trace is in a temporary file, as a user's is. */
#define _GNU_SOURCE
#include "cli/commands/bench_rates.h"

#include <stdlib.h>

#include "text/memory.h"
#include "trace_io/binary/binary_write.h"
#include "trace_io/trace_file.h"

enum { BLOCKS = 1 << 16, WARPS = 8, REPEATS = 3 };
#define ACCESSES (2.0 * BLOCKS * WARPS)

static const struct spent nothing;

static bool give_access(const struct trace_sink *sink, uint32_t block, uint32_t warp, uint32_t site)
{
    const struct warp_access access = {.base = ((uint64_t)(site + 1) << 32) +
                                               (uint64_t)(block * WARPS + warp) * 128,
                                       .stride = 4,
                                       .active = UINT32_MAX,
                                       .resident = UINT32_MAX,
                                       .block = block,
                                       .warp = warp,
                                       .site = site,
                                       .work = 4,
                                       .loads_left = site ? 0 : NEEDS_NO_LOAD,
                                       .width = 4,
                                       .op = site ? OP_STORE : OP_LOAD};
    return sink_access(sink, &access);
}

static bool give_block(const struct trace_sink *sink, uint32_t block)
{
    const struct trace_event end = {.kind = TRACE_BLOCK_END, .block = block};
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        const struct trace_event warp_end = {TRACE_WARP_END, block, warp, 1, 0, 0};
        if (!give_access(sink, block, warp, 0) || !give_access(sink, block, warp, 1) ||
            !sink_event(sink, &warp_end))
            return false;
    }
    return sink_event(sink, &end);
}

static void give_copy(const struct trace_sink *sink)
{
    const struct launch_info launch = {
        .kernel = "copy",
        .grid = {BLOCKS / 2, 2, 1}, /* the first GPUs allow 65535 in x */
        .block = {WARPS * WARP_LANES, 1, 1}};
    const struct trace_site load = {"copy.cu", 1, "in", SPACE_GLOBAL, OP_LOAD, 4};
    const struct trace_site store = {"copy.cu", 1, "out", SPACE_GLOBAL, OP_STORE, 4};
    sink_site(sink, 0, &load);
    sink_site(sink, 1, &store);
    sink_launch_begin(sink, &launch);
    for (uint32_t block = 0; block < BLOCKS; block++)
        if (!give_block(sink, block))
            return;
    sink_launch_end(sink, 0);
}

/* What it takes to write the trace; 0 when it cannot be written. */
static struct spent write_once(FILE *file)
{
    struct binary_writer *writer = binary_writer_new(file);
    if (writer == NULL)
        return nothing;
    const struct spent began = spent_now();
    const struct trace_sink sink = binary_writer_sink(writer);
    give_copy(&sink);
    bool fine = binary_writer_end(writer) == NULL;
    const struct spent spent = spent_since(began);
    binary_writer_free(writer);
    return fine ? spent : nothing;
}

static bool take_access(void *context, const struct warp_access *access)
{
    (void)access;
    ++*(uint64_t *)context;
    return true;
}

/* What is done with the trace. */
struct use {
    const char *name;
    size_t gpu_count; /* 0: it is only read */
    bool rules_only;
};

static struct spent use_once(FILE *stream, const struct use *use, const struct session_gpu *gpus)
{
    static const struct trace_file_options options = {.format = "binary"};
    struct trace_file *file = memory_take(1, sizeof *file);
    struct result results[2];
    uint64_t accesses = 0;
    if (file == NULL)
        return nothing;
    rewind(stream);
    trace_file_start(file, stream, "trace", trace_format_named("binary"), &options);
    const struct session_request request = {.source = trace_file_source(file),
                                            .gpus = gpus,
                                            .gpu_count = use->gpu_count,
                                            .rules_only = use->rules_only};
    const struct trace_sink counter = {.context = &accesses, .access = take_access};
    const struct spent began = spent_now();
    const char *error = use->gpu_count ? session_run(&request, results)
                                       : request.source.run(request.source.context, &counter);
    const struct spent spent = spent_since(began);
    if (error == NULL)
        results_free(results, use->gpu_count);
    free(file);
    return error ? nothing : spent;
}

static void put_row(struct table *table, const char *name, struct spent spent)
{
    table_cell(table, "%s", name);
    table_cell(table, "%.2f", spent.cpu > 0 ? ACCESSES / spent.cpu / 1e6 : 0.0);
    bench_seconds(table, spent);
    table_row(table);
}

bool bench_trace(const struct session_gpu *gpu, FILE *out)
{
    static const struct use uses[] = {{"read and checked", 0, false},
                                      {"replayed, rules alone", 1, true},
                                      {"replayed, whole model", 1, false},
                                      {"replayed, whole model, two GPUs at once", 2, false}};
    const struct session_gpu gpus[2] = {*gpu, *gpu};
    FILE *file = tmpfile();
    struct spent spent = file ? write_once(file) : nothing;
    struct table table;
    if (spent.cpu <= 0)
        return false;
    fprintf(out, "\nbinary trace of a coalesced copy, %ld bytes for %.0f warp accesses\n",
            ftell(file), ACCESSES);
    table_start(&table, 4, "lr");
    table_cell(&table, "done");
    table_cell(&table, "million/s");
    bench_seconds_heads(&table);
    table_row(&table);
    put_row(&table, "written", spent);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        struct spent best = use_once(file, &uses[i], gpus);
        for (int again = 1; again < REPEATS; again++) {
            spent = use_once(file, &uses[i], gpus);
            best = spent.cpu < best.cpu ? spent : best;
        }
        put_row(&table, uses[i].name, best);
    }
    table_print(&table, 2, out);
    fclose(file);
    return true;
}
