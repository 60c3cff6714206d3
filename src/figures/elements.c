/* elements.c - an array's elements as strips of bytes: touched ones with who touches them, others as
 * what they are: fetched for nothing. */
#include "figures/figure_frame.h"

enum { LEFT = 190, STRIP = 560, ROW = 78, STRIP_HEIGHT = 30, TOP = 8 };

static const struct observation *seen(const struct result *r)
{
    return r->info->observed;
}

bool figure_elements_has(const struct result *results, size_t count)
{
    (void)count;
    return seen(results) && seen(results)->element_count;
}

static uint32_t touched_bytes(const struct observed_element *element)
{
    return (uint32_t)__builtin_popcountll(element->touched);
}

/* Runs of bytes that nobody touches. */
static void draw_untouched(struct svg *svg, const struct observed_element *element, double y,
                           double byte_width)
{
    for (uint32_t first = 0, end; first < element->bytes; first = end) {
        const bool touched = element->touched >> first & 1;
        for (end = first + 1; end < element->bytes && (element->touched >> end & 1) == touched;)
            end++;
        if (touched)
            continue;
        svg_rect_titled(svg, LEFT + first * byte_width, y, (end - first) * byte_width, STRIP_HEIGHT,
                        "waste", "bytes %u to %u: never touched", first, end - 1);
        if ((end - first) * byte_width >= 52)
            svg_text(svg, LEFT + (first + end) * byte_width / 2, y + 19, SVG_MIDDLE, "soft",
                     "unused");
    }
}

static void draw_field(struct svg *svg, const struct observed_field *field, uint32_t index,
                       double y, double byte_width)
{
    const double x = LEFT + field->offset * byte_width, width = field->bytes * byte_width;
    const char *how = field->loaded ? field->stored ? "loaded and stored" : "loaded" : "stored";
    svg_rect_titled(svg, x, y, width, STRIP_HEIGHT, svg_hue(index), "bytes %u to %u: %s, %s:%u",
                    field->offset, field->offset + field->bytes - 1, how, field->file, field->line);
    if (width >= 56)
        svg_text(svg, x + width / 2, y + 19, SVG_MIDDLE, "ink", "line %u", field->line);
}

static void draw_scale(struct svg *svg, const struct observed_element *element, double y,
                       double byte_width)
{
    const uint32_t step = element->bytes <= 32 ? 4 : 8;
    for (uint32_t byte = 0; byte <= element->bytes; byte += step)
        svg_text(svg, LEFT + byte * byte_width, y, SVG_MIDDLE, "soft small", "%u", byte);
}

static void draw_element(struct svg *svg, const struct observed_element *element, double y)
{
    const double byte_width = (double)STRIP / element->bytes;
    svg_text(svg, LEFT - 16, y + 13, SVG_END, "ink bold mono", "%s", element->array);
    svg_text(svg, LEFT - 16, y + 28, SVG_END, "soft", "elements of %u bytes", element->bytes);
    draw_untouched(svg, element, y, byte_width);
    for (size_t i = 0; i < element->field_count; i++)
        draw_field(svg, &element->fields[i], (uint32_t)i, y, byte_width);
    draw_scale(svg, element, y + STRIP_HEIGHT + 14, byte_width);
    const uint32_t touched = touched_bytes(element);
    svg_text(svg, LEFT + STRIP + 18, y + 13, SVG_START, touched < element->bytes ? "alarm" : "fine",
             "%u of %u bytes", touched, element->bytes);
    svg_text(svg, LEFT + STRIP + 18, y + 28, SVG_START, "soft", "of an element are used");
}

void figure_elements_write(const struct result *results, size_t count, enum svg_place place,
                           FILE *out)
{
    struct svg svg;
    const struct observation *o = seen(results);
    (void)count;
    figure_begin(&svg, out, place, TOP + (double)o->element_count * ROW - 12, results,
                 "Elements of arrays", "Which bytes of an array's elements are touched.");
    for (size_t i = 0; i < o->element_count; i++)
        draw_element(&svg, &o->elements[i], TOP + (double)i * ROW);
    figure_end(&svg);
}
