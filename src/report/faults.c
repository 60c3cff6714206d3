/* faults.c - what was wrong with a run, in front of its figures: whether it failed, how many faults of which kinds there
 * are, where, and what to do. They are of the source, so a run under several GPUs has them once. */
#include <inttypes.h>

#include "report/faults.h"
#include "report/report.h"

enum { SHOWN_MAX = 8 };

bool report_is_empty(const struct result *r)
{
    return r->total.launches == 0;
}

const struct run_fault *report_fault(const struct run_info *info, size_t n)
{
    const struct run_fault *stop = run_info_stop(info);
    if (stop == NULL || (size_t)(stop - info->faults) < n)
        return &info->faults[n];
    return n ? &info->faults[n - 1] : stop;
}

static void add_failure(const struct run_info *info, struct text *t)
{
    const struct run_fault *stop = run_info_stop(info);
    if (stop == NULL)
        return;
    if (stop->kernel[0])
        text_add(t, "FAILED: a launch of %s was stopped, and is not in the figures. ",
                 stop->kernel);
    else
        text_add(t, "FAILED: the program did not do all that it was to. ");
}

void report_add_fault_sums(const uint64_t sums[FAULT_KINDS], struct text *t)
{
    char number[REPORT_NUMBER_BYTES];
    uint64_t all = 0;
    const char *between = ": ";
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++)
        all += sums[kind];
    text_add(t, "%s fault%s", report_number(all, number), all == 1 ? "" : "s");
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
        if (sums[kind] == 0)
            continue;
        text_add(t, "%s%s %s", between, report_number(sums[kind], number), fault_kinds[kind].name);
        between = ", ";
    }
    text_add(t, ".");
}

void report_faults_headline(const struct run_info *info, struct text *t)
{
    text_start(t);
    add_failure(info, t);
    report_add_fault_sums(info->fault_sums, t);
}

static void put_fault(const struct run_fault *fault, FILE *out)
{
    struct text t;
    char number[REPORT_NUMBER_BYTES];
    const struct trace_fault *f = &fault->fault;
    text_start(&t);
    text_add(&t, "%s", f->text);
    text_print_wrapped(out, "  ", 4, t.s);
    text_start(&t);
    if (f->count > 1)
        text_add(&t, "%s times, this the first; ", report_number(f->count, number));
    text_add(&t, "%s", fault_kinds[f->kind].remedy);
    text_print_wrapped(out, "    ", 4, t.s);
}

void report_faults_text(const struct run_info *info, bool full, FILE *out)
{
    struct text t;
    const size_t shown = full || info->fault_count <= SHOWN_MAX ? info->fault_count : SHOWN_MAX;
    if (info->fault_count == 0)
        return;
    report_faults_headline(info, &t);
    report_put_sentence(t.s, 0, out);
    for (size_t i = 0; i < shown; i++)
        put_fault(report_fault(info, i), out);
    if (shown < info->fault_count)
        fprintf(out, "  %zu more places: --full\n", info->fault_count - shown);
    fputc('\n', out);
}

const char *report_first_fault(const struct run_info *info)
{
    return report_fault(info, 0)->fault.text;
}

void report_faults_line(const struct run_info *info, struct text *t)
{
    report_faults_headline(info, t);
    text_add(t, " The first: %s", report_fault(info, 0)->fault.text);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void put_triple(const char *name, const uint32_t v[3], FILE *out)
{
    fprintf(out, ",\"%s\":[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", name, v[0], v[1], v[2]);
}

static void put_json_fault(const struct run_fault *fault, FILE *out)
{
    const struct trace_fault *f = &fault->fault;
    fprintf(out, "{\"kind\":\"%s\",\"stops\":%s,\"count\":%" PRIu64 ",\"kernel\":",
            fault_kinds[f->kind].name, f->stops ? "true" : "false", f->count);
    quote_json_string(fault->kernel, out);
    fputs(",\"file\":", out);
    quote_json_string(f->file, out);
    fprintf(out, ",\"line\":%" PRIu32 ",\"array\":", f->line);
    quote_json_string(f->array, out);
    if (f->width)
        fprintf(out,
                ",\"space\":\"%s\",\"op\":\"%s\",\"bytes\":%u,\"offset\":%" PRId64
                ",\"array_bytes\":%" PRIu64,
                mem_space_names[f->space], mem_op_names[f->op], f->width, f->offset,
                f->array_bytes);
    put_triple("block", f->block, out);
    put_triple("thread", f->thread, out);
    fputs(",\"text\":", out);
    quote_json_string(f->text, out);
    fputc('}', out);
}

void report_faults_json(const struct run_info *info, FILE *out)
{
    const char *comma = "";
    fprintf(out, "\"faults\":{\"count\":%" PRIu64 ",\"failed\":%s,\"kinds\":{",
            run_info_faults(info), info->has_stopped ? "true" : "false");
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
        if (info->fault_sums[kind] == 0)
            continue;
        fprintf(out, "%s\"%s\":%" PRIu64, comma, fault_kinds[kind].name, info->fault_sums[kind]);
        comma = ",";
    }
    fputs("},\"places\":[", out);
    for (size_t i = 0; i < info->fault_count; i++) {
        fputs(i ? ",\n " : "\n ", out);
        put_json_fault(report_fault(info, i), out);
    }
    fputs("]}", out);
}
