/* site_hashes.c - open addressing, at most half full. */
#include "trace_io/site_hashes.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

enum { SLOTS = 2 * SITE_HASHES_MAX };

bool site_hashes_start(struct site_hashes *table)
{
    *table = (struct site_hashes){.hashes = memory_take(SLOTS, sizeof *table->hashes),
                                  .numbers = memory_take(SLOTS, sizeof *table->numbers)};
    return table->hashes && table->numbers;
}

void site_hashes_free(struct site_hashes *table)
{
    free(table->hashes);
    free(table->numbers);
    *table = (struct site_hashes){0};
}

/* FNV-1a */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3ULL;
    return hash;
}

static uint64_t hash_site(const struct trace_site *site)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    hash = hash_bytes(hash, site->file, strlen(site->file) + 1);
    hash = hash_bytes(hash, site->array, strlen(site->array) + 1);
    hash = hash_bytes(hash, &site->line, sizeof site->line);
    hash = hash_bytes(hash, (const uint8_t[]){site->space, site->op, site->width}, 3);
    hash ^= hash >> 29;
    return hash ? hash : 1;
}

bool site_hashes_find(struct site_hashes *table, struct trace_input *input,
                      const struct trace_sink *sink, const struct trace_site *site,
                      uint32_t *number)
{
    uint64_t hash = hash_site(site);
    uint32_t slot = (uint32_t)(hash % SLOTS);
    while (table->hashes[slot] && table->hashes[slot] != hash)
        slot = (slot + 1) % SLOTS;
    *number = table->numbers[slot];
    if (table->hashes[slot])
        return true;
    if (table->count == SITE_HASHES_MAX)
        return input_fail(input,
                          "more than %d different instructions, by kernel and array: trace fewer "
                          "kernels at a time",
                          SITE_HASHES_MAX);
    *number = table->count++;
    table->hashes[slot] = hash;
    table->numbers[slot] = *number;
    return sink->site == NULL || sink->site(sink->context, *number, site);
}
