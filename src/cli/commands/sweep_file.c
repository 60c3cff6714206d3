/* sweep_file.c - lines are written in the order of the jobs, so that what a killed process leaves is a
 * beginning of the whole. A file is never cleared: one that holds anything else is refused. */
#define _GNU_SOURCE
#include "cli/commands/sweep_file.h"
#include "text/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int io_error(const struct sweep_file *file, const char *what)
{
    const char *path = file->path ? file->path : "standard output";
    if (errno != EPIPE || file->path)
        fprintf(stderr, "warplens: %s: %s: %s\n", path, what, strerror(errno));
    return EXIT_IO;
}

/* Why a line is not that of the k-th job. */
static int refuse_line(const struct sweep_file *file, const struct sweep_plan *plan,
                       const char *text, size_t bytes)
{
    const char *command = plan->options->command;
    char message[SWEEP_MESSAGE_BYTES];
    struct sweep_line line;
    size_t number = file->done + 1;
    if (!sweep_line_read(&line, text, bytes, message))
        return usage_error(command, "%s:%zu: %s; -o takes a new file, or one of this sweep",
                           file->path, number, message);
    const struct sweep_head *head = &line.head;
    if (strcmp(head->sweep, plan->head.sweep) != 0)
        usage_error(command,
                    "%s:%zu: a line of another sweep (`warplens sweep %s`); -o takes a new "
                    "file, or one of this sweep",
                    file->path, number, head->args);
    else if (head->shard != plan->head.shard || head->shards != plan->head.shards)
        usage_error(command,
                    "%s:%zu: a line of shard %zu/%zu, not %zu/%zu: each shard needs a file "
                    "of its own",
                    file->path, number, head->shard, head->shards, plan->head.shard,
                    plan->head.shards);
    else
        usage_error(command,
                    "%s:%zu: job %zu stands where another one is expected: a file has the "
                    "lines in the order of the jobs, each once",
                    file->path, number, head->job);
    sweep_line_free(&line);
    return EXIT_USAGE;
}

/* What the line of the k-th job begins with; NULL when there is no such job, or no memory. */
static char *expected_head(const struct sweep_plan *plan, size_t k, size_t *bytes)
{
    struct job job;
    char *text = NULL;
    FILE *out = k < plan->count ? memory_stream(&text, bytes) : NULL;
    if (out == NULL)
        return NULL;
    struct sweep_head head = sweep_plan_head(plan, k, &job);
    sweep_head_put(&head, out);
    return fclose(out) == 0 ? text : NULL;
}

/* Whether this is the next job's line, or the beginning of it and nothing else (`torn`). */
static bool is_next_line(const struct sweep_file *file, const struct sweep_plan *plan,
                         const char *text, size_t bytes, bool *torn)
{
    size_t head_bytes = 0;
    char message[SWEEP_MESSAGE_BYTES], *head = expected_head(plan, file->done, &head_bytes);
    struct sweep_line line;
    *torn = text[bytes - 1] != '\n';
    size_t common = bytes < head_bytes ? bytes : head_bytes;
    bool fine = head && memcmp(head, text, common) == 0;
    free(head);
    if (!fine || *torn)
        return fine;
    fine = sweep_line_read(&line, text, bytes - 1, message);
    sweep_line_free(&line);
    return fine;
}

/* Passes over the lines that are there; `end` is where the next one goes. */
static int read_lines(struct sweep_file *file, const struct sweep_plan *plan, off_t *end)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t got;
    bool torn = false;
    int status = EXIT_OK;
    *end = 0;
    while (status == EXIT_OK && (got = getline(&text, &room, file->stream)) > 0) {
        if (!is_next_line(file, plan, text, (size_t)got, &torn)) {
            status = refuse_line(file, plan, text, (size_t)got - !torn);
        } else if (!torn) {
            file->failed_jobs += sweep_line_has_failure(text, (size_t)got);
            file->done++;
            *end += got;
        }
    }
    if (status == EXIT_OK && ferror(file->stream))
        status = io_error(file, "cannot read");
    free(text);
    return status;
}

/* Two processes with one file would mix their lines. A file system without locks is trusted. */
static bool is_locked_by_another(int descriptor)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN);
}

static int open_regular(struct sweep_file *file, const struct sweep_plan *plan)
{
    off_t end;
    int descriptor = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0 || (file->stream = fdopen(descriptor, "r+")) == NULL) {
        int status = io_error(file, "cannot open");
        if (descriptor >= 0)
            close(descriptor);
        return status;
    }
    if (is_locked_by_another(descriptor))
        return usage_error(plan->options->command,
                           "%s: another process writes to it: each shard "
                           "needs a file of its own",
                           file->path);
    int status = read_lines(file, plan, &end);
    if (status)
        return status;
    if (fseeko(file->stream, end, SEEK_SET) != 0 || ftruncate(descriptor, end) != 0)
        return io_error(file, "cannot write");
    return EXIT_OK;
}

int sweep_file_open(struct sweep_file *file, const struct sweep_plan *plan)
{
    struct stat info;
    *file = (struct sweep_file){.path = plan->options->output};
    int status = EXIT_OK;
    if (file->path == NULL)
        file->stream = stdout;
    else if (stat(file->path, &info) != 0 || S_ISREG(info.st_mode))
        status = open_regular(file, plan);
    else if ((file->stream = fopen(file->path, "w")) == NULL)
        status = io_error(file, "cannot open");
    if (status && file->stream) {
        fclose(file->stream);
        file->stream = NULL;
    }
    return status;
}

bool sweep_file_add(struct sweep_file *file, const char *line, size_t bytes)
{
    return fwrite(line, 1, bytes, file->stream) == bytes && fflush(file->stream) == 0;
}

int sweep_file_close(struct sweep_file *file)
{
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);
    if (file->path)
        failed = fclose(file->stream) != 0 || failed;
    return failed ? io_error(file, "cannot write") : EXIT_OK;
}
