/* json_verdict.c - the verdict as fields. Those that say nothing of this run are null. */
#include "report/report.h"
#include "report/verdict.h"

/* null where a text is missing. */
static void put_string(const char *key, const char *value, FILE *out)
{
    fprintf(out, ",\"%s\":", key);
    if (value)
        quote_json_string(value, out);
    else
        fputs("null", out);
}

void report_json_verdict(const struct result *r, FILE *out)
{
    struct verdict v;
    verdict_make(&v, r);
    fputs("\"verdict\":{\"sentence\":", out);
    quote_json_string(v.sentence, out);
    put_string("limiter", v.is_timed ? usage_name(v.limiter) : NULL, out);
    if (v.is_timed)
        fprintf(out, ",\"share\":%.10g", v.share);
    else
        fputs(",\"share\":null", out);
    put_string("file", v.accesses ? v.accesses->file : NULL, out);
    if (v.accesses)
        fprintf(out, ",\"line\":%u", v.accesses->line);
    else
        fputs(",\"line\":null", out);
    put_string("space", v.accesses ? mem_space_names[v.accesses->space] : NULL, out);
    put_string("op", v.accesses ? result_part_op(v.accesses) : NULL, out);
    put_string("array", v.accesses ? v.accesses->array : NULL, out);
    put_string("figure", v.figure, out);
    if (v.figure)
        fprintf(out, ",\"value\":%.10g}", v.value);
    else
        fputs(",\"value\":null}", out);
}
