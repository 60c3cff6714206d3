/* test_bulk_copies.c - is it true on hardware? Every pattern of cp.async.bulk and of its tensor forms that was measured on an H200 and
 * an H100 (validation/fragments) is judged: counters are equal, and where the rule is a bound the test asserts how often it is equal.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fragment_table.h"
#include "models/models.h"
#include "sim/rules/bulk_copy.h"
#include "sim/rules/judge.h"

/* Boxes may begin before their tensor: addresses stay above 0. */
#define FAR_FROM_0 (UINT64_C(1) << 40)
enum { OWN_BANK_READS = 4 }; /* of a load */

#define VALUE(name, expression)                                                                    \
    static uint64_t name(const struct counters *c)                                                 \
    {                                                                                              \
        return expression;                                                                         \
    }
VALUE(copies, c->bulk_loads + c->bulk_stores + c->bulk_reductions)
VALUE(loaded, c->bulk_load_sectors)
VALUE(loaded_bytes, 32 * c->bulk_load_sectors)
VALUE(stored, c->bulk_store_sectors)
VALUE(stored_bytes, 32 * c->bulk_store_sectors)
VALUE(added, c->bulk_reduction_sectors)
VALUE(bank_reads,
      c->bulk_store_bank_reads + c->bulk_reduction_bank_reads + OWN_BANK_READS * c->bulk_loads)
VALUE(bank_writes, c->bulk_load_bank_writes)
VALUE(requests,
      c->bulk_load_l2_requests + c->bulk_store_l2_requests + c->bulk_reduction_l2_requests)
VALUE(load_requests, c->bulk_load_l2_requests)
VALUE(store_requests, c->bulk_store_l2_requests)
#undef VALUE

