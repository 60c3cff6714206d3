/* matrices.c - ldmatrix, stmatrix, mma and the loads and stores of nvcuda::wmma.
 *
 * All 32 lanes of a warp have to be there, as PTX asks of .sync.aligned; a launch in which some are missing ends. Rows are checked
 * as other accesses are: that they are in an array and at multiples of 16 bytes before they are moved, that what is loaded was
 * written afterwards. Lanes that wmma makes load words are checked alike; what they hold is read when all have been checked.
 */
#include "tracer/matrix/matrices.h"

#include <string.h>

#include "tracer/faults.h"
#include "tracer/matrix/fragment.h"
#include "tracer/matrix/warpgroup.h"
#include "tracer/shared_faults.h"

bool wl_is_shared(const void *pointer);

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { ROWS = 8, ROW_BYTES = 16, TRANSPOSED = 256 };

static struct matrix_lane matrix_lanes[BLOCK_LANES_MAX];

static struct matrix_lane *own_lane(void)
{
    return &matrix_lanes[engine.current->index];
}

/* ---- Meeting ----------------------------------------------------------------------------------- */

static const char *const names[] = {[MATRIX_MEET] = "a matrix fragment's load or store",
                                    [MATRIX_ROWS] = "a matrix fragment's load",
                                    [MATRIX_LOAD] = "ldmatrix",
                                    [MATRIX_STORE] = "stmatrix",
                                    [MATRIX_PRODUCT] = "a matrix product",
                                    [MATRIX_WARPGROUP] = "wgmma"};

void matrices_meet(struct warp_op op, uintptr_t pc)
{
    op.kind = WARP_OP_MATRIX;
    op.mask = UINT32_MAX;
    const uint32_t here = (uint32_t)warp_op_run(pc, op);
    if (here == UINT32_MAX)
        return;
    engine.error = cudaErrorLaunchFailure;
    engine_fail_lane(pc,
                     "%s with lanes 0x%08x of the warp alone: all 32 have to come to it at once "
                     "(PTX: .sync.aligned)",
                     names[op.mode], (unsigned)here);
}

/* The row that the running lane names; its simulated address. */
static uint64_t check_row(const void *row, enum mem_op op, enum matrix_op what, uintptr_t pc)
{
    hooks_check_aligned(row, ROW_BYTES, op, pc);
    const struct place place = spaces_place(row, ROW_BYTES, op, pc);
    if (place.space != SPACE_SHARED) {
        engine.error = cudaErrorIllegalAddress;
        faults_stop_is(&(struct trace_fault){
            .kind = FAULT_OUT_OF_BOUNDS, .op = (uint8_t)op, .width = ROW_BYTES});
        engine_fail_lane(pc, "%s: the row is not in shared memory", names[what]);
    }
    return place.addr;
}

/* Lanes below `lanes` name rows. `part`: which of several accesses of one call. */
static void move_rows(enum matrix_op what, unsigned shape, unsigned lanes, const void *row,
                      unsigned part, uintptr_t pc)
{
    const enum mem_op op = what == MATRIX_STORE ? OP_STORE : OP_LOAD;
    const bool names_row = engine.current->index % WARP_LANES < lanes;
    struct warp_op warp_op = {
        .mode = what, .lane = shape, .width = part | lanes << 8, .value = (uintptr_t)row};
    if (names_row)
        warp_op.result = check_row(row, op, what, pc);
    if (names_row && op == OP_STORE)
        shared_check(row, ROW_BYTES, op, pc);
    matrices_meet(warp_op, pc);
    if (names_row && op == OP_LOAD)
        shared_check(row, ROW_BYTES, op, pc);
}

