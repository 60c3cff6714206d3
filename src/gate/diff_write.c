/* diff_write.c - comparisons as text, JSON and CSV. */
#include <math.h>
#include <string.h>

#include "gate/diff.h"
#include "report/ranges.h"
#include "report/report.h"
#include "report/table.h"
#include "text/text.h"

enum { PLACE_BYTES = 1024 };

/* "transpose.c:38", or "transpose.c:14 -> transpose.c:46". */
static const char *place_text(const struct diff_match *match, char text[PLACE_BYTES])
{
    const struct sheet_part *a = match->before.line, *b = match->after.line;
    if (a && b && (a->line != b->line || strcmp(a->name, b->name) != 0))
        snprintf(text, PLACE_BYTES, "%.400s:%u -> %.400s:%u", a->name, a->line, b->name, b->line);
    else
        snprintf(text, PLACE_BYTES, "%.400s:%u", a ? a->name : b->name, a ? a->line : b->line);
    return text;
}

/* "global load idata". */
static const char *access_text(const struct diff_match *match, char text[PLACE_BYTES])
{
    const struct diff_spot *spot = match->after.line ? &match->after : &match->before;
    int used =
        snprintf(text, PLACE_BYTES, "%s %s", mem_space_names[spot->space], mem_op_names[spot->op]);
    const char *between = " ";
    for (size_t i = 0; i < spot->line->access_count && used < PLACE_BYTES; i++) {
        const struct sheet_access *access = &spot->line->accesses[i];
        if (access->space != spot->space || access->op != spot->op || !*access->array)
            continue;
        used +=
            snprintf(text + used, PLACE_BYTES - (size_t)used, "%s%.100s", between, access->array);
        between = ", ";
    }
    return text;
}

/* ---- Text ------------------------------------------------------------------------------------------ */

static void value_cell(struct table *table, const struct quantity *quantity, bool has, double value)
{
    char text[REPORT_NUMBER_BYTES];
    if (!has)
        table_cell(table, "-");
    else if (quantity->counter)
        table_cell(table, "%s", report_number((uint64_t)value, text));
    else
        table_cell(table, "%s", report_fixed(value, text));
}

static void difference_cell(struct table *table, const struct diff_row *row)
{
    char text[REPORT_NUMBER_BYTES];
    double difference = diff_difference(row);
    if (isnan(difference))
        table_cell(table, "-");
    else if (row->quantity.counter)
        table_cell(table, "%s%s",
                   difference < 0   ? "-"
                   : difference > 0 ? "+"
                                    : "",
                   report_number((uint64_t)(difference < 0 ? -difference : difference), text));
    else
        table_cell(table, "%s%s", difference > 0 ? "+" : "", report_fixed(difference, text));
}

static enum style style_of(const char *word)
{
    return *word == '\0' ? STYLE_PLAIN : strcmp(word, "better") == 0 ? STYLE_GOOD : STYLE_BAD;
}

static void take_text(void *context, const struct diff_row *row)
{
    struct table *table = context;
    const enum style style = style_of(diff_word(row));
    double ratio = diff_ratio(row);
    table_cell(table, "%s", row->quantity.name);
    table_cell(table, "%s", row->quantity.unit);
    value_cell(table, &row->quantity, row->has_before, row->before);
    value_cell(table, &row->quantity, row->has_after, row->after);
    table_style(table, style);
    difference_cell(table, row);
    if (isnan(ratio))
        table_cell(table, "-");
    else
        table_cell(table, "%.3g", ratio);
    table_style(table, style);
    table_cell(table, "%s", diff_row_differs(row) ? diff_word(row) : "equal");
    table_row(table);
}

