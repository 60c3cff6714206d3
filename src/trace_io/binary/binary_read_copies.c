/* binary_read_copies.c - asynchronous copies: the other side of the access that follows, commits and waits. */
#include "trace_io/binary/binary_reader.h"

/* Where lanes copy to, and what they read of their width, for which UINT8_MAX stands. */
static void read_lanes(struct get *get, uint8_t how, struct async_copy *copy)
{
    int64_t to[WARP_LANES] = {0};
    const uint32_t lanes = (uint32_t)get_limited(get, UINT32_MAX);
    get_offsets(get, lanes, to);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        copy->to[lane] = (uint64_t)to[lane];
        copy->bytes[lane] = UINT8_MAX;
        if (!(how & CODEC_COPY_WHOLE) && lanes >> lane & 1)
            copy->bytes[lane] = get_byte(get);
    }
}

bool binary_read_copy(struct binary_reader *reader)
{
    const uint8_t how = get_byte(&reader->get);
    if (!(how & CODEC_COPY_SAME))
        read_lanes(&reader->get, how, &reader->copy);
    reader->copy.past_l1 = (how & CODEC_COPY_PAST_L1) != 0;
    reader->copy.sized = (how & CODEC_COPY_SIZED) != 0;
    reader->has_copy = true;
    return (!reader->get.failed && how <= CODEC_COPY_ALL) ||
           binary_reader_fail(reader, "an asynchronous copy that is cut short");
}

bool binary_give_begin(struct binary_reader *reader, struct warp_access *access)
{
    access->values = NULL;
    const struct trace_copy begins = copy_begins(access);
    return binary_reader_heed(reader, sink_copy(reader->sink, &begins));
}

/* UINT8_MAX stands for the access's width, which is known now. */
bool binary_give_copy(struct binary_reader *reader, struct warp_access *access)
{
    struct async_copy copy = reader->copy;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (copy.bytes[lane] == UINT8_MAX)
            copy.bytes[lane] = access->width;
    reader->has_copy = false;
    access->copy = &copy;
    return binary_give_begin(reader, access);
}

bool binary_read_copy_step(struct binary_reader *reader)
{
    struct get *get = &reader->get;
    struct trace_copy copy = {.block = (uint32_t)reader->block, .warp = reader->warp};
    copy.step = (enum copy_step)get_byte(get);
    copy.left = (uint32_t)get_limited(get, COPY_GROUPS_LEFT_MAX);
    copy.lanes = ~(uint32_t)get_limited(get, UINT32_MAX);
    copy.work = (uint16_t)get_limited(get, UINT16_MAX);
    if (get->failed || !reader->launched || copy.step >= COPY_STEPS || copy.step == PHASE_ARRIVE ||
        copy.step == PHASE_WAIT || copy_step_begins(copy.step))
        return binary_reader_fail(reader, "a step of asynchronous copies that is cut short, "
                                          "unknown, or outside of every launch");
    reader->events++;
    return binary_reader_heed(reader, sink_copy(reader->sink, &copy));
}
