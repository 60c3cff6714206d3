/* explain.c - the text of an explanation: what the access is, the rule, the picture, the steps, the
 * counts, the verdict.
 */
#include "explain/explain.h"

#include "explain/explained.h"

#include <inttypes.h>

static void add_operation(const struct warp_access *a, struct text *t)
{
    const bool global = a->space == SPACE_GLOBAL;
    text_add(t, "%s%s%s%s", (a->flags & ACCESS_READ_ONLY) != 0 ? "read-only " : "",
             global ? "" : mem_space_names[a->space], global ? "" : " ", mem_op_names[a->op]);
}

void explained_describe(const struct explained *x, struct text *t)
{
    int64_t stride;
    if (access_is_matrix(x->access))
        text_add(t, "%s of rows", x->access->op == OP_LOAD ? "ldmatrix" : "stmatrix");
    else
        add_operation(x->access, t);
    text_add(t, " of %u byte%s by ", x->access->width, x->access->width == 1 ? "" : "s");
    text_add_count(t, x->lanes, "lane", "s");
    if (x->low == x->high)
        text_add(t, ", address 0x%" PRIx64, x->low);
    else
        text_add(t, ", addresses 0x%" PRIx64 " to 0x%" PRIx64, x->low, x->high);
    if (explained_find_stride(x, &stride) && stride != 0)
        text_add(t, ", stride %" PRId64, stride);
}

static void print_head(const struct explained *x, FILE *out)
{
    struct text t;
    text_start(&t);
    explained_describe(x, &t);
    text_add(&t, ", on %s (sm_%d)", x->model->title, (int)x->arch->sm);
    text_print_wrapped(out, "", 2, t.s);
    text_start(&t);
    text_add(&t, "Rule of %s: ", x->rules.name);
    rule_describe(x, &t);
    text_print_wrapped(out, "", 2, t.s);
}

static void print_step(struct step_sink *sink, const char *step)
{
    struct text number;
    text_start(&number);
    text_add(&number, "%3u. ", sink->count);
    text_print_wrapped(sink->out, number.s, 5, step);
}

static void print_steps(const struct explained *x, FILE *out)
{
    struct step_sink sink = {.put = print_step, .out = out};
    fputs("Steps:\n", out);
    steps_write(x, &sink);
}

static void print_memory_counts(const struct explained *x, FILE *out)
{
    const struct coalesced *moved = &x->moved;
    struct text t;
    text_start(&t);
    text_add(&t,
             "requests %" PRIu32 ", transactions %" PRIu32 ", sectors %" PRIu32 " (ideal %" PRIu32
             ")",
             moved->requests, moved->transactions, moved->bytes_moved / SECTOR_BYTES,
             coalesce_ideal_sectors(x->bytes_used));
    if (x->has_l1_stages)
        text_add(&t, ", tag wavefronts %" PRIu32 ", data passes %" PRIu32, x->l1.wavefronts,
                 x->l1.data_passes);
    text_print_wrapped(out, "Counts: ", 8, t.s);
    text_start(&t);
    text_add(&t, "bytes asked for %" PRIu32 ", used %" PRIu32 ", moved %" PRIu32 "; efficiency ",
             x->bytes_asked, x->bytes_used, moved->bytes_moved);
    text_add_percent(&t, x->bytes_asked, moved->bytes_moved);
    if (x->bytes_asked != x->bytes_used) {
        text_add(&t, " (asked for / moved), bus utilization ");
        text_add_percent(&t, x->bytes_used, moved->bytes_moved);
        text_add(&t, " (used / moved)");
    }
    text_print_wrapped(out, "        ", 8, t.s);
}

static void print_counts(const struct explained *x, FILE *out)
{
    fputc('\n', out);
    if (x->path == PATH_MEMORY)
        print_memory_counts(x, out);
    else if (x->path == PATH_BANKS)
        fprintf(out,
                "Counts: passes %" PRIu32 ", ideal %" PRIu32 ", conflicts %" PRIu32
                "; at worst %" PRIu32 "-way\n",
                x->passes.passes, x->passes.ideal, x->passes.passes - x->passes.ideal, x->ways);
    else
        fprintf(out, "Counts: passes %" PRIu32 ", ideal %" PRIu32 "\n", x->constant.passes,
                x->constant_ideal);
}

static void print_verdict(const struct explained *x, FILE *out)
{
    struct text t;
    if (verdict_find(x, &t))
        text_print_wrapped(out, "Verdict: ", 9, t.s);
}

static bool make_or_say(const struct warp_access *a, const struct gpu_model *model,
                        const struct arch *arch, struct explained *x, FILE *out)
{
    if (explained_make(a, model, arch, x))
        return true;
    fprintf(out, "%s: there are no access rules for sm_%d\n", model->title, (int)arch->sm);
    return false;
}

bool explain_count(const struct warp_access *a, const struct gpu_model *model,
                   const struct arch *arch, struct explain_figures *figures)
{
    struct explained x;
    if (!explained_make(a, model, arch, &x))
        return false;
    *figures = (struct explain_figures){.path = x.path, .rule = x.rule};
    if (x.path == PATH_MEMORY) {
        figures->count = x.moved.transactions;
        figures->bytes_moved = x.moved.bytes_moved;
        figures->is_ideal =
            x.moved.bytes_moved == SECTOR_BYTES * coalesce_ideal_sectors(x.bytes_used);
    } else {
        figures->count = x.path == PATH_BANKS ? x.passes.passes : x.constant.passes;
        figures->is_ideal =
            figures->count == (x.path == PATH_BANKS ? x.passes.ideal : x.constant_ideal);
    }
    return true;
}

void explain_head(const struct warp_access *a, const struct gpu_model *model,
                  const struct arch *arch, FILE *out)
{
    struct explained x;
    if (make_or_say(a, model, arch, &x, out))
        print_head(&x, out);
}

void explain_reasons(const struct warp_access *a, const struct gpu_model *model,
                     const struct arch *arch, FILE *out)
{
    struct explained x;
    if (!make_or_say(a, model, arch, &x, out))
        return;
    x.has_l1_stages = false;
    print_steps(&x, out);
    print_counts(&x, out);
    print_verdict(&x, out);
}

void explain_access(const struct warp_access *a, const struct gpu_model *model,
                    const struct arch *arch, FILE *out)
{
    struct explained x;
    if (!make_or_say(a, model, arch, &x, out))
        return;
    print_head(&x, out);
    fputc('\n', out);
    if (x.path == PATH_MEMORY) {
        draw_memory(&x, out);
        fputc('\n', out);
        draw_transactions(&x, out);
    } else if (x.path == PATH_BANKS) {
        draw_banks(&x, out);
    } else {
        draw_constant(&x, out);
    }
    fputc('\n', out);
    print_steps(&x, out);
    print_counts(&x, out);
    print_verdict(&x, out);
}
