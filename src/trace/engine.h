/* engine.h - the inside of the tracer: lanes, their event rows, and which file does what.
 *
 *   hooks.c      the compiler's calls -> events in the current lane's column
 *   memory.c     device memory: simulated addresses, names, which bytes are written
 *   spaces.c     any other host address -> space and simulated address
 *   lane.c       coroutines: a stack a lane, a switch of a few ns
 *   warp.c       the events of 32 lanes -> warp accesses, in the order a SIMT machine issues them
 *   launch.c     grid, blocks, barriers
 *   sites.c      which static access is which: file, line, array
 *   intrinsics.c atomics.c cuda_api.c   what kernels and host code call
 *
 * Lanes run ahead of each other, up to a barrier, a volatile access, a warp intrinsic or a full event
 * column. Their events are then merged: at each step the lanes at the deepest call and there at the
 * lowest program counter go first, and those at the same instruction form one warp access. That is
 * stack-less SIMT reconvergence (Collange, "Stack-less SIMT reconvergence at low cost", 2011); the
 * basic-block events of -fsanitize-coverage=trace-pc let it see loop exits that make no access.
 */
#ifndef WARPLENS_TRACE_ENGINE_H
#define WARPLENS_TRACE_ENGINE_H

#include "sim/access.h"
#include "trace/tracer.h"
#include "warplens/cuda_types.h"

enum {
    EVENT_ROWS = 256, /* events a lane can run ahead */
    BLOCK_LANES_MAX = 1024,
    LANE_STACK_BYTES = 64 * 1024,
    MESSAGE_BYTES = 512,
};

/* One event of one lane, 64 bits and an address:
 *
 *   63     56 55     48 47  45  44   43  42   40 39   37 36     32 31              0
 *   |  part  |  depth  | kind |sync|r-o | space |  op   | log2 w  | program counter |
 *
 * part: which word of a split access; depth: calls below the kernel. Lanes whose events agree in all
 * 64 bits are at the same instruction. The program counter is relative to the program's load address. */
enum event_kind { EVENT_ACCESS, EVENT_BLOCK, EVENT_CALL, EVENT_WARP_OP };
enum {
    EVENT_WIDTH_SHIFT = 32,
    EVENT_OP_SHIFT = 37,
    EVENT_SPACE_SHIFT = 40,
    EVENT_READ_ONLY_SHIFT = 43,
    EVENT_SYNC_SHIFT = 44,
    EVENT_KIND_SHIFT = 45,
    EVENT_DEPTH_SHIFT = 48,
    EVENT_PART_SHIFT = 56,
};

/* Event k of lane i of the warp is at [k][i]: a row whose lanes agree is a warp access as it stands. */
struct event_rows {
    _Alignas(64) uint64_t meta[EVENT_ROWS][WARP_LANES];
    _Alignas(64) uint64_t addr[EVENT_ROWS][WARP_LANES];
};

enum lane_state {
    LANE_READY,   /* may run */
    LANE_TURN,    /* its last event must be merged before it goes on: lockstep */
    LANE_BARRIER, /* waits at __syncthreads */
    LANE_ENDED,
};

enum warp_op_kind { WARP_OP_SHUFFLE, WARP_OP_BALLOT, WARP_OP_SYNC };
struct warp_op {
    enum warp_op_kind kind;
    unsigned mode, mask, lane, width; /* mode: enum wl_shuffle */
    uint64_t value, result;
};

enum load_mark { MARK_NONE, MARK_READ_ONLY, MARK_TEXTURE };

struct lane {
    uint64_t *meta, *addr; /* this lane's column of the event rows; a row further is WARP_LANES on */
    uint32_t count, head;  /* events recorded; events merged */
    uint32_t depth;        /* functions entered: 1 in the kernel itself */
    uint8_t state;         /* enum lane_state */
    uint8_t mark;          /* enum load_mark: how the next load goes ... */
    const void *marked;    /* ... when it is from here */
    uint64_t accesses;
    uintptr_t stopped_at;  /* return address of the call it waits in */
    void *stack_pointer;   /* while it is switched out */
    char *stack;           /* lowest byte; NULL before it starts and after it ends */
    struct warp_op op;
    uint3 thread;
    uint32_t index; /* x + blockDim.x * (y + blockDim.y * z) */
};

