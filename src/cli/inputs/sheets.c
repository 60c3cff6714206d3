/* sheets.c - what was just run goes through the same JSON as what was kept in a file, so that both say the
 * same to the last digit. A program that fails is judged by what was complete, and the status says so. */
#define _GNU_SOURCE
#include "cli/inputs/sheets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs/input.h"
#include "cli/inputs/runs.h"
#include "text/list.h"
#include "text/memory.h"

/* ---- Results in files ------------------------------------------------------------------------------ */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), behind = strlen(end);
    return length >= behind && strcmp(text + length - behind, end) == 0;
}

bool sheets_is_result(const char *operand)
{
    char begin[sizeof SHEET_BEGIN - 1];
    if (input_kind_of(operand) != INPUT_TRACE || strcmp(operand, "-") == 0)
        return false;
    FILE *file = memory_open_file(operand, "rbe");
    if (file == NULL)
        return false;
    size_t length = fread(begin, 1, sizeof begin, file);
    fclose(file);
    return ends_with(operand, ".json") ||
           (length == sizeof begin && memcmp(begin, SHEET_BEGIN, length) == 0);
}

int sheets_check_options(const struct options *options)
{
    const char *given = options->params.count        ? "-p"
                        : options->sets.count        ? "--set"
                        : options->registers         ? "--registers"
                        : options->rules_only        ? "--rules-only"
                        : options->cache_control     ? "--cache-control"
                        : options->program_arguments ? "--"
                                                     : NULL;
    for (size_t i = 0; i < options->operand_count; i++)
        if (!sheets_is_result(options->operands[i]))
            return EXIT_OK;
    return given ? usage_error(options->command, "%s is for what is run, and %s is a result", given,
                               options->operands[0])
                 : EXIT_OK;
}

/* All of the stream, or a little more than is allowed; *text is the caller's to free. */
static bool load_stream(FILE *file, char **text, size_t *bytes)
{
    size_t room = 0, got = 1;
    for (*bytes = 0; got && *bytes <= SHEET_FILE_BYTES; *bytes += got) {
        if (!LIST_MAKE_ROOM(*text, *bytes, room))
            return false;
        got = fread(*text + *bytes, 1, room - *bytes, file);
    }
    return !ferror(file);
}

static int load(const struct options *options, const char *path, char **text, size_t *bytes)
{
    FILE *file = memory_open_file(path, "rbe");
    bool fine = file && load_stream(file, text, bytes);
    int error = errno;
    if (file)
        fclose(file);
    if (!fine)
        usage_error(options->command, "%s: cannot read: %s", path, strerror(error));
    else if (*bytes > SHEET_FILE_BYTES)
        return usage_error(options->command, "%s: a result of more than %d MB", path,
                           SHEET_FILE_BYTES >> 20);
    return fine ? EXIT_OK : EXIT_IO;
}

static bool is_chosen(const struct gpu_choice *gpus, const char *name)
{
    for (size_t i = 0; i < gpus->count; i++)
        if (strcmp(gpus->gpus[i].model->name, name) == 0)
            return true;
    return false;
}

/* Leaves the runs on the GPUs that were asked for. */
static int keep_chosen(struct sheets *sheets, const struct options *options, const char *path)
{
    struct gpu_choice *gpus = memory_take(1, sizeof *gpus);
    if (gpus == NULL)
        return usage_error(options->command, "no memory for the GPUs");
    int status = choose_gpus(gpus, options);
    size_t kept = 0;
    for (size_t i = 0; i < sheets->count && status == EXIT_OK; i++)
        if (is_chosen(gpus, sheets->sheets[i].run.gpu)) {
            struct sheet sheet = sheets->sheets[kept];
            sheets->sheets[kept++] = sheets->sheets[i];
            sheets->sheets[i] = sheet;
        }
    if (status == EXIT_OK && kept == 0)
        status = usage_error(options->command, "%s: no run on a GPU of --gpu; its first is on %s",
                             path, sheets->sheets[0].run.gpu);
    while (status == EXIT_OK && sheets->count > kept)
        sheet_free(&sheets->sheets[--sheets->count]);
    free(gpus);
    return status;
}

