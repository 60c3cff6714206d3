/* explain_svg.c - an explanation as a picture: what the access is, the lanes and what they get, the
 * counts, the verdict. The steps are the text's: explain.c.
 */
#include "explain/explain.h"

#include "explain/explain_svg_panels.h"
#include "explain/layouts.h"

#include <inttypes.h>

enum {
    HEAD_HEIGHT = 30, /* the GPU's name */
    LINE_HEIGHT = 16,
    LINE_CHARS = 112,
    BOLD_CHARS = 98,
    BODY_GAP = 8,
    COUNTS_HEIGHT = 42,
    SHARE_HEIGHT = 18, /* the bar of used and moved bytes */
    FOOT_HEIGHT = 12,
    COUNTS_MOST = 9,
};

static const struct figure_body *const bodies[] = {[PATH_MEMORY] = &figure_memory,
                                                   [PATH_BANKS] = &figure_banks,
                                                   [PATH_CONSTANT] = &figure_constant,
                                                   [PATH_COPY] = &figure_copy};

static double paragraph_height(const char *s, size_t room)
{
    double height = 0;
    for (size_t next; *s != '\0'; s += next) {
        text_cut_line(s, room, &next);
        height += LINE_HEIGHT;
    }
    return height;
}

/* Lines of text from y on; returns where the next thing may begin. */
static double put_paragraph(struct svg *svg, double y, const char *class, const char *s,
                            size_t room)
{
    for (size_t next; *s != '\0'; s += next) {
        const size_t length = text_cut_line(s, room, &next);
        svg_text(svg, FIGURE_MARGIN, y + 12, SVG_START, class, "%.*s", (int)length, s);
        y += LINE_HEIGHT;
    }
    return y;
}

/* A number with its name below. */
struct count {
    const char *name;
    struct text value;
};

static struct count *add_count(struct count *list, size_t *used, const char *name, uint32_t value)
{
    struct count *count = &list[(*used)++];
    count->name = name;
    text_start(&count->value);
    text_add(&count->value, "%" PRIu32, value);
    return count;
}

static void add_percent(struct count *list, size_t *used, const char *name, uint32_t part,
                        uint32_t whole)
{
    struct text *value = &add_count(list, used, name, 0)->value;
    text_start(value);
    text_add_percent(value, part, whole);
}

static void list_memory(const struct explained *x, struct count *list, size_t *used)
{
    const struct coalesced *moved = &x->moved;
    add_count(list, used, "requests", moved->requests);
    add_count(list, used, "transactions", moved->transactions);
    text_add(&add_count(list, used, "sectors (ideal)", moved->bytes_moved / SECTOR_BYTES)->value,
             " (%" PRIu32 ")", coalesce_ideal_sectors(x->bytes_used));
    add_count(list, used, "bytes moved", moved->bytes_moved);
    add_count(list, used, "bytes used", x->bytes_used);
    add_percent(list, used, "efficiency", x->bytes_asked, moved->bytes_moved);
    if (x->bytes_asked != x->bytes_used)
        add_percent(list, used, "bus utilization", x->bytes_used, moved->bytes_moved);
    if (x->has_l1_stages) {
        add_count(list, used, "tag wavefronts", x->l1.wavefronts);
        add_count(list, used, "data passes", x->l1.data_passes);
    }
}

static void list_copy(const struct explained *x, struct count *list, size_t *used)
{
    const struct async_copy_counts *n = &x->copied;
    add_count(list, used, "requests", n->requests);
    text_add(&add_count(list, used, "sectors (ideal)", n->sectors)->value, " (%" PRIu32 ")",
             n->ideal_sectors);
    add_count(list, used, "passes to shared", n->passes);
    add_count(list, used, "conflicts", n->conflicts);
    add_count(list, used, "tag wavefronts", n->tag_wavefronts);
    add_count(list, used, "data passes", n->data_passes);
}

static size_t list_counts(const struct explained *x, struct count list[COUNTS_MOST])
{
    size_t used = 0;
    if (x->path == PATH_MEMORY) {
        list_memory(x, list, &used);
    } else if (x->path == PATH_COPY) {
        list_copy(x, list, &used);
    } else if (x->path == PATH_BANKS) {
        add_count(list, &used, "passes", x->passes.passes);
        add_count(list, &used, "ideal", x->passes.ideal);
        add_count(list, &used, "conflicts", x->passes.passes - x->passes.ideal);
        text_add(&add_count(list, &used, "at worst", x->ways)->value, "-way");
    } else {
        add_count(list, &used, "passes", x->constant.passes);
        add_count(list, &used, "ideal", x->constant_ideal);
    }
    return used;
}

static void put_counts(struct svg *svg, const struct explained *x, double y)
{
    struct count list[COUNTS_MOST];
    const size_t count = list_counts(x, list);
    const double pitch = count > 6 ? (double)FIGURE_CONTENT / (double)count : 112;
    for (size_t i = 0; i < count; i++) {
        const double left = FIGURE_MARGIN + (double)i * pitch;
        svg_text(svg, left, y + 18, SVG_START, "ink large bold", "%s", list[i].value.s);
        svg_text(svg, left, y + 32, SVG_START, "soft small", "%s", list[i].name);
    }
}

