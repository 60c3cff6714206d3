/* shadow.c - pages by an open hash table of a power of two. */
#include "check/shadow.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10 };

void shadow_start(struct shadow *shadow, size_t bytes_max)
{
    *shadow = (struct shadow){.bytes_max = bytes_max};
}

void shadow_free(struct shadow *shadow)
{
    for (size_t i = 0; i < shadow->slots; i++)
        free(shadow->pages[i].cells);
    free(shadow->pages);
    *shadow = (struct shadow){.bytes_max = shadow->bytes_max};
}

static struct page *slot_of(struct page *pages, size_t slots, uint64_t number)
{
    size_t at = (size_t)((number * 0x9e3779b97f4a7c15ULL) >> 20) & (slots - 1);
    while (pages[at].cells && pages[at].number != number)
        at = (at + 1) & (slots - 1);
    return &pages[at];
}

static bool grow(struct shadow *shadow)
{
    size_t slots = shadow->slots ? 2 * shadow->slots : FIRST_SLOTS;
    struct page *pages = memory_take(slots, sizeof *pages);
    if (pages == NULL)
        return false;
    for (size_t i = 0; i < shadow->slots; i++)
        if (shadow->pages[i].cells)
            *slot_of(pages, slots, shadow->pages[i].number) = shadow->pages[i];
    free(shadow->pages);
    shadow->pages = pages;
    shadow->slots = slots;
    shadow->last = NULL;
    return true;
}

static struct cell *take_cells(struct shadow *shadow, unsigned granule_log2)
{
    size_t count = (size_t)PAGE_BYTES >> granule_log2, bytes = count * sizeof(struct cell);
    struct cell *cells = NULL;
    if (shadow->bytes + bytes <= shadow->bytes_max)
        cells = memory_take(count, sizeof *cells);
    if (cells)
        shadow->bytes += bytes;
    else
        shadow->is_full = true;
    return cells;
}

/* Each byte gets what its word had. */
static bool split(struct shadow *shadow, struct page *page)
{
    struct cell *bytes = take_cells(shadow, 0);
    if (bytes == NULL)
        return false;
    for (size_t i = 0; i < PAGE_BYTES; i++)
        bytes[i] = page->cells[i >> WORD_LOG2];
    shadow->bytes -= ((size_t)PAGE_BYTES >> WORD_LOG2) * sizeof *bytes;
    free(page->cells);
    page->cells = bytes;
    page->granule_log2 = 0;
    return true;
}

struct page *shadow_find_page(struct shadow *shadow, uint64_t address, unsigned width)
{
    uint64_t number = address >> PAGE_LOG2;
    if (2 * shadow->count >= shadow->slots && !grow(shadow)) {
        shadow->is_full = true;
        return NULL;
    }
    struct page *page = slot_of(shadow->pages, shadow->slots, number);
    if (page->cells == NULL) {
        page->granule_log2 = width < 4 ? 0 : WORD_LOG2;
        page->cells = take_cells(shadow, page->granule_log2);
        if (page->cells == NULL)
            return NULL;
        page->number = number;
        shadow->count++;
    } else if (width < 4 && page->granule_log2 && !split(shadow, page)) {
        return NULL;
    }
    shadow->last = page;
    return page;
}
