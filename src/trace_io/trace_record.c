/* trace_record.c - see trace_record.h. */
#include "trace_io/trace_record.h"

#include <inttypes.h>
#include <string.h>

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

enum mem_space window_space(const struct trace_windows *windows, uint64_t addr)
{
    if (windows->shared_base && addr - windows->shared_base < WINDOW_BYTES)
        return SPACE_SHARED;
    if (windows->local_base && addr - windows->local_base < WINDOW_BYTES)
        return SPACE_LOCAL;
    return SPACE_GLOBAL;
}

static bool is_aligned(struct trace_input *input, unsigned width, unsigned lane, uint64_t addr)
{
    if (addr % width == 0)
        return true;
    return input_fail(input,
                      "lane %u accesses %u bytes at 0x%" PRIx64
                      ", which is no multiple of %u: hardware traps, so the opcode or the address "
                      "is wrong",
                      lane, width, addr, width);
}

static uint64_t interleave(uint64_t offset, unsigned width, unsigned lane)
{
    return LOCAL_TRACE_BASE + offset % LANE_LOCAL_BYTES * WARP_LANES + (uint64_t)lane * width;
}

static bool place_lane(struct trace_input *input, const struct trace_windows *windows,
                       enum mem_space space, unsigned width, unsigned lane, uint64_t *addr)
{
    bool shared = window_space(windows, *addr) == SPACE_SHARED;
    bool local = window_space(windows, *addr) == SPACE_LOCAL;
    if (!is_aligned(input, width, lane, *addr))
        return false;
    if (space == SPACE_LOCAL)
        *addr = interleave(local ? *addr - windows->local_base : *addr, width, lane);
    if (space != SPACE_SHARED)
        return true;
    uint64_t offset = shared ? *addr - windows->shared_base : *addr;
    if (offset + width > SHARED_BYTES_MAX || offset > SHARED_BYTES_MAX)
        return input_fail(input,
                          "lane %u accesses shared memory at 0x%" PRIx64
                          ": 0 to 0x%x are possible, behind the base of the shared window",
                          lane, *addr, SHARED_BYTES_MAX - 1);
    *addr = offset;
    return true;
}

bool row_place(struct trace_input *input, const struct trace_windows *windows, enum mem_space space,
               unsigned width, struct lane_row *row)
{
    for (uint32_t left = row->active; left; left &= left - 1)
        if (!place_lane(input, windows, space, width, lowest(left), &row->addr[lowest(left)]))
            return false;
    return true;
}

uint32_t warp_lanes(uint32_t threads, uint32_t warp)
{
    uint32_t first = warp * WARP_LANES;
    if (threads <= first)
        return 0;
    return threads - first >= WARP_LANES ? UINT32_MAX : ~(UINT32_MAX << (threads - first));
}

/* As the tracer takes them: whole warps, strides that 41 bits hold. */
static bool row_is_affine(const struct lane_row *row)
{
    uint64_t stride = row->addr[1] - row->addr[0], limit = 1ULL << 40, differs = 0;
    for (unsigned i = 2; i < WARP_LANES; i++)
        differs |= (row->addr[i] - row->addr[i - 1]) ^ stride;
    return row->active == UINT32_MAX && stride + limit < 2 * limit && differs == 0;
}

size_t record_pack(struct trace_record *record, const struct lane_row *row,
                   uint8_t packed[TRACE_RECORD_BYTES])
{
    uint8_t *to = packed + sizeof *record;
    record->active = row->active;
    record->listed = row->active && !row_is_affine(row);
    record->base = record->listed ? 0 : row->addr[0];
    record->stride = record->listed ? 0 : (int64_t)(row->addr[1] - row->addr[0]);
    for (uint32_t left = record->listed ? row->active : 0; left; left &= left - 1, to += 8)
        memcpy(to, &row->addr[lowest(left)], 8);
    memcpy(packed, record, sizeof *record);
    return (size_t)(to - packed);
}

struct trace_record record_head(const uint8_t *packed)
{
    struct trace_record record;
    memcpy(&record, packed, sizeof record);
    return record;
}

struct lane_row record_row(const struct trace_record *record, const uint8_t *packed)
{
    struct lane_row row = {.active = record_head(packed).active};
    const uint8_t *from = packed + sizeof *record;
    for (uint32_t left = row.active; left; left &= left - 1) {
        unsigned lane = lowest(left);
        row.addr[lane] = record->base + (uint64_t)record->stride * lane;
        if (record->listed)
            memcpy(&row.addr[lane], from, 8);
        from += 8;
    }
    return row;
}

bool record_give_access(const struct trace_record *record, const uint8_t *packed,
                        const struct trace_sink *sink)
{
    struct lane_row row;
    uint64_t moved = record->space == SPACE_LOCAL ? record->warp * LOCAL_WARP_BYTES : 0;
    if (record->listed)
        row = record_row(record, packed);
    for (uint32_t left = record->listed ? row.active : 0; left; left &= left - 1)
        row.addr[lowest(left)] += moved;
    struct warp_access access = {
        .addr = record->listed ? row.addr : NULL,
        .base = record->base + moved,
        .stride = record->stride,
        .active = record->active,
        .resident = record->resident | record->active,
        .block = record->block,
        .warp = record->warp,
        .site = record->site,
        .work = record->work,
        .loads_left = record->loads_left,
        .width = record->width,
        .op = record->op,
        .space = record->space,
        .flags = record->flags,
    };
    return sink->access(sink->context, &access);
}

bool launch_sizes_check(struct trace_input *input, const struct launch_info *launch,
                        uint64_t *blocks, uint32_t *threads)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t lanes = block[0] > 1024 || block[1] > 1024 || block[2] > 64
                         ? 0
                         : (uint64_t)block[0] * block[1] * block[2];
    if (lanes == 0 || lanes > 1024)
        return input_fail(input, "a block of %u x %u x %u threads: 1 to 1024 threads are possible",
                          block[0], block[1], block[2]);
    *threads = (uint32_t)lanes;
    bool fits = grid[0] <= INT32_MAX && grid[1] <= UINT16_MAX && grid[2] <= UINT16_MAX;
    *blocks = fits ? (uint64_t)grid[0] * grid[1] * grid[2] : 0;
    if (*blocks == 0 || *blocks > UINT32_MAX)
        return input_fail(
            input, "a grid of %u x %u x %u blocks: 1 to 2147483647 x 65535 x 65535 are possible",
            grid[0], grid[1], grid[2]);
    if (launch->dynamic_shared_bytes > SHARED_BYTES_MAX)
        return input_fail(input, "%" PRIu64 " bytes of shared memory: 0 to %d are possible",
                          launch->dynamic_shared_bytes, SHARED_BYTES_MAX);
    return true;
}
