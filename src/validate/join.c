/* join.c - measured launch -> the model's launches: by number within the run where the file says which
 * run, else by function and order. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "validate/join.h"
#include "validate/kernel_name.h"
#include "text/memory.h"

/* "" when the run has gone well. */
static const char *what_failed(const struct model_run *run)
{
    return run->error          ? run->error
           : run->done         ? ""
           : memory_failures() ? "no memory for its result"
                               : "the process that ran it ended before it was done";
}

/* One of a file's programs that fails leaves the others; so does one that has failed at its end. */
static int check_runs(struct validation *v)
{
    for (size_t i = 0; i < v->run_count; i++) {
        const struct model_run *run = &v->runs[i];
        const bool is_bug = run->is_bug || (!run->done && !memory_failures());
        const char *what = what_failed(run);
        char label[VALIDATE_LABEL_BYTES];
        validate_run_label(run, label);
        if (*what == '\0' && run->has_failed)
            validate_complain(v, "%s on %s: the run failed; the launches before that are compared",
                              label, run->gpu->model->name);
        if (*what == '\0' && !run->is_bug)
            continue;
        if (run->is_of_file && !is_bug && run->done) {
            validate_complain(v, "%s on %s: %.700s", label, run->gpu->model->name, what);
            continue;
        }
        validate_fail(v, "%s on %s: %.700s", label, run->gpu->model->name,
                      *what ? what : "no memory for its result");
        return is_bug ? 70 : 2;
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

/* A row of a file of programs. What does not fit is told, and the others go on. */
static void join_program(struct validation *v, size_t i, const size_t *firsts)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    struct model_run *run = &v->runs[v->joined[i].run];
    const char *path = v->measured->files[launch->file].path;
    struct kernel_name measured, modelled;
    char label[VALIDATE_LABEL_BYTES];
    if (run->has_other_launches || run->error)
        return;
    validate_run_label(run, label);
    if (launch->index > run->launch_count) {
        run->has_other_launches = true;
        validate_complain(v,
                          "%s:%lu: launch %llu of %s: the run has %zu; the rest of it is left out",
                          path, (unsigned long)launch->line, (unsigned long long)launch->index,
                          label, run->launch_count);
        return;
    }
    kernel_name_read(&measured, launch->name);
    kernel_name_read(&modelled, run->launches[launch->index - 1].kernel);
    if (kernel_name_match(&measured, &modelled) == KERNEL_OTHER) {
        run->has_other_launches = true;
        validate_complain(
            v,
            "%s:%lu: launch %llu of %s is of %.80s, in the run of %s; the rest of it is left out",
            path, (unsigned long)launch->line, (unsigned long long)launch->index, label,
            launch->shown, run->launches[launch->index - 1].kernel);
        return;
    }
    v->joined[i].refs = &v->run_refs[firsts[v->joined[i].run] + launch->index - 1];
    v->joined[i].ref_count = 1;
}

static int join_numbered(struct validation *v, const size_t *firsts)
{
    int status = 0;
    for (size_t i = 0; i < v->measured->launch_count && status == 0; i++) {
        if (v->joined[i].group == VALIDATE_NONE)
            continue;
        if (v->measured->launches[i].kernel)
            status = join_tidy(v, i, firsts);
        else if (v->measured->launches[i].program)
            join_program(v, i, firsts);
    }
    return status;
}

int validate_join(struct validation *v)
{
    int status = check_runs(v);
    if (status)
        return status;
    size_t *firsts = memory_take(v->run_count + 1, sizeof *firsts);
    if (firsts == NULL || !list_launches(v, firsts))
        status = validate_fail(v, "no memory for the launches");
    if (status == 0)
        status = join_numbered(v, firsts);
    if (status == 0)
        status = join_names(v);
    free(firsts);
    for (size_t i = 0; i < v->measured->launch_count && status == 0; i++)
        if (v->joined[i].ref_count)
            return 0;
    return status ? status : validate_fail(v, "no measured launch could be compared");
}
