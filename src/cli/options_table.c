/* options_table.c - the options: a row each, and the function that stores its value. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/arch_file.h"
#include "cli/options_parts.h"
#include "trace_io/format.h"

/* Each stores one value; NULL when it is fine, otherwise what is allowed. */
static const char *take_gpu(struct options *o, const char *value)
{
    if (o->gpu_count == OPTION_LIST_MAX)
        return "at most 64 times";
    o->gpus[o->gpu_count++] = value;
    return NULL;
}

static const char *take_arch_file(struct options *o, const char *value)
{
    if (o->arch_file_count == ARCH_FILES_MAX)
        return "at most 8 times";
    o->arch_files[o->arch_file_count++] = value;
    return *value ? NULL : "a file name";
}

static const char *take_setting(struct setting *list, size_t *count, const char *value)
{
    const char *equals = strchr(value, '=');
    if (equals == NULL || equals == value || equals[1] == '\0')
        return "name=value";
    if ((size_t)(equals - value) >= sizeof list->name)
        return "a name of at most 63 characters";
    if (*count == OPTION_LIST_MAX)
        return "at most 64 times";
    struct setting *setting = &list[(*count)++];
    memcpy(setting->name, value, (size_t)(equals - value));
    setting->name[equals - value] = '\0';
    setting->value = equals + 1;
    return NULL;
}

static const char *take_param(struct options *o, const char *value)
{
    return take_setting(o->params, &o->param_count, value);
}

static const char *take_set(struct options *o, const char *value)
{
    return take_setting(o->sets, &o->set_count, value);
}

static const char *const format_names[] = {"text", "json", "csv", "markdown", "arch-file", "jsonl"};

/* One of the `formats`, bits by enum format; `allowed` says which they are. */
static const char *take_format_of(struct options *o, const char *value, unsigned formats,
                                  const char *allowed)
{
    for (unsigned i = 0; i < sizeof format_names / sizeof format_names[0]; i++)
        if ((formats >> i & 1U) && strcmp(value, format_names[i]) == 0) {
            o->format = (enum format)i;
            return NULL;
        }
    return allowed;
}

static const char *take_report_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON | 1U << FORMAT_CSV,
                          "text, json or csv");
}

static const char *take_merge_format(struct options *o, const char *value)
{
    return take_format_of(
        o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON | 1U << FORMAT_JSONL | 1U << FORMAT_CSV,
        "text, json, jsonl or csv");
}

static const char *take_explain_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_JSON, "text or json");
}

static const char *take_list_format(struct options *o, const char *value)
{
    return take_format_of(o, value, 1U << FORMAT_TEXT | 1U << FORMAT_MARKDOWN, "text or markdown");
}

static const char *take_gpus_format(struct options *o, const char *value)
{
    return take_format_of(o, value,
                          1U << FORMAT_TEXT | 1U << FORMAT_MARKDOWN | 1U << FORMAT_JSON |
                              1U << FORMAT_ARCH_FILE,
                          "text, markdown, json or arch-file");
}

static const char *take_output(struct options *o, const char *value)
{
    o->output = value;
    return *value ? NULL : "a file name";
}

static const char *take_counters(struct options *o, const char *value)
{
    o->counters = value;
    return *value ? NULL : "all, or a comma list of counters and ratios";
}

static const char *take_registers(struct options *o, const char *value)
{
    bool fine = options_number(value, &o->registers) && o->registers >= 1 && o->registers <= 255;
    return fine ? NULL : "1 to 255";
}

static const char *take_rules_only(struct options *o, const char *value)
{
    (void)value;
    o->rules_only = true;
    return NULL;
}

static const char *take_long(struct options *o, const char *value)
{
    (void)value;
    o->is_long = true;
    return NULL;
}

static const char *take_details(struct options *o, const char *value)
{
    (void)value;
    o->details = true;
    return NULL;
}

static const char *take_warm_launches(struct options *o, const char *value)
{
    (void)value;
    o->warm_launches = true;
    return NULL;
}

static const char *take_jobs(struct options *o, const char *value)
{
    bool fine = options_number(value, &o->jobs) && o->jobs >= 1 && o->jobs <= 256;
    return fine ? NULL : "1 to 256";
}

