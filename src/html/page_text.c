/* page_text.c - escaped text, sections, tables. */
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "html/page_view.h"

enum { TEXT_BYTES = 1024 };

void page_put(FILE *out, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    quote_xml(text, out);
}

void page_section(const struct page_view *view, const char *id, const char *title,
                  const char *basis, const char *shows, FILE *out)
{
    fprintf(out, "<section id=\"k%zug%zu-%s\">\n<h4>", view->run->number, view->gpu + 1, id);
    page_put(out, "%s", title);
    if (basis)
        fprintf(out, " <span class=\"basis\">%s</span>", basis);
    fputs("</h4>\n", out);
    if (shows) {
        fputs("<p class=\"shows\">", out);
        page_put(out, "%s", shows);
        fputs("</p>\n", out);
    }
}

void page_section_end(FILE *out)
{
    fputs("</section>\n", out);
}

void page_table_begin(struct page_table *table, const char *name, size_t texts,
                      const char *const *headings, FILE *out)
{
    *table = (struct page_table){.out = out, .texts = texts};
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", out);
    page_put(out, "%s", name);
    fputs("\"><table><thead><tr>", out);
    for (size_t i = 0; headings[i]; i++) {
        fprintf(out, "<th scope=\"col\"%s>", i < texts ? "" : " class=\"n\"");
        page_put(out, "%c%s", toupper((unsigned char)headings[i][0]), headings[i] + 1);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
}

void page_cell(struct page_table *table, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t column = table->column++;
    const char *element = column ? "td" : "th scope=\"row\"";
    fprintf(table->out, "%s<%s%s>", column ? "" : "<tr>", element,
            column < table->texts ? "" : " class=\"n\"");
    quote_xml(text, table->out);
    fprintf(table->out, "</%s>", column ? "td" : "th");
}

void page_number(struct page_table *table, uint64_t value)
{
    char text[REPORT_NUMBER_BYTES];
    page_cell(table, "%s", value ? report_number(value, text) : "-");
}

void page_percent(struct page_table *table, uint64_t part, uint64_t whole)
{
    if (whole)
        page_cell(table, "%.1f %%", 100 * report_share(part, whole));
    else
        page_cell(table, "-");
}

void page_row_end(struct page_table *table)
{
    fputs("</tr>\n", table->out);
    table->column = 0;
}

void page_table_end(struct page_table *table)
{
    fputs("</tbody></table></div>\n", table->out);
}
