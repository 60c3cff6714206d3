/* sites.c - a hash table with linear probing, at most half full. */
#define _GNU_SOURCE
#include "library/sites.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_AT_FIRST = 64 };

/* FNV-1a. */
static uint32_t hash_text(uint32_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * 16777619U;
    return hash;
}

static uint32_t hash_site(const struct trace_site *site)
{
    const uint32_t kind = (uint32_t)(site->space << 16 | site->op << 8 | site->width);
    uint32_t hash = hash_text(hash_text(2166136261U, site->file), site->array);
    hash = (hash ^ site->line) * 16777619U;
    hash = (hash ^ kind) * 16777619U;
    return hash ^ hash >> 15;
}

static bool is_same(const struct trace_site *a, const struct trace_site *b)
{
    return a->line == b->line && a->space == b->space && a->op == b->op && a->width == b->width &&
           strcmp(a->file, b->file) == 0 && strcmp(a->array, b->array) == 0;
}

/* The slot of an equal site, or the free one where it belongs. */
static uint32_t *slot_of(const struct sites *sites, const struct trace_site *site)
{
    const uint32_t mask = 2 * sites->room - 1;
    uint32_t at = hash_site(site) & mask;
    while (sites->slots[at] && !is_same(&sites->sites[sites->slots[at] - 1], site))
        at = (at + 1) & mask;
    return &sites->slots[at];
}

static bool make_room(struct sites *sites)
{
    uint32_t room = sites->room ? 2 * sites->room : ROOM_AT_FIRST;
    if (sites->count < sites->room)
        return true;
    struct trace_site *grown = realloc(sites->sites, room * sizeof *grown);
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    sites->sites = grown ? grown : sites->sites;
    if (grown == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(sites->slots);
    sites->slots = slots;
    sites->room = room;
    for (uint32_t i = 0; i < sites->count; i++)
        *slot_of(sites, &sites->sites[i]) = i + 1;
    return true;
}

static bool add(struct sites *sites, const struct trace_site *site)
{
    char *file = strdup(site->file), *array = strdup(site->array);
    if (file == NULL || array == NULL) {
        free(file);
        free(array);
        return false;
    }
    *slot_of(sites, site) = sites->count + 1;
    struct trace_site *added = &sites->sites[sites->count++];
    *added = *site;
    added->file = file;
    added->array = array;
    return true;
}

bool sites_number(struct sites *sites, const struct trace_site *site, uint32_t *number,
                  bool *is_new)
{
    if (!make_room(sites))
        return false;
    uint32_t found = *slot_of(sites, site);
    *is_new = found == 0;
    *number = found ? found - 1 : sites->count;
    return found || add(sites, site);
}

void sites_free(struct sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        free((void *)sites->sites[i].file);
        free((void *)sites->sites[i].array);
    }
    free(sites->sites);
    free(sites->slots);
    *sites = (struct sites){0};
}
