/* flow.c - the calls that -fsanitize=thread puts at the ends of functions and
 * -fsanitize-coverage=trace-pc at the beginning of every basic block: where a lane is, and how much
 * it has done.
 *
 * Code is laid out in the order of the source (the kernels' flags see to that), so only a jump back,
 * which begins another iteration, needs an event. Recording every block cost a traced copy a fifth
 * of its rate. A lane's work is counted block by block, when it enters one; warp.c divides it among
 * the block's accesses.
 */
#include "tracer/engine.h"
#include "tracer/grid/cluster_launch.h"
#include "tracer/widths/kept_loads.h"
#include "tracer/widths/widths.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

/* Declared as gcc declares its built-in functions of these names. */
WORK_COST_0 void __tsan_init(void);
WORK_COST_0 void __tsan_func_entry(void *caller);
WORK_COST_0 void __tsan_func_exit(void *unused);
WORK_COST_0 void __sanitizer_cov_trace_pc(void);

void __tsan_init(void)
{
}

static unsigned current_depth(void)
{
    return (unsigned)(engine.depth_bits >> EVENT_DEPTH_SHIFT);
}

/* A call is an event of its caller: lanes on their way to it are waited for. */
static __attribute__((noinline)) void enter_function(uintptr_t caller)
{
    unsigned depth = current_depth();
    if (engine.current == NULL)
        return;
    hooks_push(EVENT_CALL, false, 0, caller);
    if (depth < CALL_DEPTH_MAX)
        engine.current->context->call_pc[depth] = caller;
    engine.depth_bits += 1ULL << EVENT_DEPTH_SHIFT;
    engine.last_pc = 0;
}

/* Between two events a lane goes forward only, through less code than work can count, unless it
 * returns from many calls. */
#define WORK_BEFORE_RETURN_MAX ((uint64_t)WORK_MAX / 2 << EVENT_WORK_SHIFT)

static __attribute__((noinline)) void leave_function(void)
{
    if (engine.current == NULL)
        return;
    engine.depth_bits -= 1ULL << EVENT_DEPTH_SHIFT;
    if (engine.work > WORK_BEFORE_RETURN_MAX)
        engine.work = WORK_BEFORE_RETURN_MAX;
    unsigned depth = current_depth();
    engine.last_pc = depth < CALL_DEPTH_MAX ? engine.current->context->call_pc[depth] : 0;
}

enum { FRAME_RECORD_BYTES = 16 }; /* from a frame's address to its caller's stack pointer */

#if defined(__aarch64__)
uintptr_t wl_parameters_begin;
#endif

/* Where the kernel's parameters begin: on x86-64 above the return address that the call of it has pushed. Elsewhere it may
 * be anywhere in a frame, and whoever calls the kernel tells (cuda_calls.h). */
static void find_parameters(uintptr_t caller)
{
    const uintptr_t stack = (uintptr_t)lane_stack(engine.current->context);
#if defined(__x86_64__)
    uintptr_t at = engine.frame_offset;
    while (at < LANE_STACK_BYTES && *(const uintptr_t *)(stack + at) != caller)
        at += sizeof caller;
    engine.parameter_offset = at + sizeof caller;
#else
    (void)caller;
    engine.parameter_offset = wl_parameters_begin - stack;
#endif
}

static void enter_kernel(uintptr_t stack_pointer, uintptr_t caller)
{
    uintptr_t offset = stack_pointer - (uintptr_t)lane_stack(engine.current->context);
    engine.depth_bits = 1ULL << EVENT_DEPTH_SHIFT;
    if (engine.frame_offset == offset && engine.parameter_offset)
        return;
    engine.frame_offset = offset;
    find_parameters(caller);
}

/* A kernel itself is entered at depth 0 and left to depth 0; only that is without a call here. */
void __tsan_func_entry(void *caller)
{
    if (engine.current && engine.program)
        widths_enter_function(RETURN_ADDRESS);
    if (engine.probe == PROBE_ASKS)
        launch_probed(RETURN_ADDRESS);
    if (engine.current && engine.depth_bits == 0)
        enter_kernel((uintptr_t)__builtin_frame_address(0) + FRAME_RECORD_BYTES, (uintptr_t)caller);
    else
        enter_function((uintptr_t)caller);
}

void __tsan_func_exit(void *unused)
{
    (void)unused;
    if (engine.current && engine.depth_bits == 1ULL << EVENT_DEPTH_SHIFT)
        engine.depth_bits = 0;
    else
        leave_function();
}

/* The lane goes back to the block at `pc` from the last one it was in, or from its last access. */
static void jump_back(uintptr_t pc)
{
    uint64_t from = engine.last_pc - engine.image_base;
    if (engine_events() > 0) {
        uint64_t last = engine.cursor[-WARP_LANES];
        uint64_t depths_differ = (last ^ engine.depth_bits) >> EVENT_DEPTH_SHIFT & 0xff;
        if (event_kind(last) == EVENT_ACCESS && !depths_differ && (last & UINT32_MAX) > from)
            from = last & UINT32_MAX;
    }
    loops_learn((uint32_t)(pc - engine.image_base), (uint32_t)from);
    hooks_push(EVENT_JUMP_BACK, false, from | (uint64_t)engine_take_lag() << EVENT_LAG_SHIFT, pc);
}

/* The lane is in the block that begins at `pc`. */
static inline void add_work(uintptr_t pc, struct work work)
{
    engine.work += (uint64_t)work.instructions << EVENT_WORK_SHIFT;
    engine.lag += work.lag;
    engine.last_pc = pc;
}

/* A block that begins another iteration, or is entered for the first time: nothing where the host's own code goes round. */
static __attribute__((noinline)) void enter_block(uintptr_t pc)
{
    if (engine.current == NULL)
        return;
    if (pc <= engine.last_pc)
        jump_back(pc);
    const unsigned known = work_known(pc), instructions = known & ~WORK_WATCHED;
    if (known & WORK_WATCHED)
        kept_loads_enter(pc);
    add_work(pc, instructions ? work_kept(pc, instructions) : work_enter_block(pc));
}

/* Called at the beginning of every basic block. */
void __sanitizer_cov_trace_pc(void)
{
    uintptr_t pc = RETURN_ADDRESS;
    unsigned known = work_known(pc);
    if (pc <= engine.last_pc || known - 1 >= WORK_WATCHED - 1) { /* 0 as well */
        enter_block(pc);
        return;
    }
    add_work(pc, work_kept(pc, known));
}
