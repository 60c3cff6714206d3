/* time_range.c - which cell of time_ranges.def is a launch's, and what follows for a run.
 *
 * Decision. Ranges of several launches are added up, low to low and high to high: that is right where their times are off
 * together, as those of launches of one kernel are, and too wide where they are not.
 */
#include "result/time_range.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "text/text.h"

/* Of a cell that all limiters fall to which have none of their own: it is of all launches, or of theirs. */
enum { ANY_LIMITER = USE_COUNT, OTHER_LIMITERS };

const struct time_range_cell time_range_cells[] = {
#define ANY ANY_LIMITER
#define OTHERS OTHER_LIMITERS
#define ALL_FAMILIES NULL
#define LIMITED_BY(resource) USE_##resource
#define TIME_RANGE(family, limiter, length, low, high, launches, kinds)                            \
    {family, limiter, TIME_RANGE_##length, low, high, launches, kinds},
#include "result/time_ranges.def"
};
const size_t time_range_cell_count = sizeof time_range_cells / sizeof time_range_cells[0];

const struct time_order time_orders[] = {
#define TIME_ORDER(family, least, below, in_order, pairs, kinds)                                   \
    {family, least, below, in_order, pairs, kinds},
#include "result/time_ranges.def"
};
const size_t time_order_count = sizeof time_orders / sizeof time_orders[0];

/* Of these, times of kernels were measured or published. */
static const struct {
    const char *name;
    uint32_t launches;
} families[] = {
#define TIME_FAMILY(family, launches) {family, launches},
#include "result/time_ranges.def"
};

uint32_t time_range_family_launches(const char *family)
{
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].name, family) == 0)
            found = families[i].launches;
    return found;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

const char *time_range_family(const char *name)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i].name, name) == 0)
            return families[i].name;
    return NULL;
}

enum time_range_length time_range_length_of(uint64_t ns)
{
    return ns < TIME_RANGE_SHORT_BELOW_NS ? TIME_RANGE_SHORT : TIME_RANGE_LONG;
}

const struct time_range_cell *time_range_find(const char *family, enum resource limiter,
                                              enum time_range_length length)
{
    for (size_t i = 0; i < time_range_cell_count && time_range_family(family); i++) {
        const struct time_range_cell *cell = &time_range_cells[i];
        if ((cell->family == NULL || strcmp(cell->family, family) == 0) &&
            (cell->limiter >= ANY_LIMITER || cell->limiter == (int)limiter) &&
            (cell->length == TIME_RANGE_ANY_LENGTH || cell->length == length))
            return cell;
    }
    return NULL;
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static bool is_changed(const struct result *r)
{
    for (size_t i = 0; i < arch_field_count; i++)
        if (arch_get(&r->arch, &arch_fields[i]) != arch_model_value(r->gpu, &arch_fields[i])->value)
            return true;
    return r->gpu->base != NULL;
}

static struct time_range unknown(enum time_range_state state, const char *family)
{
    return (struct time_range){.state = state, .family = family};
}

/* Of counters of a launch on a GPU as it is. */
static struct time_range range_of(const char *family, const struct counters *c)
{
    enum resource limiter;
    if (!usage_limiter_counted(c, &limiter))
        return unknown(TIME_RANGE_UNTIMED, family);
    if (c->page_faults)
        return unknown(TIME_RANGE_PAGE_FAULTS, family);
    const struct time_range_cell *cell =
        time_range_find(family, limiter, time_range_length_of(c->elapsed_ns));
    if (cell == NULL)
        return unknown(TIME_RANGE_NO_FAMILY, family);
    return (struct time_range){.state = TIME_RANGE_KNOWN,
                               .low_ns = floor(cell->low * (double)c->elapsed_ns),
                               .high_ns = ceil(cell->high * (double)c->elapsed_ns),
                               .cell = cell,
                               .family = family,
                               .launches = 1};
}

struct time_range time_range_of_launch(const struct result *r, const struct counters *launch)
{
    const char *family = capability_find(r->arch.sm)->generation;
    if (r->usage == NULL)
        return unknown(TIME_RANGE_UNTIMED, family);
    return is_changed(r) ? unknown(TIME_RANGE_CHANGED, family) : range_of(family, launch);
}

static struct time_range added_up(const struct result *r)
{
    struct time_range sum = {.state = TIME_RANGE_KNOWN,
                             .family = capability_find(r->arch.sm)->generation};
    if (r->launch_count < r->total.launches)
        return unknown(TIME_RANGE_MANY_LAUNCHES, sum.family);
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct time_range one = range_of(sum.family, &r->launches[i].counters);
        if (one.state != TIME_RANGE_KNOWN)
            return one;
        sum.low_ns += one.low_ns;
        sum.high_ns += one.high_ns;
        sum.launches++;
    }
    return sum;
}

