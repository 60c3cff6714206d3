/* trace_record.h - an access or event on its way through a record_sort, and the lanes' addresses of
 * a trace file as addresses of the model.
 *
 * Decisions. Files give local addresses of one thread; the model's are interleaved, by words of the
 * access's width, as the tracer does it (tracer/spaces.c): a thread's local memory is folded to 64 KB,
 * LOCAL_WARP_BYTES for a warp. Shared addresses lose the base of the shared window when they have
 * it. An address that is no multiple of the width is an error: hardware traps.
 */
#ifndef WARPLENS_TRACE_IO_TRACE_RECORD_H
#define WARPLENS_TRACE_IO_TRACE_RECORD_H

#include "stream/input.h"
#include "stream/stream.h"

#define LOCAL_TRACE_BASE 0x1000000000ULL /* of warp 0; as the tracer's */

enum {
    WINDOW_BYTES = 1 << 24,            /* of shared or local memory among generic addresses */
    SHARED_BYTES_MAX = 228 * 1024,     /* of a block, on any GPU */
    LANE_LOCAL_BYTES = (2 << 20) / 32, /* LOCAL_WARP_BYTES for each lane */
};
_Static_assert((uint64_t)LANE_LOCAL_BYTES *WARP_LANES == LOCAL_WARP_BYTES, "a warp's lanes");

enum record_kind { RECORD_ACCESS, RECORD_BARRIER, RECORD_WARP_END, RECORD_OTHER };

/* What struct warp_access or struct trace_event will hold. */
struct trace_record {
    uint64_t line; /* of the file, for messages */
    uint64_t base; /* affine accesses */
    int64_t stride;
    uint32_t active, resident, block, warp, site;
    uint16_t work;
    uint8_t kind, loads_left, width, op, space, flags;
    bool listed; /* the active lanes' addresses follow, 8 bytes each */
};

struct lane_row {
    uint64_t addr[WARP_LANES];
    uint32_t active;
};

/* Where generic addresses mean shared and local memory; 0: not known. */
struct trace_windows {
    uint64_t shared_base, local_base;
};

enum mem_space window_space(const struct trace_windows *windows, uint64_t addr);

/* File addresses -> the model's, of the active lanes; local ones for warp 0 (record_give moves
 * them). False with a message. */
bool row_place(struct trace_input *input, const struct trace_windows *windows, enum mem_space space,
               unsigned width, struct lane_row *row);

/* The lanes that a warp of a block has. */
uint32_t warp_lanes(uint32_t threads, uint32_t warp);

enum { TRACE_RECORD_BYTES = sizeof(struct trace_record) + WARP_LANES * sizeof(uint64_t) };

/* The record of an access with those addresses, which sets base, stride, active and listed; returns
 * its bytes. */
size_t record_pack(struct trace_record *record, const struct lane_row *row,
                   uint8_t packed[TRACE_RECORD_BYTES]);

/* The fixed part of a packed record. */
struct trace_record record_head(const uint8_t *packed);

/* The active lanes' addresses of a packed access, others 0. */
struct lane_row record_row(const struct trace_record *record, const uint8_t *packed);

/* Hands a packed access to the sink as `record` has it, which comes from record_head. */
bool record_give_access(const struct trace_record *record, const uint8_t *packed,
                        const struct trace_sink *sink);

/* Kernel launches are possible as these sizes say, on some GPU. */
bool launch_sizes_check(struct trace_input *input, const struct launch_info *launch,
                        uint64_t *blocks, uint32_t *threads);

#endif
