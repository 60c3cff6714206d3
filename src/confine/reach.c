/* reach.c - decisions. Everything is refused but for system.def, the executable, what the job and the user name, and
 * the folder to write in, which is flat: no folders, links, pipes or sockets are made there. A program removes nothing
 * there, for a file without a name, which is open or mapped, would take disk that nobody sees (watch.c). A rule holds
 * for a file or folder that was opened when the process began, whatever its name means later; and a symbolic link is
 * what it leads to, so none leads out.
 */
#define _GNU_SOURCE
#include "confine/reach.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/numbers.h"

enum {
    COMPILER = CONFINE_COMPILER,
    PROGRAM = CONFINE_PROGRAM,
    BOTH = COMPILER | PROGRAM,
    READS = MAY_READ | MAY_LIST,
    WRITES = READS | MAY_WRITE | MAY_TRUNCATE | MAY_MAKE_FILE,
    OF_FILES = MAY_READ | MAY_WRITE | MAY_EXECUTE | MAY_TRUNCATE, /* the others are of folders */
};

static const struct system_file {
    const char *path;
    int who;
    uint64_t rights;
} system_files[] = {
#define SYSTEM(path, who, rights) {path, who, rights},
#include "confine/system.def"
#undef SYSTEM
};

static uint64_t known_rights(int version)
{
    return version >= 5   ? RIGHTS_V5
           : version >= 3 ? RIGHTS_V3
           : version == 2 ? RIGHTS_V2
                          : RIGHTS_V1;
}

int reach_version(void)
{
    long version = syscall(NR_landlock_create_ruleset, NULL, 0, LANDLOCK_ASK_VERSION);
    return version > 0 ? (int)version : 0;
}

static int make_rules(int version)
{
    const struct landlock_ruleset refused = {.files = known_rights(version),
                                             .net = version >= 4 ? NET_V4 : 0,
                                             .scoped = version >= 6 ? SCOPED_V6 : 0};
    return (int)syscall(NR_landlock_create_ruleset, &refused, sizeof refused, 0);
}

/* False with errno set. */
static bool allow(int rules, const char *path, uint64_t rights)
{
    struct stat info = {0};
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool fine = fstat(fd, &info) == 0;
    rights &= known_rights(reach_version()) & (S_ISDIR(info.st_mode) ? UINT64_MAX : OF_FILES);
    const struct landlock_path_rule rule = {.allowed = rights, .parent_fd = fd};
    fine = fine && syscall(NR_landlock_add_rule, rules, LANDLOCK_PATH_RULE, &rule, 0) == 0;
    int error = errno;
    close(fd);
    errno = error;
    return fine;
}

/* A compiler that somebody has installed for himself: PREFIX of PREFIX/bin/g++ or PREFIX/bin/nvcc, if compilers' parts lie there, with all
 * in it. */
static bool allow_prefix(int rules, const char *compiler)
{
    static const char *const parts[] = {"lib/gcc", "lib64/gcc", "lib/clang", "libexec/gcc", "nvvm"};
    char real[PATH_MAX], part[PATH_MAX + 16];
    if (realpath(compiler, real) == NULL)
        return false;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(real, '/');
        if (slash)
            *slash = '\0';
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(part, sizeof part, "%s/%s", real, parts[i]);
        if (*real && strcmp(real, "/usr") != 0 && access(part, F_OK) == 0)
            return allow(rules, real, READS | MAY_EXECUTE);
    }
    return true;
}

static bool allow_system(int rules, const struct confine_job *job)
{
    for (size_t i = 0; i < sizeof system_files / sizeof system_files[0]; i++) {
        const struct system_file *file = &system_files[i];
        if ((file->who & (int)job->role) && !allow(rules, file->path, file->rights) &&
            errno != ENOENT)
            return false;
    }
    return true;
}

/* NULL, or the path that could not be allowed, with errno set. */
static const char *allow_job(int rules, const struct confine_job *job)
{
    if (!allow_system(rules, job))
        return "the system's files";
    if (!allow(rules, job->path, MAY_READ | MAY_EXECUTE) ||
        (job->role == CONFINE_COMPILER && !allow_prefix(rules, job->path)))
        return job->path;
    if (!allow(rules, job->folder,
               WRITES | (job->role == CONFINE_COMPILER ? (uint64_t)MAY_REMOVE_FILE : 0)))
        return job->folder;
    for (const char *const *path = job->reads; path && *path; path++)
        if (!allow(rules, *path, READS) && errno != ENOENT)
            return *path;
    for (size_t i = 0; i < job->how->read_count; i++)
        if (!allow(rules, job->how->reads[i], READS))
            return job->how->reads[i];
    return NULL;
}

int reach_make(const struct confine_job *job, char error[CONFINE_ERROR_BYTES])
{
    int rules = make_rules(reach_version());
    const char *bad = rules < 0 ? "Landlock" : allow_job(rules, job);
    if (bad == NULL)
        return rules;
    snprintf(error, CONFINE_ERROR_BYTES, "cannot confine it: %s: %s", bad, strerror(errno));
    if (rules >= 0)
        close(rules);
    return -1;
}

bool reach_enter(int rules)
{
    return syscall(NR_landlock_restrict_self, rules, 0) == 0;
}
