/* test_observe.c - is what a run looks like (shapes, banks, elements) what its accesses are, to the last digit? */
#include "observe/observer.h"

#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "test_support.h"

enum { GPUS = 2, OLD = 0, NEW = 1 }; /* gtx280, h200 */

static const struct trace_site all_sites[] = {
    {"a.c", 7, "data", SPACE_GLOBAL, OP_LOAD, 4},  {"a.c", 7, "tile", SPACE_SHARED, OP_LOAD, 4},
    {"a.c", 9, "data", SPACE_GLOBAL, OP_STORE, 4}, {"a.c", 9, "other", SPACE_GLOBAL, OP_LOAD, 4},
    {"a.c", 11, "", SPACE_GLOBAL, OP_LOAD, 4},
};
enum { LOAD, SHARED, STORE, OTHER, NAMELESS };

static bool take(void *context, const struct warp_access *access)
{
    (void)access;
    ++*(uint64_t *)context;
    return true;
}

/* What is seen of `count` accesses, to be freed; all of them reach the next sink. */
static struct observation *observe(const struct warp_access *accesses, size_t count,
                                   uint32_t only_line)
{
    const struct trace_site *sites = all_sites;
    struct arch arches[GPUS];
    const struct arch *pointers[GPUS] = {&arches[OLD], &arches[NEW]};
    const struct trace_array arrays[] = {{"data", 0x10000, 0x10000, HOME_DEVICE},
                                         {"other", 0x30000, 0x1000, HOME_DEVICE}};
    const struct launch_info launch = {.arrays = arrays, .array_count = 2};
    uint64_t passed = 0;
    struct observer observer;
    const struct trace_sink next = {.context = &passed, .access = take};
    arch_from_model(models_find("gtx280"), &arches[OLD]);
    arch_from_model(models_find("h200"), &arches[NEW]);
    assert_true(observer_start(&observer, pointers, GPUS, &sites, only_line));
    const struct trace_sink sink = observer_sink(&observer, &next);
    assert_true(sink_launch_begin(&sink, &launch));
    for (size_t i = 0; i < count; i++)
        assert_true(sink_access(&sink, &accesses[i]));
    struct observation *seen = observer_finish(&observer);
    observer_free(&observer);
    assert_non_null(seen);
    assert_int_equal(passed, count);
    return seen;
}

static struct warp_access affine(uint32_t site, uint64_t base, int64_t stride)
{
    return (struct warp_access){.base = base,
                                .stride = stride,
                                .active = UINT32_MAX,
                                .resident = UINT32_MAX,
                                .site = site,
                                .width = all_sites[site].width,
                                .op = all_sites[site].op,
                                .space = all_sites[site].space};
}

static void a_shift_by_a_line_is_the_same_shape(void **state)
{
    (void)state;
    const struct warp_access accesses[] = {affine(LOAD, 0x10000, 4), affine(LOAD, 0x10080, 4),
                                           affine(LOAD, 0x10004, 4), affine(LOAD, 0x10204, 4),
                                           affine(LOAD, 0x10384, 4)};
    struct observation *seen = observe(accesses, 5, 0);
    assert_int_equal(seen->place_count, 1);
    const struct observed_place *place = &seen->places[0];
    assert_int_equal(place->count, 5);
    assert_int_equal(place->shape_count, 2);
    assert_int_equal(observed_typical(place)->count, 3);
    assert_int_equal(observed_typical(place)->first.access.base, 0x10004);
    assert_string_equal(observed_typical(place)->first.array, "data");
    assert_false(place->dropped);
    observation_free(seen);
}

static void the_costliest_is_each_gpus_own(void **state)
{
    (void)state;
    /* gtx280: half-warps, one transaction each for either of the first two; h200: sectors. */
    const struct warp_access accesses[] = {affine(LOAD, 0x10000, 4), affine(LOAD, 0x10000, 8),
                                           affine(LOAD, 0x10000, 4), affine(LOAD, 0x10000, 128)};
    struct observation *seen = observe(accesses, 3, 0);
    assert_int_equal(seen->places[0].worst[OLD].cost, 2);
    assert_int_equal(seen->places[0].worst[OLD].access.access.stride, 4);
    assert_int_equal(seen->places[0].worst[NEW].cost, 8);
    assert_int_equal(seen->places[0].worst[NEW].access.access.stride, 8);
    assert_int_equal(seen->places[0].worst[NEW].typical_cost, 4);
    observation_free(seen);
    seen = observe(accesses, 4, 0);
    assert_int_equal(seen->places[0].worst[OLD].cost, 32);
    assert_int_equal(seen->places[0].worst[NEW].cost, 32);
    observation_free(seen);
}

