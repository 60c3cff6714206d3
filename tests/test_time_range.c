/* test_time_range.c - is the table of ranges well formed, does each launch get the cell that is its own, and do reports say
 * what it is? */
#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "report/ranges.h"

enum { LEAST_LAUNCHES = 20, LEAST_KINDS = 8, ANY_LIMITER = USE_COUNT, OTHER_LIMITERS };

/* ---- The table ------------------------------------------------------------------------------- */

static void every_cell_holds_the_modelled_time_and_has_enough_launches(void **state)
{
    (void)state;
    for (size_t i = 0; i < time_range_cell_count; i++) {
        const struct time_range_cell *cell = &time_range_cells[i];
        if (!(cell->low > 0 && cell->low <= 1 && cell->high >= 1 && cell->high < 10))
            fail_msg("row %zu: %g to %g", i, cell->low, cell->high);
        if (cell->launches < LEAST_LAUNCHES || cell->kinds < LEAST_KINDS)
            fail_msg("row %zu: %u launches of %u kinds", i, cell->launches, cell->kinds);
        assert_true(cell->limiter >= 0 && cell->limiter <= OTHER_LIMITERS);
        assert_true(cell->family == NULL || time_range_family(cell->family));
    }
}

static bool covers(const struct time_range_cell *wide, const struct time_range_cell *narrow)
{
    return (wide->family == NULL ||
            (narrow->family && strcmp(wide->family, narrow->family) == 0)) &&
           (wide->limiter >= ANY_LIMITER || wide->limiter == narrow->limiter) &&
           (wide->length == TIME_RANGE_ANY_LENGTH || wide->length == narrow->length);
}

/* A row behind one that holds all of its launches would never be used. */
static void no_cell_hides_behind_a_wider_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < time_range_cell_count; i++)
        for (size_t k = 0; k < i; k++)
            if (covers(&time_range_cells[k], &time_range_cells[i]))
                fail_msg("row %zu holds all of row %zu", k, i);
    const struct time_range_cell *last = &time_range_cells[time_range_cell_count - 1];
    assert_true(last->family == NULL && last->limiter == ANY_LIMITER &&
                last->length == TIME_RANGE_ANY_LENGTH);
}

static void orders_leave_no_gap(void **state)
{
    (void)state;
    for (size_t i = 0; i < time_order_count; i++) {
        const struct time_order *order = &time_orders[i];
        assert_true(order->least < order->below && order->in_order >= 0.5 && order->in_order <= 1);
        assert_true(order->pairs >= LEAST_LAUNCHES && order->kinds >= LEAST_KINDS);
        if (i)
            assert_true(order->least == order[-1].below);
    }
    assert_true(time_orders[0].least > 1 && isinf(time_orders[time_order_count - 1].below));
    assert_null(time_order_find("Hopper", time_orders[0].least - 0.001));
    assert_ptr_equal(time_order_find("Hopper", 1e9), &time_orders[time_order_count - 1]);
    assert_null(time_order_find("Tesla", 2));
}

/* ---- Which cell ------------------------------------------------------------------------------ */

/* How narrow: a limiter of its own counts more than a length, a family more than both. */
static int narrowness(const struct time_range_cell *cell)
{
    return 4 * (cell->family != NULL) + 2 * (cell->limiter < ANY_LIMITER) +
           (cell->length != TIME_RANGE_ANY_LENGTH);
}

static void a_launch_gets_the_narrowest_cell_that_fits(void **state)
{
    (void)state;
    unsigned own = 0, wider = 0;
    for (int limiter = 0; limiter < USE_COUNT; limiter++)
        for (enum time_range_length length = TIME_RANGE_SHORT; length <= TIME_RANGE_LONG;
             length++) {
            const struct time_range_cell wanted = {"Hopper", limiter, length, 0, 0, 0, 0};
            const struct time_range_cell *best = NULL;
            for (size_t i = 0; i < time_range_cell_count; i++)
                if (covers(&time_range_cells[i], &wanted) &&
                    (best == NULL || narrowness(&time_range_cells[i]) > narrowness(best)))
                    best = &time_range_cells[i];
            assert_ptr_equal(time_range_find("Hopper", (enum resource)limiter, length), best);
            own += best->limiter == limiter;
            wider += best->limiter >= ANY_LIMITER;
        }
    assert_true(own > 0 && wider > 0);
}

