/* accesses.c - an access meets what its words' cells hold.
 *
 * Two accesses of one word meet when they are of different threads, one of them writes, and nothing orders
 * them. Stores of equal values do not meet; atomics do not meet atomics, nor accesses through volatile
 * pointers; two of these do not meet each other when they are of different blocks, or of different warps and the
 * store is behind a fence: that is how flags are made. In a warp they do, as what relies on lanes in step is
 * often written so: all those of shared memory, and those of global memory whose store is of what the lane has
 * loaded there.
 */
#include "check/checker.h"

#include <string.h>

/* The access in hand. */
struct present {
    struct checker *c;
    const struct warp_access *access;
    const uint32_t *values;
    uint32_t scope_start; /* records before it count for nothing */
    uint8_t flags;        /* of a touch */
    bool is_shared;
};

static bool is_in_warp(const struct present *p, const struct touch *t)
{
    return t->warp == p->access->warp && t->time >= p->c->order.block_start;
}

/* Whether the thread is told of what all lanes of the touch did; *other: one that it is not told of. */
static bool is_released(const struct present *p, const struct touch *t, unsigned lane,
                        unsigned *other)
{
    struct order *o = &p->c->order;
    for (uint32_t left = t->lanes; left; left &= left - 1) {
        *other = (unsigned)__builtin_ctz(left);
        if (!order_knows(o, WARP_LANES * p->access->warp + lane, t->time,
                         WARP_LANES * t->warp + *other))
            return false;
    }
    return true;
}

/* In the same warp: from sm_70 on a lane knows only of what a __syncwarp has ordered. */
static unsigned unordered_in_warp(const struct present *p, const struct touch *t, unsigned lane,
                                  unsigned *other)
{
    struct order *o = &p->c->order;
    uint32_t others = t->lanes & ~(1U << lane);
    if (t->time == o->now || !o->has_syncs)
        return 0;
    for (; others; others &= others - 1) {
        *other = (unsigned)__builtin_ctz(others);
        if (t->time >= order_seen(o, t->warp, lane, *other) &&
            !order_knows(o, WARP_LANES * t->warp + lane, t->time, WARP_LANES * t->warp + *other))
            return LANES_APART;
    }
    return 0;
}

/* Where the lane's access and the touch are not ordered: LANES_... */
static unsigned unordered(const struct present *p, const struct touch *t, unsigned lane,
                          unsigned *other)
{
    struct checker *c = p->c;
    const struct order *o = &c->order;
    if (t->time < p->scope_start)
        return 0;
    if (t->time >= o->block_start) {
        if (t->time < o->interval_start || c->limits.no_barriers || o->out_of_step)
            return 0;
        if (is_in_warp(p, t))
            return unordered_in_warp(p, t, lane, other);
    } else if (order_has_grid_between(o, t->time)) {
        return 0;
    }
    return is_released(p, t, lane, other) || o->releases.is_full ? 0 : LANES_EITHER;
}

enum { STRONG = TOUCH_VOLATILE | TOUCH_ATOMIC };

/* Both are made for threads that are not ordered. */
static bool is_allowed(const struct present *p, const struct touch *t, uint8_t write_flags)
{
    if (!(t->flags & STRONG) || !(p->flags & STRONG))
        return false;
    if ((t->flags | p->flags) & TOUCH_ATOMIC)
        return true;
    if (is_in_warp(p, t))
        return !p->is_shared && !(write_flags & TOUCH_UPDATE);
    return t->time < p->c->order.block_start || write_flags & TOUCH_RELEASE;
}

static void meet(const struct present *p, const struct touch *t, struct meeting meeting)
{
    meeting.touch = t;
    meeting.second_site = (uint16_t)p->access->site;
    meeting.warp = p->access->warp;
    findings_meet(p->c, &meeting);
}

static enum hazard_kind kind_of(const struct present *p, bool both_write)
{
    if (p->is_shared)
        return both_write ? HAZARD_SHARED_WRITE_WRITE : HAZARD_SHARED_READ_WRITE;
    return both_write ? HAZARD_GLOBAL_WRITE_WRITE : HAZARD_GLOBAL_READ_WRITE;
}

/* The lane's access meets the touch, unless they are ordered or allowed. */
static void look_at(const struct present *p, struct cell *cell, const struct touch *t,
                    unsigned lane, uint64_t address, bool both_write, uint8_t write_flags)
{
    unsigned other;
    unsigned where = unordered(p, t, lane, &other);
    if (where == 0 || is_allowed(p, t, write_flags))
        return;
    meet(p, t,
         (struct meeting){.kind = kind_of(p, both_write),
                          .lanes_run = where,
                          .other = other,
                          .first_site = t->site,
                          .lane = lane,
                          .address = address,
                          .cell = cell});
}

