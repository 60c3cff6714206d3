/* test_addresses.c - do warps on a GPU access what they access on the tracer?
 *
 * validation/addresses/h200.txt was recorded on an H200 by code in front of every access of the
 * gallery's kernels (validation/README.md); the tracer runs the same kernels with the same parameters.
 * Each warp must make the same accesses in the same order. Kernels that do not are listed below with the
 * reason, and must still not.
 *
 * `test_addresses print` writes the tracer's text of every run, for diff.
 */
#include "address_compare.h"
#include "address_trace.h"

#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "tools/cuda/address_text.h"

#define RUNS VALIDATION_DIR "/addresses/runs.txt"
#define RECORDING VALIDATION_DIR "/addresses/h200.txt"

enum { MESSAGE_BYTES_MAX = 4096 };

#define RIGHT_SIDE_FIRST "x += y: C++17 computes y first, gcc's C loads x first"
#define ARGUMENTS "the arguments of a call: nvcc computes the first one first, gcc the last one"
#define DIVERGED_FOR_LONGER                                                                        \
    "the code in front of each access keeps lanes apart that a branch parted, longer than in the " \
    "plain build, whose requests are counted as traced"
#define STRUCT_TAKEN_APART "clang loads the members of an aligned struct one by one"

/* Kernels whose warps make the same accesses in another order, or other accesses; the compiler that built
 * the tracer's kernels decides. */
static const struct known_difference {
    const char *kernel;
    enum address_match match;
    const char *reason;
} known_differences[] = {
    {"halfWarpGap", ADDRESSES_DIFFER, DIVERGED_FOR_LONGER},
    {"timedReduction", ADDRESSES_DIFFER, DIVERGED_FOR_LONGER},
#ifdef __clang__
    {"vec3dAligned", ADDRESSES_DIFFER, STRUCT_TAKEN_APART},
    {"incrementInnerStructAligned", ADDRESSES_DIFFER, STRUCT_TAKEN_APART},
    {"sgemmNN", ADDRESSES_DIFFER, "clang clears the array that nvcc and gcc keep in registers"},
#else
    {"sharedDoubleSplit", ADDRESSES_IN_OTHER_ORDER, ARGUMENTS},
    {"reduce0", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce1", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce2", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce3", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce4", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce5", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduce6", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduceGmem", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduceSmem", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduceSmemDyn", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduceSmemUnroll", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
    {"reduceSmemUnrollDyn", ADDRESSES_IN_OTHER_ORDER, RIGHT_SIDE_FIRST},
#endif
};

static char *read_file(FILE *file)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text && (used += fread(text + used, 1, room - used - 1, file)) == room - 1)
        text = realloc(text, room *= 2);
    assert_non_null(text);
    text[used] = '\0';
    return text;
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    return strcpy(copy, text);
}

/* The tracer's text of a run, without the line that names it. */
static struct address_lines trace_run(const char *run)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    address_trace(run, file);
    rewind(file);
    struct address_lines lines = address_lines(read_file(file));
    fclose(file);
    memmove(lines.line, lines.line + 1, --lines.count * sizeof *lines.line);
    return lines;
}

/* ---- The comparison finds what it should ------------------------------------------------------ */

static const char two_warps[] = "launch k grid 1,1,1 block 64,1,1\n"
                                "warp 0 0\n"
                                "ld.global.32 k.c:3 in+0x0 stride=4 mask=ffffffff\n"
                                "st.global.32 k.c:3 out+0x0 stride=4 mask=ffffffff\n"
                                "warp 0 1\n"
                                "ld.global.32 k.c:3 in+0x80 stride=4 mask=ffffffff\n";

static enum address_match compare_texts(const char *gpu, const char *cpu, char *message)
{
    struct address_lines a = address_lines(copy_of(gpu)), b = address_lines(copy_of(cpu));
    enum address_match match = address_compare(&a, &b, message, MESSAGE_BYTES_MAX);
    address_lines_free(&a);
    address_lines_free(&b);
    return match;
}

