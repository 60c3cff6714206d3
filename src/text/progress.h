/* progress.h - how far the command is: one line on standard error that is written over, on a terminal alone,
 * when it takes longer than a second.
 *
 * There is one for the process, as there is one terminal; it is off until progress_start, which only the
 * command line calls: a library never does. Those who work say what they have done, in one or two
 * instructions when it is off; a thread of its own looks at the clock and writes. Where processes are
 * forked, it is off in those.
 */
#ifndef WARPLENS_TEXT_PROGRESS_H
#define WARPLENS_TEXT_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* ---- For the command line, by one thread ----------------------------------------------------------- */

/* Stays off where standard error is no terminal that can write over a line. */
void progress_start(const char *title);
/* The line goes away until it is drawn the next time, a fifth of a second later at the earliest: before
 * something else is written to the terminal. */
void progress_hide(void);
/* The line goes away for good; also when it is off. */
void progress_end(void);

/* ---- For those who work ---------------------------------------------------------------------------- */

/* A job begins. Texts are copied. */
void progress_job(const char *title);
void progress_jobs_done(size_t done, size_t jobs);
/* What is done besides runs; "" ends it. */
void progress_note(const char *note);
/* Launch `number`, from 1, begins: `blocks`, each of which is done by `gpus` GPUs. */
void progress_launch(uint64_t number, const char *kernel, uint64_t blocks, size_t gpus);
/* What would take less time, until the next job; the text lives on. */
void progress_hint(const char *hint);
/* `gpus` GPUs have done a block of it. Of any thread that began after progress_start. */
void progress_block_done(size_t gpus);
/* A trace's file begins, of so many bytes (0: unknown); some were read. */
void progress_file(uint64_t bytes);
void progress_read(uint64_t bytes);

#endif
