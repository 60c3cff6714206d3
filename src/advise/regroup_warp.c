/* regroup_warp.c - puts the steps of a warp's lanes together, as regroup.h has it.
 *
 * Where all lanes are at one site for the same time, which is nearly always, nothing is asked but that; what
 * lanes still have before them is counted when they first differ.
 */
#include "advise/regroup_warp.h"

#include <stdlib.h>
#include <string.h>

#include "advise/pattern.h"
#include "text/memory.h"

struct lane {
    struct lane_steps steps;
    size_t at;         /* the next step */
    uint32_t *visits;  /* by site, since the last barrier */
    uint32_t *to_come; /* by site, up to the next one; when `is_counted` */
    bool ends_early;   /* its thread had ended before others of its recorded warp */
};

struct warp_maker {
    struct lanes *lanes;
    const struct trace_sink *next;
    size_t site_count;
    struct lane of[WARP_LANES];
    bool is_counted;
    uint32_t number, warp; /* of the block, in it */
};

struct warp_maker *warp_maker_new(struct lanes *lanes, size_t site_count,
                                  const struct trace_sink *next)
{
    struct warp_maker *maker = memory_take(1, sizeof *maker);
    bool fine = maker != NULL;
    for (size_t i = 0; fine && i < WARP_LANES; i++) {
        maker->of[i].visits = memory_take(site_count + 1, sizeof *maker->of[i].visits);
        maker->of[i].to_come = memory_take(site_count + 1, sizeof *maker->of[i].to_come);
        fine = maker->of[i].visits && maker->of[i].to_come;
    }
    if (!fine) {
        warp_maker_free(maker);
        return NULL;
    }
    maker->lanes = lanes;
    maker->next = next;
    maker->site_count = site_count;
    return maker;
}

void warp_maker_free(struct warp_maker *maker)
{
    for (size_t i = 0; maker && i < WARP_LANES; i++) {
        free(maker->of[i].steps.steps);
        free(maker->of[i].visits);
        free(maker->of[i].to_come);
    }
    free(maker);
}

/* ---- What lanes are about to do -------------------------------------------------------------- */

static const struct lane_step *step_of(const struct warp_maker *m, unsigned lane)
{
    const struct lane *l = &m->of[lane];
    return l->at < l->steps.count ? &l->steps.steps[l->at] : NULL;
}

static const struct kept *control_of(const struct warp_maker *m, unsigned lane)
{
    return &m->lanes->group->kept[step_of(m, lane)->control];
}

static bool is_about_to(const struct warp_maker *m, unsigned lane, enum kept_kind kind)
{
    return step_of(m, lane) && control_of(m, lane)->kind == kind;
}

static uint32_t lanes_about_to(const struct warp_maker *m, enum kept_kind kind)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        mask |= (uint32_t)is_about_to(m, lane, kind) << lane;
    return mask;
}

/* Lanes of `among` that are at the same site as lane `with`, for the same time, in the same way. */
static uint32_t lanes_with(const struct warp_maker *m, unsigned with, uint32_t among)
{
    const struct warp_access *a = &control_of(m, with)->access;
    const uint32_t visit = m->of[with].visits[a->site];
    uint32_t mask = 0;
    for (; among; among &= among - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(among);
        const struct warp_access *b = &control_of(m, lane)->access;
        const bool same =
            a->site == b->site && a->flags == b->flags && m->of[lane].visits[b->site] == visit;
        mask |= (uint32_t)same << lane;
    }
    return mask;
}

static void count_to_come(struct warp_maker *m)
{
    for (size_t i = 0; i < WARP_LANES; i++) {
        struct lane *l = &m->of[i];
        memset(l->to_come, 0, m->site_count * sizeof *l->to_come);
        for (size_t at = l->at; at < l->steps.count; at++) {
            const struct kept *kept = &m->lanes->group->kept[l->steps.steps[at].control];
            if (kept->kind != KEPT_ACCESS)
                break;
            l->to_come[kept->access.site]++;
        }
    }
    m->is_counted = true;
}

/* Whether a lane of `others` comes to what lane `first` is about to do, later on. */
static bool is_awaited(const struct warp_maker *m, unsigned first, uint32_t others)
{
    const uint32_t site = control_of(m, first)->access.site, visit = m->of[first].visits[site];
    bool is = false;
    for (; others; others &= others - 1) {
        const struct lane *l = &m->of[__builtin_ctz(others)];
        is |= l->visits[site] <= visit && visit < l->visits[site] + l->to_come[site];
    }
    return is;
}

static uint32_t first_record(const struct warp_maker *m, uint32_t mask)
{
    uint32_t first = UINT32_MAX;
    for (; mask; mask &= mask - 1) {
        const uint32_t control = step_of(m, (unsigned)__builtin_ctz(mask))->control;
        first = control < first ? control : first;
    }
    return first;
}

/* The lanes that make the warp's next access, of `about` that are at some. */
static uint32_t choose(struct warp_maker *m, uint32_t about)
{
    const uint32_t together = lanes_with(m, (unsigned)__builtin_ctz(about), about);
    uint32_t best = 0, best_record = UINT32_MAX;
    bool best_is_ready = false;
    if (together == about)
        return about;
    if (!m->is_counted)
        count_to_come(m);
    for (uint32_t rest = about; rest;) {
        const unsigned first = (unsigned)__builtin_ctz(rest);
        const uint32_t mask = lanes_with(m, first, rest);
        const bool is_ready = !is_awaited(m, first, about & ~mask);
        const uint32_t record = first_record(m, mask);
        if (is_ready > best_is_ready || (is_ready == best_is_ready && record < best_record)) {
            best = mask;
            best_record = record;
            best_is_ready = is_ready;
        }
        rest &= ~mask;
    }
    return best;
}

