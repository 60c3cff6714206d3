/* names.c - a hash table of places in one text. Its order shows in no output. */
#include "trace_io/names.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

bool names_start(struct names *names)
{
    *names = (struct names){0};
    names->text = memory_take(NAMES_BYTES, 1); /* pages that are not used are not taken */
    names->slots = memory_take(NAMES_SLOTS, sizeof *names->slots);
    if (names->text && names->slots)
        return true;
    names_free(names);
    return false;
}

void names_free(struct names *names)
{
    free(names->text);
    free(names->slots);
    *names = (struct names){0};
}

static size_t hash_of(const char *name, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325ULL; /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3ULL;
    return (size_t)(hash ^ hash >> 32);
}

static bool is_name(const struct names *names, uint32_t slot, const char *name, size_t length)
{
    const char *text = names->text + slot - 1;
    return strncmp(text, name, length) == 0 && text[length] == '\0';
}

/* The slot that holds the name, or the free one where it belongs. */
static uint32_t *slot_of(const struct names *names, const char *name, size_t length)
{
    size_t at = hash_of(name, length) % NAMES_SLOTS;
    while (names->slots[at] && !is_name(names, names->slots[at], name, length))
        at = (at + 1) % NAMES_SLOTS;
    return &names->slots[at];
}

const char *names_find(const struct names *names, const char *name, size_t length)
{
    uint32_t slot = *slot_of(names, name, length);
    return slot ? names->text + slot - 1 : NULL;
}

const char *names_keep(struct names *names, const char *name, size_t length)
{
    uint32_t *slot = slot_of(names, name, length);
    if (*slot)
        return names->text + *slot - 1;
    if (length >= NAME_BYTES || names->used + length + 1 > NAMES_BYTES ||
        names->count == NAMES_MOST)
        return NULL;
    char *kept = names->text + names->used;
    memcpy(kept, name, length);
    *slot = (uint32_t)names->used + 1;
    names->used += length + 1;
    names->count++;
    return kept;
}