void matrices_emit(struct warp *warp, const struct merged_event *event)
{
    const uint64_t place = UINT32_MAX | 0xffULL << EVENT_DEPTH_SHIFT;
    const struct warp_op *first = &warp->lanes[__builtin_ctz(event->group)].context->op;
    const bool stores = first->mode == MATRIX_STORE;
    uint64_t addr[WARP_LANES];
    if (event->group != UINT32_MAX ||
        (first->mode != MATRIX_ROWS && first->mode != MATRIX_LOAD && first->mode != MATRIX_STORE))
        return;
    for (unsigned i = 0; i < WARP_LANES; i++)
        addr[i] = warp->lanes[i].context->op.result;
    const struct merged_event access = {
        .meta = (event->meta & place) | (uint64_t)EVENT_ACCESS << EVENT_KIND_SHIFT |
                4ULL << EVENT_WIDTH_SHIFT | 1ULL << EVENT_FLOAT_SHIFT |
                (uint64_t)(stores ? OP_STORE : OP_LOAD) << EVENT_OP_SHIFT |
                (uint64_t)SPACE_SHARED << EVENT_SPACE_SHIFT |
                (uint64_t)(first->width & 0xff) << EVENT_PART_SHIFT,
        .addr = addr,
        .group = UINT32_MAX >> (WARP_LANES - (first->width >> 8)),
        .resident = event->resident,
    };
    warp_give_access(warp, &access);
}

/* ---- What is moved -------------------------------------------------------------------------------- */

/* Lane l has elements 2 (l mod 4) and the next of row l / 4, or of that column. */
static unsigned row_of(unsigned lane, unsigned which, bool transposed)
{
    return transposed ? lane % 4 * 2 + which : lane / 4;
}

static void load_matrix(const struct lane *lanes, unsigned matrix, bool transposed,
                        struct matrix_lane *to)
{
    uint16_t element[ROWS][ROWS];
    for (unsigned row = 0; row < ROWS; row++)
        memcpy(element[row], (const void *)lanes[ROWS * matrix + row].context->op.value, ROW_BYTES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t word = 0;
        for (unsigned which = 0; which < 2; which++)
            word |=
                (uint64_t)element[row_of(lane, which, transposed)][row_of(lane, which, !transposed)]
                << 16 * which;
        uint64_t *back = &to[lane].back[matrix / 2];
        *back = matrix % 2 ? *back | word << 32 : word;
    }
}

static void store_matrix(const struct lane *lanes, unsigned matrix, bool transposed,
                         const struct matrix_lane *from)
{
    uint16_t element[ROWS][ROWS];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned which = 0; which < 2; which++)
            element[row_of(lane, which, transposed)][row_of(lane, which, !transposed)] =
                (uint16_t)(from[lane].given[WL_MATRIX_A][matrix / 2] >>
                           (matrix % 2 * 32 + 16 * which));
    for (unsigned row = 0; row < ROWS; row++)
        memcpy((void *)lanes[ROWS * matrix + row].context->op.value, element[row], ROW_BYTES);
}

void matrices_resolve(struct lane *lanes, uint32_t group)
{
    const struct warp_op op = lanes[__builtin_ctz(group)].context->op;
    struct matrix_lane *own = &matrix_lanes[lanes[0].index];
    const bool all = group == UINT32_MAX, transposed = (op.lane & TRANSPOSED) != 0;
    const unsigned count = op.lane & (TRANSPOSED - 1);
    for (unsigned k = 0; all && op.mode == MATRIX_LOAD && k < count; k++)
        load_matrix(lanes, k, transposed, own);
    for (unsigned k = 0; all && op.mode == MATRIX_STORE && k < count; k++)
        store_matrix(lanes, k, transposed, own);
    if (all && op.mode == MATRIX_PRODUCT)
        product_make((const struct wl_product *)op.value, own);
    if (all && op.mode == MATRIX_WARPGROUP)
        warpgroup_resolve(lanes, &op, own);
    for (uint32_t left = group; left; left &= left - 1)
        lanes[__builtin_ctz(left)].context->op.result = group;
}

/* ---- What kernels call ------------------------------------------------------------------------------ */

static struct wl_words first_half(void)
{
    return (struct wl_words){own_lane()->back[0], own_lane()->back[1]};
}

WORK_COST_0 struct wl_words wl_fragment_rest(void)
{
    return (struct wl_words){own_lane()->back[2], own_lane()->back[3]};
}

WORK_COST_0 void wl_fragment_give(unsigned use, uint64_t w0, uint64_t w1, uint64_t w2, uint64_t w3)
{
    const uint64_t words[FRAGMENT_WORDS] = {w0, w1, w2, w3};
    memcpy(own_lane()->given[use], words, sizeof words);
}

WORK_COST_0 void wl_fragment_give_registers(unsigned use, uint32_t r0, uint32_t r1, uint32_t r2,
                                            uint32_t r3)
{
    enum { REGISTER_BITS = 32 };
    wl_fragment_give(use, (uint64_t)r1 << REGISTER_BITS | r0, (uint64_t)r3 << REGISTER_BITS | r2, 0,
                     0);
}

