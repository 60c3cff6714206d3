/* warplens.h - warplens as a library: the accesses of GPU kernels in, the counters of GPUs out.
 *
 *     struct warplens_run *run = warplens_run_new();
 *     bool fine = warplens_add_gpu(run, "h200") && warplens_read_trace(run, "kernel.wlt", NULL) &&
 *                 warplens_expect_line_at_least(run, "kernel.cu", 12, "gld_efficiency", 80);
 *     if (!fine)
 *         fprintf(stderr, "%s\n", warplens_message(run));
 *     warplens_run_free(run);
 *
 * A run goes through three stages: it gets GPUs and settings; it gets accesses, once, from a trace or
 * pushed one by one; then it answers questions. What belongs to another stage fails.
 *
 * Errors: functions return false or NULL and keep one line of text, which warplens_message gives. The
 * library prints nothing that it is not asked for, and never ends the program. Every function takes
 * NULL in place of a run or of counts, and fails.
 *
 * Threads: runs share nothing. One run must not be used by two threads at a time. While a run takes
 * accesses every GPU works on a thread of the library's own.
 *
 * Texts that go in are copied. Texts and counts that come out belong to the run and live as long as it
 * does, messages until the run's next failure. Bits and arrays of 32 are by lane, lane 0 first.
 *
 * docs/library.md tells the whole story with examples. Plain C11, and C++ from C++11 on.
 */
#ifndef WARPLENS_WARPLENS_H
#define WARPLENS_WARPLENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_API __attribute__((visibility("default")))
/* The answer must be looked at. */
#define WARPLENS_CHECKED WARPLENS_API __attribute__((warn_unused_result))

struct warplens_run;
struct warplens_counts;

/* "0.1.0" */
WARPLENS_API const char *warplens_version(void);

/* ---- Runs -------------------------------------------------------------------------------------- */

/* NULL when memory is short. */
WARPLENS_API struct warplens_run *warplens_run_new(void);

/* Frees a run in whatever stage, with all that it gave out. NULL: nothing to do. */
WARPLENS_API void warplens_run_free(struct warplens_run *run);

/* Why the last function that failed did: one line without a line end; "" when none has failed. */
WARPLENS_API const char *warplens_message(const struct warplens_run *run);

/* ---- GPUs and settings: before the first access ------------------------------------------------- */

/* Adds a GPU, by chip ("gtx280") or compute capability ("sm_13"), at most 64. GPUs are numbered from 0
 * in this order; the same may be added again, to be set in another way. A run without any is of one
 * h200. False: unknown; the message names the nearest. */
WARPLENS_CHECKED bool warplens_add_gpu(struct warplens_run *run, const char *name);

/* Changes a field of a GPU, as --set does (l1_bytes, sm_count, ...; `warplens gpus NAME` lists them),
 * or reads it. False: no such GPU or field, or a value out of the field's range. Values that do not go
 * together are refused when the run begins. */
WARPLENS_CHECKED bool warplens_set_field(struct warplens_run *run, size_t gpu, const char *field,
                                         int64_t value);
WARPLENS_CHECKED bool warplens_get_field(struct warplens_run *run, size_t gpu, const char *field,
                                         int64_t *value);

/* Only what follows from the rules, without caches and time: several times faster. Default: false. */
WARPLENS_CHECKED bool warplens_set_rules_only(struct warplens_run *run, bool rules_only);

/* Caches are emptied before each launch, as Nsight Compute does by default (ncu --cache-control all). Default: false, a
 * launch finds in L2 what those before it have left (none). */
WARPLENS_CHECKED bool warplens_set_cold_launches(struct warplens_run *run, bool cold);

/* Registers of a thread, 1 to 255, in place of what the launches say; 0: as they say. */
WARPLENS_CHECKED bool warplens_set_registers(struct warplens_run *run, uint32_t registers);

/* How many there are, and the name of one; NULL when there is no such GPU. */
WARPLENS_API size_t warplens_gpu_count(const struct warplens_run *run);
WARPLENS_API const char *warplens_gpu_name(const struct warplens_run *run, size_t gpu);

/* ---- Accesses from a trace ---------------------------------------------------------------------- */

struct warplens_trace_options {
    const char *format; /* as --from takes it; NULL: by the file's beginning */
    const char *map;    /* as --map takes it: which column of a csv trace holds what; NULL: as
                           `warplens trace convert` writes them */
};

