/* small_gpu_ask.h - the GPU of round figures as a test asks it: in whole cycles.
 *
 * Times with a fraction of a cycle fail. Only test programs include this, each once.
 */
#ifndef WARPLENS_TESTS_SMALL_GPU_ASK_H
#define WARPLENS_TESTS_SMALL_GPU_ASK_H

#include "test_support.h"

#include "rules_access.h"
#include "small_gpu.h"

static struct small_gpu gpu;

/* Cycles; every test begins late, so that nothing is busy from the beginning of time. */
static const uint64_t start = 10000;

static inline uint64_t whole_cycles(uint64_t ticks)
{
    assert_int_equal(ticks % TICKS_PER_CYCLE, 0);
    return ticks >> TICKS_LOG2;
}

static inline const struct counters *site(uint32_t number)
{
    return small_gpu_site(&gpu, number);
}

/* ---- Requests to the memory system: the cycle they are asked in, and the cycle they get --------- */

static inline struct memsys_request sectors_of(uint32_t line, uint8_t sectors)
{
    return (struct memsys_request){.line = line, .sectors = sectors};
}

static inline struct memsys_request words_of(uint32_t line, uint32_t words)
{
    struct memsys_request request = {.line = line, .words = words};
    for (uint32_t s = 0; s < 4; s++)
        if (words >> 8 * s & 255)
            request.sectors |= (uint8_t)(1U << s);
    return request;
}

static inline uint64_t load(struct memsys_request request, uint64_t cycle)
{
    return whole_cycles(memsys_load(&gpu.memory, &request, ticks_of_cycles((int64_t)cycle)));
}

static inline uint64_t store(struct memsys_request request, uint64_t cycle)
{
    return whole_cycles(memsys_store(&gpu.memory, &request, ticks_of_cycles((int64_t)cycle)));
}

/* `lanes`: that want one address of the request's first sector. */
static inline uint64_t atomic(struct memsys_request request, uint8_t lanes, uint64_t cycle)
{
    struct memsys_lanes of = {0};
    of.most[__builtin_ctz(request.sectors)] = lanes;
    return whole_cycles(memsys_atomic(&gpu.memory, &request, &of, ticks_of_cycles((int64_t)cycle)));
}

static inline uint64_t drain(uint64_t cycle)
{
    return whole_cycles(memsys_drain(&gpu.memory, ticks_of_cycles((int64_t)cycle)));
}

/* ---- Accesses of warps: cycles until the data is there, until the warp can go on ----------------- */

/* A whole line, a lane a word; and one word of it for all lanes. */
static inline struct warp_access whole_line(uint64_t line)
{
    return affine(4, 128 * line, 4);
}

static inline struct warp_access one_word(uint64_t line)
{
    return affine(4, 128 * line, 0);
}

static inline struct warp_access as(struct warp_access a, uint8_t op)
{
    a.op = op;
    return a;
}

static inline struct warp_access in(struct warp_access a, uint8_t space)
{
    a.space = space;
    return a;
}

static inline struct warp_access with(struct warp_access a, uint8_t flags)
{
    a.flags = flags;
    return a;
}

static inline struct access_times times_of(uint32_t sm, struct warp_access a, uint64_t cycle)
{
    return small_gpu_access(&gpu, sm, &a, ticks_of_cycles((int64_t)cycle));
}

static inline uint64_t data_after(struct warp_access a, uint64_t cycle)
{
    return whole_cycles(times_of(0, a, cycle).data) - cycle;
}

static inline uint64_t accepted_after(struct warp_access a, uint64_t cycle)
{
    return whole_cycles(times_of(0, a, cycle).accepted) - cycle;
}

/* Sends what SM 0 holds back. */
static inline void flush(uint64_t cycle)
{
    sm_unit_flush(&gpu.sm[0], &gpu.around, ticks_of_cycles((int64_t)cycle));
}

#endif
