/* bench_engine.c - the model of time alone: blocks of made-up kernels, packed beforehand, through a
 * whole GPU with its caches and DRAM.
 *
 * The blocks of a round are packed before the clock runs; their accesses are judged by the rules and
 * timed while it does, until the last of them has ended.
 */
#define _GNU_SOURCE
#include "cli/commands/bench_rates.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "cli/commands/bench_patterns.h"
#include "sim/time/sim.h"
#include "text/memory.h"

enum {
    ROUND_BLOCKS = 2048,
    ROUND_ACCESSES = 1 << 18, /* or a block more: blocks differ in length by a factor of 300 */
    LEAST_ACCESSES = 1000000,
    MOST_ACCESSES = 1000000000,
    KEPT_BYTES = 64 << 20
};

struct engine_run {
    const struct bench_pattern *pattern;
    struct judge judge;
    struct sim sim;
    struct step_store store;
    struct step_block *blocks[ROUND_BLOCKS]; /* of a round, block_count of them */
    uint32_t block_count, blocks_before;     /* of earlier rounds */
    uint64_t accesses, random;
    struct spent spent;
};

/* False when memory is short. */
static bool pack_round(struct engine_run *run, uint64_t wanted)
{
    const uint64_t round_end = run->accesses + ROUND_ACCESSES;
    const uint64_t end = round_end < wanted ? round_end : wanted;
    run->blocks_before += run->block_count;
    run->block_count = 0;
    while (run->block_count < ROUND_BLOCKS && run->accesses < end) {
        struct step_block *block =
            bench_pattern_block(run->pattern, &run->store, run->blocks_before + run->block_count,
                                &run->random, &run->accesses);
        if (block == NULL)
            return false;
        run->blocks[run->block_count++] = block;
    }
    return true;
}

static void add_spent(struct engine_run *run, struct spent begin)
{
    const struct spent spent = spent_since(begin);
    run->spent.cpu += spent.cpu;
    run->spent.wall += spent.wall;
}

static void run_round(struct engine_run *run)
{
    const struct spent begin = spent_now();
    for (uint32_t i = 0; i < run->block_count; i++) {
        sim_run_block(&run->sim, run->blocks[i]);
        step_block_release(run->blocks[i]);
    }
    add_spent(run, begin);
}

/* Until `wanted` accesses, and what is left of the last block, have ended. False when memory, or room for
 * the temporary file of steps, is short. */
static bool run_all(struct engine_run *run, uint64_t wanted)
{
    bool has_memory = true;
    while (has_memory && run->accesses < wanted) {
        has_memory = pack_round(run, wanted);
        run_round(run);
    }
    const struct spent begin = spent_now();
    sim_finish(&run->sim);
    add_spent(run, begin);
    return has_memory && step_store_error(&run->store) == NULL;
}

static bool run_start(struct engine_run *run, const struct engine_gpu *gpu)
{
    const int64_t shared_bytes = run->pattern->shared_bytes;
    const struct kernel_resources resources = {.threads_per_block = PATTERN_WARPS * WARP_LANES,
                                               .shared_bytes_per_block = shared_bytes};
    const struct occupancy occupancy = occupancy_of(gpu->arch, &resources);
    step_store_init(&run->store, KEPT_BYTES);
    if (!judge_init(&run->judge, gpu->arch, 1))
        return false;
    return sim_init(&run->sim, &run->judge, gpu->options) &&
           sim_reserve_sites(&run->sim, PATTERN_SITES) &&
           sim_launch(&run->sim, &occupancy, shared_bytes, UINT64_MAX);
}

static void run_free(struct engine_run *run)
{
    sim_free(&run->sim);
    judge_free(&run->judge);
    step_store_free(&run->store);
}

/* Of global memory. */
static uint64_t sectors(const struct judge *judge)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < PATTERN_SITES; i++)
        sum += judge->sites[i].global_load_sectors + judge->sites[i].global_store_sectors;
    return sum;
}

/* Resident at once, so far. */
static double most_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

struct engine_figures {
    uint64_t accesses, sectors;
    double most_megabytes; /* of the process */
    struct spent spent;
};

/* False when memory is short. */
static bool measure(const struct engine_gpu *gpu, const struct bench_pattern *pattern,
                    uint64_t wanted, struct engine_figures *figures)
{
    struct engine_run *run = memory_take(1, sizeof *run);
    if (run == NULL)
        return false;
    run->pattern = pattern;
    const bool fine = run_start(run, gpu) && run_all(run, wanted);
    if (fine)
        *figures = (struct engine_figures){.accesses = run->accesses,
                                           .sectors = sectors(&run->judge),
                                           .most_megabytes = most_megabytes(),
                                           .spent = run->spent};
    run_free(run);
    free(run);
    return fine;
}

static void put_row(struct table *table, const char *name, const struct engine_figures *figures,
                    double baseline)
{
    const double rate = (double)figures->accesses / figures->spent.cpu;
    table_cell(table, "%s", name);
    table_cell(table, "%.2f", rate / 1e6);
    table_cell(table, "%.1f", (double)figures->sectors / figures->spent.cpu / 1e6);
    table_cell(table, "%.2f", rate / baseline);
    bench_seconds(table, figures->spent);
    table_row(table);
}

bool bench_engine(const struct engine_gpu *gpu, double baseline, FILE *out)
{
    struct table table;
    fprintf(out,
            "\nmodel of time, %s, a whole GPU on one core; sectors are of global memory; the "
            "baseline is this run's rules alone, global load, coalesced\n",
            gpu->name);
    table_start(&table, 6, "lr");
    table_cell(&table, "accesses");
    table_cell(&table, "million warp accesses/s");
    table_cell(&table, "million sectors/s");
    table_cell(&table, "of the baseline");
    bench_seconds_heads(&table);
    table_row(&table);
    bool fine = true;
    for (size_t i = 0; i < bench_pattern_count && fine; i++) {
        struct engine_figures figures;
        fine = measure(gpu, &bench_patterns[i], LEAST_ACCESSES, &figures);
        if (fine)
            put_row(&table, bench_patterns[i].name, &figures, baseline);
    }
    table_print(&table, 2, out);
    return fine;
}

/* Line by line, since the longest takes minutes. */
bool bench_engine_growth(const struct engine_gpu *gpu, bool is_long, FILE *out)
{
    const uint64_t most = is_long ? MOST_ACCESSES : LEAST_ACCESSES;
    fprintf(out,
            "model of time, %s, as a trace of a %s grows; memory is the most that the process had "
            "so far\n",
            gpu->name, bench_patterns[0].name);
    fprintf(out, "  warp accesses  ns an access  memory MB     CPU s    wall s\n");
    for (uint64_t wanted = LEAST_ACCESSES; wanted <= most; wanted *= 10) {
        struct engine_figures f;
        if (!measure(gpu, &bench_patterns[0], wanted, &f))
            return false;
        fprintf(out, "  %13llu  %12.1f  %9.1f  %8.2f  %8.2f\n", (unsigned long long)f.accesses,
                f.spent.cpu / (double)f.accesses * 1e9, f.most_megabytes, f.spent.cpu,
                f.spent.wall);
        fflush(out);
    }
    return true;
}
