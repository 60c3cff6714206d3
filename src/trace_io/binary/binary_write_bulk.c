/* binary_write_bulk.c - bulk copies: a record in front of the access, which is written as others are; arrivals at and waits for a phase. */
#include "trace_io/binary/binary_writer.h"

enum { BULK_RECORD_BYTES = 40 + 35 * BULK_RANK_MAX, PHASE_RECORD_BYTES = 64 };

bool binary_put_bulk(struct binary_writer *writer, const struct bulk_copy *b)
{
    struct put *put = &writer->chunks.put;
    if (!chunk_writer_begin(&writer->chunks, BULK_RECORD_BYTES))
        return false;
    put_byte(put, TAG_BULK);
    put_byte(put, b->rank);
    put_byte(put, b->element);
    put_byte(put, (uint8_t)(b->swizzle | b->more)); /* a swizzle is a multiple of 32 */
    put_number(put, b->shared);
    put_number(put, b->barrier);
    put_number(put, b->phase);
    for (unsigned d = 0; d < b->rank; d++) {
        put_number(put, b->box[d]);
        put_signed(put, b->at[d]);
        put_number(put, b->size[d]);
        put_number(put, b->pitch[d]);
    }
    return true;
}

bool binary_put_phase(struct binary_writer *writer, const struct trace_copy *copy)
{
    struct put *put = &writer->chunks.put;
    if (!chunk_writer_begin(&writer->chunks, PHASE_RECORD_BYTES))
        return false;
    put_byte(put, TAG_PHASE);
    put_byte(put, (uint8_t)copy->step);
    put_number(put, copy->barrier);
    put_number(put, copy->phase);
    put_number(put, copy->needs);
    put_number(put, copy->bytes);
    put_number(put, (uint32_t)~copy->lanes);
    put_number(put, copy->work);
    writer->events++;
    return true;
}
