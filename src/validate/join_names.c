/* join_names.c - measured launches of files that name functions only -> launches of what the command line names, in
 * their order. The k-th launch of a name in a file belongs to the k-th launch of that name in the runs.
 *
 * Names are not always whole: ncu can be told to leave out template arguments, a run may know an instance only as the
 * source writes it (reduce<T, 64>). Where a name of the file and one of the runs are the same, they belong together
 * and to no others; names that only may be the same share what is left, in the order of the launches.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "text/memory.h"
#include "validate/join.h"
#include "validate/kernel_name.h"

/* A launch of the runs. */
struct modelled {
    struct launch_ref ref;
    size_t group;
    uint32_t name; /* of struct joining */
    bool is_taken; /* by the file that is being joined, or passed over */
};

/* A name of the file that is being joined, under one GPU. */
struct measured_name {
    struct kernel_name name;
    const char *shown;
    size_t group;
    bool *takes;       /* owned; by name of the runs */
    bool shares;       /* another name of the file takes some of them, too */
    size_t cursor;     /* launches in front of it are taken, or not of this name */
    size_t count;      /* launches of the runs */
    uint64_t measured; /* launches or, of nvprof, invocations */
    size_t rows, other_sizes;
};

struct joining {
    struct validation *v;
    struct modelled *modelled; /* owned */
    size_t modelled_count;
    struct name_set names;      /* of the runs' launches */
    struct kernel_name *parsed; /* owned; of these */
    struct name_set file_names; /* "group name" */
    struct measured_name *of_file;
    size_t refs_used;
    char first_other_size[400]; /* "" when all sizes are equal */
};

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

static bool list_modelled(struct joining *j)
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

static struct measured_name *name_of(struct joining *j, size_t i, bool add)
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
        struct measured_name *name = name_of(j, i, true);
        if (name == NULL)
            return false;
        name->measured += j->v->measured->launches[i].invocations;
        name->rows++;
    }
    return j->of_file != NULL;
}

/* Whether some name of the file, under that GPU, is the run's name itself. */
static bool is_matched(const struct joining *j, size_t group, uint32_t name)
{
    for (size_t f = 0; f < j->file_names.count; f++)
        if (j->of_file[f].group == group &&
            kernel_name_match(&j->of_file[f].name, &j->parsed[name]) == KERNEL_SAME)
            return true;
    return false;
}

/* Which names of the runs belong to a name of the file. */
static void relate(struct joining *j, struct measured_name *name)
{
    bool has_same = false;
    for (uint32_t n = 0; n < j->names.count; n++)
        has_same |= kernel_name_match(&name->name, &j->parsed[n]) == KERNEL_SAME;
    for (uint32_t n = 0; n < j->names.count; n++) {
        enum kernel_match match = kernel_name_match(&name->name, &j->parsed[n]);
        name->takes[n] = has_same ? match == KERNEL_SAME
                                  : match == KERNEL_MAYBE && !is_matched(j, name->group, n);
    }
}

static bool have_common(const struct joining *j, const struct measured_name *a,
                        const struct measured_name *b)
{
    for (size_t n = 0; n < j->names.count && a->group == b->group; n++)
        if (a->takes[n] && b->takes[n])
            return true;
    return false;
}

static bool takes(const struct measured_name *name, const struct modelled *modelled)
{
    return modelled->group == name->group && name->takes[modelled->name] && !modelled->is_taken;
}

static void relate_names(struct joining *j)
{
    const size_t count = j->file_names.count;
    for (size_t f = 0; f < count; f++)
        relate(j, &j->of_file[f]);
    for (size_t f = 0; f < count; f++) {
        struct measured_name *name = &j->of_file[f];
        for (size_t i = 0; i < j->modelled_count; i++)
            name->count += takes(name, &j->modelled[i]);
        for (size_t k = 0; k < count; k++)
            name->shares |= k != f && have_common(j, name, &j->of_file[k]);
    }
}

/* ---- Launch by launch ---------------------------------------------------------------------------- */

