/* options_table.c - the tables of options, in the order in which --help names them. */
#include "cli/options/options_parts.h"

const struct option *const option_tables[] = {options_runs,     options_sweeps, options_formats,
                                              options_programs, options_gate,   options_quiz,
                                              options_timeline};
const size_t option_table_count = sizeof option_tables / sizeof option_tables[0];
