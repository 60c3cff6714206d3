/* accelsim_write.c - files and blocks.
 *
 * A stream's warps take turns from barrier to barrier, a .traceg has each warp whole, with the number of
 * its lines in front: a block's records are sorted by warp (record_sort.h) and written when the
 * block ends. How much shared memory a block uses is known at a launch's end: it is put into the header
 * then.
 */
#define _POSIX_C_SOURCE 200809L
#include "trace_io/accelsim/accelsim_write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/launch_size.h"
#include "trace_io/accelsim/accelsim_text.h"
#include "trace_io/record_sort.h"
#include "text/memory.h"

enum { WARPS_MAX = 32 };

struct known_array {
    uint64_t base, bytes;
};

struct accelsim_writer {
    char *directory;
    struct accelsim_options options;
    FILE *list, *kernel;
    long shared_at; /* in `kernel`: the header's bytes of shared memory */
    uint32_t kernel_count, threads;
    uint32_t grid[3];
    struct record_sort sort;
    struct known_array *arrays; /* of the launch before */
    size_t array_count;
    uint32_t *site_lines, site_count, site_room;
    uint64_t line_counts[WARPS_MAX]; /* of the block's warps */
    uint32_t alive[WARPS_MAX];
    char message[512];
    bool failed, is_whole, made_directory;
};

static bool fail(struct accelsim_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct accelsim_writer *writer, const char *format, ...)
{
    va_list arguments;
    if (writer->failed)
        return false;
    writer->failed = true;
    va_start(arguments, format);
    vsnprintf(writer->message, sizeof writer->message, format, arguments);
    va_end(arguments);
    return false;
}

/* To be freed; NULL, after a failure, without memory. */
static char *path_of(struct accelsim_writer *writer, const char *name)
{
    const size_t room = strlen(writer->directory) + strlen(name) + 2;
    char *path = memory_take(1, room);
    if (path == NULL)
        fail(writer, "no memory for a path");
    else
        snprintf(path, room, "%s/%s", writer->directory, name);
    return path;
}

static FILE *open_file(struct accelsim_writer *writer, const char *name)
{
    char *path = path_of(writer, name);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && file == NULL)
        fail(writer, "%s cannot be written: %s", path, strerror(errno));
    free(path);
    return file;
}

static bool close_file(struct accelsim_writer *writer, FILE **file, const char *what)
{
    bool good = *file == NULL || !ferror(*file);
    if (*file && fclose(*file) != 0)
        good = false;
    *file = NULL;
    return good || fail(writer, "%s/%s cannot be written: %s", writer->directory, what,
                        strerror(errno ? errno : EIO));
}

/* ---- Launches -------------------------------------------------------------------------------- */

static bool is_known(const struct accelsim_writer *writer, const struct trace_array *array)
{
    for (size_t i = 0; i < writer->array_count; i++)
        if (writer->arrays[i].base == array->base && writer->arrays[i].bytes == array->bytes)
            return true;
    return false;
}

/* Copies to the device tell Accel-Sim, and the reader here, of arrays. */
static bool list_arrays(struct accelsim_writer *writer, const struct launch_info *launch)
{
    struct known_array *arrays = memory_take(launch->array_count + 1, sizeof *arrays);
    if (arrays == NULL)
        return fail(writer, "no memory for %zu arrays", launch->array_count);
    for (size_t i = 0; i < launch->array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        arrays[i] = (struct known_array){array->base, array->bytes};
        if (!is_known(writer, array))
            fprintf(writer->list, "MemcpyHtoD,0x%016" PRIx64 ",%" PRIu64 "\n", array->base,
                    array->bytes);
    }
    free(writer->arrays);
    writer->arrays = arrays;
    writer->array_count = launch->array_count;
    return true;
}

static void block_start(struct accelsim_writer *writer)
{
    for (uint32_t w = 0; w < WARPS_MAX; w++) {
        writer->line_counts[w] = 0;
        writer->alive[w] = warp_lanes(writer->threads, w);
    }
    record_sort_clear(&writer->sort);
}

static bool launch_begin(void *context, const struct launch_info *launch)
{
    struct accelsim_writer *writer = context;
    char name[32];
    if (writer->failed || !list_arrays(writer, launch))
        return false;
    snprintf(name, sizeof name, "kernel-%" PRIu32 ".traceg", ++writer->kernel_count);
    writer->kernel = open_file(writer, name);
    if (writer->kernel == NULL)
        return false;
    memcpy(writer->grid, launch->grid, sizeof writer->grid);
    writer->threads = launch_threads(launch);
    if (writer->threads == 0 || writer->threads > WARPS_MAX * WARP_LANES)
        return fail(writer, "a block of %" PRIu32 " threads: 1 to 1024 are possible",
                    writer->threads);
    writer->shared_at = accelsim_text_header(writer->kernel, launch, writer->kernel_count,
                                             !writer->options.no_lines);
    block_start(writer);
    return true;
}

