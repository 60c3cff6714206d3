/* test_advise_regroup.c - is every recorded thread given out once, do lanes meet where they should, and is
 * what does not fit refused? Streams made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "advise/regroup.h"

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Each recorded thread is given out once, and no other one is. */
static void assert_all_once(const struct regrouping *r, const struct launch_shape *from)
{
    static uint8_t seen[1 << 14];
    struct launch_shape to;
    const uint32_t threads = shape_threads(from), blocks = from->grid[0] * from->grid[1];
    const uint32_t parts = r->kind == REGROUP_CHAIN || r->kind == REGROUP_VECTOR ? r->factor : 1;
    uint32_t made = 0;
    assert_true(regrouping_shape(r, from, &to) && blocks * threads <= sizeof seen);
    memset(seen, 0, sizeof seen);
    for (uint32_t first = 0; first < blocks;) {
        const uint32_t count = regrouping_group(r, from, first);
        for (uint32_t i = 0; i < regrouping_makes(r, from) * shape_threads(&to) * parts; i++) {
            const struct thread_origin thread = {i / parts / shape_threads(&to),
                                                 i / parts % shape_threads(&to)};
            struct thread_origin origin;
            if (!regrouping_origin(r, from, &to, count, &thread, i % parts, &origin))
                continue;
            assert_true(origin.block < count && origin.thread < threads);
            seen[(first + origin.block) * threads + origin.thread]++;
        }
        made += regrouping_makes(r, from);
        first += count;
    }
    assert_int_equal(made, to.grid[0] * to.grid[1] * to.grid[2]);
    for (uint32_t i = 0; i < blocks * threads; i++)
        assert_int_equal(seen[i], r->kind == REGROUP_DEAL ? r->factor : 1);
}

