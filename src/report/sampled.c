/* sampled.c - an error is a share of the time that is reported, so that it can be read beside it. */
#include "report/sampled.h"

#include <inttypes.h>

#include "report/report.h"
#include "result/ticks.h"

double report_sampled_error(const struct result *r)
{
    const double ticks = (double)r->total.elapsed_cycles * TICKS_PER_CYCLE;
    return ticks > 0 ? 100 * r->sampling.error_ticks / ticks : 0;
}

/* "; 2 of 5 launches were long enough ...": several launches, some of them modelled whole. */
static void add_launches(const struct result_sampling *sampling, struct text *t)
{
    char some[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES];
    uint64_t launches = 0;
    for (unsigned i = 0; i < SAMPLED_COUNT; i++)
        launches += sampling->launches[i];
    if (sampling->launches[SAMPLED_IN_PART] < launches)
        text_add(t, "; that is of %s of %s launches, the others are modelled whole",
                 report_number(sampling->launches[SAMPLED_IN_PART], some),
                 report_number(launches, all));
}

void report_sampled(const struct result *r, struct text *t)
{
    const struct result_sampling *sampling = &r->sampling;
    const enum result_sampled why = result_sampled_why(sampling);
    char some[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES];
    text_start(t);
    if (!sampling->is_asked)
        return;
    if (why != SAMPLED_IN_PART) {
        text_add(t, "nothing was left out (--sample), since %s", result_sampled_words(why));
        return;
    }
    text_add(t, "%s of %s waves of blocks were modelled in time (--sample): +- %.2g %% of the time",
             report_number(sampling->waves_modelled, some), report_number(sampling->waves, all),
             report_sampled_error(r));
    add_launches(sampling, t);
}

void report_sampled_json(const struct result *r, FILE *out)
{
    const struct result_sampling *sampling = &r->sampling;
    const enum result_sampled why = result_sampled_why(sampling);
    if (!sampling->is_asked)
        return;
    if (why != SAMPLED_IN_PART) {
        fprintf(out, "\"sampled\":{\"blocks_left_out\":0,\"whole_since\":\"%s\"},\n",
                result_sampled_name(why));
        return;
    }
    fprintf(out,
            "\"sampled\":{\"blocks_left_out\":%" PRIu64 ",\"waves\":%" PRIu64
            ",\"waves_modelled\":%" PRIu64 ",\"time_error_percent\":%.4g},\n",
            sampling->left_out, sampling->waves, sampling->waves_modelled, report_sampled_error(r));
}
