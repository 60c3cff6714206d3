/* counts.c - results -> counts of lines, arrays and launches, and how they are found.
 *
 * A line's loads and stores, and an array's spaces, are parts of their own in a result; here they are
 * one: counters' names tell them apart. */
#define _GNU_SOURCE
#include "library/library.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "library/plain_numbers.h"

static bool is_same_part(const struct warplens_counts *counts, const struct result_part *part)
{
    if (part->array)
        return strcmp(counts->name, part->array) == 0;
    return counts->line == part->line && strcmp(counts->name, part->file) == 0;
}

/* Adds a part to the counts it belongs to. Lines are sorted, so that one of a line is beside the last;
 * arrays are few. */
static void add_part(struct warplens_counts *all, size_t *count, const struct result_part *part,
                     const struct warplens_counts *like)
{
    size_t at = part->array || *count == 0 ? 0 : *count - 1;
    while (at < *count && !is_same_part(&all[at], part))
        at++;
    if (at == *count) {
        all[at] = *like;
        all[at].name = part->array ? part->array : part->file;
        all[at].line = part->line;
        ++*count;
    }
    counters_add(&all[at].counters, part->counters);
}

static bool count_parts(struct library_counts *counts, const struct result *result,
                        struct warplens_counts like)
{
    counts->lines = calloc(result->line_count + 1, sizeof *counts->lines);
    counts->arrays = calloc(result->array_count + 1, sizeof *counts->arrays);
    if (counts->lines == NULL || counts->arrays == NULL)
        return false;
    like.place = LIBRARY_LINE;
    for (size_t i = 0; i < result->line_count; i++)
        add_part(counts->lines, &counts->line_count, &result->lines[i], &like);
    like.place = LIBRARY_ARRAY;
    for (size_t i = 0; i < result->array_count; i++)
        add_part(counts->arrays, &counts->array_count, &result->arrays[i], &like);
    return true;
}

static bool count_launches(struct library_counts *counts, const struct result *result,
                           struct warplens_counts like)
{
    counts->launches = calloc(result->launch_count + 1, sizeof *counts->launches);
    if (counts->launches == NULL)
        return false;
    like.place = LIBRARY_LAUNCH;
    for (size_t i = 0; i < result->launch_count; i++) {
        struct warplens_counts *launch = &counts->launches[i];
        *launch = like;
        launch->launch = &result->launches[i];
        launch->launch_number = i;
        launch->name = launch->launch->kernel;
        launch->counters = launch->launch->counters;
    }
    counts->launch_count = result->launch_count;
    return true;
}

bool library_count(struct warplens_run *run)
{
    run->counts = calloc(run->gpu_count, sizeof *run->counts);
    for (size_t i = 0; run->counts && i < run->gpu_count; i++) {
        const struct result *result = &run->results[i];
        const struct warplens_counts like = {.run = run, .gpu = i, .place = LIBRARY_TOTAL};
        struct library_counts *counts = &run->counts[i];
        counts->total = like;
        counts->total.name = result->info->kernel;
        counts->total.counters = result->total;
        PLAIN_NUMBERS; /* in the sentence */
        verdict_make(&counts->verdict, result);
        if (!count_parts(counts, result, like) || !count_launches(counts, result, like))
            return false;
    }
    return run->counts != NULL;
}

void library_counts_free(struct warplens_run *run)
{
    for (size_t i = 0; run->counts && i < run->gpu_count; i++) {
        free(run->counts[i].lines);
        free(run->counts[i].arrays);
        free(run->counts[i].launches);
    }
    free(run->counts);
    run->counts = NULL;
}

/* ---- By name -------------------------------------------------------------------------------------- */

static struct library_counts *counts_of(struct warplens_run *run, size_t gpu)
{
    if (!library_is_in(run, LIBRARY_DONE, "give results") || !library_has_gpu(run, gpu))
        return NULL;
    return &run->counts[gpu];
}

const struct warplens_counts *warplens_total(struct warplens_run *run, size_t gpu)
{
    const struct library_counts *counts = counts_of(run, gpu);
    return counts ? &counts->total : NULL;
}

/* "; lines of kernel.cu that have: 12, 15", or "; did you mean kernel.cu?" */
static void unknown_line(struct warplens_run *run, const struct library_counts *counts,
                         const char *file, uint32_t line)
{
    struct nearest nearest = nearest_start(file);
    char known[256] = "", text[NEAREST_TEXT_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < counts->line_count; i++) {
        nearest_offer(&nearest, counts->lines[i].name);
        if (strcmp(counts->lines[i].name, file) == 0 && used < sizeof known - 16)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%" PRIu32,
                                     used ? ", " : "", counts->lines[i].line);
    }
    if (used)
        library_fail(run, "%.64s:%" PRIu32 " has no memory access; lines of %.64s that have: %s",
                     file, line, file, known);
    else
        library_fail(run, "no memory access is in a file %.64s%s", file,
                     nearest_text(&nearest, text));
}

