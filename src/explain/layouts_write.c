/* layouts_write.c - which layouts have no conflict, in words and as JSON: the answer first, then how it was found. */
#include <inttypes.h>

#include "explain/layouts.h"

/* The fewest conflicts of all that were tried; those of now when nothing helps. */
static uint32_t fewest(const struct layouts *l)
{
    uint32_t least = l->conflicts;
    if (l->swizzles != 0 && l->swizzle[0].conflicts < least)
        least = l->swizzle[0].conflicts;
    if (l->paddings != 0 && l->padding[0].conflicts < least)
        least = l->padding[0].conflicts;
    return least;
}

static void add_swizzle(const struct layouts *l, struct swizzle s, struct text *t)
{
    text_add(t, "swizzle=%u,%u,%d", s.bits, s.base - l->unit_log2, s.shift);
}

static const char *row_name(const struct layouts *l)
{
    return l->has_rows ? "rows" : "a stride";
}

static void add_padding(const struct layouts *l, const struct layout_trial *p, struct text *t)
{
    text_add(t, "%s of %" PRIu32 " bytes instead of %" PRIu32, row_name(l),
             p->pitch_bytes + p->pad_bytes, p->pitch_bytes);
}

/* "7 passes, 3 of them conflicts" */
static void add_passes(const struct layout_trial *trial, struct text *t)
{
    text_add_count(t, trial->passes, "pass", "es");
    if (trial->conflicts != 0)
        text_add(t, ", %" PRIu32 " of them conflicts", trial->conflicts);
}

/* "bits 7-9", "bit 7" */
static void add_bits(int from, int count, struct text *t)
{
    if (count == 1)
        text_add(t, "bit %d", from);
    else
        text_add(t, "bits %d-%d", from, from + count - 1);
}

static void add_best(const struct layouts *l, struct text *t)
{
    const uint32_t least = fewest(l);
    const bool swizzled = l->swizzles != 0 && l->swizzle[0].conflicts == least;
    const bool padded = l->paddings != 0 && l->padding[0].conflicts == least;
    if (swizzled)
        add_swizzle(l, l->swizzle[0].swizzle, t);
    text_add(t, swizzled && padded ? ", or " : "");
    if (padded)
        add_padding(l, &l->padding[0], t);
    if (padded && l->is_swizzled)
        text_add(t, " and no swizzle");
}

static void add_answer(const struct layouts *l, struct text *t)
{
    const uint32_t least = fewest(l);
    text_start(t);
    if (least == l->conflicts) {
        text_add(t, "none of the swizzles and paddings that were tried has fewer conflicts");
        return;
    }
    if (least == 0)
        text_add(t, "free of conflicts with ");
    else
        text_add(t, "none is free of conflicts; fewest, %" PRIu32 " of %" PRIu32 ", with ", least,
                 l->conflicts);
    add_best(l, t);
}

/* Parts are answered behind the last of them. */
static bool is_last(const struct explained *x)
{
    const struct explain_subject *s = x->subject;
    return s->parts == NULL || s->parts[s->part_count - 1].access == x->access;
}

bool layouts_answer(const struct explained *x, struct text *t)
{
    struct layouts l;
    if (!is_last(x) || !layouts_find(x, &l))
        return false;
    add_answer(&l, t);
    return true;
}

static void print_swizzle(const struct layouts *l, const struct layout_trial *trial, FILE *out)
{
    const struct swizzle s = trial->swizzle;
    struct text name, what;
    text_start(&name);
    add_swizzle(l, s, &name);
    text_start(&what);
    text_add(&what, "  %-18s ", name.s);
    text_start(&name);
    add_passes(trial, &name);
    text_add(&name, ", no more memory");
    if (l->block_bytes != 0)
        text_add(&name, " than to a multiple of %" PRIu32 " bytes", l->block_bytes);
    text_add(&name, "; address ");
    add_bits(s.base + s.shift, s.bits, &name);
    text_add(&name, " exclusive-ored into ");
    add_bits(s.base, s.bits, &name);
    if (l->unit_log2 != 0)
        text_add(&name, " (%u,%u,%d of bytes)", s.bits, s.base, s.shift);
    text_print_wrapped(out, what.s, 21, name.s);
}

static void print_padding(const struct layouts *l, const struct layout_trial *trial, FILE *out)
{
    struct text name, what;
    text_start(&name);
    text_add(&name, "%s of %" PRIu32, row_name(l), trial->pitch_bytes + trial->pad_bytes);
    text_start(&what);
    text_add(&what, "  %-18s ", name.s);
    text_start(&name);
    add_passes(trial, &name);
    text_add(&name, ", %" PRIu32 " bytes more %s, ", trial->pad_bytes,
             l->has_rows ? "a row" : "from lane to lane");
    text_add_percent(&name, trial->pad_bytes, trial->pitch_bytes);
    text_add(&name, " more memory");
    if (l->unit_log2 != 0 && trial->pad_bytes >> l->unit_log2 << l->unit_log2 == trial->pad_bytes)
        text_add(&name, "; %" PRIu32 " elements in place of %" PRIu32,
                 (trial->pitch_bytes + trial->pad_bytes) >> l->unit_log2,
                 trial->pitch_bytes >> l->unit_log2);
    text_print_wrapped(out, what.s, 21, name.s);
}

