/* quiz_steps.h - a quiz and its questions one by one, and what was written to a stream. */
#ifndef WARPLENS_TESTS_QUIZ_STEPS_H
#define WARPLENS_TESTS_QUIZ_STEPS_H

#include <stdio.h>

#include "quiz/quiz.h"
#include "test_support.h"

static inline struct quiz *quiz_start(const struct quiz_request *request)
{
    struct quiz *quiz = quiz_new(request);
    assert_non_null(quiz);
    return quiz;
}

/* False: there is no further one. */
static inline bool quiz_step(struct quiz *quiz, struct quiz_question *question)
{
    bool found;
    assert_null(quiz_next(quiz, question, &found));
    return found;
}

/* What the stream has been given, up to the next call; it is emptied. */
static inline const char *take_written(FILE *out)
{
    static char text[1 << 16];
    const long length = ftell(out);
    assert_in_range(length, 0, sizeof text - 1);
    rewind(out);
    assert_int_equal(fread(text, 1, (size_t)length, out), length);
    text[length] = '\0';
    rewind(out);
    return text;
}

#endif
