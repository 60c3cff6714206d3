/* binary_read.c - chunk by chunk, record by record: codec.h says what is foretold. */
#include "trace_io/binary/binary_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace_io/binary/binary_reader.h"
#include "stream/launch_size.h"
#include "text/memory.h"

bool binary_trace_is(const char *head, size_t bytes)
{
    size_t length = strlen(BINARY_MAGIC);
    return bytes > length && memcmp(head, BINARY_MAGIC, length) == 0 &&
           head[length] != ' '; /* "warplens text trace" */
}

static const char *read_text(struct binary_reader *reader, int which)
{
    size_t length;
    const char *text = get_text(&reader->get, &length);
    memcpy(reader->text[which], text, length);
    reader->text[which][length] = '\0';
    return reader->text[which];
}

static bool read_note(struct binary_reader *reader)
{
    const char *key = read_text(reader, 0), *value = read_text(reader, 1);
    if (reader->get.failed)
        return binary_reader_fail(reader, "a note that is cut short");
    return binary_reader_heed(reader, sink_note(reader->sink, key, value));
}

static bool read_site(struct binary_reader *reader)
{
    struct trace_site site = {.file = read_text(reader, 0), .array = read_text(reader, 1)};
    site.line = (uint32_t)get_limited(&reader->get, UINT32_MAX);
    site.space = get_byte(&reader->get);
    site.op = get_byte(&reader->get);
    site.width = get_byte(&reader->get);
    if (reader->get.failed || reader->site_count == SITES_MAX)
        return binary_reader_fail(reader, "a site that is cut short, or more than 65535 of them");
    reader->sites[reader->site_count] = (struct site_kind){site.space, site.op, site.width};
    return binary_reader_heed(reader, sink_site(reader->sink, reader->site_count++, &site));
}

static bool read_launch(struct binary_reader *reader)
{
    struct binary_launch *launch = &reader->launch;
    const char *error = binary_launch_read(launch, &reader->get);
    if (error || reader->launched)
        return binary_reader_fail(reader, error ? error : "a launch within a launch");
    launch->info.may_repeat = reader->may_repeat;
    reader->may_repeat = false;
    reader->launched = true;
    reader->launches++;
    reader->block = reader->warp = 0;
    reader->shared_bytes = 0;
    reader->warp_count = launch_warps(&launch->info);
    memset(reader->ended, 0, sizeof reader->ended);
    return binary_reader_heed(reader, sink_launch_begin(reader->sink, &launch->info));
}

static bool read_left_out(struct binary_reader *reader)
{
    struct trace_left_out launch = {.kernel = read_text(reader, 0)};
    for (int i = 0; i < 3; i++)
        launch.grid[i] = (uint32_t)get_limited(&reader->get, INT32_MAX);
    for (int i = 0; i < 3; i++)
        launch.block[i] = (uint32_t)get_limited(&reader->get, BLOCK_THREADS_MAX);
    launch.dynamic_shared_bytes = get_number(&reader->get);
    launch.repeats = get_number(&reader->get);
    if (reader->get.failed || reader->launched)
        return binary_reader_fail(
            reader, "a launch that was left out, and is cut short or within a launch");
    return binary_reader_heed(reader, sink_launch_left_out(reader->sink, &launch));
}

static bool read_may_repeat(struct binary_reader *reader)
{
    if (reader->launched)
        return binary_reader_fail(reader, "a launch within a launch");
    return reader->may_repeat = true;
}

static bool read_arrays(struct binary_reader *reader)
{
    const char *error = binary_launch_read_arrays(&reader->launch, &reader->get);
    if (error || reader->launched)
        return binary_reader_fail(reader, error ? error : "arrays of a launch within a launch");
    return true;
}

