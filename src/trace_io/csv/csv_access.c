/* csv_access.c - rows of a CSV trace that are accesses: one of a warp, or one of a lane.
 *
 * Decisions. Rows of lanes become one access of their warp while they follow one another, agree in
 * everything but lane and address, and the lanes ascend: the order in which a warp's lanes are listed
 * by whatever writes such files. In a list of 32 addresses without a mask, 0 in global, local or
 * texture memory is a lane that is off: nothing lies there.
 */
#include <string.h>

#include "expression/expression.h"
#include "stream/launch_size.h"
#include "trace_io/csv/csv_reader.h"

bool csv_read_block(struct csv_reader *r, uint64_t *block)
{
    const uint32_t *grid = r->builder.launch.grid;
    uint32_t at[3] = {0, 0, 0};
    size_t count;
    *block = 0;
    if (strncmp(csv_cell(r, CSV_BLOCK), "0x", 2) == 0)
        return csv_cell_number(r, CSV_BLOCK, UINT32_MAX, block);
    if (!csv_cell_sides(r, CSV_BLOCK, at, &count))
        return false;
    if (count > 1 && (at[0] >= grid[0] || at[1] >= grid[1] || at[2] >= grid[2]))
        return csv_cell_fail(r, CSV_BLOCK, "a block of the grid");
    *block = at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
    return true;
}

/* What an access is of; the names are kept. */
static bool read_site(struct csv_reader *r, struct site_key *key)
{
    static const uint8_t op_of[CSV_OPS] = {OP_LOAD,  OP_STORE,  OP_ATOMIC, OP_LOAD,
                                           OP_STORE, OP_ATOMIC, OP_LOAD,   OP_STORE};
    static const uint8_t space_of[CSV_SPACES] = {SPACE_GLOBAL,   SPACE_SHARED,  SPACE_LOCAL,
                                                 SPACE_CONSTANT, SPACE_TEXTURE, SPACE_CONSTANT,
                                                 SPACE_TEXTURE};
    size_t op = 0, space = 0;
    uint64_t line = 0, width = 4;
    const char *file = csv_cell(r, CSV_FILE), *array = csv_cell(r, CSV_ARRAY);
    *key = (struct site_key){0};
    if (!csv_cell_word(r, CSV_OP, csv_op_names, CSV_OPS, &op) ||
        !csv_cell_word(r, CSV_SPACE, csv_space_names, CSV_SPACES, &space) ||
        !csv_cell_number(r, CSV_LINE, UINT32_MAX, &line) ||
        !csv_cell_number(r, CSV_WIDTH, 16, &width) ||
        !csv_cell_number(r, CSV_PC, UINT64_MAX, &key->pc))
        return false;
    if (*file == '\0')
        file = "?";
    key->site = (struct trace_site){.file = builder_name(&r->builder, file, strlen(file)),
                                    .line = (uint32_t)line,
                                    .space = space_of[space],
                                    .op = op_of[op],
                                    .width = (uint8_t)width};
    key->site.array = key->site.file ? builder_name(&r->builder, array, strlen(array)) : NULL;
    return key->site.array != NULL;
}

static bool read_flags(struct csv_reader *r, uint8_t *flags)
{
    const char *rest = csv_cell(r, CSV_FLAGS);
    char piece[CSV_PIECE_BYTES];
    while (csv_piece(&rest, piece)) {
        if (!access_flag_read((struct word){piece, strlen(piece)}, flags))
            return csv_cell_fail(r, CSV_FLAGS,
                                 "nc host managed volatile unrolled flattened increment float "
                                 "matrix, with blanks between");
    }
    return true;
}

/* The fields that do not depend on how addresses are given. */
static bool read_rest(struct csv_reader *r, struct warp_access *a, uint32_t present)
{
    uint64_t work = 1, lag = 0, needs = NEEDS_NO_LOAD, resident = present;
    if (!csv_cell_number(r, CSV_WORK, UINT16_MAX, &work) ||
        !csv_cell_number(r, CSV_LAG, UINT16_MAX, &lag) ||
        !csv_cell_number(r, CSV_NEEDS, NEEDS_NO_LOAD, &needs) ||
        !csv_cell_number(r, CSV_RESIDENT, UINT32_MAX, &resident) || !read_flags(r, &a->flags))
        return false;
    a->work = (uint16_t)work;
    a->lag = (uint16_t)lag;
    a->loads_left = (uint8_t)needs;
    a->resident = (uint32_t)resident;
    return true;
}

