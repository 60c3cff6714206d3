/* releases.c - a search goes from the latest release back, and only as far as a question needs; questions of
 * one thread go on where the last one stopped. */
#include "check/releases.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

enum { RELEASES_MAX = 1 << 20, SNAPSHOTS_MAX = 1 << 22, WORD_SLOTS = 1 << 16 };

void releases_clear(struct releases *r)
{
    if (r->word_count)
        memset(r->words, 0, WORD_SLOTS * sizeof *r->words);
    r->word_count = 0;
    r->count = r->snapshot_count = 1;
    r->start = r->stamp = 0;
    r->heap_count = r->visited_count = 0;
    r->is_full = false;
}

void releases_free(struct releases *r)
{
    free(r->items);
    free(r->heap);
    free(r->visited);
    free(r->snapshots);
    free(r->words);
    *r = (struct releases){0};
}

/* ---- Words ------------------------------------------------------------------------------------ */

static struct released_word *slot_of(const struct releases *r, uint64_t key)
{
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 48) & (WORD_SLOTS - 1);
    while (r->words[at].key && r->words[at].key != key)
        at = (at + 1) & (WORD_SLOTS - 1);
    return &r->words[at];
}

static uint64_t key_of(uint64_t address, bool is_shared)
{
    return 2 * address + is_shared + 2;
}

uint32_t releases_of_word(const struct releases *r, uint64_t address, bool is_shared)
{
    return r->words ? slot_of(r, key_of(address, is_shared))->release : 0;
}

void releases_set_word(struct releases *r, uint64_t address, bool is_shared, uint32_t release)
{
    if (r->words == NULL && release)
        r->words = memory_take(WORD_SLOTS, sizeof *r->words);
    if (r->words == NULL) {
        r->is_full |= release != 0;
        return;
    }
    struct released_word *word = slot_of(r, key_of(address, is_shared));
    if (word->key == 0 && release == 0)
        return;
    if (word->key == 0 && r->word_count == WORD_SLOTS / 2) {
        r->is_full = true;
        return;
    }
    r->word_count += word->key == 0;
    word->key = key_of(address, is_shared);
    word->release = release;
}

/* ---- Releases --------------------------------------------------------------------------------- */

static bool resize(uint32_t **list, size_t room)
{
    uint32_t *grown = memory_grow(*list, room * sizeof *grown);
    if (grown)
        *list = grown;
    return grown != NULL;
}

static bool grow(struct releases *r)
{
    size_t room = r->room ? 2 * r->room : 256;
    if (room > RELEASES_MAX)
        return false;
    struct release *items = memory_grow(r->items, room * sizeof *items);
    if (items == NULL)
        return false;
    r->items = items;
    if (!resize(&r->heap, room) || !resize(&r->visited, room))
        return false;
    r->room = room;
    return true;
}

uint32_t releases_add(struct releases *r, const struct release *release)
{
    if (r->count >= r->room && !grow(r)) {
        r->is_full = true;
        return 0;
    }
    r->items[r->count] = *release;
    r->items[r->count].stamp = 0;
    return (uint32_t)r->count++;
}

static bool is_parent(const struct releases *r, uint32_t child, uint32_t parent)
{
    const struct release *item = &r->items[child];
    return item->parents[0] == parent || item->parents[1] == parent;
}

uint32_t releases_join(struct releases *r, uint32_t a, uint32_t b, uint32_t time)
{
    if (a == b || b == 0 || (a && is_parent(r, a, b)))
        return a;
    if (a == 0 || is_parent(r, b, a))
        return b;
    const struct release join = {.time = time, .block_start = UINT32_MAX, .parents = {a, b}};
    return releases_add(r, &join);
}

uint32_t releases_snapshot(struct releases *r, const uint32_t *times, uint32_t count)
{
    if (r->snapshot_count + count > r->snapshot_room) {
        size_t room = 2 * (r->snapshot_room + count);
        if (room > SNAPSHOTS_MAX || !resize(&r->snapshots, room)) {
            r->is_full = true;
            return 0;
        }
        r->snapshot_room = room;
    }
    memcpy(&r->snapshots[r->snapshot_count], times, count * sizeof *times);
    r->snapshot_count += count;
    return (uint32_t)(r->snapshot_count - count);
}

/* ---- Searches --------------------------------------------------------------------------------- */

static uint32_t time_at(const struct releases *r, size_t heap_index)
{
    return r->items[r->heap[heap_index]].time;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void push(struct releases *r, uint32_t number)
{
    if (number == 0 || r->items[number].stamp == r->stamp)
        return;
    r->items[number].stamp = r->stamp;
    size_t at = r->heap_count++;
    r->heap[at] = number;
    for (; at && time_at(r, (at - 1) / 2) < time_at(r, at); at = (at - 1) / 2)
        swap(&r->heap[(at - 1) / 2], &r->heap[at]);
}

static uint32_t pop_latest(struct releases *r)
{
    uint32_t latest = r->heap[0];
    r->heap[0] = r->heap[--r->heap_count];
    for (size_t at = 0, child; (child = 2 * at + 1) < r->heap_count; at = child) {
        child += child + 1 < r->heap_count && time_at(r, child + 1) > time_at(r, child);
        if (time_at(r, at) >= time_at(r, child))
            break;
        swap(&r->heap[at], &r->heap[child]);
    }
    return latest;
}

static void search_from(struct releases *r, uint32_t start)
{
    if (r->start == start)
        return;
    r->start = start;
    r->stamp++;
    r->heap_count = r->visited_count = 0;
    push(r, start);
}

static void visit_back_to(struct releases *r, uint32_t time)
{
    while (r->heap_count && time_at(r, 0) >= time) {
        uint32_t number = pop_latest(r);
        if (r->items[number].block_start != UINT32_MAX)
            r->visited[r->visited_count++] = number;
        push(r, r->items[number].parents[0]);
        push(r, r->items[number].parents[1]);
    }
}

static bool covers(const struct releases *r, const struct release *item, uint32_t time,
                   uint32_t thread)
{
    if (time == item->time) /* the releasing access itself */
        return thread == item->thread;
    return time < item->block_before || (thread == item->thread && time < item->own_before) ||
           (thread / 32 == item->thread / 32U && time < item->warp_before) ||
           (item->snapshot && time < r->snapshots[item->snapshot + thread]);
}

bool releases_cover(struct releases *r, uint32_t start, uint32_t time, uint32_t thread)
{
    if (start == 0)
        return false;
    search_from(r, start);
    visit_back_to(r, time);
    size_t low = 0,
           high = r->visited_count; /* visited ones from the latest on: those not before `time` */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r->items[r->visited[middle]].time >= time)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i-- > 0;) {
        const struct release *item = &r->items[r->visited[i]];
        if (item->block_start > time) /* of a later block, as are all before it in the list */
            return false;
        if (covers(r, item, time, thread))
            return true;
    }
    return false;
}
