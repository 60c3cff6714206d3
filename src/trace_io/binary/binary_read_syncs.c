/* binary_read_syncs.c - what version 2 of a binary trace has besides version 1: where lanes synchronise, and
 * what they store. */
#include "trace_io/binary/binary_reader.h"

#include <string.h>

bool binary_read_place(struct binary_reader *reader)
{
    size_t length;
    const char *text = get_text(&reader->get, &length);
    memcpy(reader->text[0], text, length);
    reader->text[0][length] = '\0';
    uint32_t line = (uint32_t)get_limited(&reader->get, UINT32_MAX);
    if (reader->get.failed)
        return binary_reader_fail(reader, "a place that is cut short");
    return codec_add_place(&reader->places, reader->text[0], line) ||
           binary_reader_fail(reader, "no memory for the places of synchronisations");
}

bool binary_read_sync(struct binary_reader *reader)
{
    struct get *get = &reader->get;
    struct trace_sync sync = {.block = (uint32_t)reader->block, .warp = reader->warp};
    sync.kind = (enum sync_kind)get_byte(get);
    const struct codec_place *place =
        &reader->places.place[get_limited(get, CODEC_PLACES - 1) % CODEC_PLACES];
    sync.lanes = ~(uint32_t)get_limited(get, UINT32_MAX);
    sync.mask = (uint32_t)get_limited(get, UINT32_MAX) ^ sync.lanes;
    sync.running = (uint32_t)get_limited(get, UINT32_MAX) ^ sync.lanes;
    if (get->failed || !reader->launched || place->file == NULL || sync.kind >= SYNC_KINDS)
        return binary_reader_fail(reader, "a synchronisation that is cut short, outside of every "
                                          "launch, or of an unknown kind or place");
    sync.file = place->file;
    sync.line = place->line;
    return binary_reader_heed(reader, sink_sync(reader->sink, &sync));
}

bool binary_read_values(struct binary_reader *reader)
{
    int64_t values[WARP_LANES] = {0};
    uint32_t lanes = (uint32_t)get_limited(&reader->get, UINT32_MAX);
    get_offsets(&reader->get, lanes, values);
    if (reader->get.failed)
        return binary_reader_fail(reader, "values that are cut short");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        reader->values[lane] = (uint32_t)values[lane];
    reader->has_values = true;
    return true;
}
