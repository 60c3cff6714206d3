/* options_programs.c - options for CUDA programs. */
#define _GNU_SOURCE
#include <stdio.h>

#include "cli/options/options_parts.h"

static const char *take_with(struct options *o, const char *value)
{
    if (o->with_count == OPTION_LIST_MAX - 1)
        return "at most 63 times";
    o->with[o->with_count++] = value;
    return *value ? NULL : "a file name";
}

/* The compiler takes letter and value in one word. */
static const char *take_compiler_option(struct options *o, char letter, const char *value)
{
    char *word;
    if (o->compiler_option_count == OPTION_LIST_MAX)
        return "at most 64 times";
    if (asprintf(&word, "-%c%s", letter, value) < 0)
        return "less memory in use";
    o->compiler_options[o->compiler_option_count++] = word; /* until the program ends */
    return NULL;
}

static const char *take_include(struct options *o, const char *value)
{
    return *value ? take_compiler_option(o, 'I', value) : "a directory";
}

static const char *take_define(struct options *o, const char *value)
{
    return *value ? take_compiler_option(o, 'D', value) : "MACRO or MACRO=value";
}

const struct option options_programs[] = {
    {NULL, "--with", "FILE", COMMAND_PROGRAMS | COMMAND_GRADE,
     "a further source file of a CUDA program", take_with},
    {"-I", "--include", "DIR", COMMAND_PROGRAMS | COMMAND_GRADE,
     "where a CUDA program's headers are", take_include},
    {"-D", "--define", "MACRO[=value]", COMMAND_PROGRAMS | COMMAND_GRADE,
     "a macro for a CUDA program", take_define},
    {0},
};
