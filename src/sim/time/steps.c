/* steps.c - packing.
 *
 * A step begins with a head of 2 bytes: its form, and a number. Values are in the machine's own byte order, since they never leave
 * the process. A step never crosses chunks.
 *
 *   EVENT  number: what happens       2 bytes of work; the number has a wait's groups, too. An asynchronous copy has struct loose
 *                                     instead, and 13 bytes for each active lane; a bulk copy that and itself; a phase
 *                                     has struct step_phase behind its work
 *   NEAR   number: the shape          2 bytes of address (shared memory)
 *   FAR    number: the shape          6 bytes of address
 *   LOOSE  number: how lanes follow   an access without a shape: struct loose, and its active lanes' distances from the base
 *                                     unless it is affine, 4 bytes each when they fit, otherwise 8
 *
 * Against a fixed part of 24 bytes with the distances behind it, a product of 256^3 in 16x16 blocks, modelled from a trace, takes
 * 0.33 s of a processor for 1.78, and the whole process 22 MB for 48.
 */
#include "sim/time/steps.h"

#include "sim/time/block_kind.h"
#include "sim/time/step_copy.h"

#include <stdlib.h>
#include <string.h>

enum step_form { FORM_EVENT, FORM_NEAR, FORM_FAR, FORM_LOOSE };
enum { FORM_BITS = 2, NEAR_BYTES = 2, FAR_BYTES = 6 };
#define FAR_END (1ULL << 8 * FAR_BYTES)

enum loose_lanes { LOOSE_AFFINE, LOOSE_4_BYTES, LOOSE_8_BYTES };

struct loose {
    uint64_t base;
    int32_t stride;
    uint32_t active;
    uint32_t site;
    uint16_t work;
    uint8_t width_op; /* width | op << 5 */
    uint8_t space;    /* space | resident lanes differ << 7 */
    uint8_t flags;
    uint8_t loads_left;
};

/* In place of a kind of event; a copy's struct loose has in place of a base how it goes. */
enum { EVENT_KIND_BITS = 4, EVENT_IS_BULK = 14, EVENT_IS_COPY = 15 };

typedef uint16_t step_head;
_Static_assert(STEP_SHAPES_MAX << FORM_BITS <= UINT16_MAX + 1, "a shape's number fits a head");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "short values are read as little-endian");

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
                              uint32_t left, uint32_t work)
{
    const uint16_t most = (uint16_t)(work > UINT16_MAX ? UINT16_MAX : work);
    const uint32_t number = kind | left << EVENT_KIND_BITS;
    uint8_t *at = step_room(block, warp, FORM_EVENT, number, sizeof most);
    block->kind[warp] = block_kind_add(block->kind[warp], number | (uint32_t)most << 16);
    if (at)
        memcpy(at, &most, sizeof most);
}

void step_block_add_phase(struct step_block *block, uint32_t warp, enum step_kind kind,
                          const struct step_phase *phase, uint32_t work)
{
    const uint16_t most = (uint16_t)(work > UINT16_MAX ? UINT16_MAX : work);
    uint8_t *at = step_room(block, warp, FORM_EVENT, kind, sizeof most + sizeof *phase);
    block->kind[warp] = block_kind_add(block->kind[warp], kind | (uint64_t)most << 16 |
                                                              (uint64_t)phase->barrier << 32);
    if (at == NULL)
        return;
    memcpy(at, &most, sizeof most);
    memcpy(at + sizeof most, phase, sizeof *phase);
}

