/* cu_run.c - builds and runs a program as `warplens run` does, without a model: its trace goes to a
 * file.
 *
 *   cu_run [-o TRACE] [-s SM] [-Ipath] [-Dname] FILE... [-- ARGUMENTS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/build.h"
#include "cu/start.h"
#include "models/models.h"

static int copy_trace(FILE *from, const char *path)
{
    FILE *out = fopen(path, "wb");
    int c;
    if (out == NULL)
        return 1;
    while ((c = getc(from)) != EOF)
        putc(c, out);
    return fclose(out) == 0 ? 0 : 1;
}

static int run(const char *path, const char *name, char **arguments, const char *trace)
{
    struct cu_program program;
    struct arch arch;
    const struct gpu_model *model = models_find("h200");
    arch_from_model(model, &arch);
    if (!cu_start(&program, path, name, (const char *const *)arguments, &arch, model->title, false,
                  &(const struct cu_tracing){0}, NULL)) {
        fprintf(stderr, "%s: %s\n", path, program.error);
        return 70;
    }
    int copied = copy_trace(program.trace, trace);
    int status = cu_wait(&program);
    return copied ? 70 : status;
}

int main(int argc, char **argv)
{
    const char *files[CU_FILES_MAX], *options[64] = {NULL}, *trace = "/dev/null";
    struct cu_request request = {.files = files, .options = options, .sm = 90};
    size_t option_count = 0;
    int i = 1;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-o") == 0)
            trace = argv[++i];
        else if (strcmp(argv[i], "-s") == 0)
            request.sm = atoi(argv[++i]);
        else if (argv[i][0] == '-')
            options[option_count++] = argv[i];
        else
            files[request.file_count++] = argv[i];
    struct cu_built built;
    if (!cu_build(&request, &built)) {
        fprintf(stderr, "%s\n%s", built.error, built.messages ? built.messages : "");
        free(built.messages);
        return built.status;
    }
    int status = run(built.path, files[0], argv + i + (i < argc), trace);
    cu_build_close(&built);
    return status;
}
