/* traced.c - what stands for launches that were not traced. */
#include "report/traced.h"

#include "report/report.h"

static void add_reason(const struct run_info *info, struct text *t)
{
    if (info->choice[0])
        text_add(t, " (%s)", info->choice);
}

void report_traced(const struct run_info *info, struct text *t)
{
    char traced[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES], some[REPORT_NUMBER_BYTES];
    text_start(t);
    if (info->repeated == 0 && info->untraced == 0)
        return;
    text_add(t, "%s of %s launches", report_number(info->traced, traced),
             report_number(info->traced + info->repeated + info->untraced, all));
    add_reason(info, t);
    if (info->repeated)
        text_add(t, "; %s %s one of them, and count%s with its figures",
                 report_number(info->repeated, some), info->repeated == 1 ? "repeats" : "repeat",
                 info->repeated == 1 ? "s" : "");
    if (info->untraced)
        text_add(t, "; totals are of those%s", info->repeated ? ", not of all" : "");
    if (info->fault_count)
        text_add(t, "; faults are of those that were traced");
}
