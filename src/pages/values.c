/* values.c - lists of names, for the shells and the manual page. */
#include "pages/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "figures/figures.h"
#include "gallery_list.h"
#include "models/models.h"
#include "sim/counters/quantity.h"
#include "trace_io/format.h"

static void add(struct value_list *list, const char *name, const char *about)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->values[i].name, name) == 0)
            return;
    list->values = realloc(list->values, (list->count + 1) * sizeof *list->values);
    if (list->values == NULL || strlen(name) >= VALUE_NAME_BYTES) {
        fprintf(stderr, "no memory for the name %s\n", name);
        exit(1);
    }
    struct value *value = &list->values[list->count++];
    snprintf(value->name, sizeof value->name, "%s", name);
    value->about = about;
}

static void fill_commands(struct value_list *list)
{
    for (size_t i = 0; i < command_count; i++)
        add(list, command_list[i]->name, command_list[i]->help);
}

/* Chips, then rule sets by their chips. */
static void fill_gpus(struct value_list *list)
{
    for (size_t i = 0; i < model_count; i++)
        add(list, models[i]->name, models[i]->title);
    for (size_t i = 0; i < model_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "sm_%lld", (long long)models[i]->sm.value);
        if (models[i]->is_default)
            add(list, name, models[i]->title);
    }
}

static void fill_kernels(struct value_list *list)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            add(list, gallery_topics[t]->kernels[i].name, gallery_topics[t]->kernels[i].summary);
}

static void fill_counters(struct value_list *list)
{
    for (size_t i = 0; i < quantity_own_count(); i++)
        add(list, quantity_at(i).name, quantity_at(i).unit);
}

static void fill_figures(struct value_list *list)
{
    for (size_t i = 0; i < quantity_count(); i++)
        add(list, quantity_at(i).name, quantity_at(i).unit);
}

static void fill_pictures(struct value_list *list)
{
    for (size_t i = 0; i < figure_count; i++)
        add(list, figures[i].name, figures[i].title);
}

static void fill_fields(struct value_list *list)
{
    for (size_t i = 0; i < arch_field_count; i++)
        add(list, arch_fields[i].name, arch_fields[i].meaning);
}

static void fill_forms(struct value_list *list)
{
    for (size_t i = 0; i < trace_format_count; i++)
        add(list, trace_formats[i].name, trace_formats[i].about);
}

static void fill_formats(struct value_list *list)
{
    for (size_t i = 0; i < trace_format_count; i++)
        if (trace_formats[i].open)
            add(list, trace_formats[i].name, trace_formats[i].about);
}

const struct value_kind value_kinds[] = {
    {"COMMAND", fill_commands}, {"GPU", fill_gpus},
    {"KERNEL", fill_kernels},   {"COUNTER", fill_counters}, /* warplens's own, and ratios */
    {"FIGURE", fill_figures},                               /* the profilers' too */
    {"PICTURE", fill_pictures},                             /* of a report */
    {"FIELD", fill_fields},                                 /* of a GPU */
    {"FORM", fill_forms},                                   /* of traces that can be read */
    {"FORMAT", fill_formats},                               /* of traces that can be written */
};
const size_t value_kind_count = sizeof value_kinds / sizeof value_kinds[0];

const struct value_kind *values_find(const char *word)
{
    for (size_t i = 0; i < value_kind_count; i++)
        if (strcmp(value_kinds[i].word, word) == 0)
            return &value_kinds[i];
    return NULL;
}

struct value_list values_make(const struct value_kind *kind)
{
    struct value_list list = {NULL, 0};
    kind->fill(&list);
    return list;
}

void values_free(struct value_list *list)
{
    free(list->values);
    *list = (struct value_list){NULL, 0};
}
