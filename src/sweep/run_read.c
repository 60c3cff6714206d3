/* run_read.c - of a run it reads what a comparison shows: names, parameters, changes, counters, the range
 * of the time and occupancy; ratios follow from the counters. The rest is passed over. */
#define _GNU_SOURCE
#include "sweep/run_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/counters/quantity.h"
#include "text/list.h"
#include "text/memory.h"

/* A parameter is a number or, when a trace has it, any text. */
static void copy_value(struct json_reader *reader, FILE *out)
{
    int64_t number;
    if (reader->at < reader->end && *reader->at != '"') {
        if (json_read_int(reader, &number))
            fprintf(out, "%" PRId64, number);
        return;
    }
    char *text = json_read_string(reader);
    fputs(text ? text : "", out);
    free(text);
}

/* {"name":value,...} -> "name=value name=value"; NULL on a fault or without memory. */
static char *read_settings(struct json_reader *reader)
{
    char *text, name[JSON_NAME_BYTES];
    size_t bytes;
    bool first = true;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return NULL;
    for (const char *blank = ""; json_next_name(reader, &first, name); blank = " ") {
        fprintf(out, "%s%s=", blank, name);
        copy_value(reader, out);
    }
    if (fclose(out) == 0 && !reader->failed)
        return text;
    free(text);
    return NULL;
}

bool run_read_counters(struct json_reader *reader, struct counters *c)
{
    char name[JSON_NAME_BYTES];
    uint64_t value;
    bool first = true;
    while (json_next_name(reader, &first, name)) {
        const struct counter_info *counter = quantity_find_counter(name, strlen(name));
        if (counter == NULL || !json_read_uint(reader, &value))
            return false;
        counters_set(c, counter, value);
    }
    return !reader->failed;
}

static bool read_occupancy(struct json_reader *reader, struct report_entry *entry)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name))
        if (strcmp(name, "warps_per_sm") == 0)
            json_read_int(reader, &entry->warps_per_sm);
        else if (strcmp(name, "max_warps_per_sm") == 0)
            json_read_int(reader, &entry->max_warps_per_sm);
        else
            json_skip_value(reader);
    return !reader->failed;
}

/* What there is none of is unknown, as without the model of time. */
static bool read_range(struct json_reader *reader, struct time_range *range)
{
    char name[JSON_NAME_BYTES];
    uint64_t low = 0, high = 0;
    bool first = true;
    while (json_next_name(reader, &first, name)) {
        if (strcmp(name, "low_ns") == 0) {
            json_read_uint(reader, &low);
        } else if (strcmp(name, "high_ns") == 0) {
            json_read_uint(reader, &high);
        } else if (strcmp(name, "family") == 0) {
            char *family = json_read_string(reader);
            range->family = family ? time_range_family(family) : NULL;
            free(family);
        } else {
            json_skip_value(reader);
        }
    }
    range->low_ns = (double)low;
    range->high_ns = (double)high;
    range->state = range->family && high ? TIME_RANGE_KNOWN : TIME_RANGE_UNTIMED;
    return !reader->failed;
}

static bool read_fault_sums(struct json_reader *reader, struct report_entry *entry)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name)) {
        const enum fault_kind kind = fault_kind_named(name);
        if (kind == FAULT_KINDS || !json_read_uint(reader, &entry->fault_sums[kind]))
            return false;
    }
    return !reader->failed;
}

/* Of the places the first one's text. */
static bool read_fault_places(struct json_reader *reader, struct report_entry *entry)
{
    char name[JSON_NAME_BYTES];
    bool first_place = true;
    while (json_next_value(reader, &first_place)) {
        bool first = true;
        while (json_next_name(reader, &first, name))
            if (strcmp(name, "text") != 0 || entry->first_fault)
                json_skip_value(reader);
            else
                entry->first_fault = json_read_string(reader);
    }
    return !reader->failed && entry->first_fault;
}

