/* reader.c - columns, rows, launches, numbers: what every form needs. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "validate/kernel_name.h"
#include "validate/measured_reader.h"

bool reader_fail(struct reader *reader, const char *format, ...)
{
    struct measured *m = reader->measured;
    va_list arguments;
    int used = snprintf(m->message, sizeof m->message, "%s:%zu: ", m->files[reader->file].path,
                        reader->csv.line);
    va_start(arguments, format);
    if (used > 0 && (size_t)used < sizeof m->message)
        vsnprintf(m->message + used, sizeof m->message - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static bool no_memory(struct reader *reader)
{
    return reader_fail(reader, "no memory for the measurements");
}

bool reader_header(struct reader *reader, const struct column *columns, size_t count,
                   const char *form)
{
    char missing[256] = "";
    size_t used = 0;
    reader->columns = columns;
    reader->column_count = count;
    reader->form = form;
    reader->header_fields = reader->csv.field_count;
    reader->header_line = reader->csv.line;
    for (size_t c = 0; c < count; c++) {
        reader->at[c] = NO_COLUMN;
        for (size_t i = 0; i < reader->csv.field_count && reader->at[c] == NO_COLUMN; i++)
            if (strcmp(csv_field(&reader->csv, i), columns[c].name) == 0)
                reader->at[c] = i;
        if (columns[c].required && reader->at[c] == NO_COLUMN && used < sizeof missing)
            used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s",
                                     used ? ", " : "", columns[c].name);
    }
    return used == 0 || reader_fail(reader, "the header of %s lacks %s", form, missing);
}

/* Whether the record is a header again: events, then metrics; or two files in one. */
static bool is_header(const struct reader *reader)
{
    const struct csv *csv = &reader->csv;
    size_t found = 0;
    for (size_t i = 0; reader->columns && i < csv->field_count && i < 8; i++)
        for (size_t c = 0; c < reader->column_count; c++)
            found += strcmp(csv_field(csv, i), reader->columns[c].name) == 0;
    return found >= 3;
}

bool reader_row(struct reader *reader, bool *fine, bool (*comment)(struct reader *reader))
{
    struct csv *csv = &reader->csv;
    enum csv_status status;
    *fine = true;
    while ((status = csv_next(csv)) == CSV_RECORD) {
        const char *first = csv_field(csv, 0);
        if (first[0] == '#' && comment && !(*fine = comment(reader)))
            return false;
        if (first[0] == '#' || strncmp(first, "==", 2) == 0 ||
            (csv->field_count == 1 && first[0] == '\0'))
            continue;
        if (is_header(reader)) {
            *fine = reader_header(reader, reader->columns, reader->column_count, reader->form);
            if (!*fine)
                return false;
            continue;
        }
        if (csv->field_count == reader->header_fields)
            return true;
        *fine = reader_fail(reader,
                            "%zu fields where the header has %zu: a row cut short, or "
                            "output of a program between the rows",
                            csv->field_count, reader->header_fields);
        return false;
    }
    if (status == CSV_IO)
        reader->io = errno;
    if (status == CSV_BAD)
        reader_fail(reader, "%s", csv->message);
    *fine = status == CSV_END;
    return false;
}

const char *reader_field(const struct reader *reader, size_t column)
{
    return reader->at[column] == NO_COLUMN ? "" : csv_field(&reader->csv, reader->at[column]);
}

struct measured_launch *reader_launch(struct reader *reader, const char *key)
{
    struct measured *m = reader->measured;
    size_t before = reader->keys.count;
    uint32_t number = name_set_add(&reader->keys, key);
    if (number != NAME_SET_NONE && number < before)
        return &m->launches[reader->first_launch + number];
    if (number == NAME_SET_NONE || !LIST_MAKE_ROOM(m->launches, m->launch_count, m->launch_room)) {
        no_memory(reader);
        return NULL;
    }
    struct measured_launch *launch = &m->launches[m->launch_count++];
    *launch = (struct measured_launch){.file = reader->file,
                                       .line = (uint32_t)reader->csv.line,
                                       .run = "",
                                       .function = NULL,
                                       .invocations = 1};
    return launch;
}

const char *reader_text(struct reader *reader, const char *text)
{
    uint32_t number = name_set_add(&reader->measured->texts, text);
    if (number != NAME_SET_NONE)
        return reader->measured->texts.texts[number];
    no_memory(reader);
    return NULL;
}

bool reader_note_counter(struct reader *reader, const char *counter)
{
    return name_set_add(&reader->measured->counters, counter) != NAME_SET_NONE || no_memory(reader);
}

bool reader_add(struct reader *reader, struct measured_launch *launch, const char *counter,
                double value, double tolerance)
{
    uint32_t number = name_set_add(&reader->measured->counters, counter);
    if (number == NAME_SET_NONE ||
        !LIST_MAKE_ROOM(launch->values, launch->value_count, launch->value_room))
        return no_memory(reader);
    launch->values[launch->value_count++] = (struct measured_value){
        .counter = number,
        .line = (uint32_t)reader->csv.line,
        .value = value,
        .tolerance = tolerance,
    };
    return true;
}

bool reader_is_modelled(const struct reader *reader, const char *counter)
{
    return name_set_find(&reader->measured->modelled, counter) != NAME_SET_NONE;
}

bool reader_is_no_value(const char *text)
{
    static const char *const words[] = {"", "n/a", "N/A", "nan", "-nan", "<OVERFLOW>"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i]) == 0)
            return true;
    return false;
}

/* Copies the characters of a number; returns how many of the text they are. */
static size_t copy_number(const char *text, bool thousands, char *number, size_t number_bytes)
{
    size_t from = 0, to = 0;
    for (; to + 1 < number_bytes; from++) {
        char c = text[from];
        bool exponent = (c == 'e' || c == 'E') && to;
        if (thousands && c == ',' && to && isdigit((unsigned char)text[from + 1]))
            continue;
        if (exponent && (text[from + 1] == '-' || text[from + 1] == '+') && to + 2 < number_bytes)
            number[to++] = text[from++], c = text[from];
        else if (!isdigit((unsigned char)c) && c != '.' && !exponent)
            break;
        number[to++] = c;
    }
    number[to] = '\0';
    return from;
}

bool reader_number(const char *text, bool thousands, double *value, double *tolerance,
                   const char **rest)
{
    char number[64], *end;
    size_t length = copy_number(text, thousands, number, sizeof number);
    *rest = text + length;
    *value = strtod(number, &end);
    const char *point = strchr(number, '.');
    size_t decimals = point ? strspn(point + 1, "0123456789") : 0;
    *tolerance = decimals ? 0.5 * pow(10, -(double)decimals) : 0;
    return end != number && *end == '\0' && isfinite(*value);
}

int reader_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool reader_kernel(struct reader *reader, struct measured_launch *launch, const char *text)
{
    struct kernel_name name;
    char shown[KERNEL_SHOWN_BYTES];
    kernel_name_read(&name, text);
    launch->name = reader_text(reader, text);
    launch->function = reader_text(reader, name.base);
    launch->shown = reader_text(reader, kernel_name_show(&name, shown));
    return launch->name && launch->function && launch->shown;
}
