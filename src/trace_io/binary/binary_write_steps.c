/* binary_write_steps.c - steps are foretold and counted as long as they come as foretold; anything else
 * is a record.
 *
 * What is only the writer's: where a shape is looked for (a small hash table that may forget, at the
 * price of a second definition), and which lists of addresses become patterns: those whose offsets
 * come for the second time.
 */
#include <string.h>

#include "trace_io/binary/binary_writer.h"

enum { RECORD_BYTES_MAX = 1024 }; /* of a step with a new shape and 32 far addresses */

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
            (uint64_t)(shape->flags << 8 | shape->loads_left) | (uint64_t)shape->lag << 32,
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

void binary_code_list(struct binary_writer *writer, const struct warp_access *access,
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
    put_byte(put, (uint8_t)(shape->kind | shape->form << 4 | (shape->lag ? SHAPE_LAGS : 0)));
    put_number(put, shape->work);
    if (shape->lag)
        put_number(put, shape->lag);
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

bool binary_write_step(struct binary_writer *writer, const struct coded *coded)
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
