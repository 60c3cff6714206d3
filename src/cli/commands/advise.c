/* advise.c - `warplens advise`: what would make the memory accesses cheaper, tried. */
#include <stdio.h>
#include <stdlib.h>

#include "advise/advise.h"
#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/source.h"
#include "cli/inputs/watch.h"
#include "text/memory.h"
#include "text/progress.h"

struct advising {
    struct gpu_choice gpus;
    struct job_list jobs;
    struct advice_report reports[CHOICE_MAX];
    size_t count;
    int fault_status; /* EXIT_USAGE: a kernel or the program has failed; there is advice on the rest */
};

static int advise_source(struct advising *a, const struct opened_source *opened,
                         const struct options *options)
{
    char message[ADVISE_MESSAGE_BYTES];
    const struct advise_request request = {.source = opened->source,
                                           .gpus = a->gpus.gpus,
                                           .gpu_count = a->gpus.count,
                                           .registers_per_thread = options->registers,
                                           .cold_launches = options->cache_control == CACHES_ALL};
    const char *error = advise_run(&request, a->reports, message);
    if (error == NULL) {
        a->count = a->gpus.count;
        a->fault_status = source_check_stop(opened, a->reports[0].info);
        return EXIT_OK;
    }
    return source_fail(opened, error);
}

static int advise_operand(struct advising *a, const struct options *options)
{
    int status = choose_gpus(&a->gpus, options);
    if (status == EXIT_OK)
        status = choose_jobs(&a->jobs, options, options->operands, options->operand_count);
    if (status)
        return status;
    if (a->jobs.count != 1)
        return usage_error("advise", "takes one kernel, and one value for each parameter");
    struct opened_source *opened = memory_take(1, sizeof *opened);
    if (opened == NULL)
        return usage_error("advise", "no memory for a source");
    watch_start(options, a->jobs.jobs, 1, false);
    watch_job(&a->jobs.jobs[0], a->gpus.gpus, a->gpus.count);
    status = source_open(opened, options, &a->jobs.jobs[0], &a->gpus.gpus[0]);
    if (status == EXIT_OK) {
        status = advise_source(a, opened, options);
        const int closed = source_close(opened);
        a->fault_status = a->fault_status ? a->fault_status : closed;
        status = closed == EXIT_IO ? closed : status;
    }
    progress_end();
    free(opened);
    return status;
}

static int do_advise(const struct options *options)
{
    struct advising *a = memory_take(1, sizeof *a);
    struct output output;
    int status = a ? advise_operand(a, options) : usage_error("advise", "no memory");
    const bool has_report = status == EXIT_OK && a->count > 0; /* a program may launch nothing */
    if (has_report)
        status = output_open(&output, options->output);
    if (has_report && status == EXIT_OK) {
        if (options->format == FORMAT_JSON)
            advise_write_json(a->reports, a->count, output.stream);
        else
            advise_write_text(a->reports, a->count, output.stream);
        status = output_close(&output);
    }
    if (a && status == EXIT_OK)
        status = a->fault_status;
    if (a)
        advise_free(a->reports, a->count);
    free(a);
    return status;
}

const struct command command_advise = {
    .name = "advise",
    .operands = "KERNEL | FILE",
    .help = "find what would make the accesses cheaper, by trying it",
    .bit = COMMAND_ADVISE,
    .run = do_advise,
    .about =
        "Looks for causes of slow memory access in the addresses of a kernel, a trace or a CUDA "
        "program,\n"
        "makes the changes that would cure them, runs the changed accesses again under the GPU, "
        "and\n"
        "ranks the changes by what they save. What could not be tried is named without a "
        "figure.\n\n"
        "  warplens advise transposeCoalesced --gpu h200\n"
        "  warplens advise transposeNoBankConflicts --gpu gtx280\n"
        "  warplens advise vec3d -p n=64k --gpu gtx280,m2090,h200\n"
        "  warplens advise program.cu --gpu a100 --format json -o advice.json -- 1000\n\n"
        "docs/advise.md has every cause, how it is recognised, and what it does not see.",
};
