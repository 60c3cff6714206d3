/* request_queue.h - requests of the SMs on their way to the memory behind them, in the order in which they left.
 *
 * Nobody can need an answer before the time has passed that the way there and back takes at least. So requests
 * wait here, and are answered one after another in their order: by the thread of the SMs when it needs what they
 * say, or by a thread of their own beside it. The answers are the same, whoever gives them.
 *
 * The SMs' time is cut into quanta, a quarter of that least way each (sim_loads.c says why). What was asked in a quantum
 * is answered when the next one ends; the earliest of those answers is still to come then.
 *
 * An answer goes where the request says. The SMs' thread may look there when the request's number is known.
 */
#ifndef WARPLENS_SIM_TIME_REQUEST_QUEUE_H
#define WARPLENS_SIM_TIME_REQUEST_QUEUE_H

#include <pthread.h>
#include <stdatomic.h>

#include "sim/time/gpc_merge.h"
#include "sim/time/memsys.h"

enum { REQUESTS_KEPT = 4096 }; /* asked and not answered, at most; a power of two */

enum request_kind {
    REQUEST_LOAD,
    REQUEST_STORE,
    REQUEST_ATOMIC,
    REQUEST_WAITS, /* for a line that is on its way: its data is there at `leaves` or, if later, at *fill */
};

/* One computer's cache line. */
struct queued_request {
    _Alignas(64) struct memsys_request request;
    uint64_t leaves; /* ticks: the SM */
    uint64_t *place; /* gets the answer, in ticks; NULL: nobody asks */
    uint64_t *load;  /* the same, and the latest of several requests; NULL */
    struct gpc_merge
        *gpc; /* of a load: others of the GPC may have asked for it already; NULL: none can have */
    uint32_t *fill;            /* the same in whole cycles, modulo 2^32; NULL */
    struct memsys_lanes lanes; /* of an atomic */
    uint8_t kind;              /* enum request_kind */
    bool first;                /* of those of `load` */
    bool joins;                /* *fill stays when it is later */
};
_Static_assert(sizeof(struct queued_request) == 64, "a request is one cache line");

/* What one thread writes lies in other cache lines than what the other one reads: 1.3 times as fast. */
struct request_queue {
    _Alignas(64) struct memsys *memory;
    struct queued_request *ring; /* REQUESTS_KEPT */
    /* Of the SMs' thread: requests asked, answered as far as it knows, asked before this
     * quantum began. */
    _Alignas(64) uint64_t asked, known, before_this;
    uint64_t
        latest;   /* what the request answered last gave its load; where all are answered at once */
    bool at_once; /* every request is answered when it is asked */
    /* Between the threads. */
    _Alignas(64) _Atomic uint64_t given, answered;
    bool has_thread, ends, serves; /* serves: one of the threads is answering */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
};

/* A queue that answers at once. False when memory is short. */
bool request_queue_init(struct request_queue *queue, struct memsys *memory);
void request_queue_free(struct request_queue *queue);

/* A thread answers from now on, beside the SMs'. Where none can be had, theirs does. */
void request_queue_start_thread(struct request_queue *queue);

/* The next request, for the caller to fill in; then request_queue_ask. */
struct queued_request *request_queue_next(struct request_queue *queue);

/* Asks it; its number, from 1 on. */
uint64_t request_queue_ask(struct request_queue *queue);

/* Until request `number` and those before it are answered. */
void request_queue_wait(struct request_queue *queue, uint64_t number);

/* Ends a quantum. All that was asked before it began is answered then. */
void request_queue_end_quantum(struct request_queue *queue);

/* Whether the answer to a request, given by its number modulo 2^32, is there. */
static inline bool request_queue_knows(const struct request_queue *queue, uint32_t number)
{
    return (uint32_t)queue->asked - number >= (uint32_t)(queue->asked - queue->known);
}

/* When a line whose fill arrives in `cycle`, modulo 2^32, is there, at `now` or later. */
static inline uint64_t request_fill_arrives(uint32_t cycle, uint64_t now)
{
    const int32_t wait = (int32_t)(cycle - (uint32_t)(now >> TICKS_LOG2));
    return wait > 0 ? ((now >> TICKS_LOG2) + (uint32_t)wait) << TICKS_LOG2 : now;
}

#endif