static const char *part_name(const struct warp_access *a)
{
    if (access_is_matrix(a))
        return a->op == OP_LOAD ? "ldmatrix" : "stmatrix";
    return a->copy ? "the copy" : mem_op_names[a->op];
}

/* ", for access 1 (store) and access 2 (ldmatrix) at once" */
static void add_parts(const struct explained *x, const struct layouts *l, struct text *t)
{
    size_t told = 0;
    for (size_t i = 0; i < x->subject->part_count; i++) {
        const struct warp_access *a = x->subject->parts[i].access;
        if (a->space != SPACE_SHARED && a->copy == NULL)
            continue;
        told++;
        text_add(t, "%saccess %zu (%s)",
                 told == 1          ? ""
                 : told == l->parts ? " and "
                                    : ", ",
                 i + 1, part_name(a));
    }
}

/* What was tried, and for what. */
static void print_scope(const struct explained *x, const struct layouts *l, FILE *out)
{
    struct text t;
    text_start(&t);
    text_add(&t, "tried: %" PRIu32 " swizzles and ", l->swizzles_tried);
    if (l->paddings_tried != 0)
        text_add(&t, "%" PRIu32 " paddings", l->paddings_tried);
    else
        text_add(&t, "no padding, since the length of a row is not known%s",
                 x->subject->tile ? " (layout= says it)" : "");
    if (l->parts == 1) {
        text_add(&t, ", for this access alone; %s",
                 x->subject->tile ? "accesses with ';' between them are served at once"
                                  : "`warplens advise` tries changes of all that it does");
    } else {
        text_add(&t, ", for ");
        add_parts(x, l, &t);
        text_add(&t, " at once, which now take %" PRIu32 " passes, %" PRIu32 " of them conflicts",
                 l->passes, l->conflicts);
    }
    text_print_wrapped(out, "  ", 2, t.s);
}

void layouts_print(const struct explained *x, FILE *out)
{
    struct layouts l;
    struct text t;
    if (!is_last(x) || !layouts_find(x, &l))
        return;
    add_answer(&l, &t);
    text_print_wrapped(out, "Layouts: ", 9, t.s);
    for (uint32_t i = 0; i < l.swizzles; i++)
        print_swizzle(&l, &l.swizzle[i], out);
    for (uint32_t i = 0; i < l.paddings; i++)
        print_padding(&l, &l.padding[i], out);
    print_scope(x, &l, out);
}

static void put_swizzle(const struct layouts *l, const struct layout_trial *trial, FILE *out)
{
    const struct swizzle s = trial->swizzle;
    fprintf(out,
            "{\"swizzle\":[%u,%u,%d],\"byte_swizzle\":[%u,%u,%d],\"passes\":%" PRIu32
            ",\"conflicts\":%" PRIu32 ",\"bytes_a_row\":0}",
            s.bits, s.base - l->unit_log2, s.shift, s.bits, s.base, s.shift, trial->passes,
            trial->conflicts);
}

static void put_padding(const struct layout_trial *trial, FILE *out)
{
    fprintf(out,
            "{\"row_bytes\":%" PRIu32 ",\"padded_row_bytes\":%" PRIu32 ",\"passes\":%" PRIu32
            ",\"conflicts\":%" PRIu32 ",\"bytes_a_row\":%" PRIu32 "}",
            trial->pitch_bytes, trial->pitch_bytes + trial->pad_bytes, trial->passes,
            trial->conflicts, trial->pad_bytes);
}

void layouts_put_json(const struct explained *x, FILE *out)
{
    struct layouts l;
    struct text t;
    if (!layouts_find(x, &l))
        return;
    add_answer(&l, &t);
    fprintf(out,
            ",\"layouts\":{\"answer\":\"%s\",\"serves\":%zu,\"passes\":%" PRIu32
            ",\"conflicts\":%" PRIu32 ",\"swizzles_tried\":%" PRIu32 ",\"paddings_tried\":%" PRIu32
            ",\"unit_bytes\":%u,\"found\":[",
            t.s, l.parts, l.passes, l.conflicts, l.swizzles_tried, l.paddings_tried,
            1U << l.unit_log2);
    for (uint32_t i = 0; i < l.swizzles; i++) {
        fputs(i == 0 ? "" : ",", out);
        put_swizzle(&l, &l.swizzle[i], out);
    }
    for (uint32_t i = 0; i < l.paddings; i++) {
        fputs(i + l.swizzles == 0 ? "" : ",", out);
        put_padding(&l.padding[i], out);
    }
    fputs("]}", out);
}