/* Reads all of a file in any form that `warplens trace` reads ("-": standard input), or all of a stream
 * that is open for reading and stays the caller's. `name` stands for the stream in messages; options
 * may be NULL. Nothing in a trace is believed unchecked. False: it cannot be read, is no trace, breaks
 * off, says something impossible, or does not fit on a GPU, or that no launch was complete; the run has no results
 * then. */
WARPLENS_CHECKED bool warplens_read_trace(struct warplens_run *run, const char *path,
                                          const struct warplens_trace_options *options);
WARPLENS_CHECKED bool warplens_read_stream(struct warplens_run *run, FILE *stream, const char *name,
                                           const struct warplens_trace_options *options);

/* ---- Accesses one by one ------------------------------------------------------------------------ */

/* launch_begin, accesses, launch_end, as often as there are launches, then warplens_finish. Blocks
 * come one after another, in the order of their numbers; the warps of a block in any order. A block
 * ends where the next one or the launch's end begins; its warps that have not ended do then. Blocks
 * without an access may be left out.
 *
 * What comes in is checked like a trace. The first failure ends the run: all that follows fails and
 * leaves the message as it is, so that it is enough to look at what warplens_finish returns. */

enum warplens_space {
    WARPLENS_GLOBAL,
    WARPLENS_SHARED,   /* addresses are offsets in the block's shared memory */
    WARPLENS_LOCAL,    /* addresses are interleaved over the lanes */
    WARPLENS_CONSTANT, /* addresses are offsets in the constant bank, below 64 KB */
    WARPLENS_TEXTURE,  /* a fetch through the texture unit */
};

enum warplens_op { WARPLENS_LOAD, WARPLENS_STORE, WARPLENS_ATOMIC };

/* Flags of an access. */
enum {
    WARPLENS_READ_ONLY = 1, /* global load through the read-only path: __ldg, const __restrict__ */
    WARPLENS_VOLATILE = 2,  /* load through a volatile pointer: goes past L1 */
};

#define WARPLENS_ALL_LANES UINT32_C(0xffffffff)
#define WARPLENS_ALL_WARPS UINT32_C(0xffffffff)

/* Global memory [base, base + bytes), below 2^48. */
struct warplens_array {
    const char *name;
    uint64_t base, bytes;
    bool
        is_host; /* zero-copy: in the host's memory, over PCIe. Managed memory is not supported here */
};

struct warplens_launch {
    const char *kernel;
    uint32_t grid[3], block[3];          /* x, y, z; 0 in y and z stands for 1 */
    uint64_t shared_bytes;               /* of a block, static and dynamic */
    uint32_t registers;                  /* of a thread; 0: unknown, they do not limit */
    const struct warplens_array *arrays; /* array_count of them; may be NULL when it is 0 */
    size_t array_count;
};

/* One memory instruction of one warp. Zeros are good defaults but for width and mask. */
struct warplens_access {
    const char *file;  /* source file; a path is cut to its base name; NULL: "?" */
    uint32_t line;     /* in it; 0: unknown */
    const char *array; /* NULL: the launch's array at the address of the first lane, if any */
    enum warplens_space space;
    enum warplens_op op;
    uint32_t width;            /* bytes a lane: 1, 2, 4, 8 or 16 */
    uint32_t flags;            /* WARPLENS_READ_ONLY, ... */
    uint32_t block;            /* x + gridDim.x * (y + gridDim.y * z) */
    uint32_t warp;             /* in the block: linear thread index / 32 */
    uint32_t mask;             /* lanes that take part, by bit; never 0 */
    uint32_t resident;         /* lanes that exist and have not ended; 0: all that the warp has */
    const uint64_t *addresses; /* 32 byte addresses, by lane, multiples of width; those of lanes
                                  outside the mask are ignored; NULL: base + stride * lane */
    uint64_t base;
    int64_t stride; /* bytes */
    uint32_t
        instructions; /* of the warp since its access before, this one included; 0: 1; up to 65535 */
    uint32_t loads_left; /* the warp goes on without the values of its latest so many loads;
                              0: needs all of them; 255 and more: none. For time only */
};

WARPLENS_API bool warplens_launch_begin(struct warplens_run *run,
                                        const struct warplens_launch *launch);
WARPLENS_API bool warplens_add_access(struct warplens_run *run,
                                      const struct warplens_access *access);
/* The warp, or WARPLENS_ALL_WARPS that have not ended, waits at __syncthreads. */
WARPLENS_API bool warplens_add_barrier(struct warplens_run *run, uint32_t block, uint32_t warp);
/* The warp has ended, before its block. */
WARPLENS_API bool warplens_end_warp(struct warplens_run *run, uint32_t block, uint32_t warp);
WARPLENS_API bool warplens_launch_end(struct warplens_run *run);
WARPLENS_CHECKED bool warplens_finish(struct warplens_run *run);

