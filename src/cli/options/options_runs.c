/* options_runs.c - options for what is run, under which GPUs, and where results go. */
#include <string.h>

#include "cli/inputs/arch_file.h"
#include "cli/options/options_parts.h"
#include "text/number.h"

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

static const char *take_counters(struct options *o, const char *value)
{
    o->counters = value;
    return *value ? NULL : "all, or a comma list of counters and ratios";
}

static const char *take_registers(struct options *o, const char *value)
{
    bool fine = text_number(value, &o->registers) && o->registers >= 1 && o->registers <= 255;
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

static const char *take_blocks(struct options *o, const char *value)
{
    char first[32];
    const char *dash = strchr(value, '-');
    size_t length = dash ? (size_t)(dash - value) : strlen(value);
    if (length == 0 || length >= sizeof first)
        return "first-last, such as 0-63";
    memcpy(first, value, length);
    first[length] = '\0';
    if (!text_number(first, &o->block_first) ||
        !text_number(dash ? dash + 1 : first, &o->block_last) || o->block_first < 0 ||
        o->block_last < o->block_first || o->block_last - o->block_first >= 1 << 20 ||
        o->block_last > UINT32_MAX)
        return "first-last, such as 0-63, at most 1048576 blocks";
    return NULL;
}

static const char *take_output(struct options *o, const char *value)
{
    o->output = value;
    return *value ? NULL : "a file name";
}

const struct option options_runs[] = {
    {NULL, "--gpu", "GPU,...", COMMAND_PROGRAMS | COMMAND_BENCH | COMMAND_SWEEP,
     "GPUs by chip (gtx280) or rule set (sm_13); default h200", take_gpu},
    {NULL, "--gpu", "GPU,...", COMMAND_QUIZ,
     "GPUs by chip or rule set; default gtx280,m2090,gtx1080ti,h200", take_gpu},
    {NULL, "--gpu", "GPU", COMMAND_VALIDATE,
     "the GPU that was measured; default: the one that the files name", take_gpu},
    {NULL, "--arch-file", "FILE", COMMAND_JUDGES | COMMAND_GPUS,
     "a GPU of your own; `gpus NAME --format arch-file` writes a start", take_arch_file},
    {"-p", "--param", "PARAMETER=value",
     COMMAND_PROGRAMS | COMMAND_VALIDATE | COMMAND_SWEEP | COMMAND_QUIZ,
     "a parameter of the kernel (`warplens kernels NAME`); name=1,2,4: one run each", take_param},
    {NULL, "--set", "FIELD=value", COMMAND_JUDGES,
     "changes a field of the GPUs (l2_bytes=8M; 4M,8M: both); `warplens gpus NAME` lists them",
     take_set},
    {NULL, "--counters", "all|COUNTER,...", COMMAND_COMPARE | COMMAND_MERGE,
     "the rows; default: the counters that tell layouts apart", take_counters},
    {NULL, "--counters", "all|COUNTER,...", COMMAND_DIFF,
     "the rows; default: those of the counters that tell layouts apart that differ", take_counters},
    {NULL, "--registers", "N",
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_SWEEP | COMMAND_DIFF | COMMAND_GATE | COMMAND_GRADE |
         COMMAND_ADVISE,
     "registers a thread, for the occupancy; unknown if not given", take_registers},
    {NULL, "--rules-only", NULL,
     COMMAND_RUN | COMMAND_COMPARE | COMMAND_VALIDATE | COMMAND_SWEEP | COMMAND_DIFF |
         COMMAND_GATE | COMMAND_GRADE,
     "no caches and no time: what follows from the rules alone", take_rules_only},
    {NULL, "--long", NULL, COMMAND_BENCH, "also a trace of 100 million accesses, for its memory",
     take_long},
    {NULL, "--blocks", "FIRST-LAST", COMMAND_RUN,
     "adds the DRAM partitions that each of these blocks reads and writes", take_blocks},
    {"-o", "--output", "FILE",
     COMMAND_PROGRAMS | COMMAND_COUNTERS | COMMAND_GPUS | COMMAND_KERNELS | COMMAND_VALIDATE |
         COMMAND_MERGE | COMMAND_QUIZ,
     "writes the result to a file, whole or not at all", take_output},
    {"-o", "--output", "DIR", COMMAND_GRADE,
     "writes a report a student and summary.csv into a folder", take_output},
    {"-o", "--output", "FILE", COMMAND_SWEEP,
     "adds lines to a file, line by line; runs no job whose line is there", take_output},
    {0},
};
