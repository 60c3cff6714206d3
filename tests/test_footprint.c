/* test_footprint.c - does the model of time see the lines, sectors and words that the lanes touch?
 *
 * The slow side walks the lanes and marks every byte of every line. Where transactions come first
 * (sm_1x, split requests), each must be found again. Usage: test_footprint [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "rules_access.h"
#include "sim/rules/coalesce.h"
#include "sim/rules/coalesce_lines.h"
#include "sim/rules/footprint.h"
#include "sim/rules/transfers.h"

enum { CASES = 100000 };

static uint64_t seed = 20260407;

struct marked_line {
    uint64_t line;
    bool byte[128];
};

struct marked {
    uint32_t count;
    struct marked_line lines[2 * WARP_LANES]; /* room for lines that should not be there */
};

#define HOLDS(law, c)                                                                              \
    do {                                                                                           \
        if (!(law)) {                                                                              \
            access_case_print(c, #law);                                                            \
            fail_msg("seed %" PRIu64, seed);                                                       \
        }                                                                                          \
    } while (0)

static struct marked_line *mark_line(struct marked *marked, uint64_t line)
{
    for (uint32_t i = 0; i < marked->count; i++)
        if (marked->lines[i].line == line)
            return &marked->lines[i];
    marked->lines[marked->count] = (struct marked_line){.line = line};
    return &marked->lines[marked->count++];
}

/* Every byte that an active lane touches. */
static void mark_access(struct marked *marked, const struct warp_access *a)
{
    marked->count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!access_lane_active(a, lane))
            continue;
        uint64_t addr = access_addr(a, lane);
        struct marked_line *at = mark_line(marked, addr / 128);
        for (unsigned i = 0; i < a->width; i++)
            at->byte[addr % 128 + i] = true;
    }
}

/* Which of a line's parts of `bytes` bytes have a marked byte. */
static uint32_t marked_parts(const struct marked_line *line, uint32_t bytes)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < 128; i++)
        if (line->byte[i])
            parts |= 1U << i / bytes;
    return parts;
}

static void check_lines(const struct access_case *c, const struct footprint *footprint, bool whole)
{
    static struct marked marked;
    mark_access(&marked, &c->access);
    HOLDS(footprint->count == marked.count, c);
    for (uint32_t i = 0; i < footprint->count; i++) {
        const struct marked_line *line = mark_line(&marked, footprint->line[i]);
        HOLDS(footprint->sectors[i] == (whole ? 15 : marked_parts(line, 32)), c);
        HOLDS(footprint->words[i] == marked_parts(line, 4), c);
    }
    HOLDS(footprint->count == marked.count, c); /* no line was new, so all are there */
    for (uint32_t i = 0; i < footprint->count; i++)
        for (uint32_t k = 0; k < i; k++)
            HOLDS(footprint->line[i] != footprint->line[k], c);
}

static void check_lines_of_case(struct access_case *c, enum coalesce_rule rule, bool find_first)
{
    struct footprint footprint;
    struct warp_lines lines;
    struct coalesce_counts counts;
    memset(&footprint, 0xa5, sizeof footprint);
    coalesce_lines_start(&lines, &c->access);
    if (find_first)
        coalesce_count(rule, &lines, &counts, NULL);
    bool whole = rule == COALESCE_LINE_128;
    footprint_of_lines(&footprint, &lines, whole);
    check_lines(c, &footprint, whole);
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < footprint.count; i++)
        for (uint32_t s = footprint.sectors[i]; s != 0; s &= s - 1)
            sectors++;
    if (find_first && (rule == COALESCE_SECTOR || c->width <= 4))
        HOLDS(sectors * 32 == counts.bytes_moved, c);
}

static void lines_are_those_that_lanes_touch(void **state)
{
    (void)state;
    static const enum coalesce_rule rules[] = {COALESCE_SECTOR, COALESCE_SECTOR_SPLIT_REQUESTS,
                                               COALESCE_STORE_124, COALESCE_SEGMENT_32,
                                               COALESCE_LINE_128};
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        access_case_draw(&random, &c);
        check_lines_of_case(&c, rules[number % 5], number % 3 != 0);
    }
}

/* Gapless whole warps and what is nearly so: the way without a search, and its edges. */
static void contiguous_accesses_are_no_exception(void **state)
{
    (void)state;
    for (uint8_t width = 1; width <= 16; width = (uint8_t)(width * 2)) {
        for (uint64_t base = 4096 - 128; base <= 4096 + 128; base += 16) {
            for (int64_t stride = -2 * width; stride <= 2 * width; stride += width) {
                struct access_case c = {.width = width, .active = UINT32_MAX, .affine = true};
                c.pattern = "contiguous";
                c.access = affine(width, base, stride);
                for (unsigned lane = 0; lane < WARP_LANES; lane++)
                    c.addr[lane] = access_addr(&c.access, lane);
                check_lines_of_case(&c, COALESCE_SECTOR, false);
                c.access.active = c.active = UINT32_MAX - 4;
                check_lines_of_case(&c, COALESCE_SECTOR, true);
            }
        }
    }
}