static const char *take_shard(struct options *o, const char *value)
{
    char first[32];
    size_t length = strcspn(value, "/");
    if (value[length] == '/' && length < sizeof first) {
        snprintf(first, sizeof first, "%.*s", (int)length, value);
        if (options_number(first, &o->shard) && options_number(value + length + 1, &o->shards) &&
            o->shard >= 1 && o->shard <= o->shards && o->shards <= 1000000)
            return NULL;
    }
    return "i/n, such as 2/8, with i from 1 to n and n up to 1000000";
}

static const char *take_list(struct options *o, const char *value)
{
    (void)value;
    o->list = true;
    return NULL;
}

static const char *take_min_time(struct options *o, const char *value)
{
    char *end;
    o->min_time_us = strtod(value, &end);
    bool fine = value[0] >= '0' && value[0] <= '9' && *end == '\0' && o->min_time_us <= 1e12;
    return fine ? NULL : "a time in microseconds, from 0 on";
}

static const char *take_max_error(struct options *o, const char *value)
{
    if (o->max_error_count == OPTION_LIST_MAX)
        return "at most 64 times";
    o->max_errors[o->max_error_count++] = value;
    return NULL;
}

/* What --format and --from allow, made once. */
static const char *trace_format_names(void)
{
    static char names[128];
    for (size_t i = 0; i < trace_format_count && names[0] == '\0'; i++)
        for (size_t k = 0, used = 0; k < trace_format_count; k++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "",
                                     trace_formats[k].name);
    return names;
}

static const char *take_trace_format(struct options *o, const char *value)
{
    o->trace_format = value;
    return trace_format_named(value) ? NULL : trace_format_names();
}

static const char *take_from(struct options *o, const char *value)
{
    o->from = value;
    return trace_format_named(value) ? NULL : trace_format_names();
}

static const char *take_map(struct options *o, const char *value)
{
    o->map = value;
    return *value ? NULL : "field=column,field=column,...";
}

static const char *take_blocks(struct options *o, const char *value)
{
    char first[32];
    const char *dash = strchr(value, '-');
    size_t length = dash ? (size_t)(dash - value) : strlen(value);
    if (length == 0 || length >= sizeof first)
        return "first-last, such as 0-63";
    memcpy(first, value, length);
    first[length] = '\0';
    if (!options_number(first, &o->block_first) ||
        !options_number(dash ? dash + 1 : first, &o->block_last) || o->block_first < 0 ||
        o->block_last < o->block_first || o->block_last - o->block_first >= 1 << 20 ||
        o->block_last > UINT32_MAX)
        return "first-last, such as 0-63, at most 1048576 blocks";
    return NULL;
}

static const char *take_with(struct options *o, const char *value)
{
    if (o->with_count == OPTION_LIST_MAX - 1)
        return "at most 63 times";
    o->with[o->with_count++] = value;
    return *value ? NULL : "a file name";
}

/* The compiler takes letter and value in one word. */
static const char *take_compiler_option(struct options *o, char letter, const char *value)
{
    char *word;
    if (o->compiler_option_count == OPTION_LIST_MAX)
        return "at most 64 times";
    if (asprintf(&word, "-%c%s", letter, value) < 0)
        return "less memory in use";
    o->compiler_options[o->compiler_option_count++] = word; /* until the program ends */
    return NULL;
}

static const char *take_include(struct options *o, const char *value)
{
    return *value ? take_compiler_option(o, 'I', value) : "a directory";
}

static const char *take_define(struct options *o, const char *value)
{
    return *value ? take_compiler_option(o, 'D', value) : "NAME or NAME=value";
}

