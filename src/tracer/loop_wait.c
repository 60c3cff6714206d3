/* loop_wait.c - where a warp waits because a loop uses what it has loaded. */
#include "tracer/loop_wait.h"

#include "tracer/engine.h"

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

void loop_wait_jump(struct loop_wait *wait, uint64_t meta, uint32_t from_pc)
{
    uint32_t head = (uint32_t)meta;
    struct loop_step step = loops_step(head);
    bool is_first = head != wait->head;
    bool has_loaded = loop_has_loaded(wait->load, meta, head, step.bytes);
    bool ends_group = step.together != LOOP_FLATTENED && loops_is_outer(head, from_pc);
    wait->head = head;
    wait->iterations = is_first ? has_loaded : wait->iterations + 1;
    if (wait->iterations < step.together && !ends_group)
        return;
    wait->iterations = 0;
    if (has_loaded) {
        wait->waits = true;
        wait->load = 0;
    }
}