static const struct checked {
    const char *column;
    uint64_t (*value)(const struct counters *c);
} checks[] = {
    {"smsp__sass_inst_executed_op_tma.sum", copies},
    {"smsp__sass_inst_executed_op_tma_ld.sum", copies},
    {"smsp__sass_inst_executed_op_tma_st.sum", copies},
    {"l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", loaded},
    {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", loaded_bytes},
    {"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st.sum", stored},
    {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum", stored_bytes},
    {"l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_red.sum", added},
    {"l1tex__data_bank_reads.sum", bank_reads},
    {"l1tex__data_bank_writes.sum", bank_writes},
    {"lts__t_requests_srcunit_tex.sum", requests},
    {"lts__t_requests_srcunit_tex_op_read.sum", load_requests},
    {"lts__t_sectors_srcunit_tex_op_read.sum", loaded},
    {"lts__t_requests_srcunit_tex_op_write.sum", store_requests},
    {"lts__t_sectors_srcunit_tex_op_write.sum", stored},
    {"lts__t_sectors_srcunit_tex_op_red.sum", added},
};

/* Where the rule is a bound, or not equal in all: in how many it is. */
static const struct gap {
    const char *gpu, *kind, *column;
    unsigned equal;
    bool bound;
} gaps[] = {
    {"h200", "bulk.load", "lts__t_sectors_srcunit_tex_op_read.sum", 117, true},
    {"h200", "bulk.load", "lts__t_requests_srcunit_tex_op_read.sum", 117, true},
    {"h200", "bulk.load", "lts__t_requests_srcunit_tex.sum", 117, true},
    {"h100", "bulk.load", "lts__t_sectors_srcunit_tex_op_read.sum", 117, true},
    {"h100", "bulk.load", "lts__t_requests_srcunit_tex_op_read.sum", 117, true},
    {"h100", "bulk.load", "lts__t_requests_srcunit_tex.sum", 117, true},
    {"h100", "tensor.load", "l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld.sum", 361,
     false},
    {"h100", "tensor.load", "l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", 361, false},
    {"h100", "tensor.load", "lts__t_sectors_srcunit_tex_op_read.sum", 318, false},
    {"h100", "tensor.load", "lts__t_requests_srcunit_tex_op_read.sum", 315, false},
};

/* ---- Patterns -------------------------------------------------------------------------------------- */

static uint64_t number(const char *text, const char *key, uint64_t otherwise)
{
    uint64_t value = otherwise;
    fragment_numbers(text, key, &value, 1);
    return value;
}

/* "cp.async.bulk.load src=16 dst=0 size=160" */
static void read_row(const char *text, struct warp_access *a, struct bulk_copy *copy)
{
    const bool loads = strstr(text, ".load") != NULL;
    const uint64_t size = number(text, " size=", 0), from = number(text, " src=", 0),
                   to = number(text, " dst=", 0);
    a->op = loads ? OP_LOAD : strstr(text, ".add") ? OP_ATOMIC : OP_STORE;
    a->base = FAR_FROM_0 + (loads ? from : to);
    *copy = (struct bulk_copy){.shared = loads ? to : from,
                               .rank = 1,
                               .element = 1,
                               .box = {(uint32_t)size},
                               .size = {(uint32_t)size},
                               .pitch = {1}};
}

/* "tensor.load element=2 dims=512,128 pitch=1024 box=64,8 at=0,-4 swizzle=128" */
static void read_box(const char *text, struct warp_access *a, struct bulk_copy *copy)
{
    uint64_t dims[BULK_RANK_MAX], box[BULK_RANK_MAX], at[BULK_RANK_MAX], pitch[BULK_RANK_MAX];
    const unsigned rank = fragment_numbers(text, " dims=", dims, BULK_RANK_MAX);
    assert_int_equal(fragment_numbers(text, " box=", box, BULK_RANK_MAX), rank);
    assert_int_equal(fragment_numbers(text, " at=", at, BULK_RANK_MAX), rank);
    fragment_numbers(text, " pitch=", pitch, BULK_RANK_MAX);
    a->op = strstr(text, ".load") ? OP_LOAD : OP_STORE;
    a->base = FAR_FROM_0 + number(text, " base=", 0);
    *copy = (struct bulk_copy){.rank = (uint8_t)rank,
                               .element = (uint8_t)number(text, " element=", 2),
                               .swizzle = (uint8_t)number(text, " swizzle=", 0),
                               .shared = number(text, " at_shared=", 0)};
    for (unsigned d = 0; d < rank; d++) {
        copy->size[d] = (uint32_t)dims[d];
        copy->box[d] = (uint32_t)box[d];
        copy->at[d] = (int32_t)(int64_t)at[d];
        copy->pitch[d] = d ? pitch[d - 1] : copy->element;
    }
}

/* ---- One table ------------------------------------------------------------------------------------- */

struct tally {
    unsigned rows, equal, below;
};

static const struct gap *gap_of(const char *gpu, const char *kind, const char *column)
{
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
        if (strcmp(gaps[i].gpu, gpu) == 0 && strcmp(gaps[i].kind, kind) == 0 &&
            strcmp(gaps[i].column, column) == 0)
            return &gaps[i];
    return NULL;
}

static uint64_t ruled(const char *column, const struct counters *c, bool *known)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (strcmp(checks[i].column, column) == 0) {
            *known = true;
            return checks[i].value(c);
        }
    *known = false;
    return 0;
}

/* Patterns of `kind` in a table. */
static void check_kind(const char *gpu, const char *group, const char *kind, unsigned rows)
{
    struct fragment_table table;
    struct fragment_row row;
    struct tally tallies[FRAGMENT_COLUMNS_MAX] = {{0}};
    struct arch arch;
    struct judge judge;
    fragment_table_open_of(&table, gpu, group);
    arch_from_model(models_find(gpu), &arch);
    assert_true(judge_init(&judge, &arch, 1) && judge_reserve_sites(&judge, 1));
    while (fragment_table_next(&table, &row)) {
        struct bulk_copy copy;
        struct warp_access a = {
            .active = 1, .resident = 1, .width = 16, .space = SPACE_GLOBAL, .bulk = &copy};
        if (strstr(row.pattern, kind) == NULL)
            continue;
        (strncmp(row.pattern, "tensor", 6) ? read_row : read_box)(row.pattern, &a, &copy);
        judge.sites[0] = (struct counters){0};
        judge_access(&judge, &a, NULL);
        for (unsigned i = 0; i < table.column_count; i++) {
            bool known;
            const uint64_t value = ruled(table.columns[i], &judge.sites[0], &known);
            tallies[i].rows += known;
            tallies[i].equal += known && value == row.measured[i];
            tallies[i].below += known && value < row.measured[i];
        }
    }
    for (unsigned i = 0; i < table.column_count; i++) {
        const struct gap *gap = gap_of(gpu, kind, table.columns[i]);
        const struct tally *t = &tallies[i];
        if (t->rows == 0) /* no rule: bytes of peers, tag requests */
            continue;
        print_message("%s, %s: %u of %u equal: %s\n", gpu, kind, t->equal, t->rows,
                      table.columns[i]);
        assert_int_equal(t->rows, rows);
        assert_int_equal(t->equal, gap ? gap->equal : rows);
        if (gap && gap->bound)
            assert_int_equal(t->below, 0);
    }
    fclose(table.file);
    judge_free(&judge);
}

static void rows_of_bytes(void **state)
{
    (void)state;
    check_kind("h200", "cp.async.bulk", "bulk.load", 125);
    check_kind("h200", "cp.async.bulk", "bulk.store", 167);
    check_kind("h200", "cp.async.bulk", "bulk.add", 33);
    check_kind("h100", "cp.async.bulk", "bulk.load", 125);
    check_kind("h100", "cp.async.bulk", "bulk.store", 160);
    check_kind("h100", "cp.async.bulk", "bulk.add", 32);
}

static void boxes_of_tensors(void **state)
{
    (void)state;
    check_kind("h200", "tensor.load", "tensor.load", 14);
    check_kind("h200", "tensor.store", "tensor.store", 17);
    check_kind("h100", "tensor.load", "tensor.load", 364);
    check_kind("h100", "tensor.store", "tensor.store", 297);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_bytes),
        cmocka_unit_test(boxes_of_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
