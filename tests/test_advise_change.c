/* test_advise_change.c - does each change of addresses do to an access what its header says, and does a
 * run come back from its file as it was, also when somebody else takes it meanwhile?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "advise/measure.h"
#include "advise/pattern.h"
#include "advise/record.h"
#include "advise/transform.h"
#include "published.h"

/* ---- Maps ------------------------------------------------------------------------------------ */

enum { BASE = 0x1000 };

static uint64_t mapped(const struct array_map *map, uint64_t at)
{
    return map_address(map, BASE + at, 0) - BASE;
}

static void fields_get_arrays(void **state)
{
    (void)state;
    const struct array_map map = {.kind = MAP_FIELDS,
                                  .base = BASE,
                                  .bytes = 1200,
                                  .pitch = 12,
                                  .field_count = 2,
                                  .fields = {{0, 4, 0}, {4, 8, 1024}}};
    assert_int_equal(mapped(&map, 0), 0);
    assert_int_equal(mapped(&map, 4), 1024);
    assert_int_equal(mapped(&map, 12), 4);
    assert_int_equal(mapped(&map, 12 * 7 + 4), 1024 + 7 * 8);
    assert_int_equal(mapped(&map, 12 * 7 + 8), 1024 + 7 * 8 + 4);
}

static void rows_get_padding(void **state)
{
    (void)state;
    const struct array_map map = {
        .kind = MAP_ROWS, .base = BASE, .bytes = 4096, .pitch = 128, .pad = 4};
    assert_int_equal(mapped(&map, 124), 124);
    assert_int_equal(mapped(&map, 128), 132);
    assert_int_equal(mapped(&map, 31 * 128 + 8), 31 * 132 + 8);
}

static void structs_get_wider(void **state)
{
    (void)state;
    const struct array_map map = {
        .kind = MAP_WIDE, .base = BASE, .bytes = 1200, .pitch = 12, .pad = 4};
    assert_int_equal(mapped(&map, 0), 0);
    assert_int_equal(mapped(&map, 12), 16);
    assert_int_equal(mapped(&map, 12 * 5 + 8), 16 * 5);
}

static void bytes_go_down_and_move(void **state)
{
    (void)state;
    struct array_map map = {.kind = MAP_SHIFT, .base = BASE, .bytes = 4100, .pad = 4};
    assert_int_equal(mapped(&map, 4), 0);
    map.move = 256;
    assert_int_equal(mapped(&map, 132), 256 + 128);
}

static void swizzled_columns_meet_all_banks(void **state)
{
    (void)state;
    const struct array_map map = {
        .kind = MAP_SWIZZLE, .base = BASE, .bytes = 4096, .pitch = 128, .unit_bytes = 4};
    uint8_t taken[1024] = {0};
    for (uint64_t column = 0; column < 32; column++) {
        uint32_t banks = 0;
        for (uint64_t row = 0; row < 32; row++) {
            const uint64_t to = mapped(&map, row * 128 + column * 4);
            assert_int_equal(to / 128, row);
            banks |= 1U << to / 4 % 32;
            taken[to / 4]++;
        }
        assert_int_equal(banks, UINT32_MAX);
    }
    for (size_t i = 0; i < 1024; i++)
        assert_int_equal(taken[i], 1);
}

/* Step s of a reduction of 512 words: lane t takes words 2 s t and 2 s t + s; then t and t + 256 / s. */
static void halves_lie_side_by_side(void **state)
{
    (void)state;
    const struct array_map map = {.kind = MAP_HALVES, .base = BASE, .bytes = 2048, .unit_bytes = 4};
    for (uint64_t s = 1; s <= 64; s *= 2)
        for (uint64_t t = 0; t < 256 / s; t++) {
            const uint64_t first = map_address(&map, BASE + 8 * s * t, 8 * s) - BASE;
            const uint64_t second = map_address(&map, BASE + 8 * s * t + 4 * s, 8 * s) - BASE;
            assert_int_equal(first, 4 * t);
            assert_int_equal(second, 4 * (t + 256 / s));
        }
    assert_int_equal(map_address(&map, BASE + 40, 4), BASE + 40);
}

/* ---- Orders ---------------------------------------------------------------------------------- */

static void assert_permutation(spool_order *order, uint32_t x, uint32_t y, uint32_t z)
{
    const struct launch_info launch = {.grid = {x, y, z}};
    uint8_t seen[512] = {0};
    assert_true(x * y * z <= sizeof seen);
    for (uint32_t place = 0; place < x * y * z; place++) {
        const uint32_t block = order(&launch, place);
        assert_true(block < x * y * z);
        assert_int_equal(block / (x * y), place / (x * y));
        seen[block]++;
    }
    for (uint32_t block = 0; block < x * y * z; block++)
        assert_int_equal(seen[block], 1);
}

