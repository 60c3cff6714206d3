/* text_pattern.h - the words of questions about tiles. Internal to quiz.
 */
#ifndef WARPLENS_QUIZ_TEXT_PATTERN_H
#define WARPLENS_QUIZ_TEXT_PATTERN_H

#include "quiz/quiz.h"

/* What the pattern is, and the access as `warplens explain` takes it. */
void text_pattern_place(const struct quiz_question *question, FILE *out);

/* Where the lanes of a copy put what they read. */
void text_pattern_destinations(const struct quiz_question *question, FILE *out);

/* The element of the last lane, asked for; where it goes; and why. */
void text_pattern_ask_swizzled(const struct quiz_question *question, FILE *out);
uint32_t text_pattern_swizzled(const struct quiz_question *question);
void text_pattern_reason(const struct quiz_question *question, FILE *out);

#endif
