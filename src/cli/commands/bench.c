/* bench.c - `warplens bench`: rates on this machine, the best of several repeats of each.
 * Machines are shared and noisy: rates are by processor time, with the wall's beside it; compare figures of one run with
 * each other. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "bench_kernels.h"
#include "cli/commands/bench_rates.h"
#include "cli/commands/commands.h"
#include "cli/inputs/choose.h"
#include "report/table.h"
#include "sim/rules/judge.h"
#include "sim/time/sim.h"
#include "text/seconds.h"
#include "tracer/tracer.h"

enum { REPEATS = 5, ACCESSES = 4096, ROUNDS = 64 };

void bench_seconds_heads(struct table *table)
{
    table_cell(table, "CPU s");
    table_cell(table, "wall s");
}

void bench_seconds(struct table *table, struct spent spent)
{
    table_cell(table, "%.4f", spent.cpu);
    table_cell(table, "%.4f", spent.wall);
}

/* ---- Tracing: the best launch, memory already touched --------------------------------------- */

struct trace_bench {
    uint64_t accesses;
    struct spent begin, best; /* of the launch that took least */
};

static bool bench_launch_begin(void *context, const struct launch_info *launch)
{
    struct trace_bench *bench = context;
    (void)launch;
    bench->accesses = 0;
    bench->begin = spent_now();
    return true;
}

static bool bench_access(void *context, const struct warp_access *access)
{
    struct trace_bench *bench = context;
    (void)access;
    bench->accesses++;
    return true;
}

static bool bench_launch_end(void *context, uint64_t shared_bytes)
{
    struct trace_bench *bench = context;
    const struct spent spent = spent_since(bench->begin);
    (void)shared_bytes;
    if (bench->best.cpu <= 0 || spent.cpu < bench->best.cpu)
        bench->best = spent;
    return true;
}

static void trace_row(struct table *table, const char *name, void (*run)(int launches))
{
    struct trace_bench bench = {0};
    const struct trace_sink sink = {.context = &bench,
                                    .launch_begin = bench_launch_begin,
                                    .access = bench_access,
                                    .launch_end = bench_launch_end};
    tracer_start(&sink);
    run(4 * REPEATS);
    tracer_stop();
    table_cell(table, "%s", name);
    table_cell(table, "%.2f", (double)bench.accesses / bench.best.cpu / 1e6);
    bench_seconds(table, bench.best);
    table_row(table);
}

static void bench_tracing(void)
{
    struct table table;
    printf("\nkernels built by %s\n\ntracing, a launch\n", tracer_compiler());
    table_start(&table, 4, "lr");
    table_cell(&table, "kernel");
    table_cell(&table, "million warp accesses/s");
    bench_seconds_heads(&table);
    table_row(&table);
    trace_row(&table, "coalesced copy", bench_trace_copy);
    trace_row(&table, "reduction, a barrier a step", bench_trace_reduce);
    trace_row(&table, "product, 16x16 blocks", bench_trace_product);
    trace_row(&table, "volatile, in lockstep", bench_trace_lockstep);
    table_print(&table, 2, stdout);
}

/* ---- Rules alone ------------------------------------------------------------------------------
 */

struct pattern {
    const char *name;
    enum mem_space space;
    void (*fill)(struct warp_access *accesses, uint64_t (*addr)[WARP_LANES]);
};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

static void fill_affine(struct warp_access *accesses, uint64_t (*addr)[WARP_LANES], int64_t stride)
{
    (void)addr;
    for (unsigned i = 0; i < ACCESSES; i++)
        accesses[i] = (struct warp_access){.base = (uint64_t)i * 128, .stride = stride};
}

static void fill_coalesced(struct warp_access *accesses, uint64_t (*addr)[WARP_LANES])
{
    fill_affine(accesses, addr, 4);
}

static void fill_strided(struct warp_access *accesses, uint64_t (*addr)[WARP_LANES])
{
    fill_affine(accesses, addr, 128);
}

static void fill_scattered(struct warp_access *accesses, uint64_t (*addr)[WARP_LANES])
{
    uint64_t state = 1;
    for (unsigned i = 0; i < ACCESSES; i++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            addr[i][lane] = next_random(&state) % (1U << 24) * 4;
        accesses[i] = (struct warp_access){.addr = addr[i]};
    }
}

static const struct pattern patterns[] = {
    {"global load, coalesced", SPACE_GLOBAL, fill_coalesced},
    {"global load, stride 128 bytes", SPACE_GLOBAL, fill_strided},
    {"global load, scattered", SPACE_GLOBAL, fill_scattered},
    {"shared load, coalesced", SPACE_SHARED, fill_coalesced},
    {"shared load, scattered", SPACE_SHARED, fill_scattered},
};
enum { PATTERN_COUNT = sizeof patterns / sizeof patterns[0] };