/* The active lanes that the row names; `*given`: it names some. */
static bool read_mask(struct csv_reader *r, uint32_t present, uint32_t *active, bool *given)
{
    enum csv_trace_field field = csv_cell_is_empty(r, CSV_ACTIVE) ? CSV_MASK : CSV_ACTIVE;
    uint64_t mask = present;
    *given = !csv_cell_is_empty(r, field);
    if (!csv_cell_number(r, field, UINT32_MAX, &mask))
        return false;
    *active = (uint32_t)mask;
    return true;
}

/* The list as it is written; bit i of *dashes: the i-th is '-'. */
static bool read_list(struct csv_reader *r, uint64_t list[WARP_LANES], unsigned *count,
                      uint32_t *dashes)
{
    const char *rest = csv_cell(r, CSV_ADDR);
    char piece[CSV_PIECE_BYTES];
    *count = 0;
    *dashes = 0;
    for (; csv_piece(&rest, piece); (*count)++) {
        if (*count == WARP_LANES)
            return csv_cell_fail(r, CSV_ADDR, "at most 32 addresses");
        list[*count] = 0;
        if (strcmp(piece, "-") == 0)
            *dashes |= UINT32_C(1) << *count;
        else if (!csv_number(piece, UINT64_MAX, &list[*count]))
            return csv_cell_fail(r, CSV_ADDR,
                                 "addresses, decimal or hexadecimal (0x80), with blanks or ';' "
                                 "between");
    }
    return true;
}

/* Which lanes the addresses of a list without a mask are of: all that have one. */
static uint32_t lanes_of_list(const struct warp_access *a, const uint64_t *list, unsigned count,
                              uint32_t dashes)
{
    bool zero_is_off =
        count == WARP_LANES && a->space != SPACE_SHARED && a->space != SPACE_CONSTANT;
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < count; lane++)
        if ((dashes >> lane & 1U) == 0 && !(zero_is_off && list[lane] == 0))
            lanes |= UINT32_C(1) << lane;
    return lanes;
}

static bool place_list(struct csv_reader *r, struct warp_access *a, uint64_t addr[WARP_LANES],
                       bool has_mask)
{
    uint64_t list[WARP_LANES];
    unsigned count, next = 0;
    uint32_t dashes;
    if (!read_list(r, list, &count, &dashes))
        return false;
    if (!has_mask)
        a->active = lanes_of_list(a, list, count, dashes);
    bool is_packed = has_mask && count == (unsigned)__builtin_popcount(a->active);
    if (has_mask && !is_packed && count != WARP_LANES)
        return csv_cell_fail(r, CSV_ADDR, "as many addresses as the mask has lanes, or 32");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool is_active = access_lane_active(a, lane);
        addr[lane] = is_active ? list[is_packed ? next : lane] : 0;
        next += is_active;
    }
    a->addr = addr;
    return true;
}

static bool place_affine(struct csv_reader *r, struct warp_access *a)
{
    int64_t base = 0, stride = a->width;
    if (csv_cell_is_empty(r, CSV_BASE))
        return csv_cell_fail(r, CSV_ADDR, "an address, here or in base");
    if (!csv_cell_signed(r, CSV_BASE, &base) || !csv_cell_signed(r, CSV_STRIDE, &stride))
        return false;
    a->base = (uint64_t)base;
    a->stride = stride;
    return true;
}

static bool send(struct csv_reader *r, struct warp_access *a, const struct site_key *key)
{
    return builder_site(&r->builder, key, &a->site) && builder_access(&r->builder, a);
}

bool csv_flush(struct csv_reader *r)
{
    uint64_t line = r->input->line;
    if (!r->is_gathering)
        return true;
    r->is_gathering = false;
    r->gathered.addr = r->gathered_addr;
    r->input->line = r->gathered_line;
    r->builder.column = 0;
    bool good = send(r, &r->gathered, &r->gathered_site);
    if (good)
        r->input->line = line;
    return good;
}

