/* check.c - decisions. A word of shared memory that one warp writes and another one touches before both
 * have passed a barrier is a missing barrier, atomics left out. Lanes come back when a warp makes the
 * same access twice with nothing in between, the second time with a lane that was off the first
 * time.
 */
#include "trace_io/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/characters.h"
#include "stream/limits.h"
#include "text/memory.h"

enum finding_kind {
#define X(identifier, severity, name, meaning) FOUND_##identifier,
#include "trace_io/check.def"
#undef X
    FOUND_KINDS
};

enum { SHARED_WORDS = SHARED_BYTES_MAX / 4, NOBODY = 255 };

/* Who wrote a word of shared memory last, between which barriers, and who read it since. */
struct shared_word {
    uint32_t block_stamp; /* of another block: nobody has touched it */
    uint32_t epoch;       /* barriers that the writer had passed */
    uint8_t writer, reader;
    uint32_t reader_epoch;
};

struct check {
    struct check_finding findings[FOUND_KINDS];
    const uint64_t *line;
    uint64_t steps;
    struct trace_array arrays[CODEC_ARRAYS_MAX]; /* names are not kept */
    size_t array_count;
    uint64_t block_count, next_block, launch_accesses;
    uint32_t block, warp_count, last_warp_lanes, block_stamp;
    bool in_block, has_phases; /* warps of the block meet at barriers in shared memory */
    struct {
        bool ended;
        uint32_t barriers, last_site, last_mask;
    } warps[BLOCK_WARPS_MAX];
    struct shared_word shared[SHARED_WORDS];
};

