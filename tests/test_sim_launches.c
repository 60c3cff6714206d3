/* test_sim_launches.c - what does a launch take besides its blocks, what does it find, when does it end, and which
 * SMs share what? Blocks run a script; sim_script.h has the round figures.
 */
#include "sim_script.h"

#include "test_support.h"

#include "rules_access.h"

static struct script script;

static struct warp_access word(uint64_t line, uint8_t op)
{
    struct warp_access a = affine(4, 128 * line, 0);
    a.op = op;
    return a;
}

/* A block of one warp that executes `work` instructions. */
static void idle_block(uint32_t number, uint32_t work)
{
    script_block(&script, number, 1);
    script_run(&script, work);
}

/* A block of one warp that does nothing but this. */
static void block_of(uint32_t number, struct warp_access access)
{
    script_block(&script, number, 1);
    script_access(&script, 0, 0, NEEDS_NO_LOAD, access);
    script_run(&script, 0);
}

static void launch_one(struct warp_access access)
{
    script_launch(&script, 1, 1, SIM_NOBODY);
    block_of(0, access);
    script_finish(&script);
}

/* ---- Launches -------------------------------------------------------------------------------- */

/* L1 is empty again, L2 is not: 600 cycles from DRAM, then 200. */
static void a_launch_finds_what_earlier_ones_left_in_l2(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    script_open(&script, &arch, NULL);
    launch_one(word(5, OP_LOAD));
    assert_int_equal(script_total(&script).elapsed_cycles, 600);
    launch_one(word(5, OP_LOAD));
    assert_int_equal(script_total(&script).elapsed_cycles, 600 + 200);
    assert_int_equal(script_total(&script).l1_hit_sectors, 0);
    assert_int_equal(script_total(&script).l2_read_hit_sectors, 1);
    script_close(&script);
}

/* 2,500 cycles before the first block, in windows of 1,024 of their own; then 100 in which the SM issues. */
static void a_launch_takes_time_beside_its_blocks(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    arch.launch_ns = 2500;
    script_open(&script, &arch, NULL);
    for (uint64_t launch = 1; launch <= 2; launch++) {
        script_launch(&script, 1, 1, launch == 2 ? 0 : SIM_NOBODY);
        idle_block(0, 100);
        script_finish(&script);
        const struct counters c = script_total(&script);
        assert_int_equal(c.elapsed_cycles, launch * 2600);
        assert_int_equal(c.limited_launch_cycles, launch * 2500);
        assert_int_equal(c.limited_issue_cycles, launch * 100);
        assert_int_equal(script.sim.usage.kept->count, launch * 4);
    }
    assert_int_equal(script.sim.usage.kept->windows[2].ticks, ticks_of_cycles(2500 - 2048));
    assert_int_equal(script.sim.timeline->kept->launch_began, ticks_of_cycles(2600));
    assert_int_equal(script_turn(&script, 0, 0), 2500);
    script_close(&script);
}

/* A sector of a store keeps the crossbar for half a cycle, and nothing else for as long: the launch ends
 * then, and the next begins with a whole cycle. Half a cycle is told as a whole one, a quarter as none. */
static void a_launch_ends_when_its_last_store_has_left(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    arch.lsu_millicycles = 100;
    for (arch.sm_write_bytes_per_cycle = 64; arch.sm_write_bytes_per_cycle <= 128;
         arch.sm_write_bytes_per_cycle *= 2) {
        const bool half = arch.sm_write_bytes_per_cycle == 64;
        script_open(&script, &arch, NULL);
        launch_one(word(5, OP_STORE));
        assert_int_equal(script.sim.total.ticks, half ? 128 : 64);
        assert_int_equal(script_total(&script).elapsed_cycles, half ? 1 : 0);
        script_launch(&script, 1, 1, 0);
        block_of(0, word(6, OP_STORE));
        script_finish(&script);
        assert_int_equal(script.sim.timeline->kept->launch_began, 256);
        assert_int_equal(script.sim.total.ticks, half ? 256 : 128);
        script_close(&script);
    }
}

/* The store keeps the unit for 7 cycles. On a GPU without L2 each half-warp is a store: the second leaves 7 cycles
 * behind the first, its DRAM partition has it 300 later, and moves it for a cycle. Stores that the SM
 * holds back are sent at the end. */
static void a_launch_ends_when_unit_and_dram_are_through(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    arch.lsu_millicycles = 7000;
    script_open(&script, &arch, NULL);
    launch_one(word(5, OP_STORE));
    assert_int_equal(script_total(&script).elapsed_cycles, 7);
    script_close(&script);
    arch.sm = 13;
    arch.l2_bytes = arch.l2_slices = arch.l2_latency_cycles = arch.l2_megabytes_per_s = 0;
    script_open(&script, &arch, NULL);
    launch_one(word(5, OP_STORE));
    assert_int_equal(script_total(&script).elapsed_cycles, 7 + 300 + 1);
    script_close(&script);
    arch = script_arch(2);
    arch.store_merge_cycles = 500;
    script_open(&script, &arch, NULL);
    script_launch(&script, 1, 1, SIM_NOBODY);
    block_of(0, word(5, OP_STORE));
    block_of(1, word(6, OP_STORE));
    script_finish(&script);
    assert_int_equal(script_total(&script).l2_write_sectors, 2);
    script_close(&script);
}

