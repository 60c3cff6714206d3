/* test_sim_blocks.c - when and where does a block begin and end, and when does a barrier open? Blocks run a
 * script; sim_script.h has the round figures.
 *
 * Most warps here only execute instructions: 5 of them and more are an event of their own (a cycle each), so a warp
 * comes to a barrier or its end in the cycle in which its last one is through.
 */
#include "sim_script.h"

#include "test_support.h"

static struct script script;

/* A block of one warp that executes `work` instructions. */
static void idle_block(uint32_t number, uint32_t work)
{
    script_block(&script, number, 1);
    script_run(&script, work);
}

static uint64_t since_launch(uint64_t ticks)
{
    return (ticks - script.sim.timeline->kept->launch_began) >> TICKS_LOG2;
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* Two SMs of two places: blocks 0 and 2 share the issue stage of the first, 1 and 3 that of the second. Block 1 is
 * the first to end, so block 4 takes its place, and issues behind block 3. */
static void blocks_go_to_the_sms_in_turn_and_then_where_one_ends(void **state)
{
    (void)state;
    static const struct {
        uint32_t work, sm;
        uint64_t began, ended;
    } blocks[] = {
        {50, 0, 0, 50}, {40, 1, 0, 40}, {30, 0, 0, 80}, {60, 1, 0, 100}, {17, 1, 40, 117}};
    for (uint32_t watched = 0; watched < 5; watched++) {
        struct arch arch = script_arch(2);
        script_open(&script, &arch, NULL);
        script_launch(&script, 2, 1, watched);
        for (uint32_t block = 0; block < 5; block++)
            idle_block(block, blocks[block].work);
        script_finish(&script);
        const struct timeline *kept = script.sim.timeline->kept;
        assert_int_equal(kept->sm, blocks[watched].sm);
        assert_int_equal(kept->warp_count, 1);
        assert_int_equal(since_launch(kept->began), blocks[watched].began);
        assert_int_equal(since_launch(kept->ended), blocks[watched].ended);
        assert_int_equal(kept->count, 1);
        script_close(&script);
    }
}

/* 5 cycles a block and 1 a warp on the whole GPU, then 20; the second warp 3 later. Block 4 finds a place when
 * block 0 ends, at 30, and the dispatcher idle since 28. */
static void blocks_and_warps_start_one_after_another(void **state)
{
    (void)state;
    static const uint64_t dispatched[] = {0, 7, 14, 21, 30};
    for (uint32_t watched = 0; watched < 5; watched++) {
        struct arch arch = script_arch(2);
        arch.block_launch_millicycles = 5000;
        arch.warp_launch_millicycles = 1000;
        arch.block_start_cycles = 20;
        arch.warp_start_cycles = 3;
        script_open(&script, &arch, NULL);
        script_launch(&script, 2, 2, watched);
        for (uint32_t block = 0; block < 5; block++) {
            script_block(&script, block, 2);
            script_run(&script, block == 0 ? 5 : 100); /* block 0: 20 to 25, and 25 to 30 */
        }
        script_finish(&script);
        assert_int_equal(script_turn(&script, 0, 0), dispatched[watched] + 20);
        assert_int_equal(script_turn(&script, 1, 0), dispatched[watched] + 23);
        script_close(&script);
    }
}

static uint32_t ended_blocks;

static void count_block(void)
{
    ended_blocks++;
}

static void who_asks_is_told_of_each_block_that_ends(void **state)
{
    (void)state;
    const struct sim_options options = {.block_ended = count_block};
    struct arch arch = script_arch(1);
    ended_blocks = 0;
    script_open(&script, &arch, &options);
    script_launch(&script, 1, 1, SIM_NOBODY);
    for (uint32_t block = 0; block < 5; block++) {
        idle_block(block, 10);
        assert_int_equal(ended_blocks, block); /* the one before gave up its place */
    }
    script_finish(&script);
    assert_int_equal(ended_blocks, 5);
    script_close(&script);
}

/* Up to 49 cycles late, by chance: not all the same, and within the range. */
static void jitter_starts_warps_late(void **state)
{
    (void)state;
    uint64_t earliest = 50, latest = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct sim_options options = {.jitter_cycles = 50, .seed = seed << 40};
        struct arch arch = script_arch(1);
        script_open(&script, &arch, &options);
        script_launch(&script, 1, 1, 0);
        idle_block(0, 1);
        script_finish(&script);
        uint64_t turn = script_turn(&script, 0, 0);
        earliest = turn < earliest ? turn : earliest;
        latest = turn > latest ? turn : latest;
        script_close(&script);
    }
    assert_in_range(earliest, 0, 15);
    assert_in_range(latest, 35, 49);
}

/* ---- Barriers -------------------------------------------------------------------------------- */

/* Warps come at 5, 10 and 15, and go on at 25; the same again at 30, 35 and 40. Each time the first waits
 * for 10 cycles and the second for 5. */
