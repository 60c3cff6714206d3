/* causes.h - the table of causes: each looks at a run and proposes changes, none of them tried yet. */
#ifndef WARPLENS_ADVISE_CAUSES_H
#define WARPLENS_ADVISE_CAUSES_H

#include "report/report.h"
#include "advise/advise.h"
#include "advise/change.h"

enum { CANDIDATES_MAX = 256, CANDIDATE_WORDS = 192 };

#define OBJECT_MARK "@" /* stands for the array's name in a candidate's words */

/* A change of one object, or of the order of blocks. Those of one remedy are variants of each other, of
 * which the first that costs least is kept for each object; what is kept of all objects makes one
 * change. */
struct candidate {
    const struct cause *cause;
    const char *remedy;
    uint16_t object;      /* NO_OBJECT: the order of blocks */
    struct array_map map; /* of the object */
    struct staging staging;
    struct block_order order;
    struct regrouping regrouping;
    bool is_alone; /* does not go together with other objects' candidates */
    bool
        needs_time; /* the rules alone do not tell whether it helps: all variants are run in time */
    bool must_save; /* needs_time: in time alone where the rules count no more than now */
    double least_saved; /* the part of the time for which it is worth its trouble; 0: as for all */
    uint32_t variant;   /* needs_time: those of different objects go together by this number */
    char why[CANDIDATE_WORDS * 2], change[CANDIDATE_WORDS * 2], cost[CANDIDATE_WORDS];
};

struct findings {
    const struct cause *cause; /* whose turn it is */
    const struct observed *observed;
    const struct result *result; /* of the same run, with time */
    bool has_order;              /* the run's blocks are in another order already, or others */
    bool has_warp_sums;          /* lanes of a warp have exchanged values: they stay together */
    bool is_whole;               /* all its blocks were kept */
    struct counters *by_object;  /* sums over the sites */
    struct candidate *candidates;
    size_t count;
    struct advice_untried *untried;
    size_t untried_count;
};

enum { UNTRIED_MAX = 32 };

struct cause {
    const char *name, *title;
    void (*find)(struct findings *f);
};

/* In the order in which equals are named. */
extern const struct cause cause_table[];
extern const size_t cause_count;

/* For the finders. A candidate with cause, remedy, object and its map's base and bytes set; NULL when there
 * are too many. */
struct candidate *findings_add(struct findings *f, const char *remedy, size_t object);
/* One that gives a kernel's work to other threads: a change of its own, to be run in time. `regrouping` says
 * how. */
struct candidate *findings_add_regrouping(struct findings *f, const char *remedy, size_t object,
                                          const struct kernel_seen *kernel,
                                          struct regrouping regrouping);
void findings_add_untried(struct findings *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The part of the run's time, 0 to 1, that the kernel's launches take. */
double findings_time_share(const struct findings *f, const struct kernel_seen *kernel);

/* The name of an object, or words where it has none. */
const char *findings_name(const struct object *object);

void find_interleaved(struct findings *f);
void find_bank_conflicts(struct findings *f);
void find_misaligned(struct findings *f);
void find_structs(struct findings *f);
void find_strides(struct findings *f);
void find_columns(struct findings *f);
void find_rows(struct findings *f);
void find_atomics(struct findings *f);
void find_managed(struct findings *f);
void find_camping(struct findings *f);
/* An array whose lanes lie far apart: its kernel's threads in other roles. */
void add_swaps(struct findings *f, size_t object);
void find_few_blocks(struct findings *f);
void find_small_blocks(struct findings *f);
void find_block_shape(struct findings *f);
void find_many_blocks(struct findings *f);
void find_tail(struct findings *f);
void find_vectors(struct findings *f);
void find_loads_alone(struct findings *f);
void find_divergent(struct findings *f);
void find_reuse(struct findings *f);
void find_occupancy(struct findings *f);
void find_scattered(struct findings *f);
void find_narrow(struct findings *f);

/* A count with thousands separators, as reports have it. */
#define FINDINGS_COUNT(count) report_number((count), (char[REPORT_NUMBER_BYTES]){0})

#endif
