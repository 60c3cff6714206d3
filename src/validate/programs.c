/* programs.c - what the command line names comes first, then the folder of the file that names the program, then the
 * working folder. A file of measurements comes from anywhere, and what it names is run: so a name leads nowhere out of
 * these folders. */
#define _GNU_SOURCE
#include "validate/programs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/memory.h"

static bool is_within(const char *name)
{
    if (*name == '/')
        return false;
    for (const char *at = name; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strcspn(at, "/") == 2 && strncmp(at, "..", 2) == 0)
            return false;
    }
    return true;
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool are_within(const char *names)
{
    char *copy = memory_copy(names), *rest = copy;
    bool are = copy != NULL;
    for (char *word; are && (word = strsep(&rest, " ")) != NULL;)
        are = is_within(word);
    free(copy);
    return are;
}

/* Whether a path is of that name, or of that name in some folder. */
static bool ends_with_name(const char *path, const char *name)
{
    size_t length = strlen(path), behind = strlen(name);
    return length >= behind && strcmp(path + length - behind, name) == 0 &&
           (length == behind || path[length - behind - 1] == '/');
}

/* The path when such a file is there; frees it when not. */
static bool take_path(struct model_run *run, char *path)
{
    if (path && access(path, R_OK) == 0 && !is_folder(path)) {
        run->path = path;
        return true;
    }
    free(path);
    return false;
}

static bool find_in_place(const char *place, const char *name, struct model_run *run)
{
    if (is_folder(place))
        return take_path(run, memory_format("%s/%s", place, name));
    return ends_with_name(place, name) && take_path(run, memory_copy(place));
}

bool program_find(const struct validation *v, const struct measured_launch *launch,
                  struct model_run *run)
{
    const char *file = v->measured->files[launch->file].path, *slash = strrchr(file, '/');
    if (!is_within(launch->program) || !are_within(launch->with)) {
        run->error = memory_copy("a file of measurements names programs by paths within a folder, "
                                 "without .. and / at the begin");
        return run->error != NULL;
    }
    for (size_t i = 0; i < v->place_count; i++)
        if (find_in_place(v->places[i], launch->program, run))
            return true;
    if (slash &&
        take_path(run, memory_format("%.*s/%s", (int)(slash - file), file, launch->program)))
        return true;
    if (take_path(run, memory_copy(launch->program)))
        return true;
    run->error =
        memory_copy("there is no such file beside the measurements, in the working folder, "
                    "or in what the command line names");
    return run->error != NULL;
}
