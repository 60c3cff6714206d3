/* fuzz_library.c - bytes -> calls of the library in any order, with arguments of any kind: whatever they are,
 * each fails with a message or does what it says, and a run that has results keeps them.
 *
 * Each byte is a call; those behind it are its arguments, mostly small figures that have a meaning,
 * sometimes any. A call that hands over an access is a common one, so that runs get somewhere.
 */
#include "fuzz.h"

#include <malloc.h>
#include <string.h>

#include "warplens/warplens.h"

enum { CALLS_MAX = 300 };

struct bytes {
    const uint8_t *at, *end;
};

static uint8_t take(struct bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

/* Small nearly always. */
static uint64_t take_number(struct bytes *bytes)
{
    const uint8_t first = take(bytes);
    if (first < 250)
        return first % 50;
    static const uint64_t odd[] = {UINT64_MAX,        UINT32_MAX, (uint64_t)1 << 31,
                                   (uint64_t)1 << 48, 65536,      INT64_MAX};
    return odd[first - 250];
}

static const char *take_word(struct bytes *bytes)
{
    static const char *const words[] = {"h200",
                                        "gtx280",
                                        "sm_20",
                                        "sm_9",
                                        "",
                                        "l1_bytes",
                                        "sm",
                                        "sm_count",
                                        "a.cu",
                                        "dir/a.cu",
                                        "in",
                                        "out",
                                        "time",
                                        "elapsed_ns",
                                        "global_load_sectors",
                                        "gld_efficiency",
                                        "blocks",
                                        "gld_throughput",
                                        "\xff\x1b[31m",
                                        "k",
                                        "dram_read_sectors",
                                        "warp_accesses",
                                        "l2_bytes",
                                        NULL};
    return words[take(bytes) % (sizeof words / sizeof words[0])];
}

static uint64_t addresses[32];

static void launch_begin(struct warplens_run *run, struct bytes *bytes)
{
    const struct warplens_array arrays[2] = {
        {"in", 0x100000, 65536, false},
        {take_word(bytes), take_number(bytes) << 12, take_number(bytes) << 8, take(bytes) % 2}};
    const struct warplens_launch launch = {
        .kernel = take_word(bytes),
        .grid = {(uint32_t)take_number(bytes), take(bytes) % 3, take(bytes) % 2},
        .block = {(uint32_t)take_number(bytes) * 8, take(bytes) % 3, take(bytes) % 2},
        .shared_bytes = take_number(bytes) * 1024,
        .registers = (uint32_t)take_number(bytes),
        .arrays = arrays,
        .array_count = take(bytes) % 3};
    if ((uint64_t)launch.grid[0] * (launch.grid[1] + 1) >
        4096) /* blocks that are left out run too */
        return;
    warplens_launch_begin(run, take(bytes) % 16 ? &launch : NULL);
}

static void add_access(struct warplens_run *run, struct bytes *bytes)
{
    static const uint32_t masks[] = {WARPLENS_ALL_LANES, 1, 0, 0xffff, 0x80000001, 0x55555555};
    const uint8_t kind = take(bytes);
    for (unsigned i = 0; i < 32; i++)
        addresses[i] = 0x100000 + 4 * ((i * kind) % 64) + (kind % 32 == 31 ? take(bytes) : 0);
    const struct warplens_access access = {
        .file = take_word(bytes),
        .line = (uint32_t)take_number(bytes),
        .array = kind % 4 ? NULL : take_word(bytes),
        .space = (enum warplens_space)(kind % 64 == 9 ? 77 : kind % 5),
        .op = (enum warplens_op)(kind / 5 % 3),
        .width = kind % 16 == 3 ? (uint32_t)take_number(bytes) : 1U << kind / 15 % 5,
        .flags = take(bytes) % 4,
        .block = (uint32_t)take_number(bytes) / 4,
        .warp = (uint32_t)take_number(bytes) / 8,
        .mask = masks[take(bytes) % 6],
        .resident = kind % 8 ? 0 : masks[take(bytes) % 6],
        .addresses = kind % 3 ? NULL : addresses,
        .base = take_number(bytes) * 16,
        .stride = (int64_t)(take_number(bytes) * 4),
        .instructions = (uint32_t)take_number(bytes),
        .loads_left = (uint32_t)take_number(bytes)};
    warplens_add_access(run, &access);
}

static void hand_over(struct warplens_run *run, struct bytes *bytes)
{
    switch (take(bytes) % 12) {
    case 0:
        launch_begin(run, bytes);
        break;
    case 1:
        warplens_add_barrier(run, (uint32_t)take_number(bytes) / 4,
                             take(bytes) % 2 ? WARPLENS_ALL_WARPS : take(bytes) % 4);
        break;
    case 2:
        warplens_end_warp(run, (uint32_t)take_number(bytes) / 4, take(bytes) % 4);
        break;
    case 3:
        warplens_launch_end(run);
        break;
    default:
        add_access(run, bytes);
    }
}

static bool set_up(struct warplens_run *run, struct bytes *bytes)
{
    int64_t value;
    switch (take(bytes) % 7) {
    case 0:
        return warplens_add_gpu(run, take_word(bytes));
    case 1:
        return warplens_set_field(run, take_number(bytes), take_word(bytes),
                                  (int64_t)take_number(bytes));
    case 2:
        return warplens_get_field(run, take_number(bytes), take_word(bytes), &value);
    case 3:
        return warplens_set_rules_only(run, take(bytes) % 2);
    case 4:
        return warplens_set_cold_launches(run, take(bytes) % 2);
    case 5:
        return warplens_set_registers(run, (uint32_t)take_number(bytes));
    default:
        return warplens_gpu_name(run, take_number(bytes)) != NULL;
    }
}

static const struct warplens_counts *some_counts(struct warplens_run *run, struct bytes *bytes)
{
    const size_t gpu = take(bytes) % 3;
    switch (take(bytes) % 6) {
    case 0:
        return warplens_total(run, gpu);
    case 1:
        return warplens_line(run, gpu, take_word(bytes), (uint32_t)take_number(bytes));
    case 2:
        return warplens_array(run, gpu, take_word(bytes));
    case 3:
        return warplens_line_at(run, gpu, take_number(bytes));
    case 4:
        return warplens_array_at(run, gpu, take_number(bytes));
    default:
        return warplens_launch_at(run, gpu, take_number(bytes));
    }
}

static bool ask_counts(struct warplens_run *run, struct bytes *bytes)
{
    const struct warplens_counts *counts = some_counts(run, bytes);
    uint64_t number;
    double value;
    uint32_t grid[3], block[3];
    FUZZ_ASSERT((counts == NULL) == (warplens_counts_name(counts) == NULL));
    warplens_counts_shape(counts, grid, block);
    warplens_counts_line(counts);
    struct warplens_time_range range;
    const char *name = take_word(bytes);
    switch (take(bytes) % 5) {
    case 0:
        return warplens_counter(counts, name, &number);
    case 1:
        return warplens_value(counts, name, &value);
    case 2:
        return warplens_profiler_value(counts, name, &value);
    case 3:
        if (!warplens_get_time_range(counts, &range))
            return false;
        FUZZ_ASSERT(range.low_us >= 0 && range.low_us <= range.high_us);
        return true;
    default:
        return warplens_expect(counts, name, (double)take_number(bytes), 1e9);
    }
}

static bool ask_run(struct warplens_run *run, struct bytes *bytes)
{
    struct warplens_verdict verdict;
    const double bound = (double)take_number(bytes);
    const char *word = take_word(bytes), *name = take_word(bytes);
    switch (take(bytes) % 6) {
    case 0:
        return warplens_get_verdict(run, take(bytes) % 3, &verdict) &&
               strchr(verdict.sentence, '\n') == NULL;
    case 1:
        return warplens_expect_total_at_least(run, name, bound);
    case 2:
        return warplens_expect_total_at_most(run, name, bound);
    case 3:
        return warplens_expect_line_at_most(run, word, (uint32_t)take_number(bytes), name, bound);
    case 4:
        return warplens_expect_array_at_least(run, word, name, bound);
    default:
        return warplens_expect_array_at_most(run, word, name, bound);
    }
}

static bool write_report(struct warplens_run *run, struct bytes *bytes)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    FUZZ_ASSERT(out != NULL);
    const bool fine = warplens_report(run, (enum warplens_format)(take(bytes) % 4), out);
    fclose(out);
    free(text);
    return fine;
}

