/* causes_blocks.c - causes that lie in how many blocks there are, and how large: too few of them, blocks
 * of a few threads.
 */
#include <inttypes.h>

#include "advise/causes.h"
#include "report/amounts.h"

enum { THREADS_USUAL = 256, THREADS_FEW = 64 };

static const double share_least = 0.05, starts_least = 0.5, tail_least = 0.1, tail_worth = 0.05,
                    latency_least = 0.4;

static uint64_t threads_of(const struct kernel_seen *kernel)
{
    return (uint64_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
}

/* Whether threads of different blocks can change places, and it would matter. */
static bool can_change(const struct findings *f, const struct kernel_seen *kernel)
{
    return !kernel->is_fixed && !kernel->has_barriers && !kernel->has_shared && f->is_whole &&
           findings_time_share(f, kernel) >= share_least;
}

static uint32_t divided_up(uint64_t count, uint64_t by)
{
    return (uint32_t)((count + by - 1) / by);
}

/* Blocks that the GPU holds at once, of a kernel without shared memory. */
static uint64_t wave_of(const struct findings *f, uint64_t threads)
{
    const struct kernel_resources resources = {.threads_per_block = (int64_t)threads,
                                               .registers_per_thread =
                                                   f->result->registers_per_thread};
    const struct occupancy occupancy = occupancy_of(&f->result->arch, &resources);
    return (uint64_t)(f->result->arch.sm_count * occupancy.blocks_per_sm);
}

/* ---- Fewer blocks than SMs ------------------------------------------------------------------- */

/* One block of a line of threads gets as many as is usual; all else stays. */
static uint32_t wider_of(const struct kernel_seen *kernel)
{
    const bool is_line = kernel->block[1] == 1 && kernel->block[2] == 1;
    return kernel->grid[0] == 1 && is_line && kernel->block[0] <= THREADS_FEW
               ? THREADS_USUAL / kernel->block[0]
               : 1;
}

static void add_more_blocks(struct findings *f, const struct kernel_seen *kernel, uint32_t factor)
{
    const uint32_t wider = wider_of(kernel);
    struct candidate *c = findings_add_regrouping(
        f, "more-blocks", NO_OBJECT, kernel,
        (struct regrouping){.kind = REGROUP_DEAL, .factor = factor, .wider = wider});
    if (c == NULL)
        return;
    snprintf(c->why, sizeof c->why,
             "%" PRIu32 " block%s of %" PRIu64 " thread%s for %" PRId64
             " SMs, and a thread goes round a loop %s times",
             kernel->grid[0], kernel->grid[0] > 1 ? "s" : "", threads_of(kernel),
             threads_of(kernel) > 1 ? "s" : "", f->result->arch.sm_count,
             FINDINGS_COUNT(kernel->most_visits));
    snprintf(c->change, sizeof c->change,
             "deal the loop out: launch %" PRIu32 " blocks of %" PRIu64
             " threads, each of which takes 1 in %" PRIu32
             " of a thread's iterations (along an array: i += gridDim.x * blockDim.x)",
             kernel->grid[0] * factor, threads_of(kernel) * wider, factor * wider);
    snprintf(c->cost, sizeof c->cost,
             "iterations must not need each other; what a thread sums up over them needs an "
             "atomicAdd at the end");
}

void find_few_blocks(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint32_t wider = wider_of(kernel), blocks = kernel->grid[0];
        const uint64_t sms = (uint64_t)f->result->arch.sm_count;
        if (!can_change(f, kernel) || kernel->grid[1] > 1 || kernel->grid[2] > 1 || blocks >= sms ||
            kernel->most_visits < 2)
            continue;
        const uint32_t all = divided_up(kernel->most_visits, wider);
        const uint32_t wanted[] = {divided_up(sms, blocks),
                                   divided_up(wave_of(f, threads_of(kernel) * wider), blocks), all};
        uint32_t last = 0;
        for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
            const uint32_t factor = wanted[k] < all ? wanted[k] : all;
            if (factor > last && factor * wider > 1)
                add_more_blocks(f, kernel, factor);
            last = factor > last ? factor : last;
        }
    }
}

/* ---- Small blocks ---------------------------------------------------------------------------- */

