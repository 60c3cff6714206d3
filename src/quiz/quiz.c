/* quiz.c - which questions, in which order: what a seed decides.
 *
 * Kernels come in a shuffled order, one question each, round after round. The GPU is drawn for each
 * question, and so is the access. Three questions of four are about an access that costs more than it
 * needs to, as far as the kernel has one, otherwise about one that is not of global memory: most accesses
 * of most kernels are global and as good as can be, and would all be the same question.
 */
#include "quiz/quiz.h"

#include <stdlib.h>
#include <string.h>

#include "quiz/capture.h"
#include "quiz/patterns.h"
#include "text/list.h"
#include "text/memory.h"

struct quiz {
    struct quiz_request request;
    uint64_t state;
    size_t *order;   /* of kernels, and of patterns behind them, shuffled */
    size_t count;    /* of both */
    size_t turn;     /* turns taken; one is a kernel's or a pattern's */
    size_t vain;     /* turns since there was a new question */
    uint64_t *asked; /* hashes of the questions so far */
    size_t asked_count, asked_room;
    struct captured captured;
};

/* splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). */
static uint64_t draw(struct quiz *quiz)
{
    uint64_t x = quiz->state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    return x ^ x >> 31;
}

static size_t draw_below(struct quiz *quiz, size_t count)
{
    return (size_t)(draw(quiz) % count);
}

struct quiz *quiz_new(const struct quiz_request *request)
{
    struct quiz *quiz = memory_take(1, sizeof *quiz);
    if (quiz == NULL)
        return NULL;
    quiz->request = *request;
    quiz->state = request->seed;
    quiz->count = request->kernel_count + (request->has_patterns ? quiz_pattern_count() : 0);
    quiz->order = memory_take(quiz->count, sizeof *quiz->order);
    if (quiz->order == NULL) {
        free(quiz);
        return NULL;
    }
    for (size_t i = 0; i < quiz->count; i++) { /* Fisher and Yates, from the front */
        size_t other = draw_below(quiz, i + 1);
        quiz->order[i] = quiz->order[other];
        quiz->order[other] = i;
    }
    return quiz;
}

void quiz_free(struct quiz *quiz)
{
    if (quiz == NULL)
        return;
    free(quiz->order);
    free(quiz->asked);
    free(quiz);
}

uint64_t quiz_seed(const struct quiz *quiz)
{
    return quiz->request.seed;
}

static void hash_bytes(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++) /* FNV-1a */
        *hash = (*hash ^ p[i]) * 0x100000001b3ULL;
}

/* Two questions with one hash are the same to whom they are asked. */
static uint64_t hash_question(const struct quiz *quiz, const struct quiz_question *question)
{
    const struct warp_access *a = &question->access;
    uint64_t hash = 0xcbf29ce484222325ULL;
    const char *kernel = question->of ? question->of->kernel->name : question->pattern->text;
    const uint32_t gpu = (uint32_t)(question->gpu - quiz->request.gpus);
    const uint32_t numbers[] = {gpu,
                                question->line,
                                a->op,
                                a->space,
                                a->width,
                                a->active,
                                question->pattern ? (uint32_t)question->asked : 0};
    hash_bytes(&hash, kernel, strlen(kernel) + 1);
    hash_bytes(&hash, question->array, strlen(question->array) + 1);
    hash_bytes(&hash, numbers, sizeof numbers);
    hash_bytes(&hash, question->addr, sizeof question->addr);
    return hash;
}

static bool was_asked(const struct quiz *quiz, const struct quiz_question *question)
{
    const uint64_t hash = hash_question(quiz, question);
    for (size_t i = 0; i < quiz->asked_count; i++)
        if (quiz->asked[i] == hash)
            return true;
    return false;
}

static bool remember(struct quiz *quiz, const struct quiz_question *question)
{
    if (!LIST_MAKE_ROOM(quiz->asked, quiz->asked_count, quiz->asked_room))
        return false;
    quiz->asked[quiz->asked_count++] = hash_question(quiz, question);
    return true;
}

