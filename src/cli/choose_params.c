/* choose_params.c - -p name=value, and -p name=value,value: a run for each. */
#include <stdio.h>
#include <string.h>

#include "cli/choose.h"

static const struct gallery_param *find_param(const struct gallery_kernel *kernel, const char *name,
                                              size_t *index)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++)
        if (strcmp(kernel->params[i].name, name) == 0) {
            *index = i;
            return &kernel->params[i];
        }
    return NULL;
}

static int unknown_param(const char *command, const struct kernel_choice *choice, const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES], list[512] = "it has none";
    size_t used = 0;
    for (size_t k = 0; k < choice->count; k++)
        for (size_t i = 0; i < GALLERY_PARAMS_MAX && choice->kernels[k]->params[i].name; i++) {
            nearest_offer(&nearest, choice->kernels[k]->params[i].name);
            if (k == 0 && used < sizeof list)
                used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                         i ? ", " : "it has ", choice->kernels[k]->params[i].name);
        }
    return usage_error(command, "-p %s: unknown parameter of %s%s; %s", name,
                       choice->kernels[0]->name, nearest_text(&nearest, text), list);
}

static int set_param(const char *command, const struct gallery_kernel *kernel,
                     struct gallery_args *args, const struct setting *setting, size_t index)
{
    const struct gallery_param *param = &kernel->params[index];
    int64_t value;
    bool fine = options_number(setting->value, &value) && value >= param->min &&
                value <= param->max && (param->multiple <= 1 || value % param->multiple == 0);
    if (!fine && param->multiple > 1)
        return usage_error(command,
                           "-p %s=%s: allowed for %s is %lld to %lld in multiples of %lld (%s)",
                           setting->name, setting->value, kernel->name, param->min, param->max,
                           param->multiple, param->meaning);
    if (!fine)
        return usage_error(command, "-p %s=%s: allowed for %s is %lld to %lld (%s)", setting->name,
                           setting->value, kernel->name, param->min, param->max, param->meaning);
    args->values[index] = value;
    return EXIT_OK;
}

/* Adds a copy of kernel `k` of `from`. */
static int add_copy(const char *command, struct kernel_choice *to, const struct kernel_choice *from,
                    size_t k)
{
    if (to->count == CHOICE_MAX)
        return usage_error(command, "more than %d kernels and values of parameters", CHOICE_MAX);
    to->kernels[to->count] = from->kernels[k];
    to->args[to->count] = from->args[k];
    memcpy(to->labels[to->count], from->labels[k], CHOICE_LABEL_BYTES);
    to->count++;
    return EXIT_OK;
}

/* The kernel once for each value of a list. */
static int add_values(const char *command, struct kernel_choice *to,
                      const struct kernel_choice *from, size_t k, const struct setting *setting,
                      size_t index)
{
    int status = EXIT_OK;
    for (const char *at = setting->value; at && status == EXIT_OK;) {
        struct setting one = *setting;
        size_t length = strcspn(at, ",");
        one.value = at; /* too long for a number: refused as a whole */
        char value[32];
        if (length < sizeof value) {
            snprintf(value, sizeof value, "%.*s", (int)length, at);
            one.value = value;
        }
        status = add_copy(command, to, from, k);
        if (status == EXIT_OK)
            status = set_param(command, from->kernels[k], &to->args[to->count - 1], &one, index);
        if (status == EXIT_OK) {
            char *label = to->labels[to->count - 1];
            size_t used = strlen(label);
            snprintf(label + used, CHOICE_LABEL_BYTES - used, " %s=%s", setting->name, one.value);
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return status;
}

/* -p name=value,value: every kernel that has the parameter, once with each value. */
static int expand_param(const char *command, struct kernel_choice *choice,
                        const struct setting *setting)
{
    static struct kernel_choice before;
    bool known = false;
    int status = EXIT_OK;
    before = *choice;
    choice->count = 0;
    for (size_t k = 0; k < before.count && status == EXIT_OK; k++) {
        size_t index;
        if (find_param(before.kernels[k], setting->name, &index) == NULL) {
            status = add_copy(command, choice, &before, k);
            continue;
        }
        known = true;
        status = add_values(command, choice, &before, k, setting, index);
    }
    if (status || known)
        return status;
    return unknown_param(command, choice, setting->name);
}

/* Every kernel that has the parameter takes it; one at least must have it. */
static int apply_param(const char *command, struct kernel_choice *choice,
                       const struct setting *setting)
{
    bool known = false;
    for (size_t k = 0; k < choice->count; k++) {
        size_t index;
        if (find_param(choice->kernels[k], setting->name, &index) == NULL)
            continue;
        known = true;
        int status = set_param(command, choice->kernels[k], &choice->args[k], setting, index);
        if (status)
            return status;
    }
    return known ? EXIT_OK : unknown_param(command, choice, setting->name);
}

int choose_params(struct kernel_choice *choice, const struct options *options)
{
    int status = EXIT_OK;
    for (size_t i = 0; i < options->param_count && status == EXIT_OK; i++)
        status = strchr(options->params[i].value, ',')
                     ? expand_param(options->command, choice, &options->params[i])
                     : apply_param(options->command, choice, &options->params[i]);
    return status;
}