/* Too few threads for a warp; or warps enough for none to be empty, and too few for an SM. */
static void say_small(const struct findings *f, const struct kernel_seen *kernel,
                      struct candidate *c)
{
    const uint64_t threads = threads_of(kernel), warps = divided_up(threads, WARP_LANES);
    const struct arch *arch = &f->result->arch;
    if (threads % WARP_LANES)
        snprintf(c->why, sizeof c->why,
                 "blocks of %" PRIu64
                 " thread%s: of the 32 lanes of a warp %.1f take part in an access on average",
                 threads, threads > 1 ? "s" : "", (double)kernel->lanes / (double)kernel->accesses);
    else
        snprintf(c->why, sizeof c->why,
                 "blocks of %" PRIu64 " threads: the %" PRId64
                 " blocks that an SM takes at most are %" PRIu64 " of the %" PRId64
                 " warps that it has room for",
                 threads, arch->blocks_per_sm, (uint64_t)arch->blocks_per_sm * warps,
                 arch->warps_per_sm);
}

static void add_larger_blocks(struct findings *f, const struct kernel_seen *kernel, uint32_t factor)
{
    struct candidate *c =
        findings_add_regrouping(f, "larger-blocks", NO_OBJECT, kernel,
                                (struct regrouping){.kind = REGROUP_MERGE, .factor = factor});
    if (c == NULL)
        return;
    say_small(f, kernel, c);
    snprintf(
        c->change, sizeof c->change,
        "launch fewer blocks, each %" PRIu32 " times as large, of %" PRIu64
        " threads, x = blockIdx.x * blockDim.x + threadIdx.x; where a block has work of its own, "
        "%" PRIu32 " threads in a row do what a block did",
        factor, threads_of(kernel) * factor, kernel->block[0]);
}

void find_small_blocks(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint64_t threads = threads_of(kernel);
        if (!can_change(f, kernel) || threads >= THREADS_FEW || kernel->grid[0] < 2)
            continue;
        for (uint64_t wanted = THREADS_USUAL / 4; wanted <= THREADS_USUAL; wanted *= 2)
            add_larger_blocks(f, kernel, (uint32_t)(wanted / threads));
    }
}

/* ---- Narrow blocks --------------------------------------------------------------------------- */

static void add_shape(struct findings *f, const struct kernel_seen *kernel, enum regroup_kind kind,
                      uint32_t factor)
{
    const uint32_t *block = kernel->block,
                   higher = kind == REGROUP_SHAPE ? block[1] / factor : block[1];
    struct candidate *c = findings_add_regrouping(
        f, "wider", NO_OBJECT, kernel, (struct regrouping){.kind = kind, .factor = factor});
    if (c == NULL)
        return;
    c->must_save = true;
    snprintf(c->why, sizeof c->why,
             "blocks of %" PRIu32 " x %" PRIu32 " threads: a warp takes %" PRIu32
             " short rows instead of a long one",
             block[0], block[1], WARP_LANES / block[0]);
    snprintf(c->change, sizeof c->change,
             "launch blocks of %" PRIu32 " x %" PRIu32 " threads instead, and a grid to match",
             block[0] * factor, higher);
}

void find_block_shape(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint32_t *block = kernel->block, factor = WARP_LANES / block[0];
        if (!can_change(f, kernel) || block[1] < 2 || factor < 2 || kernel->grid[0] < factor)
            continue;
        if (block[1] % factor == 0)
            add_shape(f, kernel, REGROUP_SHAPE, factor);
        if (threads_of(kernel) * factor <= 2 * THREADS_USUAL)
            add_shape(f, kernel, REGROUP_MERGE, factor);
    }
}

/* ---- Starts of blocks ------------------------------------------------------------------------ */

static uint64_t blocks_of(const struct kernel_seen *kernel)
{
    return (uint64_t)kernel->grid[0] * kernel->grid[1] * kernel->grid[2];
}

/* The part of a kernel's time in which its blocks are started, one after another. */
static double start_share(const struct findings *f, const struct kernel_seen *kernel)
{
    const uint64_t blocks = kernel->launches * blocks_of(kernel);
    const uint64_t warps = blocks * divided_up(threads_of(kernel), WARP_LANES);
    return report_start_cycles(&f->result->arch, blocks, warps) /
           (findings_time_share(f, kernel) * (double)f->result->total.elapsed_cycles);
}

static void add_chain(struct findings *f, const struct kernel_seen *kernel, uint32_t factor)
{
    struct candidate *c =
        findings_add_regrouping(f, "grid-stride", NO_OBJECT, kernel,
                                (struct regrouping){.kind = REGROUP_CHAIN, .factor = factor});
    if (c == NULL)
        return;
    snprintf(c->why, sizeof c->why,
             "starting %s blocks of %" PRIu64 " threads, one after another, is %.0f %% of the time",
             FINDINGS_COUNT(blocks_of(kernel)), threads_of(kernel), 100 * start_share(f, kernel));
    snprintf(c->change, sizeof c->change,
             "launch 1/%" PRIu32 " of the blocks, and let each do the work of %" PRIu32
             " neighbours in a loop, one after the other",
             factor, factor);
    snprintf(c->cost, sizeof c->cost, "a loop");
}

