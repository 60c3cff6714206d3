/* test_quiz.c - does the quiz ask what can be answered from what it shows, and only once?
 *
 * The accesses come from the kernels, the answers from the rules; here the question as it is shown, with
 * its addresses counted from the array's beginning, is put through the slow oracle again.
 */
#include "gallery_list.h"
#include "models/models.h"
#include "oracle.h"
#include "quiz/ask.h"
#include "models/capabilities.h"
#include "quiz_steps.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS_MOST = 256, QUESTIONS = 60, GPUS = 4, TEXT_ROOM = 1 << 16 };

static struct quiz_kernel kernels[KERNELS_MOST];
static struct session_gpu gpus[GPUS];
static const char *written; /* in the talk before */

static struct quiz_request whole_request(uint64_t seed)
{
    static const char *const names[GPUS] = {"gtx280", "m2090", "gtx1080ti", "h200"};
    assert_in_range(quiz_kernel_count(), 1, KERNELS_MOST);
    for (size_t i = 0; i < quiz_kernel_count(); i++)
        quiz_kernel_get(i, &kernels[i]);
    for (size_t i = 0; i < GPUS; i++) {
        gpus[i].model = models_find(names[i]);
        arch_from_model(gpus[i].model, &gpus[i].arch);
    }
    return (struct quiz_request){.kernels = kernels,
                                 .kernel_count = quiz_kernel_count(),
                                 .gpus = gpus,
                                 .gpu_count = GPUS,
                                 .seed = seed};
}

static FILE *scratch(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    return file;
}

static uint32_t oracle_answer(const struct quiz_question *question)
{
    const struct warp_access *a = &question->access;
    const uint64_t *addr = question->addr;
    const enum mem_op op = (enum mem_op)a->op;
    struct rule_set rules;
    struct coalesced moved;
    assert_true(rules_for(&question->gpu->arch, &rules));
    switch (question->figures.path) {
    case PATH_CONSTANT:
        return oracle_constant_passes(addr, a->active, rules.constant_half_warp);
    case PATH_BANKS:
        return oracle_banks(rules.banks, op, addr, a->active, a->width).passes;
    default:
        oracle_coalesce(question->figures.rule, addr, a->active, a->width, &moved);
        return question->asked == QUIZ_BYTES ? moved.bytes_moved : moved.transactions;
    }
}

static void shown_addresses_have_the_answer(void **state)
{
    (void)state;
    const struct quiz_request request = whole_request(1);
    struct quiz *quiz = quiz_start(&request);
    struct quiz_question question;
    unsigned of_path[3] = {0}, of_gpu[GPUS] = {0}, of_op[OP_COUNT] = {0}, bytes = 0;
    for (unsigned i = 0; i < QUESTIONS; i++) {
        assert_true(quiz_step(quiz, &question));
        assert_int_equal(quiz_answer(&question), oracle_answer(&question));
        of_path[question.figures.path]++;
        of_gpu[question.gpu - gpus]++;
        of_op[question.access.op]++;
        bytes += question.asked == QUIZ_BYTES;
    }
    quiz_free(quiz);
    for (size_t i = 0; i < 3; i++)
        assert_in_range(of_path[i], 1, QUESTIONS);
    for (size_t i = 0; i < GPUS; i++)
        assert_in_range(of_gpu[i], QUESTIONS / 10, QUESTIONS);
    assert_in_range(of_op[OP_STORE], QUESTIONS / 10, QUESTIONS);
    assert_in_range(bytes, 1, QUESTIONS);
}

/* The first questions of a seed, as text, copied to `text`. */
static void write_first(uint64_t seed, char *text)
{
    const struct quiz_request request = whole_request(seed);
    struct quiz *quiz = quiz_start(&request);
    FILE *out = scratch();
    assert_null(quiz_write_list(quiz, 3, false, out));
    strcpy(text, take_written(out));
    fclose(out);
    quiz_free(quiz);
}

