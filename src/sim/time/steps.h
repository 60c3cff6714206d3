/* steps.h - what resident warps still have to do: a block's accesses and barriers, warp by warp.
 *
 * The tracer runs one block after another; the model of time runs all resident blocks at once. In
 * between each warp's steps wait here, packed (steps.c), in chunks of a store that several models share.
 *
 * One thread fills blocks, others may read and release those that are closed.
 */
#ifndef WARPLENS_SIM_TIME_STEPS_H
#define WARPLENS_SIM_TIME_STEPS_H

#include "result/timeline.h"
#include "sim/time/step_store.h"

/* A phase of a barrier in shared memory: what arrives, or what is waited for. */
struct step_phase {
    uint32_t barrier, phase, needs, bytes;
};

/* One thing a warp does. */
struct step {
    enum step_kind kind;
    uint32_t work;           /* instructions since the step before, this one included */
    uint32_t lag;            /* as in struct warp_access */
    uint32_t left;           /* STEP_..._WAIT, STEP_PRODUCT: as in struct trace_copy */
    struct step_phase phase; /* STEP_PHASE_...: the same */
    struct warp_access
        access; /* STEP_ACCESS; of `resident` only whether it differs from `active` */
    uint64_t addr[WARP_LANES]; /* what access.addr points to unless it is NULL */
    struct async_copy copy;    /* ... and access.copy */
    struct bulk_copy bulk;     /* ... and access.bulk */
};

/* A block's steps by warp. Shared by all models that run it: freed when the last one lets go. */
struct step_block {
    struct step_store *store;
    uint32_t block, warp_count;
    atomic_uint references;
    uint32_t first[STEP_WARPS_MAX];          /* by warp: its first chunk */
    struct step_chunk *open[STEP_WARPS_MAX]; /* by warp: what is being filled, in memory */
    uint32_t open_number[STEP_WARPS_MAX];
    uint64_t kind[STEP_WARPS_MAX]; /* by warp: block_kind.h */
};

/* Where a model is in a warp's steps. */
struct step_cursor {
    const struct step_chunk *chunk;
    struct step_chunk *buffer; /* of the cursor's owner, for chunks from the file */
    uint16_t at;               /* byte of chunk->data: the next step */
    uint16_t began_at;         /* ... and the one read last */
    uint16_t end; /* of the chunk's steps: the chunk's own count lies in another cache line */
};

/* A block to be filled, with one reference. NULL when memory is short. */
struct step_block *step_block_new(struct step_store *store, uint32_t block, uint32_t warp_count);

/* Add the next step of a warp. Errors are kept in store->error. */
void step_block_add_access(struct step_block *block, const struct warp_access *access);
void step_block_add_copy(struct step_block *block, const struct warp_access *access);
void step_block_add_copy_step(struct step_block *block, uint32_t warp, enum step_kind kind,
                              uint32_t left, uint32_t work, uint32_t lag);
void step_block_add(struct step_block *block, uint32_t warp, enum step_kind kind, uint32_t work);
void step_block_add_phase(struct step_block *block, uint32_t warp, enum step_kind kind,
                          const struct step_phase *phase, uint32_t work);

/* Every warp gets its STEP_END by then; nothing can be added afterwards. */
void step_block_close(struct step_block *block);

/* One reference more; one less. */
void step_block_hold(struct step_block *block);
void step_block_release(struct step_block *block);

/* Reads a warp of a closed block from its beginning. `buffer` must outlive the cursor. */
void step_cursor_start(struct step_cursor *cursor, const struct step_block *block, uint32_t warp,
                       struct step_chunk *buffer);

/* Goes back to the step that was read last, once. */
static inline void step_cursor_back(struct step_cursor *cursor)
{
    cursor->at = cursor->began_at;
}

/* The base address of the next step, if it is an access: a hint to fetch what it will need. */
uint64_t step_cursor_peek_base(const struct step_cursor *cursor);

/* The next step; STEP_END is the last one and is not to be read past. */
void step_cursor_next(struct step_cursor *cursor, const struct step_block *block,
                      struct step *step);

#endif
