/* test_trace_nvbit.c - does the text of NVBit's mem_trace become the stream that it tells of, and
 * everything else a message?
 *
 * Each line of the .calls files was compared with the .txt files and the rules of
 * docs/trace-import.md.
 */
#include "test_support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_io/nvbit/nvbit_read.h"
#include "trace_text.h"

static void files_become_streams(void **state)
{
    (void)state;
    trace_text_expect(nvbit_trace_read, "nvbit_mem_trace.txt", "nvbit_mem_trace.calls");
    trace_text_expect(nvbit_trace_read, "nvbit_first.txt", "nvbit_first.calls");
    trace_text_expect(nvbit_trace_read, "nvbit_lines.txt", "nvbit_lines.calls");
}

static void refuse(const char *from, const char *to, const char *message)
{
    trace_text_refused(nvbit_trace_read, "nvbit_mem_trace.txt", from, to, message);
}

#define CUT_OFF                                                                                    \
    " of mem_trace cannot be read: the line is cut off, or something else was printed into it"

static void what_is_wrong_has_a_place(void **state)
{
    (void)state;
    refuse("grid size 2,1,1", "grid size 2,1", "trace:4: a launch" CUT_OFF);
    refuse("grid size 2,1,1", "grid size 2,0,1",
           "trace:4: a grid of 2 x 0 x 1 blocks: 1 to 2147483647 x 65535 x 65535 are possible");
    refuse("block size 48,1,1", "block size 48,32,1",
           "trace:4: a block of 48 x 32 x 1 threads: 1 to 1024 threads are possible");
    refuse("shmem 1024", "shmem 1024000",
           "trace:4: 1024000 bytes of shared memory: 0 to 233472 are possible");
    refuse("grid launch id 1 ", "grid launch id 0 ",
           "trace:12: grid launch id 0 is that of line 4 too");
    refuse("CTA 1,0,0 - warp 0", "CTA 2,0,0 - warp 0",
           "trace:5: CTA 2,0,0 is outside of the grid of 2,1,1");
    refuse("warp 0 - LDG.E.64", "warp 256 - LDG.E.64", "trace:5: warp 256: 0 to 255 are possible");
    refuse("LDG.E.64", "LDG.E.256",
           "trace:5: LDG.E.256: accesses of 1, 2, 4, 8 and 16 bytes are read");
    refuse(
        "LDG.E.64", "SULD.D",
        "trace:5: SULD.D: not an access that is read. Those are LDG, STG, LDS, STS, LDL, STL, LD, "
        "ST, ATOM, ATOMG, ATOMS, RED, LDGSTS, LDSM, STSM, LDC, TLD and TEX");
    refuse(
        "0x00007f0000001008", "0x00007f000000100c",
        "trace:5: lane 1 accesses 8 bytes at 0x7f000000100c, which is no multiple of 8: hardware "
        "traps, so the opcode or the address is wrong");
    refuse("0x00007f0000001008 ", "", "trace:5: an access" CUT_OFF);
    refuse("grid_launch_id 1", "grid_launch_id 3",
           "trace:13: an access of a launch that no line before announces");
    refuse(
        "0x0000000000000008 ", "0x0000000000080008 ",
        "trace:8: lane 1 accesses shared memory at 0x80008: 0 to 0x38fff are possible, behind the "
        "base of the shared window");
}

static void lanes_outside_of_a_block_are_refused(void **state)
{
    (void)state;
    trace_text_refused(nvbit_trace_read, "nvbit_first.txt", "block size 64,1,1",
                       "block size 40,1,1",
                       "trace:2: lane 31 of warp 1, which has 8 lanes, has an address");
    trace_text_refused(
        nvbit_trace_read, "nvbit_first.txt", "block size 64,1,1", "block size 32,1,1",
        "trace:2: warp 9 of the SM is one more than the 1 that a block of 32 threads "
        "has");
}

static void a_text_without_launches_is_refused(void **state)
{
    char message[INPUT_MESSAGE_BYTES];
    struct trace_calls calls = trace_text_calls(nvbit_trace_read, "hello\n", 6, message);
    (void)state;
    assert_string_equal(message,
                        "trace:1: no launch in it: is this what NVBit's mem_trace printed?");
    trace_calls_free(&calls);
}