static bool read_launch_end(struct binary_reader *reader)
{
    uint64_t shared_bytes = get_number(&reader->get);
    if (reader->get.failed || !reader->launched)
        return binary_reader_fail(reader, "the end of a launch where none has begun");
    reader->launched = false;
    return binary_reader_heed(reader, sink_launch_end(reader->sink, shared_bytes));
}

static bool read_fault(struct binary_reader *reader)
{
    struct get *get = &reader->get;
    struct trace_fault fault = {.kind = get_byte(get)};
    fault.stops = get_limited(get, 1) != 0;
    fault.count = get_number(get);
    fault.file = read_text(reader, 0);
    fault.line = (uint32_t)get_limited(get, UINT32_MAX);
    fault.array = read_text(reader, 1);
    fault.space = get_byte(get);
    fault.op = get_byte(get);
    fault.width = get_byte(get);
    fault.offset = get_signed(get);
    fault.array_bytes = get_number(get);
    for (int i = 0; i < 3; i++)
        fault.block[i] = (uint32_t)get_limited(get, UINT32_MAX);
    for (int i = 0; i < 3; i++)
        fault.thread[i] = (uint32_t)get_limited(get, UINT32_MAX);
    fault.text = read_text(reader, 2);
    if (get->failed || (!fault.stops && !reader->launched))
        return binary_reader_fail(reader, "a fault that is cut short, or outside of every launch");
    reader->launched = reader->launched && !fault.stops;
    return binary_reader_heed(reader, sink_fault(reader->sink, &fault));
}

static bool read_pattern(struct binary_reader *reader)
{
    /* Which lanes it is for is the shape's matter: all of them are written. */
    int64_t offsets[WARP_LANES] = {0};
    uint32_t active = (uint32_t)get_limited(&reader->get, UINT32_MAX);
    get_offsets(&reader->get, active, offsets);
    if (reader->get.failed)
        return binary_reader_fail(reader, "a pattern that is cut short");
    memcpy(codec_add_pattern(&reader->codec), offsets, sizeof offsets);
    return true;
}

static bool read_turn(struct binary_reader *reader, uint8_t tag)
{
    uint64_t value = get_limited(&reader->get, UINT32_MAX);
    if (reader->get.failed || (tag == TAG_WARP && value >= reader->warp_count))
        return binary_reader_fail(reader, "a block or warp that there is not");
    if (tag == TAG_WARP)
        reader->warp = (uint32_t)value;
    else
        reader->block = value;
    return true;
}

static bool read_end(struct binary_reader *reader)
{
    uint64_t accesses = get_number(&reader->get), events = get_number(&reader->get);
    uint64_t launches = get_number(&reader->get);
    reader->is_over = true;
    if (reader->get.failed || reader->launched || accesses != reader->accesses ||
        events != reader->events || launches != reader->launches ||
        reader->get.at != reader->get.end)
        return binary_reader_fail(reader, "the trace's sums are not those of its records");
    return true;
}