static void a_seed_decides_the_questions(void **state)
{
    (void)state;
    static char first[TEXT_ROOM], again[TEXT_ROOM], other[TEXT_ROOM];
    write_first(1, first);
    write_first(1, again);
    write_first(2, other);
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

static void assert_in_bounds(const struct gallery_args *args)
{
    for (size_t k = 0; k < GALLERY_PARAMS_MAX && args->params[k].name; k++) {
        assert_true(args->values[k] >= args->params[k].min);
        assert_true(args->values[k] <= args->params[k].max);
        assert_int_equal(args->values[k] % args->params[k].multiple, 0);
    }
}

static void every_kernel_has_parameters_that_it_takes(void **state)
{
    (void)state;
    struct quiz_kernel kernel;
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++) {
            quiz_kernel_shrink(&gallery_topics[t]->kernels[i], &kernel);
            assert_in_bounds(&kernel.args);
        }
}

/* A value that no parameter takes would leave a row that is the same as another. */
static void every_row_is_another_one(void **state)
{
    (void)state;
    whole_request(1);
    for (size_t i = 0; i < quiz_kernel_count(); i++) {
        assert_non_null(kernels[i].kernel);
        assert_in_bounds(&kernels[i].args);
        for (size_t other = 0; other < i; other++)
            assert_false(kernels[other].kernel == kernels[i].kernel &&
                         memcmp(&kernels[other].args, &kernels[i].args, sizeof kernels[i].args) ==
                             0);
    }
}

/* sharedBroadcast loads and stores idata, shared and odata: four accesses that are told apart, of each
 * of which there is one for every cost under a GPU. */
static void nothing_is_asked_twice(void **state)
{
    (void)state;
    struct quiz_request request = whole_request(3);
    struct quiz_question questions[16];
    size_t count = 0;
    quiz_kernel_shrink(gallery_find("sharedBroadcast"), &kernels[0]);
    request.kernel_count = 1;
    request.gpu_count = 1;
    struct quiz *quiz = quiz_start(&request);
    while (count < 16 && quiz_step(quiz, &questions[count]))
        count++;
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(questions[i].line == questions[k].line &&
                         questions[i].access.op == questions[k].access.op &&
                         questions[i].access.space == questions[k].access.space);
    quiz_free(quiz);
}

/* A strided copy on a GTX 280: everything is there but the answer. */
static void a_question_shows_the_line_and_not_the_answer(void **state)
{
    (void)state;
    struct quiz_request request = whole_request(1);
    struct quiz_question question;
    quiz_kernel_shrink(gallery_find("strideCopy"), &kernels[0]);
    request.kernel_count = 1;
    request.gpu_count = 1;
    struct quiz *quiz = quiz_start(&request);
    assert_true(quiz_step(quiz, &question));
    FILE *out = scratch();
    quiz_write_question(&question, out);
    const char *text = take_written(out);
    assert_non_null(strstr(text, "strideCopy with n=1024 block=256 stride=2, copy.c:14\n"
                                 "    odata[xid] = idata[xid];\n"));
    assert_non_null(strstr(text, "stride 8, on GeForce GTX 280 (sm_13)"));
    assert_non_null(strstr(text, "Rule of sm_12, sm_13: "));
    assert_non_null(strstr(text, "  lane       0    1    2    3"));
    assert_non_null(strstr(text, "  address  0x0  0x8 0x10 0x18"));
    assert_null(strstr(text, "T1"));
    assert_null(strstr(text, "Counts"));
    quiz_write_answer(&question, out);
    text = take_written(out);
    assert_string_equal(text, question.asked == QUIZ_BYTES ? "256 bytes" : "2 transactions");
    quiz_write_reasons(&question, out);
    assert_non_null(strstr(take_written(out), "Steps:\n  1. half-warp 0: "));
    fclose(out);
    quiz_free(quiz);
}

