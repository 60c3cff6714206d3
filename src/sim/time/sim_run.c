/* sim_run.c - the scheduler: one event of one warp after another.
 *
 * A step is two events at most: its instructions go through the SM's issue stage, then, when its
 * operands are there, the access itself happens. Steps of few instructions do both in one event,
 * which changes the order of accesses by less than SHORT_ISSUE_CYCLES.
 *
 * Decision on instructions: a warp's instructions up to its next access take the issue stage in one
 * piece, first come, first served; but few of them (TURNS_MAX) wait no longer than if all warps of the SM took turns.
 * The warp itself needs at least its own pace for them. A load that waits for earlier ones, for its address
 * or at the end of an iteration, has its instructions behind the wait, since they are in order and the first
 * of them uses what was loaded; other steps have them while they wait.
 */
#include "sim/time/sim_ahead.h"
#include "sim/time/sim_bulk.h"
#include "sim/time/sim_products.h"
#include "sim/time/sim_warp.h"

enum { SHORT_ISSUE_CYCLES = 4 };

/* So few instructions take turns with the other warps': they would be behind pieces of hundreds else, which a scheduler never issues at a
 * stretch. More of them are such a piece. An estimate. */
enum { TURNS_MAX = 16 };

/* ---- Steps ----------------------------------------------------------------------------------- */

/* How many of its latest loads a warp may leave under way at this step. */
static uint32_t loads_left(const struct sim *sim, const struct step *step)
{
    const bool may_leave = step->kind == STEP_ACCESS &&
                           (step->access.op == OP_LOAD || step->access.bulk ||
                            (step->access.op == OP_STORE && step->access.space == SPACE_SHARED));
    if (!may_leave)
        return step->kind >= STEP_COPY_COMMIT ? SIM_WARP_LOADS : 0;
    uint32_t most = sim->loads_in_flight - 1;
    return step->access.loads_left < most ? step->access.loads_left : most;
}

/* The issue stage; when the warp has its instructions behind it. */
static uint64_t issue(struct sim *sim, struct sm_unit *sm, uint32_t index, const struct step *step)
{
    const bool is_none = step->kind == STEP_ACCESS && access_is_operand(&step->access);
    const uint32_t work = step->work - (is_none && step->work > 0);
    if (step->kind == STEP_ACCESS)
        judge_site(sim->judge, step->access.site)->instructions += work;
    else
        sim->loose.instructions += work;
    const uint64_t busy = work * sim->around.times.issue;
    sim->usage.busy[USE_ISSUE] += busy;
    const uint64_t served = port_take(&sm->issue, sim->now, busy) + busy;
    const uint64_t paced =
        sim->now + work * sim->around.times.pace + step->lag * sim->around.times.lag;
    const uint64_t in_turns = sim->now + busy * sm->resident_warps;
    const uint64_t issued = work <= TURNS_MAX && in_turns < served ? in_turns : served;
    const uint64_t through = ticks_later(issued, paced);
    sim->crowded[index] += through - ticks_later(sim->now + busy, paced);
    timeline_note(sim->memory.watched, TIMELINE_ISSUE, issued - busy, through);
    return through;
}

/* ---- The load/store unit --------------------------------------------------------------------- */

static void go_on_with_access(struct sim *sim, struct sm_unit *sm, uint32_t index,
                              const struct warp_access *access)
{
    struct sim_warp *warp = &sim->warps[index];
    if (!sm_unit_go_on(sm, &sim->around, access, sim->now)) {
        sm->owner = index;
        warp->state = WARP_SENDING;
        sim_go_on_at(sim, index, sm->at);
        return;
    }
    if (access->copy)
        sim_note_copy(sim, index, access->site, &sm->result);
    else if (access->op != OP_STORE)
        sim_note_load(sim, index, access->site, &sm->result);
    timeline_note(sim->memory.watched, TIMELINE_SEND, sm->result.accepted, sm->result.accepted);
    const uint64_t through =
        ticks_later(sm->lsu.free_at, sm->result.accepted); /* constants take another unit */
    timeline_note(sim->memory.watched, TIMELINE_UNIT, through, through);
    warp->state = WARP_FETCH;
    sim->queued[index] = access->op == OP_STORE ? sm->result.accepted : 0; /* sim_queue.c */
    sim_go_on_at(sim, index, sm->result.accepted);
    sim_hand_over(sim, sm);
}

