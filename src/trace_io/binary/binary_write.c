/* binary_write.c - what a stream says besides its steps, and whose turn it is. */
#include "trace_io/binary/binary_write.h"

#include <stdlib.h>
#include <string.h>

#include "stream/launch_size.h"
#include "trace_io/binary/binary_launch.h"
#include "trace_io/binary/binary_writer.h"

struct binary_writer *binary_writer_new(FILE *out)
{
    struct binary_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return NULL;
    codec_start(&writer->codec);
    chunk_writer_start(&writer->chunks, out);
    return writer;
}

void binary_writer_free(struct binary_writer *writer)
{
    if (writer)
        codec_free_places(&writer->places);
    free(writer);
}

static bool refuse(struct binary_writer *writer, const char *what)
{
    if (writer->chunks.error == NULL)
        writer->chunks.error = what;
    return false;
}

bool binary_writer_flush(struct binary_writer *writer)
{
    return chunk_writer_flush(&writer->chunks);
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct binary_writer *writer = context;
    if (!chunk_writer_begin(&writer->chunks, 2 * (CODEC_TEXT_MAX + 4)))
        return false;
    put_byte(&writer->chunks.put, TAG_NOTE);
    put_text(&writer->chunks.put, key);
    put_text(&writer->chunks.put, value);
    return true;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct binary_writer *writer = context;
    (void)number;
    if (!chunk_writer_begin(&writer->chunks, 2 * (CODEC_TEXT_MAX + 4) + 16))
        return false;
    put_byte(&writer->chunks.put, TAG_SITE);
    put_text(&writer->chunks.put, site->file);
    put_text(&writer->chunks.put, site->array);
    put_number(&writer->chunks.put, site->line);
    put_byte(&writer->chunks.put, site->space);
    put_byte(&writer->chunks.put, site->op);
    put_byte(&writer->chunks.put, site->width);
    return true;
}

/* Arrays that the launch's record has no room for; how many they are goes to *put. */
static bool put_arrays_before(struct binary_writer *writer, const struct launch_info *launch,
                              size_t *put)
{
    const size_t left = LAUNCH_ROOM - binary_launch_bytes(launch);
    *put = 0;
    while (binary_launch_fitting(launch, *put, left) < launch->array_count - *put) {
        size_t count = binary_launch_fitting(launch, *put, LAUNCH_ROOM);
        if (!chunk_writer_begin(&writer->chunks, CHUNK_PAYLOAD_MAX - 2))
            return false;
        put_byte(&writer->chunks.put, TAG_ARRAYS);
        binary_launch_put_arrays(&writer->chunks.put, launch, *put, count);
        *put += count;
    }
    return true;
}

