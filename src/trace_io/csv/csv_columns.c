/* csv_columns.c - see csv_columns.h. */
#define _GNU_SOURCE
#include "trace_io/csv/csv_columns.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"
#include "text/nearest.h"

const char *const csv_field_names[CSV_TRACE_FIELDS] = {[CSV_EVENT] = "event",
                                                       [CSV_LAUNCH] = "launch",
                                                       [CSV_KERNEL] = "kernel",
                                                       [CSV_GRID] = "grid",
                                                       [CSV_BLOCK_DIM] = "block_dim",
                                                       [CSV_SHARED] = "shared",
                                                       [CSV_REGISTERS] = "registers",
                                                       [CSV_BLOCK] = "block",
                                                       [CSV_WARP] = "warp",
                                                       [CSV_PC] = "pc",
                                                       [CSV_FILE] = "file",
                                                       [CSV_LINE] = "line",
                                                       [CSV_ARRAY] = "array",
                                                       [CSV_OP] = "op",
                                                       [CSV_SPACE] = "space",
                                                       [CSV_WIDTH] = "width",
                                                       [CSV_BASE] = "base",
                                                       [CSV_STRIDE] = "stride",
                                                       [CSV_ADDR] = "addr",
                                                       [CSV_ACTIVE] = "active",
                                                       [CSV_RESIDENT] = "resident",
                                                       [CSV_FLAGS] = "flags",
                                                       [CSV_WORK] = "work",
                                                       [CSV_NEEDS] = "needs",
                                                       [CSV_LAG] = "lag",
                                                       [CSV_BYTES] = "bytes",
                                                       [CSV_PAGES] = "pages",
                                                       [CSV_THREAD] = "thread",
                                                       [CSV_LANE] = "lane",
                                                       [CSV_MASK] = "mask"};

const char *const csv_event_names[CSV_EVENTS] = {
    [EVENT_ACCESS] = "",         [EVENT_BAR] = "bar",
    [EVENT_END] = "end",         [EVENT_BLOCK_END] = "block_end",
    [EVENT_LAUNCH] = "launch",   [EVENT_LAUNCH_END] = "launch_end",
    [EVENT_ARRAY] = "array",     [EVENT_FREE] = "free",
    [EVENT_MANAGED] = "managed", [EVENT_PAGES] = "pages"};

const char *const csv_op_names[CSV_OPS] = {"load", "store", "atomic", "ld",
                                           "st",   "atom",  "read",   "write"};
const char *const csv_space_names[CSV_SPACES] = {"global",  "shared", "local", "constant",
                                                 "texture", "const",  "tex"};

static enum csv_trace_field find_field(const char *name)
{
    size_t field = 0;
    while (field < CSV_TRACE_FIELDS && strcmp(name, csv_field_names[field]) != 0)
        field++;
    return (enum csv_trace_field)field;
}

static bool fail_field(struct trace_input *input, const char *name)
{
    char near[NEAREST_TEXT_BYTES];
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < CSV_TRACE_FIELDS; i++)
        nearest_offer(&nearest, csv_field_names[i]);
    return input_fail(
        input,
        "map: no field '%.30s'; allowed: event launch kernel grid block_dim shared "
        "registers block warp thread lane pc file line array op space width addr base "
        "stride mask active resident flags work needs lag bytes pages%.100s",
        name, nearest_text(&nearest, near));
}

/* "field=column" or "field:=value". */
static bool map_one(struct csv_columns *columns, char *item, struct trace_input *input)
{
    char *equals = strchr(item, '=');
    if (equals == NULL || equals == item || equals[1] == '\0')
        return input_fail(input,
                          "map: '%.40s'; allowed: FIELD=COLUMN or FIELD:=VALUE, with commas "
                          "between them",
                          item);
    bool is_constant = equals[-1] == ':';
    equals[is_constant ? -1 : 0] = '\0';
    enum csv_trace_field field = find_field(item);
    if (field == CSV_TRACE_FIELDS)
        return fail_field(input, item);
    if (columns->wanted[field] || columns->constant[field])
        return input_fail(input, "map: '%s' is given twice; allowed: once", item);
    *(is_constant ? &columns->constant[field] : &columns->wanted[field]) = equals + 1;
    return true;
}

bool csv_columns_map(struct csv_columns *columns, const char *map, struct trace_input *input)
{
    *columns = (struct csv_columns){.map = memory_copy(map ? map : "")};
    if (columns->map == NULL)
        return input_fail(input, "no memory for the map of columns");
    for (char *rest = columns->map, *item; rest && *rest;) {
        item = strsep(&rest, ",");
        if (!map_one(columns, item, input))
            return false;
    }
    return true;
}

static size_t find_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->field_count; i++)
        if (strcmp(csv_field(csv, i), name) == 0)
            return i;
    return SIZE_MAX;
}

static bool fail_column(const struct csv *csv, enum csv_trace_field field, const char *name,
                        struct trace_input *input)
{
    char near[NEAREST_TEXT_BYTES];
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < csv->field_count; i++)
        nearest_offer(&nearest, csv_field(csv, i));
    nearest_text(&nearest, near);
    return input_fail(input, "map: the file has no column '%.40s' for %s; allowed: its columns%s",
                      name, csv_field_names[field], near);
}

bool csv_columns_bind(struct csv_columns *columns, const struct csv *csv, struct trace_input *input)
{
    columns->count = csv->field_count;
    for (size_t field = 0; field < CSV_TRACE_FIELDS; field++) {
        const char *wanted = columns->wanted[field];
        columns->column[field] = find_column(csv, wanted ? wanted : csv_field_names[field]);
        if (wanted && columns->column[field] == SIZE_MAX)
            return fail_column(csv, (enum csv_trace_field)field, wanted, input);
    }
    if (columns->column[CSV_ADDR] == SIZE_MAX && columns->column[CSV_BASE] == SIZE_MAX)
        return input_fail(input, "no column says addresses; allowed: a column 'addr' or 'base', or "
                                 "a map with addr=COLUMN");
    return true;
}

const char *csv_columns_cell(const struct csv_columns *columns, const struct csv *csv,
                             enum csv_trace_field field)
{
    size_t column = columns->column[field];
    if (columns->constant[field])
        return columns->constant[field];
    return column < csv->field_count ? csv_field(csv, column) : "";
}

void csv_columns_free(struct csv_columns *columns)
{
    free(columns->map);
}
