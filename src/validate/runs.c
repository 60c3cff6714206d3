/* runs.c - the runs that the measurements need: kernels and parameters of tidy files, and the
 * command line's kernels for files that name functions only. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "text/memory.h"
#include "text/nearest.h"
#include "text/number.h"
#include "gallery_list.h"
#include "validate/programs.h"

/* "12 launches of 3 kernels read" */
static const char *understood(const struct validation *v, char text[80])
{
    const struct measured *m = v->measured;
    struct name_set kernels = {0};
    for (size_t i = 0; i < m->launch_count; i++)
        name_set_add(&kernels, m->launches[i].kernel ? m->launches[i].kernel : "");
    snprintf(text, 80, "%zu launch%s of %zu kernel%s read", m->launch_count,
             m->launch_count == 1 ? "" : "es", kernels.count, kernels.count == 1 ? "" : "s");
    name_set_free(&kernels);
    return text;
}

/* "path:line: " of a measured launch, then the message. */
static int fail_at(struct validation *v, const struct measured_launch *launch, const char *message)
{
    char read[80];
    return validate_fail(v, "%s:%lu: %s (%s)", v->measured->files[launch->file].path,
                         (unsigned long)launch->line, message, understood(v, read));
}

static int unknown_kernel(struct validation *v, const struct measured_launch *launch)
{
    struct nearest nearest = nearest_start(launch->kernel);
    char near[NEAREST_TEXT_BYTES], message[512];
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            nearest_offer(&nearest, gallery_topics[t]->kernels[i].name);
    snprintf(message, sizeof message, "unknown kernel %.80s%s", launch->kernel,
             nearest_text(&nearest, near));
    return fail_at(v, launch, message);
}

/* One "name=value" of the parameters; false after an explanation. */
static bool set_param(const struct gallery_kernel *kernel, struct gallery_args *args,
                      const char *word, char explanation[256])
{
    const char *equals = strchr(word, '=');
    for (size_t i = 0; equals && i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        const struct gallery_param *p = &kernel->params[i];
        int64_t value;
        if (strlen(p->name) != (size_t)(equals - word) ||
            strncmp(p->name, word, strlen(p->name)) != 0)
            continue;
        if (text_number(equals + 1, &value) && value >= p->min && value <= p->max &&
            (p->multiple <= 1 || value % p->multiple == 0)) {
            args->values[i] = value;
            return true;
        }
        snprintf(explanation, 256, "parameter %.80s: allowed for %s is %lld to %lld%s%.0lld", word,
                 kernel->name, p->min, p->max, p->multiple > 1 ? " in multiples of " : "",
                 p->multiple > 1 ? p->multiple : 0);
        return false;
    }
    struct name_list names = {0};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++)
        name_list_add(&names, kernel->params[i].name);
    snprintf(explanation, 256, "parameter %.60s: %s takes name=value of %.120s", word, kernel->name,
             names.used ? names.text : "none");
    return false;
}

static int parse_params(struct validation *v, const struct measured_launch *launch,
                        const struct gallery_kernel *kernel, struct gallery_args *args)
{
    char explanation[256];
    args->params = kernel->params;
    for (size_t i = 0; i < GALLERY_PARAMS_MAX; i++)
        args->values[i] = kernel->params[i].value;
    for (const char *at = launch->params + strspn(launch->params, " "); *at;) {
        char word[96];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", length < 95 ? (int)length : 95, at);
        if (!set_param(kernel, args, word, explanation))
            return fail_at(v, launch, explanation);
        at += length;
        at += strspn(at, " ");
    }
    return 0;
}

/* The run of that name with those parameters on the group's GPU: a new one when there is none. `wanted` says what is
 * run. */
static int find_run(struct validation *v, size_t group, const struct model_run *wanted, size_t *run)
{
    char params[VALIDATE_LABEL_BYTES];
    char *key =
        memory_format("%zu %d %s %s\n%s", group, wanted->cold_launches, validate_run_name(wanted),
                      wanted->kernel ? validate_params(wanted, params) : wanted->arguments,
                      wanted->with ? wanted->with : "");
    *run = key ? name_set_add(&v->run_keys, key) : NAME_SET_NONE;
    free(key);
    if (*run == NAME_SET_NONE || !LIST_MAKE_ROOM(v->runs, v->run_count, v->run_room))
        return validate_fail(v, "no memory for the runs");
    if (*run < v->run_count)
        return 0;
    struct model_run *added = &v->runs[v->run_count++];
    *added = *wanted;
    added->gpu = v->groups[group].gpu;
    added->rules_only = v->groups[group].rules_only;
    added->opener = v->opener;
    return 0;
}

static bool is_wanted(const struct validation *v, const struct gallery_kernel *kernel)
{
    for (size_t i = 0; i < v->operand_count; i++)
        if (v->operands[i].kernel == kernel)
            return true;
    return v->operand_count == 0;
}

