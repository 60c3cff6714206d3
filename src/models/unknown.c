/* unknown.c - what there is for a GPU that is no model: its compute capability by its name, so that its rules at
 * least can be taken.
 *
 * The table follows the vendor's list of compute capabilities by product (CUDA GPU Compute Capability, and its list of
 * legacy products). Where one name was sold with two chips the more common one counts: nothing but a hint comes of it.
 * The first row whose word the name begins with counts, so that longer words stand above those that they begin with.
 */
#include "models/models.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "models/capabilities.h"

struct family {
    const char *begins;
    int sm;
};

static const struct family families[] = {
    /* names that begin like another generation's */
    {"quadrortx", 75},
    {"rtxpro", 120},
    {"rtx4000ada", 89},
    {"rtx5000ada", 89},
    {"rtx6000ada", 89},
    {"rtx4000", 75},
    {"rtx5000", 75},
    {"rtx6000", 75},
    {"rtx8000", 75},
    {"a100", 80},
    {"gtx1050", 61},
    {"gtx750", 50},
    {"gtx745", 50},
    {"gtx780", 35},
    {"gtxtitanx", 52},
    {"gtxtitan", 35},
    {"titanrtx", 75},
    {"titanv", 70},
    {"titanx", 61},
    {"gtx460", 21},
    {"gtx550", 21},
    {"gtx560", 21},
    {"gb10", 121},
    {"gb3", 103},
    {"gb2", 100},
    {"p100", 60},
    /* from new to old */
    {"rtx50", 120},
    {"b3", 103},
    {"b1", 100},
    {"b2", 100},
    {"h1", 90},
    {"h2", 90},
    {"h8", 90},
    {"gh", 90},
    {"rtx40", 89},
    {"rtx2000ada", 89},
    {"l4", 89},
    {"orin", 87},
    {"agxorin", 87},
    {"rtx30", 86},
    {"rtxa", 86},
    {"a30", 80},
    {"a8", 80},
    {"a2", 86},
    {"a10", 86},
    {"a16", 86},
    {"a4", 86},
    {"a5", 86},
    {"a6", 86},
    {"rtx20", 75},
    {"gtx16", 75},
    {"t4", 75},
    {"t1000", 75},
    {"t600", 75},
    {"xavier", 72},
    {"agxxavier", 72},
    {"v100", 70},
    {"gv100", 70},
    {"tx2", 62},
    {"gtx10", 61},
    {"gt10", 61},
    {"p4", 61},
    {"p6", 61},
    {"gp100", 60},
    {"tx1", 53},
    {"tegrax1", 53},
    {"nano", 53},
    {"gtx9", 52},
    {"m4", 52},
    {"m60", 52},
    {"k80", 37},
    {"k20", 35},
    {"k40", 35},
    {"k10", 30},
    {"tk1", 32},
    {"gtx7", 30},
    {"gtx6", 30},
    {"c20", 20},
    {"m20", 20},
    {"gtx4", 20},
    {"gtx5", 20},
    {"gtx2", 13},
    {"c10", 13},
    {"m10", 13},
    {"s10", 13},
    {"gt2", 12},
    {"9800", 11},
    {"9600", 11},
    {"8800gtx", 10},
    {"fx5600", 10},
    {"quadrofx5600", 10},
    {"8800ultra", 10},
    {"8800", 11},
};

enum { NAME_BYTES = 64 };

/* Lower-case letters and digits of a name, without the maker's and the product line's. */
static void reduce(const char *name, char reduced[NAME_BYTES])
{
    static const char *const lines[] = {"nvidia", "geforce", "tesla", "jetson"};
    size_t used = 0;
    for (; *name && used + 1 < NAME_BYTES; name++)
        if (isalnum((unsigned char)*name))
            reduced[used++] = (char)tolower((unsigned char)*name);
    reduced[used] = '\0';
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        size_t length = strlen(lines[i]);
        if (strncmp(reduced, lines[i], length) == 0)
            memmove(reduced, reduced + length, strlen(reduced + length) + 1);
    }
}

int models_guess_sm(const char *name)
{
    char reduced[NAME_BYTES];
    reduce(name, reduced);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strncmp(reduced, families[i].begins, strlen(families[i].begins)) == 0)
            return families[i].sm;
    return 0;
}

/* The nearest capabilities with rules below and above one that has none; 0 where there is none. */
static void find_neighbours(int64_t sm, int64_t *below, int64_t *above)
{
    *below = *above = 0;
    for (size_t i = 0; i < capability_count; i++) {
        if (capabilities[i].sm_last < sm)
            *below = capabilities[i].sm_last;
        if (capabilities[i].sm_first > sm && *above == 0)
            *above = capabilities[i].sm_first;
    }
}

static void advise_rules(int64_t sm, char *text)
{
    int64_t below, above;
    find_neighbours(sm, &below, &above);
    if (below && above)
        snprintf(text, MODELS_ADVICE_BYTES,
                 "; there are no rules of sm_%lld: the nearest are sm_%lld and sm_%lld",
                 (long long)sm, (long long)below, (long long)above);
    else
        snprintf(text, MODELS_ADVICE_BYTES,
                 "; there are no rules of sm_%lld: the nearest is sm_%lld", (long long)sm,
                 (long long)(below ? below : above));
}

const char *models_advice(const char *name, char text[MODELS_ADVICE_BYTES])
{
    char rules[16];
    const int sm = models_guess_sm(name);
    snprintf(rules, sizeof rules, "sm_%d", sm);
    const struct gpu_model *nearest = sm ? models_find(rules) : NULL;
    if (models_parse_sm(name))
        advise_rules(models_parse_sm(name), text);
    else if (nearest)
        snprintf(text, MODELS_ADVICE_BYTES,
                 "; %s has its rules, with the sizes of %s, and --arch-file takes sizes of its own",
                 rules, nearest->name);
    else
        snprintf(
            text, MODELS_ADVICE_BYTES,
            "; sm_86, say, has the rules of compute capability 8.6, and --arch-file takes a GPU "
            "of your own");
    return text;
}
