/* sites.c - static accesses get small numbers: one for each instruction (program counter, width,
 * operation, space, part) and array, so that a line's and an array's counters are both sums of
 * sites.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "machine_code/lineinfo.h"

/* So many sites are kept apart for arrays that bear one name after each other, which `advise` tells apart by them; a program
 * that allocates in a loop gets no more. */
enum { CACHE_SLOTS = 256, SITES_APART = 1024 };

struct site_key {
    uint64_t meta;       /* the event's, without depth */
    uint64_t begin, end; /* addresses of the array; all of them when it has none */
    uint32_t launch;     /* shared arrays lie elsewhere in each; others: 0 */
};

struct site {
    struct site_key key;
    struct trace_site trace;
    uint32_t next_at, next_named; /* in the lists of the tables below: number + 1, 0 ends a list */
};

/* Recently used sites by a hash of the instruction; saves the search in nearly every call. */
static struct {
    struct site_key key;
    uint32_t site;
} cache[CACHE_SLOTS];

static struct site *sites;
static size_t site_count, site_room; /* room: 0, or a power of two */
/* By instruction and beginning of the array; by instruction and array's name. site_room lists each. */
static uint32_t *lists_at, *lists_named;
static uint32_t launch_number;

void sites_start(void)
{
    memset(cache, 0, sizeof cache);
    if (site_room) {
        memset(lists_at, 0, site_room * sizeof *lists_at);
        memset(lists_named, 0, site_room * sizeof *lists_named);
    }
    site_count = launch_number = 0;
}

/* Each launch places shared arrays anew. */
void sites_launch(void)
{
    memset(cache, 0, sizeof cache);
    launch_number++;
}

/* The head of the list that holds sites of this instruction and of this place or name. */
static uint32_t *list_of(uint32_t *lists, uint64_t meta, uint64_t at)
{
    uint64_t hash = (meta ^ at * 0x9e3779b97f4a7c15U) * 0x9e3779b97f4a7c15U;
    return &lists[(hash >> 32) & (site_room - 1)];
}

static uint32_t *list_at(const struct site_key *key)
{
    return list_of(lists_at, key->meta, key->begin);
}

/* Names are kept once: they are their addresses. */
static uint32_t *list_named(uint64_t meta, const char *name)
{
    return list_of(lists_named, meta, (uintptr_t)name);
}

static void link_site(uint32_t number)
{
    struct site *site = &sites[number];
    uint32_t *at = list_at(&site->key), *named = list_named(site->key.meta, site->trace.array);
    site->next_at = *at;
    site->next_named = *named;
    *at = *named = number + 1;
}

static bool grow_lists(uint32_t **lists, size_t room)
{
    uint32_t *grown = calloc(room, sizeof *grown);
    if (grown == NULL)
        return false;
    free(*lists);
    *lists = grown;
    return true;
}

static bool sites_grow(void)
{
    size_t room = site_room ? 2 * site_room : 64;
    struct site *grown = realloc(sites, room * sizeof *grown);
    if (grown)
        sites = grown;
    if (grown == NULL || !grow_lists(&lists_at, room))
        return false;
    if (!grow_lists(&lists_named, room)) /* sites are found in neither: the run ends */
        return false;
    site_room = room;
    for (uint32_t i = 0; i < site_count; i++)
        link_site(i);
    return true;
}

/* The array's name and addresses. */
static const char *site_array(enum mem_space space, uint64_t addr, struct site_key *key)
{
    key->begin = 0;
    key->end = UINT64_MAX;
    key->launch = space == SPACE_SHARED ? launch_number : 0;
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

static bool is_key(const struct site_key *a, const struct site_key *b)
{
    return a->meta == b->meta && a->begin == b->begin && a->end == b->end && a->launch == b->launch;
}

/* Nothing of its array comes any more: it was freed, or was an earlier launch's. */
static bool is_over(const struct site *site)
{
    if (site->trace.space == SPACE_SHARED)
        return site->key.launch != launch_number;
    if (site->key.begin == 0 || site_count < SITES_APART)
        return false;
    return memory_array_at(site->key.begin - DEVICE_BASE_ADDRESS)->freed;
}

/* The site that this access had to an earlier array of the name, which is over; or site_count. */
static uint32_t site_of_earlier_array(uint64_t meta, const char *array)
{
    uint32_t site = *list_named(meta, array);
    while (site && !(sites[site - 1].key.meta == meta && sites[site - 1].trace.array == array &&
                     is_over(&sites[site - 1])))
        site = sites[site - 1].next_named;
    return site ? site - 1 : (uint32_t)site_count;
}

static void site_move(uint32_t number, const struct site_key *key)
{
    struct site *site = &sites[number];
    uint32_t *link = list_at(&site->key);
    while (*link != number + 1)
        link = &sites[*link - 1].next_at;
    *link = site->next_at;
    site->key = *key;
    link = list_at(key);
    site->next_at = *link;
    *link = number + 1;
}

static uint32_t site_add(const struct site_key *key, enum mem_space space, const char *array)
{
    struct lineinfo_line where = sites_line(engine.image_base + (key->meta & UINT32_MAX));
    uint32_t number = (uint32_t)site_count++;
    sites[number] = (struct site){
        .key = *key,
        .trace = {
            .file = where.file,
            .line = where.line,
            .array = array,
            .space = (uint8_t)space,
            .op = (uint8_t)(key->meta >> EVENT_OP_SHIFT & 7),
            .width = (uint8_t)(1U << (key->meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK)),
        }};
    link_site(number);
    engine_heed(sink_site(engine.sink, number, &sites[number].trace));
    return number;
}

/* The site of an access whose key is not in the cache. */
static uint32_t site_search(uint64_t meta, uint64_t addr)
{
    enum mem_space space = space_of_event(meta >> EVENT_SPACE_SHIFT & 7);
    struct site_key key = {.meta = meta};
    const char *array = site_names_keep(site_array(space, addr, &key));
    if (array == NULL || (site_count == site_room && !sites_grow())) {
        tracer_fail("no memory for more than %zu sites: places in the source times arrays",
                    site_count);
        return 0;
    }
    for (uint32_t site = *list_at(&key); site; site = sites[site - 1].next_at)
        if (is_key(&sites[site - 1].key, &key))
            return site - 1;
    uint32_t known = site_of_earlier_array(meta, array);
    if (known == site_count)
        return site_add(&key, space, array);
    site_move(known, &key);
    return known;
}

static bool key_matches(const struct site_key *key, uint64_t meta, uint64_t addr)
{
    return key->meta == meta && addr - key->begin < key->end - key->begin;
}

/* Another block's array is the same as the block's own. */
uint32_t sites_find(uint64_t meta, uint64_t addr)
{
    if ((meta >> EVENT_SPACE_SHIFT & 7) >= SPACE_CLUSTER)
        addr %= CLUSTER_BLOCK_BYTES;
    meta &= ~(0xffULL << EVENT_DEPTH_SHIFT);
    unsigned slot = (unsigned)((meta ^ meta >> 8 ^ meta >> 56) % CACHE_SLOTS);
    if (cache[slot].key.end && key_matches(&cache[slot].key, meta, addr))
        return cache[slot].site;
    uint32_t site = site_search(meta, addr);
    if (site < site_count) {
        cache[slot].key = sites[site].key;
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
