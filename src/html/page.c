/* page.c - the page: contents, a section a run, a section a GPU, what is exact and what is not. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "embed/embed.h"
#include "html/html.h"
#include "html/page_view.h"
#include "report/faults.h"
#include "text/memory.h"

enum { PICTURES_BYTES = 700000 }; /* of one figure, over all results */

static void put_head(const struct result *results, size_t count, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    if (count)
        page_put(out, "%s - warplens", results[0].info->kernel);
    fputs("</title>\n<style>\n", out);
    svg_style_page(out);
    fputs(embedded_text(page_texts, "page.css"), out);
    fputs("</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#report\">Skip to the report</a>\n"
          "<header><p>warplens <span>what a kernel's warps do to memory</span></p>"
          "<button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n",
          out);
}

/* The runs, each with its GPUs; `visit` gets each one. */
static void for_each_run(const struct result *results, size_t count,
                         const struct report_options *options,
                         void (*visit)(const struct page_run *run, FILE *out), FILE *out)
{
    struct page_run run = {.results = results, .options = options, .page_count = count};
    for (size_t first = 0; first < count; first += run.count) {
        run.results = &results[first];
        run.advice = options->advice ? &options->advice[first] : NULL;
        run.number++;
        for (run.count = 1;
             first + run.count < count && run.results[run.count].info == run.results->info;)
            run.count++;
        visit(&run, out);
    }
}

/* The label, without the folders that a file lies in. */
static const char *name_of(const struct page_run *run)
{
    const char *slash = strrchr(run->results->label, '/');
    return slash ? slash + 1 : run->results->label;
}

static void put_contents(const struct page_run *run, FILE *out)
{
    fprintf(out, "<li><a href=\"#k%zu\">", run->number);
    page_put(out, "%s", name_of(run));
    fputs("</a><ul>", out);
    for (size_t i = 0; i < run->count && !report_is_empty(run->results); i++) {
        fprintf(out, "<li><a href=\"#k%zug%zu\">", run->number, i + 1);
        page_put(out, "%s", run->results[i].gpu->title);
        fputs("</a></li>", out);
    }
    fputs("</ul></li>\n", out);
}

static void put_facts(const struct result *r, FILE *out)
{
    char launches[REPORT_NUMBER_BYTES], bytes[REPORT_NUMBER_BYTES];
    const uint32_t *g = r->grid, *b = r->block;
    fprintf(out,
            "<p class=\"facts\">Grid %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", block %" PRIu32
            " x %" PRIu32 " x %" PRIu32,
            g[0], g[1], g[2], b[0], b[1], b[2]);
    if (r->total.launches > 1)
        fprintf(out, " (the last of %s launches)", report_number(r->total.launches, launches));
    if (r->shared_bytes_per_block)
        fprintf(out, ", %s bytes of shared memory a block",
                report_number(r->shared_bytes_per_block, bytes));
    for (size_t i = 0; i < r->info->param_count; i++)
        page_put(out, "%s%s = %s", i ? ", " : ". Parameters: ", r->info->params[i].name,
                 r->info->params[i].value);
    fputs("</p>\n", out);
}

static void put_command(const struct page_view *view, const struct figure *figure, FILE *out)
{
    fputs("<p>Left out, for the size of this page; <code>", out);
    page_put(out, "--gpu %s --picture %s", view->r->gpu->name, figure->name);
    fputs("</code> draws it.</p>\n", out);
}

/* The page stays of a size that can be sent by mail: a picture that takes more than its share is left
 * out, which only timelines do. */
static void put_picture(const struct page_view *view, const struct figure *figure, FILE *out)
{
    char *picture = NULL;
    size_t bytes = 0;
    FILE *memory = memory_stream(&picture, &bytes);
    if (memory)
        figure->write(view->r, 1, SVG_IN_PAGE, memory);
    const bool fine = memory && fclose(memory) == 0;
    if (fine && bytes <= PICTURES_BYTES / view->run->page_count)
        fwrite(picture, 1, bytes, out);
    else
        put_command(view, figure, out);
    free(picture);
}

