/* test_explain_svg.c - does a picture show what the explanation says, and stay within its frame?
 *
 * Elements are found by what a pointer over them would show. Usage: test_explain_svg [SEED].
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "expression/expression.h"
#include "explain/explain.h"
#include "explain/explained.h"
#include "explain_output.h"
#include "models/models.h"
#include "test_support.h"

enum { CASES = 600, DEEPEST = 16, NAME_BYTES = 16 };

static uint64_t seed = 20260314;
static char *picture;

static void draw(const struct warp_access *a, const struct gpu_model *model,
                 const struct arch *arch)
{
    size_t bytes;
    free(picture);
    FILE *out = open_memstream(&picture, &bytes);
    assert_non_null(out);
    explain_access_svg(a, model, arch, SVG_IN_PAGE, out);
    assert_int_equal(fclose(out), 0);
}

static void draw_expression(enum part part, const char *text)
{
    struct expression e;
    struct arch arch;
    char error[256];
    const struct gpu_model *model = part_choose(part, &arch);
    assert_true(expression_parse(text, &e, error, sizeof error));
    draw(&e.access, model, &arch);
}

static unsigned count(const char *piece)
{
    unsigned found = 0;
    for (const char *at = picture; (at = strstr(at, piece)) != NULL; at++)
        found++;
    return found;
}

/* The value of an attribute of the element from `at` to `end`. */
static const char *attribute(const char *at, const char *end, const char *name)
{
    const char *found = memmem(at, (size_t)(end - at), name, strlen(name));
    return found ? found + strlen(name) : NULL;
}

static double number_of(const char *at, const char *end, const char *name)
{
    const char *value = attribute(at, end, name);
    assert_non_null(value);
    return strtod(value, NULL);
}

/* Rects lie within the frame, and so do the beginnings of texts. */
static void check_place(const char *at, const char *end, double width, double height)
{
    const bool is_rect = strncmp(at, "<rect", 5) == 0;
    if (!is_rect && strncmp(at, "<text", 5) != 0)
        return;
    const double x = number_of(at, end, " x=\""), y = number_of(at, end, " y=\"");
    assert_true(x >= 0 && y >= 0);
    assert_true(x + (is_rect ? number_of(at, end, " width=\"") : 0) <= width);
    assert_true(y + (is_rect ? number_of(at, end, " height=\"") : 0) <= height);
}

/* The classes are some that the style sheet has. */
static void check_classes(const char *name, const char *end)
{
    while (name && name < end && *name != '"') {
        const size_t length = strcspn(name, " \"");
        size_t i = 0;
        while (i < svg_class_count && (strncmp(svg_classes[i].name, name, length) != 0 ||
                                       svg_classes[i].name[length] != '\0'))
            i++;
        if (i == svg_class_count)
            fail_msg("no class %.*s", (int)length, name);
        name += length + (name[length] == ' ');
    }
}

/* Every element is closed, in turn, and stands where it may. */
static void check_elements(void)
{
    char open[DEEPEST][NAME_BYTES];
    unsigned depth = 0;
    const char *frame = strchr(picture, '>');
    const double width = number_of(picture, frame, " width=\"");
    const double height = number_of(picture, frame, " height=\"");
    for (const char *at = picture; (at = strchr(at, '<')) != NULL; at++) {
        const char *end = strchr(at, '>'), *name = at + 1 + (at[1] == '/');
        const size_t length = strcspn(name, " />");
        assert_non_null(end);
        assert_in_range(length, 1, NAME_BYTES - 1);
        if (at[1] == '/') {
            assert_true(depth != 0 && strncmp(open[--depth], name, length) == 0);
        } else if (end[-1] != '/') {
            assert_true(depth < DEEPEST);
            snprintf(open[depth++], NAME_BYTES, "%.*s", (int)length, name);
        }
        check_place(at, end, width, height);
        check_classes(attribute(at, end, " class=\""), end);
    }
    assert_int_equal(depth, 0);
}

/* Banks that serve somebody, in all passes. */
static unsigned busy_banks(const struct bank_plan *plan)
{
    unsigned busy = 0;
    for (uint32_t i = 0; i < plan->passes; i++)
        for (uint32_t bank = 0; bank < plan->banks; bank++)
            busy += plan->pass[i].lanes[bank] != 0;
    return busy;
}

