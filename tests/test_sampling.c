/* test_sampling.c - which blocks does a sample leave out, what time does it give them, and how far off does it say
 * that may be?
 *
 * A launch is played without a model of time: each wave takes the ticks and moves the sectors that a test says.
 */
#include "test_support.h"

#include <math.h>
#include <string.h>

#include "sim/time/block_kind.h"
#include "sim/time/sampling.h"
#include "sim/time/steps.h"

enum { WAVE = 8, TICKS = 1000, STORE_BYTES = 1 << 20 };

/* What a wave of a launch is like, and what its blocks do. */
struct launch {
    uint64_t blocks;
    uint64_t (*ticks)(uint64_t wave);
    uint64_t (*taken_lines)(uint64_t wave); /* by L2; NULL: none */
    uint64_t (*kind)(uint64_t block);       /* NULL: all the same */
};

struct played {
    struct sampling sampling;
    uint64_t all_ticks, left_out_ticks; /* of all blocks, and of those left out: the truth */
    uint64_t last_left_out;             /* the block */
};

static uint64_t ticks_before(const struct launch *launch, uint64_t block)
{
    uint64_t ticks = 0;
    for (uint64_t wave = 0; wave < block / WAVE; wave++)
        ticks += launch->ticks(wave);
    return ticks + launch->ticks(block / WAVE) * (block % WAVE) / WAVE;
}

/* The clock stands still while blocks are left out. */
static struct played play(const struct launch *launch)
{
    struct played played = {0};
    uint64_t now = 0, free_lines = 1 << 20;
    sampling_start(&played.sampling, WAVE, launch->blocks);
    for (uint64_t block = 0; block < launch->blocks; block++) {
        const uint64_t took = ticks_before(launch, block + 1) - ticks_before(launch, block);
        played.all_ticks += took;
        if (!sampling_models(&played.sampling, launch->kind ? launch->kind(block) : 7)) {
            played.left_out_ticks += took;
            played.last_left_out = block;
            continue;
        }
        if (block % WAVE == 0 && launch->taken_lines)
            free_lines -= launch->taken_lines(block / WAVE);
        if (sampling_ends_wave(&played.sampling)) {
            const struct sampling_figures figures = {.ticks = now,
                                                     .traffic = {0, now, now / 2, now / 4},
                                                     .lines = 1 << 20,
                                                     .free_lines = free_lines};
            sampling_note(&played.sampling, &figures);
        }
        now += took;
    }
    sampling_end(&played.sampling);
    return played;
}

static uint64_t even(uint64_t wave)
{
    (void)wave;
    return TICKS;
}

static uint64_t slower_at_first(uint64_t wave)
{
    return wave < 3 ? 3 * TICKS : TICKS;
}

static uint64_t slower_and_slower(uint64_t wave)
{
    return TICKS + 2 * wave;
}

static uint64_t twice_as_slow_later(uint64_t wave)
{
    return wave < 60 ? TICKS : 2 * TICKS;
}

static uint64_t one_in_eight_slow(uint64_t wave)
{
    return wave % 8 == 5 ? 13 * TICKS / 10 : TICKS;
}

static uint64_t four_slow_four_fast(uint64_t wave)
{
    return (wave - 1) % 8 < 4 ? TICKS : 2 * TICKS;
}

static uint64_t lines_all_the_time(uint64_t wave)
{
    (void)wave;
    return 1000;
}

static uint64_t lines_at_first(uint64_t wave)
{
    return wave < 50 ? 1000 : wave < 100;
}

static uint64_t own_kinds(uint64_t block)
{
    return block;
}

static uint64_t another_at_100(uint64_t block)
{
    return block == 100 ? 1 : 7;
}

static uint64_t another_in_every_wave(uint64_t block)
{
    return block % WAVE == 3;
}

static uint64_t ever_more_of_another(uint64_t block)
{
    return block % WAVE < block / (WAVE * 20);
}