void step_block_add(struct step_block *block, uint32_t warp, enum step_kind kind, uint32_t work)
{
    step_block_add_copy_step(block, warp, kind, 0, work);
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
    uint64_t kind = b->shared;
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

/* ---- Out ------------------------------------------------------------------------------------- */

static void cursor_enter(struct step_cursor *cursor, const struct step_block *block,
                         uint32_t number)
{
    cursor->at = 0;
    cursor->chunk = step_chunk_read(block->store, number, cursor->buffer);
    cursor->end = (uint16_t)cursor->chunk->used;
}

void step_cursor_start(struct step_cursor *cursor, const struct step_block *block, uint32_t warp,
                       struct step_chunk *buffer)
{
    cursor->buffer = buffer;
    cursor_enter(cursor, block, block->first[warp]);
}

uint64_t step_cursor_peek_base(const struct step_cursor *cursor)
{
    step_head head;
    uint64_t base = 0;
    const uint32_t at = cursor->at + (uint32_t)sizeof head;
    if (at > cursor->end)
        return 0;
    memcpy(&head, cursor->chunk->data + cursor->at, sizeof head);
    if ((head & 3) == FORM_FAR)
        memcpy(&base, cursor->chunk->data + at, FAR_BYTES);
    else if ((head & 3) == FORM_LOOSE)
        memcpy(&base, cursor->chunk->data + at, sizeof base);
    return base;
}

static void unpack_loose_lanes(struct step_cursor *cursor, bool far, struct step *step)
{
    const uint8_t *from = cursor->chunk->data + cursor->at;
    for (uint32_t left = step->access.active; left; left &= left - 1) {
        int64_t distance;
        int32_t near;
        memcpy(&near, from, sizeof near);
        distance = near;
        if (far)
            memcpy(&distance, from, sizeof distance);
        from += far ? sizeof distance : sizeof near;
        step->addr[__builtin_ctz(left)] = step->access.base + (uint64_t)distance;
    }
    cursor->at = (uint16_t)(from - cursor->chunk->data);
    step->access.addr = step->addr;
}

static void unpack_loose(struct step_cursor *cursor, enum loose_lanes lanes, struct step *step)
{
    struct loose loose;
    memcpy(&loose, cursor->chunk->data + cursor->at, sizeof loose);
    cursor->at = (uint16_t)(cursor->at + sizeof loose);
    step->access = (struct warp_access){
        .base = loose.base,
        .stride = loose.stride,
        .active = loose.active,
        .resident = loose.space >> 7 ? UINT32_MAX : loose.active,
        .site = loose.site,
        .work = loose.work,
        .loads_left = loose.loads_left,
        .width = loose.width_op & 31,
        .op = loose.width_op >> 5,
        .space = loose.space & 127,
        .flags = loose.flags,
    };
    if (lanes != LOOSE_AFFINE)
        unpack_loose_lanes(cursor, lanes == LOOSE_8_BYTES, step);
}

static void unpack_copy(struct step_cursor *cursor, struct step *step)
{
    unpack_loose(cursor, LOOSE_AFFINE, step);
    step_copy_unpack(cursor->chunk->data + cursor->at, step);
    cursor->at = (uint16_t)(cursor->at + step_copy_bytes(&step->access));
}

static void unpack_bulk(struct step_cursor *cursor, struct step *step)
{
    unpack_loose(cursor, LOOSE_AFFINE, step);
    memcpy(&step->bulk, cursor->chunk->data + cursor->at, sizeof step->bulk);
    cursor->at = (uint16_t)(cursor->at + sizeof step->bulk);
    step->access.stride = 0;
    step->access.bulk = &step->bulk;
}

static void unpack_event(struct step_cursor *cursor, uint32_t number, struct step *step)
{
    if (number == EVENT_IS_BULK) {
        unpack_bulk(cursor, step);
        return;
    }
    if (number == EVENT_IS_COPY) {
        unpack_copy(cursor, step);
        return;
    }
    step->kind = (enum step_kind)(number & ((1U << EVENT_KIND_BITS) - 1));
    step->left = number >> EVENT_KIND_BITS;
    step->work = 0;
    memcpy(&step->work, cursor->chunk->data + cursor->at, sizeof(uint16_t));
    cursor->at = (uint16_t)(cursor->at + sizeof(uint16_t));
    if (step->kind != STEP_PHASE_ARRIVE && step->kind != STEP_PHASE_WAIT)
        return;
    memcpy(&step->phase, cursor->chunk->data + cursor->at, sizeof step->phase);
    cursor->at = (uint16_t)(cursor->at + sizeof step->phase);
}

static void unpack_shaped(const struct step_shape *shape, uint64_t base, struct step *step)
{
    step->access = shape->access;
    step->access.base = base;
    if (!shape->listed)
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        step->addr[lane] = base + (uint64_t)(int64_t)shape->distance[lane];
    step->access.addr = step->addr;
}

void step_cursor_next(struct step_cursor *cursor, const struct step_block *block, struct step *step)
{
    step_head head;
    if (cursor->at + sizeof head > cursor->end)
        cursor_enter(cursor, block, cursor->chunk->next);
    const uint8_t *at = cursor->chunk->data + cursor->at;
    uint64_t base = 0;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    cursor->began_at = cursor->at;
    cursor->at = (uint16_t)(cursor->at + sizeof head);
    const uint32_t number = (uint32_t)head >> FORM_BITS;
    step->kind = STEP_ACCESS;
    switch ((enum step_form)(head & 3)) {
    case FORM_EVENT:
        unpack_event(cursor, number, step);
        break;
    case FORM_NEAR:
        memcpy(&base, at, NEAR_BYTES);
        cursor->at = (uint16_t)(cursor->at + NEAR_BYTES);
        unpack_shaped(&block->store->shapes.shapes[number], base, step);
        break;
    case FORM_FAR:
        memcpy(&base, at, FAR_BYTES);
        cursor->at = (uint16_t)(cursor->at + FAR_BYTES);
        unpack_shaped(&block->store->shapes.shapes[number], base, step);
        break;
    case FORM_LOOSE:
        unpack_loose(cursor, (enum loose_lanes)number, step);
        break;
    }
    if (step->kind == STEP_ACCESS) {
        step->access.block = block->block;
        step->work = step->access.work;
    }
    if (step_store_error(block->store))
        step->kind = STEP_END;
}