struct time_range time_range_of(const struct result *r)
{
    struct time_range range = time_range_of_launch(r, &r->total);
    if (range.state == TIME_RANGE_KNOWN && r->total.launches > 1)
        range = added_up(r);
    const double ticks = (double)r->total.elapsed_cycles * TICKS_PER_CYCLE;
    const double error = ticks > 0 ? fmin(r->sampling.error_ticks / ticks, 1) : 0;
    range.low_ns = floor(range.low_ns * (1 - error));
    range.high_ns = ceil(range.high_ns * (1 + error));
    return range;
}

bool time_ranges_overlap(const struct time_range *a, const struct time_range *b)
{
    return a->state == TIME_RANGE_KNOWN && b->state == TIME_RANGE_KNOWN &&
           a->low_ns <= b->high_ns && b->low_ns <= a->high_ns;
}

/* ---- Order ----------------------------------------------------------------------------------- */

const struct time_order *time_order_find(const char *family, double ratio)
{
    for (size_t i = 0; i < time_order_count; i++)
        if (strcmp(time_orders[i].family, family) == 0 && ratio >= time_orders[i].least &&
            ratio < time_orders[i].below)
            return &time_orders[i];
    return NULL;
}

/* ---- Words ----------------------------------------------------------------------------------- */

void time_range_add_cell(const struct time_range *range, struct text *t)
{
    const struct time_range_cell *cell = range->cell;
    static const char *const lengths[] = {
        [TIME_RANGE_SHORT] = ", under 10 us",
        [TIME_RANGE_LONG] = ", over 10 us",
        [TIME_RANGE_ANY_LENGTH] = "",
    };
    if (cell->family)
        text_add(t, "%s, %s%s", cell->family,
                 cell->limiter == ANY_LIMITER      ? "any limiter"
                 : cell->limiter == OTHER_LIMITERS ? "other limiters"
                                                   : usage_name((enum resource)cell->limiter),
                 lengths[cell->length]);
    else
        text_add(t, "all families%s, %" PRIu32 " of %s", lengths[cell->length],
                 time_range_family_launches(range->family), range->family);
}

const char *time_range_state_name(enum time_range_state state)
{
    static const char *const names[TIME_RANGE_STATES] = {
        [TIME_RANGE_KNOWN] = "known",
        [TIME_RANGE_UNTIMED] = "untimed",
        [TIME_RANGE_NO_FAMILY] = "family_not_measured",
        [TIME_RANGE_CHANGED] = "changed_gpu",
        [TIME_RANGE_PAGE_FAULTS] = "page_faults",
        [TIME_RANGE_MANY_LAUNCHES] = "many_launches",
    };
    return names[state];
}

void time_range_add_reason(const struct time_range *range, struct text *t)
{
    static const char *const reasons[TIME_RANGE_STATES] = {
        [TIME_RANGE_KNOWN] = "",
        [TIME_RANGE_UNTIMED] = "nothing was modelled in time",
        [TIME_RANGE_NO_FAMILY] = "no launch was measured on ",
        [TIME_RANGE_CHANGED] = "no launch was measured on a GPU with these values",
        [TIME_RANGE_PAGE_FAULTS] = "no launch with page faults was measured",
        [TIME_RANGE_MANY_LAUNCHES] = "too many launches to add up",
    };
    text_add(t, "%s%s", reasons[range->state],
             range->state == TIME_RANGE_NO_FAMILY ? range->family : "");
}