static bool is_same_access(const struct csv_reader *r, const struct warp_access *a,
                           const struct site_key *key, uint32_t lane)
{
    const struct warp_access *b = &r->gathered;
    return r->is_gathering && lane > r->last_lane && a->block == b->block && a->warp == b->warp &&
           a->flags == b->flags && a->work == b->work && a->lag == b->lag &&
           a->loads_left == b->loads_left && a->resident == b->resident &&
           key->pc == r->gathered_site.pc && key->site.file == r->gathered_site.site.file &&
           key->site.line == r->gathered_site.site.line &&
           key->site.array == r->gathered_site.site.array &&
           key->site.space == r->gathered_site.site.space &&
           key->site.op == r->gathered_site.site.op &&
           key->site.width == r->gathered_site.site.width;
}

/* The one address of a lane, in addr= or base=. */
static bool read_lane_address(struct csv_reader *r, uint64_t *addr)
{
    enum csv_trace_field field = csv_cell_is_empty(r, CSV_ADDR) ? CSV_BASE : CSV_ADDR;
    if (csv_cell_is_empty(r, field))
        return csv_cell_fail(r, CSV_ADDR, "the lane's address, here or in base");
    return csv_cell_number(r, field, UINT64_MAX, addr);
}

static bool add_lane(struct csv_reader *r, const struct warp_access *a, const struct site_key *key,
                     uint32_t lane)
{
    uint64_t addr = 0;
    if (!read_lane_address(r, &addr))
        return false;
    if (!is_same_access(r, a, key, lane)) {
        if (!csv_flush(r))
            return false;
        r->gathered = *a;
        r->gathered_site = *key;
        memset(r->gathered_addr, 0, sizeof r->gathered_addr);
    }
    r->is_gathering = true;
    r->last_lane = lane;
    r->gathered_line = r->input->line;
    r->gathered.active |= UINT32_C(1) << lane;
    r->gathered_addr[lane] = addr;
    return true;
}

/* Which warp, and which lane when the row is one lane's. */
static bool read_warp(struct csv_reader *r, uint64_t *warp, uint64_t *lane, bool *has_lane)
{
    uint64_t thread = 0, warps = launch_warps(&r->builder.launch);
    *warp = *lane = 0;
    if (!csv_cell_number(r, CSV_WARP, warps - 1, warp) ||
        !csv_cell_number(r, CSV_LANE, WARP_LANES - 1, lane) ||
        !csv_cell_number(r, CSV_THREAD, warps * WARP_LANES - 1, &thread))
        return false;
    *has_lane = !csv_cell_is_empty(r, CSV_LANE);
    if (csv_cell_is_empty(r, CSV_THREAD))
        return true;
    *has_lane = true;
    *warp = thread / WARP_LANES;
    *lane = thread % WARP_LANES;
    return true;
}

/* Everything but the lanes and their addresses. */
static bool read_common(struct csv_reader *r, struct warp_access *a, const struct site_key *key,
                        uint64_t warp, bool has_lane)
{
    uint64_t block;
    if (!csv_read_block(r, &block))
        return false;
    bool goes_on = has_lane && r->is_gathering && r->gathered.block == block;
    if ((!goes_on && !csv_flush(r)) || !builder_block(&r->builder, block))
        return false;
    a->block = r->builder.block;
    a->warp = (uint32_t)warp;
    a->op = key->site.op;
    a->space = key->site.space;
    a->width = key->site.width;
    return read_rest(r, a, launch_lanes(&r->builder.launch, a->warp));
}

bool csv_read_access(struct csv_reader *r)
{
    uint64_t addr[WARP_LANES], warp, lane;
    bool has_lane, has_mask;
    struct site_key key;
    struct warp_access a = {0};
    if (!read_warp(r, &warp, &lane, &has_lane) || !read_site(r, &key) ||
        !read_common(r, &a, &key, warp, has_lane))
        return false;
    if (has_lane)
        return add_lane(r, &a, &key, (uint32_t)lane);
    if (!read_mask(r, launch_lanes(&r->builder.launch, a.warp), &a.active, &has_mask))
        return false;
    if (csv_cell_is_empty(r, CSV_ADDR) ? !place_affine(r, &a) : !place_list(r, &a, addr, has_mask))
        return false;
    return send(r, &a, &key);
}
