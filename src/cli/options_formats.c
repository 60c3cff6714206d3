/* options_formats.c - options for the forms of results and traces. */
#include <stdio.h>
#include <string.h>

#include "cli/options_parts.h"
#include "trace_io/format.h"

static const char *const format_names[] = {"text",      "json",  "csv", "markdown",
                                           "arch-file", "jsonl", "svg"};

/* One of the `formats`, bits by enum format; `allowed` says which they are. */
static const char *take_format_of(struct options *o, const char *value, unsigned formats,
                                  const char *allowed)
{
    for (unsigned i = 0; i < sizeof format_names / sizeof format_names[0]; i++)
        if ((formats >> i & 1U) && strcmp(value, format_names[i]) == 0) {
            o->format = (enum format)i;
            return NULL;
        }
    return allowed;
}

static const char *take_report_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON | 1U << FORMAT_CSV,
                          "text, json or csv");
}

static const char *take_merge_format(struct options *o, const char *value)
{
    return take_format_of(
        o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON | 1U << FORMAT_JSONL | 1U << FORMAT_CSV,
        "text, json, jsonl or csv");
}

static const char *take_explain_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON | 1U << FORMAT_SVG,
                          "text, json or svg");
}

static const char *take_gate_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON, "text or json");
}

static const char *take_list_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_MARKDOWN, "text or markdown");
}

static const char *take_gpus_format(struct options *o, const char *value)
{
    return take_format_of(o, value,
                          1U << FORMAT_TEXT | 1U << FORMAT_MARKDOWN | 1U << FORMAT_JSON |
                              1U << FORMAT_ARCH_FILE,
                          "text, markdown, json or arch-file");
}

/* What --format and --from allow, made once. */
static const char *trace_format_names(void)
{
    static char names[128];
    for (size_t i = 0; i < trace_format_count && names[0] == '\0'; i++)
        for (size_t k = 0, used = 0; k < trace_format_count; k++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                     trace_formats[k].name);
    return names;
}

static const char *take_trace_format(struct options *o, const char *value)
{
    o->trace_format = value;
    return trace_format_named(value) ? NULL : trace_format_names();
}

static const char *take_from(struct options *o, const char *value)
{
    o->from = value;
    return trace_format_named(value) ? NULL : trace_format_names();
}

static const char *take_map(struct options *o, const char *value)
{
    o->map = value;
    return *value ? NULL : "field=column,field=column,...";
}

const struct option options_formats[] = {
    {NULL, "--format", "text|json|csv",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_DIFF, "how to write the result",
     take_report_format},
    {NULL, "--format", "text|json|jsonl|csv", COMMAND_MERGE,
     "text, csv and json as `compare` has them, jsonl as `sweep` has it", take_merge_format},
    {NULL, "--format", "text|json|svg", COMMAND_EXPLAIN, "how to write the result",
     take_explain_format},
    {NULL, "--format", "text|json", COMMAND_GATE | COMMAND_GRADE, "how to write the result",
     take_gate_format},
    {NULL, "--format", "text|markdown", COMMAND_COUNTERS | COMMAND_KERNELS, "how to write the list",
     take_list_format},
    {NULL, "--format", "text|markdown|json|arch-file", COMMAND_GPUS,
     "how to write the list; arch-file: what --arch-file reads", take_gpus_format},
    {NULL, "--format", "FORMAT", COMMAND_TRACE,
     "of the trace to write; default: by the file's name, or binary; cat: text", take_trace_format},
    {NULL, "--from", "FORM",
     COMMAND_TRACE | COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_DIFF | COMMAND_GATE |
         COMMAND_GRADE,
     "of the traces to read; default: what the file begins with", take_from},
    {NULL, "--map", "field=column,...",
     COMMAND_TRACE | COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_DIFF | COMMAND_GATE |
         COMMAND_GRADE,
     "csv traces: which column holds what (docs/trace-csv.md)", take_map},
    {0},
};
