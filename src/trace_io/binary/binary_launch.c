/* binary_launch.c - all sizes are checked before memory is taken for them. */
#include "trace_io/binary/binary_launch.h"

#include <stdlib.h>
#include <string.h>

#include "text/memory.h"

/* Room for a record's texts: they fit in a chunk, each with a zero behind it. Names are found again by where
 * they begin, since `texts` moves as it grows. */
static bool make_text_room(struct binary_launch *launch)
{
    size_t wanted = launch->text_bytes + CHUNK_PAYLOAD_MAX + CODEC_ARRAYS_MAX + CODEC_TEXT_MAX + 1;
    if (wanted <= launch->text_room)
        return true;
    char *grown = memory_grow(launch->texts, 2 * wanted);
    if (grown == NULL)
        return false;
    launch->texts = grown;
    launch->text_room = 2 * wanted;
    return true;
}

/* Where the text begins. */
static size_t keep_text(struct binary_launch *launch, struct get *get)
{
    size_t length, at = launch->text_bytes;
    const char *text = get_text(get, &length);
    memcpy(launch->texts + at, text, length);
    launch->texts[at + length] = '\0';
    launch->text_bytes += length + 1;
    return at;
}

static void read_arrays(struct binary_launch *launch, struct get *get)
{
    size_t count = get_limited(get, CODEC_ARRAYS_MAX - launch->array_count);
    for (size_t i = 0; i < count && !get->failed; i++) {
        struct trace_array *array = &launch->arrays[launch->array_count];
        launch->name_at[launch->array_count++] = keep_text(launch, get);
        array->base = launch->array_end + (uint64_t)get_signed(get);
        array->bytes = get_number(get);
        array->home = get_byte(get);
        get->failed |= array->home > HOME_MANAGED || array->base + array->bytes < array->base;
        launch->array_end = array->base + array->bytes;
    }
}

const char *binary_launch_read_arrays(struct binary_launch *launch, struct get *get)
{
    if (!make_text_room(launch))
        return "no memory for the names of a launch";
    read_arrays(launch, get);
    return get->failed ? "arrays that are cut short, or more than 4096 of them" : NULL;
}

/* Reads the pages behind those of the ranges before; how many there are, 0 when they are not told. */
static uint64_t read_range(struct managed_range *range, uint8_t *touched, uint64_t room,
                           struct get *get)
{
    range->address = get_number(get);
    range->bytes = get_number(get);
    range->touched = NULL;
    uint64_t pages = range->bytes < ADDRESS_END ? managed_range_pages(range) : UINT64_MAX;
    bool told = get_byte(get) != 0;
    if (get->failed || pages > room) {
        get->failed = true;
        return 0;
    }
    if (!told)
        return 0;
    range->touched = touched;
    for (uint64_t page = 0, run; page < pages && !get->failed; page += run) {
        uint8_t how = get_byte(get);
        run = get_limited(get, pages - page);
        get->failed |= run == 0;
        if (!get->failed)
            memset(touched + page, how, run);
    }
    return pages;
}

static void read_managed(struct binary_launch *launch, struct get *get)
{
    uint64_t used = 0;
    size_t count = get_limited(get, MANAGED_ARRAYS_MAX);
    if (count && launch->touched == NULL)
        launch->touched = memory_take(1, MANAGED_PAGES_MAX);
    get->failed |= count && launch->touched == NULL;
    for (size_t i = 0; i < count && !get->failed; i++)
        used +=
            read_range(&launch->managed[i], launch->touched + used, MANAGED_PAGES_MAX - used, get);
    launch->info.managed = launch->managed;
    launch->info.managed_count = count;
}

/* All texts are there: they move no more. The next launch begins anew. */
static void hand_over_names(struct binary_launch *launch, size_t kernel)
{
    for (size_t i = 0; i < launch->array_count; i++)
        launch->arrays[i].name = launch->texts + launch->name_at[i];
    launch->info.kernel = launch->texts + kernel;
    launch->info.arrays = launch->arrays;
    launch->info.array_count = launch->array_count;
    launch->array_count = launch->text_bytes = 0;
    launch->array_end = 0;
}