WORK_COST_1 struct wl_words wl_ldmatrix(unsigned count, unsigned transposed, const void *row)
{
    own_lane()->back[1] = 0;
    move_rows(MATRIX_LOAD, count | (transposed ? TRANSPOSED : 0), ROWS * count, row, 0,
              RETURN_ADDRESS);
    return first_half();
}

WORK_COST_1 void wl_stmatrix(unsigned count, unsigned transposed, void *row, uint64_t low,
                             uint64_t high)
{
    own_lane()->given[WL_MATRIX_A][0] = low;
    own_lane()->given[WL_MATRIX_A][1] = high;
    move_rows(MATRIX_STORE, count | (transposed ? TRANSPOSED : 0), ROWS * count, row, 0,
              RETURN_ADDRESS);
}

/* Instructions of a product beyond the first, as for sm_80 and later: one takes 4096 bytes' products of A (m16n8k16 of halves, m16n8k32
 * of bytes, m16n8k8 of tf32). */
static unsigned further_products(const struct wl_product *p)
{
    enum { BYTES_AT_ONCE = 4096 };
    const unsigned bytes = (unsigned)(p->m * p->n * p->k) * product_element_bytes(p);
    return bytes > BYTES_AT_ONCE ? bytes / BYTES_AT_ONCE - 1 : 0;
}

WORK_COST_1 struct wl_words wl_mma(const struct wl_product *product)
{
    engine.work += (uint64_t)further_products(product) << EVENT_WORK_SHIFT;
    matrices_meet((struct warp_op){.mode = MATRIX_PRODUCT, .value = (uintptr_t)product},
                  RETURN_ADDRESS);
    return first_half();
}

/* ---- nvcuda::wmma ------------------------------------------------------------------------------------ */

/* Says the lane's accesses: of a plan with ldmatrix they are the warp's. */
static void announce(const struct wl_fragment *f, const char *at, unsigned ld, enum mem_op op,
                     uintptr_t pc)
{
    const unsigned lane = engine.current->index % WARP_LANES;
    const struct fragment_plan plan = fragment_plan(f, wl_is_shared(at), op == OP_LOAD);
    for (unsigned i = 0; i < plan.count; i++) {
        const char *where = at + f->bytes * fragment_offset(f, &plan, i, lane, ld);
        if (plan.is_matrix)
            move_rows(MATRIX_ROWS, 0, plan.lanes, where, i, pc);
        else
            hooks_record_part(where, (unsigned)__builtin_ctz(plan.width), op, i, pc);
    }
}

/* The lane's elements between memory and words. */
static void copy_elements(const struct wl_fragment *f, char *at, unsigned ld, char *words,
                          bool load)
{
    const unsigned lane = engine.current->index % WARP_LANES, held = fragment_held(f);
    for (unsigned tile = 0; tile < fragment_tiles(f); tile++)
        for (unsigned which = 0; which < held; which++, words += f->bytes) {
            const struct fragment_place base = fragment_tile(f, tile),
                                        in = fragment_within(f, lane, which);
            const size_t row = base.row + in.row, column = base.column + in.column;
            char *element = at + f->bytes * (f->by_columns ? column * ld + row : row * ld + column);
            memcpy(load ? words : element, load ? element : words, f->bytes);
        }
}

WORK_COST_1 struct wl_words wl_fragment_load(const struct wl_fragment *fragment, const void *from,
                                             unsigned ld, const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    call_lines_say(pc, file, (unsigned)line);
    announce(fragment, from, ld, OP_LOAD, pc);
    matrices_meet((struct warp_op){.mode = MATRIX_MEET}, pc);
    copy_elements(fragment, (char *)from, ld, (char *)own_lane()->back, true);
    return first_half();
}

WORK_COST_1 void wl_fragment_store(const struct wl_fragment *fragment, void *to, unsigned ld,
                                   const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    call_lines_say(pc, file, (unsigned)line);
    announce(fragment, to, ld, OP_STORE, pc);
    matrices_meet((struct warp_op){.mode = MATRIX_MEET}, pc);
    copy_elements(fragment, to, ld, (char *)own_lane()->given[WL_ACCUMULATOR], false);
    matrices_meet((struct warp_op){.mode = MATRIX_MEET}, pc);
}
