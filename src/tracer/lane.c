/* lane.c - coroutines: each lane of a block has a stack of its own.
 *
 * A switch saves the callee-saved registers on the stack it leaves: 2 to 3 ns on x86-64, against
 * about 200 ns for swapcontext, which also saves the signal mask. A lane that ends without ever
 * having stopped hands its stack straight to the next lane: a kernel without barriers costs one
 * switch a warp, not one a lane. One that stops switches to the lane whose turn is next, which has mostly stopped at
 * the same place: the processor foretells the returns from there.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracer/engine.h"

#if defined(__SANITIZE_ADDRESS__)
#define LANE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LANE_ASAN 1
#endif
#endif
#ifdef LANE_ASAN
#include <sanitizer/asan_interface.h>
#endif

/* Stacks of neighbouring lanes end COLOUR_BYTES apart within their pages: lanes in lockstep touch
 * the tops of 32 stacks in turn, which would otherwise all want the same lines of the cache (1.3
 * times the rate of volatile code). */
enum { COLOUR_BYTES = 128, CACHE_LINE_BYTES = 64 };

static char *slots; /* BLOCK_LANES_MAX stacks, each above a guard page */
static struct lane_slot slot;
static struct lane_context *free_contexts[BLOCK_LANES_MAX];
static unsigned free_count, made_count;
static void *scheduler_stack_pointer;

#if defined(__x86_64__)
/* lane_switch(save, to): pushes what the ABI wants kept, stores the stack pointer in *save, takes
 * the other one and returns on that stack. */
__asm__(".text\n.globl lane_switch\n.type lane_switch,@function\n"
        "lane_switch:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
        "  ret\n.size lane_switch,.-lane_switch\n");
enum { SAVED_WORDS = 6, ENTRY_WORD = 6, FRAME_WORDS = 8 };
#elif defined(__aarch64__)
__asm__(".text\n.globl lane_switch\n.type lane_switch,%function\n"
        "lane_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n  ret\n.size lane_switch,.-lane_switch\n");
enum { ENTRY_WORD = 11, FRAME_WORDS = 20 };
#else
#error "warplens traces kernels on x86-64 and arm64: add lane_switch for this processor"
#endif
void lane_switch(void **save, void *to);

struct lane_slot lane_slot_of_page(size_t page_bytes)
{
    const size_t used = page_bytes + LANE_STACK_BYTES + COLOUR_BYTES * WARP_LANES;
    return (struct lane_slot){.guard_bytes = page_bytes,
                              .bytes = (used + page_bytes - 1) / page_bytes * page_bytes};
}

size_t lane_stack_end(const struct lane_slot *of, unsigned index)
{
    return index * of->bytes + of->guard_bytes + LANE_STACK_BYTES +
           COLOUR_BYTES * (WARP_LANES - index % WARP_LANES);
}

static struct lane_context *context_of_slot(unsigned index)
{
    return (struct lane_context *)(void *)(slots + lane_stack_end(&slot, index)) - 1;
}

