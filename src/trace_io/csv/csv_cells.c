/* csv_cells.c - cells of a CSV trace as numbers, sides and words. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "trace_io/csv/csv_reader.h"

const char *csv_cell(struct csv_reader *r, enum csv_trace_field field)
{
    const char *cell = csv_columns_cell(&r->columns, &r->csv, field);
    return cell + strspn(cell, " ");
}

bool csv_cell_is_empty(struct csv_reader *r, enum csv_trace_field field)
{
    return *csv_cell(r, field) == '\0';
}

bool csv_cell_fail(struct csv_reader *r, enum csv_trace_field field, const char *allowed)
{
    size_t column = r->columns.column[field];
    r->builder.column = r->columns.constant[field] || column == SIZE_MAX ? 0 : column + 1;
    return builder_fail(&r->builder, "%s '%.40s' is wrong; allowed: %s", csv_field_names[field],
                        csv_cell(r, field), allowed);
}

static int digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return c - '0';
    return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

bool csv_number(const char *text, uint64_t most, uint64_t *number)
{
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned radix = is_hex ? 16 : 10;
    uint64_t value = 0;
    text += is_hex ? 2 : 0;
    size_t length = strcspn(text, " ");
    if (length == 0 || text[length + strspn(text + length, " ")] != '\0')
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_value(text[i]);
        if (digit >= radix || value > (most - digit) / radix || digit > most)
            return false;
        value = value * radix + digit;
    }
    *number = value;
    return true;
}

bool csv_cell_number(struct csv_reader *r, enum csv_trace_field field, uint64_t most,
                     uint64_t *number)
{
    char allowed[80];
    const char *cell = csv_cell(r, field);
    if (*cell == '\0' || csv_number(cell, most, number))
        return true;
    snprintf(allowed, sizeof allowed, "0 to %llu, decimal or hexadecimal (0x80)",
             (unsigned long long)most);
    return csv_cell_fail(r, field, allowed);
}

bool csv_cell_signed(struct csv_reader *r, enum csv_trace_field field, int64_t *number)
{
    const char *cell = csv_cell(r, field);
    bool is_negative = *cell == '-';
    uint64_t size;
    if (*cell == '\0')
        return true;
    if (!csv_number(cell + is_negative, (uint64_t)INT64_MAX + is_negative, &size))
        return csv_cell_fail(r, field, "-2^63 to 2^63-1, decimal or hexadecimal (0x80)");
    *number = (int64_t)(is_negative ? 0 - size : size);
    return true;
}

bool csv_cell_sides(struct csv_reader *r, enum csv_trace_field field, uint32_t sides[3],
                    size_t *count)
{
    static const char between[] = " ,;x()";
    const char *cell = csv_cell(r, field);
    *count = 0;
    for (cell += strspn(cell, between); *cell; cell += strspn(cell, between)) {
        uint64_t side = 0;
        size_t length = strspn(cell, "0123456789");
        for (size_t i = 0; i < length && side <= UINT32_MAX; i++)
            side = 10 * side + (uint64_t)(cell[i] - '0');
        if (length == 0 || side > UINT32_MAX || *count == 3)
            return csv_cell_fail(r, field, "one to three decimal numbers, as 8x4x2");
        sides[(*count)++] = (uint32_t)side;
        cell += length;
    }
    return true;
}

bool csv_cell_word(struct csv_reader *r, enum csv_trace_field field, const char *const *names,
                   size_t count, size_t *index)
{
    char allowed[200] = "";
    const char *cell = csv_cell(r, field);
    if (*cell == '\0')
        return true;
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(cell, names[i]) == 0) {
            *index = i;
            return true;
        }
    for (size_t i = 0; i < count; i++)
        if (*names[i]) {
            size_t used = strlen(allowed);
            snprintf(allowed + used, sizeof allowed - used, "%s%s", used ? ", " : "", names[i]);
        }
    return csv_cell_fail(r, field, allowed);
}

const char *csv_piece(const char **rest, char piece[CSV_PIECE_BYTES])
{
    static const char between[] = " ;";
    const char *begin = *rest + strspn(*rest, between);
    size_t length = strcspn(begin, between);
    *rest = begin + length;
    if (length == 0)
        return NULL;
    snprintf(piece, CSV_PIECE_BYTES, "%.*s", (int)length, begin);
    return piece;
}
