/* stream.h - a traced run as a stream: what sources (the tracer, readers of trace files) hand to
 * sinks (sessions, writers of trace files, checks).
 *
 * The order of a run: note... (NOTE_LIBRARY may also come behind launches), then for each launch launch_begin, its accesses
 * and events, its faults, launch_end; or launch_left_out alone. A fault that stops the kernel comes at once and stands for the launch's end: the launch is
 * incomplete, whatever was said of it counts for nothing. Outside of launches a fault is of host code, and
 * stops. A site comes before the first access that names it. Blocks come one after another, in
 * block order, each ended by TRACE_BLOCK_END; a warp's accesses and events are in its program order, but for loads of a program that
 * nvcc has in front of others (tracer/waits/hoist.h), its block's other warps' in between. Every warp of a block has a TRACE_WARP_END.
 *
 * Pointers live for the call, those of a launch until its end. A sink's function returns false when it
 * wants no more: the source then calls nothing further and comes back; why is the sink's own business.
 */
#ifndef WARPLENS_STREAM_STREAM_H
#define WARPLENS_STREAM_STREAM_H

#include "sim/rules/access.h"
#include "sim/rules/warpgroup_product.h"
#include "stream/fault.h"

struct managed_range; /* stream/managed_range.h */

/* Whose memory an array is in. */
enum array_home { HOME_DEVICE, HOME_HOST, HOME_MANAGED };

/* Memory that the kernels of a launch may access: global addresses [base, base + bytes). */
struct trace_array {
    const char *name;
    uint64_t base, bytes;
    uint8_t home; /* enum array_home */
};

struct launch_info {
    const char *kernel; /* the __global__ function */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    uint32_t registers;               /* a thread; 0: unknown */
    const struct trace_array *arrays; /* live ones, by address; none when array_count is 0 */
    size_t array_count;
    const struct managed_range *managed; /* managed arrays */
    size_t managed_count;
    bool may_repeat; /* launches that follow may repeat it (struct trace_left_out) */
};

/* A launch that happens without steps: it repeats an earlier one, or its figures are not wanted. */
struct trace_left_out {
    const char *kernel; /* as in struct launch_info */
    uint32_t grid[3], block[3];
    uint64_t dynamic_shared_bytes;
    uint64_t
        repeats; /* it has all figures of the launch so many launches before it, one of the latest
                         REPEATED_LAUNCHES_MAX that may repeat; 0: it has none */
};
enum { REPEATED_LAUNCHES_MAX = 64 };

enum trace_event_kind {
    TRACE_BARRIER,   /* the warp waits at __syncthreads */
    TRACE_WARP_END,  /* the warp's last lane has ended */
    TRACE_BLOCK_END, /* all its warps have ended; `warp` and `work` are 0 */
};

/* What happens to a warp besides accesses. */
struct trace_event {
    enum trace_event_kind kind;
    uint32_t block, warp;  /* as in struct warp_access */
    uint16_t work;         /* instructions since the warp's event before, this one included */
    uint64_t shared_bytes; /* TRACE_BLOCK_END: of shared memory, that a block has used so far: its
                              static arrays and the dynamic part */
    uint16_t lag;          /* as in struct warp_access */
};

/* What orders lanes of a warp, or what they wrote, besides barriers; __syncthreads is an event. */
enum sync_kind {
    SYNC_WARP,     /* __syncwarp: orders memory among the lanes that its mask names */
    SYNC_EXCHANGE, /* a shuffle, vote, match or reduction with a mask: orders no memory */
    FENCE_BLOCK,   /* __threadfence_block */
    FENCE_DEVICE,  /* __threadfence */
    FENCE_SYSTEM,  /* __threadfence_system */
    SYNC_GRID,     /* a barrier of the whole grid: the warp's barrier that follows is it. No mask */
    SYNC_KINDS
};

/* As texts name them. */
extern const char *const sync_kind_names[SYNC_KINDS];

/* Lanes of a warp that have come to one of them; it stands in the order of the warp's accesses. */
struct trace_sync {
    enum sync_kind kind;
    uint32_t block, warp; /* as in struct warp_access */
    uint32_t lanes;       /* those that have come; never 0 */
    uint32_t mask;        /* the lanes that these name; 0: of a fence */
    uint32_t running; /* the warp's lanes that have not ended, or not without going past this one
                             while others waited there; a superset of `lanes` */
    const char *file; /* as in struct trace_site */
    uint32_t line;
};

