/* explained.c - everything an explanation shows of one access, worked out once.
 *
 * Decision: which rule an access follows is decided here as the counters decide it: read-only loads
 * follow the read-only rule only where that path is apart, texture fetches always do.
 */
#include "explain/explained.h"

#include "sim/rules/l1stage.h"
#include "sim/rules/lanes.h"

static bool is_read_only_apart(const struct explained *x)
{
    return x->access->op == OP_LOAD && (x->access->flags & ACCESS_READ_ONLY) != 0 &&
           x->rules.read_only_apart;
}

static void choose_memory_rule(struct explained *x)
{
    const struct warp_access *a = x->access;
    bool is_plain_global = a->space == SPACE_GLOBAL && !is_read_only_apart(x);
    if (is_plain_global)
        x->rule = x->rules.global[a->op];
    else if (a->space == SPACE_LOCAL)
        x->rule = x->rules.local[a->op];
    else
        x->rule = x->rules.read_only;
    x->has_l1_stages = is_plain_global && x->rules.l1_stages && a->op != OP_ATOMIC;
}

static void measure_lanes(struct explained *x)
{
    const struct warp_access *a = x->access;
    x->low = UINT64_MAX;
    x->high = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!access_lane_active(a, lane))
            continue;
        uint64_t addr = access_addr(a, lane);
        x->low = addr < x->low ? addr : x->low;
        x->high = addr > x->high ? addr : x->high;
    }
    x->lanes = (uint32_t)__builtin_popcount(a->active);
    x->bytes_asked = x->lanes * a->width;
    x->bytes_used = coalesce_distinct_bytes(a);
}

static void work_out_memory(struct explained *x)
{
    x->path = PATH_MEMORY;
    choose_memory_rule(x);
    coalesce(x->rule, x->access, &x->moved);
    if (x->has_l1_stages)
        l1_plan_make(x->access, &x->l1);
}

/* The most passes that follow one another for the same lanes and the same part of their words. */
static uint32_t most_passes(const struct bank_plan *plan)
{
    uint32_t most = 0, run = 0;
    for (uint32_t i = 0; i < plan->passes; i++) {
        const struct bank_pass *pass = &plan->pass[i], *last = i == 0 ? pass : pass - 1;
        bool is_same = pass->group == last->group && pass->first_part == last->first_part;
        run = is_same ? run + 1 : 1;
        most = run > most ? run : most;
    }
    return most;
}

static void work_out_banks(struct explained *x)
{
    x->path = PATH_BANKS;
    bank_plan_make(&x->rules, x->access, &x->banks);
    x->passes = banks_count_shared(&x->rules, x->access);
    x->ways = most_passes(&x->banks);
}

static void work_out_constant(struct explained *x)
{
    const uint32_t active = x->access->active;
    bool has_both_halves = (active & UINT16_MAX) != 0 && active >> 16 != 0;
    x->path = PATH_CONSTANT;
    constant_plan_make(x->access, x->rules.constant_half_warp, &x->constant);
    x->constant_ideal = x->rules.constant_half_warp && has_both_halves ? 2 : 1;
}

/* The source as a load, and what the rules of copies count. */
static void work_out_copy(struct explained *x)
{
    struct async_copy_pieces asked;
    x->copied = async_copy_count(x->access, &asked);
    x->reads = *x->access;
    x->reads.active = async_copy_reading(x->access);
    x->access = &x->reads;
    measure_lanes(x);
    work_out_memory(x);
    x->path = PATH_COPY;
    x->has_l1_stages = false;
    if (x->access->copy->past_l1)
        async_copy_find_pieces(x->access, true, &x->pieces);
}

bool explained_make(const struct explain_subject *subject, struct explained *x)
{
    const struct warp_access *a = subject->access;
    *x = (struct explained){
        .subject = subject, .access = a, .model = subject->model, .arch = subject->arch};
    if (!rules_for(x->arch, &x->rules))
        return false;
    measure_lanes(x);
    if (a->copy && async_copy_reading(a) != 0)
        work_out_copy(x);
    else if (a->space == SPACE_SHARED)
        work_out_banks(x);
    else if (a->space == SPACE_CONSTANT)
        work_out_constant(x);
    else
        work_out_memory(x);
    return true;
}

uint64_t explained_shared_addr(const struct explained *x, unsigned lane)
{
    return x->path == PATH_COPY ? x->access->copy->to[lane] : access_addr(x->access, lane);
}

bool explained_has_rows(const struct explained *x)
{
    return x->path == PATH_COPY ||
           (x->path == PATH_BANKS && x->banks.bank_bytes == 4 &&
            (access_is_matrix(x->access) || (x->subject->tile && x->subject->tile->is_laid_out)));
}

uint32_t explained_group_lanes(const struct explained *x)
{
    if (x->path != PATH_COPY)
        return x->banks.group_lanes;
    return x->access->copy->past_l1 ? WARP_LANES : access_line_words(x->access);
}

bool explained_find_stride(const struct explained *x, int64_t *stride)
{
    const struct warp_access *a = x->access;
    const unsigned first = (unsigned)__builtin_ctz(a->active);
    const uint32_t rest = a->active & (a->active - 1);
    if (rest == 0)
        return false;
    const unsigned second = (unsigned)__builtin_ctz(rest);
    const int64_t apart = (int64_t)(access_addr(a, second) - access_addr(a, first));
    *stride = apart / (int64_t)(second - first);
    for (unsigned lane = first; lane < WARP_LANES; lane++) {
        uint64_t expected = access_addr(a, first) + (uint64_t)*stride * (lane - first);
        if (access_lane_active(a, lane) && access_addr(a, lane) != expected)
            return false;
    }
    return true;
}

uint32_t explained_used_bytes(const struct warp_access *a, uint32_t lanes)
{
    struct warp_access part = *a;
    part.active = lanes;
    return coalesce_distinct_bytes(&part);
}