/* An access to managed memory whose pages are elsewhere: the warp tries again later. Finding that
 * out takes the load/store unit for one pass, unless the SM translates nothing just now. False when
 * all pages are there. */
static bool waits_for_pages(struct sim *sim, uint32_t index, const struct warp_access *access,
                            uint64_t at)
{
    struct sim_warp *warp = &sim->warps[index];
    uint32_t number = sim->blocks[warp->place].sm;
    struct sm_unit *sm = &sim->sms[number];
    uint64_t busy = sim->managed.busy_ticks;
    struct managed_answer answer =
        managed_access(&sim->managed, number, access, ticks_later(at, sm->lsu.free_at), sim->judge);
    sim->usage.busy[USE_HOST] += sim->managed.busy_ticks - busy;
    if (answer.again == 0)
        return false;
    judge_site(sim->judge, access->site)->stall_cycles += (answer.again - at) >> TICKS_LOG2;
    timeline_note(sim->memory.watched, TIMELINE_PAGES, at, answer.again);
    if (answer.translated)
        port_take(&sm->lsu, at, sim->around.times.lsu);
    warp->state = WARP_ISSUED;
    sim_go_on_at(sim, index, answer.again);
    if (sm->owner == index)
        sim_hand_over(sim, sm);
    return true;
}

/* Resident blocks have local memory of their own. */
static void place_local_memory(const struct sim *sim, uint32_t place, struct footprint *footprint)
{
    uint64_t lines = (uint64_t)place * sim->warps_per_block * (LOCAL_WARP_BYTES >> LINE_LOG2);
    for (uint32_t i = 0; i < footprint->count; i++)
        footprint->line[i] += lines;
}

static void note_begin(struct sim *sim, const struct warp_access *access, uint64_t at)
{
    struct timeline_step *watched = sim->memory.watched;
    timeline_note(watched, TIMELINE_SEND, at, at);
    if (watched) {
        watched->passes = (uint16_t)sim->footprint.passes;
        watched->requests = (uint16_t)(access->space == SPACE_SHARED ? 0 : sim->footprint.count);
    }
}

/* The engine for copies has it from here on. Without memory for that it is counted, and takes no time. */
static void run_bulk_copy(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    judge_access(sim->judge, &step->access, &sim->footprint);
    sim_bulk_begin(sim, index, &step->access, at);
    timeline_note(sim->memory.watched, TIMELINE_SEND, at, at);
    sim->warps[index].state = WARP_FETCH;
    sim_go_on_at(sim, index, at);
}

static void run_access(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    struct sim_warp *warp = &sim->warps[index];
    struct sm_unit *sm = &sim->sms[sim->blocks[warp->place].sm];
    if (sm->owner != SM_UNIT_NOBODY && sm->owner != index) {
        sim_wait_for_unit(sim, sm, index, step->access.op == OP_STORE);
        return;
    }
    if ((step->access.flags & ACCESS_MANAGED) && waits_for_pages(sim, index, &step->access, at))
        return;
    judge_access(sim->judge, &step->access, &sim->footprint);
    sm->warp = index;
    sm->crowded = sim->crowded[index];
    if (step->access.space == SPACE_LOCAL)
        place_local_memory(sim, warp->place, &sim->footprint);
    if (step->access.copy) {
        struct sim_copy_group *group = sim_open_group(sim, index);
        sm_unit_begin(sm, &sim->around, &step->access, &sim->footprint, &group->answer, at);
        sm->result.asks = group->asks; /* for the latest answer of all its copies */
        sm->result.asked = group->asked;
    } else {
        sm_unit_begin(sm, &sim->around, &step->access, &sim->footprint,
                      &sim->load_answers[index][warp->load_count % SIM_WARP_LOADS], at);
    }
    sim->crowded[index] = sm->crowded;
    note_begin(sim, &step->access, at);
    go_on_with_access(sim, sm, index, &step->access);
}

