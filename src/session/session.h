/* session.h - takes a run from its source once and judges it under several GPUs, each on a thread of
 * its own. */
#ifndef WARPLENS_SESSION_SESSION_H
#define WARPLENS_SESSION_SESSION_H

#include "session/result.h"

struct session_gpu {
    const struct gpu_model *model;
    struct arch arch; /* the model's values, with the changes that were asked for */
};

struct session_request {
    struct trace_source source;
    const char
        *label; /* for comparisons: the kernel's name and what tells it apart; NULL: the name.
                          The results point to it */
    const struct session_gpu *gpus;
    size_t gpu_count;
    int64_t registers_per_thread; /* 0: unknown */
    uint32_t block_count;         /* the first blocks, which get partition rows of their own */
    bool rules_only;              /* no caches, no time: about a third faster */
    bool cold_launches; /* L2 empty before each launch, as Nsight Compute has it by default */
};

/* Fills one result for each GPU. NULL, or the message of what went wrong (valid until the next
 * session), and then there is nothing to free. */
const char *session_run(const struct session_request *request, struct result *results);

void session_free(struct result *results, size_t count);

#endif
