/* test_trace_text.c - does a text trace become the stream it says, and does every stream come back
 * from the text that is written of it?
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "trace_io/text/text_write.h"
#include "trace_texts.h"

enum { RANDOM_STREAMS = 300, SEED = 7 };

static void assert_stream(const char *text, const char *expected)
{
    struct trace_stream stream;
    trace_stream_start(&stream);
    const char *error = trace_text_read(text, strlen(text), &stream.sink);
    trace_stream_end(&stream);
    if (error)
        fail_msg("%s", error);
    assert_string_equal(stream.text, expected);
    trace_stream_free(&stream);
}

/* Two warps of two blocks that copy; the names, defaults and order of docs/trace-text.md. */
static void the_first_example(void **state)
{
    (void)state;
    assert_stream(
        FIRST "# a comment\n"
              "array in   bytes=4096   # global\n"
              "array out  bytes=4096\n"
              "launch copy grid=2 block=40\n"
              "  all warps             # each does\n"
              "    copy.cu:7  ld.global.f32 base=in+160*block+128*warp\n"
              "    bar\n"
              "    copy.cu:7  st.global.f32 base=out+160*block+128*warp work=3 needs=0\n"
              "  end\n",
        "launch 'copy' grid 2,1,1 block 40,1,1 shared 0 registers 0"
        " array 'in' 0x2a0000000+4096 home 0 array 'out' 0x2a0015000+4096 home 0\n"
        "site 0 'copy.cu':7 'in' space 0 op 0 width 4\n"
        "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0xffffffff resident 0xffffffff"
        " flags 0x0 work 1 needs 255 base 0x2a0000000 stride 4\n"
        "barrier block 0 warp 0 work 1\n"
        "access block 0 warp 1 site 0 space 0 op 0 width 4 active 0xff resident 0xff"
        " flags 0x0 work 1 needs 255 base 0x2a0000080 stride 4\n"
        "barrier block 0 warp 1 work 1\n"
        "site 1 'copy.cu':7 'out' space 0 op 1 width 4\n"
        "access block 0 warp 0 site 1 space 0 op 1 width 4 active 0xffffffff resident 0xffffffff"
        " flags 0x0 work 3 needs 0 base 0x2a0015000 stride 4\n"
        "warp end block 0 warp 0 work 1\n"
        "access block 0 warp 1 site 1 space 0 op 1 width 4 active 0xff resident 0xff"
        " flags 0x0 work 3 needs 0 base 0x2a0015080 stride 4\n"
        "warp end block 0 warp 1 work 1\n"
        "block end block 0 warp 0 work 0 shared 0\n"
        "access block 1 warp 0 site 0 space 0 op 0 width 4 active 0xffffffff resident 0xffffffff"
        " flags 0x0 work 1 needs 255 base 0x2a00000a0 stride 4\n"
        "barrier block 1 warp 0 work 1\n"
        "access block 1 warp 1 site 0 space 0 op 0 width 4 active 0xff resident 0xff"
        " flags 0x0 work 1 needs 255 base 0x2a0000120 stride 4\n"
        "barrier block 1 warp 1 work 1\n"
        "access block 1 warp 0 site 1 space 0 op 1 width 4 active 0xffffffff resident 0xffffffff"
        " flags 0x0 work 3 needs 0 base 0x2a00150a0 stride 4\n"
        "warp end block 1 warp 0 work 1\n"
        "access block 1 warp 1 site 1 space 0 op 1 width 4 active 0xff resident 0xff"
        " flags 0x0 work 3 needs 0 base 0x2a0015120 stride 4\n"
        "warp end block 1 warp 1 work 1\n"
        "block end block 1 warp 0 work 0 shared 0\n"
        "launch end shared 0\n");
}

/* Lists, shared arrays, and the line of the trace where no source line is given. Warps that are not
 * named end with their block. */
static void single_warps_and_shared_arrays(void **state)
{
    (void)state;
    assert_stream(FIRST
                  "launch k grid=9 block=8,4,2 shared=16 registers=40\n"
                  "shared a bytes=300\n"
                  "shared s bytes=8\n"
                  "  block 7 warp 1\n"
                  "    ld.shared.u32 addr=s+4,-,a array=s\n"
                  "    exit work=2\n"
                  "  end\n"
                  "  block 8 warp 0\n"
                  "    ld.const.u8 base=block.x stride=0 resident=0xff mask=0x3 flags=unrolled\n"
                  "  end\n",
                  "launch 'k' grid 9,1,1 block 8,4,2 shared 16 registers 40\n"
                  "site 0 't.txt':6 's' space 1 op 0 width 4\n"
                  "access block 7 warp 1 site 0 space 1 op 0 width 4 active 0x5 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 0:0x204 2:0x0\n"
                  "warp end block 7 warp 1 work 2\n"
                  "warp end block 7 warp 0 work 1\n"
                  "block end block 7 warp 0 work 0 shared 324\n"
                  "site 1 't.txt':10 '' space 3 op 0 width 1\n"
                  "access block 8 warp 0 site 1 space 3 op 0 width 1 active 0x3 resident 0xff"
                  " flags 0x10 work 1 needs 255 base 0x8 stride 0\n"
                  "warp end block 8 warp 0 work 1\n"
                  "warp end block 8 warp 1 work 1\n"
                  "block end block 8 warp 0 work 0 shared 324\n"
                  "launch end shared 324\n");
}

