/* compare.c - pairs of measured and modelled values, counter by counter. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "validate/validate.h"
#include "text/memory.h"

/* The average over the launches. A ratio of nothing is 0, as profilers show it. */
static double modelled_value(const struct compared_counter *counter,
                             const struct joined_launch *joined)
{
    double sum = 0;
    for (size_t i = 0; i < joined->ref_count; i++) {
        const struct counters *c = &joined->refs[i].launch->counters;
        double value;
        if (counter->profiler == NULL)
            sum += (double)c->elapsed_ns / 1000;
        else if (counter->profiler->value(c, &value))
            sum += value;
    }
    return sum / (double)joined->ref_count;
}

bool validate_pair(const struct validation *v, size_t launch,
                   const struct compared_counter *counter, struct summary_pair *pair)
{
    const struct measured *m = v->measured;
    if (v->joined[launch].ref_count == 0 ||
        !measured_get(m, &m->launches[launch], counter->name, &pair->measured, &pair->tolerance))
        return false;
    pair->modelled = modelled_value(counter, &v->joined[launch]);
    return true;
}

/* Whether the launch took less than --min-time. A launch without a measured time does not. */
static bool is_short(const struct validation *v, const struct validate_group *group, size_t launch)
{
    for (size_t i = 0; i < group->counter_count && v->min_time_us > 0; i++) {
        const struct compared_counter *counter = &group->counters[i];
        double value, tolerance;
        if (!counter->is_time || !measured_get(v->measured, &v->measured->launches[launch],
                                               counter->name, &value, &tolerance))
            continue;
        return (counter->profiler ? value / 1000 : value) < v->min_time_us;
    }
    return false;
}

/* Raw transaction counts of nvprof on Maxwell and Pascal have 2 more a launch. */
static void note_constant(struct validation *v, const struct validate_group *group,
                          const struct compared_counter *counter, const struct summary_pair *pair)
{
    const struct capability *capability = capability_find(group->gpu->arch.sm);
    if (capability->rules->profiler == PROFILER_N5 &&
        strstr(validate_counter_name(v, counter), "_transactions") &&
        pair->measured - pair->modelled == 2)
        validate_note(v,
                      "%s on %s is 2 more than modelled in some launches: nvprof adds a constant 2 "
                      "to raw transaction counts of sm_5x and sm_6x.",
                      validate_counter_name(v, counter), group->gpu->model->name);
}

static bool compare_counter(struct validation *v, size_t g, struct compared_counter *counter)
{
    const struct validate_group *group = &v->groups[g];
    size_t count = v->measured->launch_count, short_count = 0;
    counter->pairs = memory_take(1, (count + 1) * sizeof *counter->pairs);
    counter->launches = memory_take(1, (count + 1) * sizeof *counter->launches);
    if (counter->pairs == NULL || counter->launches == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct summary_pair pair;
        if (v->joined[i].group != g || !validate_pair(v, i, counter, &pair))
            continue;
        if (counter->is_time && is_short(v, group, i)) {
            short_count++;
            continue;
        }
        note_constant(v, group, counter, &pair);
        counter->launches[counter->pair_count] = i;
        counter->pairs[counter->pair_count++] = pair;
    }
    if (short_count)
        validate_note(v, "%s on %s: launches shorter than %g us are left out: %zu.",
                      validate_counter_name(v, counter), group->gpu->model->name, v->min_time_us,
                      short_count);
    counter->within =
        summary_within(counter->pairs, counter->pair_count, counter->points, v->within_percent);
    return summary_make(counter->pairs, counter->pair_count, counter->points, &counter->summary);
}

static bool count_group(struct validation *v, size_t g)
{
    struct validate_group *group = &v->groups[g];
    struct name_set kernels = {0};
    bool fine = true;
    for (size_t i = 0; i < v->measured->launch_count && fine; i++) {
        if (v->joined[i].group != g || v->joined[i].ref_count == 0)
            continue;
        const struct model_run *run = v->joined[i].refs[0].run;
        group->launch_count++;
        group->has_cold |= run->cold_launches;
        group->has_warm |= !run->cold_launches;
        group->has_kernels |= run->kernel != NULL;
        fine = name_set_add(&kernels, validate_run_name(run)) != NAME_SET_NONE;
    }
    group->kernel_count = kernels.count;
    name_set_free(&kernels);
    return fine;
}

int validate_compare(struct validation *v)
{
    for (size_t g = 0; g < v->group_count; g++) {
        struct validate_group *group = &v->groups[g];
        bool fine = count_group(v, g);
        for (size_t i = 0; i < group->counter_count && fine; i++)
            fine = compare_counter(v, g, &group->counters[i]);
        if (!fine)
            return validate_fail(v, "no memory for the comparison");
    }
    return 0;
}
