/* join_table.c - names are not always whole: ncu can be told to leave out template arguments, a run may know an instance
 * only as the source writes it (reduce<T, 64>). Where a name of the file and one of the runs are the same, they belong
 * together and to no others; names that only may be the same share what is left, in the order of the launches.
 */
#define _GNU_SOURCE
#include "validate/join_table.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

/* ---- What the runs launch ------------------------------------------------------------------------ */

static bool add_run(struct joining *j, size_t group, const struct model_run *run)
{
    for (size_t k = 0; k < run->launch_count; k++) {
        uint32_t name = name_set_add(&j->names, run->launches[k].kernel);
        if (name == NAME_SET_NONE)
            return false;
        j->modelled[j->modelled_count++] =
            (struct modelled){.ref = {run, &run->launches[k]}, .group = group, .name = name};
    }
    return true;
}

bool joining_start(struct joining *j)
{
    struct validation *v = j->v;
    size_t count = 0, operands = v->group_count * v->operand_count;
    bool fine = true;
    for (size_t i = 0; i < operands; i++)
        if (v->operand_runs[i] != VALIDATE_NONE)
            count += v->runs[v->operand_runs[i]].launch_count;
    j->modelled = memory_take(count + 1, sizeof *j->modelled);
    v->function_refs = memory_take(v->measured->file_count * count + 1, sizeof *v->function_refs);
    for (size_t i = 0; i < operands && fine && j->modelled; i++)
        if (v->operand_runs[i] != VALIDATE_NONE)
            fine = add_run(j, i / v->operand_count, &v->runs[v->operand_runs[i]]);
    j->parsed = memory_take(j->names.count + 1, sizeof *j->parsed);
    if (!fine || j->modelled == NULL || v->function_refs == NULL || j->parsed == NULL)
        return false;
    for (size_t i = 0; i < j->names.count; i++)
        kernel_name_read(&j->parsed[i], j->names.texts[i]);
    return true;
}

/* --launch-skip: the first launches, all or those of a kernel, are in no file. */
static void pass_over(struct joining *j, const struct validate_skip *skip, size_t group)
{
    uint64_t left = skip->count;
    for (size_t i = 0; i < j->modelled_count && left; i++) {
        struct modelled *modelled = &j->modelled[i];
        if (modelled->group != group ||
            (skip->kernel && strcmp(j->parsed[modelled->name].base, skip->kernel) != 0))
            continue;
        modelled->is_taken = true;
        left--;
    }
}

/* ---- The names of a file ------------------------------------------------------------------------- */

static struct measured_name *find_name(struct joining *j, size_t i, bool add)
{
    const struct measured_launch *launch = &j->v->measured->launches[i];
    const size_t group = j->v->joined[i].group, before = j->file_names.count;
    char *key = memory_format("%zu %s", group, launch->name);
    uint32_t number = key == NULL ? NAME_SET_NONE
                      : add       ? name_set_add(&j->file_names, key)
                                  : name_set_find(&j->file_names, key);
    free(key);
    if (number == NAME_SET_NONE)
        return NULL;
    struct measured_name *name = &j->of_file[number];
    if (number == before) {
        *name = (struct measured_name){.shown = launch->shown, .group = group};
        kernel_name_read(&name->name, launch->name);
        name->takes = memory_take(j->names.count + 1, sizeof *name->takes);
    }
    return name->takes ? name : NULL;
}

static bool list_names(struct joining *j, size_t from, size_t to)
{
    j->of_file = memory_take(to - from + 1, sizeof *j->of_file);
    for (size_t i = from; i < to && j->of_file; i++) {
        struct measured_name *name = find_name(j, i, true);
        if (name == NULL)
            return false;
        name->measured += j->v->measured->launches[i].invocations;
        name->rows++;
    }
    return j->of_file != NULL;
}

/* A name of the runs under one GPU. */
static struct modelled_name *of_runs(const struct joining *j, size_t group, size_t name)
{
    return &j->of_runs[group * j->names.count + name];
}

