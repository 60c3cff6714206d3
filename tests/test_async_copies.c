/* test_async_copies.c - is it true on hardware? Every pattern of cp.async that was measured on an H200
 * (validation/fragments) is judged under its model: counters are equal, and where the rule is a bound the test asserts how
 * often it is equal and how far off.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fragment_table.h"
#include "models/models.h"
#include "sim/rules/judge.h"

/* What the profiler counts besides: of the kernel without the copy, and of three loads of shared memory by no lane that nvcc
 * puts before it. */
enum { OWN_DATA_PASSES = 2, LOADS_BEFORE = 3, OWN_WAVEFRONTS = 1 };

/* A counter of the tables, and what the rules have for it. */
struct checked {
    const char *column;
    uint64_t (*value)(const struct counters *c);
};

#define VALUE(name, expression)                                                                    \
    static uint64_t name(const struct counters *c)                                                 \
    {                                                                                              \
        return expression;                                                                         \
    }
VALUE(copies, c->async_copies)
VALUE(through, c->async_copies - c->async_copies_past_l1)
VALUE(past, c->async_copies_past_l1)
VALUE(requests, c->async_copy_requests)
VALUE(sectors, c->async_copy_sectors)
VALUE(sectors_past, c->async_copy_past_l1_sectors)
VALUE(passes, c->async_copy_passes)
VALUE(conflicts, c->async_copy_conflicts)
VALUE(wavefronts_through, c->async_copy_tag_wavefronts)
VALUE(wavefronts,
      c->async_copy_tag_wavefronts + c->async_copy_past_l1_tag_wavefronts + OWN_WAVEFRONTS)
VALUE(data_passes,
      c->async_copy_data_passes + OWN_DATA_PASSES + (c->async_copies ? LOADS_BEFORE : 0U))
VALUE(bank_writes, c->async_copy_bank_writes)
VALUE(l2_requests, c->async_copy_l2_requests)
#undef VALUE

static const struct checked checks[] = {
    {"smsp__sass_inst_executed_op_ldgsts.sum", copies},
    {"smsp__sass_inst_executed_op_ldgsts_cache_access.sum", through},
    {"smsp__sass_inst_executed_op_ldgsts_cache_bypass.sum", past},
    {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts.sum", requests},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", sectors},
    {"smsp__sass_l1tex_m_xbar2l1tex_read_sectors_mem_global_op_ldgsts_cache_bypass.sum",
     sectors_past},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", passes},
    {"smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum", conflicts},
    {"l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
     wavefronts_through},
    {"l1tex__t_output_wavefronts_pipe_lsu_mem_lg.sum", wavefronts},
    {"l1tex__data_pipe_lsu_wavefronts.sum", data_passes},
    {"l1tex__data_bank_writes.sum", bank_writes},
    {"lts__t_requests_srcunit_tex_op_read.sum", l2_requests},
    {"lts__t_sectors_srcunit_tex_op_read.sum", sectors},
};
enum { CHECKS = sizeof checks / sizeof checks[0] };

/* Where the rule is not equal in all: in how many it is, the lowest and highest error in percent, their mean, that of the sum. */
static const struct gap {
    const char *group, *column;
    unsigned equal;
    double lowest, highest, mean, of_sum;
} gaps[] = {
    {"cp.async.cg.16", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", 401,
     -9.1, 0, 0.0, 0.0},
    {"cp.async.cg.16", "lts__t_requests_srcunit_tex_op_read.sum", 289, -16.7, 300, 5.8, 2.0},
    {"cp.async.cg.16", "lts__t_sectors_srcunit_tex_op_read.sum", 313, -7.7, 300, 5.2, 2.4},
};

/* ---- Patterns: NAME src=LIST dst=LIST [bytes=LIST] [lanes=BITS] ---------------------------------- */

/* The numbers of a key: one stands for all lanes, absent ones are 0. Whether the pattern has the key. */
static bool read_lanes(const char *text, const char *key, uint64_t lanes[WARP_LANES])
{
    memset(lanes, 0, WARP_LANES * sizeof *lanes);
    const unsigned count = fragment_numbers(text, key, lanes, WARP_LANES);
    for (unsigned i = 1; count == 1 && i < WARP_LANES; i++)
        lanes[i] = lanes[0];
    return count > 0;
}

struct pattern {
    struct warp_access access;
    uint64_t from[WARP_LANES];
    struct async_copy copy;
};

