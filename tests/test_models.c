/* test_models.c - is the table of GPUs complete, consistent and findable? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"
#include "models/models.h"

enum { NAME_BYTES = 64, SM_END = 1000 };

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

static void capabilities_are_rows_in_order_and_apart(void **state)
{
    int64_t last = 0;

    (void)state;
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *row = &capabilities[i];

        assert_true(last < row->sm_first && row->sm_first <= row->sm_last);
        assert_non_null(row->rules->name);
        assert_true(row->rules->profiler > 0 && row->rules->profiler < PROFILER_END);
        for (int64_t sm = last + 1; sm < row->sm_first; sm++) {
            assert_null(capability_find(sm));
        }
        assert_ptr_equal(capability_find(row->sm_first), row);
        assert_ptr_equal(capability_find(row->sm_last), row);
        for (size_t k = 1; k < CARVE_OUTS_MAX && row->carve_out_kilobytes[k] > 0; k++) {
            assert_true(row->carve_out_kilobytes[k - 1] < row->carve_out_kilobytes[k]);
        }
        last = row->sm_last;
    }
    assert_null(capability_find(last + 1));
}

static int64_t largest_carve_out_bytes(const struct capability *row)
{
    int64_t largest = 0;

    for (size_t k = 0; k < CARVE_OUTS_MAX; k++) {
        if (row->carve_out_kilobytes[k] > largest) {
            largest = row->carve_out_kilobytes[k];
        }
    }
    return 1024 * largest;
}

static void models_fit_their_capability(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct capability *row = capability_find(models[m]->sm.value);
        struct arch arch;

        if (row == NULL) {
            fail_msg("%s: no row in capabilities.c", models[m]->name);
        }
        arch_from_model(models[m], &arch);
        /* Another size of shared memory is another row. */
        if (largest_carve_out_bytes(row) > 0) {
            assert_true(arch.l1_shared_bytes > 0);
            assert_int_equal(largest_carve_out_bytes(row), arch.shared_bytes_per_sm);
        }
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
        assert_int_equal(arch.shared_reserved_per_block >= 1024, arch.sm >= 80);
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

static void a_field_is_found_read_and_set_by_name(void **state)
{
    struct arch arch;
    const struct arch_field *field = arch_find_field("dram_partitions");

    (void)state;
    arch_from_model(models[0], &arch);
    assert_non_null(field);
    assert_string_equal(field->unit, "partitions");
    assert_int_equal(arch_get(&arch, field), models[0]->dram_partitions.value);
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
        cmocka_unit_test(capabilities_are_rows_in_order_and_apart),
        cmocka_unit_test(models_fit_their_capability),
        cmocka_unit_test(limits_of_a_model_fit_together),
        cmocka_unit_test(peak_bandwidth_follows_from_clock_and_bus),
        cmocka_unit_test(a_chip_is_found_by_name_in_any_case_and_with_underlines),
        cmocka_unit_test(a_default_is_found_by_its_own_capability),
        cmocka_unit_test(a_rule_set_stands_for_its_default_chip_or_the_nearest_of_its_relatives),
        cmocka_unit_test(an_unknown_name_is_not_found),
        cmocka_unit_test(a_field_is_found_read_and_set_by_name),
        cmocka_unit_test(every_field_takes_its_ends_and_nothing_beyond),
        cmocka_unit_test(copying_a_model_copies_every_field),
        cmocka_unit_test(every_source_has_a_tag_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
