/* hoist.c - holds a warp's loads and stores until their group of iterations is complete, and gives them by rank.
 *
 * A load's rank is one more than that of the load it needs; a store's, one more than those of the loads in front of it. A load that
 * may not pass a store has a higher rank than the store. What is outside the loop stays behind all that is in front of it.
 */
#include "tracer/waits/hoist.h"

#include <string.h>

#include "tracer/engine.h"
#include "tracer/widths/elements.h"
#include "tracer/widths/widths.h"

enum { HELD_MAX = 64 };

struct held {
    struct warp_access access;
    uint32_t pc;
    uint8_t depth; /* of calls */
    uint8_t round; /* jumps back in front of it */
    uint8_t rank;
    uint64_t needs;       /* a bit each of the held loads that it needs */
    struct reach reach;   /* of its array */
    uint8_t loads_before; /* of those held, in the order in which they are given */
    uint64_t addr[WARP_LANES];
    uint32_t values[WARP_LANES];
};

static struct {
    struct held held[HELD_MAX];
    unsigned count;
    bool is_group, stores_shared;
    bool goes_on;   /* iterations of the group follow */
    bool exchanges; /* lanes have given each other values since what is held first */
    bool is_whole;  /* the group is all iterations of its loop */
    uint8_t round;  /* jumps back since what is held first */
    uint64_t head;  /* of the group's loop: the meta of a jump back to it */
    uint32_t bytes;
} now;

static uint8_t depth_of(uint64_t meta)
{
    return (uint8_t)(meta >> EVENT_DEPTH_SHIFT);
}

static void give(const struct warp_access *access)
{
    if (!engine.failed)
        engine_heed(sink_access(engine.sink, access));
}

/* ---- Registers ---------------------------------------------------------------------------------- */

/* nvcc aims at 32 registers a thread, so that an SM can hold as many warps as it has room for, and has about half of them for what is
 * loaded: one for 4 bytes. */
enum { LOAD_REGISTERS = 16, WORD_BYTES = 4, LOADS_KEPT = 16 };

static struct {
    uint8_t registers[LOADS_KEPT]; /* of load i at i modulo LOADS_KEPT */
    unsigned count;
} latest;

/* A load of so many registers waits until it has them. */
static void take_registers(struct warp_access *access)
{
    unsigned taken = access->width > WORD_BYTES ? access->width / WORD_BYTES : 1, left = 0;
    latest.registers[latest.count % LOADS_KEPT] = (uint8_t)taken;
    for (; left < latest.count && left < LOADS_KEPT - 1; left++) {
        taken += latest.registers[(latest.count - 1 - left) % LOADS_KEPT];
        if (taken > LOAD_REGISTERS)
            break;
    }
    if (left < latest.count && left < access->loads_left)
        access->loads_left = (uint8_t)left;
    latest.count++;
}

static void give_held(struct held *held)
{
    if (held->access.op == OP_LOAD)
        take_registers(&held->access);
    give(&held->access);
}

/* ---- Ranks -------------------------------------------------------------------------------------- */

/* A place in the code at that depth of calls is in the loop with that jump back and so many bytes, or in what it calls. */
static bool is_within(uint8_t depth, uint32_t pc, uint64_t jump, uint32_t bytes)
{
    return depth > depth_of(jump) || (depth == depth_of(jump) && pc - (uint32_t)jump <= bytes);
}

static bool is_load(const struct held *h)
{
    return h->access.op == OP_LOAD;
}