static bool read_trace(struct warplens_run *run, struct bytes *bytes)
{
    static const char text[] = "warplens text trace 1\nlaunch k grid=2 block=64\n"
                               "site 0 ld.global.b32 file=\"a.cu\" line=7 array=in\n"
                               "  all warps\n  @0 ld.global.b32 base=0x100000 stride=8\n  end\n";
    const struct warplens_trace_options options = {.format = take_word(bytes)};
    FILE *in = fmemopen((void *)(uintptr_t)text, sizeof text - 1 - take(bytes) % 8, "r");
    FUZZ_ASSERT(in != NULL);
    const bool fine =
        warplens_read_stream(run, in, take_word(bytes), take(bytes) % 2 ? NULL : &options);
    fclose(in);
    return fine;
}

/* False: the call failed. */
static bool call(struct warplens_run *run, struct bytes *bytes)
{
    switch (take(bytes) % 12) {
    case 0:
        return set_up(run, bytes);
    case 1:
        return ask_counts(run, bytes);
    case 2:
        return ask_run(run, bytes);
    case 3:
        return write_report(run, bytes);
    case 4:
        return take(bytes) % 4 ? warplens_launch_count(run) < 1000 : read_trace(run, bytes);
    case 5:
        return take(bytes) % 4 ? warplens_array_count(run) < 1000 : warplens_finish(run);
    default:
        hand_over(run, bytes);
        return true; /* warplens_finish says how that went */
    }
}

/* Mostly of a GPU of two SMs, for speed. */
static struct warplens_run *small_run(struct bytes *bytes)
{
    struct warplens_run *run = warplens_run_new();
    FUZZ_ASSERT(run != NULL);
    if (take(bytes) % 16)
        FUZZ_ASSERT(warplens_add_gpu(run, "h200") && warplens_set_field(run, 0, "sm_count", 2) &&
                    warplens_set_field(run, 0, "gpcs", 1) &&
                    warplens_set_field(run, 0, "l2_bytes", 1 << 20));
    return run;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = {data, data + size};
    mallopt(M_ARENA_MAX, 1); /* threads come and go: their arenas would add up by chance */
    struct warplens_run *run = small_run(&bytes);
    for (int i = 0; i < CALLS_MAX && bytes.at < bytes.end; i++)
        if (!call(run, &bytes))
            FUZZ_ASSERT(strchr(warplens_message(run), '\n') == NULL);
    const bool finished = warplens_finish(run);
    FUZZ_ASSERT(finished || warplens_message(run)[0]);
    warplens_run_free(run);
    malloc_trim(0); /* what one input takes is looked at */
    return 0;
}
