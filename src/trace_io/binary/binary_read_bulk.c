/* binary_read_bulk.c - bulk copies: the other side of the access that follows; arrivals at and waits for a phase. */
#include "trace_io/binary/binary_reader.h"

bool binary_read_bulk(struct binary_reader *reader)
{
    struct get *get = &reader->get;
    struct bulk_copy *b = &reader->bulk;
    *b = (struct bulk_copy){.rank = get_byte(get)};
    b->element = get_byte(get);
    b->swizzle = get_byte(get);
    b->more = b->swizzle & 31;
    b->swizzle &= 0xe0;
    b->shared = get_number(get);
    b->barrier = get_number(get);
    b->phase = (uint32_t)get_limited(get, UINT32_MAX);
    for (unsigned d = 0; d < b->rank && d < BULK_RANK_MAX; d++) {
        b->box[d] = (uint32_t)get_limited(get, UINT32_MAX);
        b->at[d] = (int32_t)get_signed(get);
        b->size[d] = (uint32_t)get_limited(get, UINT32_MAX);
        b->pitch[d] = get_number(get);
    }
    reader->has_bulk = true;
    return !get->failed || binary_reader_fail(reader, "a bulk copy that is cut short");
}

bool binary_give_bulk(struct binary_reader *reader, struct warp_access *access)
{
    reader->has_bulk = false;
    access->bulk = &reader->bulk;
    return binary_give_begin(reader, access);
}

bool binary_read_phase(struct binary_reader *reader)
{
    struct get *get = &reader->get;
    struct trace_copy copy = {.block = (uint32_t)reader->block, .warp = reader->warp};
    copy.step = (enum copy_step)get_byte(get);
    copy.barrier = (uint32_t)get_limited(get, UINT32_MAX);
    copy.phase = (uint32_t)get_limited(get, UINT32_MAX);
    copy.needs = (uint32_t)get_limited(get, UINT32_MAX);
    copy.bytes = (uint32_t)get_limited(get, UINT32_MAX);
    copy.lanes = ~(uint32_t)get_limited(get, UINT32_MAX);
    copy.work = (uint16_t)get_limited(get, UINT16_MAX);
    if (get->failed || !reader->launched || (copy.step != PHASE_ARRIVE && copy.step != PHASE_WAIT))
        return binary_reader_fail(reader,
                                  "an arrival at a barrier in shared memory, or a wait, that "
                                  "is cut short, unknown, or outside of every launch");
    reader->events++;
    return binary_reader_heed(reader, sink_copy(reader->sink, &copy));
}
