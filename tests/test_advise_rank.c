/* test_advise_rank.c - are changes that were tried ranked and worded as the document says: those that save
 * time first, a loss within the model's noise called "no time", remedies that do as well called equal?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/rank.h"

/* A remedy of the cause `cause` of the table. What was tried took 10,000 cycles and sectors before. */
struct outcome {
    size_t cause;
    const char *remedy;
    uint64_t cycles, sectors; /* after */
};

static void add_trial(struct round *round, const struct outcome *outcome)
{
    struct trial *trial = &round->trials[round->trial_count];
    trial->cause = &cause_table[outcome->cause];
    trial->object = NO_OBJECT;
    trial->order = round->trial_count++;
    trial->advice = (struct advice){
        .cause = trial->cause->name,
        .title = trial->cause->title,
        .remedy = outcome->remedy,
        .before = {.elapsed_cycles = 10000, .elapsed_ns = 10000, .global_load_sectors = 10000},
        .after = {.elapsed_cycles = outcome->cycles,
                  .elapsed_ns = outcome->cycles,
                  .global_load_sectors = outcome->sectors}};
}

static struct round *rank(const struct outcome *outcomes, size_t count)
{
    struct round *round = calloc(1, sizeof *round);
    for (size_t i = 0; i < count; i++)
        add_trial(round, &outcomes[i]);
    rank_trials(round);
    return round;
}

/* What the report says of them; to be freed. */
static char *words_of(const struct round *round)
{
    char *text = NULL;
    size_t bytes;
    struct advice advice[ADVICE_MAX];
    struct run_info info = {.kernel = (char[]){"k"}};
    struct gpu_model gpu = {.name = "gpu", .title = "GPU"};
    struct advice_report report = {
        .gpu = &gpu, .info = &info, .advice = advice, .advice_count = round->trial_count};
    for (size_t i = 0; i < round->trial_count; i++)
        advice[i] = round->trials[i].advice;
    FILE *out = open_memstream(&text, &bytes);
    advise_write_text(&report, 1, out);
    fclose(out);
    return text;
}

static void assert_says(const char *text, const char *words)
{
    if (text == NULL || strstr(text, words) == NULL)
        fail_msg("not said: '%s' in\n%s", words, text ? text : "nothing");
}

static void assert_order(const struct round *round, const char *first, const char *second)
{
    assert_int_equal(round->trial_count, 2);
    assert_string_equal(round->trials[0].advice.remedy, first);
    assert_string_equal(round->trials[1].advice.remedy, second);
}

static void time_comes_before_accesses(void **state)
{
    (void)state;
    /* Half a percent apart: equal but for the rules. */
    struct round *round =
        rank((struct outcome[]){{0, "all", 10020, 1000}, {1, "few", 9940, 8000}}, 2);
    assert_order(round, "few", "all");
    free(round);
    /* Both of one cause: the first one that saves time is the main one. */
    round = rank((struct outcome[]){{0, "all", 10020, 1000}, {0, "few", 9790, 8000}}, 2);
    assert_order(round, "few", "all");
    assert_true(round->trials[1].advice.is_alternative);
    free(round);
}

static void losses_within_noise_are_no_time(void **state)
{
    (void)state;
    struct round *round =
        rank((struct outcome[]){{0, "all", 10080, 1000}, {1, "none", 10120, 1000}}, 2);
    assert_int_equal(round->trial_count, 1); /* the other one is a loss */
    char *text = words_of(round);
    assert_says(text, ": fewer accesses, no time saved.");
    assert_says(text, "all     all    no time  10 -> 10.08");
    assert_null(strstr(text, "-0.8"));
    free(text);
    free(round);
}

static void equals_are_called_so(void **state)
{
    (void)state;
    struct round *round = rank((struct outcome[]){{0, "first", 8000, 8000},
                                                  {0, "second", 7600, 8000},
                                                  {0, "third", 9000, 8000}},
                               3);
    char *text = words_of(round);
    assert_says(text, "first   all    20.0 %  10 -> 8");
    assert_says(text, "  or, about equal: second\n");
    assert_says(text, "  or third\n");
    free(text);
    free(round);
    /* More than 5 % of the time apart. */
    round = rank((struct outcome[]){{0, "first", 8000, 8000}, {0, "second", 7400, 8000}}, 2);
    assert_order(round, "second", "first");
    text = words_of(round);
    assert_null(strstr(text, "about equal"));
    free(text);
    free(round);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_comes_before_accesses),
        cmocka_unit_test(losses_within_noise_are_no_time),
        cmocka_unit_test(equals_are_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
