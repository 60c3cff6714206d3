/* left_out.c - a site's accesses on their way: which cache they look into, what hits, what goes on to L2 and DRAM.
 *
 * Which way accesses of a site go does not change: those proportions come from all that were modelled. How often they
 * hit does: those come from the waves that were measured.
 */
#include "sim/time/left_out.h"

#include <math.h>

#include "sim/rules/sectors.h"

/* The site's accesses: n: left out; w: in the waves measured; m: modelled. */
struct site {
    struct counters *n;
    const struct counters *w, *m;
    bool has_l2;
    uint64_t access_sectors; /* that an access of DRAM moves */
};

uint64_t left_out_share(uint64_t whole, uint64_t part, uint64_t of)
{
    if (part >= of)
        return of ? whole : 0;
    return (uint64_t)((double)whole * ((double)part / (double)of));
}

/* The same where `part` may be more than `of`. */
static uint64_t scaled(uint64_t whole, uint64_t part, uint64_t of)
{
    return of ? (uint64_t)llround((double)whole * ((double)part / (double)of)) : 0;
}

static uint64_t between(uint64_t least, uint64_t value, uint64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Divides all of `whole` in the proportions of what was seen; what is left by rounding goes to the largest. */
static void divide(uint64_t whole, const uint64_t *seen, uint64_t *given, uint32_t count)
{
    uint64_t sum = 0, left = whole;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += seen[i];
        largest = seen[i] > seen[largest] ? i : largest;
    }
    for (uint32_t i = 0; i < count; i++) {
        given[i] = left_out_share(whole, seen[i], sum);
        left -= given[i];
    }
    given[largest] += left;
}

/* `whole` less `part`; a window of time may begin between the two. */
static uint64_t rest(uint64_t whole, uint64_t part)
{
    return whole > part ? whole - part : 0;
}

static uint64_t loaded(const struct counters *c)
{
    return c->global_load_sectors + c->read_only_load_sectors + c->local_load_sectors +
           c->async_copy_sectors;
}

static uint64_t stored(const struct counters *c)
{
    return c->global_store_sectors + c->local_store_sectors;
}

static uint64_t host_loaded(const struct counters *c)
{
    return c->host_read_bytes / SECTOR_BYTES - c->host_atomic_sectors;
}

/* Of lookups in all caches of an SM. */
static uint64_t missed(const struct counters *c)
{
    return rest(c->l1_lookup_sectors + c->read_only_lookup_sectors + c->constant_lookups,
                c->l1_hit_sectors + c->read_only_hit_sectors + c->constant_hits);
}

/* ---- In the SM ------------------------------------------------------------------------------- */

/* Returns the sectors that go past all caches of the SM, to L2 or DRAM. */
static uint64_t look_up(const struct site *s)
{
    struct counters *n = s->n;
    const struct counters *w = s->w, *m = s->m;
    const uint64_t through =
        m->l1_lookup_sectors + m->read_only_lookup_sectors + m->l1_passed_sectors + host_loaded(m);
    const uint64_t seen[] = {m->l1_lookup_sectors, m->read_only_lookup_sectors,
                             m->l1_passed_sectors, host_loaded(m), rest(loaded(m), through)};
    uint64_t ways[5];
    divide(loaded(n), seen, ways, 5);
    n->l1_lookup_sectors = ways[0];
    n->read_only_lookup_sectors = ways[1];
    n->l1_passed_sectors = ways[2];
    n->host_read_bytes = SECTOR_BYTES * ways[3];
    n->constant_lookups =
        left_out_share(n->constant_load_passes, m->constant_lookups, m->constant_load_passes);
    n->l1_hit_sectors = left_out_share(ways[0], w->l1_hit_sectors, w->l1_lookup_sectors);
    n->l1_global_hit_sectors =
        left_out_share(n->l1_hit_sectors, w->l1_global_hit_sectors, w->l1_hit_sectors);
    n->read_only_hit_sectors =
        left_out_share(ways[1], w->read_only_hit_sectors, w->read_only_lookup_sectors);
    n->constant_hits = left_out_share(n->constant_lookups, w->constant_hits, w->constant_lookups);
    return ways[2] + ways[4];
}

/* A cache may fetch more than misses: whole lines. Returns what SMs ask for beyond themselves. */
static uint64_t ask(const struct site *s)
{
    const uint64_t past = look_up(s), misses = missed(s->n);
    const uint64_t seen_past =
        rest(loaded(s->m), s->m->l1_lookup_sectors + s->m->read_only_lookup_sectors);
    const uint64_t fetched = rest(s->m->crossbar_read_bytes / SECTOR_BYTES, seen_past);
    const uint64_t asked =
        past + between(misses, scaled(misses, fetched, missed(s->m)), 4 * misses);
    s->n->crossbar_read_bytes = SECTOR_BYTES * asked + s->n->host_read_bytes;
    return asked;
}

/* ---- Beyond it ------------------------------------------------------------------------------- */

