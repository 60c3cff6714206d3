/* warpgroup.c - wgmma: a product of four warps, of matrices that descriptors say where they are in shared memory.
 *
 * Decisions. A warp of a warpgroup computes its 16 rows of D when its lanes have come: it takes nothing from the other three. Behind a
 * wait_group the four have computed as many products as the warp that waits: then shared memory may get other values. D is there
 * at once, so a program that forgets wgmma.fence or commit_group computes as if it had not: PTX leaves open what it gets.
 */
#include "tracer/matrix/warpgroup.h"

#include <string.h>

#include "tracer/bulk/bulk_events.h"
#include "tracer/faults.h"
#include "tracer/grid/cluster.h"
#include "tracer/matrix/elements.h"
#include "tracer/matrix/shared_matrix.h"
#include "tracer/shared_faults.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { UNIT = 16, WARPGROUP_LANES = WARPGROUP_WARPS * WARP_LANES };

static struct warpgroup_lane warpgroup_lanes[BLOCK_LANES_MAX];

/* How many products warps have made; of a warpgroup the phase is what all four have. */
enum { WARPS_MAX = BLOCK_LANES_MAX / WARP_LANES };
struct products {
    uint32_t made[WARPS_MAX];
    struct mbarrier all_made[WARPS_MAX / WARPGROUP_WARPS];
};
/* By the rank of their block in its cluster. */
static struct products of_blocks[CLUSTER_BLOCKS_MAX];

static struct products *products(void)
{
    return &of_blocks[cluster.rank];
}

void warpgroups_block(void)
{
    memset(products()->made, 0, sizeof products()->made);
    for (unsigned i = 0; i < WARPS_MAX / WARPGROUP_WARPS; i++)
        products()->all_made[i] = (struct mbarrier){
            .is_none = "wgmma.wait_group where other warps of the warpgroup have not come to a "
                       "wgmma.mma_async that this one has"};
}

static void count_product(unsigned warp)
{
    const unsigned group = warp / WARPGROUP_WARPS;
    uint32_t *made = products()->made, least = ++made[warp];
    for (unsigned i = group * WARPGROUP_WARPS; i < (group + 1) * WARPGROUP_WARPS; i++)
        least = made[i] < least ? made[i] : least;
    products()->all_made[group].phase = least;
}

static struct warpgroup_lane *own_lane(void)
{
    return &warpgroup_lanes[engine.current->index];
}

/* A descriptor has 18 bits of an address; warplens's shared memory, with the arrays of all kernels, may have more: one that this
 * launch uses. */
const char *warpgroup_bytes(uint32_t address)
{
    uint64_t at = address;
    while (at < shared_window.bytes && shared_window.granules[at / SHARED_GRANULE_BYTES].end <= at)
        at += SHARED_MATRIX_ADDRESSES;
    at = at < shared_window.bytes ? at : address;
    return at + UNIT <= shared_window.bytes ? (const char *)shared_window.base + at : NULL;
}

/* ---- Checks ---------------------------------------------------------------------------------------- */

/* One of the two operands. */
struct operand {
    const char *name;
    struct shared_matrix at;
    bool by_columns;
    unsigned bytes;          /* of an element */
    unsigned first, columns; /* of the warp: rows of A, or columns of B */
};

static void check_descriptor(const struct operand *o, uintptr_t pc)
{
    if (o->at.base_offset)
        engine_fail_lane(pc,
                         "wgmma: the descriptor of %s has base offset %u, which is not modelled: "
                         "a matrix that begins at a multiple of 128 bytes needs none",
                         o->name, o->at.base_offset);
    if (!shared_matrix_is_aligned(&o->at))
        engine_fail_lane(pc,
                         "wgmma: the descriptor of %s has a swizzle of %d bytes, and begins at "
                         "0x%x of shared memory: begin the matrix in a row of the swizzle that is "
                         "at a multiple of 128",
                         o->name, o->at.row, (unsigned)o->at.start);
}

/* Of the units of 16 bytes that the warp reads, number `i`. */
static const char *unit_of(const struct operand *o, unsigned i, uint32_t *address)
{
    const unsigned held = UNIT / o->bytes, units = o->columns / held;
    *address =
        o->by_columns
            ? shared_matrix_at(&o->at, true, o->bytes, o->first + i % units * held, i / units)
            : shared_matrix_at(&o->at, false, o->bytes, o->first + i / 2, i % 2 * held);
    return warpgroup_bytes(*address);
}

static unsigned unit_count(const struct operand *o)
{
    return o->columns * (DEPTH_BYTES / UNIT);
}

/* The lane's share of the units: that they are in an array of the launch. */
static void check_places(const struct operand *o, uintptr_t pc)
{
    for (unsigned i = engine.current->index % WARP_LANES; i < unit_count(o); i += WARP_LANES) {
        uint32_t address;
        const char *unit = unit_of(o, i, &address);
        if (unit == NULL) {
            engine.error = cudaErrorIllegalAddress;
            faults_stop_is(&(struct trace_fault){
                .kind = FAULT_OUT_OF_BOUNDS, .op = OP_LOAD, .space = SPACE_SHARED, .width = UNIT});
            engine_fail_lane(pc,
                             "wgmma: by its descriptor %s reaches address 0x%x, outside of shared "
                             "memory",
                             o->name, (unsigned)address);
        }
        spaces_place(unit, UNIT, OP_LOAD, pc);
    }
}

