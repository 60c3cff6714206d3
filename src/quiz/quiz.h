/* quiz.h - questions about single warp accesses of the gallery's kernels: how many transactions,
 * sectors, bytes or passes?
 *
 * A kernel runs, some of its accesses are kept, and one of them becomes a question. The answer is what
 * the rules make of that access: no answer is written down anywhere. The same request gives the same
 * questions in the same order.
 */
#ifndef WARPLENS_QUIZ_QUIZ_H
#define WARPLENS_QUIZ_QUIZ_H

#include <stdio.h>

#include "explain/explain.h"
#include "gallery.h"
#include "session/session.h"

struct quiz_kernel {
    const struct gallery_kernel *kernel;
    struct gallery_args args;
};

struct quiz_pattern; /* patterns.h */

struct quiz_request {
    const struct quiz_kernel *kernels;
    size_t kernel_count;
    bool has_patterns; /* questions about tiles in shared memory as well */
    const struct session_gpu *gpus;
    size_t gpu_count;
    uint64_t seed;
};

/* QUIZ_SWIZZLED: where the swizzle puts the element of the access's last lane. */
enum quiz_asked { QUIZ_COUNT, QUIZ_BYTES, QUIZ_SWIZZLED };

enum { QUIZ_NAME_BYTES = 64 };

/* An access of a kernel under a GPU, and what is asked about it. */
struct quiz_question {
    const struct quiz_kernel *of;
    const struct session_gpu *gpu;
    char file[QUIZ_NAME_BYTES], array[QUIZ_NAME_BYTES]; /* "?" and "" when unknown */
    uint32_t line;
    struct warp_access access; /* quiz_access() gives it with its addresses */
    uint64_t addr[WARP_LANES]; /* global: from the array's beginning on; of lanes that are off: 0 */
    struct explain_figures figures;
    enum quiz_asked asked;

    const struct quiz_pattern *pattern; /* of a question that is of no kernel: `of` is NULL */
    struct tile tile;                   /* of a pattern */
    struct async_copy copy;             /* of a pattern that has one */
    bool has_copy;
};

/* The kernels that questions are taken from when none is named, small ones; and how many. */
size_t quiz_kernel_count(void);
void quiz_kernel_get(size_t index, struct quiz_kernel *kernel);
/* A kernel as it is, with small sizes. */
void quiz_kernel_shrink(const struct gallery_kernel *kernel, struct quiz_kernel *small_one);

size_t quiz_pattern_count(void);

/* The request and what it points to must outlive the quiz. NULL when memory is short. */
struct quiz *quiz_new(const struct quiz_request *request);
void quiz_free(struct quiz *quiz); /* NULL: nothing to do */

uint64_t quiz_seed(const struct quiz *quiz);

/* The next question; *found is false when there is no other one. NULL, or the message of what went
 * wrong. */
const char *quiz_next(struct quiz *quiz, struct quiz_question *question, bool *found);

struct warp_access quiz_access(const struct quiz_question *question);
/* What explains it; `access` is what quiz_access() gave, and has to outlive it as the question has. */
struct explain_subject quiz_subject(const struct quiz_question *question,
                                    const struct warp_access *access);

uint32_t quiz_answer(const struct quiz_question *question);

/* The kernel, its line, the access, the rule, the lanes' addresses, and what is asked. */
void quiz_write_question(const struct quiz_question *question, FILE *out);
/* "6 transactions". */
void quiz_write_answer(const struct quiz_question *question, FILE *out);
/* The rule's steps, the counts and a verdict. */
void quiz_write_reasons(const struct quiz_question *question, FILE *out);
/* The file of the lesson that is about such accesses. */
const char *quiz_lesson(const struct quiz_question *question);

#endif
