/* test_cluster_accesses.c - accesses of other blocks' shared memory in a cluster, and bulk copies to it: is what the model counts what Nsight
 * Compute counted on an H200 and on an H100? Every row of validation/fragments/{h200,h100}/cluster.csv, and those of copies to peers of
 * cp.async.bulk.csv, are judged; how many counts are equal is asserted, as the rules' page says it, and that the others are bounds.
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
#include "sim/rules/judge.h"

#define DATA "l1tex__data_pipe_lsu_wavefronts.sum"
#define PASSES "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
#define SENT "l1tex__m_l1tex2xbar_write_sectors_mem_dshared.sum"
#define SENT_BYTES "l1tex__m_l1tex2xbar_write_bytes_mem_dshared.sum"
#define RECEIVED "l1tex__m_xbar2l1tex_read_sectors_mem_dshared.sum"
#define RECEIVED_BYTES "l1tex__m_xbar2l1tex_read_bytes_mem_dshared.sum"
#define SECTORS "l1tex__t_sectors_pipe_lsu_mem_dshared.sum"
#define TAGS "l1tex__t_output_wavefronts_pipe_lsu_mem_dshared.sum"

enum { OTHER_PASSES = 12, SECTOR = 32 };
/* Words that the measuring kernel of two blocks moves without a copy: an H100 read 16 and wrote 8 in a kernel of four that had none. */
enum { OWN_READS = 8, OWN_WRITES = 4 };

/* Counts of a kind that are not all equal; too high or too low alone. */
static const struct gap {
    const char *gpu, *kind, *column;
    unsigned equal;
    bool too_high;
} gaps[] = {
    {"h200", "st.shared", SENT, 45, false},     {"h200", "st.shared", SENT_BYTES, 45, false},
    {"h200", "st.shared", RECEIVED, 45, false}, {"h200", "st.shared", RECEIVED_BYTES, 45, false},
    {"h200", "st.shared", PASSES, 45, true},    {"h200", "st.shared", DATA, 41, true},
    {"h200", "atom.shared", PASSES, 14, true},  {"h200", "atom.shared", DATA, 14, true},
    {"h200", "st.async", SECTORS, 52, false},   {"h200", "st.async", TAGS, 52, false},
    {"h200", "st.async", SENT, 50, false},      {"h200", "st.async", SENT_BYTES, 50, false},
    {"h200", "st.async", RECEIVED, 50, false},  {"h200", "st.async", RECEIVED_BYTES, 50, false},
    {"h100", "st.shared", SENT, 44, false},     {"h100", "st.shared", SENT_BYTES, 44, false},
    {"h100", "st.shared", RECEIVED, 44, false}, {"h100", "st.shared", RECEIVED_BYTES, 44, false},
    {"h100", "st.shared", PASSES, 44, true},    {"h100", "st.shared", DATA, 40, true},
    {"h100", "atom.shared", PASSES, 13, true},  {"h100", "atom.shared", DATA, 13, true},
    {"h100", "st.async", SECTORS, 52, false},   {"h100", "st.async", TAGS, 52, false},
    {"h100", "st.async", SENT, 50, false},      {"h100", "st.async", SENT_BYTES, 50, false},
    {"h100", "st.async", RECEIVED, 50, false},  {"h100", "st.async", RECEIVED_BYTES, 50, false},
};

/* ---- Patterns -------------------------------------------------------------------------------------- */

static uint64_t number(const char *text, const char *key, uint64_t otherwise)
{
    uint64_t value = otherwise;
    fragment_numbers(text, key, &value, 1);
    return value;
}

/* "st.async.8 addr=0+16*32 rank=1": the memory of block `rank`, by a warp of block 0. False: no lane takes part. */
static bool read_access(const char *text, struct warp_access *a, uint64_t addr[WARP_LANES])
{
    const bool async = strstr(text, ".async") != NULL;
    const bool remote = number(text, " rank=", 1) == 1 || async;
    const unsigned count = fragment_numbers(text, " addr=", addr, WARP_LANES);
    for (unsigned i = count; i < WARP_LANES; i++)
        addr[i] = count == 1 ? addr[0] : 0;
    const char *width = strchr(text, ' ');
    while (width[-1] >= '0' && width[-1] <= '9')
        width--;
    *a = (struct warp_access){
        .addr = addr,
        .active = (uint32_t)number(text, " lanes=", UINT32_MAX),
        .resident = UINT32_MAX,
        .width = (uint8_t)strtoul(width, NULL, 10),
        .op = strncmp(text, "ld", 2) == 0   ? OP_LOAD
              : strncmp(text, "st", 2) == 0 ? OP_STORE
                                            : OP_ATOMIC,
        .space = SPACE_SHARED,
        .flags = (uint8_t)((remote ? ACCESS_CLUSTER : 0) | (async ? ACCESS_CLUSTER_ASYNC : 0)),
    };
    return a->active != 0;
}

