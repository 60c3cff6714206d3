/* test_conservation.c - do the counters of every run keep the laws of laws.def, on every GPU,
 * and would each law notice a wrong counter?
 *
 * Runs are a sample of the gallery and a synthetic kernel with every kind of access, zero-copy data
 * and atomics included, which the gallery has not all.
 */
#include "sim_feed.h"

#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "gallery_list.h"
#include "session/gallery_source.h"
#include "models/models.h"
#include "session/session.h"
#include "sim/counters/laws.h"

static struct feed_models chosen; /* set by main */

static void expect_laws(const char *gpu, const char *kernel, const struct counters *c,
                        const struct arch *arch)
{
    const struct law *law = laws_first_broken(c, arch);
    if (law)
        fail_msg("%s on %s breaks %s: %s (%llu %s %llu)", kernel, gpu, law->name, law->text,
                 (unsigned long long)law->left(c, arch), law->op,
                 (unsigned long long)law->right(c, arch));
}

/* ---- The gallery ----------------------------------------------------------------------------- */

/* A kernel and up to two parameters. */
struct sample {
    const char *kernel;
    struct {
        const char *name;
        int value;
    } set[2];
};

static const struct sample samples[] = {
    {"skipLane", {{"n", 4096}}},
    {"halfWarpCrossed", {{"n", 4096}}},
    {"offsetCopy", {{"n", 16384}, {"offset", 11}}},
    {"strideCopy", {{"n", 8192}, {"stride", 7}}},
    {"scattered384", {{"n", 4096}}},
    {"storeSegments", {{"n", 4096}, {"segments", 3}}},
    {"storeScattered", {{"n", 4096}}},
    {"vec3d", {{"n", 8192}}},
    {"vec3dAligned", {{"n", 8192}}},
    {"accessFloat3", {{"n", 8192}}},
    {"incrementInnerStructX", {{"n", 5000}}},
    {"sumFourInts", {{"n", 5000}}},
    {"copyKernelLdg", {{"n", 8192}}},
    {"sharedStride", {{"blocks", 32}, {"stride", 6}}},
    {"sharedDouble", {{"blocks", 32}}},
    {"transpose_naive", {{"width", 128}, {"height", 160}}},
    {"transposeDiagonal", {{"width", 128}, {"height", 128}}},
    {"transposeNoBankConflicts", {{"width", 128}, {"height", 128}}},
    {"matrixMul", {{NULL, 0}}},
    {"sgemmNN", {{NULL, 0}}},
    {"reduce0", {{NULL, 0}}},
    {"reduce6", {{NULL, 0}}},
    {"reduceGmem", {{"n", 8192}}},
    {"timedReduction", {{"blocks", 16}}},
    {"constantPerLane", {{"addresses", 9}}},
    {"constantTable", {{NULL, 0}}},
    {"readTexels", {{NULL, 0}}},
    {"localDynamic", {{NULL, 0}}},
    {"localSpill", {{NULL, 0}}},
};

static const struct gallery_kernel *kernel_named(const char *name)
{
    const struct gallery_kernel *kernel = gallery_find(name);
    if (kernel == NULL)
        fail_msg("no kernel %s", name);
    return kernel;
}

static struct gallery_args args_for(const struct gallery_kernel *kernel,
                                    const struct sample *sample)
{
    struct gallery_args args = {.params = kernel->params};
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        args.values[i] = kernel->params[i].value;
        for (size_t k = 0; k < 2; k++)
            if (sample->set[k].name && strcmp(sample->set[k].name, kernel->params[i].name) == 0)
                args.values[i] = sample->set[k].value;
    }
    return args;
}

static struct session_gpu *all_gpus(void)
{
    struct session_gpu *gpus = calloc(chosen.count, sizeof *gpus);
    assert_non_null(gpus);
    for (size_t i = 0; i < chosen.count; i++) {
        gpus[i].model = chosen.items[i];
        arch_from_model(chosen.items[i], &gpus[i].arch);
    }
    return gpus;
}

static void run_sample(const struct sample *sample, const struct session_gpu *gpus, bool rules_only)
{
    const struct gallery_kernel *kernel = kernel_named(sample->kernel);
    struct gallery_args args = args_for(kernel, sample);
    struct result *results = calloc(chosen.count, sizeof *results);
    struct gallery_run run = {kernel, &args};
    const struct session_request request = {.source = gallery_source(&run),
                                            .gpus = gpus,
                                            .gpu_count = chosen.count,
                                            .rules_only = rules_only};
    assert_non_null(results);
    const char *error = session_run(&request, results);
    if (error)
        fail_msg("%s: %s", sample->kernel, error);
    for (size_t i = 0; i < chosen.count; i++)
        expect_laws(chosen.items[i]->name, sample->kernel, &results[i].total, &gpus[i].arch);
    results_free(results, chosen.count);
    free(results);
}

