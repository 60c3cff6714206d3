/* table.h - the options: a row each, for what parses the command line (parse.c), help, the manual page and
 * the shells' completions. */
#ifndef WARPLENS_CLI_OPTIONS_TABLE_H
#define WARPLENS_CLI_OPTIONS_TABLE_H

#include "cli/options/options.h"

struct option;

/* Stores the value: NULL when it is fine, otherwise what is allowed. */
typedef const char *option_setter(struct options *o, const struct option *option,
                                  const char *value);

struct option {
    const char *short_name, *long_name;
    const char *argument; /* NULL: it takes none, or names of formats; see option_argument */
    unsigned commands;    /* enum command_bit */
    const char *help;
    option_setter *take;
    size_t at;           /* what it sets: an offset in struct options */
    int64_t least, most; /* numbers: the range; lists: `most` times */
    const char *allowed; /* for the message; NULL: the range, or anything */
};

/* In the order in which --help names them; ends with a row without a name. An option has several rows when
 * commands understand it differently. */
extern const struct option option_table[];

#define OPTIONS_FOR_EACH(option)                                                                   \
    for (const struct option *option = option_table; option->long_name; option++)

/* The word for its value in help, in those of pages/shape.h; NULL: it takes none. Valid until the next call. */
const char *option_argument(const struct option *option);

/* Setters (setters.c), by the type of the field at `at`. */
option_setter take_flag;         /* bool */
option_setter take_text;         /* const char *; not empty */
option_setter take_number;       /* int64_t */
option_setter take_real;         /* double, from 0 to `most` */
option_setter take_word;         /* struct word_list; not empty where `allowed` says so */
option_setter take_setting;      /* struct setting_list */
option_setter take_trace_format; /* const char *: a name of trace_io/format.h */
/* And of what they are named for, wherever that is. */
option_setter take_format, take_color, take_confine, take_accesses, take_fmad, take_nvcc,
    take_cache_control, take_figure, take_blocks, take_shard, take_compiler_option, take_limit;

#endif
