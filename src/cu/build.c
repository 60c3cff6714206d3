/* build.c - preprocess, rewrite, compile and link. */
#define _GNU_SOURCE
#include "cu/build.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/process.h"
#include "cu/request.h"
#include "cu/rewrite.h"
#include "cu/toolchain.h"
#include "cu/workdir.h"
#include "text/memory.h"

struct build {
    const struct cu_request *request;
    struct cu_built *built;
    struct home home;
    struct compiler cxx, cc; /* cc.path is NULL until a C file needs it */
    const char *messages;    /* the file of the compiler's messages */
    struct process_confined confined;
    const char *objects[CU_FILES_MAX];
};

/* One source on its way. */
struct source {
    const char *file;
    bool c;
    const char *preprocessed, *rewritten, *object;
};

/* What a program gets besides the kernels' flags. Math functions of C set errno and contract what
 * CUDA's do not; checked versions of library functions have other names. */
static const char *const common_options[] = {
    "-O2", "-w", "-fPIE", "-U_FORTIFY_SOURCE", "-fno-math-errno", "-ffp-contract=off", NULL};
static const char *const cuda_macros[] = {"-DWARPLENS_CU",
                                          "-D__CUDACC__",
                                          "-D__NVCC__",
                                          "-D__CUDACC_VER_MAJOR__=12",
                                          "-D__CUDACC_VER_MINOR__=0",
                                          "-DCUDART_VERSION=12000",
                                          NULL};

static bool fail(struct build *b, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct build *b, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(b->built->error, sizeof b->built->error, format, arguments);
    va_end(arguments);
    b->built->status = status;
    return false;
}

static const char *extension(const char *file)
{
    const char *dot = strrchr(file, '.'), *slash = strrchr(file, '/');
    return dot && (slash == NULL || slash < dot) ? dot : "";
}

bool cu_build_takes(const char *file)
{
    static const char *const extensions[] = {".cu", ".cpp", ".cc", ".cxx", ".c"};
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(extension(file), extensions[i]) == 0)
            return true;
    return false;
}

/* ---- Messages of compilers -------------------------------------------------------------------- */

/* "file.cu:3:10: fatal error: thrust/sort.h: No such file or directory", or clang's "... fatal
 * error: 'thrust/sort.h' file not found": what to use instead, when the header is known. */
static bool fail_header(struct build *b)
{
    static const char words[] = "fatal error: ";
    char *text = b->built->messages, *at = text ? strstr(text, words) : NULL;
    if (at == NULL)
        return false;
    char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    const char *name = at + strlen(words) + (at[strlen(words)] == '\'');
    char header[256];
    snprintf(header, sizeof header, "%.*s", (int)strcspn(name, "':\n"), name);
    const char *advice = cu_rewrite_header_advice(header);
    unsigned row = 0;
    size_t file_bytes = strcspn(line, ":");
    if (advice == NULL || sscanf(line + file_bytes, ":%u", &row) != 1)
        return false;
    fail(b, 2, "%.*s:%u: #include <%s>: %s", (int)file_bytes, line, row, header, advice);
    free(b->built->messages);
    b->built->messages = NULL;
    return true;
}

/* What the linker says of a file that is a part of a program. */
static bool fail_main(struct build *b, const char *file)
{
    if (b->built->messages == NULL ||
        strstr(b->built->messages, "undefined reference to `main'") == NULL)
        return false;
    fail(b, 2,
         "%s: has no main(): a program needs one, which launches its kernels; --with names further "
         "files",
         file);
    free(b->built->messages);
    b->built->messages = NULL;
    return true;
}

/* Runs a compiler; `what` has the file and what did not work. */
static bool run(struct build *b, const struct arguments *arguments, const char *output,
                const char *what, const char *file)
{
    struct process_confined *confined = b->request->confinement ? &b->confined : NULL;
    int status = process_run(arguments, output, b->messages, confined);
    size_t length;
    if (status == 0)
        return true;
    if (status < 0 && *b->confined.error)
        return fail(b, 2, "%s: %s", file, b->confined.error);
    if (status < 0)
        return fail(b, 1, "%s: cannot start %s: %s", file, arguments->items[0], strerror(errno));
    b->built->messages = process_read_file(b->messages, &length);
    if (fail_header(b) || fail_main(b, file))
        return false;
    bool refused =
        confined && b->built->messages && strstr(b->built->messages, "Permission denied");
    return fail(b, 2, "%s: %s (%s%s)", file, what, arguments->items[0],
                refused ? ", confined: --allow read=PATH lets it read more" : "");
}

/* ---- Steps ------------------------------------------------------------------------------------ */

