/* join.h - measured launch -> the model's: the half that goes by names. */
#ifndef WARPLENS_VALIDATE_JOIN_H
#define WARPLENS_VALIDATE_JOIN_H

#include "validate/validate.h"

/* Of the files that name functions only. 0, or 2 with a message. */
int join_names(struct validation *v);

#endif
