/* access_check.c - see access_check.h. */
#include "stream/access_check.h"

#include <inttypes.h>
#include <stdio.h>

#include "expression/expression.h"
#include "stream/limits.h"

const char *const sync_kind_names[SYNC_KINDS] = {
    [SYNC_WARP] = "syncwarp",        [SYNC_EXCHANGE] = "exchange",    [FENCE_BLOCK] = "fence.block",
    [FENCE_DEVICE] = "fence.device", [FENCE_SYSTEM] = "fence.system", [SYNC_GRID] = "gridsync"};

static bool is_possible(const struct warp_access *a)
{
    if (a->op >= OP_COUNT || a->space >= SPACE_COUNT)
        return false;
    if (a->op == OP_STORE)
        return a->space != SPACE_CONSTANT && a->space != SPACE_TEXTURE;
    if (a->op == OP_ATOMIC)
        return (a->space == SPACE_GLOBAL || a->space == SPACE_SHARED) && a->width != 1;
    return true;
}

static const char *check_address(const struct warp_access *a, unsigned lane,
                                 char text[CHECK_TEXT_BYTES])
{
    uint64_t addr = access_addr(a, lane);
    uint64_t last = limits_access_end(a) - a->width;
    if (addr > last)
        snprintf(text, CHECK_TEXT_BYTES, "lane %u is at 0x%" PRIx64 "; allowed: 0 to 0x%" PRIx64,
                 lane, addr, last);
    else if (addr % a->width)
        snprintf(text, CHECK_TEXT_BYTES,
                 "lane %u is at 0x%" PRIx64 ", which is misaligned; allowed: multiples of %u, the "
                 "bytes a lane takes",
                 lane, addr, a->width);
    else
        return NULL;
    return text;
}

static const char *check_lanes(const struct warp_access *a, uint32_t present,
                               char text[CHECK_TEXT_BYTES])
{
    if (a->active == 0)
        return "no lane takes part; allowed: at least one";
    if ((a->active | a->resident) & ~present) {
        snprintf(text, CHECK_TEXT_BYTES,
                 "lanes that the block does not have; allowed: lanes of 0x%" PRIx32, present);
        return text;
    }
    if (a->active & ~a->resident)
        return "lanes take part that are not resident; allowed: resident lanes";
    return NULL;
}

const char *access_check(const struct warp_access *access, uint32_t present,
                         char text[CHECK_TEXT_BYTES])
{
    if (access->width == 0 || access->width > 16 || (access->width & (access->width - 1)))
        return "the width is wrong; allowed: 1, 2, 4, 8 or 16 bytes";
    if (!is_possible(access))
        return "there is no such operation; allowed: loads everywhere, stores to global, shared "
               "and local memory, atomics of 2 bytes and more in global and shared memory";
    if (access->flags >> ACCESS_FLAGS)
        return "an unknown flag";
    const char *error = check_lanes(access, present, text);
    for (uint32_t left = access->active; left && error == NULL; left &= left - 1)
        error = check_address(access, (unsigned)__builtin_ctz(left), text);
    return error;
}

enum { BARRIER_BYTES = 8, ROW_UNIT = 16, BOX_MOST = 256 };
#define PITCH_END (UINT64_C(1) << 40)

/* The bytes from the tensor's begin on that a copy of a box can come to, row by row; 0: that is too far. */
static bool reaches_no_further(const struct warp_access *a)
{
    const struct bulk_copy *b = a->bulk;
    const uint64_t base = access_addr(a, (unsigned)__builtin_ctz(a->active));
    uint64_t ends = base, shared = b->swizzle ? b->swizzle : (uint64_t)b->box[0] * b->element;
    for (unsigned d = 0; d < b->rank; d++) {
        const int64_t at = b->at[d];
        ends += (uint64_t)((at > 0 ? at : 0) + b->box[d]) * b->pitch[d] * (d == 0);
        uint64_t rows = 0;
        if (d && __builtin_mul_overflow((uint64_t)b->size[d] - 1, b->pitch[d], &rows))
            return false;
        if (rows > ADDRESS_END || (ends += rows) > ADDRESS_END)
            return false;
        shared *= d ? b->box[d] : 1;
        if (shared > SHARED_BYTES_MAX)
            return false;
    }
    return shared + b->shared <= SHARED_BYTES_MAX &&
           (b->at[0] >= 0 || (uint64_t) - (int64_t)b->at[0] * b->element <= base);
}

static bool dimensions_are_possible(const struct bulk_copy *b)
{
    const bool is_row = b->rank == 1 && b->element == 1 && b->at[0] == 0;
    for (unsigned d = 0; d < b->rank; d++)
        if (b->box[d] == 0 || b->size[d] == 0 || b->pitch[d] >= PITCH_END ||
            (!is_row && b->box[d] > BOX_MOST))
            return false;
    const uint64_t row = (uint64_t)b->box[0] * b->element;
    return b->pitch[0] == b->element && row % ROW_UNIT == 0 &&
           (b->swizzle == 0 || row <= b->swizzle);
}

