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
    wheel->next = malloc(room * sizeof *wheel->next);
    wheel->due = malloc(room * sizeof *wheel->due);
    for (uint32_t i = 0; i < WHEEL_NEAR; i++)
        list_clear(&wheel->near[i]);
    for (uint32_t i = 0; i < WHEEL_FAR; i++)
        list_clear(&wheel->far[i]);
    if (wheel->next != NULL && wheel->due != NULL)
        return true;
    wheel_free(wheel);
    return false;
}

void wheel_free(struct wheel *wheel)
{
    free(wheel->next);
    free(wheel->due);
    wheel->next = NULL;
    wheel->due = NULL;
}

static inline void list_add(struct wheel *wheel, struct wheel_list *list, uint32_t entry)
{
    wheel->next[entry] = WHEEL_NOBODY;
    if (list->first == WHEEL_NOBODY)
        list->first = entry;
    else
        wheel->next[list->last] = entry;
    list->last = entry;
}

static inline void set_bit(uint64_t *bits, uint32_t i)
{
    bits[i / 64] |= 1ULL << i % 64;
}

static void add_far(struct wheel *wheel, uint32_t entry, uint64_t cycle)
{
    uint64_t turns = (cycle >> WHEEL_NEAR_LOG2) - (wheel->cycle >> WHEEL_NEAR_LOG2);
    if (turns >= WHEEL_FAR)
        turns = WHEEL_FAR - 1;
    uint32_t slot = (uint32_t)((wheel->cycle >> WHEEL_NEAR_LOG2) + turns) % WHEEL_FAR;
    wheel->due[entry] = cycle;
    list_add(wheel, &wheel->far[slot], entry);
    set_bit(wheel->far_used, slot);
}

static inline void put(struct wheel *wheel, uint32_t entry, uint64_t cycle)
{
    if (cycle >> WHEEL_NEAR_LOG2 != wheel->cycle >> WHEEL_NEAR_LOG2) {
        add_far(wheel, entry, cycle);
        return;
    }
    uint32_t slot = (uint32_t)cycle % WHEEL_NEAR;
    list_add(wheel, &wheel->near[slot], entry);
    set_bit(wheel->near_used, slot);
}

void wheel_add(struct wheel *wheel, uint32_t entry, uint64_t cycle)
{
    if (cycle < wheel->cycle)
        cycle = wheel->cycle;
    wheel->count++;
    put(wheel, entry, cycle);
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

/* Goes to the next turn of the near slots that has entries, and deals them out. */
static void turn(struct wheel *wheel)
{
    uint32_t now = (uint32_t)(wheel->cycle >> WHEEL_NEAR_LOG2) % WHEEL_FAR;
    uint32_t slot =
        now + 1 == WHEEL_FAR ? WHEEL_FAR : next_bit(wheel->far_used, now + 1, WHEEL_FAR);
    if (slot == WHEEL_FAR)
        slot = next_bit(wheel->far_used, 0, WHEEL_FAR);
    uint64_t turns = (slot - now + WHEEL_FAR) % WHEEL_FAR;
    wheel->cycle = ((wheel->cycle >> WHEEL_NEAR_LOG2) + turns) << WHEEL_NEAR_LOG2;
    uint32_t entry = wheel->far[slot].first, after;
    list_clear(&wheel->far[slot]);
    wheel->far_used[slot / 64] &= ~(1ULL << slot % 64);
    for (; entry != WHEEL_NOBODY; entry = after) {
        after = wheel->next[entry];
        put(wheel, entry, wheel->due[entry]);
    }
}

uint32_t wheel_take(struct wheel *wheel)
{
    uint32_t slot;
    if (wheel->count == 0)
        return WHEEL_NOBODY;
    while ((slot = next_bit(wheel->near_used, (uint32_t)wheel->cycle % WHEEL_NEAR, WHEEL_NEAR)) ==
           WHEEL_NEAR)
        turn(wheel);
    struct wheel_list *list = &wheel->near[slot];
    uint32_t entry = list->first;
    list->first = wheel->next[entry];
    if (list->first == WHEEL_NOBODY)
        wheel->near_used[slot / 64] &= ~(1ULL << slot % 64);
    wheel->cycle = (wheel->cycle & ~(uint64_t)(WHEEL_NEAR - 1)) + slot;
    wheel->count--;
    return entry;
}