static void families_without_a_cell_get_the_one_of_all_or_none(void **state)
{
    (void)state;
    const struct time_range_cell *all = &time_range_cells[time_range_cell_count - 1];
    assert_ptr_equal(time_range_find("Tesla", USE_DRAM, TIME_RANGE_LONG), all);
    assert_ptr_equal(time_range_find("Fermi", USE_LATENCY, TIME_RANGE_SHORT), all);
    assert_null(time_range_find("Blackwell", USE_DRAM, TIME_RANGE_LONG));
    assert_null(time_range_find("Volta", USE_LATENCY, TIME_RANGE_SHORT));
    assert_string_equal(time_range_family("Hopper"), "Hopper");
    assert_null(time_range_family("Ada"));
}

/* ---- Runs ------------------------------------------------------------------------------------ */

enum { LAUNCHES = 2 };

static struct result_launch launches[LAUNCHES];
static struct usage usage;

/* A run of one launch for each of the times, limited by latency. */
static struct result run_of(const char *gpu, const uint64_t *ns, size_t count)
{
    struct result r = {.gpu = models_find(gpu), .usage = &usage, .launches = launches};
    arch_from_model(r.gpu, &r.arch);
    memset(launches, 0, sizeof launches);
    for (size_t i = 0; i < count; i++) {
        struct counters *c = &launches[i].counters;
        c->launches = 1;
        c->elapsed_ns = ns[i];
        c->elapsed_cycles = c->limited_latency_cycles = 2 * ns[i];
        counters_add(&r.total, c);
    }
    r.launch_count = count;
    return r;
}

/* As far as whole nanoseconds go, of up to two launches and a sample. */
static void assert_near(double got, double expected)
{
    if (fabs(got - expected) > 3)
        fail_msg("%.9g, expected %.9g", got, expected);
    assert_true(got == floor(got));
}

static void a_launch_has_the_range_of_its_cell(void **state)
{
    (void)state;
    const uint64_t times[] = {9999, 10000};
    for (size_t i = 0; i < 2; i++) {
        const struct result r = run_of("h200", &times[i], 1);
        const struct time_range range = time_range_of(&r);
        const struct time_range_cell *cell =
            time_range_find("Hopper", USE_LATENCY, i ? TIME_RANGE_LONG : TIME_RANGE_SHORT);
        assert_int_equal(range.state, TIME_RANGE_KNOWN);
        assert_ptr_equal(range.cell, cell);
        assert_near(range.low_ns, cell->low * (double)times[i]);
        assert_near(range.high_ns, cell->high * (double)times[i]);
    }
}

static void ranges_of_several_launches_are_added_up(void **state)
{
    (void)state;
    const uint64_t times[] = {5000, 50000};
    struct result r = run_of("h200", times, LAUNCHES);
    const struct time_range range = time_range_of(&r);
    const struct time_range_cell *brief = time_range_find("Hopper", USE_LATENCY, TIME_RANGE_SHORT),
                                 *full = time_range_find("Hopper", USE_LATENCY, TIME_RANGE_LONG);
    assert_int_equal(range.state, TIME_RANGE_KNOWN);
    assert_null(range.cell);
    assert_int_equal(range.launches, 2);
    assert_near(range.low_ns, 5000 * brief->low + 50000 * full->low);
    assert_near(range.high_ns, 5000 * brief->high + 50000 * full->high);
    r.launch_count = 1; /* the others are not kept one by one */
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_MANY_LAUNCHES);
    launches[1].counters.page_faults = 1;
    r.launch_count = 2;
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_PAGE_FAULTS);
}

