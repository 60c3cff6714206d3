/* csv_write.c - see csv_write.h. A row is written from left to right; what is empty may be left out by
 * moving to a later column. The column pc is the number of the site.
 */
#include "trace_io/csv/csv_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "expression/expression.h"
#include "text/quote.h"
#include "stream/access_check.h"
#include "stream/launch_size.h"

enum { RUNS_A_ROW = 64 };

static bool fail(struct csv_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct csv_writer *w, const char *format, ...)
{
    va_list arguments;
    if (w->message[0])
        return false;
    va_start(arguments, format);
    vsnprintf(w->message, sizeof w->message, format, arguments);
    va_end(arguments);
    return false;
}

static bool goes_on(struct csv_writer *w)
{
    if (ferror(w->out))
        return fail(w, "cannot write: %s", strerror(errno ? errno : EIO));
    return w->message[0] == '\0';
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Goes on to a column, which is not left of where the row is. */
static FILE *at(struct csv_writer *w, enum csv_trace_field field)
{
    for (; w->column < (unsigned)field; w->column++)
        fputc(',', w->out);
    return w->out;
}

static void put_number(struct csv_writer *w, enum csv_trace_field field, uint64_t number)
{
    fprintf(at(w, field), "%" PRIu64, number);
}

static void put_hex(struct csv_writer *w, enum csv_trace_field field, uint64_t number)
{
    fprintf(at(w, field), "0x%" PRIx64, number);
}

static void put_text(struct csv_writer *w, enum csv_trace_field field, const char *text)
{
    quote_csv_field(text, at(w, field));
}

static void put_sides(struct csv_writer *w, enum csv_trace_field field, const uint32_t sides[3])
{
    fprintf(at(w, field), "%" PRIu32 "x%" PRIu32 "x%" PRIu32, sides[0], sides[1], sides[2]);
}

static bool end_row(struct csv_writer *w)
{
    fputc('\n', at(w, CSV_WRITTEN - 1));
    w->column = 0;
    return goes_on(w);
}

static void put_event(struct csv_writer *w, enum csv_event event)
{
    put_text(w, CSV_EVENT, csv_event_names[event]);
}

/* Text that comes back as it is: no control characters, no blank at its begin. */
static const char *keep(struct csv_writer *w, const char *text)
{
    const char *name = names_keep(&w->names, text, strlen(text));
    if (name == NULL)
        fail(w, "a name too long, or too many of them, for a CSV trace");
    for (const char *c = text; *c && name; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f || (c == text && *c == ' ')) {
            fail(w, "a name with a control character, or a blank at its begin: a CSV trace cannot "
                    "hold it; a text trace can");
            return NULL;
        }
    return name;
}

/* ---- Sites and launches ---------------------------------------------------------------------- */

static bool on_note(void *context, const char *key, const char *value)
{
    (void)key;
    (void)value;
    return goes_on(context);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct csv_writer *w = context;
    struct site_key key = {.pc = number, .site = *site};
    key.site.file = keep(w, site->file);
    key.site.array = key.site.file ? keep(w, site->array) : NULL;
    if (key.site.array == NULL)
        return false;
    uint32_t added = 0;
    enum site_found found = site_table_add(&w->sites, &key, &added);
    if (found == SITE_NO_MEMORY)
        return fail(w, "no memory for the sites");
    if (found != SITE_NEW || added != number)
        return fail(w, "too many sites, or sites out of order");
    return goes_on(w);
}

static bool put_array(struct csv_writer *w, const struct trace_array *array)
{
    static const char *const homes[] = {
        [HOME_DEVICE] = "", [HOME_HOST] = "host", [HOME_MANAGED] = "managed"};
    put_event(w, EVENT_ARRAY);
    if (keep(w, array->name) == NULL)
        return false;
    put_text(w, CSV_ARRAY, array->name);
    put_hex(w, CSV_BASE, array->base);
    put_text(w, CSV_FLAGS, homes[array->home]);
    put_number(w, CSV_BYTES, array->bytes);
    return end_row(w);
}

static bool put_arrays(struct csv_writer *w, const struct launch_info *launch)
{
    bool changed, had_some = w->arrays.count != 0;
    const char *error = array_table_take(&w->arrays, &w->names, launch, &changed);
    if (error)
        return fail(w, "%s", error);
    if (changed && had_some) {
        put_event(w, EVENT_FREE);
        end_row(w);
    }
    for (size_t i = 0; changed && i < w->arrays.count; i++)
        if (!put_array(w, &w->arrays.arrays[i]))
            return false;
    return true;
}

static void put_pages(struct csv_writer *w, const struct managed_range *range)
{
    uint64_t count = array_table_range_pages(range), length;
    unsigned runs = 0;
    for (uint64_t page = 0; page < count; page += length, runs++) {
        if (runs && runs % RUNS_A_ROW == 0) {
            end_row(w);
            put_event(w, EVENT_PAGES);
        }
        length = array_table_run(range, page);
        fprintf(at(w, CSV_PAGES), "%s%" PRIu64 "*%u", runs % RUNS_A_ROW ? " " : "", length,
                range->touched[page]);
    }
}

static bool put_managed(struct csv_writer *w, const struct launch_info *launch)
{
    const char *error = array_table_check_managed(launch);
    if (error)
        return fail(w, "%s", error);
    if (launch->managed_count == 0 && array_table_has_managed(&w->arrays)) {
        put_event(w, EVENT_MANAGED);
        end_row(w);
    }
    for (size_t i = 0; i < launch->managed_count; i++) {
        const struct managed_range *range = &launch->managed[i];
        put_event(w, EVENT_MANAGED);
        put_hex(w, CSV_BASE, range->address);
        put_number(w, CSV_BYTES, range->bytes);
        if (range->touched)
            put_pages(w, range);
        end_row(w);
    }
    return goes_on(w);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct csv_writer *w = context;
    char text[CHECK_TEXT_BYTES];
    const char *error = launch_check(launch, text);
    if (error)
        return fail(w, "%s", error);
    if (!put_arrays(w, launch) || !put_managed(w, launch) || keep(w, launch->kernel) == NULL)
        return false;
    w->launch = *launch;
    w->launch_number++;
    put_event(w, EVENT_LAUNCH);
    put_number(w, CSV_LAUNCH, w->launch_number);
    put_text(w, CSV_KERNEL, launch->kernel);
    put_sides(w, CSV_GRID, launch->grid);
    put_sides(w, CSV_BLOCK_DIM, launch->block);
    put_number(w, CSV_SHARED, launch->dynamic_shared_bytes);
    put_number(w, CSV_REGISTERS, launch->registers);
    return end_row(w);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct csv_writer *w = context;
    put_event(w, EVENT_LAUNCH_END);
    put_number(w, CSV_LAUNCH, w->launch_number);
    put_number(w, CSV_SHARED, shared_bytes_per_block);
    return end_row(w);
}

/* ---- Accesses and events --------------------------------------------------------------------- */

static void put_addresses(struct csv_writer *w, const struct warp_access *a)
{
    const char *before = "";
    if (a->addr == NULL) {
        bool is_negative = a->base >> 63;
        fprintf(at(w, CSV_BASE), "%s0x%" PRIx64, is_negative ? "-" : "",
                is_negative ? 0 - a->base : a->base);
        fprintf(at(w, CSV_STRIDE), "%" PRId64, a->stride);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane)) {
            fprintf(at(w, CSV_ADDR), "%s0x%" PRIx64, before, a->addr[lane]);
            before = " ";
        }
}

