/* test_timeline_stages.c - does a step that is watched get the time at which its requests are at each stage, and does
 * the recorder keep the right steps? small_gpu.h has the round figures.
 *
 * From there: a request is at its slice, or without an L2 at its partition, after half of the latency: 100 or
 * 300 cycles. Each moves a sector a cycle.
 */
#include "small_gpu_ask.h"

#include <stdlib.h>

static struct timeline_step step;

static void open_watched(const struct arch *arch)
{
    small_gpu_open(&gpu, arch);
    step = (struct timeline_step){0};
}

static void watch(void)
{
    step = (struct timeline_step){0};
    gpu.memory.watched = &step;
}

#define EXPECT_SPAN(stage, from, to)                                                               \
    do {                                                                                           \
        assert_true(timeline_has(&step, stage));                                                   \
        assert_int_equal(whole_cycles(step.span[stage].first), from);                              \
        assert_int_equal(whole_cycles(step.span[stage].last), to);                                 \
    } while (0)

/* ---- Beyond the SM --------------------------------------------------------------------------- */

/* The slice is kept for four cycles by a store that came before. */
static void a_load_is_seen_at_its_slice_and_in_dram(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    open_watched(&arch);
    store(words_of(9, UINT32_MAX), start);
    watch();
    load(sectors_of(5, 1), start);
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 100, start + 100);
    EXPECT_SPAN(TIMELINE_L2, start + 104, start + 104);
    EXPECT_SPAN(TIMELINE_DRAM, start + 104, start + 104);
    assert_false(timeline_has(&step, TIMELINE_HOST));
    watch();
    load(sectors_of(5, 1), 2 * start); /* hits */
    EXPECT_SPAN(TIMELINE_L2, 2 * start + 100, 2 * start + 100);
    assert_false(timeline_has(&step, TIMELINE_DRAM));
    small_gpu_close(&gpu);
}

static void stores_and_atomics_are_seen_at_their_slice(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    open_watched(&arch);
    store(words_of(9, UINT32_MAX), start);
    watch();
    store(words_of(5, 255), start);
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 100, start + 100);
    EXPECT_SPAN(TIMELINE_L2, start + 104, start + 104);
    watch();
    atomic(sectors_of(5, 1), 1, start); /* behind that sector */
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 100, start + 100);
    EXPECT_SPAN(TIMELINE_L2, start + 105, start + 105);
    small_gpu_close(&gpu);
}

/* Side 1 asks for a line of side 0, 100 cycles further away, and later for its own copy. */
static void a_load_of_the_other_side_is_seen_at_both(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct memsys_request far = sectors_of(0, 1);
    arch.l2_sides = arch.l2_slices = 2;
    arch.l2_megabytes_per_s = 64000;
    arch.partition_hashed = 0;
    arch.partition_bytes = 256;
    far.side = 1;
    open_watched(&arch);
    watch();
    load(far, start);
    EXPECT_SPAN(TIMELINE_L2, start + 100, start + 200);
    EXPECT_SPAN(TIMELINE_DRAM, start + 200, start + 200);
    watch();
    load(far, 2 * start);
    EXPECT_SPAN(TIMELINE_L2, 2 * start + 100, 2 * start + 100);
    small_gpu_close(&gpu);
}

static void without_l2_requests_are_seen_at_their_partition(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(13);
    arch.l2_bytes = arch.l2_slices = arch.l2_latency_cycles = arch.l2_megabytes_per_s = 0;
    open_watched(&arch);
    watch();
    load(sectors_of(5, 15), start);
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 300, start + 300);
    EXPECT_SPAN(TIMELINE_DRAM, start + 300, start + 300);
    assert_false(timeline_has(&step, TIMELINE_L2));
    watch();
    atomic(sectors_of(5, 1), 1, start); /* behind four sectors */
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 300, start + 300);
    EXPECT_SPAN(TIMELINE_DRAM, start + 304, start + 304);
    watch();
    store(words_of(6, 255), 2 * start); /* is taken when the bus has moved it */
    EXPECT_SPAN(TIMELINE_ARRIVAL, 2 * start + 300, 2 * start + 300);
    EXPECT_SPAN(TIMELINE_DRAM, 2 * start + 301, 2 * start + 301);
    small_gpu_close(&gpu);
}