/* ---- Results ------------------------------------------------------------------------------------ */

/* Counts of a whole run under a GPU, of a source line, an array (all memory spaces that have one of
 * that name) or a launch. NULL: the run has no results, or there is no such GPU, line, array or
 * launch; the message says which there are. A file's directories are ignored. */
WARPLENS_API const struct warplens_counts *warplens_total(struct warplens_run *run, size_t gpu);
WARPLENS_API const struct warplens_counts *warplens_line(struct warplens_run *run, size_t gpu,
                                                         const char *file, uint32_t line);
WARPLENS_API const struct warplens_counts *warplens_array(struct warplens_run *run, size_t gpu,
                                                          const char *name);

/* All of them, by index: lines by file and number, arrays in the order of their first access, launches
 * in theirs. Counts are 0 without results. */
WARPLENS_API size_t warplens_line_count(const struct warplens_run *run);
WARPLENS_API size_t warplens_array_count(const struct warplens_run *run);
WARPLENS_API size_t warplens_launch_count(const struct warplens_run *run);
WARPLENS_API const struct warplens_counts *warplens_line_at(struct warplens_run *run, size_t gpu,
                                                            size_t index);
WARPLENS_API const struct warplens_counts *warplens_array_at(struct warplens_run *run, size_t gpu,
                                                             size_t index);
WARPLENS_API const struct warplens_counts *warplens_launch_at(struct warplens_run *run, size_t gpu,
                                                              size_t index);

/* A line's file, an array's name ("" when it has none), a launch's or a run's kernel; NULL of NULL. */
WARPLENS_API const char *warplens_counts_name(const struct warplens_counts *counts);
/* A line's number; 0 of others. */
WARPLENS_API uint32_t warplens_counts_line(const struct warplens_counts *counts);
/* A launch's grid and block, x, y, z; false, and zeros, of others. */
WARPLENS_API bool warplens_counts_shape(const struct warplens_counts *counts, uint32_t grid[3],
                                        uint32_t block[3]);

/* A counter by its name, as `warplens counters` lists them under "the same under every GPU". False:
 * unknown (the message names the nearest); of caches or time where the run left these out; or counted
 * for launches alone (blocks, cycles, ...) and asked of a line or an array. */
WARPLENS_CHECKED bool warplens_counter(const struct warplens_counts *counts, const char *name,
                                       uint64_t *value);

/* A counter, a ratio ("gld_efficiency" in %, "time" in us), or what the GPU's own profiler shows under
 * that name; the first that there is, in this order. False besides: a ratio that has no value, since
 * nothing of its kind happened; a profiler's counter asked of a line or an array. */
WARPLENS_CHECKED bool warplens_value(const struct warplens_counts *counts, const char *name,
                                     double *value);

/* What the GPU's profiler shows, of a run or launch, also where a counter has the same name. */
WARPLENS_CHECKED bool warplens_profiler_value(const struct warplens_counts *counts,
                                              const char *name, double *value);

/* The range in which a measured time is likely to be: in `percent` % of the cases that were measured it was. Of several
 * launches their ranges added up. docs/model.md, 12.21, says how it is made. */
struct warplens_time_range {
    double low_us, high_us; /* low_us <= the modelled time <= high_us */
    unsigned percent;       /* 80 */
    unsigned launches;      /* that were measured; 0: added up from several launches */
    char like[96];          /* what they are like: "Hopper, latency, under 10 us"; "": added up */
};

/* Of a run or a launch. False: without the model of time, or nothing comparable was measured: the message says what. */
WARPLENS_CHECKED bool warplens_get_time_range(const struct warplens_counts *counts,
                                              struct warplens_time_range *range);

/* What there is by name. */
enum warplens_list {
    WARPLENS_GPUS,
    WARPLENS_FIELDS, /* of GPUs */
    WARPLENS_COUNTERS,
    WARPLENS_RATIOS,
    WARPLENS_PROFILER_COUNTERS, /* of all profilers; a name may come again */
};

struct warplens_item {
    const char *name, *unit, *about; /* unit: "" for GPUs */
};

/* The item of an index from 0 on; false behind the last. */
WARPLENS_CHECKED bool warplens_list(enum warplens_list list, size_t index,
                                    struct warplens_item *item);