static const char *check_bulk(const struct warp_access *a)
{
    const struct bulk_copy *b = a->bulk;
    const bool is_peer = access_is_remote(a) && a->op == OP_STORE && b->rank == 1;
    if ((a->space != SPACE_GLOBAL && !is_peer) || a->width != 16 || (a->active & (a->active - 1)))
        return "no bulk copy; allowed: of one lane, in global memory, or a row to another block's "
               "shared memory (flags=cluster), 16 bytes wide";
    if (is_peer &&
        access_addr(a, (unsigned)__builtin_ctz(a->active)) % CLUSTER_BLOCK_BYTES + b->box[0] >
            SHARED_BYTES_MAX)
        return "a bulk copy that ends beyond the shared memory of a block";
    if (b->rank == 0 || b->rank > BULK_RANK_MAX ||
        !(b->element == 1 || b->element == 2 || b->element == 4 || b->element == 8) ||
        !(b->swizzle == 0 || b->swizzle == 32 || b->swizzle == 64 || b->swizzle == 128) ||
        !dimensions_are_possible(b))
        return "a bulk copy's box; allowed: 1 to 5 dimensions of up to 256 elements of 1, 2, 4 or "
               "8 bytes, rows of multiples of 16 bytes, no longer than their swizzle, which is 0, "
               "32, 64 or 128";
    if (b->more > (a->op == OP_LOAD ? CLUSTER_BLOCKS_MOST - 1 : 0))
        return "a bulk copy for other blocks, too; allowed: loads, for up to 15 more";
    if (b->shared % ROW_UNIT || !reaches_no_further(a))
        return "a bulk copy's place; allowed: multiples of 16 in shared memory, and what lies "
               "within global memory";
    if (a->op == OP_LOAD &&
        (b->barrier % BARRIER_BYTES || b->barrier > SHARED_BYTES_MAX - BARRIER_BYTES ||
         b->phase >= PHASE_NUMBERS))
        return "a bulk copy's barrier; allowed: multiples of 8 in shared memory";
    return NULL;
}

const char *access_check_step(const struct trace_copy *copy, char text[CHECK_TEXT_BYTES])
{
    if (copy->left > COPY_GROUPS_LEFT_MAX || copy->phase >= PHASE_NUMBERS ||
        copy->needs > PHASE_COUNT_MAX || copy->bytes > PHASE_COUNT_MAX ||
        copy->barrier % BARRIER_BYTES || copy->barrier > NAMED_BARRIERS_END - BARRIER_BYTES) {
        snprintf(text, CHECK_TEXT_BYTES,
                 "a step of copies at 0x%" PRIx32 " that leaves %" PRIu32 " groups, or has %" PRIu32
                 " arrivals and %" PRIu32 " bytes; allowed: multiples of 8 in shared memory and "
                 "the 16 named barriers behind it, %d, "
                 "%d",
                 copy->barrier, copy->left, copy->needs, copy->bytes, COPY_GROUPS_LEFT_MAX,
                 PHASE_COUNT_MAX);
        return text;
    }
    return NULL;
}

const char *access_check_copy(const struct warp_access *a, char text[CHECK_TEXT_BYTES])
{
    if (a->bulk)
        return check_bulk(a);
    const struct async_copy *copy = a->copy;
    if (a->op != OP_LOAD || a->space != SPACE_GLOBAL || a->width < 4 ||
        (copy->past_l1 && a->width != 16))
        return "no asynchronous copy; allowed: from global memory, 4, 8 or 16 bytes a lane, past "
               "the L1 16";
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t to = copy->to[lane];
        if (to > (uint64_t)SHARED_BYTES_MAX - a->width || to % a->width) {
            snprintf(text, CHECK_TEXT_BYTES,
                     "lane %u copies to 0x%" PRIx64
                     "; allowed: multiples of %u below %d, in shared memory",
                     lane, to, a->width, SHARED_BYTES_MAX);
            return text;
        }
        if (copy->bytes[lane] > a->width || (copy->bytes[lane] < a->width && !copy->sized)) {
            snprintf(text, CHECK_TEXT_BYTES, "lane %u copies %u bytes of %u; allowed: %s", lane,
                     copy->bytes[lane], a->width,
                     copy->sized ? "no more" : "all, without a source size");
            return text;
        }
    }
    return NULL;
}

static bool is_block_possible(const uint32_t block[3])
{
    for (int i = 0; i < 3; i++)
        if (block[i] == 0 || block[i] > BLOCK_THREADS_MOST)
            return false;
    return (uint64_t)block[0] * block[1] * block[2] <= BLOCK_THREADS_MOST;
}

static bool is_grid_possible(const uint32_t grid[3])
{
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0 || grid[0] > INT32_MAX ||
        grid[1] > UINT16_MAX || grid[2] > UINT16_MAX)
        return false;
    return (uint64_t)grid[0] * grid[1] <= UINT32_MAX / grid[2];
}

const char *launch_check(const struct launch_info *launch, char text[CHECK_TEXT_BYTES])
{
    const uint32_t *b = launch->block, *g = launch->grid;
    if (!is_block_possible(b))
        snprintf(text, CHECK_TEXT_BYTES,
                 "a block of %u x %u x %u threads; allowed: 1 to 1024 threads", b[0], b[1], b[2]);
    else if (!is_grid_possible(g))
        snprintf(text, CHECK_TEXT_BYTES,
                 "a grid of %u x %u x %u blocks; allowed: 1 to 2147483647 x 65535 x 65535, and "
                 "below 2^32 in all",
                 g[0], g[1], g[2]);
    else if (launch->dynamic_shared_bytes > DYNAMIC_SHARED_MOST)
        snprintf(text, CHECK_TEXT_BYTES,
                 "%" PRIu64 " bytes of dynamic shared memory; allowed: 0 to %d",
                 launch->dynamic_shared_bytes, DYNAMIC_SHARED_MOST);
    else if (launch->registers > REGISTERS_MOST)
        snprintf(text, CHECK_TEXT_BYTES, "%u registers a thread; allowed: 0 (unknown) to %d",
                 launch->registers, REGISTERS_MOST);
    else
        return NULL;
    return text;
}
