/* sim_feed.c - patterns as numbers: the address of a lane follows from its warp, its round and the
 * part, so that a kernel is the same on every GPU and in every order of blocks.
 */
#include "sim_feed.h"

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "models/models.h"

enum { STORE_BYTES = 64 << 20, WARPS_DEFAULT = 8, RANDOM_GROUP = 8 };

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static struct occupancy occupancy_for(const struct arch *arch, uint32_t warps)
{
    struct kernel_resources resources = {.threads_per_block = 32 * (int64_t)warps};
    return occupancy_of(arch, &resources);
}

uint32_t feed_resident_blocks(const struct arch *arch, uint32_t warps)
{
    return (uint32_t)(occupancy_for(arch, warps).blocks_per_sm * arch->sm_count);
}

/* Whether what a suite finds under one it finds under the other: the text of a reference says which memory it is. */
static bool are_alike(const struct gpu_model *a, const struct gpu_model *b)
{
    return a->sm.value == b->sm.value && a->l2_sides.value == b->l2_sides.value &&
           a->partial_write_reads.value == b->partial_write_reads.value &&
           a->dram_access_bytes.value == b->dram_access_bytes.value &&
           strcmp(a->dram_row_cycle_ps.reference, b->dram_row_cycle_ps.reference) == 0;
}

static bool stands_for_others(size_t index)
{
    bool first = true;
    for (size_t other = 0; other < model_count; other++)
        if (other != index && are_alike(models[other], models[index]))
            first = first && !models[other]->is_default && other > index;
    return first || models[index]->is_default;
}

struct feed_models feed_models(void)
{
    struct feed_models list = {.count = 0};
    assert_true(model_count <= FEED_MODELS_MAX);
    for (size_t m = 0; m < model_count; m++)
        if (getenv("ALL_GPUS") || stands_for_others(m))
            list.items[list.count++] = models[m];
    return list;
}

void feed_each_model(feed_check *check)
{
    const struct feed_models list = feed_models();
    struct arch arch;
    for (size_t m = 0; m < list.count; m++) {
        arch_from_model(list.items[m], &arch);
        check(list.items[m]->name, &arch);
    }
}

void feed_permutation(uint8_t lane_of[WARP_LANES], uint32_t group, uint64_t seed)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lane_of[i] = (uint8_t)i;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t left = group - i % group;
        uint32_t other = i + (uint32_t)(mix(seed + i) % left);
        uint8_t lane = lane_of[i];
        lane_of[i] = lane_of[other];
        lane_of[other] = lane;
    }
}

