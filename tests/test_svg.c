/* test_svg.c - is what is drawn well formed, does text stay text, and can it be read on its ground? */
#define _GNU_SOURCE
#include "svg/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"

/* What `draw` writes, to be freed. */
static char *drawn(void (*draw)(struct svg *svg))
{
    char *text = NULL;
    size_t bytes;
    struct svg svg = {.out = open_memstream(&text, &bytes)};
    assert_non_null(svg.out);
    draw(&svg);
    assert_int_equal(fclose(svg.out), 0);
    return text;
}

static void check_drawn(void (*draw)(struct svg *svg), const char *expected)
{
    char *text = drawn(draw);
    assert_string_equal(text, expected);
    free(text);
}

static void draw_marks(struct svg *svg)
{
    svg_text(svg, 1, 2, SVG_MIDDLE, "ink", "a[i] < b && \"c\" > %d\x01", 7);
}

static void marks_of_xml_are_text(void **state)
{
    (void)state;
    check_drawn(draw_marks, "<text x=\"1\" y=\"2\" text-anchor=\"middle\" class=\"ink\">"
                            "a[i] &lt; b &amp;&amp; &quot;c&quot; &gt; 7?</text>\n");
}

static void draw_numbers(struct svg *svg)
{
    svg_line(svg, 0.1 + 0.2, -0.001, 100, 2.005001, NULL);
    svg_line(svg, 1e6, -12.5, 1200, 0.996, NULL);
}

static void numbers_have_two_decimals_at_most_and_no_idle_zeros(void **state)
{
    (void)state;
    check_drawn(draw_numbers, "<line x1=\"0.3\" y1=\"0\" x2=\"100\" y2=\"2.01\"/>\n"
                              "<line x1=\"1000000\" y1=\"-12.5\" x2=\"1200\" y2=\"1\"/>\n");
}

static void draw_link(struct svg *svg)
{
    svg_link(svg, 0, 0, 10, 20, "flow");
}

static void a_link_leaves_and_arrives_upright(void **state)
{
    (void)state;
    check_drawn(draw_link, "<path d=\"M0 0C0 10 10 10 10 20\" class=\"flow\"/>\n");
}

static void heat_begins_with_anything_at_all_and_ends_at_the_most(void **state)
{
    (void)state;
    assert_string_equal(svg_heat(0), "heat0");
    assert_string_equal(svg_heat(1e-9), "heat1");
    assert_string_equal(svg_heat(1), "heat9");
    assert_string_equal(svg_heat(7), "heat9");
    assert_string_equal(svg_hue(9), "hue1");
}

/* ---- Contrast, by the formula of WCAG 2.1 ---------------------------------------------------- */

static const struct svg_class *class_named(const char *name)
{
    for (size_t i = 0; i < svg_class_count; i++)
        if (strcmp(svg_classes[i].name, name) == 0)
            return &svg_classes[i];
    fail_msg("no class %s", name);
    return NULL;
}

static double luminance(const char *colour)
{
    static const double weights[] = {0.0722, 0.7152, 0.2126};
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    double sum = 0;
    for (int i = 0; i < 3; i++, rgb >>= 8) {
        double c = (double)(rgb & 255) / 255;
        sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(const char *one, const char *other)
{
    double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static void check_contrast(const char *text, const char *ground, double least)
{
    const struct svg_class *a = class_named(text), *b = class_named(ground);
    for (int theme = 0; theme < 2; theme++) {
        const char *front = a->fill[theme][0] == '#' ? a->fill[theme] : a->stroke[theme];
        if (contrast(front, b->fill[theme]) < least)
            fail_msg("%s on %s, theme %d: %.2f", text, ground, theme,
                     contrast(front, b->fill[theme]));
    }
}

static void black_on_white_is_21(void **state)
{
    (void)state;
    assert_true(fabs(contrast("#000000", "#ffffff") - 21) < 1e-9);
    assert_true(fabs(contrast("#777777", "#ffffff") - 4.478) < 0.001); /* W3C's example */
}

static void text_can_be_read_on_the_page_and_on_pale_fills(void **state)
{
    (void)state;
    static const char *const texts[] = {"ink", "soft", "alarm", "fine"};
    static const char *const grounds[] = {"page", "cell", "off"};
    static const char *const pale[] = {"waste", "hue0", "hue1", "hue2", "hue3",
                                       "hue4",  "hue5", "hue6", "hue7", "idle"};
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++)
        for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; g++)
            check_contrast(texts[t], grounds[g], 4.5);
    for (size_t g = 0; g < sizeof pale / sizeof pale[0]; g++) {
        check_contrast("ink", pale[g], 4.5);
        check_contrast("soft", pale[g], 4.5);
    }
}

static void bars_and_lines_can_be_told_from_the_page(void **state)
{
    (void)state;
    static const char *const bars[] = {
        "ideal", "actual", "excess",  "axis",       "mark",    "flow",      "thin",
        "heat9", "issue",  "queue",   "unit",       "wall",    "pages",     "way_out",
        "slice", "bank",   "from_sm", "from_other", "from_l2", "from_dram", "from_host"};
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++)
        check_contrast(bars[i], "page", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_xml_are_text),
        cmocka_unit_test(numbers_have_two_decimals_at_most_and_no_idle_zeros),
        cmocka_unit_test(a_link_leaves_and_arrives_upright),
        cmocka_unit_test(heat_begins_with_anything_at_all_and_ends_at_the_most),
        cmocka_unit_test(black_on_white_is_21),
        cmocka_unit_test(text_can_be_read_on_the_page_and_on_pale_fills),
        cmocka_unit_test(bars_and_lines_can_be_told_from_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
