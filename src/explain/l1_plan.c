/* l1_plan.c - the L1 stages of one access, spelt out by the words of sim/l1stage.h: lines by lowest
 * lane, the k-th line of a tag bank in wavefront k, then the lanes of each wavefront through the
 * banks of shared memory.
 */
#include "explain/l1_plan.h"

#include "sim/banks.h"
#include "sim/l1stage.h"

enum { LINE_BYTES = 128 };

static uint32_t find_line(const struct l1_plan *plan, uint64_t addr)
{
    uint32_t i = 0;
    while (i < plan->lines && plan->line[i].addr != addr)
        i++;
    return i;
}

static void add_line(struct l1_plan *plan, uint64_t addr)
{
    struct tag_line *line = &plan->line[plan->lines];
    *line = (struct tag_line){.addr = addr, .bank = (uint8_t)l1stage_tag_bank(addr / LINE_BYTES)};
    for (uint32_t i = 0; i < plan->lines; i++)
        line->wavefront = (uint8_t)(line->wavefront + (plan->line[i].bank == line->bank));
    plan->lines++;
}

static void add_batch(const struct warp_access *a, struct l1_plan *plan, uint32_t lanes)
{
    struct warp_access part = *a;
    part.active = lanes;
    part.op = OP_LOAD;
    part.space = SPACE_SHARED;
    plan->batch_lanes[plan->batches] = lanes;
    plan->passes[plan->batches] = banks_count(BANKS_GROUPED_32, &part).passes;
    plan->data_passes += plan->passes[plan->batches++];
}

/* Loads: each tag wavefront by itself. Stores: the first ones together, as l1stage_store.c says. */
static void make_batches(const struct warp_access *a, struct l1_plan *plan)
{
    uint32_t together = a->op != OP_STORE ? 1 : a->width >= 4 ? 8 : 4, step;
    for (uint32_t first = 0; first < plan->wavefronts; first += step) {
        uint32_t lanes = 0;
        step = first == 0 || plan->lines == plan->wavefronts ? together : 1;
        for (uint32_t i = first; i < first + step && i < plan->wavefronts; i++)
            lanes |= plan->lanes[i];
        add_batch(a, plan, lanes);
    }
}

void l1_plan_make(const struct warp_access *a, struct l1_plan *plan)
{
    *plan = (struct l1_plan){.data_passes = 1};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!access_lane_active(a, lane))
            continue;
        uint64_t addr = access_addr(a, lane) / LINE_BYTES * LINE_BYTES;
        uint32_t i = find_line(plan, addr);
        if (i == plan->lines)
            add_line(plan, addr);
        plan->line[i].lanes |= UINT32_C(1) << lane;
        plan->lanes[plan->line[i].wavefront] |= UINT32_C(1) << lane;
    }
    while (plan->wavefronts < WARP_LANES && plan->lanes[plan->wavefronts] != 0)
        plan->wavefronts++;
    make_batches(a, plan);
}
