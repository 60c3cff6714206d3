/* options_parts.h - the table of options, for what parses the command line. */
#ifndef WARPLENS_CLI_OPTIONS_PARTS_H
#define WARPLENS_CLI_OPTIONS_PARTS_H

#include "cli/options.h"

struct option {
    const char *short_name, *long_name;
    const char *argument; /* NULL: it takes none */
    unsigned commands;    /* enum command_bit */
    const char *help;
    const char *(*take)(struct options *o, const char *value);
};

extern const struct option option_table[];
extern const size_t option_count;

#endif
