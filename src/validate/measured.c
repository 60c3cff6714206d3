/* measured.c - which form a file has, by its header; and the store that the readers fill. */
#define _GNU_SOURCE
#include "validate/measured.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/counters/counters.h"
#include "validate/measured_reader.h"
#include "text/memory.h"

/* A header is recognised by the columns that no other form has together. */
static const struct form {
    enum measured_format format;
    const char *columns[4]; /* any two make it this form */
    bool (*read)(struct reader *reader);
} forms[] = {
    {MEASURED_PROGRAMS, {"program", "launch"}, measured_programs},
    {MEASURED_TIDY, {"kernel", "counter", "parameters", "launch"}, measured_tidy},
    {MEASURED_NVPROF, {"Invocations", "Avg", "Event Name", "Kernel"}, measured_nvprof},
    {MEASURED_NCU_DETAILS, {"Metric Name", "Metric Value", "Metric Unit"}, measured_ncu_details},
    {MEASURED_NCU_RAW, {"ID", "Kernel Name", "Process ID"}, measured_ncu_raw},
};

static bool record_has(const struct csv *csv, const char *column)
{
    for (size_t i = 0; i < csv->field_count; i++)
        if (strcmp(csv_field(csv, i), column) == 0)
            return true;
    return false;
}

static const struct form *form_of(const struct csv *csv)
{
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        size_t found = 0;
        for (size_t i = 0; i < 4 && forms[f].columns[i]; i++)
            found += record_has(csv, forms[f].columns[i]);
        if (found >= 2)
            return &forms[f];
    }
    return NULL;
}

/* Program output and profilers' messages stand before the header. */
static const struct form *find_header(struct reader *reader)
{
    enum csv_status status;
    reader->csv.loose = true;
    while ((status = csv_next(&reader->csv)) == CSV_RECORD) {
        bool comment = csv_field(&reader->csv, 0)[0] == '#';
        const struct form *form = comment ? NULL : form_of(&reader->csv);
        reader->csv.loose = form == NULL;
        if (form)
            return form;
        if (comment && !measured_tidy_comment(reader))
            return NULL;
    }
    if (status == CSV_IO)
        reader->io = errno;
    else if (status == CSV_BAD)
        reader_fail(reader, "%s", reader->csv.message);
    else
        reader_fail(reader,
                    "no header of a form that is known: of the harness (kernel, parameters, "
                    "launch, counter, value; or program, launch, kernel, a column a counter), of "
                    "nvprof --csv (Device, Kernel, Invocations, "
                    "Avg), of ncu --csv (ID, Kernel Name, Metric Name, Metric Value) or of "
                    "ncu --csv --page raw (ID, Kernel Name, a column a metric)");
    return NULL;
}

