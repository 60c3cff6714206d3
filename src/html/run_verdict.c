/* run_verdict.c - a table of rules, the first that holds speaks.
 *
 * A rule is a limiter, a condition and a sentence with {words} that stand for facts. What is inefficient is
 * named only where it goes through the resource that holds the kernel up: a bank conflict is not the reason
 * when DRAM is. Decision: what held the kernel up for less than 60 % of its time is told with what comes
 * next, and nothing is promised of a change.
 */
#include "html/run_verdict.h"

#include <string.h>

#include "figures/figure_frame.h"

static const double MOST_OF_THE_TIME = 0.6, NEARLY_ALWAYS = 0.8, WORTH_A_WORD = 0.2;

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

static bool leaves_sms_idle(const struct verdict_facts *f)
{
    const struct counters *c = &f->r->total;
    return c->blocks < c->launches * (uint64_t)f->r->arch.sm_count;
}

static bool has_few_warps(const struct verdict_facts *f)
{
    return 2 * f->r->total.resident_warp_cycles < f->r->total.warp_room_cycles;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

enum { ANY = -1, UNTIMED = -2 };

struct rule {
    int limiter; /* enum resource, ANY, or UNTIMED: without the model of time */
    bool (*holds)(const struct verdict_facts *);
    const char *sentence;
};

#define WASTE "{waster} move {wasted} sectors{where} where {ideal_sectors} would do"
#define MOST "{mover} move most{where}, {moved} of {total} sectors"
#define CONFLICT "{conflicted} take {passes} passes an access where {ideal_passes} would do"
#define WAITS "{held}: warps wait for answers{waiter}"

static const struct rule rules[] = {
    {UNTIMED, conflicts_most, "By the rules alone, bank conflicts cost most: " CONFLICT "."},
    {UNTIMED, wastes, "By the rules alone, layout costs most: " WASTE "."},
    {UNTIMED, always,
     "By the rules alone there is little to save: {excess} of the sectors are excessive."},
    {ANY, waits_for_pages,
     "Waits for managed memory: {faults} page faults take {fault_share} of the time; a prefetch "
     "moves pages before the kernel needs them."},
    {USE_PARTITION, camps,
     "{held}: {camper} go to one partition at a time (camping index {index})."},
    {USE_PARTITION, always, "{held}: the others have less to do (camping index {index})."},
    {USE_HOST, always, "{held}: {host_bytes} go to and from the host's memory."},
    {USE_SHARED, conflicts, "{held}: bank conflicts, " CONFLICT "."},
    {USE_SHARED, always, "{held}, hardly by bank conflicts: fewer or wider accesses would help."},
    {USE_LSU, conflicts_most, "{held}: " CONFLICT "."},
    {USE_LSU, wastes, "{held}: " WASTE "."},
    {USE_LSU, always, "{held}: fewer or wider memory instructions would help."},
    {USE_ISSUE, is_nearly_always, "{held}: memory keeps up with this kernel."},
    {USE_ISSUE, always, "{held}."},
    {USE_DRAM, wastes, "{held}, and {excess} of its sectors are excessive: " WASTE "."},
    {USE_DRAM, moves, "{held}: DRAM runs at {peak} of its peak, and " MOST "."},
    {USE_LATENCY, leaves_sms_idle, "{held}: {blocks} too few for {sm_count} SMs."},
    {USE_LATENCY, conflicts_most, WAITS ", and " CONFLICT "."},
    {USE_LATENCY, wastes, WAITS ", and " WASTE "."},
    {USE_LATENCY, has_few_warps,
     WAITS ", and with {occupancy} of the SMs' room for warps in use there are too few others to "
           "run meanwhile."},
    {USE_LATENCY, always, WAITS "; more loads under way at a time would help."},
    {ANY, wastes, "{held}: " WASTE "."},
    {ANY, moves, "{held}: " MOST "."},
    {ANY, always, "{held}."},
};

static size_t rule_that_holds(const struct verdict_facts *facts)
{
    const bool timed = facts->limits.first_share > 0;
    for (size_t i = 0;; i++) { /* the last one always holds */
        const int limiter = rules[i].limiter;
        if ((timed ? limiter == ANY || limiter == (int)facts->limits.first : limiter == UNTIMED) &&
            rules[i].holds(facts))
            return i;
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void put_percent(double share, FILE *out)
{
    fprintf(out, "%.*f %%", share > 0 && share < 0.1 ? 1 : 0, 100 * share);
}

static void put_part(const struct result_part *part, FILE *out)
{
    char text[FIGURE_TEXT_BYTES];
    fputs(figure_place(part->file, part->line, part->space, part->op, text), out);
}

static void put_amount(uint64_t amount, FILE *out)
{
    char text[REPORT_NUMBER_BYTES];
    fputs(figure_amount((double)amount, text), out);
}

/* A line that is to blame: "these" when the sentence has just named it as the one that waits. */
static void put_blamed(const struct verdict_facts *f, const struct result_part *part, FILE *out)
{
    if (f->limits.first == USE_LATENCY && part == f->waiter)
        fputs("these", out);
    else
        put_part(part, out);
}

/* Accesses whose passes report_amounts() adds up. */
static uint64_t requests_of_banks(const struct counters *c)
{
    return c->shared_load_requests + c->shared_store_requests + c->shared_atomic_requests +
           c->constant_load_requests;
}

/* "100 % of the time nothing is near its limit"; "45 % of the time ..., 30 % L2 is". */
static void put_latency(const struct verdict_limits *limits, bool mostly, FILE *out)
{
    put_percent(limits->first_share, out);
    fputs(" of the time nothing is near its limit", out);
    if (mostly || limits->second_share <= 0)
        return;
    fputs(", ", out);
    put_percent(limits->second_share, out);
    fprintf(out, " %s is", usage_words(limits->second));
}

/* "Held up by L2 71 % of the time"; "Held up most of all by L2 (39 % of the time), then by latency (30 %)". */
static void put_held_up(const struct verdict_limits *limits, FILE *out)
{
    const bool mostly = limits->first_share >= MOST_OF_THE_TIME;
    if (limits->first == USE_LATENCY) {
        put_latency(limits, mostly, out);
        return;
    }
    fprintf(out, "Held up %sby %s %s", mostly ? "" : "most of all ", usage_words(limits->first),
            mostly ? "" : "(");
    put_percent(limits->first_share, out);
    fprintf(out, " of the time%s", mostly ? "" : ")");
    if (mostly || limits->second_share <= 0)
        return;
    fprintf(out, ", then by %s (", usage_words(limits->second));
    put_percent(limits->second_share, out);
    fputc(')', out);
}

#define WORD(name) static void put_##name(const struct verdict_facts *f, FILE *out)
WORD(held)
{
    put_held_up(&f->limits, out);
}
WORD(waster)
{
    put_blamed(f, f->waster, out);
}
WORD(wasted)
{
    put_amount(f->level.sectors(&f->waster->counters), out);
}
WORD(ideal_sectors)
{
    put_amount(report_amounts(&f->waster->counters).ideal_sectors, out);
}
WORD(where)
{
    fputs(f->level.where, out);
}
WORD(mover)
{
    put_part(f->mover, out);
}
WORD(moved)
{
    put_amount(f->level.sectors(&f->mover->counters), out);
}
WORD(total)
{
    put_amount(f->level.total, out);
}
WORD(conflicted)
{
    put_blamed(f, f->conflicted, out);
}
WORD(passes)
{
    const struct counters *c = &f->conflicted->counters;
    fprintf(out, "%.3g", figure_share(report_amounts(c).passes, requests_of_banks(c)));
}
WORD(ideal_passes)
{
    const struct counters *c = &f->conflicted->counters;
    fprintf(out, "%.3g", figure_share(report_amounts(c).ideal_passes, requests_of_banks(c)));
}
WORD(waiter)
{
    if (f->waiter == NULL)
        return;
    fputs(", ", out);
    put_percent(figure_share(f->waiter->counters.stall_cycles, f->r->total.stall_cycles), out);
    fputs(" of it before ", out);
    put_part(f->waiter, out);
}
WORD(camper)
{
    put_part(f->camper, out);
}
WORD(index)
{
    fprintf(out, "%.1f", report_metric(&f->r->total, "camping_index"));
}
WORD(excess)
{
    put_percent(f->level.excess, out);
}
WORD(peak)
{
    const double peak = (double)f->r->arch.peak_megabytes_per_s / 1000;
    put_percent(peak > 0 ? report_metric(&f->r->total, "dram_bandwidth") / peak : 0, out);
}
WORD(faults)
{
    put_amount(f->r->total.page_faults, out);
}
WORD(fault_share)
{
    put_percent(figure_share(f->r->total.fault_group_ns, f->r->total.elapsed_ns), out);
}
WORD(host_bytes)
{
    char text[REPORT_NUMBER_BYTES];
    fputs(figure_bytes((double)(f->r->total.host_read_bytes + f->r->total.host_write_bytes), text),
          out);
}
WORD(blocks)
{
    const uint64_t blocks = f->r->total.blocks / f->r->total.launches;
    put_amount(blocks, out);
    fputs(blocks == 1 ? " block is" : " blocks are", out);
}
WORD(sm_count)
{
    put_amount((uint64_t)f->r->arch.sm_count, out);
}
WORD(occupancy)
{
    put_percent(figure_share(f->r->total.resident_warp_cycles, f->r->total.warp_room_cycles), out);
}
#undef WORD

static const struct word {
    const char *name;
    void (*put)(const struct verdict_facts *, FILE *);
} words[] = {
#define WORD(name)                                                                                 \
    {                                                                                              \
#name, put_##name                                                                          \
    }
    WORD(held),         WORD(waster),    WORD(wasted),      WORD(ideal_sectors), WORD(where),
    WORD(mover),        WORD(moved),     WORD(total),       WORD(conflicted),    WORD(passes),
    WORD(ideal_passes), WORD(waiter),    WORD(camper),      WORD(index),         WORD(excess),
    WORD(peak),         WORD(faults),    WORD(fault_share), WORD(host_bytes),    WORD(blocks),
    WORD(sm_count),     WORD(occupancy),
#undef WORD
};

static void put_word(const char *name, size_t length, const struct verdict_facts *facts, FILE *out)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
            words[i].put(facts, out);
}

void verdict_write(const struct verdict_facts *facts, FILE *out)
{
    for (const char *c = rules[rule_that_holds(facts)].sentence; *c; c++) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end) {
            put_word(c + 1, (size_t)(end - c - 1), facts, out);
            c = end;
        } else {
            fputc(*c, out);
        }
    }
}