/* two_warps with the first `old` replaced. */
static void assert_match_after(const char *old, const char *new, enum address_match expected)
{
    char text[2 * sizeof two_warps], message[MESSAGE_BYTES_MAX];
    const char *at = strstr(two_warps, old);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - two_warps), two_warps, new,
             at + strlen(old));
    assert_int_equal(compare_texts(text, two_warps, message), expected);
    assert_int_equal(compare_texts(two_warps, text, message), expected);
}

static void another_address_mask_width_or_array_differs(void **state)
{
    (void)state;
    assert_match_after("k", "k", ADDRESSES_AGREE);
    assert_match_after("0x80", "0x84", ADDRESSES_DIFFER);
    assert_match_after("stride=4", "stride=8", ADDRESSES_DIFFER);
    assert_match_after("mask=ffffffff", "mask=7fffffff", ADDRESSES_DIFFER);
    assert_match_after("ld.global.32", "ld.global.64", ADDRESSES_DIFFER);
    assert_match_after("ld.global", "ld.shared", ADDRESSES_DIFFER);
    assert_match_after("ld.global.32", "st.global.32", ADDRESSES_DIFFER);
    assert_match_after("ld.global.32", "ld.global.nc.32", ADDRESSES_DIFFER);
    assert_match_after("in+", "it+", ADDRESSES_DIFFER);
    assert_match_after("k.c:3", "k.c:4", ADDRESSES_AGREE);
}

static void a_missing_access_warp_or_launch_differs(void **state)
{
    (void)state;
    assert_match_after("st.global.32 k.c:3 out+0x0 stride=4 mask=ffffffff\n", "", ADDRESSES_DIFFER);
    assert_match_after("warp 0 1\n", "warp 0 2\n", ADDRESSES_DIFFER);
    assert_match_after("warp 0 1\nld.global.32 k.c:3 in+0x80 stride=4 mask=ffffffff\n", "",
                       ADDRESSES_DIFFER);
    assert_match_after("launch k", "launch l", ADDRESSES_DIFFER);
    assert_match_after("mask=ffffffff\n", "mask=ffffffff\nerror too many accesses\n",
                       ADDRESSES_DIFFER);
}

static void another_order_within_a_warp_is_told_apart(void **state)
{
    (void)state;
    const char other[] = "launch k grid 1,1,1 block 64,1,1\n"
                         "warp 0 0\n"
                         "st.global.32 k.c:3 out+0x0 stride=4 mask=ffffffff\n"
                         "ld.global.32 k.c:3 in+0x0 stride=4 mask=ffffffff\n"
                         "warp 0 1\n"
                         "ld.global.32 k.c:3 in+0x80 stride=4 mask=ffffffff\n";
    char message[MESSAGE_BYTES_MAX];
    assert_int_equal(compare_texts(other, two_warps, message), ADDRESSES_IN_OTHER_ORDER);
    assert_string_equal(message,
                        "warp 0 0: another order from access 1 on (GPU 2 accesses, CPU 2)\n"
                        "  GPU: st.global.32 k.c:3 out+0x0 stride=4 mask=ffffffff\n"
                        "  CPU: ld.global.32 k.c:3 in+0x0 stride=4 mask=ffffffff");
}

/* ---- The text --------------------------------------------------------------------------------- */

static void assert_text(uint32_t mask, const uint64_t *offset, const char *expected)
{
    char text[ADDRESS_LINE_BYTES];
    struct address_access access = {"ld", "shared", 4, 0, "k.c", 7, "s", mask, {0}};
    memcpy(access.offset, offset, sizeof access.offset);
    address_text(text, &access);
    assert_string_equal(text, expected);
}

