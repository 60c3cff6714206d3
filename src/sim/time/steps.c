/* steps.c - packing, in the forms of step_form.h. */
#include "sim/time/steps.h"

#include "sim/time/block_kind.h"
#include "sim/time/step_copy.h"
#include "sim/time/step_form.h"

#include <stdlib.h>
#include <string.h>

/* ---- Blocks ---------------------------------------------------------------------------------- */

struct step_block *step_block_new(struct step_store *store, uint32_t block, uint32_t warp_count)
{
    struct step_block *b = step_store_start(store) ? calloc(1, sizeof *b) : NULL;
    if (b == NULL)
        return NULL;
    if (atomic_fetch_add_explicit(&store->block_count, 1, memory_order_acquire) == 0 &&
        store->shapes.count == STEP_SHAPES_MAX)
        step_shapes_clear(&store->shapes);
    b->store = store;
    b->block = block;
    b->warp_count = warp_count;
    b->references = 1;
    for (uint32_t i = 0; i < STEP_WARPS_MAX; i++)
        b->first[i] = STEP_NO_CHUNK;
    return b;
}

static void chunk_finish(struct step_block *block, uint32_t warp, uint32_t next)
{
    block->open[warp]->next = next;
    step_chunk_finish(block->store, block->open_number[warp], block->open[warp]);
}

static bool chunk_begin(struct step_block *block, uint32_t warp)
{
    const uint32_t number = step_chunk_take(block->store);
    struct step_chunk *chunk = step_chunk_begin(block->store, number);
    if (chunk == NULL)
        return false;
    if (block->open[warp])
        chunk_finish(block, warp, number);
    else
        block->first[warp] = number;
    block->open[warp] = chunk;
    block->open_number[warp] = number;
    return true;
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
    if (atomic_fetch_sub_explicit(&block->references, 1, memory_order_acq_rel) > 1)
        return;
    for (uint32_t w = 0; w < block->warp_count; w++)
        step_chunks_give(block->store, block->first[w]);
    atomic_fetch_sub_explicit(&block->store->block_count, 1, memory_order_release);
    free(block);
}

/* ---- In -------------------------------------------------------------------------------------- */

/* Room for a step's bytes behind its head, which it gets. NULL: memory is short. */
static uint8_t *step_room(struct step_block *block, uint32_t warp, enum step_form form,
                          uint32_t number, size_t bytes)
{
    const step_head head = (step_head)(form | number << FORM_BITS);
    struct step_chunk *chunk = block->open[warp];
    if (chunk == NULL || chunk->used + sizeof head + bytes > sizeof chunk->data) {
        if (!chunk_begin(block, warp))
            return NULL;
        chunk = block->open[warp];
    }
    uint8_t *at = chunk->data + chunk->used;
    memcpy(at, &head, sizeof head);
    chunk->used += (uint32_t)(sizeof head + bytes);
    return at + sizeof head;
}

void step_block_add_copy_step(struct step_block *block, uint32_t warp, enum step_kind kind,
                              uint32_t left, uint32_t work, uint32_t lag)
{
    const uint16_t most[2] = {(uint16_t)(work > UINT16_MAX ? UINT16_MAX : work),
                              (uint16_t)(lag > UINT16_MAX ? UINT16_MAX : lag)};
    const uint32_t number = kind | left << EVENT_KIND_BITS;
    uint8_t *at = step_room(block, warp, FORM_EVENT, number, sizeof most);
    block->kind[warp] = block_kind_add(block->kind[warp],
                                       number | (uint64_t)most[0] << 16 | (uint64_t)most[1] << 32);
    if (at)
        memcpy(at, most, sizeof most);
}

void step_block_add_phase(struct step_block *block, uint32_t warp, enum step_kind kind,
                          const struct step_phase *phase, uint32_t work)
{
    const uint16_t most[2] = {(uint16_t)(work > UINT16_MAX ? UINT16_MAX : work)};
    uint8_t *at = step_room(block, warp, FORM_EVENT, kind, sizeof most + sizeof *phase);
    block->kind[warp] = block_kind_add(block->kind[warp], kind | (uint64_t)most[0] << 16 |
                                                              (uint64_t)phase->barrier << 32);
    if (at == NULL)
        return;
    memcpy(at, most, sizeof most);
    memcpy(at + sizeof most, phase, sizeof *phase);
}

void step_block_add(struct step_block *block, uint32_t warp, enum step_kind kind, uint32_t work)
{
    step_block_add_copy_step(block, warp, kind, 0, work, 0);
}

/* Every lane is active: two loops that compilers turn into vectors. */
static void all_lanes_of(const uint64_t addr[WARP_LANES], struct step_lanes *lanes)
{
    uint64_t wide = 0;
    lanes->base = addr[0];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        wide |= addr[lane] - addr[0] + (1ULL << 31);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes->distance[lane] = (int32_t)(uint32_t)(addr[lane] - addr[0]);
    lanes->is_far = wide >> 32 != 0;
}

