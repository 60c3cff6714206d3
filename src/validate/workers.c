/* workers.c - what a pool of processes does for validate: its reply is the run's launches and error. */
#define _GNU_SOURCE
#include "validate/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"
#include "session/gallery_source.h"
#include "sim/counters/laws.h"
#include "text/memory.h"

/* Stands before a run's launches and its error in a reply. */
struct reply {
    size_t launch_count, error_bytes; /* error_bytes: with the zero; 0: no error */
    bool is_bug, has_failed;
};

static void take_result(struct model_run *run, struct result *result)
{
    const struct arch *arch = &result->arch;
    const struct law *law = laws_first_broken(&result->total, arch);
    if (law == NULL) {
        run->launches = result->launches;
        run->launch_count = result->launch_count;
        result->launches = NULL;
    } else if (asprintf(&run->error,
                        "the counters contradict each other: %s (%s) does not hold. This is a bug "
                        "in warplens; please report it with this command line",
                        law->name, law->text) < 0) {
        run->error = NULL;
    }
    run->is_bug = law != NULL;
    run->has_failed = result->info->has_stopped;
    results_free(result, 1);
}

static void run_source(struct model_run *run, struct trace_source source)
{
    struct result result;
    const struct session_request request = {
        .source = source,
        .gpus = run->gpu,
        .gpu_count = 1,
        .rules_only = run->rules_only,
        .cold_launches = run->cold_launches,
    };
    const char *error = session_run(&request, &result);
    if (error)
        run->error = memory_copy(error);
    else
        take_result(run, &result);
}

static void run_one(struct model_run *run)
{
    struct gallery_run gallery = {run->kernel, &run->args};
    struct trace_source source;
    if (run->error) /* there is nothing to run */
        return;
    if (run->kernel) {
        run_source(run, gallery_source(&gallery));
    } else if (run->opener->open(run->opener->context, run, &source)) {
        run_source(run, source);
        run->has_failed |= !run->opener->close(run->opener->context);
    } else {
        run->error = memory_copy("it cannot be built or read (standard error has why)");
    }
}

static void free_run(struct model_run *run)
{
    free(run->error);
    free(run->launches);
    run->error = NULL;
    run->launches = NULL;
}

/* What is at the front of the bytes, with room of its own; NULL: none, or no memory. */
static void *copy_part(const char **at, size_t bytes)
{
    void *part = bytes ? memory_take(1, bytes) : NULL;
    if (part)
        memcpy(part, *at, bytes);
    *at += bytes;
    return part;
}

static void write_reply(void *context, size_t job, FILE *out)
{
    struct model_run *run = &((struct model_run *)context)[job];
    run_one(run);
    struct reply reply = {.launch_count = run->launch_count,
                          .error_bytes = run->error ? strlen(run->error) + 1 : 0,
                          .is_bug = run->is_bug,
                          .has_failed = run->has_failed};
    fwrite(&reply, sizeof reply, 1, out);
    if (run->launches)
        fwrite(run->launches, sizeof *run->launches, run->launch_count, out);
    if (run->error)
        fwrite(run->error, 1, reply.error_bytes, out);
    free_run(run);
}

static bool read_reply(void *context, size_t job, const char *result, size_t bytes)
{
    struct model_run *run = &((struct model_run *)context)[job];
    const char *at = result + sizeof(struct reply);
    struct reply reply;
    (void)bytes;
    memcpy(&reply, result, sizeof reply);
    free_run(run); /* the error of what there is nothing to run of */
    run->launches = copy_part(&at, reply.launch_count * sizeof *run->launches);
    run->error = copy_part(&at, reply.error_bytes);
    run->launch_count = reply.launch_count;
    run->is_bug = reply.is_bug;
    run->has_failed = reply.has_failed;
    run->done =
        (run->launches || reply.launch_count == 0) && (run->error || reply.error_bytes == 0);
    return true;
}

void workers_run(struct model_run *runs, size_t count, size_t processes)
{
    pool_run(
        &(struct pool_work){
            .context = runs, .count = count, .run = write_reply, .take = read_reply},
        processes);
}

void workers_free(struct model_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free_run(&runs[i]);
        free(runs[i].path);
    }
}
