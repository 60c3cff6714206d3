/* grade.c - `warplens grade`: an exercise's points for students' files. What a student hands in never
 * ends the grading of the next one. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands/attempt.h"
#include "cli/inputs/choose.h"
#include "cli/inputs/confined.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "text/memory.h"

struct grading {
    struct options options; /* with the exercise's GPUs and arguments */
    struct grade_spec spec;
    struct gpu_choice gpus;
    struct grade *grades; /* one a file */
    size_t count;         /* files */
    size_t done;
};

/* ---- The exercise ---------------------------------------------------------------------------------- */

static int spec_error(const struct grading *g, unsigned line, const char *message)
{
    return usage_error(g->options.command, "%s:%u: %s", g->options.operands[0], line, message);
}

/* Each limit must be one that the GPUs it is for can have a value of. */
static int check_limit(const struct grading *g, const struct spec_item *item)
{
    bool used = false;
    for (size_t i = 0; i < g->gpus.count; i++) {
        struct quantity quantity;
        struct rule_set rules;
        enum fault_kind kind;
        char text[SPEC_TEXT_BYTES];
        if (!limit_is_for(&item->limit, g->gpus.gpus[i].model->name))
            continue;
        used = true;
        if (limit_is_of_faults(&item->limit, &kind) || !rules_for(&g->gpus.gpus[i].arch, &rules) ||
            quantity_find(item->limit.quantity, rules.profiler, &quantity) == QUANTITY_FOUND)
            continue;
        snprintf(text, sizeof text, "%.100s is no counter of %.60s's profiler, %.60s",
                 item->limit.quantity, g->gpus.gpus[i].model->name, profiler_title(rules.profiler));
        return spec_error(g, item->line, text);
    }
    return used ? EXIT_OK : spec_error(g, item->line, "the limit's GPU is none of the exercise's");
}

static int read_spec(struct grading *g)
{
    char message[SPEC_MESSAGE_BYTES];
    bool is_io;
    if (!spec_read(&g->spec, g->options.operands[0], message, &is_io)) {
        usage_error(g->options.command, "%s", message);
        return is_io ? EXIT_IO : EXIT_USAGE;
    }
    g->options.gpus.items[0] = g->spec.gpus;
    g->options.gpus.count = 1;
    g->options.program_arguments = g->spec.arguments[0] ? g->spec.arguments : NULL;
    int status = choose_gpus(&g->gpus, &g->options);
    for (size_t i = 0; i < g->spec.item_count && status == EXIT_OK; i++)
        if (!g->spec.items[i].is_pass)
            status = check_limit(g, &g->spec.items[i]);
    return status;
}

static int check_operands(const struct options *options)
{
    if (options->operand_count < 2)
        return usage_error(options->command,
                           "takes an exercise and files of students: see docs/grading.md");
    for (size_t i = 1; i < options->operand_count; i++)
        if (input_kind_of(options->operands[i]) == INPUT_KERNEL ||
            strcmp(options->operands[i], "-") == 0)
            return usage_error(options->command, "%s: not a file's name: those have a dot or a /",
                               options->operands[i]);
    return EXIT_OK;
}

/* ---- Grading --------------------------------------------------------------------------------------- */

static int grade_file(struct grading *g, const char *file)
{
    struct attempt attempt;
    if (!attempt_run(&attempt, &g->options, file, g->spec.timeout_s)) {
        attempt_free(&attempt);
        return EXIT_IO;
    }
    bool fine = grade_start(&g->grades[g->done++], &g->spec, file, &attempt);
    attempt_free(&attempt);
    return fine ? EXIT_OK : usage_error(g->options.command, "%s: no memory to grade it", file);
}

static int grade_all(struct grading *g)
{
    int status = EXIT_OK;
    g->count = g->options.operand_count - 1;
    g->grades = memory_take(g->count, sizeof *g->grades);
    if (g->grades == NULL)
        return usage_error(g->options.command, "no memory for %zu grades", g->count);
    for (size_t i = 0; i < g->count && status == EXIT_OK; i++)
        status = grade_file(g, g->options.operands[i + 1]);
    return status;
}

/* ---- Reports --------------------------------------------------------------------------------------- */

/* "hw/ann/transpose.cu" -> "hw_ann_transpose.cu.txt", to be freed; NULL without memory. */
static char *report_path(const struct grading *g, const char *file)
{
    char *path;
    while (strncmp(file, "./", 2) == 0 || strncmp(file, "../", 3) == 0 || *file == '/')
        file = strchr(file, '/') + 1;
    if (asprintf(&path, "%s/%s%s", g->options.output, *file ? file : "file",
                 g->options.format == FORMAT_JSON ? ".json" : ".txt") < 0)
        return NULL;
    for (char *at = path + strlen(g->options.output) + 1; *at; at++)
        *at = *at == '/' ? '_' : *at;
    return path;
}

/* Two files of one name would write one report. */
static int check_paths(const struct grading *g)
{
    int status = EXIT_OK;
    for (size_t i = 1; i < g->options.operand_count && status == EXIT_OK; i++)
        for (size_t k = i + 1; k < g->options.operand_count && status == EXIT_OK; k++) {
            char *a = report_path(g, g->options.operands[i]);
            char *b = report_path(g, g->options.operands[k]);
            if (a == NULL || b == NULL || strcmp(a, b) == 0)
                status = usage_error(g->options.command, "%s and %s would have one report: %s",
                                     g->options.operands[i], g->options.operands[k],
                                     a ? a : "no memory");
            free(a);
            free(b);
        }
    return status;
}

