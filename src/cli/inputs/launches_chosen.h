/* launches_chosen.h - which launches the command line chooses: the one place that reads its options. */
#ifndef WARPLENS_CLI_INPUTS_LAUNCHES_CHOSEN_H
#define WARPLENS_CLI_INPUTS_LAUNCHES_CHOSEN_H

#include "cli/options/options.h"
#include "stream/select.h"

struct launch_choice launches_chosen(const struct options *options);
/* EXIT_OK, or EXIT_USAGE after a message when the kernel's expression is none. */
int launches_chosen_check(const struct options *options);
/* As launch_choice_write does; false when all launches are chosen. */
bool launches_chosen_write(const struct options *options, char text[LAUNCH_CHOICE_BYTES]);
/* The options as they were given, for reports: "--launch-skip 2 --launch-count 1". */
void launches_chosen_text(const struct options *options, char text[LAUNCH_CHOICE_BYTES]);
/* Notes it, unless all launches are chosen; false when the sink wants no more. */
bool launches_chosen_note(const struct options *options, const struct trace_sink *sink);

#endif
