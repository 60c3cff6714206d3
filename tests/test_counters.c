/* test_counters.c - do sums of counters stay what they should be, and do ratios and the profilers' counters
 * follow from the counters as people define them? Figures are worked out by hand from one run.
 */
#include "test_support.h"

#include <math.h>
#include <string.h>

#include "sim/counters/counters.h"

static uint64_t value_of(size_t counter)
{
    return 3 + 7 * counter;
}

static struct counters all_different(void)
{
    struct counters c = {0};
    for (size_t i = 0; i < counter_count; i++)
        counters_set(&c, &counter_table[i], value_of(i));
    return c;
}

static void the_table_has_every_counter_once(void **state)
{
    (void)state;
    struct counters c = all_different();
    assert_int_equal(counter_count * sizeof(uint64_t), sizeof c);
    for (size_t i = 0; i < counter_count; i++)
        assert_int_equal(counters_get(&c, &counter_table[i]), value_of(i));
    assert_int_equal(c.launches, value_of(0));
    assert_int_equal(c.migration_ns, value_of(counter_count - 1));
}

static void counters_add_up_and_come_off_again(void **state)
{
    (void)state;
    struct counters one = all_different(), sum = one;
    counters_add(&sum, &one);
    counters_add_times(&sum, &one, 5);
    for (size_t i = 0; i < counter_count; i++)
        assert_int_equal(counters_get(&sum, &counter_table[i]), 7 * value_of(i));
    counters_add_times(&sum, &one, 0);
    for (int i = 0; i < 6; i++)
        counters_subtract(&sum, &one);
    assert_memory_equal(&sum, &one, sizeof one);
}

