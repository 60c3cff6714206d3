/* binary_reader.h - the inside of the reader of binary traces. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_READER_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_READER_H

#include "stream/input.h"
#include "trace_io/binary/binary_launch.h"

/* What a shape needs of its site. */
struct site_kind {
    uint8_t space, op, width;
};

struct binary_reader {
    struct trace_input *input;
    const struct trace_sink *sink;
    struct get get;
    struct codec codec;
    struct site_kind *sites; /* SITES_MAX */
    uint32_t site_count;
    struct binary_launch launch;
    bool launched, is_over; /* between TAG_LAUNCH and TAG_LAUNCH_END; after TAG_END */
    bool stopped;           /* the sink wants no more */
    bool may_repeat;        /* the launch that follows may be repeated */
    uint64_t accesses, events, launches;
    uint64_t block, shared_bytes;
    uint32_t warp, warp_count;
    bool ended[BLOCK_WARPS_MAX];
    uint64_t addr[WARP_LANES];
    struct codec_places places;
    uint32_t values[WARP_LANES]; /* of the next access */
    bool has_values;
    struct async_copy copy; /* of the next access, if `has_copy`; or the last one */
    bool has_copy;
    struct bulk_copy bulk; /* of the next access, if `has_bulk` */
    bool has_bulk;
    char text[3][CODEC_TEXT_MAX + 1];
    uint8_t payload[CHUNK_PAYLOAD_MAX];
};

/* Keeps where and what; returns false. */
bool binary_reader_fail(struct binary_reader *reader, const char *what);
/* Keeps the sink's answer, and returns it. */
bool binary_reader_heed(struct binary_reader *reader, bool goes_on);

/* So many foretold steps; the record of one that is not, behind its tag. */
bool binary_read_foretold(struct binary_reader *reader, uint32_t count);
bool binary_read_step(struct binary_reader *reader, uint8_t tag);

/* binary_read_syncs.c: the records of synchronisations and of values, behind their tags. */
bool binary_read_place(struct binary_reader *reader);
bool binary_read_sync(struct binary_reader *reader);
bool binary_read_values(struct binary_reader *reader);
/* binary_read_copies.c: the same of asynchronous copies. */
bool binary_read_copy(struct binary_reader *reader);
bool binary_read_copy_step(struct binary_reader *reader);
bool binary_give_copy(struct binary_reader *reader, struct warp_access *access);
/* Says that a copy begins, of the access that has its addresses. */
bool binary_give_begin(struct binary_reader *reader, struct warp_access *access);
/* binary_read_bulk.c: ... of bulk copies and phases. */
bool binary_read_bulk(struct binary_reader *reader);
bool binary_read_phase(struct binary_reader *reader);
bool binary_give_bulk(struct binary_reader *reader, struct warp_access *access);

#endif
