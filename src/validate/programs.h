/* programs.h - where the programs are that a file of measurements names. */
#ifndef WARPLENS_VALIDATE_PROGRAMS_H
#define WARPLENS_VALIDATE_PROGRAMS_H

#include "validate/validate.h"

/* The path of the launch's program, in run->path; or why there is none, in run->error. False without memory. */
bool program_find(const struct validation *v, const struct measured_launch *launch,
                  struct model_run *run);

#endif
