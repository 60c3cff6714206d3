/* models.c - finding a GPU by chip or by rule set.
 *
 * A rule set's name stands for the chip marked is_default. A compute capability without a chip of
 * its own takes the default of the nearest one that obeys the same access rules, the older one when
 * two are equally near. The families are those of the access rules: 1.0 and 1.1 differ from 1.2 and
 * 1.3, all later ones go by major version (CUDA C Programming Guide 5.5, appendix G; 11.7,
 * appendix K). Their ends are the first and last compute capability that NVIDIA made.
 */
#include "models/models.h"

#include <ctype.h>
#include <stdlib.h>

struct sm_family {
    int first, last;
};

static const struct sm_family families[] = {
    {10, 11}, {12, 13}, {20, 21}, {30, 37}, {50, 53}, {60, 62}, {70, 75}, {80, 89}, {90, 90},
};

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

/* 13 for "13", "sm_13" or "SM_13"; 0 when the name is not of that form. */
static int parse_sm(const char *name)
{
    if (tolower((unsigned char)name[0]) == 's' && tolower((unsigned char)name[1]) == 'm' &&
        name[2] == '_') {
        name += 3;
    }
    if (!isdigit((unsigned char)name[0]) || !isdigit((unsigned char)name[1]) || name[2] != '\0') {
        return 0;
    }
    return (name[0] - '0') * 10 + (name[1] - '0');
}

static const struct sm_family *find_family(int sm)
{
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        if (sm >= families[i].first && sm <= families[i].last) {
            return &families[i];
        }
    }
    return NULL;
}

static const struct gpu_model *find_nearest_default(int sm, const struct sm_family *family)
{
    const struct gpu_model *nearest = NULL;

    for (size_t i = 0; i < model_count; i++) {
        int64_t candidate = models[i]->sm.value;

        if (!models[i]->is_default || candidate < family->first || candidate > family->last) {
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

    if (chip != NULL) {
        return chip;
    }
    int sm = parse_sm(name);
    const struct sm_family *family = find_family(sm);

    return family != NULL ? find_nearest_default(sm, family) : NULL;
}
