/* join_names.c - measured launches of files that name functions only -> launches of what the command line names, in
 * their order. The k-th launch of a name in a file belongs to the k-th launch of that name in the runs.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "validate/join.h"
#include "validate/join_table.h"

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
        if (!joining_takes(name, modelled))
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
    if (!joining_take_file(j, from, to))
        return validate_fail(v, "no memory for the names of kernels");
    for (size_t i = from; i < to && status == 0; i++) {
        struct measured_name *name = joining_name(j, i);
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
        joining_forget_file(j);
    }
    return status;
}

int join_names(struct validation *v)
{
    struct joining j = {.v = v};
    int status =
        joining_start(&j) ? join_files(&j) : validate_fail(v, "no memory for the launches");
    bool is_joined = false;
    for (size_t i = 0; i < v->measured->launch_count; i++)
        is_joined |= v->joined[i].ref_count > 0;
    if (status == 0 && !is_joined && j.modelled_count)
        status = nothing_joined(&j);
    joining_free(&j);
    return status;
}
