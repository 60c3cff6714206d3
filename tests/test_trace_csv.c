/* test_trace_csv.c - do rows become the accesses that they say, whatever the columns are called; does
 * everything that counters depend on come back from what is written; and does each mistake get a
 * message with its line and column?
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdlib.h>
#include <string.h>

#include "trace_io/csv/csv_read.h"
#include "trace_io/csv/csv_write.h"
#include "trace_stream.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { RANDOM_STREAMS = 300, SEED = 11 };

static struct trace_input input;

static const char *read_csv(const char *text, size_t bytes, const char *map, bool peeked,
                            const struct trace_sink *sink)
{
    const char *begin;
    FILE *file = bytes ? fmemopen((void *)(uintptr_t)text, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    input_start(&input, file, "t.csv");
    if (peeked)
        input_peek(&input, &begin, 16);
    const char *error = csv_trace_read(&input, map, sink);
    fclose(file);
    return error;
}

static void assert_stream(const char *text, const char *map, const char *expected)
{
    for (int peeked = 0; peeked < 2; peeked++) {
        struct trace_stream stream;
        trace_stream_start(&stream);
        const char *error = read_csv(text, strlen(text), map, peeked, &stream.sink);
        trace_stream_end(&stream);
        if (error)
            fail_msg("%s", error);
        assert_string_equal(stream.text, expected);
        trace_stream_free(&stream);
    }
}

static void assert_error(const char *text, const char *map, const char *expected)
{
    struct trace_stream stream;
    trace_stream_start(&stream);
    const char *error = read_csv(text, strlen(text), map, false, &stream.sink);
    trace_stream_end(&stream);
    trace_stream_free(&stream);
    if (error == NULL)
        fail_msg("no error, instead of %s", expected);
    assert_string_equal(error, expected);
}

#define ONE_WARP "launch '?' grid 1,1,1 block 32,1,1 shared 0 registers 0\n"
#define ONE_WARP_ENDS                                                                              \
    "warp end block 0 warp 0 work 1\n"                                                             \
    "block end block 0 warp 0 work 0 shared 0\n"                                                   \
    "launch end shared 0\n"
#define FULL " active 0xffffffff resident 0xffffffff flags 0x0 work 1 needs 255"

/* A file that says addresses and nothing else. */
static void missing_columns_have_defaults(void **state)
{
    (void)state;
    assert_stream("base\n0x80\n", NULL,
                  ONE_WARP "site 0 '?':0 '' space 0 op 0 width 4\n"
                           "access block 0 warp 0 site 0 space 0 op 0 width 4" FULL
                           " base 0x80 stride 4\n" ONE_WARP_ENDS);
}

/* Columns of another program, by a map; rows of lanes are gathered while they ascend. */
static void a_map_names_the_columns(void **state)
{
    static const char map[] = "block=BlockID,warp=WarpID,lane=Lane,addr=Address,op=Op,width=Bytes,"
                              "pc=PC,grid:=2,block_dim:=64";
    (void)state;
    assert_stream("PC,Op,BlockID,WarpID,Lane,Address,Bytes,Other\n"
                  "0x10,LOAD,0,1,0,0x100,8,x\n"
                  "0x10,LOAD,0,1,2,0x110,8,x\n"
                  "0x10,LOAD,0,1,2,0x200,8,x\n"
                  "0x18,LOAD,0,1,3,0x208,8,x\n"
                  "# a comment, with a comma\n"
                  "\n"
                  "0x18,st,1,0,0,256,8,x\n",
                  map,
                  "launch '?' grid 2,1,1 block 64,1,1 shared 0 registers 0\n"
                  "site 0 '?':0 '' space 0 op 0 width 8\n"
                  "access block 0 warp 1 site 0 space 0 op 0 width 8 active 0x5 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 0:0x100 2:0x110\n"
                  "access block 0 warp 1 site 0 space 0 op 0 width 8 active 0x4 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 2:0x200\n"
                  "site 1 '?':0 '' space 0 op 0 width 8\n"
                  "access block 0 warp 1 site 1 space 0 op 0 width 8 active 0x8 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 3:0x208\n"
                  "warp end block 0 warp 0 work 1\n"
                  "warp end block 0 warp 1 work 1\n"
                  "block end block 0 warp 0 work 0 shared 0\n"
                  "site 2 '?':0 '' space 0 op 1 width 8\n"
                  "access block 1 warp 0 site 2 space 0 op 1 width 8 active 0x1 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 0:0x100\n"
                  "warp end block 1 warp 0 work 1\n"
                  "warp end block 1 warp 1 work 1\n"
                  "block end block 1 warp 0 work 0 shared 0\n"
                  "launch end shared 0\n");
}

