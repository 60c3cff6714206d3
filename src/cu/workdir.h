/* workdir.h - the private directory that a program is built in. It goes away, with all in it, when it
 * is closed or when a signal ends the process. There is one at a time. */
#ifndef WARPLENS_CU_WORKDIR_H
#define WARPLENS_CU_WORKDIR_H

#include <stdbool.h>

/* Makes it, under $TMPDIR or /tmp. False, with errno set, when that fails. */
bool workdir_open(void);
/* The path of a file in it, which is removed with it; it lives until workdir_close. NULL when there
 * is no memory, or there are too many files. */
const char *workdir_file(const char *name);
/* The directory itself, without a / behind. */
const char *workdir_path(void);
/* The path of an empty folder in it for others to write files into: what was there is removed, and so is
 * the folder with the directory. NULL with errno set. */
const char *workdir_scratch(void);
void workdir_close(void);

#endif