static bool read_faults(struct json_reader *reader, struct report_entry *entry)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name)) {
        bool fine;
        if (strcmp(name, "kinds") == 0) {
            fine = read_fault_sums(reader, entry);
        } else if (strcmp(name, "places") == 0) {
            fine = read_fault_places(reader, entry);
        } else if (strcmp(name, "failed") == 0) {
            fine = json_read_bool(reader, &entry->has_stopped);
        } else {
            fine = json_skip_value(reader);
        }
        if (!fine)
            return false;
    }
    return !reader->failed;
}

/* Where a string of the run goes; NULL: the name is not one of a string. */
static char **text_of(struct report_entry *entry, const char *name)
{
    return strcmp(name, "kernel") == 0  ? &entry->kernel
           : strcmp(name, "gpu") == 0   ? &entry->gpu
           : strcmp(name, "error") == 0 ? &entry->error
                                        : NULL;
}

static char **settings_of(struct report_entry *entry, const char *name)
{
    return strcmp(name, "params") == 0 ? &entry->params
           : strcmp(name, "set") == 0  ? &entry->changes
                                       : NULL;
}

/* A change as report_put_changes writes it; what is usual is none. */
static bool read_cache_control(struct json_reader *reader, struct report_entry *entry)
{
    char *value = json_read_string(reader);
    bool fine = value && (entry->changes == NULL || !strstr(entry->changes, "cache_control="));
    if (fine && strcmp(value, "all") == 0) {
        const char *before = entry->changes ? entry->changes : "";
        char *changes = memory_format("%s%scache_control=all", before, *before ? " " : "");
        fine = changes != NULL;
        free(entry->changes);
        entry->changes = changes;
    }
    free(value);
    return fine;
}

bool run_read_member(struct json_reader *reader, struct report_entry *entry, const char *name)
{
    char **text = text_of(entry, name), **settings = settings_of(entry, name);
    if (text && *text == NULL)
        return (*text = json_read_string(reader)) != NULL;
    if (settings && *settings == NULL)
        return (*settings = read_settings(reader)) != NULL;
    if (text || settings)
        return false;
    if (strcmp(name, "counters") == 0)
        return run_read_counters(reader, &entry->total);
    if (strcmp(name, "time_range") == 0)
        return read_range(reader, &entry->range);
    if (strcmp(name, "cache_control") == 0)
        return read_cache_control(reader, entry);
    if (strcmp(name, "occupancy") == 0)
        return read_occupancy(reader, entry);
    if (strcmp(name, "faults") == 0)
        return entry->first_fault == NULL && read_faults(reader, entry);
    return json_skip_value(reader);
}

bool run_read_is_whole(const struct report_entry *entry)
{
    return entry->kernel && entry->gpu && entry->params && entry->changes;
}

static bool read_run(struct json_reader *reader, struct report_entry *entry)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name))
        if (!run_read_member(reader, entry, name))
            return false;
    return !reader->failed && run_read_is_whole(entry);
}

static struct report_entry *add_entry(struct sweep_entries *entries)
{
    if (!LIST_MAKE_ROOM(entries->entries, entries->count, entries->room))
        return NULL;
    struct report_entry *entry = &entries->entries[entries->count++];
    *entry = (struct report_entry){0};
    return entry;
}

bool run_read_all(struct sweep_entries *entries, const struct sweep_line *line,
                  char message[SWEEP_MESSAGE_BYTES])
{
    struct json_reader reader = {.at = line->runs - 1, .end = line->runs + line->runs_bytes + 1};
    bool first = true, fine = true;
    while (fine && json_next_value(&reader, &first)) {
        struct report_entry *entry = add_entry(entries);
        if (entry == NULL || (entry->label = memory_copy(line->head.label)) == NULL) {
            snprintf(message, SWEEP_MESSAGE_BYTES, "no memory for a table of so many runs");
            return false;
        }
        entry->job = line->head.job;
        fine = read_run(&reader, entry);
    }
    if (fine && !reader.failed)
        return true;
    snprintf(message, SWEEP_MESSAGE_BYTES,
             "a run that this version of warplens did not write, from byte %zu of the runs on",
             (size_t)(reader.at - line->runs) + 1);
    return false;
}
