/* page_summary.c - the verdict, and the figures to look at first, as tiles. */
#include "html/page_view.h"
#include "report/ranges.h"
#include "report/verdict.h"

/* A tile's texts; false: it has nothing to say of this result. */
struct tile_text {
    char value[64], note[128];
};

struct tile {
    const char *label, *basis;
    bool (*fill)(const struct result *r, struct tile_text *text);
};

static bool fill_time(const struct result *r, struct tile_text *text)
{
    char time[REPORT_NUMBER_BYTES], cycles[REPORT_NUMBER_BYTES], clock[REPORT_NUMBER_BYTES];
    if (r->usage == NULL)
        return false;
    snprintf(text->value, sizeof text->value, "%s", report_time((double)r->total.elapsed_ns, time));
    snprintf(text->note, sizeof text->note, "%s cycles at %s MHz",
             report_number(r->total.elapsed_cycles, cycles),
             report_rounded((double)r->arch.sm_clock_khz / 1000, clock));
    return true;
}

static void add_range_note(const struct time_range *range, struct text *t)
{
    if (range->state != TIME_RANGE_KNOWN) {
        time_range_add_reason(range, t);
    } else if (range->cell) {
        text_add(t, "in %d %% of cases (%u measured: ", TIME_RANGE_PERCENT,
                 (unsigned)range->cell->launches);
        time_range_add_cell(range, t);
        text_add(t, ")");
    } else {
        text_add(t, "the ranges of %llu launches, added up", (unsigned long long)range->launches);
    }
}

static bool fill_range(const struct result *r, struct tile_text *text)
{
    const struct time_range range = time_range_of(r);
    struct text value, note;
    if (range.state == TIME_RANGE_UNTIMED)
        return false;
    text_start(&value);
    text_start(&note);
    report_range_us(&range, " to ", &value);
    add_range_note(&range, &note);
    if (range.state == TIME_RANGE_KNOWN)
        snprintf(text->value, sizeof text->value, "%.40s us", value.s);
    else
        snprintf(text->value, sizeof text->value, "unknown");
    snprintf(text->note, sizeof text->note, "%.120s", note.s);
    return true;
}

static bool fill_bandwidth(const struct result *r, struct tile_text *text)
{
    const double peak = (double)r->arch.peak_megabytes_per_s / 1000;
    const double moved = report_metric(&r->total, "dram_bandwidth");
    char rate[REPORT_NUMBER_BYTES], most[REPORT_NUMBER_BYTES];
    if (r->usage == NULL || peak <= 0)
        return false;
    snprintf(text->value, sizeof text->value, "%.3g %%", 100 * moved / peak);
    snprintf(text->note, sizeof text->note, "%s GB/s of %s", report_rounded(moved, rate),
             report_rounded(peak, most));
    return true;
}

static bool fill_efficiency(uint64_t requested, uint64_t moved, struct tile_text *text)
{
    char wanted[REPORT_NUMBER_BYTES], all[REPORT_NUMBER_BYTES];
    if (moved == 0)
        return false;
    snprintf(text->value, sizeof text->value, "%.3g %%", 100 * report_share(requested, moved));
    snprintf(text->note, sizeof text->note, "%s asked for, %s moved%s",
             report_bytes((double)requested, wanted), report_bytes((double)moved, all),
             requested > moved ? ": lanes share words" : "");
    return true;
}

static bool fill_loads(const struct result *r, struct tile_text *text)
{
    return fill_efficiency(r->total.global_load_bytes_requested, r->total.global_load_bytes_moved,
                           text);
}

static bool fill_stores(const struct result *r, struct tile_text *text)
{
    return fill_efficiency(r->total.global_store_bytes_requested, r->total.global_store_bytes_moved,
                           text);
}

static bool fill_conflicts(const struct result *r, struct tile_text *text)
{
    char passes[REPORT_NUMBER_BYTES], ideal[REPORT_NUMBER_BYTES];
    const struct report_amounts a = report_amounts(&r->total);
    if (a.passes == 0)
        return false;
    snprintf(text->value, sizeof text->value, "%.3g-way", report_share(a.passes, a.ideal_passes));
    snprintf(text->note, sizeof text->note, "%s passes, ideal %s", report_number(a.passes, passes),
             report_number(a.ideal_passes, ideal));
    return true;
}

static bool fill_occupancy(const struct result *r, struct tile_text *text)
{
    const struct occupancy *o = &r->occupancy;
    snprintf(text->value, sizeof text->value, "%.0f %%",
             100 * report_share((uint64_t)o->warps_per_sm, (uint64_t)r->arch.warps_per_sm));
    const int end = snprintf(text->note, sizeof text->note,
                             "%lld of %lld warps an SM, limited by %s", (long long)o->warps_per_sm,
                             (long long)r->arch.warps_per_sm, occupancy_limit_name(o->limit));
    if (r->usage && end > 0 && (size_t)end < sizeof text->note)
        snprintf(text->note + end, sizeof text->note - (size_t)end, "; achieved: about %.3g %%",
                 report_metric(&r->total, "achieved_occupancy"));
    return true;
}

static bool fill_l2(const struct result *r, struct tile_text *text)
{
    char sectors[REPORT_NUMBER_BYTES];
    if (r->total.l2_read_sectors == 0)
        return false;
    snprintf(text->value, sizeof text->value, "%.3g %%",
             100 * report_share(r->total.l2_read_hit_sectors, r->total.l2_read_sectors));
    snprintf(text->note, sizeof text->note, "of %s sectors read",
             report_number(r->total.l2_read_sectors, sectors));
    return true;
}

static const struct tile tiles[] = {
    {"Time", "approximate", fill_time},
    {"Range of the time", "measured", fill_range},
    {"DRAM bandwidth, of peak", "approximate", fill_bandwidth},
    {"Load efficiency", "exact", fill_loads},
    {"Store efficiency", "exact", fill_stores},
    {"Bank conflicts", "exact", fill_conflicts},
    {"L2 hit rate", "modelled", fill_l2},
    {"Occupancy, possible", "exact", fill_occupancy},
};

static void put_tiles(const struct result *r, FILE *out)
{
    fputs("<dl class=\"tiles\">\n", out);
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        struct tile_text text;
        if (!tiles[i].fill(r, &text))
            continue;
        fputs("<div><dt>", out);
        page_put(out, "%s", tiles[i].label);
        fputs("</dt><dd><strong>", out);
        page_put(out, "%s", text.value);
        fputs("</strong><span>", out);
        page_put(out, "%s", text.note);
        fprintf(out, "</span><span class=\"basis\">%s</span></dd></div>\n", tiles[i].basis);
    }
    fputs("</dl>\n", out);
}

static void put_changes(const struct result *r, FILE *out)
{
    if (!report_has_changes(r))
        return;
    fputs("<p>Changed: ", out);
    report_put_changes(r, out); /* names and numbers: nothing to escape */
    fputs("</p>\n", out);
}

void page_summary(const struct page_view *view, FILE *out)
{
    struct verdict verdict;
    verdict_make(&verdict, view->r);
    put_changes(view->r, out);
    fputs("<p class=\"verdict\">", out);
    quote_xml(verdict.sentence, out);
    fputs("</p>\n", out);
    put_tiles(view->r, out);
}
