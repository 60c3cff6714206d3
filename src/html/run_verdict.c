/* run_verdict.c - a table of rules, the first that holds speaks.
 *
 * A rule is a limiter, a condition and a sentence with {words} that stand for facts. What is inefficient is
 * named only where it goes through the resource that holds the kernel up: a bank conflict is not the reason
 * when DRAM is.
 */
#include "html/run_verdict.h"

#include <string.h>

#include "figures/figure_parts.h"

/* ---- Facts ----------------------------------------------------------------------------------- */

static uint64_t excess_sectors(const struct counters *c)
{
    const struct report_amounts a = report_amounts(c);
    return a.sectors > a.ideal_sectors ? a.sectors - a.ideal_sectors : 0;
}

static uint64_t excess_passes(const struct counters *c)
{
    const struct report_amounts a = report_amounts(c);
    return a.passes > a.ideal_passes ? a.passes - a.ideal_passes : 0;
}

static uint64_t camped(const struct counters *c)
{
    return c->camped_bytes;
}

/* The line with most of something; NULL when all have none. */
static const struct result_part *line_with_most(const struct result *r,
                                                uint64_t (*amount)(const struct counters *))
{
    const struct result_part *most = NULL;
    for (size_t i = 0; i < r->line_count; i++) {
        const uint64_t value = amount(&r->lines[i].counters);
        if (value && (most == NULL || value > amount(&most->counters)))
            most = &r->lines[i];
    }
    return most;
}

static void find_limiter(struct verdict_facts *facts)
{
    uint64_t ticks[USE_COUNT], sum = 0;
    if (facts->r->sim == NULL)
        return;
    usage_shares(&facts->r->sim->usage, ticks);
    for (size_t i = 0; i < USE_COUNT; i++) {
        sum += ticks[i];
        if (ticks[i] > ticks[facts->limiter])
            facts->limiter = (enum resource)i;
    }
    facts->limited = figure_share(ticks[facts->limiter], sum);
}

