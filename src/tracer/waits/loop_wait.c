/* loop_wait.c - where a warp waits because a loop uses what it has loaded. */
#include "tracer/waits/loop_wait.h"

#include "tracer/engine.h"

enum {
    BY_FOUR = 4,
    BY_SIXTEEN = 16,
    INSTRUCTIONS_BY_SIXTEEN =
        14, /* an iteration's, at most: read off loops of tests/corpus and validation/applications */
};

/* nvcc unrolls to no more than that: asked of nvcc 13 with iterations of 1 to 200 products and sums. */
enum { UNROLLED_SIZE_MAX = 200, SIZE_BESIDES = 2 };

static uint32_t fitting(uint32_t together, uint32_t size)
{
    while (together > 1 && (uint64_t)(size + SIZE_BESIDES) * together > UNROLLED_SIZE_MAX)
        together /= 2;
    return together;
}

/* Divisions and square roots of floats have a way for special values behind a branch, which loads do not pass. */
uint32_t loop_together(const struct loop_step *step, unsigned instructions, uint32_t size)
{
    if (step->kind == LOOP_ROLLED || step->divides)
        return 1;
    if (step->kind == LOOP_FLATTENED)
        return 0;
    if (step->kind == LOOP_BY_FOUR || step->is_around || instructions > INSTRUCTIONS_BY_SIXTEEN)
        return fitting(BY_FOUR, size);
    return BY_SIXTEEN;
}

static unsigned depth_of(uint64_t meta)
{
    return (unsigned)(meta >> EVENT_DEPTH_SHIFT & 0xff);
}

/* The warp's latest load is in the code of the loop, or in a function that was called: from there,
 * as far as code tells. */
static bool loop_has_loaded(uint64_t load, uint64_t jump, uint32_t head, uint32_t bytes)
{
    if (load == 0)
        return false;
    return depth_of(load) > depth_of(jump) || (uint32_t)load - head <= bytes;
}

/* The lane goes on behind its last event with what nobody knows yet: its column was full, or it waits for others. */
static bool is_cut_off(const struct merged_event *jump)
{
    if (jump->ahead == 0)
        return true;
    return event_kind(jump->next[(jump->ahead - 1) * (size_t)WARP_LANES]) == EVENT_WARP_OP ||
           jump->is_full;
}

/* The event there, a jump to the same head, is one of a loop around. */
static bool is_outer(const struct merged_event *jump, unsigned ahead)
{
    const uint64_t from = jump->next[ahead * (size_t)WARP_LANES + EVENT_ADDR_OFFSET];
    return loops_is_outer((uint32_t)jump->meta, (uint32_t)(from & EVENT_ADDR_MASK));
}

/* Iterations from this jump on, `most` of them when there are more. */
static uint32_t iterations_left(const struct merged_event *jump, uint32_t bytes, uint32_t most)
{
    uint32_t found = 1;
    for (unsigned i = 0; i < jump->ahead && found < most; i++) {
        const uint64_t meta = jump->next[i * (size_t)WARP_LANES];
        if (depth_of(meta) > depth_of(jump->meta))
            continue;
        if (depth_of(meta) < depth_of(jump->meta) || (uint32_t)meta - (uint32_t)jump->meta > bytes)
            return found;
        if (meta != jump->meta)
            continue;
        if (is_outer(jump, i))
            return found;
        found++;
    }
    return is_cut_off(jump) ? most : found;
}

/* How many of so many iterations are the next group. */
static uint32_t group_of(uint32_t iterations, uint32_t together)
{
    while (together > iterations)
        together = together > BY_FOUR ? together / 2 : 1;
    return together;
}

bool loop_wait_jump(struct loop_wait *wait, const struct merged_event *jump, uint32_t from_pc,
                    struct loop_shape shape)
{
    const uint32_t head = (uint32_t)jump->meta;
    if (shape.together == 0)
        return true;
    if (head != wait->head)
        wait->left =
            group_of(1 + iterations_left(jump, shape.bytes, shape.together), shape.together);
    wait->head = head;
    wait->left--;
    if (wait->left > 0 && !loops_is_outer(head, from_pc))
        return true;
    wait->left = group_of(iterations_left(jump, shape.bytes, shape.together), shape.together);
    if (loop_has_loaded(wait->load, jump->meta, head, shape.bytes)) {
        wait->waits = true;
        wait->load = 0;
    }
    return false;
}
