/* test_playground_core.c - do the functions that the playground's page calls answer whatever is asked? */
#include <stdlib.h>
#include <string.h>

#include "models/models.h"
#include "playground/playground.h"
#include "test_support.h"

enum { INPUT_BYTES = 8192 };

static void ask(const char *gpu, const char *expression)
{
    char *input = playground_input();
    strcpy(input, gpu);
    strcpy(input + strlen(gpu) + 1, expression);
}

static void an_access_is_explained_and_drawn(void **state)
{
    (void)state;
    ask("gtx280", "ld.global.f32 [tx*2]");
    assert_non_null(strstr(playground_explain(), "\"bytes_moved\":256"));
    assert_non_null(strstr(playground_draw(), "T2: 128 B"));
    assert_null(strstr(playground_draw(), "<style>"));
    assert_non_null(strstr(playground_draw_alone(), "<style>"));
}

static void a_mistake_is_an_error_and_no_picture(void **state)
{
    (void)state;
    ask("h200", "ld.global.f32 [tx*2");
    assert_string_equal(playground_explain(),
                        "{\"error\":\"column 20: ']' is missing; allowed: [index]\"}");
    assert_string_equal(playground_draw(), "");
    ask("h201", "ld.global.f32");
    assert_string_equal(playground_explain(), "{\"error\":\"there is no such GPU\"}");
    assert_string_equal(playground_draw_alone(), "");
}

static void input_without_an_end_has_one(void **state)
{
    (void)state;
    memset(playground_input(), 'x', INPUT_BYTES);
    assert_non_null(strstr(playground_explain(), "error"));
    ask("h200", "");
    memset(playground_input() + 5, 'x', INPUT_BYTES - 5);
    assert_non_null(strstr(playground_explain(), "unknown operation 'xxxxxxxxxxxxxxxxxxxx...'"));
}

static void all_gpus_are_listed(void **state)
{
    (void)state;
    size_t lines = 1;
    for (const char *at = playground_gpus(); (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 3 * model_count);
    assert_non_null(strstr(playground_gpus(), "gtx280\nGeForce GTX 280\n13\n"));
    assert_non_null(strstr(playground_style(), ":root[data-theme=dark] svg .ink{"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_is_explained_and_drawn),
        cmocka_unit_test(a_mistake_is_an_error_and_no_picture),
        cmocka_unit_test(input_without_an_end_has_one),
        cmocka_unit_test(all_gpus_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
