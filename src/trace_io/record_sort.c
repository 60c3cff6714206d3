/* record_sort.c - sorted runs in a temporary file, merged with a heap of runs. */
#define _FILE_OFFSET_BITS 64
#define _POSIX_C_SOURCE 200809L
#include "trace_io/record_sort.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

enum { ENTRY_BYTES_EXPECTED = 64 }; /* a record; smaller ones fill the entries first */

struct record_entry {
    uint64_t key;
    uint32_t at, bytes; /* in memory */
};

/* In the file a record is its key, its size and its bytes. */
struct record_head {
    uint64_t key;
    uint64_t bytes;
};

struct record_run {
    off_t at, end;   /* in the file: what is not in the slice yet */
    size_t from, to; /* in the slice: what is not taken yet */
    struct record_head head;
};

static bool fail(struct record_sort *sort, const char *error)
{
    if (sort->error == NULL)
        sort->error = error;
    return false;
}

bool record_sort_start(struct record_sort *sort, size_t bytes)
{
    *sort = (struct record_sort){.room = bytes,
                                 .entry_room = bytes / ENTRY_BYTES_EXPECTED,
                                 .run_room = (uint32_t)(bytes / SORT_SLICE_BYTES)};
    sort->memory = memory_take(1, bytes);
    sort->entries = memory_take(sort->entry_room, sizeof *sort->entries);
    sort->runs = memory_take(sort->run_room, sizeof *sort->runs);
    sort->heap = memory_take(sort->run_room, sizeof *sort->heap);
    if (sort->memory && sort->entries && sort->runs && sort->heap)
        return true;
    return fail(sort, "no memory to sort the trace");
}

void record_sort_clear(struct record_sort *sort)
{
    if (sort->file)
        fclose(sort->file);
    sort->file = NULL;
    sort->used = sort->count = sort->next = 0;
    sort->run_count = sort->heap_count = 0;
}

void record_sort_free(struct record_sort *sort)
{
    record_sort_clear(sort);
    free(sort->memory);
    free(sort->entries);
    free(sort->runs);
    free(sort->heap);
    *sort = (struct record_sort){0};
}

