/* validate.c - `warplens validate`: how far the model is from measured counters. */
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/commands/thresholds.h"
#include "cli/commands/validate_operands.h"
#include "models/models.h"
#include "text/memory.h"
#include "text/progress.h"
#include "tracer/tracer.h"
#include "validate/device.h"
#include "validate/write.h"

struct inputs {
    struct validate_operands operands;
    struct gpu_choice gpus;
    struct validate_group groups[CHOICE_MAX];
    struct measured measured;
    struct validation validation;
};

static int read_files(struct inputs *inputs, const struct options *options)
{
    int status = validate_operands_sort(&inputs->operands, options);
    for (size_t i = 0; i < inputs->operands.file_count && status == EXIT_OK; i++) {
        status = measured_read(&inputs->measured, inputs->operands.files[i]);
        if (status)
            usage_error(options->command, "%s", inputs->measured.message);
    }
    return status;
}

/* The model of the GPU that a launch was measured on. */
static int launch_model(struct inputs *inputs, const struct options *options, size_t i,
                        const struct gpu_model **model)
{
    const struct measured_launch *launch = &inputs->measured.launches[i];
    const char *path = inputs->measured.files[launch->file].path;
    char rules[16];
    snprintf(rules, sizeof rules, "sm_%d", launch->sm);
    *model = launch->gpu ? device_model(launch->gpu) : launch->sm ? models_find(rules) : NULL;
    if (*model && launch->gpu == NULL)
        validate_note(&inputs->validation,
                      "%s says of the GPU only that it is of %s: taken for %s; --gpu NAME chooses.",
                      path, rules, (*model)->name);
    if (*model)
        return EXIT_OK;
    if (launch->gpu == NULL)
        return usage_error(options->command,
                           "%s:%lu: the file does not say on which GPU it was measured: --gpu NAME "
                           "does (`warplens gpus` lists them)",
                           path, (unsigned long)launch->line);
    return usage_error(options->command,
                       "%s:%lu: no model of the GPU %.80s: --gpu NAME chooses one (`warplens gpus` "
                       "lists them), --arch-file FILE describes one",
                       path, (unsigned long)launch->line, launch->gpu);
}

/* The GPUs of the files, in their order; joined[].group says which is a launch's. */
static int gpus_of_files(struct inputs *inputs, const struct options *options)
{
    struct options named = *options;
    const struct measured *m = &inputs->measured;
    const struct gpu_model *model = NULL;
    size_t group = 0;
    for (size_t i = 0; i < m->launch_count; i++) {
        const struct measured_launch *launch = &m->launches[i];
        bool same = i && launch->gpu == launch[-1].gpu && launch->sm == launch[-1].sm;
        int status = same ? EXIT_OK : launch_model(inputs, options, i, &model);
        if (status)
            return status;
        for (group = same ? group : 0; group < named.gpus.count; group++)
            if (strcmp(named.gpus.items[group], model->name) == 0)
                break;
        if (group == named.gpus.count)
            named.gpus.items[named.gpus.count++] = model->name;
        inputs->validation.joined[i].group = group;
    }
    return choose_gpus(&inputs->gpus, &named);
}

static int make_groups(struct inputs *inputs, const struct options *options)
{
    struct validation *v = &inputs->validation;
    for (size_t i = 0; i < options->sets.count; i++)
        if (choose_value_count(&options->sets.items[i]) > 1)
            return usage_error(options->command, "--set %s=%s: allowed is one value",
                               options->sets.items[i].name, options->sets.items[i].value);
    v->joined = memory_take(inputs->measured.launch_count + 1, sizeof *v->joined);
    if (v->joined == NULL)
        return usage_error(options->command, "no memory for the launches");
    int status = options->gpus.count || options->arch_files.count
                     ? choose_gpus(&inputs->gpus, options)
                     : gpus_of_files(inputs, options);
    if (status)
        return status;
    if ((options->gpus.count || options->arch_files.count) && inputs->gpus.count != 1)
        return usage_error(options->command,
                           "%zu GPUs are named: one is, that all files were measured on",
                           inputs->gpus.count);
    v->groups = inputs->groups;
    v->group_count = inputs->gpus.count;
    for (size_t g = 0; g < v->group_count; g++)
        v->groups[g].gpu = &inputs->gpus.gpus[g];
    return EXIT_OK;
}

