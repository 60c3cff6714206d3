/* test_accelsim_export.c - is what is exported for Accel-Sim the same when it is read again, and written as
 * its reader wants it?
 *
 * Usage: test_accelsim_export [DIRECTORY], which only exports a stream to that directory, for
 * accelsim_accepts.py.
 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace_calls.h"
#include "trace_io/accelsim/accelsim_read.h"
#include "trace_io/accelsim/accelsim_write.h"
#include "trace_streams.h"

static char directory[] = "/tmp/warplens_export_XXXXXX";

static void export_stream(const char *to, struct trace_stream_kind kind,
                          struct accelsim_options options)
{
    struct accelsim_writer *writer = accelsim_writer_new(to, options);
    assert_non_null(writer);
    struct trace_sink sink = accelsim_writer_sink(writer);
    trace_stream_give(kind, &sink);
    const char *error = accelsim_writer_end(writer);
    if (error)
        fail_msg("%s", error);
    accelsim_writer_free(writer);
}

static struct trace_calls read_list_of(const char *from)
{
    static struct trace_input input;
    struct trace_calls calls = {.bare = true};
    struct trace_sink sink = trace_calls_sink(&calls);
    char path[8192];
    snprintf(path, sizeof path, "%s/kernelslist.g", from);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    input_start(&input, stream, path);
    const char *error = accelsim_trace_read(&input, from, &sink);
    if (error)
        fail_msg("%s", error);
    fclose(stream);
    return calls;
}

static void check_round_trip(struct trace_stream_kind kind, struct accelsim_options options)
{
    struct trace_calls given = {.bare = true};
    struct trace_sink sink = trace_calls_sink(&given);
    char to[4096];
    snprintf(to, sizeof to, "%s/export", directory);
    kind.work_is_one = options.no_fillers;
    kind.no_matrices = true;
    trace_stream_give(kind, &sink);
    export_stream(to, kind, options);
    struct trace_calls got = read_list_of(to);
    assert_string_equal(got.text, given.text);
    trace_calls_free(&got);
    trace_calls_free(&given);
}

static void what_is_exported_is_read_again(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        check_round_trip((struct trace_stream_kind){.seed = seed}, (struct accelsim_options){0});
    check_round_trip((struct trace_stream_kind){.seed = 7}, (struct accelsim_options){true, true});
}

/* The text of one access, at its simplest and with a value that it needs. */
static void a_kernel_is_written_as_expected(void **state)
{
    static const char expected[] =
        "-kernel name = copy\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n"
        "-shmem = 512                 \n-nregs = 24\n-binary version = 70\n-cuda stream id = 0\n"
        "-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0001000000\n"
        "-nvbit version = 1.5.5\n-accelsim tracer version = 5\n-enable lineinfo = 1\n\n"
        "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
        "mem_width [adrrescompress?] [mem_addresses] immediate\n\n"
        "\n#BEGIN_TB\n\nthread block = 0,0,0\n"
        "\nwarp = 0\ninsts = 7\n"
        "0 0030 ffffffff 0 IMAD 0 0 0\n"
        "17 0100 ffffffff 1 R8 LDG.E.64.CONSTANT 1 R2 8 1 0x1000 8 0\n"
        "18 0110 00000005 1 R9 LDG.E 2 R2 R8 4 2 0x2000 -4096 0\n"
        "0 0010 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
        "19 0120 ffffffff 0 STS.U16 2 R2 R9 2 1 0x7f0000000100 2 0\n"
        "0 0030 ffffffff 0 IMAD 0 0 0\n"
        "0 0020 ffffffff 0 EXIT 0 0 0\n"
        "\nwarp = 1\ninsts = 4\n"
        "0 0010 000000ff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
        "0 0020 000000f0 0 EXIT 0 0 0\n"
        "20 0130 0000000f 0 STL.64 2 R2 R4 8 1 0x40 0 0\n"
        "0 0020 0000000f 0 EXIT 0 0 0\n"
        "\n#END_TB\n";
    (void)state;
    struct accelsim_writer *writer = accelsim_writer_new(directory, (struct accelsim_options){0});
    struct trace_sink sink = accelsim_writer_sink(writer);
    trace_stream_small(&sink);
    assert_null(accelsim_writer_end(writer));
    accelsim_writer_free(writer);
    char path[4096], text[8192] = "";
    snprintf(path, sizeof path, "%s/kernel-1.traceg", directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, expected);
}

static void refuse_access(struct warp_access access, const char *expected)
{
    struct accelsim_writer *writer = accelsim_writer_new(directory, (struct accelsim_options){0});
    struct trace_sink sink = accelsim_writer_sink(writer);
    struct launch_info launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {16, 1, 1}};
    assert_true(sink.launch_begin(sink.context, &launch));
    access.work = 1;
    assert_false(sink.access(sink.context, &access));
    assert_string_equal(accelsim_writer_end(writer), expected);
    accelsim_writer_free(writer);
}

static void accesses_that_traces_cannot_hold_are_refused(void **state)
{
    struct warp_access access = {.stride = 4, .active = 1, .resident = 0xffff, .width = 4};
    (void)state;
    access.space = SPACE_CONSTANT;
    access.op = OP_STORE;
    refuse_access(access, "Accel-Sim's traces cannot hold this access: a store or an atomic to a "
                          "space that has no such instruction");
    access.space = SPACE_LOCAL;
    access.base = 4;
    refuse_access(access,
                  "Accel-Sim's traces cannot hold this access: local memory of another lane, "
                  "which has no address of its own there");
    access.space = SPACE_GLOBAL;
    access.active = access.resident = 0x10000;
    refuse_access(access, "an access by a lane that is not in its block, or has ended");
    access.active = access.resident = 1;
    access.warp = 1;
    refuse_access(access, "warp 1 of a block of 16 threads");
}

static void a_directory_that_cannot_be_made_is_an_error(void **state)
{
    struct accelsim_writer *writer =
        accelsim_writer_new("/nonexistent/warplens", (struct accelsim_options){0});
    (void)state;
    assert_string_equal(
        accelsim_writer_end(writer),
        "the directory /nonexistent/warplens cannot be made: No such file or directory");
    accelsim_writer_free(writer);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    char command[4096];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_exported_is_read_again),
        cmocka_unit_test(a_kernel_is_written_as_expected),
        cmocka_unit_test(accesses_that_traces_cannot_hold_are_refused),
        cmocka_unit_test(a_directory_that_cannot_be_made_is_an_error),
    };
    if (argc == 2) {
        export_stream(argv[1], (struct trace_stream_kind){.seed = 1, .no_matrices = true},
                      (struct accelsim_options){0});
        return 0;
    }
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
