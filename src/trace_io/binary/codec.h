/* codec.h - what a binary trace's writer and reader agree on: how the next step of a launch is
 * foretold from those before. docs/trace-format.md describes it byte by byte.
 *
 * A step is an access or an event. Its shape is all of it but the base address. Warps do the same as
 * the warps before them, somewhere else: so the next shape is foretold to be the one that came after
 * the same three shapes the last time (and on from there as long as that holds), and its base to be
 * as far from the base there as this shape's was before. Steps that are foretold cost nothing but
 * their count.
 */
#ifndef WARPLENS_TRACE_IO_BINARY_CODEC_H
#define WARPLENS_TRACE_IO_BINARY_CODEC_H

#include "stream/limits.h"

#define BINARY_MAGIC "warplens"
enum {
    BINARY_VERSION = 3,
    BINARY_VERSION_WITHOUT_LAG = 2,   /* is read, too */
    BINARY_VERSION_WITHOUT_SYNCS = 1, /* the same */
    BINARY_HEADER_BYTES = 12,         /* magic, version (2 bytes), 2 bytes of 0 */
    CHUNK_HEADER_BYTES = 8,           /* bytes of the payload and their CRC-32, 4 bytes each */
    CHUNK_PAYLOAD_MAX = 1 << 16,
    CODEC_SHAPES = 4096,   /* numbers of shapes go round: the oldest is forgotten first */
    CODEC_PATTERNS = 1024, /* the same */
    CODEC_HISTORY = 1 << 16,
    CODEC_CONTEXTS = 1 << 14,
    CODEC_PLACES = 256,
};

/* The first byte of a record. Below TAG_STEP: so many foretold steps, and one more. */
enum {
    TAG_STEP = 0x80,    /* to 0x8f: | shape source << 2 | base source */
    TAG_NOTE = 0xc0,    /* key, value */
    TAG_SITE = 0xc1,    /* file, array, line, space, op, width */
    TAG_LAUNCH = 0xc2,  /* kernel, 3 + 3 sizes, dynamic shared bytes, registers, arrays, managed */
    TAG_BLOCK = 0xc3,   /* the number of the block that begins, when it is not the next one */
    TAG_WARP = 0xc4,    /* the warp of the next step, when it is not the one in turn */
    TAG_SHARED = 0xc5,  /* bytes of shared memory that a block has used, when that changes */
    TAG_PATTERN = 0xc6, /* lanes and their offsets */
    TAG_LAUNCH_END = 0xc7, /* shared bytes of a block */
    TAG_END = 0xc8,        /* accesses, events, launches */
    TAG_ARRAYS = 0xc9,     /* arrays of the next launch, which its own record has no room for */
    TAG_FAULT = 0xca,      /* kind, stops, count, the access, the array, the thread, a text */
    TAG_PLACE = 0xcb, /* file, line: of syncs, numbered from 0; the oldest is forgotten first */
    TAG_SYNC = 0xcc,  /* kind, place, lanes, mask, running; of the warp in turn */
    TAG_LEFT_OUT =
        0xce, /* kernel, 3 + 3 sizes, dynamic shared bytes, so many launches before it the one it repeats */
    TAG_MAY_REPEAT = 0xcf, /* the launch that follows may be repeated */
    TAG_VALUES = 0xcd,     /* lanes, and what each stores: of the next step */
    TAG_COPY =
        0xd0, /* how, and unless that is as of the last one: lanes, where each copies to, bytes: the next
                              step is an asynchronous copy's */
    TAG_COPY_STEP = 0xd1, /* what, groups left, lanes that do not, work; of the warp in turn */
    TAG_BULK =
        0xd2, /* rank, element, swizzle, shared, barrier, phase, and of each dimension box, at, size, pitch: the
                        next step is a bulk copy's */
    TAG_PHASE = 0xd3, /* what, barrier, phase, arrivals, bytes, lanes that do not, work */
};
/* How an asynchronous copy goes; CODEC_COPY_WHOLE: every lane reads all. */
enum {
    CODEC_COPY_PAST_L1 = 1,
    CODEC_COPY_SIZED = 2,
    CODEC_COPY_WHOLE = 4,
    CODEC_COPY_SAME = 8,
    CODEC_COPY_ALL = 15
};
enum shape_source { SHAPE_FORETOLD, SHAPE_KNOWN, SHAPE_NEW };
enum base_source { BASE_FORETOLD, BASE_SECOND, BASE_STEP, BASE_GIVEN };

enum shape_kind { SHAPE_ACCESS, SHAPE_BARRIER, SHAPE_WARP_END, SHAPE_BLOCK_END };
enum shape_form { FORM_AFFINE, FORM_PATTERN, FORM_LIST };
enum { SHAPE_LAGS = 0x80 }; /* in the byte with both: its lag follows its work */

/* What two equal steps share; a plain value, compared by codec_same_shape. */
struct shape {
    uint8_t kind, form, flags, loads_left;
    uint16_t work, lag;
    uint16_t pattern; /* FORM_PATTERN: its number */
    uint32_t site, active, resident;
    int64_t stride; /* FORM_AFFINE */
};

struct shape_state {
    struct shape shape;
    int64_t ahead[2];   /* base minus the base in the history: the usual one, and another */
    uint64_t last_base; /* and how far it was from the one before */
    int64_t last_step;
    bool was_second; /* the last base was ahead[1] off */
};

