/* verdict.c - a table of rules, the first that holds speaks.
 *
 * A rule is a limiter, a condition, a sentence with {words} that stand for facts, the accesses that the sentence
 * is about, and the figure that shows it where the accesses do not tell. What is inefficient is named only
 * where it goes through the resource that holds the kernel up: a bank conflict is not the reason when DRAM is.
 * Nothing is promised of a change.
 */
#include "report/verdict_facts.h"

#include "report/report.h"
#include "sim/counters/quantity.h"

static const double NEARLY_ALWAYS = 0.8, WORTH_A_WORD = 0.2;

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool always(const struct verdict_facts *f)
{
    (void)f;
    return true;
}

static bool wastes(const struct verdict_facts *f)
{
    return f->waster && f->level.excess >= WORTH_A_WORD;
}

static bool moves(const struct verdict_facts *f)
{
    return f->mover != NULL;
}

static bool conflicts(const struct verdict_facts *f)
{
    return f->conflicted && f->ways >= 1 + WORTH_A_WORD;
}

static bool conflicts_most(const struct verdict_facts *f)
{
    return conflicts(f) && 1 - 1 / f->ways >= f->level.excess;
}

/* Whether warps wait for these accesses, or shared memory has its part in the time: a conflict that nobody waits
 * for is no reason for latency. */
static bool conflicts_delay(const struct verdict_facts *f)
{
    return conflicts_most(f) &&
           (report_share(f->conflicted->counters->stall_cycles, f->r->total.stall_cycles) >=
                WORTH_A_WORD ||
            (f->limits.second == USE_SHARED && f->limits.second_share >= WORTH_A_WORD));
}

static bool waits_for_atomics(const struct verdict_facts *f)
{
    return f->waited && f->waited->op == OP_ATOMIC &&
           2 * f->waited->counters->stall_cycles >= f->r->total.stall_cycles;
}

static bool waits_for_starts(const struct verdict_facts *f)
{
    return f->starts >= NEARLY_ALWAYS;
}

static bool camps(const struct verdict_facts *f)
{
    return f->camper != NULL;
}

static bool waits_for_pages(const struct verdict_facts *f)
{
    return 2 * f->r->total.fault_group_ns > f->r->total.elapsed_ns;
}

static bool is_nearly_always(const struct verdict_facts *f)
{
    return f->limits.first_share >= NEARLY_ALWAYS;
}

static bool is_mostly(const struct verdict_facts *f)
{
    return verdict_is_mostly(&f->limits);
}

static bool leaves_sms_idle(const struct verdict_facts *f)
{
    const struct counters *c = &f->r->total;
    const double room = (double)(c->launches * (uint64_t)f->r->arch.sm_count);
    return (double)c->blocks < (1 - WORTH_A_WORD) * room;
}

static bool has_few_warps(const struct verdict_facts *f)
{
    return 2 * f->r->total.resident_warp_cycles < f->r->total.warp_room_cycles;
}

/* ---- Figures --------------------------------------------------------------------------------- */

/* How well the words of such accesses fit into what is moved for them. */
static const char *figure_of_layout(const struct result_part *part)
{
    static const char *const global[OP_COUNT] = {[OP_LOAD] = "gld_efficiency",
                                                 [OP_STORE] = "gst_efficiency",
                                                 [OP_ATOMIC] = "global_atomic_efficiency"};
    if (part->space == SPACE_LOCAL)
        return part->op == OP_LOAD ? "local_load_sectors" : "local_store_sectors";
    if (part->space == SPACE_TEXTURE || part->counters->read_only_load_requests)
        return "read_only_load_efficiency";
    return global[part->op];
}

static const char *figure_of_banks(const struct result_part *part)
{
    return part->space == SPACE_CONSTANT ? "constant_passes_per_request" : "shared_conflict_ways";
}

/* ---- Rules ----------------------------------------------------------------------------------- */

enum { ANY = -1, UNTIMED = -2 };

