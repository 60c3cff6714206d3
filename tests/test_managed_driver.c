/* test_managed_driver.c - which pages does the driver move, in how many transfers, how long does that take, and on whose
 * account? test_managed.c has what a block's accesses make of it, and the published profiles.
 *
 * The times are round: the driver reads a group 100 ticks after its first fault, and needs 1,000 for it, 10 for each
 * faulted page, 50 for each transfer and 4 for each KB. Pages have 4 KB, so a page alone takes 66.
 */
#include "test_support.h"

#include <string.h>

#include "models/models.h"
#include "sim/time/managed.h"

enum { KB = 1024, SMS = 2, PAGES = 1024, SITES = 3 };
#define ADDRESS 0x2a0000000ULL /* where a block of 2 MB begins */

static const struct managed_parameters round_figures = {.faults = true,
                                                        .lock_ticks = 20,
                                                        .read_ticks = 100,
                                                        .group_ticks = 1000,
                                                        .page_ticks = 10,
                                                        .transfer_ticks = 50,
                                                        .kilobyte_ticks = 4,
                                                        .prefetch_percent = 51,
                                                        .clock_khz = 1000000};

static struct managed managed;
static struct judge judge;
static uint8_t touched[PAGES];

static int start(void **state)
{
    (void)state;
    struct arch arch;
    arch_from_model(models_find("h200"), &arch);
    assert_true(judge_init(&judge, &arch, 0) && judge_reserve_sites(&judge, SITES));
    assert_true(managed_init(&managed, &round_figures, SMS));
    memset(touched, MANAGED_TOUCHED, sizeof touched);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    managed_free(&managed);
    judge_free(&judge);
    return 0;
}

/* An array that begins at a page, with what the host did to its pages. */
static void add_bytes(uint64_t page, uint64_t bytes)
{
    const struct managed_range range = {ADDRESS + page * MANAGED_PAGE_BYTES, bytes, touched};
    assert_true(managed_update(&managed, &range, 1, &judge.sites[0]));
}

static struct managed_answer ask(uint32_t sm, uint32_t site, uint64_t page, uint64_t now)
{
    const struct warp_access access = {.base = ADDRESS + page * MANAGED_PAGE_BYTES,
                                       .active = 1,
                                       .width = 4,
                                       .site = site,
                                       .flags = ACCESS_MANAGED};
    return managed_access(&managed, sm, &access, now, &judge);
}

static uint64_t again(uint32_t sm, uint32_t site, uint64_t page, uint64_t now)
{
    return ask(sm, site, page, now).again;
}

/* The group of a fault at `now` is served: when it is replayed. */
static uint64_t replay_of(uint32_t sm, uint32_t site, uint64_t page, uint64_t now)
{
    return again(sm, site, page, again(sm, site, page, now));
}

