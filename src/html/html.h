/* html.h - results -> one page that needs nothing else: no network, no further files. */
#ifndef WARPLENS_HTML_HTML_H
#define WARPLENS_HTML_HTML_H

#include "report/report.h"

/* The same shape as the other reports'. Results must have been observed (session_request.observes).
 * With advice (report_options.advice) the page says what would help. */
void report_html(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out);

#endif
