/* syncs.c - fences, and which lanes come to a synchronisation of their warp: what orders accesses, for a
 * sink that wants to know. They carry no work: instructions stay with the warp's next event.
 */
#include "tracer/engine.h"
#include "machine_code/lineinfo.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { CACHE_SLOTS = 64 };

/* A search in the line table each time would cost more than all else here. */
static struct lineinfo_line line_of(uintptr_t pc)
{
    static struct {
        uintptr_t pc;
        struct lineinfo_line line;
    } cache[CACHE_SLOTS];
    unsigned slot = (unsigned)((pc ^ pc >> 6) % CACHE_SLOTS);
    if (cache[slot].pc != pc) {
        cache[slot].line = sites_line(pc);
        cache[slot].pc = pc;
    }
    return cache[slot].line;
}

static void report(const struct warp *warp, struct trace_sync sync, uintptr_t pc)
{
    struct lineinfo_line where = line_of(pc);
    sync.block = engine.block_linear;
    sync.warp = (uint32_t)(warp - engine.warps);
    sync.file = where.file;
    sync.line = where.line;
    if (!engine.failed)
        engine_heed(sink_sync(engine.sink, &sync));
}

static uint32_t lanes_that_name(const struct lane *lanes, uint32_t group, uint32_t mask)
{
    uint32_t same = 0;
    for (uint32_t left = group; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        same |= (uint32_t)(lanes[i].context->op.mask == mask) << i;
    }
    return same;
}

/* Lanes at one instruction may name different masks, such as those of tiles: each is one of its own. */
void syncs_report_op(const struct warp *warp, uint32_t group, uint32_t running, uintptr_t pc)
{
    if (engine.sink->sync == NULL || engine.is_muted)
        return;
    for (uint32_t left = group; left;) {
        const struct warp_op *op = &warp->lanes[__builtin_ctz(left)].context->op;
        uint32_t lanes = lanes_that_name(warp->lanes, left, op->mask);
        struct trace_sync sync = {.kind = op->kind == WARP_OP_SYNC ? SYNC_WARP : SYNC_EXCHANGE,
                                  .lanes = lanes,
                                  .mask = op->mask,
                                  .running = running};
        if (op->mask) /* without: of the lanes that are together, whichever they are */
            report(warp, sync, pc);
        left &= ~lanes;
    }
}

void syncs_report_fence(const struct warp *warp, enum sync_kind kind, uint32_t group,
                        uint32_t running, uintptr_t pc)
{
    if (engine.sink->sync)
        report(warp, (struct trace_sync){.kind = kind, .lanes = group, .running = running}, pc);
}

static void fence(enum sync_kind kind, uintptr_t pc)
{
    if (engine.current)
        hooks_push_event((uint32_t)(pc - engine.image_base) | engine.depth_bits |
                             (uint64_t)EVENT_FENCE << EVENT_KIND_SHIFT |
                             (uint64_t)kind << EVENT_WIDTH_SHIFT,
                         0, pc);
}

WORK_COST_0 void wl_threadfence_block(void)
{
    fence(FENCE_BLOCK, RETURN_ADDRESS);
}

WORK_COST_0 void wl_threadfence(void)
{
    fence(FENCE_DEVICE, RETURN_ADDRESS);
}

WORK_COST_0 void wl_threadfence_system(void)
{
    fence(FENCE_SYSTEM, RETURN_ADDRESS);
}
