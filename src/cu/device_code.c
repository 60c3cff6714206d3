/* device_code.c - decisions. nvcc is looked for when it is asked for, and never needed: what it refuses, and what it does not
 * say, stays as estimated, which one line tells. It compiles for the GPU whose program this is, and for no other: registers of
 * another generation's code would be as uncertain as none. */
#define _GNU_SOURCE
#include "cu/device_code.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/language.h"
#include "cu/workdir.h"
#include "machine_code/source_name.h"
#include "nvcc/kernels.h"
#include "text/memory.h"
#include "text/quote.h"

enum { KERNELS_NAMED = 6 };

struct nvcc {
    const struct device_code *code;
    struct cu_built *built;
    char *path;
    char arch[24], version[32];
    const char *output, *messages; /* files */
    struct nvcc_kernels kernels;
};

static void note(struct nvcc *nvcc, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void note(struct nvcc *nvcc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(nvcc->built->note, sizeof nvcc->built->note, format, arguments);
    va_end(arguments);
}

static bool fail(struct nvcc *nvcc, int status, const char *what)
{
    snprintf(nvcc->built->error, sizeof nvcc->built->error, "%s", what);
    nvcc->built->status = status;
    return false;
}

/* ---- Where it is ------------------------------------------------------------------------------ */

char *device_code_find(void)
{
    const char *const homes[] = {getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda"};
    char *found = toolchain_find_program("nvcc");
    for (size_t i = 0; i < sizeof homes / sizeof homes[0] && found == NULL; i++) {
        char *file = homes[i] && *homes[i] ? memory_format("%s/bin/nvcc", homes[i]) : NULL;
        found = file ? toolchain_find_program(file) : NULL;
        free(file);
    }
    return found;
}

/* nvcc->path, or a note that there is none. */
static bool find(struct nvcc *nvcc)
{
    const char *asked = nvcc->code->request->nvcc;
    const bool is_auto = strcmp(asked, "auto") == 0;
    nvcc->path = is_auto ? device_code_find() : toolchain_find_program(asked);
    if (nvcc->path)
        return true;
    if (is_auto) {
        note(nvcc, DEVICE_CODE_NONE);
        return true;
    }
    char *error =
        memory_format("--nvcc %s: there is no such program: name NVIDIA's compiler, as in "
                      "--nvcc /usr/local/cuda/bin/nvcc, or take auto or off",
                      asked);
    fail(nvcc, 2, error ? error : "no memory");
    free(error);
    return false;
}

/* ---- Running it ------------------------------------------------------------------------------- */

/* The first line of its messages with an error in it, without a newline; or the first line. */
static const char *first_error(const char *messages, char *line, size_t room)
{
    const char *at = strstr(messages, "error"), *fatal = strstr(messages, "fatal");
    at = at == NULL || (fatal && fatal < at) ? fatal : at;
    while (at && at > messages && at[-1] != '\n')
        at--;
    at = at ? at : messages;
    snprintf(line, room, "%.*s", (int)strcspn(at, "\n"), at);
    return line;
}

/* Its messages, to be freed; NULL with a note when it does not start or refuses. */
static char *run(struct nvcc *nvcc, const struct arguments *arguments, const char *what)
{
    char line[256];
    size_t length;
    const int status = process_run(arguments, nvcc->output, nvcc->messages, nvcc->code->confined);
    char *messages = status >= 0 ? process_read_file(nvcc->messages, &length) : NULL;
    if (status == 0 && messages)
        return messages;
    const char *confined = nvcc->code->confined ? nvcc->code->confined->error : "";
    const char *why = status < 0 && *confined ? confined : strerror(errno);
    if (messages)
        why = first_error(messages, line, sizeof line);
    note(nvcc, "--nvcc: %s does not compile %s, which stays as estimated: %s", nvcc->path, what,
         why);
    free(messages);
    return NULL;
}

/* "13.0.88" of "Cuda compilation tools, release 13.0, V13.0.88". */
static void read_version(struct nvcc *nvcc, const char *text)
{
    const char *at = strstr(text, ", V");
    size_t length = at ? strspn(at + 3, "0123456789.") : 0;
    snprintf(nvcc->version, sizeof nvcc->version, "%.*s", (int)length, at ? at + 3 : "");
}

static bool ask_version(struct nvcc *nvcc)
{
    struct arguments arguments = {0};
    size_t length;
    arguments_add(&arguments, nvcc->path);
    arguments_add(&arguments, "--version");
    char *messages = run(nvcc, &arguments, "anything");
    arguments_free(&arguments);
    char *text = messages ? process_read_file(nvcc->output, &length) : NULL;
    if (text)
        read_version(nvcc, text);
    if (text && *nvcc->version == '\0')
        note(nvcc, "--nvcc: %s does not say which nvcc it is: registers stay unknown", nvcc->path);
    free(messages);
    free(text);
    return *nvcc->version != '\0';
}

/* What it says of kernels, and their code. */
static bool take_kernels(struct nvcc *nvcc, const char *messages, const char *cubin)
{
    const size_t first = nvcc->kernels.count;
    size_t length;
    if (!ptxas_text_read(messages, &nvcc->kernels))
        return false;
    char *file = process_read_file(cubin, &length);
    const bool done =
        file && cubin_read((uint8_t *)file, length, nvcc->code->request->sm, &nvcc->kernels, first);
    free(file);
    return done;
}

static bool compile(struct nvcc *nvcc, const char *file)
{
    const struct device_code *code = nvcc->code;
    const char *cubin = workdir_file("cubin");
    const char *const words[] = {nvcc->path,  "-x",      "cu", nvcc->arch, "-cubin", "-w",
                                 "-lineinfo", "-Xptxas", "-v", "-o",       cubin,    NULL};
    struct arguments arguments = {0};
    arguments_add_all(&arguments, words);
    arguments_add_all(&arguments, code->request->options);
    arguments_add(&arguments, "-I");
    arguments_add(&arguments, code->home->include);
    arguments_add(&arguments, file);
    char *messages = cubin ? run(nvcc, &arguments, file) : NULL;
    arguments_free(&arguments);
    const bool done = messages && take_kernels(nvcc, messages, cubin);
    free(messages);
    return done;
}

static bool is_cuda(const char *file)
{
    size_t length;
    char *text = process_read_file(file, &length);
    const bool is = text && cu_language_of(file, text, length) == CU_LANGUAGE_CUDA;
    free(text);
    return is;
}

static bool compile_all(struct nvcc *nvcc)
{
    const struct cu_request *request = nvcc->code->request;
    snprintf(nvcc->arch, sizeof nvcc->arch, "-arch=sm_%d", request->sm);
    for (size_t i = 0; i < request->file_count; i++)
        if (is_cuda(request->files[i]) && !compile(nvcc, request->files[i]))
            return false;
    return true;
}

/* ---- What it has made ------------------------------------------------------------------------- */

/* Its loops and lines, in tables of that number. */
static void write_code(const struct nvcc_kernel *kernel, size_t number, FILE *out)
{
    fprintf(out, "static const struct wl_nvcc_loop loops_%zu[] = {", number);
    for (size_t i = 0; i < kernel->loop_count; i++)
        fprintf(out, "{%u, %u},", kernel->loops[i].instructions, kernel->loops[i].rounds);
    fprintf(out, "};\nstatic const struct wl_nvcc_line lines_%zu[] = {\n", number);
    for (size_t i = 0; i < kernel->line_count; i++) {
        const struct nvcc_line *line = &kernel->lines[i];
        fputc('{', out);
        quote_json_string(line->file, out);
        fprintf(out, ", %u, %u, %u, %u},\n", line->line, line->loop, line->load_bytes,
                line->store_bytes);
    }
    fputs("};\n", out);
}

static void write_kernels(const struct nvcc_kernels *kernels, FILE *out)
{
    fputs("#include \"warplens/nvcc_facts.h\"\n", out);
    for (size_t i = 0; i < kernels->count; i++)
        write_code(&kernels->items[i], i, out);
    fputs("const struct wl_nvcc_kernel wl_nvcc_kernels[] = {\n", out);
    for (size_t i = 0; i < kernels->count; i++) {
        const struct nvcc_kernel *kernel = &kernels->items[i];
        fprintf(out, "{\"%s\", %u, %zu, %zu, loops_%zu, lines_%zu},\n", kernel->symbol,
                kernel->registers, kernel->loop_count, kernel->line_count, i, i);
    }
    fprintf(out, "};\nconst unsigned wl_nvcc_kernel_count = %zu;\n", kernels->count);
}

static bool write_source(const struct nvcc *nvcc, const char *path)
{
    FILE *out = memory_open_file(path, "wbe");
    if (out == NULL)
        return false;
    write_kernels(&nvcc->kernels, out);
    const bool written = !ferror(out);
    return fclose(out) == 0 && written;
}

/* "nvcc 13.0.88 for sm_90: registers a thread: scan 32, add 10" */
static void tell(const struct nvcc *nvcc)
{
    char *text = nvcc->built->nvcc;
    const size_t room = sizeof nvcc->built->nvcc;
    size_t used = (size_t)snprintf(text, room, "nvcc %s for %s, registers a thread:", nvcc->version,
                                   nvcc->arch + strlen("-arch="));
    for (size_t i = 0; i < nvcc->kernels.count && used < room; i++) {
        const struct nvcc_kernel *kernel = &nvcc->kernels.items[i];
        char name[96];
        source_name_of_function(kernel->symbol, name, sizeof name);
        if (i == KERNELS_NAMED) {
            snprintf(text + used, room - used, ", and %zu more kernels", nvcc->kernels.count - i);
            return;
        }
        used += (size_t)snprintf(text + used, room - used, "%s %s %u", i ? "," : "", name,
                                 kernel->registers);
        if (kernel->spill_bytes && used < room)
            used += (size_t)snprintf(text + used, room - used, " (%u bytes spilled)",
                                     kernel->spill_bytes);
    }
}

static bool make(struct nvcc *nvcc, const char **source)
{
    nvcc->output = workdir_file("nvcc.output");
    nvcc->messages = workdir_file("nvcc.messages");
    if (nvcc->output == NULL || nvcc->messages == NULL)
        return fail(nvcc, 1, "no memory to ask nvcc");
    if (!find(nvcc))
        return false;
    if (nvcc->path == NULL || !ask_version(nvcc) || !compile_all(nvcc))
        return true;
    if (nvcc->kernels.count == 0) {
        note(nvcc, "--nvcc: %s says nothing of kernels: registers stay unknown", nvcc->path);
        return true;
    }
    const char *path = workdir_file("nvcc.cpp");
    if (path == NULL || !write_source(nvcc, path))
        return fail(nvcc, 1, "cannot write what nvcc has made of the program");
    tell(nvcc);
    *source = path;
    return true;
}

bool device_code_write(const struct device_code *code, struct cu_built *built, const char **source)
{
    struct nvcc nvcc = {.code = code, .built = built};
    *source = NULL;
    const bool done = make(&nvcc, source);
    nvcc_kernels_free(&nvcc.kernels);
    free(nvcc.path);
    return done;
}
