/* thresholds.h - --max-error [mean:]FIGURE=PERCENT: how far off a counter may be. */
#ifndef WARPLENS_CLI_COMMANDS_THRESHOLDS_H
#define WARPLENS_CLI_COMMANDS_THRESHOLDS_H

#include "cli/options/options.h"
#include "validate/validate.h"

struct threshold {
    char counter[128];
    double percent; /* points, where the counter is a percentage */
    bool mean;      /* limits the mean of the errors, not the worst */
};

/* Reads the options; EXIT_OK or EXIT_USAGE after a message. */
int thresholds_parse(struct threshold thresholds[OPTION_LIST_MAX], const struct options *options);
/* Whether each names a counter that was compared on some GPU. */
int thresholds_known(const struct threshold *thresholds, const struct validation *v,
                     const struct options *options);
/* A line on standard error for each that is broken, and then EXIT_THRESHOLD. */
int thresholds_check(const struct threshold *thresholds, const struct validation *v,
                     const struct options *options);

#endif
