/* measured_ncu.c - `ncu --csv`: a row a launch and metric, or (--page raw) a row a launch. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "validate/measured_reader.h"
#include "text/memory.h"

enum { ID, PROCESS, KERNEL, DEVICE, CC, DISPLAY, GRID, BLOCK, NAME, UNIT, VALUE, COLUMN_COUNT };

/* Device is the device's number in some versions, and its name in others. */
static const struct column columns[COLUMN_COUNT] = {
    {"ID", true},           {"Process ID", false},  {"Kernel Name", true},
    {"Device", false},      {"CC", false},          {"device__attribute_display_name", false},
    {"Grid Size", false},   {"Block Size", false},  {"Metric Name", true},
    {"Metric Unit", false}, {"Metric Value", true},
};
enum { RAW_COLUMN_COUNT = NAME };

enum { KEY_BYTES = 4096, NAME_BYTES = 256 };

static const struct time_unit {
    const char *name;
    double ns;
} time_units[] = {
    {"ns", 1},   {"nsecond", 1},   {"us", 1e3}, {"usecond", 1e3},
    {"ms", 1e6}, {"msecond", 1e6}, {"s", 1e9},  {"second", 1e9},
};

/* "Kbyte", "Ghz", "Mbyte/second": ncu rounds after scaling. Base units are all lower case. */
static bool is_scaled(const char *unit)
{
    return unit[0] && strchr("KMGT", unit[0]) && islower((unsigned char)unit[1]);
}

static bool note_scaled(struct reader *reader, const char *counter, const char *unit)
{
    char text[NAME_BYTES];
    snprintf(text, sizeof text, "%.160s (%.60s)", counter, unit);
    return name_set_add(&reader->measured->scaled, text) != NAME_SET_NONE &&
           reader_note_counter(reader, counter);
}

/* Times become ns. A scaled unit is noted and nothing is added. */
static bool add_value(struct reader *reader, struct measured_launch *launch, const char *counter,
                      const char *unit, const char *text)
{
    double value, tolerance, factor = 1;
    const char *rest;
    if (!reader_is_modelled(reader, counter) || reader_is_no_value(text))
        return reader_note_counter(reader, counter);
    if (is_scaled(unit))
        return note_scaled(reader, counter, unit);
    if (!reader_number(text, true, &value, &tolerance, &rest) || *rest)
        return reader_fail(reader, "value %.*s of %.*s: allowed is a number", READER_FIELD_SHOWN,
                           text, READER_FIELD_SHOWN, counter);
    for (size_t i = 0; i < sizeof time_units / sizeof time_units[0]; i++)
        if (strcmp(unit, time_units[i].name) == 0)
            factor = time_units[i].ns;
    return reader_add(reader, launch, counter, value * factor, tolerance * factor);
}

/* 90 for "9.0", 0 for no compute capability. */
static int parse_capability(const char *text)
{
    char *end;
    long major = strtol(text, &end, 10);
    if (end == text || *end != '.' || !isdigit((unsigned char)end[1]) || major < 1 || major > 99)
        return 0;
    return (int)(10 * major + (end[1] - '0'));
}

/* "(16, 16, 1)"; anything else says nothing. */
static void parse_size(const char *text, uint32_t size[3])
{
    unsigned long long at[3];
    if (sscanf(text, "(%9llu,%9llu,%9llu)", &at[0], &at[1], &at[2]) == 3 ||
        sscanf(text, "%9llux%9llux%9llu", &at[0], &at[1], &at[2]) == 3)
        for (size_t i = 0; i < 3; i++)
            size[i] = (uint32_t)at[i];
}

/* The device's name, or "". */
static const char *device_name(const struct reader *reader)
{
    const char *name = reader_field(reader, DISPLAY), *device = reader_field(reader, DEVICE);
    bool is_number = device[strspn(device, "0123456789")] == '\0';
    return *name || is_number ? name : device;
}

