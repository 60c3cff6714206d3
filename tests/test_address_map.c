/* test_address_map.c - does every address have one place of its own, and is the traffic even where
 * the map is hashed?
 *
 * Linear maps are held against plain division. Of hashed ones, whose hash nobody knows, the laws
 * are tested: every run of chunks goes to each slice once, no two chunks share a place, strides
 * spread. Usage: test_address_map [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "models/models.h"
#include "sim/rules/address_map.h"

enum { CASES = 1000000, EVEN_CHUNKS = 1 << 16 };

static uint64_t seed = 20260405;

/* A map of so many slices, a slice a partition. */
static struct address_map map_of(uint32_t slices, bool hashed)
{
    struct arch arch;
    arch_from_model(models[0], &arch);
    arch.dram_partitions = slices;
    arch.l2_slices = 0;
    arch.partition_bytes = 256;
    arch.partition_hashed = hashed;
    return address_map_for(&arch);
}

static struct address_map map_of_model(size_t m, struct arch *arch)
{
    arch_from_model(models[m], arch);
    return address_map_for(arch);
}

/* Below 2^47, half of them where the way without a division ends. */
static uint64_t draw_address(struct random_bits *random, uint32_t slices, uint32_t chunk_bytes)
{
    uint64_t border = (UINT64_C(1) << 32) / slices * chunk_bytes;
    if (random_next(random) % 2)
        return random_next(random) >> 17;
    return (border + random_below(random, 1 << 14) - (1 << 13)) & ((UINT64_C(1) << 47) - 1);
}

static void linear_models_take_chunks_in_turn(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        struct random_bits random = random_start(seed, m);
        if (arch.sm >= 20)
            continue;
        seen++;
        for (uint64_t i = 0; i < CASES / 10; i++) {
            uint32_t partitions = (uint32_t)arch.dram_partitions;
            uint64_t addr = i % 2 ? i * 101 : draw_address(&random, partitions, 256);
            struct place_in_memory place = address_map_find(&map, addr);
            assert_int_equal(place.partition, addr / 256 % partitions);
            assert_int_equal(place.slice, place.partition);
            assert_true(place.chunk == addr / 256 / partitions);
        }
    }
    assert_true(seen >= 5);
}

static void short_division_equals_division(void **state)
{
    (void)state;
    struct random_bits random = random_start(seed, 100);
    for (uint32_t i = 0; i < CASES / 1000; i++) {
        uint32_t slices = 1 + i % 1024;
        struct address_map map = map_of(slices, false);
        for (uint32_t k = 0; k < 1000; k++) {
            uint64_t addr = draw_address(&random, slices, 256);
            struct place_in_memory place = address_map_find(&map, addr);
            assert_true(place.slice == addr / 256 % slices && place.chunk == addr / 256 / slices);
        }
    }
}

/* Runs that go to all slices: one, or as many as a group has chunks of a slice. */
static uint32_t runs_together(const struct address_map *map)
{
    return map->group_log2 ? (1U << map->group_log2) / map->slices_shared : 1;
}

/* Which slice begins a run is the map's own; from there on they follow in turn. */
static void a_hashed_run_goes_to_every_slice_once(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        struct random_bits random = random_start(seed, 200 + m);
        for (uint32_t i = 0; i < 300; i++) {
            const uint32_t runs = runs_together(&map);
            uint64_t run = draw_address(&random, map.slices, 1) / map.slices / runs * runs;
            uint8_t seen[1024] = {0}, turns[1024] = {0};
            for (uint32_t k = 0; k < runs * map.slices; k++) {
                uint64_t addr = (run * map.slices + k) * (uint64_t)arch.partition_bytes;
                struct place_in_memory place =
                    address_map_find(&map, addr + i % (uint64_t)arch.partition_bytes);
                assert_true(place.slice < map.slices && place.chunk == run + k / map.slices);
                assert_true(seen[place.slice]++ < runs);
                assert_int_equal(turns[place.turn]++, k / map.slices);
            }
        }
    }
}

static void slices_of_a_partition_are_neighbours(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        uint32_t partitions = (uint32_t)arch.dram_partitions, slices_in[128] = {0};
        assert_int_equal(map.slices, arch.l2_slices ? arch.l2_slices : arch.dram_partitions);
        for (uint64_t chunk = 0; chunk < map.slices; chunk++) {
            struct place_in_memory place =
                address_map_find(&map, chunk * (uint64_t)arch.partition_bytes);
            assert_true(place.partition < partitions);
            assert_int_equal(place.turn * partitions / map.slices, place.partition);
            slices_in[place.partition]++;
        }
        for (uint32_t p = 0; p < partitions; p++)
            assert_int_equal(slices_in[p], map.slices / partitions);
    }
}

