/* test_wheel.c - does the wheel give back who is due first, and who came first among equals?
 *
 * The slow side is a table searched for the least (cycle, order of arrival). The order within a
 * cycle is promised for whoever came within the range of the coarse slots; who came from beyond may
 * be overtaken by others of the same cycle. Usage: test_wheel [SEED].
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_cases.h"
#include "sim/time/wheel.h"

enum { ROOM = 300, OPERATIONS = 100000 };

static uint64_t seed = 20260402;

struct waiting {
    bool here, from_beyond;
    uint64_t cycle, order;
};

struct table {
    struct waiting by_entry[ROOM];
    uint32_t count;
    uint64_t order;
};

static struct wheel wheel; /* 84 KB */
static struct table table;

static int start_wheel(void **state)
{
    (void)state;
    table = (struct table){0};
    return wheel_init(&wheel, ROOM) ? 0 : -1;
}

static int stop_wheel(void **state)
{
    (void)state;
    wheel_free(&wheel);
    return 0;
}

static void add(uint32_t entry, uint64_t cycle)
{
    struct waiting *w = &table.by_entry[entry];
    *w = (struct waiting){.here = true, .order = table.order++};
    w->cycle = cycle < wheel.cycle ? wheel.cycle : cycle;
    w->from_beyond = w->cycle / WHEEL_NEAR - wheel.cycle / WHEEL_NEAR >= WHEEL_FAR;
    table.count++;
    wheel_add(&wheel, entry, cycle);
    assert_int_equal(wheel.count, table.count);
}

static bool comes_before(const struct waiting *a, const struct waiting *b)
{
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    return a->order < b->order && !a->from_beyond;
}

static void check_take(void)
{
    uint64_t before = wheel.cycle;
    uint32_t entry = wheel_take(&wheel, UINT64_MAX);
    if (table.count == 0) {
        assert_true(entry == WHEEL_NOBODY);
        assert_true(wheel.cycle == before);
        return;
    }
    assert_true(entry < ROOM);
    struct waiting *w = &table.by_entry[entry];
    assert_true(w->here);
    assert_true(wheel.cycle == w->cycle);
    for (uint32_t i = 0; i < ROOM; i++)
        assert_false(table.by_entry[i].here && comes_before(&table.by_entry[i], w));
    w->here = false;
    assert_int_equal(wheel.count, --table.count);
}

static void check_empty(void)
{
    while (table.count)
        check_take();
    check_take();
    check_take();
}

static void an_empty_wheel_gives_nobody(void **state)
{
    (void)state;
    assert_true(wheel.cycle == 0);
    check_empty();
    add(0, 77);
    check_empty();
    assert_true(wheel.cycle == 77);
    add(0, (uint64_t)WHEEL_NEAR * WHEEL_FAR); /* alone, and just beyond the coarse slots */
    check_empty();
}

/* Who takes a turn and is entered later goes where the turn says: in front of, between, behind and without others, also
 * where a coarse slot is dealt out. */
static void who_is_entered_late_has_its_turn(void **state)
{
    static const uint64_t cycles[] = {50, 5000, 3 * WHEEL_NEAR + 7};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t front = wheel_take_turn(&wheel);
        wheel_add(&wheel, 1, cycles[i]);
        const uint32_t between = wheel_take_turn(&wheel);
        wheel_add(&wheel, 2, cycles[i]);
        const uint32_t behind = wheel_take_turn(&wheel), alone = wheel_take_turn(&wheel);
        wheel_add_late(&wheel, 3, cycles[i], front);
        wheel_add_late(&wheel, 4, cycles[i], between);
        wheel_add_late(&wheel, 5, cycles[i], behind);
        wheel_add_late(&wheel, 6, cycles[i] + 1, alone);
        static const uint32_t order[] = {3, 1, 4, 2, 5};
        for (uint32_t k = 0; k < 5; k++) {
            assert_int_equal(wheel_take(&wheel, UINT64_MAX), order[k]);
            assert_int_equal(wheel.cycle, cycles[i]);
        }
        assert_int_equal(wheel_take(&wheel, UINT64_MAX), 6);
        assert_int_equal(wheel.cycle, cycles[i] + 1);
    }
}

/* The wheel stays where it is, so that what lies in between can still be entered. */
static void nobody_is_taken_from_the_end_on(void **state)
{
    static const uint64_t cycles[] = {50, 5000, 3 * WHEEL_NEAR + 7};
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        wheel_add(&wheel, 1, cycles[i]);
        assert_int_equal(wheel_take(&wheel, cycles[i]), WHEEL_NOBODY);
        assert_in_range(wheel.cycle, 0, cycles[i] - 1);
        wheel_add_late(&wheel, 2, cycles[i] - 1, wheel_take_turn(&wheel));
        assert_int_equal(wheel_take(&wheel, cycles[i]), 2);
        assert_int_equal(wheel.cycle, cycles[i] - 1);
        assert_int_equal(wheel_take(&wheel, cycles[i]), WHEEL_NOBODY);
        assert_int_equal(wheel_take(&wheel, cycles[i] + 1), 1);
    }
}

