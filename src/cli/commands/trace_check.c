/* trace_check.c - one reading of the file; findings are printed when it is over. */
#include "cli/commands/trace_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/output.h"
#include "cli/inputs/source.h"
#include "cli/inputs/watch.h"
#include "report/report.h"
#include "text/memory.h"
#include "text/progress.h"
#include "trace_io/check.h"

static void print_finding(const struct check_finding *finding, FILE *out)
{
    char count[REPORT_NUMBER_BYTES];
    fprintf(out, "\n%s: %s: %s\n", finding->severity == CHECK_ERROR ? "error" : "warning",
            finding->name, report_number(finding->count, count));
    fprintf(out, "  first    step %" PRIu64, finding->first_step);
    if (finding->first_line)
        fprintf(out, ", line %" PRIu64, finding->first_line);
    fprintf(out, ": %s\n  meaning  %s\n", finding->first, finding->meaning);
}

/* What was found, the worst first; then what was not found, in one line. `error`: why the reader could not go
 * on, or NULL. True when there is no error of any kind. */
static bool print_check(const struct check *check, const char *path, const char *error, FILE *out)
{
    char steps[REPORT_NUMBER_BYTES];
    uint64_t kinds[2] = {0, 0};
    size_t count;
    const struct check_finding *findings = check_findings(check, &count);
    fprintf(out, "%s: %s steps (accesses, barriers, ends of warps and blocks)\n", path,
            report_number(check_steps(check), steps));
    for (unsigned severity = CHECK_ERROR; severity <= CHECK_WARNING; severity++)
        for (size_t i = 0; i < count; i++)
            if (findings[i].severity == severity && findings[i].count) {
                print_finding(&findings[i], out);
                kinds[severity]++;
            }
    if (error)
        fprintf(out, "\nerror: the trace cannot be read to its end\n  %s\n", error);
    kinds[CHECK_ERROR] += error != NULL;
    fprintf(out,
            "\n%zu kinds of fault looked for, %" PRIu64 " error%s and %" PRIu64
            " warning%s found\n",
            count, kinds[CHECK_ERROR], kinds[CHECK_ERROR] == 1 ? "" : "s", kinds[CHECK_WARNING],
            kinds[CHECK_WARNING] == 1 ? "" : "s");
    return kinds[CHECK_ERROR] == 0;
}

static int check_file(struct opened_source *opened, const struct options *options)
{
    static const uint64_t no_line;
    struct output output;
    bool has_lines = opened->file.format != trace_format_named("binary");
    struct check *check = check_new(has_lines ? &opened->file.input.line : &no_line);
    if (check == NULL)
        return usage_error("trace", "no memory for the check");
    const struct trace_sink sink = check_sink(check);
    const char *error = opened->source.run(opened->source.context, &sink);
    progress_end();
    int status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        bool fine = print_check(check, opened->file.input.name, error, output.stream);
        status = output_close(&output);
        if (status == EXIT_OK && !fine)
            status = EXIT_USAGE;
    }
    check_free(check);
    return status;
}

int trace_check(const struct options *options)
{
    struct opened_source *opened = memory_take(1, sizeof *opened);
    if (opened == NULL)
        return usage_error("trace", "no memory for a file");
    const struct job job = {.input = {.kind = INPUT_TRACE, .path = options->operands[1]}};
    int status = source_open_trace(opened, options, job.input.path, true);
    if (status == EXIT_OK) {
        watch_start(options, &job, 1, false);
        watch_job(&job, NULL, 0);
        status = check_file(opened, options);
        int closed = source_close(opened);
        status = closed ? closed : status;
    }
    free(opened);
    return status;
}
