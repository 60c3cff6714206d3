/* text_head.c - the head of the text report: whose it is, the verdict, the figures that everybody looks at. All else
 * is behind --full.
 */
#include "report/amounts.h"
#include "report/ranges.h"
#include "report/sampled.h"
#include "report/text_sections.h"
#include "report/traced.h"
#include "report/verdict.h"
#include "text/text.h"

enum {
    LABEL_COLUMNS = 14, /* "  time        " */
    OWN_FIELDS_SHOWN = 4
};

/* One fact, wrapped to the page. */
static void put_fact(const char *label, const struct text *fact, FILE *out)
{
    char prefix[LABEL_COLUMNS + 1];
    snprintf(prefix, sizeof prefix, "  %-11s ", label);
    text_print_wrapped(out, prefix, LABEL_COLUMNS, fact->s);
}

static double percent(uint64_t part, uint64_t whole)
{
    return 100 * report_share(part, whole);
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* "DRAM bandwidth 98 %, latency 2 %": what held the kernel up for a hundredth of its time or more,
 * the longest first. */
static void add_limiters(const struct result *r, struct text *t)
{
    struct usage_limit limits[USE_COUNT];
    usage_rank(r->usage, limits);
    for (size_t i = 0; i < USE_COUNT && limits[i].share >= 0.01; i++)
        text_add(t, "%s%s %.0f %%", i ? ", " : "", usage_name(limits[i].resource),
                 100 * limits[i].share);
    text_add(t, " of the time");
}

static void put_time(const struct result *r, FILE *out)
{
    char time[REPORT_NUMBER_BYTES], cycles[REPORT_NUMBER_BYTES], clock[REPORT_NUMBER_BYTES];
    char effective[REPORT_NUMBER_BYTES], moved[REPORT_NUMBER_BYTES], peak[REPORT_NUMBER_BYTES];
    struct text t;
    text_start(&t);
    text_add(&t, "about %s us: %s cycles at %s MHz",
             report_rounded(report_metric(&r->total, "time"), time),
             report_number(r->total.elapsed_cycles, cycles),
             report_rounded((double)r->arch.sm_clock_khz / 1000, clock));
    put_fact("time", &t, out);
    const struct time_range range = time_range_of(r);
    report_range(&range, &t);
    put_fact("range", &t, out);
    report_sampled(r, &t);
    if (t.length)
        put_fact("sampled", &t, out);
    text_start(&t);
    add_limiters(r, &t);
    put_fact("held up by", &t, out);
    text_start(&t);
    text_add(&t, "effective %s GB/s; DRAM moved %s GB/s of %s",
             report_rounded(report_metric(&r->total, "effective_bandwidth"), effective),
             report_rounded(report_metric(&r->total, "dram_bandwidth"), moved),
             report_rounded((double)r->arch.peak_megabytes_per_s / 1000, peak));
    put_fact("bandwidth", &t, out);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static void put_efficiency(const struct result *r, FILE *out)
{
    static const struct {
        enum counter_group group;
        const char *label;
    } kinds[] = {{GROUP_GLOBAL_LOAD, "loads"},
                 {GROUP_GLOBAL_STORE, "stores"},
                 {GROUP_GLOBAL_ATOMIC, "atomics"}};
    bool lanes_share_words = false;
    struct text t;
    text_start(&t);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint64_t sums[ROLE_COUNT];
        counters_sum_roles(&r->total, kinds[i].group, sums);
        if (sums[ROLE_BYTES_MOVED] == 0)
            continue;
        text_add(&t, "%s%s %.1f %%", t.length ? ", " : "", kinds[i].label,
                 percent(sums[ROLE_BYTES_REQUESTED], sums[ROLE_BYTES_MOVED]));
        lanes_share_words |= sums[ROLE_BYTES_REQUESTED] > sums[ROLE_BYTES_MOVED];
    }
    if (t.length == 0)
        return;
    text_add(&t, " of the bytes moved are asked for%s",
             lanes_share_words ? "; above 100 %: lanes share words" : "");
    put_fact("efficiency", &t, out);
}

static void put_conflicts(const struct result *r, FILE *out)
{
    char passes[REPORT_NUMBER_BYTES], ideal[REPORT_NUMBER_BYTES];
    const struct report_amounts a = report_amounts(&r->total);
    struct text t;
    if (a.passes == 0)
        return;
    text_start(&t);
    if (a.passes == a.ideal_passes)
        text_add(&t, "none: %s passes, no more than needed", report_number(a.passes, passes));
    else
        text_add(&t, "%.2f-way: %s passes where %s would do",
                 report_share(a.passes, a.ideal_passes), report_number(a.passes, passes),
                 report_number(a.ideal_passes, ideal));
    put_fact("conflicts", &t, out);
}

static void put_products(const struct result *r, FILE *out)
{
    const uint64_t products = r->total.product_requests / WARPGROUP_WARPS;
    char count[REPORT_NUMBER_BYTES], passes[REPORT_NUMBER_BYTES];
    struct text t;
    if (products == 0)
        return;
    text_start(&t);
    text_add(&t, "%s of warpgroups (wgmma), which read shared memory in %s passes",
             report_number(products, count), report_number(r->total.product_passes, passes));
    put_fact("products", &t, out);
}

/* Launches of several shapes have only their average in common. */
static void put_occupancy(const struct result *r, FILE *out)
{
    const struct occupancy *o = &r->occupancy;
    struct text t;
    text_start(&t);
    if (r->total.launches == 1)
        text_add(&t, "%lld of %lld warps an SM (%lld block%s), limited by %s%s",
                 (long long)o->warps_per_sm, (long long)r->arch.warps_per_sm,
                 (long long)o->blocks_per_sm, o->blocks_per_sm == 1 ? "" : "s",
                 occupancy_limit_name(o->limit),
                 r->registers_per_thread ? "" : ", registers unknown");
    if (r->total.warp_room_cycles)
        text_add(&t, "%s%.0f %% %son average", t.length ? "; " : "",
                 percent(r->total.resident_warp_cycles, r->total.warp_room_cycles),
                 t.length ? "" : "of the warps an SM can hold, ");
    if (t.length)
        put_fact("occupancy", &t, out);
}

/* ---- What was run ---------------------------------------------------------------------------- */

/* Several launches have a table of their own. */
static void put_launch(const struct result *r, FILE *out)
{
    const uint32_t *g = r->grid, *b = r->block;
    char number[REPORT_NUMBER_BYTES];
    struct text t;
    text_start(&t);
    if (r->total.launches == 1)
        text_add(&t, "grid %u x %u x %u, block %u x %u x %u", g[0], g[1], g[2], b[0], b[1], b[2]);
    if (r->total.launches == 1 && r->shared_bytes_per_block)
        text_add(&t, ", %s bytes of shared memory",
                 report_number(r->shared_bytes_per_block, number));
    if (t.length)
        put_fact("launch", &t, out);
    text_start(&t);
    for (size_t i = 0; i < r->info->param_count; i++)
        text_add(&t, "%s%s=%s", i ? " " : "", r->info->params[i].name, r->info->params[i].value);
    if (t.length)
        put_fact("parameters", &t, out);
}

/* Of a user's GPU: what it started from, and what its file changes of that. */
static void put_base(const struct result *r, FILE *out)
{
    size_t own = 0;
    struct text t;
    if (r->gpu->base == NULL)
        return;
    text_start(&t);
    text_add(&t, "based on %s", r->gpu->base);
    for (size_t i = 0; i < arch_field_count; i++) {
        if (arch_model_value(r->gpu, &arch_fields[i])->inherited)
            continue;
        if (own < OWN_FIELDS_SHOWN)
            text_add(&t, "%s%s", own ? ", " : "; its own: ", arch_fields[i].name);
        own++;
    }
    if (own > OWN_FIELDS_SHOWN)
        text_add(&t, " and %zu more", own - OWN_FIELDS_SHOWN);
    put_fact("GPU", &t, out);
}

static void put_changes(const struct result *r, FILE *out)
{
    size_t index = 0;
    const struct arch_field *field;
    while ((field = report_next_change(r, &index)) != NULL) {
        struct text t;
        text_start(&t);
        text_add(&t, "%s=%lld (the %s has %lld)", field->name, (long long)arch_get(&r->arch, field),
                 r->gpu->title, (long long)arch_model_value(r->gpu, field)->value);
        put_fact("changed", &t, out);
    }
}

static void put_caches(const struct result *r, FILE *out)
{
    struct text t;
    text_start(&t);
    text_add(&t, "emptied before each launch (--cache-control all)");
    if (r->cold_launches)
        put_fact("caches", &t, out);
}

static void put_traced(const struct result *r, FILE *out)
{
    struct text t;
    report_traced(r->info, &t);
    if (t.length)
        put_fact("traced", &t, out);
}

/* ---- The whole ------------------------------------------------------------------------------- */

void text_head(const struct result *r, bool full, FILE *out)
{
    struct verdict verdict;
    verdict_make(&verdict, r);
    fprintf(out, "%s on %s (%s, rules of %s)\n\n", r->info->kernel, r->gpu->title, r->gpu->name,
            r->rules.name);
    text_launches(r, full, out);
    report_put_sentence(verdict.sentence, 2, out);
    if (r->usage)
        put_time(r, out);
    put_efficiency(r, out);
    put_conflicts(r, out);
    put_products(r, out);
    put_occupancy(r, out);
    put_launch(r, out);
    put_base(r, out);
    put_changes(r, out);
    put_caches(r, out);
    put_traced(r, out);
    text_costly_lines(r, verdict.accesses, out);
}
