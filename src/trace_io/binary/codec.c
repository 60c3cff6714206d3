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

/* Traces may be read by several threads: the table is made once, and complete before it is used. */
static uint32_t crc_table[256];

static void make_crc_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (0xedb88320U & (0U - (value & 1U)));
        crc_table[i] = value;
    }
}

uint32_t codec_crc32(const uint8_t *bytes, size_t count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    uint32_t crc = UINT32_MAX;
    pthread_once(&once, make_crc_table);
    for (size_t i = 0; i < count; i++)
        crc = crc >> 8 ^ crc_table[(crc ^ bytes[i]) & 0xff];
    return ~crc;
}
