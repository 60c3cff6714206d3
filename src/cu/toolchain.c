/* toolchain.c - finds compilers on PATH and warplens's files beside the running program. */
#define _GNU_SOURCE
#include "cu/toolchain.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cu/config.h"
#include "cu/process.h"
#include "cu/workdir.h"
#include "text/memory.h"

const char *const toolchain_gcc_flags[] = {WARPLENS_FLAGS_ALL, WARPLENS_FLAGS_GCC, NULL};
const char *const toolchain_gcc_source_flags[] = {WARPLENS_FLAGS_GCC_SOURCE, NULL};
const char *const toolchain_clang_flags[] = {WARPLENS_FLAGS_ALL, WARPLENS_FLAGS_CLANG, NULL};

#define LIBRARY_NAME "libwarplens_program.a"

/* ---- Compilers -------------------------------------------------------------------------------- */

char *toolchain_find_program(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? memory_copy(name) : NULL;
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *file = memory_format("%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
        if (file == NULL)
            return NULL;
        if (access(file, X_OK) == 0)
            return file;
        free(file);
        p += n + (p[n] == ':');
    }
    return NULL;
}

/* The words behind `#define NAME `, without quotes. */
static bool find_macro(const char *macros, const char *name, char *value, size_t room)
{
    char line[64];
    snprintf(line, sizeof line, "#define %s ", name);
    const char *at = strstr(macros, line);
    if (at == NULL)
        return false;
    at += strlen(line);
    at += *at == '"';
    size_t n = strcspn(at, "\" \n");
    snprintf(value, room, "%.*s", (int)n, at);
    return true;
}

static bool read_macros(struct compiler *compiler, const char *macros)
{
    char version[48];
    compiler->is_clang = find_macro(macros, "__clang_version__", version, sizeof version);
    if (!compiler->is_clang && !(find_macro(macros, "__GNUC__", version, sizeof version) &&
                                 find_macro(macros, "__VERSION__", version, sizeof version)))
        return false;
    snprintf(compiler->version, sizeof compiler->version, "%s %s",
             compiler->is_clang ? "clang" : "gcc", version);
    compiler->flags = compiler->is_clang ? toolchain_clang_flags : toolchain_gcc_flags;
    return true;
}

/* Asks the compiler what it is. */
static bool probe(struct compiler *compiler, bool cc)
{
    const char *output = workdir_file("macros"), *messages = workdir_file("macros.messages");
    struct arguments arguments = {0};
    size_t length;
    if (output == NULL || messages == NULL)
        return false;
    const char *const words[] = {compiler->path,   "-dM",       "-E", "-x",
                                 cc ? "c" : "c++", "/dev/null", NULL};
    arguments_add_all(&arguments, words);
    int status = process_run(&arguments, output, messages, NULL);
    arguments_free(&arguments);
    char *macros = status == 0 ? process_read_file(output, &length) : NULL;
    bool known = macros && read_macros(compiler, macros);
    free(macros);
    return known;
}

bool toolchain_find_compiler(struct compiler *compiler, bool cc, char *error)
{
    const char *variable = cc ? "WARPLENS_CC" : "WARPLENS_CXX", *asked = getenv(variable);
    const char *const names[2][2] = {{"g++", "clang++"}, {"gcc", "clang"}};
    *compiler = (struct compiler){0};
    if (asked && *asked) {
        compiler->path = toolchain_find_program(asked);
        if (compiler->path == NULL) {
            snprintf(error, TOOLCHAIN_ERROR_BYTES,
                     "%s is %s, which is no program: name a compiler, for example %s", variable,
                     asked, names[cc][0]);
            return false;
        }
    }
    for (size_t i = 0; i < 2 && compiler->path == NULL; i++)
        compiler->path = toolchain_find_program(names[cc][i]);
    if (compiler->path == NULL)
        snprintf(error, TOOLCHAIN_ERROR_BYTES,
                 "no %s or %s on PATH: a program is compiled with one of them; install one, or "
                 "name it in %s",
                 names[cc][0], names[cc][1], variable);
    else if (probe(compiler, cc))
        return true;
    else if (memory_failures())
        snprintf(error, TOOLCHAIN_ERROR_BYTES, "no memory to ask %s what it is", compiler->path);
    else
        snprintf(error, TOOLCHAIN_ERROR_BYTES,
                 "%s is neither gcc nor clang: name one of them in %s", compiler->path, variable);
    return false;
}

/* ---- Our own files ---------------------------------------------------------------------------- */

static char *join(const char *directory, const char *name)
{
    return memory_format("%s/%s", directory, name);
}

static void home_free(struct home *home)
{
    free(home->include);
    free(home->compat);
    free(home->library);
    *home = (struct home){0};
}

/* Whether these are the directories: both files are there. */
static bool home_try(struct home *home, const char *include, const char *library)
{
    home_free(home);
    home->include = memory_copy(include);
    home->compat = join(include, "warplens/compat");
    home->library = join(library, LIBRARY_NAME);
    char *header = join(include, "warplens/cuda.h");
    bool there = home->compat && home->library && header && access(header, R_OK) == 0 &&
                 access(home->library, R_OK) == 0;
    free(header);
    return there;
}

/* An installation with this prefix. */
static bool home_try_prefix(struct home *home, const char *prefix)
{
    char *include = join(prefix, WARPLENS_INCLUDEDIR);
    char *library = join(prefix, WARPLENS_LIBDIR "/warplens");
    bool there = include && library && home_try(home, include, library);
    free(include);
    free(library);
    return there;
}

/* From where the running program is: its build tree (tests are a directory further down), or bindir
 * of an installation. */
static bool home_try_beside(struct home *home, const char *directory)
{
    char *up = join(directory, ".."), *prefix = join(directory, WARPLENS_PREFIX_FROM_BINDIR);
    bool there = up && prefix &&
                 (home_try(home, WARPLENS_SOURCE_INCLUDEDIR, directory) ||
                  home_try(home, WARPLENS_SOURCE_INCLUDEDIR, up) || home_try_prefix(home, prefix));
    free(up);
    free(prefix);
    return there;
}

bool toolchain_find_home(struct home *home, char *error)
{
    char self[PATH_MAX];
    const char *asked = getenv("WARPLENS_HOME");
    *home = (struct home){0};
    if (asked && *asked) {
        if (home_try_prefix(home, asked))
            return true;
        snprintf(
            error, TOOLCHAIN_ERROR_BYTES,
            "WARPLENS_HOME is %s, which has no %s/warplens/cuda.h or no %s/warplens/%s: it must "
            "be the prefix that warplens is installed in",
            asked, WARPLENS_INCLUDEDIR, WARPLENS_LIBDIR, LIBRARY_NAME);
        return false;
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = '\0';
    if (home_try_beside(home, self))
        return true;
    snprintf(
        error, TOOLCHAIN_ERROR_BYTES,
        "warplens's header and library (%s) are not beside %.512s: install warplens again, or name "
        "its prefix in WARPLENS_HOME",
        LIBRARY_NAME, self);
    return false;
}

char *toolchain_find_cccl(void)
{
    const char *const prefixes[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        char *folder = prefixes[i] ? join(prefixes[i], "include/cccl") : NULL;
        char *header = folder ? join(folder, "thrust/version.h") : NULL;
        const bool there = header && access(header, R_OK) == 0;
        free(header);
        if (there)
            return folder;
        free(folder);
    }
    return NULL;
}

void toolchain_free(struct compiler *compiler, struct home *home)
{
    if (compiler)
        free(compiler->path);
    if (home)
        home_free(home);
}
