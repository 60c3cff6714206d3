/* output.c - a new file is written beside the old one and renamed over it when it is complete. What
 * is no regular file (a terminal, a pipe, /dev/full) is written directly, and so is what is in /dev: with
 * standard output in a file, /dev/stdout looks like one, and a file in the place of that link would be
 * everybody's. */
#define _GNU_SOURCE
#include "cli/commands/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "text/memory.h"

static int io_error(const char *path, const char *what)
{
    if (errno != EPIPE || path) /* a reader of our output that has seen enough is no news */
        fprintf(stderr, "warplens: %s: %s: %s\n", path ? path : "standard output", what,
                strerror(errno));
    return EXIT_IO;
}

static void drop_partial(struct output *output)
{
    if (output->partial_path)
        unlink(output->partial_path);
    free(output->partial_path);
    output->partial_path = NULL;
}

static FILE *open_partial(struct output *output)
{
    if (asprintf(&output->partial_path, "%s.XXXXXX", output->path) < 0) {
        output->partial_path = NULL;
        return NULL;
    }
    int descriptor = mkstemp(output->partial_path);
    if (descriptor < 0) {
        free(output->partial_path);
        output->partial_path = NULL;
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask); /* as fopen would have made it */
    return fdopen(descriptor, "w");
}

static bool is_direct(const char *path)
{
    struct stat status;
    return strncmp(path, "/dev/", 5) == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

int output_open(struct output *output, const char *path)
{
    *output = (struct output){.stream = stdout, .path = path};
    if (path == NULL)
        return EXIT_OK;
    output->stream = is_direct(path) ? fopen(path, "w") : open_partial(output);
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

int output_close(struct output *output)
{
    if (!ferror(output->stream)) /* otherwise errno says why, still */
        errno = 0;
    bool failed = fflush(output->stream) != 0 || ferror(output->stream);
    if (!failed && memory_failures()) { /* something was left out */
        failed = true;
        errno = ENOMEM;
    }
    if (output->path)
        failed = fclose(output->stream) != 0 || failed;
    if (!failed && output->partial_path)
        failed = rename(output->partial_path, output->path) != 0;
    int status = failed ? io_error(output->path, "cannot write") : EXIT_OK;
    if (failed)
        drop_partial(output);
    free(output->partial_path);
    output->partial_path = NULL;
    return status;
}

void output_discard(struct output *output)
{
    if (output->path)
        fclose(output->stream);
    drop_partial(output);
}