/* Where syncs are: numbers go round, the oldest is forgotten first. */
struct codec_places {
    struct codec_place {
        char *file; /* a copy */
        uint32_t line;
    } place[CODEC_PLACES];
    uint32_t count; /* defined so far */
};

/* Defines the next one; false without memory. */
bool codec_add_place(struct codec_places *places, const char *file, uint32_t line);
void codec_free_places(struct codec_places *places);

#define CODEC_NOWHERE UINT64_MAX

struct codec {
    struct shape_state shapes[CODEC_SHAPES];
    int64_t patterns[CODEC_PATTERNS][WARP_LANES]; /* offsets from the base, by lane */
    uint32_t shape_count, pattern_count;          /* defined so far */
    uint64_t position;                            /* steps so far */
    uint64_t match;  /* the step in the history that foretells the next one, or CODEC_NOWHERE */
    uint64_t recent; /* the last shapes' numbers, 16 bits each */
    uint16_t history_shape[CODEC_HISTORY];
    uint64_t history_base[CODEC_HISTORY];
    uint64_t context[CODEC_CONTEXTS]; /* by hash of the last three: 1 + the position behind them */
};

/* All else is zeros, so that a short trace touches little of it. */
void codec_start(struct codec *codec);

static inline bool codec_same_shape(const struct shape *a, const struct shape *b)
{
    return a->site == b->site && a->active == b->active && a->kind == b->kind &&
           a->form == b->form && a->flags == b->flags && a->loads_left == b->loads_left &&
           a->work == b->work && a->lag == b->lag && a->pattern == b->pattern &&
           a->resident == b->resident && a->stride == b->stride;
}

/* The number of the shape that is defined next. */
static inline uint32_t codec_next_shape(const struct codec *codec)
{
    return codec->shape_count % CODEC_SHAPES;
}
void codec_add_shape(struct codec *codec, const struct shape *shape);
/* Room for the pattern that is defined next; its number is pattern_count before, modulo
 * CODEC_PATTERNS. */
int64_t *codec_add_pattern(struct codec *codec);

static inline uint64_t codec_slot(uint64_t recent)
{
    return ((recent & 0xffffffffffffULL) * 0x9e3779b97f4a7c15ULL) >> (64 - 14);
}

/* Due before each step: finds where in the history to look. */
static inline void codec_look(struct codec *codec)
{
    if (codec->match == CODEC_NOWHERE)
        codec->match = codec->context[codec_slot(codec->recent)] - 1;
    if (codec->position - codec->match > CODEC_HISTORY)
        codec->match = CODEC_NOWHERE; /* it is no longer there, or never was */
}

/* The number of the shape that is foretold, after codec_look found a match. */
static inline uint32_t codec_foretold(const struct codec *codec)
{
    return codec->history_shape[codec->match % CODEC_HISTORY];
}

/* The base that a source stands for; `given` is the figure of BASE_GIVEN. */
static inline uint64_t codec_base(const struct codec *codec, const struct shape_state *state,
                                  enum base_source source, int64_t given)
{
    uint64_t from = codec->match == CODEC_NOWHERE
                        ? state->last_base
                        : codec->history_base[codec->match % CODEC_HISTORY];
    if (source == BASE_FORETOLD || source == BASE_SECOND)
        return from + (uint64_t)state->ahead[source];
    return state->last_base + (uint64_t)(source == BASE_STEP ? state->last_step : given);
}

/* A usual distance stays until another one has come twice in a row: the first warp of a block is
 * further from the warp before than the others are. */
static inline void codec_note_ahead(struct shape_state *state, int64_t ahead)
{
    if (ahead == state->ahead[0]) {
        state->was_second = false;
        return;
    }
    if (ahead == state->ahead[1] && state->was_second) {
        state->ahead[1] = state->ahead[0];
        state->ahead[0] = ahead;
        state->was_second = false;
        return;
    }
    state->was_second = ahead == state->ahead[1];
    state->ahead[1] = ahead;
}

/* Takes the step into the history. */
static inline void codec_advance(struct codec *codec, uint32_t number, uint64_t base)
{
    struct shape_state *state = &codec->shapes[number];
    uint64_t at = codec->position % CODEC_HISTORY;
    if (codec->match == CODEC_NOWHERE) {
    } else if (codec_foretold(codec) == number) {
        codec_note_ahead(state,
                         (int64_t)(base - codec->history_base[codec->match % CODEC_HISTORY]));
        codec->match++;
    } else {
        codec->match = CODEC_NOWHERE;
    }
    codec->context[codec_slot(codec->recent)] = codec->position + 1;
    codec->recent = codec->recent << 16 | number;
    codec->history_shape[at] = (uint16_t)number;
    codec->history_base[at] = base;
    codec->position++;
    state->last_step = (int64_t)(base - state->last_base);
    state->last_base = base;
}

/* The warp whose turn it is after `warp` of `count` has come to a barrier or its end: the next one
 * that has not ended, from the first again after the last; `warp` when all have ended. */
uint32_t codec_next_warp(const bool *ended, uint32_t warp, uint32_t count);

/* CRC-32 as in zlib and PNG. */
uint32_t codec_crc32(const uint8_t *bytes, size_t count);

#endif