static void a_sample_widens_the_range(void **state)
{
    (void)state;
    const uint64_t time = 50000;
    struct result r = run_of("h200", &time, 1);
    const struct time_range whole = time_range_of(&r);
    r.sampling.error_ticks = 0.1 * (double)r.total.elapsed_cycles * TICKS_PER_CYCLE;
    const struct time_range sample = time_range_of(&r);
    assert_near(sample.low_ns, 0.9 * whole.low_ns);
    assert_near(sample.high_ns, 1.1 * whole.high_ns);
}

static void what_nothing_was_measured_of_has_no_range(void **state)
{
    (void)state;
    const uint64_t time = 5000;
    struct result r = run_of("b200", &time, 1);
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_NO_FAMILY);
    r = run_of("h200", &time, 1);
    r.arch.l2_bytes /= 2;
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_CHANGED);
    r = run_of("h200", &time, 1);
    r.total.page_faults = 1;
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_PAGE_FAULTS);
    r = run_of("h200", &time, 1);
    r.usage = NULL;
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_UNTIMED);
    struct gpu_model own = *models_find("h200");
    own.base = "h200";
    r = run_of("h200", &time, 1);
    r.gpu = &own;
    assert_int_equal(time_range_of(&r).state, TIME_RANGE_CHANGED);
}

