/* text_fault.c - the line of a fault, written and read:
 *
 *   fault out_of_bounds count=28 file=a.cu line=6 array=out space=global op=store bytes=4 offset=400 of=400
 *         block=3,0,0 thread=4,0,0 text="..."
 *
 * `stops` behind the kind: the launch ends there. */
#include <inttypes.h>
#include <string.h>

#include "trace_io/text/text_reader.h"
#include "trace_io/text/text_writer.h"

bool text_writer_fault(void *context, const struct trace_fault *fault)
{
    struct text_writer *w = context;
    if (!text_writer_name_fits(w, fault->file) || !text_writer_name_fits(w, fault->array) ||
        !text_writer_name_fits(w, fault->text))
        return false;
    text_writer_end_part(w);
    w->block_open = w->block_open && !fault->stops;
    fprintf(w->out, "fault %s%s count=%" PRIu64 " file=", fault_kinds[fault->kind].name,
            fault->stops ? " stops" : "", fault->count);
    text_writer_put_name(w, fault->file);
    fprintf(w->out, " line=%" PRIu32 " array=", fault->line);
    text_writer_put_name(w, fault->array);
    fprintf(w->out, " space=%s op=%s bytes=%u offset=%" PRId64 " of=%" PRIu64,
            mem_space_names[fault->space], mem_op_names[fault->op], fault->width, fault->offset,
            fault->array_bytes);
    const uint32_t *b = fault->block, *t = fault->thread;
    fprintf(w->out,
            " block=%" PRIu32 ",%" PRIu32 ",%" PRIu32 " thread=%" PRIu32 ",%" PRIu32 ",%" PRIu32
            " text=",
            b[0], b[1], b[2], t[0], t[1], t[2]);
    text_writer_put_name(w, fault->text);
    fputc('\n', w->out);
    return text_writer_goes_on(w);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool read_offset(struct text_line *line, struct word word, int64_t *offset)
{
    const bool is_below = word.length && *word.s == '-';
    const struct word digits = {word.s + is_below, word.length - is_below};
    uint64_t size;
    if (!words_number(&line->words, digits, INT64_MAX, &size))
        return false;
    *offset = is_below ? -(int64_t)size : (int64_t)size;
    return true;
}

/* A word of a table. */
static bool read_known(struct text_line *line, struct word word, const char *const *names,
                       size_t count, uint8_t *number)
{
    const size_t found = word_find(word, names, count);
    *number = (uint8_t)found;
    if (found < count)
        return true;
    words_fail_unknown(&line->words, word, "word", names, count);
    return false;
}

static bool read_kind(struct text_line *line, struct trace_fault *fault)
{
    const char *names[FAULT_KINDS];
    struct word kind;
    for (unsigned i = 0; i < FAULT_KINDS; i++)
        names[i] = fault_kinds[i].name;
    return line_name(line, "fault's kind", &kind) &&
           read_known(line, kind, names, FAULT_KINDS, &fault->kind);
}

static bool read_words(struct text_reader *r, struct text_line *line, struct trace_fault *fault)
{
    uint64_t source = 0, bytes = 0;
    struct word file = {"?", 1}, array = {"", 0}, space = {"global", 6}, op = {"load", 4},
                offset = {"0", 1}, block = {"0,0,0", 5}, thread = {"0,0,0", 5}, text = {"", 0};
    struct line_option options[] = {
        {.name = "stops", .flag = &fault->stops},
        {.name = "count", .most = UINT64_MAX, .number = &fault->count, .is_needed = true},
        {.name = "file", .text = &file},
        {.name = "line", .most = UINT32_MAX, .number = &source},
        {.name = "array", .text = &array},
        {.name = "space", .text = &space},
        {.name = "op", .text = &op},
        {.name = "bytes", .most = 16, .number = &bytes},
        {.name = "offset", .text = &offset},
        {.name = "of", .most = UINT64_MAX, .number = &fault->array_bytes},
        {.name = "block", .text = &block},
        {.name = "thread", .text = &thread},
        {.name = "text", .text = &text, .is_needed = true}};
    if (!line_options(line, options, sizeof options / sizeof options[0]) ||
        !read_known(line, space, mem_space_names, SPACE_COUNT, &fault->space) ||
        !read_known(line, op, mem_op_names, OP_COUNT, &fault->op) ||
        !read_offset(line, offset, &fault->offset) || !line_sides(line, block, fault->block) ||
        !line_sides(line, thread, fault->thread))
        return text_fail(r);
    fault->line = (uint32_t)source;
    fault->width = (uint8_t)bytes;
    fault->file = builder_name(&r->builder, file.s, file.length);
    fault->array = fault->file ? builder_name(&r->builder, array.s, array.length) : NULL;
    fault->text = fault->array ? builder_name(&r->builder, text.s, text.length) : NULL;
    return fault->text != NULL;
}

bool text_read_fault(struct text_reader *r, struct text_line *line)
{
    struct trace_fault fault = {0};
    if (!read_kind(line, &fault))
        return text_fail(r);
    if (!read_words(r, line, &fault))
        return false;
    if (r->place != PLACE_TOP && (!text_launch_begins(r) || !text_parts_flush(r, true)))
        return false;
    if (fault.stops)
        r->place = PLACE_TOP;
    return builder_fault(&r->builder, &fault);
}
