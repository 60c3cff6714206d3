/* program.h - the parts of a traced program's entry. */
#ifndef WARPLENS_CU_PROGRAM_H
#define WARPLENS_CU_PROGRAM_H

/* Says on standard error what went wrong in a kernel, once. */
void program_tell_error(void);

/* The trace is complete: its reader has all of it, should the program die. */
void program_end_trace(void);

/* program_faults.c: from here on a fault is told with its place in the source. */
void program_catch_faults(void);

/* program_confined.c: from here on a system call that confinement denies is told before it ends the program. */
void program_catch_denied(void);

#endif