/* The largest number is exact; what would be more stays there. */
static void sums_stay_at_the_largest_number(void **state)
{
    (void)state;
    static const struct {
        uint64_t to, from, times, sum;
    } cases[] = {
        {UINT64_MAX - 5, 5, 1, UINT64_MAX}, {UINT64_MAX - 6, 5, 1, UINT64_MAX - 1},
        {UINT64_MAX - 4, 5, 1, UINT64_MAX}, {UINT64_MAX, 0, 7, UINT64_MAX},
        {0, UINT64_MAX / 3, 3, UINT64_MAX}, {1, UINT64_MAX / 3, 2, UINT64_MAX / 3 * 2 + 1},
        {0, UINT64_MAX / 3, 4, UINT64_MAX}, {0, UINT64_C(1) << 32, UINT64_C(1) << 32, UINT64_MAX},
        {9, UINT64_C(1) << 63, 0, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct counters to = {.warps = cases[i].to}, from = {.warps = cases[i].from};
        counters_add_times(&to, &from, cases[i].times);
        assert_true(to.warps == cases[i].sum);
        to.warps = cases[i].to;
        if (cases[i].times == 1) {
            counters_add(&to, &from);
            assert_true(to.warps == cases[i].sum);
        }
    }
}

/* A run of 3 launches, 1000 ns and 2000 cycles. */
static const struct counters run = {
    .launches = 3,
    .blocks = 16,
    .warps = 64,
    .warp_accesses = 50,
    .divergent_accesses = 5,
    .thread_accesses = 1200,
    .global_load_requests = 10,
    .global_load_full_split_requests = 44,
    .global_load_transactions = 60,
    .global_load_transactions_32b = 30,
    .global_load_transactions_64b = 20,
    .global_load_transactions_128b = 10,
    .global_load_sectors = 110,
    .global_load_bytes_requested = 2640,
    .global_load_bytes_used = 1760,
    .global_load_bytes_moved = 3520,
    .global_load_tag_wavefronts = 17,
    .global_load_data_passes = 25,
    .global_store_requests = 8,
    .global_store_transactions = 24,
    .global_store_transactions_32b = 12,
    .global_store_transactions_64b = 9,
    .global_store_transactions_128b = 3,
    .global_store_sectors = 42,
    .global_store_bytes_requested = 672,
    .global_store_bytes_used = 336,
    .global_store_bytes_moved = 1344,
    .global_store_tag_wavefronts = 13,
    .global_store_data_passes = 19,
    .global_atomic_requests = 4,
    .global_atomic_transactions = 21,
    .global_atomic_sectors = 20,
    .global_atomic_bytes_requested = 160,
    .global_atomic_bytes_moved = 640,
    .global_atomic_data_passes = 6,
    .read_only_load_sectors = 5,
    .read_only_load_bytes_requested = 80,
    .local_load_requests = 31,
    .local_store_requests = 37,
    .shared_load_requests = 6,
    .shared_load_passes = 15,
    .shared_load_ideal_passes = 6,
    .shared_load_conflicts = 9,
    .shared_store_requests = 5,
    .shared_store_passes = 7,
    .shared_store_ideal_passes = 5,
    .shared_store_conflicts = 2,
    .shared_atomic_requests = 2,
    .shared_atomic_passes = 11,
    .shared_atomic_ideal_passes = 2,
    .shared_atomic_conflicts = 9,
    .constant_load_requests = 4,
    .constant_load_passes = 10,
    .serialized_accesses = 3,
    .l1_lookup_sectors = 80,
    .l1_hit_sectors = 20,
    .l1_global_hit_sectors = 22,
    .read_only_lookup_sectors = 10,
    .read_only_hit_sectors = 9,
    .constant_lookups = 50,
    .constant_hits = 49,
    .crossbar_read_bytes = 3200,
    .crossbar_write_bytes = 1600,
    .l2_read_sectors = 90,
    .l2_read_hit_sectors = 36,
    .l2_write_sectors = 40,
    .dram_read_sectors = 60,
    .dram_write_sectors = 30,
    .dram_row_hits = 30,
    .dram_row_misses = 10,
    .host_read_bytes = 320,
    .host_write_bytes = 160,
    .host_atomic_sectors = 3,
    .instructions = 500,
    .elapsed_cycles = 2000,
    .elapsed_ns = 1000,
    .resident_warp_cycles = 48000,
    .warp_room_cycles = 64000,
    .limited_issue_cycles = 100,
    .limited_lsu_cycles = 120,
    .limited_shared_cycles = 140,
    .limited_l1_cycles = 160,
    .limited_crossbar_cycles = 180,
    .limited_l2_cycles = 200,
    .limited_dram_cycles = 400,
    .limited_partition_cycles = 300,
    .limited_host_cycles = 240,
    .limited_launch_cycles = 60,
    .limited_latency_cycles = 160,
    .hottest_partition_bytes = 900,
    .mean_partition_bytes = 600,
    .page_faults = 12,
    .fault_groups = 3,
    .migrations = 5,
    .migrated_bytes = 20480,
    .migration_ns = 4096,
};

static bool value_in_tables(unsigned profiler, const char *name, const struct counters *c,
                            double *value)
{
    for (size_t i = 0; i < metric_count && profiler == 0; i++)
        if (strcmp(metric_table[i].name, name) == 0)
            return metric_table[i].value(c, value);
    for (size_t i = 0; i < profiler_counter_count; i++)
        if (profiler_table[i].profilers & profiler && strcmp(profiler_table[i].name, name) == 0)
            return profiler_table[i].value(c, value);
    fail_msg("no %s", name);
    return false;
}

enum {
    V10 = PROFILER_V10,
    V12 = PROFILER_V12,
    N2 = PROFILER_N2,
    N3 = PROFILER_N3,
    N5 = PROFILER_N5,
    NCU = PROFILER_NCU
};

static const struct {
    unsigned profiler; /* 0: a ratio of metrics.def */
    const char *name;
    double value;
} values[] = {
    {0, "gld_efficiency", 75},
    {0, "gst_efficiency", 50},
    {0, "global_atomic_efficiency", 25},
    {0, "gld_bus_utilization", 50},
    {0, "gst_bus_utilization", 25},
    {0, "gld_transactions_per_request", 6},
    {0, "gst_transactions_per_request", 3},
    {0, "gld_sectors_per_request", 11},
    {0, "gst_sectors_per_request", 5.25},
    {0, "read_only_load_efficiency", 50},
    {0, "shared_load_passes_per_request", 2.5},
    {0, "shared_store_passes_per_request", 1.4},
    {0, "shared_atomic_passes_per_request", 5.5},
    {0, "shared_conflict_ways", 33. / 13},
    {0, "constant_passes_per_request", 2.5},
    {0, "active_lanes_per_access", 24},
    {0, "divergent_share", 10},
    {0, "time", 1},
    {0, "effective_bandwidth", 3.552}, /* 2640 + 672 + 160 + 80 bytes */
    {0, "dram_bandwidth", 2.88},
    {0, "achieved_occupancy", 75},
    {0, "instructions_per_cycle", 0.25},
    {0, "l1_hit_rate", 25},
    {0, "read_only_hit_rate", 90},
    {0, "constant_hit_rate", 98},
    {0, "l2_hit_rate", 40},
    {0, "dram_row_hit_rate", 75},
    {0, "camping_index", 1.5},
    {0, "mean_migration_bytes", 4096},
    {0, "migration_bandwidth", 5},
    {0, "page_faults_per_group", 4},
    {0, "limited_by_issue", 5},
    {0, "limited_by_lsu", 6},
    {0, "limited_by_shared", 7},
    {0, "limited_by_l1", 8},
    {0, "limited_by_crossbar", 9},
    {0, "limited_by_l2", 10},
    {0, "limited_by_dram", 20},
    {0, "limited_by_partition", 15},
    {0, "limited_by_host", 12},
    {0, "limited_by_launch", 3},
    {0, "limited_by_latency", 8},
    {V10, "gld_coherent", 30},
    {V10, "gld_incoherent", 30},
    {V10, "gst_coherent", 12},
    {V10, "gst_incoherent", 12},
    {V12, "gld_32b", 30},
    {V12, "gld_64b", 20},
    {V12, "gst_128b", 3},
    {V10 | V12, "local_load", 31},
    {V10 | V12, "local_store", 37},
    {V10 | V12, "warp_serialize", 3},
    {V10 | V12, "cta_launched", 16},
    {N2, "gld_transactions", 60},
    {N3, "gld_transactions", 60},
    {N5, "gld_transactions", 4 * 44 + 2 * 3},
    {N2, "shared_load_transactions", 15},
    {N3, "shared_load_transactions", 15},
    {N5, "shared_store_transactions", 7},
    {N5, "shared_load_transactions_per_request", 2.5},
    {N3, "shared_store_transactions_per_request", 1.4},
    {N2, "l1_shared_bank_conflict", 11},
    {N3, "shared_load_replay", 9},
    {N5, "shared_st_bank_conflict", 2},
    {N5, "atomic_transactions", 21},
    {N2, "gld_efficiency", 75},
    {N5, "gst_efficiency", 50},
    {NCU, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio", 11},
    {NCU, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio", 5.25},
    {NCU, "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 50},
    {NCU, "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 25},
    {NCU, "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum", 17},
    {NCU, "l1tex__data_pipe_lsu_wavefronts.sum", 25 + 19 + 6 + 15 + 7 + 11 + 64},
    {NCU, "l1tex__data_pipe_lsu_wavefronts_mem_lgds_cmd_read.sum", 25},
    {NCU, "l1tex__data_pipe_lsu_wavefronts_mem_lgds_cmd_write.sum", 25},
    {NCU, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", 9},
    {NCU, "global_atom_or_red_sectors", 20},
    {NCU, "global_hit_rate", 20},
    {NCU, "l1tex__m_xbar2l1tex_read_sectors.sum", 100},
    {NCU, "l1tex__m_l1tex2xbar_write_sectors.sum", 50},
    {NCU, "lts__t_sectors_srcunit_tex_op_read.sum", 90 + 10 - 3},
    {NCU, "lts__t_sectors_srcunit_tex_op_write.sum", 40 + 5 - 3},
    {NCU, "dram__sectors_read.sum", 60},
    {NCU, "gpu__time_duration.sum", 1000},
    {NCU, "sm__cycles_elapsed.max", 2000},
};
enum { VALUES = sizeof values / sizeof values[0] };

static void values_follow_from_the_counters(void **state)
{
    (void)state;
    for (size_t i = 0; i < VALUES; i++) {
        double value = 0;
        assert_true(value_in_tables(values[i].profiler, values[i].name, &run, &value));
        if (fabs(value - values[i].value) > 1e-9)
            fail_msg("%s is %g, not %g", values[i].name, value, values[i].value);
    }
}

/* Of a run in which nothing happened: no ratio has a value, and no counter of time. */
static void a_ratio_of_nothing_has_no_value(void **state)
{
    (void)state;
    static const struct counters nothing;
    double value = 1;
    for (size_t i = 0; i < metric_count; i++) {
        assert_false(metric_table[i].value(&nothing, &value));
        assert_true(value == 0);
    }
    assert_false(value_in_tables(NCU, "global_hit_rate", &nothing, &value));
    assert_false(value_in_tables(NCU, "dram__sectors_read.sum", &nothing, &value));
    assert_false(value_in_tables(N2, "gld_efficiency", &nothing, &value));
    assert_true(value_in_tables(N2, "shared_load_transactions", &nothing, &value));
}

/* A group is a row of a table, a role a column of it. */
static void roles_are_summed_by_group(void **state)
{
    (void)state;
    static const struct counters c = {
        .global_load_requests = 3, .global_load_bytes_moved = 7, .global_store_requests = 5};
    uint64_t sums[ROLE_COUNT];
    counters_sum_roles(&c, GROUP_GLOBAL_LOAD, sums);
    assert_int_equal(sums[ROLE_REQUESTS], 3);
    assert_int_equal(sums[ROLE_BYTES_MOVED], 7);
    counters_sum_roles(&c, GROUP_ANY, sums);
    assert_int_equal(sums[ROLE_REQUESTS], 8);
    assert_int_equal(sums[ROLE_BYTES_MOVED], 7);
}

/* As much is read as written: both ways together, not one against the other. */
static void zero_copy_both_ways_adds_up(void **state)
{
    (void)state;
    static const struct counters c = {
        .host_read_bytes = 64, .host_write_bytes = 64, .elapsed_ns = 2};
    double value = 0;
    assert_true(value_in_tables(0, "host_bandwidth", &c, &value));
    assert_true(value == 64);
}

static void every_profiler_has_a_title_of_its_own(void **state)
{
    (void)state;
    for (unsigned a = 1; a <= NCU; a *= 2) {
        assert_string_not_equal(profiler_title((enum profiler)a), "unknown profiler");
        for (unsigned b = 1; b < a; b *= 2)
            assert_string_not_equal(profiler_title((enum profiler)a),
                                    profiler_title((enum profiler)b));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_counter_once),
        cmocka_unit_test(counters_add_up_and_come_off_again),
        cmocka_unit_test(sums_stay_at_the_largest_number),
        cmocka_unit_test(values_follow_from_the_counters),
        cmocka_unit_test(a_ratio_of_nothing_has_no_value),
        cmocka_unit_test(roles_are_summed_by_group),
        cmocka_unit_test(zero_copy_both_ways_adds_up),
        cmocka_unit_test(every_profiler_has_a_title_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
