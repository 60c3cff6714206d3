/* validate_operands.c - decisions. A folder is where programs are; what the compiler takes by its name is a program; a
 * file that begins as a trace does is one, but for CSV, which are measurements. What programs print goes to standard
 * error: the result is what the command writes. */
#define _GNU_SOURCE
#include "cli/commands/validate_operands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text/memory.h"
#include "text/number.h"

/* ---- Which operand is what ----------------------------------------------------------------------- */

static bool is_folder(const char *operand)
{
    struct stat status;
    return stat(operand, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_csv(const char *operand)
{
    size_t length = strlen(operand);
    return length > 4 && strcmp(operand + length - 4, ".csv") == 0;
}

/* By the file's beginning, or as --from says. */
static bool is_trace(const char *operand)
{
    char head[4096];
    FILE *file =
        strcmp(operand, "-") == 0 || is_csv(operand) ? NULL : memory_open_file(operand, "rbe");
    if (file == NULL)
        return strcmp(operand, "-") == 0;
    const size_t bytes = fread(head, 1, sizeof head, file);
    fclose(file);
    const struct trace_format *format = trace_format_of_head(head, bytes);
    return format && strcmp(format->name, "csv") != 0;
}

static bool is_file(const char *operand)
{
    return strchr(operand, '/') || access(operand, F_OK) == 0 || is_csv(operand);
}

int validate_operands_sort(struct validate_operands *o, const struct options *options)
{
    for (size_t i = 0; i < options->operand_count; i++) {
        const char *operand = options->operands[i];
        const bool is_program = cu_build_takes(operand) && !is_csv(operand);
        if (is_folder(operand) || is_program)
            o->places[o->place_count++] = operand;
        if (is_folder(operand))
            continue;
        if (is_program || is_trace(operand) || !is_file(operand))
            o->inputs[o->input_count++] = operand;
        else
            o->files[o->file_count++] = operand;
    }
    return o->file_count ? EXIT_OK
                         : usage_error(options->command,
                                       "names no file of measurements: a name with '/' or .csv at "
                                       "its end, or an existing file, is one");
}

/* ---- Sources of programs and traces -------------------------------------------------------------- */

/* The words of a file's arguments. */
static void split_arguments(struct program_opener *p, const char *arguments)
{
    size_t count = 0;
    char *rest = p->text;
    snprintf(p->text, sizeof p->text, "%s", arguments);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (*word)
            p->arguments[count++] = word;
    p->arguments[count] = NULL;
}

static void forget_files(struct program_opener *p)
{
    for (size_t i = 0; i < OPTION_LIST_MAX && p->with[i]; i++) {
        free(p->with[i]);
        p->with[i] = NULL;
    }
}

/* A file's further sources stand beside the first. */
static bool take_files(struct program_opener *p, const struct model_run *run)
{
    const char *slash = strrchr(run->path, '/'), *at = run->with;
    size_t length;
    forget_files(p);
    p->own.with = (struct word_list){.count = 0};
    for (at += strspn(at, " "); *at; at += length, at += strspn(at, " ")) {
        length = strcspn(at, " ");
        if (p->own.with.count == OPTION_LIST_MAX - 1)
            return false;
        char **path = &p->with[p->own.with.count];
        *path = memory_format("%.*s%.*s", slash ? (int)(slash - run->path) + 1 : 0, run->path,
                              (int)length, at);
        if (*path == NULL)
            return false;
        p->own.with.items[p->own.with.count++] = *path;
    }
    return true;
}

/* Launches behind those that were measured run without being traced. */
static void choose_launches(struct program_opener *p, const struct model_run *run)
{
    if (run->is_of_file)
        p->own.launch_count = (int64_t)run->launches_wanted;
    else if (p->launches_skipped < 0 || p->own.launch_count > INT64_MAX - p->launches_skipped)
        p->own.launch_count = -1;
    else if (p->own.launch_count >= 0)
        p->own.launch_count += p->launches_skipped;
}

static bool open_program(void *context, const struct model_run *run, struct trace_source *source)
{
    struct program_opener *p = context;
    p->own = *p->options;
    p->own.command_writes_data = true;
    if (run->is_of_file) {
        split_arguments(p, run->arguments);
        p->own.program_arguments = p->arguments;
        if (!take_files(p, run))
            return false;
    }
    choose_launches(p, run);
    p->job = (struct job){.input = {.kind = cu_build_takes(run->path) ? INPUT_PROGRAM : INPUT_TRACE,
                                    .path = run->path}};
    if (source_open(&p->opened, &p->own, &p->job, run->gpu) != EXIT_OK)
        return false;
    *source = p->opened.source;
    return true;
}

static bool close_program(void *context)
{
    struct program_opener *p = context;
    const bool fine = source_close(&p->opened) == EXIT_OK;
    forget_files(p);
    return fine;
}

/* ---- What is to be run --------------------------------------------------------------------------- */

static int choose_skips(struct validate_operands *o, const struct options *options,
                        struct validation *v)
{
    v->skips = o->skips;
    for (size_t i = 0; i < options->launch_skips.count; i++) {
        const char *text = options->launch_skips.items[i], *equals = strrchr(text, '=');
        int64_t count;
        if (!text_number(equals ? equals + 1 : text, &count) || count < 0 || equals == text ||
            (equals && (size_t)(equals - text) >= sizeof o->skip_kernels[i]))
            return usage_error(options->command,
                               "--launch-skip %s: allowed is N or KERNEL=N, such as 10 or step=10",
                               text);
        snprintf(o->skip_kernels[i], sizeof o->skip_kernels[i], "%.*s",
                 equals ? (int)(equals - text) : 0, text);
        o->skips[v->skip_count++] =
            (struct validate_skip){equals ? o->skip_kernels[i] : NULL, (uint64_t)count};
        if (equals || o->programs.launches_skipped < 0 ||
            count > INT64_MAX - o->programs.launches_skipped)
            o->programs.launches_skipped = -1;
        else
            o->programs.launches_skipped += count;
    }
    return EXIT_OK;
}

/* The arguments behind --, for people. */
static void join_arguments(struct validate_operands *o, const struct options *options)
{
    size_t used = 0;
    const char *const *arguments = options->program_arguments;
    for (size_t i = 0; arguments && arguments[i] && used < sizeof o->arguments; i++)
        used += (size_t)snprintf(o->arguments + used, sizeof o->arguments - used, "%s%s",
                                 i ? " " : "", arguments[i]);
}

static int check_options(const struct validate_operands *o, const struct options *options,
                         const struct validation *v)
{
    bool needs_operand = false, has_program = false;
    struct confined confined;
    for (size_t i = 0; i < v->measured->launch_count; i++)
        needs_operand |= validate_needs_operand(&v->measured->launches[i]);
    for (size_t i = 0; i < o->jobs.count; i++)
        has_program |= o->jobs.jobs[i].input.kind == INPUT_PROGRAM;
    if (options->params.count && !needs_operand)
        return usage_error(options->command,
                           "-p is for files of nvprof and ncu: these files say the parameters");
    if (options->program_arguments && !(needs_operand && has_program))
        return usage_error(options->command,
                           "arguments behind -- are for the program that nvprof or ncu has run, "
                           "and there is none");
    return validate_operands_has_programs(v) ? confined_choose(&confined, options) : EXIT_OK;
}

int validate_operands_choose(struct validate_operands *o, const struct options *options,
                             struct validation *v)
{
    int status = choose_skips(o, options, v);
    for (size_t i = 0; i < o->input_count && status == EXIT_OK; i++)
        status = input_check_file(options->command, o->inputs[i]);
    if (status == EXIT_OK && o->input_count)
        status = choose_jobs(&o->jobs, options, o->inputs, o->input_count);
    for (size_t i = 0; i < o->jobs.count && status == EXIT_OK; i++) {
        const struct job *job = &o->jobs.jobs[i];
        const bool is_kernel = job->input.kind == INPUT_KERNEL;
        o->operands[i] = (struct validate_operand){.kernel = is_kernel ? job->input.kernel : NULL,
                                                   .args = job->args,
                                                   .path = is_kernel ? NULL : job->input.path};
    }
    join_arguments(o, options);
    o->programs.options = options;
    o->programs.opener = (struct run_opener){&o->programs, open_program, close_program};
    v->operands = o->operands;
    v->operand_count = o->jobs.count;
    v->arguments = o->arguments;
    v->places = o->places;
    v->place_count = o->place_count;
    v->opener = &o->programs.opener;
    return status ? status : check_options(o, options, v);
}

bool validate_operands_has_programs(const struct validation *v)
{
    for (size_t i = 0; i < v->operand_count; i++)
        if (v->operands[i].kernel == NULL)
            return true;
    for (size_t i = 0; i < v->measured->launch_count; i++)
        if (v->measured->launches[i].program)
            return true;
    return false;
}