static bool is_of_gallery(const struct validation *v)
{
    for (size_t i = 0; i < v->operand_count; i++)
        if (v->operands[i].kernel == NULL)
            return false;
    return true;
}

static int fail_count(struct joining *j, size_t i, const struct measured_name *name)
{
    const struct measured_launch *launch = &j->v->measured->launches[i];
    return validate_fail(j->v,
                         "%s:%lu: %llu launches of %.80s are measured, the runs of %s have %zu: %s",
                         j->v->measured->files[launch->file].path, (unsigned long)launch->line,
                         (unsigned long long)name->measured, name->shown,
                         is_of_gallery(j->v) ? "the kernels named" : "what is named", name->count,
                         is_of_gallery(j->v) ? "name all kernels that ran, each as often as it ran"
                                             : "a program's arguments stand behind --");
}

/* The next launches of a name; false: there are not so many. */
static bool take_launches(struct joining *j, struct measured_name *name, size_t wanted,
                          struct joined_launch *joined)
{
    struct launch_ref *refs = &j->v->function_refs[j->refs_used];
    size_t count = 0;
    for (; name->cursor < j->modelled_count && count < wanted; name->cursor++) {
        struct modelled *modelled = &j->modelled[name->cursor];
        if (!takes(name, modelled))
            continue;
        modelled->is_taken = true;
        refs[count++] = modelled->ref;
    }
    joined->refs = refs;
    joined->ref_count = count;
    j->refs_used += count;
    return count == wanted;
}

static bool is_size(const uint32_t measured[3], const uint32_t modelled[3])
{
    return measured[0] == 0 || memcmp(measured, modelled, 3 * sizeof *measured) == 0;
}

/* A launch of another shape is another launch: it is left out, and told. */
static void check_size(struct joining *j, size_t i, struct measured_name *name)
{
    const struct measured_launch *m = &j->v->measured->launches[i];
    struct joined_launch *joined = &j->v->joined[i];
    const struct result_launch *r = joined->refs[0].launch;
    if (is_size(m->grid, r->grid) && is_size(m->block, r->block))
        return;
    joined->ref_count = 0;
    name->other_sizes++;
    if (j->first_other_size[0] == '\0')
        snprintf(j->first_other_size, sizeof j->first_other_size,
                 "%.160s:%lu: %.80s has the grid %ux%ux%u and blocks of %ux%ux%u, in the run "
                 "%ux%ux%u and %ux%ux%u",
                 j->v->measured->files[m->file].path, (unsigned long)m->line, name->shown,
                 m->grid[0], m->grid[1], m->grid[2], m->block[0], m->block[1], m->block[2],
                 r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2]);
}

static int join_launch(struct joining *j, size_t i, struct measured_name *name)
{
    const struct measured_launch *launch = &j->v->measured->launches[i];
    const bool is_average = launch->invocations > 1;
    /* The average over runs that were repeated is that over one of them. */
    const bool repeats = name->rows == 1 && !name->shares && is_of_gallery(j->v) &&
                         name->measured % name->count == 0;
    if (is_average && name->shares) {
        validate_note(j->v,
                      "%s: averages over launches of %.80s are left out: the runs' names do not "
                      "tell its instances apart.",
                      j->v->measured->files[launch->file].path, name->shown);
        return 0;
    }
    if ((is_average && !repeats && name->measured != name->count) ||
        !take_launches(j, name, repeats ? name->count : (size_t)launch->invocations,
                       &j->v->joined[i]))
        return fail_count(j, i, name);
    check_size(j, i, name);
    return 0;
}

/* ---- A file -------------------------------------------------------------------------------------- */

/* Of the names of the runs that a file has some launches of: how many it has not. */
static void note_rest(struct joining *j, const char *path)
{
    for (uint32_t n = 0; n < j->names.count; n++) {
        size_t taken = 0, all = 0;
        for (size_t i = 0; i < j->modelled_count; i++)
            if (j->modelled[i].name == n) {
                all++;
                taken += j->modelled[i].is_taken;
            }
        if (taken && taken < all && j->v->skip_count == 0)
            validate_note(j->v,
                          "%s: of %zu launches of %s in the runs, the first %zu are measured.",
                          path, all, j->names.texts[n], taken);
    }
}