static bool launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct accelsim_writer *writer = context;
    char name[32];
    snprintf(name, sizeof name, "kernel-%" PRIu32 ".traceg", writer->kernel_count);
    if (writer->failed || writer->kernel == NULL)
        return false;
    if (writer->shared_at < 0 || fseek(writer->kernel, writer->shared_at, SEEK_SET) != 0)
        return fail(writer, "%s/%s: not a file that can be written twice", writer->directory, name);
    accelsim_text_shared(writer->kernel, shared_bytes_per_block);
    fprintf(writer->list, "%s\n", name);
    return close_file(writer, &writer->kernel, name);
}

/* A launch that does not end is no kernel of the list; its file is taken away. */
static bool take_fault(void *context, const struct trace_fault *fault)
{
    struct accelsim_writer *writer = context;
    char name[32];
    if (!fault->stops || writer->kernel == NULL)
        return !writer->failed;
    fclose(writer->kernel);
    writer->kernel = NULL;
    snprintf(name, sizeof name, "kernel-%" PRIu32 ".traceg", writer->kernel_count);
    char *path = path_of(writer, name);
    if (path == NULL)
        return false;
    remove(path);
    free(path);
    writer->kernel_count--;
    return true;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool add_record(struct accelsim_writer *writer, const struct trace_record *record,
                       const void *packed, size_t bytes)
{
    bool fillers = !writer->options.no_fillers;
    if (record->warp >= WARPS_MAX || record->warp * WARP_LANES >= writer->threads)
        return fail(writer, "warp %" PRIu32 " of a block of %" PRIu32 " threads", record->warp,
                    writer->threads);
    if (record->active & ~writer->alive[record->warp])
        return fail(writer, "an access by a lane that is not in its block, or has ended");
    writer->line_counts[record->warp] +=
        accelsim_text_count(record, fillers, &writer->alive[record->warp]);
    if (writer->line_counts[record->warp] > INT32_MAX)
        return fail(writer, "a warp of more than 2147483647 instructions, which Accel-Sim cannot "
                            "read");
    return record_sort_add(&writer->sort, record->warp, packed, bytes) ||
           fail(writer, "%s", writer->sort.error);
}

static bool take_access(void *context, const struct warp_access *access)
{
    struct accelsim_writer *writer = context;
    const char *error = writer->failed ? "" : accelsim_text_check(access);
    uint8_t packed[TRACE_RECORD_BYTES];
    struct lane_row row = {.active = access->active};
    struct trace_record record = {.kind = RECORD_ACCESS,
                                  .resident = access->resident,
                                  .block = access->block,
                                  .warp = access->warp,
                                  .site = access->site,
                                  .work = access->work,
                                  .loads_left = access->loads_left,
                                  .width = access->width,
                                  .op = access->op,
                                  .space = access->space,
                                  .flags = access->flags};
    if (error)
        return fail(writer, "Accel-Sim's traces cannot hold this access: %s", error);
    for (uint32_t left = access->active; left; left &= left - 1)
        row.addr[__builtin_ctz(left)] = access_addr(access, (unsigned)__builtin_ctz(left));
    size_t bytes = record_pack(&record, &row, packed);
    return add_record(writer, &record, packed, bytes);
}

static void write_warp_head(struct accelsim_writer *writer, uint32_t warp)
{
    fprintf(writer->kernel, "\nwarp = %" PRIu32 "\ninsts = %" PRIu64 "\n", warp,
            writer->line_counts[warp]);
}

static bool write_block(struct accelsim_writer *writer, uint64_t block)
{
    struct accelsim_text text = {.file = writer->kernel,
                                 .fillers = !writer->options.no_fillers,
                                 .lines = !writer->options.no_lines,
                                 .site_lines = writer->site_lines,
                                 .site_count = writer->site_count};
    uint8_t packed[RECORD_BYTES_MAX];
    uint64_t key, warp = UINT64_MAX, plane = (uint64_t)writer->grid[0] * writer->grid[1];
    size_t bytes;
    fprintf(writer->kernel, "\n#BEGIN_TB\n\nthread block = %" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
            block % writer->grid[0], block % plane / writer->grid[0], block / plane);
    bool good = record_sort_read(&writer->sort);
    while (good && record_sort_next(&writer->sort, &key, packed, &bytes)) {
        struct trace_record record = record_head(packed);
        if (key != warp) {
            warp = key;
            text.alive = warp_lanes(writer->threads, (uint32_t)warp);
            text.loads = 0;
            write_warp_head(writer, (uint32_t)warp);
        }
        struct lane_row row = record_row(&record, packed);
        accelsim_text_write(&text, &record, &row);
    }
    fputs("\n#END_TB\n", writer->kernel);
    if (writer->sort.error)
        return fail(writer, "%s", writer->sort.error);
    block_start(writer);
    return !ferror(writer->kernel) ||
           fail(writer, "%s/kernel-%" PRIu32 ".traceg cannot be written: %s", writer->directory,
                writer->kernel_count, strerror(errno ? errno : EIO));
}

static bool take_event(void *context, const struct trace_event *event)
{
    struct accelsim_writer *writer = context;
    if (writer->failed)
        return false;
    if (event->kind == TRACE_BLOCK_END)
        return write_block(writer, event->block);
    struct trace_record record = {.kind = event->kind == TRACE_BARRIER ? RECORD_BARRIER
                                                                       : RECORD_WARP_END,
                                  .block = event->block,
                                  .warp = event->warp,
                                  .work = event->work};
    return add_record(writer, &record, &record, sizeof record);
}

static bool take_copy(void *context, const struct trace_copy *copy)
{
    (void)copy;
    return fail(
        context,
        "an asynchronous copy (cp.async) or bulk copy, or a barrier in shared memory or of a "
        "cluster: a trace for Accel-Sim that is written here cannot hold it; a text trace and a "
        "binary one can");
}

static bool take_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct accelsim_writer *writer = context;
    if (number >= writer->site_room) {
        uint32_t room = number < 512 ? 1024 : 2 * number;
        uint32_t *grown = memory_grow(writer->site_lines, room * sizeof *grown);
        if (grown == NULL)
            return fail(writer, "no memory for %" PRIu32 " sites", room);
        memset(grown + writer->site_room, 0, (room - writer->site_room) * sizeof *grown);
        writer->site_lines = grown;
        writer->site_room = room;
    }
    writer->site_lines[number] = site->line;
    writer->site_count = number + 1;
    return !writer->failed;
}

