/* write_text.c - a paragraph a finding: the two lines, the two threads, the word, what to do. */
#include "check/write.h"

#include <inttypes.h>
#include <string.h>

#include "report/faults.h"
#include "report/report.h"
#include "report/traced.h"
#include "text/style.h"
#include "text/text.h"

static void put_thread(struct text *t, const struct finding *f, const struct finding_end *end)
{
    uint32_t b[3], i[3];
    check_coordinates(end->thread, f->block, i);
    if (end->block == UNKNOWN_BLOCK) {
        text_add(t, "an earlier block");
    } else {
        check_coordinates(end->block, f->grid, b);
        text_add(t, "block (%u,%u,%u)", b[0], b[1], b[2]);
    }
    text_add(t, ", thread (%u,%u,%u)", i[0], i[1], i[2]);
}

static void put_end(const struct check_run *run, const struct finding *f,
                    const struct finding_end *end, FILE *out)
{
    size_t length;
    const char *code = run_info_code(run->checker->info, end->file, end->line, &length);
    struct text t;
    fprintf(out, "  %s:%u", end->file, end->line);
    if (code)
        fprintf(out, "  %s%.*s%s", style_begin(STYLE_DIM), (int)length, code, style_end(STYLE_DIM));
    text_start(&t);
    text_add(&t, "%s by ", end->what);
    put_thread(&t, f, end);
    fprintf(out, "\n      %s\n", t.s);
}

/* "s[33]", or where it is when the array's name or beginning is not known. */
static void put_word(const struct finding *f, FILE *out)
{
    char words[REPORT_NUMBER_BYTES], times[REPORT_NUMBER_BYTES];
    const char *space = mem_space_names[f->space];
    if (f->array[0] && f->has_offset)
        fprintf(out, "  word     %s[%" PRIu64 "] of %u bytes each (byte %" PRIu64 ", %s)", f->array,
                f->offset / f->width, f->width, f->offset, space);
    else
        fprintf(out, "  word     0x%" PRIx64 " of %s memory%s%s", f->address, space,
                f->array[0] ? ", of " : "", f->array);
    fprintf(out, "; %s word%s, %s time%s\n", report_number(f->words, words),
            f->words == 1 ? "" : "s", report_number(f->times, times), f->times == 1 ? "" : "s");
}

static void put_finding(const struct check_run *run, const struct finding *f, FILE *out)
{
    const struct hazard_words *words = &hazard_words[f->kind];
    struct text t;
    fprintf(out, "%s%s%s, %s%s, in %s\n", style_begin(STYLE_BAD), words->name, style_end(STYLE_BAD),
            f->lanes_run == LANES_EITHER ? "on " : "", check_where(f), f->kernel);
    text_start(&t);
    text_add(&t, "%s%s: %s", words->title, f->is_same_instruction ? " in one instruction" : "",
             words->danger);
    text_print_wrapped(out, "  ", 2, t.s);
    put_end(run, f, &f->ends[0], out);
    if (f->kind == HAZARD_WARP_MASK) {
        fprintf(out, "  mask     %s\n", f->mask_text);
    } else {
        put_end(run, f, &f->ends[1], out);
        put_word(f, out);
    }
    if (f->has_values_unknown && f->kind != HAZARD_LOST_UPDATE && f->kind != HAZARD_WARP_MASK)
        fputs("           what they store is not known: it is none if they are equal\n", out);
    text_print_wrapped(out, "  to do    ", 11, check_what_to_do(f));
}

static void put_notes(const struct checker *c, FILE *out)
{
    const char *notes[CHECK_NOTES_MAX];
    check_notes(c, notes);
    for (size_t i = 0; notes[i]; i++) {
        fputs(i || c->info->fault_count ? "" : "\n", out);
        text_print_wrapped(out, "note: ", 6, notes[i]);
    }
}

static void put_run(const struct check_run *run, FILE *out)
{
    const struct checker *c = run->checker;
    const size_t faults = c->info->fault_count, count = check_count(run) - faults;
    struct text traced;
    char accesses[REPORT_NUMBER_BYTES], left_out[REPORT_NUMBER_BYTES];
    fprintf(out, "%s%s%s: ", style_begin(STYLE_STRONG), run->label, style_end(STYLE_STRONG));
    if (count)
        fprintf(out, "%s%zu finding%s%s", style_begin(STYLE_BAD), count, count == 1 ? "" : "s",
                style_end(STYLE_BAD));
    if (faults)
        fprintf(out, "%s%sfaults at %zu place%s%s", count ? ", " : "", style_begin(STYLE_BAD),
                faults, faults == 1 ? "" : "s", style_end(STYLE_BAD));
    if (count + faults == 0)
        fprintf(out, "%snothing found%s", style_begin(STYLE_GOOD), style_end(STYLE_GOOD));
    fprintf(out, " in %s warp accesses of %u launch%s\n", report_number(c->accesses, accesses),
            c->launches, c->launches == 1 ? "" : "es");
    report_traced(c->info, &traced);
    if (traced.length)
        fprintf(out, "traced: %s\n", traced.s);
    for (size_t i = 0; i < c->findings.count; i++) {
        if (!check_holds(run, &c->findings.items[i]))
            continue;
        fputc('\n', out);
        put_finding(run, &c->findings.items[i], out);
    }
    if (c->findings.left_out)
        fprintf(out, "\n%s more, at further pairs of lines\n",
                report_number(c->findings.left_out, left_out));
    if (c->info->fault_count)
        fputc('\n', out);
    report_faults_text(c->info, true, out);
    put_notes(c, out);
}

void check_write_text(const struct check_run *runs, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "\n" : "", out);
        put_run(&runs[i], out);
    }
}
