/* engine.h - the inside of the tracer: lanes, their event rows, and which file does what.
 *
 *   hooks.c      the compiler's calls -> events in the current lane's column
 *   flow.c       the same for basic blocks and functions; counts work
 *   async_copies.c   cp.async: copies that nobody waits for until they say so
 *   bulk/        cp.async.bulk, tensor maps, barriers in shared memory
 *   copies.c     struct copies: the load first, and those that the compiler leaves to memcpy
 *   heap.c       what kernels allocate
 *   memory.c     device memory: simulated addresses, names, which bytes are written
 *   variables.c  __device__, __managed__ and __constant__ variables
 *   shared_faults.c   loads of shared memory that is not written
 *   spaces.c     any other host address -> space and simulated address
 *   lane.c       coroutines: a stack a lane, a switch of a few ns
 *   warp.c       the events of 32 lanes -> warp accesses, in the order a SIMT machine issues them: warp_events.c
 *   widths/      neighbouring words -> one access: sites.c where the code proves it, lanes.c of all lanes at once
 *   widths/kept_loads.c  loads of a loop that are made once in front of it
 *   waits/dependence.c whether an address comes from a value loaded before
 *   launch.c     a launch; grid/blocks.c: its blocks, barriers
 *   grid/cooperative.c   blocks that wait for each other: set_aside.c, held_steps.c; cluster.c: those of a cluster
 *   faults.c     what kernels do wrong: counted, or told
 *   waits/loops.c  where loops end; loop_step.c, code_effect.c: whether their steps are constant
 *   waits/loop_wait.c  where a warp waits because a loop uses what it has loaded
 *   waits/store_wait.h where it waits because it has stored that to shared memory
 *   work/work.c  how many instructions a block is; code_size.c, code_arm64.c: machine code
 *   sites.c      which static access is which: file, line, array
 *   intrinsics.c atomics.c votes.c overloads.c host_calls.c ptx.c   what kernels call
 *   repeats.c    launches that do again what one before them has done: by memory that they have touched, touched.c
 *   syncs.c      fences, and which lanes come to a synchronisation of their warp
 *   runtime_....c launch_limits.c   what host code calls
 *
 * Lanes run ahead of each other, up to a barrier, a volatile access, a warp intrinsic or a full
 * event column. Their events are then merged: at each step the lanes at the deepest call and there
 * at the lowest program counter go first, and those at the same instruction form one warp access.
 * That is stack-less SIMT reconvergence (Collange, "Stack-less SIMT reconvergence at low cost",
 * 2011). The basic-block calls of -fsanitize-coverage=trace-pc show where a lane jumps back: that
 * is an event at the end of the loop, so lanes that begin another iteration wait for those that are
 * still in this one.
 */
#ifndef WARPLENS_TRACER_ENGINE_H
#define WARPLENS_TRACER_ENGINE_H

#include "sim/rules/access.h"
#include "stream/addresses.h"
#include "tracer/waits/dependence.h"
#include "tracer/events.h"
#include "tracer/faults.h"
#include "machine_code/loop_step.h"
#include "tracer/waits/loop_wait.h"
#include "tracer/waits/needed.h"
#include "tracer/waits/store_wait.h"
#include "tracer/memory.h"
#include "tracer/spaces.h"
#include "tracer/tracer.h"
#include "tracer/work/work.h"
#include "warplens/cuda.h"

enum {
    BLOCK_LANES_MAX = 1024,
    LANE_STACK_BYTES = 64 * 1024,
    CALL_DEPTH_MAX = 32, /* deeper calls lose track of their callers' loops */
    MESSAGE_BYTES = 512,
};

enum { PROBE_ASKS = 1 };

enum lane_state {
    LANE_READY,   /* may run */
    LANE_TURN,    /* its last event must be merged before it goes on: lockstep */
    LANE_BARRIER, /* waits at __syncthreads */
    LANE_AWAITS,  /* waits for a phase of a barrier in shared memory (bulk/mbarriers.c) */
    LANE_ENDED,
    LANE_STATES
};

enum warp_op_kind {
    WARP_OP_SHUFFLE,
    WARP_OP_BALLOT,
    WARP_OP_SYNC,
    WARP_OP_MATCH_ANY,
    WARP_OP_MATCH_ALL,
    WARP_OP_REDUCE, /* mode: enum wl_reduction */
    WARP_OP_MATRIX, /* mode: enum matrix_op (matrix/matrices.h) */
};
struct warp_op {
    enum warp_op_kind kind;
    unsigned mode, mask, lane, width; /* mode: enum wl_shuffle */
    uint64_t value, result;
};

