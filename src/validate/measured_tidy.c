/* measured_tidy.c - the CSV of the CUDA harness: a row a launch and counter. */
#include <stdlib.h>
#include <string.h>

#include "validate/measured_reader.h"
#include "text/memory.h"

enum { GPU, RUN, KERNEL, PARAMETERS, LAUNCH, FUNCTION, COUNTER, VALUE, COLUMN_COUNT };

/* driver and tool are for the reader of the file; a file without gpu needs --gpu. */
static const struct column columns[COLUMN_COUNT] = {
    {"gpu", false},   {"run", true},      {"kernel", true},  {"parameters", true},
    {"launch", true}, {"function", true}, {"counter", true}, {"value", true},
};

enum { KEY_BYTES = 1024, COLLECTED_MAX = 4096 };

/* "#counters a,b,c": those are 0 where a launch has no row for them. */
bool measured_tidy_comment(struct reader *reader)
{
    static const char word[] = "#counters ";
    struct measured *m = reader->measured;
    struct measured_file *file = &m->files[reader->file];
    const struct csv *csv = &reader->csv;
    if (strncmp(csv_field(csv, 0), word, sizeof word - 1) != 0)
        return true;
    size_t count = file->collected_count + csv->field_count;
    if (count > COLLECTED_MAX)
        return reader_fail(reader, "more than %d names in #counters", COLLECTED_MAX);
    uint32_t *collected = memory_grow(file->collected, count * sizeof *collected);
    if (collected == NULL)
        return reader_fail(reader, "no memory for the names of counters");
    file->collected = collected;
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *name = csv_field(csv, i) + (i == 0 ? sizeof word - 1 : 0);
        name += strspn(name, " ");
        if (*name == '\0')
            return reader_fail(reader, "an empty name in #counters");
        if (!reader_note_counter(reader, name))
            return false;
        if (!measured_is_time(name))
            collected[file->collected_count++] = name_set_find(&m->counters, name);
    }
    qsort(collected, file->collected_count, sizeof *collected, reader_compare_numbers);
    return true;
}

static bool take_count(struct reader *reader, size_t column, uint64_t *count)
{
    const char *text = reader_field(reader, column), *rest;
    double value, tolerance;
    bool fine = reader_number(text, false, &value, &tolerance, &rest) && *rest == '\0' &&
                value >= (column == LAUNCH) && value <= 1e15 && value == (double)(uint64_t)value;
    *count = fine ? (uint64_t)value : 0;
    return fine || reader_fail(reader, "%s %.*s: allowed is a whole number from %d on",
                               columns[column].name, READER_FIELD_SHOWN, text, column == LAUNCH);
}

static bool fill_launch(struct reader *reader, struct measured_launch *launch, uint64_t index)
{
    const char *gpu = reader_field(reader, GPU);
    launch->index = index;
    launch->gpu = *gpu ? reader_text(reader, gpu) : NULL;
    launch->run = reader_text(reader, reader_field(reader, RUN));
    launch->kernel = reader_text(reader, reader_field(reader, KERNEL));
    launch->params = reader_text(reader, reader_field(reader, PARAMETERS));
    launch->function = reader_text(reader, reader_field(reader, FUNCTION));
    launch->name = launch->shown = launch->function;
    return (*gpu == '\0' || launch->gpu) && launch->run && launch->kernel && launch->params &&
           launch->function;
}

static struct measured_launch *launch_of_row(struct reader *reader)
{
    char key[KEY_BYTES];
    uint64_t run, index;
    if (!take_count(reader, RUN, &run) || !take_count(reader, LAUNCH, &index))
        return NULL;
    int length = snprintf(key, sizeof key, "%s\n%llu\n%s\n%s\n%llu\n%s", reader_field(reader, GPU),
                          (unsigned long long)run, reader_field(reader, KERNEL),
                          reader_field(reader, PARAMETERS), (unsigned long long)index,
                          reader_field(reader, FUNCTION));
    if (length < 0 || (size_t)length >= sizeof key) {
        reader_fail(reader, "names of more than %d characters in a row", KEY_BYTES);
        return NULL;
    }
    size_t before = reader->measured->launch_count;
    struct measured_launch *launch = reader_launch(reader, key);
    if (launch && reader->measured->launch_count > before && !fill_launch(reader, launch, index))
        return NULL;
    return launch;
}

static bool take_row(struct reader *reader)
{
    const char *text = reader_field(reader, VALUE), *rest;
    const char *counter = reader_field(reader, COUNTER);
    double value, tolerance;
    if (reader_field(reader, KERNEL)[0] == '\0' || counter[0] == '\0')
        return reader_fail(reader, "no name of a %s", counter[0] ? "kernel" : "counter");
    if (!reader_number(text, false, &value, &tolerance, &rest) || *rest)
        return reader_fail(reader, "value %.*s of %.*s: allowed is a number from 0 on",
                           READER_FIELD_SHOWN, text, READER_FIELD_SHOWN, counter);
    struct measured_launch *launch = launch_of_row(reader);
    /* The harness writes all digits. */
    if (launch == NULL)
        return false;
    launch->has_counters |= !measured_is_time(counter);
    return reader_is_modelled(reader, counter) ? reader_add(reader, launch, counter, value, 0)
                                               : reader_note_counter(reader, counter);
}

bool measured_tidy(struct reader *reader)
{
    bool fine;
    if (!reader_header(reader, columns, COLUMN_COUNT, "the harness"))
        return false;
    while (reader_row(reader, &fine, measured_tidy_comment))
        if (!take_row(reader))
            return false;
    return fine;
}
