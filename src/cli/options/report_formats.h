/* report_formats.h - the forms in which `run` writes its results: a row each. */
#ifndef WARPLENS_CLI_OPTIONS_REPORT_FORMATS_H
#define WARPLENS_CLI_OPTIONS_REPORT_FORMATS_H

#include "cli/options/options.h"
#include "report/report.h"

struct report_format {
    const char *name;
    void (*write)(const struct result *results, size_t count, const struct report_options *options,
                  FILE *out);
    bool observes; /* it shows what session_request.observes gathers, and the source's text */
    bool has_timeline;
};

/* The first is the default, for people; nothing but a report goes to standard output with the others. */
extern const struct report_format report_formats[];
extern const size_t report_format_count;

const struct report_format *report_format_named(const char *name);
/* What --format has chosen. */
const struct report_format *report_format_chosen(const struct options *options);

#endif
