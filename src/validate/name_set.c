/* name_set.c - open addressing; the table is at most half full. */
#define _GNU_SOURCE
#include "validate/name_set.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "text/memory.h"

static uint64_t hash(const char *text)
{
    uint64_t h = 0xcbf29ce484222325ULL;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3ULL;
    return h ^ h >> 32;
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t slot_of(const struct name_set *names, const char *text)
{
    size_t slot = (size_t)hash(text) & (names->slot_count - 1);
    while (names->slots[slot] && strcmp(names->texts[names->slots[slot] - 1], text) != 0)
        slot = (slot + 1) & (names->slot_count - 1);
    return slot;
}

uint32_t name_set_find(const struct name_set *names, const char *text)
{
    if (names->count == 0)
        return NAME_SET_NONE;
    uint32_t number = names->slots[slot_of(names, text)];
    return number ? number - 1 : NAME_SET_NONE;
}

static bool grow(struct name_set *names)
{
    size_t room = names->room;
    bool has_texts = list_grow(&names->texts, &room, sizeof *names->texts);
    uint32_t *slots = has_texts ? memory_take(2 * room, sizeof *slots) : NULL;
    if (slots == NULL)
        return false;
    free(names->slots);
    names->slots = slots;
    names->slot_count = 2 * room;
    names->room = room;
    for (size_t i = 0; i < names->count; i++)
        slots[slot_of(names, names->texts[i])] = (uint32_t)i + 1;
    return true;
}

uint32_t name_set_add(struct name_set *names, const char *text)
{
    if (names->count == names->room && (names->count == NAME_SET_NONE || !grow(names)))
        return NAME_SET_NONE;
    size_t slot = slot_of(names, text);
    if (names->slots[slot])
        return names->slots[slot] - 1;
    char *copy = memory_copy(text);
    if (copy == NULL)
        return NAME_SET_NONE;
    names->texts[names->count] = copy;
    names->slots[slot] = (uint32_t)++names->count;
    return (uint32_t)names->count - 1;
}

void name_set_free(struct name_set *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->texts[i]);
    free(names->texts);
    free(names->slots);
    *names = (struct name_set){0};
}