/* The best of the repeats. */
static struct spent rules_spent(struct judge *judge, const struct pattern *pattern)
{
    static struct warp_access accesses[ACCESSES];
    static uint64_t addr[ACCESSES][WARP_LANES];
    struct spent best = {0, 0};
    pattern->fill(accesses, addr);
    for (unsigned i = 0; i < ACCESSES; i++) {
        accesses[i].active = accesses[i].resident = UINT32_MAX;
        accesses[i].width = 4;
        accesses[i].space = (uint8_t)pattern->space;
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const struct spent begin = spent_now();
        for (int round = 0; round < ROUNDS; round++)
            for (unsigned i = 0; i < ACCESSES; i++)
                judge_access(judge, &accesses[i], NULL);
        const struct spent spent = spent_since(begin);
        best = repeat == 0 || spent.cpu < best.cpu ? spent : best;
    }
    return best;
}

static double rules_rate(struct spent spent)
{
    return (double)ROUNDS * ACCESSES / spent.cpu;
}

static int rules_row(struct table *table, const struct session_gpu *gpu)
{
    struct judge judge;
    struct spent all = {0, 0};
    if (!judge_init(&judge, &gpu->arch, 1) || !judge_reserve_sites(&judge, 1))
        return usage_error("bench", "no memory for %s", gpu->model->name);
    table_cell(table, "%s (sm_%lld)", gpu->model->name, (long long)gpu->arch.sm);
    for (size_t i = 0; i < PATTERN_COUNT; i++) {
        const struct spent spent = rules_spent(&judge, &patterns[i]);
        all = (struct spent){all.cpu + spent.cpu, all.wall + spent.wall};
        table_cell(table, "%.1f", rules_rate(spent) / 1e6);
    }
    bench_seconds(table, all);
    table_row(table);
    judge_free(&judge);
    return EXIT_OK;
}

static int bench_rules(const struct gpu_choice *gpus)
{
    struct table table;
    int status = EXIT_OK;
    printf("\nrules alone, million warp accesses a second; seconds of %d accesses of each\n",
           ROUNDS * ACCESSES);
    table_start(&table, PATTERN_COUNT + 3, "lr");
    table_cell(&table, "GPU");
    for (size_t i = 0; i < PATTERN_COUNT; i++)
        table_cell(&table, "%s", patterns[i].name);
    bench_seconds_heads(&table);
    table_row(&table);
    for (size_t i = 0; i < gpus->count && status == EXIT_OK; i++)
        status = rules_row(&table, &gpus->gpus[i]);
    table_print(&table, 2, stdout);
    return status;
}

static void print_machine(void)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            printf("machine: one core of%s", strchr(line, ':') + 1);
            break;
        }
    if (file)
        fclose(file);
}

/* The model of time, of the last GPU asked for. */
static int bench_last_gpu(const struct session_gpu *gpu, const struct engine_gpu *engine)
{
    struct judge judge;
    if (!judge_init(&judge, &gpu->arch, 1) || !judge_reserve_sites(&judge, 1))
        return usage_error("bench", "no memory for %s", gpu->model->name);
    double baseline = rules_rate(rules_spent(&judge, &patterns[0]));
    judge_free(&judge);
    if (!bench_engine(engine, baseline, stdout))
        return usage_error("bench", "no memory for the model of time of %s", engine->name);
    if (bench_trace(gpu, stdout))
        return EXIT_OK;
    return usage_error("bench", "no memory, or no temporary file, for a trace");
}

static int do_bench(const struct options *options)
{
    static const char *const all = "8800gtx,gtx280,m2090,k20x,gtx1080ti,h200";
    const struct sim_options engine_options = {0}; /* the model as it runs by default */
    struct options with_gpus = *options;
    struct gpu_choice gpus;
    if (options->operand_count)
        return usage_error("bench", "takes no name");
    if (with_gpus.gpus.count == 0)
        with_gpus.gpus.items[with_gpus.gpus.count++] = all;
    int status = choose_gpus(&gpus, &with_gpus);
    if (status)
        return status;
    const struct session_gpu *last = &gpus.gpus[gpus.count - 1];
    const struct engine_gpu engine = {last->model->name, &last->arch, &engine_options};
    print_machine();
    /* First, while the process has touched nothing else. */
    if (!bench_engine_growth(&engine, options->is_long, stdout))
        return usage_error("bench", "no memory for the model of time of %s", engine.name);
    printf("\nrates are by processor time; the seconds, of it and of the wall's clock, are those "
           "of the best repeat\n");
    bench_tracing();
    status = bench_rules(&gpus);
    return status == EXIT_OK ? bench_last_gpu(last, &engine) : status;
}

const struct command command_bench = {
    .name = "bench",
    .operands = "",
    .help = "how fast warplens itself is",
    .bit = COMMAND_BENCH,
    .run = do_bench,
    .about = "Measures, on this machine: tracing of a coalesced copy, of a reduction and a product "
             "with\n"
             "barriers, and of volatile (lockstep) code, the rules alone on accesses in memory, "
             "and the model\n"
             "of time of the last GPU named on loads of several patterns, a copy, a product and a "
             "reduction,\n"
             "with its memory. Rates are by processor time, which other programs do not take part "
             "of; the\n"
             "wall's time stands beside it.",
};
