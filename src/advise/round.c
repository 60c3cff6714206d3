/* round.c - candidates -> by the rules, the best variant for each array -> together, in time -> ranked
 * trials (rank.c).
 */
#include "advise/round.h"

#include <stdlib.h>
#include <string.h>

#include "advise/rank.h"
#include "advise/words.h"
#include "text/memory.h"
#include "text/progress.h"

/* The round's candidates while they are tried. */
struct tries {
    struct round *round;
    struct findings findings;
    bool kept[CANDIDATES_MAX], done[CANDIDATES_MAX];
    uint64_t base_cost;
    uint32_t number; /* of the round */
    size_t all;      /* candidates to be done, in the rules or in time */
};

static const char no_memory[] = "no memory for what is tried";

/* ---- Finding --------------------------------------------------------------------------------- */

static bool sum_by_object(struct findings *f)
{
    const struct result *result = f->result;
    f->by_object = memory_take(f->observed->object_count + 1, sizeof *f->by_object);
    for (size_t site = 0; f->by_object && site < result->site_count; site++) {
        const uint16_t object = observed_object(f->observed, (uint32_t)site);
        if (object != NO_OBJECT)
            counters_add(&f->by_object[object], &result->sites[site]);
    }
    return f->by_object != NULL;
}

static bool plan_has_order(const struct plan *plan)
{
    bool has = false;
    for (size_t i = 0; i < plan->count; i++)
        has |= plan->changes[i]->order.of || plan->changes[i]->regrouping.kind != REGROUP_NONE;
    return has;
}

static bool plan_has_warp_sums(const struct plan *plan)
{
    bool has = false;
    for (size_t i = 0; i < plan->count; i++)
        for (size_t k = 0; k < plan->changes[i]->map_count; k++)
            has |= plan->changes[i]->maps[k].kind == MAP_WARP_SUM;
    return has;
}

static bool find_all(struct tries *t)
{
    struct round *round = t->round;
    struct findings *f = &t->findings;
    *f = (struct findings){.observed = &round->observed,
                           .result = &round->result,
                           .has_order = plan_has_order(round->plan),
                           .has_warp_sums = plan_has_warp_sums(round->plan),
                           .is_whole = round->measure->spool->blocks_dropped == 0,
                           .untried = round->untried};
    f->candidates = memory_take(CANDIDATES_MAX, sizeof *f->candidates);
    if (f->candidates == NULL || !sum_by_object(f))
        return false;
    for (size_t i = 0; i < cause_count; i++) {
        f->cause = &cause_table[i];
        f->cause->find(f);
    }
    round->untried_count = f->untried_count;
    return true;
}

/* ---- Changes --------------------------------------------------------------------------------- */

static void change_add(struct change *change, const struct candidate *c)
{
    if (c->object != NO_OBJECT && c->map.kind != MAP_KEEP)
        change->maps[c->object] = c->map;
    if (c->staging.object != NO_OBJECT)
        change->staging = c->staging;
    if (c->order.of)
        change->order = c->order;
    if (c->regrouping.kind != REGROUP_NONE)
        change->regrouping = c->regrouping;
}

/* Runs the changed program. NULL, or what went wrong. */
static const char *run_changed(struct tries *t, const struct change *change, bool rules_only,
                               struct result *result)
{
    struct plan plan = *t->round->plan;
    plan.changes[plan.count] = change;
    plan.observed[plan.count++] = &t->round->observed;
    t->round->runs++;
    return measure_run(t->round->measure, &plan, rules_only, result);
}

/* What the rules alone say of one candidate; UINT64_MAX when it cannot run, as when shared memory does
 * not suffice. */
static bool rule_cost_of(struct tries *t, const struct candidate *c, uint64_t *cost)
{
    struct change change;
    struct result result;
    *cost = UINT64_MAX;
    if (!change_start(&change, &t->round->observed))
        return false;
    change_add(&change, c);
    change_place(&change, &t->round->observed);
    if (run_changed(t, &change, true, &result) == NULL) {
        *cost = advice_rule_cost(&result.total);
        results_free(&result, 1);
    }
    change_free(&change);
    return true;
}

/* `how`: "by the rules", or "in time". */
static void say_tried(const struct tries *t, const char *how)
{
    char note[96];
    size_t done = 0;
    for (size_t i = 0; i < t->findings.count; i++)
        done += t->done[i];
    snprintf(note, sizeof note, "tried %zu of %zu changes %s on %.40s", done, t->all, how,
             t->round->measure->gpu->model->name);
    progress_note(note);
}

/* ---- By the rules ---------------------------------------------------------------------------- */

static bool is_variant(const struct candidate *a, const struct candidate *b)
{
    return a->cause == b->cause && a->object == b->object && strcmp(a->remedy, b->remedy) == 0;
}

/* Keeps the variant of candidate `first` that costs least, if that is less than now. */
static bool keep_best_variant(struct tries *t, size_t first)
{
    const struct candidate *list = t->findings.candidates;
    uint64_t best = t->base_cost, cost;
    size_t kept = SIZE_MAX;
    for (size_t i = first; i < t->findings.count; i++) {
        if (!is_variant(&list[i], &list[first]))
            continue;
        say_tried(t, "by the rules");
        t->done[i] = true;
        if (!rule_cost_of(t, &list[i], &cost))
            return false;
        kept = cost < best ? i : kept;
        best = cost < best ? cost : best;
    }
    if (kept != SIZE_MAX)
        t->kept[kept] = true;
    return true;
}