/* ---- Asynchronous copies ---------------------------------------------------------------------- */

/* A commit, which needs a free group, or a wait: when its groups have arrived. */
static void finish_copy_step(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    struct sim_warp *warp = &sim->warps[index];
    const uint32_t left = step->kind == STEP_COPY_WAIT && step->left < SIM_COPY_GROUPS - 2
                              ? step->left
                              : SIM_COPY_GROUPS - 2;
    const uint64_t ready = sim_copies_done(sim, index, left);
    warp->state = WARP_ISSUED;
    if (ready == SIM_NOT_KNOWN) {
        sim_wait_for_copies(sim, index, left, at);
        return;
    }
    if (ready > at) {
        sim_book_copies(sim, index, left, at, ready);
        sim_go_on_at(sim, index, ready);
        return;
    }
    if (step->kind == STEP_COPY_COMMIT)
        sim_commit_copies(sim, index);
    warp->state = WARP_FETCH;
    sim_go_on_at(sim, index, at);
}

/* ---- Events ---------------------------------------------------------------------------------- */

/* A load whose instructions are to be issued behind its wait: that has just begun. */
static bool waits_before_issue(struct sim *sim, uint32_t index, const struct step *step)
{
    if (step->kind != STEP_ACCESS || step->access.op != OP_LOAD ||
        step->access.loads_left == NEEDS_NO_LOAD)
        return false;
    const uint32_t left = loads_left(sim, step);
    uint64_t ready = sim_loads_done(sim, index, left);
    if (ready == SIM_NOT_KNOWN) {
        sim_wait_for_answers(sim, index, left, sim->now);
        return true;
    }
    if (ready <= sim->now)
        return false;
    sim_book_wait(sim, index, left, sim->now, ready);
    sim_go_on_at(sim, index, ready);
    return true;
}

static void finish_product_step(struct sim *sim, uint32_t index, const struct step *step,
                                uint64_t at)
{
    const uint64_t ready = sim_products_step(sim, index, step, at);
    if (ready > at)
        timeline_note(sim->memory.watched, TIMELINE_LOADS, at, ready);
    sim->warps[index].state = WARP_FETCH;
    sim_go_on_at(sim, index, ready);
}

/* The step's instructions are issued by `at`: now the step itself, when its loads are there. */
static void finish_step(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    struct sim_warp *warp = &sim->warps[index];
    const uint32_t left = loads_left(sim, step);
    uint64_t ready = sim_loads_done(sim, index, left);
    if (ready == SIM_NOT_KNOWN) {
        warp->state = WARP_ISSUED;
        sim_wait_for_answers(sim, index, left, at);
        return;
    }
    if (ready > at) {
        sim_book_wait(sim, index, left, at, ready);
        at = ready;
    }
    if (at > sim->now + ticks_of_cycles(SHORT_ISSUE_CYCLES)) {
        warp->state = WARP_ISSUED;
        sim_go_on_at(sim, index, at);
    } else if (step->kind == STEP_ACCESS && step->access.bulk) {
        run_bulk_copy(sim, index, step, at);
    } else if (step->kind == STEP_ACCESS) {
        run_access(sim, index, step, at);
    } else if (step->kind == STEP_COPY_COMMIT || step->kind == STEP_COPY_WAIT) {
        finish_copy_step(sim, index, step, at);
    } else if (step->kind >= STEP_PRODUCT) {
        finish_product_step(sim, index, step, at);
    } else if (step->kind >= STEP_BULK_COMMIT) {
        sim_bulk_step(sim, index, step, at);
    } else if (step->kind == STEP_BARRIER) {
        sim_warp_waits_at_barrier(sim, warp);
    } else {
        sim_warp_end(sim, warp);
    }
}

