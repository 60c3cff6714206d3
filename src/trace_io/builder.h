/* builder.h - makes a stream (stream/stream.h) out of what a reader of hand-made traces finds: checks
 * every part, keeps the order of blocks, and adds what such a trace need not say: the ends of warps
 * and blocks, numbers of sites, addresses of arrays. Memory is bounded.
 *
 * Every function returns false when the reader has to stop: there is a message in the input, or
 * the sink wants no more (`stopped`).
 */
#ifndef WARPLENS_TRACE_IO_BUILDER_H
#define WARPLENS_TRACE_IO_BUILDER_H

#include "stream/input.h"
#include "stream/stream.h"
#include "trace_io/array_table.h"
#include "trace_io/names.h"
#include "trace_io/site_table.h"

struct trace_builder {
    struct trace_input *input;
    const struct trace_sink *sink;
    size_t column; /* for messages; 0: none */
    bool stopped;  /* the sink wants no more */
    bool launched; /* a launch has begun */
    bool in_launch;

    struct names names;
    struct site_table sites;
    struct array_table arrays;

    struct launch_info launch;    /* the running one */
    uint64_t static_shared_bytes; /* a block of it uses, as far as the trace says */
    uint64_t next_block;          /* the least that may come now */
    bool block_open;
    uint32_t block;
    uint32_t ended_warps; /* of the open block, bits */
};

bool builder_start(struct trace_builder *b, struct trace_input *input,
                   const struct trace_sink *sink);
void builder_free(struct trace_builder *b);

/* input_fail, with the column. */
bool builder_fail(struct trace_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps a name; NULL, with a message, when there are too many. */
const char *builder_name(struct trace_builder *b, const char *name, size_t length);

bool builder_note(struct trace_builder *b, const char *key, const char *value);

/* Begins a launch, with the arrays there are; the one before has to be over. */
bool builder_launch_begin(struct trace_builder *b, const struct launch_info *launch);
/* Ends the open block and the launch; `*shared`: what a block used of shared memory, NULL: what the
 * launch and its arrays say. Nothing is done when no launch runs. */
bool builder_launch_end(struct trace_builder *b, const uint64_t *shared);

/* A fault of the running launch, whose blocks are all there; one that stops ends the launch, and its open block. */
bool builder_fault(struct trace_builder *b, const struct trace_fault *fault);

/* The number of a site; a new one is told to the sink. */
bool builder_site(struct trace_builder *b, const struct site_key *key, uint32_t *number);
/* The same for one that is new whatever it is like. */
bool builder_site_add(struct trace_builder *b, const struct site_key *key);

/* Ends the open block and opens this one; nothing is done when it is open. */
bool builder_block(struct trace_builder *b, uint64_t block);
/* That it may be opened, behind the blocks there were. */
bool builder_block_check(struct trace_builder *b, uint64_t block);
bool builder_block_end(struct trace_builder *b, const uint64_t *shared);

/* Of the open block. */
bool builder_access(struct trace_builder *b, const struct warp_access *access);
/* The same with a copy: an asynchronous one begins. */
bool builder_copy(struct trace_builder *b, const struct warp_access *access);
/* A commit or a wait; its block is the open one. */
bool builder_copy_step(struct trace_builder *b, struct trace_copy *copy);
/* Lanes at a synchronisation; its block is the open one. */
bool builder_sync(struct trace_builder *b, struct trace_sync *sync);
bool builder_warp_event(struct trace_builder *b, enum trace_event_kind kind, uint32_t warp,
                        uint16_t work, uint16_t lag);
bool builder_warp_has_ended(const struct trace_builder *b, uint32_t warp);

#endif