static const struct compiler *compiler_of(const struct build *b, const struct source *s)
{
    return s->c ? &b->cc : &b->cxx;
}

/* x86-64 has an instruction for it since 2013, and compilers make no other use of the option. */
#if defined(__x86_64__)
static const char *const fmad_options[] = {"-ffp-contract=fast", "-mfma", NULL};
static bool can_fmad(void)
{
    return __builtin_cpu_supports("fma");
}
#else
static const char *const fmad_options[] = {"-ffp-contract=fast", NULL};
static bool can_fmad(void)
{
    return true;
}
#endif

static void add_kernel_flags(struct arguments *arguments, const struct compiler *compiler,
                             bool fmad)
{
    arguments_add_all(arguments, compiler->flags);
    arguments_add_all(arguments, common_options);
    if (fmad)
        arguments_add_all(arguments, fmad_options);
    if (compiler->is_clang)
        arguments_add(arguments, "-Wno-register");
}

static bool preprocess(struct build *b, const struct source *s)
{
    struct arguments arguments = {0};
    const struct compiler *compiler = compiler_of(b, s);
    char arch[32];
    snprintf(arch, sizeof arch, "-D__CUDA_ARCH__=%d0", b->request->sm);
    arguments_add(&arguments, compiler->path);
    arguments_add(&arguments, "-E");
    arguments_add(&arguments, "-x");
    arguments_add(&arguments, s->c ? "c" : "c++");
    arguments_add(&arguments, s->c ? "-std=gnu11" : "-std=gnu++17");
    add_kernel_flags(&arguments, compiler, b->request->fmad);
    if (!s->c) {
        arguments_add_all(&arguments, cuda_macros);
        arguments_add(&arguments, arch);
        arguments_add(&arguments, "-include");
        arguments_add(&arguments, "warplens/cuda.h");
    }
    arguments_add(&arguments, "-I");
    arguments_add(&arguments, b->home.include);
    arguments_add(&arguments, "-I");
    arguments_add(&arguments, b->home.compat);
    arguments_add_all(&arguments, b->request->options);
    arguments_add(&arguments, s->file);
    bool done = run(b, &arguments, s->preprocessed, "does not preprocess", s->file);
    arguments_free(&arguments);
    return done;
}

static bool write_file(struct build *b, const char *path, const char *text, size_t length)
{
    FILE *file = memory_open_file(path, "wbe");
    bool written = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0)
        written = false;
    return written || fail(b, 1, "%s: cannot write: %s", path, strerror(errno));
}

static bool rewrite_text(struct build *b, const struct source *s, const char *text, size_t length)
{
    struct rewritten rewritten;
    if (s->c)
        return write_file(b, s->rewritten, text, length);
    if (!cu_rewrite(text, length, &rewritten))
        return fail(b, 2, "%s", rewritten.error);
    bool done = write_file(b, s->rewritten, rewritten.text, rewritten.length);
    free(rewritten.text);
    return done;
}

static bool rewrite(struct build *b, const struct source *s)
{
    size_t length;
    char *text = process_read_file(s->preprocessed, &length);
    if (text == NULL)
        return fail(b, 1, "%s: cannot read: %s", s->preprocessed, strerror(errno));
    bool done = rewrite_text(b, s, text, length);
    free(text);
    return done;
}

/* The options of the user's that matter behind the preprocessor. */
static void add_language_options(struct arguments *arguments, const char *const *options)
{
    for (; options && *options; options++)
        if (strncmp(*options, "-std=", 5) == 0 || strncmp(*options, "-f", 2) == 0 ||
            strncmp(*options, "-m", 2) == 0)
            arguments_add(arguments, *options);
}

static bool compile(struct build *b, const struct source *s)
{
    struct arguments arguments = {0};
    const struct compiler *compiler = compiler_of(b, s);
    arguments_add(&arguments, compiler->path);
    arguments_add(&arguments, "-c");
    arguments_add(&arguments, "-x");
    arguments_add(&arguments, s->c ? "cpp-output" : "c++-cpp-output");
    arguments_add(&arguments, s->c ? "-std=gnu11" : "-std=gnu++17");
    add_kernel_flags(&arguments, compiler, b->request->fmad);
    add_language_options(&arguments, b->request->options);
    arguments_add(&arguments, "-o");
    arguments_add(&arguments, s->object);
    arguments_add(&arguments, s->rewritten);
    bool done = run(b, &arguments, "/dev/null", "does not compile", s->file);
    arguments_free(&arguments);
    return done;
}

