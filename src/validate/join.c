/* join.c - measured launch -> the model's launches: by number within the run where the file says which
 * run, else by function and order. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "validate/validate.h"
#include "text/memory.h"

static int check_runs(struct validation *v)
{
    for (size_t i = 0; i < v->run_count; i++) {
        const struct model_run *run = &v->runs[i];
        char params[VALIDATE_LABEL_BYTES];
        if (run->done && run->error == NULL && !run->is_bug)
            continue;
        validate_fail(v, "%s %s on %s: %.700s", run->kernel->name, validate_params(run, params),
                      run->gpu->model->name,
                      run->error ? run->error
                      : run->done || memory_failures()
                          ? "no memory for its result"
                          : "the process that ran it ended before it was done");
        return run->is_bug || (!run->done && !memory_failures()) ? 70 : 2;
    }
    return 0;
}

static bool same_function(const char *a, const char *b)
{
    return strncmp(a, b, RESULT_KERNEL_BYTES - 1) == 0;
}

/* All launches of the model, run by run; firsts[run] is where a run's begin. */
static bool list_launches(struct validation *v, size_t *firsts)
{
    size_t count = 0;
    for (size_t i = 0; i < v->run_count; i++) {
        firsts[i] = count;
        count += v->runs[i].launch_count;
    }
    v->run_refs = memory_take(1, (count + 1) * sizeof *v->run_refs);
    for (size_t i = 0; i < v->run_count && v->run_refs; i++)
        for (size_t k = 0; k < v->runs[i].launch_count; k++)
            v->run_refs[firsts[i] + k] = (struct launch_ref){&v->runs[i], &v->runs[i].launches[k]};
    return v->run_refs != NULL;
}

static int join_tidy(struct validation *v, size_t i, const size_t *firsts)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    const struct model_run *run = &v->runs[v->joined[i].run];
    const char *path = v->measured->files[launch->file].path;
    if (launch->index > run->launch_count)
        return validate_fail(v, "%s:%lu: launch %llu of %s: under the model it has %zu launch%s",
                             path, (unsigned long)launch->line, (unsigned long long)launch->index,
                             run->kernel->name, run->launch_count,
                             run->launch_count == 1 ? "" : "es");
    const struct result_launch *modelled = &run->launches[launch->index - 1];
    if (!same_function(launch->function, modelled->kernel))
        return validate_fail(v, "%s:%lu: launch %llu of %s is of %.80s, under the model of %s",
                             path, (unsigned long)launch->line, (unsigned long long)launch->index,
                             run->kernel->name, launch->function, modelled->kernel);
    v->joined[i].refs = &v->run_refs[firsts[v->joined[i].run] + launch->index - 1];
    v->joined[i].ref_count = 1;
    return 0;
}

/* The launches of one function in the runs of the command line's kernels, side by side. */
struct function {
    size_t first, count;
    uint64_t taken;    /* by the file that is being joined */
    uint64_t measured; /* the file's launches or, of nvprof, invocations */
    size_t rows;       /* the file's */
};

struct functions {
    struct name_set names; /* "group function" */
    struct function *functions;
};

static uint32_t function_number(struct functions *f, size_t group, const char *name, bool add)
{
    char key[RESULT_KERNEL_BYTES + 32];
    snprintf(key, sizeof key, "%zu %.*s", group, RESULT_KERNEL_BYTES - 1, name);
    return add ? name_set_add(&f->names, key) : name_set_find(&f->names, key);
}

/* Calls `take` for each launch of each group's operand runs, in order. */
static bool each_launch(struct validation *v, struct functions *f,
                        void (*take)(struct validation *v, struct function *function,
                                     struct launch_ref ref))
{
    for (size_t i = 0; i < v->group_count * v->kernel_count; i++) {
        if (v->operand_runs[i] == VALIDATE_NONE)
            continue;
        const struct model_run *run = &v->runs[v->operand_runs[i]];
        for (size_t k = 0; k < run->launch_count; k++) {
            uint32_t number =
                function_number(f, i / v->kernel_count, run->launches[k].kernel, true);
            if (number == NAME_SET_NONE)
                return false;
            take(v, &f->functions[number], (struct launch_ref){run, &run->launches[k]});
        }
    }
    return true;
}

static void count_launch(struct validation *v, struct function *function, struct launch_ref ref)
{
    (void)v;
    (void)ref;
    function->count++;
}

static void place_launch(struct validation *v, struct function *function, struct launch_ref ref)
{
    v->function_refs[function->first + function->taken++] = ref;
}

static bool list_functions(struct validation *v, struct functions *f)
{
    size_t room = 1, first = 0;
    for (size_t i = 0; i < v->group_count * v->kernel_count; i++)
        if (v->operand_runs[i] != VALIDATE_NONE)
            room += v->runs[v->operand_runs[i]].launch_count;
    f->functions = memory_take(room, sizeof *f->functions);
    v->function_refs = memory_take(1, room * sizeof *v->function_refs);
    if (f->functions == NULL || v->function_refs == NULL || !each_launch(v, f, count_launch))
        return false;
    for (size_t i = 0; i < f->names.count; i++) {
        f->functions[i].first = first;
        first += f->functions[i].count;
    }
    return each_launch(v, f, place_launch);
}

