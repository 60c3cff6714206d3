/* divergence_model.c - what a model of a kernel's control flow says, against what was recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "divergence_model.h"
#include "tracer/engine.h"

struct visits {
    int key;
    uint32_t lanes;
};
static struct visits expected[RECORDER_KEEPS];
static size_t expected_count;

void visit(uint32_t lanes, int key)
{
    if (lanes == 0)
        return;
    assert_true(expected_count < RECORDER_KEEPS);
    expected[expected_count++] = (struct visits){key, lanes};
}

static unsigned warp_of(const struct recorded *access)
{
    uint64_t at = access->addr[__builtin_ctz(access->active)] - DEVICE_BASE_ADDRESS;
    return (unsigned)(at / (DIVERGENCE_KEYS * 128));
}

/* Which key and lane a store to the log of a warp is. */
static struct visits visits_of(const struct recorded *access, unsigned warp)
{
    const uint64_t log = DEVICE_BASE_ADDRESS + (uint64_t)warp * DIVERGENCE_KEYS * 128;
    struct visits found = {-1, access->active};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(access->active >> lane & 1U))
            continue;
        uint64_t at = access->addr[lane] - log;
        assert_true(at < DIVERGENCE_KEYS * 128);
        assert_int_equal(at / 4 % 32, lane);
        if (found.key >= 0)
            assert_int_equal(found.key, at / 128);
        found.key = (int)(at / 128);
    }
    return found;
}

static int compare_visits(const void *a, const void *b)
{
    const struct visits *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->lanes > y->lanes) - (x->lanes < y->lanes);
}

bool divergence_clang_kernels(void)
{
    return strstr(tracer_compiler(), "clang") != NULL;
}

static void assert_same_visits(struct visits *found, size_t count, unsigned warp)
{
    assert_int_equal(count, expected_count);
    if (divergence_clang_kernels()) { /* which side of a branch goes first is open */
        qsort(found, count, sizeof *found, compare_visits);
        qsort(expected, count, sizeof *expected, compare_visits);
    }
    for (size_t i = 0; i < count; i++)
        if (found[i].key != expected[i].key || found[i].lanes != expected[i].lanes)
            fail_msg("warp %u, visit %zu: key %d by %08x, expected key %d by %08x", warp, i,
                     found[i].key, found[i].lanes, expected[i].key, expected[i].lanes);
}

/* The visits that a warp made, from recorded access number `first` on. */
static size_t collect_visits(struct visits *found, size_t first, unsigned warp, uint32_t lanes)
{
    size_t count = 0;
    for (size_t i = first; i < recorder.count && warp_of(&recorder.kept[i]) == warp; i++) {
        found[count++] = visits_of(&recorder.kept[i], warp);
        assert_int_equal(recorder.kept[i].resident & ~lanes, 0);
        assert_int_equal(recorder.kept[i].active & ~recorder.kept[i].resident, 0);
    }
    return count;
}

static void check_warps(model_function *model, unsigned threads, int scale)
{
    static struct visits found[RECORDER_KEEPS];
    size_t done = 0;
    for (unsigned warp = 0; warp * 32 < threads; warp++) {
        uint32_t lanes = threads - warp * 32 >= 32 ? UINT32_MAX : (1U << threads % 32) - 1;
        size_t count = collect_visits(found, done, warp, lanes);
        expected_count = 0;
        model(lanes, scale);
        assert_same_visits(found, count, warp);
        done += count;
    }
    assert_int_equal(done, recorder.total);
}

void divergence_check(host_function *host, model_function *model, int scale)
{
    static const unsigned blocks[] = {32, 20, 1, 64, 75};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        recorder_run_well(host, &(struct runtime_args){.block = {blocks[i], 1, 1}, .n = scale});
        check_warps(model, blocks[i], scale);
    }
}
