/* write_json.c - {"schema":1,"runs":[{"kernel","launches","accesses","findings":[{"kind","holds","kernel",
 * "accesses":[{"file","line","operation","block","thread"}],"array","space","address","offset","width",
 * "words","times"}],"left_out","faults","notes":[]}]}. A wrong mask has one access, and "mask" in place of a word;
 * "faults" is what docs/report.md says. */
#include "check/write.h"

#include <inttypes.h>

#include "report/faults.h"
#include "text/quote.h"

static void put_text(const char *name, const char *text, FILE *out)
{
    fprintf(out, ",\"%s\":", name);
    quote_json_string(text, out);
}

static void put_xyz(const char *name, uint32_t index, const uint32_t size[3], FILE *out)
{
    uint32_t xyz[3];
    check_coordinates(index, size, xyz);
    fprintf(out, ",\"%s\":[%u,%u,%u]", name, xyz[0], xyz[1], xyz[2]);
}

static void put_end(const struct finding *f, const struct finding_end *end, FILE *out)
{
    fputs("{\"file\":", out);
    quote_json_string(end->file, out);
    fprintf(out, ",\"line\":%u", end->line);
    put_text("operation", end->what, out);
    if (end->block == UNKNOWN_BLOCK)
        fputs(",\"block\":null", out);
    else
        put_xyz("block", end->block, f->grid, out);
    put_xyz("thread", end->thread, f->block, out);
    fputc('}', out);
}

static void put_word(const struct finding *f, FILE *out)
{
    put_text("array", f->array, out);
    put_text("space", mem_space_names[f->space], out);
    fprintf(out, ",\"address\":%" PRIu64 ",\"offset\":", f->address);
    if (f->has_offset)
        fprintf(out, "%" PRIu64, f->offset);
    else
        fputs("null", out);
    fprintf(out, ",\"width\":%u,\"words\":%" PRIu64, f->width, f->words);
}

static void put_finding(const struct finding *f, FILE *out)
{
    fputs("{\"kind\":", out);
    quote_json_string(hazard_words[f->kind].name, out);
    put_text("holds", check_where(f), out);
    put_text("kernel", f->kernel, out);
    fputs(",\"accesses\":[", out);
    put_end(f, &f->ends[0], out);
    if (f->kind != HAZARD_WARP_MASK) {
        fputc(',', out);
        put_end(f, &f->ends[1], out);
    }
    fputc(']', out);
    if (f->kind == HAZARD_WARP_MASK)
        put_text("mask", f->mask_text, out);
    else
        put_word(f, out);
    fprintf(out, ",\"times\":%" PRIu64, f->times);
    put_text("to_do", check_what_to_do(f), out);
    fputc('}', out);
}

static void put_notes(const struct checker *c, FILE *out)
{
    const char *notes[CHECK_NOTES_MAX];
    check_notes(c, notes);
    fputs("\"notes\":[", out);
    for (size_t i = 0; notes[i]; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(notes[i], out);
    }
    fputc(']', out);
}

static void put_run(const struct check_run *run, FILE *out)
{
    const struct checker *c = run->checker;
    const char *between = "\n ";
    fputs("{\"kernel\":", out);
    quote_json_string(run->label, out);
    fprintf(out, ",\"launches\":%u,\"accesses\":%" PRIu64 ",\"findings\":[", c->launches,
            c->accesses);
    for (size_t i = 0; i < c->findings.count; i++) {
        if (!check_holds(run, &c->findings.items[i]))
            continue;
        fputs(between, out);
        put_finding(&c->findings.items[i], out);
        between = ",\n ";
    }
    fprintf(out, "],\"left_out\":%" PRIu64 ",", c->findings.left_out);
    if (c->info->fault_count) {
        report_faults_json(c->info, out);
        fputc(',', out);
    }
    put_notes(c, out);
    fputc('}', out);
}

void check_write_json(const struct check_run *runs, size_t count, FILE *out)
{
    fputs("{\"schema\":1,\"runs\":[\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n" : "", out);
        put_run(&runs[i], out);
    }
    fputs("\n]}\n", out);
}
