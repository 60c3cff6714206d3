/* regroup_lanes.c - chains, vectors, dealt loops, sorted threads.
 *
 * Decisions. A thread that does the work of several in turn waits at each turn's first access for all loads
 * before it, as a loop does that uses what it loads. A loop is dealt out iteration by iteration,
 * part p of n having p, p + n, p + 2 n, ...; what a thread does once, in front of the loop or behind it, all
 * parts do. Iteration i of a part has the work, and waits for loads, as iteration i of the whole did.
 */
#include "advise/regroup_lanes.h"

#include <stdlib.h>

#include "text/list.h"
#include "text/memory.h"

static const char no_memory[] = "no memory for regrouped threads";

static bool refuse(struct lanes *lanes, const char *why)
{
    lanes->refusal = why;
    return false;
}

static const struct kept *kept_of(const struct lanes *lanes, uint32_t item)
{
    return &lanes->group->kept[lanes->group->items[item]];
}

static uint32_t first_item(const struct lanes *lanes, const struct thread_origin *thread)
{
    const struct group *group = lanes->group;
    return group->first[(size_t)thread->block * group->block_threads + thread->thread];
}

static uint32_t end_item(const struct lanes *lanes, const struct thread_origin *thread)
{
    const struct thread_origin next = {thread->block, thread->thread + 1};
    return first_item(lanes, &next);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

/* Visits of one thread, by site. */
static void count_visits(const struct lanes *lanes, uint32_t thread, uint32_t *visits)
{
    const struct group *group = lanes->group;
    for (uint32_t i = group->first[thread]; i < group->first[thread + 1]; i++)
        if (kept_of(lanes, i)->kind == KEPT_ACCESS)
            visits[kept_of(lanes, i)->access.site]++;
}

static void forget_visits(const struct lanes *lanes, uint32_t thread, uint32_t *visits)
{
    const struct group *group = lanes->group;
    for (uint32_t i = group->first[thread]; i < group->first[thread + 1]; i++)
        visits[kept_of(lanes, i)->access.site] = 0;
}

static bool is_in_loop(const struct lanes *lanes, uint32_t item, const bool *repeats)
{
    const struct kept *kept = kept_of(lanes, item);
    return kept->kind == KEPT_ACCESS && repeats[kept->access.site];
}

/* Whether the first load of an iteration waits for the iteration before it, in a loop whose loads could be
 * under way together: its address then comes from what was loaded. */
static bool is_chain(const struct lanes *lanes, uint32_t first, uint32_t count, uint32_t length)
{
    const uint8_t unrolled = ACCESS_UNROLLED | ACCESS_FLATTENED;
    uint32_t waits = 0;
    for (uint32_t i = length; i < count; i += length) {
        const struct warp_access *a = &kept_of(lanes, first + i)->access;
        waits += a->op == OP_LOAD && a->flags & unrolled && a->loads_left < length;
    }
    return 2 * waits > count / length;
}

/* The loop of one thread; false when its iterations are not alike. */
static bool find_loop(const struct lanes *lanes, uint32_t thread, const uint32_t *visits,
                      const bool *repeats, struct lane_loop *loop)
{
    const uint32_t begin = lanes->group->first[thread], end = lanes->group->first[thread + 1];
    uint32_t first = begin, count = 0, fewest = UINT32_MAX;
    while (first < end && !is_in_loop(lanes, first, repeats))
        first++;
    for (; first + count < end && is_in_loop(lanes, first + count, repeats); count++) {
        const uint32_t seen = visits[kept_of(lanes, first + count)->access.site];
        fewest = seen < fewest ? seen : fewest;
    }
    *loop = (struct lane_loop){.first = first - begin, .iterations = count ? fewest : 0};
    if (count == 0)
        return true;
    loop->length = count / fewest;
    bool alike = count % fewest == 0;
    for (uint32_t i = loop->length; i < count; i++)
        alike &= kept_of(lanes, first + i)->access.site ==
                 kept_of(lanes, first + i - loop->length)->access.site;
    for (uint32_t i = first + count; i < end; i++)
        alike &= !is_in_loop(lanes, i, repeats);
    return alike && !is_chain(lanes, first, count, loop->length);
}

static bool find_loops(struct lanes *lanes, uint32_t threads, uint32_t *visits, bool *repeats)
{
    bool alike = true;
    for (uint32_t t = 0; t < threads; t++) {
        count_visits(lanes, t, visits);
        for (uint32_t i = lanes->group->first[t]; i < lanes->group->first[t + 1]; i++)
            repeats[kept_of(lanes, i)->access.site] |= visits[kept_of(lanes, i)->access.site] > 1;
        forget_visits(lanes, t, visits);
    }
    for (uint32_t t = 0; alike && t < threads; t++) {
        count_visits(lanes, t, visits);
        alike = find_loop(lanes, t, visits, repeats, &lanes->loops[t]);
        forget_visits(lanes, t, visits);
    }
    return alike || refuse(lanes, "the iterations of its loop are not alike, or need each other");
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* Threads of the group, which is one block, by how much they do; equals stay in their order. */
static void sort_threads(struct lanes *lanes, uint32_t threads)
{
    const uint32_t *first = lanes->group->first;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t at = t;
        for (; at > 0 && first[lanes->order[at - 1] + 1] - first[lanes->order[at - 1]] <
                             first[t + 1] - first[t];
             at--)
            lanes->order[at] = lanes->order[at - 1];
        lanes->order[at] = t;
    }
}

/* ---- A group --------------------------------------------------------------------------------- */

static bool begin_deal(struct lanes *lanes, uint32_t threads, size_t site_count)
{
    uint32_t *visits = memory_take(site_count + 1, sizeof *visits);
    bool *repeats = memory_take(site_count + 1, sizeof *repeats);
    lanes->loops = memory_take(threads + 1, sizeof *lanes->loops);
    const bool fine = visits && repeats && lanes->loops
                          ? find_loops(lanes, threads, visits, repeats)
                          : refuse(lanes, no_memory);
    free(visits);
    free(repeats);
    return fine;
}

bool lanes_begin(struct lanes *lanes, size_t site_count)
{
    const uint32_t threads = lanes->group->blocks * lanes->group->block_threads;
    if (lanes->regrouping->kind == REGROUP_DEAL)
        return begin_deal(lanes, threads, site_count);
    if (lanes->regrouping->kind != REGROUP_SORT)
        return true;
    lanes->order = memory_take(threads + 1, sizeof *lanes->order);
    if (lanes->order == NULL)
        return refuse(lanes, no_memory);
    sort_threads(lanes, threads);
    return true;
}

void lanes_end(struct lanes *lanes)
{
    free(lanes->loops);
    free(lanes->order);
    lanes->loops = NULL;
    lanes->order = NULL;
}

/* ---- A thread -------------------------------------------------------------------------------- */

static struct lane_step *add_step(struct lanes *lanes, struct lane_steps *steps, uint32_t control,
                                  uint32_t address, const struct thread_origin *from)
{
    const uint8_t lane = (uint8_t)(from->thread % WARP_LANES);
    if (!LIST_MAKE_ROOM(steps->steps, steps->count, steps->room)) {
        lanes->refusal = no_memory;
        return NULL;
    }
    struct lane_step *step = &steps->steps[steps->count++];
    *step = (struct lane_step){.control = lanes->group->items[control],
                               .address = lanes->group->items[address],
                               .lane = lane};
    return step;
}

/* All that a recorded thread does, behind what is there already. */
static bool add_all(struct lanes *lanes, const struct thread_origin *from, struct lane_steps *steps)
{
    const uint32_t end = end_item(lanes, from);
    bool is_first = steps->count > 0;
    uint32_t work = 0;
    if (is_first) { /* the end before it is none */
        const struct lane_step *end_before = &steps->steps[--steps->count];
        work = lanes->group->kept[end_before->control].access.work + end_before->more_work;
    }
    for (uint32_t i = first_item(lanes, from); i < end; i++) {
        struct lane_step *step = add_step(lanes, steps, i, i, from);
        if (step == NULL)
            return false;
        step->waits = is_first;
        step->more_work = work;
        is_first = false;
        work = 0;
    }
    return true;
}

/* ---- Vectors --------------------------------------------------------------------------------- */

/* Whether item `other` of another thread can be part `part` of the same access as item `lead`. */
static bool fits(const struct lanes *lanes, uint32_t lead, unsigned lead_lane, uint32_t other,
                 unsigned other_lane, uint32_t part)
{
    const struct kept *a = kept_of(lanes, lead), *b = kept_of(lanes, other);
    if (a->kind != KEPT_ACCESS || b->kind != KEPT_ACCESS)
        return a->kind == b->kind || b->kind == KEPT_WARP_END;
    const uint64_t first = group_addr(lanes->group, lanes->group->items[lead], lead_lane);
    const uint64_t addr = group_addr(lanes->group, lanes->group->items[other], other_lane);
    const uint8_t wide = lanes->widths[a->access.site];
    if (a->access.site != b->access.site)
        return false;
    return wide == a->access.width ? addr == first
                                   : first % wide == 0 && addr - first == part * a->access.width;
}

/* The other threads must go along with the first one, as far as they go. */
static bool check_parts(struct lanes *lanes, const struct thread_origin *thread, uint32_t blocks,
                        const struct thread_origin *lead)
{
    const uint32_t first = first_item(lanes, lead), count = end_item(lanes, lead) - first;
    struct thread_origin other;
    for (uint32_t part = 1; part < lanes->regrouping->factor; part++) {
        if (!regrouping_origin(lanes->regrouping, &lanes->from, &lanes->to, blocks, thread, part,
                               &other))
            continue;
        const uint32_t own = first_item(lanes, &other), own_count = end_item(lanes, &other) - own;
        bool fine = own_count <= count;
        for (uint32_t i = 0; fine && i < own_count; i++)
            fine = fits(lanes, first + i, lead->thread % WARP_LANES, own + i,
                        other.thread % WARP_LANES, part);
        if (!fine)
            return refuse(lanes, "neighbouring threads do not take neighbouring words");
    }
    return true;
}

/* What a thread works out behind its first access it does for each of its elements; what stands before, indices,
 * once. */
static void repeat_arithmetic(const struct lanes *lanes, struct lane_steps *steps)
{
    const uint32_t others = lanes->regrouping->factor - 1;
    for (size_t i = 1; i < steps->count; i++) {
        const struct kept *kept = &lanes->group->kept[steps->steps[i].control];
        if (kept->kind == KEPT_ACCESS && kept->access.work > 1)
            steps->steps[i].more_work += (kept->access.work - 1U) * others;
    }
}

/* ---- Dealing --------------------------------------------------------------------------------- */

/* What the new thread `thread` of the parts of a recorded thread has. */
static bool add_dealt(struct lanes *lanes, const struct thread_origin *thread,
                      const struct thread_origin *from, struct lane_steps *steps)
{
    const uint32_t wider = lanes->regrouping->wider, parts = lanes->regrouping->factor * wider;
    const uint32_t part =
        thread->block / lanes->from.grid[0] * wider + thread->thread / lanes->group->block_threads;
    const uint32_t begin = first_item(lanes, from), end = end_item(lanes, from);
    const struct lane_loop *loop =
        &lanes->loops[(size_t)from->block * lanes->group->block_threads + from->thread];
    const uint32_t first = begin + loop->first, behind = first + loop->iterations * loop->length;
    bool fine = true;
    for (uint32_t i = begin; fine && i < first; i++)
        fine = add_step(lanes, steps, i, i, from) != NULL;
    uint32_t control = first;
    for (uint64_t turn = part; fine && turn < loop->iterations; turn += parts)
        for (uint32_t i = 0; fine && i < loop->length; i++)
            fine = add_step(lanes, steps, control++, first + (uint32_t)turn * loop->length + i,
                            from) != NULL;
    for (uint32_t i = behind; fine && i < end; i++)
        fine = add_step(lanes, steps, i, i, from) != NULL;
    return fine;
}

bool lanes_fill(struct lanes *lanes, const struct thread_origin *thread, struct lane_steps *steps)
{
    const struct regrouping *r = lanes->regrouping;
    const uint32_t blocks = lanes->group->blocks;
    const uint32_t parts = r->kind == REGROUP_CHAIN ? r->factor : 1;
    struct thread_origin from;
    bool fine = true;
    steps->count = 0;
    steps->exists = false;
    for (uint32_t part = 0; fine && part < parts; part++) {
        if (!regrouping_origin(r, &lanes->from, &lanes->to, blocks, thread, part, &from))
            continue;
        steps->exists = true;
        if (r->kind == REGROUP_SORT)
            from.thread = lanes->order[from.thread];
        steps->last = from;
        if (r->kind == REGROUP_DEAL)
            fine = add_dealt(lanes, thread, &from, steps);
        else
            fine = add_all(lanes, &from, steps);
        if (fine && r->kind == REGROUP_VECTOR) {
            repeat_arithmetic(lanes, steps);
            fine = check_parts(lanes, thread, blocks, &from);
        }
    }
    return fine;
}
