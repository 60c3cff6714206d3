/* sites.c - static accesses get small numbers: one for each instruction (program counter, width,
 * operation, space, part) and array, so that a line's and an array's counters are both sums of
 * sites.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

enum { CACHE_SLOTS = 256 };

struct site_key {
    uint64_t meta;       /* the event's, without depth */
    uint64_t begin, end; /* addresses of the array; all of them when it has none */
};

/* Recently used sites by a hash of the instruction; saves the search in nearly every call. */
static struct {
    struct site_key key;
    uint32_t site;
} cache[CACHE_SLOTS];

static struct site_key *keys;
static struct trace_site *sites;
static size_t site_count, site_room;

void sites_start(void)
{
    memset(cache, 0, sizeof cache);
    site_count = 0;
}

/* Each launch places shared arrays anew. */
void sites_launch(void)
{
    memset(cache, 0, sizeof cache);
    for (size_t i = 0; i < site_count; i++)
        if (sites[i].space == SPACE_SHARED)
            keys[i].begin = keys[i].end = 0;
}

static bool sites_grow(void)
{
    size_t room = site_room ? 2 * site_room : 64;
    struct site_key *new_keys = realloc(keys, room * sizeof *new_keys);
    if (new_keys)
        keys = new_keys;
    struct trace_site *new_sites = realloc(sites, room * sizeof *new_sites);
    if (new_sites)
        sites = new_sites;
    if (new_keys == NULL || new_sites == NULL)
        return false;
    site_room = room;
    return true;
}

/* The array's name and addresses. */
static const char *site_array(enum mem_space space, uint64_t addr, struct site_key *key)
{
    key->begin = 0;
    key->end = UINT64_MAX;
    if (space == SPACE_SHARED)
        return spaces_shared_array(addr, &key->begin, &key->end);
    if (space != SPACE_GLOBAL && space != SPACE_TEXTURE)
        return "";
    const struct device_array *array = memory_array_at(addr - DEVICE_BASE_ADDRESS);
    if (array == NULL)
        return "";
    key->begin = DEVICE_BASE_ADDRESS + array->offset;
    key->end = key->begin + array->bytes;
    return array->name;
}

/* The name must outlive the array table, which moves when it grows. NULL: no memory. */
static const char *keep_name(const char *name)
{
    static char *kept[256];
    static size_t kept_count;
    for (size_t i = 0; i < kept_count; i++)
        if (strcmp(kept[i], name) == 0)
            return kept[i];
    if (kept_count == sizeof kept / sizeof kept[0])
        return "";
    kept[kept_count] = strdup(name);
    return kept[kept_count] ? kept[kept_count++] : NULL;
}

/* The site that an earlier launch had for this access to this array, or the next free number. */
static uint32_t site_of_earlier_launch(uint64_t meta, const char *array)
{
    uint32_t site = 0;
    while (site < site_count &&
           (keys[site].meta != meta || keys[site].end || strcmp(sites[site].array, array) != 0))
        site++;
    return site;
}

static uint32_t no_memory(void)
{
    tracer_fail("no memory for the places of accesses");
    return 0;
}

static uint32_t site_add(uint64_t meta, uint64_t addr)
{
    enum mem_space space = (enum mem_space)(meta >> EVENT_SPACE_SHIFT & 7);
    struct site_key key = {.meta = meta};
    const char *array = keep_name(site_array(space, addr, &key));
    if (array == NULL)
        return no_memory();
    uint32_t known = site_of_earlier_launch(meta, array);
    if (known < site_count) {
        keys[known] = key;
        return known;
    }
    if (site_count == site_room && !sites_grow())
        return no_memory();
    struct lineinfo_line where = sites_line(engine.image_base + (meta & UINT32_MAX));
    struct trace_site *site = &sites[site_count];
    keys[site_count] = key;
    *site = (struct trace_site){
        .file = where.file,
        .line = where.line,
        .array = array,
        .space = (uint8_t)space,
        .op = (uint8_t)(meta >> EVENT_OP_SHIFT & 7),
        .width = (uint8_t)(1U << (meta >> EVENT_WIDTH_SHIFT & 31)),
    };
    engine_heed(sink_site(engine.sink, (uint32_t)site_count, site));
    return (uint32_t)site_count++;
}

static bool key_matches(const struct site_key *key, uint64_t meta, uint64_t addr)
{
    return key->meta == meta && addr - key->begin < key->end - key->begin;
}

uint32_t sites_find(uint64_t meta, uint64_t addr)
{
    meta &= ~(0xffULL << EVENT_DEPTH_SHIFT);
    unsigned slot = (unsigned)((meta ^ meta >> 8 ^ meta >> 56) % CACHE_SLOTS);
    if (cache[slot].key.end && key_matches(&cache[slot].key, meta, addr))
        return cache[slot].site;
    uint32_t site = 0;
    while (site < site_count && !key_matches(&keys[site], meta, addr))
        site++;
    if (site == site_count)
        site = site_add(meta, addr);
    if (site < site_count) {
        cache[slot].key = keys[site];
        cache[slot].site = site;
    }
    return site;
}

const char *tracer_compiler(void)
{
#ifdef WARPLENS_KERNEL_COMPILER
    return WARPLENS_KERNEL_COMPILER;
#else
    return "unknown compiler";
#endif
}