/* Threads of a block instead of lanes of a warp; blocks by coordinates; launches by what changes. */
static void threads_coordinates_and_launches(void **state)
{
    (void)state;
    assert_stream("kernel,grid,block_dim,block,thread,addr,space\n"
                  "a,2x2,33,\"(1,1,0)\",32,8,shared\n"
                  "b,,,0x0,0,8,shared\n",
                  NULL,
                  "launch 'a' grid 2,2,1 block 33,1,1 shared 0 registers 0\n"
                  "site 0 '?':0 '' space 1 op 0 width 4\n"
                  "access block 3 warp 1 site 0 space 1 op 0 width 4 active 0x1 resident 0x1"
                  " flags 0x0 work 1 needs 255 0:0x8\n"
                  "warp end block 3 warp 0 work 1\n"
                  "warp end block 3 warp 1 work 1\n"
                  "block end block 3 warp 0 work 0 shared 0\n"
                  "launch end shared 0\n"
                  "launch 'b' grid 2,2,1 block 33,1,1 shared 0 registers 0\n"
                  "access block 0 warp 0 site 0 space 1 op 0 width 4 active 0x1 resident 0xffffffff"
                  " flags 0x0 work 1 needs 255 0:0x8\n"
                  "warp end block 0 warp 0 work 1\n"
                  "warp end block 0 warp 1 work 1\n"
                  "block end block 0 warp 0 work 0 shared 0\n"
                  "launch end shared 0\n");
}

/* A list has an address for each lane, or for each lane of the mask, or 32 of which 0 is none. */
static void lists_of_addresses(void **state)
{
    (void)state;
    assert_stream(
        "addr,mask,work,needs,flags,event\n"
        "0x80 - 0x88,,5,2,nc unrolled,\n"
        "0x80;0x84,0x30,,,,\n"
        "0 0 0x8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0,,,,,\n"
        "0 0 0x8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0,6,,,,\n"
        ",,7,,,bar\n"
        ",,,,,end\n",
        NULL,
        ONE_WARP "site 0 '?':0 '' space 0 op 0 width 4\n"
                 "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0x5 resident 0xffffffff"
                 " flags 0x11 work 5 needs 2 0:0x80 2:0x88\n"
                 "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0x30 resident 0xffffffff"
                 " flags 0x0 work 1 needs 255 4:0x80 5:0x84\n"
                 "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0x4 resident 0xffffffff"
                 " flags 0x0 work 1 needs 255 2:0x8\n"
                 "access block 0 warp 0 site 0 space 0 op 0 width 4 active 0x6 resident 0xffffffff"
                 " flags 0x0 work 1 needs 255 1:0x0 2:0x8\n"
                 "barrier block 0 warp 0 work 7\n" ONE_WARP_ENDS);
}

/* The first example of the document is a trace. */
static void the_example_of_the_document(void **state)
{
    (void)state;
    struct trace_stream stream;
    char *text = trace_stream_example(DOCS_DIR "/trace-csv.md");
    trace_stream_start(&stream);
    const char *error = read_csv(text, strlen(text), NULL, false, &stream.sink);
    trace_stream_end(&stream);
    if (error)
        fail_msg("%s", error);
    assert_true(stream.calls > 4);
    trace_stream_free(&stream);
    free(text);
}

/* ---- Both ways ------------------------------------------------------------------------------- */

