/* write.h - what was found, as text and JSON. */
#ifndef WARPLENS_CHECK_WRITE_H
#define WARPLENS_CHECK_WRITE_H

#include <stdio.h>

#include "check/checker.h"

/* A run that was checked, for GPUs of `lanes_run` (LANES_...). */
struct check_run {
    const char *label; /* the input's name, and its parameters */
    const struct checker *checker;
    unsigned lanes_run;
};

void check_write_text(const struct check_run *runs, size_t count, FILE *out);
void check_write_json(const struct check_run *runs, size_t count, FILE *out);

/* How many findings hold on the run's GPUs, places of faults among them. */
size_t check_count(const struct check_run *run);
/* The finding holds on one of them. */
bool check_holds(const struct check_run *run, const struct finding *finding);

/* "every GPU", "from sm_70 on", "before sm_70". */
const char *check_where(const struct finding *finding);
/* What to do, by where it holds. */
const char *check_what_to_do(const struct finding *finding);

/* What the run's findings leave open, as a sentence each: NULL behind the last. */
enum { CHECK_NOTES_MAX = 8 };
void check_notes(const struct checker *checker, const char *notes[CHECK_NOTES_MAX]);

/* x, y, z of a linear index. */
void check_coordinates(uint32_t index, const uint32_t size[3], uint32_t xyz[3]);

#endif
