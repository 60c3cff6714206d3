/* test_models.c - is the table of GPUs complete, consistent and findable? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"
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

static void capabilities_are_rows_in_order_and_apart(void **state)
{
    int64_t last = 0;

    (void)state;
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *row = &capabilities[i];

        assert_true(last < row->sm_first && row->sm_first <= row->sm_last);
        assert_non_null(row->rules->name);
        assert_non_null(row->generation);
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

/* ld.global.nc came with 3.2, so the first Kepler counts such loads with the others. */
static void the_first_kepler_has_no_read_only_loads(void **state)
{
    struct arch arch;
    struct rule_set rules;

    (void)state;
    for (int64_t sm = 30; sm <= 37; sm++) {
        arch_from_model(models_find("sm_35"), &arch);
        arch.sm = sm;
        assert_true(rules_for(&arch, &rules));
        assert_int_equal(rules.read_only_apart, sm >= 32);
    }
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

/* Peak bandwidth is bus width x data rate, which is two transfers a memory clock: that is how clocks are given here,
 * as CUDA's device query does, whatever the memory. */
static void peak_bandwidth_follows_from_clock_and_bus(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        int64_t peak = models[m]->peak_megabytes_per_s.value;
        int64_t moved =
            2 * models[m]->memory_clock_khz.value * models[m]->memory_bus_bits.value / 8 / 1000;

        if (llabs(moved - peak) * 100 > peak) {
            fail_msg("%s: %lld MB/s, but clock and bus make %lld", models[m]->name, (long long)peak,
                     (long long)moved);
        }
    }
}

/* What makes a chip another one than its neighbour of the same compute capability stands in its own file; the
 * limits of the programming guide stand nowhere but in the header. */
static void a_chip_has_its_sizes_of_its_own_and_inherits_its_limits(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *g = models[m];
        const struct value_counts counts = arch_count_values(g);

        assert_int_equal(counts.own + counts.inherited, arch_field_count);
        assert_false(g->sm_count.inherited || g->sm_clock_khz.inherited ||
                     g->memory_clock_khz.inherited || g->memory_bus_bits.inherited ||
                     g->memory_mebibytes.inherited || g->peak_megabytes_per_s.inherited ||
                     g->dram_partitions.inherited);
        assert_true(g->sm.inherited && g->warps_per_sm.inherited && g->blocks_per_sm.inherited &&
                    g->registers_per_sm.inherited && g->shared_bytes_per_sm.inherited);
        assert_null(g->base);
    }
}

/* What was measured or fitted on an H200 is unconfirmed on all others. */
static void nothing_is_measured_on_a_gpu_that_was_not_there(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        if (strcmp(models[m]->name, "h200") == 0) {
            continue;
        }
        for (size_t f = 0; f < arch_field_count; f++) {
            const struct model_value *value = arch_model_value(models[m], &arch_fields[f]);

            if ((value->source == SOURCE_MEASURED || value->source == SOURCE_FITTED) &&
                strstr(value->reference, "H200")) {
                fail_msg("%s: %s: %s", models[m]->name, arch_fields[f].name, value->reference);
            }
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
        cmocka_unit_test(the_first_kepler_has_no_read_only_loads),
        cmocka_unit_test(models_fit_their_capability),
        cmocka_unit_test(limits_of_a_model_fit_together),
        cmocka_unit_test(peak_bandwidth_follows_from_clock_and_bus),
        cmocka_unit_test(a_chip_has_its_sizes_of_its_own_and_inherits_its_limits),
        cmocka_unit_test(nothing_is_measured_on_a_gpu_that_was_not_there),
        cmocka_unit_test(a_field_is_found_read_and_set_by_name),
        cmocka_unit_test(every_field_takes_its_ends_and_nothing_beyond),
        cmocka_unit_test(copying_a_model_copies_every_field),
        cmocka_unit_test(every_source_has_a_tag_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
