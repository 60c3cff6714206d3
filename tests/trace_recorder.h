/* trace_recorder.h - keeps the warp accesses of a traced run, for the tests of the tracer.
 *
 * There is one recorder, as there is one tracer. Kernels name places of their source with HERE;
 * tests ask for the accesses made there.
 */
#ifndef WARPLENS_TESTS_TRACE_RECORDER_H
#define WARPLENS_TESTS_TRACE_RECORDER_H

#include "runtime_kernels.h"
#include "tracer/tracer.h"

struct recorded {
    uint64_t addr[WARP_LANES]; /* 0 for lanes that are not active */
    uint32_t active, resident, block, warp, site, launch;
    uint16_t work;
    uint8_t loads_left, width, op, space, flags;
    uint8_t affine; /* came without a list of addresses. No padding: accesses are hashed as bytes */
};

struct recorded_event {
    struct trace_event event;
    size_t accesses; /* recorded before it */
};

enum {
    RECORDER_KEEPS = 1 << 15,
    RECORDER_KEEPS_EVENTS = 1 << 12,
    RECORDER_LAUNCHES = 4,
    RECORDER_SITES = 512
};

struct recorder {
    struct recorded *kept;         /* the first RECORDER_KEEPS accesses */
    size_t count;                  /* how many are kept */
    uint64_t total;                /* accesses */
    uint64_t hash;                 /* of every field of all accesses and events */
    struct recorded_event *events; /* the first RECORDER_KEEPS_EVENTS */
    size_t event_count;            /* how many are kept */
    uint32_t begun, ended;         /* launches */
    struct launch_info launches[RECORDER_LAUNCHES];
    struct trace_site sites[RECORDER_SITES];
    size_t site_count;
    uint32_t fault_count; /* told, and the latest of them */
    struct trace_fault fault;
    char fault_text[512];
    uint64_t shared_bytes; /* a block of the last launch used */
};
extern struct recorder recorder;

/* Traces what `host` launches. The sites and the error of the run can be asked for afterwards. */
typedef void host_function(const struct runtime_args *args);
void recorder_run(host_function *host, const struct runtime_args *args);
/* The same; the test fails when there is an error. */
void recorder_run_well(host_function *host, const struct runtime_args *args);

/* RUN(copyInt, .n = 5): the kernel behind a host function, with those members of the arguments. */
#define RUN(name, ...) recorder_run_well(run_##name, &(struct runtime_args){__VA_ARGS__})

/* The line of a place; 0 when the run did not come there. */
unsigned recorder_line(enum here here);
const struct trace_site *recorder_site(const struct recorded *access);
/* Access number `number` (from 0) among those made at a place; the test fails when there is none.
 */
const struct recorded *recorder_at(enum here here, size_t number);
size_t recorder_count_at(enum here here);
/* The same for accesses to an array; "" is no name. */
const struct recorded *recorder_of(const char *array, size_t number);
size_t recorder_count_of(const char *array);

/* The event of that kind of a block's warp, counted from 0; the test fails when there is none. */
const struct recorded_event *recorder_event(enum trace_event_kind kind, uint32_t block,
                                            uint32_t warp, size_t number);
size_t recorder_count_events(enum trace_event_kind kind, uint32_t block, uint32_t warp);
/* The work of all accesses and events. */
uint64_t recorder_work(void);

/* Lane i, if active, accesses first + i * stride. */
void recorder_assert_line(const struct recorded *access, uint64_t first, int64_t stride);
/* The run ended with this message about the source line of a place. */
void recorder_assert_error(enum here here, const char *kernel, const char *message);

#endif
