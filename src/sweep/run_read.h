/* run_read.h - the runs of a line -> the entries of a comparison. */
#ifndef WARPLENS_SWEEP_RUN_READ_H
#define WARPLENS_SWEEP_RUN_READ_H

#include "report/report.h"
#include "sweep/json_read.h"
#include "sweep/line.h"

/* Entries, owned. */
struct sweep_entries {
    struct report_entry *entries;
    size_t count, room;
};

/* Adds the runs of a line. False with `message` set; the entries are the caller's to free. */
bool run_read_all(struct sweep_entries *entries, const struct sweep_line *line,
                  char message[SWEEP_MESSAGE_BYTES]);

/* One value of a run, of what an entry holds; others are passed over. False when it is not what a report
 * has there, or was there before. */
bool run_read_member(struct json_reader *reader, struct report_entry *entry, const char *name);
/* Whether an entry has all that each run has. */
bool run_read_is_whole(const struct report_entry *entry);
/* {"name":value,...}; the others stay as they are. */
bool run_read_counters(struct json_reader *reader, struct counters *c);

#endif
