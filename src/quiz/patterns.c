/* patterns.c - the rows that such questions are made of; what is true of them the rules say. */
#include "quiz/patterns.h"

#include <string.h>

#include "expression/expression.h"
#include "quiz/quiz.h"

const struct quiz_pattern quiz_patterns[] = {
    {"a tile of 16 x 64 halves by rows", "ldmatrix.x4 layout=(16,64):(64,1) f16", QUIZ_COUNT},
    {"rows of 64 halves, padded by 8", "ldmatrix.x4 layout=(16,64):(64+8,1) f16", QUIZ_COUNT},
    {"rows of 64 halves, swizzled", "ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3",
     QUIZ_COUNT},
    {"rows of 64 halves, two bits swizzled", "ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=2,3,3",
     QUIZ_COUNT},
    {"rows of 32 halves", "ldmatrix.x4 layout=(16,32):(32,1) f16", QUIZ_COUNT},
    {"rows of 32 halves, swizzled", "ldmatrix.x4 layout=(16,32):(32,1) f16 swizzle=2,3,3",
     QUIZ_COUNT},
    {"one matrix of rows that are 48 bytes apart", "ldmatrix.x1 stride=48", QUIZ_COUNT},
    {"a matrix of rows that are all the same", "ldmatrix.x1 stride=0", QUIZ_COUNT},
    {"results on their way out", "stmatrix.x4 layout=(16,64):(64,1) f16 swizzle=1,3,3", QUIZ_COUNT},
    {"a column of a tile of 32 x 32 floats", "ld.shared.f32 layout=32x32 o 32:1 swizzle=3,0,5",
     QUIZ_COUNT},
    {"a column of a tile of 64 x 64 halves", "ld.shared.f16 layout=64x64+2 o 32:1", QUIZ_COUNT},
    {"a tile of 64 halves a row, from global memory",
     "cp.async.cg.16 [tx*8] f16 to layout=64x64 o (8,4):(512,1) f16 swizzle=3,3,3", QUIZ_COUNT},
    {"the same into padded rows", "cp.async.cg.16 [tx*8] f16 to layout=64x64+8 o (8,4):(512,1) f16",
     QUIZ_COUNT},
    {"a copy of single words into a column", "cp.async.ca.4 to layout=32x32 o 32:1 f32",
     QUIZ_COUNT},
    {"8 bytes a lane, one behind the other", "cp.async.ca.8 to stride=8", QUIZ_COUNT},
    {"where a swizzle puts an element", "ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3",
     QUIZ_SWIZZLED},
    {"where a swizzle puts an element", "ldmatrix.x4 layout=(16,32):(32,1) f16 swizzle=2,3,3",
     QUIZ_SWIZZLED},
    {"where a swizzle puts an element", "ld.shared.f32 layout=32x32 o 32:1 swizzle=5,0,5",
     QUIZ_SWIZZLED},
};

size_t quiz_pattern_count(void)
{
    return sizeof quiz_patterns / sizeof quiz_patterns[0];
}

void quiz_capture_pattern(const struct quiz_pattern *pattern, const struct session_gpu *gpu,
                          struct captured *captured)
{
    struct quiz_question *question = &captured->list[0];
    struct expression e;
    char refusal[EXPLAIN_REFUSAL_BYTES];
    captured->count = 0;
    snprintf(captured->refusal, sizeof captured->refusal, "no memory for a question");
    if (!expression_parse(pattern->text, &e, refusal, sizeof refusal))
        return; /* a row written wrong, which a test would find */
    const struct explain_subject subject = {
        .access = &e.access, .model = gpu->model, .arch = &gpu->arch, .tile = &e.tile};
    *question = (struct quiz_question){.pattern = pattern,
                                       .gpu = gpu,
                                       .access = e.access,
                                       .tile = e.tile,
                                       .asked = pattern->asked};
    question->access.addr = NULL;
    question->access.copy = NULL;
    question->has_copy = e.access.copy != NULL;
    question->copy = e.copy;
    memcpy(question->addr, e.addr, sizeof question->addr);
    snprintf(question->file, sizeof question->file, "?");
    if (!explain_allows(&subject, refusal))
        snprintf(captured->refusal, sizeof captured->refusal, "%s", refusal);
    else if (explain_count(&subject, &question->figures))
        captured->count = 1;
}