void lane_reserve_stacks(void)
{
    if (slots)
        return;
    slot = lane_slot_of_page((size_t)sysconf(_SC_PAGESIZE));
    void *all = mmap(NULL, BLOCK_LANES_MAX * slot.bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        tracer_fail("no memory for the stacks of a block's threads");
    else
        slots = all;
}

static struct lane_context *context_make(void)
{
    mprotect(slots + made_count * slot.bytes, slot.guard_bytes, PROT_NONE);
    return context_of_slot(made_count++);
}

static struct lane_context *context_take(void)
{
    struct lane_context *context = free_count ? free_contexts[--free_count] : context_make();
#ifdef LANE_ASAN
    /* A launch that failed left lanes in mid-function: their poisoned frames are gone now. */
    __asan_unpoison_memory_region(lane_stack(context), LANE_STACK_BYTES);
#endif
    return context;
}

/* Makes a lane the running one: from here on the hooks write to its column. */
static inline void lane_enter(struct lane *lane, unsigned column)
{
    engine_indices.thread = lane->thread;
    engine.current = lane;
    engine.cursor = &event_rows.meta[0][column];
}

static inline void lane_begin(struct lane *lane, unsigned column, struct lane_context *context)
{
    lane->context = context;
    context->events = 0;
    lane->cluster_phase = 0;
    engine.depth_bits = 0;
    engine.last_pc = 0;
    engine.work = engine.made ? 0 : engine.work_of_kernel << EVENT_WORK_SHIFT;
    engine.lag = 0;
    lane_enter(lane, column);
}

/* The next lane this refill has to start, on the stack that the lane before it is done with. */
static inline bool lane_next(struct lane_context *context)
{
    if (engine.to_start == 0)
        return false;
    unsigned column = (unsigned)__builtin_ctz(engine.to_start);
    engine.to_start &= engine.to_start - 1;
    lane_begin(&engine.warp->lanes[column], column, context);
    return true;
}

static void lane_main(void);

/* A new stack whose first return goes to lane_main. */
static void *lane_start(struct lane *lane)
{
    struct lane_context *context = context_take();
    lane_begin(lane, lane->index % WARP_LANES, context);
    void **frame = (void **)((uintptr_t)context & ~(uintptr_t)63) - FRAME_WORDS;
    for (unsigned i = 0; i < FRAME_WORDS; i++)
        frame[i] = NULL;
    void (*entry)(void) = lane_main;
    __builtin_memcpy(&frame[ENTRY_WORD], &entry, sizeof entry);
    return frame;
}

static void *lane_resume(struct lane *lane)
{
    const struct lane_context *context = lane->context;
    engine.depth_bits = (uint64_t)context->depth << EVENT_DEPTH_SHIFT;
    engine.last_pc = context->last_pc;
    engine.work = context->work;
    engine.lag = context->lag;
    lane_enter(lane, lane->index % WARP_LANES);
    return context->stack_pointer;
}

static struct lane *take_lowest(uint32_t *lanes)
{
    struct lane *lane = &engine.warp->lanes[__builtin_ctz(*lanes)];
    *lanes &= *lanes - 1;
    return lane;
}

/* Fetches what the lane behind that one is resumed with into the cache, while that one runs: 32 stacks do not stay there
 * (1.07 times the rate of a scan with a barrier every few accesses). The lane behind has mostly stopped at the same depth. */
static inline void fetch_next(const struct lane_context *running)
{
    if (engine.to_resume == 0)
        return;
    const struct lane_context *next = engine.warp->lanes[__builtin_ctz(engine.to_resume)].context;
    const uintptr_t used = (uintptr_t)running - (uintptr_t)running->stack_pointer;
    const char *top = (const char *)((uintptr_t)next - used);
    __builtin_prefetch(next);
    __builtin_prefetch(&next->stack_pointer);
    for (unsigned line = 0; line < 3; line++)
        __builtin_prefetch(top + line * CACHE_LINE_BYTES);
}

/* The stack of what runs next: of a lane that this refill has yet to run, or else the scheduler's. */
static void *lane_go_on(void)
{
    if (engine.to_resume && !engine.failed) {
        struct lane *lane = take_lowest(&engine.to_resume);
        fetch_next(lane->context);
        return lane_resume(lane);
    }
    if (engine.to_start && !engine.failed)
        return lane_start(take_lowest(&engine.to_start));
    return scheduler_stack_pointer;
}

/* Runs lanes to their ends. The refill has already counted them as ended: one that stops on the way
 * takes that back. */
static void lane_main(void)
{
    struct lane_context *context = engine.current->context;
    do {
        engine.call(engine.arguments);
        unsigned column = engine.current->index % WARP_LANES;
        if (engine.stored)
            hooks_note_value();
        engine.warp->count[column] = (uint16_t)engine_events();
        engine_leave_work();
    } while (lane_next(context));
    free_contexts[free_count++] = context;
    void *gone;
    lane_switch(&gone, lane_go_on());
    abort();
}

void lane_run_all(void)
{
    lane_switch(&scheduler_stack_pointer, lane_go_on());
    engine.current = NULL;
}

void lane_stop(enum lane_state state, uintptr_t pc)
{
    struct lane_context *context = engine.current->context;
    struct warp *warp = engine.warp;
    const unsigned column = engine.current->index % WARP_LANES;
    if (engine.stored)
        hooks_note_value();
    context->stopped_at = pc;
    context->depth = (uint32_t)(engine.depth_bits >> EVENT_DEPTH_SHIFT);
    context->last_pc = engine.last_pc;
    context->work = engine.work;
    context->lag = engine.lag;
    context->events += engine_events();
    warp->count[column] = (uint16_t)engine_events();
    warp->in_state[LANE_ENDED] &= ~(1U << column); /* where the refill has counted it */
    warp->in_state[state] |= 1U << column;
    lane_switch(&context->stack_pointer, lane_go_on());
}

void lane_free_stacks(void)
{
    for (free_count = 0; free_count < made_count; free_count++)
        free_contexts[free_count] = context_of_slot(free_count);
}

char *lane_stack_used(const struct lane *lane, size_t *bytes)
{
    char *from = lane->context->stack_pointer;
    *bytes = (size_t)((char *)(lane->context + 1) - from);
#ifdef LANE_ASAN
    __asan_unpoison_memory_region(from, *bytes); /* it is copied as a whole */
#endif
    return from;
}

void lane_take_stacks(uint32_t lane_count)
{
    static bool taken[BLOCK_LANES_MAX];
    __builtin_memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < lane_count; i++) {
        const struct warp *warp = &engine.warps[i / WARP_LANES];
        if (!(warp->in_state[LANE_ENDED] >> i % WARP_LANES & 1U))
            taken[(size_t)((char *)engine.lanes[i].context - slots) / slot.bytes] = true;
    }
    free_count = 0;
    for (unsigned i = 0; i < made_count; i++)
        if (!taken[i])
            free_contexts[free_count++] = context_of_slot(i);
}