static void requests_to_the_host_are_seen_at_pcie(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct memsys_request four = sectors_of(5, 15);
    four.host = true;
    open_watched(&arch);
    load(four, start);
    watch();
    load(four, start);
    EXPECT_SPAN(TIMELINE_HOST, start + 4, start + 4);
    assert_false(timeline_has(&step, TIMELINE_ARRIVAL));
    small_gpu_close(&gpu);
}

/* ---- Of the SM ------------------------------------------------------------------------------- */

/* Two lines leave one after another: the first keeps the crossbar for four cycles. A store is through when its
 * slice takes it. */
static void an_access_of_two_lines_has_its_first_and_its_last(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct warp_access wide = affine(8, 128 * 6, 8);
    open_watched(&arch);
    watch();
    times_of(0, wide, start);
    EXPECT_SPAN(TIMELINE_UNIT, start, start);
    EXPECT_SPAN(TIMELINE_CROSSBAR, start, start + 4);
    EXPECT_SPAN(TIMELINE_ARRIVAL, start + 100, start + 104);
    EXPECT_SPAN(TIMELINE_DATA, start + 600, start + 604);
    assert_int_equal(whole_cycles(step.span[TIMELINE_L1].first), start);
    watch();
    times_of(0, as(wide, OP_STORE), 2 * start);
    EXPECT_SPAN(TIMELINE_CROSSBAR, 2 * start, 2 * start + 4);
    EXPECT_SPAN(TIMELINE_DATA, 2 * start + 100, 2 * start + 104);
    assert_false(timeline_has(&step, TIMELINE_L1));
    small_gpu_close(&gpu);
}

static void an_atomic_is_through_with_its_result(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct warp_access one_lane = as(one_word(5), OP_ATOMIC);
    one_lane.active = 1;
    open_watched(&arch);
    watch();
    times_of(0, one_lane, start);
    EXPECT_SPAN(TIMELINE_CROSSBAR, start, start);
    EXPECT_SPAN(TIMELINE_DATA, start + 4 + 600, start + 4 + 600);
    small_gpu_close(&gpu);
}

/* Loads and atomics of shared memory bring something; stores do not. */
static void shared_memory_is_seen_with_its_data(void **state)
{
    (void)state;
    struct arch arch = small_gpu_arch(90);
    struct warp_access shared = in(affine(4, 0, 4), SPACE_SHARED);
    arch.shared_latency_cycles = 23;
    open_watched(&arch);
    watch();
    times_of(0, shared, start);
    EXPECT_SPAN(TIMELINE_UNIT, start, start);
    EXPECT_SPAN(TIMELINE_DATA, start + 23, start + 23);
    watch();
    times_of(0, as(shared, OP_STORE), 2 * start);
    EXPECT_SPAN(TIMELINE_UNIT, 2 * start, 2 * start);
    assert_false(timeline_has(&step, TIMELINE_DATA));
    small_gpu_close(&gpu);
}

/* ---- The recorder ---------------------------------------------------------------------------- */

static void a_stage_reaches_from_its_first_time_to_its_last(void **state)
{
    (void)state;
    static const uint64_t from[] = {500, 400, 450}, to[] = {510, 420, 700};
    static const uint64_t first[] = {500, 400, 400}, last[] = {510, 510, 700};
    step = (struct timeline_step){0};
    for (size_t i = 0; i < 3; i++) {
        timeline_note(&step, TIMELINE_DATA, from[i], to[i]);
        assert_int_equal(step.span[TIMELINE_DATA].first, first[i]);
        assert_int_equal(step.span[TIMELINE_DATA].last, last[i]);
    }
    assert_false(timeline_has(&step, TIMELINE_HOST));
    timeline_note(NULL, TIMELINE_DATA, 1, 2);
}

