/* validate.h - measured launches beside the model's: which run each belongs to, and the errors of
 * each counter.
 *
 * In this order: the caller reads the measurements and gives each launch a group (its GPU);
 * validate_counters, validate_runs, workers_run, validate_join, validate_compare. Those that can fail
 * return 0, or 2 (bad input) or 70 (a bug of warplens) after putting one line into `message`.
 */
#ifndef WARPLENS_VALIDATE_VALIDATE_H
#define WARPLENS_VALIDATE_VALIDATE_H

#include "validate/measured.h"
#include "validate/summary.h"
#include "validate/workers.h"

enum { VALIDATE_MESSAGE_BYTES = 1024 };
#define VALIDATE_NONE ((size_t)-1)

/* A counter that is both measured and modelled on one GPU. */
struct compared_counter {
    uint32_t name;                           /* its number in the measurements */
    const struct profiler_counter *profiler; /* NULL: MEASURED_TIME */
    bool timed;                              /* it needs the caches or the model of time */
    bool is_time;                            /* --min-time applies */
    bool points;                             /* a percentage: errors are in points */
    bool lower_bound;                        /* the model counts what cannot be avoided */
    struct summary_pair *pairs;              /* owned */
    size_t *launches;                        /* owned; by pair: number of the measured launch */
    size_t pair_count;
    struct summary summary;
    size_t within; /* pairs within --within */
};

/* The measurements of one GPU. */
struct validate_group {
    const struct session_gpu *gpu;
    bool rules_only;                   /* no counter needs more */
    struct compared_counter *counters; /* owned; in the order of the measurements */
    size_t counter_count;
    size_t launch_count, kernel_count; /* compared */
    bool has_cold, has_warm; /* runs whose caches were emptied before each launch, or not */
    bool has_kernels;        /* of the gallery; otherwise all are programs and traces */
};

/* A launch of the model. */
struct launch_ref {
    const struct model_run *run;
    const struct result_launch *launch;
};

/* What belongs to a measured launch. */
struct joined_launch {
    size_t group;                  /* VALIDATE_NONE: left out */
    size_t run;                    /* tidy files: number of its run */
    const struct launch_ref *refs; /* the launches that it is the average of */
    size_t ref_count;              /* 0: left out */
};

/* What the command line names to be run: a kernel of the gallery, or what only the opener knows. */
struct validate_operand {
    const struct gallery_kernel *kernel; /* NULL: a program or a trace */
    struct gallery_args args;
    const char *path;
};

/* --launch-skip: so many launches, of that kernel or of all, are in no file. */
struct validate_skip {
    const char *kernel; /* NULL: of all */
    uint64_t count;
};

struct validation {
    const struct measured *measured;
    struct validate_group *groups; /* the caller's; each with its gpu */
    size_t group_count;
    const struct validate_operand *operands;
    size_t operand_count;
    const char *arguments; /* of programs on the command line, between blanks */
    const struct validate_skip *skips;
    size_t skip_count;
    const char *const *places; /* folders and files in which the programs of files are */
    size_t place_count;
    const struct run_opener *opener;
    bool rules_only, cold_launches;
    double min_time_us;    /* 0: every launch counts */
    double within_percent; /* 0: not asked for */

    struct joined_launch *joined; /* owned; by measured launch */
    struct model_run *runs;       /* owned */
    size_t run_count, run_room;
    size_t *operand_runs; /* owned; by group and operand: number of the run */
    struct launch_ref *run_refs, *function_refs; /* owned */
    struct name_set run_keys;                    /* of the runs, by number */
    struct name_set not_modelled; /* counters that the files have and the model has not */
    struct name_set notes;        /* sentences about what was left out or is peculiar */
    struct name_set complaints; /* what is wrong with some runs of files; the others are compared */
    char message[VALIDATE_MESSAGE_BYTES];
};

/* Which counters can be compared on each GPU. */
int validate_counters(struct validation *v);
/* Which runs of the model are needed. */
int validate_runs(struct validation *v);
/* Finds the model's launches of each measured one; the runs are done. */
int validate_join(struct validation *v);
int validate_compare(struct validation *v);
/* Frees what is marked owned, groups' counters included. */
void validate_free(struct validation *v);

/* One counter of one launch; false: it was not measured there. */
bool validate_pair(const struct validation *v, size_t launch,
                   const struct compared_counter *counter, struct summary_pair *pair);
const char *validate_counter_name(const struct validation *v, const struct compared_counter *c);

/* "copy n=1024 block=256" of a measured launch. */
enum { VALIDATE_LABEL_BYTES = 256 };
const char *validate_label(const struct validation *v, size_t launch,
                           char label[VALIDATE_LABEL_BYTES]);
const char *validate_run_label(const struct model_run *run, char label[VALIDATE_LABEL_BYTES]);
/* The gallery's kernel, or the program as it is named. */
const char *validate_run_name(const struct model_run *run);
/* "n=1024 block=256" of a run; a program's arguments. */
const char *validate_params(const struct model_run *run, char params[VALIDATE_LABEL_BYTES]);

/* Puts a line into `message`. Returns 2. */
int validate_fail(struct validation *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Whether the file leaves open what ran. */
bool validate_needs_operand(const struct measured_launch *launch);

/* Adds a complaint. */
void validate_complain(struct validation *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds a note; the same one again is one. */
void validate_note(struct validation *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Names in a message: "a, b, ..." as far as there is room. */
struct name_list {
    char text[400];
    size_t used;
};
void name_list_add(struct name_list *list, const char *name);

#endif
