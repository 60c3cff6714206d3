/* fuzz_trace.c - a file through its reader, several times: alone, with a guard; into a check, without
 * one; when it is whole, into a binary trace and back; and into a session.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "models/models.h"
#include "promise.h"
#include "report/report.h"
#include "sim/counters/laws.h"
#include "trace_io/binary/binary_write.h"
#include "trace_io/check.h"

enum { STEPS = 4, REPORTS = 31, L2_BYTES = 32 << 10 };
bool fuzz_takes_all_steps;

void fuzz_check_message(const char *message)
{
    FUZZ_ASSERT(*message != '\0');
    for (; *message; message++)
        FUZZ_ASSERT((unsigned char)*message >= ' ' && *message != 0x7f);
}

const char *fuzz_path(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", 0);
    FUZZ_ASSERT(file >= 0 && ftruncate(file, 0) == 0);
    FUZZ_ASSERT(pwrite(file, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

struct bytes {
    const char *format, *name, *map;
    const void *at;
    size_t count;
    bool unguarded;
};

/* All of the trace into a sink: NULL or a message. */
static const char *read_bytes(const struct bytes *bytes, const struct trace_sink *sink)
{
    static struct trace_file file;
    static char nothing;
    const struct trace_file_options options = {.map = bytes->map, .unguarded = bytes->unguarded};
    FILE *stream = bytes->count ? fmemopen((void *)(uintptr_t)bytes->at, bytes->count, "rb")
                                : fmemopen(&nothing, 1, "wb+");
    FUZZ_ASSERT(stream != NULL);
    trace_file_start(&file, stream, bytes->name, trace_format_named(bytes->format), &options);
    struct trace_source source = trace_file_source(&file);
    const char *error = source.run(source.context, sink);
    fclose(stream);
    if (error)
        fuzz_check_message(error);
    return error;
}

/* Whether a step is due for an input of that hash. */
static bool takes_step(uint64_t hash, unsigned step)
{
    return fuzz_takes_all_steps || hash % STEPS == step;
}

/* ---- A session ------------------------------------------------------------------------------- */

/* No more than the promise lets through. */
static const char *run_limited(void *context, const struct trace_sink *sink)
{
    struct promise promise;
    promise_start(&promise, sink);
    const struct trace_sink promised = promise_sink(&promise);
    const char *error = read_bytes(context, &promised);
    if (error == NULL && promise.calls == PROMISE_CALLS)
        error = "more calls than a fuzz target takes";
    promise_free(&promise);
    return error;
}

static void check_laws(const struct result *result)
{
    const struct arch *arch = &result->arch;
    const struct law *law = laws_first_broken(&result->total, arch);
    if (law)
        fprintf(stderr, "%s: %s: %llu %s %llu\n", result->gpu->name, law->name,
                (unsigned long long)law->left(&result->total, arch), law->op,
                (unsigned long long)law->right(&result->total, arch));
    FUZZ_ASSERT(law == NULL);
}

static void write_reports(const struct result *result)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    FUZZ_ASSERT(out != NULL);
    const struct report_options options = {0};
    report_text(result, 1, &options, out);
    report_json(result, 1, &options, out);
    report_csv(result, 1, &options, out);
    fclose(out);
    free(text);
}

void fuzz_session(struct trace_source source, const struct gpu_model *model, bool rules_only)
{
    static struct session_gpu gpu;
    struct result result;
    gpu.model = model;
    arch_from_model(model, &gpu.arch);
    if (!rules_only) {
        gpu.arch.sm_count = gpu.arch.sm_count < 2 ? gpu.arch.sm_count : 2;
        gpu.arch.l2_bytes = gpu.arch.l2_bytes < L2_BYTES ? gpu.arch.l2_bytes : L2_BYTES;
    }
    if (arch_contradiction(&gpu.arch)) /* refused before any run: choose.c */
        return;
    const struct session_request request = {
        .source = source, .gpus = &gpu, .gpu_count = 1, .rules_only = rules_only};
    const char *error = session_run(&request, &result);
    if (error) {
        fuzz_check_message(error);
        return;
    }
    check_laws(&result);
    if (fuzz_takes_all_steps || result.total.thread_accesses % REPORTS == 0)
        write_reports(&result);
    results_free(&result, 1);
}

