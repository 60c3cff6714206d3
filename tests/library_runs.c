/* library_runs.c - records through the writer of `warplens trace record`. */
#define _GNU_SOURCE
#include "library_runs.h"

#include <string.h>

#include "gallery.h"
#include "gallery_list.h"
#include "models/models.h"
#include "trace_io/format.h"

void library_assert_says(const struct warplens_run *run, const char *part)
{
    if (strstr(warplens_message(run), part) == NULL)
        fail_msg("the message is \"%s\", without \"%s\"", warplens_message(run), part);
    assert_null(strchr(warplens_message(run), '\n'));
}

static void set_arg(struct gallery_args *args, const char *name, long long value)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && args->params[i].name; i++)
        if (strcmp(args->params[i].name, name) == 0 && value <= args->params[i].max)
            args->values[i] = value;
}

static void record(struct library_kernel_run *of)
{
    struct trace_writer writer;
    FILE *out = open_memstream(&of->trace, &of->trace_bytes);
    assert_true(trace_format_named("binary")->open(&writer, out, NULL));
    const struct trace_source source = gallery_source(&of->gallery);
    assert_null(source.run(source.context, &writer.sink));
    assert_null(writer.end(writer.state));
    writer.free(writer.state);
    fclose(out);
}

/* Beside an H200, by how kernels' names begin: asynchronous copies are refused before sm_80, tensor copies before sm_90. */
static const struct other {
    const char *begin, *gpu, *library_gpu;
} others[] = {{"transposeTensor", "h100", "h100"},
              {"tilesAsync", "a100", "sm_80"},
              {"tilesDouble", "a100", "sm_80"},
              {"", "k20x", "sm_35"}};

static const struct other *other_than_h200(const char *kernel)
{
    const struct other *other = others;
    while (strncmp(kernel, other->begin, strlen(other->begin)) != 0)
        other++;
    return other;
}

void library_open_kernel_run(struct library_kernel_run *of, const char *name)
{
    const char *const gpus[] = {"h200", other_than_h200(name)->gpu};
    static const struct {
        const char *name;
        long long value;
    } small[] = {{"width", 128}, {"height", 128}, {"nx", 128},      {"ny", 128},
                 {"n", 8192},    {"nreps", 3},    {"kilobytes", 64}};
    const struct gallery_kernel *kernel = gallery_find(name);
    of->args = (struct gallery_args){.params = kernel->params};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX; i++)
        of->args.values[i] = kernel->params[i].value;
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        set_arg(&of->args, small[i].name, small[i].value);
    of->gallery = (struct gallery_run){kernel, &of->args};
    for (size_t i = 0; i < 2; i++) {
        of->gpus[i].model = models_find(gpus[i]);
        arch_from_model(of->gpus[i].model, &of->gpus[i].arch);
    }
    struct session_request request = {
        .source = gallery_source(&of->gallery), .gpus = of->gpus, .gpu_count = 2, .observes = true};
    const char *error = session_run(&request, of->results);
    if (error)
        fail_msg("%s: %s", name, error);
    record(of);
}

void library_close_kernel_run(struct library_kernel_run *of)
{
    results_free(of->results, 2);
    free(of->trace);
}

struct warplens_run *library_read_kernel_run(const struct library_kernel_run *of)
{
    struct warplens_run *run = warplens_run_new();
    FILE *in = fmemopen(of->trace, of->trace_bytes, "rb");
    assert_non_null(in);
    ASSERT(run, warplens_add_gpu(run, "h200"));
    ASSERT(run, warplens_add_gpu(run, other_than_h200(of->gallery.kernel->name)->library_gpu));
    ASSERT(run, warplens_read_stream(run, in, "recorded", NULL));
    fclose(in);
    return run;
}

bool library_push_kernel(struct warplens_run *run)
{
    const struct warplens_array arrays[] = {{.name = "out", .base = 0x20000, .bytes = 0x1000},
                                            {.name = "in", .base = 0x10000, .bytes = 0x1000}};
    const struct warplens_launch launch = {.kernel = "by_hand",
                                           .grid = {1},
                                           .block = {32 * WARPS},
                                           .shared_bytes = 4096,
                                           .arrays = arrays,
                                           .array_count = 2};
    uint64_t in_order[32];
    warplens_launch_begin(run, &launch);
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        struct warplens_access a = {.file = "dir/kernel.cu",
                                    .line = 1,
                                    .width = 4,
                                    .warp = warp,
                                    .mask = WARPLENS_ALL_LANES,
                                    .base = 0x10000 + 128 * warp,
                                    .stride = 4};
        warplens_add_access(run, &a);
        a.line = 2;
        a.base = 0x10000 + 256 * warp;
        a.stride = 8;
        warplens_add_access(run, &a);
        a.line = 3;
        a.array = "tile";
        a.space = WARPLENS_SHARED;
        a.base = 0;
        a.stride = 32 * 4;
        warplens_add_access(run, &a);
        for (uint64_t lane = 0; lane < 32; lane++)
            in_order[lane] = 0x20000 + 128 * warp + 4 * (31 - lane);
        a = (struct warplens_access){.file = "kernel.cu",
                                     .line = 4,
                                     .op = WARPLENS_STORE,
                                     .width = 4,
                                     .warp = warp,
                                     .mask = WARPLENS_ALL_LANES,
                                     .addresses = in_order};
        warplens_add_access(run, &a);
    }
    warplens_launch_end(run);
    return warplens_finish(run);
}

char *library_report(struct warplens_run *run, enum warplens_format format)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    ASSERT(run, warplens_report(run, format, out));
    fclose(out);
    return text;
}