/* ---- Loads and atomics ------------------------------------------------------------------------ */

/* How useful a record is beside a newer one: it is of another block, warp, or lane. */
static unsigned rank(const struct present *p, const struct touch *t)
{
    const struct order *o = &p->c->order;
    if (t->time < p->scope_start || (t->time >= o->block_start && t->time < o->interval_start))
        return 0;
    return t->time < o->block_start ? 3 : t->warp != p->access->warp ? 2 : 1;
}

static void note_read(const struct present *p, struct cell *cell, unsigned lane)
{
    struct touch *last = &cell->reads[0], *kept = &cell->reads[1];
    if (last->time == p->c->order.now) {
        last->lanes |= 1U << lane;
        return;
    }
    if (rank(p, last) >= rank(p, kept))
        *kept = *last;
    *last = (struct touch){.time = p->c->order.now,
                           .lanes = 1U << lane,
                           .site = (uint16_t)p->access->site,
                           .warp = (uint8_t)p->access->warp,
                           .flags = p->flags};
}

static void on_load(const struct present *p, struct cell *cell, unsigned lane, uint64_t address)
{
    look_at(p, cell, &cell->write, lane, address, false, cell->write.flags);
    for (unsigned i = 0; i < 2; i++)
        if (cell->reads[i].flags & TOUCH_ATOMIC)
            look_at(p, cell, &cell->reads[i], lane, address, false, 0);
    note_read(p, cell, lane);
}

/* The lane has loaded the word before, in this block: *site is where. */
static bool has_loaded(const struct present *p, const struct cell *cell, unsigned lane,
                       uint16_t *site)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct touch *t = &cell->reads[i];
        if (t->time >= p->scope_start && is_in_warp(p, t) && t->lanes >> lane & 1U &&
            !(t->flags & TOUCH_ATOMIC)) {
            *site = t->site;
            return true;
        }
    }
    return false;
}

/* A plain load of the word that the lane now compares and swaps was a guess, which may be of any age. */
static void note_guess(const struct present *p, const struct cell *cell, unsigned lane)
{
    uint16_t site;
    if (p->flags & TOUCH_VOLATILE && has_loaded(p, cell, lane, &site))
        p->c->sites[site].is_guess = true;
}

static void on_atomic(const struct present *p, struct cell *cell, unsigned lane, uint64_t address)
{
    note_guess(p, cell, lane);
    look_at(p, cell, &cell->write, lane, address, true, 0);
    for (unsigned i = 0; i < 2; i++)
        if (!(cell->reads[i].flags & TOUCH_ATOMIC))
            look_at(p, cell, &cell->reads[i], lane, address, false, 0);
    note_read(p, cell, lane);
}

/* ---- Stores ----------------------------------------------------------------------------------- */

static bool same_line(const struct checker *c, uint16_t a, uint16_t b)
{
    return a == b || (c->sites[a].line == c->sites[b].line &&
                      strcmp(c->sites[a].file, c->sites[b].file) == 0);
}

/* Both threads have loaded the word and then stored it, at the same lines. */
static bool loses_update(const struct present *p, const struct cell *cell, bool has_load,
                         uint16_t load_site)
{
    return has_load && cell->write.flags & TOUCH_UPDATE &&
           same_line(p->c, cell->write.site, (uint16_t)p->access->site) &&
           same_line(p->c, cell->load_site, load_site);
}

static bool stores_same(const struct present *p, const struct cell *cell, unsigned lane)
{
    return p->flags & TOUCH_KNOWN && cell->write.flags & TOUCH_KNOWN &&
           p->flags >> TOUCH_WIDTH_SHIFT == cell->write.flags >> TOUCH_WIDTH_SHIFT &&
           p->values[lane] == cell->value;
}

static void look_at_write(const struct present *p, struct cell *cell, unsigned lane,
                          uint64_t address, bool has_load, uint16_t load_site, uint8_t flags)
{
    const struct touch *t = &cell->write;
    const bool is_same = t->time == p->c->order.now;
    unsigned other = (unsigned)__builtin_ctz(t->lanes | 1U << 31);
    unsigned where = is_same ? LANES_EITHER : unordered(p, t, lane, &other);
    const bool loses = loses_update(p, cell, has_load, load_site);
    if (where == 0 || (!loses && stores_same(p, cell, lane)) ||
        (!is_same && is_allowed(p, t, t->flags & flags)))
        return;
    meet(p, t,
         (struct meeting){.kind = loses ? HAZARD_LOST_UPDATE : kind_of(p, true),
                          .lanes_run = where,
                          .other = other,
                          .first_site = loses ? load_site : t->site,
                          .is_same_instruction = is_same,
                          .has_values_unknown = !(p->flags & t->flags & TOUCH_KNOWN),
                          .lane = lane,
                          .address = address,
                          .cell = cell});
}

