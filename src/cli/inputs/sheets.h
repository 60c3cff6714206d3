/* sheets.h - an operand of diff, gate and grade -> sheets: a result in JSON is read, anything else is
 * run. */
#ifndef WARPLENS_CLI_INPUTS_SHEETS_H
#define WARPLENS_CLI_INPUTS_SHEETS_H

#include "cli/options/options.h"
#include "sweep/sheet.h"

/* Whether an operand is a file that begins as a report in JSON does, or is called *.json. */
bool sheets_is_result(const char *operand);
/* Refuses options for runs where all operands are results. */
int sheets_check_options(const struct options *options);

/* EXIT_OK; or another status after a message, and nothing to free. A result keeps the runs on the GPUs of
 * --gpu alone. What is run without --gpu is run on the GPUs of the sheets `like`, if there are any. */
int sheets_open(struct sheets *sheets, const struct options *options, const char *operand,
                const struct sheets *like);

/* The same for what has to be a result. */
int sheets_open_result(struct sheets *sheets, const struct options *options, const char *path);

/* The status of a command that has reported the sheets: EXIT_USAGE when a kernel or a program of them has failed,
 * and otherwise `status`. */
int sheets_status(const struct sheets *sheets, int status);

/* Runs an operand and writes its report in JSON: what sheets are read from. EXIT_USAGE behind a report: a kernel or
 * the program has failed. */
int sheets_run(const struct options *options, const char *operand, FILE *out);

#endif
