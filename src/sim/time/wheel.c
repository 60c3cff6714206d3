/* wheel.c - see the header. */
#include "sim/time/wheel.h"

#include <stdlib.h>
#include <string.h>

static void list_clear(struct wheel_list *list)
{
    list->first = list->last = WHEEL_NOBODY;
}

bool wheel_init(struct wheel *wheel, uint32_t room)
{
    memset(wheel, 0, sizeof *wheel);
    wheel->entries = malloc(room * sizeof *wheel->entries);
    wheel->due = malloc(room * sizeof *wheel->due);
    for (uint32_t i = 0; i < WHEEL_NEAR; i++) {
        list_clear(&wheel->near[i]);
        list_clear(&wheel->late_near[i]);
    }
    for (uint32_t i = 0; i < WHEEL_FAR; i++) {
        list_clear(&wheel->far[i]);
        list_clear(&wheel->late_far[i]);
    }
    if (wheel->entries != NULL && wheel->due != NULL)
        return true;
    wheel_free(wheel);
    return false;
}

void wheel_free(struct wheel *wheel)
{
    free(wheel->entries);
    free(wheel->due);
    wheel->entries = NULL;
    wheel->due = NULL;
}

static inline void list_add(struct wheel *wheel, struct wheel_list *list, uint32_t entry)
{
    wheel->entries[entry].next = WHEEL_NOBODY;
    if (list->first == WHEEL_NOBODY)
        list->first = entry;
    else
        wheel->entries[list->last].next = entry;
    list->last = entry;
}

static inline void set_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= 1ULL << i % 64;
}

static void add_far(struct wheel *wheel, struct wheel_list *far, uint32_t entry, uint64_t cycle)
{
    uint64_t turns = (cycle >> WHEEL_NEAR_LOG2) - (wheel->cycle >> WHEEL_NEAR_LOG2);
    if (turns >= WHEEL_FAR)
        turns = WHEEL_FAR - 1;
    uint32_t slot = (uint32_t)((wheel->cycle >> WHEEL_NEAR_LOG2) + turns) % WHEEL_FAR;
    wheel->due[entry] = cycle;
    list_add(wheel, &far[slot], entry);
    set_bit(wheel->far_used, slot);
}

static inline void put(struct wheel *wheel, struct wheel_list *near, struct wheel_list *far,
                       uint32_t entry, uint64_t cycle)
{
    if (cycle >> WHEEL_NEAR_LOG2 != wheel->cycle >> WHEEL_NEAR_LOG2) {
        add_far(wheel, far, entry, cycle);
        return;
    }
    uint32_t slot = (uint32_t)cycle % WHEEL_NEAR;
    list_add(wheel, &near[slot], entry);
    set_bit(wheel->near_used, slot);
}

void wheel_add(struct wheel *wheel, uint32_t entry, uint64_t cycle)
{
    if (cycle < wheel->cycle)
        cycle = wheel->cycle;
    wheel->count++;
    wheel->entries[entry].turn = wheel->turn++;
    put(wheel, wheel->near, wheel->far, entry, cycle);
}

void wheel_add_late(struct wheel *wheel, uint32_t entry, uint64_t cycle, uint32_t turn)
{
    if (cycle <= wheel->cycle)
        cycle = wheel->cycle + 1;
    wheel->count++;
    wheel->entries[entry].turn = turn;
    put(wheel, wheel->late_near, wheel->late_far, entry, cycle);
}

/* The first set bit at or after `from`, or `count` when there is none. */
static inline uint32_t next_bit(const uint64_t *bits, uint32_t from, uint32_t count)
{
    uint32_t word = from / 64;
    uint64_t rest = bits[word] & ~0ULL << from % 64;
    while (rest == 0) {
        if (++word == count / 64)
            return count;
        rest = bits[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* The entries of a coarse slot go to the near ones. */
static void deal_out(struct wheel *wheel, struct wheel_list *slot, struct wheel_list *near,
                     struct wheel_list *far)
{
    uint32_t entry = slot->first, after;
    list_clear(slot);
    for (; entry != WHEEL_NOBODY; entry = after) {
        after = wheel->entries[entry].next;
        put(wheel, near, far, entry, wheel->due[entry]);
    }
}

/* Goes to the next round of the near slots that has entries; false when that begins at `end` or later. */
static bool go_round(struct wheel *wheel, uint64_t end)
{
    uint32_t now = (uint32_t)(wheel->cycle >> WHEEL_NEAR_LOG2) % WHEEL_FAR;
    uint32_t slot =
        now + 1 == WHEEL_FAR ? WHEEL_FAR : next_bit(wheel->far_used, now + 1, WHEEL_FAR);
    if (slot == WHEEL_FAR)
        slot = next_bit(wheel->far_used, 0, WHEEL_FAR);
    const uint64_t rounds = (slot - now + WHEEL_FAR) % WHEEL_FAR;
    const uint64_t cycle = ((wheel->cycle >> WHEEL_NEAR_LOG2) + rounds) << WHEEL_NEAR_LOG2;
    if (cycle >= end)
        return false;
    wheel->cycle = cycle;
    wheel->far_used[slot / 64] &= ~(1ULL << slot % 64);
    deal_out(wheel, &wheel->far[slot], wheel->near, wheel->far);
    deal_out(wheel, &wheel->late_far[slot], wheel->late_near, wheel->late_far);
    return true;
}

/* Who was entered late takes its place among those of a slot. Both lists are in the order of turns. */
static void merge_late(struct wheel *wheel, uint32_t slot)
{
    struct wheel_list *to = &wheel->near[slot], merged;
    uint32_t early = to->first, late = wheel->late_near[slot].first;
    list_clear(&merged);
    while (early != WHEEL_NOBODY && late != WHEEL_NOBODY) {
        const bool takes_late =
            (int32_t)(wheel->entries[late].turn - wheel->entries[early].turn) < 0;
        uint32_t *from = takes_late ? &late : &early;
        const uint32_t entry = *from;
        *from = wheel->entries[entry].next;
        list_add(wheel, &merged, entry);
    }
    const uint32_t rest = early != WHEEL_NOBODY ? early : late;
    const uint32_t last = early != WHEEL_NOBODY ? to->last : wheel->late_near[slot].last;
    if (merged.first == WHEEL_NOBODY)
        merged.first = rest;
    else
        wheel->entries[merged.last].next = rest;
    if (rest != WHEEL_NOBODY)
        merged.last = last;
    *to = merged;
    list_clear(&wheel->late_near[slot]);
}

uint32_t wheel_take(struct wheel *wheel, uint64_t end)
{
    uint32_t slot;
    if (wheel->count == 0)
        return WHEEL_NOBODY;
    while ((slot = next_bit(wheel->near_used, (uint32_t)wheel->cycle % WHEEL_NEAR, WHEEL_NEAR)) ==
           WHEEL_NEAR)
        if (!go_round(wheel, end))
            return WHEEL_NOBODY;
    const uint64_t cycle = (wheel->cycle & ~(uint64_t)(WHEEL_NEAR - 1)) + slot;
    if (cycle >= end)
        return WHEEL_NOBODY;
    if (wheel->late_near[slot].first != WHEEL_NOBODY)
        merge_late(wheel, slot);
    struct wheel_list *list = &wheel->near[slot];
    uint32_t entry = list->first;
    list->first = wheel->entries[entry].next;
    if (list->first == WHEEL_NOBODY)
        wheel->near_used[slot / 64] &= ~(1ULL << slot % 64);
    wheel->cycle = cycle;
    wheel->count--;
    return entry;
}
