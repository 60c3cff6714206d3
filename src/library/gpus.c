/* gpus.c - GPUs and their fields by name, and what else there is by name. */
#include "library/library.h"

#include <inttypes.h>

#include "models/models.h"

static bool unknown_gpu(struct warplens_run *run, const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES], advice[MODELS_ADVICE_BYTES];
    for (size_t i = 0; models_parse_sm(name) == 0 && i < model_count; i++)
        nearest_offer(&nearest, models[i]->name);
    return library_fail(run, "unknown GPU %.64s%s%s; `warplens gpus` lists them", name,
                        nearest_text(&nearest, text), models_advice(name, advice));
}

bool warplens_add_gpu(struct warplens_run *run, const char *name)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "get another GPU"))
        return false;
    const struct gpu_model *model = models_find(name ? name : "");
    if (model == NULL)
        return unknown_gpu(run, name ? name : "without a name");
    if (run->gpu_count == LIBRARY_GPUS_MAX)
        return library_fail(run, "more than %d GPUs", LIBRARY_GPUS_MAX);
    struct session_gpu *gpu = &run->gpus[run->gpu_count++];
    gpu->model = model;
    arch_from_model(model, &gpu->arch);
    return true;
}

size_t warplens_gpu_count(const struct warplens_run *run)
{
    return run ? run->gpu_count : 0;
}

const char *warplens_gpu_name(const struct warplens_run *run, size_t gpu)
{
    return run && gpu < run->gpu_count ? run->gpus[gpu].model->name : NULL;
}

static const struct arch_field *find_field(struct warplens_run *run, const char *name)
{
    const struct arch_field *field = arch_find_field(name ? name : "");
    if (field)
        return field;
    struct nearest nearest = nearest_start(name ? name : "");
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < arch_field_count; i++)
        nearest_offer(&nearest, arch_fields[i].name);
    library_fail(run, "unknown field %.64s of GPUs%s; `warplens gpus NAME` lists them",
                 name ? name : "without a name", nearest_text(&nearest, text));
    return NULL;
}

bool warplens_set_field(struct warplens_run *run, size_t gpu, const char *name, int64_t value)
{
    if (!library_is_in(run, LIBRARY_SETTING_UP, "be set up") || !library_has_gpu(run, gpu))
        return false;
    const struct arch_field *field = find_field(run, name);
    if (field == NULL)
        return false;
    if (arch_set(&run->gpus[gpu].arch, field, value))
        return true;
    return library_fail(run, "%s=%" PRId64 ": allowed is %" PRId64 " to %" PRId64 " (%s: %s)", name,
                        value, field->min, field->max, field->unit, field->meaning);
}

bool warplens_get_field(struct warplens_run *run, size_t gpu, const char *name, int64_t *value)
{
    if (run == NULL || !library_has_gpu(run, gpu))
        return false;
    const struct arch_field *field = find_field(run, name);
    if (field)
        *value = arch_get(&run->gpus[gpu].arch, field);
    return field != NULL;
}

/* ---- Lists -------------------------------------------------------------------------------------- */

static struct warplens_item gpu_item(size_t i)
{
    return (struct warplens_item){models[i]->name, "", models[i]->title};
}

static struct warplens_item field_item(size_t i)
{
    return (struct warplens_item){arch_fields[i].name, arch_fields[i].unit, arch_fields[i].meaning};
}

static struct warplens_item counter_item(size_t i)
{
    const struct quantity quantity = quantity_at(i);
    return (struct warplens_item){quantity.name, quantity.unit, quantity.definition};
}

static struct warplens_item ratio_item(size_t i)
{
    return counter_item(counter_count + i);
}

static struct warplens_item profiler_item(size_t i)
{
    return counter_item(quantity_own_count() + i);
}

static const struct {
    const size_t *count;
    struct warplens_item (*item)(size_t index);
} lists[] = {
    [WARPLENS_GPUS] = {&model_count, gpu_item},
    [WARPLENS_FIELDS] = {&arch_field_count, field_item},
    [WARPLENS_COUNTERS] = {&counter_count, counter_item},
    [WARPLENS_RATIOS] = {&metric_count, ratio_item},
    [WARPLENS_PROFILER_COUNTERS] = {&profiler_counter_count, profiler_item},
};

bool warplens_list(enum warplens_list list, size_t index, struct warplens_item *item)
{
    if ((size_t)list >= sizeof lists / sizeof lists[0] || index >= *lists[list].count)
        return false;
    *item = lists[list].item(index);
    return true;
}