/* How the lane's next load goes, when it is from the marked address. */
enum load_mark { MARK_NONE, MARK_READ_ONLY, MARK_TEXTURE };

/* What a lane that has started and does not run keeps, at the top of its stack: a lane that takes
 * over the stack of one that has ended finds it in the cache. */
struct lane_context {
    uint32_t depth;       /* functions entered: 1 in the kernel itself */
    uintptr_t last_pc;    /* of the block it is in */
    uint64_t work;        /* engine.work */
    uint32_t lag;         /* engine.lag */
    uint64_t events;      /* recorded before it last stopped */
    uintptr_t stopped_at; /* return address of the call it waits in */
    void *stack_pointer;
    struct warp_op op;
    uintptr_t call_pc[CALL_DEPTH_MAX]; /* by depth: where it called from */
};

struct lane {
    uint3 thread;
    uint32_t index;               /* x + blockDim.x * (y + blockDim.y * z) */
    struct lane_context *context; /* from its start to its end */
    bool wants_result;            /* of its next addition (wl_result_wanted) */
    int next_add_line;            /* below 0: the constant 1 (wl_next_add) */
    const char *next_add_file;
    bool carry;                    /* the condition code of PTX (wl_carry) */
    bool is_at_grid_barrier;       /* where it waits */
    const struct mbarrier *awaits; /* the barrier that it waits at; NULL: none */
    uint32_t awaited_phase;        /* ... until this one has ended */
    uint32_t
        cluster_phase; /* of the cluster's barrier: 1 + the one that it has arrived in; 0: it has not since its last wait */
    bool only_tests, gives_up; /* it may go on without; it does */
};

/* Where the stack that ends with `context` begins. */
static inline char *lane_stack(const struct lane_context *context)
{
    return (char *)(context + 1) - LANE_STACK_BYTES;
}

/* 32 lanes. Sets of lanes are bit masks: whether a warp can go on is a few bit operations. */
struct warp {
    uint32_t in_state[LANE_STATES]; /* by enum lane_state; lanes that do not exist have ended */
    uint32_t pending;               /* lanes with events to merge */
    uint32_t started;               /* lanes that have a stack, or have ended */
    uint16_t count[WARP_LANES];     /* events recorded, at most EVENT_ROWS */
    uint16_t head[WARP_LANES];      /* events merged */
    uint32_t gone_by;               /* lanes that went past a warp operation where others waited */
    uint32_t passed_over;           /* lanes with events that others have gone before */
    uint16_t rounds;              /* ... as often, with accesses in lockstep and jumps back alone */
    uint16_t burst;               /* steps that they have for themselves now */
    uint64_t work;                /* instructions merged that no access or event has had yet */
    uint64_t lag;                 /* the same of cycles of lag (work/work.h) */
    uint64_t shuffled;            /* of what the latest shuffle took from its lanes */
    uint64_t clock;               /* all instructions merged */
    uint32_t together;            /* the lanes of the last event merged */
    uint64_t left_at[WARP_LANES]; /* the clock at the last event of a lane that is not in it */
    uint64_t last_work[WARP_LANES]; /* engine.work of lanes at a barrier or their end */
    uint16_t last_lag[WARP_LANES];  /* engine.lag */
    struct recent_loads recent;
    struct needed_loads needed;
    struct loop_wait loop;
    struct store_wait store;
    struct lane *lanes; /* of the block, from this warp's first on */
};

/* Lanes that have not come to their ends: those that have run there may have events to merge. */
static inline uint32_t warp_running(const struct warp *warp)
{
    return warp->pending | ~warp->in_state[LANE_ENDED];
}

static inline void warp_set_state(struct warp *warp, uint32_t lanes, enum lane_state state)
{
    for (unsigned i = 0; i < LANE_STATES; i++)
        warp->in_state[i] &= ~lanes;
    warp->in_state[state] |= lanes;
}

/* Where the present block is between two barriers. */
struct block_turn {
    uint32_t
        ran[BLOCK_LANES_MAX /
            WARP_LANES]; /* by warp: the lanes that have run since the last barrier of the block */
    uint32_t
        told_later; /* warps, by bit, whose stop is told when all have stopped: bytes may come to the cuda::barrier that they wait at
                            as the block's, and let them go on (barrier_objects.c) */
    bool goes_on;   /* it waited for other blocks of its cluster */
};