static void lanes_are_written_as_runs(void **state)
{
    (void)state;
    uint64_t at[ADDRESS_LANES];
    for (unsigned lane = 0; lane < ADDRESS_LANES; lane++)
        at[lane] = 16 + 4 * lane;
    assert_text(0xffffffff, at, "ld.shared.32 k.c:7 s+0x10 stride=4 mask=ffffffff");
    assert_text(0x00000300, at, "ld.shared.32 k.c:7 s+0x30 stride=4 mask=00000300");
    assert_text(0x80000000, at, "ld.shared.32 k.c:7 s+0x8c mask=80000000");
    for (unsigned lane = 16; lane < ADDRESS_LANES; lane++)
        at[lane] = 4 * (lane - 16);
    assert_text(0xffffffff, at, "ld.shared.32 k.c:7 s+0x10 at=0:4*16,-16:4*16 mask=ffffffff");
    assert_text(0x0001000f, at, "ld.shared.32 k.c:7 s+0x10 at=0:4*4,-16 mask=0001000f");
    assert_text(0x00070001, at, "ld.shared.32 k.c:7 s+0x10 at=0,-16:4*3 mask=00070001");
}

/* ---- The tracer against itself, and against a GPU --------------------------------------------- */

static void the_tracer_agrees_with_itself_alone(void **state)
{
    (void)state;
    char message[MESSAGE_BYTES_MAX];
    struct address_lines padded = trace_run("transpose width=32 height=32");
    struct address_lines again = trace_run("transpose width=32 height=32");
    struct address_lines other = trace_run("transposeUnpadded width=32 height=32");
    assert_int_equal(address_compare(&padded, &again, message, sizeof message), ADDRESSES_AGREE);
    assert_in_range(padded.count, 2 * 4 * 5, 1000);
    other.line[0] = padded.line[0]; /* the launch says another name */
    assert_int_equal(address_compare(&padded, &other, message, sizeof message), ADDRESSES_DIFFER);
    address_lines_free(&padded);
    address_lines_free(&again);
    address_lines_free(&other);
}

/* NULL when the run should agree. */
static const struct known_difference *find_known(const char *run)
{
    size_t length = strcspn(run, " ");
    for (size_t i = 0; i < sizeof known_differences / sizeof known_differences[0]; i++) {
        const char *kernel = known_differences[i].kernel;
        if (strlen(kernel) == length && strncmp(kernel, run, length) == 0)
            return &known_differences[i];
    }
    return NULL;
}

/* False after a message. */
static bool check_run(const struct address_lines *recording, const char *run)
{
    char message[MESSAGE_BYTES_MAX];
    const struct known_difference *known = find_known(run);
    struct address_lines gpu = address_lines_of_run(recording, run), cpu = trace_run(run);
    enum address_match match = address_compare(&gpu, &cpu, message, sizeof message);
    address_lines_free(&cpu);
    if (match == (known ? known->match : ADDRESSES_AGREE))
        return true;
    if (match == ADDRESSES_AGREE)
        print_error("%s: agrees, but is listed to differ: %s\n", run, known->reason);
    else
        print_error("%s: %s\n", run, message);
    return false;
}

static void gpu_warps_access_what_the_tracer_says(void **state)
{
    (void)state;
    FILE *file = fopen(RECORDING, "r"), *runs = fopen(RUNS, "r");
    assert_non_null(runs);
    assert_non_null(file);
    char run[RUN_BYTES];
    unsigned wrong = 0;
    struct address_lines recording = address_lines(read_file(file));
    assert_true(recording.count > 0);
    assert_string_equal(recording.line[0], ADDRESS_HEADING);
    while (address_next_run(runs, run))
        wrong += !check_run(&recording, run);
    fclose(file);
    fclose(runs);
    address_lines_free(&recording);
    assert_int_equal(wrong, 0);
}

static int print_runs(void)
{
    char run[RUN_BYTES];
    FILE *runs = fopen(RUNS, "r");
    if (runs == NULL) {
        perror(RUNS);
        return 1;
    }
    printf(ADDRESS_HEADING "\n");
    while (address_next_run(runs, run))
        address_trace(run, stdout);
    fclose(runs);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_address_mask_width_or_array_differs),
        cmocka_unit_test(a_missing_access_warp_or_launch_differs),
        cmocka_unit_test(another_order_within_a_warp_is_told_apart),
        cmocka_unit_test(lanes_are_written_as_runs),
        cmocka_unit_test(the_tracer_agrees_with_itself_alone),
        cmocka_unit_test(gpu_warps_access_what_the_tracer_says),
    };
    if (argc == 2 && strcmp(argv[1], "print") == 0)
        return print_runs();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
