/* put.h - the pieces that records of a binary trace are made of. A caller has made sure of the room.
 */
#ifndef WARPLENS_TRACE_IO_BINARY_PUT_H
#define WARPLENS_TRACE_IO_BINARY_PUT_H

#include <string.h>

#include "trace_io/binary/codec.h"

struct put {
    size_t used;
    uint8_t bytes[CHUNK_PAYLOAD_MAX + 1]; /* a byte more for steps that are only counted */
};

/* 4 bytes, the lowest first. */
static inline void put_fixed(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static inline void put_byte(struct put *put, uint8_t byte)
{
    put->bytes[put->used++] = byte;
}

/* 7 bits a byte, the lowest first; the high bit says that more follow. At most 10 bytes. */
static inline void put_number(struct put *put, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(put, (uint8_t)(value | 0x80));
    put_byte(put, (uint8_t)value);
}

/* 0, -1, 1, -2, ... are 0, 1, 2, 3, ... */
static inline void put_signed(struct put *put, int64_t value)
{
    put_number(put, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Its length and its bytes; what is longer than CODEC_TEXT_MAX is cut. */
static inline void put_text(struct put *put, const char *text)
{
    size_t length = strnlen(text, CODEC_TEXT_MAX);
    put_number(put, length);
    memcpy(put->bytes + put->used, text, length);
    put->used += length;
}

/* The active lanes' distances from the active lane before, the first one's from 0: how many bytes each
 * takes and how many low bits of 0 are left out, in one byte, then zigzag numbers of that many bytes.
 * Of an all-equal list nothing but that byte is left. */
static inline void put_offsets(struct put *put, uint32_t active, const int64_t *offsets)
{
    uint64_t coded[WARP_LANES], any = 0;
    unsigned count = 0, shift = 0, bytes = 0;
    int64_t before = 0;
    for (uint32_t left = active; left; left &= left - 1) {
        int64_t offset = offsets[__builtin_ctz(left)],
                step = (int64_t)((uint64_t)offset - (uint64_t)before);
        coded[count] = (uint64_t)step;
        any |= coded[count++];
        before = offset;
    }
    while (any && shift < 7 && !(any >> shift & 1))
        shift++;
    any = 0;
    for (unsigned i = 0; i < count; i++) {
        int64_t step = (int64_t)coded[i] >> shift;
        coded[i] = (uint64_t)step << 1 ^ (step < 0 ? UINT64_MAX : 0);
        any |= coded[i];
    }
    while (bytes < 8 && any >> 8 * bytes)
        bytes++;
    put_byte(put, (uint8_t)(bytes | shift << 4));
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < bytes; k++)
            put_byte(put, (uint8_t)(coded[i] >> 8 * k));
}

#endif
