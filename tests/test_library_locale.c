/* test_library_locale.c - does a program whose locale has a decimal comma get the numbers that others get, and keep
 * its locale?
 *
 * The locale is made here, by localedef; where that cannot be, the tests are skipped. */
#define _GNU_SOURCE
#include "library_runs.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/warplens-locale-XXXXXX";

static int make_locale(void **state)
{
    char command[512];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "printf 'LC_NUMERIC\\ndecimal_point \"<U002C>\"\\nthousands_sep \"\"\\ngrouping -1\\n"
             "END LC_NUMERIC\\n' >%s/source; localedef -c -i %s/source %s/comma >%s/log 2>&1",
             folder, folder, folder, folder);
    (void)!system(command);
    return setenv("LOCPATH", folder, 1);
}

static int remove_locale(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static void assert_comma(void)
{
    char text[8];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

static void use_comma(void)
{
    if (setlocale(LC_ALL, "comma") == NULL) {
        print_message("no locale with a comma can be made here\n");
        skip();
    }
    assert_comma();
}

/* Two warps whose shared words conflict: ratios in the report and in the verdict. */
static struct warplens_run *new_run(void)
{
    struct warplens_run *run = warplens_run_new();
    ASSERT(run, warplens_add_gpu(run, "gtx280"));
    ASSERT(run, library_push_kernel(run));
    return run;
}

static char *report_in(const char *locale, enum warplens_format format)
{
    setlocale(LC_ALL, locale);
    struct warplens_run *run = new_run();
    char *report = library_report(run, format);
    warplens_run_free(run);
    setlocale(LC_ALL, "C");
    return report;
}

static void reports_are_the_same(void **state)
{
    (void)state;
    use_comma();
    for (int format = WARPLENS_TEXT; format <= WARPLENS_CSV; format++) {
        char *plain = report_in("C", (enum warplens_format)format);
        char *comma = report_in("comma", (enum warplens_format)format);
        assert_string_equal(plain, comma);
        free(plain);
        free(comma);
    }
}

static void messages_have_points(void **state)
{
    (void)state;
    use_comma();
    struct warplens_run *run = new_run();
    assert_false(warplens_expect_total_at_least(run, "gld_efficiency", 101.5));
    library_assert_says(run, "wanted at least 101.5");
    warplens_run_free(run);
    setlocale(LC_ALL, "C");
}

/* Half of the loads take 32 passes, the others one. */
static struct warplens_run *read_conflicts(void)
{
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "warplens text trace 1\nlaunch k grid=264 block=256\n"
                                   "site 0 ld.shared.b32 file=\"k.cu\" line=7\n  all warps\n");
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  @0 ld.shared.b32 base=0 stride=%d\n", i % 2 ? 128 : 4);
    used += (size_t)snprintf(text + used, sizeof text - used, "  end\n");
    FILE *stream = fmemopen(text, used, "r");
    struct warplens_run *run = warplens_run_new();
    ASSERT(run, warplens_read_stream(run, stream, "conflicts", NULL));
    fclose(stream);
    return run;
}

/* The sentence is made when the accesses end. */
static void verdicts_have_points(void **state)
{
    struct warplens_verdict verdict;
    (void)state;
    use_comma();
    struct warplens_run *run = read_conflicts();
    ASSERT(run, warplens_get_verdict(run, 0, &verdict));
    assert_non_null(strstr(verdict.sentence, "16.5 passes"));
    warplens_run_free(run);
    setlocale(LC_ALL, "C");
}

static void the_caller_keeps_its_locale(void **state)
{
    (void)state;
    use_comma();
    struct warplens_run *run = new_run();
    assert_comma();
    free(library_report(run, WARPLENS_JSON));
    assert_comma();
    assert_false(warplens_expect_total_at_least(run, "gld_efficiency", INFINITY));
    assert_comma();
    const locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(own);
    free(library_report(run, WARPLENS_JSON));
    assert_ptr_equal(uselocale(before), own);
    freelocale(own);
    warplens_run_free(run);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_the_same),
        cmocka_unit_test(messages_have_points),
        cmocka_unit_test(verdicts_have_points),
        cmocka_unit_test(the_caller_keeps_its_locale),
    };
    return cmocka_run_group_tests(tests, make_locale, remove_locale);
}