/* Holds a quiz of `count` questions about strideCopy with what is typed. */
static struct quiz_score talk(const char *typed, size_t count)
{
    struct quiz_request request = whole_request(1);
    struct quiz_score score;
    quiz_kernel_shrink(gallery_find("strideCopy"), &kernels[0]);
    request.kernel_count = 1;
    request.gpu_count = 1;
    struct quiz *quiz = quiz_start(&request);
    struct quiz_talk streams = {scratch(), scratch(), true};
    fputs(typed, streams.in);
    rewind(streams.in);
    assert_null(quiz_ask(quiz, count, &streams, &score));
    written = take_written(streams.out);
    fclose(streams.in);
    fclose(streams.out);
    quiz_free(quiz);
    return score;
}

static void assert_score(struct quiz_score score, size_t right, size_t wrong, size_t skipped)
{
    assert_int_equal(score.right, right);
    assert_int_equal(score.wrong, wrong);
    assert_int_equal(score.skipped, skipped);
    assert_int_equal(score.asked, right + wrong + skipped);
}

/* Both accesses of strideCopy with stride 2 make 2 transactions and move 256 bytes. */
static void answers_are_judged(void **state)
{
    (void)state;
    assert_score(talk("2\n", 1), 1, 0, 0);
    assert_non_null(strstr(written, "> 2\n\nRight: 2 transactions.\nSteps:\n"));
    assert_non_null(strstr(written, "\nScore: 1 right, 0 wrong, 0 skipped.\n"));
    assert_null(strstr(written, "Lesson"));
    assert_score(talk("  16 \n", 1), 0, 1, 0);
    assert_non_null(strstr(written, "No, it is 2 transactions.\n"));
    assert_non_null(strstr(written, "Lesson: docs/course/03-half-warps.md\n"));
    assert_score(talk("s\nskip\n", 2), 0, 0, 2);
}

static void nonsense_is_asked_again(void **state)
{
    (void)state;
    static const char allowed[] =
        "Allowed is a whole number, s to skip the question, q to end.\n> ";
    static const char *const nonsense[] = {"abc",         "",         "-2", "2.0", "0x2", "2 2",
                                           "12345678901", "\001\002", "q2"};
    for (size_t i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++) {
        char typed[64];
        snprintf(typed, sizeof typed, "%s\n2\n", nonsense[i]);
        assert_score(talk(typed, 1), 1, 0, 0);
        assert_non_null(strstr(written, allowed));
    }
    char typed[1002];
    memset(typed, '2', 1000);
    strcpy(typed + 1000, "\n");
    assert_score(talk(typed, 1), 0, 0, 0);
    assert_non_null(strstr(written, allowed));
}

static void the_end_of_the_input_is_no_error(void **state)
{
    (void)state;
    assert_score(talk("", 2), 0, 0, 0);
    assert_non_null(strstr(written, "Score: 0 right, 0 wrong, 0 skipped; 2 of 2 not asked.\n"));
    assert_score(talk("2\nq\n", 2), 1, 0, 0);
    assert_non_null(strstr(written, "; 1 of 2 not asked.\n"));
    assert_score(talk("2", 1), 1, 0, 0);
    assert_score(talk("s\ns\ns\ns\n", 4), 0, 0, 2);
    assert_non_null(strstr(written, "; 2 of 4 not asked, as there is nothing new to ask.\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_addresses_have_the_answer),
        cmocka_unit_test(a_seed_decides_the_questions),
        cmocka_unit_test(every_kernel_has_parameters_that_it_takes),
        cmocka_unit_test(every_row_is_another_one),
        cmocka_unit_test(nothing_is_asked_twice),
        cmocka_unit_test(a_question_shows_the_line_and_not_the_answer),
        cmocka_unit_test(answers_are_judged),
        cmocka_unit_test(nonsense_is_asked_again),
        cmocka_unit_test(the_end_of_the_input_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
