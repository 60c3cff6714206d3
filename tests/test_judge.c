/* test_judge.c - does each access end in the counters of its space and its operation? What the rules make of
 * an access is asked elsewhere; here, what the judge makes of the rules.
 */
#include "judge_ask.h"

static void lanes_that_sit_out_make_an_access_divergent(void **state)
{
    (void)state;
    open_judge("h200");
    struct warp_access a = affine(4, 0, 4);
    assert_int_equal(count(a)->divergent_accesses, 0);
    a.active = 0x7fffffff;
    assert_int_equal(count(a)->divergent_accesses, 1);
    a.resident = 0x7fffffff; /* a lane that does not exist does not sit out */
    assert_int_equal(count(a)->divergent_accesses, 1);
    a.active = 1;
    assert_int_equal(count(a)->divergent_accesses, 2);
    assert_int_equal(judge.sites[0].thread_accesses, 32 + 31 + 31 + 1);
    assert_int_equal(judge.sites[0].warp_accesses, 4);
    judge_free(&judge);
}

/* A space and an operation, and its counter of requests. */
static void every_access_is_a_request_of_its_kind(void **state)
{
    (void)state;
    static const struct {
        uint8_t space, op;
        size_t requests;
    } kinds[] = {
#define KIND(space, op, counter) {space, op, offsetof(struct counters, counter)}
        KIND(SPACE_GLOBAL, OP_LOAD, global_load_requests),
        KIND(SPACE_GLOBAL, OP_STORE, global_store_requests),
        KIND(SPACE_GLOBAL, OP_ATOMIC, global_atomic_requests),
        KIND(SPACE_SHARED, OP_LOAD, shared_load_requests),
        KIND(SPACE_SHARED, OP_STORE, shared_store_requests),
        KIND(SPACE_SHARED, OP_ATOMIC, shared_atomic_requests),
        KIND(SPACE_LOCAL, OP_LOAD, local_load_requests),
        KIND(SPACE_LOCAL, OP_STORE, local_store_requests),
        KIND(SPACE_CONSTANT, OP_LOAD, constant_load_requests),
        KIND(SPACE_TEXTURE, OP_LOAD, read_only_load_requests),
#undef KIND
    };
    open_judge("h200");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct counters before = judge.sites[0];
        const char *after = (const char *)count(in(affine(4, 0, 4), kinds[i].space, kinds[i].op));
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            uint64_t was, is;
            memcpy(&was, (const char *)&before + kinds[k].requests, sizeof was);
            memcpy(&is, after + kinds[k].requests, sizeof is);
            assert_int_equal(is - was, k == i);
        }
    }
    judge_free(&judge);
}