struct engine {
    /* The running lane: what every hook touches, in two cache lines. */
    struct lane *current; /* NULL: host code runs */
    uint64_t *cursor; /* where its next event's meta goes; the address EVENT_ADDR_OFFSET further */
    const uint64_t *short_end; /* events before it take the short way: all that fit in the column,
                                  or none when the sink wants values */
    uintptr_t image_base;      /* load address of the program */
    uint64_t depth_bits;       /* its call depth, in place in meta */
    uintptr_t
        frame_offset; /* bytes from a stack's beginning to the kernel's frame; the same in all */
    uintptr_t parameter_offset; /* ... to the kernel's parameters, which are above it */
    uintptr_t last_pc;          /* of the block it is in; 0: none yet */
    uint64_t work;      /* instructions since its last event, in place in an event's address */
    uint32_t lag;       /* cycles of lag since its last jump back */
    const void *marked; /* its next load, from here, goes as `mark` says */
    enum load_mark mark;
    bool special_loads; /* a load may be marked, or come from a read-only array */
    bool keeps_loads;   /* some loads of loops are made once (widths/kept_loads.h) */
    bool is_muted;      /* the launch leaves no record but of memory that is written */
    struct warp *warp;  /* it belongs to */

    const void *stored; /* the latest event is a store to there, which has been carried out when the
                           lane comes to its next event: only then is the value known */
    unsigned stored_log2_width;
    bool wants_values; /* the sink does */
    const struct trace_sink *sink;

    /* the launch */
    const char *kernel;
    void (*call)(const void *arguments);
    const void *arguments;
    uint32_t block_linear;
    uint64_t dynamic_shared_bytes;
    bool is_cooperative;
    uintptr_t
        probe; /* PROBE_ASKS: where a lane enters its kernel is to be noted here (grid/cluster_launch.c); 0 else */
    const struct wl_nvcc_kernel *made; /* what nvcc has made of it; NULL: unknown */
    uint32_t lane_count;
    struct block_turn turn;
    uint32_t barriers;            /* that the block has passed */
    uint32_t barrier_votes[2];    /* lanes that voted for, at the barrier of that parity */
    uint32_t barrier_lanes[2];    /* lanes that voted */
    uint32_t to_start, to_resume; /* lanes of the warp that the current refill has yet to run */
    struct lane lanes[BLOCK_LANES_MAX];
    struct warp warps[BLOCK_LANES_MAX / WARP_LANES];

    bool depends_on_more; /* the launch has done what its arguments and memory do not tell alone */
    uint64_t objects_destroyed;   /* textures and surfaces: their numbers are not used again */
    uint64_t launches;            /* that were possible, since tracer_start */
    struct launch_select *select; /* which launches are traced; NULL: all */

    uint64_t work_of_kernel; /* that a lane has when it begins */
    uint64_t accesses;       /* warp accesses since tracer_start */
    bool program;            /* tracer_set_program */
    bool joins_accesses;     /* tracer_set_joining */
    bool failed;
    bool sink_is_done;  /* it wants no more */
    bool stop_is_given; /* the sink knows what has failed */
    cudaError_t error;  /* what the API answers since it has */
    char message[MESSAGE_BYTES];
    char refusal[MESSAGE_BYTES]; /* what the API has refused last, of a program */
};

extern struct engine engine;

/* What kernels read as constants (warplens/cuda_calls.h): the same symbol. */
struct indices {
    uint3 thread, block;
    dim3 block_dim, grid_dim;
};
extern struct indices engine_indices __asm__("wl_indices");
_Static_assert(sizeof(struct indices) == sizeof wl_indices, "as many words as kernels read");

/* Events the running lane has in its column: a cursor in row k is k rows behind the beginning. */
static inline uint32_t engine_events(void)
{
    uintptr_t bytes = (uintptr_t)engine.cursor - (uintptr_t)event_rows.meta;
    return (uint32_t)(bytes / sizeof event_rows.meta[0]);
}

static inline bool engine_column_is_full(void)
{
    return (uintptr_t)engine.cursor >= (uintptr_t)event_rows.addr;
}

/* There is room, and an event is its meta and its address. */
static inline bool engine_goes_short_way(void)
{
    return engine.cursor < engine.short_end;
}

/* The lag of the running lane, which is from now on elsewhere. */
static inline uint16_t engine_take_lag(void)
{
    const uint32_t lag = engine.lag;
    engine.lag = 0;
    return (uint16_t)(lag < UINT16_MAX ? lag : UINT16_MAX);
}

/* The lane stops without an event: what it has done since its last one stays with its warp. */
static inline void engine_leave_work(void)
{
    const unsigned column = engine.current->index % WARP_LANES;
    engine.warp->last_work[column] = engine.work;
    engine.warp->last_lag[column] = engine_take_lag();
    engine.work = 0;
}

