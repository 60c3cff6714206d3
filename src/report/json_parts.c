/* json_parts.c - lines and arrays. */
#include "report/json_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

void report_json_counters(const struct counters *c, const struct result *whole, FILE *out)
{
    const char *comma = "";
    fputs("\"counters\":{", out);
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t value = counters_get(c, &counter_table[i]);
        if (value == 0 && (whole == NULL || !report_has_counter(whole, &counter_table[i])))
            continue;
        fprintf(out, "%s\"%s\":%" PRIu64, comma, counter_table[i].name, value);
        comma = ",";
    }
    fputc('}', out);
}

static bool same_line(const struct result_part *a, const struct result_part *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

static int order_by_first(const void *a, const void *b)
{
    const struct result_part *x = *(const struct result_part *const *)a,
                             *y = *(const struct result_part *const *)b;
    return (x->first > y->first) - (x->first < y->first);
}

/* What the line does to which arrays, each kind once, in the order of the first accesses. `next`: the line's first of
 * r->accesses, becomes the one behind its last; `order`: room for all of them. */
static void put_accesses(const struct result *r, const struct result_part *line, size_t *next,
                         const struct result_part **order, FILE *out)
{
    size_t count = 0;
    while (*next < r->access_count && same_line(&r->accesses[*next], line))
        order[count++] = &r->accesses[(*next)++];
    qsort(order, count, sizeof(const struct result_part *), order_by_first);
    fputs("\"accesses\":[", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s{\"space\":\"%s\",\"op\":\"%s\",\"array\":", i ? "," : "",
                mem_space_names[order[i]->space], result_part_op(order[i]));
        quote_json_string(order[i]->array, out);
        fputc('}', out);
    }
    fputs("],", out);
}

void report_json_lines(const struct result *r, FILE *out)
{
    const char *comma = "";
    const struct result_part **order =
        memory_take(r->access_count + 1, sizeof(const struct result_part *));
    fputs("\"lines\":[", out);
    for (size_t i = 0, access = 0, next; order && i < r->line_count; i = next) {
        struct counters sum = *r->lines[i].counters;
        for (next = i + 1; next < r->line_count && same_line(&r->lines[i], &r->lines[next]); next++)
            counters_add(&sum, r->lines[next].counters);
        fprintf(out, "%s\n {\"file\":", comma);
        quote_json_string(r->lines[i].file, out);
        fprintf(out, ",\"line\":%u,", r->lines[i].line);
        put_accesses(r, &r->lines[i], &access, order, out);
        report_json_counters(&sum, NULL, out);
        fputc('}', out);
        comma = ",";
    }
    free(order);
    fputc(']', out);
}

void report_json_arrays(const struct result *r, FILE *out)
{
    fputs("\"arrays\":[", out);
    for (size_t i = 0; i < r->array_count; i++) {
        fputs(i ? ",\n {\"array\":" : "\n {\"array\":", out);
        quote_json_string(r->arrays[i].array, out);
        fprintf(out, ",\"space\":\"%s\",", mem_space_names[r->arrays[i].space]);
        report_json_counters(r->arrays[i].counters, NULL, out);
        fputc('}', out);
    }
    fputc(']', out);
}