/* What lies together in few slices: 256 bytes in one, a group in those of one partition, two groups in two partitions. */
static void groups_are_in_the_slices_of_a_partition(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        struct random_bits random = random_start(seed, 300 + m);
        if (map.group_log2 == 0)
            continue;
        seen++;
        for (uint32_t i = 0; i < 1000; i++) {
            const uint64_t bytes = (uint64_t)arch.l2_group_bytes,
                           group = draw_address(&random, map.slices, 256) / bytes * bytes;
            const uint32_t first = address_map_find(&map, group).slice / map.slices_shared;
            uint32_t slices[2] = {0};
            for (uint64_t at = 0; at < bytes; at += (uint64_t)arch.partition_bytes) {
                const uint32_t slice = address_map_find(&map, group + at).slice;
                assert_int_equal(slice / map.slices_shared, first);
                slices[slice % map.slices_shared]++;
            }
            assert_int_equal(slices[0], slices[1]);
        }
    }
    assert_true(seen >= 4);
}

/* The busiest slice's share of 2^16 chunks, in percent of a fair one. */
static double most_percent(const struct address_map *map, uint64_t stride)
{
    uint32_t count[1024] = {0}, most = 0;
    for (uint64_t i = 0; i < EVEN_CHUNKS; i++) {
        uint32_t slice = address_map_find(map, i * stride).slice;
        count[slice]++;
        most = count[slice] > most ? count[slice] : most;
    }
    return 100.0 * most * map->slices / EVEN_CHUNKS;
}

/* Chance alone puts four standard deviations on the busiest slice of many, which is more than 5 %
 * from 25 slices on. */
static double allowed_percent(uint32_t slices)
{
    double squared = 16e4 * slices / EVEN_CHUNKS, root = 5;
    for (int i = 0; i < 20; i++)
        root = (root + squared / root) / 2;
    return 100 + (root > 5 ? root : 5);
}

static void hashed_models_spread_strides(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        if (!arch.partition_hashed)
            continue;
        for (uint64_t stride = 256; stride <= 1 << 20; stride *= 2) {
            for (uint64_t odd = 0; odd < 2; odd++) {
                double percent = most_percent(&map, stride + 256 * odd);
                if (percent > allowed_percent(map.slices))
                    fail_msg("%s: stride %" PRIu64 ": %.1f %% on one slice", models[m]->name,
                             stride + 256 * odd, percent);
            }
        }
    }
}

/* Chunks of a row of one bank: never more than it holds, and all distinct by place. */
static void check_rows(const struct address_map *map, const struct arch *arch, uint64_t first)
{
    static uint64_t row_of[1 << 20];
    static uint32_t held[1 << 20];
    const uint32_t per_row = (uint32_t)(arch->dram_row_bytes / arch->partition_bytes);
    const uint32_t partitions = (uint32_t)arch->dram_partitions;
    const uint64_t chunks = (uint64_t)per_row * map->slices * 16;
    uint32_t used = 0;
    memset(held, 0, sizeof held);
    for (uint64_t chunk = first; chunk < first + chunks; chunk++) {
        uint64_t addr = chunk << map->chunk_log2;
        struct place_in_memory place = address_map_find(map, addr);
        struct dram_row at = address_map_row(map, &place, addr);
        struct dram_row last = address_map_row(map, &place, addr + 255);
        uint64_t key = (at.row * partitions + place.partition) * 256 + at.bank;
        uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 44);
        assert_true(at.bank < map->banks && at.bank == last.bank && at.row == last.row);
        while (held[slot] && row_of[slot] != key)
            slot = (slot + 1) % (1 << 20);
        used += held[slot] == 0;
        row_of[slot] = key;
        assert_true(++held[slot] <= per_row);
    }
    /* Whole rows but for those at the two ends. */
    assert_in_range(used, 16 * map->slices, 16 * map->slices + 2 * partitions);
}

static void rows_hold_what_they_can_and_no_more(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        assert_true(arch.partition_bytes == 256 && arch.dram_row_bytes >= 256);
        check_rows(&map, &arch, 0);
        check_rows(&map, &arch, 1234567);
    }
}

/* Linear: rows in a row lie in banks in a row. Hashed: strides of whole rows use many banks. */
static void banks_take_rows_in_turn_or_spread(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        struct address_map map = map_of_model(m, &arch);
        struct place_in_memory place = {0};
        uint64_t row_chunks = (uint64_t)(arch.dram_row_bytes / arch.partition_bytes);
        for (uint64_t step = 1; step <= 1024; step *= 2) {
            uint64_t used[256] = {0}, banks = 0;
            for (uint64_t i = 0; i < 16 * map.banks; i++) {
                place.chunk = i * step * row_chunks / map.slices_shared;
                uint32_t bank = address_map_row(&map, &place, 0).bank;
                banks += used[bank]++ == 0;
                assert_true(map.hashed || step > 1 || bank == i % map.banks);
            }
            assert_true(!map.hashed || banks * 4 >= map.banks * 3);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_models_take_chunks_in_turn),
        cmocka_unit_test(short_division_equals_division),
        cmocka_unit_test(a_hashed_run_goes_to_every_slice_once),
        cmocka_unit_test(slices_of_a_partition_are_neighbours),
        cmocka_unit_test(groups_are_in_the_slices_of_a_partition),
        cmocka_unit_test(hashed_models_spread_strides),
        cmocka_unit_test(rows_hold_what_they_can_and_no_more),
        cmocka_unit_test(banks_take_rows_in_turn_or_spread),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d addresses\n", seed, (int)CASES);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