/* How many launches of each function a file has. A file's launches stand together. */
static void count_measured(const struct validation *v, struct functions *f, size_t from, size_t to)
{
    for (size_t i = 0; i < f->names.count; i++)
        f->functions[i].taken = f->functions[i].measured = f->functions[i].rows = 0;
    for (size_t i = from; i < to; i++) {
        const struct measured_launch *launch = &v->measured->launches[i];
        uint32_t number = function_number(f, v->joined[i].group, launch->function, false);
        if (number == NAME_SET_NONE)
            continue;
        f->functions[number].measured += launch->invocations;
        f->functions[number].rows++;
    }
}

static int join_function(struct validation *v, size_t i, struct function *function)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    struct joined_launch *joined = &v->joined[i];
    bool repeats = function->rows == 1 && function->measured % function->count == 0;
    uint64_t wanted = repeats ? function->count : launch->invocations;
    if (function->taken + wanted > function->count ||
        (launch->invocations > 1 && !repeats && function->measured != function->count))
        return validate_fail(v,
                             "%s:%lu: %llu launches of %.80s are measured, the runs of the kernels "
                             "named have %zu: name all kernels that ran, each as often as it ran",
                             v->measured->files[launch->file].path, (unsigned long)launch->line,
                             (unsigned long long)function->measured, launch->function,
                             function->count);
    joined->refs = &v->function_refs[function->first + function->taken];
    joined->ref_count = (size_t)wanted;
    function->taken += wanted;
    return 0;
}

static int join_file(struct validation *v, struct functions *f, size_t from, size_t to)
{
    const char *path = v->measured->files[v->measured->launches[from].file].path;
    int status = 0;
    count_measured(v, f, from, to);
    for (size_t i = from; i < to && status == 0; i++) {
        const struct measured_launch *launch = &v->measured->launches[i];
        uint32_t number = function_number(f, v->joined[i].group, launch->function, false);
        if (number != NAME_SET_NONE)
            status = join_function(v, i, &f->functions[number]);
        else
            validate_note(v, "%s: launches of %.80s are left out: no kernel named launches it.",
                          path, launch->function);
    }
    for (size_t i = 0; i < f->names.count && status == 0; i++)
        if (f->functions[i].taken && f->functions[i].taken < f->functions[i].count)
            validate_note(v, "%s: of %zu launches of %s in the runs, the first %llu are measured.",
                          path, f->functions[i].count, strchr(f->names.texts[i], ' ') + 1,
                          (unsigned long long)f->functions[i].taken);
    return status;
}

static int nothing_joined(struct validation *v, const struct functions *f)
{
    const struct measured *m = v->measured;
    struct name_list measured = {0}, modelled = {0};
    struct name_set functions = {0};
    for (size_t i = 0; i < m->launch_count; i++)
        name_set_add(&functions, m->launches[i].function);
    for (size_t i = 0; i < functions.count; i++)
        name_list_add(&measured, functions.texts[i]);
    name_set_free(&functions);
    for (size_t i = 0; i < f->names.count; i++)
        name_list_add(&modelled, strchr(f->names.texts[i], ' ') + 1);
    return validate_fail(v,
                         "no measured launch is of a kernel named: the files have %s; the runs of "
                         "the kernels have %s",
                         measured.text, modelled.text);
}

static int join_functions(struct validation *v, struct functions *f)
{
    const struct measured *m = v->measured;
    int status = 0;
    if (!list_functions(v, f))
        return validate_fail(v, "no memory for the launches");
    for (size_t from = 0, to; from < m->launch_count && status == 0; from = to) {
        for (to = from + 1; to < m->launch_count && m->launches[to].file == m->launches[from].file;)
            to++;
        if (m->launches[from].kernel == NULL)
            status = join_file(v, f, from, to);
    }
    for (size_t i = 0; i < m->launch_count; i++)
        if (v->joined[i].ref_count)
            return status;
    return status ? status : nothing_joined(v, f);
}

int validate_join(struct validation *v)
{
    struct functions functions = {0};
    int status = check_runs(v);
    if (status)
        return status;
    size_t *firsts = memory_take(v->run_count + 1, sizeof *firsts);
    if (firsts == NULL || !list_launches(v, firsts))
        status = validate_fail(v, "no memory for the launches");
    for (size_t i = 0; i < v->measured->launch_count && status == 0; i++)
        if (v->measured->launches[i].kernel && v->joined[i].group != VALIDATE_NONE)
            status = join_tidy(v, i, firsts);
    if (status == 0)
        status = join_functions(v, &functions);
    name_set_free(&functions.names);
    free(functions.functions);
    free(firsts);
    return status;
}
