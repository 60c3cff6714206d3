/* check.h - a sink that looks for what silently ruins results: a stream that no GPU could have made, or
 * that its maker has lost parts of. It keeps on looking after it has found something.
 */
#ifndef WARPLENS_TRACE_IO_CHECK_H
#define WARPLENS_TRACE_IO_CHECK_H

#include "stream/stream.h"

enum check_severity {
    CHECK_ERROR,   /* results are wrong */
    CHECK_WARNING, /* results may be wrong */
};

struct check_finding {
    const char *name;
    enum check_severity severity;
    const char *meaning; /* what it does to results, and what to do */
    uint64_t count;
    uint64_t first_step; /* the first one: number of the access or event, from 1 */
    uint64_t first_line; /* and of the file's line; 0: it has none */
    char first[160];     /* what it is */
};

struct check;

/* `line`: the number of the line that the reader is in; must outlive the check. NULL: no memory. */
struct check *check_new(const uint64_t *line);
void check_free(struct check *check);
struct trace_sink check_sink(struct check *check);

/* All kinds of findings, those with a count of 0 as well; *count is set. */
const struct check_finding *check_findings(const struct check *check, size_t *count);
uint64_t check_steps(const struct check *check);

#endif