/* Some figures a page shows in a way of its own. */
static void put_figure(const struct page_view *view, const struct figure *figure, FILE *out)
{
    static const struct {
        const char *name;
        void (*write)(const struct page_view *, const struct figure *, FILE *);
    } apart[] = {{"lines", page_source}, {"arrays", page_arrays}, {"access", page_accesses}};
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++)
        if (strcmp(apart[i].name, figure->name) == 0) {
            apart[i].write(view, figure, out);
            return;
        }
    if (!figure->has(view->r, 1))
        return;
    page_section(view, figure->name, figure->title, figure->basis, figure->shows, out);
    put_picture(view, figure, out);
    page_section_end(out);
}

static void put_gpu(const struct page_run *run, size_t gpu, FILE *out)
{
    const struct page_view view = {run, &run->results[gpu], gpu};
    fprintf(out, "<section class=\"gpu\" id=\"k%zug%zu\">\n<h3>", run->number, gpu + 1);
    page_put(out, "%s", view.r->gpu->title);
    fputs(" <span>", out);
    page_put(out, "%s, rules of %s", view.r->gpu->name, view.r->rules.name);
    if (view.r->gpu->base)
        page_put(out, ", based on %s", view.r->gpu->base);
    fputs("</span></h3>\n", out);
    page_summary(&view, out);
    page_advice(&view, out);
    for (size_t i = 0; i < figure_count; i++)
        if (!figures[i].across)
            put_figure(&view, &figures[i], out);
    page_tables(&view, out);
    fputs("</section>\n", out);
}

/* Figures of all GPUs together. */
static void put_across(const struct page_run *run, FILE *out)
{
    for (size_t i = 0; i < figure_count; i++) {
        const struct figure *figure = &figures[i];
        if (!figure->across || !figure->has(run->results, run->count))
            continue;
        fprintf(out, "<section class=\"gpu\" id=\"k%zu-%s\">\n<h3>", run->number, figure->name);
        page_put(out, "%s", figure->title);
        fputs("</h3>\n<p class=\"shows\">", out);
        page_put(out, "%s Bars are %s.", figure->shows, figure->basis);
        fputs("</p>\n", out);
        figure->write(run->results, run->count, SVG_IN_PAGE, out);
        fputs("</section>\n", out);
    }
}

static void put_run(const struct page_run *run, FILE *out)
{
    const struct run_info *info = run->results->info;
    fprintf(out, "<section class=\"run\" id=\"k%zu\">\n<h2>", run->number);
    page_put(out, "%s", name_of(run));
    fputs("</h2>\n", out);

    if (info->summary[0]) {
        fputs("<p class=\"summary\">", out);
        page_put(out, "%s", info->summary);
        fputs("</p>\n", out);
    }
    page_faults(info, out);
    page_not_traced(info, out);
    page_traced(info, out);
    page_sampled(run->results, out);
    if (report_is_empty(run->results)) {
        fputs("<p>No launch was complete.</p>\n</section>\n", out);
        return;
    }
    put_facts(run->results, out);
    for (size_t i = 0; i < run->count; i++)
        put_gpu(run, i, out);
    put_across(run, out);
    fputs("</section>\n", out);
}

static void put_foot(const struct result *results, size_t count, FILE *out)
{
    fputs("</main>\n<footer><p><b>Exact</b> by rule: accesses, transactions, sectors, bytes, "
          "passes. ",
          out);
    if (count && results[0].usage)
        fputs(
            "<b>Modelled</b>: cache hits, what L2 and DRAM move. <b>Approximate</b>: cycles, time, "
            "bandwidths, what holds the kernel up. ",
            out);
    else
        fputs("Left out: caches, time. ", out);
    fputs("Not modelled: nvcc's own merging of accesses, address translation (TLB). ", out);
    if (count)
        page_put(out, "Accesses as compiled by %s.", results[0].info->compiler);
    if (count && *results[0].info->nvcc)
        page_put(out, " Kernels as compiled by %s.", results[0].info->nvcc);
    fputs("</p></footer>\n<script>\n", out);
    fputs(embedded_text(page_texts, "page.js"), out);
    fputs("</script>\n</body>\n</html>\n", out);
}

void report_html(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out)
{
    put_head(results, count, out);
    if (count > 1) {
        fputs("<nav aria-label=\"Contents\"><ul>\n", out);
        for_each_run(results, count, options, put_contents, out);
        fputs("</ul></nav>\n", out);
    }
    fputs("<main id=\"report\" tabindex=\"-1\">\n<h1>Memory accesses</h1>\n", out);

    for_each_run(results, count, options, put_run, out);
    put_foot(results, count, out);
}
