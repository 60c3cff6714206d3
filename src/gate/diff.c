/* diff.c - rows of a comparison. A kind of access has the counters with its name in front
 * (global_load_...), and the ratios made of those; a line with one kind alone has all of its counters.
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
    enum better better = figure_better(&row->figure);
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

/* ---- Which figures a spot has ------------------------------------------------------------------------ */

static bool begins_with(const char *text, const char *space, const char *op)
{
    char kind[32];
    int length = snprintf(kind, sizeof kind, "%s_%s_", space, op);
    return strncmp(text, kind, (size_t)length) == 0;
}

static bool is_of_kind(const struct counter_info *counter, const struct diff_spot *spot)
{
    const char *op = report_op_name((enum mem_op)spot->op);
    if (begins_with(counter->name, report_space_name((enum mem_space)spot->space), op))
        return true;
    return (spot->space == SPACE_GLOBAL || spot->space == SPACE_TEXTURE) &&
           begins_with(counter->name, "read_only", op);
}

static bool has_figure(const struct diff_spot *spot, const struct figure *figure)
{
    if (figure_is_of_launches(figure))
        return false;
    if (figure->counter)
        return spot->is_whole_line || is_of_kind(figure->counter, spot);
    const struct counter_info *counter;
    for (const char *at = figure->expression; (counter = figure_next_counter(&at)) != NULL;)
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

static bool value_of(const struct figure *figure, const struct counters *c, bool has_time,
                     double *value)
{
    return c && (has_time || !figure_is_of_time(figure)) && figure_value(figure, c, value);
}

/* False when the row is of no interest: not of this spot, or nothing on either side. */
static bool make_row(const struct sides *sides, const struct figure *figure, struct diff_row *row)
{
    const struct diff_match *match = sides->match;
    if (match && ((match->before.line && !has_figure(&match->before, figure)) ||
                  (match->after.line && !has_figure(&match->after, figure))))
        return false;
    *row = (struct diff_row){.figure = *figure};
    row->has_before = value_of(figure, sides->before, sides->before_has_time, &row->before);
    row->has_after = value_of(figure, sides->after, sides->after_has_time, &row->after);
    return row->has_before || row->has_after;
}

struct visit {
    const char *wanted;
    void *context;
    void (*take)(void *context, const struct diff_row *row);
    size_t left_out;
};

static void visit_figure(struct visit *visit, const struct sides *sides,
                         const struct figure *figure)
{
    struct diff_row row;
    bool named = visit->wanted && strcmp(visit->wanted, "all") != 0;
    if (!make_row(sides, figure, &row))
        return;
    bool is_wanted =
        named ? report_list_holds(visit->wanted, figure->name)
              : diff_row_differs(&row) && (visit->wanted || report_is_key_row(figure->name));
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
    for (size_t i = 0; i < counter_count; i++) {
        struct figure figure = figure_of_counter(i);
        visit_figure(&visit, &sides, &figure);
    }
    for (size_t i = 0; i < metric_count; i++) {
        struct figure figure = figure_of_metric(i);
        visit_figure(&visit, &sides, &figure);
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
