/* diff_json.c - {"schema":1,"pairs":[{"before":{run},"after":{run},"counters":[{row}],"lines":[{"before":
 * {place},"after":{place},"space","op","counters":[{row}]}]}]}; null for what has no partner or value. */
#include <math.h>

#include "gate/diff.h"

struct json_rows {
    FILE *out;
    const char *between;
};

static void put_number(const char *name, double value, FILE *out)
{
    fprintf(out, ",\"%s\":", name);
    if (isnan(value))
        fputs("null", out);
    else
        fprintf(out, "%.17g", value);
}

static void take_json(void *context, const struct diff_row *row)
{
    struct json_rows *json = context;
    fprintf(json->out, "%s\n  {\"counter\":\"%s\",\"unit\":\"%s\"", json->between,
            row->quantity.name, row->quantity.unit);
    put_number("before", row->has_before ? row->before : (double)NAN, json->out);
    put_number("after", row->has_after ? row->after : (double)NAN, json->out);
    put_number("difference", diff_difference(row), json->out);
    put_number("ratio", diff_ratio(row), json->out);
    fprintf(json->out, ",\"word\":\"%s\"}", diff_word(row));
    json->between = ",";
}

static void put_rows(const struct diff_pair *pair, const struct diff_match *match,
                     const char *wanted, FILE *out)
{
    struct json_rows json = {.out = out, .between = ""};
    fputs("\"counters\":[", out);
    diff_each_row(pair, match, wanted ? wanted : "all", &json, take_json);
    fputc(']', out);
}

static void put_run(const struct sheet *sheet, FILE *out)
{
    if (sheet == NULL) {
        fputs("null", out);
        return;
    }
    fputs("{\"kernel\":", out);
    quote_json_string(sheet->run.kernel, out);
    fputs(",\"gpu\":", out);
    quote_json_string(sheet->run.gpu, out);
    fputs(",\"params\":", out);
    quote_json_string(sheet->run.params, out);
    fputs(",\"set\":", out);
    quote_json_string(sheet->run.changes, out);
    fputc('}', out);
}

static void put_spot(const struct diff_spot *spot, FILE *out)
{
    const char *between = "";
    if (spot->line == NULL) {
        fputs("null", out);
        return;
    }
    fputs("{\"file\":", out);
    quote_json_string(spot->line->name, out);
    fprintf(out, ",\"line\":%u,\"arrays\":[", spot->line->line);
    for (size_t i = 0; i < spot->line->access_count; i++) {
        const struct sheet_access *access = &spot->line->accesses[i];
        if (access->space != spot->space || access->op != spot->op)
            continue;
        fputs(between, out);
        quote_json_string(access->array, out);
        between = ",";
    }
    fputs("]}", out);
}

static void put_match(const struct diff_pair *pair, const struct diff_match *match,
                      const char *wanted, FILE *out)
{
    const struct diff_spot *spot = match->after.line ? &match->after : &match->before;
    fputs("\n {\"before\":", out);
    put_spot(&match->before, out);
    fputs(",\"after\":", out);
    put_spot(&match->after, out);
    fprintf(out, ",\"ambiguous\":%s,\"space\":\"%s\",\"op\":\"%s\",",
            match->is_ambiguous ? "true" : "false", mem_space_names[spot->space],
            mem_op_names[spot->op]);
    put_rows(pair, match, wanted, out);
    fputc('}', out);
}

static void put_pair(const struct diff_pair *pair, const char *wanted, FILE *out)
{
    fputs("{\"before\":", out);
    put_run(pair->before, out);
    fputs(",\"after\":", out);
    put_run(pair->after, out);
    if (pair->before && pair->after) {
        fputs(",\n", out);
        put_rows(pair, NULL, wanted, out);
        fputs(",\n\"lines\":[", out);
        for (size_t i = 0; i < pair->match_count; i++) {
            fputs(i ? "," : "", out);
            put_match(pair, &pair->matches[i], wanted, out);
        }
        fputc(']', out);
    }
    fputc('}', out);
}

void diff_write_json(const struct diff *diff, const char *wanted, FILE *out)
{
    fputs("{\"schema\":1,\"pairs\":[\n", out);
    for (size_t i = 0; i < diff->count; i++) {
        fputs(i ? JSON_BETWEEN : "", out);
        put_pair(&diff->pairs[i], wanted, out);
    }
    fputs("\n]}\n", out);
}
