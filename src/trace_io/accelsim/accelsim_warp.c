/* accelsim_warp.c - see accelsim_warp.h.
 *
 * Decisions. A generic access whose lanes are in different spaces becomes one access a space. A lane
 * of a global access at address 0 takes no part: tracers write 0 where they have no address. Of
 * LDGSTS a .traceg keeps the global half; so does the stream. TMA, surfaces and other instructions
 * that move memory in ways that are not modelled are errors; texture fetches without addresses, as
 * the tracer writes them, count as instructions.
 */
#include "trace_io/accelsim/accelsim_warp.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LOADS_LEFT_MAX = NEEDS_NO_LOAD - 1 };

void accelsim_warp_start(struct accelsim_warp *warp, const struct accelsim_kernel *kernel,
                         uint32_t number)
{
    memset(warp, 0, sizeof *warp);
    warp->number = number;
    warp->lanes = warp_lanes(kernel->threads, number);
}

static bool add_record(struct accelsim_kernel *kernel, const struct accelsim_warp *warp,
                       const void *record, size_t bytes)
{
    uint64_t key = (uint64_t)warp->round << 8 | warp->number;
    return record_sort_add(kernel->sort, key, record, bytes) ||
           input_fail(kernel->input, "%s", kernel->sort->error);
}

static uint16_t take_work(struct accelsim_warp *warp)
{
    uint32_t work = warp->work;
    warp->work = 0;
    return (uint16_t)(work < UINT16_MAX ? work : UINT16_MAX);
}

static uint8_t take_loads_left(struct accelsim_warp *warp, enum mem_op op)
{
    uint64_t left = warp->loads - warp->needed;
    bool none = warp->needed == 0;
    warp->needed = 0;
    if (op != OP_LOAD) /* waits for all loads anyway */
        return 0;
    if (none)
        return NEEDS_NO_LOAD;
    return (uint8_t)(left < LOADS_LEFT_MAX ? left : LOADS_LEFT_MAX);
}

static bool add_event(struct accelsim_kernel *kernel, struct accelsim_warp *warp,
                      enum record_kind kind)
{
    struct trace_record record = {.line = kernel->input->line,
                                  .block = (uint32_t)kernel->block,
                                  .warp = warp->number,
                                  .work = take_work(warp),
                                  .kind = (uint8_t)kind};
    warp->needed = 0;
    return add_record(kernel, warp, &record, sizeof record);
}

static bool find_site(struct accelsim_kernel *kernel, const struct accelsim_instruction *in,
                      const struct lane_row *row, struct trace_record *record)
{
    char label[256];
    bool has_array = record->space == SPACE_GLOBAL || record->space == SPACE_TEXTURE;
    uint64_t first = row->addr[__builtin_ctz(row->active)];
    int name_bytes = (int)sizeof label - 16;
    if (kernel->format.has_lines)
        snprintf(label, sizeof label, "%.*s", name_bytes, kernel->name);
    else
        snprintf(label, sizeof label, "%.*s+0x%04" PRIx64, name_bytes, kernel->name, in->pc);
    struct trace_site site = {.file = label,
                              .line = in->line,
                              .array = has_array ? copied_arrays_find(kernel->arrays, first) : "",
                              .space = record->space,
                              .op = record->op,
                              .width = record->width};
    return site_hashes_find(kernel->sites, kernel->input, kernel->sink, &site, &record->site);
}

static bool add_access(struct accelsim_kernel *kernel, struct accelsim_warp *warp,
                       const struct accelsim_instruction *in, enum mem_space space,
                       struct lane_row row)
{
    uint8_t packed[TRACE_RECORD_BYTES];
    const struct sass_opcode *does = &in->does;
    const uint8_t kept = space == SPACE_GLOBAL ? UINT8_MAX : ACCESS_INCREMENT | ACCESS_MATRIX;
    struct trace_record record = {.line = kernel->input->line,
                                  .resident = warp->lanes & ~warp->ended,
                                  .block = (uint32_t)kernel->block,
                                  .warp = warp->number,
                                  .width = does->width,
                                  .op = does->op,
                                  .space = (uint8_t)space,
                                  .flags = does->flags & kept};
    if (!row_place(kernel->input, &kernel->windows, space, does->width, &row) ||
        !find_site(kernel, in, &row, &record))
        return false;
    record.work = take_work(warp);
    record.loads_left = take_loads_left(warp, (enum mem_op)does->op);
    warp->loads += does->op == OP_LOAD;
    return add_record(kernel, warp, packed, record_pack(&record, &row, packed));
}

