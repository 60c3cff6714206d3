/* headline.c - that there is no waste is said only where it is so. */
#include "advise/headline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "advise/causes.h"
#include "advise/excess.h"
#include "advise/words.h"

enum { EXCESS_NAMED = 3 };

/* How many lines waste something; false when memory is short. */
static bool count_waste(const struct advice_report *r, size_t *count)
{
    struct excess *list = r->result.info ? excess_find(&r->result, count) : NULL;
    const bool is_known = list != NULL;
    free(list);
    return is_known;
}

void headline_write(char text[ADVICE_TEXT_BYTES], const struct advice_report *r)
{
    size_t count = 0;
    if (r->refusal[0]) {
        snprintf(text, ADVICE_TEXT_BYTES, "No advice: %.300s.", r->refusal);
        return;
    }
    if (r->advice_count) {
        words_headline(text, &r->advice[0]);
        return;
    }
    const bool is_known = count_waste(r, &count);
    snprintf(text, ADVICE_TEXT_BYTES,
             "%s: no change that was tried, if any, saves 2 %% of the time%s.",
             !is_known || count ? "No cure was found" : "Nothing worth changing was found",
             r->untried_count ? "; see below for what was not tried" : "");
}

static void add_excess(struct text *t, const struct excess *e)
{
    const bool is_shared = e->site->space == SPACE_SHARED;
    text_add(t, "%.100s",
             e->site->array[0] ? e->site->array
             : is_shared       ? "shared memory"
                               : "global memory");
    if (e->site->line)
        text_add(t, " (%.100s:%" PRIu32 ")", e->site->file, e->site->line);
    text_add(t,
             is_shared ? " takes %.1f x the passes it needs"
                       : " moves %.1f x the sectors that hold its words",
             e->ideal ? (double)e->moved / (double)e->ideal : 1.0);
}

static void add_all_excess(struct text *t, const struct excess *list, size_t count)
{
    for (size_t i = 0; i < count && i < EXCESS_NAMED; i++) {
        text_add(t, "%s", i == 0 ? "" : ", ");
        add_excess(t, &list[i]);
    }
    if (count > EXCESS_NAMED)
        text_add(t, ", and %zu place%s more", count - EXCESS_NAMED,
                 count - EXCESS_NAMED > 1 ? "s" : "");
}

void headline_add_waste(struct text *t, const struct advice_report *r)
{
    size_t count = 0;
    struct excess *list = NULL;
    if (r->advice_count == 0 && r->result.info)
        list = excess_find(&r->result, &count);
    if (list && count) {
        text_add(t, "But there is waste: ");
        add_all_excess(t, list, count);
        text_add(t, ". Looked for: ");
        for (size_t i = 0; i < cause_count; i++)
            text_add(t, "%s%s", i == 0 ? "" : ", ", cause_table[i].title);
        text_add(t, ".");
    } else if (list) {
        text_add(t, "No access to global memory moves more than 1.5 x the sectors that hold its "
                    "words, none to shared memory has bank conflicts.");
    }
    free(list);
}
