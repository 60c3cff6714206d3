/* codec.c - the rare parts: beginnings, definitions, turns, the checksum. */
#define _GNU_SOURCE
#include "trace_io/binary/codec.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void codec_start(struct codec *codec)
{
    codec->match = CODEC_NOWHERE;
}

void codec_add_shape(struct codec *codec, const struct shape *shape)
{
    codec->shapes[codec_next_shape(codec)] = (struct shape_state){.shape = *shape};
    codec->shape_count++;
}

int64_t *codec_add_pattern(struct codec *codec)
{
    return codec->patterns[codec->pattern_count++ % CODEC_PATTERNS];
}

bool codec_add_place(struct codec_places *places, const char *file, uint32_t line)
{
    struct codec_place *place = &places->place[places->count++ % CODEC_PLACES];
    free(place->file);
    *place = (struct codec_place){strdup(file), line};
    return place->file != NULL;
}

void codec_free_places(struct codec_places *places)
{
    for (unsigned i = 0; i < CODEC_PLACES; i++)
        free(places->place[i].file);
    places->count = 0;
}

uint32_t codec_next_warp(const bool *ended, uint32_t warp, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++)
        if (!ended[(warp + i) % count])
            return (warp + i) % count;
    return warp;
}

/* Traces may be read by several threads: the tables are made once, and complete before they are used. Table k has
 * what a byte does to the sum when k more bytes follow it, so that eight bytes are taken in at a time: 4 times as
 * fast as one by one. */
enum { CRC_STEP = 8 };
static uint32_t crc_tables[CRC_STEP][256];

static void make_crc_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (0xedb88320U & (0U - (value & 1U)));
        crc_tables[0][i] = value;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (unsigned k = 1; k < CRC_STEP; k++)
            crc_tables[k][i] =
                crc_tables[k - 1][i] >> 8 ^ crc_tables[0][crc_tables[k - 1][i] & 0xff];
}

static inline uint32_t crc_step(uint32_t crc, const uint8_t *bytes)
{
    uint32_t low = 0, high = 0;
    for (unsigned i = 0; i < 4; i++) {
        low |= (uint32_t)bytes[i] << 8 * i;
        high |= (uint32_t)bytes[i + 4] << 8 * i;
    }
    low ^= crc;
    return crc_tables[7][low & 0xff] ^ crc_tables[6][low >> 8 & 0xff] ^
           crc_tables[5][low >> 16 & 0xff] ^ crc_tables[4][low >> 24] ^ crc_tables[3][high & 0xff] ^
           crc_tables[2][high >> 8 & 0xff] ^ crc_tables[1][high >> 16 & 0xff] ^
           crc_tables[0][high >> 24];
}

uint32_t codec_crc32(const uint8_t *bytes, size_t count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint32_t crc = UINT32_MAX;
    size_t at = 0;
    pthread_once(&once, make_crc_tables);
    for (; at + CRC_STEP <= count; at += CRC_STEP)
        crc = crc_step(crc, bytes + at);
    for (; at < count; at++)
        crc = crc >> 8 ^ crc_tables[0][(crc ^ bytes[at]) & 0xff];
    return ~crc;
}
