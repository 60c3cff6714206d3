/* fit.c - whether a launch and its blocks fit on a GPU, or the message why not. */
#include "session/fit.h"

#include <stdarg.h>
#include <stdio.h>

static bool refuse(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool refuse(char *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, FIT_MESSAGE_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

bool fit_allows_block(const struct arch *arch, const char *gpu, const struct launch_info *launch,
                      char *message)
{
    const uint32_t *b = launch->block, *g = launch->grid;
    int64_t threads = (int64_t)b[0] * b[1] * b[2];
    if (threads > arch->threads_per_block_max || b[0] > arch->block_x_max ||
        b[1] > arch->block_y_max || b[2] > arch->block_z_max)
        return refuse(
            message,
            "%s: a block of %u x %u x %u = %lld threads: %s allows 1 to %lld, at most %lld x "
            "%lld x %lld",
            launch->kernel, b[0], b[1], b[2], (long long)threads, gpu,
            (long long)arch->threads_per_block_max, (long long)arch->block_x_max,
            (long long)arch->block_y_max, (long long)arch->block_z_max);
    if (g[0] > arch->grid_x_max || g[1] > arch->grid_y_max || g[2] > arch->grid_z_max)
        return refuse(message,
                      "a grid of %u x %u x %u blocks: %s allows at most %lld x %lld x %lld", g[0],
                      g[1], g[2], gpu, (long long)arch->grid_x_max, (long long)arch->grid_y_max,
                      (long long)arch->grid_z_max);
    return true;
}

static bool refuse_resources(const struct result *result, const struct kernel_resources *kernel,
                             char *message)
{
    const struct arch *arch = &result->arch;
    return refuse(message,
                  "a block does not fit on an SM of %s, for want of %s: it has %lld threads, %lld "
                  "registers a thread and %lld bytes of shared memory, and the system takes %lld "
                  "more; the SM has %lld warps, %lld registers and %lld bytes",
                  result->gpu->name, occupancy_limit_name(result->occupancy.limit),
                  (long long)kernel->threads_per_block, (long long)kernel->registers_per_thread,
                  (long long)kernel->shared_bytes_per_block,
                  (long long)arch->shared_reserved_per_block, (long long)arch->warps_per_sm,
                  (long long)arch->registers_per_sm, (long long)arch->shared_bytes_per_sm);
}

static bool allows_shared(const struct result *result, char *message)
{
    const struct arch *arch = &result->arch;
    if ((int64_t)result->shared_bytes_per_block > arch->shared_bytes_per_block_max)
        return refuse(message, "%llu bytes of shared memory a block are needed: %s has %lld",
                      (unsigned long long)result->shared_bytes_per_block, result->gpu->name,
                      (long long)arch->shared_bytes_per_block_max);
    return true;
}

bool fit_find_occupancy(struct result *result, uint64_t shared_bytes, char *message)
{
    const uint32_t *b = result->block;
    struct kernel_resources resources = {
        .threads_per_block = (int64_t)b[0] * b[1] * b[2],
        .registers_per_thread = result->registers_per_thread,
        .shared_bytes_per_block = (int64_t)shared_bytes,
    };
    result->shared_bytes_per_block = shared_bytes;
    if (!allows_shared(result, message))
        return false;
    result->occupancy = occupancy_of(&result->arch, &resources);
    if (resources.registers_per_thread > result->arch.registers_per_thread_max)
        return refuse(message, "%lld registers a thread: %s allows 1 to %lld",
                      (long long)resources.registers_per_thread, result->gpu->name,
                      (long long)result->arch.registers_per_thread_max);
    if (result->occupancy.blocks_per_sm == 0)
        return refuse_resources(result, &resources, message);
    return true;
}