/* What a run comes to under a GPU. Texts that say nothing of this run are NULL. */
struct warplens_verdict {
    const char *sentence; /* "Held up by L2 71 % of the time: loads of in (a.cu:7) ..." */
    const char *limiter;  /* what held the kernel up for most of its time: "L2", "latency" ... */
    double share;         /* of the time, 0 to 1; 0 without the model of time */
    const char *file;     /* the accesses to blame: source file, */
    uint32_t line;        /* its line, 0 when there are none to blame, */
    enum warplens_space space;
    enum warplens_op op;
    const char *array;  /* and array, "" when it has no name */
    const char *figure; /* the counter or ratio that shows it, for warplens_value; */
    double value;       /* its value, of these accesses or of the whole run */
};

/* False: the run has no results, or there is no such GPU. */
WARPLENS_CHECKED bool warplens_get_verdict(struct warplens_run *run, size_t gpu,
                                           struct warplens_verdict *verdict);

/* What a kernel did wrong, of one kind, at one line, to one array: a trace says it that warplens made of a program.
 * Texts live as long as the run. */
struct warplens_fault {
    const char *kind;   /* "out_of_bounds", "unwritten_shared", ...: docs/report.md has them */
    const char *remedy; /* what to do about that kind */
    const char *text;   /* where and what, of the first, in one line */
    bool stops;         /* it ended the launch, which is in none of the counts */
    uint64_t count;     /* accesses of lanes; of barriers lanes that are missing */
    const char *kernel; /* "": host code */
    const char *file;
    uint32_t line;     /* 0: unknown */
    const char *array; /* "": none */
    enum warplens_space space;
    enum warplens_op op;
    uint32_t width;               /* bytes; 0: it is no access */
    int64_t offset;               /* of the first, from the array's begin, in bytes */
    uint64_t array_bytes;         /* 0: unknown */
    uint32_t block[3], thread[3]; /* of the first */
};

/* How many there are, the one that stops first; 0 without results. */
WARPLENS_API size_t warplens_fault_count(const struct warplens_run *run);
/* False: the run has no results, or not so many faults. */
WARPLENS_CHECKED bool warplens_get_fault(struct warplens_run *run, size_t index,
                                         struct warplens_fault *fault);
/* Whether one of them stops. */
WARPLENS_API bool warplens_has_failed(const struct warplens_run *run);

enum warplens_format { WARPLENS_TEXT, WARPLENS_JSON, WARPLENS_CSV };

/* Writes the report that `warplens run` writes, of all GPUs. False: no results, or the stream has an
 * error (errno is of the stream's last call). The stream is not flushed. */
WARPLENS_CHECKED bool warplens_report(struct warplens_run *run, enum warplens_format format,
                                      FILE *out);

/* ---- Expectations, for tests -------------------------------------------------------------------- */

/* Whether a value, named as for warplens_value, is at least or at most a bound on every GPU of the run.
 * Where it is not, or there is no such value, line or array: false, and the message says where, what
 * was found, what was wanted and the counts behind it:
 *
 *     kernel.cu:12 on h200: gld_efficiency is 12.5 %, wanted at least 80;
 *     global_load_bytes_requested 4096, global_load_bytes_moved 32768          (in one line) */
WARPLENS_CHECKED bool warplens_expect_total_at_least(struct warplens_run *run, const char *name,
                                                     double bound);
WARPLENS_CHECKED bool warplens_expect_total_at_most(struct warplens_run *run, const char *name,
                                                    double bound);
WARPLENS_CHECKED bool warplens_expect_line_at_least(struct warplens_run *run, const char *file,
                                                    uint32_t line, const char *name, double bound);
WARPLENS_CHECKED bool warplens_expect_line_at_most(struct warplens_run *run, const char *file,
                                                   uint32_t line, const char *name, double bound);
WARPLENS_CHECKED bool warplens_expect_array_at_least(struct warplens_run *run, const char *array,
                                                     const char *name, double bound);
WARPLENS_CHECKED bool warplens_expect_array_at_most(struct warplens_run *run, const char *array,
                                                    const char *name, double bound);

/* That there is no fault, also none that a GPU lets pass. */
WARPLENS_CHECKED bool warplens_expect_no_faults(struct warplens_run *run);

/* The same of any counts: least <= value <= most. */
WARPLENS_CHECKED bool warplens_expect(const struct warplens_counts *counts, const char *name,
                                      double least, double most);

/* For programs without a test framework: ends the program with the run's message unless `expectation`,
 * any call that returns false or NULL on failure, holds. NDEBUG changes nothing. */
#define WARPLENS_ASSERT(run, expectation)                                                          \
    do {                                                                                           \
        if (!(expectation)) {                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, warplens_message(run));             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif
