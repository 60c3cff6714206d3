/* test_trace_text_errors.c - does each mistake in a text trace get a message that says where it is, what
 * it is and what is allowed?
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdio.h>

#include "trace_texts.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void mistakes_in_the_first_lines(void **state)
{
    (void)state;
    trace_text_assert_error(
        "", " an empty file; a text trace begins with the line 'warplens text trace 1'");
    trace_text_assert_error(
        "hello\n", "1: column 1: no text trace; its first line is 'warplens text trace 1'");
    trace_text_assert_error("warplens text trace 2\n",
                            "1: column 21: a text trace of another version; "
                            "allowed: 1");
    trace_text_assert_error(FIRST "arry in bytes=4\n",
                            "2: column 1: unknown line 'arry', nearest 'array'; "
                            "allowed: note, array, free, launch, site, fault");
    trace_text_assert_error(
        FIRST "bar\n",
        "2: column 1: this does not go here, outside a launch; write 'launch' first");
    trace_text_assert_error(
        FIRST "array\n", "2: column 6: the array's name is missing; allowed: a word, or \"text\"");
    trace_text_assert_error(FIRST "array in\n",
                            "2: column 9: bytes= is missing; allowed: bytes=...");
    trace_text_assert_error(FIRST "array in bytes\n",
                            "2: column 15: 'bytes' has no value; allowed: bytes=...");
    trace_text_assert_error(FIRST "array in bytes=4 bytes=4\n",
                            "2: column 18: 'bytes' is given twice; allowed: once");
    trace_text_assert_error(
        FIRST "array in byts=4\n",
        "2: column 10: unknown word 'byts', nearest 'bytes'; allowed: bytes, base, device, "
        "host, managed");
    trace_text_assert_error(FIRST "array in bytes=4 host=1\n",
                            "2: column 23: 'host' has no value; allowed: host alone");
    trace_text_assert_error(FIRST "array in bytes=4k\n",
                            "2: column 16: '4k' is not a number; allowed: decimal "
                            "(128) or hexadecimal (0x80)");
    trace_text_assert_error(FIRST "array in bytes=0\n",
                            "2: column 7: the array ends above the addresses there "
                            "are; allowed: 1 byte and more, below 2^48");
    trace_text_assert_error(FIRST "array in bytes=4 host managed\n",
                            "2: column 7: one of device, host, managed is allowed");
    trace_text_assert_error(
        FIRST "array in bytes=4\narray in bytes=4\n",
        "3: column 7: an array of that name is there; allowed: another name, 'free all' "
        "before, or base= for one of the same name");
    trace_text_assert_error(FIRST "array \"in bytes=4\n",
                            "2: column 7: a quote that is not closed; allowed: \"text\"");
    trace_text_assert_error(
        FIRST "array \"i\\q\" bytes=4\n",
        "2: column 9: what is behind the backslash is unknown; allowed: \\\" \\\\ \\n \\t "
        "\\x01 to \\xff");
    trace_text_assert_error(FIRST "array \"in\"x bytes=4\n",
                            "2: column 11: text behind a closing quote; allowed: a blank");
    trace_text_assert_error(FIRST "free in\n",
                            "2: column 6: arrays are freed together; allowed: free all");
    trace_text_assert_error(HEAD "note a b\n",
                            "4: a note behind the first launch; notes come before it");
}

static void mistakes_in_a_launch(void **state)
{
    (void)state;
    trace_text_assert_error(FIRST "launch k grid=1\n",
                            "2: column 16: block= is missing; allowed: block=...");
    trace_text_assert_error(FIRST "launch k grid=1,1,1,1 block=1\n",
                            "2: column 21: more than three sides; allowed: X, X,Y or X,Y,Z");
    trace_text_assert_error(FIRST "launch k grid=1 block=1025\nall warps\nend\n",
                            "3: a block of 1025 x 1 x 1 threads; allowed: 1 to 1024 threads");
    trace_text_assert_error(
        FIRST "launch k grid=0 block=1\n",
        "2: a grid of 0 x 1 x 1 blocks; allowed: 1 to 2147483647 x 65535 x 65535, and "
        "below 2^32 in all");
    trace_text_assert_error(FIRST "launch k grid=1 block=1 shared=232449\n",
                            "2: 232449 bytes of dynamic shared memory; allowed: 0 to 232448");
    trace_text_assert_error(FIRST "launch k grid=1 block=1 registers=256\n",
                            "2: 256 registers a thread; allowed: 0 (unknown) to 255");
    trace_text_assert_error(HEAD "all warps\nend\nshared s bytes=4\n",
                            "6: column 7: too late; allowed: between 'launch' and its first part");
    trace_text_assert_error(HEAD "shared s bytes=4\nshared s bytes=4\n",
                            "5: column 8: a shared array of that name is there; allowed: once");
    trace_text_assert_error(
        HEAD "managed\n",
        "4: column 8: managed what?; allowed: base=ADDRESS bytes=NUMBER, or none");
    trace_text_assert_error(HEAD "pages 1*1\n",
                            "4: column 7: pages of no managed memory; write 'managed' first");
    trace_text_assert_error(
        HEAD "managed base=0 bytes=4096\npages 1*1 1*1\n",
        "5: column 11: more pages than the managed memory has: a page is 4096 bytes");
    trace_text_assert_error(HEAD "managed base=0 bytes=4096\npages 1\n",
                            "5: column 7: no run of pages; allowed: COUNT*BITS, such as 16*1");
    trace_text_assert_error(
        HEAD "ld.global.f32 base=in\n",
        "4: column 1: this does not go here, outside a part; write 'all warps' or the like "
        "first");
    trace_text_assert_error(HEAD "site 1 ld.global.f32\n",
                            "4: column 5: sites are numbered from 0, in their order in the file");
    trace_text_assert_error(HEAD "endblock\n",
                            "4: column 9: no block is open; allowed: behind a part for one block");
}

static void mistakes_in_the_head_of_a_part(void **state)
{
    (void)state;
    trace_text_assert_error(HEAD "all\nend\n",
                            "4: column 4: all of what?; allowed: all warps, all blocks");
    trace_text_assert_error(HEAD "block\nend\n",
                            "4: column 6: the blocks is missing; allowed: a word, or \"text\"");
    trace_text_assert_error(
        HEAD "block 4\nend\n",
        "4: column 7: there are no such blocks; allowed: N or FIRST-LAST, of 0 to 3");
    trace_text_assert_error(
        HEAD "block 0 warp 1-0\nend\n",
        "4: column 14: there are no such warps; allowed: N or FIRST-LAST, of 0 to 1");
    trace_text_assert_error(
        HEAD "block 0 wrap 1\nend\n",
        "4: column 9: unknown word 'wrap', nearest 'warp'; allowed: all, block, warp");
    trace_text_assert_error(
        HEAD "block 2 warp 0\nend\nblock 1 warp 0\nend\n",
        "6: block 1 comes after block 2; allowed: blocks in ascending order, each in one "
        "piece");
    trace_text_assert_error(
        HEAD "block 0\nend\nblock 0-1\nend\n",
        "6: block 0 comes after block 0; allowed: blocks in ascending order, each in one "
        "piece");
    trace_text_assert_error(HEAD "block 0\nblock 1\n",
                            "5: column 1: this does not go here, inside a part; write 'end' first");
    trace_text_assert_error(HEAD "block 0\n",
                            "4: the file ends inside a part; write 'end' behind its last line");
}

struct mistake {
    const char *line, *error;
};

static void assert_mistakes(const struct mistake *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[256], error[400];
        snprintf(text, sizeof text, HEAD "block 0 warp 1\n%s\nend\n", cases[i].line);
        snprintf(error, sizeof error, "5: column %s", cases[i].error);
        trace_text_assert_error(text, error);
    }
}

static void mistakes_in_a_bulk_copy(void **state)
{
    static const struct mistake cases[] = {
        {"bulk.copy", "10: to= is missing; allowed: to=..."},
        {"bulk.copy to=0 box=8,8 at=0", "27: box, at, size and pitch have as many numbers each"},
        {"bulk.copy to=0 box=1,1,1,1,1,1", "20: more than 5 dimensions"},
        {"phase.wait barrier=8 phase=0", "29: needs= is missing; allowed: needs=..."},
        {"bulk.wait left=64", "16: '64' is too large; allowed: 0 to 0x3f"},
        {"product columns=512", "17: '512' is too large; allowed: 0 to 0x100"},
    };
    (void)state;
    assert_mistakes(cases, COUNT(cases));
}

static void mistakes_in_an_access(void **state)
{
    static const struct mistake cases[] = {
        {"ld.global.f32", "1: the access has no address; allowed: base=... or addr=..."},
        {"ld.globl.f32 base=in", "4: unknown space 'globl', nearest 'global'; allowed: global, "
                                 "shared, const, local, tex"},
        {"lod base=in", "1: unknown line 'lod', nearest 'ld.' or 'end'; allowed: ld., st., atom., "
                        "bar, exit, site, syncwarp, exchange, fence.block, fence.device, "
                        "fence.system, copy.ca, copy.cg, copy.commit, copy.wait, bulk.copy, "
                        "bulk.commit, bulk.wait, bulk.read, phase.arrive, phase.wait, product, "
                        "product.commit, product.wait, end"},
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
        {"ld.global.f32 base=in flags=fast",
         "29: unknown flag 'fast', nearest 'host'; allowed: nc, host, managed, "
         "volatile, unrolled, flattened, increment, float, matrix, cluster, async, none"},
        {"copy.ca", "8: to= is missing; allowed: to=..."},
        {"copy.ca to=0,x", "14: 'x' is not a number; allowed: decimal (128) or hexadecimal (0x80)"},
        {"copy.ca to=0,", "12: a list of other than 1 to 32 numbers or '-', or BASE+STEP"},
        {"copy.wait", "10: left= is missing; allowed: left=..."},
        {"copy.wait left=64", "16: '64' is too large; allowed: 0 to 0x3f"},
        {"copy.commit left=1", "13: unknown word 'left'; allowed: lanes, work"},
        {"ld.global.f32 base=in work=65536", "28: '65536' is too large; allowed: 0 to 0xffff"},
        {"ld.global.f32 base=in needs=256", "29: '256' is too large; allowed: 0 to 0xff"},
        {"@0 ld.global.f32 base=in",
         "2: there is no site 0 yet; allowed: the sites before, 0 so far"},
        {"a.cu:x ld.global.f32 base=in",
         "6: 'x' is not a number; allowed: decimal (128) or hexadecimal (0x80)"},
        {"bar work=\"2\"", "10: a quote; allowed: work=N lag=N"},
        {"bar wrk=1", "5: unknown word 'wrk', nearest 'work'; allowed: work, lag"},
    };
    (void)state;
    assert_mistakes(cases, COUNT(cases));
}

/* What other lines have said makes an access wrong. */
static void mistakes_between_lines(void **state)
{
    (void)state;
    trace_text_assert_error(
        HEAD "site 0 ld.global.f32\nblock 0 warp 1\n@0 ld.global.f32 base=in array=in\nend",
        "6: column 32: array= does not go with @SITE; allowed: one or the other");
    trace_text_assert_error(
        HEAD "block 0 warp 1\nphase.arrive barrier=4 phase=0 needs=1\nend",
        "5: a step of copies at 0x4 that leaves 0 groups, or has 1 arrivals and 0 bytes; allowed: "
        "multiples of 8 in shared memory and the 16 named barriers behind it, 63, 1048575");
    trace_text_assert_error(
        HEAD "block 0 warp 1\nproduct columns=12\nend",
        "5: a product of a warpgroup; allowed: multiples of 8 columns, up to 256");
    trace_text_assert_error(
        HEAD "block 0 warp 1\nbulk.copy to=8 bytes=32\nld.global.b128 base=0x1000 mask=1\nend",
        "6: a bulk copy's place; allowed: multiples of 16 in shared memory, and what lies within "
        "global memory");
    trace_text_assert_error(/* whose last row is 2^64 bytes behind its first one */
                            HEAD "block 0 warp 1\nbulk.copy to=0 box=8,8 at=0,0 "
                                 "size=8,0x80000001 pitch=4,0x200000000\n"
                                 "ld.global.b128 base=0x1000 mask=1\nend",
                            "6: a bulk copy's place; allowed: multiples of 16 in shared memory, "
                            "and what lies within "
                            "global memory");
    trace_text_assert_error(HEAD "block 0 warp 1\nexit\nexit\nend\n",
                            "6: warp 1 of block 0 has ended before");
    trace_text_assert_error(
        FIRST "array a bytes=4 base=0\narray a bytes=4 base=8\nlaunch k grid=1 block=1\n"
              "all warps\nld.global.u8 base=a\nend\n",
        "6: column 19: 2 arrays are called 'a'; allowed: the address as a number");
}

/* What waits for several warps is refused where it stands, when it is carried out. */
static void mistakes_in_lines_that_wait(void **state)
{
    (void)state;
    trace_text_assert_error(
        HEAD "all warps\nld.global.f32 base=in mask=0x1ff\nend\nall blocks warp 0\nend\n",
        "5: column 28: lanes that the block does not have; allowed: lanes of 0xff");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_the_first_lines),    cmocka_unit_test(mistakes_in_a_launch),
        cmocka_unit_test(mistakes_in_the_head_of_a_part), cmocka_unit_test(mistakes_in_an_access),
        cmocka_unit_test(mistakes_in_a_bulk_copy),        cmocka_unit_test(mistakes_between_lines),
        cmocka_unit_test(mistakes_in_lines_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