static void every_thread_is_given_out_once(void **state)
{
    (void)state;
    static const struct launch_shape shapes[] = {{{5, 3, 1}, {8, 12, 1}},
                                                 {{4, 1, 1}, {36, 1, 1}},
                                                 {{7, 2, 1}, {4, 4, 4}},
                                                 {{1, 6, 1}, {1, 8, 1}}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (uint32_t factor = 1; factor <= 4; factor *= 2)
            for (enum regroup_kind kind = REGROUP_SWAP; kind <= REGROUP_DEAL; kind++) {
                const struct regrouping r = {.kind = kind, .factor = factor, .wider = 1};
                struct launch_shape to;
                if (regrouping_shape(&r, &shapes[i], &to))
                    assert_all_once(&r, &shapes[i]);
            }
}

/* ---- Accesses by hand ------------------------------------------------------------------------ */

enum { TAKEN_MAX = 64, SITES = 3 };

struct taken {
    struct warp_access access[TAKEN_MAX]; /* addr is not to be used */
    uint64_t addr[TAKEN_MAX][WARP_LANES];
    struct trace_event event[TAKEN_MAX];
    size_t count, event_count;
    size_t before_event[TAKEN_MAX]; /* accesses that came before it */
    struct trace_site sites[SITES];
    struct launch_info launch;
};

static bool take_site(void *context, uint32_t number, const struct trace_site *site)
{
    ((struct taken *)context)->sites[number] = *site;
    return true;
}

static bool take_launch(void *context, const struct launch_info *launch)
{
    ((struct taken *)context)->launch = *launch;
    return true;
}

static bool take_access(void *context, const struct warp_access *a)
{
    struct taken *taken = context;
    if (taken->count == TAKEN_MAX)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        taken->addr[taken->count][lane] = access_lane_active(a, lane) ? access_addr(a, lane) : 0;
    taken->access[taken->count++] = *a;
    return true;
}

static bool take_event(void *context, const struct trace_event *event)
{
    struct taken *taken = context;
    taken->before_event[taken->event_count] = taken->count;
    taken->event[taken->event_count++] = *event;
    return true;
}

/* A launch of "k" with loads at SITES sites of one array, that goes through a regroup into `taken`. */
struct made {
    struct taken taken;
    struct trace_sink sink, in;
    struct regroup regroup;
    struct regrouping regrouping;
    struct object object;
    uint16_t objects[SITES], kernels[SITES];
    struct kernel_seen kernel;
    struct observed observed;
};

static struct made *begin(enum regroup_kind kind, uint32_t factor, uint32_t blocks,
                          uint32_t threads)
{
    static struct made made;
    const struct trace_site site = {.file = "?", .array = "a", .width = 4};
    const struct launch_info launch = {
        .kernel = "k", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    made = (struct made){.regrouping = {.kind = kind,
                                        .kernel = "k",
                                        .block = {threads, 1, 1},
                                        .factor = factor,
                                        .wider = 1},
                         .object = {.lane_step = 4},
                         .kernels = {1, 1, 1},
                         .kernel = {.name = "k", .block = {threads, 1, 1}}};
    made.observed = (struct observed){.objects = &made.object,
                                      .object_count = 1,
                                      .object_of_site = made.objects,
                                      .kernel_of_site = made.kernels,
                                      .site_count = SITES,
                                      .kernels = &made.kernel,
                                      .kernel_count = 1};
    made.sink = (struct trace_sink){.context = &made.taken,
                                    .site = take_site,
                                    .launch_begin = take_launch,
                                    .access = take_access,
                                    .event = take_event};
    regroup_start(&made.regroup, &made.regrouping, &made.observed, &made.sink);
    made.in = regroup_sink(&made.regroup);
    for (uint32_t i = 0; i < SITES; i++)
        assert_true(sink_site(&made.in, i, &site));
    assert_true(sink_launch_begin(&made.in, &launch));
    return &made;
}

/* A load by the lanes of `active`, of which those of `resident` have not ended; lane 0's address and
 * a word from lane to lane. */
static bool load(struct made *m, uint32_t block, uint32_t warp, uint32_t site, uint32_t active,
                 uint32_t resident, uint64_t addr)
{
    const struct warp_access a = {.base = addr,
                                  .stride = 4,
                                  .active = active,
                                  .resident = resident,
                                  .block = block,
                                  .warp = warp,
                                  .site = site,
                                  .work = (uint16_t)(2 + site),
                                  .loads_left = NEEDS_NO_LOAD,
                                  .width = 4};
    return sink_access(&m->in, &a);
}

static bool event(struct made *m, enum trace_event_kind kind, uint32_t block, uint32_t warp)
{
    const struct trace_event e = {.kind = kind, .block = block, .warp = warp, .work = 7};
    return sink_event(&m->in, &e);
}

static bool end(struct made *m, uint32_t block, uint32_t warps)
{
    bool fine = true;
    for (uint32_t w = 0; w < warps; w++)
        fine = fine && event(m, TRACE_WARP_END, block, w);
    return fine && event(m, TRACE_BLOCK_END, block, 0);
}

static void assert_access(const struct made *m, size_t i, uint32_t warp, uint32_t site,
                          uint32_t active, uint32_t resident)
{
    const struct warp_access *a = &m->taken.access[i];
    assert_true(i < m->taken.count);
    assert_int_equal(a->warp, warp);
    assert_int_equal(a->site, site);
    assert_int_equal(a->active, active);
    assert_int_equal(a->resident, resident);
}

/* Three blocks of 20 threads: 60 threads, the last warp with 28 lanes; the last four threads return at
 * once. */
static void small_blocks_fill_warps(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_MERGE, 3, 3, 20);
    for (uint32_t b = 0; b < 3; b++) {
        const uint32_t lanes = b == 2 ? 0xffff : 0xfffff;
        assert_true(load(m, b, 0, 0, lanes, lanes, 0x1000 + 80 * b));
        assert_true(end(m, b, 1));
    }
    assert_true(sink_launch_end(&m->in, 0));
    assert_int_equal(m->taken.launch.grid[0], 1);
    assert_int_equal(m->taken.launch.block[0], 60);
    assert_int_equal(m->taken.count, 2);
    assert_access(m, 0, 0, 0, UINT32_MAX, UINT32_MAX);
    assert_access(m, 1, 1, 0, 0xffffff, 0xffffff);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(m->taken.addr[0][lane], 0x1000 + 4 * lane);
    assert_int_equal(m->taken.addr[1][23], 0x1000 + 4 * 55);
    assert_int_equal(m->taken.event_count, 3); /* two warps and a block end */
    regroup_stop(&m->regroup);
}

/* Even threads come once, odd ones twice: sorted, one warp comes once and one twice. */
static void uneven_visits_are_sorted(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_SORT, 0, 1, 64);
    for (uint32_t w = 0; w < 2; w++) {
        assert_true(load(m, 0, w, 0, UINT32_MAX, UINT32_MAX, 0x1000 + 128 * w));
        assert_true(load(m, 0, w, 0, 0xaaaaaaaa, UINT32_MAX, 0x2000 + 128 * w));
    }
    assert_true(end(m, 0, 2));
    assert_int_equal(m->taken.count, 3);
    assert_access(m, 0, 0, 0, UINT32_MAX, UINT32_MAX);
    assert_access(m, 1, 0, 0, UINT32_MAX, UINT32_MAX);
    assert_access(m, 2, 1, 0, UINT32_MAX, UINT32_MAX);
    assert_int_equal(m->taken.addr[1][0], 0x2004);
    assert_int_equal(m->taken.addr[1][31], 0x2000 + 4 * 63);
    assert_int_equal(m->taken.addr[2][1], 0x1008);
    regroup_stop(&m->regroup);
}

