/* builder.c - see builder.h. */
#include "trace_io/builder.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "stream/access_check.h"
#include "stream/launch_size.h"

bool builder_start(struct trace_builder *b, struct trace_input *input,
                   const struct trace_sink *sink)
{
    *b = (struct trace_builder){.input = input, .sink = sink};
    return names_start(&b->names) || input_fail(input, "no memory for the names");
}

void builder_free(struct trace_builder *b)
{
    names_free(&b->names);
    site_table_free(&b->sites);
    array_table_free(&b->arrays);
}

bool builder_fail(struct trace_builder *b, const char *format, ...)
{
    char text[INPUT_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return b->column ? input_fail(b->input, "column %zu: %s", b->column, text)
                     : input_fail(b->input, "%s", text);
}

/* What the sink said. */
static bool told(struct trace_builder *b, bool wants_more)
{
    b->stopped = b->stopped || !wants_more;
    return wants_more;
}

const char *builder_name(struct trace_builder *b, const char *name, size_t length)
{
    const char *kept = names_keep(&b->names, name, length);
    if (kept == NULL)
        builder_fail(
            b,
            "a name too long, or too many of them; allowed: names of up to %d bytes, 65536 "
            "of them with 1 MB in all",
            NAME_BYTES - 1);
    return kept;
}

bool builder_note(struct trace_builder *b, const char *key, const char *value)
{
    if (b->launched && strncmp(key, NOTE_LIBRARY, strlen(NOTE_LIBRARY)) != 0)
        return builder_fail(b, "a note behind the first launch; notes come before it");
    return told(b, sink_note(b->sink, key, value));
}

/* ---- Launches -------------------------------------------------------------------------------- */

bool builder_launch_begin(struct trace_builder *b, const struct launch_info *launch)
{
    char text[CHECK_TEXT_BYTES];
    const char *error = launch_check(launch, text);
    b->launch = *launch;
    if (error == NULL)
        error = array_table_launch(&b->arrays, &b->launch);
    if (error)
        return builder_fail(b, "%s", error);
    b->launched = b->in_launch = true;
    b->static_shared_bytes = b->next_block = 0;
    return told(b, sink_launch_begin(b->sink, &b->launch));
}

static uint64_t shared_or(const struct trace_builder *b, const uint64_t *shared)
{
    return shared ? *shared : b->launch.dynamic_shared_bytes + b->static_shared_bytes;
}

bool builder_launch_end(struct trace_builder *b, const uint64_t *shared)
{
    if (!b->in_launch)
        return true;
    if (!builder_block_end(b, NULL))
        return false;
    b->in_launch = false;
    return told(b, sink_launch_end(b->sink, shared_or(b, shared)));
}

bool builder_fault(struct trace_builder *b, const struct trace_fault *fault)
{
    if (!fault->stops && !b->in_launch)
        return builder_fail(b, "a fault that stops nothing outside of every launch");
    if (!fault->stops && !builder_block_end(b, NULL))
        return false;
    b->in_launch = b->in_launch && !fault->stops;
    b->block_open = b->block_open && !fault->stops;
    return told(b, sink_fault(b->sink, fault));
}

/* ---- Sites ----------------------------------------------------------------------------------- */

static bool tell_site(struct trace_builder *b, const struct site_key *key, enum site_found found,
                      uint32_t number)
{
    if (found == SITE_TOO_MANY)
        return builder_fail(b, "more than %d different accesses (line, array, kind); allowed: %d",
                            SITES_MOST, SITES_MOST);
    if (found == SITE_NO_MEMORY)
        return builder_fail(b, "no memory for the accesses' places in the source");
    return found == SITE_KNOWN || told(b, sink_site(b->sink, number, &key->site));
}

bool builder_site(struct trace_builder *b, const struct site_key *key, uint32_t *number)
{
    *number = 0;
    enum site_found found = site_table_find(&b->sites, key, number);
    return tell_site(b, key, found, *number);
}

bool builder_site_add(struct trace_builder *b, const struct site_key *key)
{
    uint32_t number = 0;
    enum site_found found = site_table_add(&b->sites, key, &number);
    return tell_site(b, key, found, number);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

bool builder_block_check(struct trace_builder *b, uint64_t block)
{
    if (block >= launch_blocks(&b->launch))
        return builder_fail(b, "block %" PRIu64 " is beyond the grid; allowed: 0 to %" PRIu64,
                            block, launch_blocks(&b->launch) - 1);
    if (block < b->next_block)
        return builder_fail(b,
                            "block %" PRIu64 " comes after block %" PRIu64
                            "; allowed: blocks in ascending order, each in one piece",
                            block, b->next_block - 1);
    return true;
}

bool builder_block(struct trace_builder *b, uint64_t block)
{
    if (b->block_open && b->block == block)
        return true;
    if (!builder_block_end(b, NULL) || !builder_block_check(b, block))
        return false;
    b->block_open = true;
    b->block = (uint32_t)block;
    b->next_block = block + 1;
    b->ended_warps = 0;
    return true;
}

bool builder_warp_has_ended(const struct trace_builder *b, uint32_t warp)
{
    return (b->ended_warps >> warp & 1U) != 0;
}

bool builder_block_end(struct trace_builder *b, const uint64_t *shared)
{
    if (!b->block_open)
        return true;
    for (uint32_t warp = 0; warp < launch_warps(&b->launch); warp++)
        if (!builder_warp_has_ended(b, warp) && !builder_warp_event(b, TRACE_WARP_END, warp, 1, 0))
            return false;
    struct trace_event event = {
        .kind = TRACE_BLOCK_END, .block = b->block, .shared_bytes = shared_or(b, shared)};
    b->block_open = false;
    return told(b, sink_event(b->sink, &event));
}

static bool warp_runs(struct trace_builder *b, uint32_t warp)
{
    if (warp >= launch_warps(&b->launch))
        return builder_fail(b, "warp %" PRIu32 " is beyond the block; allowed: 0 to %" PRIu32, warp,
                            launch_warps(&b->launch) - 1);
    if (builder_warp_has_ended(b, warp))
        return builder_fail(b, "warp %" PRIu32 " of block %" PRIu32 " has ended before", warp,
                            b->block);
    return true;
}

bool builder_access(struct trace_builder *b, const struct warp_access *access)
{
    char text[CHECK_TEXT_BYTES];
    if (!warp_runs(b, access->warp))
        return false;
    const char *error = access_check(access, launch_lanes(&b->launch, access->warp), text);
    if (error)
        return builder_fail(b, "%s", error);
    return told(b, sink_access(b->sink, access));
}

bool builder_copy(struct trace_builder *b, const struct warp_access *access)
{
    char text[CHECK_TEXT_BYTES];
    if (!warp_runs(b, access->warp))
        return false;
    const char *error = access_check(access, launch_lanes(&b->launch, access->warp), text);
    error = error ? error : access_check_copy(access, text);
    if (error)
        return builder_fail(b, "%s", error);
    const struct trace_copy begins = copy_begins(access);
    return told(b, sink_copy(b->sink, &begins));
}

bool builder_copy_step(struct trace_builder *b, struct trace_copy *copy)
{
    if (!warp_runs(b, copy->warp))
        return false;
    const uint32_t present = launch_lanes(&b->launch, copy->warp);
    if (copy->lanes == 0 || copy->lanes & ~present)
        return builder_fail(b, "lanes 0x%08" PRIx32 "; allowed: some of the warp's 0x%08" PRIx32,
                            copy->lanes, present);
    char text[CHECK_TEXT_BYTES];
    const char *error = access_check_step(copy, text);
    if (error)
        return builder_fail(b, "%s", error);
    copy->block = b->block;
    return told(b, sink_copy(b->sink, copy));
}

bool builder_warp_event(struct trace_builder *b, enum trace_event_kind kind, uint32_t warp,
                        uint16_t work, uint16_t lag)
{
    if (!warp_runs(b, warp))
        return false;
    if (kind == TRACE_WARP_END)
        b->ended_warps |= UINT32_C(1) << warp;
    struct trace_event event = {
        .kind = kind, .block = b->block, .warp = warp, .work = work, .lag = lag};
    return told(b, sink_event(b->sink, &event));
}

bool builder_sync(struct trace_builder *b, struct trace_sync *sync)
{
    if (!warp_runs(b, sync->warp))
        return false;
    const uint32_t present = launch_lanes(&b->launch, sync->warp);
    if (sync->lanes == 0 || sync->lanes & ~sync->running || sync->running & ~present)
        return builder_fail(b,
                            "lanes 0x%08" PRIx32 " of 0x%08" PRIx32 " that run; allowed: some of "
                            "them, and of the warp's 0x%08" PRIx32,
                            sync->lanes, sync->running, present);
    sync->block = b->block;
    return told(b, sink_sync(b->sink, sync));
}
