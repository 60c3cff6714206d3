/* test_validate_measured.c - are the measurements what the files say, and is a damaged file never
 * more than an error?
 *
 * Every byte of a small file of each form is left out, replaced, and made the last one.
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "validate/measured.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static FILE *stream_of(const char *text, size_t bytes)
{
    /* fmemopen takes no empty buffer. */
    FILE *stream = bytes ? fmemopen((void *)(uintptr_t)text, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(stream);
    return stream;
}

static int read_text(struct measured *m, const char *text, size_t bytes)
{
    FILE *stream = stream_of(text, bytes);
    *m = (struct measured){0};
    int status = measured_read_stream(m, stream, "f.csv");
    fclose(stream);
    return status;
}

static char *read_data(const char *name, size_t *bytes)
{
    char path[512];
    snprintf(path, sizeof path, DATA_DIR "/%s", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = malloc(1 << 16);
    assert_non_null(text);
    *bytes = fread(text, 1, 1 << 16, file);
    assert_true(*bytes > 0 && *bytes < 1 << 16);
    fclose(file);
    return text;
}

static void read_whole(struct measured *m, const char *name)
{
    size_t bytes;
    char *text = read_data(name, &bytes);
    assert_int_equal(read_text(m, text, bytes), 0);
    free(text);
}

static double value_of(const struct measured *m, size_t launch, const char *counter)
{
    double value, tolerance;
    uint32_t number = name_set_find(&m->counters, counter);
    assert_int_not_equal(number, NAME_SET_NONE);
    assert_true(launch < m->launch_count);
    return measured_get(m, &m->launches[launch], number, &value, &tolerance) ? value : -1;
}

#define LOADS "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"

static void test_tidy(void **state)
{
    struct measured m;
    (void)state;
    read_whole(&m, "tidy_h200.csv");
    assert_int_equal(m.files[0].format, MEASURED_TIDY);
    assert_int_equal(m.launch_count, 8);
    assert_string_equal(m.launches[1].kernel, "strideCopy");
    assert_string_equal(m.launches[1].params, "n=4096 block=256 stride=4");
    assert_string_equal(m.launches[1].gpu, "NVIDIA H200");
    assert_string_equal(m.launches[5].function, "sumWindow");
    assert_int_equal(m.launches[5].index, 2);
    assert_true(value_of(&m, 1, LOADS) == 2048);
    /* Collected and without a row: 0. Only the time was measured: not collected. */
    assert_true(value_of(&m, 1, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum") == 0);
    assert_true(value_of(&m, 6, LOADS) == -1);
    assert_true(value_of(&m, 6, MEASURED_TIME) == 2.4);
    assert_true(value_of(&m, 1, MEASURED_TIME) == -1);
    measured_free(&m);
}

static void test_nvprof(void **state)
{
    struct measured m;
    (void)state;
    read_whole(&m, "nvprof_tegra_x1.csv");
    assert_int_equal(m.files[0].format, MEASURED_NVPROF);
    assert_int_equal(m.launch_count, 3);
    assert_string_equal(m.launches[1].function, "copyRow");
    assert_string_equal(m.launches[1].gpu, "NVIDIA Tegra X1 (0)");
    assert_null(m.launches[1].kernel);
    assert_int_equal(m.launches[1].line, 10);
    assert_true(value_of(&m, 0, "shared_ld_bank_conflict") == 14336);
    assert_true(value_of(&m, 1, "gst_transactions") == 8194);
    assert_true(value_of(&m, 2, "gld_efficiency") == 25);
    assert_int_not_equal(name_set_find(&m.counters, "gld_throughput"), NAME_SET_NONE);
    measured_free(&m);
}

static void test_ncu(void **state)
{
    struct measured m;
    (void)state;
    read_whole(&m, "ncu_details_h200.csv");
    assert_int_equal(m.files[0].format, MEASURED_NCU_DETAILS);
    assert_int_equal(m.launch_count, 2);
    assert_string_equal(m.launches[0].function, "transpose_naive");
    assert_int_equal(m.launches[0].sm, 90);
    assert_null(m.launches[0].gpu); /* "0" is its number */
    assert_true(value_of(&m, 0, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") == 32768);
    measured_free(&m);

    read_whole(&m, "ncu_raw_v100.csv");
    assert_int_equal(m.files[0].format, MEASURED_NCU_RAW);
    assert_int_equal(m.launch_count, 3);
    assert_string_equal(m.launches[2].function, "strideCopy");
    assert_int_equal(m.launches[2].index, 2);
    assert_string_equal(m.launches[2].gpu, "Tesla V100-SXM2-16GB");
    assert_true(value_of(&m, 2, LOADS) == 2048);
    assert_int_equal(m.scaled.count, 1);
    assert_string_equal(m.scaled.texts[0], "smsp__inst_executed_op_global_ld.sum (Kinst)");
    measured_free(&m);
}

/* Function names as profilers write them. */
static void test_plain_names(void **state)
{
    static const struct {
        const char *signature, *name;
    } cases[] = {
        {"copy(float*, float*)", "copy"},
        {"copy", "copy"},
        {"void reduce<(int)5>(float *, int)", "reduce"},
        {"void reduce<unsigned int=256>(float*)", "reduce"},
        {"void ns::inner::reduce<float, (int)2>(T1 *)", "reduce"},
        {"(anonymous namespace)::copy(float*)", "copy"},
        {"void (anonymous namespace)::copy<float>(float*)", "copy"},
        {"void <unnamed>::copy<float>(float*)", "copy"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct measured m;
        char text[512];
        int length = snprintf(text, sizeof text,
                              "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Avg\"\n"
                              "\"Tesla P100 (0)\",\"%s\",3,\"gld_efficiency\",50.000000%%\n",
                              cases[i].signature);
        assert_int_equal(read_text(&m, text, (size_t)length), 0);
        assert_string_equal(m.launches[0].function, cases[i].name);
        assert_int_equal(m.launches[0].invocations, 3);
        measured_free(&m);
    }
}

/* A value with its unit on ncu's raw page. */
static void test_units(void **state)
{
    static const struct {
        const char *unit, *text;
        double value; /* -1: none */
    } cases[] = {
        {"sector", "1,048,576", 1048576},
        {"", "12.5", 12.5},
        {"ns", "7", 7},
        {"nsecond", "7", 7},
        {"us", "2.5", 2500},
        {"usecond", "1,002.5", 1002500},
        {"ms", "2", 2e6},
        {"msecond", "2", 2e6},
        {"s", "1", 1e9},
        {"second", "1", 1e9},
        {"Ksector", "1.05", -1},
        {"Mbyte", "3", -1},
        {"sector", "n/a", -1},
        {"sector", "", -1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct measured m;
        char text[512];
        int length = snprintf(text, sizeof text,
                              "\"ID\",\"Kernel Name\",\"%s\"\n\"\",\"\",\"%s\"\n"
                              "\"0\",\"copy(int*)\",\"%s\"\n",
                              LOADS, cases[i].unit, cases[i].text);
        assert_int_equal(read_text(&m, text, (size_t)length), 0);
        if (fabs(value_of(&m, 0, LOADS) - cases[i].value) > 1e-6)
            fail_msg("%s %s is %g", cases[i].text, cases[i].unit, value_of(&m, 0, LOADS));
        measured_free(&m);
    }
}

static const char *const data_files[] = {"tidy_h200.csv", "nvprof_tegra_x1.csv",
                                         "ncu_details_h200.csv", "ncu_raw_v100.csv"};

/* 0 or 2; after 2 a message of one line, after 0 launches with names. */
static void check_outcome(const char *text, size_t bytes)
{
    struct measured m;
    int status = read_text(&m, text, bytes);
    if (status == 0) {
        assert_true(m.launch_count > 0);
        for (size_t i = 0; i < m.launch_count; i++)
            assert_true(m.launches[i].function && m.launches[i].index >= 1);
    } else {
        assert_int_equal(status, 2);
        assert_true(strncmp(m.message, "f.csv:", 6) == 0);
        assert_null(strchr(m.message, '\n'));
    }
    measured_free(&m);
}

static void test_damage(void **state)
{
    static const char bytes[] = {'\0', '"', ',', '\n', '9', 'x', '\x80', '#', '='};
    (void)state;
    for (size_t f = 0; f < COUNT(data_files); f++) {
        size_t length;
        char *text = read_data(data_files[f], &length);
        for (size_t i = 0; i < length; i++) {
            char kept = text[i];
            check_outcome(text, i);
            check_outcome(text + i, length - i);
            for (size_t b = 0; b < COUNT(bytes); b++) {
                text[i] = bytes[b];
                check_outcome(text, length);
            }
            text[i] = (char)(kept ^ 1 << i % 8);
            check_outcome(text, length);
            text[i] = kept;
        }
        free(text);
    }
}

/* 100000 rows in a time that only grows with their number. */
static void test_large(void **state)
{
    enum { ROWS = 100000, ROW_BYTES = 160 };
    char *text = malloc((size_t)ROWS * ROW_BYTES);
    struct measured m;
    (void)state;
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "run,kernel,parameters,launch,function,counter,value\n");
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(text + used, "%d,copy,n=4096,%d,copy,%s,%d\n", i % 977, 1 + i / 977,
                                i % 2 ? "time_us" : LOADS, i);
    clock_t begin = clock();
    assert_int_equal(read_text(&m, text, used), 0);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(m.launch_count, ROWS);
    assert_true(value_of(&m, ROWS - 2, LOADS) == ROWS - 2);
    if (seconds > 5) /* it takes 0.1 s; with memory checked, more */
        fail_msg("%d rows took %.1f s", ROWS, seconds);
    measured_free(&m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tidy),  cmocka_unit_test(test_nvprof),
        cmocka_unit_test(test_ncu),   cmocka_unit_test(test_plain_names),
        cmocka_unit_test(test_units), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
