/* step_store.h - where the steps of resident warps are kept: chunks of bytes, a fixed amount of them in memory and the rest in a
 * temporary file, so that memory does not grow with the length of a trace; and the shapes of their accesses.
 */
#ifndef WARPLENS_SIM_TIME_STEP_STORE_H
#define WARPLENS_SIM_TIME_STEP_STORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "sim/time/step_shapes.h"

enum { STEP_CHUNK_BYTES = 1024 };

struct step_chunk {
    uint32_t next; /* the warp's next chunk, or STEP_NO_CHUNK */
    uint32_t used; /* bytes of data */
    uint8_t data[STEP_CHUNK_BYTES - 8];
};
#define STEP_NO_CHUNK UINT32_MAX

struct step_store {
    struct step_chunk *chunks; /* those in memory: numbers below memory_limit */
    uint32_t memory_limit;     /* chunks */
    uint32_t chunk_count;      /* handed out at some time, in memory and in the file */
    uint32_t *free;            /* chunk numbers to use again; a stack */
    uint32_t free_count, free_room;
    struct step_shapes shapes;
    atomic_uint block_count;     /* that are not freed */
    FILE *file;                  /* chunk n at (n - memory_limit) * STEP_CHUNK_BYTES */
    pthread_mutex_t mutex;       /* for the free chunks and the file */
    _Atomic(const char *) error; /* NULL, or what went wrong */
};

/* A store that keeps at most `memory_bytes` of steps in memory. */
void step_store_init(struct step_store *store, size_t memory_bytes);
void step_store_free(struct step_store *store);

/* NULL, or what went wrong; valid as long as the program runs. */
static inline const char *step_store_error(const struct step_store *store)
{
    return atomic_load_explicit(&store->error, memory_order_relaxed);
}

/* Makes room for its chunks and shapes, once. False, with an error, when memory is short. */
bool step_store_start(struct step_store *store);
/* The number of a chunk that is free. */
uint32_t step_chunk_take(struct step_store *store);
/* What a chunk of that number is filled in; NULL, with an error, when memory is short. */
struct step_chunk *step_chunk_begin(struct step_store *store, uint32_t number);
/* Puts a chunk that is filled where it belongs. */
void step_chunk_finish(struct step_store *store, uint32_t number, struct step_chunk *chunk);
/* A chunk that is finished: in memory, or in `buffer`. */
const struct step_chunk *step_chunk_read(struct step_store *store, uint32_t number,
                                         struct step_chunk *buffer);
/* Frees a chain of chunks; STEP_NO_CHUNK is an empty one. */
void step_chunks_give(struct step_store *store, uint32_t first);

#endif