static void equal_cycles_are_first_come_first_served(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ROOM / 2; i++)
        add((i * 7) % (ROOM / 2), 5000); /* a coarse slot */
    for (uint32_t i = ROOM / 2; i < ROOM - 1; i++)
        add(i, 100);
    add(ROOM - 1, 4999);
    check_empty();
}

static void a_cycle_that_has_passed_means_now(void **state)
{
    (void)state;
    add(0, 1000);
    add(1, 1000);
    add(2, 1001);
    check_take();
    add(3, 10);
    add(4, 1000);
    add(5, 999);
    check_take();
    assert_true(table.by_entry[3].here); /* entry 1 was there before */
    check_empty();
    assert_true(wheel.cycle == 1001);
}

/* The last cycle of a turn and the first of the next; the last coarse slot and beyond. */
static void borders_of_slots_keep_the_order(void **state)
{
    (void)state;
    static const uint64_t starts[] = {0,
                                      1,
                                      WHEEL_NEAR - 1,
                                      (uint64_t)WHEEL_NEAR * (WHEEL_FAR - 1),
                                      (uint64_t)WHEEL_NEAR * WHEEL_FAR - 1,
                                      ((uint64_t)WHEEL_NEAR << 40) + 5};
    static const uint64_t turns[] = {
        0, 1, 2, 63, 64, WHEEL_FAR - 2, WHEEL_FAR - 1, WHEEL_FAR, WHEEL_FAR + 1, 5 * WHEEL_FAR};
    for (size_t s = 0; s < sizeof starts / sizeof *starts; s++) {
        uint32_t entry = 0;
        wheel.cycle = starts[s];
        for (size_t t = sizeof turns / sizeof *turns; t-- > 0;) {
            uint64_t first = (wheel.cycle / WHEEL_NEAR + turns[t]) * WHEEL_NEAR;
            add(entry++, first + WHEEL_NEAR);
            add(entry++, first + WHEEL_NEAR - 1);
            add(entry++, first + 63);
            add(entry++, first + 64);
            add(entry++, first + 1);
            add(entry++, first);
        }
        check_empty();
    }
}

/* Somebody far beyond the coarse slots is carried on turn after turn while others come and go. */
static void who_waits_beyond_the_coarse_slots_is_not_early(void **state)
{
    (void)state;
    const uint64_t reach = (uint64_t)WHEEL_NEAR * WHEEL_FAR;
    add(0, 7 * reach);
    add(1, 6 * reach + 17);
    for (uint64_t k = 0; k < 40; k++) {
        add(2, wheel.cycle + reach / 8 + k);
        add(3, wheel.cycle + 3);
        check_take();
        check_take();
    }
    check_empty();
    assert_true(wheel.cycle == 7 * reach);
}

static uint64_t draw_cycle(struct random_bits *random)
{
    static const uint64_t reach[] = {1,       4,          64,      500,
                                     500,     WHEEL_NEAR, 1 << 14, 1 << 18,
                                     1 << 22, 1 << 23,    1 << 26, UINT64_C(1) << 34};
    uint64_t ahead = random_below(random, reach[random_below(random, 12)]);
    if (random_below(random, 50) == 0)
        return wheel.cycle < ahead ? 0 : wheel.cycle - ahead;
    if (random_below(random, 20) == 0)
        return (wheel.cycle + ahead) / WHEEL_NEAR * WHEEL_NEAR +
               random_below(random, 2) * (WHEEL_NEAR - 1);
    return wheel.cycle + ahead;
}

/* Phases in which it fills up and runs dry. */
static void random_work_equals_a_sorted_list(void **state)
{
    (void)state;
    struct random_bits random = random_start(seed, 0);
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        uint32_t entry = (uint32_t)random_below(&random, ROOM);
        bool fills = random_below(&random, 100) < (i / 2000 % 2 ? 40U : 70U);
        if (fills && !table.by_entry[entry].here)
            add(entry, draw_cycle(&random));
        else
            check_take();
    }
    check_empty();
}

#define WHEEL_TEST(test) cmocka_unit_test_setup_teardown(test, start_wheel, stop_wheel)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WHEEL_TEST(an_empty_wheel_gives_nobody),
        WHEEL_TEST(who_is_entered_late_has_its_turn),
        WHEEL_TEST(nobody_is_taken_from_the_end_on),
        WHEEL_TEST(equal_cycles_are_first_come_first_served),
        WHEEL_TEST(a_cycle_that_has_passed_means_now),
        WHEEL_TEST(borders_of_slots_keep_the_order),
        WHEEL_TEST(who_waits_beyond_the_coarse_slots_is_not_early),
        WHEEL_TEST(random_work_equals_a_sorted_list),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d operations\n", seed, (int)OPERATIONS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
