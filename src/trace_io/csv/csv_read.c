/* csv_read.c - a CSV trace row by row: launches, events, arrays. Accesses: csv_access.c.
 *
 * Decisions. What rows say of a launch (launch, kernel, grid, block_dim) holds until a row says
 * something else, and that row begins another launch. A file that says nothing of it has one launch
 * of one block of one warp; a map can say more (grid:=64). Notes are not in a CSV trace.
 */
#include "trace_io/csv/csv_read.h"

#include <string.h>

#include "stream/access_check.h"
#include "trace_io/csv/csv_reader.h"

/* ---- Launches -------------------------------------------------------------------------------- */

static bool read_sides(struct csv_reader *r, enum csv_trace_field field, uint32_t sides[3])
{
    uint32_t given[3] = {1, 1, 1};
    size_t count;
    if (!csv_cell_sides(r, field, given, &count))
        return false;
    if (count)
        memcpy(sides, given, sizeof given);
    return true;
}

/* What the row says, above what the rows before said. */
static bool read_launch_cells(struct csv_reader *r, struct csv_launch *launch)
{
    const char *kernel = csv_cell(r, CSV_KERNEL);
    if (*kernel) {
        launch->kernel = builder_name(&r->builder, kernel, strlen(kernel));
        if (launch->kernel == NULL)
            return false;
    }
    return csv_cell_number(r, CSV_LAUNCH, UINT64_MAX, &launch->number) &&
           read_sides(r, CSV_GRID, launch->grid) && read_sides(r, CSV_BLOCK_DIM, launch->block);
}

