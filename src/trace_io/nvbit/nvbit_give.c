/* nvbit_give.c - sorted records -> calls of the sink.
 *
 * NVBit prints %warpid, which is a place on the SM and may be larger than the block has warps. Where a
 * block has such a number its warps are counted in the order of their numbers; otherwise numbers
 * are the block's. Blocks and warps without accesses only end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace_io/nvbit/nvbit_reader.h"

/* Where in the stream we are. */
struct place {
    const struct nvbit_launch *launch; /* NULL: in front of the first */
    uint64_t block;
    uint32_t warp_count;
    uint32_t warps_ended;
    uint32_t slot;  /* of the warp that is given; 0: none yet in this block */
    uint32_t warp;  /* its number in the block */
    bool of_the_sm; /* the block's warp numbers are those of the SM */
    uint64_t idle_left;
};

static bool give_event(struct nvbit_trace *trace, const struct place *place,
                       enum trace_event_kind kind, uint32_t warp)
{
    const struct trace_sink *sink = trace->sink;
    bool is_block = kind == TRACE_BLOCK_END;
    struct trace_event event = {.kind = kind,
                                .block = (uint32_t)place->block,
                                .warp = warp,
                                .work = !is_block,
                                .shared_bytes = is_block ? place->launch->shared_bytes : 0};
    return sink->event == NULL || sink->event(sink->context, &event);
}

/* Ends the block's warps in front of `warp`. */
static bool end_warps(struct nvbit_trace *trace, struct place *place, uint32_t warp)
{
    while (place->warps_ended < warp)
        if (!give_event(trace, place, TRACE_WARP_END, place->warps_ended++))
            return false;
    return true;
}

static bool end_block(struct nvbit_trace *trace, struct place *place)
{
    bool idle = place->slot == 0;
    if (idle && place->idle_left-- == 0)
        return input_fail(trace->input,
                          "most of the grid's %" PRIu64
                          " blocks have no access: is the trace cut off?",
                          place->launch->blocks);
    if (!end_warps(trace, place, place->warp_count) ||
        !give_event(trace, place, TRACE_BLOCK_END, 0))
        return false;
    place->block++;
    place->warps_ended = place->slot = place->warp = 0;
    place->of_the_sm = false;
    return true;
}

static bool end_launch(struct nvbit_trace *trace, struct place *place)
{
    if (place->launch == NULL)
        return true;
    trace->input->line = place->launch->line;
    while (place->block < place->launch->blocks)
        if (!end_block(trace, place))
            return false;
    return trace->sink->launch_end(trace->sink->context, place->launch->shared_bytes);
}

static bool begin_launch(struct nvbit_trace *trace, struct place *place, uint32_t number,
                         const char *name)
{
    if (!end_launch(trace, place))
        return false;
    const struct nvbit_launch *launch = &trace->launches[number];
    *place = (struct place){.launch = launch,
                            .warp_count = (launch->threads + WARP_LANES - 1) / WARP_LANES,
                            .idle_left = place->idle_left};
    snprintf(trace->kernel, sizeof trace->kernel, "%s", name);
    struct launch_info info = {.kernel = trace->kernel,
                               .dynamic_shared_bytes = launch->shared_bytes,
                               .registers = launch->registers};
    memcpy(info.grid, launch->grid, sizeof info.grid);
    memcpy(info.block, launch->block, sizeof info.block);
    return trace->sink->launch_begin(trace->sink->context, &info);
}

static bool begin_warp(struct nvbit_trace *trace, struct place *place, uint32_t slot)
{
    place->warp = !place->of_the_sm ? slot - 1 : place->slot ? place->warp + 1 : 0;
    place->slot = slot;
    if (place->warp >= place->warp_count)
        return input_fail(
            trace->input,
            "warp %u of the SM is one more than the %u that a block of %u threads has", slot - 1,
            place->warp_count, place->launch->threads);
    return end_warps(trace, place, place->warp);
}

static bool find_site(struct nvbit_trace *trace, struct trace_record *record)
{
    char label[256];
    const char *opcode = trace->opcodes[record->site];
    int name_bytes = (int)(sizeof label - NVBIT_OPCODE_BYTES - 2);
    snprintf(label, sizeof label, "%.*s+%s", name_bytes, trace->kernel, opcode);
    struct trace_site site = {.file = label,
                              .array = "",
                              .space = record->space,
                              .op = record->op,
                              .width = record->width};
    return site_hashes_find(&trace->sites, trace->input, trace->sink, &site, &record->site);
}

static bool give_access(struct nvbit_trace *trace, struct place *place, uint32_t slot,
                        const uint8_t *packed)
{
    struct trace_record record = record_head(packed);
    trace->input->line = record.line;
    if (slot != place->slot && !begin_warp(trace, place, slot))
        return false;
    uint32_t lanes = warp_lanes(place->launch->threads, place->warp);
    if (record.resident & ~lanes)
        return input_fail(trace->input, "lane %d of warp %u, which has %d lanes, has an address",
                          31 - __builtin_clz(record.resident), place->warp,
                          __builtin_popcount(lanes));
    record.active &= lanes;
    record.resident = lanes;
    record.warp = place->warp;
    return find_site(trace, &record) && record_give_access(&record, packed, trace->sink);
}

static bool give_record(struct nvbit_trace *trace, struct place *place, uint64_t key,
                        const uint8_t *packed)
{
    struct trace_record record = record_head(packed);
    if (record.kind == RECORD_OTHER && record.listed)
        return begin_launch(trace, place, (uint32_t)(key >> NVBIT_LAUNCH_SHIFT),
                            (const char *)packed + sizeof record);
    while (place->block < (uint32_t)(key >> NVBIT_SLOT_BITS))
        if (!end_block(trace, place))
            return false;
    if (record.kind == RECORD_ACCESS)
        return give_access(trace, place, key & ((1U << NVBIT_SLOT_BITS) - 1), packed);
    place->of_the_sm = true;
    return true;
}

static bool give_notes(const struct trace_sink *sink)
{
    return sink->note == NULL ||
           (sink->note(sink->context, "trace", "NVBit mem_trace") &&
            sink->note(sink->context, "barriers", "not in the trace: times are optimistic") &&
            sink->note(sink->context, "instructions", "accesses only: times are optimistic"));
}

bool nvbit_give(struct nvbit_trace *trace)
{
    uint8_t packed[RECORD_BYTES_MAX];
    struct place place = {.idle_left = NVBIT_IDLE_BLOCKS + trace->accesses};
    uint64_t key;
    size_t bytes;
    bool good = record_sort_read(&trace->sort) && give_notes(trace->sink);
    while (good && record_sort_next(&trace->sort, &key, packed, &bytes))
        good = give_record(trace, &place, key, packed);
    if (trace->sort.error)
        return input_fail(trace->input, "%s", trace->sort.error);
    return good && end_launch(trace, &place);
}
