/* options_timeline.c - options for the timeline of a block. */
#include "cli/options/options_parts.h"
#include "text/number.h"

static const char *take_timeline(struct options *o, const char *value)
{
    (void)value;
    o->timeline = true;
    return NULL;
}

static const char *take_block(struct options *o, const char *value)
{
    int64_t block;
    if (!text_number(value, &block) || block < 0 || block > UINT32_MAX)
        return "the index of a block, such as 0";
    o->timeline = o->timeline_block_given = true;
    o->timeline_block = (uint32_t)block;
    return NULL;
}

const struct option options_timeline[] = {
    {NULL, "--timeline", NULL, COMMAND_RUN,
     "adds what the warps of one block do when, and where their accesses are", take_timeline},
    {NULL, "--timeline-block", "N", COMMAND_RUN,
     "... of this block; default: the first of the second wave, or block 0", take_block},
    {0},
};