/* How much of what is moved is used, as a bar. */
static void put_share(struct svg *svg, const struct explained *x, double y)
{
    const double used = (double)FIGURE_CONTENT * x->bytes_used / x->moved.bytes_moved;
    svg_rect(svg, FIGURE_MARGIN, y, FIGURE_CONTENT, 8, "excess");
    svg_rect_titled(svg, FIGURE_MARGIN, y, used, 8, "ideal",
                    "%" PRIu32 " bytes used of %" PRIu32 " moved", x->bytes_used,
                    x->moved.bytes_moved);
}

/* Whether nothing could be saved. */
static bool is_ideal(const struct explained *x)
{
    if (x->path == PATH_MEMORY)
        return x->moved.bytes_moved == SECTOR_BYTES * coalesce_ideal_sectors(x->bytes_used);
    if (x->path == PATH_COPY)
        return x->copied.conflicts == 0 && x->copied.sectors == x->copied.ideal_sectors;
    if (x->path == PATH_BANKS)
        return x->passes.passes == x->passes.ideal;
    return x->constant.passes == x->constant_ideal;
}

static void words_of(const struct explained *x, struct text *access, struct text *rule,
                     struct text *verdict)
{
    text_start(access);
    explained_describe(x, access);
    text_start(rule);
    text_add(rule, "%s: ", x->rules.name);
    rule_describe(x, rule);
    verdict_find(x, verdict); /* empty when there is none */
}

/* Empty when nobody has asked, as in reports. */
static void answer_of(const struct explained *x, struct text *answer)
{
    struct text found;
    text_start(answer);
    if (x->subject->tile && layouts_answer(x, &found))
        text_add(answer, "Layouts: %s", found.s);
}

static double share_height(const struct explained *x)
{
    return x->path == PATH_MEMORY ? SHARE_HEIGHT : 0;
}

static double figure_height(const struct explained *x)
{
    struct text access, rule, verdict, layouts;
    words_of(x, &access, &rule, &verdict);
    answer_of(x, &layouts);
    return HEAD_HEIGHT + paragraph_height(access.s, LINE_CHARS) +
           paragraph_height(rule.s, LINE_CHARS) + BODY_GAP + bodies[x->path]->height(x) +
           COUNTS_HEIGHT + share_height(x) + paragraph_height(verdict.s, BOLD_CHARS) +
           paragraph_height(layouts.s, LINE_CHARS) + FOOT_HEIGHT;
}

static void figure_put(struct svg *svg, const struct explained *x)
{
    struct text access, rule, verdict, layouts;
    words_of(x, &access, &rule, &verdict);
    answer_of(x, &layouts);
    svg_text(svg, FIGURE_MARGIN, 22, SVG_START, "ink large bold", "%s (sm_%d)", x->model->title,
             (int)x->arch->sm);
    double y = put_paragraph(svg, HEAD_HEIGHT, "ink", access.s, LINE_CHARS);
    y = put_paragraph(svg, y, "soft", rule.s, LINE_CHARS) + BODY_GAP;
    bodies[x->path]->draw(svg, x, y);
    y += bodies[x->path]->height(x);
    put_counts(svg, x, y);
    y += COUNTS_HEIGHT;
    if (x->path == PATH_MEMORY)
        put_share(svg, x, y);
    y = put_paragraph(svg, y + share_height(x), is_ideal(x) ? "fine bold" : "alarm bold", verdict.s,
                      BOLD_CHARS);
    put_paragraph(svg, y, "ink", layouts.s, LINE_CHARS);
}

/* A GPU without rules. */
static void no_rules_put(struct svg *svg, const struct explained *x)
{
    svg_text(svg, FIGURE_MARGIN, 22, SVG_START, "ink", "%s: there are no access rules for sm_%d",
             x->model->title, (int)x->arch->sm);
}

static double caption_height(const struct explain_subject *subject)
{
    return subject->caption ? paragraph_height(subject->caption, LINE_CHARS) + BODY_GAP : 0;
}

static double subject_height(const struct explain_subject *subject)
{
    struct explained x;
    const double height = caption_height(subject);
    if (!explained_make(subject, &x))
        return height + HEAD_HEIGHT;
    return height + figure_height(&x);
}

static void subject_put(struct svg *svg, const struct explain_subject *subject, double y)
{
    struct explained x;
    if (subject->caption) {
        put_paragraph(svg, y + BODY_GAP, "ink", subject->caption, LINE_CHARS);
        y += caption_height(subject);
    }
    svg_group_at(svg, 0, y);
    if (explained_make(subject, &x))
        figure_put(svg, &x);
    else
        no_rules_put(svg, &x);
    svg_group_end(svg);
}

void explain_accesses_svg(const struct explain_subject *subjects, size_t count,
                          enum svg_place place, FILE *out)
{
    struct svg svg;
    struct text title;
    double height = 0, y = 0;
    text_start(&title);
    for (size_t i = 0; i < count; i++) {
        height += subject_height(&subjects[i]);
        text_add(&title, "%s%s", i ? ", " : "One access of a warp: ", subjects[i].model->title);
    }
    svg_begin(&svg, out, place, FIGURE_WIDTH, height, title.s, NULL);
    for (size_t i = 0; i < count; i++) {
        subject_put(&svg, &subjects[i], y);
        y += subject_height(&subjects[i]);
    }
    svg_end(&svg);
}

void explain_access_svg(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch, enum svg_place place, FILE *out)
{
    const struct explain_subject subject = {.access = a, .model = model, .arch = arch};
    explain_accesses_svg(&subject, 1, place, out);
}