/* What the measuring kernel has of its own: barriers of the cluster, parameters. */
static uint64_t own_passes(const char *text, const struct warp_access *a)
{
    if (a->op == OP_LOAD)
        return a->width == 16 ? 13 : 12;
    if (a->op == OP_STORE)
        return a->width == 4 ? 11 : 12;
    return 11 + (number(text, " rank=", 1) == 1);
}

/* ---- Counts ----------------------------------------------------------------------------------------- */

static bool is_column(const char *column, const char *name)
{
    return strcmp(column, name) == 0;
}

static uint64_t ruled(const char *column, const struct counters *c, uint64_t own, bool *known)
{
    const uint64_t passes =
        own + c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes;
    *known = true;
    if (is_column(column, "smsp__sass_inst_executed_op_dshared.sum"))
        return c->cluster_requests;
    if (is_column(column, "smsp__sass_inst_executed_op_shared_ld.sum"))
        return c->shared_load_requests;
    if (is_column(column, SECTORS))
        return c->cluster_sectors;
    if (is_column(column, TAGS))
        return c->cluster_tag_wavefronts;
    if (is_column(column, SENT) || is_column(column, RECEIVED))
        return c->cluster_sent_sectors;
    if (is_column(column, SENT_BYTES) || is_column(column, RECEIVED_BYTES))
        return SECTOR * c->cluster_sent_sectors;
    *known = own != 0; /* passes of what nobody waits for are not known */
    return is_column(column, PASSES) ? passes : passes + OTHER_PASSES + c->cluster_data_passes;
}

static const struct gap *gap_of(const char *gpu, const char *kind, const char *column)
{
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
        if (strcmp(gaps[i].gpu, gpu) == 0 && strcmp(gaps[i].kind, kind) == 0 &&
            strcmp(gaps[i].column, column) == 0)
            return &gaps[i];
    return NULL;
}

struct tally {
    unsigned rows, equal, high, low;
};

static void hold(const char *gpu, const char *kind, const char *column, const struct tally *t,
                 unsigned rows)
{
    const struct gap *gap = gap_of(gpu, kind, column);
    print_message("%s, %s: %u of %u equal: %s\n", gpu, kind, t->equal, t->rows, column);
    assert_int_equal(t->rows, rows);
    assert_int_equal(t->equal, gap ? gap->equal : rows);
    if (gap)
        assert_int_equal(gap->too_high ? t->low : t->high, 0);
}

static void start(struct judge *judge, const char *gpu)
{
    struct arch arch;
    arch_from_model(models_find(gpu), &arch);
    assert_true(judge_init(judge, &arch, 1) && judge_reserve_sites(judge, 1));
}

static void check_kind(const char *gpu, const char *kind, unsigned rows)
{
    struct fragment_table table;
    struct fragment_row row;
    struct tally tallies[FRAGMENT_COLUMNS_MAX] = {{0}};
    struct judge judge;
    fragment_table_open_of(&table, gpu, "cluster");
    start(&judge, gpu);
    while (fragment_table_next(&table, &row)) {
        uint64_t addr[WARP_LANES];
        struct warp_access a;
        if (strncmp(row.pattern, kind, strlen(kind)) != 0)
            continue;
        judge.sites[0] = (struct counters){0};
        const bool some = read_access(row.pattern, &a, addr);
        if (some)
            judge_access(&judge, &a, NULL);
        const uint64_t own = strstr(kind, "async") ? 0 : own_passes(row.pattern, &a);
        for (unsigned i = 0; i < table.column_count; i++) {
            bool known;
            const uint64_t value = ruled(table.columns[i], &judge.sites[0], own, &known);
            tallies[i].rows += known;
            tallies[i].equal += known && value == row.measured[i];
            tallies[i].high += known && value > row.measured[i];
            tallies[i].low += known && value < row.measured[i];
        }
    }
    for (unsigned i = 0; i < table.column_count; i++)
        if (tallies[i].rows)
            hold(gpu, kind, table.columns[i], &tallies[i], rows);
    fclose(table.file);
    judge_free(&judge);
}