static struct measured_launch *launch_of_row(struct reader *reader)
{
    char key[KEY_BYTES];
    const char *kernel = reader_field(reader, KERNEL), *device = device_name(reader);
    /* IDs begin again behind another header. */
    int length = snprintf(key, sizeof key, "%zu\n%s\n%s\n%s", reader->header_line,
                          reader_field(reader, ID), reader_field(reader, PROCESS), kernel);
    if (length < 0 || (size_t)length >= sizeof key) {
        reader_fail(reader, "a kernel's name of more than %d characters", KEY_BYTES);
        return NULL;
    }
    size_t before = reader->measured->launch_count;
    struct measured_launch *launch = reader_launch(reader, key);
    if (launch == NULL || reader->measured->launch_count == before)
        return launch;
    if (!reader_kernel(reader, launch, kernel))
        return NULL;
    parse_size(reader_field(reader, GRID), launch->grid);
    parse_size(reader_field(reader, BLOCK), launch->block);
    launch->sm = parse_capability(reader_field(reader, CC));
    if (*device)
        launch->gpu = reader_text(reader, device);
    return *device == '\0' || launch->gpu ? launch : NULL;
}

static bool has_names(struct reader *reader)
{
    if (reader_field(reader, ID)[0] && reader_field(reader, KERNEL)[0])
        return true;
    return reader_fail(reader, "no %s", reader_field(reader, ID)[0] ? "Kernel Name" : "ID");
}

bool measured_ncu_details(struct reader *reader)
{
    bool fine;
    if (!reader_header(reader, columns, COLUMN_COUNT, "ncu --csv"))
        return false;
    while (reader_row(reader, &fine, NULL)) {
        const char *counter = reader_field(reader, NAME);
        if (!has_names(reader))
            return false;
        struct measured_launch *launch = launch_of_row(reader);
        if (launch == NULL)
            return false;
        if (*counter && /* rows of rules have none */
            !add_value(reader, launch, counter, reader_field(reader, UNIT),
                       reader_field(reader, VALUE)))
            return false;
    }
    return fine;
}

/* The page's metrics: their columns, and the units that the row behind the header gives. */
struct raw_columns {
    struct raw_column {
        size_t at;
        char name[NAME_BYTES], unit[64];
    } * columns; /* owned */
    size_t count;
};

/* Names of metrics hold "__"; the other columns describe the launch. Only what the model has is
 * kept. */
static bool keep_columns(struct reader *reader, struct raw_columns *raw)
{
    const struct csv *csv = &reader->csv;
    raw->count = 0;
    raw->columns = memory_take(csv->field_count, sizeof *raw->columns);
    if (raw->columns == NULL)
        return reader_fail(reader, "no memory for the names of columns");
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *name = csv_field(csv, i);
        if (strstr(name, "__") == NULL || strncmp(name, "device__attribute", 17) == 0)
            continue;
        if (reader_is_modelled(reader, name)) {
            struct raw_column *column = &raw->columns[raw->count++];
            column->at = i;
            snprintf(column->name, sizeof column->name, "%s", name);
        } else if (!reader_note_counter(reader, name)) {
            return false;
        }
    }
    return true;
}

static bool take_units(struct reader *reader, struct raw_columns *raw)
{
    bool fine;
    if (!reader_row(reader, &fine, NULL))
        return fine ? reader_fail(reader, "the page ends before its row of units") : false;
    if (reader_field(reader, ID)[0])
        return reader_fail(reader, "no row of units behind the header: a row without ID");
    for (size_t i = 0; i < raw->count; i++)
        snprintf(raw->columns[i].unit, sizeof raw->columns[i].unit, "%s",
                 csv_field(&reader->csv, raw->columns[i].at));
    return true;
}

static bool raw_row(struct reader *reader, const struct raw_columns *raw)
{
    struct measured_launch *launch = has_names(reader) ? launch_of_row(reader) : NULL;
    for (size_t i = 0; launch && i < raw->count; i++)
        if (!add_value(reader, launch, raw->columns[i].name, raw->columns[i].unit,
                       csv_field(&reader->csv, raw->columns[i].at)))
            return false;
    return launch != NULL;
}

bool measured_ncu_raw(struct reader *reader)
{
    struct raw_columns raw = {0};
    bool fine = reader_header(reader, columns, RAW_COLUMN_COUNT, "ncu --csv --page raw") &&
                keep_columns(reader, &raw) && take_units(reader, &raw);
    reader->columns = NULL; /* another header would need its own units */
    while (fine && reader_row(reader, &fine, NULL))
        if (!raw_row(reader, &raw))
            fine = false;
    free(raw.columns);
    return fine;
}
