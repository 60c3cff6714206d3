/* measured_nvprof.c - `nvprof --csv` with --metrics or --events: a row a kernel and counter. */
#include <ctype.h>
#include <string.h>

#include "validate/measured_reader.h"

enum { DEVICE, KERNEL, INVOCATIONS, METRIC, EVENT, AVERAGE, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
    {"Device", true},       {"Kernel", true},      {"Invocations", true},
    {"Metric Name", false}, {"Event Name", false}, {"Avg", true},
};

enum { KEY_BYTES = 4096 };

/* What stands behind a number: throughputs become GB/s. */
static const struct suffix {
    const char *text;
    double factor;
} suffixes[] = {
    {"", 1}, {"%", 1}, {"B/s", 1e-9}, {"KB/s", 1e-6}, {"MB/s", 1e-3}, {"GB/s", 1}, {"TB/s", 1e3},
};

/* "100.000000%", "157.162440GB/s", "Mid (5)". */
static bool parse_value(const char *text, double *value, double *tolerance)
{
    const char *open = strrchr(text, '('), *rest;
    if (isalpha((unsigned char)text[0]) && open)
        return reader_number(open + 1, false, value, tolerance, &rest) && strcmp(rest, ")") == 0;
    if (!reader_number(text, false, value, tolerance, &rest))
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(rest, suffixes[i].text) == 0) {
            *value *= suffixes[i].factor;
            *tolerance *= suffixes[i].factor;
            return true;
        }
    return false;
}

static struct measured_launch *launch_of_row(struct reader *reader, uint64_t invocations)
{
    const char *device = reader_field(reader, DEVICE), *kernel = reader_field(reader, KERNEL);
    char key[KEY_BYTES];
    if ((size_t)snprintf(key, sizeof key, "%s\n%s", device, kernel) >= sizeof key) {
        reader_fail(reader, "a kernel's name of more than %d characters", KEY_BYTES);
        return NULL;
    }
    size_t before = reader->measured->launch_count;
    struct measured_launch *launch = reader_launch(reader, key);
    if (launch == NULL || reader->measured->launch_count == before)
        return launch;
    launch->gpu = reader_text(reader, device);
    launch->invocations = invocations;
    return launch->gpu && reader_kernel(reader, launch, kernel) ? launch : NULL;
}

static bool take_row(struct reader *reader)
{
    const char *average = reader_field(reader, AVERAGE), *rest;
    const char *counts = reader_field(reader, INVOCATIONS);
    const char *counter = reader_field(reader, METRIC);
    double invocations, value, tolerance;
    if (*counter == '\0')
        counter = reader_field(reader, EVENT);
    if (*counter == '\0' || reader_field(reader, KERNEL)[0] == '\0')
        return reader_fail(reader, "no name of a %s", *counter ? "kernel" : "metric or event");
    if (!reader_number(counts, false, &invocations, &tolerance, &rest) || *rest ||
        invocations < 1 || invocations > 1e15 || invocations != (double)(uint64_t)invocations)
        return reader_fail(reader, "Invocations %.*s: allowed is a whole number from 1 on",
                           READER_FIELD_SHOWN, counts);
    struct measured_launch *launch = launch_of_row(reader, (uint64_t)invocations);
    if (launch == NULL)
        return false;
    if (!reader_is_modelled(reader, counter) || reader_is_no_value(average))
        return reader_note_counter(reader, counter);
    if (!parse_value(average, &value, &tolerance))
        return reader_fail(reader, "Avg %.*s of %.*s: allowed is a number, with %% or GB/s",
                           READER_FIELD_SHOWN, average, READER_FIELD_SHOWN, counter);
    return reader_add(reader, launch, counter, value, tolerance);
}

bool measured_nvprof(struct reader *reader)
{
    bool fine;
    if (!reader_header(reader, columns, COLUMN_COUNT, "nvprof"))
        return false;
    while (reader_row(reader, &fine, NULL))
        if (!take_row(reader))
            return false;
    return fine;
}
