/* lists.h - what the commands that list things share. */
#ifndef WARPLENS_CLI_COMMANDS_LISTS_H
#define WARPLENS_CLI_COMMANDS_LISTS_H

#include <stdio.h>

#include "cli/options/options.h"

/* Opens the output, writes, closes. */
int lists_write(const struct options *options, const void *item,
                void (*write)(const void *item, const struct options *options, FILE *out));

/* The name that is asked for; NULL: all. */
const char *lists_name(const struct options *options);

/* Words, at most `width` columns wide behind an indent. */
void lists_put_wrapped(const char *text, int indent, int width, FILE *out);

#endif
