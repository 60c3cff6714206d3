/* ask.h - a quiz held with a person, or written down for a teacher. */
#ifndef WARPLENS_QUIZ_ASK_H
#define WARPLENS_QUIZ_ASK_H

#include "quiz/quiz.h"

struct quiz_score {
    size_t asked, right, wrong, skipped;
};

struct quiz_talk {
    FILE *in, *out;
    bool echoes; /* the input is no terminal: answers are written down where they would be typed */
};

/* Asks up to `count` questions, until they or the input end; what is no answer is asked for again. Ends
 * with the score. NULL, or the message of what went wrong. */
const char *quiz_ask(struct quiz *quiz, size_t count, const struct quiz_talk *talk,
                     struct quiz_score *score);

/* Writes up to `count` questions, and their answers behind them, as text or as Markdown. NULL, or the
 * message of what went wrong. */
const char *quiz_write_list(struct quiz *quiz, size_t count, bool is_markdown, FILE *out);

#endif
