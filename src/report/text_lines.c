/* text_lines.c - the lines of the source that cost most, with their text: the one that the verdict names, then those
 * that warps wait for most; without the model of time those that move most.
 */
#include <string.h>

#include "report/amounts.h"
#include "report/text_sections.h"
#include "report/verdict.h"
#include "text/characters.h"
#include "text/text.h"

enum { SHOWN = 3 };

/* All accesses of one line: r->lines[first] to [end - 1]. */
struct costly {
    size_t first, end;
    struct counters sum;
    uint64_t cost;
};

static bool is_line_of(const struct result_part *part, const struct result_part *other)
{
    return other && part->line == other->line && strcmp(part->file, other->file) == 0;
}

static struct costly line_from(const struct result *r, size_t first)
{
    struct costly line = {.first = first, .end = first};
    while (line.end < r->line_count && is_line_of(&r->lines[line.end], &r->lines[first]))
        counters_add(&line.sum, r->lines[line.end++].counters);
    return line;
}

static uint64_t cost_of(const struct result *r, const struct costly *line,
                        const struct result_part *blamed)
{
    const struct report_amounts a = report_amounts(&line->sum);
    if (is_line_of(&r->lines[line->first], blamed))
        return UINT64_MAX;
    return r->total.stall_cycles ? line->sum.stall_cycles : a.sectors + a.passes;
}

/* Puts the line in its place among the costliest. */
static void keep(struct costly most[SHOWN], size_t *count, const struct costly *line)
{
    size_t at = *count;
    while (at > 0 && most[at - 1].cost < line->cost)
        at--;
    if (at == SHOWN)
        return;
    *count += *count < SHOWN;
    memmove(&most[at + 1], &most[at], (*count - 1 - at) * sizeof *most);
    most[at] = *line;
}

/* The line's text; or, where that cannot be had, what it does: "load a, load b". */
static void put_source(struct table *table, const struct result *r, const struct costly *line)
{
    const struct result_part *first = &r->lines[line->first];
    size_t length;
    const char *code = run_info_code(r->info, first->file, first->line, &length);
    struct text t;
    text_start(&t);
    if (code)
        text_add(&t, "%.*s", (int)length, code);
    for (char *c = t.s; (c = strchr(c, '\t')) != NULL;)
        *c = ' ';
    text_make_printable(t.s);
    for (size_t i = 0; code == NULL && i < r->access_count; i++)
        if (is_line_of(&r->accesses[i], first))
            text_add(&t, "%s%s %s", t.length ? ", " : "", result_part_op(&r->accesses[i]),
                     r->accesses[i].array[0] ? r->accesses[i].array
                                             : mem_space_names[r->accesses[i].space]);
    table_cell(table, "%s", t.s);
}

/* "4,194,304 (8x)": an amount, and how much more than needed it is. */
static void put_excess(struct table *table, uint64_t amount, uint64_t ideal)
{
    char text[REPORT_NUMBER_BYTES];
    if (ideal && amount > ideal)
        table_style(table, STYLE_BAD);
    if (amount == 0)
        table_cell(table, "-");
    else if (ideal && amount > ideal)
        table_cell(table, "%s (%.3gx)", report_number(amount, text), report_share(amount, ideal));
    else
        table_cell(table, "%s", report_number(amount, text));
}

static void put_line(struct table *table, const struct result *r, const struct costly *line)
{
    const struct report_amounts a = report_amounts(&line->sum), all = report_amounts(&r->total);
    char name[TEXT_LINE_BYTES];
    table_cell(table, "%s", text_line_name(&r->lines[line->first], name));
    if (r->total.stall_cycles)
        text_percent_cell(table, line->sum.stall_cycles, r->total.stall_cycles);
    if (all.sectors)
        put_excess(table, a.sectors, a.ideal_sectors);
    if (all.passes)
        put_excess(table, a.passes, a.ideal_passes);
    put_source(table, r, line);
    table_row(table);
}

static void put_headings(struct table *table, const struct result *r)
{
    const struct report_amounts all = report_amounts(&r->total);
    const size_t figures =
        (size_t)(r->total.stall_cycles != 0) + (all.sectors != 0) + (all.passes != 0);
    static const char *const align[] = {"ll", "lrl", "lrrl", "lrrrl"};
    table_start(table, 2 + figures, align[figures]);
    table_cell(table, "costliest lines");
    if (r->total.stall_cycles)
        table_cell(table, "waiting");
    if (all.sectors)
        table_cell(table, "sectors");
    if (all.passes)
        table_cell(table, "passes");
    table_cell(table, "source");
    table_heading(table);
}

void text_costly_lines(const struct result *r, const struct result_part *blamed, FILE *out)
{
    struct costly most[SHOWN + 1];
    size_t count = 0;
    struct table table;
    for (size_t first = 0; first < r->line_count;) {
        struct costly line = line_from(r, first);
        line.cost = cost_of(r, &line, blamed);
        keep(most, &count, &line);
        first = line.end;
    }
    if (count == 0)
        return;
    put_headings(&table, r);
    for (size_t i = 0; i < count; i++)
        put_line(&table, r, &most[i]);
    fputc('\n', out);
    table_print_parts(&table, 0, 2, out);
}