static bool is_same_launch(const struct csv_launch *a, const struct csv_launch *b)
{
    return a->kernel == b->kernel && a->number == b->number &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool begin_launch(struct csv_reader *r, const struct csv_launch *launch)
{
    uint64_t shared = 0, registers = 0;
    if (!csv_flush(r) || !builder_launch_end(&r->builder, NULL) ||
        !csv_cell_number(r, CSV_SHARED, DYNAMIC_SHARED_MOST, &shared) ||
        !csv_cell_number(r, CSV_REGISTERS, REGISTERS_MOST, &registers))
        return false;
    struct launch_info info = {.kernel = launch->kernel,
                               .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                               .block = {launch->block[0], launch->block[1], launch->block[2]},
                               .dynamic_shared_bytes = shared,
                               .registers = (uint32_t)registers};
    r->launch = *launch;
    return builder_launch_begin(&r->builder, &info);
}

static bool read_launch(struct csv_reader *r)
{
    struct csv_launch launch = r->launch;
    return read_launch_cells(r, &launch) && begin_launch(r, &launch);
}

/* The launch that the row belongs to runs. */
static bool enter_launch(struct csv_reader *r)
{
    struct csv_launch launch = r->launch;
    if (!read_launch_cells(r, &launch))
        return false;
    return (r->builder.in_launch && is_same_launch(&launch, &r->launch)) ||
           begin_launch(r, &launch);
}

static bool read_launch_end(struct csv_reader *r)
{
    uint64_t shared = 0;
    bool is_told = !csv_cell_is_empty(r, CSV_SHARED);
    return csv_cell_number(r, CSV_SHARED, UINT64_MAX, &shared) && csv_flush(r) &&
           builder_launch_end(&r->builder, is_told ? &shared : NULL);
}

/* ---- Events ---------------------------------------------------------------------------------- */

static bool read_warp_event(struct csv_reader *r, enum trace_event_kind kind)
{
    uint64_t warp = 0, thread = 0, block, work = 1, lag = 0;
    if (!enter_launch(r) || !csv_flush(r) || !csv_read_block(r, &block) ||
        !csv_cell_number(r, CSV_WARP, UINT32_MAX, &warp) ||
        !csv_cell_number(r, CSV_THREAD, UINT32_MAX, &thread) ||
        !csv_cell_number(r, CSV_WORK, UINT16_MAX, &work) ||
        !csv_cell_number(r, CSV_LAG, UINT16_MAX, &lag) || !builder_block(&r->builder, block))
        return false;
    if (!csv_cell_is_empty(r, CSV_THREAD))
        warp = thread / WARP_LANES;
    return builder_warp_event(&r->builder, kind, (uint32_t)warp, (uint16_t)work, (uint16_t)lag);
}

static bool read_bar(struct csv_reader *r)
{
    return read_warp_event(r, TRACE_BARRIER);
}

static bool read_end(struct csv_reader *r)
{
    return read_warp_event(r, TRACE_WARP_END);
}

static bool read_block_end(struct csv_reader *r)
{
    uint64_t block, shared = 0;
    bool is_told = !csv_cell_is_empty(r, CSV_SHARED);
    return enter_launch(r) && csv_flush(r) && csv_read_block(r, &block) &&
           csv_cell_number(r, CSV_SHARED, UINT64_MAX, &shared) &&
           builder_block(&r->builder, block) &&
           builder_block_end(&r->builder, is_told ? &shared : NULL);
}

static bool read_access(struct csv_reader *r)
{
    return enter_launch(r) && csv_read_access(r);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* Arrays stand between launches. */
static bool leave_launch(struct csv_reader *r)
{
    return csv_flush(r) && builder_launch_end(&r->builder, NULL);
}

static bool read_range(struct csv_reader *r, uint64_t *base, uint64_t *bytes)
{
    *base = *bytes = 0;
    return csv_cell_number(r, CSV_BASE, ARRAY_ADDRESS_END, base) &&
           csv_cell_number(r, CSV_BYTES, ARRAY_ADDRESS_END, bytes);
}

static bool check(struct csv_reader *r, const char *error)
{
    return error == NULL || builder_fail(&r->builder, "%s", error);
}

static bool read_array(struct csv_reader *r)
{
    static const char *const homes[] = {
        [HOME_DEVICE] = "none", [HOME_HOST] = "host", [HOME_MANAGED] = "managed"};
    const char *array = csv_cell(r, CSV_ARRAY);
    uint64_t base, bytes;
    size_t home = HOME_DEVICE;
    if (!leave_launch(r) || !read_range(r, &base, &bytes) ||
        !csv_cell_word(r, CSV_FLAGS, homes, 3, &home))
        return false;
    const char *name = builder_name(&r->builder, array, strlen(array));
    if (name == NULL)
        return false;
    return check(r, array_table_add(&r->builder.arrays, name,
                                    csv_cell_is_empty(r, CSV_BASE) ? NULL : &base, bytes,
                                    (enum array_home)home));
}

static bool read_free(struct csv_reader *r)
{
    if (!leave_launch(r))
        return false;
    array_table_clear(&r->builder.arrays);
    return true;
}

/* "16*1 3*0": runs of pages with the same bits. */
static bool read_pages(struct csv_reader *r)
{
    const char *rest = csv_cell(r, CSV_PAGES);
    char piece[CSV_PIECE_BYTES];
    while (csv_piece(&rest, piece)) {
        uint64_t count, bits;
        char *star = strchr(piece, '*');
        if (star)
            *star = '\0';
        if (star == NULL || !csv_number(piece, MANAGED_PAGES_MOST, &count) ||
            !csv_number(star + 1, 7, &bits))
            return csv_cell_fail(r, CSV_PAGES, "COUNT*BITS, such as 16*1, with blanks between");
        if (!check(r, array_table_pages(&r->builder.arrays, count, (uint8_t)bits)))
            return false;
    }
    return true;
}

static bool read_managed(struct csv_reader *r)
{
    struct array_table *arrays = &r->builder.arrays;
    uint64_t base, bytes;
    if (!leave_launch(r) || !read_range(r, &base, &bytes))
        return false;
    bool is_none = csv_cell_is_empty(r, CSV_BASE) && csv_cell_is_empty(r, CSV_BYTES);
    return check(r, is_none ? array_table_managed_none(arrays)
                            : array_table_managed(arrays, base, bytes)) &&
           read_pages(r);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool read_row(struct csv_reader *r)
{
    static bool (*const readers[CSV_EVENTS])(struct csv_reader *) = {
        [EVENT_ACCESS] = read_access,   [EVENT_BAR] = read_bar,
        [EVENT_END] = read_end,         [EVENT_BLOCK_END] = read_block_end,
        [EVENT_LAUNCH] = read_launch,   [EVENT_LAUNCH_END] = read_launch_end,
        [EVENT_ARRAY] = read_array,     [EVENT_FREE] = read_free,
        [EVENT_MANAGED] = read_managed, [EVENT_PAGES] = read_pages};
    size_t event = EVENT_ACCESS;
    r->builder.column = 0;
    if (r->csv.field_count > r->columns.count)
        return builder_fail(&r->builder,
                            "%zu fields, but the header has %zu; a list of addresses "
                            "has blanks or ';' between addresses",
                            r->csv.field_count, r->columns.count);
    return csv_cell_word(r, CSV_EVENT, csv_event_names, CSV_EVENTS, &event) && readers[event](r);
}

static int next_char(void *context)
{
    struct csv_reader *r = context;
    if (r->ahead == r->ahead_end) {
        r->ahead = 0;
        r->ahead_end = input_read(r->input, r->ahead_text, sizeof r->ahead_text);
    }
    if (r->ahead == r->ahead_end)
        return r->input->failed ? CSV_CANNOT_READ : EOF;
    return (unsigned char)r->ahead_text[r->ahead++];
}

static bool is_comment(const struct csv *csv)
{
    const char *first = csv_field(csv, 0);
    return *first == '#' || (csv->field_count == 1 && *first == '\0');
}

/* The next record that is no comment; false at the end, and with a message when it is wrong. */
static bool next_record(struct csv_reader *r)
{
    enum csv_status status;
    do {
        status = csv_next(&r->csv);
        if (status != CSV_END)
            r->input->line = r->csv.line;
    } while (status == CSV_RECORD && is_comment(&r->csv));
    if (status == CSV_BAD)
        input_fail(r->input, "%s", r->csv.message);
    return status == CSV_RECORD;
}

static void read_rows(struct csv_reader *r)
{
    if (!next_record(r)) {
        input_fail(r->input, "an empty file; a CSV trace begins with the names of its columns");
        return;
    }
    if (!csv_columns_bind(&r->columns, &r->csv, r->input))
        return;
    while (next_record(r))
        if (!read_row(r))
            return;
    if (!r->input->failed && csv_flush(r))
        builder_launch_end(&r->builder, NULL);
}

const char *csv_trace_read(struct trace_input *input, const char *map,
                           const struct trace_sink *sink)
{
    struct csv_reader r = {.input = input, .launch = {"?", {1, 1, 1}, {WARP_LANES, 1, 1}, 0}};
    if (!csv_start_source(&r.csv, (struct csv_source){&r, next_char}))
        input_fail(input, "no memory for the rows");
    if (builder_start(&r.builder, input, sink) && csv_columns_map(&r.columns, map, input) &&
        !input->failed)
        read_rows(&r);
    csv_columns_free(&r.columns);
    csv_end(&r.csv);
    builder_free(&r.builder);
    return input->failed ? input->message : NULL;
}
