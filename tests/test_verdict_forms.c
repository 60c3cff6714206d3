/* test_verdict_forms.c - do text, JSON, the page and the library say the same sentence of every kernel of the gallery?
 *
 * The library reads the kernel's recorded trace; the others have the session's results. */
#define _GNU_SOURCE
#include "library_runs.h"

#include <string.h>

#include "gallery_list.h"
#include "html/html.h"
#include "report/ranges.h"
#include "report/report.h"
#include "svg/svg.h"

typedef void write_report(const struct result *, size_t, const struct report_options *, FILE *);

/* A report, to be freed. */
static char *text_of(write_report *write, const struct result *result)
{
    const struct report_options options = {0};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    write(result, 1, &options, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Lines that were wrapped are one again: a line end and the indent behind it are a blank. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        const bool ends = *from == '\n';
        *to = ends ? ' ' : *from;
        from += ends ? 1 + strspn(from + 1, " ") : 1;
    }
    *to = '\0';
}

static void assert_holds(char *text, const char *before, const char *sentence, const char *behind)
{
    char wanted[4096];
    snprintf(wanted, sizeof wanted, "%s%s%s", before, sentence, behind);
    if (strstr(text, wanted) == NULL)
        fail_msg("no \"%s\" in %.2000s", wanted, text);
    free(text);
}

/* As a page has it. */
static char *escaped(const char *sentence)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    quote_xml(sentence, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void check_forms(const struct result *result, const char *sentence)
{
    char *text = text_of(report_text, result), *page = escaped(sentence);
    unwrap(text);
    assert_holds(text, " ", sentence, "  time "); /* the first figure behind it */
    assert_holds(text_of(report_json, result), "\"verdict\":{\"sentence\":\"", sentence, "\"");
    assert_holds(text_of(report_html, result), "<p class=\"verdict\">", page, "</p>");
    free(page);
}

/* Text, JSON and the library have the range of the time that the result has. */
static void check_ranges(const struct result *result, const struct warplens_counts *total)
{
    const struct time_range range = time_range_of(result);
    struct warplens_time_range given;
    struct text t;
    char low[32];
    report_range(&range, &t);
    char *text = text_of(report_text, result);
    unwrap(text);
    assert_holds(text, " range       ", t.s, " ");
    const bool is_known = range.state == TIME_RANGE_KNOWN;
    assert_int_equal(warplens_get_time_range(total, &given), is_known);
    snprintf(low, sizeof low, "%.0f", range.low_ns);
    if (is_known)
        assert_holds(text_of(report_json, result), "\"time_range\":{\"low_ns\":", low, ",");
    if (is_known)
        assert_true(given.low_us == range.low_ns / 1000 && given.high_us == range.high_ns / 1000);
}

static void check_kernel(const char *name)
{
    struct library_kernel_run *of = calloc(1, sizeof *of);
    assert_non_null(of);
    library_open_kernel_run(of, name);
    struct warplens_run *run = library_read_kernel_run(of);
    for (size_t gpu = 0; gpu < 2; gpu++) {
        struct warplens_verdict verdict;
        ASSERT(run, warplens_get_verdict(run, gpu, &verdict));
        assert_true(strlen(verdict.sentence) > 20);
        check_forms(&of->results[gpu], verdict.sentence);
        check_ranges(&of->results[gpu], warplens_total(run, gpu));
    }
    warplens_run_free(run);
    library_close_kernel_run(of);
    free(of);
}

static void every_form_says_the_same(void **state)
{
    (void)state;
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            check_kernel(gallery_topics[t]->kernels[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_says_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
