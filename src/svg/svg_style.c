/* svg_style.c - the classes as a table and as style sheets.
 *
 * Decision: plain rules for each theme and no CSS variables, which programs for slides and drawings do
 * not know. A program without media queries shows the light theme.
 */
#include "svg/svg.h"

#include <stddef.h>

const struct svg_class svg_classes[] = {
#define SVG_CLASS(name, fill_light, fill_dark, stroke_light, stroke_dark, more)                    \
    {#name, {fill_light, fill_dark}, {stroke_light, stroke_dark}, more},
#include "svg/svg_style.def"
#undef SVG_CLASS
};
const size_t svg_class_count = sizeof svg_classes / sizeof svg_classes[0];

enum theme { LIGHT, DARK };

static void put_rules(const char *before, enum theme theme, FILE *out)
{
    for (const struct svg_class *c = svg_classes; c < svg_classes + svg_class_count; c++) {
        const char *fill = c->fill[theme], *stroke = c->stroke[theme];
        if (fill[0] == '\0' && theme == DARK)
            continue; /* of no colour: the same in both */
        fprintf(out, "%s.%s{", before, c->name);
        if (fill[0])
            fprintf(out, "fill:%s", fill);
        if (stroke[0] && stroke[0] != 'n')
            fprintf(out, ";stroke:%s", stroke);
        if (c->more[0] && theme == LIGHT)
            fprintf(out, "%s%s", fill[0] ? ";" : "", c->more);
        fputs("}\n", out);
    }
}

void svg_style_alone(FILE *out)
{
    fputs("text{font:12px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif}\n", out);
    put_rules("", LIGHT, out);
    fputs("@media screen and (prefers-color-scheme:dark){\n", out);
    put_rules("", DARK, out);
    fputs("}\n", out);
}

void svg_style_page(FILE *out)
{
    fputs("svg text{font:12px system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif}\n", out);
    put_rules("svg ", LIGHT, out);
    fputs("@media screen and (prefers-color-scheme:dark){\n", out);
    put_rules(":root:not([data-theme=light]) svg ", DARK, out);
    fputs("}\n@media screen{\n", out);
    put_rules(":root[data-theme=dark] svg ", DARK, out);
    fputs("}\n", out);
}

const char *svg_hue(unsigned index)
{
    static const char names[SVG_HUES][5] = {"hue0", "hue1", "hue2", "hue3",
                                            "hue4", "hue5", "hue6", "hue7"};
    return names[index % SVG_HUES];
}

const char *svg_heat(double share)
{
    static const char names[SVG_HEATS][6] = {"heat0", "heat1", "heat2", "heat3", "heat4",
                                             "heat5", "heat6", "heat7", "heat8", "heat9"};
    int step = share <= 0 ? 0 : 1 + (int)(share * (SVG_HEATS - 1));
    return names[step < SVG_HEATS ? step : SVG_HEATS - 1];
}
