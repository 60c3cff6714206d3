/* choose.c - looks names up and checks values against their tables. */
#include "cli/inputs/choose.h"

#include <stdio.h>
#include <string.h>

#include "models/models.h"
#include "sim/counters/quantity.h"
#include "text/nearest.h"

/* Calls `take` for each name of a comma list. */
static int each_name(const char *command, const char *list, void *choice,
                     int (*take)(const char *command, void *choice, const char *name))
{
    while (true) {
        char name[96];
        size_t length = strcspn(list, ",");
        if (length == 0 || length >= sizeof name)
            return usage_error(command, "an empty name in a list: allowed is NAME,NAME,...");
        memcpy(name, list, length);
        name[length] = '\0';
        int status = take(command, choice, name);
        if (status || list[length] == '\0')
            return status;
        list += length + 1;
    }
}

static const struct gpu_model *find_user_gpu(const struct user_gpus *users, const char *name)
{
    for (size_t i = 0; users && i < users->count; i++)
        if (strcmp(users->gpus[i].name, name) == 0)
            return &users->gpus[i].model;
    return NULL;
}

int choose_user_gpus(const struct options *options, struct user_gpus *users)
{
    users->count = 0;
    for (size_t i = 0; i < options->arch_files.count; i++) {
        char message[ARCH_FILE_MESSAGE_BYTES];
        struct user_gpu *gpu = &users->gpus[i];
        int status = arch_file_read(options->arch_files.items[i], gpu, message);
        if (status) {
            usage_error(options->command, "%s", message);
            return status;
        }
        if (find_user_gpu(users, gpu->name))
            return usage_error(options->command, "%s: another file has a GPU named %s",
                               options->arch_files.items[i], gpu->name);
        users->count++;
    }
    return EXIT_OK;
}

int choose_model(const char *command, const char *name, const struct user_gpus *users,
                 const struct gpu_model **model)
{
    *model = find_user_gpu(users, name);
    if (*model == NULL)
        *model = models_find(name);
    if (*model)
        return EXIT_OK;
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; models_parse_sm(name) == 0 && i < model_count; i++)
        nearest_offer(&nearest, models[i]->name);
    for (size_t i = 0; users && i < users->count; i++)
        nearest_offer(&nearest, users->gpus[i].name);
    char text[NEAREST_TEXT_BYTES], advice[MODELS_ADVICE_BYTES];
    return usage_error(command, "unknown GPU %s%s%s; `warplens gpus` lists them", name,
                       nearest_text(&nearest, text), models_advice(name, advice));
}

static int take_gpu(const char *command, void *choice, const char *name)
{
    struct gpu_choice *gpus = choice;
    if (gpus->count == CHOICE_MAX)
        return usage_error(command, "more than %d GPUs", CHOICE_MAX);
    struct session_gpu *gpu = &gpus->gpus[gpus->count++];
    int status = choose_model(command, name, &gpus->users, &gpu->model);
    if (status == EXIT_OK)
        arch_from_model(gpu->model, &gpu->arch);
    return status;
}

/* The GPUs of --arch-file that --gpu did not name. */
static int take_other_users(const char *command, struct gpu_choice *choice)
{
    int status = EXIT_OK;
    for (size_t u = 0; u < choice->users.count && status == EXIT_OK; u++) {
        const struct user_gpu *user = &choice->users.gpus[u];
        bool taken = false;
        for (size_t i = 0; i < choice->count; i++)
            taken |= choice->gpus[i].model == &user->model;
        if (!taken)
            status = take_gpu(command, choice, user->name);
    }
    return status;
}

static int unknown_field(const char *command, const char *name)
{
    struct nearest nearest = nearest_start(name);
    for (size_t i = 0; i < arch_field_count; i++)
        nearest_offer(&nearest, arch_fields[i].name);
    char text[NEAREST_TEXT_BYTES];
    return usage_error(command, "--set %s: unknown field%s; `warplens gpus NAME` lists them", name,
                       nearest_text(&nearest, text));
}

/* Every GPU `times` times, the copies of one side by side. */
static int copy_gpus(const char *command, struct gpu_choice *choice, size_t times)
{
    if (choice->count * times > CHOICE_MAX)
        return usage_error(command, "more than %d GPUs and values of --set", CHOICE_MAX);
    for (size_t i = choice->count; i-- > 0;)
        for (size_t copy = times; copy-- > 0;)
            choice->gpus[i * times + copy] = choice->gpus[i];
    choice->count *= times;
    return EXIT_OK;
}

