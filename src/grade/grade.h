/* grade.h - what an exercise's items say of one student's file, and how that is written. */
#ifndef WARPLENS_GRADE_GRADE_H
#define WARPLENS_GRADE_GRADE_H

#include <stdio.h>

#include "grade/spec.h"

/* What running a file gave. */
struct attempt {
    char *report; /* JSON; NULL when it could not be run */
    char *output; /* of the program */
    char
        *messages; /* of compiler, program and warplens: the first line is why there is no report */
    size_t report_bytes, output_bytes;
    char reason[SPEC_TEXT_BYTES]; /* why there is no report, where the messages do not say; "" */
    bool is_program;              /* it has an output */
};

struct mark {
    const struct spec_item *item;
    unsigned points;          /* that it got */
    bool is_checked;          /* there was something to check */
    struct outcome *outcomes; /* owned: of a limit, one a run that it is for */
    size_t outcome_count;
};

struct grade {
    const char *file;
    const struct grade_spec *spec;
    bool is_program, has_run, has_passed;
    char *reason;  /* owned: one line: why it has not run or passed; "" */
    char *details; /* owned: the messages behind that line; "" */
    struct sheets sheets;
    struct mark marks[SPEC_ITEMS_MAX];
    unsigned points;
};

/* Marks one file. The attempt's report is read and changed; spec and file must outlive the grade. False
 * without memory; grade_free frees in either case. */
bool grade_start(struct grade *grade, const struct grade_spec *spec, const char *file,
                 struct attempt *attempt);
void grade_free(struct grade *grade);

void grade_write_text(const struct grade *grade, FILE *out);
void grade_write_json(const struct grade *grade, FILE *out); /* one object */
/* All of them: a row a file. */
void grade_write_table(const struct grade *grades, size_t count, FILE *out);
void grade_write_csv(const struct grade *grades, size_t count, FILE *out);
/* "passes, and prints PASSED"; "gld_efficiency at least 80". */
const char *grade_item_text(const struct grade_spec *spec, const struct spec_item *item,
                            char text[2 * LIMIT_TEXT_BYTES]);

#endif