struct engine {
    struct lane *current; /* NULL: host code runs */
    uintptr_t image_base; /* load address of the program */
    const struct trace_sink *sink;
    struct event_rows *rows;

    /* the launch */
    const char *kernel;
    void (*call)(const void *arguments);
    const void *arguments;
    dim3 grid, block;
    uint3 block_index;
    uint32_t block_linear;
    uint64_t dynamic_shared_bytes;
    uint32_t lane_count;
    uint32_t to_start; /* lanes of the warp, by bit, that the current refill has yet to start */
    struct lane *warp_lanes;
    struct lane lanes[BLOCK_LANES_MAX];

    bool failed;
    char message[MESSAGE_BYTES];
};

extern struct engine engine;

/* memory.c: the arena of device memory. A byte's state: */
enum byte_state { BYTE_NONE, BYTE_FREED, BYTE_UNWRITTEN, BYTE_WRITTEN };
struct device_arena {
    uintptr_t base; /* host address of offset 0 */
    uint64_t bytes;
    uint8_t *state; /* one enum byte_state a byte */
    bool read_only_arrays; /* some array is marked read_only */
};
extern struct device_arena device_arena;
/* An array in device memory; `offset` is in the arena. */
struct device_array {
    uint64_t offset, bytes;
    char name[48];
    bool freed, read_only;
};
/* The simulated address of arena offset 0: a multiple of 256 bytes times 6, 7 and 8 partitions. */
#define DEVICE_BASE_ADDRESS 0x2a0000000ULL
void memory_start(void);
void *memory_allocate(uint64_t bytes, const char *name);
/* False when the pointer is not the start of a live array. */
bool memory_free(const void *pointer);
/* Marks a range as written; false when part of it is outside every array. */
bool memory_write(const void *pointer, uint64_t bytes);
/* The array that holds an offset, or the last one that starts at or before it; NULL before the first. */
struct device_array *memory_array_at(uint64_t offset);
/* Describes why bytes [offset, offset + width) cannot be accessed. */
void memory_explain(uint64_t offset, unsigned width, enum mem_op op, char *text, size_t text_bytes);
bool memory_is_arena(const void *pointer);

/* spaces.c */
struct place {
    enum mem_space space;
    uint64_t addr;
};
void spaces_start(void);
void spaces_launch(void);
/* Where a host address outside the arena is for the current lane; fails the launch when nowhere. */
struct place spaces_place(const void *pointer, unsigned width, uintptr_t pc);
/* The name and range of the shared array at a simulated shared address. */
const char *spaces_shared_array(uint64_t addr, uint64_t *begin, uint64_t *end);
uint64_t spaces_shared_bytes(void);

/* lane.c */
void lane_run(struct lane *lane);     /* from the scheduler: until the lane stops */
void lane_stop(enum lane_state state, uintptr_t pc); /* from a lane: back to the scheduler */
void lane_free_stacks(void);          /* after a launch: every stack is free again */

/* warp.c: runs 32 lanes until each waits at a barrier or has ended. */
void warp_run(struct lane *lanes, uint32_t lanes_present);
void warp_resolve(struct lane *lanes, uint32_t group); /* intrinsics.c */

/* sites.c */
void sites_start(void);
uint32_t sites_find(uint64_t meta, uint64_t addr);
/* File and line of a run-time return address. */
struct lineinfo_line sites_line(uintptr_t pc);

/* hooks.c */
void hooks_record(const void *pointer, unsigned log2_width, enum mem_op op, bool sync, uintptr_t pc);
void hooks_push(struct lane *lane, uint64_t meta, uint64_t addr);

/* launch.c: a message for what the current lane did at `pc`; does not come back. */
_Noreturn void engine_fail_lane(uintptr_t pc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