/* The lanes of `active` whose addresses are in that space. */
static uint32_t lanes_in(const struct accelsim_kernel *kernel,
                         const struct accelsim_instruction *in, enum mem_space space,
                         uint32_t active)
{
    uint32_t lanes = 0;
    if (in->does.space != SPACE_GENERIC)
        lanes = in->does.space == space ? active : 0;
    else
        for (uint32_t left = active; left; left &= left - 1)
            if (window_space(&kernel->windows, in->row.addr[__builtin_ctz(left)]) == space)
                lanes |= left & (0 - left);
    if (space == SPACE_GLOBAL)
        for (uint32_t left = lanes; left; left &= left - 1)
            if (in->row.addr[__builtin_ctz(left)] == 0)
                lanes &= ~(left & (0 - left));
    return lanes;
}

static bool add_memory(struct accelsim_kernel *kernel, struct accelsim_warp *warp,
                       const struct accelsim_instruction *in)
{
    uint32_t active = in->mask & in->does.lanes;
    for (unsigned space = 0; space < SPACE_COUNT; space++) {
        struct lane_row row = in->row;
        row.active = lanes_in(kernel, in, (enum mem_space)space, active);
        if (row.active && !add_access(kernel, warp, in, (enum mem_space)space, row))
            return false;
    }
    return true;
}

/* ---- Registers ------------------------------------------------------------------------------- */

static void read_registers(struct accelsim_warp *warp, const struct accelsim_instruction *in)
{
    for (uint32_t i = 0; i < in->source_count; i++) {
        uint64_t load = in->sources[i] == ACCELSIM_RZ ? 0 : warp->loaded[in->sources[i]];
        warp->needed = load > warp->needed ? load : warp->needed;
    }
}

static void write_registers(struct accelsim_warp *warp, const struct accelsim_instruction *in,
                            uint64_t load)
{
    unsigned words = load && in->does.width > 4 ? in->does.width / 4 : 1;
    for (uint32_t i = 0; i < in->dest_count; i++)
        for (unsigned r = in->dests[i]; r < in->dests[i] + words && r < ACCELSIM_RZ; r++)
            warp->loaded[r] = load;
}

/* ---- Instructions ---------------------------------------------------------------------------- */

/* Hints to caches have an address, and move nothing. */
static bool moves_nothing(const struct accelsim_instruction *in)
{
    static const char *const hints[] = {"CCTL", "MEMBAR", "ERRBAR", "QSPC", "LDGDEPBAR"};
    for (unsigned i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (strncmp(in->opcode, hints[i], strlen(hints[i])) == 0)
            return true;
    return in->width == 0;
}

/* An instruction may have a width where it has no address, and the other way round. */
static bool check_opcode(struct accelsim_kernel *kernel, const struct accelsim_instruction *in)
{
    bool may_lack = in->does.space == SPACE_CONSTANT || in->does.space == SPACE_TEXTURE;
    if (in->does.kind != SASS_MEMORY && !moves_nothing(in))
        return input_fail(kernel->input,
                          "%.60s moves memory in a way that is not modelled: LDG, STG, LDS, STS, "
                          "LDL, STL, LD, ST, ATOM, ATOMG, ATOMS, RED, LDGSTS, LDSM, STSM, LDC, TLD "
                          "and TEX are read",
                          in->opcode);
    if (in->does.kind == SASS_MEMORY && in->width == 0 && !may_lack)
        return input_fail(kernel->input, "%.60s without addresses: its memory width is 0",
                          in->opcode);
    return true;
}

bool accelsim_warp_add(struct accelsim_kernel *kernel, struct accelsim_warp *warp,
                       struct accelsim_instruction *in)
{
    bool is_access = in->does.kind == SASS_MEMORY && in->width;
    uint64_t loads = warp->loads;
    if (in->mask & ~warp->lanes)
        return input_fail(kernel->input,
                          "mask %08x: warp %u of a block of %u threads has lanes %08x", in->mask,
                          warp->number, kernel->threads, warp->lanes);
    if (!check_opcode(kernel, in))
        return false;
    warp->work += warp->work < UINT16_MAX;
    read_registers(warp, in);
    if (is_access && !add_memory(kernel, warp, in))
        return false;
    write_registers(warp, in, warp->loads > loads ? warp->loads : 0);
    if (in->does.kind == SASS_EXIT)
        warp->ended |= in->mask;
    if (in->does.kind != SASS_BARRIER || in->mask == 0)
        return true;
    bool added = add_event(kernel, warp, RECORD_BARRIER);
    warp->round++;
    return added;
}

bool accelsim_warp_end(struct accelsim_kernel *kernel, struct accelsim_warp *warp)
{
    warp->work += warp->work == 0;
    return add_event(kernel, warp, RECORD_WARP_END);
}
