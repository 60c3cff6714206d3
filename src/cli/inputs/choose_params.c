/* choose_params.c - -p name=value, and -p name=value,value: a job for each. Combinations are numbered, not
 * kept: inputs in their order, under each the first -p with several values slowest, the last one
 * fastest. */
#include <stdio.h>
#include <string.h>

#include "cli/inputs/choose.h"
#include "text/number.h"
#include "text/text.h"

static bool find_param(const struct input *input, const char *name, size_t *index)
{
    const struct gallery_param *params = input_params(input);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && params[i].name; i++)
        if (strcmp(params[i].name, name) == 0) {
            *index = i;
            return true;
        }
    return false;
}

static int unknown_param(const char *command, const struct job_grid *grid, const char *name)
{
    struct nearest nearest = nearest_start(name);
    struct text list;
    char text[NEAREST_TEXT_BYTES];
    text_start(&list);
    for (size_t k = 0; k < grid->input_count; k++) {
        const struct gallery_param *params = input_params(&grid->inputs[k]);
        for (size_t i = 0; i < GALLERY_PARAMS_MAX && params[i].name; i++) {
            nearest_offer(&nearest, params[i].name);
            if (k == 0)
                text_add(&list, "%s%s", i ? ", " : "it has ", params[i].name);
        }
    }
    return usage_error(command, "-p %s: unknown parameter of %s%s; %s", name,
                       input_name(&grid->inputs[0]), nearest_text(&nearest, text),
                       list.length ? list.s : "it has none");
}

static int check_value(const char *command, const struct gallery_kernel *kernel,
                       const struct setting *setting, size_t index)
{
    const struct gallery_param *param = &kernel->params[index];
    int64_t value;
    bool fine = text_number(setting->value, &value) && value >= param->min && value <= param->max &&
                (param->multiple <= 1 || value % param->multiple == 0);
    if (!fine && param->multiple > 1)
        return usage_error(command,
                           "-p %s=%s: allowed for %s is %lld to %lld in multiples of %lld (%s)",
                           setting->name, setting->value, kernel->name, param->min, param->max,
                           param->multiple, param->meaning);
    if (!fine)
        return usage_error(command, "-p %s=%s: allowed for %s is %lld to %lld (%s)", setting->name,
                           setting->value, kernel->name, param->min, param->max, param->meaning);
    return EXIT_OK;
}

size_t choose_value_count(const struct setting *setting)
{
    size_t count = 1;
    for (const char *at = setting->value; *at; at++)
        count += *at == ',';
    return count;
}

struct setting choose_value(const struct setting *setting, size_t index,
                            char text[CHOICE_VALUE_BYTES])
{
    struct setting one = *setting;
    for (; index; index--)
        one.value = strchr(one.value, ',') + 1;
    size_t length = strcspn(one.value, ",");
    if (one.value[length] == '\0' || length >= CHOICE_VALUE_BYTES)
        return one; /* the last one; or too long for a number, and refused as it stands */
    snprintf(text, CHOICE_VALUE_BYTES, "%.*s", (int)length, one.value);
    one.value = text;
    return one;
}

/* Whether each kernel that has the parameter may have each value; one at least must have it. */
static int check_setting(const char *command, const struct job_grid *grid,
                         const struct setting *setting)
{
    bool known = false;
    for (size_t k = 0; k < grid->input_count; k++) {
        size_t index, count = choose_value_count(setting);
        if (!find_param(&grid->inputs[k], setting->name, &index))
            continue;
        known = true;
        for (size_t i = 0; i < count; i++) {
            char text[CHOICE_VALUE_BYTES];
            struct setting one = choose_value(setting, i, text);
            int status = check_value(command, grid->inputs[k].kernel, &one, index);
            if (status)
                return status;
        }
    }
    return known ? EXIT_OK : unknown_param(command, grid, setting->name);
}

/* How many combinations a kernel has; more than `limit` are limit + 1. */
static size_t combinations(const struct job_grid *grid, size_t k, size_t limit)
{
    size_t count = 1, index;
    for (size_t i = 0; i < grid->params->count; i++)
        if (find_param(&grid->inputs[k], grid->params->items[i].name, &index)) {
            size_t values = choose_value_count(&grid->params->items[i]);
            if (count > limit / values)
                return limit + 1;
            count *= values;
        }
    return count;
}

int choose_params(struct job_grid *grid, const struct options *options, size_t limit)
{
    grid->params = &options->params;
    for (size_t i = 0; i < grid->params->count; i++) {
        int status = check_setting(options->command, grid, &grid->params->items[i]);
        if (status)
            return status;
    }
    for (size_t k = 0; k < grid->input_count; k++) {
        size_t count = combinations(grid, k, limit);
        if (count > limit - grid->firsts[k])
            return usage_error(options->command, "more than %zu kernels and values of parameters",
                               limit);
        grid->firsts[k + 1] = grid->firsts[k] + count;
    }
    return EXIT_OK;
}

void choose_job(const struct job_grid *grid, size_t number, struct job *job)
{
    size_t k = 0, index;
    while (number >= grid->firsts[k + 1])
        k++;
    size_t at = number - grid->firsts[k], stride = grid->firsts[k + 1] - grid->firsts[k];
    job->input = grid->inputs[k];
    job->args = (struct gallery_args){.params = input_params(&job->input)};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX; i++)
        job->args.values[i] = job->args.params[i].value;
    size_t used = (size_t)snprintf(job->label, sizeof job->label, "%s", input_name(&job->input));
    for (size_t i = 0; i < grid->params->count; i++) {
        const struct setting *setting = &grid->params->items[i];
        char text[CHOICE_VALUE_BYTES];
        if (!find_param(&job->input, setting->name, &index))
            continue;
        size_t values = choose_value_count(setting);
        stride /= values;
        struct setting one = choose_value(setting, at / stride % values, text);
        int64_t value = 0;
        text_number(one.value, &value); /* checked before */
        job->args.values[index] = value;
        if (values > 1 && used < sizeof job->label)
            used += (size_t)snprintf(job->label + used, sizeof job->label - used, " %s=%s",
                                     one.name, one.value);
    }
}
