/* test_trace_samples.c - do the traces that are handed out cost what their comments say? */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdio.h>

#include "models/models.h"
#include "sim/rules/judge.h"
#include "trace_io/text/text_read.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

struct sample {
    struct judge judge;
    uint64_t sites;
};

static bool sample_note(void *context, const char *key, const char *value)
{
    (void)context, (void)key, (void)value;
    return true;
}

static bool sample_site(void *context, uint32_t number, const struct trace_site *site)
{
    (void)number, (void)site;
    struct sample *sample = context;
    return judge_reserve_sites(&sample->judge, ++sample->sites);
}

static bool sample_launch(void *context, const struct launch_info *launch)
{
    (void)context, (void)launch;
    return true;
}

static bool sample_access(void *context, const struct warp_access *access)
{
    judge_access(&((struct sample *)context)->judge, access, NULL);
    return true;
}

static bool sample_event(void *context, const struct trace_event *event)
{
    (void)context, (void)event;
    return true;
}

static bool sample_end(void *context, uint64_t shared_bytes)
{
    (void)context, (void)shared_bytes;
    return true;
}

/* What a file of traces/samples/ costs under the rules of a V100. */
static struct counters counters_of_sample(const char *name)
{
    struct sample sample = {.sites = 0};
    struct trace_sink sink = {.context = &sample,
                              .note = sample_note,
                              .site = sample_site,
                              .launch_begin = sample_launch,
                              .access = sample_access,
                              .event = sample_event,
                              .launch_end = sample_end};
    struct counters total = {0};
    struct arch arch;
    char path[512];
    snprintf(path, sizeof path, SAMPLES_DIR "/%s.wlt.txt", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    arch_from_model(models_find("v100"), &arch);
    assert_true(judge_init(&sample.judge, &arch, 1));
    static struct trace_input input;
    input_start(&input, file, path);
    const char *error = text_trace_read(&input, &sink);
    fclose(file);
    if (error)
        fail_msg("%s", error);
    for (uint64_t i = 0; i < sample.sites; i++)
        counters_add(&total, &sample.judge.sites[i]);
    judge_free(&sample.judge);
    return total;
}

/* Worked out by hand from each sample's comment: sectors and passes of a request times requests. */
static void samples_show_their_lessons(void **state)
{
    static const struct {
        const char *name;
        uint64_t load_sectors, store_sectors, shared_load_passes, shared_store_passes;
    } samples[] = {
        {"coalesced_copy", 32 * 4, 32 * 4, 0, 0},
        {"misaligned_by_one", 32 * 5, 32 * 4, 0, 0},
        {"stride_two", 32 * 8, 32 * 4, 0, 0},
        {"transpose_column_store", 128 * 4, 128 * 32, 0, 0},
        {"shared_column", 0, 0, 32 * 32, 32},
        {"shared_column_padded", 0, 0, 32, 32},
        {"masked_divergent", 16 * 4 + 5, 16 * 4, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct counters c = counters_of_sample(samples[i].name);
        assert_int_equal(c.global_load_sectors, samples[i].load_sectors);
        assert_int_equal(c.global_store_sectors, samples[i].store_sectors);
        assert_int_equal(c.shared_load_passes, samples[i].shared_load_passes);
        assert_int_equal(c.shared_store_passes, samples[i].shared_store_passes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_show_their_lessons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