static int compare_entries(const void *a, const void *b)
{
    const struct record_entry *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool write_record(struct record_sort *sort, FILE *file, uint64_t key, const void *record,
                         size_t bytes)
{
    struct record_head head = {key, bytes};
    if (fwrite(&head, sizeof head, 1, file) != 1 || fwrite(record, 1, bytes, file) != bytes)
        return fail(sort, "the temporary file to sort the trace cannot be written");
    return true;
}

/* Where the next run begins: the end of the file. */
static bool run_begin(struct record_sort *sort, FILE *file, struct record_run *run)
{
    if (file == NULL || fseeko(file, 0, SEEK_END) != 0)
        return fail(sort, "no temporary file to sort the trace");
    run->at = ftello(file);
    return run->at >= 0 || fail(sort, "no temporary file to sort the trace");
}

/* Writes what is in memory as a run. */
static bool flush_run(struct record_sort *sort)
{
    struct record_run *run = &sort->runs[sort->run_count];
    if (sort->file == NULL)
        sort->file = tmpfile();
    qsort(sort->entries, sort->count, sizeof *sort->entries, compare_entries);
    if (!run_begin(sort, sort->file, run))
        return false;
    for (size_t i = 0; i < sort->count; i++) {
        const struct record_entry *entry = &sort->entries[i];
        if (!write_record(sort, sort->file, entry->key, sort->memory + entry->at, entry->bytes))
            return false;
    }
    run->end = ftello(sort->file);
    sort->run_count++;
    sort->used = sort->count = 0;
    return run->end >= 0 || fail(sort, "the temporary file to sort the trace cannot be written");
}

/* ---- Merging --------------------------------------------------------------------------------- */

static uint8_t *slice_of(const struct record_sort *sort, const struct record_run *run)
{
    return sort->memory + (size_t)(run - sort->runs) * SORT_SLICE_BYTES;
}

/* Moves what is left of the slice to its front and reads on behind it. */
static bool run_fill(struct record_sort *sort, struct record_run *run)
{
    uint8_t *slice = slice_of(sort, run);
    size_t held = run->to - run->from, want = SORT_SLICE_BYTES - held;
    memmove(slice, slice + run->from, held);
    if ((off_t)want > run->end - run->at)
        want = (size_t)(run->end - run->at);
    if (fseeko(sort->file, run->at, SEEK_SET) != 0 ||
        fread(slice + held, 1, want, sort->file) != want)
        return fail(sort, "the temporary file to sort the trace cannot be read");
    run->at += (off_t)want;
    run->from = 0;
    run->to = held + want;
    return true;
}

static bool run_has(struct record_sort *sort, struct record_run *run, size_t bytes)
{
    if (run->to - run->from < bytes && run->at < run->end && !run_fill(sort, run))
        return false;
    return run->to - run->from >= bytes;
}

/* Makes the run's next record whole in its slice; false at the end of the run. */
static bool run_next(struct record_sort *sort, struct record_run *run)
{
    if (!run_has(sort, run, sizeof run->head))
        return false;
    memcpy(&run->head, slice_of(sort, run) + run->from, sizeof run->head);
    return run_has(sort, run, sizeof run->head + (size_t)run->head.bytes);
}

static bool comes_before(const struct record_sort *sort, uint32_t a, uint32_t b)
{
    uint64_t x = sort->runs[a].head.key, y = sort->runs[b].head.key;
    return x != y ? x < y : a < b;
}

static void heap_sink(struct record_sort *sort, uint32_t at)
{
    while (2 * at + 1 < sort->heap_count) {
        uint32_t child = 2 * at + 1, run = sort->heap[at];
        if (child + 1 < sort->heap_count &&
            comes_before(sort, sort->heap[child + 1], sort->heap[child]))
            child++;
        if (comes_before(sort, run, sort->heap[child]))
            return;
        sort->heap[at] = sort->heap[child];
        sort->heap[child] = run;
        at = child;
    }
}

static bool merge_begin(struct record_sort *sort)
{
    sort->heap_count = 0;
    for (uint32_t i = 0; i < sort->run_count; i++) {
        sort->runs[i].from = sort->runs[i].to = 0;
        if (run_next(sort, &sort->runs[i]))
            sort->heap[sort->heap_count++] = i;
    }
    for (uint32_t i = sort->heap_count; i-- > 0;)
        heap_sink(sort, i);
    return sort->error == NULL;
}

static bool merge_next(struct record_sort *sort, uint64_t *key, void *record, size_t *bytes)
{
    if (sort->heap_count == 0 || sort->error)
        return false;
    struct record_run *run = &sort->runs[sort->heap[0]];
    *key = run->head.key;
    *bytes = (size_t)run->head.bytes;
    memcpy(record, slice_of(sort, run) + run->from + sizeof run->head, *bytes);
    run->from += sizeof run->head + *bytes;
    if (!run_next(sort, run))
        sort->heap[0] = sort->heap[--sort->heap_count];
    heap_sink(sort, 0);
    return sort->error == NULL;
}

/* All runs become one, in a new file. */
static bool merge_runs(struct record_sort *sort)
{
    uint8_t record[RECORD_BYTES_MAX];
    struct record_run whole = {0};
    uint64_t key;
    size_t bytes;
    FILE *file = tmpfile();
    bool good = run_begin(sort, file, &whole) && merge_begin(sort);
    while (good && merge_next(sort, &key, record, &bytes))
        good = write_record(sort, file, key, record, bytes);
    if (file)
        whole.end = ftello(file);
    fclose(sort->file);
    sort->file = file;
    sort->runs[0] = whole;
    sort->run_count = 1;
    return sort->error == NULL;
}

/* ---- What others call ------------------------------------------------------------------------ */

bool record_sort_add(struct record_sort *sort, uint64_t key, const void *record, size_t bytes)
{
    if (sort->error)
        return false;
    if (sort->used + bytes > sort->room || sort->count == sort->entry_room) {
        if (!flush_run(sort) || (sort->run_count == sort->run_room && !merge_runs(sort)))
            return false;
    }
    memcpy(sort->memory + sort->used, record, bytes);
    sort->entries[sort->count++] =
        (struct record_entry){key, (uint32_t)sort->used, (uint32_t)bytes};
    sort->used += bytes;
    return true;
}

bool record_sort_read(struct record_sort *sort)
{
    sort->next = 0;
    if (sort->error)
        return false;
    if (sort->run_count)
        return (sort->count == 0 || flush_run(sort)) && merge_begin(sort);
    qsort(sort->entries, sort->count, sizeof *sort->entries, compare_entries);
    return true;
}

bool record_sort_next(struct record_sort *sort, uint64_t *key, void *record, size_t *bytes)
{
    if (sort->run_count)
        return merge_next(sort, key, record, bytes);
    if (sort->next == sort->count)
        return false;
    const struct record_entry *entry = &sort->entries[sort->next++];
    *key = entry->key;
    *bytes = entry->bytes;
    memcpy(record, sort->memory + entry->at, entry->bytes);
    return true;
}
