/* loops.c - decisions. A branch back makes a loop of the instructions from its target to itself; of several to one target the
 * last counts. The compiler lays loops out in one piece, so that of two loops one is in the other, or they are apart. An
 * instruction is in the shortest one around it.
 *
 * Rounds. A warp executes in order. Where an instruction waits for a counter that a load of the loop counts on, the loads
 * that were begun before it have been waited for; loads from shared memory are there long before those from global memory,
 * and make rounds of their own only in loops that have no others. A loop whose loads nothing in it waits for has one round.
 */
#include "nvcc/loops.h"

#include <stdlib.h>

#include "nvcc/sass.h"
#include "text/memory.h"

struct span {
    size_t head, end; /* the first instruction, and the last */
};

static struct sass_instruction at(const uint8_t *code, size_t i, int sm)
{
    return sass_decode(code + i * SASS_BYTES, sm);
}

/* The instruction that a branch at `i` leads to; `count` when there is none. */
static size_t target_of(const struct sass_instruction *in, size_t i, size_t count)
{
    const int64_t place = (int64_t)(i * SASS_BYTES) + in->target;
    if (!in->has_target || place < 0 || place % SASS_BYTES || (uint64_t)place / SASS_BYTES >= count)
        return count;
    return (size_t)place / SASS_BYTES;
}

/* A branch to itself ends the code; functions that are called stand behind it, or behind what calls them. */
static size_t own_code(const uint8_t *code, size_t count, int sm)
{
    size_t end = count;
    for (size_t i = 0; i < end; i++) {
        const struct sass_instruction in = at(code, i, sm);
        const size_t target = target_of(&in, i, count);
        if (in.kind == SASS_BRANCH && target == i)
            end = i;
        else if (in.kind == SASS_CALL && target > i && target < end)
            end = target;
    }
    return end;
}

/* Adds the loop, or makes the one that begins there longer. */
static void add_span(struct span *spans, size_t *count, struct span span)
{
    for (size_t i = 0; i < *count; i++)
        if (spans[i].head == span.head) {
            spans[i].end = span.end > spans[i].end ? span.end : spans[i].end;
            return;
        }
    if (*count < NVCC_LOOPS_MAX)
        spans[(*count)++] = span;
}

static size_t find_spans(const uint8_t *code, size_t end, int sm, struct span *spans)
{
    size_t found = 0;
    for (size_t i = 0; i < end; i++) {
        const struct sass_instruction in = at(code, i, sm);
        const size_t target = target_of(&in, i, end);
        if (in.kind == SASS_BRANCH && target < i)
            add_span(spans, &found, (struct span){target, i});
    }
    return found;
}

static int by_length(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    const size_t length_x = x->end - x->head, length_y = y->end - y->head;
    if (length_x != length_y)
        return length_x > length_y ? -1 : 1;
    return x->head < y->head ? -1 : x->head > y->head;
}

/* Longer loops first, so that the shortest has the last word. */
static void mark(struct span *spans, size_t found, size_t end, size_t count, uint16_t *in_loop)
{
    qsort(spans, found, sizeof *spans, by_length);
    for (size_t i = 0; i < count; i++)
        in_loop[i] = i < end ? 0 : UINT16_MAX;
    for (size_t s = 0; s < found; s++)
        for (size_t i = spans[s].head; i <= spans[s].end; i++)
            in_loop[i] = (uint16_t)(s + 1);
}

static bool has_global_load(const uint8_t *code, const struct span *span, uint16_t loop,
                            const uint16_t *in_loop, int sm)
{
    for (size_t i = span->head; i <= span->end; i++)
        if (in_loop[i] == loop && at(code, i, sm).kind == SASS_LOAD)
            return true;
    return false;
}

static uint32_t count_rounds(const uint8_t *code, const struct span *span, uint16_t loop,
                             const uint16_t *in_loop, int sm)
{
    const enum sass_kind load =
        has_global_load(code, span, loop, in_loop, sm) ? SASS_LOAD : SASS_LOAD_SHARED;
    uint32_t rounds = 0, pending = 0; /* bit i: counter i tells of a load */
    for (size_t i = span->head; i <= span->end; i++) {
        if (in_loop[i] != loop)
            continue;
        const struct sass_instruction in = at(code, i, sm);
        if (in.waits & pending) {
            rounds++;
            pending = 0;
        }
        if (in.kind == load && in.counter < SASS_COUNTERS)
            pending |= 1U << in.counter;
    }
    return rounds + (pending != 0);
}

bool loops_find(const uint8_t *code, size_t count, int sm, uint16_t *in_loop,
                struct nvcc_kernel *kernel)
{
    struct span *spans = memory_take(NVCC_LOOPS_MAX, sizeof *spans);
    if (spans == NULL)
        return false;
    const size_t end = own_code(code, count, sm), found = find_spans(code, end, sm, spans);
    mark(spans, found, end, count, in_loop);
    kernel->loops = memory_take(found + 1, sizeof *kernel->loops);
    if (kernel->loops)
        kernel->loop_count = found + 1;
    for (size_t i = 0; kernel->loops && i < end; i++)
        kernel->loops[in_loop[i]].instructions += at(code, i, sm).kind != SASS_NOTHING;
    for (size_t s = 0; kernel->loops && s < found; s++)
        kernel->loops[s + 1].rounds = count_rounds(code, &spans[s], (uint16_t)(s + 1), in_loop, sm);
    free(spans);
    return kernel->loops != NULL;
}
