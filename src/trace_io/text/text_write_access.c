/* text_write_access.c - accesses and events of a stream as lines of parts for one warp. */
#include <inttypes.h>

#include "expression/expression.h"
#include "stream/access_check.h"
#include "stream/launch_size.h"
#include "trace_io/text/text_writer.h"

/* The part of that warp is where the next line goes. */
bool text_writer_turn_to(struct text_writer *w, uint32_t block, uint32_t warp)
{
    if (w->in_part && w->block == block && w->warp == warp)
        return true;
    if (block >= launch_blocks(&w->launch) || warp >= launch_warps(&w->launch))
        return text_writer_fail(w,
                                "block %" PRIu32 ", warp %" PRIu32 " is beyond the launch: %" PRIu64
                                " blocks of %" PRIu32 " warps",
                                block, warp, launch_blocks(&w->launch), launch_warps(&w->launch));
    text_writer_end_part(w);
    w->in_part = w->block_open = true;
    w->block = block;
    w->warp = warp;
    fprintf(w->out, "  block %" PRIu32 " warp %" PRIu32 "\n", block, warp);
    return true;
}

static void put_number(struct text_writer *w, uint64_t value)
{
    bool is_negative = value >> 63;
    uint64_t size = is_negative ? 0 - value : value;
    fprintf(w->out, size < 10 ? "%s%" PRIu64 : "%s0x%" PRIx64, is_negative ? "-" : "", size);
}

/* An address; the array by whose name it is written, NULL when it is a number. */
static const struct trace_array *put_address(struct text_writer *w, const struct warp_access *a,
                                             uint64_t addr)
{
    const struct trace_array *array = NULL;
    if (a->space == SPACE_GLOBAL || a->space == SPACE_TEXTURE)
        array = array_table_at(&w->arrays, addr);
    if (array && !w->is_named[array - w->arrays.arrays])
        array = NULL;
    if (array)
        fputs(array->name, w->out);
    if (array && addr != array->base)
        fputc('+', w->out);
    if (array == NULL || addr != array->base)
        put_number(w, array ? addr - array->base : addr);
    return array;
}

static const struct trace_array *put_list(struct text_writer *w, const struct warp_access *a)
{
    const struct trace_array *first = NULL, *named;
    fputs(" addr=", w->out);
    for (uint32_t left = a->active, lane = 0; left; left >>= 1, lane++) {
        if (lane)
            fputc(',', w->out);
        if (left & 1U) {
            named = put_address(w, a, a->addr[lane]);
            first = first ? first : named;
        } else {
            fputc('-', w->out);
        }
    }
    return first;
}

static const struct trace_array *put_affine(struct text_writer *w, const struct warp_access *a,
                                            uint32_t present)
{
    fputs(" base=", w->out);
    const struct trace_array *named = put_address(w, a, a->base);
    if (a->stride != a->width)
        fprintf(w->out, " stride=%" PRId64, a->stride);
    if (a->active != present)
        fprintf(w->out, " mask=0x%" PRIx32, a->active);
    return named;
}

static void put_flags(struct text_writer *w, const struct warp_access *a)
{
    const char *before = " flags=";
    for (unsigned i = 0; i < ACCESS_FLAGS; i++)
        if (a->flags >> i & 1) {
            fprintf(w->out, "%s%s", before, access_flag_word(a, i));
            before = ",";
        }
    if (a->flags == 0)
        fputs(" flags=none", w->out);
}

static void put_access(struct text_writer *w, const struct warp_access *a, uint32_t present)
{
    bool read_only = a->flags & ACCESS_READ_ONLY && a->op == OP_LOAD && a->space == SPACE_GLOBAL;
    fprintf(w->out, "    @%" PRIu32 " ", a->site);
    text_writer_put_head(w, a, read_only);
    const struct trace_array *named = a->addr ? put_list(w, a) : put_affine(w, a, present);
    unsigned implied = named ? array_home_flags((enum array_home)named->home) : 0U;
    if (read_only)
        implied |= ACCESS_READ_ONLY;
    if (a->resident != present)
        fprintf(w->out, " resident=0x%" PRIx32, a->resident);
    if (a->flags != implied)
        put_flags(w, a);
    if (a->work != 1)
        fprintf(w->out, " work=%u", a->work);
    if (a->lag)
        fprintf(w->out, " lag=%u", a->lag);
    if (a->loads_left != NEEDS_NO_LOAD)
        fprintf(w->out, " needs=%u", a->loads_left);
    fputc('\n', w->out);
}

bool text_writer_access(void *context, const struct warp_access *access)
{
    struct text_writer *w = context;
    char text[CHECK_TEXT_BYTES];
    if (!text_writer_turn_to(w, access->block, access->warp))
        return false;
    uint32_t present = launch_lanes(&w->launch, access->warp);
    const char *error = access_check(access, present, text);
    if (error)
        return text_writer_fail(w, "an access of block %" PRIu32 ", warp %" PRIu32 ": %s",
                                access->block, access->warp, error);
    put_access(w, access, present);
    return text_writer_goes_on(w);
}

bool text_writer_event(void *context, const struct trace_event *event)
{
    struct text_writer *w = context;
    if (event->kind == TRACE_BLOCK_END) {
        if (!w->block_open)
            return text_writer_fail(w, "block %" PRIu32 " ends before its warps do", event->block);
        w->block_open = false;
        text_writer_end_part(w);
        text_writer_put_shared(w, "  endblock", event->shared_bytes);
        return text_writer_goes_on(w);
    }
    if (!text_writer_turn_to(w, event->block, event->warp))
        return false;
    fputs(event->kind == TRACE_BARRIER ? "    bar" : "    exit", w->out);
    if (event->work != 1)
        fprintf(w->out, " work=%u", event->work);
    if (event->lag)
        fprintf(w->out, " lag=%u", event->lag);
    fputc('\n', w->out);
    return text_writer_goes_on(w);
}

static void put_lanes(struct text_writer *w, const char *name, uint32_t lanes, uint32_t usual)
{
    if (lanes != usual)
        fprintf(w->out, " %s=0x%" PRIx32, name, lanes);
}

bool text_writer_sync(void *context, const struct trace_sync *sync)
{
    struct text_writer *w = context;
    if (!text_writer_turn_to(w, sync->block, sync->warp) || !text_writer_name_fits(w, sync->file))
        return false;
    uint32_t present = launch_lanes(&w->launch, sync->warp);
    fprintf(w->out, "    %s", sync_kind_names[sync->kind]);
    put_lanes(w, "lanes", sync->lanes, present);
    put_lanes(w, "mask", sync->mask, sync->kind < FENCE_BLOCK ? UINT32_MAX : 0);
    put_lanes(w, "running", sync->running, present);
    fputs(" file=", w->out);
    text_writer_put_name(w, sync->file);
    fprintf(w->out, " line=%" PRIu32 "\n", sync->line);
    return text_writer_goes_on(w);
}