static int read_result(struct sheets *sheets, const struct options *options, const char *path)
{
    char message[SHEET_MESSAGE_BYTES], *text = NULL;
    size_t bytes;
    int status = load(options, path, &text, &bytes);
    if (status == EXIT_OK && !sheets_read(sheets, text, bytes, message))
        status = usage_error(options->command, "%s: %s", path, message);
    free(text);
    if (status == EXIT_OK && options->gpus.count)
        status = keep_chosen(sheets, options, path);
    return status;
}

/* ---- Runs ------------------------------------------------------------------------------------------ */

static int write_runs(const struct options *options, FILE *out)
{
    static const struct report_options plain = {0};
    struct runs *runs = memory_take(1, sizeof *runs);
    if (runs == NULL)
        return usage_error(options->command, "no memory for the runs");
    int status = runs_choose(runs, options);
    if (status == EXIT_OK)
        status = runs_do(runs, options);
    if (status == EXIT_OK && runs->done == 0) /* a message has said so */
        status = EXIT_USAGE;
    if (status == EXIT_OK) {
        report_json(runs->results, runs->done, &plain, out);
        status = runs->fault_status;
    }
    runs_free(runs);
    free(runs);
    return status;
}

int sheets_run(const struct options *options, const char *operand, FILE *out)
{
    struct options one = *options;
    one.operands = &operand;
    one.operand_count = 1;
    return write_runs(&one, out);
}

/* The GPUs of sheets as --gpu takes them, each once; to be freed. */
static char *gpu_list(const struct sheets *sheets)
{
    char *list = NULL;
    size_t bytes;
    FILE *out = memory_stream(&list, &bytes);
    if (out == NULL)
        return NULL;
    for (size_t i = 0, k; i < sheets->count; i++) {
        for (k = 0; k < i && strcmp(sheets->sheets[k].run.gpu, sheets->sheets[i].run.gpu) != 0;)
            k++;
        if (k == i)
            fprintf(out, "%s%s", i ? "," : "", sheets->sheets[i].run.gpu);
    }
    return fclose(out) == 0 ? list : NULL;
}

static int run_to_sheets(struct sheets *sheets, const struct options *options, const char *operand)
{
    char message[SHEET_MESSAGE_BYTES], *text = NULL;
    size_t bytes;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return usage_error(options->command, "no memory for the results");
    int status = sheets_run(options, operand, out);
    if (fclose(out) != 0)
        status = usage_error(options->command, "no memory for the results");
    if (status == EXIT_USAGE && bytes) /* what has failed, the sheets say */
        status = EXIT_OK;
    if (status == EXIT_OK && !sheets_read(sheets, text, bytes, message))
        status = usage_error(options->command, "%s: %s", operand, message);
    free(text);
    return status;
}

int sheets_status(const struct sheets *sheets, int status)
{
    for (size_t i = 0; i < sheets->count; i++)
        if (sheets->sheets[i].run.has_stopped)
            return EXIT_USAGE;
    return status;
}

int sheets_open_result(struct sheets *sheets, const struct options *options, const char *path)
{
    *sheets = (struct sheets){0};
    int status = read_result(sheets, options, path);
    if (status)
        sheets_free(sheets);
    return status;
}

int sheets_open(struct sheets *sheets, const struct options *options, const char *operand,
                const struct sheets *like)
{
    struct options on_like = *options;
    char *gpus = NULL;
    int status;
    if (sheets_is_result(operand))
        return sheets_open_result(sheets, options, operand);
    *sheets = (struct sheets){0};
    if (options->gpus.count == 0 && like && (gpus = gpu_list(like)) != NULL) {
        on_like.gpus.items[on_like.gpus.count++] = gpus;
        status = run_to_sheets(sheets, &on_like, operand);
    } else {
        status = run_to_sheets(sheets, options, operand);
    }
    free(gpus);
    if (status)
        sheets_free(sheets);
    return status;
}