static void check_drawn(const struct explained *x)
{
    const unsigned links = count("class=\"flow\"");
    assert_int_equal(count("<title>lane "), WARP_LANES);
    assert_int_equal(count(" is off</title>"), WARP_LANES - x->lanes);
    if (x->path == PATH_MEMORY) {
        for (uint32_t i = 0; i < x->moved.transactions; i++) {
            char bar[64];
            snprintf(bar, sizeof bar, "<title>T%u: %u bytes for lane", (unsigned)i + 1,
                     (unsigned)x->moved.list[i].bytes);
            assert_non_null(strstr(picture, bar));
        }
        assert_int_equal(count("<title>T"), x->moved.transactions);
        assert_int_equal(links, x->lanes);
    } else if (x->path == PATH_BANKS) {
        if (!strstr(picture, "more passes of the same kind"))
            assert_int_equal(count("<title>pass "), busy_banks(&x->banks));
        assert_int_equal(links, x->lanes);
    } else {
        assert_int_equal(count("<title>pass "), x->constant.passes);
        assert_true(links == x->lanes);
    }
}

static void pictures_of_any_access_show_all_of_it(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        struct arch arch;
        struct explained x;
        const struct gpu_model *model = part_choose((enum part)(number % PARTS), &arch);
        access_case_draw(&random, &c);
        c.access.space = (uint8_t)random_below(&random, SPACE_COUNT);
        c.access.op = c.access.space == SPACE_GLOBAL || c.access.space == SPACE_SHARED
                          ? (uint8_t)random_below(&random, OP_COUNT)
                          : OP_LOAD;
        const struct explain_subject subject = {.access = &c.access, .model = model, .arch = &arch};
        assert_true(explained_make(&subject, &x));
        draw(&c.access, model, &arch);
        check_elements();
        check_drawn(&x);
    }
}

static void a_perfect_access_is_straight_lines(void **state)
{
    (void)state;
    draw_expression(H200, "ld.global.f32 base=0x80");
    for (const char *at = picture; (at = strstr(at, "<path d=\"M")) != NULL; at++) {
        const double from = strtod(at + 10, NULL);
        const char *last = strchr(at + 10, '"');
        while (last[-1] != ' ')
            last--; /* y of the end */
        last--;
        while (last[-1] != ' ')
            last--; /* x of the end */
        assert_true(fabs(strtod(last, NULL) - from) < 0.01);
    }
    assert_int_equal(count(">T1: 32 B<"), 1);
    assert_int_equal(count("100.0 %"), 1);
}

static void sm_1x_shows_half_warps_apart_and_what_moves_again(void **state)
{
    (void)state;
    draw_expression(FX5600, "ld.global.f32 base=132");
    assert_int_equal(count("half-warp 0: lanes 0 to 15"), 1);
    assert_int_equal(count(">T1-T7: 7 x 32 B<"), 1);
    assert_int_equal(count(">12.5 %<"), 1);
    assert_int_equal(count("moved, not used: 4 of 32 bytes from 0x80<"), 1);
}

static void a_conflict_stands_in_one_column(void **state)
{
    (void)state;
    draw_expression(H200, "ld.shared.f32 stride=128");
    assert_int_equal(count(", bank 0: lane "), 32);
    assert_int_equal(count("32-way"), 1);
    draw_expression(H200, "ld.shared.f32 stride=0");
    assert_int_equal(count("pass 1, bank 0: lanes 0-31, word 0x0<"), 1);
    assert_int_equal(count("\xc3\x97"
                           "32<"),
                     1);
}

static void a_gpu_without_rules_says_so(void **state)
{
    (void)state;
    struct arch arch;
    struct expression e;
    char error[256];
    const struct gpu_model *model = part_choose(H200, &arch);
    assert_true(expression_parse("ld.global.f32", &e, error, sizeof error));
    arch.sm = 40;
    draw(&e.access, model, &arch);
    check_elements();
    assert_int_equal(count("H200: there are no access rules for sm_40"), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_any_access_show_all_of_it),
        cmocka_unit_test(a_perfect_access_is_straight_lines),
        cmocka_unit_test(sm_1x_shows_half_warps_apart_and_what_moves_again),
        cmocka_unit_test(a_conflict_stands_in_one_column),
        cmocka_unit_test(a_gpu_without_rules_says_so),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(picture);
    return failed;
}