static void a_barrier_opens_after_the_last_warp(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    script_open(&script, &arch, NULL);
    script_launch(&script, 1, 3, 0);
    script_block(&script, 0, 3);
    for (uint32_t warp = 0; warp < 3; warp++) {
        script_barrier(&script, warp, 5);
        script_barrier(&script, warp, 5);
    }
    script_run(&script, 0);
    script_finish(&script);
    for (uint32_t warp = 0; warp < 3; warp++)
        for (uint32_t n = 0; n < 2; n++) {
            assert_int_equal(script_first(&script, warp, n, TIMELINE_BARRIER),
                             25 * n + 5 * (warp + 1));
            assert_int_equal(script_last(&script, warp, n, TIMELINE_BARRIER), 25 * (n + 1));
            assert_int_equal(script_turn(&script, warp, n + 1), 25 * (n + 1));
        }
    assert_int_equal(script_total(&script).barriers, 6);
    assert_int_equal(script_total(&script).barrier_stall_cycles, 2 * (10 + 5));
    script_close(&script);
}

/* Warp 2 ends at 15, in front of the barrier that the others came to at 5 and 10; warp 0 of the second case
 * has ended before anybody comes. */
static void a_barrier_does_not_wait_for_warps_that_end(void **state)
{
    (void)state;
    for (uint32_t ends = 0; ends < 3; ends += 2) {
        struct arch arch = script_arch(1);
        script_open(&script, &arch, NULL);
        script_launch(&script, 1, 3, 0);
        script_block(&script, 0, 3);
        for (uint32_t warp = 0; warp < 3; warp++)
            if (warp != ends)
                script_barrier(&script, warp, 5);
        script_run(&script, 5);
        script_finish(&script);
        for (uint32_t warp = 0; warp < 3; warp++)
            if (warp != ends)
                assert_int_equal(script_last(&script, warp, 0, TIMELINE_BARRIER), 25);
        assert_int_equal(script_first(&script, ends, 0, TIMELINE_ENDED), 5 * (ends + 1));
        assert_int_equal(script_total(&script).barriers, 2);
        assert_int_equal(script_total(&script).barrier_stall_cycles, ends == 2 ? 10 + 5 : 5);
        script_close(&script);
    }
}

/* Block 0 waits at its barrier; block 1 beside it has none and goes its way. */
static void a_barrier_is_of_one_block(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    script_open(&script, &arch, NULL);
    script_launch(&script, 2, 2, 1);
    script_block(&script, 0, 2);
    script_barrier(&script, 0, 5);
    script_barrier(&script, 1, 100);
    script_run(&script, 0);
    script_block(&script, 1, 2);
    script_barrier(&script, 0, 20); /* 105 to 125, behind block 0's instructions */
    script_barrier(&script, 1, 20);
    script_run(&script, 0);
    script_finish(&script);
    assert_int_equal(script_first(&script, 0, 0, TIMELINE_BARRIER), 125);
    assert_int_equal(script_last(&script, 0, 0, TIMELINE_BARRIER), 145 + 10);
    assert_int_equal(script_last(&script, 1, 0, TIMELINE_BARRIER), 145 + 10);
    assert_int_equal(script_total(&script).barrier_stall_cycles, (105 - 5) + (145 - 125));
    script_close(&script);
}

/* ---- Occupancy ------------------------------------------------------------------------------- */

/* SM 0 has warps until 5, 10 and, of another block, 30; SM 1 until 7. Room is for 64 warps while there is one. */
static void warps_are_resident_until_they_end(void **state)
{
    (void)state;
    struct arch arch = script_arch(2);
    arch.warps_per_sm = 64;
    arch.launch_ns = 300; /* nobody is resident in it */
    script_open(&script, &arch, NULL);
    for (uint64_t launch = 1; launch <= 2; launch++) {
        script_launch(&script, 2, 2, SIM_NOBODY);
        script_block(&script, 0, 2);
        script_run(&script, 5);
        idle_block(1, 7);
        idle_block(2, 20); /* behind 10 instructions of block 0 */
        script_finish(&script);
        const struct counters c = script_total(&script);
        assert_int_equal(c.resident_warp_cycles, launch * (5 + 10 + 30 + 7));
        assert_int_equal(c.warp_room_cycles, launch * 64 * (30 + 7));
        assert_int_equal(c.elapsed_cycles, launch * 330);
        assert_int_equal(c.elapsed_ns, launch * 330);
    }
    script_close(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_go_to_the_sms_in_turn_and_then_where_one_ends),
        cmocka_unit_test(blocks_and_warps_start_one_after_another),
        cmocka_unit_test(who_asks_is_told_of_each_block_that_ends),
        cmocka_unit_test(jitter_starts_warps_late),
        cmocka_unit_test(a_barrier_opens_after_the_last_warp),
        cmocka_unit_test(a_barrier_does_not_wait_for_warps_that_end),
        cmocka_unit_test(a_barrier_is_of_one_block),
        cmocka_unit_test(warps_are_resident_until_they_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