/* Parts for the same blocks belong together, whichever warps they name. */
static void parts_of_the_same_blocks(void **state)
{
    (void)state;
    assert_stream(FIRST "launch k grid=3 block=64\n"
                        "blocks 0-1 warp 0\n  bar work=5\nend\n"
                        "blocks 0-1 warp 1\n  bar work=6\nend\n"
                        "blocks 0-1 all warps\n  exit work=7\nend\n"
                        "endlaunch shared=9\n",
                  "launch 'k' grid 3,1,1 block 64,1,1 shared 0 registers 0\n"
                  "barrier block 0 warp 0 work 5\n"
                  "barrier block 0 warp 1 work 6\n"
                  "warp end block 0 warp 0 work 7\n"
                  "warp end block 0 warp 1 work 7\n"
                  "block end block 0 warp 0 work 0 shared 0\n"
                  "barrier block 1 warp 0 work 5\n"
                  "barrier block 1 warp 1 work 6\n"
                  "warp end block 1 warp 0 work 7\n"
                  "warp end block 1 warp 1 work 7\n"
                  "block end block 1 warp 0 work 0 shared 0\n"
                  "launch end shared 9\n");
}

/* Memory of the host and managed memory: flags of accesses, and pages that the host touched before
 * the first launch alone. */
static void homes_of_arrays(void **state)
{
    (void)state;
    assert_stream(
        FIRST "array h bytes=64 base=0x1000 host\n"
              "array m bytes=8192 managed base=0x200000\n"
              "launch k grid=1 block=1\n"
              "block 0 warp 0\n"
              "ld.global.nc.b32 base=h\n"
              "st.global.b32 base=m+4 flags=none\n"
              "end\n"
              "launch k grid=1 block=1\n"
              "launch k grid=1 block=1\n"
              "managed base=0x200000 bytes=8192\n"
              "pages 1*3\n"
              "free all\n",
        "launch 'k' grid 1,1,1 block 1,1,1 shared 0 registers 0 array 'h' 0x1000+64 home 1"
        " array 'm' 0x200000+8192 home 2 managed 0x200000+8192 pages 11\n"
        "site 0 't.txt':6 'h' space 0 op 0 width 4\n"
        "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0x1 resident 0x1 flags 0x3"
        " work 1 needs 255 base 0x1000 stride 4\n"
        "site 1 't.txt':7 'm' space 0 op 1 width 4\n"
        "access block 0 warp 0 site 1 space 0 op 1 width 4 active 0x1 resident 0x1 flags 0x0"
        " work 1 needs 255 base 0x200004 stride 4\n"
        "warp end block 0 warp 0 work 1\n"
        "block end block 0 warp 0 work 0 shared 0\n"
        "launch end shared 0\n"
        "launch 'k' grid 1,1,1 block 1,1,1 shared 0 registers 0 array 'h' 0x1000+64 home 1"
        " array 'm' 0x200000+8192 home 2 managed 0x200000+8192 pages none\n"
        "launch end shared 0\n"
        "launch 'k' grid 1,1,1 block 1,1,1 shared 0 registers 0 array 'h' 0x1000+64 home 1"
        " array 'm' 0x200000+8192 home 2 managed 0x200000+8192 pages 30\n"
        "launch end shared 0\n");
}

/* The first example of the document is a trace. */
static void the_example_of_the_document(void **state)
{
    (void)state;
    struct trace_stream stream;
    char *text = trace_stream_example(DOCS_DIR "/trace-text.md");
    trace_stream_start(&stream);
    const char *error = trace_text_read(text, strlen(text), &stream.sink);
    trace_stream_end(&stream);
    if (error)
        fail_msg("%s", error);
    assert_true(stream.calls > 4);
    trace_stream_free(&stream);
    free(text);
}

/* ---- Both ways ------------------------------------------------------------------------------- */

static char *write_text(uint64_t number, size_t *bytes)
{
    struct text_writer writer;
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    assert_non_null(file);
    assert_true(text_writer_start(&writer, file));
    trace_stream_random(SEED, number, false, &writer.sink);
    const char *error = text_writer_end(&writer);
    fclose(file);
    if (error)
        fail_msg("stream (%d, %d): %s", SEED, (int)number, error);
    return text;
}