/* Stores an event in the running lane's column, where there is room for it. */
static inline void engine_push(uint64_t meta, uint64_t addr)
{
    engine.cursor[0] = meta;
    engine.cursor[EVENT_ADDR_OFFSET] = addr | engine.work;
    engine.work = 0;
    engine.cursor += WARP_LANES;
}

/* lane.c */
void lane_run_all(
    void); /* from the scheduler: lanes engine.to_resume and to_start, until all have stopped */
void lane_stop(enum lane_state state, uintptr_t pc); /* from a lane: on to the next */
void lane_free_stacks(void);                         /* after a launch: every stack is free again */
/* Of a lane that waits: what of its stack is in use, and where. */
char *lane_stack_used(const struct lane *lane, size_t *bytes);
/* The stacks of those of these lanes of the block that have not ended are in use, all others are free. */
void lane_take_stacks(uint32_t lane_count);
/* A stack with its guard: pages of the system, which are 4 KB, or 16 or 64 on arm64. */
struct lane_slot {
    size_t guard_bytes, bytes;
};
struct lane_slot lane_slot_of_page(size_t page_bytes);
/* Where stack `index` ends, from the beginning of all slots. */
size_t lane_stack_end(const struct lane_slot *of, unsigned index);
void lane_reserve_stacks(void); /* address space for all of them, once */

/* warp.c: runs 32 lanes until each waits at a barrier or has ended. */
void warp_run(struct warp *warp);
/* By warp: what lanes stand at that wait for others of their warp which wait at a barrier in shared memory. */
extern struct parked_events {
    uint64_t meta[WARP_LANES], addr[WARP_LANES];
} parked_events[BLOCK_LANES_MAX / WARP_LANES];
/* warp_events.c: what an event does that lanes `group` have had. */
struct merged_event {
    uint64_t meta, *addr;  /* with their work, by lane */
    const uint64_t *value; /* what they store, by lane */
    uint32_t group, resident;
    const uint64_t *
        next; /* a jump back's: what the lane of the group that has the most events does next, a meta a row */
    unsigned ahead; /* ... as many */
    bool is_full;   /* its column: what comes behind them is not known */
};
void warp_emit(struct warp *warp, const struct merged_event *event);
/* Lanes `group` have come to the return address `pc` (0: any) with their work in place in `row`. */
void warp_add_work(struct warp *warp, const uint64_t *row, uint32_t group, uintptr_t pc);
/* What a warp's event there gets: the work that no event has had yet, without what is behind `pc`
 * in its block. */
uint16_t warp_take_work(struct warp *warp, uintptr_t pc);
/* ... and the lag that no event has had. Those that have no place for it leave it to the next. */
uint16_t warp_take_lag(struct warp *warp);
/* The access of an event, whose address has no work. */
void warp_give_access(struct warp *warp, const struct merged_event *event);
void warp_resolve(struct lane *lanes, uint32_t group); /* intrinsics.c */
/* Stops the lane until the merge has brought the other lanes of the mask here. */
uint64_t warp_op_run(uintptr_t pc, struct warp_op op);
/* The running lane waits at the block's barrier. */
void intrinsics_wait_for_block(uintptr_t pc);
uint64_t warp_op_vote(const struct lane *lanes, uint32_t group, unsigned lane); /* votes.c */

/* syncs.c: tells the sink of lanes `group` at a warp operation, and at a fence; `running`: the warp's
 * lanes that have not ended. */
void syncs_report_op(const struct warp *warp, uint32_t group, uint32_t running, uintptr_t pc);
void syncs_report_fence(const struct warp *warp, enum sync_kind kind, uint32_t group,
                        uint32_t running, uintptr_t pc);

/* async_copies.c: a copy that lanes have asked for, a commit, a wait. */
void async_copies_emit(struct warp *warp, const struct merged_event *event);
void async_copies_emit_step(struct warp *warp, const struct merged_event *event);
/* A block begins; the current lane waits at a barrier for the copies that it has bound to it. */
void async_copies_block(void);
/* What is kept of its lanes, while it is set aside: so many bytes, 0 where there is nothing; to there; and back. */
size_t async_copies_aside_bytes(void);
void async_copies_set_aside(char *to);
void async_copies_bring_back(const char *from, size_t bytes);
void async_copies_wait_at(const void *barrier, uintptr_t pc);