static char *write_csv(uint64_t number, size_t *bytes)
{
    struct csv_writer writer;
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    assert_non_null(file);
    assert_true(csv_writer_start(&writer, file));
    trace_stream_random(SEED, number, true, &writer.sink);
    const char *error = csv_writer_end(&writer);
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
        char *text = write_csv(number, &bytes);
        trace_stream_start(&expected);
        trace_stream_start(&got);
        expected.by_place = got.by_place = true;
        expected.sink.sync = NULL; /* which the form does not hold */
        trace_stream_random(SEED, number, true, &expected.sink);
        trace_stream_end(&expected);
        const char *error = read_csv(text, bytes, NULL, false, &got.sink);
        trace_stream_end(&got);
        if (error)
            fail_msg("%s: %s", title, error);
        trace_stream_assert_equal(&got, &expected, title);
        trace_stream_free(&got);
        trace_stream_free(&expected);
        free(text);
    }
}

static void damage_is_a_message_or_a_stream(void **state)
{
    (void)state;
    size_t bytes, refused = 0, tried = 0;
    char *text = write_csv(5, &bytes);
    assert_true(bytes > 1000);
    for (size_t at = 0; at < bytes; at += 1 + bytes / 400, tried++) {
        struct trace_stream stream;
        trace_stream_start(&stream);
        char was = text[at];
        text[at] = (char)(was ^ (1 << at % 7));
        refused += read_csv(text, bytes - at % 3 * (bytes / 7), NULL, false, &stream.sink) != NULL;
        text[at] = was;
        trace_stream_end(&stream);
        trace_stream_free(&stream);
    }
    assert_true(refused > tried / 4);
    assert_true(refused < tried);
    free(text);
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void mistakes_in_the_map(void **state)
{
    (void)state;
    static const char fields[] =
        "event launch kernel grid block_dim shared registers block warp thread lane pc file line "
        "array op space width addr base stride mask active resident flags work needs lag bytes "
        "pages";
    char expected[512];
    snprintf(expected, sizeof expected,
             "t.csv: map: no field 'blok'; allowed: %s; did you mean block?", fields);
    assert_error("base\n", "blok=x", expected);
    assert_error("base\n", "block",
                 "t.csv: map: 'block'; allowed: FIELD=COLUMN or FIELD:=VALUE, with commas between "
                 "them");
    assert_error("base\n", "block=a,block=b", "t.csv: map: 'block' is given twice; allowed: once");
    assert_error("base,BlockId\n", "block=BlockID",
                 "t.csv:1: map: the file has no column 'BlockID' for block; allowed: its columns; "
                 "did you mean BlockId?");
}

static const struct {
    const char *text, *error;
} row_mistakes[] = {
    {"", " an empty file; a CSV trace begins with the names of its columns"},
    {"a,b\n1,2\n", "1: no column says addresses; allowed: a column 'addr' or 'base', or a map "
                   "with addr=COLUMN"},
    {"base,op\n1,2,3\n", "2: 3 fields, but the header has 2; a list of addresses has blanks or "
                         "';' between addresses"},
    {"base,op\n0,lod\n", "2: column 2: op 'lod' is wrong; allowed: load, store, atomic, ld, st, "
                         "atom, read, write"},
    {"base,space\n0,x\n", "2: column 2: space 'x' is wrong; allowed: global, shared, local, "
                          "constant, texture, const, tex"},
    {"base,event\n0,x\n", "2: column 2: event 'x' is wrong; allowed: bar, end, block_end, "
                          "launch, launch_end, array, free, managed, pages"},
    {"base\nx\n", "2: column 1: base 'x' is wrong; allowed: -2^63 to 2^63-1, decimal or "
                  "hexadecimal (0x80)"},
    {"base,width\n0,17\n",
     "2: column 2: width '17' is wrong; allowed: 0 to 16, decimal or hexadecimal (0x80)"},
    {"base,width\n0,3\n", "2: the width is wrong; allowed: 1, 2, 4, 8 or 16 bytes"},
    {"addr,base\n,\n", "2: column 1: addr '' is wrong; allowed: an address, here or in base"},
    {"addr\n0x1q\n", "2: column 1: addr '0x1q' is wrong; allowed: addresses, decimal or "
                     "hexadecimal (0x80), with blanks or ';' between"},
    {"addr,active\n0 4 8,3\n", "2: column 1: addr '0 4 8' is wrong; allowed: as many addresses "
                               "as the mask has lanes, or 32"},
    {"addr,lane\n0 4,1\n", "2: column 1: addr '0 4' is wrong; allowed: 0 to "
                           "18446744073709551615, decimal or hexadecimal (0x80)"},
    {"base\n2\n", "2: lane 0 is at 0x2, which is misaligned; allowed: multiples of 4, the bytes "
                  "a lane takes"},
    {"base,grid\n0,0\n", "2: a grid of 0 x 1 x 1 blocks; allowed: 1 to 2147483647 x 65535 x "
                         "65535, and below 2^32 in all"},
    {"base,block_dim\n0,8x\n0,y\n",
     "3: column 2: block_dim 'y' is wrong; allowed: one to three decimal numbers, as 8x4x2"},
    {"base,block\n0,1\n", "2: block 1 is beyond the grid; allowed: 0 to 0"},
    {"base,block,grid\n0,1,2\n0,0,2\n",
     "3: block 0 comes after block 1; allowed: blocks in ascending order, each in one piece"},
    {"base,block,grid\n0,2 0,2x2\n",
     "2: column 2: block '2 0' is wrong; allowed: a block of the grid"},
    {"base,warp\n0,1\n",
     "2: column 2: warp '1' is wrong; allowed: 0 to 0, decimal or hexadecimal (0x80)"},
    {"base,flags\n0,fast\n",
     "2: column 2: flags 'fast' is wrong; allowed: nc host managed "
     "volatile unrolled flattened increment float matrix, with blanks between"},
    {"base,pages,event,bytes\n0,1,managed,1\n",
     "2: column 2: pages '1' is wrong; allowed: COUNT*BITS, such as 16*1, with blanks between"},
    {"base,event\n0,pages\n,array\n",
     "3: the array ends above the addresses there are; allowed: 1 byte and more, below 2^48"},
    {"lane,base\n0,0\n40,0\n",
     "3: column 1: lane '40' is wrong; allowed: 0 to 31, decimal or hexadecimal (0x80)"},
    {"lane,base\n3,2\n3,4\n", "2: lane 3 is at 0x2, which is misaligned; allowed: multiples of "
                              "4, the bytes a lane takes"},
    {"base\n\"0\n", "2: the file ends inside a quoted field: it is cut short, or a quote is not "
                    "closed"},
};

static void mistakes_in_the_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(row_mistakes); i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "t.csv:%s", row_mistakes[i].error);
        assert_error(row_mistakes[i].text, NULL, expected);
    }
}

static void a_name_that_would_change_is_refused(void **state)
{
    static const struct launch_info launch = {
        .kernel = "a\nb", .grid = {1, 1, 1}, .block = {40, 1, 1}};
    (void)state;
    struct csv_writer writer;
    FILE *file = fopen("/dev/null", "w");
    assert_non_null(file);
    assert_true(csv_writer_start(&writer, file));
    assert_false(writer.sink.launch_begin(&writer, &launch));
    assert_string_equal(csv_writer_end(&writer),
                        "a name with a control character, or a blank at its begin: a CSV trace "
                        "cannot hold it; a text trace can");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_columns_have_defaults),
        cmocka_unit_test(a_map_names_the_columns),
        cmocka_unit_test(threads_coordinates_and_launches),
        cmocka_unit_test(lists_of_addresses),
        cmocka_unit_test(the_example_of_the_document),
        cmocka_unit_test(every_stream_comes_back),
        cmocka_unit_test(damage_is_a_message_or_a_stream),
        cmocka_unit_test(mistakes_in_the_map),
        cmocka_unit_test(mistakes_in_the_rows),
        cmocka_unit_test(a_name_that_would_change_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
