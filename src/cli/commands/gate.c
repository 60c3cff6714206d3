/* gate.c - `warplens gate`: limits that a run has to meet, for CI. */
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/sheets.h"
#include "gate/gate.h"
#include "text/memory.h"

struct gate_inputs {
    struct limit limits[OPTION_LIST_MAX];
    struct sheets now, baseline;
    struct gate gate;
};

static int read_limits(struct gate_inputs *inputs, const struct options *options)
{
    char message[LIMIT_MESSAGE_BYTES];
    for (size_t i = 0; i < options->limit_count; i++) {
        const struct option_limit *limit = &options->limits[i];
        if (!limit_read(&inputs->limits[i], limit->text, limit->is_least, message))
            return usage_error(options->command, "--%s %s: %s", limit->is_least ? "min" : "max",
                               limit->text, message);
    }
    return EXIT_OK;
}

static int check_options(const struct options *options)
{
    if (options->operand_count != 1)
        return usage_error(options->command,
                           "takes one kernel, trace, .cu program or result in JSON");
    if (options->limit_count == 0 && options->baseline == NULL)
        return usage_error(options->command, "has no limit: give --min, --max or --baseline");
    if (options->tolerance_percent >= 0 && options->baseline == NULL)
        return usage_error(options->command, "--tolerance is for --baseline");
    int status = sheets_check_options(options);
    status = status == EXIT_OK ? output_try(options->junit) : status;
    return status == EXIT_OK ? output_try(options->output) : status;
}

static int check(struct gate_inputs *inputs, const struct options *options)
{
    int status = read_limits(inputs, options);
    if (status == EXIT_OK && options->baseline)
        status = sheets_open_result(&inputs->baseline, options, options->baseline);
    if (status == EXIT_OK)
        status = sheets_open(&inputs->now, options, options->operands[0],
                             options->baseline ? &inputs->baseline : NULL);
    if (status)
        return status;
    const struct gate_request request = {
        .limits = inputs->limits,
        .limit_count = options->limit_count,
        .baseline = options->baseline ? &inputs->baseline : NULL,
        .baseline_name = options->baseline,
        .tolerance_percent =
            options->tolerance_percent >= 0 ? options->tolerance_percent : GATE_TOLERANCE_PERCENT,
    };
    if (!gate_check(&inputs->gate, &inputs->now, &request))
        return usage_error(options->command, "%s", inputs->gate.message);
    return EXIT_OK;
}

static int write_to(const struct gate *gate, const char *path,
                    void (*write)(const struct gate *gate, FILE *out))
{
    struct output output;
    int status = output_open(&output, path);
    if (status)
        return status;
    write(gate, output.stream);
    return output_close(&output);
}

/* A line on standard error for each limit that is not met, and then EXIT_THRESHOLD. */
static int judge(const struct gate *gate, const struct options *options)
{
    char subject[LIMIT_TEXT_BYTES], seen[LIMIT_TEXT_BYTES], wanted[LIMIT_TEXT_BYTES],
        title[SHEET_TITLE_BYTES];
    for (size_t i = 0; i < gate->count; i++)
        for (size_t k = 0; k < gate->runs[i].count; k++) {
            const struct outcome *outcome = &gate->runs[i].outcomes[k];
            if (outcome->status == LIMIT_BROKEN)
                usage_error(options->command, "%s: %s is %s, wanted %s%s",
                            sheet_title(outcome->sheet, title),
                            limit_subject(outcome->limit, subject), limit_seen(outcome, seen),
                            limit_wanted(outcome->limit, wanted),
                            outcome->limit->is_baseline ? ", the baseline" : "");
        }
    return gate_count(gate, LIMIT_BROKEN) ? EXIT_THRESHOLD : EXIT_OK;
}

static int do_gate(const struct options *options)
{
    int status = check_options(options);
    struct gate_inputs *inputs = status ? NULL : memory_take(1, sizeof *inputs);
    if (inputs == NULL)
        return status ? status : usage_error(options->command, "no memory for the limits");
    status = check(inputs, options);
    if (status == EXIT_OK && options->junit)
        status = write_to(&inputs->gate, options->junit, gate_write_junit);
    if (status == EXIT_OK)
        status = write_to(&inputs->gate, options->output,
                          options->format == FORMAT_JSON ? gate_write_json : gate_write_text);
    if (status == EXIT_OK)
        status = sheets_status(&inputs->now, judge(&inputs->gate, options));
    gate_free(&inputs->gate);
    sheets_free(&inputs->now);
    sheets_free(&inputs->baseline);
    free(inputs);
    return status;
}

const struct command command_gate = {
    .name = "gate",
    .operands = "KERNEL | FILE",
    .help = "limits that a run has to meet, for CI",
    .bit = COMMAND_GATE,
    .run = do_gate,
    .about =
        "Holds a kernel, a trace, a CUDA program or a result of `run --format json` to limits and "
        "to an\n"
        "earlier result. Exit status 3 when one is not met; a limit whose counter has no value is "
        "an\n"
        "error, status 2. COUNTER is any name of `warplens counters`, PLACE a source line, an "
        "array "
        "or a\n"
        "__global__ function (docs/gate.md).\n\n"
        "  warplens gate transpose.cu --gpu gtx280,h200 --min gst_efficiency=80\n"
        "  warplens gate transpose.cu --min transpose.cu:12:gld_efficiency=80 --max 'array "
        "tile:shared_load_conflicts=0'\n"
        "  warplens gate transpose.cu --max time@h200=20 --baseline main.json --tolerance 5 "
        "--junit gate.xml",
};