double feed_megabytes_per_s(const struct arch *arch, uint64_t bytes, uint64_t ticks)
{
    double seconds = (double)ticks / TICKS_PER_CYCLE / (1000.0 * (double)arch->sm_clock_khz);
    return (double)bytes / seconds / 1e6;
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* Where a warp is in its kernel. */
struct feed_at {
    const struct feed_kernel *kernel;
    uint32_t block, warp, warps, round;
    uint64_t index; /* of this warp's round among those of all warps */
};

static uint64_t wrapped(const struct feed_part *part, uint64_t offset)
{
    return part->base + (part->bytes ? offset % part->bytes : offset);
}

static uint64_t random_address(const struct feed_part *part, const struct feed_at *at,
                               uint32_t lane, uint32_t width)
{
    uint64_t which = (at->index << 5) + lane / RANDOM_GROUP;
    uint64_t line = mix(at->kernel->seed ^ mix(which)) % (part->bytes / 128);
    uint64_t word = mix(at->kernel->seed ^ mix((at->index << 5) + lane + 0x10000)) % (128 / width);
    return part->base + 128 * line + width * word;
}

static uint64_t address(const struct feed_part *part, const struct feed_at *at, uint32_t lane,
                        uint32_t width)
{
    uint64_t stride = (uint64_t)part->stride;
    switch (part->shape) {
    case FEED_STREAM:
        return wrapped(part, at->index * WARP_LANES * width) + (uint64_t)lane * width;
    case FEED_STRIDED:
        return wrapped(part, at->index * WARP_LANES * stride) + lane * stride;
    case FEED_RANDOM:
        return random_address(part, at, lane, width);
    case FEED_CHASE:
        return part->list ? part->list[at->round % part->list_count] + (uint64_t)lane * width
                          : wrapped(part, at->round * stride) + (uint64_t)lane * width;
    case FEED_BARRIER:
        break;
    }
    return 0;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void add_access(struct step_block *block, const struct feed_at *at, uint32_t site)
{
    const struct feed_part *part = &at->kernel->parts[site];
    const uint8_t *lane_of = at->kernel->lane_of;
    uint32_t width = part->width ? part->width : 4;
    uint64_t addr[WARP_LANES];
    struct warp_access access = {
        .addr = addr,
        .active = part->active ? part->active : UINT32_MAX,
        .resident = UINT32_MAX,
        .block = at->block,
        .warp = at->warp,
        .site = site,
        .work = part->work,
        .loads_left = part->waits ? 0 : NEEDS_NO_LOAD,
        .width = (uint8_t)width,
        .op = part->op,
        .space = part->space,
        .flags = part->flags,
    };
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = address(part, at, lane_of ? lane_of[lane] : lane, width);
    if (!lane_of && part->shape != FEED_RANDOM) {
        access.addr = NULL;
        access.base = addr[0];
        access.stride = (int64_t)(addr[1] - addr[0]);
    }
    step_block_add_access(block, &access);
}

static void add_warp(struct step_block *block, struct feed_at *at)
{
    const struct feed_kernel *kernel = at->kernel;
    uint64_t all = (uint64_t)kernel->blocks * at->warps;
    for (at->round = 0; at->round < kernel->rounds && at->block >= kernel->idle; at->round++) {
        at->index = at->round * all + (uint64_t)at->block * at->warps + at->warp;
        for (uint32_t i = 0; i < kernel->part_count; i++) {
            if (kernel->parts[i].shape == FEED_BARRIER)
                step_block_add(block, at->warp, STEP_BARRIER, kernel->parts[i].work);
            else
                add_access(block, at, i);
        }
    }
    step_block_add(block, at->warp, STEP_END, 0);
}

static void run_block(struct feed *feed, const struct feed_kernel *kernel, uint32_t index,
                      uint32_t warps)
{
    struct feed_at at = {.kernel = kernel, .block = index, .warps = warps};
    struct step_block *block = step_block_new(&feed->store, index, warps);
    assert_non_null(block);
    for (at.warp = 0; at.warp < warps; at.warp++)
        add_warp(block, &at);
    step_block_close(block);
    sim_run_block(&feed->sim, block);
    step_block_release(block);
}

/* ---- A GPU ----------------------------------------------------------------------------------- */

void feed_open(struct feed *feed, const struct arch *arch, const struct sim_options *options)
{
    static const struct sim_options none = {0};
    feed->launches = 0;
    step_store_init(&feed->store, STORE_BYTES);
    assert_true(judge_init(&feed->judge, arch, 0));
    assert_true(sim_init(&feed->sim, &feed->judge, options ? options : &none));
}

void feed_close(struct feed *feed)
{
    sim_free(&feed->sim);
    judge_free(&feed->judge);
    step_store_free(&feed->store);
}

void feed_run(struct feed *feed, const struct feed_kernel *kernel)
{
    struct feed_kernel k = *kernel;
    uint32_t warps = k.warps ? k.warps : WARPS_DEFAULT;
    struct occupancy occupancy = occupancy_for(&feed->judge.arch, warps);
    if (k.blocks == 0)
        k.blocks = feed_resident_blocks(&feed->judge.arch, warps);
    assert_true(sim_reserve_sites(&feed->sim, k.part_count));
    assert_true(sim_launch(&feed->sim, &occupancy, 0, k.blocks));
    for (uint32_t block = 0; block < k.blocks; block++)
        run_block(feed, &k, block, warps);
    sim_finish(&feed->sim);
    feed->launches++;
    assert_null(feed->store.error);
}

void feed_watch(struct feed *feed, const struct feed_kernel *kernel, uint32_t block)
{
    assert_true(sim_watch_block(&feed->sim, block));
    feed_run(feed, kernel);
}

struct feed_result feed_total(const struct feed *feed)
{
    struct feed_result result = {.ticks = feed->sim.total.ticks};
    for (size_t i = 0; i < feed->judge.site_count; i++)
        counters_add(&result.counters, &feed->judge.sites[i]);
    sim_add_counters(&feed->sim, &result.counters);
    result.counters.launches = feed->launches;
    return result;
}

struct feed_result feed_alone(const struct arch *arch, const struct feed_kernel *kernel)
{
    struct feed feed;
    feed_open(&feed, arch, NULL);
    feed_run(&feed, kernel);
    struct feed_result result = feed_total(&feed);
    feed_close(&feed);
    return result;
}
