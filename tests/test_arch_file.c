/* test_arch_file.c - does a user's GPU file say what the user meant, and does a wrong one end in one
 * message that names the line? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/inputs/arch_file.h"
#include "cli/options/options.h"
#include "models/models.h"

static char path[] = "/tmp/test_arch_file.XXXXXX";

static int make_file(void **state)
{
    int descriptor = mkstemp(path);

    (void)state;
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_bytes(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void assert_reads(const char *text, struct user_gpu *gpu)
{
    char message[ARCH_FILE_MESSAGE_BYTES] = "";

    write_bytes(text, strlen(text));
    if (arch_file_read(path, gpu, message) != EXIT_OK) {
        fail_msg("%s", message);
    }
}

/* The file is refused with "path" and then `expected`. */
static void assert_message(int status, const char *at, const char *expected)
{
    struct user_gpu gpu;
    char message[ARCH_FILE_MESSAGE_BYTES] = "";

    assert_int_equal(arch_file_read(at, &gpu, message), status);
    if (strncmp(message, at, strlen(at)) != 0 ||
        strncmp(message + strlen(at), expected, strlen(expected)) != 0) {
        fail_msg("\"%s\" instead of \"%s\"", message, expected);
    }
}

static void assert_refuses(const char *text, const char *expected)
{
    write_bytes(text, strlen(text));
    assert_message(EXIT_USAGE, path, expected);
}

static void every_model_comes_back_from_its_file(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        struct user_gpu gpu;
        char message[ARCH_FILE_MESSAGE_BYTES] = "", name[64];
        FILE *file = fopen(path, "w");

        assert_non_null(file);
        arch_file_write(models[m], file);
        assert_int_equal(fclose(file), 0);
        if (arch_file_read(path, &gpu, message) != EXIT_OK) {
            fail_msg("%s: %s", models[m]->name, message);
        }
        struct arch before, after;

        arch_from_model(models[m], &before);
        arch_from_model(&gpu.model, &after);
        assert_memory_equal(&before, &after, sizeof before);
        snprintf(name, sizeof name, "my-%s", models[m]->name);
        assert_string_equal(gpu.model.name, name);
        assert_string_equal(gpu.model.title, models[m]->title);
        assert_false(gpu.model.is_default);
    }
}

