/* text_write.c - see text_write.h.
 *
 * Decisions. What the reader would assume is left out, so that what was written by hand stays short.
 * Sites are numbered lines and accesses name the number (@3), since a stream may have several sites
 * that look alike. Addresses in an array are written with its name where that is a plain word which
 * no other array has. What a text trace cannot hold is an error here, not when it is read.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "stream/access_check.h"
#include "trace_io/text/text_read.h"
#include "trace_io/text/text_writer.h"
#include "text/memory.h"

enum { RUNS_A_LINE = 12, MANAGED_BITS = MANAGED_TOUCHED | MANAGED_PREFETCHED | MANAGED_SET };

bool text_writer_fail(struct text_writer *w, const char *format, ...)
{
    va_list arguments;
    if (w->message[0])
        return false;
    va_start(arguments, format);
    vsnprintf(w->message, sizeof w->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether the file takes what is written. */
bool text_writer_goes_on(struct text_writer *w)
{
    if (ferror(w->out))
        return text_writer_fail(w, "cannot write: %s", strerror(errno ? errno : EIO));
    return w->message[0] == '\0';
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool is_plain(const char *text)
{
    if (*text == '\0')
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && strchr("_./+-", *text) == NULL)
            return false;
    return true;
}

void text_writer_put_name(struct text_writer *w, const char *text)
{
    if (is_plain(text)) {
        fputs(text, w->out);
        return;
    }
    fputc('"', w->out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(w->out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            fprintf(w->out, "\\x%02x", c);
        else
            fputc(c, w->out);
    }
    fputc('"', w->out);
}

bool text_writer_name_fits(struct text_writer *w, const char *name)
{
    return strlen(name) < NAME_BYTES ||
           text_writer_fail(w, "a name of %zu bytes; a text trace holds up to %d", strlen(name),
                            NAME_BYTES - 1);
}

/* ---- Notes and sites ------------------------------------------------------------------------- */

void text_writer_end_part(struct text_writer *w)
{
    if (w->in_part)
        fputs("  end\n", w->out);
    w->in_part = false;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct text_writer *w = context;
    if (!text_writer_name_fits(w, key) || !text_writer_name_fits(w, value))
        return false;
    fputs("note ", w->out);
    text_writer_put_name(w, key);
    fputc(' ', w->out);
    text_writer_put_name(w, value);
    fputc('\n', w->out);
    return text_writer_goes_on(w);
}

/* "ld.global.nc.b32" */
void text_writer_put_head(struct text_writer *w, const struct warp_access *a, bool read_only)
{
    fprintf(w->out, "%s.%s%s.b%u", mem_op_mnemonics[a->op], mem_space_mnemonics[a->space],
            read_only ? ".nc" : "", 8U * a->width);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct text_writer *w = context;
    char text[CHECK_TEXT_BYTES];
    struct warp_access like = {
        .width = site->width, .op = site->op, .space = site->space, .active = 1, .resident = 1};
    const char *error = access_check(&like, UINT32_MAX, text);
    if (error)
        return text_writer_fail(w, "site %" PRIu32 ": %s", number, error);
    if (!text_writer_name_fits(w, site->file) || !text_writer_name_fits(w, site->array))
        return false;
    fprintf(w->out, "%ssite %" PRIu32 " ", w->in_part ? "    " : "", number);
    text_writer_put_head(w, &like, false);
    fputs(" file=", w->out);
    text_writer_put_name(w, site->file);
    fprintf(w->out, " line=%" PRIu32 " array=", site->line);
    text_writer_put_name(w, site->array);
    fputc('\n', w->out);
    return text_writer_goes_on(w);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static bool can_name(const struct array_table *table, const struct trace_array *array)
{
    const struct trace_array *first;
    const char *name = array->name;
    if (strcmp(name, "block") == 0 || strcmp(name, "warp") == 0 ||
        (!isalpha((unsigned char)name[0]) && name[0] != '_'))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return array_table_find(table, name, &first) == 1;
}

static void put_array(struct text_writer *w, const struct trace_array *array)
{
    static const char *const homes[] = {
        [HOME_DEVICE] = "", [HOME_HOST] = " host", [HOME_MANAGED] = " managed"};
    fputs("array ", w->out);
    text_writer_put_name(w, array->name);
    fprintf(w->out, " bytes=%" PRIu64 " base=0x%" PRIx64 "%s\n", array->bytes, array->base,
            homes[array->home]);
}

static bool put_arrays(struct text_writer *w, const struct launch_info *launch)
{
    bool changed, had_some = w->arrays.count != 0;
    const char *error = array_table_take(&w->arrays, &w->names, launch, &changed);
    if (error)
        return text_writer_fail(w, "%s", error);
    if (!changed)
        return true;
    if (had_some)
        fputs("free all\n", w->out);
    free(w->is_named);
    w->is_named = memory_take(w->arrays.count + 1, sizeof *w->is_named);
    if (w->is_named == NULL)
        return text_writer_fail(w, "no memory for the arrays' names");
    for (size_t i = 0; i < w->arrays.count; i++) {
        w->is_named[i] = can_name(&w->arrays, &w->arrays.arrays[i]);
        put_array(w, &w->arrays.arrays[i]);
    }
    return true;
}

static void put_pages(struct text_writer *w, const struct managed_range *range)
{
    uint64_t count = array_table_range_pages(range), length;
    unsigned runs = 0;
    for (uint64_t page = 0; page < count; page += length, runs++) {
        const char *before = runs % RUNS_A_LINE ? " " : runs ? "\n    pages " : "    pages ";
        length = array_table_run(range, page);
        fprintf(w->out, "%s%" PRIu64 "*%u", before, length, range->touched[page]);
    }
    fputc('\n', w->out);
}

static bool put_managed(struct text_writer *w, const struct launch_info *launch)
{
    const char *error = array_table_check_managed(launch);
    if (error)
        return text_writer_fail(w, "%s", error);
    if (launch->managed_count == 0 && array_table_has_managed(&w->arrays))
        fputs("  managed none\n", w->out);
    for (size_t i = 0; i < launch->managed_count; i++) {
        const struct managed_range *range = &launch->managed[i];
        fprintf(w->out, "  managed base=0x%" PRIx64 " bytes=%" PRIu64 "\n", range->address,
                range->bytes);
        if (range->touched)
            put_pages(w, range);
    }
    return true;
}

static void put_sides(struct text_writer *w, const char *what, const uint32_t sides[3])
{
    fprintf(w->out, " %s=%" PRIu32, what, sides[0]);
    if (sides[1] != 1 || sides[2] != 1)
        fprintf(w->out, ",%" PRIu32, sides[1]);
    if (sides[2] != 1)
        fprintf(w->out, ",%" PRIu32, sides[2]);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct text_writer *w = context;
    char text[CHECK_TEXT_BYTES];
    const char *error = launch_check(launch, text);
    if (error)
        return text_writer_fail(w, "%s", error);
    if (!text_writer_name_fits(w, launch->kernel) || !put_arrays(w, launch))
        return false;
    w->launch = *launch;
    fputs("launch ", w->out);
    text_writer_put_name(w, launch->kernel);
    put_sides(w, "grid", launch->grid);
    put_sides(w, "block", launch->block);
    if (launch->dynamic_shared_bytes)
        fprintf(w->out, " shared=%" PRIu64, launch->dynamic_shared_bytes);
    if (launch->registers)
        fprintf(w->out, " registers=%" PRIu32, launch->registers);
    fputc('\n', w->out);
    return put_managed(w, launch) && text_writer_goes_on(w);
}

void text_writer_put_shared(struct text_writer *w, const char *what, uint64_t bytes)
{
    fprintf(w->out, "%s", what);
    if (bytes != w->launch.dynamic_shared_bytes)
        fprintf(w->out, " shared=%" PRIu64, bytes);
    fputc('\n', w->out);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct text_writer *w = context;
    text_writer_put_shared(w, "endlaunch", shared_bytes_per_block);
    return text_writer_goes_on(w);
}

/* ---- Begin and end --------------------------------------------------------------------------- */

bool text_writer_start(struct text_writer *writer, FILE *out)
{
    *writer = (struct text_writer){.out = out};
    writer->sink = (struct trace_sink){.context = writer,
                                       .note = on_note,
                                       .site = on_site,
                                       .launch_begin = on_launch_begin,
                                       .access = text_writer_access,
                                       .event = text_writer_event,
                                       .fault = text_writer_fault,
                                       .sync = text_writer_sync,
                                       .copy = text_writer_copy,
                                       .launch_end = on_launch_end};
    errno = 0;
    fputs(TEXT_TRACE_FIRST_LINE "\n", out);
    return names_start(&writer->names) || text_writer_fail(writer, "no memory for the names");
}

const char *text_writer_end(struct text_writer *writer)
{
    fflush(writer->out);
    text_writer_goes_on(writer);
    names_free(&writer->names);
    array_table_free(&writer->arrays);
    free(writer->is_named);
    writer->is_named = NULL;
    return writer->message[0] ? writer->message : NULL;
}
