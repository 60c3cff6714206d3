/* test_models.c - is the table of GPUs complete, consistent and findable? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "models/models.h"

static void every_value_has_a_source_and_lies_in_range(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        for (size_t f = 0; f < arch_field_count; f++) {
            const struct arch_field *field = &arch_fields[f];
            const struct model_value *value = arch_model_value(models[m], field);

            if (value->source == SOURCE_NONE || value->reference == NULL ||
                value->reference[0] == '\0' || value->value < field->min ||
                value->value > field->max) {
                fail_msg("%s: %s = %lld", models[m]->name, field->name, (long long)value->value);
            }
        }
    }
}

static void no_values_contradict_each_other(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;
        arch_from_model(models[m], &arch);
        if (arch_contradiction(&arch))
            fail_msg("%s: %s", models[m]->name, arch_contradiction(&arch));
    }
}

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static void names_are_plain_and_unique(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        for (const char *c = models[m]->name; *c != '\0'; c++) {
            assert_true(is_plain(*c));
        }
        assert_non_null(models[m]->title);
        assert_non_null(models[m]->about);
        for (size_t other = 0; other < m; other++) {
            assert_string_not_equal(models[m]->name, models[other]->name);
        }
    }
}

static void the_list_runs_from_old_to_new(void **state)
{
    (void)state;
    assert_true(model_count > 1);
    for (size_t m = 1; m < model_count; m++) {
        assert_true(models[m - 1]->sm.value <= models[m]->sm.value);
    }
}

static void each_sm_has_one_default(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        int defaults = 0;

        for (size_t other = 0; other < model_count; other++) {
            defaults += models[other]->sm.value == models[m]->sm.value && models[other]->is_default;
        }
        assert_int_equal(defaults, 1);
    }
}

static void limits_of_a_model_fit_together(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;

        arch_from_model(models[m], &arch);
        assert_true(arch.shared_bytes_per_block_max <= arch.shared_bytes_per_sm);
        assert_true(arch.threads_per_block_max <= arch.warps_per_sm * 32);
        assert_int_equal(arch.register_per_block, arch.sm < 20);
        assert_int_equal(arch.grid_x_max > 65535, arch.sm >= 30);
        assert_int_equal(arch.grid_z_max > 1, arch.sm >= 20);
        assert_int_equal(arch.partition_hashed, arch.sm >= 20);
        assert_int_equal(arch.l1_bytes > 0, arch.sm >= 20);
        assert_int_equal(arch.l2_bytes > 0, arch.sm >= 20);
        assert_int_equal(arch.shared_reserved_per_block == 1024, arch.sm >= 80);
    }
}

/* Peak bandwidth is clock x bus width x transfers a clock. Memory clocks are given the way CUDA's
 * device query gives them, so two transfers a clock should fit everywhere; the other rates are
 * there for models that follow a data sheet. */
static void peak_bandwidth_follows_from_clock_and_bus(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        int64_t peak = models[m]->peak_megabytes_per_s.value;
        int64_t one_transfer =
            models[m]->memory_clock_khz.value * models[m]->memory_bus_bits.value / 8 / 1000;
        bool fits = false;

        for (int64_t rate = 2; rate <= 16; rate *= 2) {
            fits = fits || llabs(rate * one_transfer - peak) * 50 <= peak;
        }
        if (!fits) {
            fail_msg("%s: %lld MB/s, %lld a transfer", models[m]->name, (long long)peak,
                     (long long)one_transfer);
        }
    }
}

static void assert_finds(const char *name, const char *expected)
{
    const struct gpu_model *found = models_find(name);

    if (found == NULL || strcmp(found->name, expected) != 0) {
        fail_msg("%s: %s instead of %s", name, found != NULL ? found->name : "none", expected);
    }
}

static void a_chip_is_found_by_name_in_any_case(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        assert_finds(models[m]->name, models[m]->name);
    }
    assert_finds("GTX280", "gtx280");
    assert_finds("Tegra-X1", "tegra-x1");
    assert_finds("tegra_x1", "tegra-x1");
}

