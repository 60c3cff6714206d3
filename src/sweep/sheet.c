/* sheet.c - reads what json.c writes: strict, each member once, sizes bounded. Members that are not
 * needed here are passed over. Launches are summed up by kernel, spaces of an array and kinds of access of
 * a line are one part each. */
#define _GNU_SOURCE
#include "sweep/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/json_read.h"
#include "sweep/run_read.h"
#include "text/characters.h"
#include "text/list.h"
#include "text/memory.h"

/* One member of an array of objects, before it has found its place. */
struct read_part {
    struct sheet_part part;
    bool has_counters;
};

static bool read_string(struct json_reader *reader, char **text)
{
    return *text == NULL && (*text = json_read_string(reader)) != NULL;
}

/* A string that is one of the names; its index. */
static bool read_word(struct json_reader *reader, const char *(*name_of)(unsigned), unsigned count,
                      uint8_t *index)
{
    char *word = json_read_string(reader);
    for (unsigned i = 0; word && i < count; i++)
        if (strcmp(name_of(i), word) == 0) {
            *index = (uint8_t)i;
            free(word);
            return true;
        }
    free(word);
    return false;
}

static const char *space_name(unsigned space)
{
    return mem_space_names[space];
}

static const char *op_name(unsigned op)
{
    return mem_op_names[op];
}

static bool read_access(struct json_reader *reader, struct sheet_access *access)
{
    char name[JSON_NAME_BYTES];
    bool first = true, fine = true;
    while (fine && json_next_name(reader, &first, name))
        fine = strcmp(name, "space") == 0
                   ? read_word(reader, space_name, SPACE_COUNT, &access->space)
               : strcmp(name, "op") == 0    ? read_word(reader, op_name, WORD_COUNT, &access->op)
               : strcmp(name, "array") == 0 ? read_string(reader, &access->array)
                                            : json_skip_value(reader);
    return fine && !reader->failed && access->array;
}

static bool read_accesses(struct json_reader *reader, struct sheet_part *part)
{
    bool first = true;
    while (part->access_count < SHEET_PARTS_MAX && json_next_value(reader, &first)) {
        struct sheet_access *grown =
            memory_grow(part->accesses, (part->access_count + 1) * sizeof *grown);
        if (grown == NULL)
            return false;
        part->accesses = grown;
        grown[part->access_count] = (struct sheet_access){0};
        if (!read_access(reader, &grown[part->access_count++]))
            return false;
    }
    return !reader->failed && part->access_count < SHEET_PARTS_MAX;
}

static bool read_part_member(struct json_reader *reader, struct read_part *read, const char *key,
                             const char *name)
{
    uint64_t line;
    if (strcmp(name, key) == 0)
        return read_string(reader, &read->part.name);
    if (strcmp(name, "counters") == 0) {
        if (read->has_counters)
            return false;
        read->has_counters = true;
        return run_read_counters(reader, &read->part.counters);
    }
    if (strcmp(name, "accesses") == 0 && read->part.accesses == NULL)
        return read_accesses(reader, &read->part);
    if (strcmp(name, "line") != 0)
        return json_skip_value(reader);
    if (!json_read_uint(reader, &line) || line > UINT32_MAX)
        return false;
    read->part.line = (uint32_t)line;
    return true;
}

static bool read_part(struct json_reader *reader, struct read_part *read, const char *key)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name))
        if (!read_part_member(reader, read, key, name))
            return false;
    return !reader->failed && read->part.name && read->has_counters;
}

static void free_part(struct sheet_part *part)
{
    for (size_t i = 0; i < part->access_count; i++)
        free(part->accesses[i].array);
    free(part->accesses);
    free(part->name);
}

/* Adds it to the part of that name, or as a new one, and then it is the parts'. A line is there once. */
static bool keep_part(struct sheets *sheets, struct sheet_parts *parts, struct sheet_part *part)
{
    for (size_t i = 0; part->line == 0 && i < parts->count; i++)
        if (strcmp(parts->parts[i].name, part->name) == 0) {
            counters_add(&parts->parts[i].counters, &part->counters);
            free_part(part);
            return true;
        }
    if (!LIST_MAKE_ROOM(parts->parts, parts->count, parts->room))
        return false;
    parts->parts[parts->count++] = *part;
    return ++sheets->part_count <= SHEET_PARTS_MAX;
}

/* [{"KEY":name,...,"counters":{...}},...]; how many there are. */
static bool read_parts(struct json_reader *reader, struct sheets *sheets, struct sheet_parts *parts,
                       const char *key, uint64_t *count)
{
    bool first = true;
    if (parts->parts)
        return false;
    for (*count = 0; json_next_value(reader, &first); ++*count) {
        struct read_part read = {0};
        bool fine = read_part(reader, &read, key);
        size_t before = sheets->part_count;
        fine = fine && keep_part(sheets, parts, &read.part);
        if (!fine && sheets->part_count == before)
            free_part(&read.part);
        if (!fine)
            return false;
    }
    return !reader->failed;
}