static void equal_waves_are_left_out_to_the_tick(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 400 * WAVE + 5, .ticks = even};
    const struct played played = play(&launch);
    assert_true(played.sampling.left_out > 300 * WAVE);
    assert_int_equal(played.sampling.left_out % WAVE, 0);
    assert_int_equal((uint64_t)played.sampling.ticks, played.left_out_ticks);
    assert_true(fabs(played.sampling.error_ticks - 0.005 * played.sampling.ticks) < 1);
}

static void the_first_waves_and_the_last_are_modelled(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 100 * WAVE, .ticks = even};
    const struct played played = play(&launch);
    assert_true(played.sampling.left_out > 0);
    assert_true(played.last_left_out < (100 - SAMPLING_GROUP_WAVES / 2) * WAVE);
}

static void a_short_launch_is_modelled_whole(void **state)
{
    (void)state;
    struct sampling sampling;
    sampling_start(&sampling, WAVE, 18 * WAVE);
    assert_false(sampling_is_long(&sampling));
    sampling_start(&sampling, WAVE, 18 * WAVE + 1);
    assert_true(sampling_is_long(&sampling));
    const struct launch launch = {.blocks = 18 * WAVE + 1, .ticks = even};
    assert_int_equal(play(&launch).sampling.left_out, SAMPLING_SHORTEST_STRETCH_WAVES * WAVE);
}

static void slow_first_waves_count_for_none_of_the_others(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 200 * WAVE, .ticks = slower_at_first};
    const struct played played = play(&launch);
    assert_true(played.sampling.left_out > 100 * WAVE);
    assert_int_equal((uint64_t)played.sampling.ticks, played.left_out_ticks);
}

static void a_drift_is_followed_and_within_the_error(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 300 * WAVE, .ticks = slower_and_slower};
    const struct played played = play(&launch);
    const double off = fabs(played.sampling.ticks - (double)played.left_out_ticks);
    assert_true(played.sampling.left_out > 150 * WAVE);
    assert_true(off < 0.01 * (double)played.left_out_ticks);
    assert_true(off <= played.sampling.error_ticks);
}

/* Nobody knows where between two groups the change is: the error is as wide as that. */
static void a_change_in_the_midst_is_within_the_error(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 300 * WAVE, .ticks = twice_as_slow_later};
    const struct played played = play(&launch);
    const double off = fabs(played.sampling.ticks - (double)played.left_out_ticks);
    assert_true(off > 0.01 * (double)played.left_out_ticks);
    assert_true(off <= played.sampling.error_ticks);
}

/* The mean is that of all waves, not of those that are alike. */
static void single_slow_waves_count(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 300 * WAVE, .ticks = one_in_eight_slow};
    const struct played played = play(&launch);
    const double off = fabs(played.sampling.ticks - (double)played.left_out_ticks);
    assert_true(played.sampling.left_out > 200 * WAVE);
    assert_true(off < 0.005 * (double)played.left_out_ticks);
    assert_true(off <= played.sampling.error_ticks);
}

static void halves_that_differ_do_not_settle(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 200 * WAVE, .ticks = four_slow_four_fast};
    const struct played played = play(&launch);
    assert_int_equal(played.sampling.left_out, 0);
    assert_false(played.sampling.has_settled);
}

static void nothing_is_left_out_while_l2_fills(void **state)
{
    (void)state;
    const struct launch filling = {
        .blocks = 200 * WAVE, .ticks = even, .taken_lines = lines_all_the_time};
    assert_int_equal(play(&filling).sampling.left_out, 0);
    const struct launch full = {.blocks = 200 * WAVE, .ticks = even, .taken_lines = lines_at_first};
    assert_true(play(&full).sampling.left_out > 0);
    assert_true(play(&full).sampling.left_out < 150 * WAVE);
}

static void blocks_of_ever_new_kinds_are_modelled(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 200 * WAVE, .ticks = even, .kind = own_kinds};
    const struct played played = play(&launch);
    assert_int_equal(played.sampling.left_out, 0);
    assert_true(played.sampling.has_unlike);
}