static void orders_have_every_block_once(void **state)
{
    (void)state;
    for (uint32_t x = 1; x <= 9; x++)
        for (uint32_t y = 1; y <= 9; y++) {
            assert_permutation(order_diagonal, x, y, 3);
            assert_permutation(order_columns, x, y, 3);
        }
}

/* transposeDiagonal: blockIdx_y = blockIdx.x, blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x. */
static void square_grids_go_diagonally(void **state)
{
    (void)state;
    const struct launch_info launch = {.grid = {7, 7, 1}};
    for (uint32_t y = 0; y < 7; y++)
        for (uint32_t x = 0; x < 7; x++)
            assert_int_equal(order_diagonal(&launch, y * 7 + x), x * 7 + (x + y) % 7);
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

static void rows_of_lanes_are_found(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct lane_pattern p;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 0x100 + lane % 16 * 64 + lane / 16 * 4;
    const struct warp_access a = {.addr = addr, .active = 0xfffffff0};
    assert_true(pattern_find(&a, &p));
    assert_int_equal(p.base, 0x100);
    assert_int_equal(p.step, 64);
    assert_int_equal(p.row_step, 4);
    assert_int_equal(p.row_lanes, 16);
    addr[20] += 4;
    assert_false(pattern_find(&a, &p));
}

/* ---- Wide accesses --------------------------------------------------------------------------- */

struct taken {
    struct warp_access accesses[16];
    size_t count;
};

static bool take_access(void *context, const struct warp_access *a)
{
    struct taken *taken = context;
    taken->accesses[taken->count++] = *a;
    return true;
}

/* x, y, z of a warp's structs, twice; then something that needs all but the latest 3 loads. */
static void fields_become_one_access(void **state)
{
    (void)state;
    struct object objects[2] = {{.base = BASE, .bytes = 1200}, {.base = 0x8000, .bytes = 400}};
    uint16_t object_of_site[] = {0, 1};
    const struct observed observed = {
        .objects = objects, .object_count = 2, .object_of_site = object_of_site, .site_count = 2};
    struct change change;
    struct taken taken = {0};
    const struct trace_sink sink = {.context = &taken, .access = take_access};
    struct transform transform;
    assert_true(change_start(&change, &observed));
    change.maps[0].kind = MAP_WIDE;
    change.maps[0].pitch = 12;
    change.maps[0].pad = 4;
    transform_start(&transform, &change, &observed, &sink);
    const struct trace_sink in = transform_sink(&transform);
    for (unsigned i = 0; i < 6; i++) {
        const struct warp_access load = {.base = BASE + i / 3 * 384 + i % 3 * 4,
                                         .stride = 12,
                                         .active = UINT32_MAX,
                                         .work = 5,
                                         .loads_left = NEEDS_NO_LOAD,
                                         .width = 4};
        assert_true(sink_access(&in, &load));
    }
    const struct warp_access store = {.base = 0x8000,
                                      .stride = 4,
                                      .active = UINT32_MAX,
                                      .site = 1,
                                      .work = 2,
                                      .loads_left = 3,
                                      .width = 4,
                                      .op = OP_STORE};
    assert_true(sink_access(&in, &store));
    assert_int_equal(taken.count, 3);
    assert_int_equal(taken.accesses[0].width, 16);
    assert_int_equal(taken.accesses[0].base, BASE);
    assert_int_equal(taken.accesses[0].stride, 16);
    assert_int_equal(taken.accesses[1].base, BASE + 512);
    assert_int_equal(taken.accesses[1].work, 5 + 4 + 4);
    assert_int_equal(taken.accesses[2].width, 4);
    assert_int_equal(taken.accesses[2].work, 2 + 4 + 4);
    assert_int_equal(taken.accesses[2].loads_left, 1); /* the first of the latest 3 is left */
    transform_stop(&transform);
    change_free(&change);
}

/* ---- The spool ------------------------------------------------------------------------------- */

static void assert_same_run(const char *gpu, const char *kernel, const char *params)
{
    static struct published run; /* for its GPU */
    struct spool spool;
    struct result result;
    assert_true(spool_start(&spool, ADVISE_ACCESSES_MAX));
    const struct trace_sink sink = spool_sink(&spool);
    published_trace(kernel, params, &sink);
    const struct plan plan = {.count = 0};
    published_open_timed(&run, gpu, kernel, params);
    const struct measure measure = {.spool = &spool, .gpu = &run.gpus[0]};
    assert_null(measure_run(&measure, &plan, false, &result));
    assert_memory_equal(&result.total, &run.results[0].total, sizeof result.total);
    results_free(&result, 1);
    published_close(&run);
    spool_stop(&spool);
}

static void runs_come_back_as_they_were(void **state)
{
    (void)state;
    assert_same_run("gtx280", "reduce6", "n=4096");
    assert_same_run("m2090", "transposeUnpadded", "width=64 height=48");
    assert_same_run("h200", "localDynamic", "");
    assert_same_run("k20x", "scattered384", "n=4096");
}

/* Blocks behind the limit go, whole ones. */
static void long_runs_are_cut_between_blocks(void **state)
{
    (void)state;
    struct spool spool;
    assert_true(spool_start(&spool, 100));
    const struct trace_sink sink = spool_sink(&spool);
    published_trace("offsetCopy", "n=65536 block=256", &sink); /* 16 accesses a block */
    assert_int_equal(spool.block_count, 7);
    assert_int_equal(spool.blocks_dropped, 256 - 7);
    assert_int_equal(spool.accesses, 7 * 16);
    spool_stop(&spool);
}

/* A kernel as a source: how often it ran. */
struct counted {
    const char *kernel, *params;
    size_t runs;
};

static const char *run_counted(void *context, const struct trace_sink *sink)
{
    struct counted *counted = context;
    counted->runs++;
    published_trace(counted->kernel, counted->params, sink);
    return NULL;
}

/* One run for the session and for the advice: what both say of it, with at most `limit` accesses kept. */
static void record_vec3d(uint64_t limit, struct advice_report *report)
{
    static struct published run;
    static struct recording recording;
    struct counted counted = {"vec3d", "n=4096", 0};
    struct result result;
    published_open_timed(&run, "gtx280", counted.kernel, counted.params);
    const struct trace_source source =
        recording_start(&recording, (struct trace_source){&counted, run_counted}, limit);
    const struct session_request request = {.source = source, .gpus = run.gpus, .gpu_count = 1};
    assert_null(session_run(&request, &result));
    assert_memory_equal(&result.total, &run.results[0].total, sizeof result.total);
    recording_advise(&recording, &(struct advise_request){.gpus = run.gpus, .gpu_count = 1},
                     report);
    assert_int_equal(counted.runs, 1);
    recording_stop(&recording);
    results_free(&result, 1);
    published_close(&run);
}

static void a_run_is_reported_and_advised_at_once(void **state)
{
    (void)state;
    static struct published run;
    struct counted counted = {"vec3d", "n=4096", 0};
    struct advice_report once, alone;
    char message[ADVISE_MESSAGE_BYTES];
    published_open(&run, (const char *const[]){"gtx280"}, 1, counted.kernel, counted.params);
    const struct advise_request request = {
        .source = {&counted, run_counted}, .gpus = run.gpus, .gpu_count = 1};
    assert_null(advise_run(&request, &alone, message));
    record_vec3d(1 << 18, &once);
    assert_string_equal(once.refusal, "");
    assert_true(once.advice_count > 0);
    assert_int_equal(once.advice_count, alone.advice_count);
    for (size_t i = 0; i < once.advice_count; i++) {
        assert_string_equal(once.advice[i].change, alone.advice[i].change);
        assert_memory_equal(&once.advice[i].after, &alone.advice[i].after,
                            sizeof once.advice[i].after);
    }
    advise_free(&once, 1);
    advise_free(&alone, 1);
    published_close(&run);
}

/* The session gets it whole; advice on a part of it would be of another run. */
static void of_a_long_run_there_is_no_advice(void **state)
{
    (void)state;
    struct advice_report report;
    record_vec3d(100, &report);
    assert_non_null(strstr(report.refusal, "more than 100 accesses"));
    assert_int_equal(report.advice_count, 0);
    advise_free(&report, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_get_arrays),
        cmocka_unit_test(rows_get_padding),
        cmocka_unit_test(structs_get_wider),
        cmocka_unit_test(bytes_go_down_and_move),
        cmocka_unit_test(swizzled_columns_meet_all_banks),
        cmocka_unit_test(halves_lie_side_by_side),
        cmocka_unit_test(orders_have_every_block_once),
        cmocka_unit_test(square_grids_go_diagonally),
        cmocka_unit_test(rows_of_lanes_are_found),
        cmocka_unit_test(fields_become_one_access),
        cmocka_unit_test(runs_come_back_as_they_were),
        cmocka_unit_test(long_runs_are_cut_between_blocks),
        cmocka_unit_test(a_run_is_reported_and_advised_at_once),
        cmocka_unit_test(of_a_long_run_there_is_no_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