/* Whether a C file has a launch, which makes it CUDA. */
static bool has_launch(const char *file)
{
    size_t length;
    char *text = process_read_file(file, &length);
    bool found = text && memmem(text, length, "<<<", 3) != NULL;
    free(text);
    return found;
}

static const char *numbered(const char *what, size_t number)
{
    char name[64];
    snprintf(name, sizeof name, "%zu.%s", number, what);
    return workdir_file(name);
}

static bool build_file(struct build *b, size_t i)
{
    struct source s = {.file = b->request->files[i]};
    FILE *file = memory_open_file(s.file, "rbe");
    if (file == NULL)
        return fail(b, 1, "%s: cannot read: %s", s.file, strerror(errno));
    fclose(file);
    s.c = strcmp(extension(s.file), ".c") == 0 && !has_launch(s.file);
    if (s.c && b->cc.path == NULL && !toolchain_find_compiler(&b->cc, true, b->built->error))
        return false;
    s.preprocessed = numbered("preprocessed.ii", i);
    s.rewritten = numbered("ii", i);
    s.object = b->objects[i] = numbered("o", i);
    if (s.preprocessed == NULL || s.rewritten == NULL || s.object == NULL)
        return fail(b, 1, "%s: no memory to build it", s.file);
    return preprocess(b, &s) && rewrite(b, &s) && compile(b, &s);
}

/* new and delete of the program's own code, of the device's heap in kernels (src/tracer/heap.c). */
static const char *const wrapped[] = {"-Wl,--wrap=_Znwm",
                                      "-Wl,--wrap=_Znam",
                                      "-Wl,--wrap=_ZdlPv",
                                      "-Wl,--wrap=_ZdaPv",
                                      "-Wl,--wrap=_ZdlPvm",
                                      "-Wl,--wrap=_ZdaPvm",
                                      NULL};

/* Without the sanitizer's flags: the library takes the place of its runtime. */
static bool link_program(struct build *b)
{
    const struct cu_request *request = b->request;
    struct arguments arguments = {0};
    arguments_add(&arguments, b->cxx.path);
    arguments_add(&arguments, "-pie");
    arguments_add(&arguments, "-o");
    arguments_add(&arguments, b->built->path);
    for (size_t i = 0; i < request->file_count; i++)
        arguments_add(&arguments, b->objects[i]);
    arguments_add_all(&arguments, wrapped);
    arguments_add(&arguments, "-Wl,--whole-archive");
    arguments_add(&arguments, b->home.library);
    arguments_add(&arguments, "-Wl,--no-whole-archive");
    arguments_add(&arguments, "-lm");
    bool done = run(b, &arguments, "/dev/null",
                    request->file_count > 1 ? "and the other files do not link" : "does not link",
                    request->files[0]);
    arguments_free(&arguments);
    return done;
}

static bool build_all(struct build *b)
{
    const struct cu_request *request = b->request;
    if (request->file_count == 0 || request->file_count > CU_FILES_MAX)
        return fail(b, 2, "%zu source files: 1 to %d are possible", request->file_count,
                    CU_FILES_MAX);
    if (request->fmad && !can_fmad())
        return fail(b, 2,
                    "--fmad yes: this computer's processor has no instruction for it (FMA): "
                    "leave it out, or take another computer");
    if (!workdir_open())
        return fail(b, 1, "cannot make a directory to build in: %s: name another place in TMPDIR",
                    strerror(errno));
    b->messages = workdir_file("messages");
    b->built->path = workdir_file("program");
    if (b->messages == NULL || b->built->path == NULL)
        return fail(b, 1, "no memory to build %s", request->files[0]);
    b->built->status = 2;
    if (!toolchain_find_home(&b->home, b->built->error) ||
        !toolchain_find_compiler(&b->cxx, false, b->built->error))
        return false;
    if (request->confinement && !request_confine(request, &b->home, &b->confined, b->built->error))
        return false;
    snprintf(b->built->compiler, sizeof b->built->compiler, "%s", b->cxx.version);
    for (size_t i = 0; i < request->file_count; i++)
        if (!build_file(b, i))
            return false;
    if (!link_program(b))
        return false;
    b->built->status = 0;
    return true;
}

bool cu_build(const struct cu_request *request, struct cu_built *built)
{
    struct build b = {.request = request, .built = built};
    *built = (struct cu_built){0};
    bool done = build_all(&b);
    toolchain_free(&b.cxx, &b.home);
    toolchain_free(&b.cc, NULL);
    arguments_free(&b.confined.reads);
    if (!done) {
        workdir_close();
        built->path = NULL;
    }
    return done;
}

void cu_build_close(struct cu_built *built)
{
    workdir_close();
    built->path = NULL;
    free(built->messages);
    built->messages = NULL;
}
