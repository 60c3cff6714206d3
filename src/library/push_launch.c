/* push_launch.c - sizes are the guard's to check, texts and counts are checked here. */
#define _GNU_SOURCE
#include "library/push_launch.h"

#include <string.h>

#include "stream/limits.h"

bool push_text_is_plain(const char *text)
{
    size_t length = 0;
    for (; text && text[length]; length++)
        if (length == CODEC_TEXT_MAX || (unsigned char)text[length] < ' ')
            return false;
    return true;
}

static int by_address(const void *a, const void *b)
{
    const struct trace_array *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

static bool copy_arrays(struct push_launch *launch, struct warplens_run *run,
                        const struct warplens_launch *from)
{
    if (from->array_count > CODEC_ARRAYS_MAX || (from->array_count && from->arrays == NULL))
        return library_fail(run, "launch of %.64s: %zu arrays: allowed are 0 to %d", launch->kernel,
                            from->arrays ? from->array_count : 0, CODEC_ARRAYS_MAX);
    launch->arrays = calloc(from->array_count + 1, sizeof *launch->arrays);
    for (size_t i = 0; i < from->array_count && launch->arrays; i++) {
        const struct warplens_array *array = &from->arrays[i];
        if (!push_text_is_plain(array->name))
            return library_fail(run,
                                "launch of %.64s: the name of array %zu is longer than %d "
                                "bytes or holds control characters",
                                launch->kernel, i, CODEC_TEXT_MAX);
        launch->arrays[i] =
            (struct trace_array){strdup(array->name ? array->name : ""), array->base, array->bytes,
                                 array->is_host ? HOME_HOST : HOME_DEVICE};
        launch->info.array_count++;
        if (launch->arrays[i].name == NULL)
            return library_fail(run, "no memory for the arrays of a launch");
    }
    if (launch->arrays == NULL)
        return library_fail(run, "no memory for the arrays of a launch");
    qsort(launch->arrays, from->array_count, sizeof *launch->arrays, by_address);
    launch->info.arrays = launch->arrays;
    return true;
}

bool push_launch_start(struct push_launch *launch, struct warplens_run *run,
                       const struct warplens_launch *from)
{
    *launch = (struct push_launch){0};
    if (from == NULL || from->kernel == NULL || !push_text_is_plain(from->kernel))
        return library_fail(run,
                            "a launch needs a kernel's name, of %d printable characters at "
                            "most",
                            CODEC_TEXT_MAX);
    launch->kernel = strdup(from->kernel);
    if (launch->kernel == NULL)
        return library_fail(run, "no memory for a launch");
    launch->info.kernel = launch->kernel;
    for (int i = 0; i < 3; i++) {
        launch->info.grid[i] = from->grid[i] || i == 0 ? from->grid[i] : 1;
        launch->info.block[i] = from->block[i] || i == 0 ? from->block[i] : 1;
    }
    launch->info.dynamic_shared_bytes = from->shared_bytes;
    launch->info.registers = from->registers;
    return copy_arrays(launch, run, from);
}

void push_launch_free(struct push_launch *launch)
{
    for (size_t i = 0; i < launch->info.array_count; i++)
        free((void *)launch->arrays[i].name);
    free(launch->arrays);
    free(launch->kernel);
    *launch = (struct push_launch){0};
}

uint32_t push_launch_lanes(const struct push_launch *launch, uint32_t warp)
{
    const uint32_t *b = launch->info.block;
    uint32_t last = b[0] * b[1] * b[2] % WARP_LANES;
    return last && warp + 1 == launch->warp_count ? (1U << last) - 1 : UINT32_MAX;
}

const struct trace_array *push_launch_array(const struct push_launch *launch, const char *name,
                                            uint64_t address)
{
    for (size_t i = 0; i < launch->info.array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        if (name ? strcmp(array->name, name) == 0 : address - array->base < array->bytes)
            return array;
    }
    return NULL;
}