/* Which of the facts' accesses a sentence is about, and the figure that shows it; NULL: how much of the time the
 * limiter held the kernel up. */
enum blamed { NOBODY, WASTER, MOVER, CONFLICTED, CAMPER, WAITED, PAGER, GUEST, BLAMED_COUNT };

static const struct result_part *accesses_of(const struct verdict_facts *f, enum blamed blamed)
{
    const struct result_part *const accesses[BLAMED_COUNT] = {
        [WASTER] = f->waster, [MOVER] = f->mover,   [CONFLICTED] = f->conflicted,
        [CAMPER] = f->camper, [WAITED] = f->waited, [PAGER] = f->pager,
        [GUEST] = f->guest};
    return accesses[blamed];
}

struct rule {
    int limiter; /* enum resource, ANY, or UNTIMED: without the model of time */
    bool (*holds)(const struct verdict_facts *);
    const char *sentence;
    enum blamed blamed;
    const char *figure; /* NULL: that of the blamed accesses */
};

#define WASTE "{waster} move {wasted} sectors{where} where {ideal_sectors} would do"
#define MOST "{mover} move most{where}, {moved} of {total} sectors"
#define CONFLICT "{conflicted} take {passes} passes an access where {ideal_passes} would do"
#define STARTS                                                                                     \
    "{held}: starting the {started}, one after another, takes {starts} of the time; fewer blocks " \
    "that do more each would help."
#define WAITS "{held}: warps wait for answers{waited}"

static const struct rule rules[] = {
    {UNTIMED, conflicts_most, "By the rules alone, bank conflicts cost most: " CONFLICT ".",
     CONFLICTED, NULL},
    {UNTIMED, wastes, "By the rules alone, layout costs most: " WASTE ".", WASTER, NULL},
    {UNTIMED, always,
     "By the rules alone there is little to save: {excess} of the sectors are excessive.", MOVER,
     NULL},
    {ANY, waits_for_pages,
     "Waits for managed memory: {faults} page faults take {fault_share} of the time; a prefetch "
     "moves pages before the kernel needs them.",
     PAGER, "page_faults"},
    {USE_PARTITION, camps,
     "{held}: {camper} go to one partition at a time (camping index {index}).", CAMPER,
     "camping_index"},
    {USE_PARTITION, always, "{held}: the others have less to do (camping index {index}).", NOBODY,
     "camping_index"},
    {USE_HOST, always, "{held}: {host_bytes} go to and from the host's memory.", GUEST,
     "host_bandwidth"},
    {USE_SHARED, conflicts, "{held}: bank conflicts, " CONFLICT ".", CONFLICTED, NULL},
    {USE_SHARED, always, "{held}, hardly by bank conflicts: fewer or wider accesses would help.",
     NOBODY, NULL},
    {USE_LSU, conflicts_most, "{held}: " CONFLICT ".", CONFLICTED, NULL},
    {USE_LSU, wastes, "{held}: " WASTE ".", WASTER, NULL},
    {USE_LSU, always, "{held}: fewer or wider memory instructions would help.", NOBODY, NULL},
    {USE_CONSTANT, conflicts, "{held}: " CONFLICT ".", CONFLICTED, NULL},
    {USE_CONSTANT, always, "{held}: fewer constant loads, or one address a warp, would help.",
     NOBODY, NULL},
    {USE_ISSUE, waits_for_starts, STARTS, NOBODY, "blocks"},
    {USE_ISSUE, is_nearly_always, "{held}: memory keeps up with this kernel.", NOBODY, NULL},
    {USE_ISSUE, is_mostly, "{held}: most of its time goes into instructions, not into memory.",
     NOBODY, NULL},
    {USE_ISSUE, always, "{held}.", NOBODY, NULL},
    {USE_DRAM, wastes, "{held}, and {excess} of its sectors are excessive: " WASTE ".", WASTER,
     NULL},
    {USE_DRAM, moves, "{held}: DRAM runs at {peak} of its peak, and " MOST ".", MOVER,
     "dram_bandwidth"},
    {USE_LAUNCH, always,
     "{held}: a launch takes {launch_time} besides what its threads do; fewer launches that do "
     "more each would help.",
     NOBODY, NULL},
    {USE_LATENCY, leaves_sms_idle, "{held}: {blocks} too few for {sm_count} SMs.", NOBODY,
     "blocks"},
    {USE_LATENCY, waits_for_starts, STARTS, NOBODY, "blocks"},
    {USE_LATENCY, waits_for_atomics, WAITS "; fewer atomics, one for a warp or block, would help.",
     WAITED, NULL},
    {USE_LATENCY, conflicts_delay, WAITS ", and " CONFLICT ".", CONFLICTED, NULL},
    {USE_LATENCY, wastes, WAITS ", and " WASTE ".", WASTER, NULL},
    {USE_LATENCY, has_few_warps,
     WAITS ", and with {occupancy} of the SMs' room for warps in use there are too few others to "
           "run meanwhile.",
     WAITED, "achieved_occupancy"},
    {USE_LATENCY, always, WAITS "; more loads under way at a time would help.", WAITED, NULL},
    {ANY, wastes, "{held}: " WASTE ".", WASTER, NULL},
    {ANY, moves, "{held}: " MOST ".", MOVER, NULL},
    {ANY, always, "{held}.", NOBODY, NULL},
};

