/* build.c - preprocess, rewrite, compile and link. */
#define _GNU_SOURCE
#include "cu/build.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/device_code.h"
#include "cu/messages_launch.h"
#include "cu/language.h"
#include "cu/options.h"
#include "cu/messages_missing.h"
#include "cu/process.h"
#include "cu/request.h"
#include "cu/rewrite.h"
#include "cu/toolchain.h"
#include "cu/unroll.h"
#include "cu/workdir.h"
#include "text/memory.h"

struct build {
    const struct cu_request *request;
    struct cu_built *built;
    struct home home;
    struct compiler cxx, cc; /* cc.path is NULL until a C file needs it */
    const char *messages;    /* the file of the compiler's messages */
    struct process_confined confined;
    char *cccl; /* the folder of a toolkit that has Thrust and CUB, when the system has not; NULL */
    const char *objects[CU_FILES_MAX];
    const char *nvcc_object; /* what NVIDIA's compiler says of the kernels; NULL */
};

/* One source on its way. */
struct source {
    const char *file;
    enum cu_language language;
    const char *preprocessed, *rewritten, *object;
    bool has_cub; /* or CUTLASS */
};

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

bool cu_build_takes(const char *file)
{
    return cu_language_takes(file);
}

/* ---- Messages of compilers -------------------------------------------------------------------- */

/* What a compiler says of code that is not the program's own. */
static bool fail_launch(struct build *b, const struct source *s)
{
    size_t length;
    char line[sizeof b->built->error];
    char *rewritten = b->built->messages ? process_read_file(s->rewritten, &length) : NULL;
    if (rewritten && messages_explain_launch(b->built->messages, rewritten, b->home.include, line,
                                             sizeof line)) {
        fail(b, 2, "%s", line);
        free(b->built->messages);
        b->built->messages = NULL;
    }
    free(rewritten);
    return false;
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
    if (messages_explain_missing(b->built->messages, file, b->built->error)) {
        free(b->built->messages);
        b->built->messages = NULL;
        b->built->status = 2;
        return false;
    }
    bool refused =
        confined && b->built->messages && strstr(b->built->messages, "Permission denied");
    return fail(b, 2, "%s: %s (%s%s)", file, what, arguments->items[0],
                refused ? ", confined: --allow read=PATH lets it read more" : "");
}

/* ---- Steps ------------------------------------------------------------------------------------ */

static const struct compiler *compiler_of(const struct build *b, const struct source *s)
{
    return s->language == CU_LANGUAGE_C ? &b->cc : &b->cxx;
}

static bool preprocess_once(struct build *b, const struct source *s)
{
    struct arguments arguments = {0};
    const struct compiler *compiler = compiler_of(b, s);
    const bool c = s->language == CU_LANGUAGE_C;
    const struct gpu_macros macros = options_gpu_macros(b->request->sm);
    arguments_add(&arguments, compiler->path);
    arguments_add(&arguments, "-E");
    arguments_add(&arguments, "-x");
    arguments_add(&arguments, c ? "c" : "c++");
    arguments_add(&arguments, c ? "-std=gnu11" : "-std=gnu++17");
    options_add_kernel_flags(&arguments, compiler, b->request);
    options_add_language(&arguments, s->language, &macros);
    options_add_folders(&arguments, b->request->options, &b->home);
    if (b->cccl) {
        arguments_add(&arguments, "-isystem");
        arguments_add(&arguments, b->cccl);
    }
    arguments_add(&arguments, s->file);
    bool done = run(b, &arguments, s->preprocessed, "does not preprocess", s->file);
    arguments_free(&arguments);
    return done;
}

/* Only for Thrust and CUB a toolkit is looked for: of its other libraries' headers there are no libraries here. */
static bool preprocess(struct build *b, const struct source *s)
{
    if (preprocess_once(b, s))
        return true;
    if (b->cccl || !(strstr(b->built->error, "#include <thrust/") ||
                     strstr(b->built->error, "#include <cub/")))
        return false;
    b->cccl = toolchain_find_cccl();
    if (b->cccl == NULL)
        return false;
    b->built->error[0] = '\0';
    return preprocess_once(b, s);
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
    if (s->language == CU_LANGUAGE_C)
        return write_file(b, s->rewritten, text, length);
    if (!cu_rewrite(text, length, &rewritten))
        return fail(b, 2, "%s", rewritten.error);
    if (b->cxx.is_clang)
        unroll_not_by_number(rewritten.text, rewritten.length);
    bool done = write_file(b, s->rewritten, rewritten.text, rewritten.length);
    free(rewritten.text);
    return done;
}

/* The text as gcc is to see the libraries' loops; frees the one that there was. */
static char *unrolled(char *text, size_t *length)
{
    char *result = unroll_libraries(text, *length, length);
    free(text);
    return result;
}

