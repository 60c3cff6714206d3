/* patterns.h - questions about tiles in shared memory, which no kernel of the gallery asks: rows of ldmatrix, swizzles,
 * asynchronous copies. Internal to quiz.
 */
#ifndef WARPLENS_QUIZ_PATTERNS_H
#define WARPLENS_QUIZ_PATTERNS_H

#include "quiz/capture.h"

struct quiz_pattern {
    const char *title; /* what it is */
    const char *text;  /* an access as `warplens explain` takes it */
    enum quiz_asked asked;
};

extern const struct quiz_pattern quiz_patterns[];

/* The access of a pattern as the only one captured; none, with a refusal, where the GPU does not have it. */
void quiz_capture_pattern(const struct quiz_pattern *pattern, const struct session_gpu *gpu,
                          struct captured *captured);

#endif
