/* workdir.c - the directory's files are known by name, so that a signal takes them along (leftovers/). What others
 * write into the scratch folder, which has no folders in it, has any names. */
#define _GNU_SOURCE
#include "cu/workdir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "leftovers/leftovers.h"
#include "text/memory.h"

enum { FILES_MAX = 256 };

static char *directory;
static char *scratch; /* a folder in it; NULL: none yet */
static char *files[FILES_MAX];
static int file_count;

/* A confined program begins in another directory than ours, so the path is a whole one. */
static char *template_path(void)
{
    const char *parent = getenv("TMPDIR");
    char *whole = realpath(parent && *parent ? parent : "/tmp", NULL);
    if (whole == NULL && errno == ENOMEM)
        memory_note_failure();
    char *path = whole ? memory_format("%s/warplens-XXXXXX", whole) : NULL;
    free(whole);
    return path;
}

bool workdir_open(void)
{
    if (directory) {
        errno = EBUSY;
        return false;
    }
    char *path = template_path();
    if (path == NULL)
        return false;
    if (!leftovers_make_directory(path)) {
        int error = errno;
        free(path);
        errno = error;
        return false;
    }
    directory = path;
    return true;
}

const char *workdir_file(const char *name)
{
    if (directory == NULL || file_count == FILES_MAX)
        return NULL;
    char *path = memory_format("%s/%s", directory, name);
    if (path == NULL)
        return NULL;
    if (!leftovers_add(path)) {
        free(path);
        return NULL;
    }
    files[file_count++] = path;
    return path;
}

const char *workdir_path(void)
{
    return directory;
}

const char *workdir_scratch(void)
{
    if (scratch) {
        leftovers_empty_folder(scratch);
        return scratch;
    }
    char *path = memory_format("%s/scratch", directory);
    if (path == NULL)
        return NULL;
    if (!leftovers_add_folder(path) || mkdir(path, 0700) != 0) {
        int error = errno;
        leftovers_forget(path);
        free(path);
        errno = error;
        return NULL;
    }
    scratch = path;
    return scratch;
}

void workdir_close(void)
{
    if (directory == NULL)
        return;
    while (file_count > 0) {
        leftovers_remove(files[--file_count]);
        free(files[file_count]);
    }
    if (scratch)
        leftovers_remove(scratch);
    free(scratch);
    scratch = NULL;
    leftovers_remove(directory);
    free(directory);
    directory = NULL;
}
