/* l1_plan.c - the L1 stages of one access, spelt out by the words of sim/rules/l1stage.h: lines by lowest
 * lane, the k-th line of a tag bank in wavefront k, then the lanes of each wavefront through the
 * banks of shared memory.
 */
#include "explain/l1_plan.h"

#include "sim/rules/banks.h"
#include "sim/rules/l1stage.h"
#include "sim/rules/sectors.h"

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

/* Loads: each tag wavefront by itself. */
static void make_load_batches(const struct warp_access *a, struct l1_plan *plan)
{
    for (uint32_t i = 0; i < plan->wavefronts; i++)
        add_batch(a, plan, plan->lanes[i]);
}

/* Stores: several together, as sim/rules/l1stage.h says. */
static void make_store_batches(const struct warp_access *a, struct l1_plan *plan)
{
    uint8_t lines[WARP_LANES] = {0}, end[WARP_LANES];
    for (uint32_t i = 0; i < plan->lines; i++)
        lines[plan->line[i].wavefront]++;
    const uint32_t batches = l1stage_store_batches(lines, plan->wavefronts, a->width, end);
    for (uint32_t i = 0; i < batches; i++) {
        uint32_t lanes = 0;
        for (uint32_t k = i == 0 ? 0 : end[i - 1]; k < end[i]; k++)
            lanes |= plan->lanes[k];
        if (i != 0)
            plan->repeats += l1stage_store_repeats(a->width, plan->passes[i - 1]);
        add_batch(a, plan, lanes);
    }
    plan->data_passes += plan->repeats;
}

void l1_plan_make(const struct warp_access *a, struct l1_plan *plan)
{
    *plan = (struct l1_plan){.lines = 0};
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
    if (a->op == OP_STORE)
        make_store_batches(a, plan);
    else
        make_load_batches(a, plan);
}