static const struct rule *rule_that_holds(const struct verdict_facts *facts)
{
    const bool timed = facts->limits.first_share > 0;
    for (const struct rule *rule = rules;; rule++) /* the last one always holds */
        if ((timed ? rule->limiter == ANY || rule->limiter == (int)facts->limits.first
                   : rule->limiter == UNTIMED) &&
            rule->holds(facts))
            return rule;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static const char *figure_of(const struct rule *rule, const struct verdict *verdict)
{
    const struct result_part *accesses = verdict->accesses;
    if (rule->figure)
        return rule->figure;
    if (accesses && rule->blamed == CONFLICTED)
        return figure_of_banks(accesses);
    if (accesses && (rule->blamed == WASTER || !verdict->is_timed))
        return figure_of_layout(accesses);
    if (accesses && rule->blamed == WAITED)
        return "stall_cycles";
    return verdict->is_timed ? usage_ratio(verdict->limiter) : NULL;
}

/* Of the accesses, where single accesses have such a figure; of the whole run otherwise. */
static double value_of(const struct verdict *verdict, const struct result *r)
{
    struct quantity quantity;
    double value;
    if (verdict->figure == NULL || quantity_find(verdict->figure, 0, &quantity) != QUANTITY_FOUND)
        return 0;
    const bool is_of_all = verdict->accesses == NULL || quantity_is_of_launches(&quantity);
    return quantity_value(&quantity, is_of_all ? &r->total : verdict->accesses->counters, &value)
               ? value
               : 0;
}

void verdict_from_facts(struct verdict *verdict, const struct verdict_facts *facts)
{
    const struct rule *rule = rule_that_holds(facts);
    struct text sentence;
    *verdict = (struct verdict){.is_timed = facts->limits.first_share > 0,
                                .limiter = facts->limits.first,
                                .share = facts->limits.first_share,
                                .accesses = accesses_of(facts, rule->blamed)};
    verdict->figure = figure_of(rule, verdict);
    verdict->value = value_of(verdict, facts->r);
    text_start(&sentence);
    verdict_put_words(facts, rule->sentence, &sentence);
    snprintf(verdict->sentence, sizeof verdict->sentence, "%s", sentence.s);
}

void verdict_make(struct verdict *verdict, const struct result *r)
{
    const struct verdict_limits limits = verdict_limits_of(r);
    const struct verdict_facts facts = verdict_facts_of(r, &limits);
    verdict_from_facts(verdict, &facts);
}