/* Each step in its order; the first that fails has its message. */
static int compare(struct inputs *inputs, const struct options *options)
{
    struct validation *v = &inputs->validation;
    int status = validate_counters(v);
    if (status == 0)
        status = validate_runs(v);
    if (status == 0) {
        if (!validate_operands_has_programs(v))
            progress_start(options->command);
        workers_run(v->runs, v->run_count, (size_t)options->processes);
        progress_end();
        status = validate_join(v);
    }
    if (status == 0)
        status = validate_compare(v);
    for (size_t i = 0; i < v->complaints.count; i++)
        usage_error(options->command, "%s", v->complaints.texts[i]);
    if (status)
        usage_error(options->command, "%s", v->message);
    return status;
}

static int write_result(const struct validation *v, const struct options *options)
{
    static void (*const writers[])(const struct validation *, const struct write_options *,
                                   FILE *) = {
        [FORMAT_TEXT] = write_text, [FORMAT_JSON] = write_json, [FORMAT_CSV] = write_csv};
    const struct write_options report = {.details = options->details,
                                         .compiler = tracer_compiler()};
    struct output output;
    int status = output_open(&output, options->output);
    if (status)
        return status;
    writers[options->format](v, &report, output.stream);
    return output_close(&output);
}

static int validate(struct inputs *inputs, const struct options *options)
{
    struct threshold thresholds[OPTION_LIST_MAX];
    int status = thresholds_parse(thresholds, options);
    if (status == EXIT_OK)
        status = read_files(inputs, options);
    if (status == EXIT_OK)
        status = validate_operands_choose(&inputs->operands, options, &inputs->validation);
    if (status == EXIT_OK)
        status = make_groups(inputs, options);
    if (status == EXIT_OK)
        status = compare(inputs, options);
    if (status == EXIT_OK)
        status = thresholds_known(thresholds, &inputs->validation, options);
    if (status == EXIT_OK)
        status = write_result(&inputs->validation, options);
    if (status == EXIT_OK)
        status = thresholds_check(thresholds, &inputs->validation, options);
    /* A run that has failed is one whatever the limits say; docs/statuses.md. */
    return inputs->validation.complaints.count && (status == EXIT_OK || status == EXIT_THRESHOLD)
               ? EXIT_USAGE
               : status;
}

static int do_validate(const struct options *options)
{
    struct inputs *inputs = memory_take(1, sizeof *inputs);
    if (inputs == NULL)
        return usage_error(options->command, "no memory");
    inputs->validation.measured = &inputs->measured;
    inputs->validation.rules_only = options->rules_only;
    inputs->validation.cold_launches = options->cache_control != CACHES_NONE;
    inputs->validation.min_time_us = options->min_time_us;
    inputs->validation.within_percent = options->within_percent;
    int status = validate(inputs, options);
    validate_free(&inputs->validation);
    measured_free(&inputs->measured);
    free(inputs);
    return status;
}

const struct command command_validate = {
    .name = "validate",
    .operands = "FILE... [PROGRAM.cu | TRACE | FOLDER | KERNEL,...]",
    .help = "how far the model is from measured counters",
    .bit = COMMAND_VALIDATE,
    .run = do_validate,
    .about = "Reads what a profiler measured, runs the same under the model of the same GPU, and "
             "says for\n"
             "each counter how far apart they are. Files are CSV of nvprof, of ncu (details or raw "
             "page) or\n"
             "of the project's CUDA harness; docs/validate.md says how to collect them. A program "
             "that was\n"
             "profiled is named behind its file, its arguments behind --.\n\n"
             "  warplens validate ncu.csv program.cu -- 1024     launch by launch, by the kernels' "
             "names\n"
             "  warplens validate programs.csv samples -I inc    programs of a folder that the "
             "file names\n"
             "  warplens validate harness.csv -j 2\n"
             "  warplens validate ncu.csv transpose_naive,transpose -p width=1024 -p height=1024\n"
             "  warplens validate harness.csv --max-error mean:time_us=25",
};
