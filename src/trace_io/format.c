/* format.c - the table of formats. */
#define _GNU_SOURCE
#include "trace_io/format.h"

#include <stdlib.h>
#include <string.h>

#include "trace_io/accelsim/accelsim_read.h"
#include "trace_io/accelsim/accelsim_write.h"
#include "trace_io/binary/binary_read.h"
#include "trace_io/binary/binary_write.h"
#include "trace_io/csv/csv_read.h"
#include "trace_io/csv/csv_write.h"
#include "trace_io/nvbit/nvbit_read.h"
#include "trace_io/text/text_read.h"
#include "trace_io/text/text_write.h"
#include "trace_io/trace_file.h"
#include "text/memory.h"

/* ---- binary ---------------------------------------------------------------------------------- */

static const char *read_binary(struct trace_file *file, const struct trace_sink *sink)
{
    return binary_trace_read(&file->input, sink);
}

static const char *end_binary(void *state)
{
    return binary_writer_end(state);
}

static void free_binary(void *state)
{
    binary_writer_free(state);
}

static bool open_binary(struct trace_writer *writer, FILE *out, const char *path)
{
    struct binary_writer *binary = binary_writer_new(out);
    (void)path;
    if (binary == NULL)
        return false;
    *writer = (struct trace_writer){binary_writer_sink(binary), binary, end_binary, free_binary};
    return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *read_text(struct trace_file *file, const struct trace_sink *sink)
{
    return text_trace_read(&file->input, sink);
}

static bool is_text(const char *head, size_t bytes)
{
    size_t length = strlen(TEXT_TRACE_FIRST_LINE);
    return bytes >= length && memcmp(head, TEXT_TRACE_FIRST_LINE, length) == 0;
}

static const char *end_text(void *state)
{
    return text_writer_end(state);
}

static void free_text(void *state)
{
    text_writer_end(state); /* again: nothing happens, unless the trace was given up */
    free(state);
}

static bool open_text(struct trace_writer *writer, FILE *out, const char *path)
{
    struct text_writer *text = memory_take(1, sizeof *text);
    (void)path;
    if (text == NULL)
        return false;
    if (!text_writer_start(text, out)) {
        free_text(text);
        return false;
    }
    *writer = (struct trace_writer){text->sink, text, end_text, free_text};
    return true;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* A table whose first line has more than one column; other forms are asked first. */
static bool is_csv(const char *head, size_t bytes)
{
    const char *end = memchr(head, '\n', bytes);
    return end && memchr(head, ',', (size_t)(end - head)) && head[0] != '-' && head[0] != 'M';
}

static const char *read_csv(struct trace_file *file, const struct trace_sink *sink)
{
    return csv_trace_read(&file->input, file->options.map, sink);
}

static const char *end_csv(void *state)
{
    return csv_writer_end(state);
}

static void free_csv(void *state)
{
    csv_writer_end(state);
    free(state);
}

static bool open_csv(struct trace_writer *writer, FILE *out, const char *path)
{
    struct csv_writer *csv = memory_take(1, sizeof *csv);
    (void)path;
    if (csv == NULL)
        return false;
    if (!csv_writer_start(csv, out)) {
        free_csv(csv);
        return false;
    }
    *writer = (struct trace_writer){csv->sink, csv, end_csv, free_csv};
    return true;
}

/* ---- NVBit ----------------------------------------------------------------------------------- */

static bool is_nvbit(const char *head, size_t bytes)
{
    static const char mark[] = "MEMTRACE: CTX ";
    return memmem(head, bytes, mark, sizeof mark - 1) != NULL;
}

static const char *read_nvbit(struct trace_file *file, const struct trace_sink *sink)
{
    return nvbit_trace_read(&file->input, sink);
}

/* ---- Accel-Sim ------------------------------------------------------------------------------- */

static bool is_accelsim(const char *head, size_t bytes)
{
    static const char *const begins[] = {"MemcpyHtoD,", "kernel-", "-kernel name"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (bytes > strlen(begins[i]) && memcmp(head, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* The files that a list names are where the list is. */
static const char *read_accelsim(struct trace_file *file, const struct trace_sink *sink)
{
    const char *path = file->input.name, *slash = strrchr(path, '/');
    char directory[4096];
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    return accelsim_trace_read(&file->input, directory, sink);
}

static const char *end_accelsim(void *state)
{
    return accelsim_writer_end(state);
}

static void free_accelsim(void *state)
{
    accelsim_writer_free(state);
}

static bool open_accelsim(struct trace_writer *writer, FILE *out, const char *path)
{
    struct accelsim_writer *accelsim = accelsim_writer_new(path, (struct accelsim_options){0});
    (void)out;
    if (accelsim == NULL)
        return false;
    *writer = (struct trace_writer){accelsim_writer_sink(accelsim), accelsim, end_accelsim,
                                    free_accelsim};
    return true;
}

const struct trace_format trace_formats[] = {
    {.name = "binary",
     .suffix = ".wlt",
     .about = "small and fast, nothing is lost",
     .is = binary_trace_is,
     .read = read_binary,
     .open = open_binary},
    {.name = "text",
     .suffix = ".wlt.txt",
     .about = "for people to read and write, nothing is lost",
     .is = is_text,
     .read = read_text,
     .open = open_text},
    {.name = "accelsim",
     .suffix = ".g",
     .about = "kernelslist.g with .traceg files; written into a directory",
     .makes_directory = true,
     .has_parts = true,
     .unrecorded = UNRECORDED_SYNCS,
     .is = is_accelsim,
     .read = read_accelsim,
     .open = open_accelsim},
    {.name = "nvbit",
     .suffix = ".nvbit",
     .about = "what NVBit's mem_trace prints",
     .unrecorded = UNRECORDED_BARRIERS " " UNRECORDED_SYNCS,
     .is = is_nvbit,
     .read = read_nvbit},
    {.name = "csv",
     .suffix = ".csv",
     .about = "a table, for other programs; --map names columns",
     .unrecorded = UNRECORDED_SYNCS,
     .is = is_csv,
     .read = read_csv,
     .open = open_csv},
};
const size_t trace_format_count = sizeof trace_formats / sizeof trace_formats[0];

const struct trace_format *trace_format_named(const char *name)
{
    for (size_t i = 0; i < trace_format_count; i++)
        if (strcmp(trace_formats[i].name, name) == 0)
            return &trace_formats[i];
    return NULL;
}

const struct trace_format *trace_format_of_path(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < trace_format_count; i++) {
        size_t tail = strlen(trace_formats[i].suffix);
        if (length > tail && strcmp(path + length - tail, trace_formats[i].suffix) == 0)
            return &trace_formats[i];
    }
    return NULL;
}

const struct trace_format *trace_format_of_head(const char *head, size_t bytes)
{
    for (size_t i = 0; i < trace_format_count; i++)
        if (trace_formats[i].is(head, bytes))
            return &trace_formats[i];
    return NULL;
}
