/* binary_write.c - steps are foretold and counted as long as they come as foretold; anything else is
 * a record.
 *
 * What is only the writer's: where a shape is looked for (a small hash table that may forget, at the
 * price of a second definition), and which lists of addresses become patterns: those whose offsets
 * come for the second time.
 */
#include "trace_io/binary_write.h"

#include <stdlib.h>
#include <string.h>

#include "trace_io/binary_launch.h"
#include "trace_io/chunk_write.h"

enum {
    RECORD_BYTES_MAX = 1024, /* of a step with a new shape and 32 far addresses */
    SHAPE_SLOTS = 1 << 14,
    PATTERN_SLOTS = 1 << 12,
};

struct binary_writer {
    struct chunk_writer chunks;
    struct codec codec;
    uint16_t shape_of[SHAPE_SLOTS];       /* 1 + number, by hash */
    uint16_t pattern_of[PATTERN_SLOTS];   /* 1 + number, by hash of the offsets */
    uint32_t pattern_hash[PATTERN_SLOTS]; /* of the offsets seen last in that slot */
    uint64_t accesses, events, launches;
    uint64_t next_block, shared_bytes;
    uint32_t warp, warp_count;
    bool ended[BLOCK_WARPS_MAX]; /* warps of the block */
};

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

/* ---- Steps ----------------------------------------------------------------------------------- */

/* A step as the codec sees it. */
struct coded {
    struct shape shape;
    uint64_t base;
    int64_t offsets[WARP_LANES]; /* unless it is affine */
};

static uint32_t hash_bytes(const void *data, size_t bytes)
{
    uint64_t hash = 0;
    const uint8_t *at = data;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}

static uint32_t hash_shape(const struct shape *shape)
{
    const uint64_t words[4] = {
        (uint64_t)shape->site << 32 | shape->active,
        (uint64_t)shape->resident << 32 | (uint32_t)shape->work << 16 | shape->pattern,
        (uint64_t)shape->stride,
        (uint64_t)shape->kind << 24 | (uint64_t)shape->form << 16 |
            (uint64_t)(shape->flags << 8 | shape->loads_left),
    };
    return hash_bytes(words, sizeof words);
}

static void put_pattern(struct binary_writer *writer, uint32_t active, const int64_t *offsets)
{
    if (!chunk_writer_begin(&writer->chunks, RECORD_BYTES_MAX))
        return;
    put_byte(&writer->chunks.put, TAG_PATTERN);
    put_number(&writer->chunks.put, active);
    put_offsets(&writer->chunks.put, active, offsets);
    memcpy(codec_add_pattern(&writer->codec), offsets, WARP_LANES * sizeof *offsets);
}

/* Finds the pattern of a list of addresses; one whose offsets are new stays a list. */
static void find_pattern(struct binary_writer *writer, struct coded *coded)
{
    uint32_t hash = hash_bytes(coded->offsets, sizeof coded->offsets);
    uint32_t slot = hash % PATTERN_SLOTS, number = writer->pattern_of[slot];
    bool again = writer->pattern_hash[slot] == hash;
    coded->shape.form = FORM_LIST;
    writer->pattern_hash[slot] = hash;
    if (!again || (number && memcmp(writer->codec.patterns[number - 1], coded->offsets,
                                    sizeof coded->offsets) != 0))
        number = 0;
    if (again && number == 0) {
        number = 1 + writer->codec.pattern_count % CODEC_PATTERNS;
        put_pattern(writer, coded->shape.active, coded->offsets);
    }
    writer->pattern_of[slot] = (uint16_t)number;
    if (number) {
        coded->shape.form = FORM_PATTERN;
        coded->shape.pattern = (uint16_t)(number - 1);
    }
}

static void code_list(struct binary_writer *writer, const struct warp_access *access,
                      struct coded *coded)
{
    coded->base = access->addr[__builtin_ctz(access->active)];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        coded->offsets[lane] =
            access_lane_active(access, lane) ? (int64_t)(access->addr[lane] - coded->base) : 0;
    find_pattern(writer, coded);
}

/* The number of a shape that is known, or CODEC_SHAPES. */
static uint32_t find_shape(struct binary_writer *writer, const struct shape *shape, uint32_t slot)
{
    uint32_t number = writer->shape_of[slot];
    if (number && codec_same_shape(&writer->codec.shapes[number - 1].shape, shape))
        return number - 1;
    return CODEC_SHAPES;
}

static enum base_source find_base(const struct codec *codec, const struct shape_state *state,
                                  uint64_t base)
{
    for (enum base_source source = BASE_FORETOLD; source < BASE_GIVEN; source++)
        if (codec_base(codec, state, source, 0) == base)
            return source;
    return BASE_GIVEN;
}

