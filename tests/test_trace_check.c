/* test_trace_check.c - does `trace check` find each kind of fault, and only that one? Does the guard stop
 * at what no model may be given? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_support.h"
#include "trace_io/check.h"
#include "stream/guard.h"

/* A small stream: one block of 40 threads (a whole warp and one of 8 lanes), arrays in and s. Each test
 * changes one thing. */
struct plan {
    struct launch_info launch;
    struct trace_array arrays[2];
    struct warp_access access; /* the first access of warp 0; its site's kind is filled in */
    uint32_t last_block;
    bool no_barrier, no_warp_end, barrier_of_one, after_end, no_access, comes_back;
};

static const struct trace_site sites[] = {
    {"k.cu", 1, "in", SPACE_GLOBAL, OP_LOAD, 4},
    {"k.cu", 2, "s", SPACE_SHARED, OP_STORE, 4},
    {"k.cu", 3, "s", SPACE_SHARED, OP_LOAD, 4},
};

static struct plan plan_good(void)
{
    return (struct plan){
        .launch = {.kernel = "k", .grid = {1, 1, 1}, .block = {40, 1, 1}, .array_count = 2},
        .arrays = {{"in", 0x10000, 4096, HOME_DEVICE}, {"out", 0x20000, 4096, HOME_DEVICE}},
        .access = {.base = 0x10000, .stride = 4, .active = UINT32_MAX, .resident = UINT32_MAX}};
}

static bool give(const struct trace_sink *sink, const struct warp_access *access, uint32_t block,
                 uint32_t warp, uint32_t site)
{
    struct warp_access a = *access;
    a.block = block;
    a.warp = warp;
    a.site = site;
    a.space = sites[site].space;
    a.op = sites[site].op;
    a.width = sites[site].width;
    return sink_access(sink, &a);
}

static bool give_event(const struct trace_sink *sink, enum trace_event_kind kind, uint32_t block,
                       uint32_t warp)
{
    const struct trace_event event = {.kind = kind, .block = block, .warp = warp, .work = 1};
    return sink_event(sink, &event);
}

/* Warp 0 stores 32 words of s; behind a barrier warp 1 loads 8 of them. */
static bool give_block(const struct plan *p, const struct trace_sink *sink, uint32_t block)
{
    const struct warp_access words = {.stride = 4, .active = UINT32_MAX, .resident = UINT32_MAX};
    const struct warp_access few = {.stride = 4, .active = 0xff, .resident = 0xff};
    struct warp_access fewer = words, elsewhere = words;
    fewer.active = 0xffff;
    elsewhere.base = 1024;
    bool fine = p->no_access || give(sink, &p->access, block, p->access.warp, 0);
    fine = fine && (p->no_access || give(sink, p->comes_back ? &fewer : &words, block, 0, 1));
    fine = fine && (!p->comes_back || give(sink, &words, block, 0, 1));
    fine = fine && (p->no_barrier || give_event(sink, TRACE_BARRIER, block, 0));
    fine =
        fine && (p->no_barrier || p->barrier_of_one || give_event(sink, TRACE_BARRIER, block, 1));
    fine = fine && (p->no_access || give(sink, &few, block, 1, p->barrier_of_one ? 0 : 2));
    fine = fine && give_event(sink, TRACE_WARP_END, block, 0);
    fine = fine && (!p->after_end || give(sink, &elsewhere, block, 0, 1));
    fine = fine && (p->no_warp_end || give_event(sink, TRACE_WARP_END, block, 1));
    return fine && give_event(sink, TRACE_BLOCK_END, block, 0);
}

static bool give_all(struct plan *p, const struct trace_sink *sink)
{
    p->launch.arrays = p->arrays;
    for (uint32_t i = 0; i < 3; i++)
        if (!sink_site(sink, i, &sites[i]))
            return false;
    return sink_launch_begin(sink, &p->launch) && give_block(p, sink, p->last_block) &&
           sink_launch_end(sink, 128);
}

/* ---- What check finds ------------------------------------------------------------------------- */

