/* crew.c - a ring of pieces of work, one mutex; threads wait for a piece, the session for room.
 *
 * A piece is a block, thousands of steps: what the mutex costs does not show. */
#include "session/crew.h"

#include <pthread.h>
#include <stdlib.h>

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
    uint64_t given; /* pieces */
    bool ends, failed;
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
        struct piece piece = crew->ring[member->done % CREW_AHEAD_MAX];
        pthread_mutex_unlock(&crew->mutex);
        bool fine = do_piece(member, &piece);
        pthread_mutex_lock(&crew->mutex);
        member->done++;
        crew->failed |= !fine;
        pthread_cond_signal(&crew->progress);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

struct crew *crew_new(struct gpu_run *runs, size_t count)
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
        member->has_thread = pthread_create(&member->thread, NULL, work, member) == 0;
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
static void do_for_others(struct crew *crew, const struct piece *piece)
{
    for (size_t i = 0; i < crew->count; i++)
        if (!crew->members[i].has_thread)
            crew->failed |= !do_piece(&crew->members[i], piece);
}

bool crew_run_block(struct crew *crew, struct step_block *block, size_t site_count,
                    uint64_t shared_bytes)
{
    const struct piece piece = {block, site_count, shared_bytes};
    for (size_t i = 1; i < crew->count; i++)
        step_block_hold(block);
    pthread_mutex_lock(&crew->mutex);
    while (crew->given >= CREW_AHEAD_MAX && !all_have_done(crew, crew->given - CREW_AHEAD_MAX + 1))
        pthread_cond_wait(&crew->progress, &crew->mutex);
    crew->ring[crew->given++ % CREW_AHEAD_MAX] = piece;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->mutex);
    do_for_others(crew, &piece);
    pthread_mutex_lock(&crew->mutex);
    bool fine = !crew->failed;
    pthread_mutex_unlock(&crew->mutex);
    return fine;
}

bool crew_wait(struct crew *crew)
{
    pthread_mutex_lock(&crew->mutex);
    while (!all_have_done(crew, crew->given))
        pthread_cond_wait(&crew->progress, &crew->mutex);
    bool fine = !crew->failed;
    pthread_mutex_unlock(&crew->mutex);
    return fine;
}
