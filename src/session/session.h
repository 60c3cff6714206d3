/* session.h - takes a run from its source once and judges it under several GPUs, each on a thread of
 * its own. Sessions of different threads do not meet. */
#ifndef WARPLENS_SESSION_SESSION_H
#define WARPLENS_SESSION_SESSION_H

#include "result/result.h"

struct session_gpu {
    const struct gpu_model *model;
    struct arch arch; /* the model's values, with the changes that were asked for */
};

enum { SESSION_GPUS_MAX = 64 };

struct session_request {
    struct trace_source source;
    const char
        *label; /* for comparisons: the kernel's name and what tells it apart; NULL: the name.
                          The results point to it */
    const struct session_gpu *gpus;
    size_t gpu_count;               /* at most SESSION_GPUS_MAX where it is observed */
    int64_t registers_per_thread;   /* 0: unknown */
    uint32_t block_count;           /* the first blocks, which get partition rows of their own */
    bool rules_only;                /* no caches, no time: about a third faster */
    bool samples;                   /* some blocks of long launches alone are modelled in time */
    bool timeline;                  /* of one block of the first launch: result.timeline */
    const uint32_t *timeline_block; /* NULL: the first block of the second wave, or block 0 */
    bool cold_launches; /* caches are emptied before each launch: ncu --cache-control all */
    bool observes;      /* session_run: also fills info->observed */
    bool keeps_sites;   /* result.sites: a kilobyte a site and GPU */
    uint32_t
        processors; /* to keep busy. 1: all of it by the caller's thread; more than there are GPUs: two threads
                            a GPU; 0 or others: one a GPU. Results do not depend on it */
};

/* Fills one result for each GPU, for results_free. A launch that a fault has stopped is in none of their counters; when
 * it was the first, their total.launches is 0. NULL, or the message of what went wrong (valid until the thread's next
 * session), and then there is nothing to free. */
const char *session_run(const struct session_request *request, struct result *results);

enum { SESSION_MESSAGE_BYTES = 512 };

/* The same for those who have no source but hand over the run themselves: *sink takes it. The request,
 * whose source is not looked at, and the results must outlive the session. NULL, and then `message`
 * says why. */
struct session *session_open(const struct session_request *request, struct result *results,
                             struct trace_sink *sink, char message[SESSION_MESSAGE_BYTES]);

/* Ends the session, whatever it has been given, and fills the results. `error`: NULL, or what is wrong
 * with the run. NULL; or `error`, or `message` when the session itself has failed, and then the results
 * hold nothing. */
const char *session_close(struct session *session, const char *error,
                          char message[SESSION_MESSAGE_BYTES]);

#endif
