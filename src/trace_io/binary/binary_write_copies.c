/* binary_write_copies.c - asynchronous copies: a record in front of the access, which is written as others are. */
#include "trace_io/binary/binary_writer.h"

static bool is_whole(const struct warp_access *a)
{
    for (uint32_t left = a->active; left; left &= left - 1)
        if (a->copy->bytes[__builtin_ctz(left)] != a->width)
            return false;
    return true;
}

/* The same places and bytes as those of the last one. */
static bool is_same(const struct binary_writer *writer, const struct warp_access *a)
{
    if (writer->copy_lanes != a->active)
        return false;
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (writer->copy.to[lane] != a->copy->to[lane] ||
            writer->copy.bytes[lane] !=
                (a->copy->bytes[lane] == a->width ? UINT8_MAX : a->copy->bytes[lane]))
            return false;
    }
    return true;
}

/* UINT8_MAX stands for the access's width. */
static void keep(struct binary_writer *writer, const struct warp_access *a)
{
    writer->copy = *a->copy;
    writer->copy_lanes = a->active;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (writer->copy.bytes[lane] == a->width)
            writer->copy.bytes[lane] = UINT8_MAX;
}

static bool put_copy(struct binary_writer *writer, const struct warp_access *a)
{
    struct put *put = &writer->chunks.put;
    const bool same = is_same(writer, a), whole = is_whole(a);
    int64_t to[WARP_LANES] = {0};
    if (!chunk_writer_begin(&writer->chunks, 16 + 9 * WARP_LANES))
        return false;
    put_byte(put, TAG_COPY);
    put_byte(put, (uint8_t)((a->copy->past_l1 ? CODEC_COPY_PAST_L1 : 0) |
                            (a->copy->sized ? CODEC_COPY_SIZED : 0) |
                            (whole ? CODEC_COPY_WHOLE : 0) | (same ? CODEC_COPY_SAME : 0)));
    if (same)
        return true;
    for (uint32_t left = a->active; left; left &= left - 1)
        to[__builtin_ctz(left)] = (int64_t)a->copy->to[__builtin_ctz(left)];
    put_number(put, a->active);
    put_offsets(put, a->active, to);
    keep(writer, a);
    for (uint32_t left = whole ? 0 : a->active; left; left &= left - 1)
        put_byte(put, writer->copy.bytes[__builtin_ctz(left)]);
    return true;
}

bool binary_write_copy(void *context, const struct trace_copy *copy)
{
    struct binary_writer *writer = context;
    struct put *put = &writer->chunks.put;
    if (!binary_turn_to(writer, copy->block, copy->warp))
        return false;
    if (copy->step == COPY_BEGINS)
        return put_copy(writer, copy->access) && binary_write_access(writer, copy->access);
    if (copy->step == BULK_BEGINS)
        return binary_put_bulk(writer, copy->access->bulk) &&
               binary_write_access(writer, copy->access);
    if (copy->step == PHASE_ARRIVE || copy->step == PHASE_WAIT)
        return binary_put_phase(writer, copy);
    if (!chunk_writer_begin(&writer->chunks, 32))
        return false;
    put_byte(put, TAG_COPY_STEP);
    put_byte(put, (uint8_t)copy->step);
    put_number(put, copy->left);
    put_number(put, (uint32_t)~copy->lanes);
    put_number(put, copy->work);
    writer->events++;
    return true;
}