static void a_users_gpu_comes_back_under_its_own_name(void **state)
{
    struct user_gpu first, second;
    char message[ARCH_FILE_MESSAGE_BYTES] = "";

    (void)state;
    assert_reads("name = mine\nbase = k40\nl2_ways = 8\n", &first);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    arch_file_write(&first.model, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(arch_file_read(path, &second, message), EXIT_OK);
    assert_string_equal(second.model.name, "mine");
    assert_int_equal(second.model.l2_ways.value, 8);
}

static void fields_not_given_are_those_of_the_base(void **state)
{
    struct user_gpu gpu;

    (void)state;
    assert_reads("# a wider H200\n"
                 "l2_bytes = 8M   # before the base\n"
                 "\n"
                 "\tbase=h200\r\n"
                 "  name =  wide-2 \n"
                 "title = Wide = 2\n"
                 "sm_count\t=\t0x10",
                 &gpu);
    assert_string_equal(gpu.model.name, "wide-2");
    assert_string_equal(gpu.model.title, "Wide = 2");
    assert_int_equal(gpu.model.l2_bytes.value, 8 * 1024 * 1024);
    assert_int_equal(gpu.model.sm_count.value, 16);
    assert_string_equal(arch_file_tag(&gpu.model.l2_bytes), "[user]");
    assert_string_equal(gpu.model.l2_bytes.reference, path);
    const struct gpu_model *h200 = models_find("h200");
    assert_int_equal(gpu.model.l1_bytes.value, h200->l1_bytes.value);
    assert_string_equal(arch_file_tag(&gpu.model.l1_bytes), arch_file_tag(&h200->l1_bytes));
    assert_string_equal(gpu.model.base, "h200");
    assert_int_equal(arch_count_values(&gpu.model).own, 2);
    assert_int_equal(arch_count_values(&gpu.model).inherited, arch_field_count - 2);
    assert_false(gpu.model.l2_bytes.inherited);
    assert_true(gpu.model.l1_bytes.inherited); /* of the H200 it is the chip's own */
}

static void the_title_is_the_name_when_none_is_given(void **state)
{
    struct user_gpu gpu;

    (void)state;
    assert_reads("name = plain\nbase = sm_13\n", &gpu);
    assert_string_equal(gpu.model.title, "plain");
    assert_int_equal(gpu.model.sm.value, 13);
}

static void a_wrong_line_is_named(void **state)
{
    static const char *const cases[][2] = {
        {"base = h200\nname\n", ":2: 'name': allowed is name = value"},
        {"base =\n", ":1: base: has no value"},
        {"= 5\n", ":1: '= 5': allowed is name = value"},
        {"\n# x\nl2_byts = 5\n", ":3: l2_byts: unknown field; did you mean l2_bytes"},
        {"nam = x\n", ":1: nam: unknown field; did you mean name"},
        {"name = x\nname = y\n", ":2: name: given before, in line 1"},
        {"sm = 90\n\nsm = 90\n", ":3: sm: given before, in line 1"},
        {"base = h2000\n", ":1: base = h2000: unknown GPU; did you mean h200"},
        {"name = My GPU\n", ":1: name = My GPU: allowed are 1 to 31 of a-z, 0-9 and -"},
        {"name = a123456789012345678901234567890b\n", ":1: name = "},
        {"name = h200\n", ":1: name = h200: warplens has a GPU of that name"},
        {"name = 13\n", ":1: name = 13: warplens has a GPU of that name"},
        {"title = a\tb\n", ":1: title: allowed are printable ASCII characters"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refuses(cases[i][0], cases[i][1]);
    }
}

static void a_wrong_value_is_named_with_what_is_allowed(void **state)
{
    static const char *const cases[][2] = {
        {"l2_bytes = 9000G\n", ":1: l2_bytes = 9000G: allowed is 0 to 1073741824 (bytes: L2 cache"},
        {"l2_bytes = 2G\n", ":1: l2_bytes = 2G: allowed is 0 to 1073741824"},
        {"l2_bytes = -1\n", ":1: l2_bytes = -1: allowed is 0"},
        {"l2_bytes = 8MB\n", ":1: l2_bytes = 8MB: allowed is 0"},
        {"l2_bytes = 1.5M\n", ":1: l2_bytes = 1.5M: allowed is 0"},
        {"l2_bytes = 99999999999999999999\n", ":1: l2_bytes = 99999999999999999999: allowed is 0"},
        {"l2_bytes = many\n", ":1: l2_bytes = many: allowed is 0"},
        {"sm_clock_khz = 1M\n",
         ":1: sm_clock_khz = 1M: allowed is 100000 to 5000000 without a suffix (kHz: "},
        {"l2_megabytes_per_s = 2M\n",
         ":1: l2_megabytes_per_s = 2M: allowed is 0 to 100000000 without a suffix (MB/s: "},
        {"dram_row_cycle_ps = 40K\n",
         ":1: dram_row_cycle_ps = 40K: allowed is 1000 to 500000 without a suffix (ps: "},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refuses(cases[i][0], cases[i][1]);
    }
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    assert_refuses("# nothing\n", ": no line name = NAME");
    assert_refuses("base = h200\n", ": no line name = NAME");
    assert_refuses("name = x\nsm = 90\n", ": no line for sm_count (1 to 1024; SMs: ");
}

static void what_is_no_such_file_is_refused(void **state)
{
    static char bytes[70000];

    (void)state;
    assert_refuses("", ": is empty");
    memset(bytes, 'x', sizeof bytes);
    write_bytes(bytes, sizeof bytes);
    assert_message(EXIT_USAGE, path, ": is longer than 65536 bytes");
    write_bytes(bytes, 512);
    assert_message(EXIT_USAGE, path, ":1: the line is longer than 511 characters");
    write_bytes("name = x\0y\n", 11);
    assert_message(EXIT_USAGE, path, ": is no text: it holds a zero byte");
    assert_message(EXIT_IO, "/", ": cannot read: ");
    assert_message(EXIT_IO, "/no/such/file", ": cannot open: No such file");
}

/* Every prefix of a fine file, and every file with one byte changed: a message or a GPU, no crash. */
static void damaged_files_end_in_a_message_or_a_gpu(void **state)
{
    static const char text[] = "# x\nname = ab\ntitle = A B\nbase = h200\nl2_bytes = 60M # y\n";
    static const char bytes[] = {'\n', '=', '#', 'K', '9', ' ', '\0', '\r', (char)0xff};
    char copy[sizeof text];
    struct user_gpu gpu;

    (void)state;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        for (size_t b = 0; b <= sizeof bytes; b++) {
            char message[ARCH_FILE_MESSAGE_BYTES] = "";

            memcpy(copy, text, sizeof text);
            copy[i] = b < sizeof bytes ? bytes[b] : text[i];
            write_bytes(copy, b < sizeof bytes ? sizeof text - 1 : i);
            int status = arch_file_read(path, &gpu, message);

            assert_true(status == EXIT_OK || status == EXIT_USAGE);
            assert_int_equal(message[0] != '\0', status != EXIT_OK);
            assert_null(strchr(message, '\n'));
        }
    }
}

static void the_groups_of_the_field_list_have_titles(void **state)
{
    (void)state;
    assert_string_equal(arch_file_group(&arch_fields[0]), "Identity");
    assert_null(arch_file_group(arch_find_field("sm_count")));
    assert_string_equal(arch_file_group(arch_find_field("dram_latency_cycles")), "Time: DRAM");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_comes_back_from_its_file),
        cmocka_unit_test(a_users_gpu_comes_back_under_its_own_name),
        cmocka_unit_test(fields_not_given_are_those_of_the_base),
        cmocka_unit_test(the_title_is_the_name_when_none_is_given),
        cmocka_unit_test(a_wrong_line_is_named),
        cmocka_unit_test(a_wrong_value_is_named_with_what_is_allowed),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(what_is_no_such_file_is_refused),
        cmocka_unit_test(damaged_files_end_in_a_message_or_a_gpu),
        cmocka_unit_test(the_groups_of_the_field_list_have_titles),
    };

    return cmocka_run_group_tests(tests, make_file, remove_file);
}
