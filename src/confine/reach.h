/* reach.h - the files that a confined process reaches, as a Landlock rule set. */
#ifndef WARPLENS_CONFINE_REACH_H
#define WARPLENS_CONFINE_REACH_H

#include "confine/confine.h"

/* Landlock's version, from 1 on; 0 with errno set: there is none. */
int reach_version(void);

/* A descriptor that is to be closed; -1 after an error, with its text. */
int reach_make(const struct confine_job *job, char error[CONFINE_ERROR_BYTES]);

/* For the calling process, which has no new privileges any more. False with errno set. Async-signal-safe. */
bool reach_enter(int rules);

#endif
