/* time_range.h - how far a measured time may be from the modelled one: the range that 80 % of comparable measured
 * launches fell into, and how often two launches were in the order that their modelled times have.
 *
 * The figures are those of time_ranges.def, which tools/time_ranges.py makes of measurements (docs/model.md, 12.21): by the
 * generation of the GPU, what held the launch up, and whether it is short. Of a generation of which nothing was measured
 * there is no range.
 */
#ifndef WARPLENS_RESULT_TIME_RANGE_H
#define WARPLENS_RESULT_TIME_RANGE_H

#include "result/result.h"

struct text;

enum { TIME_RANGE_PERCENT = 80, TIME_RANGE_SHORT_BELOW_NS = 10000 };

/* By the modelled time: under 10 us, and from there on. */
enum time_range_length { TIME_RANGE_SHORT, TIME_RANGE_LONG, TIME_RANGE_ANY_LENGTH };

/* Launches that are alike, and how far their measured times were from the modelled ones. */
struct time_range_cell {
    const char *family; /* generation of the GPU; NULL: all that were measured */
    int limiter;        /* enum resource; USE_COUNT: any; USE_COUNT + 1: all that have no cell */
    enum time_range_length length;
    double low, high; /* measured over modelled: low <= 1 <= high */
    uint32_t launches, kinds;
};
extern const struct time_range_cell time_range_cells[];
extern const size_t time_range_cell_count;

/* Pairs of related launches by how far their modelled times are apart. */
struct time_order {
    const char *family;
    double least, below; /* the longer over the shorter, modelled; `below` may be INFINITY */
    double in_order;     /* share of the pairs whose measured times had the same order, 0 to 1 */
    uint32_t pairs, kinds;
};
extern const struct time_order time_orders[];
extern const size_t time_order_count;

/* Why there is no range; TIME_RANGE_KNOWN: there is one. */
enum time_range_state {
    TIME_RANGE_UNTIMED, /* nothing was modelled in time: there is nothing to say */
    TIME_RANGE_KNOWN,
    TIME_RANGE_NO_FAMILY,     /* no time of that generation was measured */
    TIME_RANGE_CHANGED,       /* the GPU has values of its own */
    TIME_RANGE_PAGE_FAULTS,   /* no launch that waits for pages was measured */
    TIME_RANGE_MANY_LAUNCHES, /* more than a result keeps one by one */
    TIME_RANGE_STATES
};

struct time_range {
    enum time_range_state state;
    double low_ns, high_ns;             /* TIME_RANGE_KNOWN: whole numbers */
    const struct time_range_cell *cell; /* of one launch; NULL: added up */
    const char *family;                 /* the GPU's generation */
    uint64_t launches;                  /* that it is added up from */
};

/* Of a name the generation's own text, as ranges have it; NULL: nothing was measured of it. */
const char *time_range_family(const char *name);

/* How many times of a generation are known. */
uint32_t time_range_family_launches(const char *family);

/* The first cell that fits; NULL: nothing was measured of that generation. */
const struct time_range_cell *time_range_find(const char *family, enum resource limiter,
                                              enum time_range_length length);
enum time_range_length time_range_length_of(uint64_t ns);

/* Of a whole run: of several launches the sum of their ranges. With a sample, wider by what it may be off. */
struct time_range time_range_of(const struct result *r);
/* Of one of its launches, by its counters. */
struct time_range time_range_of_launch(const struct result *r, const struct counters *launch);

/* What the launches of a range's cell are like: "Hopper, latency, under 10 us", "all families, 31 of Tesla". */
void time_range_add_cell(const struct time_range *range, struct text *t);
/* "few_launches" ... for data; in words that follow "unknown: ". */
const char *time_range_state_name(enum time_range_state state);
void time_range_add_reason(const struct time_range *range, struct text *t);

/* Whether there are two ranges that have times in common. */
bool time_ranges_overlap(const struct time_range *a, const struct time_range *b);

/* Of a generation, for the longer modelled time over the shorter one; NULL: no pairs were measured. */
const struct time_order *time_order_find(const char *family, double ratio);

#endif
