/* csv.c - a state machine over the characters: one pass, whatever the file holds. */
#define _GNU_SOURCE
#include "text/csv.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

enum { FIRST_ROOM = 4096 };

enum state { FIELD_BEGINS, PLAIN, QUOTED, QUOTE_CLOSED };

static int next_of_stream(void *context)
{
    int c = getc_unlocked(context);
    return c == EOF && ferror((FILE *)context) ? CSV_CANNOT_READ : c;
}

bool csv_start(struct csv *csv, FILE *stream)
{
    return csv_start_source(csv, (struct csv_source){stream, next_of_stream});
}

bool csv_start_source(struct csv *csv, struct csv_source source)
{
    *csv = (struct csv){.source = source, .ahead = EOF, .room = FIRST_ROOM};
    csv->text = memory_take(1, FIRST_ROOM);
    csv->starts = memory_take(CSV_FIELDS, sizeof *csv->starts);
    if (csv->text && csv->starts)
        return true;
    csv_end(csv);
    return false;
}

void csv_end(struct csv *csv)
{
    free(csv->text);
    free(csv->starts);
    csv->text = NULL;
    csv->starts = NULL;
}

const char *csv_field(const struct csv *csv, size_t i)
{
    return csv->text + csv->starts[i];
}

static enum csv_status bad(struct csv *csv, const char *message)
{
    snprintf(csv->message, sizeof csv->message, "%s", message);
    return CSV_BAD;
}

static bool grow(struct csv *csv)
{
    char *text = memory_grow(csv->text, 2 * csv->room);
    if (text == NULL)
        return false;
    csv->text = text;
    csv->room *= 2;
    return true;
}

/* There is always room for a zero behind what was put. */
static bool put(struct csv *csv, int c)
{
    if (csv->length == CSV_RECORD_BYTES || (csv->length + 1 == csv->room && !grow(csv)))
        return false;
    if (c == '\n' || c == '\t')
        c = ' ';
    bool control = (c < ' ' && c) || c == 0x7f;
    csv->text[csv->length++] = (char)(control ? '?' : c);
    return true;
}

/* Ends a field and begins the next one. */
static bool next_field(struct csv *csv)
{
    if (csv->field_count == CSV_FIELDS || !put(csv, '\0'))
        return false;
    csv->starts[csv->field_count++] = csv->length;
    return true;
}

/* The state behind character `c`, which does not end the record. */
static enum state after(struct csv *csv, enum state state, int c, bool *fits)
{
    bool quotes = csv->text[0] != '#' && csv->text[0] != '=';
    if (state == QUOTED && c == '"')
        return QUOTE_CLOSED;
    if (state == QUOTE_CLOSED && c == '"') {
        *fits = put(csv, c);
        return QUOTED;
    }
    if (state != QUOTED && c == ',') {
        *fits = next_field(csv);
        return FIELD_BEGINS;
    }
    if (state == FIELD_BEGINS && c == '"' && (quotes || csv->length == 0))
        return QUOTED;
    *fits = put(csv, c);
    return state == FIELD_BEGINS ? PLAIN : state;
}

static int take(struct csv *csv)
{
    int c = csv->ahead;
    csv->ahead = EOF;
    return c == EOF ? csv->source.next(csv->source.context) : c;
}

/* The first character behind a byte order mark, or that of another text. */
static int skip_mark(struct csv *csv)
{
    int c = take(csv);
    if (c != 0xef)
        return c;
    csv->ahead = csv->source.next(csv->source.context);
    if (csv->ahead != 0xbb)
        return c;
    csv->ahead = csv->source.next(csv->source.context);
    if (csv->ahead == 0xbf) {
        csv->ahead = EOF;
        return take(csv);
    }
    put(csv, c); /* two bytes of a character: the third is ahead */
    return 0xbb;
}

/* The next character; "\r\n" is one line end. */
static int next_char(struct csv *csv)
{
    const bool at_begin = csv->lines == 1 && csv->length == 0 && csv->field_count == 1;
    int c = at_begin ? skip_mark(csv) : take(csv);
    if (c != '\r')
        return c;
    c = take(csv);
    if (c == '\n' || c < 0)
        return c;
    csv->ahead = c;
    return '\r';
}

static enum csv_status finish(struct csv *csv, enum state state, bool at_end)
{
    if (state == QUOTED && at_end && !csv->loose)
        return bad(csv, "the file ends inside a quoted field: it is cut short, or a quote is not "
                        "closed");
    csv->text[csv->length] = '\0';
    return CSV_RECORD;
}

static enum csv_status too_long(struct csv *csv)
{
    if (csv->field_count == CSV_FIELDS)
        return bad(csv, "more than 16384 fields in a record");
    if (csv->length == CSV_RECORD_BYTES)
        return bad(csv, "more than 1 MB in a record: a quote may not be closed");
    return bad(csv, "no memory for the record");
}

enum csv_status csv_next(struct csv *csv)
{
    enum state state = FIELD_BEGINS;
    csv->line = ++csv->lines;
    csv->length = 0;
    csv->starts[0] = 0;
    csv->field_count = 1;
    csv->text[0] = '\0';
    for (bool any = false;; any = true) {
        int c = next_char(csv);
        bool fits = true;
        if (c == CSV_CANNOT_READ)
            return CSV_IO;
        if (c == EOF)
            return any ? finish(csv, state, true) : CSV_END;
        if (c == '\n' && (state != QUOTED || csv->loose))
            return finish(csv, state, false);
        if (c == '\0')
            return bad(csv, "a zero byte: this is no text");
        if (state == QUOTE_CLOSED && c != '"' && c != ',' && !csv->loose)
            return bad(csv, "text behind a closing quote: a quote inside a field is written twice");
        csv->lines += c == '\n';
        state = after(csv, state, c, &fits);
        if (!fits)
            return too_long(csv);
    }
}