static bool rewrite(struct build *b, struct source *s)
{
    size_t length;
    char *text = process_read_file(s->preprocessed, &length);
    if (text == NULL)
        return fail(b, 1, "%s: cannot read: %s", s->preprocessed, strerror(errno));
    b->built->has_openmp |= memmem(text, length, "#pragma omp", 11) != NULL;
    s->has_cub = memmem(text, length, "namespace cub", 13) != NULL ||
                 memmem(text, length, "namespace cutlass", 17) != NULL;
    if (s->has_cub && !b->cxx.is_clang)
        text = unrolled(text, &length);
    if (text == NULL)
        return fail(b, 1, "%s: no memory to build it", s->file);
    bool done = rewrite_text(b, s, text, length);
    free(text);
    return done;
}

static bool compile(struct build *b, const struct source *s)
{
    struct arguments arguments = {0};
    const struct compiler *compiler = compiler_of(b, s);
    arguments_add(&arguments, compiler->path);
    const bool c = s->language == CU_LANGUAGE_C;
    arguments_add(&arguments, "-c");
    arguments_add(&arguments, "-x");
    arguments_add(&arguments, c ? "cpp-output" : "c++-cpp-output");
    arguments_add(&arguments, c ? "-std=gnu11" : "-std=gnu++17");
    options_add_kernel_flags(&arguments, compiler, b->request);
    if (s->has_cub &&
        !compiler->is_clang) /* its classes name types after classes outside of them */
        arguments_add(&arguments, "-fpermissive");
    options_add_behind(&arguments, b->request->options);
    arguments_add(&arguments, "-o");
    arguments_add(&arguments, s->object);
    arguments_add(&arguments, s->rewritten);
    bool done = run(b, &arguments, "/dev/null", "does not compile", s->file);
    arguments_free(&arguments);
    return done || fail_launch(b, s);
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
    size_t length;
    char *text = process_read_file(s.file, &length);
    if (text == NULL)
        return fail(b, 1, "%s: cannot read: %s", s.file, strerror(errno));
    s.language = cu_language_of(s.file, text, length);
    free(text);
    if (s.language == CU_LANGUAGE_C && b->cc.path == NULL &&
        !toolchain_find_compiler(&b->cc, true, b->built->error))
        return false;
    s.preprocessed = numbered("preprocessed.ii", i);
    s.rewritten = numbered("ii", i);
    s.object = b->objects[i] = numbered("o", i);
    if (s.preprocessed == NULL || s.rewritten == NULL || s.object == NULL)
        return fail(b, 1, "%s: no memory to build it", s.file);
    return preprocess(b, &s) && rewrite(b, &s) && compile(b, &s);
}

static bool ask_nvcc(struct build *b)
{
    const struct device_code code = {.request = b->request,
                                     .home = &b->home,
                                     .confined = b->request->confinement ? &b->confined : NULL};
    const char *source;
    if (b->request->nvcc == NULL)
        return true;
    if (!device_code_write(&code, b->built, &source) || source == NULL)
        return source != NULL || b->built->error[0] == '\0';
    b->nvcc_object = workdir_file("nvcc.o");
    const char *const words[] = {b->cxx.path,     "-c", "-x",           "c++",  "-fPIE", "-I",
                                 b->home.include, "-o", b->nvcc_object, source, NULL};
    struct arguments arguments = {0};
    arguments_add_all(&arguments, words);
    const bool done = b->nvcc_object && run(b, &arguments, "/dev/null", "does not compile", source);
    arguments_free(&arguments);
    return done;
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
    if (b->nvcc_object)
        arguments_add(&arguments, b->nvcc_object);
    arguments_add_all(&arguments, wrapped);
    arguments_add(&arguments, "-Wl,--whole-archive");
    arguments_add(&arguments, b->home.library);
    arguments_add(&arguments, "-Wl,--no-whole-archive");
    arguments_add(&arguments, "-lm");
    arguments_add(&arguments,
                  "-Wl,-z,now"); /* stubs say at once which function they are: math_cost.c */
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
    if (request->fmad && !options_can_fmad())
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
    if (request->accesses == CU_ACCESSES_SOURCE && b->cxx.is_clang)
        return fail(b, 2,
                    "--accesses source needs gcc, and %s is what there is: clang's merging of "
                    "accesses cannot be turned off; WARPLENS_CXX=g++ names another compiler",
                    b->cxx.version);
    b->built->keeps_accesses = options_keep_accesses(&b->cxx, request);
    snprintf(b->built->compiler, sizeof b->built->compiler, "%s (--accesses %s)", b->cxx.version,
             options_name_accesses(&b->cxx, request));
    for (size_t i = 0; i < request->file_count; i++)
        if (!build_file(b, i))
            return false;
    if (!ask_nvcc(b) || !link_program(b))
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
    free(b.cccl);
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