/* {"name":title,...}: which profiler it is. */
static bool read_profiler(struct json_reader *reader, struct sheet *sheet)
{
    char name[JSON_NAME_BYTES], *title = NULL;
    bool first = true;
    while (json_next_name(reader, &first, name))
        if (strcmp(name, "name") == 0 ? !read_string(reader, &title) : !json_skip_value(reader))
            break;
    for (unsigned bit = PROFILER_V10; title && bit < PROFILER_END; bit <<= 1)
        if (strcmp(title, profiler_title((enum profiler)bit)) == 0)
            sheet->profiler = (enum profiler)bit;
    free(title);
    return !reader->failed && sheet->profiler;
}

static bool read_member(struct json_reader *reader, struct sheets *sheets, struct sheet *sheet,
                        const char *name)
{
    uint64_t count;
    if (strcmp(name, "launches") == 0)
        return read_parts(reader, sheets, &sheet->kernels, "kernel", &sheet->listed_launches);
    if (strcmp(name, "lines") == 0)
        return read_parts(reader, sheets, &sheet->lines, "file", &count);
    if (strcmp(name, "arrays") == 0)
        return read_parts(reader, sheets, &sheet->arrays, "array", &count);
    if (strcmp(name, "profiler") == 0)
        return sheet->profiler == 0 && read_profiler(reader, sheet);
    return run_read_member(reader, &sheet->run, name);
}

static bool read_sheet(struct json_reader *reader, struct sheets *sheets, struct sheet *sheet)
{
    char name[JSON_NAME_BYTES];
    bool first = true;
    while (json_next_name(reader, &first, name))
        if (!read_member(reader, sheets, sheet, name))
            return false;
    return !reader->failed && run_read_is_whole(&sheet->run) &&
           (sheet->run.error || sheet->profiler);
}

static struct sheet *add_sheet(struct sheets *sheets)
{
    if (!LIST_MAKE_ROOM(sheets->sheets, sheets->count, sheets->room))
        return NULL;
    struct sheet *sheet = &sheets->sheets[sheets->count++];
    *sheet = (struct sheet){0};
    return sheet;
}

static bool read_runs(struct json_reader *reader, struct sheets *sheets)
{
    bool first = true;
    while (sheets->count < SHEET_PARTS_MAX && json_next_value(reader, &first)) {
        struct sheet *sheet = add_sheet(sheets);
        if (sheet == NULL || !read_sheet(reader, sheets, sheet))
            return false;
    }
    return !reader->failed && sheets->count < SHEET_PARTS_MAX;
}

static bool read_report(struct json_reader *reader, struct sheets *sheets)
{
    char *compiler = json_read_bytes(reader, SHEET_BEGIN) ? json_read_string(reader) : NULL;
    free(compiler);
    if (compiler == NULL || !json_read_bytes(reader, ",\"runs\":") || !read_runs(reader, sheets))
        return false;
    while (reader->at < reader->end && *reader->at == '\t')
        reader->at++;
    if (!json_read_bytes(reader, "}"))
        return false;
    while (reader->at < reader->end && *reader->at == '\t')
        reader->at++;
    return reader->at == reader->end;
}

bool sheets_read(struct sheets *sheets, char *text, size_t bytes, char message[SHEET_MESSAGE_BYTES])
{
    size_t line = 1;
    *sheets = (struct sheets){0};
    for (size_t i = 0; i < bytes; i++) /* line breaks stand between values alone */
        text[i] = text[i] == '\t' ? '?' : text[i] == '\n' ? '\t' : text[i];
    struct json_reader reader = {.at = text, .end = text + bytes};
    if (read_report(&reader, sheets) && sheets->count)
        return true;
    for (const char *at = text; at < reader.at; at++)
        line += *at == '\t';
    if (memory_failures())
        snprintf(message, SHEET_MESSAGE_BYTES, "no memory to read all of it");
    else if (sheets->part_count > SHEET_PARTS_MAX)
        snprintf(message, SHEET_MESSAGE_BYTES,
                 "more than %d kernels, lines and arrays: make it of fewer runs", SHEET_PARTS_MAX);
    else if (reader.at == reader.end && sheets->count == 0)
        snprintf(message, SHEET_MESSAGE_BYTES, "it has no run");
    else
        snprintf(
            message, SHEET_MESSAGE_BYTES,
            "no report that this version of warplens wrote (`run --format json -o FILE`), from "
            "its line %zu on",
            line);
    return false;
}

static void free_parts(struct sheet_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free_part(&parts->parts[i]);
    free(parts->parts);
}

void sheet_free(struct sheet *sheet)
{
    report_entry_free(&sheet->run);
    free_parts(&sheet->kernels);
    free_parts(&sheet->lines);
    free_parts(&sheet->arrays);
}

void sheets_free(struct sheets *sheets)
{
    for (size_t i = 0; i < sheets->count; i++)
        sheet_free(&sheets->sheets[i]);
    free(sheets->sheets);
    *sheets = (struct sheets){0};
}

bool sheet_has_time(const struct sheet *sheet)
{
    return sheet->run.total.elapsed_cycles > 0;
}

const char *sheet_title(const struct sheet *sheet, char text[SHEET_TITLE_BYTES])
{
    const struct report_entry *run = &sheet->run;
    const char *between = *run->params && *run->changes ? "; " : "";
    snprintf(text, SHEET_TITLE_BYTES, "%s on %s%s%s%s%s%s", run->kernel, run->gpu,
             *run->params || *run->changes ? " (" : "", run->params, between, run->changes,
             *run->params || *run->changes ? ")" : "");
    text_make_characters(text); /* the last one is cut */
    return text;
}
