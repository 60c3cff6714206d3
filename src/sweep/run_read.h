/* run_read.h - the runs of a line -> the entries of a comparison. */
#ifndef WARPLENS_SWEEP_RUN_READ_H
#define WARPLENS_SWEEP_RUN_READ_H

#include "report/report.h"
#include "sweep/line.h"

/* Entries, owned. */
struct sweep_entries {
    struct report_entry *entries;
    size_t count, room;
};

/* Adds the runs of a line. False with `message` set; the entries are the caller's to free. */
bool run_read_all(struct sweep_entries *entries, const struct sweep_line *line,
                  char message[SWEEP_MESSAGE_BYTES]);

#endif
