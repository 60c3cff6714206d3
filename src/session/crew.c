/* crew.c - a ring of pieces of work, one mutex; threads wait for pieces, the session for room.
 *
 * A piece can be as small as a block of one warp: threads are woken for WAKE_AT of them and take as many at
 * once, and the session is woken when it waits (2.1 times the rate of a copy with
 * blocks of 256 threads, against a signal for each piece). */
#include "session/crew.h"

#include <pthread.h>
#include <stdlib.h>

enum { WAKE_AT = CREW_AHEAD_MAX / 4 };

struct piece {
    struct step_block *block;
    size_t site_count;
    uint64_t shared_bytes;
};

struct member {
    struct crew *crew;
    struct gpu_run *run;
    uint64_t done; /* pieces */
    bool failed, has_thread;
    pthread_t thread;
};

struct crew {
    pthread_mutex_t mutex;
    pthread_cond_t work, progress; /* there is more to do; a member has done something */
    struct piece ring[CREW_AHEAD_MAX];
    uint64_t given;           /* pieces */
    bool ends, failed, waits; /* waits: the session does */
    size_t count;
    struct member members[];
};

static bool do_piece(struct member *member, const struct piece *piece)
{
    if (!member->failed)
        member->failed =
            !gpu_run_block(member->run, piece->block, piece->site_count, piece->shared_bytes);
    step_block_release(piece->block);
    return !member->failed;
}

/* Pieces [member->done, end), which stay in the ring until they are done. */
static bool do_pieces(struct member *member, uint64_t end)
{
    bool fine = true;
    for (uint64_t i = member->done; i < end; i++)
        fine &= do_piece(member, &member->crew->ring[i % CREW_AHEAD_MAX]);
    return fine;
}

static void *work(void *context)
{
    struct member *member = context;
    struct crew *crew = member->crew;
    pthread_mutex_lock(&crew->mutex);
    while (true) {
        while (member->done == crew->given && !crew->ends)
            pthread_cond_wait(&crew->work, &crew->mutex);
        if (member->done == crew->given)
            break;
        uint64_t left = crew->given - member->done;
        uint64_t end = member->done + (left < WAKE_AT ? left : WAKE_AT);
        pthread_mutex_unlock(&crew->mutex);
        bool fine = do_pieces(member, end);
        pthread_mutex_lock(&crew->mutex);
        member->done = end;
        crew->failed |= !fine;
        if (crew->waits)
            pthread_cond_signal(&crew->progress);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

struct crew *crew_new(struct gpu_run *runs, size_t count, bool threads)
{
    struct crew *crew = calloc(1, sizeof *crew + count * sizeof crew->members[0]);
    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->progress, NULL);
    crew->count = count;
    for (size_t i = 0; i < count; i++) {
        struct member *member = &crew->members[i];
        member->crew = crew;
        member->run = &runs[i];
        member->has_thread = threads && pthread_create(&member->thread, NULL, work, member) == 0;
    }
    return crew;
}

void crew_free(struct crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->mutex);
    crew->ends = true;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->mutex);
    for (size_t i = 0; i < crew->count; i++)
        if (crew->members[i].has_thread)
            pthread_join(crew->members[i].thread, NULL);
    pthread_cond_destroy(&crew->progress);
    pthread_cond_destroy(&crew->work);
    pthread_mutex_destroy(&crew->mutex);
    free(crew);
}

/* All members with threads have done at least `pieces`. The mutex is held. */
static bool all_have_done(const struct crew *crew, uint64_t pieces)
{
    for (size_t i = 0; i < crew->count; i++)
        if (crew->members[i].has_thread && crew->members[i].done < pieces)
            return false;
    return true;
}

/* What members without a thread have to do is done here. */
static bool do_for_others(struct crew *crew, const struct piece *piece)
{
    bool fine = true;
    for (size_t i = 0; i < crew->count; i++)
        if (!crew->members[i].has_thread)
            fine &= do_piece(&crew->members[i], piece);
    return fine;
}

/* Until all have done `pieces`. The mutex is held. */
static void wait_for(struct crew *crew, uint64_t pieces)
{
    crew->waits = true;
    pthread_cond_broadcast(&crew->work);
    while (!all_have_done(crew, pieces))
        pthread_cond_wait(&crew->progress, &crew->mutex);
    crew->waits = false;
}

bool crew_run_block(struct crew *crew, struct step_block *block, size_t site_count,
                    uint64_t shared_bytes)
{
    const struct piece piece = {block, site_count, shared_bytes};
    for (size_t i = 1; i < crew->count; i++)
        step_block_hold(block);
    pthread_mutex_lock(&crew->mutex);
    if (crew->given >= CREW_AHEAD_MAX)
        wait_for(crew, crew->given - CREW_AHEAD_MAX + 1);
    crew->ring[crew->given++ % CREW_AHEAD_MAX] = piece;
    if (crew->given % WAKE_AT == 0)
        pthread_cond_broadcast(&crew->work);
    bool fine = !crew->failed;
    pthread_mutex_unlock(&crew->mutex);
    return do_for_others(crew, &piece) && fine;
}

bool crew_wait(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    wait_for(crew, crew->given);
    bool fine = !crew->failed;
    pthread_mutex_unlock(&crew->mutex);
    return fine;
}
