/* request_queue.c - a ring between two threads. One of them answers at a time: who needs an answer does it
 * itself, unless the other one is at it. */
#include "sim/time/request_queue.h"

#include <stdlib.h>
#include <string.h>

#include "sim/rules/sectors.h"

/* The thread is woken for so many requests; for fewer, answering them costs less than waking it. */
enum { WAKE_AT = 128 };

bool request_queue_init(struct request_queue *queue, struct memsys *memory)
{
    memset(queue, 0, sizeof *queue);
    queue->memory = memory;
    queue->at_once = true;
    queue->ring = aligned_alloc(64, REQUESTS_KEPT * sizeof *queue->ring);
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->changed, NULL);
    return queue->ring != NULL;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* A load, which may share the answer that another SM of the GPC is waiting for. */
static uint64_t load(struct memsys *memory, const struct queued_request *q)
{
    const struct memsys_request *r = &q->request;
    uint64_t done;
    if (q->gpc == NULL)
        return memsys_load(memory, r, q->leaves);
    if (gpc_merge_join(q->gpc, r->line, r->sectors, q->leaves, &done)) {
        judge_site(memory->judge, r->site)->gpc_merged_sectors += sectors_count(r->sectors);
        return done;
    }
    done = memsys_load(memory, r, q->leaves);
    gpc_merge_note(q->gpc, r->line, r->sectors, q->leaves, done,
                   memsys_after_first(memory, r->sectors));
    return done;
}

static uint64_t ask_memory(struct memsys *memory, const struct queued_request *q)
{
    switch ((enum request_kind)q->kind) {
    case REQUEST_LOAD:
        return load(memory, q);
    case REQUEST_STORE:
        return memsys_store(memory, &q->request, q->leaves);
    case REQUEST_ATOMIC:
        return memsys_atomic(memory, &q->request, &q->lanes, q->leaves);
    case REQUEST_WAITS:
        break;
    }
    return request_fill_arrives(*q->fill, q->leaves);
}

/* Notes that the line arrives at `at`; when all of its sectors are there. */
static uint64_t note_fill(const struct queued_request *q, uint64_t at)
{
    const uint32_t cycle = (uint32_t)((at + TICKS_PER_CYCLE - 1) >> TICKS_LOG2);
    if (!q->joins || (int32_t)(*q->fill - cycle) <= 0)
        *q->fill = cycle;
    return request_fill_arrives(*q->fill, at);
}

/* What its load gets. */
static uint64_t answer(struct memsys *memory, const struct queued_request *q)
{
    uint64_t at = ask_memory(memory, q);
    if (q->place)
        *q->place = at;
    if (q->fill && q->kind != REQUEST_WAITS)
        at = note_fill(q, at);
    if (q->load)
        *q->load = q->first ? at : ticks_later(*q->load, at);
    return at;
}

/* What a request will look at lies all over this computer's memory: it is fetched while others are answered. */
enum { SETS_AHEAD = 8 };

static void fetch_sets(const struct memsys *memory, uint32_t line)
{
    if (!memory->has_l2)
        return;
    const uint32_t set = cache_set(&memory->l2[0], line); /* the sides are alike */
    for (uint32_t side = 0; side < memory->sides; side++)
        cache_prefetch_set(&memory->l2[side], set);
}

static void answer_until(struct request_queue *queue, uint64_t number)
{
    struct memsys *memory = queue->memory;
    const struct queued_request *ring = queue->ring;
    uint64_t i = atomic_load_explicit(&queue->answered, memory_order_acquire);
    for (; i < number; i++) {
        if (i + SETS_AHEAD < number)
            fetch_sets(memory, ring[(i + SETS_AHEAD) % REQUESTS_KEPT].request.line);
        answer(memory, &ring[i % REQUESTS_KEPT]);
    }
    atomic_store_explicit(&queue->answered, i, memory_order_release);
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Answers all that is given while nobody else does, the mutex let go meanwhile. */
static void serve(struct request_queue *queue, uint64_t number)
{
    queue->serves = true;
    pthread_mutex_unlock(&queue->mutex);
    answer_until(queue, number);
    pthread_mutex_lock(&queue->mutex);
    queue->serves = false;
    pthread_cond_broadcast(&queue->changed);
}

static void *work(void *context)
{
    struct request_queue *queue = context;
    pthread_mutex_lock(&queue->mutex);
    while (!queue->ends) {
        const uint64_t given = queue->given;
        if (queue->serves || given < queue->answered + WAKE_AT)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        else
            serve(queue, given);
    }
    pthread_mutex_unlock(&queue->mutex);
    return NULL;
}

void request_queue_start_thread(struct request_queue *queue)
{
    queue->has_thread = pthread_create(&queue->thread, NULL, work, queue) == 0;
}

void request_queue_free(struct request_queue *queue)
{
    if (queue->ring == NULL)
        return;
    if (queue->has_thread) {
        pthread_mutex_lock(&queue->mutex);
        queue->ends = true;
        pthread_cond_broadcast(&queue->changed);
        pthread_mutex_unlock(&queue->mutex);
        pthread_join(queue->thread, NULL);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->mutex);
    free(queue->ring);
    queue->ring = NULL;
}

/* ---- The SMs' side --------------------------------------------------------------------------- */

void request_queue_wait(struct request_queue *queue, uint64_t number)
{
    if (number <= queue->known)
        return;
    queue->known = atomic_load_explicit(&queue->answered, memory_order_acquire);
    if (number <= queue->known)
        return;
    if (!queue->has_thread) {
        answer_until(queue, number);
        queue->known = number;
        return;
    }
    pthread_mutex_lock(&queue->mutex);
    while (queue->answered < number)
        if (queue->serves)
            pthread_cond_wait(&queue->changed, &queue->mutex);
        else
            serve(queue, number);
    queue->known = queue->answered;
    pthread_mutex_unlock(&queue->mutex);
}

struct queued_request *request_queue_next(struct request_queue *queue)
{
    if (queue->asked - queue->known == REQUESTS_KEPT)
        request_queue_wait(queue, queue->asked - REQUESTS_KEPT / 2);
    return &queue->ring[queue->asked % REQUESTS_KEPT];
}

uint64_t request_queue_ask(struct request_queue *queue)
{
    queue->asked++;
    if (!queue->at_once)
        return queue->asked;
    request_queue_wait(queue, queue->asked - 1);
    queue->latest = answer(queue->memory, &queue->ring[(queue->asked - 1) % REQUESTS_KEPT]);
    queue->known = queue->asked;
    atomic_store_explicit(&queue->answered, queue->asked, memory_order_release);
    return queue->asked;
}

void request_queue_end_quantum(struct request_queue *queue)
{
    request_queue_wait(queue, queue->before_this);
    queue->before_this = queue->asked;
    if (!queue->has_thread || queue->asked - queue->known < WAKE_AT)
        return;
    pthread_mutex_lock(&queue->mutex);
    queue->given = queue->asked;
    if (!queue->serves)
        pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->mutex);
}
