/* confined.h - --confine and --allow: how programs are confined, if they are. */
#ifndef WARPLENS_CLI_INPUTS_CONFINED_H
#define WARPLENS_CLI_INPUTS_CONFINED_H

#include "cli/options/options.h"
#include "confine/confine.h"

struct confined {
    bool is_wanted;
    struct confinement how;
};

/* EXIT_OK; or EXIT_USAGE after a message: what is allowed is wrong, or this machine cannot confine. */
int confined_choose(struct confined *confined, const struct options *options);

#endif
