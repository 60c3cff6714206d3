/* sampling.c - the reasons' words, and sums. */
#include "result/sampling.h"

#include <stddef.h>

static const struct {
    const char *name, *words;
} reasons[SAMPLED_COUNT] = {
#define SAMPLED_ROW(reason, name, words) [reason] = {name, words},
    SAMPLED_WHOLE(SAMPLED_ROW)
#undef SAMPLED_ROW
};

enum result_sampled result_sampled_why(const struct result_sampling *sampling)
{
    unsigned most = SAMPLED_IN_PART + 1;
    if (sampling->left_out)
        return SAMPLED_IN_PART;
    for (unsigned i = most; i < SAMPLED_COUNT; i++)
        most = sampling->launches[i] > sampling->launches[most] ? i : most;
    return (enum result_sampled)most;
}

const char *result_sampled_name(enum result_sampled why)
{
    return reasons[why].name;
}

const char *result_sampled_words(enum result_sampled why)
{
    return reasons[why].words;
}

void result_sampling_add(struct result_sampling *to, const struct result_sampling *launch)
{
    for (size_t i = 0; i < SAMPLED_COUNT; i++)
        to->launches[i] += launch->launches[i];
    to->blocks += launch->blocks;
    to->left_out += launch->left_out;
    to->waves += launch->waves;
    to->waves_modelled += launch->waves_modelled;
    to->ticks += launch->ticks;
    to->error_ticks += launch->error_ticks;
}