enum copy_step {
    COPY_BEGINS, /* the warp asks for a copy (struct async_copy) and goes on */
    COPY_COMMIT, /* copies since the last one are a group from here on; it may be empty */
    COPY_WAIT,   /* the warp goes on when all of its groups but the latest `left` have arrived */
    /* Bulk copies: those from shared memory are waited for by groups of their own, those to it by a barrier in shared memory
     * (mbarrier), by its phase: it is over when so many arrivals and bytes have come that `needs` and `bytes` say. */
    BULK_BEGINS, /* a lane asks for a bulk copy (struct bulk_copy) and goes on */
    BULK_COMMIT,
    BULK_WAIT,      /* until its groups but the latest `left` are written */
    BULK_WAIT_READ, /* ... are read from shared memory */
    PHASE_ARRIVE,   /* lanes arrive, `needs` times together */
    PHASE_WAIT,     /* lanes wait for the end of the phase */
    /* Products of a warpgroup (wgmma), each told of every of its warps: 64 x N of matrices that are 32 bytes deep. */
    PRODUCT_BEGINS, /* the warp goes on; `left` says which (stream_product) */
    PRODUCT_COMMIT, /* products since the last one are a group */
    PRODUCT_WAIT,   /* until its groups but the latest `left` are there */
    COPY_STEPS
};

/* What a warp does about asynchronous copies; it stands in the order of its accesses. Groups are of a lane: those of a warp whose
 * lanes part may differ. */
struct trace_copy {
    enum copy_step step;
    uint32_t block, warp; /* as in struct warp_access */
    uint32_t lanes;       /* that do it; never 0 */
    uint32_t left;        /* ..._WAIT: groups, 0 to COPY_GROUPS_LEFT_MAX; PRODUCT_BEGINS */
    uint16_t work;        /* as in struct trace_event */
    const struct warp_access *access; /* COPY_BEGINS, BULK_BEGINS: with its copy; else NULL */
    /* PHASE_...: */
    uint32_t barrier; /* its address in shared memory */
    uint32_t phase;   /* counted from 0 */
    uint32_t needs,
        bytes; /* PHASE_WAIT: of the phase's arrivals and bytes, those that the stream has */
};
static inline bool copy_step_begins(enum copy_step step)
{
    return step == COPY_BEGINS || step == BULK_BEGINS;
}
/* That the access's copy, asynchronous or bulk, begins. */
static inline struct trace_copy copy_begins(const struct warp_access *access)
{
    return (struct trace_copy){.step = access->bulk ? BULK_BEGINS : COPY_BEGINS,
                               .block = access->block,
                               .warp = access->warp,
                               .lanes = access->active,
                               .work = access->work,
                               .access = access};
}
enum { PHASE_COUNT_MAX = (1 << 20) - 1, PHASE_NUMBERS = 1 << 24 }; /* arrivals, bytes; phases */
enum { COPY_GROUPS_LEFT_MAX = 63, PRODUCT_COLUMNS = 8, PRODUCT_COLUMNS_MAX = 256 };
/* `left` of PRODUCT_BEGINS, 0 to COPY_GROUPS_LEFT_MAX: columns by eights less one, and this where A is in registers. */
enum { PRODUCT_OF_REGISTERS = PRODUCT_COLUMNS_MAX / PRODUCT_COLUMNS };
static inline uint32_t stream_product_left(struct warpgroup_product product)
{
    return product.columns / PRODUCT_COLUMNS - 1 +
           (product.a_in_registers ? PRODUCT_OF_REGISTERS : 0);
}
static inline struct warpgroup_product stream_product(uint32_t left)
{
    return (struct warpgroup_product){(left % PRODUCT_OF_REGISTERS + 1) * PRODUCT_COLUMNS,
                                      left >= PRODUCT_OF_REGISTERS};
}

/* The note of the options that chose which launches have steps. */
#define NOTE_CHOICE "launches"

