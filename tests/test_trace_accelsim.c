/* test_trace_accelsim.c - do Accel-Sim's traces become the streams that they tell of, and everything
 * else a message?
 *
 * Each line of the .calls files was compared with the .traceg files and the rules of
 * docs/trace-import.md.
 */
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace_io/accelsim/accelsim_read.h"
#include "trace_io/sass_opcode.h"
#include "trace_text.h"

static char directory[] = "/tmp/warplens_accelsim_XXXXXX";

static const char *read_here(struct trace_input *input, const struct trace_sink *sink)
{
    return accelsim_trace_read(input, directory, sink);
}

static void write_file(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void copy_data(const char *data_name, const char *name)
{
    char *text = trace_text_file(data_name);
    write_file(name, text);
    free(text);
}

static bool has_xz(void)
{
    return system("xz --version >/dev/null 2>&1") == 0;
}

/* Compresses a file of the directory. */
static void compress(const char *name)
{
    char command[4096];
    snprintf(command, sizeof command, "xz -f %s/%s", directory, name);
    assert_int_equal(system(command), 0);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void kernels_of_all_versions_become_streams(void **state)
{
    (void)state;
    trace_text_expect(read_here, "accelsim_v1.traceg", "accelsim_v1.calls");
    trace_text_expect(read_here, "accelsim_v2.traceg", "accelsim_v2.calls");
    trace_text_expect(read_here, "accelsim_v3.traceg", "accelsim_v3.calls");
    trace_text_expect(read_here, "accelsim_v4.traceg", "accelsim_v4.calls");
    trace_text_expect(read_here, "accelsim_v5.traceg", "accelsim_v5.calls");
}

static void a_list_becomes_a_stream(void **state)
{
    (void)state;
    if (!has_xz())
        skip();
    copy_data("accelsim_v3.traceg", "kernel-1.traceg");
    copy_data("accelsim_v4.traceg", "kernel-2.traceg");
    compress("kernel-2.traceg");
    trace_text_expect(read_here, "accelsim_kernelslist.g", "accelsim_kernelslist.calls");
}

static void refuse_list(const char *text, const char *format)
{
    char message[INPUT_MESSAGE_BYTES], expected[INPUT_MESSAGE_BYTES];
    snprintf(expected, sizeof expected, format, directory);
    struct trace_calls calls = trace_text_calls(read_here, text, strlen(text), message);
    assert_string_equal(message, expected);
    trace_calls_free(&calls);
}

static void lists_that_are_wrong_are_refused(void **state)
{
    (void)state;
    refuse_list("\nMemcpyHtoD,0x10,-16\n",
                "trace:2: \"0x10,-16\" is no address and size of an array");
    refuse_list("MemcpyHtoD,0xffffffffffffffff,16\n",
                "trace:1: \"0xffffffffffffffff,16\" is no address and size of an array");
    refuse_list("MemcpyHtoD,7\n", "trace:1: a copy or an allocation without address and size");
    refuse_list("MemcpyHtoD,0x10,16\n", "trace:1: no kernel in the list: is this a kernelslist.g?");
    refuse_list("kernel-9.traceg\n",
                "trace:1: %s/kernel-9.traceg cannot be read: No such file or directory");
    refuse_list("kernel-9.traceg.xz\n",
                "trace:1: %s/kernel-9.traceg.xz cannot be read: No such file or directory");
    refuse_list("kernel/../../etc.traceg\n",
                "trace:1: \"kernel/../../etc.traceg\": a file in the list's directory is expected");
    refuse_list("kernel-1.trace\n",
                "trace:1: kernel-1.trace: .traceg and .traceg.xz are read. Raw traces (.trace) "
                "become those by the tracer's post-traces-processing, which writes a kernelslist.g "
                "as well");
    refuse_list("\xfd"
                "7zXZ ...",
                "trace: compressed: name the kernelslist.g, or decompress it with xz -d first");
    write_file("kernel-3.traceg", "-kernel name = k\n");
    refuse_list("kernel-3.traceg\n", "%s/kernel-3.traceg:1: the header has no \"-grid dim\"");
}

static void damaged_xz_files_are_refused(void **state)
{
    (void)state;
    if (!has_xz())
        skip();
    copy_data("accelsim_v3.traceg", "kernel-4.traceg");
    compress("kernel-4.traceg");
    char path[4096];
    snprintf(path, sizeof path, "%s/kernel-4.traceg.xz", directory);
    assert_int_equal(truncate(path, 100), 0);
    refuse_list("kernel-4.traceg.xz\n",
                "trace:1: %s/kernel-4.traceg.xz is damaged: xz cannot decompress it");
    write_file("kernel-5.traceg.xz", "no");
    char *search = strdup(getenv("PATH"));
    setenv("PATH", directory, 1);
    refuse_list(
        "kernel-5.traceg.xz\n",
        "trace:1: %s/kernel-5.traceg.xz cannot be read: the program xz is not there: install "
        "it (xz-utils), or decompress the traces with it where it is");
    setenv("PATH", search, 1);
    free(search);
}

static void refuse(const char *from, const char *to, const char *message)
{
    trace_text_refused(read_here, "accelsim_v5.traceg", from, to, message);
}

static void headers_that_are_wrong_are_refused(void **state)
{
    (void)state;
    refuse("(1,1,1)", "(1,1)", "trace:3: \"(1,1)\" cannot be the value of \"-grid dim\"");
    refuse("(48,1,1)", "(48,1,65)",
           "trace:15: a block of 48 x 1 x 65 threads: 1 to 1024 threads are possible");
    refuse(
        "version = 5\n", "version = 6\n",
        "trace:12: \"6\" cannot be the value of \"-accelsim tracer version\": versions 1 to 5 are "
        "read");
    refuse("-accelsim tracer version = 5\n", "",
           "trace:14: the header has no \"-accelsim tracer version\"");
    refuse("-nregs = 32", "-nregs 32", "trace:6: \"-nregs 32\" where \"-name = value\" should be");
}

static void blocks_that_are_wrong_are_refused(void **state)
{
    (void)state;
    refuse(
        "thread block = 0,0,0", "thread block = 1,0,0",
        "trace:19: thread block \"1,0,0\" where 0,0,0 should be: all blocks must be there, in the "
        "order x, y, z");
    refuse("warp = 1", "warp = 2", "trace:38: warp \"2\": a block of 48 threads has warps 0 to 1");
    refuse("warp = 1", "warp = 0", "trace:38: warp 0 for the second time in one thread block");
    refuse("insts = 14", "insts = 15", "trace:38: warp 0 has 14 of its 15 instructions");
    refuse("insts = 14", "insts = 13", "trace:36: warp 0 has more than its 13 instructions");
    refuse(
        "insts = 14\n", "",
        "trace:22: \"0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0\" in front of \"warp = \" and "
        "\"insts = \"");
    refuse("#END_TB", "", "trace:45: the file ends within a thread block");
    refuse(
        "dim = (1,1,1)", "dim = (2,1,1)",
        "trace:45: the file ends behind 1 of the grid's 2 thread blocks: all of them are needed");
}

static void instructions_that_are_wrong_are_refused(void **state)
{
    (void)state;
    refuse("0010 ffffffff 1 R4", "001g ffffffff 1 R4", "trace:24: \"001g\" where the PC should be");
    refuse("0010 ffffffff 1 R4", "0010 ffffffff 1 UR4",
           "trace:24: \"UR4\" where the register (R0 to R255) should be");
    refuse("8 1 0x7f0000000000 8 0", "8 3 0x7f0000000000 8 0",
           "trace:24: \"3\" where the address mode (0, 1 or 2) should be");
    refuse("8 1 0x7f0000000000 8 0", "8 1 0x7f0000000000",
           "trace:24: the line ends where its stride should be");
    refuse("8 1 0x7f0000000000 8 0", "8 1 0x7f0000000000 8 0 0",
           "trace:24: \"0\" where the end of the line should be");
    refuse(
        "8 1 0x7f0000000000 8 0", "8 1 0x7f0000000004 8 0",
        "trace:24: lane 0 accesses 8 bytes at 0x7f0000000004, which is no multiple of 8: hardware "
        "traps, so the opcode or the address is wrong");
    refuse("0020 ffffffff", "0020 fffffff7",
           "trace:25: a stride (address mode 1) for the lanes fffffff7, which are not next to each "
           "other");
    refuse(
        "LDG.E.64", "UTMALDG.2D",
        "trace:24: UTMALDG.2D moves memory in a way that is not modelled: LDG, STG, LDS, STS, LDL, "
        "STL, LD, ST, ATOM, ATOMG, ATOMS, RED, LDGSTS, LDSM, STSM, LDC, TLD and TEX are read");
    refuse("LDG.E.64 1 R2 8 1 0x7f0000000000 8 0", "LDG.E.64 1 R2 0 0",
           "trace:24: LDG.E.64 without addresses: its memory width is 0");
    refuse("0000 0000ffff", "0000 0001ffff",
           "trace:40: mask 0001ffff: warp 1 of a block of 48 threads has lanes 0000ffff");
    trace_text_refused(read_here, "accelsim_v1.traceg", "0 0 0 1 0010", "0 0 0 0 0010",
                       "trace:29: an instruction of block 0,0,0, warp 0 among those of another");
}

static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    trace_text_damage(read_here, "accelsim_v5.traceg");
    trace_text_damage(read_here, "accelsim_v1.traceg");
    trace_text_damage(read_here, "accelsim_v4.traceg");
    trace_text_damage(read_here, "accelsim_kernelslist.g");
}

static void a_sink_may_stop(void **state)
{
    (void)state;
    trace_text_stops(read_here, "accelsim_v5.traceg");
    trace_text_stops(read_here, "accelsim_v3.traceg");
}

/* ---- Opcodes --------------------------------------------------------------------------------- */

static void opcodes_say_what_they_do(void **state)
{
    static const struct {
        const char *text;
        struct sass_opcode does;
    } cases[] = {
        {"LDG.E.U8.SYS", {SASS_MEMORY, SPACE_GLOBAL, OP_LOAD, 1, 0, UINT32_MAX, false}},
        {"LDG.E.S16", {SASS_MEMORY, SPACE_GLOBAL, OP_LOAD, 2, 0, UINT32_MAX, false}},
        {"LDG.E.LTC128B.128.CONSTANT",
         {SASS_MEMORY, SPACE_GLOBAL, OP_LOAD, 16, ACCESS_READ_ONLY, UINT32_MAX, false}},
        {"LDG.E.NC", {SASS_MEMORY, SPACE_GLOBAL, OP_LOAD, 4, ACCESS_READ_ONLY, UINT32_MAX, false}},
        {"ATOMG.E.ADD.F64.RN",
         {SASS_MEMORY, SPACE_GLOBAL, OP_ATOMIC, 8, ACCESS_FLOAT, UINT32_MAX, false}},
        {"REDG.E.ADD.F32.FTZ.RN.STRONG.GPU",
         {SASS_MEMORY, SPACE_GLOBAL, OP_ATOMIC, 4, ACCESS_FLOAT, UINT32_MAX, false}},
        {"REDG.E.MIN.F32", {SASS_MEMORY, SPACE_GLOBAL, OP_ATOMIC, 4, 0, UINT32_MAX, false}},
        {"ATOM.E.ADD.F16x2.RN", {SASS_MEMORY, SPACE_GENERIC, OP_ATOMIC, 4, 0, UINT32_MAX, false}},
        {"RED.E.MAX.S64", {SASS_MEMORY, SPACE_GENERIC, OP_ATOMIC, 8, 0, UINT32_MAX, false}},
        {"ATOMS.POPC.INC.32",
         {SASS_MEMORY, SPACE_SHARED, OP_ATOMIC, 4, ACCESS_INCREMENT, UINT32_MAX, false}},
        {"ATOMS.INC", {SASS_MEMORY, SPACE_SHARED, OP_ATOMIC, 4, 0, UINT32_MAX, false}},
        {"LDS.U.64", {SASS_MEMORY, SPACE_SHARED, OP_LOAD, 8, 0, UINT32_MAX, false}},
        {"LDSM.16.M88.4",
         {SASS_MEMORY, SPACE_SHARED, OP_LOAD, 16, ACCESS_MATRIX, UINT32_MAX, false}},
        {"LDSM.16.MT88.2", {SASS_MEMORY, SPACE_SHARED, OP_LOAD, 16, ACCESS_MATRIX, 0xffff, false}},
        {"STSM.16.M88", {SASS_MEMORY, SPACE_SHARED, OP_STORE, 16, ACCESS_MATRIX, 0xff, false}},
        {"LDGSTS.E.BYPASS.64", {SASS_MEMORY, SPACE_GLOBAL, OP_LOAD, 8, 0, UINT32_MAX, true}},
        {"LDC.64", {SASS_MEMORY, SPACE_CONSTANT, OP_LOAD, 8, 0, UINT32_MAX, false}},
        {"BAR.SYNC.DEFER_BLOCKING", {SASS_BARRIER, 0, 0, 0, 0, UINT32_MAX, false}},
        {"BAR.RED.POPC", {SASS_BARRIER, 0, 0, 0, 0, UINT32_MAX, false}},
        {"BAR.ARV", {SASS_PLAIN, 0, 0, 0, 0, UINT32_MAX, false}},
        {"EXIT", {SASS_EXIT, 0, 0, 0, 0, UINT32_MAX, false}},
        {"IMAD.MOV.U32", {SASS_PLAIN, 0, 0, 0, 0, UINT32_MAX, false}},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sass_opcode got;
        const struct sass_opcode *does = &cases[i].does;
        assert_true(sass_opcode_read(cases[i].text, &got));
        assert_int_equal(got.kind, does->kind);
        assert_int_equal(got.space, does->space);
        assert_int_equal(got.op, does->op);
        assert_int_equal(got.width, does->width);
        assert_int_equal(got.flags, does->flags);
        assert_int_equal(got.lanes, does->lanes);
        assert_int_equal(got.copies, does->copies);
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_all_versions_become_streams),
        cmocka_unit_test(a_list_becomes_a_stream),
        cmocka_unit_test(lists_that_are_wrong_are_refused),
        cmocka_unit_test(damaged_xz_files_are_refused),
        cmocka_unit_test(headers_that_are_wrong_are_refused),
        cmocka_unit_test(blocks_that_are_wrong_are_refused),
        cmocka_unit_test(instructions_that_are_wrong_are_refused),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(a_sink_may_stop),
        cmocka_unit_test(opcodes_say_what_they_do),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
