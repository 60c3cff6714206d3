/* csv.h - reads comma-separated values (RFC 4180) record by record, from files that nobody vouches
 * for.
 *
 * A record is a line, or several when a quoted field holds line ends, which become blanks. Records
 * that begin with '#' or '=' are comments and a profiler's own messages: in them a quote is a plain
 * character. Control characters become '?', so that a field can be printed; a zero byte is an error.
 * Memory and time are bounded: a record has at most CSV_RECORD_BYTES bytes and CSV_FIELDS fields.
 */
#ifndef WARPLENS_TEXT_CSV_H
#define WARPLENS_TEXT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CSV_RECORD_BYTES = 1 << 20, CSV_FIELDS = 1 << 14, CSV_MESSAGE_BYTES = 160 };

enum csv_status { CSV_RECORD, CSV_END, CSV_BAD, CSV_IO };

/* Where characters come from: the next one, EOF at the end, CSV_CANNOT_READ on an error. */
struct csv_source {
    void *context;
    int (*next)(void *context);
};
enum { CSV_CANNOT_READ = -2 };

struct csv {
    struct csv_source source;
    int ahead;    /* a character that was read too early; EOF: none */
    bool loose;   /* any text: a quote ends with its line at the latest */
    size_t line;  /* of the record's begin, from 1 */
    size_t lines; /* begun so far */
    char *text;   /* owned: the fields, each ended by a zero */
    size_t length, room;
    size_t *starts; /* owned: of the fields in `text` */
    size_t field_count;
    char message[CSV_MESSAGE_BYTES]; /* after CSV_BAD: what is wrong with the record */
};

/* The stream, or the source, stays the caller's. False: no memory. */
bool csv_start(struct csv *csv, FILE *stream);
bool csv_start_source(struct csv *csv, struct csv_source source);
void csv_end(struct csv *csv);

/* Reads one record; an empty line is a record of one empty field. CSV_IO: errno says why. */
enum csv_status csv_next(struct csv *csv);

/* Field i of the record, valid until the next one. */
const char *csv_field(const struct csv *csv, size_t i);

#endif