/* The run of a tidy file's launch. Equal names and parameters are looked up once. */
static int tidy_run(struct validation *v, size_t i, struct name_set *seen, size_t *seen_runs)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    struct joined_launch *joined = &v->joined[i];
    char key[1200];
    snprintf(key, sizeof key, "%zu\n%s\n%s", joined->group, launch->kernel, launch->params);
    size_t count = seen->count;
    uint32_t number = name_set_add(seen, key);
    if (number == NAME_SET_NONE)
        return validate_fail(v, "no memory for the runs");
    if (number < count) {
        joined->run = seen_runs[number];
        if (joined->run == VALIDATE_NONE)
            joined->group = VALIDATE_NONE;
        return 0;
    }
    const struct gallery_kernel *kernel = gallery_find(launch->kernel);
    struct model_run wanted = {.kernel = kernel, .cold_launches = v->cold_launches};
    if (kernel == NULL)
        return unknown_kernel(v, launch);
    seen_runs[number] = VALIDATE_NONE;
    if (!is_wanted(v, kernel)) {
        joined->group = VALIDATE_NONE;
        return 0;
    }
    int status = parse_params(v, launch, kernel, &wanted.args);
    if (status == 0)
        status = find_run(v, joined->group, &wanted, &seen_runs[number]);
    joined->run = seen_runs[number];
    return status;
}

static int tidy_runs(struct validation *v)
{
    const struct measured *m = v->measured;
    struct name_set seen = {0};
    size_t *seen_runs = memory_take(m->launch_count + 1, sizeof *seen_runs);
    int status = seen_runs ? 0 : validate_fail(v, "no memory for the runs");
    for (size_t i = 0; i < m->launch_count && status == 0; i++)
        if (m->launches[i].kernel)
            status = tidy_run(v, i, &seen, seen_runs);
    name_set_free(&seen);
    free(seen_runs);
    return status;
}

static int operand_run(struct validation *v, size_t group, const struct validate_operand *operand,
                       size_t *run)
{
    struct model_run wanted = {.kernel = operand->kernel,
                               .args = operand->args,
                               .name = operand->path,
                               .arguments = v->arguments,
                               .cold_launches = v->cold_launches};
    size_t before = v->run_count;
    int status = find_run(v, group, &wanted, run);
    if (status || operand->kernel || v->run_count == before)
        return status;
    v->runs[*run].path = memory_copy(operand->path);
    return v->runs[*run].path ? 0 : validate_fail(v, "no memory for the runs");
}

/* What the command line names, for each GPU with a launch of which the file does not say what ran. */
static int operand_runs(struct validation *v)
{
    const struct measured *m = v->measured;
    v->operand_runs = memory_take(v->group_count * v->operand_count + 1, sizeof *v->operand_runs);
    if (v->operand_runs == NULL)
        return validate_fail(v, "no memory for the runs");
    for (size_t i = 0; i < v->group_count * v->operand_count; i++)
        v->operand_runs[i] = VALIDATE_NONE;
    for (size_t i = 0; i < m->launch_count; i++) {
        size_t group = v->joined[i].group;
        if (!validate_needs_operand(&m->launches[i]) || group == VALIDATE_NONE)
            continue;
        if (v->operand_count == 0)
            return validate_fail(
                v,
                "%s names functions but not what ran: name the program (warplens validate FILE "
                "PROGRAM.cu -- ARGUMENTS), its trace, or the kernels of the gallery in their order",
                m->files[m->launches[i].file].path);
        size_t *runs = &v->operand_runs[group * v->operand_count];
        for (size_t k = 0; k < v->operand_count && runs[k] == VALIDATE_NONE; k++) {
            int status = operand_run(v, group, &v->operands[k], &runs[k]);
            if (status)
                return status;
        }
    }
    return 0;
}

static struct model_run run_of_program(const struct validation *v,
                                       const struct measured_launch *launch)
{
    return (struct model_run){.name = launch->program,
                              .arguments = launch->arguments,
                              .with = launch->with,
                              .cold_launches = launch->run[0] ? !launch->is_warm : v->cold_launches,
                              .is_of_file = true};
}

/* The runs of a file of programs. */
static int program_runs(struct validation *v)
{
    const struct measured *m = v->measured;
    for (size_t i = 0; i < m->launch_count; i++) {
        const struct measured_launch *launch = &m->launches[i];
        if (launch->program == NULL || v->joined[i].group == VALIDATE_NONE)
            continue;
        const struct model_run wanted = run_of_program(v, launch);
        size_t before = v->run_count;
        int status = find_run(v, v->joined[i].group, &wanted, &v->joined[i].run);
        if (status)
            return status;
        struct model_run *run = &v->runs[v->joined[i].run];
        if (run->launches_wanted < launch->index)
            run->launches_wanted = launch->index;
        if (v->run_count == before)
            continue;
        if (!program_find(v, launch, run))
            return validate_fail(v, "no memory for the runs");
    }
    return 0;
}

int validate_runs(struct validation *v)
{
    const struct measured *m = v->measured;
    int status = tidy_runs(v);
    if (status == 0)
        status = program_runs(v);
    if (status == 0)
        status = operand_runs(v);
    if (status || v->run_count)
        return status;
    struct name_set kernels = {0};
    struct name_list list = {0};
    for (size_t i = 0; i < m->launch_count; i++)
        if (m->launches[i].kernel)
            name_set_add(&kernels, m->launches[i].kernel);
    for (size_t i = 0; i < kernels.count; i++)
        name_list_add(&list, kernels.texts[i]);
    name_set_free(&kernels);
    return validate_fail(v, "no launch in the files is of the kernels named: they have %s",
                         list.text);
}
