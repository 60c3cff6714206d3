/* limit.h - a limit on a quantity, as people write it, and whether a run meets it.
 *
 *   [PLACE:]FIGURE[@GPU]=VALUE
 *
 * FIGURE: a counter, a ratio, a profiler's counter, or faults or a kind of them (stream/faults.def). PLACE: FILE:LINE, "array NAME" or "kernel NAME";
 * without one the whole run is held to it. GPU: the limit is for that one alone. No quantity's name holds a
 * colon, an @ or an =, so that what is in front of the last colon is the place, whatever it holds. */
#ifndef WARPLENS_GATE_LIMIT_H
#define WARPLENS_GATE_LIMIT_H

#include "sim/counters/quantity.h"
#include "sweep/sheet.h"

enum limit_place { LIMIT_WHOLE, LIMIT_LINE, LIMIT_ARRAY, LIMIT_KERNEL };
enum { LIMIT_NAME_BYTES = 256, LIMIT_MESSAGE_BYTES = 768, LIMIT_TEXT_BYTES = 640 };

struct limit {
    bool is_least; /* VALUE is the least that is allowed; or else the most */
    enum limit_place place;
    char name[LIMIT_NAME_BYTES]; /* of the place: a line's file, an array, a kernel */
    uint32_t line;
    char quantity[128];
    char gpu[64]; /* "": all */
    double bound;
    /* Of a baseline: what it had, and how many percent worse is allowed. */
    bool is_baseline;
    double baseline, tolerance_percent;
};

/* False with `message` set. The quantity must be one of some GPU. */
bool limit_read(struct limit *limit, const char *text, bool is_least,
                char message[LIMIT_MESSAGE_BYTES]);

/* Whether it is on faults: all of them, or of one kind: *kind, or else FAULT_KINDS. */
bool limit_is_of_faults(const struct limit *limit, enum fault_kind *kind);

/* Whether it is for runs on that GPU. */
bool limit_is_for(const struct limit *limit, const char *gpu);

/* LIMIT_NOTED: worse than a baseline whose figure is shown and not held: it fails nothing. */
enum limit_status { LIMIT_MET, LIMIT_BROKEN, LIMIT_NO_VALUE, LIMIT_NOTED };

/* What a limit said of a run. */
struct outcome {
    const struct limit *limit;
    const struct sheet *sheet;
    enum limit_status status;
    double value; /* unless it has none */
    const char *unit;
    char message[LIMIT_MESSAGE_BYTES]; /* why there is no value; "" */
};
struct outcome limit_check(const struct limit *limit, const struct sheet *sheet);

/* The line of the source whose value is the furthest on the wrong side, for the counters that have a part
 * in a line: NULL when none has a value, or the quantity is one whose lines do not make it. */
const struct sheet_part *limit_worst_line(const struct limit *limit, const struct sheet *sheet,
                                          double *value);

/* "array tile:shared_load_conflicts@h200"; "at least 80", "at most 1050 (1000 and 5 %)". */
const char *limit_subject(const struct limit *limit, char text[LIMIT_TEXT_BYTES]);
const char *limit_wanted(const struct limit *limit, char text[LIMIT_TEXT_BYTES]);
/* "12.5 %", "33 passes"; "no value". */
const char *limit_seen(const struct outcome *outcome, char text[LIMIT_TEXT_BYTES]);

#endif