static int compare_values(const void *a, const void *b)
{
    const struct measured_value *x = a, *y = b;
    int order = (x->counter > y->counter) - (x->counter < y->counter);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Sorts the values. The same twice is one; two different ones are an error, except in ncu's details,
 * where sections share names of metrics (and the first one counts). */
static bool settle_values(struct reader *reader, struct measured_launch *launch)
{
    const struct measured *m = reader->measured;
    size_t kept = 0;
    if (launch->value_count)
        qsort(launch->values, launch->value_count, sizeof *launch->values, compare_values);
    for (size_t i = 0; i < launch->value_count; i++) {
        const struct measured_value *v = &launch->values[i];
        if (kept == 0 || launch->values[kept - 1].counter != v->counter) {
            launch->values[kept++] = *v;
        } else if (launch->values[kept - 1].value != v->value &&
                   m->files[reader->file].format != MEASURED_NCU_DETAILS) {
            reader->csv.line = v->line;
            return reader_fail(reader,
                               "%s of launch %llu of %s a second time, with another value "
                               "than in line %lu",
                               m->counters.texts[v->counter], (unsigned long long)launch->index,
                               launch->function, (unsigned long)launch->values[kept - 1].line);
        }
    }
    launch->value_count = kept;
    return true;
}

/* Which launch of its function on its GPU each one is, where the file does not say. */
static bool number_launches(struct reader *reader)
{
    struct measured *m = reader->measured;
    size_t count = m->launch_count - reader->first_launch;
    struct name_set functions = {0};
    uint64_t *seen = memory_take(count, sizeof *seen);
    bool fine = seen != NULL;
    for (size_t i = reader->first_launch; i < m->launch_count && fine; i++) {
        struct measured_launch *launch = &m->launches[i];
        char key[1024];
        snprintf(key, sizeof key, "%s\n%s", launch->function, launch->gpu ? launch->gpu : "");
        uint32_t number = name_set_add(&functions, key);
        fine = number != NAME_SET_NONE;
        if (fine && launch->kernel == NULL && launch->program == NULL)
            launch->index = ++seen[number];
    }
    name_set_free(&functions);
    free(seen);
    return fine || reader_fail(reader, "no memory for the launches");
}

static bool read_form(struct reader *reader)
{
    struct measured *m = reader->measured;
    const struct form *form = find_header(reader);
    if (form == NULL)
        return false;
    m->files[reader->file].format = form->format;
    if (!form->read(reader))
        return false;
    if (m->launch_count == reader->first_launch)
        return reader_fail(reader, "a header but no launch behind it");
    if (!number_launches(reader))
        return false;
    for (size_t i = reader->first_launch; i < m->launch_count; i++)
        if (!settle_values(reader, &m->launches[i]))
            return false;
    return true;
}

static bool add_modelled(struct name_set *modelled)
{
    bool fine = name_set_add(modelled, MEASURED_TIME) != NAME_SET_NONE;
    for (size_t i = 0; i < profiler_counter_count && fine; i++)
        fine = name_set_add(modelled, profiler_table[i].name) != NAME_SET_NONE;
    return fine;
}

int measured_read_stream(struct measured *m, FILE *stream, const char *path)
{
    struct reader reader = {
        .measured = m, .file = (uint32_t)m->file_count, .first_launch = m->launch_count};
    struct measured_file *files = memory_grow(m->files, (m->file_count + 1) * sizeof *files);
    if (files)
        m->files = files;
    if (files == NULL || !add_modelled(&m->modelled) || !csv_start(&reader.csv, stream)) {
        snprintf(m->message, sizeof m->message, "%s: no memory", path);
        return 2;
    }
    m->files[m->file_count++] = (struct measured_file){.path = path};
    bool fine = read_form(&reader);
    csv_end(&reader.csv);
    name_set_free(&reader.keys);
    if (fine)
        return 0;
    if (reader.io)
        snprintf(m->message, sizeof m->message, "%s: %s", path, strerror(reader.io));
    return reader.io ? 1 : 2;
}

int measured_read(struct measured *m, const char *path)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        snprintf(m->message, sizeof m->message, "%s: %s", path, strerror(errno));
        return 1;
    }
    int status = measured_read_stream(m, stream, path);
    fclose(stream);
    return status;
}

void measured_free(struct measured *m)
{
    for (size_t i = 0; i < m->launch_count; i++)
        free(m->launches[i].values);
    for (size_t i = 0; i < m->file_count; i++)
        free(m->files[i].collected);
    free(m->launches);
    free(m->files);
    name_set_free(&m->counters);
    name_set_free(&m->modelled);
    name_set_free(&m->texts);
    name_set_free(&m->scaled);
    *m = (struct measured){0};
}

static int compare_to_counter(const void *counter, const void *value)
{
    uint32_t wanted = *(const uint32_t *)counter;
    uint32_t got = ((const struct measured_value *)value)->counter;
    return (wanted > got) - (wanted < got);
}

bool measured_get(const struct measured *m, const struct measured_launch *launch, uint32_t counter,
                  double *value, double *tolerance)
{
    const struct measured_file *file = &m->files[launch->file];
    const struct measured_value *found = NULL;
    *value = *tolerance = 0;
    if (launch->value_count)
        found = bsearch(&counter, launch->values, launch->value_count, sizeof *launch->values,
                        compare_to_counter);
    if (found) {
        *value = found->value;
        *tolerance = found->tolerance;
        return true;
    }
    return launch->has_counters && file->collected_count &&
           bsearch(&counter, file->collected, file->collected_count, sizeof *file->collected,
                   reader_compare_numbers);
}

bool measured_is_time(const char *counter)
{
    static const char duration[] = "gpu__time_duration";
    return strcmp(counter, MEASURED_TIME) == 0 ||
           strncmp(counter, duration, sizeof duration - 1) == 0;
}