static void put_shape(struct put *put, const struct shape *shape)
{
    put_byte(put, (uint8_t)(shape->kind | shape->form << 4));
    put_number(put, shape->work);
    if (shape->kind != SHAPE_ACCESS)
        return;
    put_number(put, shape->site);
    put_byte(put, shape->flags);
    put_byte(put, shape->loads_left);
    put_number(put, (uint32_t)~shape->active);
    put_number(put, shape->resident ^ shape->active);
    if (shape->form == FORM_AFFINE)
        put_signed(put, shape->stride);
    else if (shape->form == FORM_PATTERN)
        put_number(put, shape->pattern);
}

/* A step that is not foretold, or whose addresses are listed. */
static void put_step(struct binary_writer *writer, const struct coded *coded, uint32_t foretold)
{
    struct codec *codec = &writer->codec;
    uint32_t slot = hash_shape(&coded->shape) % SHAPE_SLOTS, number = foretold;
    enum shape_source source = SHAPE_FORETOLD;
    if (!chunk_writer_begin(&writer->chunks, RECORD_BYTES_MAX))
        return;
    if (number == CODEC_SHAPES) {
        source = SHAPE_KNOWN;
        number = find_shape(writer, &coded->shape, slot);
    }
    if (number == CODEC_SHAPES) {
        source = SHAPE_NEW;
        number = codec_next_shape(codec);
        codec_add_shape(codec, &coded->shape);
        writer->shape_of[slot] = (uint16_t)(number + 1);
    }
    struct shape_state *state = &codec->shapes[number];
    enum base_source base = find_base(codec, state, coded->base);
    put_byte(&writer->chunks.put, (uint8_t)(TAG_STEP | source << 2 | base));
    if (source == SHAPE_KNOWN)
        put_number(&writer->chunks.put, number);
    else if (source == SHAPE_NEW)
        put_shape(&writer->chunks.put, &coded->shape);
    if (base == BASE_GIVEN)
        put_signed(&writer->chunks.put, (int64_t)(coded->base - state->last_base));
    if (coded->shape.form == FORM_LIST)
        put_offsets(&writer->chunks.put, coded->shape.active, coded->offsets);
    codec_advance(codec, number, coded->base);
}

static bool take_step(struct binary_writer *writer, const struct coded *coded)
{
    struct codec *codec = &writer->codec;
    uint32_t foretold = CODEC_SHAPES;
    codec_look(codec);
    if (codec->match != CODEC_NOWHERE) {
        foretold = codec_foretold(codec);
        const struct shape_state *state = &codec->shapes[foretold];
        if (!codec_same_shape(&state->shape, &coded->shape))
            foretold = CODEC_SHAPES;
        else if (coded->shape.form != FORM_LIST &&
                 codec_base(codec, state, BASE_FORETOLD, 0) == coded->base) {
            codec_advance(codec, foretold, coded->base);
            return chunk_writer_count(&writer->chunks);
        }
    }
    put_step(writer, coded, foretold);
    return writer->chunks.error == NULL;
}

/* ---- The sink -------------------------------------------------------------------------------- */

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

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct binary_writer *writer = context;
    const uint32_t *b = launch->block;
    if (!binary_launch_fits(launch))
        return refuse(writer, "a launch with more arrays or managed memory than a trace can hold");
    if (!chunk_writer_begin(&writer->chunks, binary_launch_bytes(launch)))
        return false;
    put_byte(&writer->chunks.put, TAG_LAUNCH);
    binary_launch_put(&writer->chunks.put, launch);
    writer->launches++;
    writer->next_block = writer->warp = 0;
    writer->shared_bytes = 0;
    writer->warp_count = (b[0] * b[1] * b[2] + WARP_LANES - 1) / WARP_LANES;
    memset(writer->ended, 0, sizeof writer->ended);
    return true;
}

/* Says which block and warp the next step is of, when it is not the one whose turn it is. */
static bool turn_to(struct binary_writer *writer, uint32_t block, uint32_t warp)
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

static bool on_access(void *context, const struct warp_access *access)
{
    struct binary_writer *writer = context;
    struct coded coded = {.shape = {.kind = SHAPE_ACCESS,
                                    .flags = access->flags,
                                    .loads_left = access->loads_left,
                                    .work = access->work,
                                    .site = access->site,
                                    .active = access->active,
                                    .resident = access->resident},
                          .base = access->base};
    writer->accesses++;
    if (!turn_to(writer, access->block, access->warp))
        return false;
    if (access->addr)
        code_list(writer, access, &coded);
    else
        coded.shape.stride = access->stride;
    return take_step(writer, &coded);
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
    struct coded coded = {.shape = {.kind = kinds[event->kind], .work = event->work}};
    writer->events++;
    if (block_ends && event->shared_bytes != writer->shared_bytes &&
        chunk_writer_begin(&writer->chunks, 16)) {
        put_byte(&writer->chunks.put, TAG_SHARED);
        put_number(&writer->chunks.put, event->shared_bytes);
        writer->shared_bytes = event->shared_bytes;
    }
    if (!turn_to(writer, event->block, block_ends ? writer->warp : event->warp) ||
        !take_step(writer, &coded))
        return false;
    end_turn(writer, event);
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
                               .access = on_access,
                               .event = on_event,
                               .launch_end = on_launch_end};
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
