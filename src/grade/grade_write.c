/* grade_write.c - what a student reads: what each item wanted, what was seen, and which line of the source
 * is worst; and what a teacher reads: a row a file. */
#include <string.h>

#include "grade/grade.h"
#include "report/table.h"

enum { DETAILS_LINES = 20 };

/* ---- A student's text ------------------------------------------------------------------------------ */

/* The first lines. */
static void put_details(const char *text, FILE *out)
{
    int lines = 0;
    bool at_begin = true;
    for (; *text && lines < DETAILS_LINES; text++) {
        fputs(at_begin ? "  " : "", out);
        at_begin = *text == '\n';
        fputc(*text, out);
        lines += at_begin;
    }
    fputs(at_begin ? "" : "\n", out);
    fputs(*text ? "  ...\n" : "", out);
}

static void put_word(struct table *table, bool is_met)
{
    table_style(table, is_met ? STYLE_GOOD : STYLE_BAD);
    table_cell(table, "%s", is_met ? "met" : "NOT MET");
}

static void put_seen(struct table *table, const struct outcome *outcome)
{
    char seen[LIMIT_TEXT_BYTES];
    table_cell(table, "%s", outcome->sheet->run.gpu);
    table_cell(table, "%s", limit_seen(outcome, seen));
    put_word(table, outcome->status == LIMIT_MET);
    table_row(table);
}

