/* bench_engine.c - the model of time alone: blocks of made-up accesses, packed beforehand, through a
 * whole GPU with its caches and DRAM.
 *
 * Every block is 8 warps of 16 loads. The blocks of a round are packed before the clock runs, and
 * the loads are judged by the rules and timed while it does.
 */
#define _GNU_SOURCE
#include "cli/commands/bench_rates.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "sim/time/sim.h"
#include "text/memory.h"

enum {
    WARPS = 8,
    LOADS = 16,
    ROUND_BLOCKS = 2048,
    WANTED_ACCESSES = 1000000,
    KEPT_BYTES = 64 << 20
};

struct engine_pattern {
    const char *name;
    /* Fills in one load; `number` counts the loads of the whole run. */
    void (*fill)(struct warp_access *access, uint64_t *addr, uint64_t number, uint64_t *random);
};

#define ARRAY_BASE 0x2a0000000ULL

static void fill_stream(struct warp_access *access, uint64_t *addr, uint64_t number,
                        uint64_t *random)
{
    (void)addr;
    (void)random;
    access->base = ARRAY_BASE + number % (1 << 24) * 128;
    access->stride = 4;
}

static void fill_resident(struct warp_access *access, uint64_t *addr, uint64_t number,
                          uint64_t *random)
{
    (void)addr;
    (void)random;
    access->base = ARRAY_BASE + number % 256 * 128;
    access->stride = 4;
}

static void fill_strided(struct warp_access *access, uint64_t *addr, uint64_t number,
                         uint64_t *random)
{
    (void)addr;
    (void)random;
    access->base = ARRAY_BASE + number % (1 << 19) * 4096;
    access->stride = 128;
}

static void fill_scattered(struct warp_access *access, uint64_t *addr, uint64_t number,
                           uint64_t *random)
{
    (void)number;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
        addr[lane] = ARRAY_BASE + (*random >> 33) % (1U << 24) * 4;
    }
    access->addr = addr;
}

static const struct engine_pattern patterns[] = {
    {"coalesced stream", fill_stream},
    {"coalesced, in L1", fill_resident},
    {"stride 128 bytes", fill_strided},
    {"scattered over 64 MB", fill_scattered},
};

struct engine_run {
    struct judge judge;
    struct sim sim;
    struct step_store store;
    struct step_block *blocks[ROUND_BLOCKS];
    uint64_t loads, random;
    struct spent spent;
};

static void pack_block(struct engine_run *run, const struct engine_pattern *pattern, uint32_t i)
{
    uint64_t addr[WARP_LANES];
    run->blocks[i] = step_block_new(&run->store, i, WARPS);
    for (uint32_t warp = 0; warp < WARPS && run->blocks[i]; warp++) {
        for (int load = 0; load < LOADS; load++) {
            struct warp_access access = {.active = UINT32_MAX,
                                         .resident = UINT32_MAX,
                                         .warp = warp,
                                         .width = 4,
                                         .work = 1,
                                         .loads_left = NEEDS_NO_LOAD};
            pattern->fill(&access, addr, run->loads++, &run->random);
            step_block_add_access(run->blocks[i], &access);
        }
        step_block_add(run->blocks[i], warp, STEP_END, 1);
    }
    if (run->blocks[i])
        step_block_close(run->blocks[i]);
}

static void run_round(struct engine_run *run, const struct engine_pattern *pattern)
{
    for (uint32_t i = 0; i < ROUND_BLOCKS; i++)
        pack_block(run, pattern, i);
    const struct spent begin = spent_now();
    for (uint32_t i = 0; i < ROUND_BLOCKS; i++) {
        if (run->blocks[i] == NULL)
            continue;
        sim_run_block(&run->sim, run->blocks[i]);
        step_block_release(run->blocks[i]);
    }
    const struct spent spent = spent_since(begin);
    run->spent.cpu += spent.cpu;
    run->spent.wall += spent.wall;
}

static bool run_start(struct engine_run *run, const struct arch *arch)
{
    static const struct sim_options options = {0};
    struct kernel_resources resources = {.threads_per_block = WARPS * WARP_LANES};
    struct occupancy occupancy = occupancy_of(arch, &resources);
    run->loads = run->random = 0;
    run->spent = (struct spent){0, 0};
    step_store_init(&run->store, KEPT_BYTES);
    if (!judge_init(&run->judge, arch, 1))
        return false;
    return sim_init(&run->sim, &run->judge, &options) && sim_reserve_sites(&run->sim, 1) &&
           sim_launch(&run->sim, &occupancy, 0);
}

static void run_free(struct engine_run *run)
{
    sim_free(&run->sim);
    judge_free(&run->judge);
    step_store_free(&run->store);
}

/* Loads a second, the sectors of one load, and the memory of the process after `loads` of them. */
struct engine_figures {
    double rate, sectors;
    double megabytes;
    struct spent spent;
};

static struct engine_figures measure(const struct arch *arch, const struct engine_pattern *pattern,
                                     uint64_t loads)
{
    struct engine_figures figures = {0};
    struct engine_run *run = memory_take(1, sizeof *run);
    if (run && run_start(run, arch)) {
        while (run->loads < loads)
            run_round(run, pattern);
        sim_finish(&run->sim);
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        figures.rate = (double)run->loads / run->spent.cpu;
        figures.spent = run->spent;
        figures.sectors = (double)run->judge.sites[0].global_load_sectors / (double)run->loads;
        figures.megabytes = (double)usage.ru_maxrss / 1024;
    }
    if (run)
        run_free(run);
    free(run);
    return figures;
}

void bench_engine(const char *name, const struct arch *arch, double baseline, FILE *out)
{
    struct table table;
    fprintf(out,
            "\nmodel of time, %s, a whole GPU on one core; the baseline is this run's rules alone, "
            "global load, coalesced\n",
            name);
    table_start(&table, 6, "lr");
    table_cell(&table, "loads");
    table_cell(&table, "million warp accesses/s");
    table_cell(&table, "million sectors/s");
    table_cell(&table, "of the baseline");
    bench_seconds_heads(&table);
    table_row(&table);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct engine_figures f = measure(arch, &patterns[i], WANTED_ACCESSES);
        table_cell(&table, "%s", patterns[i].name);
        table_cell(&table, "%.2f", f.rate / 1e6);
        table_cell(&table, "%.1f", f.rate * f.sectors / 1e6);
        table_cell(&table, "%.2f", f.rate / baseline);
        bench_seconds(&table, f.spent);
        table_row(&table);
    }
    table_print(&table, 2, out);
}

void bench_engine_memory(const struct arch *arch, bool is_long, FILE *out)
{
    fprintf(out, "most memory of the model of time\n");
    for (uint64_t loads = 1000000; loads <= (is_long ? 100000000 : 1000000); loads *= 100)
        fprintf(out, "  after a trace of %9llu loads  %.1f MB\n", (unsigned long long)loads,
                measure(arch, &patterns[0], loads).megabytes);
}
