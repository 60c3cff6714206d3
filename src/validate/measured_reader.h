/* measured_reader.h - what the readers of the four forms share. */
#ifndef WARPLENS_VALIDATE_MEASURED_READER_H
#define WARPLENS_VALIDATE_MEASURED_READER_H

#include "text/csv.h"
#include "validate/measured.h"

enum { READER_COLUMNS = 18, READER_FIELD_SHOWN = 80 };

/* A column: a reader asks for a list of them. */
struct column {
    const char *name;
    bool required;
};
#define NO_COLUMN ((size_t)-1)

/* One file while it is read; at first the record of `csv` is the header. */
struct reader {
    struct measured *measured;
    uint32_t file;
    struct csv csv;
    const struct column *columns; /* that were asked for; NULL: the header does not come again */
    size_t column_count, header_fields, header_line;
    const char *form;          /* what the header is called in messages */
    size_t at[READER_COLUMNS]; /* where the columns that were asked for are */
    struct name_set keys;      /* of the file's launches, in their order */
    size_t first_launch;
    int io; /* errno when reading failed */
};

/* Puts "path:line: message" into measured->message. Returns false. */
bool reader_fail(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Finds the columns in the record, which is the header. False after a message that names those that
 * are missing; `form` says what was recognised. */
bool reader_header(struct reader *reader, const struct column *columns, size_t count,
                   const char *form);

/* The next record that is no comment, no profiler's message and not empty, with as many fields as
 * the header, which may come again. False at the end and after a message; *fine tells them apart. `comment`, when not
 * NULL, is called for lines that begin with '#'. */
bool reader_row(struct reader *reader, bool *fine, bool (*comment)(struct reader *reader));

/* The field of the i-th column asked for; "" when the file has no such column. */
const char *reader_field(const struct reader *reader, size_t column);

/* The launch of that key: a new one, with its function, when the key is new. NULL after a message. */
struct measured_launch *reader_launch(struct reader *reader, const char *key);

/* A copy of the text that lives as long as the measurements; NULL after a message. */
const char *reader_text(struct reader *reader, const char *text);

bool reader_add(struct reader *reader, struct measured_launch *launch, const char *counter,
                double value, double tolerance);
/* Notes that the file has such a counter. */
bool reader_note_counter(struct reader *reader, const char *counter);

/* A number from 0 on at the begin of the text; *rest is what follows. `thousands`: commas between
 * digits are allowed. *tolerance: half of the last decimal shown, 0 for a whole number. */
bool reader_number(const char *text, bool thousands, double *value, double *tolerance,
                   const char **rest);

/* Whether the model has, on some GPU, a counter of that name. Values of others are not kept. */
bool reader_is_modelled(const struct reader *reader, const char *counter);
/* "n/a" and the like: nothing was measured. */
bool reader_is_no_value(const char *text);

/* Notes the kernel's name, as the file has it. False after a message. */
bool reader_kernel(struct reader *reader, struct measured_launch *launch, const char *text);

/* A line that begins with '#', of a tidy file. False after a message. */
bool measured_tidy_comment(struct reader *reader);

/* The order of two uint32_t, for qsort and bsearch. */
int reader_compare_numbers(const void *a, const void *b);

/* The readers: all rows of the file. False after a message. */
bool measured_tidy(struct reader *reader);
bool measured_programs(struct reader *reader);
bool measured_nvprof(struct reader *reader);
bool measured_ncu_details(struct reader *reader);
bool measured_ncu_raw(struct reader *reader);

#endif