static void run_samples(bool rules_only)
{
    struct session_gpu *gpus = all_gpus();
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        run_sample(&samples[i], gpus, rules_only);
    free(gpus);
}

static void the_gallery_keeps_the_laws(void **state)
{
    (void)state;
    run_samples(false);
}

static void the_rules_alone_keep_the_laws(void **state)
{
    (void)state;
    run_samples(true);
}

/* ---- Every kind of access -------------------------------------------------------------------- */

enum { MEGABYTE = 1 << 20 };

static const struct feed_part everything[] = {
    {.shape = FEED_STREAM, .base = MEGABYTE, .width = 8, .work = 5},
    {.shape = FEED_RANDOM, .base = 2 * MEGABYTE, .bytes = 65536, .waits = true, .work = 3},
    {.shape = FEED_RANDOM, .op = OP_STORE, .base = 2 * MEGABYTE, .bytes = 65536, .work = 1},
    {.shape = FEED_STRIDED, .op = OP_STORE, .base = 3 * MEGABYTE, .stride = 20, .work = 2},
    {.shape = FEED_RANDOM, .op = OP_ATOMIC, .base = 2 * MEGABYTE, .bytes = 16384, .work = 1},
    {.shape = FEED_RANDOM, .base = 2 * MEGABYTE, .bytes = 16384, .flags = ACCESS_READ_ONLY},
    {.shape = FEED_STRIDED, .space = SPACE_TEXTURE, .base = 4 * MEGABYTE, .stride = 12},
    {.shape = FEED_RANDOM, .space = SPACE_CONSTANT, .bytes = 16384, .work = 1},
    {.shape = FEED_STRIDED, .space = SPACE_SHARED, .op = OP_STORE, .stride = 8, .bytes = 8192},
    {.shape = FEED_BARRIER, .work = 2},
    {.shape = FEED_RANDOM, .space = SPACE_SHARED, .bytes = 8192, .width = 8},
    {.shape = FEED_RANDOM, .space = SPACE_SHARED, .op = OP_ATOMIC, .bytes = 8192},
    {.shape = FEED_STREAM, .space = SPACE_LOCAL, .op = OP_STORE, .base = 8 * MEGABYTE},
    {.shape = FEED_STREAM, .space = SPACE_LOCAL, .base = 8 * MEGABYTE, .waits = true},
    {.shape = FEED_STRIDED, .base = 5 * MEGABYTE, .stride = 8, .flags = ACCESS_HOST},
    {.shape = FEED_STREAM, .op = OP_STORE, .base = 6 * MEGABYTE, .flags = ACCESS_HOST, .width = 2},
    {.shape = FEED_STREAM, .base = 7 * MEGABYTE, .active = 0x00ff0f01, .width = 16, .waits = true},
};

static const struct feed_kernel everything_kernel = {
    .parts = everything,
    .part_count = sizeof everything / sizeof everything[0],
    .rounds = 3,
    .blocks = 40,
    .warps = 4,
    .seed = 1,
};

/* Two launches on a GPU whose caches are too small for what they use. */
static struct counters run_everything(const struct arch *arch)
{
    struct feed feed;
    struct arch small = *arch;
    small.l2_bytes = arch->l2_bytes ? 256 * 1024 : 0;
    feed_open(&feed, &small, NULL);
    feed_run(&feed, &everything_kernel);
    feed_run(&feed, &everything_kernel);
    struct feed_result total = feed_total(&feed);
    feed_close(&feed);
    return total.counters;
}

static void every_kind_of_access_keeps_the_laws(void **state)
{
    (void)state;
    struct arch arch;
    for (size_t m = 0; m < chosen.count; m++) {
        arch_from_model(chosen.items[m], &arch);
        struct counters c = run_everything(&arch);
        expect_laws(chosen.items[m]->name, "every kind of access", &c, &arch);
    }
}

/* Switches that choose other paths. */
static void other_settings_keep_the_laws(void **state)
{
    (void)state;
    struct arch arch;
    for (size_t m = 0; m < chosen.count; m++) {
        for (uint32_t bits = 0; bits < 8; bits++) {
            arch_from_model(chosen.items[m], &arch);
            arch.l1_caches_global = bits & 1 && arch.l1_bytes > 0;
            arch.l1_sector_bytes = bits & 2 ? 128 : 32;
            arch.partition_hashed = bits & 4 ? 1 : 0;
            arch.dram_access_bytes = bits & 4 ? 128 : 32;
            struct counters c = run_everything(&arch);
            expect_laws(chosen.items[m]->name, "every kind of access", &c, &arch);
        }
    }
}

