/* steps.c - packing, chunks, and the file they overflow to.
 *
 * A step is a fixed part, in the machine's own byte order since it never leaves the process, and for
 * an access that is not affine its active lanes' distances from the base, 4 bytes each when they
 * fit, otherwise 8. A step never crosses chunks.
 */
#include "sim/time/steps.h"

#include <stdlib.h>
#include <string.h>

enum packed_form { FORM_PLAIN, FORM_AFFINE, FORM_NEAR, FORM_FAR };

struct packed_step {
    uint64_t base;
    int32_t stride;
    uint32_t active;
    uint16_t work;
    uint16_t site;
    uint8_t kind_form;   /* kind | form << 3 | high three flags << 5 */
    uint8_t width_op;    /* width | op << 5 */
    uint8_t space_flags; /* space | low four flags << 3 | resident lanes differ << 7 */
    uint8_t loads_left;
};
_Static_assert(ACCESS_FLAGS_END == 1 << 7, "a packed step has room for seven flags");

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
    if (store->file)
        fclose(store->file);
    pthread_mutex_destroy(&store->mutex);
    memset(store, 0, sizeof *store);
}

/* Chunks in memory must not move while models read them: all of them are reserved at once, and the
 * system provides them as they are touched. */
static bool store_start(struct step_store *store)
{
    if (store->chunks == NULL)
        store->chunks = malloc((size_t)store->memory_limit * sizeof *store->chunks);
    if (store->chunks == NULL)
        store->error = "no memory for the steps of the resident blocks";
    return store->chunks != NULL;
}

static uint32_t chunk_take(struct step_store *store)
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

struct step_block *step_block_new(struct step_store *store, uint32_t block, uint32_t warp_count)
{
    struct step_block *b = store_start(store) ? calloc(1, sizeof *b) : NULL;
    if (b == NULL)
        return NULL;
    b->store = store;
    b->block = block;
    b->warp_count = warp_count;
    b->references = 1;
    for (uint32_t i = 0; i < STEP_WARPS_MAX; i++)
        b->first[i] = STEP_NO_CHUNK;
    return b;
}

/* Puts the chunk that a warp has filled where it belongs. */
static void chunk_finish(struct step_block *block, uint32_t warp, uint32_t next)
{
    struct step_chunk *chunk = block->open[warp];
    chunk->next = next;
    if (chunk_is_in_memory(block->store, block->open_number[warp]))
        return;
    chunk_write(block->store, block->open_number[warp], chunk);
    free(chunk);
}

static bool chunk_begin(struct step_block *block, uint32_t warp)
{
    struct step_store *store = block->store;
    uint32_t number = chunk_take(store);
    struct step_chunk *chunk =
        chunk_is_in_memory(store, number) ? &store->chunks[number] : malloc(sizeof *chunk);
    if (chunk == NULL) {
        store->error = "no memory for the steps of the resident blocks";
        return false;
    }
    chunk->used = 0;
    if (block->open[warp])
        chunk_finish(block, warp, number);
    else
        block->first[warp] = number;
    block->open[warp] = chunk;
    block->open_number[warp] = number;
    return true;
}

static void add_bytes(struct step_block *block, uint32_t warp, const struct packed_step *fixed,
                      const void *rest, size_t rest_bytes)
{
    struct step_chunk *chunk = block->open[warp];
    size_t bytes = sizeof *fixed + rest_bytes;
    if (chunk == NULL || chunk->used + bytes > sizeof chunk->data) {
        if (!chunk_begin(block, warp))
            return;
        chunk = block->open[warp];
    }
    memcpy(chunk->data + chunk->used, fixed, sizeof *fixed);
    if (rest_bytes)
        memcpy(chunk->data + chunk->used + sizeof *fixed, rest, rest_bytes);
    chunk->used += (uint32_t)bytes;
}

static struct packed_step pack(const struct warp_access *a, enum packed_form form)
{
    return (struct packed_step){
        .base = a->base,
        .stride = (int32_t)a->stride,
        .active = a->active,
        .work = a->work,
        .site = (uint16_t)a->site,
        .kind_form = (uint8_t)(STEP_ACCESS | (uint32_t)form << 3 | ((uint32_t)a->flags >> 4) << 5),
        .width_op = (uint8_t)(a->width | (uint32_t)a->op << 5),
        .space_flags = (uint8_t)(a->space | ((uint32_t)a->flags & 15) << 3 |
                                 (uint32_t)(a->active != a->resident) << 7),
        .loads_left = a->loads_left,
    };
}

/* The active lanes' distances from the lowest address. */
static void add_list(struct step_block *block, const struct warp_access *a)
{
    uint32_t near[WARP_LANES], count = 0;
    uint64_t far[WARP_LANES], lowest = UINT64_MAX, span = 0;
    for (uint32_t left = a->active; left; left &= left - 1) {
        uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(left));
        lowest = addr < lowest ? addr : lowest;
    }
    for (uint32_t left = a->active; left; left &= left - 1) {
        far[count] = access_addr(a, (unsigned)__builtin_ctz(left)) - lowest;
        near[count] = (uint32_t)far[count];
        span |= far[count++];
    }
    struct packed_step fixed = pack(a, span >> 32 ? FORM_FAR : FORM_NEAR);
    fixed.base = lowest;
    if (span >> 32)
        add_bytes(block, a->warp, &fixed, far, count * sizeof far[0]);
    else
        add_bytes(block, a->warp, &fixed, near, count * sizeof near[0]);
}

