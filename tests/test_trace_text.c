/* test_trace_text.c - does a text trace become the stream it says, does every stream come back from
 * the text that is written of it, and does each mistake get a message with its line and column?
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "trace_io/text_read.h"
#include "trace_io/text_write.h"
#include "trace_stream.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define FIRST "warplens text trace 1\n"
#define HEAD FIRST "array in bytes=4096\nlaunch k grid=4 block=40\n"

enum { RANDOM_STREAMS = 300, SEED = 7 };

static struct trace_input input;

static FILE *stream_of(const char *text, size_t bytes)
{
    FILE *file = bytes ? fmemopen((void *)(uintptr_t)text, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    return file;
}

/* Reads a text; the message, or NULL. */
static const char *read_text(const char *text, size_t bytes, const struct trace_sink *sink)
{
    FILE *file = stream_of(text, bytes);
    input_start(&input, file, "dir/t.txt");
    const char *error = text_trace_read(&input, sink);
    fclose(file);
    return error;
}

static void assert_stream(const char *text, const char *expected)
{
    struct trace_stream stream;
    trace_stream_start(&stream);
    const char *error = read_text(text, strlen(text), &stream.sink);
    trace_stream_end(&stream);
    if (error)
        fail_msg("%s", error);
    assert_string_equal(stream.text, expected);
    trace_stream_free(&stream);
}