static void every_access_is_counted_as_measured(void **state)
{
    (void)state;
    check_kind("h200", "ld.shared", 47);
    check_kind("h200", "st.shared", 46);
    check_kind("h200", "atom.shared", 15);
    check_kind("h200", "st.async", 53);
    check_kind("h200", "red.async", 20);
    check_kind("h100", "ld.shared", 43);
    check_kind("h100", "st.shared", 45);
    check_kind("h100", "atom.shared", 14);
    check_kind("h100", "st.async", 53);
    check_kind("h100", "red.async", 18);
}

/* ---- Bulk copies ------------------------------------------------------------------------------------- */

/* What a copy to a peer reads; 0: no counter of it. */
static uint64_t ruled_of_copy(const char *column, const struct counters *c)
{
    if (is_column(column, "l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_tma_st.sum") ||
        is_column(column, "l1tex__m_xbar2l1tex_read_sectors_mem_dshared_op_tma_st.sum"))
        return c->bulk_peer_sectors;
    if (is_column(column, "l1tex__data_bank_reads.sum"))
        return c->bulk_peer_bank_reads + OWN_READS;
    if (is_column(column, "l1tex__data_bank_writes.sum"))
        return c->bulk_peer_bank_writes + OWN_WRITES;
    return is_column(column, "smsp__sass_inst_executed_op_tma.sum") ? c->bulk_peer_copies : 0;
}

static void check_copies(const char *gpu, unsigned rows)
{
    struct fragment_table table;
    struct fragment_row row;
    struct judge judge;
    unsigned seen = 0;
    fragment_table_open_of(&table, gpu, "cp.async.bulk");
    start(&judge, gpu);
    while (fragment_table_next(&table, &row)) {
        if (strstr(row.pattern, "bulk.peer") == NULL)
            continue;
        const uint32_t size = (uint32_t)number(row.pattern, " size=", 0);
        if (size == 0) /* no copy: the instruction that asks for one is refused */
            continue;
        const struct bulk_copy copy = {.shared = number(row.pattern, " src=", 0),
                                       .rank = 1,
                                       .element = 1,
                                       .box = {size},
                                       .size = {size},
                                       .pitch = {1}};
        const struct warp_access a = {.base = number(row.pattern, " dst=", 0),
                                      .active = 1,
                                      .resident = 1,
                                      .width = 16,
                                      .op = OP_STORE,
                                      .space = SPACE_SHARED,
                                      .flags = ACCESS_CLUSTER,
                                      .bulk = &copy};
        judge.sites[0] = (struct counters){0};
        judge_access(&judge, &a, NULL);
        for (unsigned i = 0; i < table.column_count; i++)
            if (ruled_of_copy(table.columns[i], &judge.sites[0]) != row.measured[i])
                fail_msg("%s: %s is %u measured, %u by the rule", row.pattern, table.columns[i],
                         (unsigned)row.measured[i],
                         (unsigned)ruled_of_copy(table.columns[i], &judge.sites[0]));
        seen++;
    }
    assert_int_equal(seen, rows);
    fclose(table.file);
    judge_free(&judge);
}

static void every_copy_to_a_peer_is_counted_as_measured(void **state)
{
    (void)state;
    check_copies("h200", 27);
    check_copies("h100", 27);
}

/* Worked out by hand: two sectors written in part, one in its lower half, one in both. */
static void a_store_in_parts_is_sent_in_halves(void **state)
{
    const uint64_t addr[WARP_LANES] = {0, 4, 32, 48};
    const struct warp_access a = {.addr = addr,
                                  .active = 0xf,
                                  .resident = UINT32_MAX,
                                  .width = 4,
                                  .op = OP_STORE,
                                  .space = SPACE_SHARED,
                                  .flags = ACCESS_CLUSTER};
    struct judge judge;
    (void)state;
    start(&judge, "h200");
    judge_access(&judge, &a, NULL);
    assert_int_equal(judge.sites[0].cluster_sectors, 2);
    assert_int_equal(judge.sites[0].cluster_sent_sectors, 3);
    assert_int_equal(judge.sites[0].cluster_ideal_sectors, 1);
    assert_int_equal(judge.sites[0].cluster_bytes_requested, 16);
    assert_int_equal(judge.sites[0].shared_store_requests, 0);
    judge_free(&judge);
}

