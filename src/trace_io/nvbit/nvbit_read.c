/* nvbit_read.c - lines -> records by launch, block and warp.
 *
 * Decisions. A whole file is read before anything is given, as accesses of different blocks are mixed
 * and launches may overlap. A lane whose address is 0 takes no part. In shared, local and constant
 * memory 0 is an address like others: there a lane takes part too when 0 continues the line through
 * the other lanes' addresses, or when all lanes have it. LDGSTS prints two lines: shared memory lies
 * below 1 MB, where no array of device memory does. Generic accesses are taken for global, since
 * the trace has no windows.
 */
#include "trace_io/nvbit/nvbit_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/list.h"
#include "trace_io/nvbit/nvbit_reader.h"
#include "trace_io/sass_opcode.h"
#include "text/memory.h"

enum { SHARED_END = 1 << 20 };

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static struct nvbit_launch *launch_find(struct nvbit_trace *trace, const struct nvbit_line *line)
{
    for (uint32_t i = trace->launch_count; i-- > 0;) {
        struct nvbit_launch *launch = &trace->launches[i];
        if (launch->marked == line->marked &&
            (!line->marked || (launch->context == line->context && launch->id == line->launch_id)))
            return launch;
    }
    return NULL;
}

static bool launch_room(struct nvbit_trace *trace)
{
    if (trace->launch_count == NVBIT_LAUNCHES_MAX)
        return input_fail(trace->input, "more than %d launches: trace fewer kernels at a time",
                          NVBIT_LAUNCHES_MAX);
    return LIST_MAKE_ROOM(trace->launches, trace->launch_count, trace->launch_room) ||
           input_fail(trace->input, "no memory for %u launches", trace->launch_count + 1);
}

static bool add_record(struct nvbit_trace *trace, uint64_t key, const void *record, size_t bytes)
{
    return record_sort_add(&trace->sort, key, record, bytes) ||
           input_fail(trace->input, "%s", trace->sort.error);
}

/* The kernel's name travels with the records, as there may be many. */
static bool add_name(struct nvbit_trace *trace, const char *name)
{
    uint8_t packed[RECORD_BYTES_MAX];
    struct trace_record record = {.line = trace->input->line, .kind = RECORD_OTHER, .listed = true};
    size_t length = strlen(name) + 1;
    if (*name == '\0' || length > sizeof packed - sizeof record)
        return input_fail(trace->input, "a kernel's name of %zu bytes: 1 to %zu are possible",
                          length - 1, sizeof packed - sizeof record - 1);
    memcpy(packed, &record, sizeof record);
    memcpy(packed + sizeof record, name, length);
    return add_record(trace, nvbit_key(trace->launch_count, 0, 0), packed, sizeof record + length);
}

static bool add_launch(struct nvbit_trace *trace)
{
    const struct nvbit_line *line = &trace->line;
    struct nvbit_launch launch = {.context = line->context,
                                  .id = line->launch_id,
                                  .shared_bytes = line->launch.dynamic_shared_bytes,
                                  .line = trace->input->line,
                                  .registers = line->launch.registers,
                                  .marked = line->marked};
    memcpy(launch.grid, line->launch.grid, sizeof launch.grid);
    memcpy(launch.block, line->launch.block, sizeof launch.block);
    const struct nvbit_launch *same = line->marked ? launch_find(trace, line) : NULL;
    if (same)
        return input_fail(trace->input,
                          "grid launch id %" PRIu64 " is that of line %" PRIu64 " too", launch.id,
                          same->line);
    if (!launch_sizes_check(trace->input, &line->launch, &launch.blocks, &launch.threads) ||
        !launch_room(trace) || !add_name(trace, line->launch.kernel))
        return false;
    trace->launches[trace->launch_count++] = launch;
    return true;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

static bool opcode_number(struct nvbit_trace *trace, const char *text, uint32_t *number)
{
    for (*number = 0; *number < trace->opcode_count; ++*number)
        if (strcmp(trace->opcodes[*number], text) == 0)
            return true;
    if (strlen(text) >= NVBIT_OPCODE_BYTES || trace->opcode_count == NVBIT_OPCODES_MAX)
        return input_fail(trace->input, "\"%.60s\" is no opcode, or one of more than %d", text,
                          NVBIT_OPCODES_MAX);
    memcpy(trace->opcodes[trace->opcode_count++], text, strlen(text) + 1);
    return true;
}

/* Lanes whose address is 0, where that may be an address: see above. */
static uint32_t lanes_at_zero(const struct lane_row *row)
{
    uint32_t rest = row->active & (row->active - 1), zero = 0;
    if (row->active == 0)
        return UINT32_MAX;
    if (rest == 0)
        return 0;
    unsigned a = lowest(row->active), b = lowest(rest);
    uint64_t span = row->addr[b] - row->addr[a], stride = span / (b - a);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t expected = row->addr[a] + stride * ((uint64_t)lane - a);
        bool active = (row->active >> lane & 1U) != 0;
        if (active && row->addr[lane] != expected)
            return 0;
        if (!active && expected == 0)
            zero |= 1U << lane;
    }
    return zero;
}

static enum mem_space space_of(const struct sass_opcode *opcode, const struct lane_row *row)
{
    uint64_t highest = 0;
    if (opcode->space == SPACE_GENERIC)
        return SPACE_GLOBAL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        highest = row->addr[lane] > highest ? row->addr[lane] : highest;
    return opcode->copies && highest < SHARED_END ? SPACE_SHARED : (enum mem_space)opcode->space;
}

