/* write_json.c - schema 1: {"schema":1,"advice":[{kernel, gpu, params, headline, counters, changes,
 * untried}]}. A change has its headline, its round, what was counted after it, and what before it unless that
 * is the run's own. */
#include <inttypes.h>

#include "advise/headline.h"
#include "advise/words.h"
#include "report/faults.h"
#include "report/report.h"

static void put_counters(const char *name, const struct counters *c, FILE *out)
{
    fprintf(out, "\"%s\":{", name);
    for (size_t i = 0; i < counter_count; i++)
        fprintf(out, "%s\"%s\":%" PRIu64, i ? "," : "", counter_table[i].name,
                counters_get(c, &counter_table[i]));
    fputc('}', out);
}

static void put_text(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\":", name);
    quote_json_string(text, out);
    fputc(',', out);
}

static void put_headline(const struct advice *a, FILE *out)
{
    char text[ADVICE_TEXT_BYTES];
    words_headline(text, a);
    put_text("headline", text, out);
}

static void put_arrays(const struct advice *a, FILE *out)
{
    fputs("\"arrays\":[", out);
    for (size_t i = 0; i < a->array_count; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(a->arrays[i], out);
    }
    fputs("],", out);
}

static void put_advice(const struct advice *a, FILE *out)
{
    fprintf(out, "{\"round\":%" PRIu32 ",\"alternative\":%s,", a->round,
            a->is_alternative ? "true" : "false");
    put_text("cause", a->cause, out);
    put_text("remedy", a->remedy, out);
    put_headline(a, out);
    put_arrays(a, out);
    put_text("where", a->where, out);
    put_text("why", a->why, out);
    put_text("change", a->change, out);
    put_text("cost", a->cost, out);
    fprintf(out,
            "\"time_saved\":%.6g,\"shared_bytes_more\":%" PRId64 ",\"global_bytes_more\":%" PRId64
            ",",
            advice_time_saved(a), a->shared_bytes_more, a->global_bytes_more);
    if (a->round) {
        put_counters("before", &a->before, out);
        fputc(',', out);
    }
    put_counters("after", &a->after, out);
    fputc('}', out);
}

static void put_untried(const struct advice_untried *u, FILE *out)
{
    fputc('{', out);
    put_text("cause", u->cause, out);
    fputs("\"text\":", out);
    quote_json_string(u->text, out);
    fputc('}', out);
}

/* The first sentence of the report in words. */
static void put_verdict(const struct advice_report *r, FILE *out)
{
    char text[ADVICE_TEXT_BYTES];
    headline_write(text, r);
    put_text("headline", text, out);
}

static void put_report(const struct advice_report *r, FILE *out)
{
    fputc('{', out);
    put_text("kernel", r->info->kernel, out);
    put_text("gpu", r->gpu->name, out);
    fputs("\"params\":{", out);
    for (size_t i = 0; i < r->info->param_count; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(r->info->params[i].name, out);
        fputc(':', out);
        quote_json_string(r->info->params[i].value, out);
    }
    fprintf(out, "},\"runs\":%" PRIu64 ",\"blocks_left_out\":%" PRIu64 ",", r->runs,
            r->blocks_left_out);
    put_verdict(r, out);
    if (r->info->fault_count) {
        report_faults_json(r->info, out);
        fputc(',', out);
    }
    put_counters("counters", &r->result.total, out);
    fputs(",\"changes\":[", out);
    for (size_t i = 0; i < r->advice_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_advice(&r->advice[i], out);
    }
    fputs("],\"untried\":[", out);
    for (size_t i = 0; i < r->untried_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_untried(&r->untried[i], out);
    }
    fputs("]}", out);
}

void advise_write_json(const struct advice_report *reports, size_t count, FILE *out)
{
    fputs("{\"schema\":1,\"advice\":[\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n" : "", out);
        put_report(&reports[i], out);
    }
    fputs("\n]}\n", out);
}