/* Some lanes come to site 0, others to site 1, all to site 2: they meet there again. The second warp has
 * its branches in the other order, and keeps it. */
static void branches_meet_again(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_MERGE, 2, 2, 16);
    for (uint32_t b = 0; b < 2; b++) {
        assert_true(load(m, b, 0, b, 0x00ff, 0xffff, 0x1000));
        assert_true(load(m, b, 0, !b, 0xff00, 0xffff, 0x2000));
        assert_true(load(m, b, 0, 2, 0xffff, 0xffff, 0x3000));
        assert_true(end(m, b, 1));
    }
    assert_int_equal(m->taken.count, 3);
    assert_access(m, 0, 0, 0, 0xff0000ff, UINT32_MAX);
    assert_access(m, 1, 0, 1, 0x00ffff00, UINT32_MAX);
    assert_access(m, 2, 0, 2, UINT32_MAX, UINT32_MAX);
    assert_int_equal(m->taken.access[2].work, 4);
    regroup_stop(&m->regroup);
}

/* Half the lanes come to 0 before 1, the others to 1 before 0: they cannot be together at both. */
static void threads_keep_their_order(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_MERGE, 2, 2, 16);
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t i = 0; i < 2; i++)
            assert_true(load(m, b, 0, i ^ b, 0xffff, 0xffff, 0x1000) && (i == 0 || end(m, b, 1)));
    assert_int_equal(m->taken.count, 3);
    assert_access(m, 0, 0, 0, 0x0000ffff, UINT32_MAX);
    assert_access(m, 1, 0, 1, UINT32_MAX, UINT32_MAX);
    assert_access(m, 2, 0, 0, 0xffff0000, UINT32_MAX);
    regroup_stop(&m->regroup);
}

/* In front of a barrier and behind it lanes do not meet. */
static void barriers_keep_their_place(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_SORT, 0, 1, 64);
    for (uint32_t w = 0; w < 2; w++)
        assert_true(load(m, 0, w, w, UINT32_MAX, UINT32_MAX, 0x1000));
    for (uint32_t w = 0; w < 2; w++)
        assert_true(event(m, TRACE_BARRIER, 0, w));
    for (uint32_t w = 0; w < 2; w++)
        assert_true(load(m, 0, w, 1, UINT32_MAX, UINT32_MAX, 0x2000));
    assert_true(end(m, 0, 2));
    assert_int_equal(m->taken.count, 4);
    assert_int_equal(m->taken.event[0].kind, TRACE_BARRIER);
    assert_int_equal(m->taken.before_event[0], 1);
    assert_int_equal(m->taken.event[2].kind, TRACE_BARRIER);
    assert_int_equal(m->taken.before_event[2], 3);
    assert_int_equal(m->taken.event[0].work, 7);
    regroup_stop(&m->regroup);
}

/* Of a warp's latest two loads the lanes made one: a new warp of them has one under way. */
static void loads_are_the_threads_own(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_MERGE, 1, 1, 32);
    struct warp_access a = {.base = 0x3000,
                            .active = 0xffff,
                            .resident = UINT32_MAX,
                            .site = 2,
                            .work = 1,
                            .loads_left = 2,
                            .width = 4};
    assert_true(load(m, 0, 0, 0, 0xffff, UINT32_MAX, 0x1000));
    assert_true(load(m, 0, 0, 1, 0xffff0000, UINT32_MAX, 0x2000));
    assert_true(sink_access(&m->in, &a));
    assert_true(end(m, 0, 1));
    assert_int_equal(m->taken.access[2].loads_left, 1);
    assert_int_equal(m->taken.access[0].loads_left, NEEDS_NO_LOAD);
    regroup_stop(&m->regroup);
}

static void neighbours_become_one_wide_access(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_VECTOR, 4, 4, 32);
    for (uint32_t b = 0; b < 4; b++) {
        assert_true(load(m, b, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000 + 128 * b));
        assert_true(end(m, b, 1));
    }
    assert_int_equal(m->taken.sites[0].width, 16);
    assert_int_equal(m->taken.count, 1);
    assert_int_equal(m->taken.access[0].width, 16);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(m->taken.addr[0][lane], 0x1000 + 16 * lane);
    regroup_stop(&m->regroup);
    m = begin(REGROUP_VECTOR, 4, 4, 32); /* from no multiple of 16 on */
    for (uint32_t b = 0; b < 3; b++)
        assert_true(load(m, b, 0, 0, UINT32_MAX, UINT32_MAX, 0x1004 + 128 * b) && end(m, b, 1));
    assert_true(load(m, 3, 0, 0, UINT32_MAX, UINT32_MAX, 0x1004 + 128 * 3));
    assert_false(end(m, 3, 1));
    assert_non_null(m->regroup.refusal);
    regroup_stop(&m->regroup);
}