/* Keeps those captured accesses for which `wanted` holds; false, and all of them, when there is none. */
static bool keep_wanted(struct captured *captured, bool (*wanted)(const struct quiz_question *))
{
    size_t kept = 0;
    for (size_t i = 0; i < captured->count; i++)
        kept += wanted(&captured->list[i]);
    if (kept == 0)
        return false;
    kept = 0;
    for (size_t i = 0; i < captured->count; i++)
        if (wanted(&captured->list[i]))
            captured->list[kept++] = captured->list[i];
    captured->count = kept;
    return true;
}

static void drop_asked(struct quiz *quiz)
{
    struct captured *captured = &quiz->captured;
    size_t kept = 0;
    for (size_t i = 0; i < captured->count; i++)
        if (!was_asked(quiz, &captured->list[i]))
            captured->list[kept++] = captured->list[i];
    captured->count = kept;
}

static bool has_several_lanes(const struct quiz_question *question)
{
    return (question->access.active & (question->access.active - 1)) != 0;
}

static bool is_not_global(const struct quiz_question *question)
{
    return question->access.space != SPACE_GLOBAL;
}

static bool costs_more(const struct quiz_question *question)
{
    return !question->figures.is_ideal;
}

/* Bytes are worth asking for where transactions are of several sizes. */
static bool has_sizes(const struct explain_figures *figures)
{
    return figures->path == PATH_MEMORY &&
           (figures->rule == COALESCE_HALF_WARP_STRICT ||
            figures->rule == COALESCE_HALF_WARP_SEGMENT || figures->rule == COALESCE_STORE_124);
}

/* One of the accesses of a kernel under one GPU; false when all have been asked about. */
static bool choose(struct quiz *quiz, struct quiz_question *question)
{
    struct captured *captured = &quiz->captured;
    const bool wants_costly = draw_below(quiz, 4) != 0, wants_bytes = draw_below(quiz, 3) == 0;
    drop_asked(quiz);
    keep_wanted(captured, has_several_lanes);
    if (wants_costly && !keep_wanted(captured, costs_more))
        keep_wanted(captured, is_not_global);
    if (captured->count == 0)
        return false;
    *question = captured->list[draw_below(quiz, captured->count)];
    if (question->of)
        question->asked = wants_bytes && has_sizes(&question->figures) ? QUIZ_BYTES : QUIZ_COUNT;
    return true;
}

/* What can be asked about a kernel, or a pattern behind the kernels. */
static const char *capture(struct quiz *quiz, size_t which, const struct session_gpu *gpu)
{
    const size_t kernels = quiz->request.kernel_count;
    if (which < kernels)
        return quiz_capture(&quiz->request.kernels[which], gpu, &quiz->captured);
    quiz_capture_pattern(&quiz_patterns[which - kernels], gpu, &quiz->captured);
    return NULL;
}

const char *quiz_next(struct quiz *quiz, struct quiz_question *question, bool *found)
{
    const struct quiz_request *request = &quiz->request;
    *found = false;
    for (; quiz->vain < quiz->count && !*found; quiz->turn++) {
        const size_t which = quiz->order[quiz->turn % quiz->count];
        const size_t first = draw_below(quiz, request->gpu_count);
        for (size_t i = 0; i < request->gpu_count && !*found; i++) {
            const struct session_gpu *gpu = &request->gpus[(first + i) % request->gpu_count];
            const char *error = capture(quiz, which, gpu);
            if (error)
                return error;
            *found = choose(quiz, question);
        }
        quiz->vain = *found ? 0 : quiz->vain + 1;
    }
    if (quiz->asked_count == 0 && !*found)
        return quiz->captured.refusal[0] ? quiz->captured.refusal : "no access to ask about";
    return *found && !remember(quiz, question) ? "no memory for the questions" : NULL;
}
