/* explain.c - the text of an explanation: what the access is, the rule, the picture, the steps, the
 * counts, the verdict.
 */
#include "explain/explain.h"

#include "explain/explained.h"
#include "explain/layouts.h"

#include <inttypes.h>

static void add_operation(const struct explained *x, struct text *t)
{
    const struct warp_access *a = x->access;
    const bool global = a->space == SPACE_GLOBAL;
    if (x->path == PATH_COPY) {
        text_add(t, "asynchronous copy %s the L1", a->copy->past_l1 ? "past" : "through");
        return;
    }
    text_add(t, "%s%s%s%s", (a->flags & ACCESS_READ_ONLY) != 0 ? "read-only " : "",
             global ? "" : mem_space_names[a->space], global ? "" : " ", mem_op_names[a->op]);
}

static uint64_t lowest_destination(const struct explained *x)
{
    uint64_t low = UINT64_MAX;
    for (uint32_t left = x->access->active; left != 0; left &= left - 1) {
        const uint64_t to = x->access->copy->to[__builtin_ctz(left)];
        low = to < low ? to : low;
    }
    return low;
}

void explained_describe(const struct explained *x, struct text *t)
{
    int64_t stride;
    if (access_is_matrix(x->access))
        text_add(t, "%s of rows", x->access->op == OP_LOAD ? "ldmatrix" : "stmatrix");
    else
        add_operation(x, t);
    text_add(t, " of %u byte%s by ", x->access->width, x->access->width == 1 ? "" : "s");
    text_add_count(t, x->lanes, "lane", "s");
    if (x->low == x->high)
        text_add(t, ", address 0x%" PRIx64, x->low);
    else
        text_add(t, ", addresses 0x%" PRIx64 " to 0x%" PRIx64, x->low, x->high);
    if (explained_find_stride(x, &stride) && stride != 0)
        text_add(t, ", stride %" PRId64, stride);
    if (x->path == PATH_COPY)
        text_add(t, ", to shared memory from 0x%" PRIx64 " on", lowest_destination(x));
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

static void print_copy_counts(const struct explained *x, FILE *out)
{
    const struct async_copy_counts *n = &x->copied;
    struct text t;
    text_start(&t);
    text_add(&t,
             "requests %" PRIu32 ", sectors %" PRIu32 " (ideal %" PRIu32
             "), passes into shared memory "
             "%" PRIu32 ", conflicts %" PRIu32 ", tag wavefronts %" PRIu32 ", data passes %" PRIu32
             ", L2 requests %" PRIu32 " if all miss",
             n->requests, n->sectors, n->ideal_sectors, n->passes, n->conflicts, n->tag_wavefronts,
             n->data_passes, n->l2_requests);
    text_print_wrapped(out, "Counts: ", 8, t.s);
}

static void print_counts(const struct explained *x, FILE *out)
{
    fputc('\n', out);
    if (x->path == PATH_MEMORY)
        print_memory_counts(x, out);
    else if (x->path == PATH_COPY)
        print_copy_counts(x, out);
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

static bool make_or_say(const struct explain_subject *subject, struct explained *x, FILE *out)
{
    if (explained_make(subject, x))
        return true;
    fprintf(out, "%s: there are no access rules for sm_%d\n", subject->model->title,
            (int)subject->arch->sm);
    return false;
}

static bool has_copies(const struct capability *capability)
{
    return capability->has_async_copies;
}

static bool has_ldmatrix(const struct capability *capability)
{
    return capability->has_ldmatrix;
}

static bool has_stmatrix(const struct capability *capability)
{
    return capability->has_stmatrix;
}

bool explain_allows(const struct explain_subject *subject, char refusal[EXPLAIN_REFUSAL_BYTES])
{
    const struct warp_access *a = subject->access;
    const struct capability *row = capability_find(subject->arch->sm);
    const bool is_load = a->op == OP_LOAD;
    const char *name = a->copy ? "cp.async" : is_load ? "ldmatrix" : "stmatrix";
    bool (*has)(const struct capability *) = a->copy   ? has_copies
                                             : is_load ? has_ldmatrix
                                                       : has_stmatrix;
    const bool may_lack = a->copy || (subject->tile && access_is_matrix(a));
    if (!may_lack || row == NULL || has(row))
        return true;
    snprintf(refusal, EXPLAIN_REFUSAL_BYTES, "%s needs sm_%d (%s) or later, and %s is sm_%d", name,
             (int)capability_first(has)->sm_first, capability_first(has)->generation,
             subject->model->title, (int)subject->arch->sm);
    return false;
}

static void measure(const struct explained *x, struct explain_figures *figures)
{
    if (x->path == PATH_MEMORY) {
        figures->count = x->moved.transactions;
        figures->bytes_moved = x->moved.bytes_moved;
        figures->is_ideal =
            x->moved.bytes_moved == SECTOR_BYTES * coalesce_ideal_sectors(x->bytes_used);
    } else if (x->path == PATH_COPY) {
        figures->count = x->copied.passes;
        figures->is_ideal = x->copied.conflicts == 0;
    } else {
        figures->count = x->path == PATH_BANKS ? x->passes.passes : x->constant.passes;
        figures->is_ideal =
            figures->count == (x->path == PATH_BANKS ? x->passes.ideal : x->constant_ideal);
    }
}

bool explain_count(const struct explain_subject *subject, struct explain_figures *figures)
{
    struct explained x;
    if (!explained_make(subject, &x))
        return false;
    *figures = (struct explain_figures){.path = x.path, .rule = x.rule};
    measure(&x, figures);
    return true;
}

void explain_head(const struct explain_subject *subject, FILE *out)
{
    struct explained x;
    if (make_or_say(subject, &x, out))
        print_head(&x, out);
}

void explain_reasons(const struct explain_subject *subject, FILE *out)
{
    struct explained x;
    if (!make_or_say(subject, &x, out))
        return;
    x.has_l1_stages = false;
    print_steps(&x, out);
    print_counts(&x, out);
    print_verdict(&x, out);
}

static void draw(const struct explained *x, FILE *out)
{
    if (x->path == PATH_MEMORY || x->path == PATH_COPY) {
        draw_memory(x, out);
        fputc('\n', out);
        draw_transactions(x, out);
    }
    if (explained_has_rows(x)) {
        fputs(x->path == PATH_COPY ? "\n" : "", out);
        draw_rows(x, out);
        fputs(x->path == PATH_BANKS ? "\n" : "", out);
    }
    if (x->path == PATH_BANKS)
        draw_banks(x, out);
    else if (x->path == PATH_CONSTANT)
        draw_constant(x, out);
}

void explain_subject_text(const struct explain_subject *subject, FILE *out)
{
    struct explained x;
    if (subject->caption)
        text_print_wrapped(out, "", 2, subject->caption);
    if (!make_or_say(subject, &x, out))
        return;
    print_head(&x, out);
    fputc('\n', out);
    draw(&x, out);
    fputc('\n', out);
    print_steps(&x, out);
    print_counts(&x, out);
    print_verdict(&x, out);
    layouts_print(&x, out);
}

void explain_access(const struct warp_access *a, const struct gpu_model *model,
                    const struct arch *arch, FILE *out)
{
    const struct explain_subject subject = {.access = a, .model = model, .arch = arch};
    explain_subject_text(&subject, out);
}
