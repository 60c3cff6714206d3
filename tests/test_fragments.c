/* test_fragments.c - ldmatrix, stmatrix and wmma: is what the model counts what Nsight Compute counted on an H200? Every
 * row of validation/fragments/h200/{ldmatrix,stmatrix,wmma}.csv is judged under the H200 model; all counters are equal.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "fragment_table.h"
#include "models/models.h"
#include "sim/rules/judge.h"
#include "tracer/matrix/fragment.h"

static struct counters judge_all(const struct warp_access *accesses, unsigned count)
{
    struct arch arch;
    struct judge judge;
    arch_from_model(models_find("h200"), &arch);
    assert_true(judge_init(&judge, &arch, 1) && judge_reserve_sites(&judge, 1));
    for (unsigned i = 0; i < count; i++)
        judge_access(&judge, &accesses[i], NULL);
    struct counters c = judge.sites[0];
    c.warps = 1;
    judge_free(&judge);
    return c;
}

/* The model's value: by the profiler's name, or of the rows that the model has under the counters' own. */
static uint64_t modelled(const struct counters *c, const char *name)
{
    static const char *const same[][2] = {
        {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum"},
        {"smsp__sass_inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_st.sum"},
        {"smsp__sass_inst_executed_op_global_ld.sum", "smsp__inst_executed_op_global_ld.sum"},
        {"smsp__sass_inst_executed_op_global_st.sum", "smsp__inst_executed_op_global_st.sum"},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
         "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
        {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
         "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    };
    double value = -1;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        name = strcmp(name, same[i][0]) == 0 ? same[i][1] : name;
    for (size_t i = 0; i < profiler_counter_count; i++)
        if ((profiler_table[i].profilers & PROFILER_NCU) &&
            strcmp(profiler_table[i].name, name) == 0)
            assert_true(profiler_table[i].value(c, &value));
    if (value < 0)
        fail_msg("%s is measured and not modelled", name);
    return (uint64_t)value;
}

/* `own`: passes that the measuring kernel itself adds to the data pipe's, the warp's one included. */
static void hold(struct fragment_table *t, const struct fragment_row *row, const struct counters *c,
                 unsigned own)
{
    for (unsigned i = 0; i < t->column_count; i++) {
        uint64_t value = modelled(c, t->columns[i]);
        if (strcmp(t->columns[i], "l1tex__data_pipe_lsu_wavefronts.sum") == 0)
            value += own - 1;
        if (value != row->measured[i])
            fail_msg("%s: %s is %u measured, %u modelled", row->pattern, t->columns[i],
                     (unsigned)row->measured[i], (unsigned)value);
        t->equal++;
    }
}

static void report_table(struct fragment_table *t, const char *name, unsigned rows)
{
    fclose(t->file);
    print_message("%s: %u patterns, %u of %u counts equal\n", name, t->rows, (unsigned)t->equal,
                  t->rows * t->column_count);
    assert_int_equal(t->rows, rows);
}

static void hold_rows(const char *name, uint8_t op, unsigned own, unsigned rows)
{
    struct fragment_table t;
    struct fragment_row row;
    fragment_table_open(&t, name);
    while (fragment_table_next(&t, &row)) {
        uint64_t addr[WARP_LANES] = {0};
        const unsigned lanes = 8 * (unsigned)(strstr(row.pattern, ".x")[2] - '0');
        assert_true(fragment_numbers(row.pattern, "rows=", addr, WARP_LANES) >= lanes);
        const struct warp_access access = {.addr = addr,
                                           .active = UINT32_MAX >> (WARP_LANES - lanes),
                                           .resident = UINT32_MAX,
                                           .width = 16,
                                           .op = op,
                                           .space = SPACE_SHARED,
                                           .flags = ACCESS_MATRIX};
        const struct counters c = judge_all(&access, 1);
        assert_int_equal(c.divergent_accesses, 0);
        hold(&t, &row, &c, own);
    }
    report_table(&t, name, rows);
}

static void every_ldmatrix_is_counted_as_measured(void **state)
{
    (void)state;
    hold_rows("ldmatrix", OP_LOAD, 2, 231);
}

static void every_stmatrix_is_counted_as_measured(void **state)
{
    (void)state;
    hold_rows("stmatrix", OP_STORE, 1, 172);
}

/* wmma.load.a.row.f16.shared */
static struct wl_fragment fragment_of(const char *pattern, bool *shared, bool *store)
{
    char matrix, order[4], type[4], space[8], operation[8];
    assert_int_equal(sscanf(pattern, "wmma.%7[^.].%c.%3[^.].%3[^.].%7[^ ]", operation, &matrix,
                            order, type, space),
                     5);
    *shared = strcmp(space, "shared") == 0;
    *store = strcmp(operation, "store") == 0;
    return (struct wl_fragment){
        .use = matrix == 'a'   ? WL_MATRIX_A
               : matrix == 'b' ? WL_MATRIX_B
                               : WL_ACCUMULATOR,
        .m = 16,
        .n = 16,
        .k = 16,
        .bytes = strcmp(type, "f16") == 0 ? 2 : 4,
        .by_columns = strcmp(order, "col") == 0,
    };
}

static void every_wmma_fragment_is_loaded_and_stored_as_measured(void **state)
{
    struct fragment_table t;
    struct fragment_row row;
    (void)state;
    fragment_table_open(&t, "wmma");
    while (fragment_table_next(&t, &row)) {
        enum { ACCESSES_MAX = 8 };
        static uint64_t addr[ACCESSES_MAX][WARP_LANES];
        struct warp_access accesses[ACCESSES_MAX];
        uint64_t ld = 16, at = 0;
        bool shared, store;
        const struct wl_fragment f = fragment_of(row.pattern, &shared, &store);
        fragment_numbers(row.pattern, "ld=", &ld, 1);
        fragment_numbers(row.pattern, " at=", &at, 1);
        const struct fragment_plan plan = fragment_plan(&f, shared, !store);
        assert_true(plan.count <= ACCESSES_MAX);
        for (unsigned i = 0; i < plan.count; i++) {
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                addr[i][lane] = at + f.bytes * fragment_offset(&f, &plan, i, lane, ld);
            accesses[i] = (struct warp_access){.addr = addr[i],
                                               .active = UINT32_MAX,
                                               .resident = UINT32_MAX,
                                               .width = (uint8_t)plan.width,
                                               .op = store ? OP_STORE : OP_LOAD,
                                               .space = shared ? SPACE_SHARED : SPACE_GLOBAL,
                                               .flags = plan.is_matrix ? ACCESS_MATRIX : 0};
        }
        const struct counters c = judge_all(accesses, plan.count);
        hold(&t, &row, &c, 1);
    }
    report_table(&t, "wmma", 480);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ldmatrix_is_counted_as_measured),
        cmocka_unit_test(every_stmatrix_is_counted_as_measured),
        cmocka_unit_test(every_wmma_fragment_is_loaded_and_stored_as_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
