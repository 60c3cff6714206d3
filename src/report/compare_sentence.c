/* compare_sentence.c - a comparison in one sentence: what is fastest, and how much. Without the model of time, what moves
 * least: sectors and passes.
 *
 * Decision: times within 1 % of each other are equal, as for advice.
 */
#include "report/compare_sentence.h"

#include <string.h>

#include "report/amounts.h"
#include "report/ranges.h"

enum { NAMED = 3 /* that the best one is compared with */, GPUS_TOLD = 6 };

static const double EQUAL = 1.01;

struct contender {
    const char *name;
    double cost; /* ns, or sectors and passes */
    const struct report_entry *entry;
};

static bool is_timed(const struct report_entry *entries, size_t count)
{
    bool timed = true;
    for (size_t i = 0; i < count; i++)
        timed &= entries[i].error || entries[i].total.elapsed_ns > 0;
    return timed;
}

static double cost_of(const struct report_entry *entry, bool timed)
{
    const struct report_amounts a = report_amounts(&entry->total);
    return timed ? (double)entry->total.elapsed_ns : (double)(a.sectors + a.passes);
}

static void add_cost(struct text *t, double cost, bool timed)
{
    char number[REPORT_NUMBER_BYTES];
    text_add(t, "%s%s", report_rounded(timed ? cost / 1000 : cost, number), timed ? " us" : "");
}

/* "2.3 times as fast as b (6.3 us)"; "b takes 2.3 times as many (630)". `before`: what stands before a name: "on ". */
static void add_other(struct text *t, const struct contender *other, double ratio,
                      const char *before, bool timed)
{
    if (timed && ratio < EQUAL)
        text_add(t, "about as fast as %s%.60s", before, other->name);
    else if (timed)
        text_add(t, "%.3g times as fast as %s%.60s", ratio, before, other->name);
    else
        text_add(t, "%.60s takes %.3g times as many", other->name, ratio);
    text_add(t, " (");
    add_cost(t, other->cost, timed);
    text_add(t, ")");
}

/* The best of those that were not told; `count` when there is none. */
static size_t next_best(const struct contender *list, size_t count, const bool *told)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (!told[i] && (best == count || list[i].cost < list[best].cost))
            best = i;
    return best;
}

/* "2.1 us: 3 times as fast as a (6.3 us)". */
static void add_contest(struct text *t, const struct contender *list, size_t count,
                        const char *before, bool timed)
{
    bool told[COMPARE_CONTENDERS_MAX] = {false};
    const size_t best = next_best(list, count, told);
    told[best] = true;
    add_cost(t, list[best].cost, timed);
    text_add(t, "%s", timed ? "" : " sectors and passes");
    for (size_t n = 1; n < count; n++) {
        const size_t i = next_best(list, count, told);
        told[i] = true;
        if (n > NAMED) {
            text_add(t, ", and %zu more", count - n);
            return;
        }
        text_add(t, "%s", n == 1 ? ": " : ", ");
        add_other(t, &list[i], list[best].cost > 0 ? list[i].cost / list[best].cost : 1, before,
                  timed);
    }
}

static const char *best_name(const struct contender *list, size_t count)
{
    const bool told[COMPARE_CONTENDERS_MAX] = {false};
    return list[next_best(list, count, told)].name;
}

/* The entries of one line of the comparison: every `step`-th of `count` from the first on. */
static size_t gather(const struct report_entry *entries, size_t count, size_t step, bool by_gpu,
                     bool timed, struct contender list[COMPARE_CONTENDERS_MAX])
{
    size_t found = 0;
    for (size_t i = 0; i < count && found < COMPARE_CONTENDERS_MAX; i += step)
        if (entries[i].error == NULL)
            list[found++] = (struct contender){by_gpu ? entries[i].gpu : entries[i].label,
                                               cost_of(&entries[i], timed), &entries[i]};
    return found;
}

static void add_overlap(struct text *t, const struct contender *list, size_t count, bool by_gpu)
{
    bool told[COMPARE_CONTENDERS_MAX] = {false};
    const size_t best = next_best(list, count, told);
    told[best] = true;
    const struct contender *first = &list[best], *second = &list[next_best(list, count, told)];
    const double ratio = first->cost > 0 ? second->cost / first->cost : 1;
    if (ratio >= EQUAL)
        report_add_overlap(count > 2 ? "the two fastest" : "both", &first->entry->range,
                           &second->entry->range, by_gpu ? 0 : ratio, t);
}

/* One kernel under several GPUs, or several kernels under one. */
static void add_one(struct text *t, const struct report_entry *entries, size_t count, bool by_gpu,
                    bool timed)
{
    struct contender list[COMPARE_CONTENDERS_MAX];
    const size_t found = gather(entries, count, 1, by_gpu, timed, list);
    if (found < 2)
        return;
    if (by_gpu)
        text_add(t, "%.60s is fastest on %s, ", entries->label, best_name(list, found));
    else
        text_add(t, "%.60s %s, ", best_name(list, found), timed ? "is fastest" : "moves least");
    add_contest(t, list, found, by_gpu ? "on " : "", timed);
    text_add(t, ".");
    if (timed)
        add_overlap(t, list, found, by_gpu);
}

/* "Fastest: on gtx280 b (35 us), on h200 a (1.3 us)." */
static void add_many(struct text *t, const struct report_entry *entries, size_t count, size_t gpus,
                     bool timed)
{
    text_add(t, timed ? "Fastest: " : "Fewest sectors and passes: ");
    for (size_t gpu = 0; gpu < gpus && gpu < GPUS_TOLD; gpu++) {
        struct contender list[COMPARE_CONTENDERS_MAX];
        const bool none[COMPARE_CONTENDERS_MAX] = {false};
        const size_t found = gather(&entries[gpu], count - gpu, gpus, false, timed, list);
        if (found == 0)
            continue;
        const struct contender *best = &list[next_best(list, found, none)];
        text_add(t, "%son %s %.60s (", gpu ? ", " : "", entries[gpu].gpu, best->name);
        add_cost(t, best->cost, timed);
        text_add(t, ")");
    }
    text_add(t, "%s.", gpus > GPUS_TOLD ? ", ..." : "");
}

void compare_sentence(struct text *t, const struct report_entry *entries, size_t lines,
                      size_t columns, bool columns_are_gpus)
{
    const size_t count = lines * columns;
    const bool timed = is_timed(entries, count);
    text_start(t);
    if (lines > 1 && columns > 1)
        add_many(t, entries, count, columns, timed);
    else if (timed || !columns_are_gpus) /* rules of different GPUs count different things */
        add_one(t, entries, count, columns_are_gpus && columns > 1, timed);
}