/* ... and that they are written. */
static void check_written(const struct operand *o, uintptr_t pc)
{
    for (unsigned i = engine.current->index % WARP_LANES; i < unit_count(o); i += WARP_LANES) {
        uint32_t address;
        shared_check(unit_of(o, i, &address), UNIT, OP_LOAD, pc);
    }
}

/* ---- A product --------------------------------------------------------------------------------------- */

static bool is_alike(const struct warpgroup_lane *a, const struct warpgroup_lane *b,
                     const struct wl_warpgroup_product *p)
{
    return a->b == b->b && a->flags == b->flags && (a->a == b->a || p->a_in_registers);
}

void warpgroup_resolve(const struct lane *first, const struct warp_op *op,
                       const struct matrix_lane given[WARP_LANES])
{
    const struct wl_warpgroup_product *p = (const struct wl_warpgroup_product *)op->value;
    struct warpgroup_lane *lanes = &warpgroup_lanes[first->index];
    for (unsigned i = 0; i < WARP_LANES; i++)
        lanes[i].differs = !is_alike(&lanes[i], &lanes[0], p);
    warpgroup_make(p, first->index / WARP_LANES % WARPGROUP_WARPS, given, lanes);
    count_product(first->index / WARP_LANES);
}

WORK_COST_1 void wl_warpgroup_mma(const struct wl_warpgroup_product *p, uint64_t a, uint64_t b,
                                  unsigned flags)
{
    const uintptr_t pc = RETURN_ADDRESS;
    const unsigned rank = engine.current->index / WARP_LANES % WARPGROUP_WARPS;
    const struct operand of_a = {.name = "A",
                                 .at = shared_matrix_read(a),
                                 .by_columns = (flags & WL_A_BY_COLUMNS) != 0,
                                 .bytes = element_bytes(p->a),
                                 .first = WARP_ROWS * rank,
                                 .columns = p->a_in_registers ? 0 : WARP_ROWS},
                         of_b = {.name = "B",
                                 .at = shared_matrix_read(b),
                                 .by_columns = (flags & WL_B_BY_COLUMNS) != 0,
                                 .bytes = element_bytes(p->b),
                                 .columns = p->n};
    if (flags == UINT32_MAX)
        engine_fail_lane(pc, "wgmma whose imm-scale-a, imm-scale-b, imm-trans-a or imm-trans-b is "
                             "none of those that PTX has: scales are 1 or -1, transposes 0 or 1");
    if (engine.current->index / WARPGROUP_LANES * WARPGROUP_LANES + WARPGROUP_LANES >
        engine.lane_count)
        engine_fail_lane(
            pc,
            "wgmma in a block of %u threads, of which this one's warpgroup lacks some: "
            "threads 0 to %d are one, the next %d the next",
            engine.lane_count, WARPGROUP_LANES - 1, WARPGROUP_LANES);
    if (!p->a_in_registers)
        check_descriptor(&of_a, pc);
    check_descriptor(&of_b, pc);
    check_places(&of_a, pc);
    check_places(&of_b, pc);
    own_lane()->a = a;
    own_lane()->b = b;
    own_lane()->flags = flags;
    matrices_meet((struct warp_op){.mode = MATRIX_WARPGROUP, .value = (uintptr_t)p}, pc);
    if (own_lane()->differs)
        engine_fail_lane(pc, "wgmma with another descriptor or scale than lane 0 of its warp: all "
                             "threads of a warpgroup have the same");
    check_written(&of_a, pc);
    check_written(&of_b, pc);
    bulk_events_step(PRODUCT_BEGINS,
                     stream_product_left((struct warpgroup_product){p->n, p->a_in_registers}), pc);
}

WORK_COST_0 void wl_warpgroup_give(unsigned first, uint32_t r0, uint32_t r1, uint32_t r2,
                                   uint32_t r3)
{
    const uint32_t registers[] = {r0, r1, r2, r3};
    memcpy(&own_lane()->d[first], registers, sizeof registers);
}

WORK_COST_0 void wl_warpgroup_give_floats(unsigned first, float r0, float r1, float r2, float r3)
{
    const float registers[] = {r0, r1, r2, r3};
    memcpy(&own_lane()->d[first], registers, sizeof registers);
}

WORK_COST_0 uint32_t wl_warpgroup_take(unsigned number)
{
    return own_lane()->d[number];
}

WORK_COST_0 float wl_warpgroup_take_float(unsigned number)
{
    float value;
    memcpy(&value, &own_lane()->d[number], sizeof value);
    return value;
}

WORK_COST_1 void wl_warpgroup_fence(void)
{
}

WORK_COST_1 void wl_warpgroup_commit(void)
{
    bulk_events_step(PRODUCT_COMMIT, 0, RETURN_ADDRESS);
}

WORK_COST_1 void wl_warpgroup_wait(unsigned left)
{
    const unsigned warp = engine.current->index / WARP_LANES;
    struct products *own = products();
    if (own->made[warp])
        mbarriers_await(&own->all_made[warp / WARPGROUP_WARPS], own->made[warp] - 1,
                        RETURN_ADDRESS);
    bulk_events_step(PRODUCT_WAIT, left, RETURN_ADDRESS);
}
