/* measured_programs.c - the CSV of the harness for programs: a row a launch, a column a counter. A launch is numbered
 * within its program's run, whatever its kernel. */
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"
#include "validate/measured_reader.h"

enum { GPU, PROGRAM, WITH, ARGUMENTS, CACHE, LAUNCH, KERNEL, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
    {"gpu", false},   {"program", true}, {"with", false},  {"arguments", false},
    {"cache", false}, {"launch", true},  {"kernel", true},
};

/* For the reader of the file; not counters. */
static const char *const remarks[] = {"driver", "tool", "grid", "block"};

enum { KEY_BYTES = 4096 };

static bool is_counter(const char *name)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        if (strcmp(name, columns[i].name) == 0)
            return false;
    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++)
        if (strcmp(name, remarks[i]) == 0)
            return false;
    return true;
}

/* The header's counters; NULL where a column is none, or none of the model. Texts are the measurements'. */
static const char **name_counters(struct reader *reader)
{
    size_t count = reader->csv.field_count;
    const char **names = memory_take(count, sizeof *names);
    bool fine = names != NULL;
    for (size_t i = 0; i < count && fine; i++) {
        const char *name = csv_field(&reader->csv, i);
        if (!is_counter(name))
            continue;
        if (*name == '\0')
            fine = reader_fail(reader, "column %zu has no name", i + 1);
        else if (!reader_is_modelled(reader, name))
            fine = reader_note_counter(reader, name);
        else
            fine = (names[i] = reader_text(reader, name)) != NULL;
    }
    if (names == NULL)
        reader_fail(reader, "no memory for the names of columns");
    if (!fine)
        free(names);
    return fine ? names : NULL;
}

static bool take_launch_number(struct reader *reader, uint64_t *number)
{
    const char *text = reader_field(reader, LAUNCH), *rest;
    double value, tolerance;
    bool fine = reader_number(text, false, &value, &tolerance, &rest) && *rest == '\0' &&
                value >= 1 && value <= 1e15 && value == (double)(uint64_t)value;
    *number = fine ? (uint64_t)value : 0;
    return fine || reader_fail(reader, "launch %.*s: allowed is a whole number from 1 on",
                               READER_FIELD_SHOWN, text);
}

static bool take_cache(struct reader *reader, bool *is_warm)
{
    const char *text = reader_field(reader, CACHE);
    *is_warm = strcmp(text, "warm") == 0;
    return *is_warm || *text == '\0' || strcmp(text, "cold") == 0 ||
           reader_fail(reader, "cache %.*s: allowed is cold or warm", READER_FIELD_SHOWN, text);
}

static bool fill_launch(struct reader *reader, struct measured_launch *launch, uint64_t index,
                        bool is_warm)
{
    const char *gpu = reader_field(reader, GPU);
    launch->index = index;
    launch->is_warm = is_warm;
    launch->run = reader_text(reader, reader_field(reader, CACHE));
    launch->program = reader_text(reader, reader_field(reader, PROGRAM));
    launch->arguments = reader_text(reader, reader_field(reader, ARGUMENTS));
    launch->with = reader_text(reader, reader_field(reader, WITH));
    launch->gpu = *gpu ? reader_text(reader, gpu) : NULL;
    return launch->with && launch->run && launch->program && launch->arguments &&
           (*gpu == '\0' || launch->gpu) &&
           reader_kernel(reader, launch, reader_field(reader, KERNEL));
}

static struct measured_launch *launch_of_row(struct reader *reader)
{
    char key[KEY_BYTES];
    uint64_t index;
    bool is_warm;
    if (reader_field(reader, PROGRAM)[0] == '\0' || reader_field(reader, KERNEL)[0] == '\0') {
        reader_fail(reader, "no name of a %s",
                    reader_field(reader, PROGRAM)[0] ? "kernel" : "program");
        return NULL;
    }
    if (!take_launch_number(reader, &index) || !take_cache(reader, &is_warm))
        return NULL;
    int length = snprintf(key, sizeof key, "%s\n%s\n%s\n%d\n%llu\n%s", reader_field(reader, GPU),
                          reader_field(reader, PROGRAM), reader_field(reader, ARGUMENTS), is_warm,
                          (unsigned long long)index, reader_field(reader, KERNEL));
    if (length < 0 || (size_t)length >= sizeof key) {
        reader_fail(reader, "names of more than %d characters in a row", KEY_BYTES);
        return NULL;
    }
    size_t before = reader->measured->launch_count;
    struct measured_launch *launch = reader_launch(reader, key);
    if (launch && reader->measured->launch_count > before &&
        !fill_launch(reader, launch, index, is_warm))
        return NULL;
    return launch;
}

/* An empty cell: the counter was not collected there. */
static bool take_row(struct reader *reader, const char *const *names)
{
    struct measured_launch *launch = launch_of_row(reader);
    bool fine = launch != NULL;
    for (size_t i = 0; i < reader->csv.field_count && fine; i++) {
        const char *text = csv_field(&reader->csv, i), *rest;
        double value, tolerance;
        if (names[i] == NULL || reader_is_no_value(text))
            fine = names[i] == NULL || reader_note_counter(reader, names[i]);
        else if (!reader_number(text, false, &value, &tolerance, &rest) || *rest)
            fine = reader_fail(reader, "value %.*s of %.*s: allowed is a number from 0 on",
                               READER_FIELD_SHOWN, text, READER_FIELD_SHOWN, names[i]);
        else
            fine = reader_add(reader, launch, names[i], value, tolerance);
    }
    return fine;
}

bool measured_programs(struct reader *reader)
{
    bool fine;
    if (!reader_header(reader, columns, COLUMN_COUNT, "the harness for programs"))
        return false;
    const char **names = name_counters(reader);
    if (names == NULL)
        return false;
    reader->columns = NULL; /* another header would need its own names */
    while (reader_row(reader, &fine, NULL))
        if (!take_row(reader, names)) {
            fine = false;
            break;
        }
    free(names);
    return fine;
}
