/* step_store.c - chunks, and the file they overflow to. */
#include "sim/time/step_store.h"

#include <stdlib.h>
#include <string.h>

void step_store_init(struct step_store *store, size_t memory_bytes)
{
    memset(store, 0, sizeof *store);
    store->memory_limit = (uint32_t)(memory_bytes / STEP_CHUNK_BYTES);
    pthread_mutex_init(&store->mutex, NULL);
}

void step_store_free(struct step_store *store)
{
    free(store->chunks);
    free(store->free);
    step_shapes_free(&store->shapes);
    if (store->file)
        fclose(store->file);
    pthread_mutex_destroy(&store->mutex);
    memset(store, 0, sizeof *store);
}

/* Chunks in memory must not move while models read them: all of them are reserved at once, and the
 * system provides them as they are touched. */
bool step_store_start(struct step_store *store)
{
    if (store->chunks == NULL) {
        store->chunks = malloc((size_t)store->memory_limit * sizeof *store->chunks);
        if (store->chunks && !step_shapes_init(&store->shapes)) {
            free(store->chunks);
            store->chunks = NULL;
        }
    }
    if (store->chunks == NULL)
        store->error = "no memory for the steps of the resident blocks";
    return store->chunks != NULL;
}

uint32_t step_chunk_take(struct step_store *store)
{
    pthread_mutex_lock(&store->mutex);
    uint32_t number = store->free_count ? store->free[--store->free_count] : store->chunk_count++;
    pthread_mutex_unlock(&store->mutex);
    return number;
}

/* The mutex is held. */
static void chunk_give(struct step_store *store, uint32_t number)
{
    if (store->free_count == store->free_room) {
        uint32_t room = store->free_room ? 2 * store->free_room : 1024;
        uint32_t *grown = realloc(store->free, room * sizeof *grown);
        if (grown == NULL)
            return; /* the chunk is lost until the store is freed */
        store->free = grown;
        store->free_room = room;
    }
    store->free[store->free_count++] = number;
}

static bool chunk_is_in_memory(const struct step_store *store, uint32_t number)
{
    return number < store->memory_limit;
}

static long chunk_offset(const struct step_store *store, uint32_t number)
{
    return (long)(number - store->memory_limit) * STEP_CHUNK_BYTES;
}

static void chunk_write(struct step_store *store, uint32_t number, const struct step_chunk *chunk)
{
    pthread_mutex_lock(&store->mutex);
    if (store->file == NULL)
        store->file = tmpfile();
    if (store->file == NULL || fseek(store->file, chunk_offset(store, number), SEEK_SET) != 0 ||
        fwrite(chunk, sizeof *chunk, 1, store->file) != 1)
        store->error = "the temporary file for the steps of the resident blocks cannot be written";
    pthread_mutex_unlock(&store->mutex);
}

/* The mutex is held. */
static void chunk_read(struct step_store *store, uint32_t number, struct step_chunk *chunk)
{
    if (store->error == NULL && fseek(store->file, chunk_offset(store, number), SEEK_SET) == 0 &&
        fread(chunk, sizeof *chunk, 1, store->file) == 1)
        return;
    store->error = "the temporary file for the steps of the resident blocks cannot be read";
    *chunk = (struct step_chunk){.next = STEP_NO_CHUNK};
}

struct step_chunk *step_chunk_begin(struct step_store *store, uint32_t number)
{
    struct step_chunk *chunk =
        chunk_is_in_memory(store, number) ? &store->chunks[number] : malloc(sizeof *chunk);
    if (chunk)
        chunk->used = 0;
    else
        store->error = "no memory for the steps of the resident blocks";
    return chunk;
}

void step_chunk_finish(struct step_store *store, uint32_t number, struct step_chunk *chunk)
{
    if (chunk_is_in_memory(store, number))
        return;
    chunk_write(store, number, chunk);
    free(chunk);
}

const struct step_chunk *step_chunk_read(struct step_store *store, uint32_t number,
                                         struct step_chunk *buffer)
{
    if (chunk_is_in_memory(store, number))
        return &store->chunks[number];
    pthread_mutex_lock(&store->mutex);
    chunk_read(store, number, buffer);
    pthread_mutex_unlock(&store->mutex);
    return buffer;
}

void step_chunks_give(struct step_store *store, uint32_t first)
{
    struct step_chunk copy;
    pthread_mutex_lock(&store->mutex);
    for (uint32_t n = first, next; n != STEP_NO_CHUNK; n = next) {
        if (chunk_is_in_memory(store, n)) {
            next = store->chunks[n].next;
        } else {
            chunk_read(store, n, &copy);
            next = copy.next;
        }
        chunk_give(store, n);
    }
    pthread_mutex_unlock(&store->mutex);
}
