/* capture.h - accesses of a kernel that can be asked about. Internal to quiz. */
#ifndef WARPLENS_QUIZ_CAPTURE_H
#define WARPLENS_QUIZ_CAPTURE_H

#include "quiz/quiz.h"
#include "session/fit.h"

enum { CAPTURED_MOST = 64 };

struct captured {
    char refusal[FIT_MESSAGE_BYTES]; /* why the GPU cannot run the kernel; "" when it can */
    size_t count;
    struct quiz_question list[CAPTURED_MOST]; /* `asked` is not yet chosen */
};

/* Runs a kernel and keeps, of every site, the first access of each cost under the GPU. NULL, or the
 * message of what went wrong. */
const char *quiz_capture(const struct quiz_kernel *kernel, const struct session_gpu *gpu,
                         struct captured *captured);

#endif