void find_many_blocks(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        if (!can_change(f, kernel) || start_share(f, kernel) < starts_least)
            continue;
        const uint64_t waves = divided_up(blocks_of(kernel), wave_of(f, threads_of(kernel)));
        for (uint32_t factor = 2; factor <= 16 && factor <= waves && factor <= kernel->grid[0];
             factor *= 2)
            add_chain(f, kernel, factor);
    }
}

/* ---- The last wave --------------------------------------------------------------------------- */

/* The part of the time in which the last wave's empty places stand idle, if all blocks take equally
 * long. */
static double idle_share(uint64_t blocks, uint64_t wave)
{
    const uint64_t waves = divided_up(blocks, wave);
    return 1 - (double)blocks / (double)(waves * wave);
}

static void add_tail(struct findings *f, const struct kernel_seen *kernel, enum regroup_kind kind,
                     uint32_t factor)
{
    const uint64_t wave = wave_of(f, threads_of(kernel)), blocks = blocks_of(kernel);
    const uint64_t threads =
        kind == REGROUP_SPLIT ? threads_of(kernel) / factor : threads_of(kernel) * factor;
    struct candidate *c = findings_add_regrouping(
        f, kind == REGROUP_SPLIT ? "smaller-blocks" : "larger-blocks", NO_OBJECT, kernel,
        (struct regrouping){.kind = kind, .factor = factor});
    if (c == NULL)
        return;
    c->least_saved = tail_worth;
    snprintf(
        c->why, sizeof c->why,
        "%s blocks, of which the GPU holds %s at once: the last %s leave %.0f %% of all places "
        "and times empty",
        FINDINGS_COUNT(blocks), FINDINGS_COUNT(wave), FINDINGS_COUNT(blocks % wave),
        100 * idle_share(blocks, wave));
    snprintf(c->change, sizeof c->change,
             "launch blocks of %" PRIu64 " threads instead of %" PRIu64, threads,
             threads_of(kernel));
}

/* Blocks that the GPU holds at once; 0: not known, with shared memory in one of several kernels. */
static uint64_t whole_wave_of(const struct findings *f, const struct kernel_seen *kernel)
{
    if (!kernel->has_shared)
        return wave_of(f, threads_of(kernel));
    return f->observed->kernel_count == 1
               ? (uint64_t)(f->result->arch.sm_count * f->result->occupancy.blocks_per_sm)
               : 0;
}

/* Of blocks whose threads cannot change places. */
static void name_tail(struct findings *f, const struct kernel_seen *kernel, uint64_t wave)
{
    const struct counters *total = &f->result->total;
    const uint64_t blocks = blocks_of(kernel);
    if ((double)total->limited_latency_cycles >= latency_least * (double)total->elapsed_cycles)
        findings_add_untried(f,
                             "%.100s: %s blocks, of which the GPU holds %s at once: the last %s "
                             "leave %.0f %% of all places and times empty: blocks of another size "
                             "may fill them",
                             kernel->name, FINDINGS_COUNT(blocks), FINDINGS_COUNT(wave),
                             FINDINGS_COUNT(blocks % wave), 100 * idle_share(blocks, wave));
}

void find_tail(struct findings *f)
{
    for (size_t i = 0; i < f->observed->kernel_count; i++) {
        const struct kernel_seen *kernel = &f->observed->kernels[i];
        const uint64_t wave = whole_wave_of(f, kernel), blocks = blocks_of(kernel);
        if (wave == 0 || blocks <= wave || idle_share(blocks, wave) < tail_least ||
            findings_time_share(f, kernel) < share_least)
            continue;
        if (!can_change(f, kernel)) {
            name_tail(f, kernel, wave);
            continue;
        }
        for (uint32_t factor = 2; factor <= 4; factor *= 2)
            if (kernel->block[0] % (factor * WARP_LANES) == 0)
                add_tail(f, kernel, REGROUP_SPLIT, factor);
        if (threads_of(kernel) <= 2 * THREADS_USUAL && kernel->grid[0] > 1)
            add_tail(f, kernel, REGROUP_MERGE, 2);
    }
}
