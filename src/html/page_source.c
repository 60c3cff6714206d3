/* page_source.c - the source's lines with what their accesses need and take beside them. Lines far from
 * any access are left out, the heads of functions that have some are not; without the text, only lines with
 * accesses are there, by number. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "figures/lines.h"
#include "html/page_view.h"

enum { CONTEXT = 4, CODE_MAX = 160, BAR_WIDTH = 92, BAR_HEIGHT = 12 };

/* The accesses of a line, as notes beside it. */
static void put_note(const struct result *r, const struct result_part *line, FILE *out)
{
    char number[REPORT_NUMBER_BYTES], words[LINE_WORDS_BYTES];
    const struct line_cost cost = line_cost(line);
    struct svg svg;
    fprintf(out, "<div class=\"note\"><span class=\"kind\">%s %s</span>",
            mem_space_names[line->space], result_part_op(line));
    svg_begin(&svg, out, SVG_IN_PAGE, BAR_WIDTH, BAR_HEIGHT, line_words(&cost, words), NULL);
    line_bar(&svg, 0, 1, BAR_WIDTH, BAR_HEIGHT - 2, line, line_most(r, cost.unit));
    svg_end(&svg);
    fprintf(out, "<span>%s %s</span><b class=\"%s\">%s</b></div>\n",
            report_number(cost.actual, number), cost.unit,
            cost.actual > cost.ideal ? "alarm" : "fine", line_words(&cost, words));
}

static void put_code(const char *text, uint32_t number, FILE *out)
{
    size_t length = 0;
    const char *code = source_line(text, number, &length);
    fputs("<td><code>", out);
    if (code)
        page_put(out, "%.*s%s", (int)(length < CODE_MAX ? length : CODE_MAX), code,
                 length > CODE_MAX ? " ..." : "");
    fputs("</code></td>", out);
}

/* A line of the file; parts [first, end) of the result are its accesses. */
static void put_line(const struct page_view *view, const char *text, uint32_t number, size_t first,
                     size_t end, FILE *out)
{
    fprintf(out, "<tr%s><th scope=\"row\">%" PRIu32 "</th>", first < end ? " class=\"hot\"" : "",
            number);
    if (text)
        put_code(text, number, out);
    fputs("<td>", out);
    for (size_t i = first; i < end; i++)
        put_note(view->r, &view->r->lines[i], out);
    fputs("</td></tr>\n", out);
}

static void put_gap(uint32_t lines, FILE *out)
{
    fprintf(out,
            "<tr class=\"gap\"><td></td><td colspan=\"2\">%" PRIu32
            " line%s without accesses</td></tr>\n",
            lines, lines == 1 ? "" : "s");
}

static uint32_t count_lines(const char *text)
{
    uint32_t lines = 0;
    for (; text && *text; lines++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return lines;
}

static uint32_t newlines(const char *begin, const char *end)
{
    uint32_t count = 0;
    for (; begin < end; begin++)
        count += *begin == '\n';
    return count;
}

/* Whether a line is near one with accesses. */
static bool is_near(const struct result_part *parts, size_t first, size_t end, uint32_t line)
{
    for (size_t i = first; i < end; i++)
        if (parts[i].line <= line + CONTEXT && line <= parts[i].line + CONTEXT)
            return true;
    return false;
}

/* The last line of a function's head when one with accesses begins in line `line`, at `code`; otherwise 0. A function
 * of CUDA begins with __global__ or __device__ and ends at the next brace that begins a line. */
static uint32_t head_end(const char *code, uint32_t line, const struct result_part *parts,
                         size_t first, size_t end)
{
    const size_t length = strcspn(code, "\n");
    if (!memmem(code, length, "__global__", 10) && !memmem(code, length, "__device__", 10))
        return 0;
    const size_t head = strcspn(code, "{;");
    if (code[head] != '{')
        return 0; /* a declaration */
    const char *brace = strstr(code + head, "\n}");
    const uint32_t last = brace ? line + newlines(code, brace) : UINT32_MAX;
    for (size_t i = first; i < end; i++)
        if (parts[i].line >= line && parts[i].line <= last)
            return line + newlines(code, code + head);
    return 0;
}

/* All of a text; parts [first, end) lie in it. */
static void put_text(const struct page_view *view, const char *text, size_t first, size_t end,
                     FILE *out)
{
    const struct result_part *parts = view->r->lines;
    const uint32_t lines = count_lines(text);
    const char *code = text;
    uint32_t gap = 0, head = 0;
    size_t at = first;
    for (uint32_t line = 1; line <= lines; line++, code += strcspn(code, "\n") + 1) {
        if (line > head)
            head = head_end(code, line, parts, first, end);
        if (line > head && !is_near(parts, first, end, line)) {
            gap++;
            continue;
        }
        if (gap)
            put_gap(gap, out);
        gap = 0;
        const size_t begin = at;
        while (at < end && parts[at].line == line)
            at++;
        put_line(view, text, line, begin, at, out);
    }
    if (gap)
        put_gap(gap, out);
}

static void put_numbers(const struct page_view *view, size_t first, size_t end, FILE *out)
{
    const struct result_part *parts = view->r->lines;
    for (size_t i = first, next; i < end; i = next) {
        for (next = i + 1; next < end && parts[next].line == parts[i].line;)
            next++;
        put_line(view, NULL, parts[i].line, i, next, out);
    }
}

/* Whether the text has all lines of the parts: another version of the file may be at hand. */
static bool has_lines(const char *text, const struct result_part *parts, size_t first, size_t end)
{
    return text && parts[first].line && parts[end - 1].line <= count_lines(text);
}

static void put_file(const struct page_view *view, size_t first, size_t end, FILE *out)
{
    const char *file = view->r->lines[first].file;
    const char *text = run_info_text(view->r->info, file);
    if (!has_lines(text, view->r->lines, first, end))
        text = NULL;
    fputs("<h5>", out);
    page_put(out, "%s", file);
    fputs("</h5>\n", out);
    if (text == NULL)
        fputs("<p class=\"shows\">The text of this file is not at hand (a trace has only names and "
              "numbers of lines): lines with accesses are shown by number.</p>\n",
              out);
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Source of ", out);
    page_put(out, "%s", file);
    fprintf(out,
            "\"><table class=\"source\"><thead><tr><th scope=\"col\">Line</th>%s<th scope=\"col\">"
            "Accesses</th></tr></thead><tbody>\n",
            text ? "<th scope=\"col\">Source</th>" : "");
    if (text)
        put_text(view, text, first, end, out);
    else
        put_numbers(view, first, end, out);
    fputs("</tbody></table></div>\n", out);
}

void page_source(const struct page_view *view, const struct figure *figure, FILE *out)
{
    const struct result_part *parts = view->r->lines;
    page_section(view, "source", figure->title, figure->basis, figure->shows, out);
    fputs("<p class=\"legend\"><span class=\"key ideal\"></span> a perfect layout "
          "<span class=\"key excess\"></span> excessive. Global, local and texture accesses in "
          "sectors of 32 bytes, shared and constant ones in passes.</p>\n",
          out);
    for (size_t first = 0, end; first < view->r->line_count; first = end) {
        for (end = first + 1;
             end < view->r->line_count && strcmp(parts[end].file, parts[first].file) == 0;)
            end++;
        put_file(view, first, end, out);
    }
    page_section_end(out);
}