static void a_step_is_kept_until_its_warp_is_through_with_it(void **state)
{
    (void)state;
    struct timeline_recorder *recorder = timeline_recorder_new(7);
    const struct step access = {
        .kind = STEP_ACCESS,
        .work = 9,
        .access = {.op = OP_ATOMIC, .space = SPACE_TEXTURE, .site = 3, .active = 0x10101}};
    const struct step end = {.kind = STEP_END, .work = 4, .access = {.active = 3, .site = 9}};
    assert_non_null(recorder);
    assert_true(recorder->awaited);
    assert_null(timeline_take(recorder)); /* the block has not begun */
    timeline_begin(recorder, 5, 2, 100, 130);
    assert_false(recorder->awaited);
    struct timeline_step *first = timeline_turn(recorder, 1, &access, 140);
    assert_ptr_equal(timeline_turn(recorder, 1, &access, 150), first);
    assert_ptr_not_equal(timeline_turn(recorder, 0, &end, 160), first);
    timeline_done(recorder, 1);
    timeline_turn(recorder, 1, &end, 170);
    struct timeline *kept = timeline_take(recorder);
    assert_int_equal(kept->block, 7);
    assert_int_equal(kept->sm, 5);
    assert_int_equal(kept->warp_count, 2);
    assert_int_equal(kept->launch_began, 100);
    assert_int_equal(kept->began, 130);
    assert_int_equal(kept->ended, 130);
    assert_int_equal(kept->count, 3);
    assert_int_equal(kept->left_out, 0);
    const struct timeline_step *steps = kept->steps;
    assert_int_equal(steps[0].warp, 1);
    assert_int_equal(steps[0].turn, 140);
    assert_int_equal(steps[0].work, 9);
    assert_int_equal(steps[0].op, OP_ATOMIC);
    assert_int_equal(steps[0].space, SPACE_TEXTURE);
    assert_int_equal(steps[0].site, 3);
    assert_int_equal(steps[0].lanes, 3);
    assert_int_equal(steps[1].warp, 0);
    assert_int_equal(steps[1].kind, STEP_END);
    assert_int_equal(steps[1].lanes, 0); /* of accesses alone */
    assert_int_equal(steps[1].site, 0);
    assert_int_equal(steps[2].turn, 170);
    free(kept);
    timeline_recorder_free(recorder);
    timeline_recorder_free(NULL);
    assert_null(timeline_take(NULL));
}

static void steps_without_room_are_counted_from_the_first_on(void **state)
{
    (void)state;
    struct timeline_recorder *recorder = timeline_recorder_new(0);
    const struct step barrier = {.kind = STEP_BARRIER};
    timeline_begin(recorder, 0, 1, 0, 0);
    for (uint64_t i = 0; i < TIMELINE_STEPS_MAX + 3; i++) {
        assert_int_equal(timeline_turn(recorder, 0, &barrier, 10 * i) != NULL,
                         i < TIMELINE_STEPS_MAX);
        timeline_done(recorder, 0);
    }
    assert_int_equal(recorder->kept->count, TIMELINE_STEPS_MAX);
    assert_int_equal(recorder->kept->left_out, 3);
    assert_int_equal(recorder->kept->left_out_from, 10 * TIMELINE_STEPS_MAX);
    timeline_recorder_free(recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_is_seen_at_its_slice_and_in_dram),
        cmocka_unit_test(stores_and_atomics_are_seen_at_their_slice),
        cmocka_unit_test(a_load_of_the_other_side_is_seen_at_both),
        cmocka_unit_test(without_l2_requests_are_seen_at_their_partition),
        cmocka_unit_test(requests_to_the_host_are_seen_at_pcie),
        cmocka_unit_test(an_access_of_two_lines_has_its_first_and_its_last),
        cmocka_unit_test(an_atomic_is_through_with_its_result),
        cmocka_unit_test(shared_memory_is_seen_with_its_data),
        cmocka_unit_test(a_stage_reaches_from_its_first_time_to_its_last),
        cmocka_unit_test(a_step_is_kept_until_its_warp_is_through_with_it),
        cmocka_unit_test(steps_without_room_are_counted_from_the_first_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
