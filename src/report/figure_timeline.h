/* figure_timeline.h - one block's warps over time, as a picture. */
#ifndef WARPLENS_REPORT_FIGURE_TIMELINE_H
#define WARPLENS_REPORT_FIGURE_TIMELINE_H

#include "result/result.h"
#include "svg/svg.h"

/* Of a run that was asked for a timeline (session_request.timeline); of others a picture that says that
 * there is none. */
void figure_timeline(const struct result *r, enum svg_place place, FILE *out);

#endif