const struct option option_table[] = {
    {NULL, "--gpu", "NAME[,NAME...]",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_BENCH | COMMAND_SWEEP |
         COMMAND_TRACE,
     "GPUs by chip (gtx280) or rule set (sm_13); default h200", take_gpu},
    {NULL, "--gpu", "NAME", COMMAND_VALIDATE,
     "the GPU that was measured; default: the one that the files name", take_gpu},
    {NULL, "--arch-file", "FILE",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_GPUS | COMMAND_VALIDATE |
         COMMAND_SWEEP,
     "a GPU of your own; `gpus NAME --format arch-file` writes a start", take_arch_file},
    {"-p", "--param", "name=value",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_VALIDATE | COMMAND_SWEEP |
         COMMAND_TRACE,
     "a parameter of the kernel (`warplens kernels NAME`); name=1,2,4: one run each", take_param},
    {NULL, "--set", "field=value",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_VALIDATE | COMMAND_SWEEP,
     "changes a field of the GPUs (l2_bytes=8M; 4M,8M: both); `warplens gpus NAME` lists them",
     take_set},
    {NULL, "--counters", "all|NAME[,NAME...]", COMMAND_COMPARE | COMMAND_MERGE,
     "the rows; default: the counters that tell layouts apart", take_counters},
    {NULL, "--registers", "N", COMMAND_RUN | COMMAND_COMPARE | COMMAND_SWEEP,
     "registers a thread, for the occupancy; unknown if not given", take_registers},
    {NULL, "--rules-only", NULL, COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_SWEEP,
     "no caches and no time: what follows from the rules alone", take_rules_only},
    {NULL, "--long", NULL, COMMAND_BENCH, "also a trace of 100 million accesses, for its memory",
     take_long},
    {NULL, "--blocks", "FIRST-LAST", COMMAND_RUN,
     "adds the DRAM partitions that each of these blocks reads and writes", take_blocks},
    {NULL, "--shard", "I/N", COMMAND_SWEEP,
     "only every N-th job, from job I - 1 on: the share of one of N machines", take_shard},
    {NULL, "--list", NULL, COMMAND_SWEEP, "prints the jobs and runs none", take_list},
    {"-j", "--jobs", "N", COMMAND_VALIDATE | COMMAND_SWEEP,
     "runs the model in N processes; default 1", take_jobs},
    {NULL, "--details", NULL, COMMAND_VALIDATE, "also each launch, also when there are more than 4",
     take_details},
    {NULL, "--warm-launches", NULL, COMMAND_VALIDATE,
     "caches as the launch before left them (ncu --cache-control none, CUDA events)",
     take_warm_launches},
    {NULL, "--min-time", "US", COMMAND_VALIDATE,
     "leaves shorter launches out of the summary of times", take_min_time},
    {NULL, "--max-error", "[mean:]COUNTER=PERCENT", COMMAND_VALIDATE,
     "exit status 3 when the worst (or mean) error is larger; may be repeated", take_max_error},
    {NULL, "--format", "text|json|csv", COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE,
     "how to write the result", take_report_format},
    {NULL, "--format", "FORMAT", COMMAND_MERGE,
     "text, csv or json, as `compare` has them, or jsonl, as `sweep` has it", take_merge_format},
    {NULL, "--format", "text|json", COMMAND_EXPLAIN, "how to write the result",
     take_explain_format},
    {NULL, "--format", "text|markdown", COMMAND_COUNTERS | COMMAND_KERNELS, "how to write the list",
     take_list_format},
    {NULL, "--format", "FORMAT", COMMAND_GPUS,
     "text, markdown, json, or arch-file: what --arch-file reads", take_gpus_format},
    {NULL, "--format", "FORMAT", COMMAND_TRACE,
     "of the trace to write; default: by the file's name, or binary; cat: text", take_trace_format},
    {NULL, "--from", "FORMAT", COMMAND_TRACE | COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN,
     "of the traces to read; default: what the file begins with", take_from},
    {NULL, "--map", "field=column,...",
     COMMAND_TRACE | COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN,
     "csv traces: which column holds what (docs/trace-csv.md)", take_map},
    {NULL, "--with", "FILE", COMMAND_PROGRAMS, "a further source file of a CUDA program",
     take_with},
    {"-I", "--include", "DIR", COMMAND_PROGRAMS, "where a CUDA program's headers are",
     take_include},
    {"-D", "--define", "NAME[=value]", COMMAND_PROGRAMS, "a macro for a CUDA program", take_define},
    {"-o", "--output", "FILE",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_EXPLAIN | COMMAND_COUNTERS | COMMAND_GPUS |
         COMMAND_KERNELS | COMMAND_VALIDATE | COMMAND_MERGE | COMMAND_TRACE,
     "writes the result to a file, whole or not at all", take_output},
    {"-o", "--output", "FILE", COMMAND_SWEEP,
     "adds lines to a file, line by line; runs no job whose line is there", take_output},
};
const size_t option_count = sizeof option_table / sizeof option_table[0];
