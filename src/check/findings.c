/* findings.c - meetings are counted by the pair of lines and the array. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/checker.h"
#include "text/memory.h"

enum { SHARED_ALIGN = 256 }; /* arrays begin at its multiples: tracer/spaces.c */

const struct hazard_words hazard_words[HAZARD_KINDS] = {
    [HAZARD_SHARED_WRITE_WRITE] =
        {"shared_write_write", "two threads of a block write one word of shared memory",
         "either value may stay",
         "a __syncthreads() between, an atomic, or a word for each thread"},
    [HAZARD_SHARED_READ_WRITE] =
        {"shared_read_write",
         "a thread reads a word of shared memory that another thread of its block writes",
         "the load may see the old value or the new one", "a __syncthreads() between the two"},
    [HAZARD_GLOBAL_WRITE_WRITE] = {"global_write_write",
                                   "two threads write one word of global memory",
                                   "either value may stay", "an atomic, or a word for each thread"},
    [HAZARD_GLOBAL_READ_WRITE] =
        {"global_read_write", "a thread reads a word of global memory that another thread writes",
         "the load may see the old value or the new one",
         "two launches or two arrays; or a fence and then an atomic, by which the reader waits"},
    [HAZARD_LOST_UPDATE] =
        {"lost_update", "several threads load a word, change it, and store it back",
         "updates between a load and its store are lost",
         "an atomic, such as atomicAdd(); __syncthreads() where a thread is to see what others "
         "store; in a lock a __threadfence() behind taking it and before giving it back"},
    [HAZARD_WARP_MASK] =
        {"warp_mask", "a mask that is not that of the lanes that come",
         "the call is undefined: it may wait for ever, or give other values",
         "the mask of the lanes that run there, such as of a __ballot_sync() before "
         "the branch; or the call outside of the branch"},
    [HAZARD_ASYNC_COPY] =
        {"async_copy", "a word of shared memory is used that an asynchronous copy goes to",
         "the copy may arrive before, at, or behind that",
         "a wait for the copy's group by the thread that asked for it "
         "(cp.async.wait_group, __pipeline_wait_prior(), consumer_wait()), and then a "
         "__syncthreads() for other threads"},
};

static bool is_same_place(const struct finding_end *end, const char *file, uint32_t line)
{
    return end->line == line && strcmp(end->file, file) == 0;
}

static const struct trace_array *array_at(const struct checker *c, uint64_t address)
{
    for (size_t i = 0; i < c->launch.array_count; i++)
        if (address - c->launch.arrays[i].base < c->launch.arrays[i].bytes)
            return &c->launch.arrays[i];
    return NULL;
}