static void every_stream_comes_back(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < RANDOM_STREAMS; number++) {
        struct trace_stream got, expected;
        char title[64];
        size_t bytes;
        snprintf(title, sizeof title, "stream (%d, %d)", SEED, (int)number);
        char *text = write_text(number, &bytes);
        trace_stream_start(&expected);
        trace_stream_random(SEED, number, false, &expected.sink);
        trace_stream_end(&expected);
        trace_stream_start(&got);
        const char *error = trace_text_read(text, bytes, &got.sink);
        trace_stream_end(&got);
        if (error)
            fail_msg("%s: %s", title, error);
        trace_stream_assert_equal(&got, &expected, title);
        trace_stream_free(&got);
        trace_stream_free(&expected);
        free(text);
    }
}

/* Cut short anywhere: a message or a stream, and nothing that a sanitizer finds. */
static void damage_is_a_message_or_a_stream(void **state)
{
    (void)state;
    size_t bytes, refused = 0, tried = 0;
    char *text = write_text(4, &bytes);
    assert_true(bytes > 1000);
    for (size_t at = 0; at < bytes; at += 1 + bytes / 400, tried++) {
        struct trace_stream stream;
        trace_stream_start(&stream);
        char was = text[at];
        text[at] = (char)(was ^ (1 << at % 7));
        refused += trace_text_read(text, bytes - at % 3 * (bytes / 7), &stream.sink) != NULL;
        text[at] = was;
        trace_stream_end(&stream);
        trace_stream_free(&stream);
    }
    assert_true(refused > tried / 4);
    assert_true(refused < tried);
    free(text);
}

/* A sink that has enough is asked no more, and that is no error; a grid of 4 billion blocks ends. */
static void a_sink_may_stop(void **state)
{
    static const char text[] = FIRST "launch k grid=65535,65535 block=1024\n"
                                     "all warps\n ld.global.f32 base=128*warp\nend\n";
    (void)state;
    struct trace_stream stream;
    trace_stream_start(&stream);
    stream.call_limit = 1000;
    assert_null(trace_text_read(text, sizeof text - 1, &stream.sink));
    assert_int_equal(stream.calls, 1000);
    trace_stream_end(&stream);
    trace_stream_free(&stream);
}

/* ---- Limits ------------------------------------------------------------------------------------ */

static void limits(void **state)
{
    (void)state;
    size_t bytes;
    char *text = NULL;
    FILE *file = open_memstream(&text, &bytes);
    fputs(HEAD "all warps\n", file);
    for (int i = 0; i <= 1 << 16; i++)
        fputs("bar\n", file);
    fclose(file);
    trace_text_assert_error(
        text, "65541: more lines for several warps than there is room for; allowed: 65536 "
              "lines, 1 MB, or any number in parts for one warp of one block");
    free(text);
    file = open_memstream(&text, &bytes);
    fputs(FIRST, file);
    for (int i = 0; i <= 4096; i++)
        fprintf(file, "array a%d bytes=4\n", i);
    fclose(file);
    trace_text_assert_error(text, "4098: column 7: more than 4096 arrays; allowed: 4096 at a time");
    free(text);
    file = open_memstream(&text, &bytes);
    fputs(HEAD "block 0 warp 0\n", file);
    for (int i = 0; i <= 65535; i++)
        fprintf(file, "a:%d ld.global.u8 base=0\n", i);
    fclose(file);
    trace_text_assert_error(
        text, "65540: more than 65535 different accesses (line, array, kind); allowed: "
              "65535");
    free(text);
    trace_text_assert_error(
        FIRST "launch k grid=1 block=1\nmanaged base=0 bytes=0x400001000\npages 1*1\n",
        "4: column 7: more than 16 GB of managed memory with pages told");
}

/* What a writer is given that a text trace cannot hold. */
static void writers_refuse_what_cannot_be_read(void **state)
{
    static const struct launch_info launch = {
        .kernel = "k", .grid = {1, 1, 1}, .block = {40, 1, 1}};
    (void)state;
    struct text_writer writer;
    FILE *file = fopen("/dev/null", "w");
    struct warp_access access = {.active = 1, .resident = 1, .width = 4, .base = 2, .warp = 1};
    assert_true(text_writer_start(&writer, file));
    assert_true(writer.sink.launch_begin(&writer, &launch));
    assert_false(writer.sink.access(&writer, &access));
    assert_string_equal(text_writer_end(&writer),
                        "an access of block 0, warp 1: lane 0 is at 0x2, which is misaligned; "
                        "allowed: multiples of 4, the bytes a lane takes");
    fclose(file);
    file = fopen("/dev/full", "w");
    if (file == NULL)
        return;
    assert_true(text_writer_start(&writer, file));
    assert_string_equal(text_writer_end(&writer), "cannot write: No space left on device");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_example),
        cmocka_unit_test(single_warps_and_shared_arrays),
        cmocka_unit_test(parts_of_the_same_blocks),
        cmocka_unit_test(homes_of_arrays),
        cmocka_unit_test(the_example_of_the_document),
        cmocka_unit_test(every_stream_comes_back),
        cmocka_unit_test(damage_is_a_message_or_a_stream),
        cmocka_unit_test(a_sink_may_stop),
        cmocka_unit_test(limits),
        cmocka_unit_test(writers_refuse_what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