static void a_block_of_a_new_kind_ends_a_stretch(void **state)
{
    (void)state;
    const struct launch launch = {.blocks = 200 * WAVE, .ticks = even, .kind = another_at_100};
    const struct played played = play(&launch);
    assert_int_equal(played.sampling.kind_count, 2);
    assert_int_equal(played.sampling.kinds[1].modelled, 1);
    assert_int_equal(played.sampling.kinds[1].left_out, 0);
    assert_true(played.sampling.left_out > 100 * WAVE);
}

static void kinds_that_keep_their_shares_add_no_error(void **state)
{
    (void)state;
    const struct launch launch = {
        .blocks = 400 * WAVE, .ticks = even, .kind = another_in_every_wave};
    const struct played played = play(&launch);
    assert_true(played.sampling.left_out > 300 * WAVE);
    assert_true(played.sampling.error_ticks < 0.006 * played.sampling.ticks);
}

static void kinds_that_change_their_shares_do(void **state)
{
    (void)state;
    const struct launch launch = {
        .blocks = 140 * WAVE, .ticks = even, .kind = ever_more_of_another};
    const struct played played = play(&launch);
    assert_true(played.sampling.left_out > 20 * WAVE);
    assert_true(played.sampling.error_ticks > 0.02 * played.sampling.ticks);
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

static uint64_t kind_of(struct step_store *store, uint64_t base, int64_t stride, uint32_t active,
                        uint32_t barriers)
{
    struct step_block *block = step_block_new(store, 0, 2);
    assert_non_null(block);
    for (uint32_t warp = 0; warp < 2; warp++) {
        const struct warp_access access = {.base = base + 128 * warp,
                                           .stride = stride,
                                           .active = active,
                                           .resident = UINT32_MAX,
                                           .warp = warp,
                                           .width = 4};
        step_block_add_access(block, &access);
        for (uint32_t i = 0; i < barriers; i++)
            step_block_add(block, warp, STEP_BARRIER, 1);
        step_block_add(block, warp, STEP_END, 1);
    }
    step_block_close(block);
    const uint64_t kind = block_kind_of(block->kind, block->warp_count);
    step_block_release(block);
    return kind;
}

static void a_kind_is_what_is_done_and_not_where(void **state)
{
    (void)state;
    struct step_store store;
    step_store_init(&store, STORE_BYTES);
    const uint64_t kind = kind_of(&store, 4096, 4, UINT32_MAX, 1);
    assert_true(kind == kind_of(&store, 1 << 20, 4, UINT32_MAX, 1));
    assert_true(kind != kind_of(&store, 4096, 8, UINT32_MAX, 1));
    assert_true(kind != kind_of(&store, 4096, 4, 0xffff, 1));
    assert_true(kind != kind_of(&store, 4096, 4, UINT32_MAX, 2));
    step_store_free(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_waves_are_left_out_to_the_tick),
        cmocka_unit_test(the_first_waves_and_the_last_are_modelled),
        cmocka_unit_test(a_short_launch_is_modelled_whole),
        cmocka_unit_test(slow_first_waves_count_for_none_of_the_others),
        cmocka_unit_test(a_drift_is_followed_and_within_the_error),
        cmocka_unit_test(a_change_in_the_midst_is_within_the_error),
        cmocka_unit_test(single_slow_waves_count),
        cmocka_unit_test(halves_that_differ_do_not_settle),
        cmocka_unit_test(nothing_is_left_out_while_l2_fills),
        cmocka_unit_test(blocks_of_ever_new_kinds_are_modelled),
        cmocka_unit_test(a_block_of_a_new_kind_ends_a_stretch),
        cmocka_unit_test(kinds_that_keep_their_shares_add_no_error),
        cmocka_unit_test(kinds_that_change_their_shares_do),
        cmocka_unit_test(a_kind_is_what_is_done_and_not_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
