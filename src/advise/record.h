/* record.h - a source whose run is kept while somebody else takes it: a report and advice on one run, which
 * is not made twice. A program may do what it should do once.
 */
#ifndef WARPLENS_ADVISE_RECORD_H
#define WARPLENS_ADVISE_RECORD_H

#include "advise/advise.h"
#include "advise/spool.h"

/* Points into itself: do not copy it. */
struct recording {
    struct trace_source source;
    const struct trace_sink *taker; /* who takes the run */
    struct spool spool;
    struct trace_sink kept;
    bool is_kept; /* all of the run so far */
};

/* The source to take the run from. Whoever takes it notices nothing, also where the run cannot be kept.
 * recording_stop is due in any case. */
struct trace_source recording_start(struct recording *recording, struct trace_source source,
                                    uint64_t access_limit);
void recording_stop(struct recording *recording);

/* Advice on the run that was taken, a report for each GPU of the request, whose source is not looked at.
 * Where there can be none each report says why; advise_free is due. */
void recording_advise(struct recording *recording, const struct advise_request *request,
                      struct advice_report *reports);

#endif
