/* hoist.c - holds a warp's loads and stores until their group of iterations is complete, and gives them by rank.
 *
 * A load's rank is one more than that of the load it needs; a store's, one more than those of the loads in front of it. A load that
 * may not pass a store has a higher rank than the store. What is outside the loop stays behind all that is in front of it.
 */
#include "tracer/waits/hoist.h"

#include <string.h>

#include "tracer/engine.h"
#include "tracer/widths/elements.h"

enum { HELD_MAX = 64 };

struct held {
    struct warp_access access;
    uint32_t pc;
    uint8_t depth; /* of calls */
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
    uint64_t head; /* of the group's loop: the meta of a jump back to it */
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

static bool is_in_loop(const struct held *h)
{
    const uint8_t depth = depth_of(now.head);
    return h->depth > depth || (h->depth == depth && h->pc - (uint32_t)now.head <= now.bytes);
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

/* The store, or atomic, does not reach what is loaded. */
static bool may_pass(const struct held *load, const struct held *store)
{
    const struct reach *a = &load->reach, *b = &store->reach;
    if (store->access.op == OP_ATOMIC && !needed_of_no_call(engine.image_base + load->pc))
        return false;
    return load->access.flags & ACCESS_READ_ONLY || a->is_constant ||
           (a->array && b->array && a->array != b->array && (a->is_alone || b->is_alone));
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

/* Returns whether they are in order as they stand. */
static bool rank_all(void)
{
    unsigned floor = 0, behind_stores = 0, behind_loads = 0, last = 0;
    bool in_order = true;
    for (unsigned i = 0; i < now.count; i++) {
        struct held *h = &now.held[i];
        unsigned rank = floor;
        if (!is_in_loop(h))
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
    now.is_group = now.stores_shared = false;
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

void hoist_access(const struct warp_access *access, uint64_t meta, uint16_t needed)
{
    if (!may_hold(access) || now.count == HELD_MAX)
        hoist_end();
    if (!may_hold(access) || (access->op != OP_LOAD && now.count == 0)) {
        give(access);
        return;
    }
    struct held *h = &now.held[now.count++];
    h->access = *access;
    h->pc = (uint32_t)meta;
    h->depth = depth_of(meta);
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

void hoist_jump(uint64_t meta, uint32_t bytes, bool goes_on)
{
    if (now.is_group && (uint32_t)meta != (uint32_t)now.head)
        hoist_end();
    begin_group(meta, bytes);
    if (goes_on)
        return;
    hoist_end();
    begin_group(meta, bytes);
}