static void empty_blocks_are_few(void **state)
{
    static const char text[] = "Kernel k - grid size 3000000,1,1 - block size 32,1,1 - nregs 1 - "
                               "shmem 0 - cuda stream id 0\n";
    char message[INPUT_MESSAGE_BYTES];
    static struct trace_input input;
    FILE *stream = tmpfile();
    struct trace_calls calls = {0};
    (void)state;
    fputs(text, stream);
    rewind(stream);
    input_start(&input, stream, "trace");
    struct trace_sink sink = trace_calls_sink(&calls);
    sink.event = NULL;
    snprintf(message, sizeof message, "%s", nvbit_trace_read(&input, &sink));
    assert_string_equal(message,
                        "trace:1: most of the grid's 3000000 blocks have no access: is the "
                        "trace cut off?");
    fclose(stream);
    trace_calls_free(&calls);
}

static void damaged_files_are_read_or_refused(void **state)
{
    (void)state;
    trace_text_damage(nvbit_trace_read, "nvbit_mem_trace.txt");
    trace_text_damage(nvbit_trace_read, "nvbit_first.txt");
    trace_text_damage(nvbit_trace_read, "nvbit_lines.txt");
}

static void a_sink_may_stop(void **state)
{
    (void)state;
    trace_text_stops(nvbit_trace_read, "nvbit_mem_trace.txt");
}

/* ---- More than fits in memory ---------------------------------------------------------------- */

enum { BLOCKS = 64, WARPS = 8, ROUNDS = 120 };

/* Where the stream should be: lane 1's address tells which access it is. */
struct place {
    uint32_t block, warp, round;
    uint64_t accesses;
};

static uint64_t address(uint32_t block, uint32_t warp, uint32_t round, unsigned lane)
{
    uint64_t number = ((uint64_t)block * WARPS + warp) * ROUNDS + round;
    return 0x7f0000000000 + number * 1024 + (uint64_t)lane * lane;
}

static bool check_access(void *context, const struct warp_access *access)
{
    struct place *place = context;
    assert_int_equal(access->block, place->block);
    assert_int_equal(access->warp, place->warp);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(access_addr(access, lane),
                         address(place->block, place->warp, place->round, lane));
    place->round++;
    place->accesses++;
    return true;
}

static bool check_event(void *context, const struct trace_event *event)
{
    struct place *place = context;
    assert_int_equal(event->block, place->block);
    if (event->kind == TRACE_BLOCK_END) {
        assert_int_equal(place->warp, WARPS);
        place->block++;
        place->warp = 0;
        return true;
    }
    assert_int_equal(event->warp, place->warp++);
    assert_int_equal(place->round, ROUNDS);
    place->round = 0;
    return true;
}

static bool take_launch(void *context, const struct launch_info *launch)
{
    (void)context;
    assert_string_equal(launch->kernel, "large");
    return true;
}

static bool take_end(void *context, uint64_t bytes)
{
    (void)bytes;
    assert_int_equal(((struct place *)context)->block, BLOCKS);
    return true;
}

static void accesses_beyond_the_memory_come_in_order(void **state)
{
    static struct trace_input input;
    FILE *stream = tmpfile();
    struct place place = {0};
    struct trace_sink sink = {.context = &place,
                              .launch_begin = take_launch,
                              .access = check_access,
                              .event = check_event,
                              .launch_end = take_end};
    (void)state;
    fprintf(stream,
            "Kernel large - grid size %d,1,1 - block size %d,1,1 - nregs 8 - shmem 0 - "
            "cuda stream id 0\n",
            BLOCKS, WARPS * WARP_LANES);
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < BLOCKS * WARPS; i++) {
            uint32_t mixed = i * 37 % (BLOCKS * WARPS), block = mixed / WARPS, warp = mixed % WARPS;
            fprintf(stream, "CTA %u,0,0 - warp %u - LDG.E.U8 - ", block, warp);
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                fprintf(stream, "0x%016" PRIx64 " ", address(block, warp, round, lane));
            fputc('\n', stream);
        }
    rewind(stream);
    input_start(&input, stream, "trace");
    assert_null(nvbit_trace_read(&input, &sink));
    assert_int_equal(place.accesses, (uint64_t)BLOCKS * WARPS * ROUNDS);
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_become_streams),
        cmocka_unit_test(what_is_wrong_has_a_place),
        cmocka_unit_test(lanes_outside_of_a_block_are_refused),
        cmocka_unit_test(a_text_without_launches_is_refused),
        cmocka_unit_test(empty_blocks_are_few),
        cmocka_unit_test(damaged_files_are_read_or_refused),
        cmocka_unit_test(a_sink_may_stop),
        cmocka_unit_test(accesses_beyond_the_memory_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
