/* options_sweeps.c - options for sweeps and validations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/options_parts.h"
#include "text/number.h"

static const char *take_shard(struct options *o, const char *value)
{
    char first[32];
    size_t length = strcspn(value, "/");
    if (value[length] == '/' && length < sizeof first) {
        snprintf(first, sizeof first, "%.*s", (int)length, value);
        if (text_number(first, &o->shard) && text_number(value + length + 1, &o->shards) &&
            o->shard >= 1 && o->shard <= o->shards && o->shards <= 1000000)
            return NULL;
    }
    return "i/n, such as 2/8, with i from 1 to n and n up to 1000000";
}

static const char *take_list(struct options *o, const char *value)
{
    (void)value;
    o->list = true;
    return NULL;
}

static const char *take_jobs(struct options *o, const char *value)
{
    bool fine = text_number(value, &o->jobs) && o->jobs >= 1 && o->jobs <= 256;
    return fine ? NULL : "1 to 256";
}

static const char *take_details(struct options *o, const char *value)
{
    (void)value;
    o->details = true;
    return NULL;
}

static const char *take_warm_launches(struct options *o, const char *value)
{
    (void)value;
    o->warm_launches = true;
    return NULL;
}

static const char *take_min_time(struct options *o, const char *value)
{
    char *end;
    o->min_time_us = strtod(value, &end);
    bool fine = value[0] >= '0' && value[0] <= '9' && *end == '\0' && o->min_time_us <= 1e12;
    return fine ? NULL : "a time in microseconds, from 0 on";
}

static const char *take_max_error(struct options *o, const char *value)
{
    if (o->max_error_count == OPTION_LIST_MAX)
        return "at most 64 times";
    o->max_errors[o->max_error_count++] = value;
    return NULL;
}

const struct option options_sweeps[] = {
    {NULL, "--shard", "I/N", COMMAND_SWEEP,
     "only every N-th job, from job I - 1 on: the share of one of N machines", take_shard},
    {NULL, "--list", NULL, COMMAND_SWEEP, "prints the jobs and runs none", take_list},
    {NULL, "--list", NULL, COMMAND_QUIZ, "writes questions and answers, and asks nobody",
     take_list},
    {"-j", "--jobs", "N", COMMAND_VALIDATE | COMMAND_SWEEP,
     "runs the model in N processes; default 1", take_jobs},
    {NULL, "--details", NULL, COMMAND_VALIDATE, "also each launch, also when there are more than 4",
     take_details},
    {NULL, "--warm-launches", NULL, COMMAND_VALIDATE,
     "caches as the launch before left them (ncu --cache-control none, CUDA events)",
     take_warm_launches},
    {NULL, "--min-time", "US", COMMAND_VALIDATE,
     "leaves shorter launches out of the summary of times", take_min_time},
    {NULL, "--max-error", "[mean:]FIGURE=PERCENT", COMMAND_VALIDATE,
     "exit status 3 when the worst (or mean) error is larger; may be repeated", take_max_error},
    {0},
};