static void found(struct check *check, enum finding_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void found(struct check *check, enum finding_kind kind, const char *format, ...)
{
    struct check_finding *finding = &check->findings[kind];
    va_list arguments;
    if (finding->count++)
        return;
    finding->first_step = check->steps;
    finding->first_line = *check->line;
    va_start(arguments, format);
    vsnprintf(finding->first, sizeof finding->first, format, arguments);
    va_end(arguments);
    text_make_printable(finding->first); /* names from the file */
}

struct check *check_new(const uint64_t *line)
{
    static const struct check_finding kinds[] = {
#define X(identifier, severity_, name_, meaning_)                                                  \
    {.name = name_, .severity = CHECK_##severity_, .meaning = meaning_},
#include "trace_io/check.def"
#undef X
    };
    struct check *check = memory_take(1, sizeof *check);
    if (check == NULL)
        return NULL;
    memcpy(check->findings, kinds, sizeof kinds);
    check->line = line;
    return check;
}

void check_free(struct check *check)
{
    free(check);
}

const struct check_finding *check_findings(const struct check *check, size_t *count)
{
    *count = FOUND_KINDS;
    return check->findings;
}

uint64_t check_steps(const struct check *check)
{
    return check->steps;
}

/* ---- Launches -------------------------------------------------------------------------------- */

static int compare_bases(const void *a, const void *b)
{
    const struct trace_array *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

static void take_arrays(struct check *check, const struct launch_info *launch)
{
    check->array_count =
        launch->array_count < CODEC_ARRAYS_MAX ? launch->array_count : CODEC_ARRAYS_MAX;
    if (check->array_count)
        memcpy(check->arrays, launch->arrays, check->array_count * sizeof check->arrays[0]);
    qsort(check->arrays, check->array_count, sizeof check->arrays[0], compare_bases);
    for (size_t i = 1; i < check->array_count; i++) {
        const struct trace_array *a = &check->arrays[i - 1], *b = &check->arrays[i];
        if (b->base - a->base < a->bytes)
            found(check, FOUND_OVERLAPPING, "%.40s at 0x%" PRIx64 " and %.40s at 0x%" PRIx64,
                  a->name, a->base, b->name, b->base);
    }
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct check *check = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    uint32_t threads = b[0] * b[1] * b[2];
    check->block_count = (uint64_t)g[0] * g[1] * g[2];
    check->warp_count = (threads + WARP_LANES - 1) / WARP_LANES;
    check->last_warp_lanes = threads % WARP_LANES ? (1U << threads % WARP_LANES) - 1 : UINT32_MAX;
    check->next_block = check->launch_accesses = 0;
    check->in_block = false;
    if (threads == 0 || threads > BLOCK_THREADS_MAX || check->block_count == 0)
        found(check, FOUND_BEYOND_BLOCK,
              "launch of %.60s: %" PRIu64 " blocks of %" PRIu32 " threads", launch->kernel,
              check->block_count, threads);
    take_arrays(check, launch);
    return true;
}

/* What a run did wrong is none of the trace's faults, but who judges the trace will want to know. */
static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct check *check = context;
    found(check, fault->stops ? FOUND_STOPPED : FOUND_FAULTS, "%s: %.150s",
          fault->kind < FAULT_KINDS ? fault_kinds[fault->kind].name : "of an unknown kind",
          fault->text);
    if (fault->stops)
        check->in_block = false;
    return true;
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct check *check = context;
    (void)shared_bytes_per_block;
    if (check->in_block)
        found(check, FOUND_OUT_OF_ORDER, "block %" PRIu32 " has no end", check->block);
    if (check->next_block < check->block_count)
        found(check, FOUND_MISSING_BLOCKS, "the last ones, from %" PRIu64 " to %" PRIu64,
              check->next_block, check->block_count - 1);
    if (check->launch_accesses == 0)
        found(check, FOUND_NO_ACCESS, "a launch of %" PRIu64 " blocks", check->block_count);
    return true;
}

/* ---- Blocks and warps ------------------------------------------------------------------------ */

static void begin_block(struct check *check, uint32_t block)
{
    if (block < check->next_block)
        found(check, FOUND_OUT_OF_ORDER, "block %" PRIu32 " behind block %" PRIu64, block,
              check->next_block - 1);
    else if (block > check->next_block && block < check->block_count)
        found(check, FOUND_MISSING_BLOCKS, "blocks %" PRIu64 " to %" PRIu32, check->next_block,
              block - 1);
    check->in_block = true;
    check->block = block;
    check->block_stamp++;
    check->has_phases = false;
    memset(check->warps, 0, sizeof check->warps);
}

static void end_block(struct check *check, uint32_t block)
{
    uint32_t most = 0;
    for (uint32_t w = 0; w < check->warp_count && w < BLOCK_WARPS_MAX; w++) {
        most = check->warps[w].barriers > most ? check->warps[w].barriers : most;
        if (!check->warps[w].ended)
            found(check, FOUND_NO_WARP_END, "warp %" PRIu32 " of block %" PRIu32, w, block);
    }
    for (uint32_t w = 0; w < check->warp_count && w < BLOCK_WARPS_MAX; w++)
        if (check->warps[w].barriers != most) {
            found(check, FOUND_UNEQUAL_BARRIERS,
                  "block %" PRIu32 ": warp %" PRIu32 " passes %" PRIu32
                  " barriers, another one %" PRIu32,
                  block, w, check->warps[w].barriers, most);
            break;
        }
    check->in_block = false;
    check->next_block = (uint64_t)block + 1;
}

/* Whether the step's block and warp are ones that the launch has. */
static bool take_turn(struct check *check, uint32_t block, uint32_t warp)
{
    check->steps++;
    if (block >= check->block_count || warp >= check->warp_count || warp >= BLOCK_WARPS_MAX) {
        found(check, FOUND_BEYOND_BLOCK, "block %" PRIu32 ", warp %" PRIu32, block, warp);
        return false;
    }
    if (check->in_block && block != check->block) {
        found(check, FOUND_OUT_OF_ORDER, "block %" PRIu32 " before block %" PRIu32 " has ended",
              block, check->block);
        check->in_block = false;
    }
    if (!check->in_block)
        begin_block(check, block);
    if (check->warps[warp].ended)
        found(check, FOUND_AFTER_END, "block %" PRIu32 ", warp %" PRIu32, block, warp);
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct check *check = context;
    if (event->kind == TRACE_BLOCK_END) {
        check->steps++;
        if (!check->in_block)
            begin_block(check, event->block);
        end_block(check, event->block);
        return true;
    }
    if (!take_turn(check, event->block, event->warp))
        return true;
    if (event->kind == TRACE_BARRIER)
        check->warps[event->warp].barriers++;
    else
        check->warps[event->warp].ended = true;
    check->warps[event->warp].last_mask = 0;
    return true;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static bool is_in_array(const struct check *check, uint64_t addr, uint32_t width)
{
    size_t low = 0, high = check->array_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (check->arrays[middle].base <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    const struct trace_array *array = &check->arrays[low - 1];
    return addr - array->base < array->bytes && array->bytes - (addr - array->base) >= width;
}

static void check_address(struct check *check, const struct warp_access *a, unsigned lane)
{
    uint64_t addr = access_addr(a, lane), end = limits_access_end(a);
    bool is_global = a->space == SPACE_GLOBAL || a->space == SPACE_TEXTURE;
    if (addr == 0 && (is_global || a->space == SPACE_LOCAL))
        found(check, FOUND_ZERO_ADDRESS, "block %" PRIu32 ", warp %" PRIu32 ", lane %u", a->block,
              a->warp, lane);
    else if (addr >= end || end - addr < a->width)
        found(check, FOUND_OUT_OF_SPACE, "block %" PRIu32 ", warp %" PRIu32 ", lane %u: 0x%" PRIx64,
              a->block, a->warp, lane, addr);
    else if (addr & (a->width - 1U))
        found(check, FOUND_MISALIGNED,
              "block %" PRIu32 ", warp %" PRIu32 ", lane %u: 0x%" PRIx64 " for %u bytes", a->block,
              a->warp, lane, addr, a->width);
    else if (is_global && check->array_count && !is_in_array(check, addr, a->width))
        found(check, FOUND_OUTSIDE_ARRAYS,
              "block %" PRIu32 ", warp %" PRIu32 ", lane %u: 0x%" PRIx64, a->block, a->warp, lane,
              addr);
}

static void check_word(struct check *check, const struct warp_access *a, uint64_t addr)
{
    struct shared_word *word = &check->shared[addr / 4];
    uint32_t epoch = check->warps[a->warp].barriers;
    if (word->block_stamp != check->block_stamp)
        *word = (struct shared_word){
            .block_stamp = check->block_stamp, .writer = NOBODY, .reader = NOBODY};
    bool after_write = word->writer != NOBODY && word->writer != a->warp && word->epoch == epoch;
    bool after_read = a->op == OP_STORE && word->reader != NOBODY && word->reader != a->warp &&
                      word->reader_epoch == epoch;
    if ((after_write || after_read) && !check->has_phases)
        found(check, FOUND_MISSING_BARRIER,
              "block %" PRIu32 ": byte %" PRIu64 " by warps %u and %" PRIu32, a->block, addr,
              after_write ? word->writer : word->reader, a->warp);
    if (a->op == OP_STORE) {
        word->writer = (uint8_t)a->warp;
        word->epoch = epoch;
        word->reader = NOBODY;
    } else {
        word->reader = (uint8_t)a->warp;
        word->reader_epoch = epoch;
    }
}

static void check_shared(struct check *check, const struct warp_access *a)
{
    for (uint32_t left = a->active; left; left &= left - 1) {
        uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(left));
        for (uint64_t at = addr; at < addr + a->width && at < SHARED_BYTES_MAX; at += 4)
            check_word(check, a, at);
    }
}

static void check_mask(struct check *check, const struct warp_access *a)
{
    uint32_t lanes = a->warp + 1 == check->warp_count ? check->last_warp_lanes : UINT32_MAX;
    uint32_t last = check->warps[a->warp].last_mask;
    if ((a->active | a->resident) & ~lanes || a->active == 0)
        found(check, FOUND_BEYOND_BLOCK,
              "block %" PRIu32 ", warp %" PRIu32 ": lanes 0x%08" PRIx32 " of 0x%08" PRIx32,
              a->block, a->warp, a->active, lanes);
    if (a->active & ~a->resident)
        found(check, FOUND_NOT_RESIDENT, "block %" PRIu32 ", warp %" PRIu32 ": lanes 0x%08" PRIx32,
              a->block, a->warp, a->active & ~a->resident);
    if (last && check->warps[a->warp].last_site == a->site && a->active & ~last)
        found(check, FOUND_CHANGING_MASK,
              "block %" PRIu32 ", warp %" PRIu32 ": lanes 0x%08" PRIx32 ", then 0x%08" PRIx32,
              a->block, a->warp, last, a->active);
    check->warps[a->warp].last_site = a->site;
    check->warps[a->warp].last_mask = a->active;
}

/* Whether it is of a warp that the launch has. */
static bool take_access(struct check *check, const struct warp_access *a)
{
    check->launch_accesses++;
    if (!take_turn(check, a->block, a->warp))
        return false;
    check_mask(check, a);
    for (uint32_t left = a->active; left; left &= left - 1)
        check_address(check, a, (unsigned)__builtin_ctz(left));
    if (a->space == SPACE_SHARED && a->op != OP_ATOMIC && !access_is_remote(a))
        check_shared(check, a);
    return true;
}

static bool on_access(void *context, const struct warp_access *a)
{
    take_access(context, a);
    return true;
}

/* Its other side is a store of shared memory. */
static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct check *check = context;
    if (!copy_step_begins(copy->step)) {
        check->has_phases |= copy->step == PHASE_WAIT;
        take_turn(context, copy->block, copy->warp);
        return true;
    }
    struct warp_access side = *copy->access;
    side.copy = NULL;
    side.bulk = NULL;
    if (!take_access(check, &side) || copy->access->bulk)
        return true;
    side.addr = copy->access->copy->to;
    side.op = OP_STORE;
    side.space = SPACE_SHARED;
    check_shared(check, &side);
    return true;
}

struct trace_sink check_sink(struct check *check)
{
    return (struct trace_sink){.context = check,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .copy = on_copy,
                               .event = on_event,
                               .fault = on_fault,
                               .launch_end = on_launch_end,
                               .takes_repeats = true};
}
