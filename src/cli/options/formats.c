/* formats.c - the table, in the order in which --help names them. */
#include "cli/options/formats.h"

#include <string.h>

#include "html/html.h"
#include "text/text.h"

enum {
    RESULTS = COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_DIFF | COMMAND_MERGE,
    OUTCOMES = COMMAND_GATE | COMMAND_GRADE | COMMAND_ADVISE | COMMAND_CHECK,
    LISTS = COMMAND_COUNTERS | COMMAND_KERNELS | COMMAND_QUIZ | COMMAND_GPUS,
};

const struct result_format formats[] = {
    [FORMAT_TEXT] = {.name = "text",
                     .commands = RESULTS | OUTCOMES | LISTS | COMMAND_EXPLAIN,
                     .write_report = report_text,
                     .has_timeline = true,
                     .quotes_source = true},
    [FORMAT_MARKDOWN] = {.name = "markdown", .commands = LISTS},
    [FORMAT_JSON] = {.name = "json",
                     .commands = RESULTS | OUTCOMES | COMMAND_EXPLAIN | COMMAND_GPUS,
                     .write_report = report_json,
                     .has_timeline = true},
    [FORMAT_JSONL] = {.name = "jsonl", .commands = COMMAND_MERGE},
    [FORMAT_CSV] = {.name = "csv", .commands = RESULTS, .write_report = report_csv},
    [FORMAT_HTML] = {.name = "html",
                     .commands = COMMAND_RUN,
                     .write_report = report_html,
                     .observes = true,
                     .has_timeline = true,
                     .quotes_source = true,
                     .advises = true},
    [FORMAT_ARCH_FILE] = {.name = "arch-file", .commands = COMMAND_GPUS},
    [FORMAT_SVG] = {.name = "svg", .commands = COMMAND_EXPLAIN},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

bool format_find(const char *name, unsigned commands, enum format *format)
{
    for (unsigned i = 0; i < FORMAT_COUNT; i++)
        if ((formats[i].commands & commands) && strcmp(name, formats[i].name) == 0) {
            *format = (enum format)i;
            return true;
        }
    return false;
}

const char *format_names(unsigned commands, bool with_timeline, const char *between,
                         const char *last)
{
    static struct text names;
    const char *waiting = NULL;
    text_start(&names);
    for (unsigned i = 0; i < FORMAT_COUNT; i++) {
        if (!(formats[i].commands & commands) || (with_timeline && !formats[i].has_timeline))
            continue;
        if (waiting)
            text_add(&names, "%s%s", names.length ? between : "", waiting);
        waiting = formats[i].name;
    }
    text_add(&names, "%s%s", names.length ? last : "", waiting);
    return names.s;
}