/* ---- Wrong counters -------------------------------------------------------------------------- */

static uint64_t *counter_in(struct counters *c, size_t i)
{
    return (uint64_t *)(void *)((char *)c + counter_table[i].offset);
}

/* Gives counter i a wrong value; how: 0 to 3. */
static struct counters wrong(const struct counters *c, size_t i, uint32_t how)
{
    struct counters broken = *c;
    uint64_t *value = counter_in(&broken, i);
    uint64_t wrong_values[] = {*value + 1, *value ? *value - 1 : 1, 0, 3 * *value + 1000000};
    *value = wrong_values[how];
    return broken;
}

static bool notices(const struct law *law, const struct counters *c, const struct arch *arch)
{
    for (size_t i = 0; i < counter_count; i++) {
        for (uint32_t how = 0; how < 4; how++) {
            struct counters broken = wrong(c, i, how);
            if (law->applies(&broken, arch) && !law->holds(&broken, arch)) {
                assert_non_null(laws_first_broken(&broken, arch));
                return true;
            }
        }
    }
    return false;
}

static void each_law_notices_a_wrong_counter(void **state)
{
    (void)state;
    bool *noticed = calloc(law_count, sizeof *noticed);
    struct arch arch;
    assert_non_null(noticed);
    for (size_t m = 0; m < chosen.count; m++) {
        arch_from_model(chosen.items[m], &arch);
        struct counters c = run_everything(&arch);
        for (size_t i = 0; i < law_count; i++)
            noticed[i] = noticed[i] || notices(&law_table[i], &c, &arch);
    }
    for (size_t i = 0; i < law_count; i++)
        if (!noticed[i])
            fail_msg("no wrong counter breaks %s", law_table[i].name);
    free(noticed);
}

/* A counter that is too high by a million is noticed by some law, but for those that stand alone:
 * nothing else counts what they count. */
static const char *const alone[] = {
    "launches",    "blocks",         "warps",
    "barriers",    "instructions",   "read_only_load_bytes_requested",
    "page_faults", "fault_groups",   "fault_group_ns",
    "migrations",  "migrated_bytes", "migration_ns"};

static bool stands_alone(const char *name)
{
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (strcmp(alone[i], name) == 0)
            return true;
    return false;
}

/* Under some GPU. */
static bool is_noticed(size_t counter, const struct counters *runs)
{
    struct arch arch;
    for (size_t m = 0; m < chosen.count; m++) {
        struct counters high = wrong(&runs[m], counter, 3);
        arch_from_model(chosen.items[m], &arch);
        if (laws_first_broken(&high, &arch))
            return true;
    }
    return false;
}

static void each_counter_is_held_by_a_law(void **state)
{
    (void)state;
    struct arch arch;
    struct counters *runs = calloc(chosen.count, sizeof *runs);
    assert_non_null(runs);
    for (size_t m = 0; m < chosen.count; m++) {
        arch_from_model(chosen.items[m], &arch);
        runs[m] = run_everything(&arch);
    }
    for (size_t i = 0; i < counter_count; i++)
        if (!stands_alone(counter_table[i].name) && !is_noticed(i, runs))
            fail_msg("no law holds %s", counter_table[i].name);
    free(runs);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void sums_that_leave_64_bits_stay_at_the_highest_value(void **state)
{
    (void)state;
    struct counters to = {.warps = UINT64_MAX - 5, .blocks = 7},
                    from = {.warps = 6, .blocks = UINT64_MAX - 7, .launches = UINT64_MAX};
    counters_add(&to, &from);
    assert_true(to.warps == UINT64_MAX);
    assert_true(to.blocks == UINT64_MAX);
    assert_true(to.launches == UINT64_MAX);
    counters_add(&to, &from);
    assert_true(to.warps == UINT64_MAX);
}

int main(void)
{
    chosen = feed_models();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gallery_keeps_the_laws),
        cmocka_unit_test(the_rules_alone_keep_the_laws),
        cmocka_unit_test(every_kind_of_access_keeps_the_laws),
        cmocka_unit_test(other_settings_keep_the_laws),
        cmocka_unit_test(each_law_notices_a_wrong_counter),
        cmocka_unit_test(each_counter_is_held_by_a_law),
        cmocka_unit_test(sums_that_leave_64_bits_stay_at_the_highest_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