/* ---- Giving out ------------------------------------------------------------------------------ */

static uint16_t work_of(const struct warp_maker *m, uint32_t mask)
{
    uint32_t most = 1;
    for (; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        const uint32_t work = control_of(m, lane)->access.work + step_of(m, lane)->more_work;
        most = work > most ? work : most;
    }
    return most > UINT16_MAX ? UINT16_MAX : (uint16_t)most;
}

/* As long as any of them is held up. */
static uint16_t lag_of(const struct warp_maker *m, uint32_t mask)
{
    uint16_t most = 0;
    for (; mask; mask &= mask - 1) {
        const uint16_t lag = control_of(m, (unsigned)__builtin_ctz(mask))->access.lag;
        most = lag > most ? lag : most;
    }
    return most;
}

/* Lanes that have not ended. */
static uint32_t resident(const struct warp_maker *m)
{
    uint32_t mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const struct lane *l = &m->of[lane];
        mask |= (uint32_t)(l->at + 1 < l->steps.count || (l->steps.exists && !l->ends_early))
                << lane;
    }
    return mask;
}

static void advance(struct warp_maker *m, uint32_t mask)
{
    for (; mask; mask &= mask - 1) {
        struct lane *l = &m->of[__builtin_ctz(mask)];
        const uint32_t site = control_of(m, (unsigned)__builtin_ctz(mask))->access.site;
        l->visits[site]++;
        l->to_come[site] -= m->is_counted;
        l->at++;
    }
}

static bool give_access(struct warp_maker *m, uint32_t mask)
{
    const struct group *group = m->lanes->group;
    uint64_t addr[WARP_LANES] = {0};
    struct warp_access a = control_of(m, (unsigned)__builtin_ctz(mask))->access;
    struct lane_pattern p;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct lane_step *step = step_of(m, lane);
        const uint8_t loads_left = step->waits ? 0 : control_of(m, lane)->access.loads_left;
        a.loads_left = loads_left < a.loads_left ? loads_left : a.loads_left;
        addr[lane] = group_addr(group, step->address, step->lane);
    }
    a.work = work_of(m, mask);
    a.lag = lag_of(m, mask);
    a.active = mask;
    a.resident = resident(m);
    a.block = m->number;
    a.warp = m->warp;
    a.width = m->lanes->widths[a.site];
    a.addr = addr;
    if (pattern_find(&a, &p) && p.row_lanes == WARP_LANES) {
        a.addr = NULL;
        a.base = p.base;
        a.stride = p.step;
    }
    advance(m, mask);
    return sink_access(m->next, &a);
}

static bool give_event(struct warp_maker *m, enum trace_event_kind kind, uint32_t mask)
{
    const struct trace_event event = {.kind = kind,
                                      .block = m->number,
                                      .warp = m->warp,
                                      .work = work_of(m, mask),
                                      .lag = lag_of(m, mask)};
    for (; mask; mask &= mask - 1)
        m->of[__builtin_ctz(mask)].at++;
    return sink_event(m->next, &event);
}

/* ---- Warps ----------------------------------------------------------------------------------- */

/* Whether the recorded thread of a step had ended when its warp made its last access. */
static bool had_ended(const struct warp_maker *m, const struct thread_origin *from)
{
    const struct group *group = m->lanes->group;
    const size_t warp =
        (size_t)from->block * group_warps_per_block(group) + from->thread / WARP_LANES;
    return (group->alive[warp] >> from->thread % WARP_LANES & 1U) == 0;
}

static bool fill_lane(struct warp_maker *m, const struct thread_origin *thread, struct lane *l)
{
    l->at = 0;
    if (!lanes_fill(m->lanes, thread, &l->steps))
        return false;
    l->ends_early = l->steps.exists && had_ended(m, &l->steps.last);
    return true;
}

static void forget_visits(struct warp_maker *m)
{
    for (size_t i = 0; i < WARP_LANES; i++)
        memset(m->of[i].visits, 0, m->site_count * sizeof *m->of[i].visits);
    m->is_counted = false;
}

static bool give_warp(struct warp_maker *m)
{
    uint32_t mask;
    bool fine = true;
    do {
        forget_visits(m);
        while (fine && (mask = lanes_about_to(m, KEPT_ACCESS)) != 0)
            fine = give_access(m, choose(m, mask));
        mask = lanes_about_to(m, KEPT_BARRIER);
        if (fine && mask)
            fine = give_event(m, TRACE_BARRIER, mask);
    } while (fine && mask);
    return fine && give_event(m, TRACE_WARP_END, lanes_about_to(m, KEPT_WARP_END));
}

bool warp_maker_block(struct warp_maker *m, uint32_t block, uint32_t number)
{
    const uint32_t threads = shape_threads(&m->lanes->to);
    bool fine = true;
    m->number = number;
    for (uint32_t first = 0; fine && first < threads; first += WARP_LANES) {
        m->warp = first / WARP_LANES;
        for (uint32_t lane = 0; fine && lane < WARP_LANES; lane++) {
            const struct thread_origin thread = {block, first + lane};
            struct lane *l = &m->of[lane];
            l->steps.count = 0;
            l->steps.exists = false;
            fine = first + lane >= threads || fill_lane(m, &thread, l);
        }
        fine = fine && give_warp(m);
    }
    const struct trace_event end = {
        .kind = TRACE_BLOCK_END, .block = number, .shared_bytes = m->lanes->group->shared_bytes};
    return fine && sink_event(m->next, &end);
}