static void load(const struct site *s)
{
    struct counters *n = s->n;
    const struct counters *w = s->w;
    const uint64_t asked = ask(s);
    if (!s->has_l2) {
        n->dram_read_sectors = asked;
        return;
    }
    n->gpc_merged_sectors =
        left_out_share(asked, w->gpc_merged_sectors, w->gpc_merged_sectors + w->l2_read_sectors);
    n->l2_read_sectors = asked - n->gpc_merged_sectors;
    n->l2_read_hit_sectors =
        left_out_share(n->l2_read_sectors, w->l2_read_hit_sectors, w->l2_read_sectors);
    n->l2_far_read_sectors =
        left_out_share(n->l2_read_sectors, w->l2_far_read_sectors, w->l2_read_sectors);
    n->l2_far_read_hit_sectors =
        left_out_share(n->l2_far_read_sectors, w->l2_far_read_hit_sectors, w->l2_far_read_sectors);
    const uint64_t misses =
        n->l2_read_sectors - n->l2_read_hit_sectors - n->l2_far_read_hit_sectors;
    const uint64_t seen =
        rest(w->l2_read_sectors, w->l2_read_hit_sectors + w->l2_far_read_hit_sectors);
    n->dram_read_sectors =
        between(misses, scaled(misses, rest(w->dram_read_sectors, w->dram_fill_sectors), seen),
                s->access_sectors * misses);
}

static void store(const struct site *s)
{
    struct counters *n = s->n;
    const struct counters *m = s->m;
    const uint64_t host = m->host_write_bytes / SECTOR_BYTES - m->host_atomic_sectors;
    const uint64_t seen[] = {m->store_merged_sectors, host,
                             rest(stored(m), m->store_merged_sectors + host)};
    uint64_t ways[3];
    divide(stored(n), seen, ways, 3);
    n->store_merged_sectors = ways[0];
    n->host_write_bytes = SECTOR_BYTES * ways[1];
    n->crossbar_write_bytes = SECTOR_BYTES * (ways[1] + ways[2]);
    *(s->has_l2 ? &n->l2_write_sectors : &n->dram_write_sectors) = ways[2];
}

/* Several lanes that want one address may be one atomic of L2. */
static void update(const struct site *s)
{
    struct counters *n = s->n;
    const struct counters *w = s->w, *m = s->m;
    const uint64_t all = n->global_atomic_sectors, seen = m->global_atomic_sectors;
    const uint64_t host = left_out_share(all, m->host_atomic_sectors, seen);
    n->host_atomic_sectors = host;
    n->host_read_bytes += SECTOR_BYTES * host;
    n->host_write_bytes += SECTOR_BYTES * host;
    if (!s->has_l2) {
        n->dram_read_sectors += all - host;
        n->dram_write_sectors += all - host;
        return;
    }
    n->l2_atomic_sectors =
        left_out_share(all - host, m->l2_atomic_sectors, seen - m->host_atomic_sectors);
    if (w->l2_atomic_sectors)
        n->dram_read_sectors +=
            between(0,
                    scaled(n->l2_atomic_sectors, rest(w->dram_read_sectors, w->dram_fill_sectors),
                           w->l2_atomic_sectors),
                    s->access_sectors * n->l2_atomic_sectors);
}

/* What L2 writes back, and reads first to complete it. */
static void write_back(const struct site *s)
{
    const struct counters *w = s->w;
    const uint64_t written = s->n->l2_write_sectors + s->n->l2_atomic_sectors;
    const uint64_t seen = w->l2_write_sectors + w->l2_atomic_sectors;
    if (!s->has_l2)
        return;
    s->n->dram_write_sectors = between(0, scaled(written, w->dram_write_sectors, seen), written);
    s->n->dram_fill_sectors = scaled(written, w->dram_fill_sectors, seen);
    s->n->dram_read_sectors += s->n->dram_fill_sectors;
}

/* A request to DRAM moves one sector to four. */
static void request(const struct site *s)
{
    struct counters *n = s->n;
    const struct counters *w = s->w, *m = s->m;
    const uint64_t moved = n->dram_read_sectors + n->dram_write_sectors;
    const uint64_t requests = between((moved + 3) / 4,
                                      scaled(moved, w->dram_row_hits + w->dram_row_misses,
                                             w->dram_read_sectors + w->dram_write_sectors),
                                      moved);
    n->dram_row_misses =
        left_out_share(requests, w->dram_row_misses, w->dram_row_hits + w->dram_row_misses);
    n->dram_row_hits = requests - n->dram_row_misses;
    n->camped_bytes = left_out_share(SECTOR_BYTES * moved, m->camped_bytes,
                                     SECTOR_BYTES * (m->dram_read_sectors + m->dram_write_sectors));
}

void left_out_site(struct counters *c, const struct counters *settled,
                   const struct counters *modelled, const struct arch *arch)
{
    const struct site site = {c, settled->warp_accesses ? settled : modelled, modelled,
                              arch->l2_bytes > 0 && arch->l2_slices > 0,
                              (uint64_t)arch->dram_access_bytes / SECTOR_BYTES};
    load(&site);
    store(&site);
    update(&site);
    write_back(&site);
    request(&site);
    c->instructions = scaled(c->warp_accesses, modelled->instructions, modelled->warp_accesses);
}