/* A table below a heading, which nothing stands below when nothing differs. Returns the rows left out. */
static size_t put_table(const struct diff_pair *pair, const struct diff_match *match,
                        const char *wanted, FILE *out)
{
    static const char *const heads[] = {"counter",    "unit",  "before", "after",
                                        "difference", "ratio", ""};
    char place[PLACE_BYTES], access[PLACE_BYTES];
    struct table table;
    table_start(&table, 7, "llrrrrl");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(&table, "%s", heads[i]);
    table_heading(&table);
    size_t left_out = diff_each_row(pair, match, wanted, &table, take_text);
    if (table.row_count == 1) {
        table_free(&table);
        return left_out;
    }
    if (match)
        fprintf(out, "\n%s%s %s%s\n", style_begin(STYLE_STRONG), place_text(match, place),
                access_text(match, access), style_end(STYLE_STRONG));
    else
        fprintf(out, "\n%swhole run%s\n", style_begin(STYLE_STRONG), style_end(STYLE_STRONG));
    table_print(&table, 2, out);
    return left_out;
}

static void put_without_partner(const struct diff_match *match, FILE *out)
{
    char place[PLACE_BYTES], access[PLACE_BYTES];
    fprintf(out, "\nonly %s: %s %s%s\n", match->before.line ? "before" : "after",
            place_text(match, place), access_text(match, access),
            match->is_ambiguous ? " (several lines could be its partner)" : "");
}

/* ---- The sentence ---------------------------------------------------------------------------------- */

struct told {
    bool has_time;
    double time_before, time_after; /* us */
    struct diff_row most; /* of the rules' counters with a direction, what has changed most */
    double factor;
};

static double factor_of(const struct diff_row *row)
{
    const double least = fmin(row->before, row->after), most = fmax(row->before, row->after);
    return least > 0 ? most / least : most > 0 ? INFINITY : 1;
}

static void take_told(void *context, const struct diff_row *row)
{
    struct told *told = context;
    if (!row->has_before || !row->has_after)
        return;
    if (strcmp(row->quantity.name, "time") == 0) {
        told->has_time = true;
        told->time_before = row->before;
        told->time_after = row->after;
    }
    if (row->quantity.counter == NULL || quantity_is_of_time(&row->quantity) || !*diff_word(row) ||
        factor_of(row) <= told->factor)
        return;
    told->most = *row;
    told->factor = factor_of(row);
}

enum { EQUAL_PERCENT = 1 };

/* Of two runs on one GPU that are not equally fast. */
static void add_overlap(struct text *t, const struct diff_pair *pair, const struct told *told)
{
    const struct report_entry *a = &pair->before->run, *b = &pair->after->run;
    const double ratio =
        fmax(told->time_before, told->time_after) / fmin(told->time_before, told->time_after);
    if ((ratio - 1) * 100 >= EQUAL_PERCENT)
        report_add_overlap("both", &a->range, &b->range, strcmp(a->gpu, b->gpu) == 0 ? ratio : 0,
                           t);
}

static void add_time(struct text *t, const struct told *told)
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    const double ratio = told->time_before / told->time_after;
    if (fabs(ratio - 1) * 100 < EQUAL_PERCENT)
        text_add(t, "About equally fast");
    else if (ratio > 1)
        text_add(t, "%.3g times as fast", ratio);
    else
        text_add(t, "Takes %.3g times as long", 1 / ratio);
    text_add(t, ": %s -> %s us", report_rounded(told->time_before, before),
             report_rounded(told->time_after, after));
}

/* "3.2 times as fast: 22.84 -> 7.14 us; shared_load_conflicts 4,063,232 -> 0". */
static void put_sentence(const struct diff_pair *pair, FILE *out)
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    struct told told = {.factor = 1};
    struct text t;
    diff_each_row(pair, NULL, "time", &told, take_told);
    diff_each_row(pair, NULL, NULL, &told, take_told);
    text_start(&t);
    if (told.has_time && told.time_before > 0 && told.time_after > 0)
        add_time(&t, &told);
    if (told.factor > 1)
        text_add(&t, "%s%s %s -> %s",
                 t.length ? "; " : "By the rules alone: ", told.most.quantity.name,
                 report_number((uint64_t)told.most.before, before),
                 report_number((uint64_t)told.most.after, after));
    if (t.length == 0)
        return;
    text_add(&t, ".");
    if (told.has_time)
        add_overlap(&t, pair, &told);
    report_put_sentence(t.s, 0, out);
}

