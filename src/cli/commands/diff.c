/* diff.c - `warplens diff`: what a change has changed. As a report it ends with status 0 whether or not
 * something differs; with --exit-code with 3 when a counter does, or something has no partner. */
#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/sheets.h"
#include "gate/diff.h"
#include "report/faults.h"

static int check_options(const struct options *options)
{
    if (options->operand_count != 2)
        return usage_error(options->command, "takes two of kernel, trace, .cu program and result "
                                             "in JSON: before and after");
    int status = sheets_check_options(options);
    for (size_t i = 0; i < 2 && status == EXIT_OK; i++)
        status = input_check_file(options->command, options->operands[i]);
    status = status == EXIT_OK ? output_try(options->output) : status;
    return status == EXIT_OK && options->counters ? choose_counters(options) : status;
}

/* A result in a file is read first: the other one is run on its GPUs. */
static int open_both(struct sheets both[2], const struct options *options)
{
    int first = !sheets_is_result(options->operands[0]) && sheets_is_result(options->operands[1]);
    int status = sheets_open(&both[first], options, options->operands[first], NULL);
    const struct sheets *like = sheets_is_result(options->operands[first]) ? &both[first] : NULL;
    if (status == EXIT_OK)
        status = sheets_open(&both[!first], options, options->operands[!first], like);
    return status;
}

static int check_runs(const struct sheets *sheets, const struct options *options)
{
    char title[SHEET_TITLE_BYTES];
    for (size_t i = 0; i < sheets->count; i++)
        if (sheets->sheets[i].run.error)
            return usage_error(options->command, "%s failed: %s",
                               sheet_title(&sheets->sheets[i], title), sheets->sheets[i].run.error);
    return EXIT_OK;
}

static int write_diff(const struct diff *diff, const struct options *options)
{
    static void (*const writers[])(const struct diff *, const char *, FILE *) = {
        [FORMAT_TEXT] = diff_write_text,
        [FORMAT_JSON] = diff_write_json,
        [FORMAT_CSV] = diff_write_csv,
    };
    struct output output;
    int status = output_open(&output, options->output);
    if (status)
        return status;
    writers[options->format](diff, options->counters, output.stream);
    status = output_close(&output);
    if (status == EXIT_OK && options->exit_code && diff_differs(diff, options->counters))
        return EXIT_THRESHOLD;
    return status;
}

/* A diff is of counters: faults are told beside it. */
static void tell_faults(const struct sheets *sheets, const char *name,
                        const struct options *options)
{
    const struct report_entry *run = &sheets->sheets[0].run;
    struct text t;
    if (run->first_fault == NULL || run->has_stopped)
        return;
    text_start(&t);
    report_add_fault_sums(run->fault_sums, &t);
    usage_error(options->command, "%s: %s The first: %s", name, t.s, run->first_fault);
}

static int do_diff(const struct options *options)
{
    struct sheets both[2] = {0};
    struct diff diff = {0};
    int status = check_options(options);
    if (status == EXIT_OK)
        status = open_both(both, options);
    for (int i = 0; i < 2 && status == EXIT_OK; i++)
        status = check_runs(&both[i], options);
    for (int i = 0; i < 2 && status == EXIT_OK; i++)
        tell_faults(&both[i], options->operands[i], options);
    if (status == EXIT_OK)
        status = diff_start(&diff, &both[0], &both[1])
                     ? sheets_status(&both[0], sheets_status(&both[1], write_diff(&diff, options)))
                     : usage_error(options->command, "no memory to compare them");
    diff_free(&diff);
    sheets_free(&both[0]);
    sheets_free(&both[1]);
    return status;
}

const struct command command_diff = {
    .name = "diff",
    .operands = "BEFORE AFTER",
    .help = "two runs against each other, line by line",
    .bit = COMMAND_DIFF,
    .run = do_diff,
    .about =
        "Compares two kernels, traces, CUDA programs or results of `run --format json -o`: before, "
        "after,\n"
        "difference and ratio of the whole run and of each kind of access of each source line. A "
        "line's\n"
        "partner is the same line, or the only one with the same access to the same arrays. "
        "Better\n"
        "and worse are said of counters that have a direction (docs/gate.md).\n\n"
        "  warplens diff transpose_naive transpose --gpu gtx280\n"
        "  warplens diff before.json transpose.cu            on the GPUs of before.json\n"
        "  warplens diff a.cu b.cu --counters all --format csv --exit-code",
};
