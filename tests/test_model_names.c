/* test_model_names.c - is a GPU found by its chip, its compute capability and nothing else, and is there a hint for one that
 * is no model? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "models/capabilities.h"
#include "models/models.h"

enum { NAME_BYTES = 64, SM_END = 1000 };

static void assert_finds(const char *name, const struct gpu_model *expected)
{
    const struct gpu_model *found = models_find(name);

    if (found != expected) {
        fail_msg("%s: %s instead of %s", name, found != NULL ? found->name : "none",
                 expected != NULL ? expected->name : "none");
    }
}

static void a_chip_is_found_by_name_in_any_case_and_with_underlines(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        char upper[NAME_BYTES], file[NAME_BYTES];
        size_t length = strlen(models[m]->name);

        assert_true(length < NAME_BYTES);
        for (size_t i = 0; i <= length; i++) {
            char c = models[m]->name[i];

            upper[i] = (char)toupper((unsigned char)c);
            file[i] = c == '-' ? '_' : c;
        }
        assert_finds(models[m]->name, models[m]);
        assert_finds(upper, models[m]);
        assert_finds(file, models[m]);
    }
}

/* The default chip of the nearest of the compute capabilities with the same rules and major version,
 * searched outwards; NULL when there is none. */
static const struct gpu_model *default_near(int64_t sm)
{
    const struct capability *row = capability_find(sm);

    for (int64_t distance = 0; row != NULL && distance < 10; distance++) {
        for (int side = -1; side <= 1; side += 2) {
            int64_t near = sm + side * distance;
            const struct capability *other = capability_find(near);

            if (other == NULL || other->rules != row->rules || near / 10 != sm / 10) {
                continue;
            }
            for (size_t m = 0; m < model_count; m++) {
                if (models[m]->sm.value == near && models[m]->is_default) {
                    return models[m];
                }
            }
        }
    }
    return NULL;
}

static void a_rule_set_stands_for_its_default_chip_or_the_nearest_of_its_relatives(void **state)
{
    static const char *const forms[] = {"sm_%d", "SM_%d", "Sm_%d", "%d"};

    (void)state;
    for (int sm = 0; sm < SM_END; sm++) {
        const struct gpu_model *expected = default_near(sm);

        for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
            char name[NAME_BYTES];

            snprintf(name, sizeof name, forms[i], sm);
            assert_finds(name, expected);
        }
    }
}

static void a_default_is_found_by_its_own_capability(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        char name[NAME_BYTES];

        snprintf(name, sizeof name, "sm_%d", (int)models[m]->sm.value);
        if (models[m]->is_default) {
            assert_finds(name, models[m]);
        }
    }
}

static void an_unknown_name_is_not_found(void **state)
{
    static const char *const names[] = {
        "",     "s",     "sm",    "sm_",    "sm_1",   "1",   "sm_1300", "0013",
        "sm13", "sm_1x", "sm_-1", "sm_13 ", "sm_013", " 13", "sm-13",   "sm_+13",
    };
    static const char *const changes[] = {" %s", "%s ", "%s?", "-%s", "%s-"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_finds(names[i], NULL);
    }
    for (size_t m = 0; m < model_count; m++) {
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            char name[NAME_BYTES];

            snprintf(name, sizeof name, changes[i], models[m]->name);
            assert_finds(name, NULL);
        }
    }
}

/* A model is a product like any other, so the list of products knows it. */
static void products_have_the_compute_capability_of_their_models(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        if (models_guess_sm(models[m]->name) != models[m]->sm.value ||
            models_guess_sm(models[m]->title) != models_guess_sm(models[m]->name)) {
            fail_msg("%s, %s: %d, %d", models[m]->name, models[m]->title,
                     models_guess_sm(models[m]->name), models_guess_sm(models[m]->title));
        }
    }
}

/* From the vendor's list of compute capabilities by product. */
static void other_products_have_theirs(void **state)
{
    static const struct {
        const char *name;
        int sm;
    } products[] = {
        {"rtx5060ti", 120},
        {"GeForce RTX 5070 Ti", 120},
        {"b300", 103},
        {"gb200", 100},
        {"h20", 90},
        {"L40", 89},
        {"a800", 80},
        {"RTX A5000", 86},
        {"rtx3050", 86},
        {"NVIDIA A16", 86},
        {"rtx2080", 75},
        {"GTX 1650", 75},
        {"Quadro RTX 8000", 75},
        {"rtx6000ada", 89},
        {"rtx6000", 75},
        {"titan-v", 70},
        {"Jetson Xavier", 72},
        {"gtx1050ti", 61},
        {"Tesla P40", 61},
        {"gtx960", 52},
        {"gtx750", 50},
        {"Tesla K80", 37},
        {"gtx770", 30},
        {"gtx560", 21},
        {"c2050", 20},
        {"gt240", 12},
        {"9800gtx", 11},
        {"8800ultra", 10},
        {"radeon", 0},
        {"", 0},
        {"nvidia", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof products / sizeof products[0]; i++) {
        if (models_guess_sm(products[i].name) != products[i].sm) {
            fail_msg("%s: %d", products[i].name, models_guess_sm(products[i].name));
        }
    }
}

static void assert_advice(const char *name, const char *part)
{
    char text[MODELS_ADVICE_BYTES];

    if (strstr(models_advice(name, text), part) == NULL) {
        fail_msg("%s: %s", name, text);
    }
}

static void advice_names_rules_that_can_be_taken(void **state)
{
    (void)state;
    assert_advice("rtx3050", "; sm_86 has its rules, with the sizes of rtx3090, and --arch-file");
    assert_advice("b300", "; sm_103 has its rules, with the sizes of b200");
    assert_advice("sm_110", "; there are no rules of sm_110: the nearest are sm_103 and sm_120");
    assert_advice("sm_200", "the nearest is sm_121");
    assert_advice("radeon", "; sm_86, say, has the rules of compute capability 8.6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chip_is_found_by_name_in_any_case_and_with_underlines),
        cmocka_unit_test(a_rule_set_stands_for_its_default_chip_or_the_nearest_of_its_relatives),
        cmocka_unit_test(a_default_is_found_by_its_own_capability),
        cmocka_unit_test(an_unknown_name_is_not_found),
        cmocka_unit_test(products_have_the_compute_capability_of_their_models),
        cmocka_unit_test(other_products_have_theirs),
        cmocka_unit_test(advice_names_rules_that_can_be_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