static void note_sizes(struct joining *j, const char *path)
{
    for (size_t f = 0; f < j->file_names.count; f++)
        if (j->of_file[f].other_sizes)
            validate_note(j->v,
                          "%s: of %zu launches of %.80s %zu are left out: their grid or blocks are "
                          "not those of the run (%s).",
                          path, j->of_file[f].rows, j->of_file[f].shown, j->of_file[f].other_sizes,
                          j->first_other_size);
}

static int join_file(struct joining *j, size_t from, size_t to)
{
    struct validation *v = j->v;
    const char *path = v->measured->files[v->measured->launches[from].file].path;
    int status = 0;
    for (size_t i = 0; i < j->modelled_count; i++)
        j->modelled[i].is_taken = false;
    for (size_t g = 0; g < v->group_count; g++)
        for (size_t i = 0; i < v->skip_count; i++)
            pass_over(j, &v->skips[i], g);
    if (!list_names(j, from, to))
        return validate_fail(v, "no memory for the names of kernels");
    relate_names(j);
    for (size_t i = from; i < to && status == 0; i++) {
        struct measured_name *name = name_of(j, i, false);
        if (name == NULL)
            status = validate_fail(v, "no memory for the names of kernels");
        else if (name->count)
            status = join_launch(j, i, name);
        else
            validate_note(v, "%s: launches of %.80s are left out: nothing named launches it.", path,
                          name->shown);
    }
    note_rest(j, path);
    note_sizes(j, path);
    return status;
}

static void forget_file(struct joining *j)
{
    for (size_t f = 0; f < j->file_names.count && j->of_file; f++)
        free(j->of_file[f].takes);
    free(j->of_file);
    j->of_file = NULL;
    name_set_free(&j->file_names);
}

static int nothing_joined(const struct joining *j)
{
    const struct measured *m = j->v->measured;
    struct name_list measured = {0}, modelled = {0};
    struct name_set functions = {0};
    if (j->first_other_size[0])
        return validate_fail(j->v, "%s: measured with other arguments? A program's stand behind --",
                             j->first_other_size);
    for (size_t i = 0; i < m->launch_count; i++)
        if (validate_needs_operand(&m->launches[i]))
            name_set_add(&functions, m->launches[i].shown);
    for (size_t i = 0; i < functions.count; i++)
        name_list_add(&measured, functions.texts[i]);
    name_set_free(&functions);
    for (size_t i = 0; i < j->names.count; i++)
        name_list_add(&modelled, j->names.texts[i]);
    return validate_fail(j->v,
                         "no measured launch is of a kernel named: the files have %s; the runs of "
                         "the kernels have %s",
                         measured.text, modelled.text);
}

static int join_files(struct joining *j)
{
    const struct measured *m = j->v->measured;
    int status = 0;
    for (size_t from = 0, to; from < m->launch_count && status == 0; from = to) {
        for (to = from + 1; to < m->launch_count && m->launches[to].file == m->launches[from].file;)
            to++;
        if (!validate_needs_operand(&m->launches[from]))
            continue;
        status = join_file(j, from, to);
        forget_file(j);
    }
    return status;
}

int join_names(struct validation *v)
{
    struct joining j = {.v = v};
    int status =
        list_modelled(&j) ? join_files(&j) : validate_fail(v, "no memory for the launches");
    bool is_joined = false;
    for (size_t i = 0; i < v->measured->launch_count; i++)
        is_joined |= v->joined[i].ref_count > 0;
    if (status == 0 && !is_joined && j.modelled_count)
        status = nothing_joined(&j);
    free(j.modelled);
    free(j.parsed);
    name_set_free(&j.names);
    return status;
}