static void put_mark(struct table *table, const struct grade *grade, const struct mark *mark)
{
    char text[2 * LIMIT_TEXT_BYTES];
    table_style(table, mark->points == mark->item->points ? STYLE_GOOD : STYLE_BAD);
    table_cell(table, "%u of %u", mark->points, mark->item->points);
    table_cell(table, "%s", grade_item_text(grade->spec, mark->item, text));
    if (mark->item->is_pass || !mark->is_checked) {
        table_cell(table, "-");
        table_cell(table, "%s", mark->is_checked ? "" : "not checked");
        if (mark->is_checked)
            put_word(table, grade->has_passed);
        table_row(table);
        return;
    }
    for (size_t i = 0; i < mark->outcome_count; i++) {
        if (i) {
            table_cell(table, "%s", "");
            table_cell(table, "%s", "");
        }
        put_seen(table, &mark->outcomes[i]);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_explain(const struct grade *grade, const char *gpu, uint32_t line, FILE *out)
{
    const char *const *arguments = grade->spec->arguments;
    fprintf(out, "\n    warplens explain %s:%u --gpu %s", grade->file, line, gpu);
    fputs(grade->is_program && *arguments ? " --" : "", out);
    for (; grade->is_program && *arguments; arguments++)
        fprintf(out, " %s", *arguments);
}

/* Where to look: the worst line, and the command that draws it when it is in the student's own file. */
static void put_hint(const struct grade *grade, const struct outcome *outcome, FILE *out)
{
    char subject[LIMIT_TEXT_BYTES];
    double value;
    if (outcome->status == LIMIT_NO_VALUE) {
        fprintf(out, "  %s\n", outcome->message);
        return;
    }
    const struct sheet_part *line = limit_worst_line(outcome->limit, outcome->sheet, &value);
    if (outcome->status == LIMIT_MET || line == NULL)
        return;
    fprintf(out, "  %s on %s: the worst line is %s:%u (%.10g)",
            limit_subject(outcome->limit, subject), outcome->sheet->run.gpu, line->name, line->line,
            value);
    if (strcmp(base_name(grade->file), line->name) == 0)
        put_explain(grade, outcome->sheet->run.gpu, line->line, out);
    fputc('\n', out);
}

static bool has_hints(const struct grade *grade)
{
    double value;
    for (size_t i = 0; i < grade->spec->item_count; i++)
        for (size_t k = 0; k < grade->marks[i].outcome_count; k++) {
            const struct outcome *v = &grade->marks[i].outcomes[k];
            if (v->status == LIMIT_NO_VALUE ||
                (v->status == LIMIT_BROKEN && limit_worst_line(v->limit, v->sheet, &value)))
                return true;
        }
    return false;
}

void grade_write_text(const struct grade *grade, FILE *out)
{
    static const char *const heads[] = {"points", "wanted", "GPU", "seen", ""};
    struct table table;
    fprintf(out, "%s\n%s%s: %u of %u points%s\n\n", grade->spec->title, style_begin(STYLE_STRONG),
            grade->file, grade->points, grade->spec->points, style_end(STYLE_STRONG));
    if (*grade->reason) {
        fprintf(out, "Nothing could be checked: %s\n", grade->reason);
        put_details(grade->details, out);
        fputc('\n', out);
    }
    table_start(&table, 5, "l");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(&table, "%s", heads[i]);
    table_heading(&table);
    for (size_t i = 0; i < grade->spec->item_count; i++)
        put_mark(&table, grade, &grade->marks[i]);
    table_print(&table, 2, out);
    if (has_hints(grade))
        fputs("\nWhere to look:\n", out);
    for (size_t i = 0; i < grade->spec->item_count; i++)
        for (size_t k = 0; k < grade->marks[i].outcome_count; k++)
            put_hint(grade, &grade->marks[i].outcomes[k], out);
}

/* ---- All students ---------------------------------------------------------------------------------- */

static const char *state_of(const struct grade *grade)
{
    return !grade->has_run ? "not run" : grade->has_passed ? "ran" : "not passed";
}

void grade_write_table(const struct grade *grades, size_t count, FILE *out)
{
    struct table table;
    table_start(&table, 4, "lrll");
    table_cell(&table, "file");
    table_cell(&table, "points");
    table_cell(&table, "of");
    table_heading(&table);
    for (size_t i = 0; i < count; i++) {
        const struct grade *grade = &grades[i];
        table_cell(&table, "%s", grade->file);
        table_cell(&table, "%u", grade->points);
        table_cell(&table, "%u", grade->spec->points);
        table_cell(&table, "%s", grade->reason);
        table_row(&table);
    }
    table_print(&table, 0, out);
}

void grade_write_csv(const struct grade *grades, size_t count, FILE *out)
{
    char text[2 * LIMIT_TEXT_BYTES];
    fputs("file,points,of,state", out);
    for (size_t i = 0; count && i < grades[0].spec->item_count; i++) {
        fputc(',', out);
        quote_csv_field(grade_item_text(grades[0].spec, &grades[0].spec->items[i], text), out);
    }
    fputs(",reason\n", out);
    for (size_t i = 0; i < count; i++) {
        const struct grade *grade = &grades[i];
        quote_csv_field(grade->file, out);
        fprintf(out, ",%u,%u,%s", grade->points, grade->spec->points, state_of(grade));
        for (size_t k = 0; k < grade->spec->item_count; k++)
            fprintf(out, ",%u", grade->marks[k].points);
        fputc(',', out);
        quote_csv_field(grade->reason, out);
        fputc('\n', out);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void put_json_outcome(const struct outcome *outcome, FILE *out)
{
    double value;
    fputs("{\"gpu\":", out);
    quote_json_string(outcome->sheet->run.gpu, out);
    if (outcome->status == LIMIT_NO_VALUE) {
        fputs(",\"value\":null,\"why\":", out);
        quote_json_string(outcome->message, out);
    } else {
        fprintf(out, ",\"value\":%.17g,\"unit\":", outcome->value);
        quote_json_string(outcome->unit, out);
    }
    fprintf(out, ",\"met\":%s", outcome->status == LIMIT_MET ? "true" : "false");
    const struct sheet_part *line = outcome->status == LIMIT_BROKEN
                                        ? limit_worst_line(outcome->limit, outcome->sheet, &value)
                                        : NULL;
    if (line) {
        fputs(",\"worst\":{\"file\":", out);
        quote_json_string(line->name, out);
        fprintf(out, ",\"line\":%u,\"value\":%.17g}", line->line, value);
    }
    fputc('}', out);
}

static void put_json_mark(const struct grade *grade, const struct mark *mark, FILE *out)
{
    char text[2 * LIMIT_TEXT_BYTES];
    fputs("\n {\"wanted\":", out);
    quote_json_string(grade_item_text(grade->spec, mark->item, text), out);
    fprintf(out, ",\"points\":%u,\"of\":%u,\"checked\":%s,\"seen\":[", mark->points,
            mark->item->points, mark->is_checked ? "true" : "false");
    for (size_t i = 0; i < mark->outcome_count; i++) {
        fputs(i ? "," : "", out);
        put_json_outcome(&mark->outcomes[i], out);
    }
    fputs("]}", out);
}

void grade_write_json(const struct grade *grade, FILE *out)
{
    fputs("{\"file\":", out);
    quote_json_string(grade->file, out);
    fprintf(out, ",\"points\":%u,\"of\":%u,\"state\":\"%s\",\"reason\":", grade->points,
            grade->spec->points, state_of(grade));
    quote_json_string(grade->reason, out);
    fputs(",\"details\":", out);
    quote_json_string(grade->details, out);
    fputs(",\"items\":[", out);
    for (size_t i = 0; i < grade->spec->item_count; i++) {
        fputs(i ? "," : "", out);
        put_json_mark(grade, &grade->marks[i], out);
    }
    fputs("]}", out);
}
