/* diff.c - rows of a comparison. A kind of access has the counters of its group, and the
 * ratios made of those; a line with one kind alone has all of its counters.
 * Counters of the whole run that no line can have a part in are compared there alone. */
#include "gate/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool diff_start(struct diff *diff, const struct sheets *before, const struct sheets *after)
{
    *diff = (struct diff){0};
    if (!diff_match_runs(diff, before, after))
        return false;
    for (size_t i = 0; i < diff->count; i++)
        if (diff->pairs[i].before && diff->pairs[i].after && !diff_match_lines(&diff->pairs[i]))
            return false;
    return true;
}

void diff_free(struct diff *diff)
{
    for (size_t i = 0; i < diff->count; i++)
        free(diff->pairs[i].matches);
    free(diff->pairs);
    *diff = (struct diff){0};
}

bool diff_row_differs(const struct diff_row *row)
{
    if (!row->has_before || !row->has_after)
        return row->has_before != row->has_after;
    return row->before < row->after || row->before > row->after;
}

const char *diff_word(const struct diff_row *row)
{
    enum better better = quantity_better(&row->quantity);
    if (better == BETTER_NONE || !diff_row_differs(row) || !row->has_before || !row->has_after)
        return "";
    return (row->after > row->before) == (better == BETTER_HIGHER) ? "better" : "worse";
}

double diff_difference(const struct diff_row *row)
{
    return row->has_before && row->has_after ? row->after - row->before : (double)NAN;
}

double diff_ratio(const struct diff_row *row)
{
    bool has = row->has_before && row->has_after && row->before > 0;
    return has ? row->after / row->before : (double)NAN;
}

/* ---- Which quantities a spot has ------------------------------------------------------------------------ */

static bool is_of_kind(const struct counter_info *counter, const struct diff_spot *spot)
{
    static const struct {
        enum mem_space space;
        uint8_t op;
        enum counter_group group;
    } kinds[] = {
        {SPACE_GLOBAL, OP_LOAD, GROUP_GLOBAL_LOAD},
        {SPACE_GLOBAL, OP_LOAD, GROUP_READ_ONLY_LOAD},
        {SPACE_GLOBAL, OP_STORE, GROUP_GLOBAL_STORE},
        {SPACE_GLOBAL, OP_ATOMIC, GROUP_GLOBAL_ATOMIC},
        {SPACE_GLOBAL, WORD_COPY, GROUP_ASYNC_COPY},
        {SPACE_GLOBAL, WORD_BULK_LOAD, GROUP_BULK_LOAD},
        {SPACE_GLOBAL, WORD_BULK_STORE, GROUP_BULK_STORE},
        {SPACE_GLOBAL, WORD_BULK_REDUCTION, GROUP_BULK_REDUCTION},
        {SPACE_SHARED, OP_LOAD, GROUP_SHARED_LOAD},
        {SPACE_SHARED, OP_STORE, GROUP_SHARED_STORE},
        {SPACE_SHARED, OP_ATOMIC, GROUP_SHARED_ATOMIC},
        {SPACE_LOCAL, OP_LOAD, GROUP_LOCAL_LOAD},
        {SPACE_LOCAL, OP_STORE, GROUP_LOCAL_STORE},
        {SPACE_CONSTANT, OP_LOAD, GROUP_CONSTANT_LOAD},
        {SPACE_TEXTURE, OP_LOAD, GROUP_READ_ONLY_LOAD},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].space == spot->space && kinds[i].op == spot->op &&
            kinds[i].group == counter->group)
            return true;
    return false;
}

static bool has_quantity(const struct diff_spot *spot, const struct quantity *quantity)
{
    if (quantity_is_of_launches(quantity))
        return false;
    if (quantity->counter)
        return spot->is_whole_line || is_of_kind(quantity->counter, spot);
    const struct counter_info *counter;
    for (const char *at = quantity->expression; (counter = quantity_next_counter(&at)) != NULL;)
        if (!is_of_kind(counter, spot))
            return false;
    return true;
}

/* ---- Rows -------------------------------------------------------------------------------------------- */

struct sides {
    const struct counters *before, *after; /* NULL: nothing there */
    const struct diff_match *match;
    bool before_has_time, after_has_time;
};

static bool value_of(const struct quantity *quantity, const struct counters *c, bool has_time,
                     double *value)
{
    return c && (has_time || !quantity_is_of_time(quantity)) && quantity_value(quantity, c, value);
}

/* False when the row is of no interest: not of this spot, or nothing on either side. */
static bool make_row(const struct sides *sides, const struct quantity *quantity,
                     struct diff_row *row)
{
    const struct diff_match *match = sides->match;
    if (match && ((match->before.line && !has_quantity(&match->before, quantity)) ||
                  (match->after.line && !has_quantity(&match->after, quantity))))
        return false;
    *row = (struct diff_row){.quantity = *quantity};
    row->has_before = value_of(quantity, sides->before, sides->before_has_time, &row->before);
    row->has_after = value_of(quantity, sides->after, sides->after_has_time, &row->after);
    return row->has_before || row->has_after;
}

struct visit {
    const char *wanted;
    void *context;
    void (*take)(void *context, const struct diff_row *row);
    size_t left_out;
};

static void visit_quantity(struct visit *visit, const struct sides *sides,
                           const struct quantity *quantity)
{
    struct diff_row row;
    bool named = report_names_counters(visit->wanted);
    if (!make_row(sides, quantity, &row))
        return;
    bool is_wanted = named ? report_list_holds(visit->wanted, quantity->name)
                           : diff_row_differs(&row) && (visit->wanted || quantity_is_key(quantity));
    if (is_wanted)
        visit->take(visit->context, &row);
    else if (diff_row_differs(&row))
        visit->left_out++;
}

size_t diff_each_row(const struct diff_pair *pair, const struct diff_match *match,
                     const char *wanted, void *context,
                     void (*take)(void *context, const struct diff_row *row))
{
    struct visit visit = {.wanted = wanted, .context = context, .take = take};
    struct sides sides = {.before = &pair->before->run.total,
                          .after = &pair->after->run.total,
                          .match = match,
                          .before_has_time = sheet_has_time(pair->before),
                          .after_has_time = sheet_has_time(pair->after)};
    if (match) {
        sides.before = match->before.line ? &match->before.line->counters : NULL;
        sides.after = match->after.line ? &match->after.line->counters : NULL;
    }
    for (size_t i = 0; i < quantity_own_count(); i++) {
        struct quantity quantity = quantity_at(i);
        visit_quantity(&visit, &sides, &quantity);
    }
    return visit.left_out;
}

static void note_difference(void *context, const struct diff_row *row)
{
    bool *differs = context;
    *differs = *differs || diff_row_differs(row);
}

bool diff_differs(const struct diff *diff, const char *wanted)
{
    bool differs = false;
    for (size_t i = 0; i < diff->count && !differs; i++) {
        const struct diff_pair *pair = &diff->pairs[i];
        differs = pair->before == NULL || pair->after == NULL;
        if (!differs)
            diff_each_row(pair, NULL, wanted ? wanted : "all", &differs, note_difference);
        for (size_t m = 0; m < pair->match_count && !differs; m++)
            diff_each_row(pair, &pair->matches[m], wanted ? wanted : "all", &differs,
                          note_difference);
    }
    return differs;
}