/* Lanes of one instruction that reach several blocks, and multicast loads: as an H100 counted them (driver 580, Nsight Compute 2025.3), a
 * kernel of one cluster of four blocks, one warp of block 0. The block's own lanes are an access of their own (two instructions counted). */
static void several_blocks_are_counted_as_measured(void **state)
{
    static const struct {
        uint8_t op;
        unsigned ranks, first, word; /* lane i: block first + i % ranks, word i, or word 0 */
        uint32_t active;
        uint64_t sectors, sent, wavefronts, passes;
    } rows[] = {
        {OP_LOAD, 1, 1, 1, UINT32_MAX, 4, 4, 1, 1},   {OP_LOAD, 3, 1, 1, UINT32_MAX, 12, 12, 1, 1},
        {OP_LOAD, 4, 0, 1, 0xeeeeeeee, 12, 12, 1, 1}, {OP_LOAD, 2, 1, 0, UINT32_MAX, 2, 2, 1, 2},
        {OP_STORE, 1, 1, 1, UINT32_MAX, 4, 4, 1, 1},  {OP_STORE, 2, 1, 1, UINT32_MAX, 8, 16, 1, 1},
        {OP_ATOMIC, 1, 1, 1, UINT32_MAX, 4, 8, 1, 2},
    };
    struct judge judge;
    (void)state;
    start(&judge, "h100");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t addr[WARP_LANES];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            addr[lane] = (uint64_t)(rows[i].first + lane % rows[i].ranks) * CLUSTER_BLOCK_BYTES +
                         4 * rows[i].word * lane;
        const struct warp_access a = {.addr = addr,
                                      .active = rows[i].active,
                                      .resident = UINT32_MAX,
                                      .width = 4,
                                      .op = rows[i].op,
                                      .space = SPACE_SHARED,
                                      .flags = ACCESS_CLUSTER};
        judge.sites[0] = (struct counters){0};
        judge_access(&judge, &a, NULL);
        assert_int_equal(judge.sites[0].cluster_sectors, rows[i].sectors);
        assert_int_equal(judge.sites[0].cluster_sent_sectors, rows[i].sent);
        assert_int_equal(judge.sites[0].cluster_tag_wavefronts, rows[i].wavefronts);
        assert_int_equal(judge.sites[0].cluster_data_passes, rows[i].passes);
    }
    judge_free(&judge);
}

/* 1024 bytes to one block, to four, to three others: 32, 128 and 96 sectors and 256, 1024 and 768 words, and 8 requests each. */
static void a_multicast_is_read_once_and_written_by_each(void **state)
{
    static const uint8_t more[] = {0, 3, 2};
    struct judge judge;
    (void)state;
    start(&judge, "h100");
    for (size_t i = 0; i < sizeof more; i++) {
        const struct bulk_copy copy = {
            .rank = 1, .element = 1, .more = more[i], .box = {1024}, .size = {1024}, .pitch = {1}};
        const struct warp_access a = {.base = 1 << 20,
                                      .active = 1,
                                      .resident = 1,
                                      .width = 16,
                                      .space = SPACE_GLOBAL,
                                      .bulk = &copy};
        judge.sites[0] = (struct counters){0};
        judge_access(&judge, &a, NULL);
        assert_int_equal(judge.sites[0].bulk_load_sectors, 32 * (1 + more[i]));
        assert_int_equal(judge.sites[0].bulk_load_bank_writes, 256 * (1 + more[i]));
        assert_int_equal(judge.sites[0].bulk_load_l2_requests, 8);
        assert_int_equal(judge.sites[0].bulk_loads, 1);
    }
    judge_free(&judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_access_is_counted_as_measured),
        cmocka_unit_test(every_copy_to_a_peer_is_counted_as_measured),
        cmocka_unit_test(several_blocks_are_counted_as_measured),
        cmocka_unit_test(a_multicast_is_read_once_and_written_by_each),
        cmocka_unit_test(a_store_in_parts_is_sent_in_halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
