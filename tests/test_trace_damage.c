/* test_trace_damage.c - is a trace of any form that was damaged, at any byte, cut off anywhere, an error
 * or a stream that keeps its promises, within 64 MB of memory? (The binary form's own checks are in
 * test_trace_binary.c.) */
#include "test_support.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "fuzz/fuzz.h"

enum { BYTES_MAX = 8192, PEAK_KB = 64 << 10 };

/* Without a format: what is behind the right checksum of a binary trace's chunk (fuzz_binary.c). */
static const struct {
    const char *format, *name, *file;
} traces[] = {
    {NULL, NULL, "fuzz/corpus/binary/masked_divergent"},
    {NULL, NULL, "fuzz/corpus/binary/random-r41"},
    {"binary", "t.wlt", "fuzz/corpus/binary_raw/shared_column"},
    {"text", "t.wlt.txt", "fuzz/corpus/text/stride_two"},
    {"csv", "t.csv", "data/csv_lanes.csv"},
    {"nvbit", "t.nvbit", "data/nvbit_first.txt"},
    {"accelsim", "t.traceg", "data/accelsim_v3.traceg"},
};
enum { TRACES = sizeof traces / sizeof traces[0] };

/* A copy of just its size: what reads beyond its end is seen by AddressSanitizer. */
static void read_copy(size_t trace, const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    if (traces[trace].format)
        fuzz_trace(traces[trace].format, traces[trace].name, NULL, copy, size);
    else
        LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t load(size_t trace, uint8_t bytes[BYTES_MAX])
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", TESTS_DIR, traces[trace].file);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("no file %s", path);
    size_t size = fread(bytes, 1, BYTES_MAX, file);
    fclose(file);
    assert_in_range(size, 1, BYTES_MAX - 1);
    return size;
}

static void every_byte_may_be_another(void **state)
{
    static const uint8_t flips[] = {0xff, 1, 2, 0x10, 0x80};
    static uint8_t bytes[BYTES_MAX];
    (void)state;
    for (size_t trace = 0; trace < TRACES; trace++) {
        size_t size = load(trace, bytes);
        for (size_t at = 0; at < size; at++)
            for (size_t i = 0; i < sizeof flips; i++) {
                bytes[at] ^= flips[i];
                read_copy(trace, bytes, size);
                bytes[at] ^= flips[i];
            }
    }
}

static void the_file_may_end_anywhere(void **state)
{
    static uint8_t bytes[BYTES_MAX];
    (void)state;
    for (size_t trace = 0; trace < TRACES; trace++) {
        size_t size = load(trace, bytes);
        for (size_t end = 0; end <= size; end++)
            read_copy(trace, bytes, end);
    }
}

static bool take_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

static void names_of_sites_are_bounded(void **state)
{
    static char name[4097];
    const struct trace_sink nothing = {.access = take_access};
    const struct trace_site site = {name, 1, "", SPACE_GLOBAL, OP_LOAD, 4};
    struct guard guard;
    uint32_t number = 0;
    (void)state;
    memset(name, 'a', sizeof name - 1);
    guard_start(&guard, &nothing);
    const struct trace_sink sink = guard_sink(&guard);
    while (sink_site(&sink, number, &site))
        number++;
    assert_int_equal(number, (16 << 20) / 4096);
    assert_string_equal(guard.message,
                        "step 1: site 4096: the names of files and arrays take more than 16 MB");
    guard_free(&guard);
}

static void memory_stays_bounded(void **state)
{
    struct rusage usage;
    (void)state;
    getrusage(RUSAGE_SELF, &usage);
    if (FUZZ_IS_SANITIZED)
        skip();
    assert_in_range(usage.ru_maxrss, 1, PEAK_KB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_may_be_another),
        cmocka_unit_test(the_file_may_end_anywhere),
        cmocka_unit_test(names_of_sites_are_bounded),
        cmocka_unit_test(memory_stays_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
