/* binary_writer.h - the inside of the writer of binary traces. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_WRITER_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_WRITER_H

#include "trace_io/binary/binary_write.h"
#include "trace_io/binary/chunk_write.h"

enum { SHAPE_SLOTS = 1 << 14, PATTERN_SLOTS = 1 << 12 };

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
    struct codec_places places;
    uint32_t place;         /* the number of the last sync's */
    struct async_copy copy; /* the last one, of lanes `copy_lanes` */
    uint32_t copy_lanes;
};

/* A step as the codec sees it. */
struct coded {
    struct shape shape;
    uint64_t base;
    int64_t offsets[WARP_LANES]; /* unless it is affine */
};

/* binary_write.c: a step of that warp follows; an access of it. */
bool binary_turn_to(struct binary_writer *writer, uint32_t block, uint32_t warp);
bool binary_write_access(void *context, const struct warp_access *access);
/* binary_write_copies.c: of the sink. */
bool binary_write_copy(void *context, const struct trace_copy *copy);
/* binary_write_bulk.c */
bool binary_put_bulk(struct binary_writer *writer, const struct bulk_copy *bulk);
bool binary_put_phase(struct binary_writer *writer, const struct trace_copy *copy);

/* Finds the base and the shape of addresses in a list: coded->shape.form, .pattern, and the rest. */
void binary_code_list(struct binary_writer *writer, const struct warp_access *access,
                      struct coded *coded);
/* Writes a step, or counts it when it comes as foretold. False when something has gone wrong. */
bool binary_write_step(struct binary_writer *writer, const struct coded *coded);

#endif