static void lanes_of(const struct warp_access *a, struct step_lanes *lanes)
{
    uint64_t wide = 0;
    if (a->addr && a->active == UINT32_MAX) {
        all_lanes_of(a->addr, lanes);
        return;
    }
    memset(lanes, 0, sizeof *lanes);
    lanes->base = access_addr(a, (unsigned)__builtin_ctz(a->active));
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t distance = access_addr(a, lane) - lanes->base;
        lanes->distance[lane] = (int32_t)(uint32_t)distance;
        wide |= distance + (1ULL << 31);
    }
    lanes->is_far = wide >> 32 != 0;
}

static struct loose loose_of(const struct warp_access *a, uint64_t base)
{
    return (struct loose){
        .base = base,
        .stride = (int32_t)a->stride,
        .active = a->active,
        .site = a->site,
        .work = a->work,
        .lag = a->lag,
        .width_op = (uint8_t)(a->width | (uint32_t)a->op << 5),
        .space = (uint8_t)(a->space | (uint32_t)(a->active != a->resident) << 7),
        .flags = a->flags,
        .loads_left = a->loads_left,
    };
}

static void add_loose(struct step_block *block, const struct warp_access *a,
                      const struct step_lanes *lanes)
{
    const struct loose fixed = loose_of(a, lanes ? lanes->base : a->base);
    const enum loose_lanes follow = lanes == NULL   ? LOOSE_AFFINE
                                    : lanes->is_far ? LOOSE_8_BYTES
                                                    : LOOSE_4_BYTES;
    const size_t each = follow == LOOSE_AFFINE ? 0 : follow == LOOSE_4_BYTES ? 4 : 8;
    uint8_t *at = step_room(block, a->warp, FORM_LOOSE, follow,
                            sizeof fixed + (size_t)__builtin_popcount(a->active) * each);
    if (at == NULL)
        return;
    memcpy(at, &fixed, sizeof fixed);
    at += sizeof fixed;
    for (uint32_t left = each ? a->active : 0; left; left &= left - 1, at += each) {
        const uint64_t distance = access_addr(a, (unsigned)__builtin_ctz(left)) - fixed.base;
        memcpy(at, &distance, each);
    }
}

/* What is alike in bulk copies of places that differ. */
static uint64_t bulk_kind(const struct bulk_copy *b)
{
    uint64_t kind = block_kind_add(b->shared, b->more);
    for (unsigned d = 0; d < b->rank; d++)
        kind = block_kind_add(kind, b->box[d] * (uint64_t)b->element);
    return kind;
}

static void add_bulk(struct step_block *block, const struct warp_access *a)
{
    const struct loose fixed = loose_of(a, access_addr(a, (unsigned)__builtin_ctz(a->active)));
    uint8_t *at =
        step_room(block, a->warp, FORM_EVENT, EVENT_IS_BULK, sizeof fixed + sizeof *a->bulk);
    block->kind[a->warp] = block_kind_add(block->kind[a->warp], bulk_kind(a->bulk));
    if (at == NULL)
        return;
    memcpy(at, &fixed, sizeof fixed);
    memcpy(at + sizeof fixed, a->bulk, sizeof *a->bulk);
}

/* Copies are long, and few programs have them: they have no shapes. */
void step_block_add_copy(struct step_block *block, const struct warp_access *a)
{
    if (a->bulk) {
        add_bulk(block, a);
        return;
    }
    const struct loose fixed = loose_of(a, step_copy_how(a->copy));
    uint8_t *at =
        step_room(block, a->warp, FORM_EVENT, EVENT_IS_COPY, sizeof fixed + step_copy_bytes(a));
    block->kind[a->warp] = block_kind_add(block->kind[a->warp], step_copy_kind(a));
    if (at == NULL)
        return;
    memcpy(at, &fixed, sizeof fixed);
    step_copy_pack(at + sizeof fixed, a);
}

static void add_shaped(struct step_block *block, uint32_t warp, uint32_t shape, uint64_t base)
{
    const bool near = base < 1U << 8 * NEAR_BYTES;
    const size_t bytes = near ? NEAR_BYTES : FAR_BYTES;
    uint8_t *at = step_room(block, warp, near ? FORM_NEAR : FORM_FAR, shape, bytes);
    if (at)
        memcpy(at, &base, bytes);
}

void step_block_add_access(struct step_block *block, const struct warp_access *a)
{
    const bool affine = a->addr == NULL && a->stride == (int32_t)a->stride;
    struct step_lanes lanes;
    if (!affine)
        lanes_of(a, &lanes);
    const uint64_t base = affine ? a->base : lanes.base;
    uint32_t shape = STEP_NO_SHAPE;
    uint64_t hash = base; /* lanes far apart: like no other block's */
    if (base < FAR_END && (affine || !lanes.is_far))
        shape = step_shapes_find(&block->store->shapes, a, affine ? NULL : &lanes, &hash);
    block->kind[a->warp] = block_kind_add(block->kind[a->warp], hash);
    if (shape == STEP_NO_SHAPE)
        add_loose(block, a, affine ? NULL : &lanes);
    else
        add_shaped(block, a->warp, shape, base);
}