static uint32_t block_at(const struct checker *c, uint32_t time)
{
    size_t low = 0, high = c->block_count;
    if (time >= c->order.block_start)
        return c->block;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (c->block_starts[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return high && c->block_count < c->block_room ? c->block_starts[low].block : UNKNOWN_BLOCK;
}

static struct finding *add(struct checker *c)
{
    if (c->findings.count == FINDINGS_MAX) {
        c->findings.left_out++;
        return NULL;
    }
    struct finding *f = &c->findings.items[c->findings.count++];
    memset(f, 0, sizeof *f);
    return f;
}

static void note_launch(struct finding *f, const struct checker *c)
{
    snprintf(f->kernel, sizeof f->kernel, "%s", c->launch.kernel);
    memcpy(f->grid, c->launch.grid, sizeof f->grid);
    memcpy(f->block, c->launch.block, sizeof f->block);
    f->launch = c->launches;
}

static bool is_of_shared(const struct meeting *m)
{
    return m->kind == HAZARD_SHARED_WRITE_WRITE || m->kind == HAZARD_SHARED_READ_WRITE ||
           m->kind == HAZARD_ASYNC_COPY;
}

/* The array that they meet in: the site of an asynchronous copy has that which it copies from. */
static const char *array_of(const struct checker *c, const struct meeting *m)
{
    const struct check_site *first = &c->sites[m->first_site], *second = &c->sites[m->second_site];
    if (!is_of_shared(m) || !second->is_copy)
        return second->array;
    return first->is_copy ? "" : first->array;
}

static uint8_t space_of(const struct checker *c, const struct meeting *m)
{
    return is_of_shared(m) ? SPACE_SHARED : c->sites[m->second_site].space;
}

static void note_example(struct finding *f, const struct checker *c, const struct meeting *m)
{
    const struct check_site *first = &c->sites[m->first_site], *second = &c->sites[m->second_site];
    f->ends[0] = (struct finding_end){first->file,
                                      first->line,
                                      m->first_site,
                                      mem_op_names[first->is_copy ? WORD_COPY : first->op],
                                      block_at(c, m->touch->time),
                                      WARP_LANES * m->touch->warp + m->other};
    f->ends[1] =
        (struct finding_end){second->file,   second->line,
                             m->second_site, mem_op_names[second->is_copy ? WORD_COPY : second->op],
                             c->block,       WARP_LANES * m->warp + m->lane};
    f->array = array_of(c, m);
    f->space = space_of(c, m);
    f->width = second->width;
    f->is_same_instruction = m->is_same_instruction;
    f->has_values_unknown = m->has_values_unknown;
    f->address = m->address;
    note_launch(f, c);
    const struct trace_array *array = f->space == SPACE_SHARED ? NULL : array_at(c, m->address);
    f->has_offset = array != NULL;
    f->offset = array ? m->address - array->base : 0;
}

static struct finding *find(struct checker *c, const struct meeting *m)
{
    const struct check_site *first = &c->sites[m->first_site], *second = &c->sites[m->second_site];
    for (size_t i = 0; i < c->findings.count; i++) {
        struct finding *f = &c->findings.items[i];
        if (f->kind != m->kind || strcmp(f->array, array_of(c, m)) != 0 ||
            (f->space == SPACE_SHARED) != (space_of(c, m) == SPACE_SHARED))
            continue;
        for (int k = 0; k < 2; k++)
            if (is_same_place(&f->ends[k], first->file, first->line) &&
                is_same_place(&f->ends[!k], second->file, second->line))
                return f;
    }
    return NULL;
}

static struct finding *find_or_add(struct checker *c, const struct meeting *m)
{
    const uint16_t kind = (uint16_t)m->kind;
    const unsigned slot = (m->first_site * 31U + m->second_site * 7U + kind) % 256;
    if (c->recent[slot].finding && c->recent[slot].kind == kind &&
        c->recent[slot].first == m->first_site && c->recent[slot].second == m->second_site)
        return &c->findings.items[c->recent[slot].finding - 1];
    struct finding *f = find(c, m);
    if (f == NULL) {
        f = add(c);
        if (f == NULL)
            return NULL;
        f->kind = m->kind;
        note_example(f, c, m);
    }
    c->recent[slot].kind = kind;
    c->recent[slot].first = m->first_site;
    c->recent[slot].second = m->second_site;
    c->recent[slot].finding = (uint16_t)(f - c->findings.items + 1);
    return f;
}

/* ---- Words ------------------------------------------------------------------------------------- */

enum { WORDS_FIRST = 1 << 10, WORDS_MAX = 1 << 23 };

static uint64_t *slot_of(uint64_t *keys, size_t slots, uint64_t key)
{
    size_t at = (size_t)((key * 0x9e3779b97f4a7c15ULL) >> 32) & (slots - 1);
    while (keys[at] && keys[at] != key)
        at = (at + 1) & (slots - 1);
    return &keys[at];
}

static bool words_grow(struct met_words *met)
{
    size_t slots = met->slots ? 2 * met->slots : WORDS_FIRST;
    uint64_t *keys = slots <= WORDS_MAX ? memory_take(slots, sizeof *keys) : NULL;
    if (keys == NULL)
        return false;
    for (size_t i = 0; i < met->slots; i++)
        if (met->keys[i])
            *slot_of(keys, slots, met->keys[i]) = met->keys[i];
    free(met->keys);
    met->keys = keys;
    met->slots = slots;
    return true;
}

/* Whether the finding meets there for the first time. */
static bool is_new_word(struct met_words *met, uint16_t finding, uint64_t address)
{
    const uint64_t key = address << 16 | finding;
    if (2 * met->count >= met->slots && !words_grow(met)) {
        met->is_full = true;
        return false;
    }
    uint64_t *slot = slot_of(met->keys, met->slots, key);
    if (*slot == key)
        return false;
    *slot = key;
    met->count++;
    return true;
}

void findings_meet(struct checker *c, const struct meeting *m)
{
    struct finding *f = find_or_add(c, m);
    if (f == NULL)
        return;
    if (f->lanes_run && m->lanes_run & ~f->lanes_run) /* an example for more GPUs */
        note_example(f, c, m);
    f->lanes_run |= m->lanes_run;
    f->times++;
    const uint16_t number = (uint16_t)(f - c->findings.items + 1);
    if (m->cell == NULL || m->cell->finding != number)
        f->words += is_new_word(&c->findings.met, number, m->address);
    if (m->cell)
        m->cell->finding = number;
}

void findings_mask(struct checker *c, unsigned lanes_run, const struct check_place *place,
                   uint32_t warp, unsigned lane, const char *text)
{
    struct finding *f = NULL;
    for (size_t i = 0; i < c->findings.count && f == NULL; i++)
        if (c->findings.items[i].kind == HAZARD_WARP_MASK &&
            is_same_place(&c->findings.items[i].ends[0], place->file, place->line))
            f = &c->findings.items[i];
    if (f == NULL) {
        f = add(c);
        if (f == NULL)
            return;
        f->kind = HAZARD_WARP_MASK;
        f->ends[0] = (struct finding_end){place->file, place->line, 0,
                                          "call",      c->block,    WARP_LANES * warp + lane};
        f->array = "";
        snprintf(f->mask_text, sizeof f->mask_text, "%s", text);
        note_launch(f, c);
    }
    f->lanes_run |= lanes_run;
    f->times++;
}

/* Where a shared array begins is not told: at a multiple of SHARED_ALIGN at or below the lowest address that
 * was accessed under its name. */
static uint64_t shared_base(const struct checker *c, const char *array)
{
    uint64_t lowest = UINT64_MAX;
    for (size_t i = 0; i < c->site_count; i++)
        if (c->sites[i].space == SPACE_SHARED && c->sites[i].lowest < lowest &&
            strcmp(c->sites[i].array, array) == 0)
            lowest = c->sites[i].lowest;
    return lowest & ~(uint64_t)(SHARED_ALIGN - 1);
}

void findings_end_launch(struct checker *c)
{
    for (size_t i = 0; i < c->findings.count; i++) {
        struct finding *f = &c->findings.items[i];
        if (f->launch != c->launches || f->space != SPACE_SHARED || f->array[0] == '\0' ||
            f->kind == HAZARD_WARP_MASK)
            continue;
        f->offset = f->address - shared_base(c, f->array);
        f->has_offset = true;
    }
}

/* ---- At the end -------------------------------------------------------------------------------- */

static bool is_of_update(const struct finding *f, const struct finding *update)
{
    if (f->kind == HAZARD_LOST_UPDATE || f->kind == HAZARD_WARP_MASK ||
        (f->space == SPACE_SHARED) != (update->space == SPACE_SHARED) ||
        strcmp(f->array, update->array) != 0)
        return false;
    for (int k = 0; k < 2; k++)
        if (!is_same_place(&update->ends[0], f->ends[k].file, f->ends[k].line) &&
            !is_same_place(&update->ends[1], f->ends[k].file, f->ends[k].line))
            return false;
    return true;
}

/* A load whose value is compared before it is used meets atomics on purpose. */
static bool is_guess(const struct checker *c, const struct finding *f)
{
    if (f->kind != HAZARD_SHARED_READ_WRITE && f->kind != HAZARD_GLOBAL_READ_WRITE)
        return false;
    const struct check_site *a = &c->sites[f->ends[0].site], *b = &c->sites[f->ends[1].site];
    return (a->is_guess && b->op == OP_ATOMIC) || (b->is_guess && a->op == OP_ATOMIC);
}

/* A lost update's load and store meet each other and themselves: that says it once. */
void checker_finish(struct checker *c)
{
    struct findings *all = &c->findings;
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        bool is_told = is_guess(c, &all->items[i]);
        for (size_t k = 0; k < all->count && !is_told; k++)
            is_told = all->items[k].kind == HAZARD_LOST_UPDATE &&
                      is_of_update(&all->items[i], &all->items[k]);
        if (is_told)
            all->items[i].times = 0;
    }
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].times)
            all->items[kept++] = all->items[i];
    all->count = kept;
}