static size_t put_pair(const struct diff_pair *pair, const char *wanted, FILE *out)
{
    char title[SHEET_TITLE_BYTES];
    if (!report_names_counters(wanted))
        put_sentence(pair, out);
    fprintf(out, "before: %s\n", sheet_title(pair->before, title));
    fprintf(out, "after:  %s\n", sheet_title(pair->after, title));
    size_t left_out = put_table(pair, NULL, wanted, out);
    for (size_t i = 0; i < pair->match_count; i++) {
        const struct diff_match *match = &pair->matches[i];
        if (match->before.line && match->after.line)
            left_out += put_table(pair, match, wanted, out);
        else
            put_without_partner(match, out);
    }
    return left_out;
}

void diff_write_text(const struct diff *diff, const char *wanted, FILE *out)
{
    char title[SHEET_TITLE_BYTES];
    size_t left_out = 0;
    for (size_t i = 0; i < diff->count; i++) {
        const struct diff_pair *pair = &diff->pairs[i];
        fputs(i ? "\n" : "", out);
        if (pair->before && pair->after)
            left_out += put_pair(pair, wanted, out);
        else
            fprintf(out, "only %s: %s\n", pair->before ? "before" : "after",
                    sheet_title(pair->before ? pair->before : pair->after, title));
    }
    if (!diff_differs(diff, NULL))
        fputs("\nno counter differs\n", out);
    else if (wanted == NULL && left_out)
        fprintf(out, "\n%zu more values differ: --counters all shows them.\n", left_out);
}

/* ---- CSV ------------------------------------------------------------------------------------------- */

struct csv_rows {
    FILE *out;
    const struct diff_pair *pair;
    const struct diff_match *match; /* NULL: the whole run */
};

static void put_csv_run(const struct sheet *sheet, FILE *out)
{
    char title[SHEET_TITLE_BYTES];
    quote_csv_field(sheet ? sheet_title(sheet, title) : "", out);
    fputc(',', out);
}

static void put_csv_line(const struct diff_spot *spot, FILE *out)
{
    char text[PLACE_BYTES] = "";
    if (spot && spot->line)
        snprintf(text, sizeof text, "%.400s:%u", spot->line->name, spot->line->line);
    quote_csv_field(text, out);
    fputc(',', out);
}

static void put_csv_number(double value, FILE *out)
{
    if (!isnan(value))
        fprintf(out, "%.17g", value);
    fputc(',', out);
}

static void take_csv(void *context, const struct diff_row *row)
{
    const struct csv_rows *csv = context;
    char access[PLACE_BYTES];
    put_csv_run(csv->pair->before, csv->out);
    put_csv_run(csv->pair->after, csv->out);
    put_csv_line(csv->match ? &csv->match->before : NULL, csv->out);
    put_csv_line(csv->match ? &csv->match->after : NULL, csv->out);
    quote_csv_field(csv->match ? access_text(csv->match, access) : "", csv->out);
    fprintf(csv->out, ",%s,%s,", row->quantity.name, row->quantity.unit);
    put_csv_number(row->has_before ? row->before : (double)NAN, csv->out);
    put_csv_number(row->has_after ? row->after : (double)NAN, csv->out);
    put_csv_number(diff_difference(row), csv->out);
    put_csv_number(diff_ratio(row), csv->out);
    fprintf(csv->out, "%s\n", diff_word(row));
}

void diff_write_csv(const struct diff *diff, const char *wanted, FILE *out)
{
    fputs("run_before,run_after,line_before,line_after,access,counter,unit,before,after,difference,"
          "ratio,word\n",
          out);
    for (size_t i = 0; i < diff->count; i++) {
        struct csv_rows csv = {.out = out, .pair = &diff->pairs[i]};
        if (csv.pair->before == NULL || csv.pair->after == NULL)
            continue;
        diff_each_row(csv.pair, NULL, wanted ? wanted : "all", &csv, take_csv);
        for (size_t m = 0; m < csv.pair->match_count; m++) {
            csv.match = &csv.pair->matches[m];
            diff_each_row(csv.pair, csv.match, wanted ? wanted : "all", &csv, take_csv);
        }
    }
}