static void listed_addresses_are_kept(void **state)
{
    (void)state;
    uint64_t addr[WARP_LANES];
    for (uint32_t i = 0; i < WARP_LANES; i++)
        addr[i] = 0x10000 + 4 * (i ^ 1);
    struct warp_access access = affine(LOAD, 0, 0);
    access.addr = addr;
    struct observation *seen = observe(&access, 1, 0);
    memset(addr, 0, sizeof addr);
    const struct warp_access *kept = &observed_typical(&seen->places[0])->first.access;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        assert_int_equal(access_addr(kept, i), 0x10000 + 4 * (i ^ 1));
    observation_free(seen);
}

/* 40 shapes once each and one that comes in between each time: more shapes than there is room for. */
static void the_most_frequent_of_many_shapes_is_found(void **state)
{
    (void)state;
    struct warp_access accesses[80];
    for (uint32_t i = 0; i < 40; i++) {
        accesses[2 * i] = affine(SHARED, 0, 4 * (i + 2));
        accesses[2 * i + 1] = affine(SHARED, 4, 4);
    }
    struct observation *seen = observe(accesses, 80, 0);
    const struct observed_place *place = &seen->places[0];
    uint64_t accesses_by_ways = 0;
    for (uint32_t ways = 0; ways <= OBSERVED_WAYS; ways++)
        accesses_by_ways += place->banks[NEW].ways[ways];
    assert_true(place->dropped);
    assert_int_equal(place->shape_count, OBSERVED_SHAPES);
    assert_int_equal(observed_typical(place)->first.access.stride, 4);
    assert_int_equal(observed_typical(place)->count, 40);
    assert_int_equal(accesses_by_ways, 80); /* dropped ones too */
    assert_int_equal(place->worst[NEW].cost, 32);
    assert_int_equal(place->worst[NEW].access.access.stride, 128);
    observation_free(seen);
}

static void check_ways(int64_t stride, uint32_t old_ways, uint32_t new_ways,
                       uint64_t words_of_bank_0)
{
    const struct warp_access accesses[] = {affine(SHARED, 0, stride), affine(SHARED, 256, stride)};
    struct observation *seen = observe(accesses, 2, 0);
    const struct observed_banks *banks = seen->places[0].banks;
    assert_int_equal(banks[OLD].ways[old_ways], 2);
    assert_int_equal(banks[NEW].ways[new_ways], 2);
    assert_int_equal(banks[NEW].words[0], 2 * words_of_bank_0);
    observation_free(seen);
}

static void banks_count_words_and_ways(void **state)
{
    (void)state;
    check_ways(0, 1, 1, 1);     /* one word for all */
    check_ways(4, 1, 1, 1);     /* a word a bank */
    check_ways(8, 2, 2, 2);     /* every second bank */
    check_ways(64, 16, 16, 16); /* two banks of 32, one of 16 */
    check_ways(128, 16, 32, 32);
    check_ways(132, 1, 1, 1); /* padded */
}

static void wide_words_take_several_banks(void **state)
{
    (void)state;
    struct warp_access access = affine(SHARED, 0, 16);
    access.width = 16;
    struct observation *seen = observe(&access, 1, 0);
    for (uint32_t bank = 0; bank < 32; bank++)
        assert_int_equal(seen->places[0].banks[NEW].words[bank], 4);
    assert_int_equal(seen->places[0].banks[NEW].ways[1], 1);
    observation_free(seen);
}

static void elements_are_found_in_strides(void **state)
{
    (void)state;
    /* Structs of 16 bytes: bytes 0 to 3 loaded, 8 to 11 stored. */
    const struct warp_access accesses[] = {affine(LOAD, 0x10000, 16), affine(LOAD, 0x10200, 16),
                                           affine(STORE, 0x10008, 16), affine(OTHER, 0x30000, 4)};
    struct observation *seen = observe(accesses, 4, 0);
    assert_int_equal(seen->element_count, 1); /* `other` is a plain array */
    const struct observed_element *element = &seen->elements[0];
    assert_string_equal(element->array, "data");
    assert_int_equal(element->bytes, 16);
    assert_int_equal(element->touched, 0x0f0f);
    assert_int_equal(element->field_count, 2);
    assert_int_equal(element->fields[0].offset, 0);
    assert_true(element->fields[0].loaded && !element->fields[0].stored);
    assert_int_equal(element->fields[1].offset, 8);
    assert_int_equal(element->fields[1].line, 9);
    assert_true(element->fields[1].stored && !element->fields[1].loaded);
    observation_free(seen);
}

static void check_elements(const struct warp_access *accesses, size_t count, size_t elements)
{
    struct observation *seen = observe(accesses, count, 0);
    assert_int_equal(seen->element_count, elements);
    observation_free(seen);
}

