/* report.c - the reports of the command line, of a run's results. */
#define _GNU_SOURCE
#include "library/library.h"
#include "library/plain_numbers.h"

#include "report/report.h"
#include "text/memory.h"

bool warplens_report(struct warplens_run *run, enum warplens_format format, FILE *out)
{
    static void (*const writers[])(const struct result *, size_t, const struct report_options *,
                                   FILE *) = {
        [WARPLENS_TEXT] = report_text,
        [WARPLENS_JSON] = report_json,
        [WARPLENS_CSV] = report_csv,
    };
    const struct report_options options = {0};
    if (!library_is_in(run, LIBRARY_DONE, "be reported"))
        return false;
    if ((size_t)format >= sizeof writers / sizeof writers[0] || out == NULL)
        return library_fail(run,
                            "a report in form %d to %s: allowed are WARPLENS_TEXT (0) to "
                            "WARPLENS_CSV (2), and an open stream",
                            (int)format, out ? "a stream" : "no stream");
    PLAIN_NUMBERS;
    const size_t failures = memory_failures();
    writers[format](run->results, run->gpu_count, &options, out);
    if (memory_failures() != failures)
        return library_fail(run, "no memory for the report: what is written lacks a part");
    return !ferror(out) || library_fail(run, "the report cannot be written to its stream");
}
