/* not_traced.c - what of a program's work is in no figure, said with the figures. */
#include "report/not_traced.h"

#include <inttypes.h>

#include "report/report.h"
#include "report/table.h"

enum { SHOWN_MAX = 16 }; /* in words */

void report_not_traced(const struct run_info *info, struct text *t)
{
    char number[REPORT_NUMBER_BYTES];
    text_start(t);
    if (info->library_count == 0)
        return;
    text_add(t, "Not traced, since a library's kernels are not in the program, and in no count and "
                "no time: ");
    for (size_t i = 0; i < info->library_count && i < SHOWN_MAX; i++) {
        const struct run_library *library = &info->libraries[i];
        text_add(t, "%s%s %s call%s", i ? ", " : "", library->function,
                 report_number(library->calls, number), library->calls == 1 ? "" : "s");
    }
    if (info->library_count > SHOWN_MAX)
        text_add(t, ", and %zu more functions", info->library_count - SHOWN_MAX);
    text_add(t, ".");
}

void report_not_traced_text(const struct run_info *info, FILE *out)
{
    struct text t;
    report_not_traced(info, &t);
    if (t.length)
        report_put_sentence(t.s, 0, out);
}

void report_not_traced_json(const struct run_info *info, FILE *out)
{
    fputs("\"not_traced\":{", out);
    for (size_t i = 0; i < info->library_count; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(info->libraries[i].function, out);
        fprintf(out, ":%" PRIu64, info->libraries[i].calls);
    }
    fputc('}', out);
}
