/* get.h - reads what put.h wrote, from bytes that nobody vouches for: nothing is read past their end,
 * and `failed` is set instead. */
#ifndef WARPLENS_TRACE_IO_BINARY_GET_H
#define WARPLENS_TRACE_IO_BINARY_GET_H

#include "trace_io/binary/codec.h"

struct get {
    const uint8_t *at, *end;
    bool failed;
};

static inline uint8_t get_byte(struct get *get)
{
    if (get->at < get->end)
        return *get->at++;
    get->failed = true;
    return 0;
}

static inline uint32_t get_fixed(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

static inline uint64_t get_number(struct get *get)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = get_byte(get);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    get->failed = true;
    return 0;
}

/* A number of at most `most`. */
static inline uint64_t get_limited(struct get *get, uint64_t most)
{
    uint64_t value = get_number(get);
    if (value <= most)
        return value;
    get->failed = true;
    return 0;
}

static inline int64_t get_unzigzag(uint64_t coded)
{
    return (int64_t)(coded >> 1 ^ (0U - (coded & 1)));
}

static inline int64_t get_signed(struct get *get)
{
    return get_unzigzag(get_number(get));
}

/* The text's bytes and, in *length, how many; none holds a zero. */
static inline const char *get_text(struct get *get, size_t *length)
{
    size_t count = get_limited(get, CODEC_TEXT_MAX);
    const uint8_t *text = get->at;
    *length = 0;
    for (size_t i = 0; i < count && !get->failed; i++)
        get->failed = get_byte(get) == 0;
    if (!get->failed)
        *length = count;
    return (const char *)text;
}

static inline void get_offsets(struct get *get, uint32_t active, int64_t *offsets)
{
    const uint8_t form = get_byte(get);
    const unsigned bytes = form & 15, shift = form >> 4;
    uint64_t at = 0;
    get->failed |= bytes > 8 || shift > 7;
    for (uint32_t left = get->failed ? 0 : active; left; left &= left - 1) {
        uint64_t coded = 0;
        for (unsigned k = 0; k < bytes; k++)
            coded |= (uint64_t)get_byte(get) << 8 * k;
        at += (uint64_t)get_unzigzag(coded) << shift;
        offsets[__builtin_ctz(left)] = (int64_t)at;
    }
}

#endif