static const struct counters *site(uint32_t number)
{
    return &judge.sites[number];
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* 2 GHz: a nanosecond is two cycles of 256 ticks. 2,048 MB/s are 1,000 cycles for a KB. */
static void times_of_the_driver_are_ticks_of_the_gpus_clock(void **state)
{
    (void)state;
    struct arch arch = judge.arch;
    arch.sm_clock_khz = 2000000;
    arch.fault_read_ns = 3;
    arch.fault_group_ns = 50;
    arch.fault_page_ns = 7;
    arch.fault_transfer_ns = 11;
    arch.fault_lock_cycles = 13;
    arch.pcie_megabytes_per_s = 2048;
    const struct managed_parameters p = managed_parameters_for(&arch);
    assert_true(p.faults);
    assert_int_equal(p.lock_ticks, 13 * 256);
    assert_int_equal(p.read_ticks, 3 * 2 * 256);
    assert_int_equal(p.group_ticks, 50 * 2 * 256);
    assert_int_equal(p.page_ticks, 7 * 2 * 256);
    assert_int_equal(p.transfer_ticks, 11 * 2 * 256);
    assert_int_equal(p.kilobyte_ticks, 1000 * 256);
    assert_int_equal(p.prefetch_percent, 51);
    assert_int_equal(p.clock_khz, 2000000);
    arch.sm = 52;
    assert_false(managed_parameters_for(&arch).faults);
    arch.sm = 60;
    assert_true(managed_parameters_for(&arch).faults);
}

/* ---- Times ----------------------------------------------------------------------------------- */

/* Page 0 and the 60 KB behind it: 66, 50 + 60 * 4. Two SMs fault on it, and it is looked at once. */
static void a_group_takes_its_pages_and_transfers(void **state)
{
    (void)state;
    const uint64_t moves = (50 + 4 * 4) + (50 + 60 * 4);
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    assert_int_equal(again(0, 1, 0, 500), 600);
    assert_int_equal(again(1, 1, 0, 510), 600);
    assert_int_equal(again(0, 1, 0, 600), 600 + 1000 + 10 + moves);
    assert_int_equal(managed.busy_ticks, moves);
    assert_int_equal(site(1)->page_faults, 2);
    assert_int_equal(site(1)->migrations, 2);
    assert_int_equal(again(0, 1, 0, 1610 + moves), 0);
    assert_int_equal(again(1, 1, 15, 1610 + moves), 0);
}

/* At 1 kHz a tick is 1,000,000 / 256 ns. From the first fault to the replay; and what the two transfers took, each in
 * whole nanoseconds. */
static void times_are_told_in_nanoseconds(void **state)
{
    (void)state;
    managed.parameters.clock_khz = 1;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    uint64_t ticks = replay_of(0, 1, 0, 5000) - 5000;
    assert_int_equal(ticks, 100 + 1000 + 10 + 66 + 290);
    assert_int_equal(site(1)->fault_group_ns, ticks * 1000000 / 256);
    assert_int_equal(site(1)->migration_ns, 66 * 1000000 / 256 + 290 * 1000000 / 256);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Two blocks in one group: the driver serves them in the order of their pages. The group is of the site that
 * opened it, and what moves of the site of each block's first page. */
static void a_group_of_two_blocks_brings_both(void **state)
{
    (void)state;
    const uint64_t of_block = 10 + 66 + 290;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    assert_int_equal(again(0, 1, 512, 0), 100);
    assert_int_equal(again(1, 2, 0, 10), 100);
    assert_int_equal(again(0, 1, 512, 100), 1100 + 2 * of_block);
    assert_int_equal(site(1)->fault_groups, 1);
    assert_int_equal(site(2)->fault_groups, 0);
    assert_int_equal(site(1)->migrated_bytes, 64 * KB);
    assert_int_equal(site(2)->migrated_bytes, 64 * KB);
    assert_int_equal(again(0, 1, 512, 1100 + 2 * of_block), 0);
    assert_int_equal(again(1, 2, 0, 1100 + 2 * of_block), 0);
    assert_int_equal(site(1)->page_faults + site(2)->page_faults, 2);
}

/* A page that the host takes back between launches faults like the first time. */
static void a_group_forgets_the_one_before(void **state)
{
    (void)state;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    for (uint64_t turn = 1; turn <= 3; turn++) {
        uint64_t replay = replay_of(0, 1, 0, 10000 * turn);
        assert_int_equal(site(1)->page_faults, turn);
        assert_int_equal(site(1)->fault_groups, turn);
        assert_int_equal(again(0, 1, 0, replay), 0);
        memset(touched, 0, sizeof touched);
        touched[0] = MANAGED_TOUCHED;
        add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    }
    assert_int_equal(site(1)->migrated_bytes, 64 * KB + 2 * 4 * KB);
}

/* 20 ticks after a fault its SM translates nothing until the replay; the other SM does. */
static void a_locked_sm_says_that_it_looked_nothing_up(void **state)
{
    (void)state;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    assert_true(ask(0, 1, 0, 0).translated);
    assert_true(ask(0, 1, 1, 19).translated);
    assert_false(ask(0, 1, 2, 20).translated);
    assert_int_equal(site(1)->page_faults, 2);
    assert_true(ask(1, 1, 2, 20).translated);
    assert_int_equal(site(1)->page_faults, 3);
}

/* Lanes on three pages, in turn: each is a fault, once. */
static void an_access_faults_on_each_page_of_its_lanes(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    struct warp_access access = {
        .addr = addr, .active = UINT32_MAX, .width = 4, .flags = ACCESS_MANAGED, .site = 1};
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = ADDRESS + 100 * (lane % 3) * MANAGED_PAGE_BYTES + 4 * lane;
    assert_int_equal(managed_access(&managed, 0, &access, 0, &judge).again, 100);
    assert_int_equal(site(1)->page_faults, 3);
    managed_access(&managed, 0, &access, 100, &judge);
    assert_int_equal(site(1)->migrated_bytes, 3 * 64 * KB);
}

/* ---- Arrays and blocks ----------------------------------------------------------------------- */

/* 4,097 bytes lie on two pages and 8,192 too: what is behind them belongs to nobody. */
static void an_array_has_the_pages_that_its_bytes_lie_on(void **state)
{
    (void)state;
    add_bytes(0, 4097);
    add_bytes(512, 8192);
    for (uint64_t block = 0; block <= 512; block += 512) {
        uint64_t now = 10000 * (block + 1), replay = replay_of(0, 1, block + 1, now);
        assert_int_equal(again(0, 1, block + 1, replay), 0);
        assert_int_equal(again(0, 1, block + 2, replay), 0);
    }
    assert_int_equal(site(1)->page_faults, 2);
    assert_int_equal(site(1)->migrated_bytes, 2 * 8 * KB);
}

/* The array begins at page 20 of its block, inside of a region of 64 KB: the fault on page 21 brings 20 and 22 to
 * 31, in two transfers beside its own. */
static void a_region_comes_as_far_as_the_array_has_it(void **state)
{
    (void)state;
    add_bytes(20, 200 * MANAGED_PAGE_BYTES);
    uint64_t replay = replay_of(0, 1, 21, 0);
    assert_int_equal(replay, 100 + 1000 + 10 + 66 + 66 + 50 + 10 * 16);
    assert_int_equal(site(1)->migrations, 3);
    assert_int_equal(site(1)->migrated_bytes, 12 * 4 * KB);
    assert_int_equal(managed.smallest_bytes, 4 * KB);
    assert_int_equal(managed.largest_bytes, 40 * KB);
    assert_int_equal(again(0, 1, 20, replay), 0);
    assert_int_equal(again(0, 1, 31, replay), 0);
    assert_int_not_equal(again(0, 1, 32, replay), 0);
}

/* The array has 28 pages: the 16 that a fault on page 0 wants are 57 % of them, and the others come along. Of 32
 * pages they are half, which is not more than 51 %. */
static void a_region_is_dense_by_the_pages_that_there_are(void **state)
{
    (void)state;
    for (uint64_t pages = 28; pages <= 32; pages += 4) {
        start(NULL);
        add_bytes(0, pages * MANAGED_PAGE_BYTES);
        replay_of(0, 1, 0, 0);
        assert_int_equal(site(1)->migrated_bytes, (pages == 28 ? 28 : 16) * 4 * KB);
        stop(NULL);
    }
}

/* Pages 49 to 63 are on the GPU. A fault on 32 wants 32 to 47, and so 31 of the 32 pages around it are wanted or
 * there: the one that is not, 48, comes along. Of 64 pages that is not half, and page 0 stays away. */
static void a_region_is_dense_by_what_is_there_already(void **state)
{
    (void)state;
    memset(touched + 49, MANAGED_SET, 15);
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    uint64_t replay = replay_of(0, 1, 32, 0);
    assert_int_equal(site(1)->migrated_bytes, 17 * 4 * KB);
    assert_int_equal(again(0, 1, 48, replay), 0);
    assert_int_not_equal(again(0, 1, 0, replay), 0);
}

/* Page 5 was never touched: it is made on the GPU, and parts what is copied. */
static void a_page_that_nobody_has_touched_ends_a_transfer(void **state)
{
    (void)state;
    touched[5] = 0;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    uint64_t replay = replay_of(0, 1, 0, 0);
    assert_int_equal(site(1)->migrations, 3); /* 0; 1 to 4; 6 to 15 */
    assert_int_equal(site(1)->migrated_bytes, 15 * 4 * KB);
    assert_int_equal(again(0, 1, 5, replay), 0);
}

/* Filled by the GPU it is there; what the host reads or writes afterwards is not, unless it is prefetched then. */
static void what_the_host_did_last_says_where_a_page_is(void **state)
{
    (void)state;
    memset(touched, 0, sizeof touched);
    touched[0] = MANAGED_SET;
    touched[1] = MANAGED_SET | MANAGED_TOUCHED;
    touched[2] = MANAGED_TOUCHED | MANAGED_PREFETCHED;
    touched[3] = MANAGED_PREFETCHED;
    add_bytes(0, PAGES * MANAGED_PAGE_BYTES);
    assert_int_equal(site(0)->migrations, 1); /* page 2; nobody has touched page 3 */
    assert_int_equal(site(0)->migrated_bytes, 4 * KB);
    assert_int_equal(again(0, 1, 0, 0), 0);
    assert_int_equal(again(0, 1, 2, 0), 0);
    assert_int_equal(again(0, 1, 3, 0), 0);
    assert_int_equal(again(0, 1, 1, 0), 100);
}

/* 20 arrays, a block apart; and one that is known and has not been touched since stays as it is. */
static void arrays_are_found_again(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20; i++)
        add_bytes(512 * i, 3 * MANAGED_PAGE_BYTES);
    uint64_t now = 0;
    for (uint64_t i = 0; i < 20; i++)
        now = replay_of(0, 1, 512 * i + 2, now);
    assert_int_equal(again(0, 1, 512 * 19 + 2, now), 0);
    assert_int_equal(site(1)->migrated_bytes, 20 * 12 * KB);
    const struct managed_range known = {ADDRESS, 3 * MANAGED_PAGE_BYTES, NULL};
    assert_true(managed_update(&managed, &known, 1, &judge.sites[0]));
    assert_int_equal(again(0, 1, 2, now), 0);
    assert_int_equal(managed.array_count, 20);
}

#define DRIVER_TEST(test) cmocka_unit_test_setup_teardown(test, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRIVER_TEST(times_of_the_driver_are_ticks_of_the_gpus_clock),
        DRIVER_TEST(a_group_takes_its_pages_and_transfers),
        DRIVER_TEST(times_are_told_in_nanoseconds),
        DRIVER_TEST(a_group_of_two_blocks_brings_both),
        DRIVER_TEST(a_group_forgets_the_one_before),
        DRIVER_TEST(a_locked_sm_says_that_it_looked_nothing_up),
        DRIVER_TEST(an_access_faults_on_each_page_of_its_lanes),
        DRIVER_TEST(an_array_has_the_pages_that_its_bytes_lie_on),
        DRIVER_TEST(a_region_comes_as_far_as_the_array_has_it),
        cmocka_unit_test(a_region_is_dense_by_the_pages_that_there_are),
        DRIVER_TEST(a_region_is_dense_by_what_is_there_already),
        DRIVER_TEST(a_page_that_nobody_has_touched_ends_a_transfer),
        DRIVER_TEST(what_the_host_did_last_says_where_a_page_is),
        DRIVER_TEST(arrays_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
