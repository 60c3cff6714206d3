/* options_formats.c - options for the forms of results and traces. */
#include <stdio.h>
#include <string.h>

#include "cli/options/options_parts.h"
#include "cli/options/report_formats.h"
#include "figures/figures.h"
#include "text/nearest.h"
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

static const char *take_run_format(struct options *o, const char *value)
{
    o->report = report_format_named(value);
    return o->report ? NULL : "text, json, csv or html";
}

/* "lines, arrays, ...", and what is near. */
static const char *figure_names(const char *value)
{
    static char names[512];
    char near[NEAREST_TEXT_BYTES];
    struct nearest nearest = nearest_start(value);
    size_t used = 0;
    for (size_t i = 0; i < figure_count && used < sizeof names; i++) {
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 figures[i].name);
        nearest_offer(&nearest, figures[i].name);
    }
    if (used < sizeof names)
        snprintf(names + used, sizeof names - used, "%s", nearest_text(&nearest, near));
    return names;
}

static const char *take_figure(struct options *o, const char *value)
{
    o->figure = figure_named(value);
    return o->figure ? NULL : figure_names(value);
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

static const char *take_text_format(struct options *o, const char *value)
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
    {NULL, "--format", "text|json|csv|html", COMMAND_RUN,
     "how to write the result; html: a page with pictures (docs/report.md)", take_run_format},
    {NULL, "--figure", "PICTURE", COMMAND_RUN,
     "one picture of the page alone, as SVG (docs/report.md names them)", take_figure},
    {NULL, "--format", "text|json|csv", COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_DIFF,
     "how to write the result", take_report_format},
    {NULL, "--format", "text|json|jsonl|csv", COMMAND_MERGE,
     "text, csv and json as `compare` has them, jsonl as `sweep` has it", take_merge_format},
    {NULL, "--format", "text|json|svg", COMMAND_EXPLAIN, "how to write the result",
     take_explain_format},
    {NULL, "--format", "text|json", COMMAND_GATE | COMMAND_GRADE | COMMAND_ADVISE,
     "how to write the result", take_text_format},
    {NULL, "--format", "text|markdown", COMMAND_COUNTERS | COMMAND_KERNELS, "how to write the list",
     take_list_format},
    {NULL, "--format", "text|markdown", COMMAND_QUIZ, "how to write the sheet", take_list_format},
    {NULL, "--format", "text|markdown|json|arch-file", COMMAND_GPUS,
     "how to write the list; arch-file: what --arch-file reads", take_gpus_format},
    {NULL, "--format", "FORMAT", COMMAND_TRACE,
     "of the trace to write; default: by the file's name, or binary; cat: text", take_trace_format},
    {NULL, "--from", "FORM", COMMAND_PROGRAMS | COMMAND_GRADE,
     "of the traces to read; default: what the file begins with", take_from},
    {NULL, "--map", "field=column,...", COMMAND_PROGRAMS | COMMAND_GRADE,
     "csv traces: which column holds what (docs/trace-csv.md)", take_map},
    {0},
};