/* Two stores of a warp to one sector leave together, unless it waits in between for what it loads. */
static void a_load_that_is_waited_for_keeps_stores_apart(void **state)
{
    (void)state;
    for (unsigned loads = 0; loads < 2; loads++) {
        struct arch arch = script_arch(1);
        arch.store_merge_cycles = 5000; /* longer than any load takes */
        script_open(&script, &arch, NULL);
        script_launch(&script, 1, 1, SIM_NOBODY);
        script_block(&script, 0, 1);
        script_access(&script, 0, 1, 0, word(5, OP_STORE));
        if (loads)
            script_access(&script, 0, 1, 0, word(6, OP_LOAD));
        script_access(&script, 0, 1, 0, word(5, OP_STORE));
        script_run(&script, 0);
        script_finish(&script);
        assert_int_equal(script_total(&script).l2_write_sectors, 1 + loads);
        script_close(&script);
    }
}

/* A run that breaks off frees its GPU in the middle of a launch: the blocks that are there are let go. */
static void a_gpu_that_is_freed_lets_its_blocks_go(void **state)
{
    (void)state;
    struct arch arch = script_arch(2);
    script_open(&script, &arch, NULL);
    script_launch(&script, 2, 1, SIM_NOBODY);
    for (uint32_t block = 0; block < 4; block++)
        idle_block(block, 10);
    assert_int_equal(script.store.block_count, 4);
    sim_free(&script.sim);
    assert_int_equal(script.store.block_count, 0);
    judge_free(&script.judge);
    step_store_free(&script.store);
}

/* ---- What SMs share -------------------------------------------------------------------------- */

/* SMs are on the two sides in turn. Lines 0 and 1 are at home on side 0. */
static void sms_are_on_the_sides_of_l2_in_turn(void **state)
{
    (void)state;
    for (uint32_t sm = 0; sm < 4; sm++) {
        struct arch arch = script_arch(4);
        arch.l2_sides = arch.l2_slices = 2;
        arch.l2_megabytes_per_s = 64000;
        arch.partition_hashed = 0;
        arch.partition_bytes = 256;
        script_open(&script, &arch, NULL);
        script_launch(&script, 1, 1, SIM_NOBODY);
        for (uint32_t block = 0; block < sm; block++)
            idle_block(block, 100);
        block_of(sm, word(0, OP_LOAD));
        script_finish(&script);
        assert_int_equal(script_total(&script).l2_far_read_sectors, sm % 2);
        script_close(&script);
    }
}

/* Two GPCs of two SMs: loads of one line at one time share a request where both are of one. */
static void neighbouring_sms_are_of_one_gpc(void **state)
{
    (void)state;
    for (uint32_t pair = 0; pair < 16; pair++) {
        const uint32_t a = pair / 4, b = pair % 4;
        struct arch arch = script_arch(4);
        arch.gpcs = 2;
        arch.gpc_merge_loads = 4;
        arch.gpc_way_cycles = 40;
        if (a >= b)
            continue;
        script_open(&script, &arch, NULL);
        script_launch(&script, 1, 1, SIM_NOBODY);
        for (uint32_t block = 0; block < 4; block++)
            if (block == a || block == b)
                block_of(block, word(5, OP_LOAD));
            else
                idle_block(block, 10);
        script_finish(&script);
        assert_int_equal(script_total(&script).gpc_merged_sectors, a / 2 == b / 2 ? 1 : 0);
        script_close(&script);
    }
}

static uint64_t merged_loads(const struct arch *arch, uint32_t blocks)
{
    script_open(&script, arch, NULL);
    script_launch_grid(&script, blocks);
    for (uint32_t block = 0; block < blocks; block++)
        block_of(block, word(5, OP_LOAD));
    script_finish(&script);
    const uint64_t merged = script_total(&script).gpc_merged_sectors;
    script_close(&script);
    return merged;
}

/* How often L2 of an H200 is asked for one sector that so many blocks read (docs/model.md, 12.10). */
static void blocks_of_small_grids_share_requests_as_on_an_h200(void **state)
{
    (void)state;
    static const uint32_t counted[][2] = {{4, 1}, {8, 2}, {16, 10}, {32, 10}, {64, 17}, {132, 34}};
    struct arch arch = script_arch(132);
    arch.gpcs = 8;
    arch.gpc_first_sms = 8;
    arch.gpc_merge_loads = 4;
    arch.gpc_way_cycles = 40;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        assert_int_equal(counted[i][0] - merged_loads(&arch, counted[i][0]), counted[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_finds_what_earlier_ones_left_in_l2),
        cmocka_unit_test(a_launch_takes_time_beside_its_blocks),
        cmocka_unit_test(a_launch_ends_when_its_last_store_has_left),
        cmocka_unit_test(a_launch_ends_when_unit_and_dram_are_through),
        cmocka_unit_test(a_load_that_is_waited_for_keeps_stores_apart),
        cmocka_unit_test(a_gpu_that_is_freed_lets_its_blocks_go),
        cmocka_unit_test(sms_are_on_the_sides_of_l2_in_turn),
        cmocka_unit_test(neighbouring_sms_are_of_one_gpc),
        cmocka_unit_test(blocks_of_small_grids_share_requests_as_on_an_h200),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
