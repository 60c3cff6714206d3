/* device.c - compares words: letters and digits, whatever stands between them. */
#define _GNU_SOURCE
#include "validate/device.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "models/models.h"

static const char *skip_gap(const char *text)
{
    while (*text && !isalnum((unsigned char)*text))
        text++;
    return text;
}

/* Behind `words` at the begin of `text`; NULL when they do not stand there. */
static const char *behind_words(const char *text, const char *words)
{
    while (*(words = skip_gap(words))) {
        text = skip_gap(text);
        if (tolower((unsigned char)*text++) != tolower((unsigned char)*words++))
            return NULL;
    }
    return text;
}

/* The gigabytes that a text names first; 0: none. */
static long gigabytes(const char *text)
{
    for (; *text; text++) {
        char *end;
        if (!isdigit((unsigned char)*text))
            continue;
        const long number = strtol(text, &end, 10);
        if (strncasecmp(skip_gap(end), "GB", 2) == 0)
            return number;
        text = end - 1;
    }
    return 0;
}

/* Whether what stands behind the words makes it another chip: "GTX 980M", "GTX 980 Ti". A Tesla's
 * letter names the board's cooling: "Tesla K40c". */
static bool is_other_chip(const char *rest, const char *title)
{
    static const char *const words[] = {"Ti", "SUPER", "Laptop", "Max", "Mobile"};
    if (isdigit((unsigned char)*rest))
        return true;
    if (isalpha((unsigned char)*rest))
        return strncmp(title, "Tesla", 5) != 0 || isalnum((unsigned char)rest[1]);
    /* "GTX 1060 3GB" is no GTX 1060 6 GB */
    if (gigabytes(title) && gigabytes(rest) && gigabytes(title) != gigabytes(rest))
        return true;
    rest = skip_gap(rest);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        if (strncasecmp(rest, words[i], length) == 0 && !isalnum((unsigned char)rest[length]))
            return true;
    }
    return false;
}

static bool names_chip(const char *device, const char *words, const char *title)
{
    for (const char *at = device; *at; at++) {
        bool begins =
            isalnum((unsigned char)*at) && (at == device || !isalnum((unsigned char)at[-1]));
        const char *rest = begins ? behind_words(at, words) : NULL;
        if (rest && !is_other_chip(rest, title))
            return true;
    }
    return false;
}

const struct gpu_model *device_model(const char *device)
{
    const struct gpu_model *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < model_count; i++) {
        const char *words[] = {models[i]->title, models[i]->name};
        for (size_t w = 0; w < 2; w++)
            if (strlen(words[w]) > longest && names_chip(device, words[w], models[i]->title)) {
                best = models[i];
                longest = strlen(words[w]);
            }
    }
    return best;
}
