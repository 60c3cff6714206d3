/* output.c - a new file is written beside the old one and renamed over it when it is complete. Where that would
 * change more than the contents (a file of several names, or of another owner), or cannot be done (a directory
 * that is not ours to write), what is complete is copied onto the old file, whose room is taken first. What
 * is no regular file (a terminal, a pipe, /dev/full) is written directly, and so is what is in /dev: with
 * standard output in a file, /dev/stdout looks like one, and a file in the place of that link would be
 * everybody's. */
#define _GNU_SOURCE
#include "cli/commands/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "leftovers/leftovers.h"
#include "text/memory.h"

enum { LINKS_MAX = 40, COPY_BYTES = 1 << 16 };

static int io_error(const char *path, const char *what)
{
    if (errno != EPIPE || path) /* a reader of our output that has seen enough is no news */
        fprintf(stderr, "warplens: %s: %s: %s\n", path ? path : "standard output", what,
                strerror(errno));
    return EXIT_IO;
}

static bool is_direct(const char *path)
{
    struct stat status;
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

/* ---- Where a file is -------------------------------------------------------------------------- */

/* Where a link leads, seen from its directory; frees `path`. NULL with errno. */
static char *follow_link(char *path)
{
    char to[4096], *next = NULL;
    const char *slash = strrchr(path, '/');
    ssize_t bytes = readlink(path, to, sizeof to - 1);
    if (bytes >= 0) {
        to[bytes] = '\0';
        int before = to[0] == '/' || slash == NULL ? 0 : (int)(slash + 1 - path);
        if (asprintf(&next, "%.*s%s", before, path, to) < 0)
            next = NULL;
    }
    free(path);
    return next;
}

/* The file that a name stands for, which need not be there. NULL with errno. */
static char *find_target(const char *name)
{
    struct stat status;
    char *path = strdup(name);
    for (int i = 0; path && lstat(path, &status) == 0 && S_ISLNK(status.st_mode); i++) {
        path = follow_link(path);
        if (i == LINKS_MAX) {
            free(path);
            errno = ELOOP;
            return NULL;
        }
    }
    return path;
}

/* ---- What is written before it is complete ---------------------------------------------------- */

static void forget_paths(struct output *output)
{
    free(output->partial_path);
    free(output->target);
    output->partial_path = output->target = NULL;
}

static void drop_partial(struct output *output)
{
    if (output->partial_path)
        leftovers_remove(output->partial_path);
    forget_paths(output);
}

static mode_t mode_of_new_files(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask; /* as fopen would have made it */
}

/* A file beside the target with its mode and owner, or -1. */
static int make_partial(struct output *output, const struct stat *old)
{
    if (asprintf(&output->partial_path, "%s.XXXXXX", output->target) < 0) {
        output->partial_path = NULL;
        return -1;
    }
    int descriptor = leftovers_make_file(output->partial_path);
    if (descriptor < 0) {
        free(output->partial_path);
        output->partial_path = NULL;
        return -1;
    }
    struct stat made;
    bool alike = old == NULL || (fstat(descriptor, &made) == 0 &&
                                 ((made.st_uid == old->st_uid && made.st_gid == old->st_gid) ||
                                  fchown(descriptor, old->st_uid, old->st_gid) == 0));
    if (alike && fchmod(descriptor, old ? old->st_mode & 07777 : mode_of_new_files()) == 0)
        return descriptor;
    close(descriptor);
    leftovers_remove(output->partial_path);
    free(output->partial_path);
    output->partial_path = NULL;
    return -1;
}

/* Without a name: no signal leaves it. */
static FILE *open_copy(const char *target)
{
    int descriptor = open(target, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    close(descriptor);
    return tmpfile();
}

static FILE *open_regular(struct output *output)
{
    struct stat old;
    output->target = find_target(output->path);
    if (output->target == NULL)
        return NULL;
    const bool there = stat(output->target, &old) == 0;
    if (there && ((old.st_mode & 0222) == 0 || access(output->target, W_OK) != 0)) {
        errno = EACCES; /* root could write it, and was asked not to */
        return NULL;
    }
    int descriptor = there && old.st_nlink > 1 ? -1 : make_partial(output, there ? &old : NULL);
    if (descriptor < 0)
        return there ? open_copy(output->target) : NULL;
    return fdopen(descriptor, "w");
}

int output_open(struct output *output, const char *path)
{
    *output = (struct output){.stream = stdout, .path = path};
    if (path == NULL)
        return EXIT_OK;
    output->stream = is_direct(path) ? fopen(path, "w") : open_regular(output);
    if (output->stream == NULL) {
        int status_code = io_error(path, "cannot open");
        drop_partial(output);
        return status_code;
    }
    return EXIT_OK;
}

int output_try(const char *path)
{
    struct output output;
    if (path == NULL || is_direct(path))
        return EXIT_OK;
    int status = output_open(&output, path);
    if (status == EXIT_OK)
        output_discard(&output);
    return status;
}

/* ---- What is complete ------------------------------------------------------------------------- */

/* Some file systems have nothing to sync. */
static bool is_on_disk(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

static bool copy_bytes(int from, int to, off_t bytes)
{
    char buffer[COPY_BYTES];
    for (off_t at = 0; at < bytes;) {
        ssize_t got = pread(from, buffer, sizeof buffer, at);
        if (got <= 0 || pwrite(to, buffer, (size_t)got, at) != got)
            return false;
        at += got;
    }
    return true;
}

/* Copies a complete file onto the old one, after all of its room is there. */
static bool copy_over(int from, const char *target)
{
    struct stat made, old;
    int to = open(target, O_WRONLY | O_CLOEXEC);
    if (to < 0)
        return false;
    bool fine = fstat(from, &made) == 0 && fstat(to, &old) == 0;
    if (fine && made.st_size > old.st_size) {
        int error = posix_fallocate(to, old.st_size, made.st_size - old.st_size);
        fine = error == 0;
        if (error && ftruncate(to, old.st_size) == 0)
            errno = error;
    }
    fine = fine && copy_bytes(from, to, made.st_size) && ftruncate(to, made.st_size) == 0 &&
           is_on_disk(to);
    return close(to) == 0 && fine;
}

static bool put_in_place(struct output *output)
{
    int descriptor = fileno(output->stream);
    if (output->target == NULL)
        return true;
    if (output->partial_path == NULL)
        return copy_over(descriptor, output->target);
    return is_on_disk(descriptor) && rename(output->partial_path, output->target) == 0;
}

int output_close(struct output *output)
{
    if (!ferror(output->stream)) /* otherwise errno says why, still */
        errno = 0;
    bool failed = fflush(output->stream) != 0 || ferror(output->stream);
    if (!failed && memory_failures()) { /* something was left out */
        failed = true;
        errno = ENOMEM;
    }
    failed = failed || !put_in_place(output);
    int status = failed ? io_error(output->path, "cannot write") : EXIT_OK;
    if (failed)
        drop_partial(output);
    if (output->partial_path)
        leftovers_forget(output->partial_path);
    forget_paths(output);
    if (output->path && fclose(output->stream) != 0 && !failed)
        status = io_error(output->path, "cannot write");
    return status;
}

void output_discard(struct output *output)
{
    if (output->path)
        fclose(output->stream);
    drop_partial(output);
}
