/* options_parts.h - the tables of options, for what parses the command line: options.c. */
#ifndef WARPLENS_CLI_OPTIONS_OPTIONS_PARTS_H
#define WARPLENS_CLI_OPTIONS_OPTIONS_PARTS_H

#include "cli/options/options.h"

struct option {
    const char *short_name, *long_name;
    const char *argument; /* NULL: it takes none; its words are those of pages/shape.h */
    unsigned commands;    /* enum command_bit */
    const char *help;
    /* Stores the value: NULL when it is fine, otherwise what is allowed. */
    const char *(*take)(struct options *o, const char *value);
};

/* By topic; each ends with a row without a name. An option has several rows when commands understand
 * it differently. */
extern const struct option options_runs[], options_sweeps[], options_formats[], options_programs[];
extern const struct option options_gate[], options_quiz[], options_timeline[];

extern const struct option *const option_tables[];
extern const size_t option_table_count;

/* Goes through the options that a command takes. */
#define OPTIONS_FOR_EACH(option, bit)                                                              \
    for (size_t table_ = 0; table_ < option_table_count; table_++)                                 \
        for (const struct option *option = option_tables[table_]; option->long_name; option++)     \
            if (option->commands & (bit))

#endif