static void ranges_overlap_when_they_share_a_time(void **state)
{
    (void)state;
    const struct time_range a = {.state = TIME_RANGE_KNOWN, .low_ns = 10, .high_ns = 20},
                            b = {.state = TIME_RANGE_KNOWN, .low_ns = 20, .high_ns = 30},
                            c = {.state = TIME_RANGE_KNOWN, .low_ns = 21, .high_ns = 30},
                            none = {0};
    assert_true(time_ranges_overlap(&a, &b) && time_ranges_overlap(&b, &a));
    assert_false(time_ranges_overlap(&a, &c) || time_ranges_overlap(&c, &a));
    assert_false(time_ranges_overlap(&a, &none) || time_ranges_overlap(&none, &a));
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void assert_says(const struct time_range *range, const char *expected)
{
    struct text t;
    report_range(range, &t);
    assert_string_equal(t.s, expected);
}

static void reports_say_what_a_range_is_of(void **state)
{
    (void)state;
    const struct time_range_cell own = {"Hopper", USE_DRAM, TIME_RANGE_LONG, 0.8, 1.2, 1212, 30},
                                 family = {"Hopper", ANY_LIMITER, TIME_RANGE_SHORT, 1, 1, 30, 9},
                                 others = {"Hopper", OTHER_LIMITERS, TIME_RANGE_SHORT, 1, 1, 30, 9},
                                 all = {NULL, ANY_LIMITER, TIME_RANGE_ANY_LENGTH, 1, 1, 2000, 90};
    struct time_range range = {.state = TIME_RANGE_KNOWN,
                               .low_ns = 33000,
                               .high_ns = 1234567.8,
                               .cell = &own,
                               .family = "Hopper",
                               .launches = 1};
    assert_says(
        &range,
        "33 to 1,235 us in 80 % of cases (1,212 measured: Hopper, DRAM bandwidth, over 10 us)");
    range.cell = &family;
    assert_says(&range,
                "33 to 1,235 us in 80 % of cases (30 measured: Hopper, any limiter, under 10 us)");
    range.cell = &others;
    assert_says(
        &range,
        "33 to 1,235 us in 80 % of cases (30 measured: Hopper, other limiters, under 10 us)");
    range.cell = &all;
    range.family = "Tesla";
    char tesla[128];
    snprintf(tesla, sizeof tesla,
             "33 to 1,235 us in 80 %% of cases (2,000 measured: all families, %u of Tesla)",
             (unsigned)time_range_family_launches("Tesla"));
    assert_says(&range, tesla);
    range.cell = NULL;
    range.launches = 1000;
    assert_says(&range, "33 to 1,235 us: the ranges of 1,000 launches, added up");
    range = (struct time_range){.state = TIME_RANGE_NO_FAMILY, .family = "Blackwell"};
    assert_says(&range, "unknown: no launch was measured on Blackwell");
    range.state = TIME_RANGE_CHANGED;
    assert_says(&range, "unknown: no launch was measured on a GPU with these values");
    range.state = TIME_RANGE_UNTIMED;
    assert_says(&range, "");
}

static void an_overlap_says_how_often_such_a_lead_was_one(void **state)
{
    (void)state;
    const struct time_range a = {
        .state = TIME_RANGE_KNOWN, .low_ns = 10, .high_ns = 20, .family = "Hopper"};
    const struct time_range apart = {
        .state = TIME_RANGE_KNOWN, .low_ns = 21, .high_ns = 30, .family = "Hopper"};
    struct text t, expected;
    text_start(&t);
    report_add_overlap("both", &a, &apart, 1.3, &t);
    assert_string_equal(t.s, "");
    report_add_overlap("both", &a, &a, 0, &t);
    assert_string_equal(t.s,
                        " The ranges of both overlap: the model does not tell which is faster.");
    text_start(&t);
    text_start(&expected);
    report_add_overlap("the two fastest", &a, &a, 1.3, &t);
    text_add(&expected,
             " measured pairs whose modelled times are 1.2 to 1.5 times apart, %.0f %% were in "
             "that order.",
             100 * time_order_find("Hopper", 1.3)->in_order);
    static const char begin[] = " The ranges of the two fastest overlap: of ";
    assert_memory_equal(t.s, begin, sizeof begin - 1);
    assert_non_null(strstr(t.s, expected.s));
}

static void json_has_what_can_be_read_again(void **state)
{
    (void)state;
    const struct time_range range = {.state = TIME_RANGE_KNOWN,
                                     .low_ns = 33000.4,
                                     .high_ns = 48000,
                                     .cell =
                                         time_range_find("Hopper", USE_LAUNCH, TIME_RANGE_SHORT),
                                     .family = "Hopper",
                                     .launches = 1};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_true(report_range_json(&range, out));
    const struct time_range none = {.state = TIME_RANGE_NO_FAMILY, .family = "Ada"}, untimed = {0};
    fputc('\n', out);
    assert_true(report_range_json(&none, out));
    assert_false(report_range_json(&untimed, out));
    fclose(out);
    static const char begin[] =
        "\"time_range\":{\"low_ns\":33000,\"high_ns\":48000,\"percent\":80,\"family\":\"Hopper\"";
    assert_memory_equal(text, begin, sizeof begin - 1);
    assert_string_equal(strchr(text, '\n') + 1,
                        "\"time_range\":{\"unknown_since\":\"family_not_measured\"}");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_holds_the_modelled_time_and_has_enough_launches),
        cmocka_unit_test(no_cell_hides_behind_a_wider_one),
        cmocka_unit_test(orders_leave_no_gap),
        cmocka_unit_test(a_launch_gets_the_narrowest_cell_that_fits),
        cmocka_unit_test(families_without_a_cell_get_the_one_of_all_or_none),
        cmocka_unit_test(a_launch_has_the_range_of_its_cell),
        cmocka_unit_test(ranges_of_several_launches_are_added_up),
        cmocka_unit_test(a_sample_widens_the_range),
        cmocka_unit_test(what_nothing_was_measured_of_has_no_range),
        cmocka_unit_test(ranges_overlap_when_they_share_a_time),
        cmocka_unit_test(reports_say_what_a_range_is_of),
        cmocka_unit_test(an_overlap_says_how_often_such_a_lead_was_one),
        cmocka_unit_test(json_has_what_can_be_read_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