static uint32_t spread_sectors(uint32_t sectors)
{
    uint32_t words = 0;
    for (uint32_t w = 0; w < 32; w++)
        words |= (sectors >> w / 8 & 1) << w;
    return words;
}

static uint32_t transfer_sectors(const struct transfers *transfers, uint32_t i)
{
    uint32_t sectors = 0;
    for (uint64_t at = transfers->addr[i]; at < transfers->addr[i] + transfers->bytes[i]; at += 32)
        sectors |= 1U << at / 32 % 4;
    return sectors;
}

/* Each request takes as many of the transfers, in order, as make up its sectors. */
static uint32_t check_requests(const struct access_case *c, const struct footprint *footprint,
                               const struct transfers *transfers)
{
    uint32_t used = 0, bytes = 0;
    for (uint32_t i = 0; i < footprint->count; i++) {
        uint32_t sectors = 0;
        while (sectors != footprint->sectors[i]) {
            HOLDS(used < transfers->count, c);
            HOLDS(transfers->addr[used] / 128 == footprint->line[i], c);
            HOLDS((sectors & transfer_sectors(transfers, used)) == 0, c);
            sectors |= transfer_sectors(transfers, used);
            bytes += transfers->bytes[used++];
        }
        HOLDS(footprint->words[i] == spread_sectors(sectors), c);
    }
    HOLDS(used == transfers->count, c);
    return bytes;
}

/* Neighbours that could have been one request. */
static uint32_t count_unjoined(const struct footprint *footprint)
{
    uint32_t unjoined = 0;
    for (uint32_t i = 1; i < footprint->count; i++)
        unjoined += footprint->line[i] == footprint->line[i - 1] &&
                    (footprint->sectors[i] & footprint->sectors[i - 1]) == 0;
    return unjoined;
}

static void check_transfers(const struct access_case *c, enum coalesce_rule rule)
{
    struct footprint apart, joined;
    struct warp_lines lines;
    struct coalesce_counts counts;
    struct transfers transfers;
    memset(&apart, 0xa5, sizeof apart);
    memset(&joined, 0xa5, sizeof joined);
    coalesce_lines_start(&lines, &c->access);
    coalesce_count(rule, &lines, &counts, &transfers);
    footprint_of_transfers(&apart, &transfers, false);
    footprint_of_transfers(&joined, &transfers, true);
    HOLDS(apart.count == counts.transactions, c);
    HOLDS(check_requests(c, &apart, &transfers) == counts.bytes_moved, c);
    HOLDS(check_requests(c, &joined, &transfers) == counts.bytes_moved, c);
    HOLDS(count_unjoined(&joined) == 0, c);
    HOLDS(joined.count <= apart.count, c);
}

static void transfers_add_up_to_the_bytes_moved(void **state)
{
    (void)state;
    static const enum coalesce_rule rules[] = {COALESCE_HALF_WARP_STRICT,
                                               COALESCE_HALF_WARP_SEGMENT, COALESCE_LANE,
                                               COALESCE_SEGMENT_32, COALESCE_SECTOR_GROUPED};
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed + 1, number);
        struct access_case c;
        access_case_draw(&random, &c);
        check_transfers(&c, rules[number % 5]);
    }
}

static void constant_addresses_are_their_lines(void **state)
{
    (void)state;
    static struct marked marked;
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed + 2, number);
        struct footprint footprint;
        struct access_case c;
        memset(&footprint, 0xa5, sizeof footprint);
        access_case_draw(&random, &c);
        footprint_of_addresses(&footprint, &c.access);
        mark_access(&marked, &c.access);
        HOLDS(footprint.count == marked.count, &c);
        for (uint32_t i = 0; i < footprint.count; i++) {
            uint32_t want = marked_parts(mark_line(&marked, footprint.line[i]), 32);
            HOLDS(footprint.sectors[i] == want, &c);
        }
        HOLDS(footprint.count == marked.count, &c);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_that_lanes_touch),
        cmocka_unit_test(contiguous_accesses_are_no_exception),
        cmocka_unit_test(transfers_add_up_to_the_bytes_moved),
        cmocka_unit_test(constant_addresses_are_their_lines),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d cases a test\n", seed, (int)CASES);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