static void put_flags(struct csv_writer *w, const struct warp_access *a)
{
    const char *before = "";
    for (unsigned i = 0; i < ACCESS_FLAGS; i++)
        if (a->flags >> i & 1) {
            fprintf(at(w, CSV_FLAGS), "%s%s", before, access_flag_word(a, i));
            before = " ";
        }
}

static void put_place(struct csv_writer *w, uint32_t block, uint32_t warp)
{
    put_number(w, CSV_LAUNCH, w->launch_number);
    put_number(w, CSV_BLOCK, block);
    put_number(w, CSV_WARP, warp);
}

static void put_kind(struct csv_writer *w, const struct warp_access *a)
{
    const struct trace_site *site = &w->sites.keys[a->site].site;
    put_number(w, CSV_PC, a->site);
    put_text(w, CSV_FILE, site->file);
    put_number(w, CSV_LINE, site->line);
    put_text(w, CSV_ARRAY, site->array);
    put_text(w, CSV_OP, csv_op_names[a->op]);
    put_text(w, CSV_SPACE, csv_space_names[a->space]);
    put_number(w, CSV_WIDTH, a->width);
}

static bool can_hold(struct csv_writer *w, const struct warp_access *a)
{
    char text[CHECK_TEXT_BYTES];
    if (a->block >= launch_blocks(&w->launch) || a->warp >= launch_warps(&w->launch))
        return fail(w, "block %" PRIu32 ", warp %" PRIu32 " is beyond the launch", a->block,
                    a->warp);
    if (a->site >= w->sites.count)
        return fail(w, "an access of site %" PRIu32 ", which was not told", a->site);
    const char *error = access_check(a, launch_lanes(&w->launch, a->warp), text);
    return error == NULL || fail(w, "an access of block %" PRIu32 ", warp %" PRIu32 ": %s",
                                 a->block, a->warp, error);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct csv_writer *w = context;
    if (!can_hold(w, a))
        return false;
    put_place(w, a->block, a->warp);
    put_kind(w, a);
    put_addresses(w, a);
    put_hex(w, CSV_ACTIVE, a->active);
    put_hex(w, CSV_RESIDENT, a->resident);
    put_flags(w, a);
    put_number(w, CSV_WORK, a->work);
    if (a->loads_left != NEEDS_NO_LOAD)
        put_number(w, CSV_NEEDS, a->loads_left);
    if (a->lag)
        put_number(w, CSV_LAG, a->lag);
    return end_row(w);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    (void)copy;
    return fail(context,
                "an asynchronous copy (cp.async) or bulk copy, or a barrier in shared memory or of "
                "a cluster: a CSV trace cannot hold it; a text trace and a binary one can");
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct csv_writer *w = context;
    if (event->kind == TRACE_BLOCK_END) {
        put_event(w, EVENT_BLOCK_END);
        put_number(w, CSV_LAUNCH, w->launch_number);
        put_number(w, CSV_SHARED, event->shared_bytes);
        put_number(w, CSV_BLOCK, event->block);
        return end_row(w);
    }
    put_event(w, event->kind == TRACE_BARRIER ? EVENT_BAR : EVENT_END);
    put_place(w, event->block, event->warp);
    put_number(w, CSV_WORK, event->work);
    if (event->lag)
        put_number(w, CSV_LAG, event->lag);
    return end_row(w);
}

/* ---- Begin and end --------------------------------------------------------------------------- */

bool csv_writer_start(struct csv_writer *writer, FILE *out)
{
    *writer = (struct csv_writer){.out = out};
    writer->sink = (struct trace_sink){.context = writer,
                                       .note = on_note,
                                       .site = on_site,
                                       .launch_begin = on_launch_begin,
                                       .access = on_access,
                                       .event = on_event,
                                       .copy = on_copy,
                                       .launch_end = on_launch_end};
    errno = 0;
    for (unsigned i = 0; i < CSV_WRITTEN; i++)
        put_text(writer, (enum csv_trace_field)i, csv_field_names[i]);
    end_row(writer);
    return names_start(&writer->names) || fail(writer, "no memory for the names");
}

const char *csv_writer_end(struct csv_writer *writer)
{
    fflush(writer->out);
    goes_on(writer);
    names_free(&writer->names);
    site_table_free(&writer->sites);
    array_table_free(&writer->arrays);
    return writer->message[0] ? writer->message : NULL;
}