static bool keep_by_rules(struct tries *t)
{
    t->base_cost = advice_rule_cost(&t->round->result.total);
    for (size_t i = 0; i < t->findings.count; i++)
        t->all += !t->findings.candidates[i].needs_time;
    for (size_t i = 0; i < t->findings.count; i++) {
        const struct candidate *c = &t->findings.candidates[i];
        uint64_t cost = 0;
        if (c->needs_time && c->must_save && !rule_cost_of(t, c, &cost))
            return false;
        if (c->needs_time)
            t->kept[i] = cost <= t->base_cost;
        else if (!t->done[i] && !keep_best_variant(t, i))
            return false;
    }
    memset(t->done, 0, sizeof t->done);
    return true;
}

/* ---- In time --------------------------------------------------------------------------------- */

/* Whether two kept candidates are parts of one change. */
static bool goes_with(const struct candidate *a, const struct candidate *b)
{
    if (a == b)
        return true;
    return a->cause == b->cause && strcmp(a->remedy, b->remedy) == 0 && !a->is_alone &&
           !b->is_alone && (!a->needs_time || a->variant == b->variant);
}

static void fill_trial(struct tries *t, struct trial *trial, size_t first,
                       const struct result *after)
{
    const struct round *round = t->round;
    const struct candidate *c = &t->findings.candidates[first];
    struct advice *advice = &trial->advice;
    trial->cause = c->cause;
    trial->least_saved = c->least_saved;
    trial->object = c->is_alone ? c->object : NO_OBJECT;
    trial->order = (size_t)(c->cause - cause_table) * CANDIDATES_MAX + first;
    advice->cause = c->cause->name;
    advice->title = c->cause->title;
    advice->remedy = c->remedy;
    advice->round = t->number;
    advice->before = round->result.total;
    advice->after = after->total;
    advice->shared_bytes_more =
        (int64_t)(trial->change.shared_growth + trial->change.staging.tile_bytes);
    advice->global_bytes_more = change_global_growth(&trial->change, &round->observed);
    words_cost(advice, c->cost);
}

/* Makes one change of a candidate and those that go with it, and runs it. */
static bool try_in_time(struct tries *t, size_t first)
{
    struct round *round = t->round;
    struct trial *trial = &round->trials[round->trial_count];
    const struct candidate *list = t->findings.candidates;
    const struct candidate *members[OBJECTS_MAX];
    size_t count = 0;
    struct result after;
    *trial = (struct trial){0};
    if (!change_start(&trial->change, &round->observed))
        return false;
    for (size_t i = first; i < t->findings.count; i++) {
        if (!t->kept[i] || !goes_with(&list[first], &list[i]))
            continue;
        t->done[i] = true;
        change_add(&trial->change, &list[i]);
        if (count < OBJECTS_MAX)
            members[count++] = &list[i];
    }
    words_fill(&trial->advice, &round->observed, members, count);
    change_place(&trial->change, &round->observed);
    if (run_changed(t, &trial->change, false, &after) != NULL) {
        change_free(&trial->change);
        return true;
    }
    fill_trial(t, trial, first, &after);
    results_free(&after, 1);
    round->trial_count++;
    return true;
}

static bool try_all(struct tries *t)
{
    t->all = 0;
    for (size_t i = 0; i < t->findings.count; i++)
        t->all += t->kept[i];
    for (size_t i = 0; i < t->findings.count && t->round->trial_count < ADVICE_MAX; i++) {
        say_tried(t, "in time");
        if (t->kept[i] && !t->done[i] && !try_in_time(t, i))
            return false;
        if (t->round->trial_count == ADVICE_MAX)
            rank_make_room(t->round);
    }
    return true;
}

/* ---- A round --------------------------------------------------------------------------------- */

static const char *round_try(struct round *round, uint32_t number)
{
    struct tries *t = memory_take(1, sizeof *t);
    bool fine = t != NULL;
    if (fine) {
        t->round = round;
        t->number = number;
        fine = find_all(t) && keep_by_rules(t) && try_all(t);
        free(t->findings.candidates);
        free(t->findings.by_object);
    }
    free(t);
    if (!fine)
        return no_memory;
    rank_trials(round);
    return NULL;
}

const char *round_run(struct round *round, struct measure *measure, const struct plan *plan,
                      uint32_t number)
{
    *round = (struct round){.measure = measure, .plan = plan};
    const char *error = measure_run(measure, plan, false, &round->result);
    if (error)
        return error;
    round->has_result = true;
    if (!plan_observe(plan, measure->spool, &round->observed))
        return measure->spool->message[0] ? measure->spool->message : no_memory;
    round->has_observed = true;
    return round_try(round, number);
}

void round_free(struct round *round)
{
    for (size_t i = 0; i < round->trial_count; i++)
        change_free(&round->trials[i].change);
    if (round->has_observed)
        observed_free(&round->observed);
    if (round->has_result)
        results_free(&round->result, 1);
    *round = (struct round){0};
}