static void a_rule_set_stands_for_its_default_chip(void **state)
{
    static const char *const cases[][2] = {
        {"sm_10", "fx5600"},    {"sm_13", "gtx280"}, {"13", "gtx280"},    {"SM_13", "gtx280"},
        {"sm_20", "m2090"},     {"sm_35", "k20x"},   {"sm_52", "gtx980"}, {"sm_53", "tegra-x1"},
        {"sm_60", "p100"},      {"70", "v100"},      {"sm_80", "a100"},   {"sm_61", "gtx1080ti"},
        {"sm_75", "rtx2080ti"}, {"sm_90", "h200"},   {"Sm_90", "h200"},   {"sm_89", "rtx4070ti"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_finds(cases[i][0], cases[i][1]);
    }
}

static void a_rule_set_without_a_chip_takes_the_nearest_of_its_family(void **state)
{
    static const char *const cases[][2] = {
        {"sm_11", "fx5600"}, {"sm_12", "gtx280"},    {"sm_21", "m2090"}, {"sm_30", "k20x"},
        {"sm_32", "k20x"},   {"sm_37", "k20x"},      {"50", "gtx980"},   {"sm_62", "gtx1080ti"},
        {"sm_72", "v100"},   {"sm_86", "rtx4070ti"}, {"sm_82", "a100"},  {"sm_87", "rtx4070ti"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_finds(cases[i][0], cases[i][1]);
    }
}

static void an_unknown_name_is_not_found(void **state)
{
    static const char *const names[] = {
        "",      "s",       "sm",      "sm_",     "sm_1",  "1",      "sm_130", "130",   "sm13",
        "sm_1x", "sm_14",   "sm_22",   "sm_40",   "sm_54", "sm_63",  "sm_76",  "sm_91", "sm_99",
        "gtx28", "gtx2800", "gtx 280", " gtx280", "sm_-1", "sm_13 ", "h-200",
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (models_find(names[i]) != NULL) {
            fail_msg("\"%s\" found %s", names[i], models_find(names[i])->name);
        }
    }
}

static void a_field_is_found_read_and_set_by_name(void **state)
{
    struct arch arch;
    const struct arch_field *field = arch_find_field("dram_partitions");

    (void)state;
    arch_from_model(models_find("gtx280"), &arch);
    assert_non_null(field);
    assert_string_equal(field->unit, "partitions");
    assert_int_equal(arch_get(&arch, field), 8);
    assert_true(arch_set(&arch, field, 7));
    assert_int_equal(arch.dram_partitions, 7);
    assert_null(arch_find_field("dram_partition"));
    assert_null(arch_find_field(""));
}

static void every_field_takes_its_ends_and_nothing_beyond(void **state)
{
    struct arch arch = {0};

    (void)state;
    for (size_t f = 0; f < arch_field_count; f++) {
        const struct arch_field *field = &arch_fields[f];

        assert_ptr_equal(arch_find_field(field->name), field);
        assert_true(arch_set(&arch, field, field->max));
        assert_true(arch_set(&arch, field, field->min));
        assert_false(arch_set(&arch, field, field->min - 1));
        assert_false(arch_set(&arch, field, field->max + 1));
        assert_int_equal(arch_get(&arch, field), field->min);
    }
}

static void copying_a_model_copies_every_field(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct arch arch;

        arch_from_model(models[m], &arch);
        for (size_t f = 0; f < arch_field_count; f++) {
            assert_int_equal(arch_get(&arch, &arch_fields[f]),
                             arch_model_value(models[m], &arch_fields[f])->value);
        }
    }
}

static void every_source_has_a_tag_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(arch_source_tag(SOURCE_PAPER), "[W]");
    assert_string_equal(arch_source_tag(SOURCE_PUBLISHED), "[P]");
    assert_string_equal(arch_source_tag(SOURCE_MEASURED), "[M]");
    assert_string_equal(arch_source_tag(SOURCE_FITTED), "[F]");
    assert_string_equal(arch_source_tag(SOURCE_UNSURE), "[?]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_source_and_lies_in_range),
        cmocka_unit_test(no_values_contradict_each_other),
        cmocka_unit_test(names_are_plain_and_unique),
        cmocka_unit_test(the_list_runs_from_old_to_new),
        cmocka_unit_test(each_sm_has_one_default),
        cmocka_unit_test(limits_of_a_model_fit_together),
        cmocka_unit_test(peak_bandwidth_follows_from_clock_and_bus),
        cmocka_unit_test(a_chip_is_found_by_name_in_any_case),
        cmocka_unit_test(a_rule_set_stands_for_its_default_chip),
        cmocka_unit_test(a_rule_set_without_a_chip_takes_the_nearest_of_its_family),
        cmocka_unit_test(an_unknown_name_is_not_found),
        cmocka_unit_test(a_field_is_found_read_and_set_by_name),
        cmocka_unit_test(every_field_takes_its_ends_and_nothing_beyond),
        cmocka_unit_test(copying_a_model_copies_every_field),
        cmocka_unit_test(every_source_has_a_tag_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