/* One event of a warp. A step that is not through is read again at the next event. */
static void run_warp(struct sim *sim, uint32_t index)
{
    struct sim_warp *warp = &sim->warps[index];
    struct sim_block *block = &sim->blocks[warp->place];
    struct sm_unit *sm = &sim->sms[block->sm];
    step_cursor_next(&warp->cursor, block->steps, &sim->step);
    switch ((enum warp_state)warp->state) {
    case WARP_FETCH:
        if (waits_before_issue(sim, index, &sim->step)) {
            step_cursor_back(&warp->cursor);
            return;
        }
        finish_step(sim, index, &sim->step, issue(sim, sm, index, &sim->step));
        break;
    case WARP_ISSUED:
        finish_step(sim, index, &sim->step, sim->now);
        break;
    case WARP_GRANTED:
        sim->crowded[index] += sim->now - sim->queued[index];
        judge_site(sim->judge, sim->step.access.site)->stall_cycles +=
            (sim->now - sim->queued[index]) >> TICKS_LOG2;
        timeline_note(sim->memory.watched, TIMELINE_QUEUE, sim->queued[index], sim->now);
        run_access(sim, index, &sim->step, sim->now);
        break;
    case WARP_SENDING:
        go_on_with_access(sim, sm, index, &sim->step.access);
        break;
    case WARP_QUEUED:
    case WARP_AWAITS:
    case WARP_BARRIER:
    case WARP_ENDED:
        return; /* not in the wheel */
    }
    if (warp->state == WARP_ISSUED || warp->state == WARP_QUEUED || warp->state == WARP_SENDING ||
        warp->state == WARP_AWAITS)
        step_cursor_back(&warp->cursor);
}

/* What happens from here on is noted for the warp's step. */
static void watch_warp(struct sim *sim, uint32_t index)
{
    struct sim_warp *warp = &sim->warps[index];
    const uint32_t number = index - warp->place * sim->warps_per_block;
    step_cursor_next(&warp->cursor, sim->blocks[warp->place].steps, &sim->step);
    step_cursor_back(&warp->cursor);
    sim->memory.watched = timeline_turn(sim->timeline, number, &sim->step, sim->now);
}

static void unwatch_warp(struct sim *sim, uint32_t index)
{
    const struct sim_warp *warp = &sim->warps[index];
    if (warp->cursor.at != warp->cursor.began_at) /* it has not gone back to the step */
        timeline_done(sim->timeline, index - warp->place * sim->warps_per_block);
    sim->memory.watched = NULL;
}

void sim_run_until_place(struct sim *sim)
{
    uint32_t free_before = sim->free_count;
    struct ahead ahead = {WHEEL_NOBODY, WHEEL_NOBODY, WHEEL_NOBODY};
    while (sim->free_count == free_before) {
        uint32_t index = wheel_take(&sim->wheel, sim->quantum_end);
        if (index == WHEEL_NOBODY) {
            if (!sim_end_quantum(sim) && !sim_bulk_release(sim))
                return;
            continue;
        }
        if (sim->wheel.cycle != sim->now >> TICKS_LOG2)
            start_ahead(sim, &ahead);
        else
            look_ahead(sim, &ahead);
        sim->now = sim->wheel.cycle << TICKS_LOG2;
        if (usage_is_over(&sim->usage, sim->now))
            sim_close_window(sim);
        if (index >= sim->place_count * sim->warps_per_block) {
            sim_bulk_run(sim, index - sim->place_count * sim->warps_per_block);
            continue;
        }
        const bool watched = sim->warps[index].place == sim->watched_place;
        if (watched)
            watch_warp(sim, index);
        run_warp(sim, index);
        if (watched)
            unwatch_warp(sim, index);
    }
}

void sim_run_block(struct sim *sim, struct step_block *block)
{
    if (sim->free_count == 0)
        sim_run_until_place(sim);
    if (sim->free_count)
        sim_block_begin(sim, sim->free_places[--sim->free_count], block);
}