/* Indices once, before the first access; what stands between the accesses for each of the four neighbours. */
static void arithmetic_is_done_for_each_neighbour(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_VECTOR, 4, 4, 32);
    for (uint32_t b = 0; b < 4; b++) {
        assert_true(load(m, b, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000 + 128 * b));
        assert_true(load(m, b, 0, 1, UINT32_MAX, UINT32_MAX, 0x2000 + 128 * b));
        assert_true(end(m, b, 1));
    }
    assert_int_equal(m->taken.count, 2);
    assert_int_equal(m->taken.access[0].work, 2);
    assert_int_equal(m->taken.access[1].work, 3 + 2 * 3); /* an access, and two more for each */
    regroup_stop(&m->regroup);
}

/* Five iterations among two blocks: 0, 2, 4 and 1, 3; what comes before the loop, in both. */
static void iterations_are_dealt_out(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_DEAL, 2, 1, 32);
    assert_true(load(m, 0, 0, 1, UINT32_MAX, UINT32_MAX, 0x8000));
    for (uint32_t i = 0; i < 5; i++)
        assert_true(load(m, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000 + 128 * i));
    assert_true(end(m, 0, 1));
    static const uint64_t expected[] = {0x8000, 0x1000, 0x1100, 0x1200, 0x8000, 0x1080, 0x1180};
    assert_int_equal(m->taken.launch.grid[0], 2);
    assert_int_equal(m->taken.count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(m->taken.addr[i][0], expected[i]);
        assert_int_equal(m->taken.access[i].block, i / 4);
    }
    regroup_stop(&m->regroup);
}

/* Two blocks' work one after the other: the second turn waits for the first one's loads. */
static void turns_wait_for_loads(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_CHAIN, 2, 3, 32);
    for (uint32_t b = 0; b < 3; b++) {
        assert_true(load(m, b, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000 + 128 * b));
        assert_true(end(m, b, 1));
    }
    assert_int_equal(m->taken.launch.grid[0], 2);
    assert_int_equal(m->taken.count, 3);
    assert_int_equal(m->taken.access[0].loads_left, NEEDS_NO_LOAD);
    assert_int_equal(m->taken.access[1].loads_left, 0);
    assert_int_equal(m->taken.access[1].work, 2 + 7); /* and the end that is none any more */
    assert_int_equal(m->taken.access[1].block, 0);
    assert_int_equal(m->taken.access[2].block, 1);
    assert_int_equal(m->taken.event_count, 4);
    regroup_stop(&m->regroup);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void long_groups_are_refused(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_SORT, 0, 1, 32);
    for (uint32_t i = 0; i < REGROUP_RECORDS_MAX; i++)
        assert_true(load(m, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000));
    assert_false(load(m, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000));
    assert_non_null(m->regroup.refusal);
    assert_int_equal(m->taken.count, 0);
    regroup_stop(&m->regroup);
}

static void missing_blocks_are_refused(void **state)
{
    (void)state;
    struct made *m = begin(REGROUP_MERGE, 2, 4, 32);
    assert_true(load(m, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000) && end(m, 0, 1));
    assert_false(load(m, 2, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000));
    assert_non_null(m->regroup.refusal);
    regroup_stop(&m->regroup);
    m = begin(REGROUP_MERGE, 2, 4, 32); /* a launch that was cut */
    assert_true(load(m, 0, 0, 0, UINT32_MAX, UINT32_MAX, 0x1000) && end(m, 0, 1));
    assert_false(sink_launch_end(&m->in, 0));
    assert_non_null(m->regroup.refusal);
    regroup_stop(&m->regroup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_is_given_out_once),
        cmocka_unit_test(small_blocks_fill_warps),
        cmocka_unit_test(uneven_visits_are_sorted),
        cmocka_unit_test(branches_meet_again),
        cmocka_unit_test(threads_keep_their_order),
        cmocka_unit_test(barriers_keep_their_place),
        cmocka_unit_test(loads_are_the_threads_own),
        cmocka_unit_test(neighbours_become_one_wide_access),
        cmocka_unit_test(arithmetic_is_done_for_each_neighbour),
        cmocka_unit_test(iterations_are_dealt_out),
        cmocka_unit_test(turns_wait_for_loads),
        cmocka_unit_test(long_groups_are_refused),
        cmocka_unit_test(missing_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