static void read_pattern(const char *text, struct pattern *p)
{
    uint64_t lanes[WARP_LANES];
    char kind;
    unsigned width;
    assert_int_equal(sscanf(text, "cp.async.c%c.%u", &kind, &width), 2);
    p->copy = (struct async_copy){.past_l1 = kind == 'g'};
    p->access = (struct warp_access){.addr = p->from,
                                     .active = UINT32_MAX,
                                     .resident = UINT32_MAX,
                                     .width = (uint8_t)width,
                                     .op = OP_LOAD,
                                     .space = SPACE_GLOBAL,
                                     .copy = &p->copy};
    assert_true(read_lanes(text, "src=", p->from) && read_lanes(text, "dst=", p->copy.to));
    memset(p->copy.bytes, p->access.width, sizeof p->copy.bytes);
    p->copy.sized = read_lanes(text, "bytes=", lanes);
    for (unsigned i = 0; p->copy.sized && i < WARP_LANES; i++)
        p->copy.bytes[i] = (uint8_t)lanes[i];
    if (read_lanes(text, "lanes=", lanes))
        p->access.active = (uint32_t)lanes[0];
}

/* ---- One table ----------------------------------------------------------------------------------- */

struct tally {
    unsigned rows, equal;
    double lowest, highest, errors, ruled, measured;
};

static void tally(struct tally *t, uint64_t ruled, uint64_t measured)
{
    const double error = measured ? 100 * ((double)ruled - (double)measured) / (double)measured : 0;
    t->rows++;
    t->equal += ruled == measured;
    t->lowest = fmin(t->lowest, error);
    t->highest = fmax(t->highest, error);
    t->errors += fabs(error);
    t->ruled += (double)ruled;
    t->measured += (double)measured;
}

static void check_tally(const char *group, const char *column, const struct tally *t)
{
    const struct gap *gap = NULL;
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
        if (strcmp(gaps[i].group, group) == 0 && strcmp(gaps[i].column, column) == 0)
            gap = &gaps[i];
    print_message("%s: %u of %u equal: %s\n", group, t->equal, t->rows, column);
    assert_int_equal(t->equal, gap ? gap->equal : t->rows);
    if (gap == NULL)
        return;
    print_message("  errors %.1f to %.1f %%, %.1f %% on average, of the sum %.1f %%\n", t->lowest,
                  t->highest, t->errors / t->rows, 100 * (t->ruled / t->measured - 1));
    assert_true(fabs(t->lowest - gap->lowest) < 0.06 && fabs(t->highest - gap->highest) < 0.06);
    assert_true(fabs(t->errors / t->rows - gap->mean) < 0.06);
    assert_true(fabs(100 * (t->ruled / t->measured - 1) - gap->of_sum) < 0.06);
}

static struct counters judge_alone(const struct judge *of, const struct pattern *p,
                                   struct footprint *footprint)
{
    struct judge judge = *of;
    judge.sites[0] = (struct counters){0};
    footprint->count = 0;
    if (p->access.active) /* or else it is none */
        judge_access(&judge, &p->access, footprint);
    return judge.sites[0];
}

static const struct checked *find_check(const char *column)
{
    for (unsigned i = 0; i < CHECKS; i++)
        if (strcmp(checks[i].column, column) == 0)
            return &checks[i];
    fail_msg("no rule for %s", column);
    return NULL;
}

/* What goes on to L2 in time is what the rules count. */
static void check_footprint(const struct footprint *footprint, const struct counters *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < footprint->count; i++)
        sum += (uint64_t)__builtin_popcount(footprint->sectors[i]);
    assert_int_equal(sum, c->async_copy_sectors);
    assert_int_equal(footprint->count, c->async_copy_l2_requests);
}

static void check_table(const char *group, unsigned rows)
{
    struct fragment_table table;
    struct fragment_row row;
    struct tally tallies[FRAGMENT_COLUMNS_MAX] = {{0}};
    struct arch arch;
    struct judge judge;
    fragment_table_open(&table, group);
    arch_from_model(models_find("h200"), &arch);
    assert_true(judge_init(&judge, &arch, 1) && judge_reserve_sites(&judge, 1));
    while (fragment_table_next(&table, &row)) {
        struct pattern pattern;
        struct footprint footprint;
        read_pattern(row.pattern, &pattern);
        const struct counters c = judge_alone(&judge, &pattern, &footprint);
        check_footprint(&footprint, &c);
        for (unsigned i = 0; i < table.column_count; i++)
            tally(&tallies[i], find_check(table.columns[i])->value(&c), row.measured[i]);
    }
    fclose(table.file);
    judge_free(&judge);
    assert_int_equal(tallies[0].rows, rows);
    for (unsigned i = 0; i < table.column_count; i++)
        check_tally(group, table.columns[i], &tallies[i]);
}

static void test_through_l1(void **state)
{
    (void)state;
    check_table("cp.async.ca.4", 230);
    check_table("cp.async.ca.8", 230);
    check_table("cp.async.ca.16", 322);
}

static void test_past_l1(void **state)
{
    (void)state;
    check_table("cp.async.cg.16", 402);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_through_l1),
        cmocka_unit_test(test_past_l1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
