/* validate.c - messages, notes, names; which counters can be compared. */
#define _GNU_SOURCE
#include "validate/validate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"
#include "sim/counters/quantity.h"
#include "text/memory.h"

int validate_fail(struct validation *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(v->message, sizeof v->message, format, arguments);
    va_end(arguments);
    return 2;
}

static void add_text(struct name_set *texts, const char *format, va_list arguments)
{
    char text[VALIDATE_MESSAGE_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    name_set_add(texts, text);
}

void validate_note(struct validation *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(&v->notes, format, arguments);
    va_end(arguments);
}

void validate_complain(struct validation *v, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_text(&v->complaints, format, arguments);
    va_end(arguments);
}

bool validate_needs_operand(const struct measured_launch *launch)
{
    return launch->kernel == NULL && launch->program == NULL;
}

void name_list_add(struct name_list *list, const char *name)
{
    enum { MORE_BYTES = sizeof ", ..." };
    size_t needed = strlen(name) + 2;
    if (list->used + needed + MORE_BYTES < sizeof list->text) {
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s%s", list->used ? ", " : "", name);
    } else if (list->used + MORE_BYTES < sizeof list->text) {
        snprintf(list->text + list->used, sizeof list->text - list->used, ", ...");
        list->used = sizeof list->text;
    }
}

const char *validate_counter_name(const struct validation *v, const struct compared_counter *c)
{
    return v->measured->counters.texts[c->name];
}

const char *validate_run_name(const struct model_run *run)
{
    return run->kernel ? run->kernel->name : run->name;
}

const char *validate_params(const struct model_run *run, char params[VALIDATE_LABEL_BYTES])
{
    size_t used = 0;
    snprintf(params, VALIDATE_LABEL_BYTES, "%s", run->kernel ? "" : run->arguments);
    for (size_t i = 0; run->kernel && i < GALLERY_PARAMS_MAX && run->kernel->params[i].name; i++)
        if (used < VALIDATE_LABEL_BYTES)
            used +=
                (size_t)snprintf(params + used, VALIDATE_LABEL_BYTES - used, "%s%s=%lld",
                                 i ? " " : "", run->kernel->params[i].name, run->args.values[i]);
    return params;
}

const char *validate_run_label(const struct model_run *run, char label[VALIDATE_LABEL_BYTES])
{
    char params[VALIDATE_LABEL_BYTES];
    validate_params(run, params);
    snprintf(label, VALIDATE_LABEL_BYTES, "%.80s%s%.160s", validate_run_name(run),
             *params ? " " : "", params);
    return label;
}

const char *validate_label(const struct validation *v, size_t launch,
                           char label[VALIDATE_LABEL_BYTES])
{
    return validate_run_label(v->joined[launch].refs[0].run, label);
}

/* `quantity`: the profiler's counter, or NULL for the measured time. */
static void add_counter(struct validate_group *group, uint32_t name, const char *text,
                        const struct quantity *quantity)
{
    static const char lower_bound[] = "lower bound";
    group->counters[group->counter_count++] = (struct compared_counter){
        .name = name,
        .profiler = quantity ? quantity->profiler : NULL,
        .timed = quantity == NULL || quantity_is_of_time(quantity),
        .is_time = measured_is_time(text),
        .points = quantity && strcmp(quantity->unit, "%") == 0,
        .lower_bound =
            quantity && strncmp(quantity->definition, lower_bound, sizeof lower_bound - 1) == 0,
    };
}

/* Marks the counters that the launches of a group have. */
static void mark_counters(const struct validation *v, size_t group, bool *present)
{
    const struct measured *m = v->measured;
    for (size_t i = 0; i < m->launch_count; i++) {
        const struct measured_launch *launch = &m->launches[i];
        const struct measured_file *file = &m->files[launch->file];
        bool first = i == 0 || launch->file != launch[-1].file ||
                     v->joined[i].group != v->joined[i - 1].group;
        if (v->joined[i].group != group)
            continue;
        for (size_t k = 0; k < launch->value_count; k++)
            present[launch->values[k].counter] = true;
        for (size_t k = 0; first && k < file->collected_count; k++)
            present[file->collected[k]] = true;
    }
}

static bool group_counters(struct validation *v, size_t g, bool *present)
{
    const struct measured *m = v->measured;
    struct validate_group *group = &v->groups[g];
    const char *gpu = group->gpu->model->name;
    struct rule_set rules;
    if (!rules_for(&group->gpu->arch, &rules))
        return false;
    group->counters = memory_take(m->counters.count + 1, sizeof *group->counters);
    if (group->counters == NULL)
        return false;
    group->rules_only = true;
    for (uint32_t i = 0; i < m->counters.count; i++) {
        const char *name = m->counters.texts[i];
        struct quantity quantity;
        if (!present[i])
            continue;
        if (quantity_find_profiler(name, rules.profiler, &quantity) == QUANTITY_FOUND)
            add_counter(group, i, name, &quantity);
        else if (strcmp(name, MEASURED_TIME) == 0)
            add_counter(group, i, name, NULL);
        else if (name_set_find(&m->modelled, name) != NAME_SET_NONE)
            validate_note(v, "%s is a counter of another profiler than that of %s.", name, gpu);
        if (group->counter_count == 0)
            continue;
        const struct compared_counter *last = &group->counters[group->counter_count - 1];
        if (last->name != i || !last->timed)
            continue;
        if (v->rules_only) {
            validate_note(v, "%s is not modelled with --rules-only.", name);
            group->counter_count--;
        } else {
            group->rules_only = false;
        }
    }
    return true;
}

int validate_counters(struct validation *v)
{
    const struct measured *m = v->measured;
    for (uint32_t i = 0; i < m->counters.count; i++)
        if (name_set_find(&m->modelled, m->counters.texts[i]) == NAME_SET_NONE)
            name_set_add(&v->not_modelled, m->counters.texts[i]);
    for (size_t i = 0; i < m->scaled.count; i++)
        validate_note(v,
                      "%s is left out: its unit is scaled and its digits are cut; collect with "
                      "--print-units base.",
                      m->scaled.texts[i]);
    for (size_t g = 0; g < v->group_count; g++) {
        bool *present = memory_take(m->counters.count + 1, sizeof *present);
        if (present)
            mark_counters(v, g, present);
        bool fine = present && group_counters(v, g, present);
        free(present);
        if (!fine)
            return validate_fail(v, "%s: no memory, or no rules for this GPU",
                                 v->groups[g].gpu->model->name);
    }
    return 0;
}

void validate_free(struct validation *v)
{
    for (size_t g = 0; g < v->group_count; g++) {
        for (size_t i = 0; i < v->groups[g].counter_count; i++) {
            free(v->groups[g].counters[i].pairs);
            free(v->groups[g].counters[i].launches);
        }
        free(v->groups[g].counters);
    }
    workers_free(v->runs, v->run_count);
    free(v->runs);
    free(v->joined);
    free(v->operand_runs);
    free(v->run_refs);
    free(v->function_refs);
    name_set_free(&v->run_keys);
    name_set_free(&v->not_modelled);
    name_set_free(&v->notes);
    name_set_free(&v->complaints);
}
