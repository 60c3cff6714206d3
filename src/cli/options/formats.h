/* formats.h - the forms in which commands write their results: a row each. Help, completions and messages
 * have the names from here. */
#ifndef WARPLENS_CLI_OPTIONS_FORMATS_H
#define WARPLENS_CLI_OPTIONS_FORMATS_H

#include "cli/options/options.h"
#include "report/report.h"

struct result_format {
    const char *name;
    unsigned commands; /* enum command_bit: those that write it */
    /* Of a report of `run`; NULL: it has none. */
    void (*write_report)(const struct result *results, size_t count,
                         const struct report_options *options, FILE *out);
    bool observes; /* it shows what session_request.observes gathers */
    bool has_timeline;
    bool quotes_source; /* it shows lines of the source */
    bool advises;       /* it says what would help */
};

/* By enum format. */
extern const struct result_format formats[];

/* One of the commands' formats; false when there is none of that name. */
bool format_find(const char *name, unsigned commands, enum format *format);

/* Names of the commands' formats, or of those with a timeline, `between` them and `last` before the last
 * one: "text, json or csv". Valid until the next call. */
const char *format_names(unsigned commands, bool with_timeline, const char *between,
                         const char *last);

#endif
