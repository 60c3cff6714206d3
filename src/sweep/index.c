/* index.c - files are read twice, once for the index and once for the lines in order, so that memory
 * holds one line and 40 bytes a job. */
#define _GNU_SOURCE
#include "sweep/index.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "text/characters.h"
#include "text/memory.h"

__attribute__((format(printf, 3, 4))) static enum sweep_status
refuse(struct sweep_index *index, enum sweep_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(index->message, sizeof index->message, format, arguments);
    va_end(arguments);
    text_make_printable(index->message); /* a line's texts */
    return status;
}

static enum sweep_status start(struct sweep_index *index, struct sweep_line *line, const char *path)
{
    index->places = memory_take(line->head.jobs, sizeof *index->places);
    if (index->places == NULL)
        return refuse(index, SWEEP_BAD, "no memory for an index of %zu jobs", line->head.jobs);
    index->first = line->head;
    index->first_path = path;
    line->head.compiler = line->head.args = line->head.label = NULL; /* the index has them */
    return SWEEP_FINE;
}

/* Whether the line of a job says what the one says that is known; its job's place is free or filled. */
static enum sweep_status check_twin(struct sweep_index *index, const struct sweep_line *line,
                                    const char *path, size_t number)
{
    struct sweep_place place = index->places[line->head.job];
    struct sweep_line twin;
    struct sweep_index again = {.paths = index->paths, .places = index->places};
    enum sweep_status status = sweep_index_line(&again, line->head.job, &twin);
    if (status) {
        refuse(index, status, "%s", again.message);
    } else if (twin.runs_bytes != line->runs_bytes ||
               memcmp(twin.runs, line->runs, line->runs_bytes) != 0) {
        status = refuse(index, SWEEP_BAD,
                        "%s:%zu: job %zu (%s) stands in %s:%zu with other results: one of the two "
                        "was changed, or written by another build; remove the wrong one",
                        path, number, line->head.job, line->head.label,
                        index->paths[place.file - 1], place.line);
    }
    sweep_line_free(&twin);
    free(again.text);
    return status;
}

static enum sweep_status add_line(struct sweep_index *index, struct sweep_line *line,
                                  struct sweep_place place)
{
    const char *path = index->paths[place.file - 1];
    const struct sweep_head *head = &line->head;
    size_t job = head->job;
    bool failed = sweep_line_has_failure(line->runs, line->runs_bytes);
    if (index->places &&
        (strcmp(head->sweep, index->first.sweep) != 0 || head->jobs != index->first.jobs))
        return refuse(index, SWEEP_BAD,
                      "%s:%zu: a line of another sweep (%s: `warplens sweep %.300s`) than %s (%s: "
                      "`warplens sweep %.300s`): merge each by itself",
                      path, place.line, head->sweep, head->args, index->first_path,
                      index->first.sweep, index->first.args);
    if (index->places && index->places[job].file)
        return check_twin(index, line, path, place.line);
    enum sweep_status status = index->places ? SWEEP_FINE : start(index, line, path);
    if (status == SWEEP_FINE) {
        index->places[job] = place;
        index->failed_jobs += failed;
    }
    return status;
}

/* A line without a line break at its end was cut short, even where it looks whole. */
static enum sweep_status read_line(struct sweep_index *index, const char *text, size_t bytes,
                                   struct sweep_place place)
{
    char message[SWEEP_MESSAGE_BYTES];
    struct sweep_line line;
    bool whole = bytes && text[bytes - 1] == '\n';
    const char *path = index->paths[place.file - 1];
    place.bytes = bytes - whole;
    bool fine = sweep_line_read(&line, text, place.bytes, message);
    enum sweep_status status = SWEEP_FINE;
    if (!fine || !whole)
        status = refuse(index, SWEEP_BAD, "%s:%zu: %s", path, place.line,
                        fine ? "the line is torn: its line break is missing" : message);
    else
        status = add_line(index, &line, place);
    sweep_line_free(&line);
    return status;
}

static enum sweep_status read_file(struct sweep_index *index, size_t file)
{
    const char *path = index->paths[file - 1];
    struct stat info;
    FILE *in = fopen(path, "r");
    if (in == NULL || fstat(fileno(in), &info) != 0 || !S_ISREG(info.st_mode)) {
        int cause = in ? EINVAL : errno;
        if (in)
            fclose(in);
        return refuse(index, SWEEP_IO, "%s: cannot read: %s", path,
                      cause == EINVAL ? "it is no regular file" : strerror(cause));
    }
    enum sweep_status status = SWEEP_FINE;
    struct sweep_place place = {.file = file, .line = 1};
    ssize_t got;
    while (status == SWEEP_FINE && (got = getline(&index->text, &index->text_room, in)) > 0) {
        status = read_line(index, index->text, (size_t)got, place);
        place.offset += got;
        place.line++;
    }
    if (status == SWEEP_FINE && ferror(in))
        status = refuse(index, SWEEP_IO, "%s: cannot read: %s", path, strerror(errno));
    fclose(in);
    return status;
}