/* The note that a source gives whose form cannot hold all that orders accesses: its key, and words of its
 * value. */
#define NOTE_UNRECORDED "unrecorded"
#define UNRECORDED_BARRIERS "barriers"
#define UNRECORDED_SYNCS "syncs" /* struct trace_sync */

/* What a note's key begins with that says how often a library's function was called, whose kernels are not in
 * the run; the function's name follows. Of one name several may come, whose values are added. */
#define NOTE_LIBRARY "library."

/* What struct warp_access.site indexes: a static access in the source, on one array. All accesses at a
 * site are of its space, operation and width. */
struct trace_site {
    const char *file;  /* base name, "?" when unknown */
    uint32_t line;     /* 0 when unknown */
    const char *array; /* the array's name; "" when it has none */
    uint8_t space, op, width;
};

/* A function that is NULL wants nothing and goes on; `access` must not be NULL. */
struct trace_sink {
    void *context;
    /* What the run is: "kernel", "compiler", "param.NAME", ...; all before the first launch. */
    bool (*note)(void *context, const char *key, const char *value);
    /* Sites are numbered from 0 in the order of these calls. */
    bool (*site)(void *context, uint32_t number, const struct trace_site *site);
    bool (*launch_begin)(void *context, const struct launch_info *launch);
    bool (*access)(void *context, const struct warp_access *access);
    bool (*event)(void *context, const struct trace_event *event);
    /* Of what a GPU lets pass once for each kind, line and array, behind the launch's last block or in front of the
     * fault that stops it. */
    bool (*fault)(void *context, const struct trace_fault *fault);
    bool (*sync)(void *context, const struct trace_sync *sync);
    bool (*copy)(void *context, const struct trace_copy *copy);
    /* The bytes of shared memory that a block used: its static arrays and the dynamic part. */
    bool (*launch_end)(void *context, uint64_t shared_bytes_per_block);
    bool (*launch_left_out)(void *context, const struct trace_left_out *launch);
    /* It wants struct warp_access.values of stores, where the source has them. */
    bool wants_values;
    /* It takes launches that repeat others. To other sinks a source gives all steps of a launch, if it has them;
     * otherwise they take it as one without figures. */
    bool takes_repeats;
};

static inline bool sink_note(const struct trace_sink *sink, const char *key, const char *value)
{
    return sink->note == NULL || sink->note(sink->context, key, value);
}
static inline bool sink_site(const struct trace_sink *sink, uint32_t number,
                             const struct trace_site *site)
{
    return sink->site == NULL || sink->site(sink->context, number, site);
}
static inline bool sink_launch_begin(const struct trace_sink *sink,
                                     const struct launch_info *launch)
{
    return sink->launch_begin == NULL || sink->launch_begin(sink->context, launch);
}
static inline bool sink_access(const struct trace_sink *sink, const struct warp_access *access)
{
    return sink->access(sink->context, access);
}
static inline bool sink_event(const struct trace_sink *sink, const struct trace_event *event)
{
    return sink->event == NULL || sink->event(sink->context, event);
}
static inline bool sink_fault(const struct trace_sink *sink, const struct trace_fault *fault)
{
    return sink->fault == NULL || sink->fault(sink->context, fault);
}
static inline bool sink_sync(const struct trace_sink *sink, const struct trace_sync *sync)
{
    return sink->sync == NULL || sink->sync(sink->context, sync);
}
static inline bool sink_copy(const struct trace_sink *sink, const struct trace_copy *copy)
{
    return sink->copy == NULL || sink->copy(sink->context, copy);
}
static inline bool sink_launch_end(const struct trace_sink *sink, uint64_t shared_bytes_per_block)
{
    return sink->launch_end == NULL || sink->launch_end(sink->context, shared_bytes_per_block);
}

static inline bool sink_launch_left_out(const struct trace_sink *sink,
                                        const struct trace_left_out *launch)
{
    return sink->launch_left_out == NULL || sink->launch_left_out(sink->context, launch);
}

/* Where a run comes from. `run` gives all of it to the sink: NULL, or one message of what is wrong
 * with it, valid until the next run. */
struct trace_source {
    void *context;
    const char *(*run)(void *context, const struct trace_sink *sink);
};

#endif
