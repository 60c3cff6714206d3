/* page_accesses.c - for each line, its most frequent access and its costliest one as pictures, those of
 * the lines that waste most. GPUs of the same rules share them. */
#include <inttypes.h>
#include <string.h>

#include "explain/explain.h"
#include "html/page_view.h"

enum { LINES_MAX = 8 };

/* Beyond the ideal: what the picture is worth. */
static uint64_t waste(const struct result_part *line)
{
    const struct report_amounts a = report_amounts(line->counters);
    return a.sectors + a.passes - a.ideal_sectors - a.ideal_passes;
}

/* Whether a line is among the LINES_MAX that waste most; the first ones of equals. */
static bool is_drawn(const struct result *r, size_t line)
{
    size_t before = 0;
    for (size_t i = 0; i < r->line_count; i++)
        before += (int64_t)waste(&r->lines[i]) > (int64_t)waste(&r->lines[line]) ||
                  (waste(&r->lines[i]) == waste(&r->lines[line]) && i < line);
    return before < LINES_MAX;
}

static void put_picture(const struct result *r, const char *what, const struct warp_access *access,
                        FILE *out)
{
    fprintf(out, "<figure><figcaption>%s</figcaption>\n", what);
    explain_access_svg(access, r->gpu, &r->arch, SVG_IN_PAGE, out);
    fputs("</figure>\n", out);
}

static void put_pictures(const struct result *r, const struct observed_place *place, FILE *out)
{
    char count[REPORT_NUMBER_BYTES], what[FIGURE_TEXT_BYTES];
    const struct observed_shape *typical = observed_typical(place);
    const struct observed_worst *worst = &place->worst[r->gpu_index];
    const char *others = worst->typical_cost == worst->cost ? "; no other costs more" : "";
    if (typical->count == place->count)
        snprintf(what, sizeof what, "Every access looks like this, up to where it begins");
    else if (place->dropped)
        snprintf(what, sizeof what, "One of many shapes, none of them frequent%s", others);
    else
        snprintf(what, sizeof what, "The most frequent: %s accesses, %.3g %%%s",
                 report_number(typical->count, count),
                 100 * report_share(typical->count, place->count), others);
    put_picture(r, what, &typical->first.access, out);
    if (worst->typical_cost < worst->cost)
        put_picture(r, "The costliest", &worst->access.access, out);
}

static void put_place(const struct result *r, const struct result_part *line,
                      const struct observed_place *place, bool open, FILE *out)
{
    char name[FIGURE_TEXT_BYTES], count[REPORT_NUMBER_BYTES];
    const char *array = place->worst[r->gpu_index].access.array;
    fprintf(out, "<details%s><summary>", open ? " open" : "");
    page_put(out, "%s",
             figure_place(line->file, line->line, line->space, result_part_word(line), name));
    if (array[0])
        page_put(out, ", array %s", array);
    page_put(out, " (%s accesses)", report_number(place->count, count));
    fputs("</summary>\n", out);
    put_pictures(r, place, out);
    fputs("</details>\n", out);
}

static bool has_same_rules(const struct result *a, const struct result *b)
{
    const struct rule_set *x = &a->rules, *y = &b->rules;
    return strcmp(x->name, y->name) == 0 && memcmp(x->global, y->global, sizeof x->global) == 0 &&
           memcmp(x->local, y->local, sizeof x->local) == 0 && x->banks == y->banks;
}

/* An earlier GPU's pictures stand for this one's. */
static bool refer(const struct page_view *view, FILE *out)
{
    for (size_t i = 0; i < view->gpu; i++) {
        const struct result *other = &view->run->results[i];
        if (!has_same_rules(other, view->r))
            continue;
        fprintf(out,
                "<p>The same as <a href=\"#k%zug%zu-accesses\">on %s</a>: both have the rules of ",
                view->run->number, i + 1, other->gpu->title);
        page_put(out, "%s", view->r->rules.name);
        fputs(".</p>\n", out);
        return true;
    }
    return false;
}

void page_accesses(const struct page_view *view, const struct figure *figure, FILE *out)
{
    const struct result *r = view->r;
    const struct result_part *most = figure_costliest_line(r);
    size_t left_out = 0;
    (void)figure;
    page_section(
        view, "accesses", "Lanes and what they get", "exact",
        "One warp's access as a picture: its lanes above, the memory segments or banks that "
        "serve them below.",
        out);
    if (!refer(view, out)) {
        for (size_t i = 0; i < r->line_count; i++) {
            const struct observed_place *place = figure_observed(r, &r->lines[i]);
            if (place && is_drawn(r, i))
                put_place(r, &r->lines[i], place, &r->lines[i] == most, out);
            else
                left_out++;
        }
        if (left_out)
            fprintf(out,
                    "<p class=\"shows\">%zu more lines, which waste less: <code>warplens explain "
                    "KERNEL:LINE</code> draws them.</p>\n",
                    left_out);
    }
    page_section_end(out);
}
