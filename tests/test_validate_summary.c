/* test_validate_summary.c - are the errors, means and rank correlations those worked out by hand, and
 * which model does a device's name stand for? */
#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/models.h"
#include "validate/device.h"
#include "validate/name_set.h"
#include "validate/summary.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct summary made(const struct summary_pair *pairs, size_t count, bool points)
{
    struct summary summary;
    assert_true(summary_make(pairs, count, points, &summary));
    assert_int_equal(summary.pairs, count);
    return summary;
}

static void assert_near(double got, double wanted)
{
    if (!(fabs(got - wanted) < 1e-9))
        fail_msg("%.12g is not %.12g", got, wanted);
}

static void test_errors(void **state)
{
    /* +10 %, -50 %, 0 %, and a 0 that is modelled as 0. */
    static const struct summary_pair pairs[] = {
        {.measured = 100, .modelled = 110},
        {.measured = 200, .modelled = 100},
        {.measured = 7, .modelled = 7},
        {.measured = 0, .modelled = 0},
    };
    struct summary s = made(pairs, COUNT(pairs), false);
    (void)state;
    assert_int_equal(s.equal, 2);
    assert_int_equal(s.errors, 3);
    assert_int_equal(s.not_zero, 0);
    assert_int_equal(s.above, 1);
    assert_near(s.mean_absolute, 20);
    assert_near(s.bias, -40.0 / 3);
    assert_near(s.worst, -50);
    assert_int_equal(s.worst_pair, 1);
}

static void test_not_zero_is_in_no_mean(void **state)
{
    static const struct summary_pair pairs[] = {
        {.measured = 5, .modelled = 5},
        {.measured = 0, .modelled = 3},
        {.measured = 0, .modelled = 9},
    };
    struct summary s = made(pairs, COUNT(pairs), false);
    (void)state;
    assert_int_equal(s.equal, 1);
    assert_int_equal(s.not_zero, 2);
    assert_int_equal(s.errors, 1);
    assert_near(s.mean_absolute, 0);
    assert_int_equal(s.worst_pair, 1);
    s = made(pairs + 1, 2, false);
    assert_int_equal(s.errors, 0);
    assert_near(s.mean_absolute, 0);
}

static void test_points(void **state)
{
    static const struct summary_pair pairs[] = {
        {.measured = 80, .modelled = 90},
        {.measured = 0, .modelled = 4},
        {.measured = 50, .modelled = 44},
    };
    struct summary s = made(pairs, COUNT(pairs), true);
    (void)state;
    assert_int_equal(s.errors, 3);
    assert_int_equal(s.not_zero, 0);
    assert_near(s.mean_absolute, 20.0 / 3);
    assert_near(s.bias, 8.0 / 3);
    assert_near(s.worst, 10);
}

/* 57.14 shown with two decimals is 4/7 = 57.142857... as far as it goes, and 57.15 is not. */
static void test_decimals(void **state)
{
    static const struct summary_pair pairs[] = {
        {.measured = 57.14, .modelled = 400.0 / 7, .tolerance = 0.005},
        {.measured = 57.15, .modelled = 400.0 / 7, .tolerance = 0.005},
        {.measured = 57.14, .modelled = 400.0 / 7},
    };
    struct summary s = made(pairs, COUNT(pairs), true);
    (void)state;
    assert_true(summary_equal(&pairs[0]));
    assert_false(summary_equal(&pairs[1]));
    assert_false(summary_equal(&pairs[2]));
    assert_int_equal(s.equal, 1);
    assert_near(s.worst, 400.0 / 7 - 57.15);
}

static struct summary ranks(const double *measured, const double *modelled, size_t count)
{
    struct summary_pair pairs[16];
    assert_true(count <= COUNT(pairs));
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct summary_pair){.measured = measured[i], .modelled = modelled[i]};
    return made(pairs, count, false);
}

static void test_rank_correlation(void **state)
{
    static const double up[] = {1, 2, 3, 4, 5}, cubes[] = {1, 8, 27, 64, 125};
    static const double down[] = {9, 7, 5, 3, 1}, flat[] = {6, 6, 6, 6, 6};
    /* Ranks 1 2 3 4 5 and 2 1 4 3 5: 1 - 6 * 4 / (5 * 24) = 0.8. */
    static const double swapped[] = {20, 10, 40, 30, 50};
    (void)state;
    assert_true(ranks(up, cubes, 5).has_rank);
    assert_near(ranks(up, cubes, 5).rank, 1);
    assert_near(ranks(up, down, 5).rank, -1);
    assert_near(ranks(up, swapped, 5).rank, 0.8);
    assert_false(ranks(up, flat, 5).has_rank);
    assert_false(ranks(flat, up, 5).has_rank);
    assert_false(ranks(up, cubes, 2).has_rank);
    assert_true(ranks(up, cubes, 3).has_rank);
}

