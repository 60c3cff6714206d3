/* fragment_table.c - reading validation/fragments. */
#include "fragment_table.h"

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

void fragment_table_open(struct fragment_table *t, const char *name)
{
    fragment_table_open_of(t, "h200", name);
}

void fragment_table_open_of(struct fragment_table *t, const char *gpu, const char *name)
{
    char path[1024];
    *t = (struct fragment_table){.file = NULL};
    snprintf(path, sizeof path, "%s/fragments/%s/%s.csv", VALIDATION_DIR, gpu, name);
    t->file = fopen(path, "r");
    assert_non_null(t->file);
    assert_non_null(fgets(t->heading, sizeof t->heading, t->file));
    assert_string_equal(strtok(t->heading, ",\n"), "line");
    assert_string_equal(strtok(NULL, ",\n"), "pattern");
    for (char *name_of; (name_of = strtok(NULL, ",\n")) != NULL;)
        t->columns[t->column_count++] = name_of;
}

/* A row is line,pattern,1,2 or line,"pattern, with commas",1,2. */
bool fragment_table_next(struct fragment_table *t, struct fragment_row *row)
{
    if (fgets(t->line, sizeof t->line, t->file) == NULL)
        return false;
    char *at = strchr(t->line, ',');
    assert_non_null(at);
    const bool quoted = at[1] == '"';
    row->pattern = at + 1 + quoted;
    at = strchr(row->pattern, quoted ? '"' : ',');
    assert_non_null(at);
    *at = '\0';
    at += 1 + quoted;
    for (unsigned i = 0; i < t->column_count; i++)
        row->measured[i] = strtoull(at + (i > 0), &at, 10);
    t->rows++;
    return true;
}

unsigned fragment_numbers(const char *pattern, const char *key, uint64_t *numbers, unsigned most)
{
    const char *at = strstr(pattern, key);
    char *end;
    unsigned count = 0;
    for (at = at ? at + strlen(key) : ""; *at && *at != ' '; at = *end == ',' ? end + 1 : end) {
        long long start = strtoll(at, &end, 0), stride = 0, times = 1;
        if (*end == '+' || *end == '-') {
            stride = strtoll(end, &end, 0);
            assert_true(*end == '*');
            times = strtoll(end + 1, &end, 0);
        }
        for (long long i = 0; i < times; i++) {
            assert_true(count < most);
            numbers[count++] = (uint64_t)(start + i * stride);
        }
    }
    return count;
}
