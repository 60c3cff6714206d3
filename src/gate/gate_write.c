/* gate_write.c - outcomes as text and JSON. Text names all limits that were asked for, and of a baseline
 * the quantities that are worse, and on a line of their own those of them that fail nothing: the others are a
 * number. */
#include "gate/gate.h"

#include "report/report.h"
#include "report/table.h"
#include "text/text.h"

static void put_outcome(struct table *table, const struct outcome *outcome)
{
    char text[LIMIT_TEXT_BYTES];
    table_cell(table, "%s", limit_subject(outcome->limit, text));
    table_cell(table, "%s", limit_wanted(outcome->limit, text));
    table_cell(table, "%s", limit_seen(outcome, text));
    table_style(table, outcome->status == LIMIT_MET ? STYLE_GOOD : STYLE_BAD);
    table_cell(table, "%s",
               outcome->status == LIMIT_MET  ? "met"
               : outcome->limit->is_baseline ? "WORSE than the baseline"
                                             : "NOT MET");
    table_row(table);
}

static void put_worst_line(const struct outcome *outcome, FILE *out)
{
    double value;
    const struct limit *limit = outcome->limit;
    const struct sheet_part *line = limit_worst_line(limit, outcome->sheet, &value);
    if (line && limit->place != LIMIT_LINE)
        fprintf(out, "  worst line for %s: %s:%u (%.10g)\n", limit->quantity, line->name,
                line->line, value);
}

static void put_first_fault(const struct gate_run *run, FILE *out)
{
    const struct report_entry *entry = &run->sheet->run;
    struct text t;
    if (entry->first_fault == NULL)
        return;
    text_start(&t);
    text_add(&t, "%s the first: ", entry->has_stopped ? "the run FAILED;" : "faults,");
    text_add(&t, "%s", entry->first_fault);
    text_print_wrapped(out, "  ", 4, t.s);
}

/* "instructions 1,000 -> 1,068": what is worse and fails nothing. */
static void put_noted(const struct gate_run *run, FILE *out)
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    struct text t;
    text_start(&t);
    for (size_t i = 0; i < run->count; i++) {
        const struct outcome *outcome = &run->outcomes[i];
        if (outcome->status == LIMIT_NOTED)
            text_add(&t, "%s%s %s -> %s",
                     t.length ? ", " : "worse, and no failure: ", outcome->limit->quantity,
                     report_value(outcome->limit->baseline, before),
                     report_value(outcome->value, after));
    }
    if (t.length)
        text_print_wrapped(out, "  ", 4, t.s);
}

static void put_run(const struct gate *gate, const struct gate_run *run, FILE *out)
{
    char title[SHEET_TITLE_BYTES];
    struct table table;
    fprintf(out, "%s%s%s\n", style_begin(STYLE_STRONG), sheet_title(run->sheet, title),
            style_end(STYLE_STRONG));
    table_start(&table, 4, "lllll");
    for (size_t i = 0; i < run->count; i++)
        if (!run->outcomes[i].limit->is_baseline || run->outcomes[i].status == LIMIT_BROKEN)
            put_outcome(&table, &run->outcomes[i]);
    table_print(&table, 2, out);
    for (size_t i = 0; i < run->count; i++)
        if (!run->outcomes[i].limit->is_baseline && run->outcomes[i].status == LIMIT_BROKEN)
            put_worst_line(&run->outcomes[i], out);
    put_first_fault(run, out);
    if (gate->baseline)
        fprintf(out, "  baseline %s: %zu figures are worse, %zu are not\n", gate->baseline,
                gate_run_count(run, LIMIT_BROKEN, true), gate_run_count(run, LIMIT_MET, true));
    put_noted(run, out);
}

void gate_write_text(const struct gate *gate, FILE *out)
{
    for (size_t i = 0; i < gate->count; i++) {
        put_run(gate, &gate->runs[i], out);
        fputc('\n', out);
    }
    size_t met = gate_count(gate, LIMIT_MET), broken = gate_count(gate, LIMIT_BROKEN);
    if (broken)
        fprintf(out, "%s%zu of %zu limits not met%s\n", style_begin(STYLE_BAD), broken,
                met + broken, style_end(STYLE_BAD));
    else
        fprintf(out, "%s%zu of %zu limits met%s\n", style_begin(STYLE_GOOD), met, met,
                style_end(STYLE_GOOD));
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void put_json_outcome(const struct outcome *outcome, FILE *out)
{
    char text[LIMIT_TEXT_BYTES];
    const struct limit *limit = outcome->limit;
    fputs("{\"limit\":", out);
    quote_json_string(limit_subject(limit, text), out);
    fprintf(out, ",\"%s\":%.17g", limit->is_least ? "min" : "max", limit->bound);
    if (limit->is_baseline)
        fprintf(out, ",\"baseline\":%.17g,\"tolerance_percent\":%.17g", limit->baseline,
                limit->tolerance_percent);
    fprintf(out, ",\"value\":%.17g,\"unit\":", outcome->value);
    quote_json_string(outcome->unit, out);
    if (limit->is_baseline)
        fprintf(out, ",\"held\":%s", outcome->status == LIMIT_NOTED ? "false" : "true");
    fprintf(out, ",\"met\":%s}", outcome->status == LIMIT_MET ? "true" : "false");
}

static void put_json_run(const struct gate_run *run, FILE *out)
{
    const struct report_entry *entry = &run->sheet->run;
    fputs("{\"kernel\":", out);
    quote_json_string(entry->kernel, out);
    fputs(",\"gpu\":", out);
    quote_json_string(entry->gpu, out);
    fputs(",\"params\":", out);
    quote_json_string(entry->params, out);
    fputs(",\"set\":", out);
    quote_json_string(entry->changes, out);
    fputs(",\"limits\":[", out);
    for (size_t i = 0; i < run->count; i++) {
        fputs(i ? ",\n " : "\n ", out);
        put_json_outcome(&run->outcomes[i], out);
    }
    fputs("]}", out);
}

void gate_write_json(const struct gate *gate, FILE *out)
{
    fprintf(out,
            "{\"schema\":1,\"met\":%zu,\"not_met\":%zu,\"baseline\":", gate_count(gate, LIMIT_MET),
            gate_count(gate, LIMIT_BROKEN));
    if (gate->baseline)
        quote_json_string(gate->baseline, out);
    else
        fputs("null", out);
    fputs(",\"runs\":[\n", out);
    for (size_t i = 0; i < gate->count; i++) {
        fputs(i ? JSON_BETWEEN : "", out);
        put_json_run(&gate->runs[i], out);
    }
    fputs("\n]}\n", out);
}
