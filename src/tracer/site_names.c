/* site_names.c - arrays' names, each kept once: the table of arrays moves when it grows, and equal names have equal
 * addresses. They stay for the runs that follow. */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"

static char **names; /* by hash, open addressing; NULL: free */
static size_t name_count, name_room;

static size_t hash_of(const char *name)
{
    size_t hash = 14695981039346656037U; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211U;
    return hash;
}

static char **slot_of(char **table, size_t room, const char *name)
{
    size_t slot = hash_of(name) & (room - 1);
    while (table[slot] && strcmp(table[slot], name) != 0)
        slot = (slot + 1) & (room - 1);
    return &table[slot];
}

static bool grow(void)
{
    size_t room = name_room ? 2 * name_room : 64;
    char **table = calloc(room, sizeof *table);
    if (table == NULL)
        return false;
    for (size_t i = 0; i < name_room; i++)
        if (names[i])
            *slot_of(table, room, names[i]) = names[i];
    free(names);
    names = table;
    name_room = room;
    return true;
}

const char *site_names_keep(const char *name)
{
    if (2 * name_count >= name_room && !grow())
        return NULL;
    char **slot = slot_of(names, name_room, name);
    if (*slot == NULL) {
        *slot = strdup(name);
        name_count += *slot != NULL;
    }
    return *slot;
}
