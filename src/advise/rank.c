/* rank.c - trials -> advice, best first.
 *
 * Decisions. Time comes first; times within a hundredth of each other are equal, since the model is not
 * better than that, and then what the rules count decides, then the order of the table. Of the
 * remedies for one cause the first is the main one, unless another saves 5 % of the time more. A change
 * is worth saying when it saves 2 % of the time, or a tenth of what the rules count at a time that is
 * equal; some changes must save more to be worth their trouble. One that saves no time stands behind all that save some, whatever the rules count.
 */
#include "advise/rank.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

static const double worth_time = 0.02, worth_rules = 0.10, same_time = 0.01, simpler = 0.05;
static const double least_time = 0.005; /* less would be printed as "0 %" of the time */

double advice_time_saved(const struct advice *advice)
{
    const double before = (double)advice->before.elapsed_cycles;
    return before > 0 ? (before - (double)advice->after.elapsed_cycles) / before : 0;
}

bool advice_saves_time(const struct advice *advice)
{
    return advice_time_saved(advice) >= least_time;
}

bool advice_is_about_equal(const struct advice *a, const struct advice *b)
{
    const double time = advice_time_saved(a) - advice_time_saved(b);
    return advice_saves_time(a) == advice_saves_time(b) && time <= simpler && time >= -simpler;
}

uint64_t advice_rule_cost(const struct counters *c)
{
    return c->global_load_transactions + c->global_store_transactions +
           c->global_atomic_transactions + c->global_load_sectors + c->global_store_sectors +
           c->global_atomic_sectors + c->read_only_load_sectors + c->local_load_sectors +
           c->local_store_sectors + c->shared_load_passes + c->shared_store_passes +
           c->shared_atomic_passes + c->constant_load_passes;
}

static double rules_saved(const struct advice *advice)
{
    const double before = (double)advice_rule_cost(&advice->before);
    return before > 0 ? (before - (double)advice_rule_cost(&advice->after)) / before : 0;
}

static bool is_worth(const struct trial *trial)
{
    const double time = advice_time_saved(&trial->advice);
    if (trial->least_saved > 0)
        return time >= trial->least_saved;
    return time >= worth_time || (time >= -same_time && rules_saved(&trial->advice) >= worth_rules);
}

/* Whether the times that two changes leave differ by more than the model's noise. */
static bool times_differ(const struct advice *a, const struct advice *b)
{
    const double first = (double)a->after.elapsed_cycles, second = (double)b->after.elapsed_cycles;
    return first < second ? second - first > same_time * second
                          : first - second > same_time * first;
}

/* How much better a is than b: above 0 when it is. */
static double better_by(const struct trial *a, const struct trial *b)
{
    const double time = advice_time_saved(&a->advice) - advice_time_saved(&b->advice);
    const double rules = rules_saved(&a->advice) - rules_saved(&b->advice);
    if (times_differ(&a->advice, &b->advice) ||
        advice_saves_time(&a->advice) != advice_saves_time(&b->advice))
        return time;
    return rules != 0 ? rules : a->order < b->order ? 1 : -1;
}

static bool is_one_topic(const struct trial *a, const struct trial *b)
{
    const struct regrouping *first = &a->change.regrouping, *second = &b->change.regrouping;
    return a->cause == b->cause && a->object == b->object &&
           (first->kind == REGROUP_NONE || second->kind == REGROUP_NONE ||
            regrouping_is_of_same(first, second));
}

static bool is_same_remedy(const struct trial *a, const struct trial *b)
{
    return is_one_topic(a, b) && strcmp(a->advice.remedy, b->advice.remedy) == 0;
}

static void drop(struct round *round, size_t i)
{
    change_free(&round->trials[i].change);
    round->trial_count--;
    for (; i < round->trial_count; i++)
        round->trials[i] = round->trials[i + 1];
}

/* Of the variants of one remedy that were run in time only the best stays. */
static void drop_variants(struct round *round)
{
    for (size_t i = 0; i < round->trial_count; i++)
        for (size_t k = round->trial_count; k-- > 0;)
            if (k != i && is_same_remedy(&round->trials[i], &round->trials[k]) &&
                better_by(&round->trials[i], &round->trials[k]) > 0) {
                drop(round, k);
                i -= k < i;
            }
}

static void drop_worthless(struct round *round)
{
    for (size_t i = round->trial_count; i-- > 0;)
        if (!is_worth(&round->trials[i]))
            drop(round, i);
}

static bool is_clearly_better(const struct advice *a, const struct advice *b)
{
    return advice_time_saved(a) > advice_time_saved(b) && !advice_is_about_equal(a, b);
}

/* The first trial of the topic, unless another one saves clearly more time. */
static size_t main_of(const struct round *round, const struct trial *topic)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < round->trial_count; i++) {
        const struct trial *trial = &round->trials[i];
        if (!is_one_topic(trial, topic))
            continue;
        if (best == SIZE_MAX || is_clearly_better(&trial->advice, &round->trials[best].advice))
            best = i;
    }
    return best;
}

/* Whether trial a comes before b: by their topics' main trials, and within a topic the main one first. */
static bool is_before(const struct round *round, const struct trial *a, const struct trial *b)
{
    const struct trial *first = &round->trials[main_of(round, a)];
    const struct trial *second = &round->trials[main_of(round, b)];
    if (first != second)
        return better_by(first, second) > 0;
    return a == first || (b != first && better_by(a, b) > 0);
}

/* Puts trial i among the first `count` of the order. */
static void insert(const struct round *round, size_t order[ADVICE_MAX], size_t count, size_t i)
{
    size_t at = count;
    while (at > 0 && is_before(round, &round->trials[i], &round->trials[order[at - 1]])) {
        order[at] = order[at - 1];
        at--;
    }
    order[at] = i;
}

void rank_make_room(struct round *round)
{
    drop_variants(round);
    drop_worthless(round);
}

void rank_trials(struct round *round)
{
    size_t order[ADVICE_MAX];
    struct trial *sorted = memory_take(ADVICE_MAX, sizeof *sorted);
    rank_make_room(round);
    for (size_t i = 0; sorted && i < round->trial_count; i++) {
        round->trials[i].advice.is_alternative = main_of(round, &round->trials[i]) != i;
        insert(round, order, i, i);
    }
    for (size_t i = 0; sorted && i < round->trial_count; i++)
        sorted[i] = round->trials[order[i]];
    if (sorted)
        memcpy(round->trials, sorted, round->trial_count * sizeof *sorted);
    free(sorted);
}