const char *binary_launch_read(struct binary_launch *launch, struct get *get)
{
    struct launch_info *info = &launch->info;
    if (!make_text_room(launch))
        return "no memory for the names of a launch";
    size_t kernel = keep_text(launch, get);
    for (int i = 0; i < 3; i++)
        info->grid[i] = (uint32_t)get_limited(get, INT32_MAX);
    for (int i = 0; i < 3; i++)
        info->block[i] = (uint32_t)get_limited(get, BLOCK_THREADS_MAX);
    info->dynamic_shared_bytes = get_number(get);
    info->registers = (uint32_t)get_limited(get, 255);
    read_arrays(launch, get);
    read_managed(launch, get);
    hand_over_names(launch, kernel);
    uint64_t threads = (uint64_t)info->block[0] * info->block[1] * info->block[2];
    if (get->failed || threads == 0 || threads > BLOCK_THREADS_MAX)
        return "a launch that is cut short, or of an impossible size";
    return NULL;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

void binary_launch_put_arrays(struct put *put, const struct launch_info *launch, size_t first,
                              size_t count)
{
    const struct trace_array *before = first ? &launch->arrays[first - 1] : NULL;
    uint64_t end = before ? before->base + before->bytes : 0;
    put_number(put, count);
    for (size_t i = first; i < first + count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        put_text(put, array->name);
        put_signed(put, (int64_t)(array->base - end));
        put_number(put, array->bytes);
        put_byte(put, array->home);
        end = array->base + array->bytes;
    }
}

/* What the host has done to each page, as runs of equal bytes. */
static void put_touched(struct put *put, const struct managed_range *range)
{
    uint64_t pages = managed_range_pages(range), run = 0;
    put_number(put, range->address);
    put_number(put, range->bytes);
    put_byte(put, range->touched != NULL);
    for (uint64_t page = 0; range->touched && page < pages; page += run) {
        for (run = 1; page + run < pages && range->touched[page + run] == range->touched[page];)
            run++;
        put_byte(put, range->touched[page]);
        put_number(put, run);
    }
}

size_t binary_launch_bytes(const struct launch_info *launch)
{
    size_t bytes = 128 + CODEC_TEXT_MAX;
    for (size_t i = 0; i < launch->managed_count; i++) {
        const struct managed_range *range = &launch->managed[i];
        uint64_t pages = managed_range_pages(range), runs = 1;
        for (uint64_t page = 1; range->touched && page < pages; page++)
            runs += range->touched[page] != range->touched[page - 1];
        bytes += 24 + 11 * (size_t)runs;
    }
    return bytes;
}

size_t binary_launch_fitting(const struct launch_info *launch, size_t first, size_t bytes)
{
    size_t i = first;
    for (size_t used = 0; i < launch->array_count; i++) {
        used += strnlen(launch->arrays[i].name, CODEC_TEXT_MAX) + 24;
        if (used > bytes)
            break;
    }
    return i - first;
}

const char *binary_launch_refusal(const struct launch_info *launch)
{
    uint64_t pages = 0;
    if (launch->array_count > CODEC_ARRAYS_MAX)
        return "a launch with more than 4096 arrays; allowed: 4096 at a time";
    if (launch->managed_count > MANAGED_ARRAYS_MAX)
        return "a launch with more than 64 managed arrays; allowed: 64 at a time";
    for (size_t i = 0; i < launch->managed_count; i++)
        pages += managed_range_pages(&launch->managed[i]);
    if (pages > MANAGED_PAGES_MAX)
        return "a launch with more than 16 GB of managed memory; allowed: 16 GB at a time";
    if (binary_launch_bytes(launch) > LAUNCH_ROOM)
        return "a launch whose managed memory the host has touched in more pieces than a binary "
               "trace can hold, about 5500";
    return NULL;
}

void binary_launch_put(struct put *put, const struct launch_info *launch, size_t first)
{
    put_text(put, launch->kernel);
    for (int i = 0; i < 3; i++)
        put_number(put, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        put_number(put, launch->block[i]);
    put_number(put, launch->dynamic_shared_bytes);
    put_number(put, launch->registers);
    binary_launch_put_arrays(put, launch, first, launch->array_count - first);
    put_number(put, launch->managed_count);
    for (size_t i = 0; i < launch->managed_count; i++)
        put_touched(put, &launch->managed[i]);
}

void binary_launch_free(struct binary_launch *launch)
{
    free(launch->touched);
    free(launch->texts);
    launch->touched = NULL;
    launch->texts = NULL;
    launch->text_room = 0;
}