/* ---- Whole streams --------------------------------------------------------------------------- */

/* A check takes anything, as `warplens trace check` gives it, and so never ends a reading: here it does
 * after PROMISE_CALLS. */
struct counted {
    const struct trace_sink *next;
    uint64_t calls;
};

static bool counted_access(void *context, const struct warp_access *access)
{
    struct counted *counted = context;
    return ++counted->calls < PROMISE_CALLS && sink_access(counted->next, access);
}

static bool counted_event(void *context, const struct trace_event *event)
{
    struct counted *counted = context;
    return ++counted->calls < PROMISE_CALLS && sink_event(counted->next, event);
}

static bool counted_launch(void *context, const struct launch_info *launch)
{
    struct counted *counted = context;
    return ++counted->calls < PROMISE_CALLS && sink_launch_begin(counted->next, launch);
}

static bool counted_end(void *context, uint64_t shared_bytes)
{
    struct counted *counted = context;
    return sink_launch_end(counted->next, shared_bytes);
}

static void check(struct bytes bytes)
{
    static const uint64_t line;
    size_t count;
    struct check *check = check_new(&line);
    FUZZ_ASSERT(check != NULL);
    const struct trace_sink sink = check_sink(check);
    struct counted counted = {.next = &sink};
    const struct trace_sink counting = {.context = &counted,
                                        .launch_begin = counted_launch,
                                        .access = counted_access,
                                        .event = counted_event,
                                        .launch_end = counted_end};
    FUZZ_ASSERT(sink.note == NULL && sink.site == NULL);
    bytes.unguarded = true;
    read_bytes(&bytes, &counting);
    const struct check_finding *findings = check_findings(check, &count);
    for (size_t i = 0; i < count; i++)
        if (findings[i].count)
            fuzz_check_message(findings[i].first);
    check_free(check);
}

static void come_back(const struct bytes *bytes, uint64_t hash)
{
    char *text = NULL;
    struct bytes written = {.format = "binary", .name = "t.wlt"};
    FILE *out = open_memstream(&text, &written.count);
    struct binary_writer *writer = binary_writer_new(out);
    FUZZ_ASSERT(out != NULL && writer != NULL);
    const struct trace_sink sink = binary_writer_sink(writer);
    FUZZ_ASSERT(read_bytes(bytes, &sink) == NULL);
    const char *error = binary_writer_end(writer);
    fclose(out);
    binary_writer_free(writer);
    if (error == NULL) { /* else: names or managed memory that the format has no room for */
        struct promise promise;
        promise_start(&promise, NULL);
        const struct trace_sink promised = promise_sink(&promise);
        written.at = text;
        FUZZ_ASSERT(read_bytes(&written, &promised) == NULL);
        FUZZ_ASSERT(promise.hash == hash);
        promise_free(&promise);
    } else {
        fuzz_check_message(error);
    }
    free(text);
}

void fuzz_trace(const char *format, const char *name, const char *map, const uint8_t *data,
                size_t size)
{
    const struct bytes bytes = {
        .format = format, .name = name, .map = map, .at = data, .count = size};
    struct promise promise;
    promise_start(&promise, NULL);
    const struct trace_sink sink = promise_sink(&promise);
    const char *error = read_bytes(&bytes, &sink);
    bool whole = error == NULL && !promise.stopped;
    FUZZ_ASSERT(!whole || !promise.in_launch);
    if (takes_step(promise.hash, 0))
        check(bytes);
    if (whole && takes_step(promise.hash, 1))
        come_back(&bytes, promise.hash);
    if (promise.accesses && takes_step(promise.hash, 2))
        fuzz_session((struct trace_source){(void *)(uintptr_t)&bytes, run_limited},
                     models[promise.hash / STEPS % model_count], true);
    promise_free(&promise);
}