/* Ties share the average rank: 1, 2.5, 2.5, 4 against 1, 2, 3, 4. Deviations from 2.5 are
 * -1.5 0 0 1.5 and -1.5 -0.5 0.5 1.5: 4.5 / sqrt(4.5 * 5). */
static void test_rank_ties(void **state)
{
    static const double ties[] = {10, 20, 20, 30}, other[] = {1, 2, 3, 4};
    (void)state;
    assert_near(ranks(ties, other, 4).rank, 4.5 / sqrt(4.5 * 5));
}

static void assert_model(const char *device, const char *name)
{
    const struct gpu_model *model = device_model(device);
    if (name == NULL) {
        if (model)
            fail_msg("%s is taken for %s", device, model->name);
        return;
    }
    if (model == NULL || model != models_find(name))
        fail_msg("%s is %s, not %s", device, model ? model->name : "nothing", name);
}

static void test_devices(void **state)
{
    (void)state;
    assert_model("NVIDIA H200", "h200");
    assert_model("nvidia h200 NVL", "h200");
    assert_model("Tesla V100-SXM2-16GB", "v100");
    assert_model("NVIDIA Tegra X1 (0)", "tegra_x1");
    assert_model("GeForce GTX 1080 Ti (0)", "gtx1080ti");
    assert_model("NVIDIA A100-SXM4-40GB", "a100");
    assert_model("Tesla K40c (0)", "k40");
    assert_model("Tesla K20Xm", "k20x");
    assert_model("NVIDIA GeForce RTX 2080 Ti", "rtx2080ti");
    assert_model("NVIDIA GH200 480GB", "gh200");
    assert_model("NVIDIA A100-SXM4-80GB", "a100-80gb");
    assert_model("NVIDIA H100 80GB HBM3", "h100");
    assert_model("NVIDIA H100 PCIe", "h100-pcie");
    assert_model("GeForce GTX 1060 6GB", "gtx1060");
    assert_model("GeForce GTX 1080", "gtx1080");
    assert_model("NVIDIA GeForce RTX 3060", "rtx3060");
    assert_model("NVIDIA RTX A6000", "a6000");
    assert_model("NVIDIA TITAN V", "titanv");
    for (size_t i = 0; i < model_count; i++) {
        assert_model(models[i]->title, models[i]->name);
        assert_model(models[i]->name, models[i]->name);
    }
    /* Other chips whose names begin or end alike. */
    assert_model("NVIDIA GeForce GTX 980 Ti", NULL);
    assert_model("GeForce GTX 980M", NULL);
    assert_model("GeForce GTX 1060 3GB", NULL);
    assert_model("NVIDIA A100-SXM4-64GB", NULL);
    assert_model("NVIDIA GeForce RTX 4070 SUPER", NULL);
    assert_model("NVIDIA GeForce RTX 4090 Laptop GPU", NULL);
    assert_model("NVIDIA A10G", NULL);
    assert_model("NVIDIA L40", NULL);
    assert_model("Quadro GV100", NULL);
    assert_model("GeForce GTX 1070 Ti", NULL);
    assert_model("NVIDIA RTX A1000", NULL);
    assert_model("Quadro K4000", NULL);
    assert_model("", NULL);
}

static void test_names(void **state)
{
    struct name_set names = {0};
    char text[16];
    (void)state;
    assert_int_equal(name_set_find(&names, "0"), NAME_SET_NONE);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "%u", i * 7);
        assert_int_equal(name_set_add(&names, text), i);
        assert_int_equal(name_set_add(&names, "0"), 0);
    }
    assert_int_equal(names.count, 5000);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "%u", i * 7);
        assert_int_equal(name_set_find(&names, text), i);
    }
    assert_int_equal(name_set_find(&names, "1"), NAME_SET_NONE);
    name_set_free(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),           cmocka_unit_test(test_not_zero_is_in_no_mean),
        cmocka_unit_test(test_points),           cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_rank_correlation), cmocka_unit_test(test_rank_ties),
        cmocka_unit_test(test_devices),          cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
