/* site_table.c - an array by number and a hash table over it, at most half full. */
#include "trace_io/site_table.h"

#include <stdlib.h>

#include "text/memory.h"

enum { FIRST_ROOM = 64 };

void site_table_free(struct site_table *table)
{
    free(table->keys);
    free(table->slots);
    *table = (struct site_table){0};
}

static uint32_t hash_of(const struct site_key *key)
{
    const uint64_t parts[] = {key->pc, (uint64_t)(uintptr_t)key->site.file,
                              (uint64_t)(uintptr_t)key->site.array,
                              (uint64_t)key->site.line << 24 | (uint64_t)key->site.space << 16 |
                                  (uint64_t)key->site.op << 8 | key->site.width};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        hash = (hash ^ parts[i]) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

static bool is_same(const struct site_key *a, const struct site_key *b)
{
    return a->pc == b->pc && a->site.file == b->site.file && a->site.array == b->site.array &&
           a->site.line == b->site.line && a->site.space == b->site.space &&
           a->site.op == b->site.op && a->site.width == b->site.width;
}

/* The slot of the first site like it, or the free one where it belongs. */
static uint32_t *slot_of(const struct site_table *table, const struct site_key *key)
{
    uint32_t at = hash_of(key) % table->slot_count;
    while (table->slots[at] && !is_same(&table->keys[table->slots[at] - 1], key))
        at = (at + 1) % table->slot_count;
    return &table->slots[at];
}

static void put_slot(struct site_table *table, uint32_t number)
{
    uint32_t *slot = slot_of(table, &table->keys[number]);
    if (*slot == 0)
        *slot = number + 1;
}

static bool grow(struct site_table *table)
{
    uint32_t room = table->room ? 2 * table->room : FIRST_ROOM;
    struct site_key *keys = memory_grow(table->keys, room * sizeof *keys);
    if (keys)
        table->keys = keys;
    uint32_t *slots = memory_take(2 * (size_t)room, sizeof *slots);
    if (keys == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(table->slots);
    table->slots = slots;
    table->room = room;
    table->slot_count = 2 * room;
    for (uint32_t i = 0; i < table->count; i++)
        put_slot(table, i);
    return true;
}

enum site_found site_table_add(struct site_table *table, const struct site_key *key,
                               uint32_t *number)
{
    if (table->count == SITES_MOST)
        return SITE_TOO_MANY;
    if (table->count == table->room && !grow(table))
        return SITE_NO_MEMORY;
    *number = table->count++;
    table->keys[*number] = *key;
    put_slot(table, *number);
    return SITE_NEW;
}

enum site_found site_table_find(struct site_table *table, const struct site_key *key,
                                uint32_t *number)
{
    uint32_t slot = table->slot_count ? *slot_of(table, key) : 0;
    if (slot == 0)
        return site_table_add(table, key, number);
    *number = slot - 1;
    return SITE_KNOWN;
}
