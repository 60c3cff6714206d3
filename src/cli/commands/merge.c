/* merge.c - `warplens merge`: the files of a sweep's shards -> what one machine would have given. */
#include <stdio.h>
#include <string.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "report/report.h"
#include "sweep/index.h"
#include "sweep/run_read.h"

/* What a format does with the lines, in the order of the jobs. */
struct merge {
    const struct options *options;
    struct sweep_index index;
    struct sweep_entries entries; /* text and csv */
    char message[SWEEP_MESSAGE_BYTES];
};

static int index_error(const struct merge *merge, enum sweep_status status)
{
    usage_error(merge->options->command, "%s", merge->index.message);
    return status == SWEEP_IO ? EXIT_IO : EXIT_USAGE;
}

/* As a sweep that was not in shards. */
static bool put_line(struct merge *merge, const struct sweep_line *line, FILE *out)
{
    struct sweep_head head = line->head;
    (void)merge;
    head.shard = head.shards = 1;
    sweep_head_put(&head, out);
    fwrite(line->runs, 1, line->runs_bytes, out);
    sweep_line_put_runs("", 0, out);
    return true;
}

static bool put_report(struct merge *merge, const struct sweep_line *line, FILE *out)
{
    (void)merge;
    fputs(line->head.job ? JSON_BETWEEN : "", out);
    sweep_line_put_report(line, out);
    return true;
}

/* Every job must have as many runs as the first, as a table has columns. */
static bool keep_entries(struct merge *merge, const struct sweep_line *line, FILE *out)
{
    (void)out;
    if (!run_read_all(&merge->entries, line, merge->message))
        return false;
    size_t first = 0, count = merge->entries.count;
    while (first < count && merge->entries.entries[first].job == 0)
        first++;
    if (first && count == first * (line->head.job + 1))
        return true;
    snprintf(merge->message, sizeof merge->message, "it has other GPUs than job 0");
    return false;
}

static int each_line(struct merge *merge, FILE *out,
                     bool (*take)(struct merge *, const struct sweep_line *, FILE *))
{
    bool fine = true;
    for (size_t job = 0; job < merge->index.first.jobs && fine; job++) {
        struct sweep_line line;
        enum sweep_status status = sweep_index_line(&merge->index, job, &line);
        if (status)
            return index_error(merge, status);
        fine = take(merge, &line, out);
        sweep_line_free(&line);
        if (!fine)
            usage_error(merge->options->command, "%s:%zu: %s",
                        merge->index.paths[merge->index.places[job].file - 1],
                        merge->index.places[job].line, merge->message);
    }
    return fine ? EXIT_OK : EXIT_USAGE;
}

static int write_json(struct merge *merge, FILE *out)
{
    report_json_head(merge->index.first.compiler, out);
    int status = each_line(merge, out, put_report);
    report_json_tail(out);
    return status;
}

static int write_table(struct merge *merge, FILE *out)
{
    int status = each_line(merge, out, keep_entries);
    if (status)
        return status;
    if (merge->options->format == FORMAT_CSV)
        report_compare_csv(merge->entries.entries, merge->entries.count, merge->options->counters,
                           out);
    else
        report_compare_text(merge->entries.entries, merge->entries.count, merge->options->counters,
                            out);
    return EXIT_OK;
}

static int write_merged(struct merge *merge)
{
    struct output output;
    int status = output_open(&output, merge->options->output);
    if (status)
        return status;
    if (merge->options->format == FORMAT_JSONL)
        status = each_line(merge, output.stream, put_line);
    else if (merge->options->format == FORMAT_JSON)
        status = write_json(merge, output.stream);
    else
        status = write_table(merge, output.stream);
    if (status) {
        output_discard(&output);
        return status;
    }
    return output_close(&output);
}

static int check_options(const struct options *options)
{
    if (options->operand_count == 0)
        return usage_error(options->command, "names no file: those that `warplens sweep -o` wrote");
    if (options->counters && options->format != FORMAT_TEXT && options->format != FORMAT_CSV)
        return usage_error(options->command, "--counters is for text and csv");
    return options->counters ? choose_counters(options) : EXIT_OK;
}

static int merge_files(struct merge *merge)
{
    const struct options *options = merge->options;
    enum sweep_status read =
        sweep_index_read(&merge->index, options->operands, options->operand_count);
    if (read == SWEEP_FINE)
        read = sweep_index_check_complete(&merge->index);
    int status = read ? index_error(merge, read) : write_merged(merge);
    if (status == EXIT_OK && merge->index.failed_jobs)
        status = usage_error(options->command, "%zu of %zu jobs failed; the output says why",
                             merge->index.failed_jobs, merge->index.first.jobs);
    return status;
}

static int do_merge(const struct options *options)
{
    struct merge merge = {.options = options};
    int status = check_options(options);
    if (status)
        return status;
    status = merge_files(&merge);
    sweep_index_free(&merge.index);
    report_entries_free(merge.entries.entries, merge.entries.count);
    return status;
}

const struct command command_merge = {
    .name = "merge",
    .operands = "FILE...",
    .help = "the shards of a sweep as one table or report",
    .bit = COMMAND_MERGE,
    .run = do_merge,
    .about =
        "Puts the files that `warplens sweep -o` wrote together, in the order of the jobs. All "
        "lines "
        "must be\n"
        "of one sweep and every job must have one; a job that is there twice must be the same.\n\n"
        "  warplens merge shard-*.jsonl --counters gld_efficiency,time\n"
        "  warplens merge shard-*.jsonl --format json -o sweep.json",
};
