/* loops.c - the furthest point from which lanes have jumped back to the head of a loop, and what a
 * GPU makes of the loop: how many iterations' loads are under way together.
 *
 * A loop may have several jumps back (continue, or the end of an outer loop whose body begins with
 * this one); a lane at any of them is through with the iteration and must wait at the loop's end. The
 * end is learnt from the lanes as they run. Code does not change, so it is kept over launches; each
 * run begins without, so that its trace does not depend on what was traced before.
 *
 * How the loop around an access is unrolled is asked for each access: it is kept by the access's place in the
 * code until a loop is learnt that had not been known to reach that far.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/made/loops.h"
#include "tracer/tracer.h"
#include "tracer/waits/unroll_factors.h"
#include "tracer/widths/kept_loads.h"
#include "tracer/widths/widths.h"

enum { SLOTS = 1024 }; /* a power of two; loops beyond that many end where they begin */

static struct {
    uint32_t head, end, nearest; /* of its ends: where its jumps back come from */
    bool is_known;               /* `shape`, for this end */
    struct loop_shape shape;
} slots[SLOTS];
static uint16_t known[SLOTS]; /* the slots of the loops that are known */
static unsigned known_count;

/* What is known of places in the code, since the loops were last learnt of. */
static struct {
    uint32_t pc, learnt; /* learnt 0: nothing is known */
    enum loop_kind kind;
    uint32_t together;
} places[SLOTS];
static uint32_t times_learnt;

void loops_start(void)
{
    memset(slots, 0, sizeof slots);
    memset(places, 0, sizeof places);
    known_count = 0;
    times_learnt = 1;
}

static unsigned hash_of(uint32_t pc)
{
    return pc * 2654435761U >> 22;
}

/* The slot of a loop, or the free one where it would be; SLOTS when all are taken. */
static unsigned find_slot(uint32_t head)
{
    unsigned at = hash_of(head);
    for (unsigned tries = 0; tries < SLOTS; tries++, at = (at + 1) % SLOTS)
        if (slots[at].head == head || slots[at].head == 0)
            return at;
    return SLOTS;
}

void loops_learn(uint32_t head_pc, uint32_t end_pc)
{
    unsigned at = find_slot(head_pc);
    if (at == SLOTS || (slots[at].head && end_pc >= slots[at].nearest && end_pc <= slots[at].end))
        return;
    if (slots[at].head == 0) {
        slots[at].head = head_pc;
        slots[at].nearest = end_pc;
        known[known_count++] = (uint16_t)at;
    }
    if (end_pc < slots[at].nearest)
        slots[at].nearest = end_pc;
    if (end_pc > slots[at].end) {
        slots[at].end = end_pc;
        slots[at].is_known = false;
        times_learnt++;
    }
}

uint32_t loops_end(uint32_t head_pc)
{
    unsigned at = find_slot(head_pc);
    return at < SLOTS && slots[at].head == head_pc ? slots[at].end : head_pc;
}

bool loops_is_outer(uint32_t head_pc, uint32_t from_pc)
{
    unsigned at = find_slot(head_pc);
    return at < SLOTS && slots[at].head == head_pc && from_pc > slots[at].nearest;
}

/* What the program says of its loop, whose code ends with the jump back. A loop that is unrolled so often is not unrolled once more. */
static void ask_program(uint32_t head_pc, struct loop_shape *shape)
{
    const unsigned times =
        unroll_factors_find(sites_line(engine.image_base + head_pc + shape->bytes));
    if (times)
        shape->together = times;
    if (times == 1)
        shape->kind = LOOP_ROLLED;
}

/* The code does not tell when it is another processor's, or not the program's own. */
static struct loop_shape find_shape(uint32_t head_pc, uint32_t end_pc)
{
    struct loop_step step = {.kind = LOOP_UNROLLED};
    uintptr_t room = work_table.slot_count * WORK_SLOT_BYTES;
    uintptr_t head = engine.image_base + head_pc - work_table.code_begin;
    if (TRACER_READS_ADDRESSES && head < room)
        step = loop_step_x86_64((const uint8_t *)work_table.code_begin, room, head,
                                head + end_pc - head_pc, kept_loads_kind_of);
    if (widths_head_is_constant(head_pc))
        step.kind = LOOP_FLATTENED;
    if (step.bytes == 0)
        step.bytes = end_pc - head_pc;
    struct loop_shape shape = {.kind = step.kind, .bytes = step.bytes};
    const enum loop_kind most = widths_most_of_head(head_pc);
    if (step.kind > most)
        step.kind = most;
    const uintptr_t begin = engine.image_base + head_pc;
    const struct code_loop of_code = widths_loop_of_head(head_pc);
    shape.is_straight = of_code.is_straight;
    if (made_loop_together(begin, &shape.together))
        return shape;
    shape.together = loop_together(&step, work_between(begin, step.bytes), of_code.size);
    ask_program(head_pc, &shape);
    return shape;
}

struct loop_shape loops_shape(uint32_t head_pc)
{
    unsigned at = find_slot(head_pc);
    if (at == SLOTS || slots[at].head != head_pc)
        return (struct loop_shape){.kind = LOOP_UNROLLED, .together = 1};
    if (!slots[at].is_known) {
        slots[at].shape = find_shape(head_pc, slots[at].end);
        slots[at].is_known = true;
    }
    return slots[at].shape;
}

/* The innermost loop around a place is the one that is shortest; of those that are not unrolled `whole`, or of all. */
static struct loop_shape find_innermost(uint32_t pc, bool whole)
{
    struct loop_shape innermost = {.kind = LOOP_ROLLED, .bytes = UINT32_MAX, .together = 1};
    for (unsigned i = 0; i < known_count; i++) {
        uint32_t head = slots[known[i]].head;
        if (pc < head)
            continue;
        struct loop_shape shape = loops_shape(head);
        if (pc - head <= shape.bytes && shape.bytes < innermost.bytes &&
            (whole || shape.together > 0))
            innermost = shape;
    }
    return innermost;
}

static enum loop_kind find_kind(uint32_t pc)
{
    if (made_is_known(engine.image_base + pc)) /* its instructions have what unrolling saves */
        return LOOP_ROLLED;
    return find_innermost(pc, true).kind;
}

static unsigned find_place(uint32_t pc)
{
    const unsigned at = hash_of(pc);
    if (places[at].pc != pc || places[at].learnt != times_learnt) {
        places[at].kind = find_kind(pc);
        const struct loop_shape around = find_innermost(pc, false);
        places[at].together = around.is_straight ? around.together : 1;
        places[at].pc = pc;
        places[at].learnt = times_learnt;
    }
    return at;
}

enum loop_kind loops_kind(uint32_t pc)
{
    return places[find_place(pc)].kind;
}

uint32_t loops_together(uint32_t pc)
{
    return places[find_place(pc)].together;
}