/* The names of what is found, each behind a "; ". */
static void find(struct plan *p, char found[1024])
{
    static const uint64_t no_line;
    struct check *check = check_new(&no_line);
    size_t count;
    assert_non_null(check);
    const struct trace_sink sink = check_sink(check);
    assert_true(give_all(p, &sink)); /* it never stops */
    const struct check_finding *findings = check_findings(check, &count);
    found[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (findings[i].count) {
            strcat(found, "; ");
            strcat(found, findings[i].name);
            assert_true(findings[i].first[0] != '\0');
        }
    check_free(check);
}

static void assert_found(struct plan p, const char *name)
{
    char found[1024], expected[1024] = "";
    find(&p, found);
    if (name[0])
        snprintf(expected, sizeof expected, "; %s", name);
    assert_string_equal(found, expected);
}

static void nothing_is_wrong_with_a_good_stream(void **state)
{
    (void)state;
    assert_found(plan_good(), "");
}

static void each_fault_is_found_alone(void **state)
{
    struct plan p = plan_good();
    (void)state;
    p.access = (struct warp_access){.active = 1, .resident = UINT32_MAX, .base = 0};
    assert_found(p, "address 0 in an active lane");
    p.access.base = 0x10002;
    assert_found(p, "misaligned addresses");
    p.access.base = 0x11000;
    assert_found(p, "global accesses outside every array");
    p.access.base = 0x10ffc;
    assert_found(p, "");
    p.access.base = UINT64_C(1) << 50;
    assert_found(p, "addresses that the memory space does not have");
    p = plan_good();
    p.access.resident = 0xffff;
    assert_found(p, "active lanes that have ended");
    p = plan_good();
    p.access.warp = 1; /* of 8 lanes, 32 are active */
    assert_found(p, "lanes, warps or blocks that the launch does not have");
    p.access.warp = 7;
    assert_found(p, "lanes, warps or blocks that the launch does not have");
    p = plan_good();
    p.arrays[1].base = 0x10800;
    assert_found(p, "arrays that overlap");
    p = plan_good();
    p.no_warp_end = true;
    assert_found(p, "warps without an end");
    p = plan_good();
    p.after_end = true;
    assert_found(p, "steps behind a warp's end");
    p = plan_good();
    p.launch.grid[0] = 2;
    assert_found(p, "blocks that are missing");
    p.last_block = 1;
    assert_found(p, "blocks that are missing");
    p = plan_good();
    p.no_barrier = true;
    assert_found(p, "shared memory used by two warps without a barrier between");
    p = plan_good();
    p.barrier_of_one = true;
    p.arrays[0].base = 0;
    p.arrays[0].bytes = 0x11000; /* warp 1 loads from address 0 on: its own lanes only */
    p.access.base = 0x10000;
    char found[1024];
    find(&p, found);
    assert_non_null(strstr(found, "warps of a block with different numbers of barriers"));
    p = plan_good();
    p.comes_back = true;
    assert_found(p, "lanes that leave a loop and come back");
    p = plan_good();
    p.no_access = true;
    assert_found(p, "launches without an access");
}

/* ---- What the guard stops at ------------------------------------------------------------------ */

static bool take(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

/* A copy's other side is not looked at when its warp is none of the launch's. */
static void copies_of_no_warp_are_found(void **state)
{
    static const uint64_t no_line;
    const struct async_copy copy = {.bytes = {4}};
    const struct warp_access access = {.base = 0x10000,
                                       .active = 1,
                                       .resident = 1,
                                       .warp = UINT32_MAX,
                                       .width = 4,
                                       .space = SPACE_GLOBAL,
                                       .copy = &copy};
    struct plan p = plan_good();
    struct check *check = check_new(&no_line);
    size_t count, found = 0;
    (void)state;
    assert_non_null(check);
    const struct trace_sink sink = check_sink(check);
    p.launch.arrays = p.arrays;
    assert_true(sink_site(&sink, 0, &sites[0]) && sink_launch_begin(&sink, &p.launch));
    assert_true(sink_copy(
        &sink, &(struct trace_copy){
                   .step = COPY_BEGINS, .warp = UINT32_MAX, .lanes = 1, .access = &access}));
    const struct check_finding *findings = check_findings(check, &count);
    for (size_t i = 0; i < count; i++)
        found += findings[i].count != 0;
    assert_int_equal(found, 1);
    check_free(check);
}

static void assert_stopped(struct plan p, const char *message)
{
    static struct guard guard;
    const struct trace_sink end = {.access = take};
    guard_start(&guard, &end);
    const struct trace_sink sink = guard_sink(&guard);
    bool fine = give_all(&p, &sink);
    assert_string_equal(guard.message, message);
    assert_int_equal(fine, message[0] == '\0');
    guard_free(&guard);
}

static void the_guard_stops_at_the_first_impossible_step(void **state)
{
    struct plan p = plan_good();
    (void)state;
    assert_stopped(p, "");
    p.access.base = 0x10002;
    assert_stopped(p,
                   "step 1: block 0, warp 0, lane 0: address 0x10002 is misaligned: it must be a "
                   "multiple of 4, the bytes of the access");
    p.access.base = UINT64_C(1) << 50;
    assert_stopped(p, "step 1: block 0, warp 0, lane 0: address 0x4000000000000 is beyond "
                      "0x1000000000000");
    p = plan_good();
    p.access.stride = INT64_MIN;
    assert_stopped(p, "step 1: block 0, warp 0, lane 1: address 0x8000000000010000 is beyond "
                      "0x1000000000000");
    p = plan_good();
    p.access.active = 0;
    assert_stopped(p,
                   "step 1: block 0, warp 0: active lanes 0x00000000 of 0xffffffff that run: the "
                   "warp has 0xffffffff");
    p = plan_good();
    p.access.warp = 1;
    assert_stopped(p,
                   "step 1: block 0, warp 1: active lanes 0xffffffff of 0xffffffff that run: the "
                   "warp has 0x000000ff");
    p.access.warp = 2;
    assert_stopped(p, "step 1: warp 2: a block has warps 0 to 1");
    p = plan_good();
    p.last_block = 1;
    assert_stopped(p, "step 1: block 1: expected is one from 0 to 0");
    p = plan_good();
    p.no_warp_end = true;
    assert_stopped(p, "step 7: block 0 ends, its warp 1 does not");
    p = plan_good();
    p.after_end = true;
    assert_stopped(p, "step 7: a step of warp 0 of block 0, which has ended");
    p = plan_good();
    p.launch.block[0] = 1025;
    assert_stopped(
        p, "step 1: launch of k: a grid of 1 x 1 x 1 blocks of 1025 x 1 x 1 threads: allowed "
           "are 1 to 1024 threads, and 2147483647 x 65535 x 65535 blocks, below "
           "4294967296 in all");
    p = plan_good();
    p.launch.dynamic_shared_bytes = 1 << 20;
    assert_stopped(p,
                   "step 1: launch of k: 1048576 bytes of shared memory and 0 registers a thread: "
                   "allowed are 233472 and 255");
    p = plan_good();
    p.arrays[0].bytes = UINT64_MAX;
    assert_stopped(p, "step 1: array in of 18446744073709551615 bytes at 0x10000 is beyond the "
                      "address space");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_wrong_with_a_good_stream),
        cmocka_unit_test(each_fault_is_found_alone),
        cmocka_unit_test(copies_of_no_warp_are_found),
        cmocka_unit_test(the_guard_stops_at_the_first_impossible_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