static bool take_note(void *context, const char *key, const char *value)
{
    (void)key;
    (void)value;
    return !((const struct accelsim_writer *)context)->failed;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

struct accelsim_writer *accelsim_writer_new(const char *directory, struct accelsim_options options)
{
    struct accelsim_writer *writer = memory_take(1, sizeof *writer);
    if (writer == NULL)
        return NULL;
    writer->directory = memory_copy(directory);
    writer->options = options;
    if (writer->directory == NULL || !record_sort_start(&writer->sort, SORT_BYTES)) {
        accelsim_writer_free(writer);
        return NULL;
    }
    writer->made_directory = mkdir(directory, 0777) == 0;
    if (!writer->made_directory && errno != EEXIST)
        fail(writer, "the directory %s cannot be made: %s", directory, strerror(errno));
    else
        writer->list = open_file(writer, "kernelslist.g");
    return writer;
}

struct trace_sink accelsim_writer_sink(struct accelsim_writer *writer)
{
    return (struct trace_sink){.context = writer,
                               .note = take_note,
                               .site = take_site,
                               .launch_begin = launch_begin,
                               .access = take_access,
                               .event = take_event,
                               .copy = take_copy,
                               .fault = take_fault,
                               .launch_end = launch_end};
}

const char *accelsim_writer_end(struct accelsim_writer *writer)
{
    close_file(writer, &writer->kernel, "a kernel");
    close_file(writer, &writer->list, "kernelslist.g");
    writer->is_whole = !writer->failed;
    return writer->failed ? writer->message : NULL;
}

static void remove_file(const struct accelsim_writer *writer, const char *name)
{
    const int directory = open(writer->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        unlinkat(directory, name, 0);
        close(directory);
    }
}

/* A part of a trace is none. */
static void remove_all(const struct accelsim_writer *writer)
{
    char name[32];
    for (uint32_t k = 1; k <= writer->kernel_count; k++) {
        snprintf(name, sizeof name, "kernel-%" PRIu32 ".traceg", k);
        remove_file(writer, name);
    }
    remove_file(writer, "kernelslist.g");
    if (writer->made_directory)
        rmdir(writer->directory);
}

void accelsim_writer_free(struct accelsim_writer *writer)
{
    if (writer->list)
        fclose(writer->list);
    if (writer->kernel)
        fclose(writer->kernel);
    if (!writer->is_whole && writer->directory)
        remove_all(writer);
    record_sort_free(&writer->sort);
    free(writer->directory);
    free(writer->arrays);
    free(writer->site_lines);
    free(writer);
}