/* 32 lanes, 8 bytes each, on 12 words: 96 bytes from the middle of a sector on. */
static struct warp_access shared_words(uint8_t op)
{
    struct warp_access a = in(affine(8, 16, 0), SPACE_GLOBAL, op);
    static uint64_t addr[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 16 + 8 * (lane % 12);
    a.addr = addr;
    return a;
}

static void a_global_access_asks_uses_and_moves(void **state)
{
    (void)state;
    open_judge("h200");
    const struct counters *c = count(shared_words(OP_LOAD));
    assert_int_equal(c->global_load_bytes_requested, 256);
    assert_int_equal(c->global_load_bytes_used, 96);
    assert_int_equal(c->global_load_bytes_moved, 128);
    assert_int_equal(c->global_load_sectors, 4);
    assert_int_equal(c->global_load_ideal_sectors, 3);
    assert_int_equal(c->global_load_transactions, 4);
    assert_int_equal(c->global_load_transactions_32b, 4);
    c = count(shared_words(OP_STORE));
    assert_int_equal(c->global_store_bytes_requested, 256);
    assert_int_equal(c->global_store_bytes_moved, 128);
    c = count(shared_words(OP_ATOMIC)); /* three rounds: lanes 0 to 11, 12 to 23, 24 to 31 */
    assert_int_equal(c->global_atomic_bytes_moved, 128 + 128 + 96);
    assert_int_equal(c->global_load_bytes_moved, 128);
    judge_free(&judge);
}

/* The counters of the L1's stages are those of sm_70 and later. */
static void l1_stages_are_counted_where_they_are_known(void **state)
{
    (void)state;
    static const char *const gpus[] = {"gtx1080ti", "h200"};
    for (size_t i = 0; i < 2; i++) {
        open_judge(gpus[i]);
        const struct counters *c = count(affine(4, 0, 128));
        count(in(affine(4, 0, 128), SPACE_GLOBAL, OP_STORE));
        count(in(affine(4, 0, 0), SPACE_GLOBAL, OP_ATOMIC));
        assert_int_equal(c->global_load_tag_wavefronts, i ? 8 : 0); /* 32 lines, 4 tag banks */
        assert_int_equal(c->global_load_data_passes, i ? 32 : 0);
        assert_int_equal(c->global_store_tag_wavefronts, i ? 8 : 0);
        assert_int_equal(c->global_store_data_passes, i ? 32 : 0);
        assert_int_equal(c->global_atomic_data_passes, i ? 32 : 0);
        judge_free(&judge);
    }
}

/* nvprof on sm_50 to sm_62: groups that the instruction is split into, whoever is active. */
static void full_splits_are_those_of_sm_50_to_sm_62(void **state)
{
    (void)state;
    static const uint32_t groups[] = {4, 4, 4, 8, 16};
    open_judge("gtx1080ti");
    for (uint32_t i = 0; i < 5; i++) {
        uint64_t before = judge.sites[0].global_load_full_split_requests;
        struct warp_access a = affine((uint8_t)(1U << i), 0, 16);
        a.active = 1;
        assert_int_equal(count(a)->global_load_full_split_requests - before, groups[i]);
    }
    judge_free(&judge);
    open_judge("h200");
    assert_int_equal(count(affine(4, 0, 4))->global_load_full_split_requests, 0);
    judge_free(&judge);
}

/* Fermi's -dlcm, and Kepler's bank mode, which no other part has. */
static void the_gpus_switches_choose_the_rule(void **state)
{
    (void)state;
    static const char *const gpus[] = {"m2090", "k40"};
    for (int64_t i = 0; i < 4; i++) {
        struct arch arch;
        arch_from_model(models_find(gpus[i / 2]), &arch);
        arch.l1_caches_global = i % 2;
        arch.shared_bank_bytes = i % 2 ? 8 : 4;
        assert_true(judge_init(&judge, &arch, 0));
        assert_true(judge_reserve_sites(&judge, 1));
        assert_int_equal(count(affine(4, 0, 0))->global_load_bytes_moved, i % 2 ? 128 : 32);
        /* 12 words apart: every fourth bank of 4 bytes, every second of 8 */
        struct warp_access apart = in(affine(4, 0, 48), SPACE_SHARED, OP_LOAD);
        assert_int_equal(count(apart)->shared_load_passes, i == 3 ? 2 : 4);
        judge_free(&judge);
    }
}

/* ---- Read-only loads ------------------------------------------------------------------------- */

static struct warp_access read_only(uint8_t width, int64_t stride)
{
    struct warp_access a = affine(width, 0, stride);
    a.flags = ACCESS_READ_ONLY;
    return a;
}

static void read_only_loads_count_apart_on_sm_3x_alone(void **state)
{
    (void)state;
    static const char *const gpus[] = {"m2090", "k40", "gtx1080ti", "h200"};
    for (size_t i = 0; i < 4; i++) {
        open_judge(gpus[i]);
        const struct counters *c = count(read_only(4, 4));
        assert_int_equal(c->read_only_load_requests, i == 1);
        assert_int_equal(c->read_only_load_sectors, i == 1 ? 4 : 0);
        assert_int_equal(c->global_load_requests, i != 1);
        judge_free(&judge);
    }
}

/* sm_3x: words of 8 bytes go by half-warps, words of 16 by quarters, and each fetches its own sectors. */
static void wide_read_only_words_go_in_parts_on_sm_3x(void **state)
{
    (void)state;
    static const struct {
        uint8_t width;
        int64_t stride;
        uint32_t sectors, ideal;
    } cases[] = {{4, 0, 1, 1}, {8, 0, 2, 1}, {16, 0, 4, 1}, {8, 8, 8, 8}, {16, 16, 16, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_judge("k40");
        struct warp_access a = read_only(cases[i].width, cases[i].stride);
        uint32_t sectors = 0;
        struct footprint footprint = footprint_of(a);
        for (uint32_t line = 0; line < footprint.count; line++)
            sectors += (uint32_t)__builtin_popcount(footprint.sectors[line]);
        assert_int_equal(judge.sites[0].read_only_load_sectors, cases[i].sectors);
        assert_int_equal(judge.sites[0].read_only_load_ideal_sectors, cases[i].ideal);
        assert_int_equal(judge.sites[0].read_only_load_bytes_requested, 32 * cases[i].width);
        assert_int_equal(footprint.data_passes, 1);
        assert_int_equal(footprint.passes, footprint.count);
        assert_true(sectors <= cases[i].sectors);
        judge_free(&judge);
    }
    uint64_t addr[WARP_LANES];
    struct warp_access both_halves = read_only(8, 0); /* two lines that each half asks for */
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = 16 * (lane % 16);
    both_halves.addr = addr;
    open_judge("k40");
    assert_int_equal(footprint_of(both_halves).passes, 4);
    judge_free(&judge);
    open_judge("h200"); /* textures: one request at any width */
    assert_int_equal(count(in(affine(16, 0, 0), SPACE_TEXTURE, OP_LOAD))->read_only_load_sectors,
                     1);
    judge_free(&judge);
}

/* ---- Other spaces ---------------------------------------------------------------------------- */

static void conflicts_are_passes_beyond_the_ideal_ones(void **state)
{
    (void)state;
    open_judge("h200");
    const struct counters *c = count(in(affine(4, 0, 16), SPACE_SHARED, OP_LOAD));
    assert_int_equal(c->shared_load_passes, 4);
    assert_int_equal(c->shared_load_ideal_passes, 1);
    assert_int_equal(c->shared_load_conflicts, 3);
    assert_int_equal(c->shared_load_bytes_requested, 128);
    assert_int_equal(c->serialized_accesses, 1);
    count(in(affine(16, 0, 16), SPACE_SHARED, OP_STORE)); /* four passes, and none too many */
    assert_int_equal(c->shared_store_passes, 4);
    assert_int_equal(c->shared_store_conflicts, 0);
    assert_int_equal(c->serialized_accesses, 1);
    count(in(affine(4, 0, 0), SPACE_SHARED, OP_ATOMIC));
    assert_int_equal(c->shared_atomic_passes, 32);
    assert_int_equal(c->serialized_accesses, 2);
    assert_int_equal(footprint_of(in(affine(4, 0, 8), SPACE_SHARED, OP_LOAD)).passes, 2);
    judge_free(&judge);
}

static void local_accesses_count_for_their_operation(void **state)
{
    (void)state;
    open_judge("h200");
    const struct counters *c = count(in(affine(4, 16, 4), SPACE_LOCAL, OP_LOAD));
    assert_int_equal(c->local_load_sectors, 5);
    assert_int_equal(c->local_load_ideal_sectors, 4);
    assert_int_equal(c->local_store_sectors + c->local_store_ideal_sectors, 0);
    count(in(affine(8, 16, 8), SPACE_LOCAL, OP_STORE));
    assert_int_equal(c->local_store_sectors, 9);
    assert_int_equal(c->local_store_ideal_sectors, 8);
    assert_int_equal(c->local_load_sectors, 5);
    judge_free(&judge);
}

/* sm_20 stores local words by whole lines, and the memory system is told which of them are written. */
static void a_local_store_tells_its_words(void **state)
{
    (void)state;
    open_judge("m2090");
    struct warp_access a = in(affine(4, 128, 4), SPACE_LOCAL, OP_STORE);
    a.active = 0x00000105;
    struct footprint footprint = footprint_of(a);
    assert_int_equal(footprint.count, 1);
    assert_int_equal(footprint.line[0], 1);
    assert_int_equal(footprint.words[0], 0x00000105);
    judge_free(&judge);
}

/* sm_1x asks by half-warps: two passes are ideal when both have a lane. */
static void constants_pass_once_an_address(void **state)
{
    (void)state;
    static const struct {
        const char *gpu;
        uint32_t active;
        int64_t stride;
        uint32_t passes, ideal;
    } cases[] = {
        {"h200", UINT32_MAX, 0, 1, 1},   {"h200", UINT32_MAX, 4, 32, 1},
        {"gtx280", UINT32_MAX, 0, 2, 2}, {"gtx280", 0x0000ffff, 0, 1, 1},
        {"gtx280", 0x80000000, 0, 1, 1}, {"gtx280", 0x00018000, 0, 2, 2},
        {"gtx280", 0x00038000, 4, 3, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        open_judge(cases[i].gpu);
        struct warp_access a = in(affine(4, 0, cases[i].stride), SPACE_CONSTANT, OP_LOAD);
        a.active = cases[i].active;
        struct footprint footprint = footprint_of(a);
        const struct counters *c = &judge.sites[0];
        assert_int_equal(footprint.passes, cases[i].passes);
        assert_int_equal(c->constant_load_passes, cases[i].passes);
        assert_int_equal(c->constant_load_ideal_passes, cases[i].ideal);
        assert_int_equal(c->serialized_accesses, cases[i].passes > cases[i].ideal);
        judge_free(&judge);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_sit_out_make_an_access_divergent),
        cmocka_unit_test(every_access_is_a_request_of_its_kind),
        cmocka_unit_test(a_global_access_asks_uses_and_moves),
        cmocka_unit_test(l1_stages_are_counted_where_they_are_known),
        cmocka_unit_test(full_splits_are_those_of_sm_50_to_sm_62),
        cmocka_unit_test(the_gpus_switches_choose_the_rule),
        cmocka_unit_test(read_only_loads_count_apart_on_sm_3x_alone),
        cmocka_unit_test(wide_read_only_words_go_in_parts_on_sm_3x),
        cmocka_unit_test(conflicts_are_passes_beyond_the_ideal_ones),
        cmocka_unit_test(local_accesses_count_for_their_operation),
        cmocka_unit_test(a_local_store_tells_its_words),
        cmocka_unit_test(constants_pass_once_an_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
