/* advise.h - what would make a run's memory accesses cheaper, found by trying it.
 *
 * A run is taken from its source once. Causes of waste are recognised in its addresses (causes.h); for
 * each one changes are made to the addresses, or to the order of the blocks, and the changed run goes
 * through the same rules and the same model of time. What is called a saving was measured in that way;
 * what cannot be tried is named without a figure.
 */
#ifndef WARPLENS_ADVISE_ADVISE_H
#define WARPLENS_ADVISE_ADVISE_H

#include <stdio.h>

#include "session/session.h"

enum {
    ADVICE_MAX = 24,
    ADVICE_TEXT_BYTES = 384,
    ADVICE_ARRAYS_MAX = 8,
    ADVICE_NAME_BYTES = 64,
    ADVICE_ROUNDS_MAX = 3,
    ADVISE_MESSAGE_BYTES = 512
};

/* One change. Texts are plain sentences, without a full stop at the end. */
struct advice {
    const char *cause;  /* the cause's name: "struct", "bank-conflicts", ... */
    const char *title;  /* in a few words */
    const char *remedy; /* the kind of change, a word: "split", "pad", ... */
    char arrays[ADVICE_ARRAYS_MAX][ADVICE_NAME_BYTES]; /* that are changed; the first ones */
    size_t array_count;                                /* 0: the order of the blocks */
    char line[ADVICE_NAME_BYTES];                      /* the first one, "mm.cu:7"; "": unknown */
    char where[ADVICE_TEXT_BYTES];                     /* arrays and all lines */
    char why[ADVICE_TEXT_BYTES];                       /* what was seen, with figures */
    char change[ADVICE_TEXT_BYTES];                    /* what to write instead */
    char cost[ADVICE_TEXT_BYTES];                      /* "" when there is none */
    uint32_t round;      /* 0: of the run as it is; n: with the best of the n rounds before */
    bool is_alternative; /* to the one before it that is none */
    struct counters before, after;
    int64_t shared_bytes_more; /* a block */
    int64_t global_bytes_more;
};

/* A cause for which nothing was re-run. */
struct advice_untried {
    const char *cause;
    char text[ADVICE_TEXT_BYTES];
};

/* Under one GPU. Best first within a round; rounds in their order. Where there is a refusal there is
 * nothing else. */
struct advice_report {
    const struct gpu_model *gpu;
    struct run_info *info; /* the run's; a reference */
    struct result result;  /* of the run as it is */
    struct advice *advice;
    size_t advice_count;
    struct advice_untried *untried;
    size_t untried_count;
    uint64_t blocks_left_out; /* not re-run: the trace is too long */
    uint64_t runs;            /* of the changed program, rules alone and with time */
    char refusal
        [ADVISE_MESSAGE_BYTES]; /* ""; why there is no advice: of record.h, or no launch was complete */
};

struct advise_request {
    struct trace_source source;
    const struct session_gpu *gpus;
    size_t gpu_count;
    int64_t registers_per_thread; /* 0: unknown */
    bool cold_launches;           /* as in struct session_request */
};

/* Fills a report for each GPU. NULL, and advise_free is due; or what went wrong, in `message`, and there is
 * nothing to free. */
const char *advise_run(const struct advise_request *request, struct advice_report *reports,
                       char message[ADVISE_MESSAGE_BYTES]);
void advise_free(struct advice_report *reports, size_t count);

/* The same of a run that a spool has taken already; the request's source is not looked at. */
struct spool;
const char *advise_spooled(struct spool *spool, const struct advise_request *request,
                           struct advice_report *reports, char message[ADVISE_MESSAGE_BYTES]);

/* The part of the time, 0 to 1, that a change saves; below 0 it costs time. */
double advice_time_saved(const struct advice *advice);

/* Whether that part is one that is worth a figure; otherwise the change saves accesses alone. */
bool advice_saves_time(const struct advice *advice);

/* Whether the model of time has no preference between two remedies of one cause. */
bool advice_is_about_equal(const struct advice *a, const struct advice *b);

/* What the rules count, as one figure for comparisons: transactions, sectors, and passes. */
uint64_t advice_rule_cost(const struct counters *c);

void advise_write_text(const struct advice_report *reports, size_t count, FILE *out);
void advise_write_json(const struct advice_report *reports, size_t count, FILE *out);

#endif