const struct warplens_counts *warplens_line(struct warplens_run *run, size_t gpu, const char *file,
                                            uint32_t line)
{
    const struct library_counts *counts = counts_of(run, gpu);
    const char *base = library_base_name(file ? file : "?");
    for (size_t i = 0; counts && i < counts->line_count; i++)
        if (counts->lines[i].line == line && strcmp(counts->lines[i].name, base) == 0)
            return &counts->lines[i];
    if (counts)
        unknown_line(run, counts, base, line);
    return NULL;
}

const struct warplens_counts *warplens_array(struct warplens_run *run, size_t gpu, const char *name)
{
    const struct library_counts *counts = counts_of(run, gpu);
    const char *wanted = name ? name : "";
    struct nearest nearest = nearest_start(wanted);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; counts && i < counts->array_count; i++) {
        if (strcmp(counts->arrays[i].name, wanted) == 0)
            return &counts->arrays[i];
        nearest_offer(&nearest, counts->arrays[i].name);
    }
    if (counts)
        library_fail(run, "no array %.64s is accessed%s", wanted, nearest_text(&nearest, text));
    return NULL;
}

/* ---- By index ------------------------------------------------------------------------------------- */

size_t warplens_line_count(const struct warplens_run *run)
{
    return run && run->stage == LIBRARY_DONE ? run->counts[0].line_count : 0;
}

size_t warplens_array_count(const struct warplens_run *run)
{
    return run && run->stage == LIBRARY_DONE ? run->counts[0].array_count : 0;
}

size_t warplens_launch_count(const struct warplens_run *run)
{
    return run && run->stage == LIBRARY_DONE ? run->counts[0].launch_count : 0;
}

static const struct warplens_counts *at(struct warplens_run *run, const struct warplens_counts *all,
                                        size_t count, size_t index, const char *what)
{
    if (index < count)
        return &all[index];
    library_fail(run, "no %s %zu: the run has %zu, numbered from 0", what, index, count);
    return NULL;
}

const struct warplens_counts *warplens_line_at(struct warplens_run *run, size_t gpu, size_t index)
{
    const struct library_counts *c = counts_of(run, gpu);
    return c ? at(run, c->lines, c->line_count, index, "line") : NULL;
}

const struct warplens_counts *warplens_array_at(struct warplens_run *run, size_t gpu, size_t index)
{
    const struct library_counts *c = counts_of(run, gpu);
    return c ? at(run, c->arrays, c->array_count, index, "array") : NULL;
}

const struct warplens_counts *warplens_launch_at(struct warplens_run *run, size_t gpu, size_t index)
{
    const struct library_counts *c = counts_of(run, gpu);
    return c ? at(run, c->launches, c->launch_count, index, "launch") : NULL;
}

/* ---- What they are of ------------------------------------------------------------------------------ */

const char *warplens_counts_name(const struct warplens_counts *counts)
{
    return counts ? counts->name : NULL;
}

uint32_t warplens_counts_line(const struct warplens_counts *counts)
{
    return counts ? counts->line : 0;
}

bool warplens_counts_shape(const struct warplens_counts *counts, uint32_t grid[3],
                           uint32_t block[3])
{
    bool is_launch = counts && counts->launch;
    for (int i = 0; i < 3; i++) {
        grid[i] = is_launch ? counts->launch->grid[i] : 0;
        block[i] = is_launch ? counts->launch->block[i] : 0;
    }
    return is_launch;
}

const char *library_place_text(const struct warplens_counts *counts, char text[LIBRARY_PLACE_BYTES])
{
    switch (counts->place) {
    case LIBRARY_LINE:
        snprintf(text, LIBRARY_PLACE_BYTES, "%.128s:%" PRIu32, counts->name, counts->line);
        break;
    case LIBRARY_ARRAY:
        snprintf(text, LIBRARY_PLACE_BYTES, "array %.128s",
                 counts->name[0] ? counts->name : "without a name");
        break;
    case LIBRARY_LAUNCH:
        snprintf(text, LIBRARY_PLACE_BYTES, "launch %zu (%.128s)", counts->launch_number,
                 counts->name);
        break;
    case LIBRARY_TOTAL:
        snprintf(text, LIBRARY_PLACE_BYTES, "the whole run");
        break;
    }
    return text;
}