/* sites.c */
void sites_start(void);
void sites_launch(void);
/* Nothing when the run has failed: no memory for a new site, or the sink has refused it. */
uint32_t sites_find(uint64_t meta, uint64_t addr);
/* site_names.c: the one copy of a name; "" without memory. */
const char *site_names_keep(const char *name);
/* File and line of a run-time return address. */
struct lineinfo_line sites_line(uintptr_t pc);
/* call_lines.c: what a call at `pc` says that its place is: of a call that is inlined with its function, the line
 * table has the line of the function. `file` lives on. */
void call_lines_say(uintptr_t pc, const char *file, unsigned line);
/* Where nothing was said the file is NULL. */
struct lineinfo_line call_lines_find(uintptr_t pc);

/* loops.c: where the loop ends that lanes jump back to the head of, and how it is unrolled. */
void loops_start(void);
void loops_learn(uint32_t head_pc, uint32_t end_pc);
uint32_t loops_end(uint32_t head_pc);
/* Jumps to that head come from nearer, too: two loops begin there, and this one is around the other. */
bool loops_is_outer(uint32_t head_pc, uint32_t from_pc);
struct loop_shape loops_shape(uint32_t head_pc); /* `bytes` is known always */
/* Of the innermost loop around that place, as far as lanes have jumped back; LOOP_ROLLED without one. */
enum loop_kind loops_kind(uint32_t pc);
/* Iterations of the innermost loop around a place, of those that are not unrolled whole, that are under way together: 1 where a branch
 * keeps them apart. */
uint32_t loops_together(uint32_t pc);

/* hooks.c */
void hooks_record(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc);
/* An atomic addition of the constant 1 to 4 bytes, whose result nobody uses. */
/* An atomic; `bits` of its event besides: EVENT_INCREMENT, ... */
void hooks_record_atomic(const void *pointer, unsigned log2_width, uint64_t bits, uintptr_t pc);
/* A copy reads `bytes` of an array there: touches and checks them; the simulated address, MEMORY_NOWHERE where there is no
 * array. It adds no event. */
uint64_t hooks_check_source(const void *pointer, unsigned bytes, uintptr_t pc);
/* The same of one word that a bulk copy reads or writes. */
uint64_t hooks_check_part(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc);
/* The meta of an event at the return address `pc`, of the running lane. */
uint64_t hooks_meta(enum event_kind kind, uintptr_t pc);
/* Struct copies: an access a word; words are told apart by their part, counted from `first_part`.
 */
void hooks_record_range(const void *pointer, size_t bytes, enum mem_op op, uint64_t first_part,
                        uintptr_t pc);
/* Part `part` of an access in several, which is carried out later: what it stores is not known. */
void hooks_record_part(const void *pointer, unsigned log2_width, enum mem_op op, uint64_t part,
                       uintptr_t pc);
/* Ends the launch where the address is no multiple of the width. */
void hooks_check_aligned(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* An access in lockstep: comes back when the access is merged, lane after lane. */
void hooks_record_in_turn(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc);
/* Adds an event to the running lane's column, when there is room for it. */
void hooks_push_event(uint64_t meta, uint64_t addr, uintptr_t pc);
/* Notes what the running lane's latest store has written. Before its next event, or when it stops. */
void hooks_note_value(void);
/* Adds an event of the running lane at the return address `pc`. */
void hooks_push(enum event_kind kind, bool sync, uint64_t addr, uintptr_t pc);

/* copies.c. gcc announces a struct copy as a store and then a load; between the two calls it sets
 * the second one's arguments (`call_bytes` of code with the call itself), and never stores. */
enum { COPY_CALL_BYTES = 9, COPY_RANGE_CALL_BYTES = 14 };
static inline bool copies_may_end_at(uintptr_t pc, unsigned call_bytes)
{
    return engine_events() > 0 &&
           (uint32_t)(pc - engine.image_base) - (uint32_t)engine.cursor[-WARP_LANES] <= call_bytes;
}
/* Records the load of such a copy, whole or in words, before its store; false when it is something
 * else. */
bool copies_record_load(const void *from, size_t bytes, bool in_words, uintptr_t pc);

/* messages.c: keeps that the sink wants no more, when it said so. */
void engine_heed(bool sink_goes_on);
/* messages.c: for what the current lane did at `pc`; does not come back. */
_Noreturn void engine_fail_lane(uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for host code; ends a program. */
enum { HOST_FAULT_STATUS = 2 };
void engine_fail_host(uintptr_t pc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For what that thread of the present block has done at `pc`. */
void engine_fail_place(uintptr_t pc, uint3 thread, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* For a barrier where `waiting` is. */
void engine_fail_barrier(const struct lane *waiting, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
