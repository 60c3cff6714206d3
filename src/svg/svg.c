/* svg.c - the elements of an SVG document. */
#include "svg/svg.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "text/quote.h"

enum { TEXT_BYTES = 512 };

/* At most two decimals, none that are 0. */
static void put_number(double value, FILE *out)
{
    char text[32];
    double rounded = round(value * 100) / 100;
    size_t length = (size_t)snprintf(text, sizeof text, "%.2f", rounded == 0 ? 0 : rounded);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[--length] = '\0';
    fputs(text, out);
}

static void put_attribute(struct svg *svg, const char *name, double value)
{
    fprintf(svg->out, " %s=\"", name);
    put_number(value, svg->out);
    fputc('"', svg->out);
}

static void put_class(struct svg *svg, const char *class)
{
    if (class)
        fprintf(svg->out, " class=\"%s\"", class);
}

static void put_child(struct svg *svg, const char *element, const char *text)
{
    if (text == NULL)
        return;
    fprintf(svg->out, "<%s>", element);
    quote_xml(text, svg->out);
    fprintf(svg->out, "</%s>", element);
}

void svg_begin(struct svg *svg, FILE *out, enum svg_place place, double width, double height,
               const char *title, const char *description)
{
    svg->out = out;
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"", out);
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    fputs(" viewBox=\"0 0 ", out);
    put_number(width, out);
    fputc(' ', out);
    put_number(height, out);
    fputs("\">\n", out);
    put_child(svg, "title", title);
    put_child(svg, "desc", description);
    if (place == SVG_ALONE) {
        fputs("\n<style>\n", out);
        svg_style_alone(out);
        fputs("</style>\n", out);
        svg_rect(svg, 0, 0, width, height, "page");
    }
    fputc('\n', out);
}

void svg_end(struct svg *svg)
{
    fputs("</svg>\n", svg->out);
}

void svg_group(struct svg *svg, const char *class, const char *title)
{
    fputs("<g", svg->out);
    put_class(svg, class);
    fputc('>', svg->out);
    put_child(svg, "title", title);
}

void svg_group_at(struct svg *svg, double x, double y)
{
    fputs("<g transform=\"translate(", svg->out);
    put_number(x, svg->out);
    fputc(' ', svg->out);
    put_number(y, svg->out);
    fputs(")\">", svg->out);
}

void svg_group_end(struct svg *svg)
{
    fputs("</g>\n", svg->out);
}

/* All of a rect but its end. */
static void put_rect(struct svg *svg, double x, double y, double width, double height,
                     const char *class)
{
    fputs("<rect", svg->out);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    put_attribute(svg, "width", width);
    put_attribute(svg, "height", height);
    put_class(svg, class);
}

void svg_rect(struct svg *svg, double x, double y, double width, double height, const char *class)
{
    put_rect(svg, x, y, width, height, class);
    fputs("/>\n", svg->out);
}

void svg_rect_titled(struct svg *svg, double x, double y, double width, double height,
                     const char *class, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_rect(svg, x, y, width, height, class);
    fputc('>', svg->out);
    put_child(svg, "title", text);
    fputs("</rect>\n", svg->out);
}

void svg_line(struct svg *svg, double x1, double y1, double x2, double y2, const char *class)
{
    fputs("<line", svg->out);
    put_attribute(svg, "x1", x1);
    put_attribute(svg, "y1", y1);
    put_attribute(svg, "x2", x2);
    put_attribute(svg, "y2", y2);
    put_class(svg, class);
    fputs("/>\n", svg->out);
}

void svg_link(struct svg *svg, double x1, double y1, double x2, double y2, const char *class)
{
    const double middle = (y1 + y2) / 2;
    const double points[] = {x1, y1, x1, middle, x2, middle, x2, y2};
    fputs("<path d=\"M", svg->out);
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        if (i)
            fputs(i == 2 ? "C" : " ", svg->out);
        put_number(points[i], svg->out);
    }
    fputc('"', svg->out);
    put_class(svg, class);
    fputs("/>\n", svg->out);
}

void svg_text(struct svg *svg, double x, double y, enum svg_anchor anchor, const char *class,
              const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("<text", svg->out);
    put_attribute(svg, "x", x);
    put_attribute(svg, "y", y);
    if (anchor != SVG_START)
        fprintf(svg->out, " text-anchor=\"%s\"", anchor == SVG_END ? "end" : "middle");
    put_class(svg, class);
    fputc('>', svg->out);
    quote_xml(text, svg->out);
    fputs("</text>\n", svg->out);
}
