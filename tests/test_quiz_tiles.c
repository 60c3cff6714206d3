/* test_quiz_tiles.c - do the quiz's questions about tiles have the answers that slow counting gives, each once, and only on GPUs
 * that have what they ask about?
 */
#include "models/models.h"
#include "oracle.h"
#include "quiz_steps.h"

#include <string.h>

static struct session_gpu gpu;

static struct quiz_request request_for(const char *name)
{
    gpu.model = models_find(name);
    arch_from_model(gpu.model, &gpu.arch);
    return (struct quiz_request){.has_patterns = true, .gpus = &gpu, .gpu_count = 1, .seed = 1};
}

/* Passes of a tile's question, counted anew; of a swizzle's, where it puts the element, bit by bit. */
static uint32_t oracle_tile(const struct quiz_question *question)
{
    const struct warp_access *a = &question->access;
    const unsigned last = 31U - (unsigned)__builtin_clz(a->active);
    const struct swizzle s = question->tile.swizzle;
    const uint64_t element = question->tile.offset[last] / question->tile.unit_bytes;
    uint64_t put = element;
    for (unsigned bit = 0; bit < s.bits; bit++)
        if (element >> (s.base + (unsigned)s.shift + bit) & 1)
            put ^= UINT64_C(1) << (s.base + bit);
    if (question->asked == QUIZ_SWIZZLED)
        return (uint32_t)put;
    if (access_is_matrix(a))
        return oracle_banks_matrix(question->addr, a->active).passes;
    return oracle_banks(BANKS_PAIRED_32, (enum mem_op)a->op, question->addr, a->active, a->width)
        .passes;
}

/* On an H200 all of them are asked, each once; a GTX 280 has neither ldmatrix nor copies. */
static void tiles_are_asked_about(void **state)
{
    (void)state;
    struct quiz_request request = request_for("h200");
    struct quiz_question question;
    size_t count = 0, copies = 0, matrices = 0, swizzled = 0;
    struct quiz *quiz = quiz_start(&request);
    FILE *out = tmpfile();
    assert_non_null(out);
    for (; quiz_step(quiz, &question); count++) {
        const bool is_matrix = access_is_matrix(&question.access);
        copies += question.has_copy;
        matrices += is_matrix;
        swizzled += question.asked == QUIZ_SWIZZLED;
        if (!question.has_copy)
            assert_int_equal(quiz_answer(&question), oracle_tile(&question));
        quiz_write_question(&question, out);
        assert_null(strstr(take_written(out), "Counts"));
    }
    quiz_free(quiz);
    assert_int_equal(count, quiz_pattern_count());
    assert_in_range(copies, 3, count);
    assert_in_range(matrices, 8, count);
    assert_in_range(swizzled, 3, count);
    request = request_for("gtx280");
    quiz = quiz_start(&request);
    for (count = 0; quiz_step(quiz, &question); count++)
        assert_false(question.has_copy || access_is_matrix(&question.access));
    assert_in_range(count, 2, 6);
    quiz_free(quiz);
    fclose(out);
}

/* Passes of copies, worked out by hand from docs/model.md, 7.1: four rows of 128 bytes are four pieces; a column of words is 32
 * lanes at one place; 32 lanes of 8 bytes go in two groups. */
static void copies_are_asked_about(void **state)
{
    (void)state;
    struct quiz_request request = request_for("h200");
    struct quiz_question question;
    unsigned seen = 0;
    struct quiz *quiz = quiz_start(&request);
    while (quiz_step(quiz, &question)) {
        const struct warp_access a = quiz_access(&question);
        if (!question.has_copy)
            continue;
        assert_true(a.copy == &question.copy);
        if (a.width == 4 || a.width == 8 || question.tile.swizzle.bits) {
            assert_int_equal(quiz_answer(&question), a.width == 4 ? 32 : a.width == 8 ? 2 : 4);
            seen++;
        }
    }
    assert_int_equal(seen, 3);
    quiz_free(quiz);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_asked_about),
        cmocka_unit_test(copies_are_asked_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
