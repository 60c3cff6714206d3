/* thresholds.c - parses and checks --max-error. */
#include "cli/commands/thresholds.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(const char *text, struct threshold *threshold)
{
    static const char mean[] = "mean:";
    const char *equals = strrchr(text, '=');
    char *end;
    threshold->mean = strncmp(text, mean, sizeof mean - 1) == 0;
    if (threshold->mean)
        text += sizeof mean - 1;
    if (equals == NULL || equals <= text || !isdigit((unsigned char)equals[1]) ||
        (size_t)(equals - text) >= sizeof threshold->counter)
        return false;
    memcpy(threshold->counter, text, (size_t)(equals - text));
    threshold->counter[equals - text] = '\0';
    threshold->percent = strtod(equals + 1, &end);
    return *end == '\0' && isfinite(threshold->percent);
}

int thresholds_parse(struct threshold thresholds[OPTION_LIST_MAX], const struct options *options)
{
    for (size_t i = 0; i < options->max_errors.count; i++)
        if (!parse(options->max_errors.items[i], &thresholds[i]))
            return usage_error(options->command,
                               "--max-error %s: allowed is FIGURE=PERCENT for the worst launch or "
                               "mean:FIGURE=PERCENT",
                               options->max_errors.items[i]);
    return EXIT_OK;
}

/* The next counter of that name with launches, from *group and *counter on. */
static const struct compared_counter *next(const struct validation *v, const char *name,
                                           size_t *group, size_t *counter)
{
    for (; *group < v->group_count; (*group)++, *counter = 0)
        while (*counter < v->groups[*group].counter_count) {
            const struct compared_counter *c = &v->groups[*group].counters[(*counter)++];
            if (c->pair_count && strcmp(validate_counter_name(v, c), name) == 0)
                return c;
        }
    return NULL;
}

int thresholds_known(const struct threshold *thresholds, const struct validation *v,
                     const struct options *options)
{
    for (size_t i = 0; i < options->max_errors.count; i++) {
        size_t group = 0, counter = 0;
        if (next(v, thresholds[i].counter, &group, &counter))
            continue;
        struct name_list compared = {0};
        for (size_t g = 0; g < v->group_count; g++)
            for (size_t c = 0; c < v->groups[g].counter_count; c++)
                if (v->groups[g].counters[c].pair_count)
                    name_list_add(&compared, validate_counter_name(v, &v->groups[g].counters[c]));
        return usage_error(options->command, "--max-error %s: no launch was compared on it; %s%s",
                           thresholds[i].counter,
                           compared.used ? "those compared are " : "none was", compared.text);
    }
    return EXIT_OK;
}

static int broken(const struct threshold *threshold, const struct validation *v, size_t group,
                  const struct compared_counter *c, const struct options *options)
{
    const struct summary *s = &c->summary;
    const char *unit = c->points ? "points" : "%";
    double error = threshold->mean ? s->mean_absolute : fabs(s->worst);
    char label[VALIDATE_LABEL_BYTES];
    if (error > threshold->percent)
        usage_error(options->command, "%s on %s: %s error %.4g %s is over %g%s%s",
                    threshold->counter, v->groups[group].gpu->model->name,
                    threshold->mean ? "mean" : "worst", error, unit, threshold->percent,
                    threshold->mean ? "" : ", in ",
                    threshold->mean ? "" : validate_label(v, c->launches[s->worst_pair], label));
    else if (!threshold->mean && s->not_zero)
        usage_error(options->command, "%s on %s: measured 0 and modelled not 0 in %zu launch%s",
                    threshold->counter, v->groups[group].gpu->model->name, s->not_zero,
                    s->not_zero == 1 ? "" : "es");
    else
        return EXIT_OK;
    return EXIT_THRESHOLD;
}

int thresholds_check(const struct threshold *thresholds, const struct validation *v,
                     const struct options *options)
{
    int status = EXIT_OK;
    for (size_t i = 0; i < options->max_errors.count; i++) {
        size_t group = 0, counter = 0;
        const struct compared_counter *c;
        while ((c = next(v, thresholds[i].counter, &group, &counter)) != NULL)
            if (broken(&thresholds[i], v, group, c, options))
                status = EXIT_THRESHOLD;
    }
    return status;
}