void step_block_add_access(struct step_block *block, const struct warp_access *a)
{
    if (a->addr != NULL || a->stride != (int32_t)a->stride) {
        add_list(block, a);
        return;
    }
    struct packed_step fixed = pack(a, FORM_AFFINE);
    add_bytes(block, a->warp, &fixed, NULL, 0);
}

void step_block_add(struct step_block *block, uint32_t warp, enum step_kind kind, uint32_t work)
{
    struct packed_step fixed = {.kind_form = (uint8_t)kind,
                                .work = (uint16_t)(work > UINT16_MAX ? UINT16_MAX : work)};
    add_bytes(block, warp, &fixed, NULL, 0);
}

void step_block_close(struct step_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        if (block->open[w])
            chunk_finish(block, w, STEP_NO_CHUNK);
        block->open[w] = NULL;
    }
}

void step_block_hold(struct step_block *block)
{
    atomic_fetch_add_explicit(&block->references, 1, memory_order_relaxed);
}

void step_block_release(struct step_block *block)
{
    struct step_chunk copy;
    if (atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) > 1)
        return;
    pthread_mutex_lock(&block->store->mutex);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        for (uint32_t n = block->first[w], next; n != STEP_NO_CHUNK; n = next) {
            if (chunk_is_in_memory(block->store, n)) {
                next = block->store->chunks[n].next;
            } else {
                chunk_read(block->store, n, &copy);
                next = copy.next;
            }
            chunk_give(block->store, n);
        }
    }
    pthread_mutex_unlock(&block->store->mutex);
    free(block);
}

static void cursor_enter(struct step_cursor *cursor, const struct step_block *block,
                         uint32_t number)
{
    cursor->at = 0;
    if (chunk_is_in_memory(block->store, number)) {
        cursor->chunk = &block->store->chunks[number];
        return;
    }
    cursor->chunk = cursor->buffer;
    pthread_mutex_lock(&block->store->mutex);
    chunk_read(block->store, number, cursor->buffer);
    pthread_mutex_unlock(&block->store->mutex);
}

void step_cursor_start(struct step_cursor *cursor, const struct step_block *block, uint32_t warp,
                       struct step_chunk *buffer)
{
    cursor->buffer = buffer;
    cursor_enter(cursor, block, block->first[warp]);
}

static void unpack_list(struct step_cursor *cursor, bool far, struct step *step)
{
    const uint8_t *from = cursor->chunk->data + cursor->at;
    const size_t bytes = far ? 8 : 4;
    for (uint32_t left = step->access.active; left; left &= left - 1, from += bytes) {
        uint64_t distance = 0;
        memcpy(&distance, from, bytes); /* little-endian: see below */
        step->addr[__builtin_ctz(left)] = step->access.base + distance;
    }
    cursor->at = (uint16_t)(from - cursor->chunk->data);
    step->access.addr = step->addr;
}

uint64_t step_cursor_peek_base(const struct step_cursor *cursor)
{
    uint64_t base = 0;
    if (cursor->at + sizeof(struct packed_step) <= cursor->chunk->used)
        memcpy(&base, cursor->chunk->data + cursor->at, sizeof base);
    return base;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "distances are read as little-endian");

void step_cursor_next(struct step_cursor *cursor, const struct step_block *block, struct step *step)
{
    struct packed_step packed;
    if (cursor->at + sizeof packed > cursor->chunk->used)
        cursor_enter(cursor, block, cursor->chunk->next);
    memcpy(&packed, cursor->chunk->data + cursor->at, sizeof packed);
    cursor->began_at = cursor->at;
    cursor->at = (uint16_t)(cursor->at + sizeof packed);
    step->kind = step_store_error(block->store) ? STEP_END : (enum step_kind)(packed.kind_form & 7);
    step->work = packed.work;
    if (step->kind != STEP_ACCESS)
        return;
    struct warp_access *a = &step->access;
    a->addr = NULL;
    a->base = packed.base;
    a->stride = packed.stride;
    a->active = packed.active;
    a->block = block->block;
    a->site = packed.site;
    a->work = packed.work;
    a->loads_left = packed.loads_left;
    a->width = packed.width_op & 31;
    a->op = packed.width_op >> 5;
    a->space = packed.space_flags & 7;
    a->flags = (uint8_t)((packed.space_flags >> 3 & 15) | (packed.kind_form >> 5) << 4);
    a->resident = packed.space_flags >> 7 ? UINT32_MAX : packed.active;
    if ((packed.kind_form >> 3 & 3) != FORM_AFFINE)
        unpack_list(cursor, (packed.kind_form >> 3 & 3) == FORM_FAR, step);
}
