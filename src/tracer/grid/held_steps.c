/* held_steps.c - each block has a buffer that grows, with its steps one behind another: a byte for the kind, the struct as
 * it came, and of an access what it points to, of its active lanes.
 */
#include "tracer/grid/held_steps.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/tracer.h"

enum { STEP_ACCESS = 1, STEP_EVENT, STEP_SYNC, STEP_COPY, FIRST_BYTES = 1024 };

/* A copy with all that it points to. */
struct held_copy {
    struct trace_copy copy;
    struct warp_access access;
    struct async_copy to;
    struct bulk_copy bulk;
    uint64_t addr[WARP_LANES];
};

struct steps {
    char *bytes;
    size_t used, room;
    bool has_ended;
};

static struct {
    const struct trace_sink *to;
    struct trace_sink sink;
    struct steps *blocks;
    uint32_t block_count, next; /* next: that is to be given */
} held;

/* Room for `bytes` more; NULL: no memory. */
static char *add(uint32_t block, size_t bytes)
{
    struct steps *steps = &held.blocks[block];
    if (steps->room - steps->used < bytes) {
        const size_t room = 2 * steps->room + bytes + FIRST_BYTES;
        char *grown = realloc(steps->bytes, room);
        if (grown == NULL) {
            tracer_fail("no memory for the accesses of blocks that wait for each other, which are "
                        "kept until "
                        "all its blocks have ended; launch fewer blocks, or on less data");
            return NULL;
        }
        steps->bytes = grown;
        steps->room = room;
    }
    steps->used += bytes;
    return steps->bytes + steps->used - bytes;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    (void)context;
    return sink_site(held.to, number, site);
}

static bool on_access(void *context, const struct warp_access *access)
{
    const size_t lanes = (size_t)__builtin_popcount(access->active);
    (void)context;
    char *at = add(access->block, 1 + sizeof *access + (access->addr ? lanes * 8 : 0) +
                                      (access->values ? lanes * 4 : 0));
    if (at == NULL)
        return true; /* the launch has failed, the sink has not */
    *at++ = STEP_ACCESS;
    memcpy(at, access, sizeof *access);
    at += sizeof *access;
    for (uint32_t left = access->addr ? access->active : 0; left; left &= left - 1, at += 8)
        memcpy(at, &access->addr[__builtin_ctz(left)], 8);
    for (uint32_t left = access->values ? access->active : 0; left; left &= left - 1, at += 4)
        memcpy(at, &access->values[__builtin_ctz(left)], 4);
    return true;
}

static bool keep(uint32_t block, char kind, const void *step, size_t bytes)
{
    char *at = add(block, 1 + bytes);
    if (at == NULL)
        return true;
    *at = kind;
    memcpy(at + 1, step, bytes);
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    (void)context;
    return keep(event->block, STEP_EVENT, event, sizeof *event);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    (void)context;
    return keep(sync->block, STEP_SYNC, sync, sizeof *sync);
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct held_copy whole = {.copy = *copy};
    (void)context;
    if (copy->access) {
        whole.access = *copy->access;
        if (copy->access->bulk)
            whole.bulk = *copy->access->bulk;
        else
            whole.to = *copy->access->copy;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            whole.addr[lane] = access_addr(copy->access, lane);
    }
    return keep(copy->block, STEP_COPY, &whole, sizeof whole);
}

const struct trace_sink *held_start(const struct trace_sink *sink, uint32_t block_count)
{
    held.to = sink;
    held.sink = (struct trace_sink){.site = on_site,
                                    .access = on_access,
                                    .event = on_event,
                                    .sync = sink->sync ? on_sync : NULL,
                                    .copy = on_copy,
                                    .wants_values = sink->wants_values,
                                    .takes_repeats = sink->takes_repeats};
    held.blocks = calloc(block_count, sizeof *held.blocks);
    held.block_count = held.blocks ? block_count : 0;
    held.next = 0;
    return held.blocks ? &held.sink : NULL;
}

/* ---- Giving ------------------------------------------------------------------------------------- */

static bool give_access(const char **at)
{
    struct warp_access access;
    uint64_t addr[WARP_LANES] = {0};
    uint32_t values[WARP_LANES] = {0};
    memcpy(&access, *at, sizeof access);
    *at += sizeof access;
    for (uint32_t left = access.addr ? access.active : 0; left; left &= left - 1, *at += 8)
        memcpy(&addr[__builtin_ctz(left)], *at, 8);
    for (uint32_t left = access.values ? access.active : 0; left; left &= left - 1, *at += 4)
        memcpy(&values[__builtin_ctz(left)], *at, 4);
    access.addr = access.addr ? addr : NULL;
    access.values = access.values ? values : NULL;
    return sink_access(held.to, &access);
}

static bool give_event(const char **at)
{
    struct trace_event event;
    memcpy(&event, *at, sizeof event);
    *at += sizeof event;
    return sink_event(held.to, &event);
}

static bool give_sync(const char **at)
{
    struct trace_sync sync;
    memcpy(&sync, *at, sizeof sync);
    *at += sizeof sync;
    return sink_sync(held.to, &sync);
}

static bool give_copy(const char **at)
{
    struct held_copy whole;
    memcpy(&whole, *at, sizeof whole);
    *at += sizeof whole;
    if (whole.copy.step == BULK_BEGINS)
        whole.access.bulk = &whole.bulk;
    else {
        whole.access.addr = whole.addr;
        whole.access.copy = &whole.to;
    }
    if (whole.copy.access)
        whole.copy.access = &whole.access;
    return sink_copy(held.to, &whole.copy);
}

static bool give_block(const struct steps *steps)
{
    const char *at = steps->bytes, *end = at + steps->used;
    bool goes_on = true;
    while (at < end && goes_on) {
        const char kind = *at++;
        goes_on = kind == STEP_ACCESS  ? give_access(&at)
                  : kind == STEP_EVENT ? give_event(&at)
                  : kind == STEP_COPY  ? give_copy(&at)
                                       : give_sync(&at);
    }
    return goes_on;
}

static bool give_next(void)
{
    struct steps *steps = &held.blocks[held.next++];
    const bool goes_on = give_block(steps);
    free(steps->bytes);
    *steps = (struct steps){0};
    return goes_on;
}

bool held_give(void)
{
    bool goes_on = true;
    while (held.next < held.block_count && goes_on)
        goes_on = give_next();
    return goes_on;
}

void held_block_ended(uint32_t block)
{
    held.blocks[block].has_ended = true;
}

bool held_give_ended(void)
{
    bool goes_on = true;
    while (held.next < held.block_count && held.blocks[held.next].has_ended && goes_on)
        goes_on = give_next();
    return goes_on;
}

void held_free(void)
{
    for (uint32_t i = 0; i < held.block_count; i++)
        free(held.blocks[i].bytes);
    free(held.blocks);
    held.blocks = NULL;
    held.block_count = 0;
}
