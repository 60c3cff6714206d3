/* binary_launch.c - all sizes are checked before memory is taken for them. */
#include "trace_io/binary/binary_launch.h"

#include <stdlib.h>
#include <string.h>

/* The launch's names lie one after another; a record's texts fit in a chunk, and zeros behind them. */
enum { TEXTS_BYTES = CHUNK_PAYLOAD_MAX + CODEC_ARRAYS_MAX + 1 };

static const char *keep_text(struct binary_launch *launch, struct get *get, size_t *used)
{
    size_t length;
    const char *text = get_text(get, &length);
    char *kept = launch->texts + *used;
    memcpy(kept, text, length);
    kept[length] = '\0';
    *used += length + 1;
    return kept;
}

static void read_arrays(struct binary_launch *launch, struct get *get, size_t *used)
{
    uint64_t end = 0;
    size_t count = get_limited(get, CODEC_ARRAYS_MAX);
    for (size_t i = 0; i < count && !get->failed; i++) {
        struct trace_array *array = &launch->arrays[i];
        array->name = keep_text(launch, get, used);
        array->base = end + (uint64_t)get_signed(get);
        array->bytes = get_number(get);
        array->home = get_byte(get);
        get->failed |= array->home > HOME_MANAGED || array->base + array->bytes < array->base;
        end = array->base + array->bytes;
    }
    launch->info.arrays = launch->arrays;
    launch->info.array_count = count;
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
        launch->touched = malloc(MANAGED_PAGES_MAX);
    get->failed |= count && launch->touched == NULL;
    for (size_t i = 0; i < count && !get->failed; i++)
        used +=
            read_range(&launch->managed[i], launch->touched + used, MANAGED_PAGES_MAX - used, get);
    launch->info.managed = launch->managed;
    launch->info.managed_count = count;
}

const char *binary_launch_read(struct binary_launch *launch, struct get *get)
{
    struct launch_info *info = &launch->info;
    size_t used = 0;
    if (launch->texts == NULL)
        launch->texts = malloc(TEXTS_BYTES + CODEC_TEXT_MAX);
    if (launch->texts == NULL)
        return "no memory for the names of a launch";
    info->kernel = keep_text(launch, get, &used);
    for (int i = 0; i < 3; i++)
        info->grid[i] = (uint32_t)get_limited(get, INT32_MAX);
    for (int i = 0; i < 3; i++)
        info->block[i] = (uint32_t)get_limited(get, BLOCK_THREADS_MAX);
    info->dynamic_shared_bytes = get_number(get);
    info->registers = (uint32_t)get_limited(get, 255);
    read_arrays(launch, get, &used);
    read_managed(launch, get);
    uint64_t threads = (uint64_t)info->block[0] * info->block[1] * info->block[2];
    if (get->failed || threads == 0 || threads > BLOCK_THREADS_MAX)
        return "a launch that is cut short, or of an impossible size";
    return NULL;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

static void put_arrays(struct put *put, const struct launch_info *launch)
{
    uint64_t end = 0;
    put_number(put, launch->array_count);
    for (size_t i = 0; i < launch->array_count; i++) {
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
    for (size_t i = 0; i < launch->array_count; i++)
        bytes += strlen(launch->arrays[i].name) + 24;
    for (size_t i = 0; i < launch->managed_count; i++) {
        const struct managed_range *range = &launch->managed[i];
        uint64_t pages = managed_range_pages(range), runs = 1;
        for (uint64_t page = 1; range->touched && page < pages; page++)
            runs += range->touched[page] != range->touched[page - 1];
        bytes += 24 + 11 * (size_t)runs;
    }
    return bytes;
}

bool binary_launch_fits(const struct launch_info *launch)
{
    uint64_t pages = 0;
    for (size_t i = 0; i < launch->managed_count; i++)
        pages += managed_range_pages(&launch->managed[i]);
    return launch->array_count <= CODEC_ARRAYS_MAX && launch->managed_count <= MANAGED_ARRAYS_MAX &&
           pages <= MANAGED_PAGES_MAX && binary_launch_bytes(launch) + 2 < CHUNK_PAYLOAD_MAX;
}

void binary_launch_put(struct put *put, const struct launch_info *launch)
{
    put_text(put, launch->kernel);
    for (int i = 0; i < 3; i++)
        put_number(put, launch->grid[i]);
    for (int i = 0; i < 3; i++)
        put_number(put, launch->block[i]);
    put_number(put, launch->dynamic_shared_bytes);
    put_number(put, launch->registers);
    put_arrays(put, launch);
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
}
