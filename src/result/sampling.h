/* sampling.h - how much of a run was modelled in time, where that was asked to be a sample. */
#ifndef WARPLENS_RESULT_SAMPLING_H
#define WARPLENS_RESULT_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

/* A row a reason: why nothing of a launch was left out, in words that follow "since". */
#define SAMPLED_WHOLE(row)                                                                         \
    row(SAMPLED_TIMELINE, "timeline", "a timeline is watched")                                     \
        row(SAMPLED_MANAGED, "managed_memory", "its managed memory moves in time")                 \
            row(SAMPLED_SHORT, "few_waves", "it has too few waves of blocks")                      \
                row(SAMPLED_UNLIKE, "unlike_blocks", "its blocks do not do the same")              \
                    row(SAMPLED_UNSETTLED, "unsettled", "its waves of blocks do not settle")

/* What became of launches; SAMPLED_IN_PART: some of the blocks were left out. */
enum result_sampled {
    SAMPLED_IN_PART,
#define SAMPLED_ROW(name, ...) name,
    SAMPLED_WHOLE(SAMPLED_ROW)
#undef SAMPLED_ROW
        SAMPLED_COUNT
};

/* Sums over launches. */
struct result_sampling {
    bool is_asked;
    uint64_t launches[SAMPLED_COUNT]; /* by what became of them */
    uint64_t blocks, left_out;        /* of those sampled in part: all, and those not modelled */
    uint64_t waves, waves_modelled;   /* of the same, rounded to whole ones in each launch */
    double ticks, error_ticks;        /* of the blocks left out, and how far that may be off */
};

/* Why a run was modelled whole: what most of its launches have; SAMPLED_IN_PART: it was not. */
enum result_sampled result_sampled_why(const struct result_sampling *sampling);
/* "few_waves" ... for data, and in words. */
const char *result_sampled_name(enum result_sampled why);
const char *result_sampled_words(enum result_sampled why);

/* Adds what a launch has to a run. */
void result_sampling_add(struct result_sampling *to, const struct result_sampling *launch);

#endif