/* The pairs of a file's name and one of the runs that are the same, of templates' instances or of other functions. */
static void note_same(struct joining *j, bool with_arguments)
{
    for (size_t f = 0; f < j->file_names.count; f++) {
        struct measured_name *measured = &j->of_file[f];
        if (measured->name.has_arguments != with_arguments || measured->is_open)
            continue;
        for (size_t n = 0; n < j->names.count; n++)
            if (kernel_name_match(&measured->name, &j->parsed[n]) == KERNEL_SAME) {
                measured->has_same = true;
                of_runs(j, measured->group, n)->has_same = true;
            }
    }
}

/* A name without arguments may be an instance whose arguments could not be read, when the file has a further instance
 * that the runs do not name: _Z5applyI4plusEvPfT_ beside that of a lambda, and just apply in the runs. */
static void note_open(struct joining *j)
{
    for (size_t f = 0; f < j->file_names.count; f++) {
        const struct measured_name *instance = &j->of_file[f];
        if (!instance->name.has_arguments || instance->has_same)
            continue;
        for (size_t k = 0; k < j->file_names.count; k++) {
            struct measured_name *other = &j->of_file[k];
            other->is_open |= !other->name.has_arguments && other->group == instance->group &&
                              strcmp(other->name.base, instance->name.base) == 0;
        }
    }
}

/* Which names of the runs belong to a name of the file. */
static void relate(struct joining *j, struct measured_name *name)
{
    for (size_t n = 0; n < j->names.count; n++) {
        struct modelled_name *modelled = of_runs(j, name->group, n);
        enum kernel_match match = kernel_name_match(&name->name, &j->parsed[n]);
        name->takes[n] =
            name->has_same ? match == KERNEL_SAME : match != KERNEL_OTHER && !modelled->has_same;
        modelled->takers += name->takes[n];
        name->count += name->takes[n] ? modelled->free : 0;
    }
}

static bool relate_names(struct joining *j)
{
    j->of_runs = memory_take(j->v->group_count * j->names.count + 1, sizeof *j->of_runs);
    if (j->of_runs == NULL)
        return false;
    for (size_t i = 0; i < j->modelled_count; i++)
        of_runs(j, j->modelled[i].group, j->modelled[i].name)->free += !j->modelled[i].is_taken;
    note_same(j, true);
    note_open(j);
    note_same(j, false);
    for (size_t f = 0; f < j->file_names.count; f++)
        relate(j, &j->of_file[f]);
    for (size_t f = 0; f < j->file_names.count; f++)
        for (size_t n = 0; n < j->names.count; n++)
            j->of_file[f].shares |=
                j->of_file[f].takes[n] && of_runs(j, j->of_file[f].group, n)->takers > 1;
    return true;
}

bool joining_takes(const struct measured_name *name, const struct modelled *modelled)
{
    return modelled->group == name->group && name->takes[modelled->name] && !modelled->is_taken;
}

struct measured_name *joining_name(struct joining *j, size_t launch)
{
    return find_name(j, launch, false);
}

bool joining_take_file(struct joining *j, size_t from, size_t to)
{
    for (size_t i = 0; i < j->modelled_count; i++)
        j->modelled[i].is_taken = false;
    for (size_t g = 0; g < j->v->group_count; g++)
        for (size_t i = 0; i < j->v->skip_count; i++)
            pass_over(j, &j->v->skips[i], g);
    if (!list_names(j, from, to))
        return false;
    return relate_names(j);
}

void joining_forget_file(struct joining *j)
{
    for (size_t f = 0; f < j->file_names.count && j->of_file; f++)
        free(j->of_file[f].takes);
    free(j->of_file);
    free(j->of_runs);
    j->of_file = NULL;
    j->of_runs = NULL;
    name_set_free(&j->file_names);
}

void joining_free(struct joining *j)
{
    joining_forget_file(j);
    free(j->modelled);
    free(j->parsed);
    name_set_free(&j->names);
}
