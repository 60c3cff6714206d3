/* test_book_partitions.c - do the blocks of a transpose read and write the DRAM partitions that the
 * figures of a textbook show?
 *
 * The chapter is that of test_book_coalescing.c, section 4.7.3.3, figures 4-21 to 4-24: a GTX 280
 * with 8 partitions of 256 bytes, 2048 x 2048 floats, tiles of 32 x 32, blocks numbered along x. A
 * row is 8192 bytes, four times round the partitions, so that a tile, 128 bytes wide, lies in one
 * partition and two tiles side by side share one. The figures show blocks 0 to 127; the index
 * arithmetic is carried on to block 255. (The chapter's text counts 8 floats a partition where 256
 * bytes are 64; its figures have it right.)
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PARTITIONS = 8, GRID_X = 2048 / 32, TILE_BYTES = 32 * 32 * 4 };

/* The partition of a tile by its column of tiles. */
static unsigned partition_of_tile(unsigned tile_x)
{
    return tile_x / 2 % PARTITIONS;
}

/* Figure 4-21: blocks 0 and 1 read partition 0, blocks 2 and 3 partition 1, and so on; each row of
 * blocks begins again. */
static unsigned in_row_order(unsigned block)
{
    return partition_of_tile(block % GRID_X);
}

/* Figure 4-22: blocks 0 to 63 write down the first column of tiles and blocks 64 to 127 down the
 * second, both in partition 0. */
static unsigned in_column_order(unsigned block)
{
    return partition_of_tile(block / GRID_X);
}

/* Figure 4-23: block (x, y) reads tile ((x + y) mod 64, x). */
static unsigned on_diagonals(unsigned block)
{
    return partition_of_tile((block % GRID_X + block / GRID_X) % GRID_X);
}

/* Figure 4-24: ... and writes tile (x, (x + y) mod 64). */
static unsigned on_mirrored_diagonals(unsigned block)
{
    return partition_of_tile(block % GRID_X);
}

typedef unsigned partition_of_block(unsigned block);

static void check_block(const struct partition_bytes *row, unsigned reads, unsigned writes,
                        uint64_t written_bytes)
{
    for (unsigned p = 0; p < PARTITIONS; p++) {
        assert_int_equal(row[p].read, p == reads ? TILE_BYTES : 0);
        assert_int_equal(row[p].written, p == writes ? written_bytes : 0);
    }
}

/* A block reads its tile once and writes `written_bytes`, each in one partition. */
static void check_partitions(const char *kernel, partition_of_block *reads,
                             partition_of_block *writes, uint64_t written_bytes)
{
    static const char *const gpus[] = {"gtx280"};
    struct published run;
    published_open(&run, gpus, 1, kernel, "width=2048 height=2048");
    const struct partition_table *partitions = &run.results[0].partitions;
    assert_int_equal(partitions->count, PARTITIONS);
    assert_in_range(partitions->block_count, PUBLISHED_BLOCKS, UINT32_MAX);
    for (unsigned block = 0; block < PUBLISHED_BLOCKS; block++)
        check_block(partitions_of_block(partitions, block), reads(block), writes(block),
                    written_bytes);
    published_close(&run);
}

/* Figures 4-21 and 4-22; each word stored is a transaction of 32 bytes. */
static void naive_transpose_reads_all_partitions_in_turn_and_writes_one(void **state)
{
    (void)state;
    check_partitions("transposeNaive", in_row_order, in_column_order, 8 * TILE_BYTES);
}

/* Figures 4-21 and 4-22: the tile in shared memory does not change where blocks write. */
static void tiled_transpose_still_writes_one_partition(void **state)
{
    (void)state;
    check_partitions("transposeNoBankConflicts", in_row_order, in_column_order, TILE_BYTES);
}

/* Figures 4-23 and 4-24. */
static void diagonal_transpose_reads_and_writes_all_partitions_in_turn(void **state)
{
    (void)state;
    check_partitions("transposeDiagonal", on_diagonals, on_mirrored_diagonals, TILE_BYTES);
}

/* The expectations above against the figures' own numbers: all of blocks 0 to 127 write partition
 * 0; on diagonals each partition has its eighth of them. */
static void the_index_arithmetic_says_what_the_figures_show(void **state)
{
    (void)state;
    unsigned writers[PARTITIONS] = {0}, readers[PARTITIONS] = {0};
    for (unsigned block = 0; block < 4; block++)
        assert_int_equal(in_row_order(block), block / 2);
    for (unsigned block = 0; block < 128; block++) {
        assert_int_equal(in_column_order(block), 0);
        writers[on_mirrored_diagonals(block)]++;
        readers[on_diagonals(block)]++;
    }
    for (unsigned p = 0; p < PARTITIONS; p++) {
        assert_int_equal(writers[p], 128 / PARTITIONS);
        assert_int_equal(readers[p], 128 / PARTITIONS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naive_transpose_reads_all_partitions_in_turn_and_writes_one),
        cmocka_unit_test(tiled_transpose_still_writes_one_partition),
        cmocka_unit_test(diagonal_transpose_reads_and_writes_all_partitions_in_turn),
        cmocka_unit_test(the_index_arithmetic_says_what_the_figures_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
