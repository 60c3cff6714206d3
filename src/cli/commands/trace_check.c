/* trace_check.c - what was found, the worst first; then what was not found, in one line. */
#include "cli/commands/trace_check.h"

#include <inttypes.h>

#include "report/report.h"

static void print_finding(const struct check_finding *finding, FILE *out)
{
    char count[REPORT_NUMBER_BYTES];
    fprintf(out, "\n%s: %s: %s\n", finding->severity == CHECK_ERROR ? "error" : "warning",
            finding->name, report_number(finding->count, count));
    fprintf(out, "  first    step %" PRIu64, finding->first_step);
    if (finding->first_line)
        fprintf(out, ", line %" PRIu64, finding->first_line);
    fprintf(out, ": %s\n  meaning  %s\n", finding->first, finding->meaning);
}

bool trace_check_print(const struct check *check, const char *path, const char *error, FILE *out)
{
    char steps[REPORT_NUMBER_BYTES];
    uint64_t kinds[2] = {0, 0};
    size_t count;
    const struct check_finding *findings = check_findings(check, &count);
    fprintf(out, "%s: %s steps (accesses, barriers, ends of warps and blocks)\n", path,
            report_number(check_steps(check), steps));
    for (unsigned severity = CHECK_ERROR; severity <= CHECK_WARNING; severity++)
        for (size_t i = 0; i < count; i++)
            if (findings[i].severity == severity && findings[i].count) {
                print_finding(&findings[i], out);
                kinds[severity]++;
            }
    if (error)
        fprintf(out, "\nerror: the trace cannot be read to its end\n  %s\n", error);
    kinds[CHECK_ERROR] += error != NULL;
    fprintf(out,
            "\n%zu kinds of fault looked for, %" PRIu64 " error%s and %" PRIu64
            " warning%s found\n",
            count, kinds[CHECK_ERROR], kinds[CHECK_ERROR] == 1 ? "" : "s", kinds[CHECK_WARNING],
            kinds[CHECK_WARNING] == 1 ? "" : "s");
    return kinds[CHECK_ERROR] == 0;
}