/* Of the loads that the newest entry needs, by how many others followed, those that are held. */
static uint64_t needs_of(const struct held *newest, uint16_t needed)
{
    const uint8_t left = newest->access.loads_left;
    uint64_t needs = 0, backs = needed | (left < 64 ? (uint64_t)1 << left : 0);
    for (unsigned i = now.count - 1; backs && i-- > 0;) {
        if (!is_load(&now.held[i]))
            continue;
        needs |= (backs & 1) << i;
        backs >>= 1;
    }
    return needs;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static bool has_same_counters(const struct address_form *a, const struct address_form *b)
{
    if (a->counter_count != b->counter_count)
        return false;
    for (uint32_t i = 0; i < a->counter_count; i++)
        if (a->counters[i].head != b->counters[i].head ||
            a->counters[i].step != b->counters[i].step)
            return false;
    return true;
}

/* The bases of addresses of that form do not change while the group's loop goes round. */
static bool has_fixed_base(const struct address_form *form)
{
    return form->fixed_head && (uint32_t)now.head - (uint32_t)form->fixed_head < form->fixed_bytes;
}

/* The two are a constant apart, by the code: by the same in each lane. */
static bool is_known_apart(const struct held *load, const struct held *store)
{
    const struct width_site *a = widths_form(load->pc), *b = widths_form(store->pc);
    const uint32_t both = load->access.active & store->access.active;
    if (!a || !b || !both || a->function != b->function || a->form.base != b->form.base ||
        !has_same_counters(&a->form, &b->form) ||
        (load->round != store->round && !(has_fixed_base(&a->form) && has_fixed_base(&b->form))))
        return false;
    const unsigned lane = (unsigned)__builtin_ctz(both);
    const uint64_t loaded = access_addr(&load->access, lane),
                   stored = access_addr(&store->access, lane);
    return loaded + load->access.width <= stored || stored + store->access.width <= loaded;
}

/* The store, or atomic, does not reach what is loaded. */
static bool may_pass(const struct held *load, const struct held *store)
{
    const struct reach *a = &load->reach, *b = &store->reach;
    if (store->access.op == OP_ATOMIC && !needed_of_no_call(engine.image_base + load->pc))
        return false;
    return load->access.flags & ACCESS_READ_ONLY || a->is_constant ||
           (a->array && b->array && a->array != b->array && (a->is_alone || b->is_alone)) ||
           (store->access.op == OP_STORE && is_known_apart(load, store));
}

/* The rank of a load behind the stores in front of it that it may not pass. */
static unsigned behind_stores_of(unsigned at)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < at; i++)
        if (!is_load(&now.held[i]) && !may_pass(&now.held[at], &now.held[i]))
            rank = larger(rank, now.held[i].rank + 1U);
    return rank;
}

/* A branch that is left stands in front of the entry: it stays behind everything in front of it. */
static bool is_behind_branch(unsigned at)
{
    const struct held *h = &now.held[at], *last = &now.held[at - 1];
    const struct width_site *here = widths_form(h->pc), *before = widths_form(last->pc);
    return here && before && here->function == before->function &&
           (here->form.region != before->form.region ||
            (here->form.is_behind_branch && h->round != last->round));
}

/* Returns whether they are in order as they stand. */
static bool rank_all(void)
{
    unsigned floor = 0, behind_stores = 0, behind_loads = 0, last = 0;
    bool in_order = true;
    for (unsigned i = 0; i < now.count; i++) {
        struct held *h = &now.held[i];
        unsigned rank = floor;
        if (!is_within(h->depth, h->pc, now.head, now.bytes) || (i > 0 && is_behind_branch(i)))
            rank = floor = larger(behind_loads, behind_stores);
        else if (!is_load(h))
            rank = larger(behind_loads, behind_stores ? behind_stores - 1 : 0);
        else if (behind_stores)
            rank = larger(floor, behind_stores_of(i));
        for (uint64_t needs = h->needs; needs; needs &= needs - 1)
            rank = larger(rank, now.held[__builtin_ctzll(needs)].rank + 1U);
        h->rank = (uint8_t)rank;
        if (is_load(h))
            behind_loads = larger(behind_loads, rank + 1);
        else
            behind_stores = larger(behind_stores, rank + 1);
        in_order = in_order && rank >= last;
        last = rank;
    }
    return in_order;
}

/* Of the latest loads, in the new order, how many no value is needed of. */
static uint8_t loads_left(unsigned at, unsigned loads_in_front)
{
    const struct held *h = &now.held[at];
    unsigned behind = 0; /* the loads up to the last one that it needs */
    if (h->access.loads_left == NEEDS_NO_LOAD)
        return NEEDS_NO_LOAD;
    for (uint64_t needs = h->needs; needs; needs &= needs - 1)
        behind = larger(behind, now.held[__builtin_ctzll(needs)].loads_before + 1U);
    const unsigned left =
        behind ? h->loads_before - behind : h->access.loads_left - loads_in_front + h->loads_before;
    return (uint8_t)(left < NEEDS_NO_LOAD ? left : NEEDS_NO_LOAD - 1);
}

