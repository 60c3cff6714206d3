/* grade.c - points. A program that does not build, ends badly, does not print what it must, or has faults that
 * the exercise has no line for gets none for anything: figures of a kernel that computes something else say nothing. A limit is met when it is under
 * every GPU that it is for; one whose counter has no value gets no point, and the report says why. */
#define _GNU_SOURCE
#include "grade/grade.h"

#include <stdlib.h>
#include <string.h>

#include "report/faults.h"
#include "text/characters.h"
#include "text/memory.h"

/* The line of the messages that says why: warplens's own, or else the first. Without "warplens grade: ". */
static void find_reason(const char *messages, const char **begin, const char **end)
{
    static const char prefix[] = "warplens grade: ";
    const char *found = strstr(messages, prefix);
    *begin = found ? found : messages;
    *end = *begin + strcspn(*begin, "\n");
}

/* The reason, and as details what else was said. */
static bool explain_failure(struct grade *grade, const struct attempt *attempt)
{
    const char *messages = attempt->messages ? attempt->messages : "", *begin, *end;
    if (attempt->reason[0]) {
        grade->reason = memory_copy(attempt->reason);
        grade->details = memory_copy(messages);
        return grade->reason && grade->details;
    }
    find_reason(messages, &begin, &end);
    const char *text = strncmp(begin, "warplens grade: ", 16) == 0 ? begin + 16 : begin;
    grade->reason = strndup(text, (size_t)(end - text));
    if (asprintf(&grade->details, "%.*s%s", (int)(begin - messages), messages,
                 *end ? end + 1 : "") < 0)
        grade->details = NULL;
    return grade->reason && grade->details;
}

/* Ended well is what a report says; then there is what it must print. */
static bool judge_output(struct grade *grade, const struct attempt *attempt)
{
    char text[2 * SPEC_TEXT_BYTES] = "";
    const char *prints = grade->spec->prints;
    if (*prints && !attempt->is_program)
        snprintf(text, sizeof text,
                 "a trace has no output: nothing shows that its program prints "
                 "%s",
                 prints);
    else if (*prints && (attempt->output == NULL || memmem(attempt->output, attempt->output_bytes,
                                                           prints, strlen(prints)) == NULL))
        snprintf(text, sizeof text, "the program ended well, and did not print %s", prints);
    grade->has_passed = text[0] == '\0';
    grade->reason = memory_copy(text);
    grade->details = memory_copy("");
    return grade->reason && grade->details;
}

static bool prices_faults(const struct grade_spec *spec)
{
    enum fault_kind kind;
    for (size_t i = 0; i < spec->item_count; i++)
        if (!spec->items[i].is_pass && limit_is_of_faults(&spec->items[i].limit, &kind))
            return true;
    return false;
}

/* What a kernel does wrong and a GPU lets pass is wrong, unless the exercise says what it costs. */
static bool judge_faults(struct grade *grade)
{
    const struct report_entry *run = &grade->sheets.sheets[0].run;
    struct text t;
    if (!grade->has_passed || run->first_fault == NULL || prices_faults(grade->spec))
        return true;
    text_start(&t);
    report_add_fault_sums(run->fault_sums, &t);
    text_add(&t, " The first: %s", run->first_fault);
    free(grade->reason);
    grade->reason = memory_copy(t.s);
    grade->has_passed = false;
    return grade->reason;
}

static bool read_runs(struct grade *grade, struct attempt *attempt)
{
    char message[SHEET_MESSAGE_BYTES];
    if (attempt->report == NULL)
        return explain_failure(grade, attempt);
    grade->has_run = sheets_read(&grade->sheets, attempt->report, attempt->report_bytes, message);
    if (grade->has_run)
        return judge_output(grade, attempt) && judge_faults(grade);
    snprintf(attempt->reason, sizeof attempt->reason, "%.200s", message);
    return explain_failure(grade, attempt);
}

static bool mark_limit(struct grade *grade, struct mark *mark)
{
    const struct limit *limit = &mark->item->limit;
    bool is_met = true;
    mark->outcomes = memory_take(grade->sheets.count + 1, sizeof *mark->outcomes);
    if (mark->outcomes == NULL)
        return false;
    for (size_t i = 0; i < grade->sheets.count; i++) {
        if (!limit_is_for(limit, grade->sheets.sheets[i].run.gpu))
            continue;
        struct outcome *outcome = &mark->outcomes[mark->outcome_count++];
        *outcome = limit_check(limit, &grade->sheets.sheets[i]);
        is_met = is_met && outcome->status == LIMIT_MET;
    }
    mark->is_checked = mark->outcome_count > 0;
    mark->points = mark->is_checked && is_met ? mark->item->points : 0;
    return true;
}

bool grade_start(struct grade *grade, const struct grade_spec *spec, const char *file,
                 struct attempt *attempt)
{
    *grade = (struct grade){.file = file, .spec = spec, .is_program = attempt->is_program};
    if (!read_runs(grade, attempt))
        return false;
    text_make_printable(grade->reason);
    text_make_characters(grade->reason);
    text_make_characters(grade->details);
    for (size_t i = 0; i < spec->item_count; i++) {
        struct mark *mark = &grade->marks[i];
        mark->item = &spec->items[i];
        if (spec->items[i].is_pass) {
            mark->is_checked = true;
            mark->points = grade->has_passed ? spec->items[i].points : 0;
        } else if (grade->has_passed && !mark_limit(grade, mark)) {
            return false;
        }
        grade->points += mark->points;
    }
    return true;
}

void grade_free(struct grade *grade)
{
    for (size_t i = 0; i < SPEC_ITEMS_MAX; i++)
        free(grade->marks[i].outcomes);
    free(grade->reason);
    free(grade->details);
    sheets_free(&grade->sheets);
}

const char *grade_item_text(const struct grade_spec *spec, const struct spec_item *item,
                            char text[2 * LIMIT_TEXT_BYTES])
{
    char subject[LIMIT_TEXT_BYTES], wanted[LIMIT_TEXT_BYTES];
    if (item->is_pass)
        snprintf(text, 2 * LIMIT_TEXT_BYTES, "ends with status 0%s%s",
                 *spec->prints ? " and prints " : "", spec->prints);
    else
        snprintf(text, 2 * LIMIT_TEXT_BYTES, "%s %s", limit_subject(&item->limit, subject),
                 limit_wanted(&item->limit, wanted));
    return text;
}
