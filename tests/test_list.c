/* test_list.c - does a list that grows keep its items, and is one that cannot grow as it was? */
#include "text/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void items_stay_while_the_list_grows(void **state)
{
    uint64_t *items = NULL;
    size_t room = 0;
    (void)state;
    for (size_t count = 0; count < 1000; count++) {
        assert_true(LIST_MAKE_ROOM(items, count, room));
        assert_true(room > count);
        items[count] = 3 * count;
    }
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], 3 * i);
    free(items);
}

static void a_list_with_room_does_not_grow(void **state)
{
    char one[1], *items = one;
    size_t room = 1;
    (void)state;
    assert_true(LIST_MAKE_ROOM(items, 0, room));
    assert_ptr_equal(items, one);
    assert_int_equal(room, 1);
}

static void a_size_beyond_all_memory_leaves_the_list_as_it_was(void **state)
{
    char one[1], *items = one;
    size_t room = SIZE_MAX / 4;
    (void)state;
    assert_false(list_grow(&items, &room, 8));
    assert_ptr_equal(items, one);
    assert_int_equal(room, SIZE_MAX / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_stay_while_the_list_grows),
        cmocka_unit_test(a_list_with_room_does_not_grow),
        cmocka_unit_test(a_size_beyond_all_memory_leaves_the_list_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
