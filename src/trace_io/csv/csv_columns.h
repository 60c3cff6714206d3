/* csv_columns.h - which column of a CSV file is which field of a trace. */
#ifndef WARPLENS_TRACE_IO_CSV_CSV_COLUMNS_H
#define WARPLENS_TRACE_IO_CSV_CSV_COLUMNS_H

#include "text/csv.h"
#include "stream/input.h"

/* In the order of the writer's columns; those from CSV_WRITTEN on are only read. */
enum csv_trace_field {
    CSV_EVENT,
    CSV_LAUNCH,
    CSV_KERNEL,
    CSV_GRID,
    CSV_BLOCK_DIM,
    CSV_SHARED,
    CSV_REGISTERS,
    CSV_BLOCK,
    CSV_WARP,
    CSV_PC,
    CSV_FILE,
    CSV_LINE,
    CSV_ARRAY,
    CSV_OP,
    CSV_SPACE,
    CSV_WIDTH,
    CSV_BASE,
    CSV_STRIDE,
    CSV_ADDR,
    CSV_ACTIVE,
    CSV_RESIDENT,
    CSV_FLAGS,
    CSV_WORK,
    CSV_NEEDS,
    CSV_LAG,
    CSV_BYTES,
    CSV_PAGES,
    CSV_WRITTEN,
    CSV_THREAD = CSV_WRITTEN,
    CSV_LANE,
    CSV_MASK,
    CSV_TRACE_FIELDS
};
extern const char *const csv_field_names[CSV_TRACE_FIELDS];

/* What a row is. */
enum csv_event {
    EVENT_ACCESS, /* an empty cell */
    EVENT_BAR,
    EVENT_END,
    EVENT_BLOCK_END,
    EVENT_LAUNCH,
    EVENT_LAUNCH_END,
    EVENT_ARRAY,
    EVENT_FREE,
    EVENT_MANAGED,
    EVENT_PAGES,
    CSV_EVENTS
};
extern const char *const csv_event_names[CSV_EVENTS];
/* By enum mem_op and mem_space; behind those, other words for the same. */
enum { CSV_OPS = 8, CSV_SPACES = 7 };
extern const char *const csv_op_names[CSV_OPS], *const csv_space_names[CSV_SPACES];

struct csv_columns {
    char *map;                            /* owned: the map's text, cut up */
    const char *wanted[CSV_TRACE_FIELDS]; /* the column's name; NULL: the field's, if it is there */
    const char *constant[CSV_TRACE_FIELDS]; /* "field:=value"; NULL: none */
    size_t column[CSV_TRACE_FIELDS];        /* SIZE_MAX: there is none */
    size_t count;                           /* columns of the file */
};

/* "block=BlockID,width:=4": fields and columns of the file, or a value for all rows. NULL: no map.
 * False, with a message. csv_columns_free is to be called all the same. */
bool csv_columns_map(struct csv_columns *columns, const char *map, struct trace_input *input);

/* Finds the columns in the header, the record read last. */
bool csv_columns_bind(struct csv_columns *columns, const struct csv *csv,
                      struct trace_input *input);

/* The field in the record read last; "" where there is nothing. */
const char *csv_columns_cell(const struct csv_columns *columns, const struct csv *csv,
                             enum csv_trace_field field);

void csv_columns_free(struct csv_columns *columns);

#endif