static bool read_record(struct binary_reader *reader)
{
    uint8_t tag = get_byte(&reader->get);
    bool is_step = tag < TAG_NOTE;
    if (reader->is_over || (is_step && !reader->launched))
        return binary_reader_fail(reader, "a step outside of every launch, or behind the end");
    if (tag < TAG_STEP)
        return binary_read_foretold(reader, tag + 1U);
    switch (tag) {
    case TAG_NOTE:
        return read_note(reader);
    case TAG_SITE:
        return read_site(reader);
    case TAG_LAUNCH:
        return read_launch(reader);
    case TAG_BLOCK:
    case TAG_WARP:
        return read_turn(reader, tag);
    case TAG_SHARED:
        reader->shared_bytes = get_number(&reader->get);
        return !reader->get.failed || binary_reader_fail(reader, "a record that is cut short");
    case TAG_PATTERN:
        return read_pattern(reader);
    case TAG_LAUNCH_END:
        return read_launch_end(reader);
    case TAG_ARRAYS:
        return read_arrays(reader);
    case TAG_FAULT:
        return read_fault(reader);
    case TAG_PLACE:
        return binary_read_place(reader);
    case TAG_SYNC:
        return binary_read_sync(reader);
    case TAG_VALUES:
        return binary_read_values(reader);
    case TAG_COPY:
        return binary_read_copy(reader);
    case TAG_COPY_STEP:
        return binary_read_copy_step(reader);
    case TAG_BULK:
        return binary_read_bulk(reader);
    case TAG_PHASE:
        return binary_read_phase(reader);
    case TAG_LEFT_OUT:
        return read_left_out(reader);
    case TAG_MAY_REPEAT:
        return read_may_repeat(reader);
    case TAG_END:
        return read_end(reader);
    default:
        return is_step && tag < TAG_STEP + 16
                   ? binary_read_step(reader, tag)
                   : binary_reader_fail(reader, "a record of an unknown kind");
    }
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* False at the end of the file, and on an error. */
static bool read_chunk(struct binary_reader *reader)
{
    uint8_t header[CHUNK_HEADER_BYTES];
    struct trace_input *input = reader->input;
    reader->get = (struct get){0};
    size_t got = input_read(input, header, sizeof header);
    if (got == 0)
        return false;
    uint32_t bytes = got == sizeof header ? get_fixed(header) : 0;
    if (bytes == 0 || bytes > CHUNK_PAYLOAD_MAX)
        return binary_reader_fail(reader, "no chunk of a trace begins here");
    if (input_read(input, reader->payload, bytes) != bytes)
        return binary_reader_fail(reader, "the trace ends within a chunk: it is cut short");
    if (codec_crc32(reader->payload, bytes) != get_fixed(header + 4))
        return binary_reader_fail(
            reader, "the checksum of the chunk that ends here is wrong: the file is damaged");
    reader->get = (struct get){.at = reader->payload, .end = reader->payload + bytes};
    return true;
}

static bool read_header(struct binary_reader *reader)
{
    uint8_t header[BINARY_HEADER_BYTES];
    if (input_read(reader->input, header, sizeof header) != sizeof header ||
        !binary_trace_is((const char *)header, sizeof header))
        return binary_reader_fail(reader, "this is no binary trace of warplens");
    const int version = header[8] | header[9] << 8;
    if (version == BINARY_VERSION_WITHOUT_SYNCS)
        return binary_reader_heed(reader,
                                  sink_note(reader->sink, NOTE_UNRECORDED, UNRECORDED_SYNCS));
    if (version != BINARY_VERSION && version != BINARY_VERSION_WITHOUT_LAG)
        return input_fail(reader->input,
                          "a trace of version %d: this warplens reads versions %d to %d; record "
                          "it anew, or use the warplens that wrote it",
                          version, BINARY_VERSION_WITHOUT_SYNCS, BINARY_VERSION);
    return true;
}

static void read_all(struct binary_reader *reader)
{
    if (!read_header(reader))
        return;
    while (read_chunk(reader))
        while (reader->get.at < reader->get.end)
            if (!read_record(reader)) {
                if (!reader->stopped)
                    binary_reader_fail(reader, "a record that is cut short");
                return;
            }
    if (!reader->is_over)
        binary_reader_fail(reader, "the trace has no end: it is cut short");
}

const char *binary_trace_read(struct trace_input *input, const struct trace_sink *sink)
{
    struct binary_reader *reader = memory_take(1, sizeof *reader);
    struct site_kind *sites = memory_take(SITES_MAX, sizeof *sites);
    if (reader && sites) {
        reader->input = input;
        reader->sink = sink;
        reader->sites = sites;
        codec_start(&reader->codec);
        read_all(reader);
        binary_launch_free(&reader->launch);
        codec_free_places(&reader->places);
    } else {
        input_fail(input, "no memory for the reader of a binary trace");
    }
    free(reader);
    free(sites);
    return input->failed ? input->message : NULL;
}