/* --set field=value, or field=value,value: every GPU once with each. */
static int apply_set(const char *command, struct gpu_choice *choice, const struct setting *set)
{
    const struct arch_field *field = arch_find_field(set->name);
    char allowed[ARCH_FILE_MESSAGE_BYTES], text[CHOICE_VALUE_BYTES];
    size_t values = choose_value_count(set);
    if (field == NULL)
        return unknown_field(command, set->name);
    int status = copy_gpus(command, choice, values);
    for (size_t v = 0; v < values && status == EXIT_OK; v++) {
        struct setting one = choose_value(set, v, text);
        int64_t value;
        if (!arch_file_value(field, one.value, &value, allowed))
            return usage_error(command, "--set %s=%s: %s", set->name, one.value, allowed);
        for (size_t i = v; i < choice->count; i += values)
            arch_set(&choice->gpus[i].arch, field, value);
    }
    return status;
}

int choose_gpus(struct gpu_choice *choice, const struct options *options)
{
    int status = choose_user_gpus(options, &choice->users);
    choice->count = 0;
    for (size_t i = 0; i < options->gpus.count && status == EXIT_OK; i++)
        status = each_name(options->command, options->gpus.items[i], choice, take_gpu);
    if (status == EXIT_OK)
        status = take_other_users(options->command, choice);
    if (status == EXIT_OK && choice->count == 0)
        status = take_gpu(options->command, choice, "h200");
    for (size_t i = 0; i < options->sets.count && status == EXIT_OK; i++)
        status = apply_set(options->command, choice, &options->sets.items[i]);
    for (size_t i = 0; i < choice->count && status == EXIT_OK; i++) {
        const char *contradiction = arch_contradiction(&choice->gpus[i].arch);
        if (contradiction)
            status = usage_error(options->command, "%s: %s; `warplens gpus %s` shows what it has",
                                 choice->gpus[i].model->name, contradiction,
                                 choice->gpus[i].model->name);
    }
    return status;
}

int choose_kernel(const char *command, const char *name, const struct gallery_kernel **kernel)
{
    *kernel = gallery_find(name);
    if (*kernel)
        return EXIT_OK;
    struct nearest nearest = nearest_start(name);
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            nearest_offer(&nearest, gallery_topics[t]->kernels[i].name);
    char text[NEAREST_TEXT_BYTES];
    return usage_error(command, "unknown kernel %s%s; `warplens kernels` lists them", name,
                       nearest_text(&nearest, text));
}

static int take_kernel(const char *command, void *choice, const char *name)
{
    struct job_grid *grid = choice;
    if (grid->input_count == CHOICE_MAX)
        return usage_error(command, "more than %d kernels", CHOICE_MAX);
    return choose_kernel(command, name, &grid->inputs[grid->input_count++].kernel);
}

static int take_operand(const char *command, struct job_grid *grid, const char *operand)
{
    const enum input_kind kind = input_kind_of(operand);
    if (kind == INPUT_KERNEL)
        return each_name(command, operand, grid, take_kernel);
    if (grid->input_count == CHOICE_MAX)
        return usage_error(command, "more than %d files and kernels", CHOICE_MAX);
    grid->inputs[grid->input_count++] = (struct input){.kind = kind, .path = operand};
    return EXIT_OK;
}

int choose_grid(struct job_grid *grid, const struct options *options, const char *const *operands,
                size_t operand_count, size_t limit)
{
    int status = EXIT_OK;
    *grid = (struct job_grid){0};
    if (operand_count == 0)
        return usage_error(options->command, "names no kernel; `warplens kernels` lists them");
    for (size_t i = 0; i < operand_count && status == EXIT_OK; i++)
        status = take_operand(options->command, grid, operands[i]);
    return status ? status : choose_params(grid, options, limit);
}

size_t choose_job_count(const struct job_grid *grid)
{
    return grid->firsts[grid->input_count];
}

int choose_jobs(struct job_list *list, const struct options *options, const char *const *operands,
                size_t operand_count)
{
    struct job_grid grid;
    int status = choose_grid(&grid, options, operands, operand_count, CHOICE_MAX);
    list->count = status ? 0 : choose_job_count(&grid);
    for (size_t i = 0; i < list->count; i++)
        choose_job(&grid, i, &list->jobs[i]);
    return status;
}

static bool counter_exists(const char *name, struct nearest *nearest)
{
    bool found = false;
    for (size_t i = 0; i < quantity_own_count(); i++) {
        nearest_offer(nearest, quantity_at(i).name);
        found |= strcmp(quantity_at(i).name, name) == 0;
    }
    return found;
}

static int take_counter(const char *command, void *choice, const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    (void)choice;
    if (counter_exists(name, &nearest))
        return EXIT_OK;
    struct quantity quantity;
    if (quantity_find_profiler(name, ~0U, &quantity) == QUANTITY_FOUND)
        return usage_error(command,
                           "%s is a profiler's counter: `warplens run` shows it; --counters "
                           "takes those that are the same under every GPU",
                           name);
    return usage_error(command, "unknown counter %s%s; `warplens counters` lists them", name,
                       nearest_text(&nearest, text));
}

int choose_counters(const struct options *options)
{
    if (strcmp(options->counters, "all") == 0)
        return EXIT_OK;
    return each_name(options->command, options->counters, NULL, take_counter);
}
