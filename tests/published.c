/* published.c - names and values as text -> a session; its counters as text.
 *
 * The command line checks the same things against the same tables, but it prints and returns; here
 * the test ends. cmocka leaves a failing test by a jump, so a failing run frees nothing.
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gallery_list.h"
#include "session/gallery_source.h"
#include "models/models.h"

enum { NAME_MAX_BYTES = 64 };

/* Takes "name=value" from the front of the text. False when only blanks are left. */
static bool take_setting(const char **text, char name[NAME_MAX_BYTES], int64_t *value)
{
    int used = 0;
    *text += strspn(*text, " ");
    if (**text == '\0')
        return false;
    if (sscanf(*text, "%63[A-Za-z0-9_]=%" SCNd64 "%n", name, value, &used) != 2)
        fail_msg("\"%s\": no name=value", *text);
    *text += used;
    return true;
}

static void take_gpu(struct session_gpu *gpu, const char *text)
{
    char name[NAME_MAX_BYTES];
    int64_t value;
    size_t length = strcspn(text, " ");
    assert_in_range(length, 1, sizeof name - 1);
    memcpy(name, text, length);
    name[length] = '\0';
    gpu->model = models_find(name);
    if (gpu->model == NULL)
        fail_msg("no GPU %s", name);
    arch_from_model(gpu->model, &gpu->arch);
    for (text += length; take_setting(&text, name, &value);) {
        const struct arch_field *field = arch_find_field(name);
        if (field == NULL || !arch_set(&gpu->arch, field, value))
            fail_msg("%s: %s=%" PRId64 " is no field, or outside its range", gpu->model->name, name,
                     value);
    }
}

/* Those that the gallery does not have. */
static const struct gallery_kernel *more_kernels;
static size_t more_count;

void published_add_kernels(const struct gallery_kernel *kernels, size_t count)
{
    more_kernels = kernels;
    more_count = count;
}

static const struct gallery_kernel *find_kernel(const char *name)
{
    const struct gallery_kernel *kernel = gallery_find(name);
    for (size_t i = 0; i < more_count; i++)
        if (strcmp(more_kernels[i].name, name) == 0)
            kernel = &more_kernels[i];
    if (kernel == NULL)
        fail_msg("no kernel %s", name);
    return kernel;
}

static void set_param(const struct gallery_kernel *kernel, struct gallery_args *args,
                      const char *name, int64_t value)
{
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        const struct gallery_param *p = &kernel->params[i];
        if (strcmp(p->name, name) != 0)
            continue;
        if (value < p->min || value > p->max || (p->multiple > 1 && value % p->multiple != 0))
            fail_msg("%s does not take %s=%" PRId64, kernel->name, name, value);
        args->values[i] = value;
        return;
    }
    fail_msg("%s has no parameter %s", kernel->name, name);
}

static struct gallery_args take_params(const struct gallery_kernel *kernel, const char *text)
{
    struct gallery_args args = {.params = kernel->params};
    char name[NAME_MAX_BYTES];
    int64_t value;
    for (size_t i = 0; i < GALLERY_PARAMS_MAX; i++)
        args.values[i] = kernel->params[i].value;
    while (take_setting(&text, name, &value))
        set_param(kernel, &args, name, value);
    return args;
}

static void open_run(struct published *run, const char *const *gpus, size_t count,
                     const char *kernel, const char *params, bool rules_only)
{
    const struct gallery_kernel *found = find_kernel(kernel);
    assert_in_range(count, 1, PUBLISHED_GPUS_MAX);
    *run = (struct published){.args = take_params(found, params), .count = count};
    for (size_t i = 0; i < count; i++)
        take_gpu(&run->gpus[i], gpus[i]);
    struct gallery_run gallery = {found, &run->args};
    struct session_request request = {.source = gallery_source(&gallery),
                                      .gpus = run->gpus,
                                      .gpu_count = count,
                                      .block_count = PUBLISHED_BLOCKS,
                                      .rules_only = rules_only};
    const char *error = session_run(&request, run->results);
    if (error)
        fail_msg("%s", error);
}

void published_open(struct published *run, const char *const *gpus, size_t count,
                    const char *kernel, const char *params)
{
    open_run(run, gpus, count, kernel, params, true);
}

void published_open_timed(struct published *run, const char *gpu, const char *kernel,
                          const char *params)
{
    open_run(run, &gpu, 1, kernel, params, false);
}

void published_close(struct published *run)
{
    results_free(run->results, run->count);
    run->count = 0;
}

static void run_gpus(const char *const *gpus, size_t count, const char *kernel, const char *params,
                     bool rules_only, struct counters *totals)
{
    struct published run;
    open_run(&run, gpus, count, kernel, params, rules_only);
    for (size_t i = 0; i < count; i++)
        totals[i] = run.results[i].total;
    published_close(&run);
}

void published_run_gpus(const char *const *gpus, size_t count, const char *kernel,
                        const char *params, struct counters *totals)
{
    run_gpus(gpus, count, kernel, params, true, totals);
}

void published_run_timed_gpus(const char *const *gpus, size_t count, const char *kernel,
                              const char *params, struct counters *totals)
{
    run_gpus(gpus, count, kernel, params, false, totals);
}

struct counters published_run_timed(const char *gpu, const char *kernel, const char *params)
{
    struct counters total;
    published_run_timed_gpus(&gpu, 1, kernel, params, &total);
    return total;
}

struct counters published_run(const char *gpu, const char *kernel, const char *params)
{
    struct counters total;
    published_run_gpus(&gpu, 1, kernel, params, &total);
    return total;
}

void published_trace(const char *kernel, const char *params, const struct trace_sink *sink)
{
    const struct gallery_kernel *found = find_kernel(kernel);
    const struct gallery_args args = take_params(found, params);
    struct gallery_run run = {found, &args};
    const struct trace_source source = gallery_source(&run);
    const char *error = source.run(source.context, sink);
    if (error)
        fail_msg("%s", error);
}

double published_metric(const struct counters *c, const char *name)
{
    double value;
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, name) == 0 && metric_table[i].value(c, &value))
            return value;
    fail_msg("no metric %s, or it has no value", name);
    return 0;
}

double published_profiler(const struct counters *c, enum profiler profiler, const char *name)
{
    double value;
    for (size_t i = 0; i < profiler_counter_count; i++) {
        const struct profiler_counter *p = &profiler_table[i];
        if ((p->profilers & profiler) && strcmp(p->name, name) == 0 && p->value(c, &value))
            return value;
    }
    fail_msg("%s has no counter %s, or it has no value", profiler_title(profiler), name);
    return 0;
}

static char *next_text(void)
{
    static char texts[8][32];
    static size_t next;
    return texts[next++ % 8];
}

const char *published_exact(double value)
{
    char *text = next_text();
    snprintf(text, 32, "%.15g", value);
    return text;
}

const char *published_rounded(double value, int decimals)
{
    char *text = next_text();
    snprintf(text, 32, "%.*f", decimals, value);
    return text;
}

struct published_sizes published_load_sizes(const struct counters *c)
{
    return (struct published_sizes){c->global_load_transactions_32b,
                                    c->global_load_transactions_64b,
                                    c->global_load_transactions_128b};
}

struct published_sizes published_store_sizes(const struct counters *c)
{
    return (struct published_sizes){c->global_store_transactions_32b,
                                    c->global_store_transactions_64b,
                                    c->global_store_transactions_128b};
}