static void on_store(const struct present *p, struct cell *cell, unsigned lane, uint64_t address)
{
    struct touch *t = &cell->write;
    uint16_t load_site = 0;
    const bool has_load = has_loaded(p, cell, lane, &load_site);
    uint8_t flags = p->flags;
    if (flags & TOUCH_VOLATILE && order_releases(&p->c->order, WARP_LANES * p->access->warp + lane))
        flags |= TOUCH_RELEASE;
    if (has_load)
        flags |= TOUCH_UPDATE;
    look_at_write(p, cell, lane, address, has_load, load_site, flags);
    for (unsigned i = 0; i < 2; i++)
        look_at(p, cell, &cell->reads[i], lane, address, (cell->reads[i].flags & TOUCH_ATOMIC) != 0,
                flags);
    uint32_t lanes = t->time == p->c->order.now ? t->lanes : 0;
    *t = (struct touch){.time = p->c->order.now,
                        .lanes = lanes | 1U << lane,
                        .site = (uint16_t)p->access->site,
                        .warp = (uint8_t)p->access->warp,
                        .flags = flags};
    cell->value = p->values ? p->values[lane] : 0;
    cell->load_site = load_site;
}

/* ---- An access -------------------------------------------------------------------------------- */

/* The lane's words, or bytes, of its access. */
static void touch_lane(const struct present *p, struct shadow *shadow, unsigned lane,
                       uint64_t address)
{
    const unsigned width = p->access->width;
    struct page *page = shadow_page(shadow, address, width);
    if (page == NULL)
        return;
    uint64_t first = (address & (PAGE_BYTES - 1)) >> page->granule_log2;
    uint64_t last = ((address & (PAGE_BYTES - 1)) + width - 1) >> page->granule_log2;
    for (uint64_t i = first; i <= last; i++) {
        uint64_t at = (address & ~(uint64_t)(PAGE_BYTES - 1)) + (i << page->granule_log2);
        if (p->access->op == OP_LOAD)
            on_load(p, &page->cells[i], lane, at);
        else if (p->access->op == OP_STORE)
            on_store(p, &page->cells[i], lane, at);
        else
            on_atomic(p, &page->cells[i], lane, at);
    }
}

/* What an atomic or a volatile access does for the order of others. */
static void order_by(const struct present *p, unsigned lane, uint64_t address)
{
    struct order *o = &p->c->order;
    const uint32_t thread = WARP_LANES * p->access->warp + lane;
    if (!o->has_fences && o->has_syncs)
        return;
    if (p->access->op != OP_STORE)
        order_acquire(o, thread, address, p->is_shared);
    if (p->access->op != OP_LOAD)
        order_release(o, thread, address, p->is_shared, p->access->op == OP_ATOMIC);
}

static uint8_t flags_of(const struct warp_access *a)
{
    unsigned flags = (unsigned)__builtin_ctz(a->width) << TOUCH_WIDTH_SHIFT;
    flags |= a->flags & ACCESS_VOLATILE ? TOUCH_VOLATILE : 0U;
    flags |= a->op == OP_ATOMIC ? TOUCH_ATOMIC : 0U;
    return (uint8_t)(flags | (a->values ? TOUCH_KNOWN : 0U));
}

/* What a block does in another one's shared memory is not looked at: shadows are of one block. */
void checker_access(struct checker *c, const struct warp_access *a)
{
    if (access_is_remote(a))
        return;
    const struct order *o = &c->order;
    struct present p = {.c = c, .access = a, .values = a->values, .flags = flags_of(a)};
    struct check_site *site = &c->sites[a->site];
    p.is_shared = a->space == SPACE_SHARED;
    p.scope_start = p.is_shared ? o->block_start : o->launch_start;
    struct shadow *shadow = p.is_shared ? &c->shared : &c->global;
    c->limits.no_values |= a->op == OP_STORE && a->values == NULL && !(a->flags & ACCESS_VOLATILE);
    for (uint32_t left = a->active; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t address = access_addr(a, lane);
        site->lowest = address < site->lowest ? address : site->lowest;
        touch_lane(&p, shadow, lane, address);
    }
    for (uint32_t left = p.flags & STRONG ? a->active : 0; left; left &= left - 1)
        order_by(&p, (unsigned)__builtin_ctz(left), access_addr(a, (unsigned)__builtin_ctz(left)));
}