/* The most bytes of the launch's record, with the arrays from `first` on, and its tag. */
static size_t launch_bytes(const struct launch_info *launch, size_t first)
{
    size_t bytes = binary_launch_bytes(launch);
    for (size_t i = first; i < launch->array_count; i++)
        bytes += strnlen(launch->arrays[i].name, CODEC_TEXT_MAX) + 24;
    return bytes;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct binary_writer *writer = context;
    if (!chunk_writer_begin(&writer->chunks, CODEC_TEXT_MAX + 64))
        return false;
    put_byte(&writer->chunks.put, TAG_LEFT_OUT);
    put_text(&writer->chunks.put, launch->kernel);
    for (int i = 0; i < 3; i++)
        put_number(&writer->chunks.put, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        put_number(&writer->chunks.put, launch->block[i]);
    put_number(&writer->chunks.put, launch->dynamic_shared_bytes);
    put_number(&writer->chunks.put, launch->repeats);
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct binary_writer *writer = context;
    const char *refusal = binary_launch_refusal(launch);
    size_t first;
    if (refusal)
        return refuse(writer, refusal);
    if (!put_arrays_before(writer, launch, &first) ||
        !chunk_writer_begin(&writer->chunks, launch_bytes(launch, first) + 1))
        return false;
    if (launch->may_repeat)
        put_byte(&writer->chunks.put, TAG_MAY_REPEAT);
    put_byte(&writer->chunks.put, TAG_LAUNCH);
    binary_launch_put(&writer->chunks.put, launch, first);
    writer->launches++;
    writer->next_block = writer->warp = 0;
    writer->shared_bytes = 0;
    writer->warp_count = launch_warps(launch);
    memset(writer->ended, 0, sizeof writer->ended);
    return true;
}

/* Says which block and warp the next step is of, when it is not the one whose turn it is. */
bool binary_turn_to(struct binary_writer *writer, uint32_t block, uint32_t warp)
{
    if (block == writer->next_block && warp == writer->warp)
        return true;
    if (warp >= writer->warp_count || warp >= BLOCK_WARPS_MAX) {
        return refuse(writer, "a warp that its block does not have");
    }
    if (!chunk_writer_begin(&writer->chunks, 24))
        return false;
    if (block != writer->next_block) {
        put_byte(&writer->chunks.put, TAG_BLOCK);
        put_number(&writer->chunks.put, block);
    }
    if (warp != writer->warp) {
        put_byte(&writer->chunks.put, TAG_WARP);
        put_number(&writer->chunks.put, warp);
    }
    writer->next_block = block;
    writer->warp = warp;
    return true;
}

/* What the lanes of the access that follows store. */
static bool put_values(struct binary_writer *writer, const struct warp_access *access)
{
    int64_t values[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        values[lane] = access_lane_active(access, lane) ? access->values[lane] : 0;
    if (!chunk_writer_begin(&writer->chunks, 16 + 8 * WARP_LANES))
        return false;
    put_byte(&writer->chunks.put, TAG_VALUES);
    put_number(&writer->chunks.put, access->active);
    put_offsets(&writer->chunks.put, access->active, values);
    return true;
}

bool binary_write_access(void *context, const struct warp_access *access)
{
    struct binary_writer *writer = context;
    struct coded coded = {.shape = {.kind = SHAPE_ACCESS,
                                    .flags = access->flags,
                                    .loads_left = access->loads_left,
                                    .work = access->work,
                                    .lag = access->lag,
                                    .site = access->site,
                                    .active = access->active,
                                    .resident = access->resident},
                          .base = access->base};
    writer->accesses++;
    if (!binary_turn_to(writer, access->block, access->warp) ||
        (access->values && !put_values(writer, access)))
        return false;
    if (access->addr)
        binary_code_list(writer, access, &coded);
    else
        coded.shape.stride = access->stride;
    return binary_write_step(writer, &coded);
}

/* What the end of a block or of a warp's turn changes; the reader does the same. */
static void end_turn(struct binary_writer *writer, const struct trace_event *event)
{
    if (event->kind == TRACE_BLOCK_END) {
        writer->next_block++;
        writer->warp = 0;
        memset(writer->ended, 0, sizeof writer->ended);
        return;
    }
    writer->ended[event->warp] |= event->kind == TRACE_WARP_END;
    writer->warp = codec_next_warp(writer->ended, event->warp, writer->warp_count);
}

static bool on_event(void *context, const struct trace_event *event)
{
    static const uint8_t kinds[] = {[TRACE_BARRIER] = SHAPE_BARRIER,
                                    [TRACE_WARP_END] = SHAPE_WARP_END,
                                    [TRACE_BLOCK_END] = SHAPE_BLOCK_END};
    struct binary_writer *writer = context;
    bool block_ends = event->kind == TRACE_BLOCK_END;
    struct coded coded = {
        .shape = {.kind = kinds[event->kind], .work = event->work, .lag = event->lag}};
    writer->events++;
    if (block_ends && event->shared_bytes != writer->shared_bytes &&
        chunk_writer_begin(&writer->chunks, 16)) {
        put_byte(&writer->chunks.put, TAG_SHARED);
        put_number(&writer->chunks.put, event->shared_bytes);
        writer->shared_bytes = event->shared_bytes;
    }
    if (!binary_turn_to(writer, event->block, block_ends ? writer->warp : event->warp) ||
        !binary_write_step(writer, &coded))
        return false;
    end_turn(writer, event);
    return true;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct binary_writer *writer = context;
    struct put *put = &writer->chunks.put;
    if (!chunk_writer_begin(&writer->chunks, 3 * (CODEC_TEXT_MAX + 4) + 128))
        return false;
    put_byte(put, TAG_FAULT);
    put_byte(put, fault->kind);
    put_byte(put, fault->stops);
    put_number(put, fault->count);
    put_text(put, fault->file);
    put_number(put, fault->line);
    put_text(put, fault->array);
    put_byte(put, fault->space);
    put_byte(put, fault->op);
    put_byte(put, fault->width);
    put_signed(put, fault->offset);
    put_number(put, fault->array_bytes);
    for (int i = 0; i < 3; i++)
        put_number(put, fault->block[i]);
    for (int i = 0; i < 3; i++)
        put_number(put, fault->thread[i]);
    put_text(put, fault->text);
    return true;
}

static bool is_at(const struct codec_place *place, const struct trace_sync *sync)
{
    return place->file && place->line == sync->line && strcmp(place->file, sync->file) == 0;
}

/* The number of the sync's place goes to writer->place; told when it is new. */
static bool find_place(struct binary_writer *writer, const struct trace_sync *sync)
{
    struct codec_places *places = &writer->places;
    if (is_at(&places->place[writer->place], sync))
        return true;
    for (writer->place = 0; writer->place < CODEC_PLACES; writer->place++)
        if (is_at(&places->place[writer->place], sync))
            return true;
    writer->place = places->count % CODEC_PLACES;
    if (!codec_add_place(places, sync->file, sync->line))
        return refuse(writer, "no memory for the places of synchronisations");
    if (!chunk_writer_begin(&writer->chunks, CODEC_TEXT_MAX + 16))
        return false;
    put_byte(&writer->chunks.put, TAG_PLACE);
    put_text(&writer->chunks.put, sync->file);
    put_number(&writer->chunks.put, sync->line);
    return true;
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct binary_writer *writer = context;
    if (!binary_turn_to(writer, sync->block, sync->warp) || !find_place(writer, sync) ||
        !chunk_writer_begin(&writer->chunks, 32))
        return false;
    put_byte(&writer->chunks.put, TAG_SYNC);
    put_byte(&writer->chunks.put, (uint8_t)sync->kind);
    put_number(&writer->chunks.put, writer->place);
    put_number(&writer->chunks.put, (uint32_t)~sync->lanes);
    put_number(&writer->chunks.put, sync->mask ^ sync->lanes);
    put_number(&writer->chunks.put, sync->running ^ sync->lanes);
    return true;
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct binary_writer *writer = context;
    if (!chunk_writer_begin(&writer->chunks, 16))
        return false;
    put_byte(&writer->chunks.put, TAG_LAUNCH_END);
    put_number(&writer->chunks.put, shared_bytes_per_block);
    return true;
}

struct trace_sink binary_writer_sink(struct binary_writer *writer)
{
    return (struct trace_sink){.context = writer,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = binary_write_access,
                               .event = on_event,
                               .fault = on_fault,
                               .sync = on_sync,
                               .copy = binary_write_copy,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .takes_repeats = true};
}

const char *binary_writer_end(struct binary_writer *writer)
{
    if (chunk_writer_begin(&writer->chunks, 32)) {
        put_byte(&writer->chunks.put, TAG_END);
        put_number(&writer->chunks.put, writer->accesses);
        put_number(&writer->chunks.put, writer->events);
        put_number(&writer->chunks.put, writer->launches);
    }
    chunk_writer_flush(&writer->chunks);
    return writer->chunks.error;
}