enum sweep_status sweep_index_read(struct sweep_index *index, const char *const *paths,
                                   size_t path_count)
{
    enum sweep_status status = SWEEP_FINE;
    *index = (struct sweep_index){.paths = paths, .path_count = path_count};
    for (size_t file = 1; file <= path_count && status == SWEEP_FINE; file++)
        status = read_file(index, file);
    if (status == SWEEP_FINE && index->places == NULL)
        status = refuse(index, SWEEP_BAD, "%s: no job of a sweep stands in %s", paths[0],
                        path_count > 1 ? "it and the other files" : "it");
    return status;
}

/* The first job of a shard that has a line, or that has none; `jobs` when there is no such job. */
static size_t job_of_shard(const struct sweep_index *index, size_t shard, bool missing)
{
    for (size_t job = shard - 1; job < index->first.jobs; job += index->first.shards)
        if ((index->places[job].file == 0) == missing)
            return job;
    return index->first.jobs;
}

/* The file that lacks jobs of a shard, when it has others of it. */
static const char *file_of_shard(const struct sweep_index *index, size_t shard)
{
    size_t job = job_of_shard(index, shard, false);
    return job < index->first.jobs ? index->paths[index->places[job].file - 1] : "FILE";
}

enum { SHARDS_LISTED = 20 };

/* How the shards that lack jobs are run, in one command of the shell. */
static void put_command(const struct sweep_index *index, FILE *out)
{
    size_t shards = index->first.shards, lacking[SHARDS_LISTED + 1], count = 0;
    for (size_t shard = 1; shard <= shards && count <= SHARDS_LISTED; shard++)
        if (job_of_shard(index, shard, true) < index->first.jobs)
            lacking[count++] = shard;
    if (count == 1) {
        fprintf(out, "warplens sweep %s", index->first.args);
        if (shards > 1)
            fprintf(out, " --shard %zu/%zu", lacking[0], shards);
        fprintf(out, " -o %s", file_of_shard(index, lacking[0]));
        return;
    }
    fputs("for i in", out);
    for (size_t i = 0; i < count; i++)
        if (i < SHARDS_LISTED)
            fprintf(out, " %zu", lacking[i]);
    fprintf(out, "%s; do warplens sweep %s --shard $i/%zu -o FILE-$i; done",
            count > SHARDS_LISTED ? " ..." : "", index->first.args, shards);
}

enum sweep_status sweep_index_check_complete(struct sweep_index *index)
{
    size_t missing = 0, bytes;
    char *text = NULL;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return refuse(index, SWEEP_BAD, "no memory for a message");
    for (size_t job = 0; job < index->first.jobs; job++)
        if (index->places[job].file == 0 && ++missing <= 10)
            fprintf(out, "%s%zu", missing > 1 ? ", " : "", job);
    fprintf(out, "%s (%zu of %zu); to run %s: `", missing > 10 ? ", ..." : "", missing,
            index->first.jobs, missing > 1 ? "them" : "it");
    put_command(index, out);
    fputc('`', out);
    if (fclose(out) != 0)
        return refuse(index, SWEEP_BAD, "no memory for a message");
    enum sweep_status status =
        missing ? refuse(index, SWEEP_BAD, "no line has job%s %.900s", missing > 1 ? "s" : "", text)
                : SWEEP_FINE;
    free(text);
    return status;
}

enum sweep_status sweep_index_line(struct sweep_index *index, size_t job, struct sweep_line *line)
{
    struct sweep_place place = index->places[job];
    const char *path = index->paths[place.file - 1];
    char message[SWEEP_MESSAGE_BYTES];
    FILE *in = fopen(path, "r");
    *line = (struct sweep_line){0};
    ssize_t got = -1;
    if (in && fseeko(in, place.offset, SEEK_SET) == 0)
        got = getline(&index->text, &index->text_room, in);
    if (in)
        fclose(in);
    if (got != (ssize_t)place.bytes + 1 ||
        !sweep_line_read(line, index->text, place.bytes, message) || line->head.job != job)
        return refuse(index, SWEEP_IO, "%s:%zu: cannot read the line a second time", path,
                      place.line);
    return SWEEP_FINE;
}

void sweep_index_free(struct sweep_index *index)
{
    free(index->first.compiler);
    free(index->first.args);
    free(index->first.label);
    free(index->places);
    free(index->text);
}
