/* loop_wait.c - where a warp waits because a loop uses what it has loaded. */
#include "tracer/loop_wait.h"

#include "tracer/engine.h"

static unsigned depth_of(uint64_t meta)
{
    return (unsigned)(meta >> EVENT_DEPTH_SHIFT & 0xff);
}

/* Compilers put an inner loop's body in front of its condition, which is where the outer loop's body
 * then begins: the outer loop's code, as jumps back show it, begins inside the inner one's and ends
 * behind it. The latter is a part of the former. */
static bool is_around(uint32_t outer_head, uint32_t outer_bytes, uint32_t inner_head,
                      uint32_t inner_bytes)
{
    uint32_t apart = outer_head - inner_head;
    return apart <= inner_bytes && apart + outer_bytes > inner_bytes;
}

/* The warp's latest load is in the code of the loop. Where a function that was called made it does
 * not show: it counts from the second jump back on. */
static bool loop_has_loaded(uint64_t load, uint64_t jump, uint32_t head, uint32_t bytes,
                            bool is_first)
{
    if (load == 0)
        return false;
    if (depth_of(load) > depth_of(jump))
        return !is_first;
    return (uint32_t)load - head <= bytes;
}

/* Compilers have most loops begin with a jump to their condition, behind the body: the first jump
 * back then comes before the first iteration, and the loop has not loaded. */
void loop_wait_jump(struct loop_wait *wait, uint64_t meta)
{
    uint32_t head = (uint32_t)meta, begin = head;
    struct loop_step step = loops_step(head);
    bool is_first = head != wait->head;
    if (is_first && wait->head) {
        struct loop_step last = loops_step(wait->head);
        if (is_around(head, step.bytes, wait->head, last.bytes)) {
            begin = wait->head;
            step.bytes += head - begin;
            step.together = last.together == LOOP_FLATTENED ? step.together : LOOP_ROLLED;
        }
    }
    bool has_loaded = loop_has_loaded(wait->load, meta, begin, step.bytes, is_first);
    wait->head = head;
    wait->step = step;
    wait->iterations = is_first ? has_loaded : wait->iterations + 1;
    if (wait->iterations < step.together)
        return;
    wait->iterations = 0;
    if (has_loaded) {
        wait->waits = true;
        wait->load = 0;
    }
}
