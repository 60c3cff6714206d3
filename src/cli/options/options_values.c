/* options_values.c - what says that a command line is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/options/options.h"

int usage_error(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "warplens%s%s: ", command ? " " : "", command ? command : "");
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_USAGE;
}