struct verdict_facts verdict_facts_of(const struct result *r)
{
    const struct counters *c = &r->total;
    const struct report_amounts a = report_amounts(c);
    struct verdict_facts facts = {
        .r = r,
        .waster = line_with_most(r, excess_sectors),
        .conflicted = line_with_most(r, excess_passes),
        .camper = line_with_most(r, camped),
        .excess = figure_share(excess_sectors(c), a.sectors),
        .ways = figure_share(a.passes, a.ideal_passes),
        .used = figure_share(c->global_load_bytes_used + c->global_store_bytes_used +
                                 c->global_atomic_bytes_used,
                             c->global_load_bytes_moved + c->global_store_bytes_moved +
                                 c->global_atomic_bytes_moved),
    };
    find_limiter(&facts);
    return facts;
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static bool always(const struct verdict_facts *f)
{
    (void)f;
    return true;
}

static bool wastes(const struct verdict_facts *f)
{
    return f->waster && f->excess >= 0.2;
}

static bool conflicts(const struct verdict_facts *f)
{
    return f->conflicted && f->ways >= 1.2;
}

static bool conflicts_most(const struct verdict_facts *f)
{
    return conflicts(f) && 1 - 1 / f->ways >= f->excess;
}

static bool camps(const struct verdict_facts *f)
{
    return f->camper != NULL;
}

static bool waits_for_pages(const struct verdict_facts *f)
{
    return 2 * f->r->total.fault_group_ns > f->r->total.elapsed_ns;
}

static bool leaves_sms_idle(const struct verdict_facts *f)
{
    const struct counters *c = &f->r->total;
    return c->blocks < c->launches * (uint64_t)f->r->judge.arch.sm_count;
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

#define HELD_UP "Held up by {limiter} {share} of the time"
#define WASTE "{waster} move {sectors} sectors where {ideal_sectors} would do"

static const struct rule rules[] = {
    {UNTIMED, conflicts_most,
     "By the rules alone, bank conflicts cost most: {conflicted} take {ways} passes where 1 would "
     "do."},
    {UNTIMED, wastes, "By the rules alone, layout costs most: " WASTE "."},
    {UNTIMED, always,
     "By the rules alone there is little to save: {used} of the bytes moved are used."},
    {ANY, waits_for_pages,
     "Waits for managed memory: {faults} page faults take {fault_share} of the time; a prefetch "
     "moves "
     "pages before the kernel needs them."},
    {USE_PARTITION, camps,
     "Held up by one hot DRAM partition {share} of the time: {camper} go to one partition at a "
     "time "
     "(camping index {index})."},
    {USE_PARTITION, always,
     "Held up by one hot DRAM partition {share} of the time, while others are idle (camping index "
     "{index})."},
    {USE_HOST, always,
     "Held up by PCIe {share} of the time: {host_bytes} of the data are in the host's memory."},
    {USE_SHARED, conflicts,
     "Held up by bank conflicts in shared memory {share} of the time: {conflicted} take {ways} "
     "passes where 1 "
     "would do."},
    {USE_SHARED, always,
     HELD_UP ", without bank conflicts: only fewer or wider accesses to it would help."},
    {USE_LSU, conflicts_most,
     "Held up by the load/store units {share} of the time: {conflicted} take {ways} passes where 1 "
     "would do."},
    {USE_LSU, wastes, "Held up by the load/store units {share} of the time: " WASTE "."},
    {USE_LSU, always,
     "Held up by the load/store units {share} of the time: the kernel makes more memory "
     "instructions "
     "than they can take; wider words need fewer."},
    {USE_ISSUE, always,
     "Held up by instruction issue {share} of the time: memory keeps up with this kernel."},
    {USE_DRAM, wastes, HELD_UP ", and {excess} of the sectors are excessive: " WASTE "."},
    {USE_DRAM, always,
     HELD_UP
     ", at {peak} of its peak, and little of what moves is wasted: only moving less would be "
     "faster."},
    {USE_LATENCY, leaves_sms_idle,
     "Nothing is near its limit {share} of the time: {blocks} blocks are too few for {sm_count} "
     "SMs."},
    {USE_LATENCY, conflicts_most,
     "Nothing is near its limit {share} of the time: warps wait for answers, and {conflicted} take "
     "{ways} "
     "passes where 1 would do."},
    {USE_LATENCY, wastes,
     "Nothing is near its limit {share} of the time: warps wait for answers, and " WASTE "."},
    {USE_LATENCY, has_few_warps,
     "Nothing is near its limit {share} of the time: warps wait for answers, and with {occupancy} "
     "of the "
     "SMs' room for warps in use there are too few others to run meanwhile."},
    {USE_LATENCY, always,
     "Nothing is near its limit {share} of the time: warps wait for answers; more loads under way "
     "at a "
     "time would help."},
    {ANY, wastes, HELD_UP ": " WASTE "."},
    {ANY, always, HELD_UP ", and little of what moves is wasted."},
};

size_t verdict_rule(const struct verdict_facts *facts)
{
    const bool timed = facts->limited > 0;
    for (size_t i = 0;; i++) { /* the last one always holds */
        const int limiter = rules[i].limiter;
        if ((timed ? limiter == ANY || limiter == (int)facts->limiter : limiter == UNTIMED) &&
            rules[i].holds(facts))
            return i;
    }
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void put_percent(double share, FILE *out)
{
    fprintf(out, "%.*f %%", share < 0.1 ? 1 : 0, 100 * share);
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

#define WORD(name) static void put_##name(const struct verdict_facts *f, FILE *out)
WORD(limiter)
{
    fputs(usage_name(f->limiter), out);
}
WORD(share)
{
    put_percent(f->limited, out);
}
WORD(waster)
{
    put_part(f->waster, out);
}
WORD(sectors)
{
    put_amount(report_amounts(&f->waster->counters).sectors, out);
}
WORD(ideal_sectors)
{
    put_amount(report_amounts(&f->waster->counters).ideal_sectors, out);
}
WORD(conflicted)
{
    put_part(f->conflicted, out);
}
WORD(ways)
{
    const struct report_amounts a = report_amounts(&f->conflicted->counters);
    fprintf(out, "%.3g", figure_share(a.passes, a.ideal_passes));
}
WORD(camper)
{
    put_part(f->camper, out);
}
WORD(index)
{
    fprintf(out, "%.1f", report_metric(&f->r->total, "camping_index"));
}
WORD(used)
{
    put_percent(f->used, out);
}
WORD(excess)
{
    put_percent(f->excess, out);
}
WORD(peak)
{
    const double peak = (double)f->r->judge.arch.peak_megabytes_per_s / 1000;
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
    put_amount(f->r->total.blocks / f->r->total.launches, out);
}
WORD(sm_count)
{
    put_amount((uint64_t)f->r->judge.arch.sm_count, out);
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
    WORD(limiter),    WORD(share),    WORD(waster),    WORD(sectors),     WORD(ideal_sectors),
    WORD(conflicted), WORD(ways),     WORD(camper),    WORD(index),       WORD(used),
    WORD(excess),     WORD(peak),     WORD(faults),    WORD(fault_share), WORD(host_bytes),
    WORD(blocks),     WORD(sm_count), WORD(occupancy),
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
    for (const char *c = rules[verdict_rule(facts)].sentence; *c; c++) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end) {
            put_word(c + 1, (size_t)(end - c - 1), facts, out);
            c = end;
        } else {
            fputc(*c, out);
        }
    }
}