static bool check_place(struct nvbit_trace *trace, const struct nvbit_launch *launch)
{
    const uint32_t *cta = trace->line.cta, *grid = launch->grid;
    if (cta[0] >= grid[0] || cta[1] >= grid[1] || cta[2] >= grid[2])
        return input_fail(trace->input, "CTA %u,%u,%u is outside of the grid of %u,%u,%u", cta[0],
                          cta[1], cta[2], grid[0], grid[1], grid[2]);
    return trace->line.warp < NVBIT_WARP_IDS ||
           input_fail(trace->input, "warp %u: 0 to %d are possible", trace->line.warp,
                      NVBIT_WARP_IDS - 1);
}

/* Numbers of the SM's warps, as NVBit prints them, or of the block's: one that is too large for the
 * block tells. */
static bool add_marker(struct nvbit_trace *trace, const struct nvbit_launch *launch, uint64_t key)
{
    struct trace_record marker = {.line = trace->input->line, .kind = RECORD_OTHER};
    return trace->line.warp < (launch->threads + WARP_LANES - 1) / WARP_LANES ||
           add_record(trace, key, &marker, sizeof marker);
}

static bool add_row(struct nvbit_trace *trace, const struct nvbit_launch *launch,
                    struct trace_record *record)
{
    static const struct trace_windows unknown;
    const uint32_t *cta = trace->line.cta, *grid = launch->grid;
    struct lane_row *row = &trace->line.row;
    uint8_t packed[TRACE_RECORD_BYTES];
    record->block = cta[0] + grid[0] * (cta[1] + grid[1] * cta[2]);
    if (!row_place(trace->input, &unknown, (enum mem_space)record->space, record->width, row))
        return false;
    uint64_t key = nvbit_key((uint32_t)(launch - trace->launches), record->block, 0);
    size_t bytes = record_pack(record, row, packed);
    return add_marker(trace, launch, key) &&
           add_record(trace, key | (trace->line.warp + 1), packed, bytes);
}

static bool opcode_check(struct trace_input *input, const char *text, struct sass_opcode *opcode)
{
    if (!sass_opcode_read(text, opcode))
        return input_fail(input, "%.60s: accesses of 1, 2, 4, 8 and 16 bytes are read", text);
    if (opcode->kind == SASS_MEMORY)
        return true;
    return input_fail(input,
                      "%.60s: not an access that is read. Those are LDG, STG, LDS, STS, LDL, STL, "
                      "LD, ST, ATOM, ATOMG, ATOMS, RED, LDGSTS, LDSM, STSM, LDC, TLD and TEX",
                      text);
}

/* Hints to caches and fences have an address, and move nothing. */
static bool is_hint(const char *text)
{
    return strncmp(text, "CCTL", 4) == 0 || strncmp(text, "MEMBAR", 6) == 0 ||
           strncmp(text, "ERRBAR", 6) == 0;
}

static bool add_access(struct nvbit_trace *trace)
{
    const struct nvbit_line *line = &trace->line;
    const struct nvbit_launch *launch = launch_find(trace, line);
    struct trace_record record = {.line = trace->input->line, .kind = RECORD_ACCESS, .work = 1};
    struct sass_opcode opcode;
    struct lane_row *row = &trace->line.row;
    if (launch == NULL)
        return input_fail(trace->input, "an access of a launch that no line before announces");
    if (is_hint(line->opcode))
        return true;
    if (!opcode_check(trace->input, line->opcode, &opcode) || !check_place(trace, launch) ||
        !opcode_number(trace, line->opcode, &record.site))
        return false;
    record.space = (uint8_t)space_of(&opcode, row);
    record.op = opcode.copies && record.space == SPACE_SHARED ? OP_STORE : opcode.op;
    record.width = opcode.width;
    record.flags = opcode.flags;
    record.loads_left = record.op == OP_LOAD ? NEEDS_NO_LOAD : 0;
    row->active &= opcode.lanes;
    record.resident = row->active;
    if (record.space != SPACE_GLOBAL && record.space != SPACE_TEXTURE)
        row->active |= lanes_at_zero(row) & opcode.lanes;
    trace->accesses += row->active != 0;
    return row->active == 0 || add_row(trace, launch, &record);
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool read_lines(struct nvbit_trace *trace)
{
    struct trace_input *input = trace->input;
    for (char *text = input_line(input); text; text = input_line(input)) {
        enum nvbit_kind kind = nvbit_line_read(input, text, &trace->line);
        if (kind == NVBIT_LAUNCH && !add_launch(trace))
            return false;
        if (kind == NVBIT_ACCESS && trace->launch_count + trace->line.marked && !add_access(trace))
            return false;
        if (input->failed)
            return false;
    }
    if (trace->line.launch_used)
        input_fail(input, "the file ends within a launch");
    if (trace->launch_count == 0)
        input_fail(input, "no launch in it: is this what NVBit's mem_trace printed?");
    return !input->failed;
}

static bool trace_start(struct nvbit_trace *trace)
{
    trace->opcodes = memory_take(NVBIT_OPCODES_MAX, sizeof *trace->opcodes);
    return record_sort_start(&trace->sort, SORT_BYTES) && site_hashes_start(&trace->sites) &&
           trace->opcodes;
}

static void trace_free(struct nvbit_trace *trace)
{
    record_sort_free(&trace->sort);
    site_hashes_free(&trace->sites);
    free(trace->launches);
    free(trace->opcodes);
    free(trace);
}

const char *nvbit_trace_read(struct trace_input *input, const struct trace_sink *sink)
{
    struct nvbit_trace *trace = memory_take(1, sizeof *trace);
    if (trace == NULL) {
        input_fail(input, "no memory to read the trace");
        return input->message;
    }
    trace->input = input;
    trace->sink = sink;
    if (!trace_start(trace))
        input_fail(input, "no memory to read the trace");
    else if (read_lines(trace))
        nvbit_give(trace);
    trace_free(trace);
    return input->failed ? input->message : NULL;
}
