/* binary_read_steps.c - steps of a binary trace, foretold or told. */
#include "trace_io/binary/binary_reader.h"

#include <inttypes.h>
#include <string.h>

bool binary_reader_fail(struct binary_reader *reader, const char *what)
{
    return input_fail(reader->input, "byte %" PRIu64 ", behind step %" PRIu64 ": %s",
                      reader->input->bytes - (uint64_t)(reader->get.end - reader->get.at),
                      reader->accesses + reader->events, what);
}

/* The sink's answer. */
bool binary_reader_heed(struct binary_reader *reader, bool goes_on)
{
    reader->stopped |= !goes_on;
    return goes_on;
}

static bool give_access(struct binary_reader *reader, const struct shape *shape, uint64_t base,
                        const int64_t *offsets)
{
    const struct site_kind *kind = &reader->sites[shape->site];
    struct warp_access access = {.base = base,
                                 .stride = shape->stride,
                                 .active = shape->active,
                                 .resident = shape->resident,
                                 .block = (uint32_t)reader->block,
                                 .warp = reader->warp,
                                 .site = shape->site,
                                 .work = shape->work,
                                 .lag = shape->lag,
                                 .loads_left = shape->loads_left,
                                 .width = kind->width,
                                 .op = kind->op,
                                 .space = kind->space,
                                 .flags = shape->flags};
    if (offsets) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            reader->addr[lane] = base + (uint64_t)offsets[lane];
        access.addr = reader->addr;
    }
    if (reader->has_values)
        access.values = reader->values;
    reader->has_values = false;
    reader->accesses++;
    if (reader->has_bulk)
        return binary_give_bulk(reader, &access);
    if (reader->has_copy)
        return binary_give_copy(reader, &access);
    return binary_reader_heed(reader, sink_access(reader->sink, &access));
}

/* The end of a warp's turn, or of the block. */
static bool give_event(struct binary_reader *reader, const struct shape *shape)
{
    struct trace_event event = {.block = (uint32_t)reader->block,
                                .warp = reader->warp,
                                .work = shape->work,
                                .lag = shape->lag};
    reader->events++;
    if (shape->kind == SHAPE_BLOCK_END) {
        event.kind = TRACE_BLOCK_END;
        event.warp = 0;
        event.shared_bytes = reader->shared_bytes;
        reader->block++;
        reader->warp = 0;
        memset(reader->ended, 0, sizeof reader->ended);
    } else {
        event.kind = shape->kind == SHAPE_BARRIER ? TRACE_BARRIER : TRACE_WARP_END;
        reader->ended[event.warp] |= event.kind == TRACE_WARP_END;
        reader->warp = codec_next_warp(reader->ended, event.warp, reader->warp_count);
    }
    if (reader->block > UINT32_MAX)
        return binary_reader_fail(reader, "more blocks than a grid has");
    return binary_reader_heed(reader, sink_event(reader->sink, &event));
}

static bool give_step(struct binary_reader *reader, const struct shape *shape, uint64_t base,
                      const int64_t *offsets)
{
    if (shape->kind != SHAPE_ACCESS)
        return give_event(reader, shape);
    if (shape->form == FORM_AFFINE)
        return give_access(reader, shape, base, NULL);
    return give_access(reader, shape, base,
                       shape->form == FORM_LIST ? offsets : reader->codec.patterns[shape->pattern]);
}

bool binary_read_foretold(struct binary_reader *reader, uint32_t count)
{
    struct codec *codec = &reader->codec;
    for (uint32_t i = 0; i < count; i++) {
        codec_look(codec);
        if (codec->match == CODEC_NOWHERE)
            return binary_reader_fail(reader, "a foretold step where nothing is foretold");
        uint32_t number = codec_foretold(codec);
        const struct shape_state *state = &codec->shapes[number];
        if (state->shape.form == FORM_LIST)
            return binary_reader_fail(reader, "a foretold step whose addresses are not listed");
        uint64_t base = codec_base(codec, state, BASE_FORETOLD, 0);
        codec_advance(codec, number, base);
        if (!give_step(reader, &state->shape, base, NULL))
            return false;
    }
    return true;
}

static bool read_shape(struct binary_reader *reader, struct shape *shape)
{
    struct get *get = &reader->get;
    uint8_t kind_form = get_byte(get);
    shape->kind = kind_form & 15;
    shape->form = kind_form >> 4 & 7;
    shape->work = (uint16_t)get_limited(get, UINT16_MAX);
    shape->lag = kind_form & SHAPE_LAGS ? (uint16_t)get_limited(get, UINT16_MAX) : 0;
    if (shape->kind > SHAPE_BLOCK_END || shape->form > FORM_LIST)
        return binary_reader_fail(reader, "a shape of an unknown kind");
    if (shape->kind != SHAPE_ACCESS)
        return !get->failed;
    shape->site = (uint32_t)get_limited(get, UINT32_MAX);
    shape->flags = get_byte(get);
    shape->loads_left = get_byte(get);
    shape->active = ~(uint32_t)get_limited(get, UINT32_MAX);
    shape->resident = (uint32_t)get_limited(get, UINT32_MAX) ^ shape->active;
    if (shape->form == FORM_AFFINE)
        shape->stride = get_signed(get);
    else if (shape->form == FORM_PATTERN)
        shape->pattern = (uint16_t)get_limited(get, CODEC_PATTERNS - 1);
    if (shape->active == 0 || shape->site >= reader->site_count)
        return binary_reader_fail(reader,
                                  "an access of no lanes, or at a site that is not defined");
    return !get->failed;
}

/* The number of the step's shape, or CODEC_SHAPES when there is none. */
static uint32_t find_shape(struct binary_reader *reader, enum shape_source source)
{
    struct codec *codec = &reader->codec;
    struct shape shape = {0};
    uint32_t number = CODEC_SHAPES;
    if (source == SHAPE_FORETOLD && codec->match != CODEC_NOWHERE)
        number = codec_foretold(codec);
    if (source == SHAPE_KNOWN)
        number = (uint32_t)get_limited(&reader->get, CODEC_SHAPES - 1);
    if (source == SHAPE_NEW && read_shape(reader, &shape)) {
        number = codec_next_shape(codec);
        codec_add_shape(codec, &shape);
    }
    return number < codec->shape_count ? number : CODEC_SHAPES;
}

bool binary_read_step(struct binary_reader *reader, uint8_t tag)
{
    struct codec *codec = &reader->codec;
    int64_t offsets[WARP_LANES] = {0};
    enum base_source source = tag & 3;
    codec_look(codec);
    uint32_t number = find_shape(reader, tag >> 2 & 3);
    if (number == CODEC_SHAPES)
        return binary_reader_fail(reader, "a step whose shape is not defined");
    struct shape_state *state = &codec->shapes[number];
    const struct shape *shape = &state->shape;
    int64_t given = source == BASE_GIVEN ? get_signed(&reader->get) : 0;
    uint64_t base = codec_base(codec, state, source, given);
    if (shape->form == FORM_LIST)
        get_offsets(&reader->get, shape->active, offsets);
    if (reader->get.failed)
        return binary_reader_fail(reader, "a step that is cut short");
    codec_advance(codec, number, base);
    return give_step(reader, shape, base, offsets);
}
