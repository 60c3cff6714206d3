/* models.c - finding a GPU by chip or by rule set.
 *
 * A rule set's name stands for the chip marked is_default. A compute capability without a chip of
 * its own takes the default of the nearest relative, the older one when two are equally near.
 * Relatives obey the same access rules and have the same major version: 1.0 and 1.1 differ from 1.2
 * and 1.3 (CUDA C Programming Guide 5.5, appendix G; 11.7, appendix K).
 */
#include "models/models.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"

/* A file name holds no '-', so people who know the model's file write tegra_x1. */
static int fold(char c)
{
    return c == '_' ? '-' : tolower((unsigned char)c);
}

static bool is_same_name(const char *a, const char *b)
{
    while (*a != '\0' && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

static const struct gpu_model *find_chip(const char *name)
{
    for (size_t i = 0; i < model_count; i++) {
        if (is_same_name(models[i]->name, name)) {
            return models[i];
        }
    }
    return NULL;
}

int models_parse_sm(const char *name)
{
    if (tolower((unsigned char)name[0]) == 's' && tolower((unsigned char)name[1]) == 'm' &&
        name[2] == '_') {
        name += 3;
    }
    size_t digits = strspn(name, "0123456789");
    return digits >= 2 && digits <= 3 && name[digits] == '\0' && name[0] != '0' ? atoi(name) : 0;
}

static bool are_relatives(const struct capability *a, const struct capability *b)
{
    return a->rules == b->rules && a->sm_first / 10 == b->sm_first / 10;
}

static const struct gpu_model *find_nearest_default(int sm)
{
    const struct capability *wanted = capability_find(sm);
    const struct gpu_model *nearest = NULL;

    for (size_t i = 0; wanted != NULL && i < model_count; i++) {
        int64_t candidate = models[i]->sm.value;

        if (!models[i]->is_default || !are_relatives(wanted, capability_find(candidate))) {
            continue;
        }
        if (nearest == NULL || llabs(candidate - sm) < llabs(nearest->sm.value - sm)) {
            nearest = models[i];
        }
    }
    return nearest;
}

const struct gpu_model *models_find(const char *name)
{
    const struct gpu_model *chip = find_chip(name);

    return chip != NULL ? chip : find_nearest_default(models_parse_sm(name));
}