static void write_report(const struct grading *g, const struct grade *grade, FILE *out)
{
    if (g->options.format == FORMAT_JSON) {
        grade_write_json(grade, out);
        fputc('\n', out);
    } else {
        grade_write_text(grade, out);
    }
}

static int write_student(const struct grading *g, const struct grade *grade)
{
    struct output output;
    char *path = report_path(g, grade->file);
    if (path == NULL)
        return usage_error(g->options.command, "no memory for a file's name");
    int status = output_open(&output, path);
    if (status == EXIT_OK) {
        write_report(g, grade, output.stream);
        status = output_close(&output);
    }
    free(path);
    return status;
}

static int write_summary(const struct grading *g)
{
    struct output output;
    char *path;
    if (asprintf(&path, "%s/summary.csv", g->options.output) < 0)
        return usage_error(g->options.command, "no memory for a file's name");
    int status = output_open(&output, path);
    if (status == EXIT_OK) {
        grade_write_csv(g->grades, g->done, output.stream);
        status = output_close(&output);
    }
    free(path);
    return status;
}

static int write_folder(const struct grading *g)
{
    int status = EXIT_OK;
    for (size_t i = 0; i < g->done && status == EXIT_OK; i++)
        status = write_student(g, &g->grades[i]);
    if (status == EXIT_OK)
        status = write_summary(g);
    if (status == EXIT_OK)
        grade_write_table(g->grades, g->done, stdout);
    return status;
}

static void write_text(const struct grading *g)
{
    for (size_t i = 0; i < g->done; i++) {
        grade_write_text(&g->grades[i], stdout);
        fputc('\n', stdout);
    }
    grade_write_table(g->grades, g->done, stdout);
}

static void write_json(const struct grading *g)
{
    fputs("{\"schema\":1,\"title\":", stdout);
    quote_json_string(g->spec.title, stdout);
    printf(",\"of\":%u,\"students\":[\n", g->spec.points);
    for (size_t i = 0; i < g->done; i++) {
        fputs(i ? JSON_BETWEEN : "", stdout);
        grade_write_json(&g->grades[i], stdout);
    }
    fputs("\n]}\n", stdout);
}

/* Before anything is run. */
static int open_folder(const struct grading *g)
{
    struct stat info;
    const char *path = g->options.output;
    int status = check_paths(g);
    if (status == EXIT_OK && mkdir(path, 0777) != 0 &&
        (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))) {
        usage_error(g->options.command, "-o %s: no folder, and none can be made: %s", path,
                    strerror(errno));
        status = EXIT_IO;
    }
    return status;
}

/* As of every command: what has not run to its end makes the status, when all is written. */
static int check_runs(const struct grading *g)
{
    size_t failed = 0;
    for (size_t i = 0; i < g->done; i++)
        failed += !g->grades[i].has_run;
    return failed == 0
               ? EXIT_OK
               : usage_error(g->options.command,
                             "%zu of %zu files did not run to their end: their reports say why",
                             failed, g->done);
}

static int grade_and_write(struct grading *g)
{
    int status = read_spec(g);
    if (status == EXIT_OK && g->options.output)
        status = open_folder(g);
    if (status == EXIT_OK)
        status = grade_all(g);
    if (status == EXIT_OK && g->options.output)
        status = write_folder(g);
    else if (status == EXIT_OK)
        (g->options.format == FORMAT_JSON ? write_json : write_text)(g);
    fflush(stdout);
    return status == EXIT_OK ? check_runs(g) : status;
}

static int do_grade(const struct options *options)
{
    int status = check_operands(options);
    struct confined confined;
    struct options own = *options;
    if (own.confine == CONFINE_USUAL) /* what students hand in is strangers' code */
        own.confine = CONFINE_YES;
    if (status == EXIT_OK) /* before anything is run */
        status = confined_choose(&confined, &own);
    struct grading *g = status ? NULL : memory_take(1, sizeof *g);
    if (g == NULL)
        return status ? status : usage_error(options->command, "no memory");
    g->options = own;
    g->options.command_writes_data =
        false; /* in the process of its own, the program's output is read */
    status = grade_and_write(g);
    for (size_t i = 0; i < g->done; i++)
        grade_free(&g->grades[i]);
    free(g->grades);
    free(g);
    return status;
}

const struct command command_grade = {
    .name = "grade",
    .operands = "SPEC FILE...",
    .help = "points for students' kernels",
    .bit = COMMAND_GRADE,
    .run = do_grade,
    .about =
        "Compiles and runs each student's .cu file (or reads a trace) and gives the points that "
        "SPEC, a\n"
        "text file of a few lines, promises (docs/grading.md):\n\n"
        "  title       A transpose that coalesces\n"
        "  gpu         h200\n"
        "  must_print  PASSED\n"
        "  points 2    pass\n"
        "  points 4    min gst_efficiency=80\n"
        "  points 4    max array tile:shared_load_conflicts=0\n"
        "  points 2    no faults\n\n"
        "A file that does not compile, crashes or takes too long gets no points, and the next one "
        "is\n"
        "graded; the exit status is 2 then. Programs are not locked in: run strangers' code in a "
        "container.\n\n"
        "  warplens grade transpose.grade ann.cu bob.cu -o reports",
};
