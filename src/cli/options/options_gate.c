/* options_gate.c - options for what results are held to. */
#include <math.h>
#include <stdlib.h>

#include "cli/options/options_parts.h"

static const char *take_limit(struct options *o, const char *value, bool is_least)
{
    if (o->limit_count == OPTION_LIST_MAX)
        return "at most 64 times, --min and --max together";
    o->limits[o->limit_count++] = (struct option_limit){.text = value, .is_least = is_least};
    return *value ? NULL : "[PLACE:]COUNTER[@GPU]=VALUE";
}

static const char *take_min(struct options *o, const char *value)
{
    return take_limit(o, value, true);
}

static const char *take_max(struct options *o, const char *value)
{
    return take_limit(o, value, false);
}

static const char *take_baseline(struct options *o, const char *value)
{
    o->baseline = value;
    return *value ? NULL : "a file name";
}

static const char *take_tolerance(struct options *o, const char *value)
{
    char *end;
    o->tolerance_percent = strtod(value, &end);
    bool fine = value[0] >= '0' && value[0] <= '9' && *end == '\0' && o->tolerance_percent <= 100;
    return fine ? NULL : "a percentage from 0 to 100";
}

static const char *take_junit(struct options *o, const char *value)
{
    o->junit = value;
    return *value ? NULL : "a file name";
}

static const char *take_exit_code(struct options *o, const char *value)
{
    (void)value;
    o->exit_code = true;
    return NULL;
}

const struct option options_gate[] = {
    {NULL, "--min", "[PLACE:]COUNTER[@GPU]=V", COMMAND_GATE,
     "the least that is allowed; may be repeated", take_min},
    {NULL, "--max", "[PLACE:]COUNTER[@GPU]=V", COMMAND_GATE,
     "the most that is allowed; may be repeated", take_max},
    {NULL, "--baseline", "RESULT.json", COMMAND_GATE,
     "no counter that has a direction may be worse than in this result", take_baseline},
    {NULL, "--tolerance", "PERCENT", COMMAND_GATE,
     "how much worse than the baseline's the counters of the model of time may be; default 0",
     take_tolerance},
    {NULL, "--junit", "FILE", COMMAND_GATE, "also writes JUnit XML, whole or not at all",
     take_junit},
    {NULL, "--exit-code", NULL, COMMAND_DIFF, "exit status 3 when a row differs", take_exit_code},
    {0},
};
