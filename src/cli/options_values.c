/* options_values.c - what reads a value, and what says that one is wrong. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"

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

bool options_number(const char *text, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
    int shift = 0;
    if (*end == 'k' || *end == 'K')
        shift = 10;
    else if (*end == 'm' || *end == 'M')
        shift = 20;
    else if (*end == 'g' || *end == 'G')
        shift = 30;
    if (end == text || errno || end[shift != 0] != '\0' || text[0] == ' ')
        return false;
    if (number > INT64_MAX >> shift || number < INT64_MIN >> shift)
        return false;
    *value = (int64_t)number * ((int64_t)1 << shift);
    return true;
}