static void what_is_no_element_is_none(void **state)
{
    (void)state;
    const struct warp_access column = affine(LOAD, 0x10000, 1024);
    const struct warp_access nameless = affine(NAMELESS, 0x10000, 16);
    const struct warp_access nowhere = affine(LOAD, 0x90000, 16);
    const struct warp_access broadcast = affine(LOAD, 0x10010, 0);
    const struct warp_access whole[] = {affine(LOAD, 0x10000, 12), affine(LOAD, 0x10004, 12),
                                        affine(LOAD, 0x10008, 12)}; /* one site takes all words */
    check_elements(&column, 1, 0);
    check_elements(&nameless, 1, 0);
    check_elements(&nowhere, 1, 0);
    check_elements(&broadcast, 1, 0);
    check_elements(whole, 3, 0);
    check_elements(whole, 1, 1);
}

static void lanes_that_are_apart_tell_no_smaller_step(void **state)
{
    (void)state;
    struct warp_access access = affine(LOAD, 0x10000, 8);
    access.active = 0x55555555; /* lanes 0, 2, 4, ... */
    struct observation *seen = observe(&access, 1, 0);
    assert_int_equal(seen->elements[0].bytes, 16);
    assert_int_equal(seen->elements[0].touched, 0xf);
    observation_free(seen);
}

static void one_line_alone(void **state)
{
    (void)state;
    const struct warp_access accesses[] = {affine(LOAD, 0x10000, 16), affine(SHARED, 0, 4),
                                           affine(STORE, 0x10000, 4)};
    struct observation *seen = observe(accesses, 3, 7);
    assert_int_equal(seen->place_count, 2);
    assert_int_equal(seen->places[0].space, SPACE_GLOBAL);
    assert_int_equal(seen->places[1].space, SPACE_SHARED);
    assert_int_equal(seen->element_count, 0);
    observation_free(seen);
}

/* The copy beside an access is gone after the call: what is kept is kept with it, and another destination is another shape. */
static void a_copy_is_kept_with_its_access(void **state)
{
    (void)state;
    struct async_copy copies[3] = {{.past_l1 = true}};
    struct warp_access accesses[3];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        copies[0].to[lane] = 16 * lane;
        copies[0].bytes[lane] = 16;
    }
    copies[1] = copies[2] = copies[0];
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        copies[1].to[lane] = 144 * lane; /* the costliest */
        copies[2].to[lane] += 512;       /* as the first */
    }
    for (unsigned i = 0; i < 3; i++) {
        accesses[i] = affine(LOAD, 0x10000, 16);
        accesses[i].width = 16;
        accesses[i].copy = &copies[i];
    }
    const struct trace_site *sites = all_sites;
    struct arch arch;
    const struct arch *pointer = &arch;
    struct observer observer;
    const struct trace_sink next = {.context = NULL};
    arch_from_model(models_find("h200"), &arch);
    assert_true(observer_start(&observer, &pointer, 1, &sites, 7));
    const struct trace_sink sink = observer_sink(&observer, &next);
    assert_true(sink_launch_begin(&sink, &(struct launch_info){0}));
    for (unsigned i = 0; i < 3; i++)
        assert_true(sink_copy(
            &sink, &(struct trace_copy){.step = COPY_BEGINS, .lanes = 1, .access = &accesses[i]}));
    memset(copies, 0xff, sizeof copies);
    struct observation *seen = observer_finish(&observer);
    observer_free(&observer);
    assert_non_null(seen);
    const struct observed_place *place = &seen->places[0];
    assert_int_equal(place->shape_count, 2);
    assert_int_equal(place->shapes[0].count, 2);
    assert_int_equal(place->shapes[0].first.access.copy->to[31], 16 * 31);
    const struct kept_access *worst = &place->worst[0].access;
    assert_ptr_equal(worst->access.copy, &worst->copy);
    assert_int_equal(worst->copy.to[31], 144 * 31);
    assert_int_equal(worst->copy.bytes[31], 16);
    observation_free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_by_a_line_is_the_same_shape),
        cmocka_unit_test(the_costliest_is_each_gpus_own),
        cmocka_unit_test(listed_addresses_are_kept),
        cmocka_unit_test(the_most_frequent_of_many_shapes_is_found),
        cmocka_unit_test(banks_count_words_and_ways),
        cmocka_unit_test(wide_words_take_several_banks),
        cmocka_unit_test(elements_are_found_in_strides),
        cmocka_unit_test(what_is_no_element_is_none),
        cmocka_unit_test(lanes_that_are_apart_tell_no_smaller_step),
        cmocka_unit_test(one_line_alone),
        cmocka_unit_test(a_copy_is_kept_with_its_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
