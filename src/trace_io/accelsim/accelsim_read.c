/* accelsim_read.c - the list of kernels and copies.
 *
 * Decisions. As in Accel-Sim's reader a line that is neither a copy to the device nor a kernel is
 * passed over. Allocations, which some tracers list, tell of arrays as copies do. A kernel's file is a
 * name in the list's directory, nothing else.
 */
#include "trace_io/accelsim/accelsim_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace_io/accelsim/accelsim_kernel.h"
#include "trace_io/fields.h"
#include "trace_io/xz_open.h"
#include "text/memory.h"

enum { PATH_BYTES = 4096 };

struct list {
    struct trace_input *input;
    const char *directory;
    struct record_sort sort;
    struct site_hashes sites;
    struct copied_arrays arrays;
    struct accelsim_kernel kernel;
    struct trace_input file; /* a kernel's */
    char path[PATH_BYTES];
    uint32_t kernel_count;
};

/* "0x<address>,<bytes>" */
static bool add_array(struct list *list, char *text)
{
    uint64_t base, bytes;
    char *comma = strchr(text, ',');
    if (comma == NULL)
        return input_fail(list->input, "a copy or an allocation without address and size");
    *comma = '\0';
    if (!field_hex(text, &base) || !field_u64(comma + 1, &bytes) || base + bytes < base)
        return input_fail(list->input, "\"%.60s,%.60s\" is no address and size of an array", text,
                          comma + 1);
    return bytes == 0 || copied_arrays_add(&list->arrays, base, bytes) ||
           input_fail(list->input, "more than %d arrays", COPIED_ARRAYS_MAX);
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The message about the kernel's file becomes the list's. */
static bool pass_on(struct list *list)
{
    if (list->file.failed && !list->input->failed) {
        list->input->failed = true;
        memcpy(list->input->message, list->file.message, sizeof list->input->message);
    }
    return false;
}

static bool read_stream(struct list *list, FILE *stream)
{
    input_start(&list->file, stream, list->path);
    list->kernel.input = &list->file;
    list->kernel_count++;
    return accelsim_kernel_read(&list->kernel) || pass_on(list);
}

static bool read_plain(struct list *list)
{
    FILE *stream = memory_open_file(list->path, "r");
    if (stream == NULL)
        return input_fail(list->input, "%s cannot be read: %s", list->path, strerror(errno));
    bool good = read_stream(list, stream);
    fclose(stream);
    return good;
}

static bool read_xz(struct list *list)
{
    struct xz_file file;
    const char *error = xz_open(&file, list->path);
    if (error)
        return input_fail(list->input, "%s cannot be read: %s", list->path, error);
    bool good = read_stream(list, file.stream), at_end = feof(file.stream) != 0;
    if (!xz_close(&file) && at_end) {
        list->input->failed = false; /* what the damaged file seemed to lack is no news */
        return input_fail(list->input, "%s is damaged: xz cannot decompress it", list->path);
    }
    return good;
}

static bool read_kernel(struct list *list, const char *name)
{
    if (strchr(name, '/'))
        return input_fail(list->input, "\"%.60s\": a file in the list's directory is expected",
                          name);
    int length = snprintf(list->path, sizeof list->path, "%s/%s", list->directory, name);
    if (length < 0 || (size_t)length >= sizeof list->path)
        return input_fail(list->input, "the path of %.60s is too long", name);
    if (ends_with(name, ".traceg.xz"))
        return read_xz(list);
    if (ends_with(name, ".traceg"))
        return read_plain(list);
    return input_fail(list->input,
                      "%.60s: .traceg and .traceg.xz are read. Raw traces (.trace) become those by "
                      "the tracer's post-traces-processing, which writes a kernelslist.g as well",
                      name);
}

static bool read_command(struct list *list, char *text)
{
    char *rest;
    field_trim(text);
    if ((rest = field_after(text, "MemcpyHtoD,")) != NULL ||
        (rest = field_after(text, "cudaMalloc,")) != NULL)
        return add_array(list, rest);
    return field_after(text, "kernel") == NULL || read_kernel(list, text);
}

static bool read_list(struct list *list)
{
    for (char *text = input_line(list->input); text; text = input_line(list->input))
        if (!read_command(list, text))
            return false;
    if (list->kernel_count == 0)
        input_fail(list->input, "no kernel in the list: is this a kernelslist.g?");
    return !list->input->failed;
}

/* A single kernel's file begins with its header. */
static bool is_kernel(struct trace_input *input)
{
    const char *at;
    size_t count = input_peek(input, &at, 4096);
    while (count && strchr(" \t\r\n", *at))
        at++, count--;
    return count && (*at == '-' || *at == '#');
}

static bool is_xz(struct trace_input *input)
{
    const char *at;
    return input_peek(input, &at, 5) == 5 && memcmp(at,
                                                    "\xfd"
                                                    "7zXZ",
                                                    5) == 0;
}

static bool give_notes(const struct trace_sink *sink)
{
    return sink->note == NULL || sink->note(sink->context, "trace", "Accel-Sim traceg");
}

static bool read_all(struct list *list)
{
    if (is_xz(list->input))
        return input_fail(list->input,
                          "compressed: name the kernelslist.g, or decompress it with xz -d first");
    if (!give_notes(list->kernel.sink))
        return false;
    if (!is_kernel(list->input))
        return read_list(list);
    list->kernel.input = list->input;
    return accelsim_kernel_read(&list->kernel);
}

const char *accelsim_trace_read(struct trace_input *input, const char *directory,
                                const struct trace_sink *sink)
{
    struct list *list = memory_take(1, sizeof *list);
    if (list && record_sort_start(&list->sort, SORT_BYTES) && site_hashes_start(&list->sites) &&
        copied_arrays_start(&list->arrays)) {
        list->input = input;
        list->directory = directory;
        list->kernel.sink = sink;
        list->kernel.sort = &list->sort;
        list->kernel.sites = &list->sites;
        list->kernel.arrays = &list->arrays;
        read_all(list);
    } else {
        input_fail(input, "no memory to read the trace");
    }
    if (list) {
        record_sort_free(&list->sort);
        site_hashes_free(&list->sites);
        copied_arrays_free(&list->arrays);
    }
    free(list);
    return input->failed ? input->message : NULL;
}