/* The order of so many ranks, as numbers of entries. */
static void order(uint8_t at[HELD_MAX])
{
    unsigned given = 0, loads = 0;
    for (unsigned rank = 0; given < now.count; rank++)
        for (unsigned i = 0; i < now.count; i++)
            if (now.held[i].rank == rank) {
                now.held[i].loads_before = (uint8_t)loads;
                loads += is_load(&now.held[i]);
                at[given++] = (uint8_t)i;
            }
}

static void give_by_rank(void)
{
    uint8_t at[HELD_MAX], left[HELD_MAX];
    unsigned loads = 0;
    order(at);
    for (unsigned i = 0; i < now.count; i++) {
        left[i] = loads_left(i, loads);
        loads += is_load(&now.held[i]);
    }
    for (unsigned i = 0; i < now.count; i++) {
        now.held[at[i]].access.loads_left = left[at[i]];
        give_held(&now.held[at[i]]);
    }
}

void hoist_end(void)
{
    if (now.is_group && !now.stores_shared && !rank_all())
        give_by_rank();
    else
        for (unsigned i = 0; i < now.count; i++)
            give_held(&now.held[i]);
    latest.count = 0;
    now.count = 0;
    now.is_group = now.stores_shared = now.exchanges = false;
    now.round = 0;
}

static bool may_hold(const struct warp_access *access)
{
    const bool is_other_atomic = access->op == OP_ATOMIC && access->space != SPACE_GLOBAL;
    return engine.joins_accesses && !is_other_atomic && !(access->flags & ACCESS_VOLATILE);
}

static uint64_t first_address(const struct warp_access *access)
{
    return access_addr(access, (unsigned)__builtin_ctz(access->active));
}

void hoist_exchange(void)
{
    now.exchanges = true;
}

/* It is a load that stays behind what lanes gave each other, as far as code tells. */
static bool comes_from_exchange(const struct warp_access *access, uint64_t meta)
{
    return now.exchanges && access->op == OP_LOAD &&
           !needed_of_no_call(engine.image_base + (uint32_t)meta);
}

void hoist_access(const struct warp_access *access, uint64_t meta, uint16_t needed)
{
    if (!may_hold(access) || now.count == HELD_MAX || comes_from_exchange(access, meta))
        hoist_end();
    if (!may_hold(access) || (access->op != OP_LOAD && now.count == 0)) {
        give(access);
        return;
    }
    struct held *h = &now.held[now.count++];
    h->access = *access;
    h->pc = (uint32_t)meta;
    h->depth = depth_of(meta);
    h->round = now.round;
    h->needs = needs_of(h, needed);
    h->reach = access->space == SPACE_GLOBAL ? elements_reach(first_address(access))
                                             : (struct reach){0, false, false};
    now.stores_shared |= access->space == SPACE_SHARED && access->op == OP_STORE;
    if (access->addr) {
        memcpy(h->addr, access->addr, sizeof h->addr);
        h->access.addr = h->addr;
    }
    if (access->values) {
        memcpy(h->values, access->values, sizeof h->values);
        h->access.values = h->values;
    }
}

/* What is held is of that loop, as far as it is in its code. */
static void begin_group(uint64_t meta, uint32_t bytes)
{
    now.is_group = true;
    now.head = meta;
    now.bytes = bytes;
}

/* What is held is no part of the loop's group: it is of another loop, not one in it that is unrolled whole. */
static bool ends_other_group(uint64_t meta, uint32_t bytes)
{
    return now.is_group && now.goes_on && (uint32_t)meta != (uint32_t)now.head &&
           !(now.is_whole && is_within(depth_of(now.head), (uint32_t)now.head, meta, bytes));
}

void hoist_jump(uint64_t meta, uint32_t bytes, bool goes_on, bool is_whole)
{
    const bool is_inner = now.is_group && is_whole && (uint32_t)meta != (uint32_t)now.head &&
                          is_within(depth_of(meta), (uint32_t)meta, now.head, now.bytes);
    /* Behind the end of another loop's group what is held is the first iteration of this one. */
    if (ends_other_group(meta, bytes) && !is_inner)
        hoist_end();
    now.round++;
    if (is_inner)
        return;
    begin_group(meta, bytes);
    now.is_whole = is_whole;
    now.goes_on = goes_on;
    if (goes_on)
        return;
    hoist_end();
    begin_group(meta, bytes);
}
