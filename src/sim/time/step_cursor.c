/* step_cursor.c - packed steps, one after another. */
#include "sim/time/step_copy.h"
#include "sim/time/step_form.h"

#include <string.h>

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
        .lag = loose.lag,
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
    uint16_t work[2];
    memcpy(work, cursor->chunk->data + cursor->at, sizeof work);
    step->work = work[0];
    step->lag = work[1];
    cursor->at = (uint16_t)(cursor->at + sizeof work);
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
        step->lag = step->access.lag;
    }
    if (step_store_error(block->store))
        step->kind = STEP_END;
}