static void assert_error(const char *text, const char *expected)
{
    struct trace_stream stream;
    char whole[INPUT_MESSAGE_BYTES];
    trace_stream_start(&stream);
    const char *error = read_text(text, strlen(text), &stream.sink);
    trace_stream_end(&stream);
    trace_stream_free(&stream);
    snprintf(whole, sizeof whole, "dir/t.txt:%s", expected);
    if (error == NULL)
        fail_msg("no error, instead of %s", whole);
    assert_string_equal(error, whole);
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

/* ---- Both ways ------------------------------------------------------------------------------- */

static char *write_text(uint64_t number, size_t *bytes)
{
    struct text_writer writer;
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    assert_non_null(file);
    assert_true(text_writer_start(&writer, file));
    trace_stream_random(SEED, number, &writer.sink);
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
        trace_stream_random(SEED, number, &expected.sink);
        trace_stream_end(&expected);
        trace_stream_start(&got);
        const char *error = read_text(text, bytes, &got.sink);
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
        refused += read_text(text, bytes - at % 3 * (bytes / 7), &stream.sink) != NULL;
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
    assert_null(read_text(text, sizeof text - 1, &stream.sink));
    assert_int_equal(stream.calls, 1000);
    trace_stream_end(&stream);
    trace_stream_free(&stream);
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void mistakes_in_the_first_lines(void **state)
{
    (void)state;
    assert_error("", " an empty file; a text trace begins with the line 'warplens text trace 1'");
    assert_error("hello\n",
                 "1: column 1: no text trace; its first line is 'warplens text trace 1'");
    assert_error("warplens text trace 2\n", "1: column 21: a text trace of another version; "
                                            "allowed: 1");
    assert_error(FIRST "arry in bytes=4\n", "2: column 1: unknown line 'arry', nearest 'array'; "
                                            "allowed: note, array, free, launch, site");
    assert_error(FIRST "bar\n",
                 "2: column 1: this does not go here, outside a launch; write 'launch' first");
    assert_error(FIRST "array\n",
                 "2: column 6: the array's name is missing; allowed: a word, or \"text\"");
    assert_error(FIRST "array in\n", "2: column 9: bytes= is missing; allowed: bytes=...");
    assert_error(FIRST "array in bytes\n",
                 "2: column 15: 'bytes' has no value; allowed: bytes=...");
    assert_error(FIRST "array in bytes=4 bytes=4\n",
                 "2: column 18: 'bytes' is given twice; allowed: once");
    assert_error(
        FIRST "array in byts=4\n",
        "2: column 10: unknown word 'byts', nearest 'bytes'; allowed: bytes, base, device, "
        "host, managed");
    assert_error(FIRST "array in bytes=4 host=1\n",
                 "2: column 23: 'host' has no value; allowed: host alone");
    assert_error(FIRST "array in bytes=4k\n",
                 "2: column 16: '4k' is not a number; allowed: decimal "
                 "(128) or hexadecimal (0x80)");
    assert_error(FIRST "array in bytes=0\n",
                 "2: column 7: the array ends above the addresses there "
                 "are; allowed: 1 byte and more, below 2^48");
    assert_error(FIRST "array in bytes=4 host managed\n",
                 "2: column 7: one of device, host, managed is allowed");
    assert_error(FIRST "array in bytes=4\narray in bytes=4\n",
                 "3: column 7: an array of that name is there; allowed: another name, 'free all' "
                 "before, or base= for one of the same name");
    assert_error(FIRST "array \"in bytes=4\n",
                 "2: column 7: a quote that is not closed; allowed: \"text\"");
    assert_error(FIRST "array \"i\\q\" bytes=4\n",
                 "2: column 9: what is behind the backslash is unknown; allowed: \\\" \\\\ \\n \\t "
                 "\\x01 to \\xff");
    assert_error(FIRST "array \"in\"x bytes=4\n",
                 "2: column 11: text behind a closing quote; allowed: a blank");
    assert_error(FIRST "free in\n", "2: column 6: arrays are freed together; allowed: free all");
    assert_error(HEAD "note a b\n", "4: a note behind the first launch; notes come before it");
}

static void mistakes_in_a_launch(void **state)
{
    (void)state;
    assert_error(FIRST "launch k grid=1\n", "2: column 16: block= is missing; allowed: block=...");
    assert_error(FIRST "launch k grid=1,1,1,1 block=1\n",
                 "2: column 21: more than three sides; allowed: X, X,Y or X,Y,Z");
    assert_error(FIRST "launch k grid=1 block=1025\nall warps\nend\n",
                 "3: a block of 1025 x 1 x 1 threads; allowed: 1 to 1024 threads");
    assert_error(FIRST "launch k grid=0 block=1\n",
                 "2: a grid of 0 x 1 x 1 blocks; allowed: 1 to 2147483647 x 65535 x 65535, and "
                 "below 2^32 in all");
    assert_error(FIRST "launch k grid=1 block=1 shared=232449\n",
                 "2: 232449 bytes of dynamic shared memory; allowed: 0 to 232448");
    assert_error(FIRST "launch k grid=1 block=1 registers=256\n",
                 "2: 256 registers a thread; allowed: 0 (unknown) to 255");
    assert_error(HEAD "all warps\nend\nshared s bytes=4\n",
                 "6: column 7: too late; allowed: between 'launch' and its first part");
    assert_error(HEAD "shared s bytes=4\nshared s bytes=4\n",
                 "5: column 8: a shared array of that name is there; allowed: once");
    assert_error(HEAD "managed\n",
                 "4: column 8: managed what?; allowed: base=ADDRESS bytes=NUMBER, or none");
    assert_error(HEAD "pages 1*1\n",
                 "4: column 7: pages of no managed memory; write 'managed' first");
    assert_error(HEAD "managed base=0 bytes=4096\npages 1*1 1*1\n",
                 "5: column 11: more pages than the managed memory has: a page is 4096 bytes");
    assert_error(HEAD "managed base=0 bytes=4096\npages 1\n",
                 "5: column 7: no run of pages; allowed: COUNT*BITS, such as 16*1");
    assert_error(
        HEAD "ld.global.f32 base=in\n",
        "4: column 1: this does not go here, outside a part; write 'all warps' or the like "
        "first");
    assert_error(HEAD "site 1 ld.global.f32\n",
                 "4: column 5: sites are numbered from 0, in their order in the file");
    assert_error(HEAD "endblock\n",
                 "4: column 9: no block is open; allowed: behind a part for one block");
}

static void mistakes_in_the_head_of_a_part(void **state)
{
    (void)state;
    assert_error(HEAD "all\nend\n", "4: column 4: all of what?; allowed: all warps, all blocks");
    assert_error(HEAD "block\nend\n",
                 "4: column 6: the blocks is missing; allowed: a word, or \"text\"");
    assert_error(HEAD "block 4\nend\n",
                 "4: column 7: there are no such blocks; allowed: N or FIRST-LAST, of 0 to 3");
    assert_error(HEAD "block 0 warp 1-0\nend\n",
                 "4: column 14: there are no such warps; allowed: N or FIRST-LAST, of 0 to 1");
    assert_error(HEAD "block 0 wrap 1\nend\n",
                 "4: column 9: unknown word 'wrap', nearest 'warp'; allowed: all, block, warp");
    assert_error(HEAD "block 2 warp 0\nend\nblock 1 warp 0\nend\n",
                 "6: block 1 comes after block 2; allowed: blocks in ascending order, each in one "
                 "piece");
    assert_error(HEAD "block 0\nend\nblock 0-1\nend\n",
                 "6: block 0 comes after block 0; allowed: blocks in ascending order, each in one "
                 "piece");
    assert_error(HEAD "block 0\nblock 1\n",
                 "5: column 1: this does not go here, inside a part; write 'end' first");
    assert_error(HEAD "block 0\n",
                 "4: the file ends inside a part; write 'end' behind its last line");
}

static void mistakes_in_an_access(void **state)
{
    static const struct {
        const char *line, *error;
    } cases[] = {
        {"ld.global.f32", "1: the access has no address; allowed: base=... or addr=..."},
        {"ld.globl.f32 base=in", "4: unknown space 'globl', nearest 'global'; allowed: global, "
                                 "shared, const, local, tex"},
        {"lod base=in", "1: unknown line 'lod', nearest 'ld.' or 'end'; allowed: ld., st., atom., "
                        "bar, exit, site, end"},
        {"ld.global.f32 base=inn", "20: no array 'inn'; allowed: numbers, arrays, block, block.x, "
                                   "block.y, block.z, warp; did you mean in?"},
        {"ld.shared.f32 base=in", "20: no shared array 'in'; allowed: numbers, shared arrays, "
                                  "block, block.x, block.y, block.z, warp"},
        {"ld.const.f32 base=in", "19: no index 'in'; allowed: numbers, no arrays here, block, "
                                 "block.x, block.y, block.z, warp"},
        {"ld.global.f32 base=in+2", "20: lane 0 is at 0x2a0000002, which is misaligned; allowed: "
                                    "multiples of 4, the bytes a lane takes"},
        {"ld.global.f32 base=in+", "23: a number is missing; allowed: decimal (128) or hexadecimal "
                                   "(0x80)"},
        {"ld.global.f32 base=0x8000000000000000*2",
         "20: the value does not fit 64 bits; allowed: sums of numbers below 2^63"},
        {"ld.global.f32 base=-4", "20: lane 0 is at -0x4; allowed: 0 to 0xfffffffffffc"},
        {"ld.global.f32 base=in mask=0x100",
         "28: lanes that the block does not have; allowed: lanes of 0xff"},
        {"ld.global.f32 base=in resident=0x1",
         "32: lanes take part that are not resident; allowed: all of 0xff and more"},
        {"ld.global.f32 addr=0,0,0,0,0,0,0,0,0",
         "36: lane 8 is beyond the block; allowed: lanes of 0xff"},
        {"ld.global.f32 base=in lane=9:4",
         "28: lane 9 has an address but is masked off; allowed: lanes in the mask, 0xff"},
        {"ld.global.f32 base=in flags=fast", "29: unknown flag 'fast'; allowed: nc, host, managed, "
                                             "volatile, unrolled, flattened, none"},
        {"ld.global.f32 base=in work=65536", "28: '65536' is too large; allowed: 0 to 0xffff"},
        {"ld.global.f32 base=in needs=256", "29: '256' is too large; allowed: 0 to 0xff"},
        {"@0 ld.global.f32 base=in",
         "2: there is no site 0 yet; allowed: the sites before, 0 so far"},
        {"a.cu:x ld.global.f32 base=in",
         "6: 'x' is not a number; allowed: decimal (128) or hexadecimal (0x80)"},
        {"bar wrk=1", "5: unknown word 'wrk', nearest 'work'; allowed: work"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[256], error[256];
        snprintf(text, sizeof text, HEAD "block 0 warp 1\n%s\nend\n", cases[i].line);
        snprintf(error, sizeof error, "5: column %s", cases[i].error);
        assert_error(text, error);
    }
    assert_error(HEAD
                 "site 0 ld.global.f32\nblock 0 warp 1\n@0 ld.global.f32 base=in array=in\nend",
                 "6: column 32: array= does not go with @SITE; allowed: one or the other");
    assert_error(HEAD "block 0 warp 1\nexit\nexit\nend\n", "6: warp 1 of block 0 has ended before");
    assert_error(FIRST "array a bytes=4 base=0\narray a bytes=4 base=8\nlaunch k grid=1 block=1\n"
                       "all warps\nld.global.u8 base=a\nend\n",
                 "6: column 19: 2 arrays are called 'a'; allowed: the address as a number");
}

/* What waits for several warps is refused where it stands, when it is carried out. */
static void mistakes_in_lines_that_wait(void **state)
{
    (void)state;
    assert_error(HEAD "all warps\nld.global.f32 base=in mask=0x1ff\nend\nall blocks warp 0\nend\n",
                 "5: column 28: lanes that the block does not have; allowed: lanes of 0xff");
}

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
    assert_error(text, "65541: more lines for several warps than there is room for; allowed: 65536 "
                       "lines, 1 MB, or any number in parts for one warp of one block");
    free(text);
    file = open_memstream(&text, &bytes);
    fputs(FIRST, file);
    for (int i = 0; i <= 4096; i++)
        fprintf(file, "array a%d bytes=4\n", i);
    fclose(file);
    assert_error(text, "4098: column 7: more than 4096 arrays; allowed: 4096 at a time");
    free(text);
    file = open_memstream(&text, &bytes);
    fputs(HEAD "block 0 warp 0\n", file);
    for (int i = 0; i <= 65535; i++)
        fprintf(file, "a:%d ld.global.u8 base=0\n", i);
    fclose(file);
    assert_error(text, "65540: more than 65535 different accesses (line, array, kind); allowed: "
                       "65535");
    free(text);
    assert_error(FIRST "launch k grid=1 block=1\nmanaged base=0 bytes=0x400001000\npages 1*1\n",
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
        cmocka_unit_test(every_stream_comes_back),
        cmocka_unit_test(damage_is_a_message_or_a_stream),
        cmocka_unit_test(a_sink_may_stop),
        cmocka_unit_test(mistakes_in_the_first_lines),
        cmocka_unit_test(mistakes_in_a_launch),
        cmocka_unit_test(mistakes_in_the_head_of_a_part),
        cmocka_unit_test(mistakes_in_an_access),
        cmocka_unit_test(mistakes_in_lines_that_wait),
        cmocka_unit_test(limits),
        cmocka_unit_test(writers_refuse_what_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
